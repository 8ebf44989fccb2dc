"""What an agent decided, scored: search, identification and execution, and all three together.

Scores are those of `benchmarks.probe.scoring`, which knows nothing of trials. An answer that nobody gave scores 0, and
so does a trial that hit a limit; what takes a judge is unscored until one was asked.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast

from benchmarks.probe import days, worlds
from benchmarks.probe.costs import cost
from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.pouring import key_of
from benchmarks.probe.records import Sample
from benchmarks.probe.reference import by_grammar
from benchmarks.probe.scoring.answers import Answer, Grade, Question, answered, wrong_acts
from benchmarks.probe.scoring.execution import execution as executed
from benchmarks.probe.scoring.execution import falls_short
from benchmarks.probe.scoring.scored import Scored, score
from benchmarks.probe.scoring.scored import questions as open_questions
from harness.score import NO_VERDICTS, Criterion, Query, Score, Verdicts, settled
from harness.suite import SuiteError
from harness.task import Task
from harness.trajectory import Trajectory

__all__ = ("CHECKS", "OURS", "Rules", "decisions", "queries", "touched")

_ASKED = {
    "who_blocked": "who owes the work that is blocked",
    "who_blocker": "whose unfinished work it is waiting for",
    "what_task": "which piece of work is blocked",
    "why_root_cause": "the actual cause, and what it concerns",
    "when_deadline": "when the work is due",
    "where_system": "in which system or place it is stuck",
    "how_mechanism": "how the cause blocks the work",
    "impact_scope": "what else suffers",
}
_WORTH = {"correct": 1.0, "incorrect": 0.0, "missing": 0.0}
_RESOLVE = "would_resolve"
_RESOLVING = {"yes": 1.0, "partially": 0.5, "no": 0.0}


def decisions(trajectory: Trajectory) -> list[dict[str, Any]]:
    """The rows of `decisions` that the agent added, in the order in which it did."""
    added = [
        change
        for change in trajectory.changes
        if (change.app, change.table, change.op) == ("actions", "decisions", "insert")
    ]
    written = [write.id for call in trajectory.calls for write in call.writes if write.table == "decisions"]
    place = {id: number for number, id in reversed([*enumerate(written)])}
    added.sort(key=lambda change: place.get(change.id, len(place)))
    return [{**_EMPTY, **(change.after or {})} for change in added]


_EMPTY: Mapping[str, Any] = {"parameters": {}, "evidence": [], "bottleneck": "", "details": {}}
"""What a decision has where nothing was said: rows of a record are without it."""


def touched(sample: Sample, trajectory: Trajectory) -> list[str]:
    """Documents that the agent was shown anything of: their ids stand in what the datastore gave it."""
    shown = [call.text for call in trajectory.calls if call.app == "datastore" and call.status == "ok"]
    return [each.id for each in sample.documents if any(f'"{each.id}"' in text for text in shown)]


def pinned(task: Task) -> Sample:
    """The sample of a task of the benchmark's own suite, whose key has to be the one that is pinned."""
    made = worlds.sample(task.world)
    if task.facts["key"] != key_of(made):
        raise SuiteError(f"the answer key of {task.id} is not as pinned: run `python -m benchmarks.probe.pins`")
    return made


class Rules(NamedTuple):
    """Where the sample of a task is from, and whether execution is scored, as published, where it is ungrounded too."""

    sample: Callable[[Task], Sample] = pinned
    paper: bool = False


OURS = Rules()


def queries(task: Task, trajectory: Trajectory, rules: Rules = OURS) -> Sequence[Query]:
    """What judges are to say of an answer, a query for each question that no program decides; none of a control.

    Of a right act that falls short, or may, they also say whether it would resolve the bottleneck: table 5 counts that.
    """
    if task.facts["control"]:
        return []
    sample, answer = rules.sample(task), _answer(trajectory)
    found = [_query(sample, each) for each in open_questions(sample, answer, paper=rules.paper)]
    return [*found, *filter(None, [_resolution(sample, answer, rules)])]


def strict(task: Task, trajectory: Trajectory, verdicts: Verdicts = NO_VERDICTS, rules: Rules = OURS) -> Score:
    """1 where search, identification and execution are all 1; of a control, where nothing was done.

    `detail` has what tables are made of: `scored`, a record of `scoring.scored`; `grammar`, the same scores of the
    inverse grammar on this sample; numbers of `documents`, `relevant` ones and `actions`; `wrong_acts`; `side_effects`,
    whether there were any; `acts`, all of them, and what the wrong ones `cost`; the sample's `level`. Of a control
    there are only the last five, and `control`. Where a document arrives during the week, 1 takes acting on the day of
    its arrival besides; `timing` says when the first act was, `delay` how many working days late, `right` what the
    score is without that.
    """
    if void := _void(trajectory):
        return void
    sample = rules.sample(task)
    if sample.gold.action is None:
        return _quiet(sample, trajectory)
    found = _scored(task, trajectory, verdicts, rules)
    if "arrives" in task.facts:
        return _in_time(task, sample, trajectory, found, rules)
    acts = wrong_acts(decisions(trajectory), sample.gold.action)
    value = None if found.strict is None else float(found.strict)
    return Score(
        value=value,
        label=_label(trajectory, value),
        reason=_reason(trajectory, found),
        detail={
            "side_effects": acts > 0,
            "wrong_acts": acts,
            "acts": len(decisions(trajectory)),
            "cost": _cost(sample, trajectory, _worth_of_act(sample, trajectory, found, rules)),
            "control": False,
            "level": sample.level,
            "scored": found.model_dump(mode="json"),
            "grammar": _grammar(sample, rules),
            "documents": len(sample.documents),
            "relevant": len(sample.gold.true_positives),
            "actions": len(sample.actions),
            "template": sample.template,
            "held_out": sample.template in causes() and causes()[sample.template].held_out,
        },
    )


def search_f1(task: Task, trajectory: Trajectory, verdicts: Verdicts = NO_VERDICTS, rules: Rules = OURS) -> Score:
    """F1 of the evidence declared; `detail` has the counts and precision and recall."""
    if apart := _void(trajectory) or _of_control(task):
        return apart
    found = _scored(task, trajectory, verdicts, rules).search
    if found is None:
        return Score(value=None, label="unscored", reason="The sample has no true positives.")
    return Score(
        value=found.f1,
        label=_label(trajectory, found.f1),
        reason=f"{found.hits} of {found.relevant} documents are declared, among {found.retrieved}.",
        detail=found.model_dump(mode="json"),
    )


def identification(task: Task, trajectory: Trajectory, verdicts: Verdicts = NO_VERDICTS, rules: Rules = OURS) -> Score:
    """1, 0.5 or 0 by the verdicts on eight details, each a criterion where there is something to know."""
    if apart := _void(trajectory) or _of_control(task):
        return apart
    found = _scored(task, trajectory, verdicts, rules).identification
    asked = {each.id: settled(each, verdicts) for each in queries(task, trajectory, rules)}
    criteria = [
        asked.get(name) or Criterion(name=name, value=_worth(verdict), reason=f"By program: {verdict}.")
        for name, verdict in found.verdicts.items()
        if name in asked or verdict != "n/a"
    ]
    return _graded(trajectory, found.score, criteria)


def execution(task: Task, trajectory: Trajectory, verdicts: Verdicts = NO_VERDICTS, rules: Rules = OURS) -> Score:
    """1, 0.5 or 0 by action and critical parameters, each parameter a criterion.

    Whether an act that falls short would resolve the bottleneck is a criterion without weight.
    """
    if apart := _void(trajectory) or _of_control(task):
        return apart
    found = _scored(task, trajectory, verdicts, rules).execution
    asked = {each.id: settled(each, verdicts) for each in queries(task, trajectory, rules)}
    criteria = [Criterion(name="action", value=float(found.right_action))]
    criteria += [
        asked.get(f"parameter.{name}") or Criterion(name=f"parameter.{name}", value=_worth(verdict))
        for name, verdict in found.verdicts.items()
    ]
    if resolution := asked.get(_RESOLVE):
        criteria.append(resolution.model_copy(update={"weight": 0.0}))
    return _graded(trajectory, found.score, criteria, _beyond(found.ungrounded))


def overall(task: Task, trajectory: Trajectory, verdicts: Verdicts = NO_VERDICTS, rules: Rules = OURS) -> Score:
    """The plain mean of search, identification and execution."""
    if apart := _void(trajectory) or _of_control(task):
        return apart
    found = _scored(task, trajectory, verdicts, rules)
    return Score(value=found.overall, label=_label(trajectory, found.overall), reason=_reason(trajectory, found))


CHECKS = {
    "strict": strict,
    "search_f1": search_f1,
    "identification": identification,
    "execution": execution,
    "overall": overall,
}
"""The first decides what counts as correct."""


def _answer(trajectory: Trajectory) -> Answer | None:
    """The first decision of a trial that ended in order."""
    return answered(decisions(trajectory)) if trajectory.status == "finished" else None


def _scored(task: Task, trajectory: Trajectory, verdicts: Verdicts, rules: Rules) -> Scored:
    sample, answer = rules.sample(task), _answer(trajectory)
    asked = open_questions(sample, answer, paper=rules.paper)
    said = {each.about: _said(_query(sample, each), verdicts) for each in asked}
    judged = {about: cast("Grade", verdict) for about, verdict in said.items() if verdict is not None}
    resolution = _resolution(sample, answer, rules) if verdicts.get(_RESOLVE) else None
    return score(
        sample,
        answer,
        judged,
        agent=trajectory.agent,
        touched=touched(sample, trajectory),
        would_resolve=(_said(resolution, verdicts) or "silent") if resolution else "",
        paper=rules.paper,
    )


def _query(sample: Sample, question: Question) -> Query:
    name = question.about.removeprefix("parameter.")
    parameter = name != question.about
    what = f"the parameter {name} of the act" if parameter else _ASKED[name]
    known = question.gold is not None
    right = [f"The right answer: {question.gold}"] if known else [f"The whole bottleneck: {sample.gold.description}"]
    right += [f"Also right: {'; '.join(question.accept)}"] if question.accept else []
    return Query(
        id=question.about,
        text=(
            "Somebody had to find out what was blocking a colleague's work, and act on it. Here is what they wrote. "
            f"Does it correctly say {what}? `correct`: it says the same as the right answer, in whatever words; "
            "`incorrect`: it says something else; `missing`: it says nothing about it."
            + ("" if known else " `n/a`: the whole says nothing about it either.")
        ),
        evidence="\n".join([*right, f"They wrote: {question.said}"]),
        kind="label",
        labels=_WORTH if known else {**_WORTH, "n/a": 1.0},
    )


def _resolution(sample: Sample, answer: Answer | None, rules: Rules) -> Query | None:
    """The question of listing 25 (appendix B.6) that no score depends on, in words of our own; None of other acts."""
    if answer is None or not falls_short(sample, answer, paper=rules.paper):
        return None
    gold = sample.gold
    action = next(each for each in sample.actions if each.id == gold.action)
    wanted = [f"  {name}: {_plain(value)}" for name, value in gold.parameters.items()]
    wanted += [f"  {name} has to name {', '.join(each)}" for name, each in gold.mentions.items()]
    done = [f"  {name}: {_plain(value)}" for name, value in answer.parameters.items()]
    lines = [
        f"What was in the way: {gold.description}",
        f"The act: {action.description}",
        "As it had to be done:",
        *wanted,
        "As they did it:",
        *(done or ["  nothing was said with it"]),
    ]
    return Query(
        id=_RESOLVE,
        text=(
            "Somebody had to find out what was blocking a colleague's work, and end that by one act. They chose the "
            "right kind of act. Here are what was in the way, how the act had to be done, and how they did it. Would "
            "what they did end it? `yes`: it would, however it is put and whatever else it says; `partially`: it "
            "reaches the right people and things, but part of what is needed is wrong or not said; `no`: it would not, "
            "or it is about somebody or something else."
        ),
        evidence="\n".join(lines),
        kind="label",
        labels=_RESOLVING,
    )


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _said(query: Query, verdicts: Verdicts) -> str | None:
    """What most judges say of a query; None where none was asked, or two answers lead."""
    answers = Counter(each.answer for each in settled(query, verdicts).opinions if each.answer is not None)
    ranked = answers.most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return str(ranked[0][0])


_LACKING: Mapping[str, float | None] = dict.fromkeys(("search_f1", "identification", "execution", "strict"))


def _grammar(sample: Sample, rules: Rules) -> dict[str, float | None]:
    """What the inverse grammar makes of a sample: nothing of one that no grammar made."""
    if sample.level != "grammar":
        return dict(_LACKING)
    return dict(_of_ours(sample.id) if rules is OURS else _by_grammar(sample))


@lru_cache(8)
def _of_ours(name: str) -> Mapping[str, float | None]:
    return _by_grammar(worlds.sample(name))


def _by_grammar(sample: Sample) -> Mapping[str, float | None]:
    found = score(sample, by_grammar(sample), {})
    return {
        "search_f1": found.search.f1 if found.search else None,
        "identification": found.identification.score,
        "execution": found.execution.score,
        "strict": None if found.strict is None else float(found.strict),
    }


def _quiet(sample: Sample, trajectory: Trajectory) -> Score:
    """Of a control: doing nothing is right, and any act is a false alarm."""
    acts = len(decisions(trajectory))
    right = trajectory.status == "finished" and not acts
    said = "Nothing was done, which is right" if right else f"Nothing was to be done, and {acts} acts were"
    ended = "" if trajectory.status == "finished" else f" The agent did not end in order: {trajectory.reason}"
    return Score(
        value=float(right),
        label=str(trajectory.status) if ended else "quiet" if right else "false_alarm",
        reason=f"{said}.{ended}",
        detail={
            "control": True,
            "level": sample.level,
            "side_effects": acts > 0,
            "wrong_acts": acts,
            "acts": acts,
            "cost": _cost(sample, trajectory, None),
        },
    )


def _in_time(task: Task, sample: Sample, trajectory: Trajectory, found: Scored, rules: Rules) -> Score:
    """Right is the first act only on the day on which the documents first show the bottleneck."""
    made = decisions(trajectory)
    when = days.timing(days.coming(task.id), made)
    right = None if found.strict is None else float(found.strict)
    value = right if when.label == "on time" else 0.0
    wrong = wrong_acts(made, sample.gold.action)
    return Score(
        value=value,
        label=when.label.replace(" ", "_") if trajectory.status == "finished" else str(trajectory.status),
        reason=f"The first act was {when.label}. {_reason(trajectory, found)}",
        detail={
            "timing": when.label,
            "delay": when.delay,
            "right": right,
            "level": sample.level,
            "side_effects": wrong > 0,
            "wrong_acts": wrong,
            "acts": len(made),
            "cost": _cost(sample, trajectory, _worth_of_act(sample, trajectory, found, rules)),
        },
    )


def _worth_of_act(sample: Sample, trajectory: Trajectory, found: Scored, rules: Rules) -> float | None:
    """The execution of the first act by itself: a trial that did not end in order scores 0, whatever was done in it."""
    if trajectory.status == "finished":
        return found.execution.score
    return executed(sample, answered(decisions(trajectory)), {}, paper=rules.paper).score


def _cost(sample: Sample, trajectory: Trajectory, worth: float | None) -> int:
    """What the wrong acts of a trial cost. The right action is one too where it came first and is `worth` nothing."""
    types = {each.id: each.type for each in sample.actions}
    made = [each["action"] for each in decisions(trajectory)]
    wrong = [id for id in made if id != sample.gold.action]
    if made and made[0] == sample.gold.action and worth == 0:
        wrong.append(made[0])
    return sum(cost(types.get(id, "")) for id in wrong)


def _of_control(task: Task) -> Score | None:
    """Nothing but `strict` says anything of a control."""
    if not task.facts["control"]:
        return None
    return Score(
        value=None, label="control", reason="There is nothing to find: `strict` says whether nothing was done."
    )


def _void(trajectory: Trajectory) -> Score | None:
    if trajectory.status != "void":
        return None
    return Score(value=None, label="void", reason=f"The trial is void: {trajectory.reason}")


def _worth(verdict: Grade | None) -> float | None:
    return None if verdict is None else float(verdict == "correct")


def _graded(trajectory: Trajectory, value: float | None, criteria: Sequence[Criterion], apart: str = "") -> Score:
    short = [each.name for each in criteria if each.weight and each.value != 1]
    reason = f"Not right, or not known: {', '.join(short)}." if short else "All of it is right."
    return Score(value=value, label=_label(trajectory, value), reason=apart or reason, criteria=tuple(criteria))


def _beyond(ungrounded: Sequence[str]) -> str:
    """Why the execution of a sample is not scored; "" where it may be."""
    return f"Unscored: nobody could have read what the key asks for: {', '.join(ungrounded)}." if ungrounded else ""


def _label(trajectory: Trajectory, value: float | None) -> str:
    if trajectory.status != "finished":
        return str(trajectory.status)
    if value is None:
        return "unscored"
    if not decisions(trajectory):
        return "nothing_done"
    return "correct" if value == 1 else "wrong" if value == 0 else "partial"


def _reason(trajectory: Trajectory, found: Scored) -> str:
    if trajectory.status != "finished":
        return f"The agent did not end in order: {trajectory.reason or trajectory.status}"
    three = {
        "search": found.search.f1 if found.search else None,
        "identification": found.identification.score,
        "execution": found.execution.score,
    }
    said = ", ".join(f"{name} {'unscored' if each is None else f'{each:.3g}'}" for name, each in three.items())
    return " ".join(filter(None, (f"{said}.", _beyond(found.execution.ungrounded))))
