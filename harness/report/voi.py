"""What questions were worth, for all agents of a run: means, tables and sentences (docs/voi.md)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from harness.core.config import INSTRUMENTS
from harness.core.suite import Suite, Table
from harness.play.branching.plan import CONTINUATIONS, FEWEST_TOLD, Inquiry, Planned, deferred_already
from harness.record.store import TrialRecord
from harness.report import voi_estimates as estimates
from harness.report import words
from harness.report.intervals import chance
from harness.report.texts import rounded
from harness.report.voi_estimates import Outcome, Regret, Valued
from harness.scoring.stats import Interval, paired

__all__ = ("COST", "Valuation", "valued")

COST: Final = 0.05
"""Of a question, where nothing else is said: worth putting where it raises the outcome by more."""


class Valuation(NamedTuple):
    """All that branches tell: questions in the order of their trials, and regrets in the order of tasks."""

    planned: Planned
    suite: Suite
    outcome: Outcome
    cost: float
    questions: Sequence[Valued]
    regrets: Sequence[Regret]

    def tables(self, *, full: bool = False) -> list[Table]:
        """What was asked for by agent and condition; with `full` each question and each task besides."""
        found: list[Table] = []
        config = self.planned.parent.head.config
        for instruments in (False, True):
            names = [each.name for each in config.agents if config.calibrates([each.name]) == instruments]
            prefix = "Calibration" if instruments else "Results"
            kinds = {each.name: each.kind for each in config.agents}
            played = sorted({kinds[each.inquiry.then.agent] for each in self.questions} & INSTRUMENTS)
            notes = [f"{words.CALIBRATION}.", *words.instruments(played)] if instruments else []
            questions = [each for each in self.questions if each.inquiry.then.agent in names]
            regrets = [each for each in self.regrets if each.case.agent.name in names]
            if questions:
                found.append(self._worth(f"{prefix}: what a question was worth", questions, notes))
            if regrets:
                found.append(self._regret(f"{prefix}: what better asking would have gained", regrets, notes))
            if full and questions:
                found.append(self._each(f"{prefix}: each question", questions))
            if full and regrets:
                found.append(self._each_task(f"{prefix}: each task", regrets))
        return found

    def sentences(self) -> list[str]:
        """What it comes to in words, for each agent and condition: of its answers, then of its asking as a whole."""
        return [*self._of_answers(), *self._of_asking()]

    def _of_answers(self) -> Iterator[str]:
        what = "chance of success" if self.outcome == "success" else "share of expected changes made"
        drawn = _drawn(len(self.questions), self.planned.questions_there, "questions")
        for (agent, condition), group in _by_cell(self.questions, _cell).items():
            value = _mean(self.suite, [(each, each.value) for each in group])
            if value.value is not None:
                moved, by = ("raised", value) if value.value >= 0 else ("lowered", _negative(value))
                said = f"an answer {moved} the {what} by {_told(by)} on average{_may(by)}"
                yield f"{drawn}{agent} under {condition}: {said}."

    def _of_asking(self) -> Iterator[str]:
        drawn = _drawn(len(self.regrets), self.planned.cases_there, "tasks")
        for (agent, condition), group in _by_cell(self.regrets, _cell).items():
            done = [each for each in group if not each.lacking]
            regret = _mean_of_tasks(self.suite, done, lambda each: each.regret)
            over = _mean_of_tasks(self.suite, done, lambda each: each.over)
            if regret.value is not None and over.value is not None:
                better, by = ("better", regret) if regret.value >= 0 else ("worse", _negative(regret))
                said = f"told at the start what is worth telling, it would have come out {_told(by)} {better} a task"
                paid = f"{_told(over)} was paid for needless questions"
                yield f"{drawn}{agent} under {condition}: {said}{_may(by)}; {paid}."

    def as_json(self) -> dict[str, Any]:
        """The same for programs: settings, figures by agent and condition, each question and each task."""
        planned = self.planned
        return {
            "parent": str(planned.parent.folder),
            "outcome": self.outcome,
            "cost": self.cost,
            "continuations": planned.continuations,
            "questions_there": planned.questions_there,
            "tasks_there": planned.cases_there,
            "agents": [
                {
                    "agent": agent,
                    "condition": condition,
                    "value_of_answer": _mean(self.suite, [(q, q.value) for q in group])._asdict(),
                    "value_of_asking": _mean(self.suite, [(q, q.asking) for q in group])._asdict(),
                    "questions": len(group),
                    "complete": sum(not each.lacking for each in group),
                }
                for (agent, condition), group in _by_cell(self.questions, _cell).items()
            ],
            "regrets": [
                {
                    "agent": agent,
                    "condition": condition,
                    "regret": _mean_of_tasks(self.suite, group, lambda each: each.regret)._asdict(),
                    "over_asking": _mean_of_tasks(self.suite, group, lambda each: each.over)._asdict(),
                    "under_asking": _mean_of_tasks(self.suite, group, lambda each: each.under)._asdict(),
                    "tasks": len(group),
                    "complete": sum(not each.lacking for each in group),
                }
                for (agent, condition), group in _by_cell(self.regrets, _cell).items()
            ],
            "questions": [_question_json(each) for each in self.questions],
            "tasks": [
                {
                    "agent": each.case.agent.name,
                    "condition": each.case.condition,
                    "task": each.case.task,
                    "segments": list(each.case.segments),
                    "best": [list(subset) for subset in each.best],
                    **{
                        name: getattr(each, name)
                        for name in ("outcome", "questions", "told", "regret", "over", "under")
                    },
                    "lacking": each.lacking,
                }
                for each in self.regrets
            ],
        }

    def _worth(self, title: str, questions: Sequence[Valued], notes: Sequence[str]) -> Table:
        rows = []
        for (agent, condition), group in _by_cell(questions, _cell).items():
            value = _mean(self.suite, [(each, each.value) for each in group])
            asking = _mean(self.suite, [(each, each.asking) for each in group])
            rows.append(
                {
                    "agent": agent,
                    "condition": condition,
                    "questions": len(group),
                    "complete": sum(not each.lacking for each in group),
                    "value of an answer": _signed(value),
                    "value of asking": _signed(asking),
                    "clusters": f"{value.clusters} ({value.level})" if value.n else None,
                }
            )
        planned, what = self.planned, _NAMES[self.outcome]
        said = [
            *notes,
            f"The outcome is {what}. A trial was taken back to each of its questions, and played on from there under "
            "different terms; a value is a difference of mean outcomes.",
            "Value of an answer: with the answer that was given, less with a user who says it is up to the agent.",
            "Value of asking: with the answer that was given, less without asking at that point or later.",
            "In brackets: 95% interval, a bootstrap over clusters, which takes four, or exact bounds where all are "
            "alike. Where it holds 0, there may have been none.",
        ]
        kinds = {each.inquiry.agent.kind for each in questions}
        if kinds - INSTRUMENTS:
            n = planned.continuations
            said.append(
                f"{n} continuations a branch."
                + (
                    f" No claim about a single question is made with fewer than {CONTINUATIONS}."
                    if n < CONTINUATIONS
                    else ""
                )
            )
        if kinds & INSTRUMENTS:
            said.append("An instrument does the same each time from a trial's seed: its branches here are played once.")
        if planned.continuations < FEWEST_TOLD:
            said.append(f"No task has a regret: it takes --continuations {FEWEST_TOLD} or more.")
        if len(self.questions) < planned.questions_there:
            said.append(f"{len(self.questions)} of {planned.questions_there} questions, drawn with equal chance.")
        if lacking := sorted({each.lacking for each in questions if each.lacking}):
            said.append(f"Incomplete questions are left out: {'; '.join(lacking)}.")
        said.append("Values depend on what each agent had done before; agents are compared by regret alone.")
        return Table(title, list(rows[0]), rows, said)

    def _regret(self, title: str, regrets: Sequence[Regret], notes: Sequence[str]) -> Table:
        rows = []
        for (agent, condition), group in _by_cell(regrets, _cell).items():
            done = [each for each in group if not each.lacking]
            figures = {
                name: _mean_of_tasks(self.suite, done, get)
                for name, get in (
                    ("regret", lambda each: each.regret),
                    ("over-asking", lambda each: each.over),
                    ("under-asking", lambda each: each.under),
                )
            }
            rows.append(
                {
                    "agent": agent,
                    "condition": condition,
                    "tasks": len(group),
                    "complete": len(done),
                    "outcome": _average(each.outcome for each in done),
                    "questions": _average(each.questions for each in done),
                    "best told": _average(each.told for each in done),
                    **{name: _signed(figure) for name, figure in figures.items()},
                    "clusters": f"{figures['regret'].clusters} ({figures['regret'].level})" if done else None,
                }
            )
        planned = self.planned
        said = [
            *notes,
            f"A question costs {self.cost:g} of an outcome (--cost). Outcome and questions: of a trial of the agent.",
            "Best told: the outcome where the values that are worth it come with the request and nobody can be asked, "
            "less the cost of as many questions. Which values, is chosen on half of the continuations for the other.",
            f"{planned.continuations} continuations for each subset of the values, from the start and each with "
            "another seed, by instruments too.",
            "Regret: best told, less the outcome after the cost of the questions put. It may be negative: chance, or "
            "asking that did better than being told.",
            "Regret is over-asking (the cost of questions that got none of those values) and under-asking (the rest: "
            "values not asked for, or too late, or not made use of).",
            "In brackets: 95% interval, a bootstrap over clusters, which takes four; none where all are alike.",
        ]
        if len(self.regrets) < planned.cases_there:
            said.append(f"{len(self.regrets)} of {planned.cases_there} tasks, drawn with equal chance.")
        if planned.too_many:
            said.append(f"{planned.too_many} tasks have no regret: too many values are withheld to try all subsets.")
        if lacking := sorted({each.lacking for each in regrets if each.lacking}):
            said.append(f"Incomplete tasks are left out: {'; '.join(lacking)}.")
        return Table(title, list(rows[0]), rows, said)

    def _each(self, title: str, questions: Sequence[Valued]) -> Table:
        rows = []
        for each in questions:
            asked, means = each.inquiry.asked, {kind: _average(found) for kind, found in each.outcomes.items()}
            claim = each.inquiry.agent.kind in INSTRUMENTS or self.planned.continuations >= CONTINUATIONS
            rows.append(
                {
                    "trial": f"{each.inquiry.then.agent}, {each.inquiry.then.condition}, {each.inquiry.then.task}, "
                    f"trial {each.inquiry.then.trial}",
                    "call": each.inquiry.step.n,
                    "question": asked.text,
                    "answer": asked.answer,
                    "about": ", ".join(asked.targets) or None,
                    "answered": means.get("answered"),
                    "deferred": means.get("deferred"),
                    "not asked": means.get("not asked"),
                    "worth": each.value if claim or each.exact else None,
                    "interval": f"{each.low:+.2f} to {each.high:+.2f}" if each.low is not None else None,
                    "asking": each.asking if claim else None,
                    "remark": each.lacking or _remark(each),
                }
            )
        said = [
            "answered, deferred, not asked: mean outcome of the branches in which the question got its answer, was "
            "left to the agent, and was not put.",
            "worth: answered less deferred; asking: answered less not asked.",
        ]
        if any(row["asking"] is None and not each.lacking for row, each in zip(rows, questions, strict=True)):
            said.append(f"Of a single question nothing is claimed with fewer than {CONTINUATIONS} continuations: -.")
        return Table(title, list(rows[0]), rows, said)

    def _each_task(self, title: str, regrets: Sequence[Regret]) -> Table:
        rows = [
            {
                "agent": each.case.agent.name,
                "condition": each.case.condition,
                "task": each.case.task,
                "withheld": ", ".join(each.case.segments) or None,
                "best to be told": " / ".join(dict.fromkeys(", ".join(best) or "nothing" for best in each.best))
                or None,
                "outcome": each.outcome,
                "questions": each.questions,
                "best told": each.told,
                "regret": each.regret,
                "over-asking": each.over,
                "under-asking": each.under,
                "remark": each.lacking or None,
            }
            for each in regrets
        ]
        return Table(title, list(rows[0]), rows, ["best to be told: a / b where the halves chose differently"])


_NAMES = {"success": "success: 1 for a correct trial, else 0", "ckpt": "the share of expected changes that were made"}


def valued(
    planned: Planned, suite: Suite, records: Iterable[TrialRecord], outcome: Outcome = "success", cost: float = COST
) -> Valuation:
    """What played branches tell: `records` are those of their run, scored.

    `cost` is what a question costs, as a part of the outcome.
    """
    there = {}
    for record in records:
        t = record.trajectory
        there[t.agent, t.condition, t.task, t.trial] = record
    tasks = {task.id: place for place, task in enumerate(suite.tasks)}
    questions = sorted(
        planned.questions, key=lambda each: (*_cell_of(each), tasks[each.then.task], each.then.trial, each.number)
    )
    cases = sorted(planned.cases, key=lambda each: (each.agent.name, each.condition, tasks[each.task]))
    return Valuation(
        planned,
        suite,
        outcome,
        cost,
        [estimates.valued(each, there, outcome) for each in questions],
        [estimates.regretted(each, there, planned.records, outcome, cost) for each in cases],
    )


def _remark(each: Valued) -> str | None:
    return "the user left it to the agent" if deferred_already(each.inquiry.asked) else None


def _cell_of(inquiry: Inquiry) -> tuple[str, str]:
    return inquiry.then.agent, inquiry.then.condition


def _cell(each: Valued | Regret) -> tuple[str, str]:
    return (each.case.agent.name, each.case.condition) if isinstance(each, Regret) else _cell_of(each.inquiry)


def _by_cell(units: Sequence[Any], cell: Callable[[Any], tuple[str, str]]) -> dict[tuple[str, str], list[Any]]:
    found: defaultdict[tuple[str, str], list[Any]] = defaultdict(list)
    for each in units:
        found[cell(each)].append(each)
    return dict(found)


def _mean(suite: Suite, values: Sequence[tuple[Valued, float | None]]) -> Interval:
    """The mean over complete questions, each a difference of outcomes from 0 to 1."""
    rows = [
        (suite.task(each.inquiry.then.task).template, each.inquiry.then.task, each.inquiry.trial, value)
        for each, value in values
        if value is not None
    ]
    return _interval(rows, (-1.0, 1.0))


def _mean_of_tasks(suite: Suite, regrets: Sequence[Regret], get: Callable[[Regret], float | None]) -> Interval:
    """The mean over complete tasks. It holds the cost of questions, which have no upper limit, so it has no ends."""
    found = [(each.case.task, get(each)) for each in regrets]
    return _interval([(suite.task(task).template, task, task, value) for task, value in found if value is not None])


def _interval(rows: Sequence[tuple[str, str, str, float]], within: tuple[float, float] | None = None) -> Interval:
    """A mean with its bootstrap interval over templates, if there are any; `within` as in `paired`.

    Of a single template it is over tasks, and of a single task over trajectories.
    """
    found: list[tuple[str, dict[str, list[float]]]] = []
    for level, name in _LEVELS if any(row[0] for row in rows) else _LEVELS[1:]:
        grouped: dict[str, list[float]] = {}
        for row in rows:
            grouped.setdefault(name(row), []).append(row[3])
        found.append((level, grouped))
    level, grouped = next((each for each in found if len(each[1]) > 1), found[0])
    return paired(grouped, level, within=within)


_LEVELS: Sequence[tuple[str, Callable[[tuple[str, str, str, float]], str]]] = (
    ("template", lambda row: row[0] or f"task {row[1]}"),
    ("task", lambda row: row[1]),
    ("trajectory", lambda row: row[2]),
)


def _average(values: Iterable[float | None]) -> float | None:
    found = [value for value in values if value is not None]
    return sum(found) / len(found) if found else None


def _signed(found: Interval) -> str | None:
    value, limits = _rounded(found, "+.2f")
    return f"{value} ({limits})" if limits else value or None


def _negative(found: Interval) -> Interval:
    value, low, high = (None if each is None else -each for each in (found.value, found.high, found.low))
    return found._replace(value=value, low=low, high=high)


def _told(found: Interval) -> str:
    """A figure in a sentence, with its interval or why it has none."""
    value, limits = _rounded(found, ".2f")
    return f"{value} ({limits or found.note})"


def _rounded(found: Interval, form: str) -> tuple[str, str]:
    """A figure and its limits; "" for what is unknown."""
    value, low, high = ("" if each is None else format(rounded(each, 2), form) for each in found[:3])
    return value, f"{low} to {high}" if low and high else ""


def _may(found: Interval) -> str:
    return ", which may be chance" if chance(found) else ""


def _drawn(valued: int, there: int, what: str) -> str:
    return f"On a sample, {valued} of {there} {what}, " if valued < there else ""


def _question_json(each: Valued) -> dict[str, Any]:
    inquiry, asked = each.inquiry, each.inquiry.asked
    return {
        "trial": inquiry.trial,
        "agent": inquiry.then.agent,
        "condition": inquiry.then.condition,
        "task": inquiry.then.task,
        "question": inquiry.number,
        "call": inquiry.step.n,
        "text": asked.text,
        "answer": asked.answer,
        "targets": list(asked.targets),
        "outcomes": {kind: list(found) for kind, found in each.outcomes.items()},
        "value": each.value,
        "low": each.low,
        "high": each.high,
        "exact": each.exact,
        "value_of_asking": each.asking,
        "lacking": each.lacking,
    }
