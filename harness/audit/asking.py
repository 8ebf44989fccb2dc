"""Can withheld values be asked for? A dozen questions about each slot, put to the user who would answer them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from harness.audit.trying import Finding
from harness.core.suite import Suite
from harness.core.task import Brief, Segment, Slot, Task
from servers.kernel import Question, User

__all__ = ("MakesUser", "Slotted", "Understood", "findings", "listen", "withheld")

MakesUser = Callable[[Brief], User]
"""Makes the user of a brief anew. With several workers it is sent to them, and so has to be picklable."""

_COLLEAGUES = frozenset({"person", "colleague", "employee"})
_PEOPLE = _COLLEAGUES | {"customer", "client", "contact"}
_TIMES = frozenset({"date", "due_date", "time"})
_WHICH = frozenset({"first", "second", "third", "last", "next", "old", "new", "current", "other"})
"""Roles that say which one, and not what it is."""

_NAMED = (
    "Could you please tell me the {name}?",
    "I would be glad to know the {name}.",
    "the {name}?",
    "Which {name} do you mean?",
    "The {name} is missing.",
    "You did not say which {name} it should be.",
)
_TAKEN = ("What do I enter for the {name}?", "I will have to make up the {name} unless you tell me.")
"""Where there are no everyday words."""

_DAY, _CLOCK = ("When?", "On which day?", "Which date?"), ("When?", "At what time?", "What time is right?")
_WHO = ("Who is it?", "Whom do you mean?", "Whose name do I enter?")
_NUMBER = ("How many?", "How much?", "Which number should I take?")
_LENGTH = ("How long?", "How many {unit}?", "For how long?")
_BACK = ("How long?", "How many {unit}?", "Over what time?")
_AMOUNT = ("How many {unit}?", "How much?", "What number of {unit} do you mean?")
_OFFERED = "Is the {name} {other} or {value}?"
_RIGHT = "So the {name} is {value}, is that right?"
_WRONG = "I take it that the {name} is {other}. Is that right?"

_COUNT = (
    r"\d+(?:\.\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|sixty|"
    "ninety"
)
_MEASURED = re.compile(rf"(?:{_COUNT})[ -](\w+)", re.IGNORECASE)
_LENGTHS = frozenset({"minutes", "hours", "days", "weeks", "months", "years"})
_UNITS = _LENGTHS | {"seconds", "percent", "points", "euros", "dollars", "pieces", "people", "times"}
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(
    rf"(?:{_MONTH} \d{{1,2}}|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH})(?:,? \d{{4}})?|\d{{4}}-\d\d-\d\d",
    re.IGNORECASE,
)


class Put(NamedTuple):
    """A question about a slot. `named`: it calls the thing by its kind and role; else it is in everyday words.

    `has` says what the question holds itself: no value, the right one, or a wrong one.
    """

    text: str
    named: bool = True
    has: Literal["", "right", "wrong"] = ""

    def understood(self, kind: str) -> bool:
        """Whether an answer that has such a part for the slot shows that the question was understood."""
        unlike = {"right": "corrected", "wrong": "confirmed"}.get(self.has)
        return kind in ("given", "confirmed", "corrected") and kind != unlike


class Slotted(NamedTuple):
    """A slot that a brief withholds, and what is asked about it."""

    task: str
    template: str
    brief: Brief
    segment: Segment
    questions: Sequence[Put]


class Understood(NamedTuple):
    """How many of the `questions` about a slot the user did not understand: the texts of those `missed`.

    `everyday` and `everyday_missed` are those that do not name the thing.
    """

    task: str
    template: str
    slot: str
    kind: str
    role: str
    questions: int
    missed: tuple[str, ...]
    everyday: int
    everyday_missed: tuple[str, ...]

    @property
    def fails(self) -> bool:
        """The user does not hear the slot: fewer than half of the questions, or none of those in everyday words."""
        deaf = bool(self.everyday) and len(self.everyday_missed) == self.everyday
        return deaf or 2 * len(self.missed) > self.questions


def withheld(suite: Suite, tasks: Iterable[Task]) -> list[Slotted]:
    """Each slot that briefs of `tasks` withhold, once a template, with the first task that withholds it.

    Wrong values are those of other tasks of the suite.
    """
    values = _values(suite)
    found: dict[tuple[str, str], Slotted] = {}
    for task in tasks:
        template = task.template or task.id
        for brief in (brief for session in task.sessions for brief in session.briefs.values()):
            for segment in brief.withheld:
                if (template, segment.id) not in found:
                    asked = tuple(
                        _questions(segment.slot, _other(brief, segment.slot, values), _alone(brief, segment.slot))
                    )
                    found[template, segment.id] = Slotted(task.id, template, brief, segment, asked)
    return list(found.values())


async def listen(asked: Iterable[Slotted], user: MakesUser) -> list[Understood]:
    """Put each question to a user who has heard no other."""
    found = []
    for each in asked:
        missed = [put for put in each.questions if not await _heard(each, put, user(each.brief))]
        slot = each.segment.slot
        told = Understood(
            each.task,
            each.template,
            each.segment.id,
            slot.kind,
            slot.role,
            questions=len(each.questions),
            missed=tuple(put.text for put in missed),
            everyday=sum(not put.named for put in each.questions),
            everyday_missed=tuple(put.text for put in missed if not put.named),
        )
        found.append(told)
    return found


def findings(understood: Iterable[Understood]) -> list[Finding]:
    """A problem for each slot that is not heard."""
    return [Finding(each.task, "asking", "problem", _told(each)) for each in understood if each.fails]


async def _heard(each: Slotted, put: Put, user: User) -> bool:
    answer = await user.answer(Question(text=put.text))
    return any(part.target == each.segment.id and put.understood(part.kind) for part in answer.parts)


def _told(each: Understood) -> str:
    what = ", ".join(filter(None, (each.kind, each.role))) or "of no kind"
    heard = f"{each.questions - len(each.missed)} of {each.questions} questions"
    if each.everyday:
        heard += f", of those in everyday words {each.everyday - len(each.everyday_missed)} of {each.everyday}"
    first = " nor ".join(f'"{text}"' for text in (each.everyday_missed or each.missed)[:2])
    return (
        f"{each.slot} ({what}): the user hears {heard}, not {first}; "
        "give the slot words that ask for it (Slot.asks), or a plainer kind or role"
    )


def _alone(brief: Brief, slot: Slot) -> bool:
    """Whether nothing else of the request is of such a kind, so that "Who is it?" can only ask for this."""
    alike = next((kinds for kinds in (_PEOPLE, _TIMES) if slot.kind in kinds), {slot.kind})
    return sum(each.slot.kind in alike for each in (*brief.withheld, *brief.stated)) == 1


def _questions(slot: Slot, other: str, alone: bool) -> Iterator[Put]:
    """A dozen: by name, in everyday words and in the slot's own, and with values in them.

    Everyday words are left out where something else could be meant by them as well.
    """
    name, value = _name(slot), slot.text
    plain = "Who is the {name}?" if slot.kind in _PEOPLE else "What is the {name}?"
    own = (_sentence(f"{wording.rstrip('?.! ')}?") for wording in slot.asks)
    everyday = dict.fromkeys([*(_everyday(slot) if alone else ()), *own])
    named = (plain, *_NAMED, *(() if everyday else _TAKEN))
    yield from (Put(_sentence(shape.format(name=name))) for shape in named)
    yield from (Put(text, named=False) for text in everyday)
    yield Put(_RIGHT.format(name=name, value=value), has="right")
    if other:
        yield Put(_OFFERED.format(name=name, value=value, other=other), has="right")
        yield Put(_WRONG.format(name=name, other=other), has="wrong")


def _everyday(slot: Slot) -> Sequence[str]:
    """How one asks for such a value without a name for it; nothing where its form does not tell."""
    if slot.kind in _COLLEAGUES:
        return _WHO
    value = slot.text.strip()
    if _DATE.fullmatch(value):
        return _DAY
    if re.fullmatch(r"\d{1,2}:\d\d", value):
        return _CLOCK
    if re.fullmatch(r"\d+(\.\d+)?", value):
        return _NUMBER
    if re.fullmatch(r"\d+(\.\d+)? ?%", value):
        return [each.format(unit="percent") for each in _AMOUNT]
    measured = _MEASURED.fullmatch(value)
    unit = measured[1].casefold() if measured else ""
    unit = unit if unit in _UNITS else f"{unit}s"
    if unit in _LENGTHS:
        return [each.format(unit=unit) for each in (_BACK if slot.kind == "period" else _LENGTH)]
    return [each.format(unit=unit) for each in _AMOUNT] if unit in _UNITS else ()


def _name(slot: Slot) -> str:
    """What a colleague would call it who knows kind and role."""
    kind = slot.kind.replace("_", " ").strip()
    role = slot.role.replace("_", " ").strip()
    return f"{role} {kind}".strip() if role in _WHICH else role or kind or slot.name


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _values(suite: Suite) -> Mapping[str, Sequence[str]]:
    """Values of slots by kind, each once, in the suite's order."""
    found: dict[str, dict[str, None]] = {}
    for task in suite.tasks:
        briefs = (brief for session in task.sessions for brief in session.briefs.values())
        known = (segment.slot for brief in briefs for segment in (*brief.withheld, *brief.stated))
        for slot in (*task.slots, *known):
            found.setdefault(slot.kind, {})[slot.text] = None
    return {kind: list(texts) for kind, texts in found.items()}


def _other(brief: Brief, slot: Slot, values: Mapping[str, Sequence[str]]) -> str:
    """A value of the same kind that the request as meant does not have; empty where there is none."""
    meant = brief.intent.casefold()
    return next((text for text in values.get(slot.kind, ()) if text.casefold() not in meant), "")
