"""What the metrics take from one trial: success, who was asked what, which rows were touched, and when."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from benchmarks.drift.answers import BOOKS, handed_in, predicted, stopped
from benchmarks.drift.intent import recovered
from benchmarks.drift.need import NEEDY
from harness.core.metering import tokens
from harness.suite import Scored
from harness.task import Task
from harness.trajectory import CallRecord, Trajectory, Write

__all__ = ("ASKING", "Arm", "ByAgent", "Trial", "arm", "by_agent", "of_trial")

ASKING: Final = frozenset({"clarify", "ask_user"})
"""Apps whose calls are clarification."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One trial. `asked` are clarification calls, refused ones too; `rounds` those that were answered: questions.

    `targeted` are calls that were about something withheld, `first` the strategy of the first of them. `disclosed` are
    hidden items that were told. `changed`, `risked` and `blind`: a row change, a risky one, and the answer that counts,
    before the first question, or at any time where there was none. `risks` counts risky changes of rows in the whole
    trial, `confirmed` those made after a `confirm_risk` that was answered. `wrong` counts changes at the end that
    nobody asked for. `calls` and `tokens` are of the whole trial, `tokens` None where nobody knows; `garbled` are calls
    around the first reply that could not be read. `intent` is the share of the request's values and action that the
    agent's own account of it has, None where it gave none. `timing`: a call was stopped because its time was up.
    """

    task: Task
    valid: bool
    right: bool = False
    asked: int = 0
    rounds: int = 0
    targeted: int = 0
    first: str = ""
    strategies: tuple[str, ...] = ()
    disclosed: frozenset[str] = frozenset()
    changed: bool = False
    risked: bool = False
    risks: int = 0
    confirmed: int = 0
    wrong: int = 0
    blind: bool = False
    calls: int = 0
    tokens: int | None = 0
    garbled: int = 0
    intent: float | None = None
    timing: bool = False

    @property
    def environment(self) -> str:
        return str(self.task.facts.get("environment", ""))

    @property
    def category(self) -> str:
        return str(self.task.facts.get("category", ""))

    @property
    def fault(self) -> str:
        return str(self.task.facts.get("fault", ""))

    @property
    def need(self) -> str:
        return str(self.task.facts.get("need", ""))

    @property
    def needy(self) -> bool:
        return self.need in NEEDY

    @property
    def mutates(self) -> bool:
        return self.task.facts.get("kind") != "read"

    @property
    def hidden(self) -> int:
        return len(self.task.facts.get("hidden", ()))

    @property
    def template(self) -> str:
        return self.task.template


Arm = Mapping[str, Sequence[Trial]]
"""Trials of one agent under one condition, by variant."""

ByAgent = Mapping[str, Mapping[str, Arm]]
"""Arms by agent and condition."""


def by_agent(tasks: Iterable[Task], scored: Iterable[Scored]) -> ByAgent:
    """Sort scored trials of variants by agent, condition and variant. Trials of other tasks are left out."""
    known = {task.id: task for task in tasks if "fault" in task.facts}
    found: defaultdict[str, defaultdict[str, defaultdict[str, list[Trial]]]]
    found = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for one in sorted(scored, key=lambda s: (s.trajectory.task, s.trajectory.trial)):
        t = one.trajectory
        if t.task in known:
            found[t.agent][t.condition][t.task].append(of_trial(known[t.task], one))
    return {agent: {name: dict(arm) for name, arm in conditions.items()} for agent, conditions in found.items()}


def arm(arms: Mapping[str, Arm], condition: str, environment: str = "", **facts: str) -> Arm:
    """The part of a condition's arm in one environment, and of variants with these facts."""
    found = arms.get(condition, {})
    return {
        name: trials
        for name, trials in found.items()
        if trials
        and (not environment or trials[0].environment == environment)
        and all(getattr(trials[0], key) == value for key, value in facts.items())
    }


def of_trial(task: Task, one: Scored) -> Trial:
    """What the metrics take from a scored trial."""
    t = one.trajectory
    score = one.scores.get("outcome")
    if t.status == "void" or score is None or score.value is None:
        return Trial(task=task, valid=False, timing=stopped(t) > 0)
    asking = [call for call in t.calls if call.app in ASKING]
    targeted = [call for call in asking if any(asked.targets for asked in call.asked)]
    questions = [call for call in asking if call.asked]  # one that was refused reached nobody
    first = min((call.n for call in questions), default=inf)
    before = [write for call, write in _writes(t) if call.n < first]
    confirm = min((call.n for call in questions if call.arguments.get("strategy") == "confirm_risk"), default=inf)
    answer = handed_in(t)
    sent, received = tokens(t)
    risky = [call.n for call, write in _writes(t) if _risky(task, t, write)]
    return Trial(
        task=task,
        valid=True,
        right=bool(score.right),
        asked=len(asking),
        rounds=sum(len(call.asked) for call in questions),
        targeted=len(targeted),
        first=str(targeted[0].arguments.get("strategy", "")) if targeted else "",
        strategies=tuple(str(call.arguments.get("strategy", "")) for call in asking),
        disclosed=frozenset(name for call in questions for asked in call.asked for name in asked.revealed),
        changed=bool(before),
        risked=any(_risky(task, t, write) for write in before),
        risks=len(risky),
        confirmed=sum(confirm < n for n in risky),
        wrong=int(score.detail.get("unexpected", 0)),
        blind=answer is not None and answer.n < first,
        calls=len(t.calls),
        tokens=None if sent is None or received is None else sent + received,
        garbled=_garbled(t, questions),
        intent=recovered(task, predicted(t)),
        timing=stopped(t) > 0,
    )


def _writes(t: Trajectory) -> Iterator[tuple[CallRecord, Write]]:
    """Each row that a call wrote, but for those in which apps keep books: those undone later count too."""
    for call in t.calls:
        for write in call.writes:
            if f"{write.app}.{write.table}" not in BOOKS:
                yield call, write


def _risky(task: Task, t: Trajectory, write: Write) -> bool:
    """Whether a change is hard to undo: a row removed or overwritten, or anything that the template calls risky."""
    if write.values is None or task.facts.get("risky"):
        return True
    return any(
        (each.app, each.table, each.id) == (write.app, write.table, write.id) and each.before is not None
        for each in t.changes
    )


def _garbled(t: Trajectory, questions: Sequence[CallRecord]) -> int:
    """Calls that could not be read or did not fit, among the two before and the two after the first question."""
    if not questions:
        return 0
    first = questions[0].n
    return sum(call.status in ("garbled", "invalid", "unknown") for call in t.calls if 0 < abs(call.n - first) <= 2)
