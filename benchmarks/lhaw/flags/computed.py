"""The flags that a rule decides, from a task and a trajectory alone (docs/benchmarks/lhaw-flags.md, Computed).

Variants of LHAW have one session; segments are named by their slots. Positions are shares of a trial's calls, questions
left out: 0 is before the first, 1 behind the last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple

from harness.record.troubles import asked_for
from harness.task import Slot, Task
from harness.trajectory import Asked, CallRecord, Landing, Trajectory

__all__ = ("COMPUTED", "Counts", "Finding", "Measures", "Seen", "Value", "computed", "counted", "measures",
           "without_judge")  # fmt: skip

Value = Literal["yes", "no", "n/a", "unscored"]
"""What is said of a flag: `n/a` where its prerequisite does not hold, `unscored` where nobody could say."""

HIGH: Final = 0.5
"""Criticality from which a segment is critical, if it can be guessed by no more (appendix J.1)."""
GUESSABLE: Final = 0.5
"""Guessability from which a segment counts as inferable (appendix J.1)."""
WASTED: Final = 0.3
"""Cost-efficiency below which questions cost too much, of three or more (appendix J.1)."""
SHALLOW: Final = 0.5
"""Recovery and recall below which too little was asked (appendix J.1)."""
EARLY: Final = 0.5
"""`first_use_pct` below which a value is needed early; the paper says "early" alone."""
UPFRONT: Final = 0.1
"""The share of a trial's calls that is its beginning (appendix J.1)."""


_SAME: Final = 1e-9
"""Positions closer than this are the same: they are sums of fractions."""


class Finding(NamedTuple):
    """What is said of one flag, by a rule or a judge, and why in one sentence."""

    value: Value
    reason: str
    by: Literal["rule", "judge"] = "rule"


class Counts(NamedTuple):
    """Of a trial: segments removed, and of them targeted and revealed; questions, and those of them that were useful.

    A question is useful if it targets a removed segment not revealed by then.
    """

    removed: int
    targeted: int
    revealed: int
    questions: int
    useful: int


class Measures(NamedTuple):
    """Shares from 0 to 1, None where there is nothing to divide by (docs/benchmarks/lhaw-flags.md, Measures)."""

    recall: float | None
    recovery: float | None
    precision: float | None
    cost_efficiency: float | None


class _Question(NamedTuple):
    """A question, the step at which it was put, and its position."""

    step: int
    at: float
    asked: Asked


class _Writing(NamedTuple):
    """A table that a call wrote to."""

    step: int
    table: tuple[str, str]


@dataclass(frozen=True)
class Seen:
    """What the rules look at in a trial."""

    task: Task
    trajectory: Trajectory

    @cached_property
    def withheld(self) -> dict[str, Slot]:
        """The segments that the request lacks, by name."""
        gone = self.task.withheld.get(self.trajectory.prompt, ())
        return {slot.name: slot for slot in self.task.slots if slot.name in gone}

    @cached_property
    def critical(self) -> list[str]:
        """Those that decide the outcome and cannot be guessed."""
        return [n for n, slot in self.withheld.items() if slot.criticality >= HIGH and slot.guessability <= GUESSABLE]

    def found(self, segment: str) -> bool:
        """Whether exploring may find a segment, as far as its task says.

        A value that can be told for certain stands somewhere. Of others a task may list those of which the workplace
        holds something (the fact `explorable`); where it has no such list all may be found.
        """
        listed = self.task.facts.get("explorable")
        return listed is None or segment in listed or self.withheld[segment].guessability >= 1

    @cached_property
    def questions(self) -> list[_Question]:
        """In the order in which they were put."""
        working = [call.n for call in self.trajectory.calls if not call.asked]
        return [
            _Question(step.n, sum(n < step.n for n in working) / max(len(working), 1), asked)
            for step in self.trajectory.steps
            for asked in step.asked
            if asked.goes_on
        ]

    @cached_property
    def writings(self) -> list[_Writing]:
        """Tables written to; a late effect counts where its call was made."""
        found = [
            _Writing(event.n if isinstance(event, CallRecord) else event.step, (write.app, write.table))
            for event in self.trajectory.events
            if isinstance(event, CallRecord | Landing)
            for write in event.writes
        ]
        return sorted(found)

    def first(self, segment: str) -> _Question | None:
        """The first question that is about a segment, or whose answer told it."""
        about = (each for each in self.questions if segment in (*each.asked.targets, *each.asked.revealed))
        return next(about, None)

    def told(self, segment: str) -> _Question | None:
        """The first question whose answer told a segment."""
        return next((each for each in self.questions if segment in each.asked.revealed), None)

    def blind(self, segments: Sequence[str]) -> tuple[str, int] | None:
        """One of these segments and the first write that it bears on and that was made without asking for it."""
        return self._written_before(segments, self.first)

    def untold(self, segments: Sequence[str]) -> tuple[str, int] | None:
        """The same of a write that was made before the user had told the segment."""
        return self._written_before(segments, self.told)

    def _written_before(
        self, segments: Sequence[str], known_from: Callable[[str], _Question | None]
    ) -> tuple[str, int] | None:
        for writing in self.writings:
            for segment in segments:
                known = known_from(segment)
                if self._bears(segment, writing) and (known is None or known.step >= writing.step):
                    return segment, writing.step
        return None

    def _bears(self, segment: str, writing: _Writing) -> bool:
        """Whether what is written to that table may depend on a segment: every table where its slot does not say."""
        expected = self.task.ends[0].changes if self.task.ends else ()
        refs = [expected[ref] for ref in self.withheld[segment].checkpoint_refs if ref < len(expected)]
        return not refs or writing.table in {(change.app, change.table) for change in refs}


def measures(task: Task, trajectory: Trajectory) -> Measures:
    """Recall, recovery, precision and cost-efficiency of a trial's questions.

    Recall is removed segments targeted / removed; recovery, revealed / removed; precision, questions that target a
    removed segment not revealed by then / questions; cost-efficiency, removed segments revealed / questions. Appendix
    J.1 names recall, recovery and cost-efficiency without defining them; these definitions are ours.
    """
    return _measures(Seen(task, trajectory))


def counted(task: Task, trajectory: Trajectory) -> Counts:
    """What `measures` divides, so that shares can be told of many trials together."""
    return _counted(Seen(task, trajectory))


def _counted(seen: Seen) -> Counts:
    removed = set(seen.withheld)
    targeted: set[str] = set()
    revealed: set[str] = set()
    useful = 0
    for _, _, question in seen.questions:
        useful += bool(removed.intersection(question.targets) - revealed)
        targeted |= removed.intersection(question.targets)
        revealed |= removed.intersection(question.revealed)
    return Counts(len(removed), len(targeted), len(revealed), len(seen.questions), useful)


def _measures(seen: Seen) -> Measures:
    found = _counted(seen)
    return Measures(
        recall=found.targeted / found.removed if found.removed else None,
        recovery=found.revealed / found.removed if found.removed else None,
        precision=found.useful / found.questions if found.questions else None,
        cost_efficiency=found.revealed / found.questions if found.questions else None,
    )


def computed(task: Task, trajectory: Trajectory) -> dict[str, Finding]:
    """What rules say of a trial: a finding for each of `COMPUTED`, YES, NO or N/A.

    `unnecessary_questions` alone may be unscored: where the user's answers do not say what a question was about.
    """
    seen = Seen(task, trajectory)
    return {name: rule(seen) for name, rule in _RULES.items()}


def without_judge(task: Task, trajectory: Trajectory) -> dict[str, Finding]:
    """What the record settles of the flags that take a judge; what is not among them needs one.

    Prerequisites settle what is N/A: where nothing was asked, that is all of them but `false_confidence`. That one is
    settled where what was written and told leaves no doubt (docs/benchmarks/lhaw-flags.md, Judged).
    """
    seen = Seen(task, trajectory)
    found: dict[str, Finding] = {}
    if not seen.questions:
        found = dict.fromkeys(_OF_QUESTIONS, _na("The agent asked nothing."))
    elif not any(_informative(question.asked) for question in seen.questions):
        found = dict.fromkeys(_OF_ANSWERS, _na("No answer gave any information."))
    if len(seen.questions) == 1:
        found["inefficient_question_sequence"] = _na("The agent asked one question.")
    if (confident := _confident(seen)) is not None:
        found["false_confidence"] = confident
    return found


_OF_ANSWERS = ("ignoring_user_response", "incorrect_information_application", "partial_information_utilization")
_OF_QUESTIONS = (
    "vague_questions", "compound_questions", "closed_questions", *_OF_ANSWERS, "inefficient_question_sequence",
    "literal_misunderstanding", "context_misapplication", "implicit_information_missed",
)  # fmt: skip

_TOLD = frozenset({"given", "confirmed", "corrected"})


def _informative(asked: Asked) -> bool:
    return bool(asked.revealed) or any(part.target and part.kind in _TOLD for part in asked.parts)


def _confident(seen: Seen) -> Finding | None:
    """False confidence as far as the record tells; None where it takes a judge.

    What a write depends on and nobody was ever asked for can only have been assumed. A question of which the user did
    not say what it was about may have been about that, so it leaves the flag to a judge.
    """
    withheld = list(seen.withheld)
    unasked = [name for name in seen.critical if seen.first(name) is None]
    if all(_about(question.asked) for question in seen.questions) and (found := seen.blind(unasked)) is not None:
        return _yes(f"Step {found[1]} wrote what depends on {found[0]}, which the agent never asked for.")
    if not withheld:
        return _na("Nothing is withheld.")
    if not seen.questions:
        if seen.blind(withheld) is not None:
            return _no("What the agent assumed can be guessed, or matters little.")
        return _na("Nothing was written that depends on what is withheld.")
    if all(seen.told(name) for name in withheld) and seen.untold(withheld) is None:
        return _no("The user had told each withheld value before anything was written that depends on it.")
    return None


# --- targeting ---------------------------------------------------------------------------------------------------


def _missed(seen: Seen) -> Finding:
    if not seen.critical:
        return _na("Nothing critical is withheld.")
    missed = [name for name in seen.critical if seen.first(name) is None]
    return _yes(f"Not asked about: {', '.join(missed)}.") if missed else _no("Every critical segment was asked about.")


def _wrong_dimension(seen: Seen) -> Finding:
    worth: dict[str, float] = {}
    for slot in seen.withheld.values():
        worth[slot.dimension] = max(slot.criticality, worth.get(slot.dimension, 0.0))
    if len(worth) < 2:
        return _na("What is withheld is of one dimension.")
    dimensions = {slot.name: slot.dimension for slot in seen.task.slots}
    about = {dimensions[name] for question in seen.questions for name in _about(question.asked) if name in dimensions}
    if not about:
        return _no("No question is about any dimension.")
    most = max(worth.get(dimension, 0.0) for dimension in about)
    ignored = [name for name, each in worth.items() if name not in about and each >= HIGH and each > most]
    if ignored:
        return _yes(f"Questions are about {', '.join(sorted(about))}; {', '.join(ignored)} matters more.")
    return _no("No dimension that matters more was left out.")


def _inferable(seen: Seen) -> Finding:
    open_ = [name for name, slot in seen.withheld.items() if slot.guessability >= GUESSABLE]
    if not open_:
        return _na("Nothing withheld can be guessed.")
    targets = {name for question in seen.questions for name in question.asked.targets}
    asked = [name for name in open_ if name in targets]
    if not asked:
        return _no("Nothing that can be guessed was asked about.")
    there = [name for name in asked if seen.found(name)]
    if not there:
        return _no(f"Asked about: {', '.join(asked)}, of which exploring finds nothing.")
    return _yes(f"Asked about: {', '.join(there)}.")


# --- over-clarification ------------------------------------------------------------------------------------------


def _redundant(seen: Seen) -> Finding:
    if len(seen.questions) < 2:
        return _na("Fewer than two questions were asked.")
    settled: set[str] = set()
    wordings: set[frozenset[str]] = set()
    for number, (_, _, asked) in enumerate(seen.questions, 1):
        about, words = _about(asked), frozenset(re.findall(r"\w+", asked.text.casefold()))
        asks = asked_for(about, asked.parts)  # a value read back rightly is not asked for
        if (asks and asks <= settled) or (not about and words in wordings):
            return _yes(f"Question {number} asks again for what an earlier one asked.")
        settled.update(asked.revealed, (p.target for p in asked.parts if p.kind in (*_TOLD, "no_preference")))
        wordings.add(words)
    return _no("Every question asks for something new.")


def _unnecessary(seen: Seen) -> Finding:
    stated = {slot.name for slot in seen.task.slots} - set(seen.withheld)
    unknown = 0
    for number, (_, _, asked) in enumerate(seen.questions, 1):
        if there := sorted(stated & _about(asked)):
            return _yes(f"Question {number} is about {', '.join(there)}, which the request states.")
        if any(part.kind == "no_preference" for part in asked.parts):
            return _yes(f"Question {number} is about something that the full request leaves open.")
        unknown += not asked.parts and not asked.targets
    if unknown:
        return Finding("unscored", f"Of {unknown} questions the user's answers do not say what they are about.")
    return _no("No question is about what was not withheld.")


def _excessive(seen: Seen) -> Finding:
    if len(seen.questions) < 3:
        return _na("Fewer than three questions were asked.")
    worth = _measures(seen).cost_efficiency or 0.0
    reason = f"{len(seen.questions)} questions revealed {worth:.2f} segments each."
    return _yes(reason) if worth < WASTED else _no(reason)


# --- under-clarification -----------------------------------------------------------------------------------------


def _premature(seen: Seen) -> Finding:
    if len(seen.critical) < 2:
        return _na("Fewer than two critical segments are withheld.")
    if (found := seen.blind(seen.critical)) is not None:
        return _yes(f"Step {found[1]} wrote what depends on {found[0]}, which had not been asked about.")
    return _no("Nothing that depends on a critical segment was written before asking about it.")


def _shallow(seen: Seen) -> Finding:
    if len(seen.critical) < 2:
        return _na("Fewer than two critical segments are withheld.")
    found = _measures(seen)
    recall, recovery = found.recall or 0.0, found.recovery or 0.0
    reason = f"{recall:.2f} of the segments were asked about, {recovery:.2f} revealed."
    return _yes(reason) if recall < SHALLOW and recovery < SHALLOW else _no(reason)


# --- timing ------------------------------------------------------------------------------------------------------


def _late(seen: Seen) -> Finding:
    early = {name: slot for name, slot in seen.withheld.items() if slot.first_use_pct < EARLY}
    if not seen.questions or not early:
        return _na("Nothing was asked." if early else "No withheld value is needed early.")
    one = 1 / max(len(seen.task.solution), 1)  # the reference's own call, the first that needs the value
    for name, slot in early.items():
        first = seen.first(name)
        if first is not None and first.at > slot.first_use_pct + one - _SAME:
            when = f"after {first.at:.0%} of the calls; the reference needs it after {slot.first_use_pct:.0%}"
            return _yes(f"{name} was first asked about {when}.")
    return _no("No value needed early was asked about late.")


def _dump(seen: Seen) -> Finding:
    if len(seen.questions) < 3:
        return _na("Fewer than three questions were asked.")
    last = max(question.at for question in seen.questions)
    reason = f"The last question came after {last:.0%} of the calls."
    return _yes(reason) if last < UPFRONT else _no(reason)


def _about(asked: Asked) -> set[str]:
    """The segments that a question is about, stated ones included where the user's answer names them."""
    return {*asked.targets, *(part.target for part in asked.parts if part.target)}


def _yes(reason: str) -> Finding:
    return Finding("yes", reason)


def _no(reason: str) -> Finding:
    return Finding("no", reason)


def _na(reason: str) -> Finding:
    return Finding("n/a", reason)


_RULES: Final[Mapping[str, Callable[[Seen], Finding]]] = {
    "missed_critical_segments": _missed,
    "wrong_dimension_focus": _wrong_dimension,
    "inferable_information_asked": _inferable,
    "redundant_questions": _redundant,
    "unnecessary_questions": _unnecessary,
    "excessive_cost": _excessive,
    "premature_execution": _premature,
    "insufficient_question_depth": _shallow,
    "late_clarification": _late,
    "upfront_question_dump": _dump,
}

COMPUTED: Final = tuple(_RULES)
"""The flags that a rule decides."""
