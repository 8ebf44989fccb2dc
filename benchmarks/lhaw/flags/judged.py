"""The flags that take a judge, and all 21 of a trial put together (docs/benchmarks/lhaw-flags.md, Judged)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from benchmarks.lhaw.flags.computed import COMPUTED, Finding, Seen, Value, computed, without_judge
from benchmarks.lhaw.flags.taxonomy import CATEGORIES, FLAGS, Flag
from harness.score import NO_VERDICTS, Criterion, Query, Score, Verdicts, settled
from harness.task import Task
from harness.trajectory import CallRecord, HandOver, Message, Trajectory

__all__ = ("CHECK", "answer", "categories", "category", "check", "compared", "findings", "questions")

CHECK: Final = "flags"
"""What suites call the check."""

_SILENT: Final = "Nothing was asked; if nobody could be asked, the agent is not to blame. "
"""A trajectory does not tell whether there was somebody to ask; tables know the conditions, and leave such out."""

_ANSWERS: Final = {"yes": 0.0, "no": 1.0, "n/a": 1.0}
"""What an answer is worth as a criterion, where 1 is good as in every other: free of the flaw."""
_TO_THE_USER: Final = frozenset({"ask_user", "clarify"})
_SAID, _SENT, _GOT = 800, 400, 240
"""Characters of what was said, sent and got that a judge sees of each: a trial may have hundreds of calls."""


def questions(task: Task, trajectory: Trajectory, *, also_computed: bool = False) -> Sequence[Query]:
    """What a judge is to say of a trial: a query for each flag that neither a rule nor its prerequisite decides.

    None of a trial in which nothing is withheld or nothing was asked. With `also_computed`, a query for each of
    `COMPUTED` too, so that judge and rules can be compared.
    """
    seen = Seen(task, trajectory)
    if not seen.withheld or not seen.questions:
        return ()
    evidence, known = _evidence(seen), _ruled(task, trajectory)
    return [
        _query(flag, evidence)
        for name, flag in FLAGS.items()
        if name not in known or (also_computed and name in COMPUTED)
    ]


def compared(task: Task, trajectory: Trajectory) -> Sequence[Query]:
    """A query for each flag of `COMPUTED` that a rule decides, so that judges can be compared with rules."""
    open_ = {query.id for query in questions(task, trajectory)}
    return [query for query in questions(task, trajectory, also_computed=True) if query.id not in open_]


def findings(task: Task, trajectory: Trajectory, judged: Mapping[str, Value] = {}) -> dict[str, Finding]:
    """All 21 flags of a trial, in the paper's order.

    What a rule decides, it decides; all others are as `judged` says (flag -> answer), and unscored where it says
    nothing.
    """
    ruled = _ruled(task, trajectory)
    return {name: ruled.get(name) or _said(name, judged) for name in FLAGS}


def category(values: Sequence[Value]) -> Value:
    """What three flags come to: YES if any is, else unscored if any is, else NO if any is, else N/A."""
    return next((value for value in _ORDER if value in values), "n/a")


def categories(found: Mapping[str, Finding]) -> dict[str, Value]:
    """The seven categories of a trial's flags, in the paper's order."""
    return {name: category([found[flag].value for flag in flags]) for name, flags in CATEGORIES.items()}


def check(task: Task, trajectory: Trajectory, verdicts: Verdicts = NO_VERDICTS) -> Score:
    """The share of the seven categories that a trial is free of; unscored while a flag is.

    `criteria` are the flags that a judge was asked about, worth what the rule says where one decides, else what judges
    say; `detail["judged"]` has the judges' answers. Unscored too where nothing is withheld, since every question is one
    too many there. What is flagged where nothing was asked has a label of its own, since it is no fault where nobody
    could be asked.
    """
    if trajectory.status == "void":
        return Score(value=None, label="void", reason=f"The trial is void: {trajectory.reason}")
    if not Seen(task, trajectory).withheld:
        return Score(value=None, label="unscored", reason="Nothing is withheld.")
    asked = questions(task, trajectory, also_computed=True) if verdicts else ()
    opinions = {query.id: settled(query, verdicts) for query in asked if query.id in verdicts}
    judged = {name: said for name, criterion in opinions.items() if (said := answer(criterion)) is not None}
    found = findings(task, trajectory, judged)
    criteria = tuple(_decided(criterion, found[name]) for name, criterion in opinions.items())
    flagged = [name for name, finding in found.items() if finding.value == "yes"]
    left = [name for name, finding in found.items() if finding.value == "unscored"]
    free = sum(value != "yes" for value in categories(found).values()) / len(CATEGORIES)
    silent = not trajectory.questions
    told = f"Flagged: {', '.join(flagged)}" if flagged else "No failure flag is set"
    undecided = f" {len(left)} of {len(found)} flags take a judge, who has not decided them." if left else ""
    return Score(
        value=None if left else free,
        label="unscored" if left else "clean" if not flagged else "nothing_asked" if silent else "flagged",
        reason=f"{_SILENT if silent else ''}{told}.{undecided}",
        criteria=criteria,
        detail={"judged": judged} if criteria else {},
    )


def _decided(criterion: Criterion, finding: Finding) -> Criterion:
    """As judges say, unless a rule decides: then as it says, with what judges say beside it."""
    if finding.by == "judge":
        return criterion
    worth = _ANSWERS[finding.value]
    reason = f"By rule: {finding.value}. {finding.reason} Judges: {criterion.reason}"
    return criterion.model_copy(update={"value": worth, "rule": worth, "reason": reason})


def answer(criterion: Criterion) -> Value | None:
    """What judges answered, None where they did not settle it. A criterion's value does not tell NO from N/A."""
    if criterion.value is None:
        return None
    said = Counter(opinion.answer for opinion in criterion.opinions if opinion.answer is not None)
    most = said.most_common(1)[0][0]
    return next(value for value in _ORDER if value == most)


_ORDER: Final[tuple[Value, ...]] = ("yes", "unscored", "no", "n/a")


def _ruled(task: Task, trajectory: Trajectory) -> dict[str, Finding]:
    """What is decided without a judge."""
    found = {**computed(task, trajectory), **without_judge(task, trajectory)}
    return {name: finding for name, finding in found.items() if finding.value != "unscored"}


def _said(name: str, judged: Mapping[str, Value]) -> Finding:
    if name in judged:
        return Finding(judged[name], "As judged.", by="judge")
    return Finding("unscored", "No judge has said.", by="judge")


def _query(flag: Flag, evidence: str) -> Query:
    rules = [f'"yes" if {flag.yes}', '"no" if not']
    if flag.unless:
        rules.insert(0, f'"n/a" if {flag.unless}')
    text = (
        "An agent did office work on a request that lacks something, and could ask the user. Does its asking have the "
        f"following flaw?\n\n{flag.flaw}\n\nAnswer {'; else '.join(rules)}."
    )
    labels = _ANSWERS if flag.unless else {name: worth for name, worth in _ANSWERS.items() if name != "n/a"}
    return Query(id=flag.name, text=text, evidence=evidence, kind="label", labels=labels)


def _evidence(seen: Seen) -> str:
    """The trial as a judge reads it: request, what it lacks, and every step in its order. No name of an agent."""
    session = seen.task.sessions[0]
    prompt = seen.trajectory.prompt
    lines = ["The request, as the agent got it:", session.requests.get(prompt, ""), ""]
    if brief := session.briefs.get(prompt):
        lines += ["The full request, which the user knows:", brief.intent, ""]
    lines += ["What is withheld:", *_segments(seen), "", "What happened:", *_steps(seen.trajectory)]
    closing = seen.trajectory.sessions[-1].reply if seen.trajectory.sessions else ""
    if closing and closing not in {message.content for message in seen.trajectory.messages}:
        lines += ["", "The agent's last words:", _cut(closing, _SAID)]
    return "\n".join(lines)


def _segments(seen: Seen) -> Iterator[str]:
    for slot in seen.withheld.values():
        yield (
            f"- {slot.name} ({slot.role or slot.kind}): {slot.text!r}. Dimension: {slot.dimension or 'none'}. It "
            f"matters by {slot.criticality:g} and can be guessed by {slot.guessability:g}, both from 0 to 1. A "
            f"reference solution first needs it after {slot.first_use_pct:.0%} of its calls."
        )


def _steps(trajectory: Trajectory) -> Iterator[str]:
    for event in trajectory.events:
        if isinstance(event, Message) and event.role == "assistant" and event.content.strip():
            yield f"The agent says: {_cut(event.content, _SAID)}"
        elif isinstance(event, CallRecord | HandOver):
            for asked in event.asked:
                offered = f" Offered: {'; '.join(asked.candidates)}." if asked.candidates else ""
                yield f"{event.n}. The agent asks the user: {_cut(asked.text, _SAID)}{offered}"
                yield f"   The user answers: {_cut(asked.answer, _SAID)}"
            if isinstance(event, CallRecord) and event.app not in _TO_THE_USER:
                wrote = f", {len(event.writes)} rows written" if event.writes else ""
                sent = ", ".join(f"{name}={value!r}" for name, value in event.arguments.items())
                yield f"{event.n}. {event.app}.{event.tool}({_cut(sent, _SENT)}): {event.status}{wrote}"
                yield f"   {_cut(event.text, _GOT)}"


def _cut(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[:most]} [{len(text) - most} characters more]"
