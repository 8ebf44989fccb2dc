"""Where a user may have misunderstood a question: signs of it, told from the record alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from harness.core.task import Task
from harness.core.trajectory import AnswerRecord, HandOver, QuestionRecord, Trajectory
from harness.record.troubles import REFUSED, TOLD, asked_for

__all__ = ("Doubt", "Exchange", "doubts", "is_yes_or_no")

_BEGINS = re.compile(
    r"(?:so |and |then |but )*(?:is|are|was|were|am|do|does|did|has|have|should|shall|can i|could i|may i|will it)\b"
    r"(?! there\b| you have\b| you know\b)"
)
_ENDS = re.compile(r"(?:is that |all )?(?:right|correct|yes|ok|okay|true|agreed|happy with that)(?: .{0,12})?")
_OPEN = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how|or)\b")


class Exchange(NamedTuple):
    """A question, or a hand-over that was answered as one, with its place and the answer, if there is one."""

    at: int
    question: QuestionRecord | HandOver
    answer: AnswerRecord | None
    answered_at: int | None

    @property
    def kinds(self) -> list[str]:
        """What the answer did, each kind of its parts once."""
        return list(dict.fromkeys(str(part.kind) for part in self.answer.parts)) if self.answer else []

    @property
    def targets(self) -> frozenset[str]:
        """What the user took it to ask for, of what is withheld."""
        return frozenset(self.answer.targets) if self.answer else frozenset()

    @property
    def told(self) -> frozenset[str]:
        """Of what is withheld, what the answer said the value of. Parts may be about what the request states, too."""
        if self.answer is None:
            return frozenset()
        return frozenset(self.answer.revealed) | {p.target for p in self.answer.parts if p.kind in TOLD} & self.targets


class Doubt(NamedTuple):
    """Why a question may have been misunderstood, and which details it is about: withheld ones, `stated` others."""

    kind: str
    about: tuple[str, ...] = ()


def doubts(t: Trajectory, task: Task | None = None, *, answers: bool = True) -> Iterator[tuple[Exchange, list[Doubt]]]:
    """Each question with the signs, told from the record alone, that its answer missed what was asked.

    None of them is proof: `docs/view.md` says what each means. `task` says what was withheld; without it an answer that
    tells nothing is in doubt only where the user took the question to ask for something. A user who never `answers`
    has misunderstood nothing by telling nothing.
    """
    every, open_ = list(_exchanges(t)), _held_back(task, t.prompt) if task else []
    times: Counter[tuple[int, str]] = Counter()
    told: dict[int, set[str]] = {}
    for n, each in enumerate(every):
        session = each.question.session
        before = told.setdefault(session, set())
        following = every[n + 1] if n + 1 < len(every) and every[n + 1].question.session == session else None
        withheld = open_[session] if session < len(open_) else frozenset()
        found = list(_doubts(each, before, withheld - before, following, answers))
        if each.answer and each.answer.goes_on:
            wanted = sorted(asked_for(each.targets, each.answer.parts))
            if again := tuple(one for one in wanted if times[session, one]):
                found.append(Doubt("asked_twice", again))
            times.update((session, one) for one in wanted)
        before |= each.told
        yield each, found


def _doubts(
    each: Exchange, before: set[str], withheld: frozenset[str], following: Exchange | None, answers: bool
) -> Iterator[Doubt]:
    """All signs but that of being asked twice. `before` was told earlier, `withheld` never was until this answer."""
    answer, kinds = each.answer, set(each.kinds)
    if answer is None or not answer.goes_on:
        return
    if "not_understood" in kinds and answers:
        yield Doubt("not_understood")
    if kinds & TOLD and kinds & REFUSED:
        yield Doubt("contradiction")
    gave = {part.target for part in answer.parts if part.kind in ("given", "corrected")} if answer.parts else each.told
    if again := gave & before:
        yield Doubt("told_again", tuple(sorted(again)))
    if each.told and (kinds or {"given"}) == {"given"} and is_yes_or_no(each.question.text) and not _says(answer.text):
        yield Doubt("bare_value", tuple(sorted(each.told)))
    if beside := each.told - each.targets:
        yield Doubt("beside", tuple(sorted(beside)))
    if withheld and (stated := _stated(each)):
        yield Doubt("stated", tuple(sorted(stated)))
    if each.told or "put_off" in kinds or kinds & TOLD or not answers:
        return
    if following and (repeated := each.targets & following.targets):
        yield Doubt("asked_again", tuple(sorted(repeated)))
    elif missed := each.targets or withheld:
        yield Doubt("told_nothing", tuple(sorted(missed)))


def _stated(each: Exchange) -> set[str]:
    """What an answer is about where it speaks of nothing withheld, and the question calls none of it by its name."""
    parts = each.answer.parts if each.answer else ()
    about = {part.target for part in parts if part.target and part.kind in TOLD}
    asked = set(re.findall(r"\w+", each.question.text.casefold()))
    if each.told or any(asked & set(re.findall(r"[^\W_]+", name.casefold())) for name in about):
        return set()
    return about


def _held_back(task: Task, prompt: str) -> Sequence[frozenset[str]]:
    """The names of what a prompt variant withholds, of each session."""
    gone = frozenset(task.withheld.get(prompt, ()))
    return [
        gone | {each.id for each in brief.withheld} if (brief := session.briefs.get(prompt)) else gone
        for session in task.sessions
    ]


def is_yes_or_no(text: str) -> bool:
    """Whether a text ends in a question that yes or no would answer, as reading back does: "13:00 it is, right?".

    By its first words or its last; one that offers a choice, or has a question word, is none.
    """
    sentences = [each for each in re.split(r"(?<=[.!?])\s+", text.casefold().strip()) if each.endswith("?")]
    if not sentences or _OPEN.search(sentences[-1]):
        return False
    clauses = [each.strip(" ?") for each in re.split(r"\s[-\u2013\u2014]\s|[:;,]\s", sentences[-1])]
    return bool(_ENDS.fullmatch(clauses[-1]) or any(_BEGINS.match(each) for each in (clauses[0], clauses[-1])))


def _says(text: str) -> bool:
    """Whether an answer begins with yes or no."""
    return bool(re.match(r"\W*(?:yes|no|yeah|yep|nope|right|correct|exactly|not)\b", text.casefold()))


def _exchanges(t: Trajectory) -> Iterator[Exchange]:
    """Each question with its answer; a hand-over is one where the user answers as to a question."""
    last: tuple[int, QuestionRecord | HandOver] | None = None
    for at, event in enumerate(t.events):
        if isinstance(event, QuestionRecord | HandOver):
            if last and isinstance(last[1], QuestionRecord):
                yield Exchange(*last, None, None)
            last = at, event
        elif isinstance(event, AnswerRecord) and last:
            question = last[1]
            if isinstance(question, QuestionRecord) or ((event.parts or event.targets) and question.is_question(event)):
                yield Exchange(*last, event, at)
            last = None
    if last and isinstance(last[1], QuestionRecord):
        yield Exchange(*last, None, None)
