"""What a template of tasks says of itself: its values, other ways to speak of them, and what comes of any of them.

Everything about a fault follows from this. A fault puts a *mention* in a value's place: a way to speak of it that fits
several values of the world, or none. Whoever reads the request may then take any value that fits (a *filling*), and
`truth` says what comes of each, so that what a fault costs is computed, never declared (`benchmarks.drift.need`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from harness.task import Call, Expected

__all__ = (
    "CATEGORIES", "CATEGORY", "FAULTS", "PUBLISHED", "AnswerKind", "Category", "Conflict", "Declined", "Draw",
    "Environment", "Fault", "Mention", "Outcome", "Rows", "Slot", "SlotKind", "Template", "Value", "Values",
    "conflicts", "dated", "nearest", "nothing",
)  # fmt: skip

Environment = Literal["sql", "terminal", "apis"]
SlotKind = Literal["action", "entity", "filter", "field", "value", "quantity", "date"]
AnswerKind = Literal["text", "number", "date"]

Fault = Literal[
    "I1", "I2", "I3", "I4", "P1", "P2", "P3", "P4", "A1", "A2", "A3", "A4", "E1", "E2", "E3", "E4"
]  # fmt: skip
Category = Literal["intention", "premise", "parameter", "expression"]

FAULTS: tuple[Fault, ...] = get_args(Fault)
CATEGORIES: tuple[Category, ...] = get_args(Category)
CATEGORY: Mapping[str, Category] = {"I": "intention", "P": "premise", "A": "parameter", "E": "expression"}
"""By the first letter of a fault."""

PUBLISHED: frozenset[Fault] = frozenset({"I1", "P1", "A1", "E1", "E2"})
"""The five of the paper (Drift-Bench, section 3)."""

Rows: TypeAlias = Mapping[str, Sequence[Mapping[str, Any]]]
"""A world as its author made it: table -> rows, each field -> value. What an app hides of it is in there too."""

T = TypeVar("T")


class Value(NamedTuple):
    """A value that a slot can have: as a request says it, and as tools and `truth` take it (JSON)."""

    text: str
    value: Any


Values: TypeAlias = Mapping[str, Value]
"""Slot -> its value, of one task."""


class Mention(NamedTuple):
    """A way to speak of a slot that does not name its value outright. `text` takes the place of the slot's span.

    `fits` are the values that it is true of in the world: the task's own among them, or none where it presupposes what
    is not so (P1 to P4). `found` are those left for somebody who has looked it up with the tools; None where looking
    leaves as many. Where none fits, `repairs` are what might be meant instead, and `claim` says what is wrong with it,
    as the user would ("There was no fair in 2031."). `request` is a whole request in place of the template's wording,
    with `{slot}` for other slots, where a span is not enough (I2, E2). Of two mentions that disagree (A3) the first is
    the one that is meant, or the `second`. Of what is in that state already (P3), `said` is the value that the words
    name all the same, as tools take it, and `state` those of the words that say of it what is not so ("still open"),
    where there are any.
    """

    fault: Fault
    text: str
    fits: tuple[Value, ...] = ()
    found: tuple[Value, ...] | None = None
    repairs: tuple[Value, ...] = ()
    claim: str = ""
    request: str = ""
    second: bool = False
    said: Any = None
    state: str = ""


class Conflict(NamedTuple):
    """Two mentions that disagree, in words, and the values that the one or the other fits. See `Mention.second`."""

    text: str
    fits: tuple[Any, ...]
    second: bool


def conflicts(
    own: T, others: Iterable[T], words: Callable[[T, T], str], like: Callable[[T], Sequence[T]] | None = None
) -> Iterator[Conflict]:
    """Ways to name one thing and to describe another in the same breath, so that nobody can tell which is meant.

    `words(named, told)` name the one and describe the other, "" where the description is true of both. Each pair comes
    twice, with the task's `own` value named and with it described. `like` are the values that the description of one
    fits, it alone by default; a pair that one description fits is left out.
    """
    for other in others:
        for named, told in ((own, other), (other, own)):
            fits = like(told) if like else [told]
            text = words(named, told)
            if text and named not in fits:
                yield Conflict(text, (named, *fits), named is other)


def nothing(rows: Rows, values: Values) -> tuple[Mention, ...]:
    """The mentions of a slot that is always named outright."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Slot:
    """A value of a template's request.

    `kind` and `role` say what it is in a colleague's words ("entity", "customer"). `span` is how it stands in a
    wording, with the words that go when it goes (" for {value}"); in wordings `{id}` stands for the span. `domain` are
    the values it may have, in the world and beside the others of the task. With `drops`, `truth` takes None for it: the
    same request without this restriction. `asks` and `says` are as in `harness.task.Slot`; the user ends the sentence.
    """

    id: str
    kind: SlotKind
    role: str
    domain: Callable[[Rows, Values], Sequence[Value]]
    mentions: Callable[[Rows, Values], Iterable[Mention]] = nothing
    span: str = "{value}"
    drops: bool = False
    asks: tuple[str, ...] = ()
    says: str = ""


class Outcome(NamedTuple):
    """What right work comes to. Two outcomes are equal exactly where one end would be judged like the other.

    Of a read, `answers` in order where `ranked`, else sorted, compared as `kind` says. Of a change, `changes` are the
    rows that differ from the start, sorted; `answers` is None.
    """

    answers: tuple[str, ...] | None = None
    kind: AnswerKind = "text"
    ranked: bool = False
    changes: tuple[Expected, ...] = ()


def dated(day: str | date) -> str:
    """A day as people write it, without the year: 14 April."""
    on = date.fromisoformat(day) if isinstance(day, str) else day
    return f"{on.day} {on:%B}"


def nearest(day: date, other: date) -> bool:
    """Whether a day is another one, and near enough for the name of its weekday to mean it: three days at most."""
    return 0 < abs(day - other).days <= 3


class Declined(ValueError):
    """The tools refuse what a solution asks of them: `Template.solve` was given values that cannot be carried out."""


class Draw:
    """Choices of one task, each keyed by what it decides, so that another choice more changes no other."""

    def __init__(self, *key: Any) -> None:
        self._key = key

    def number(self, what: str, below: int) -> int:
        """A whole number from 0, less than `below`."""
        told = "\x1f".join(map(str, (*self._key, what)))
        return int.from_bytes(hashlib.sha256(told.encode()).digest()[:8], "big") % below

    def one(self, what: str, of: Sequence[T]) -> T:
        """One of them. Raises IndexError where there are none."""
        if not of:
            raise IndexError(f"{what}: there is nothing to choose from")
        return of[self.number(what, len(of))]


@dataclass(frozen=True, kw_only=True)
class Template:
    """Tasks made alike, over one world. All its functions look at their arguments alone.

    `draw(rows, draw)` gives the values of a task, None where the draw makes none (it is drawn again). `wordings` are
    requests with `{slot}` for each slot's span. `truth(rows, values)` takes slot -> value (`Value.value`, None where it
    is dropped) and works out in plain Python what comes of them: None where it cannot be carried out, or is not unique.
    `solve` gives the calls that do it through the tools, worked out apart from `truth` (reference SQL, a script, calls
    of endpoints); for a read the last one is `answer.submit_answer`. Actions that are hard to undo are `risky`.
    """

    id: str
    environment: Environment
    world: str
    kind: Literal["read", "insert", "change"]
    slots: tuple[Slot, ...]
    wordings: tuple[str, ...]
    draw: Callable[[Rows, Draw], Values | None]
    truth: Callable[[Rows, Mapping[str, Any]], Outcome | None]
    solve: Callable[[Rows, Mapping[str, Any]], Sequence[Call]]
    risky: bool = False

    def slot(self, id: str) -> Slot:
        """The slot of that id. Raises KeyError."""
        for slot in self.slots:
            if slot.id == id:
                return slot
        raise KeyError(f"{self.id} has no slot {id!r}, only {', '.join(slot.id for slot in self.slots)}")

    def request(self, values: Values, wording: str, spans: Mapping[str, str] | None = None) -> str:
        """The wording with each slot's span filled in, or with what `spans` has in its place."""
        filled = {slot.id: slot.span.replace("{value}", values[slot.id].text) for slot in self.slots}
        text = " ".join(wording.format_map({**filled, **(spans or {})}).split())
        for mark in ",.?!":
            text = text.replace(f" {mark}", mark)
        return text[:1].upper() + text[1:]
