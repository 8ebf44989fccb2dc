"""Slots of this environment, with the ways in which people speak of them when they do not name them outright."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple, TypeAlias

from benchmarks.drift.need import sifted
from benchmarks.drift.sql.names import GHOSTS
from benchmarks.drift.sql.schema import NOW
from benchmarks.drift.template import (
    Fault,
    Mention,
    Rows,
    Slot,
    SlotKind,
    Template,
    Value,
    Values,
    conflicts,
    dated,
    nearest,
)

__all__ = (
    "Way",
    "amount",
    "attached",
    "day",
    "days",
    "deed",
    "disagreeing",
    "made",
    "one_of",
    "twins",
)

Domain: TypeAlias = Callable[[Rows, Values], Sequence[Value]]


class Way(NamedTuple):
    """Another way to say a value: what stands in its place, and the values that it is true of.

    With a `claim` it is true of none, and the values are what might be meant instead. `left` are those that are left
    for somebody who has looked it up. Where the `span` goes too, the text takes the place of the whole of it.
    `request` is a whole request in place of the wording. `second`, `said` and `state` are as in `Mention`.
    """

    fault: Fault
    text: str
    fits: Iterable[Any]
    claim: str = ""
    left: Iterable[Any] | None = None
    span: bool = False
    request: str = ""
    second: bool = False
    said: Any = None
    state: str = ""


Ways: TypeAlias = Callable[[Rows, Values], Iterable[Way]]


def _none(rows: Rows, values: Values) -> Iterable[Way]:
    return ()


def one_of(
    id: str,
    kind: SlotKind,
    role: str,
    domain: Domain,
    ways: Ways = _none,
    *,
    span: str = "{value}",
    without: str | None = None,
    drops: bool = False,
    asks: tuple[str, ...] = (),
    says: str = "",
) -> Slot:
    """One of the values of a domain. `without` is what a request says where the value is left out (A1)."""

    def mentions(rows: Rows, values: Values) -> Iterator[Mention]:
        every, own = domain(rows, values), values[id]
        if without is not None:
            yield Mention("A1", without, tuple(every))
        for way in ways(rows, values):
            kept = list(way.fits)
            fits = tuple(value for value in every if value.value in kept)
            if own not in fits:
                continue
            text = way.text if way.span or way.request else span.replace("{value}", way.text)
            if way.claim:
                more = {"claim": way.claim, "request": way.request, "said": way.said, "state": way.state}
                yield Mention(way.fault, text, repairs=fits, **more)
                continue
            left = None if way.left is None else list(way.left)
            found = None if left is None else tuple(value for value in fits if value.value in left)
            yield Mention(way.fault, text, fits, found, request=way.request, second=way.second)

    return Slot(
        id=id, kind=kind, role=role, domain=domain, mentions=mentions, span=span, drops=drops, asks=asks, says=says
    )


def made(**given: Any) -> Template:
    """A template of this environment, whose slots offer those mentions alone that cost what their fault says."""
    return sifted(Template(environment="sql", **given))


def disagreeing(
    own: Any,
    others: Iterable[Any],
    words: Callable[[Any, Any], str],
    like: Callable[[Any], Sequence[Any]] | None = None,
) -> Iterator[Way]:
    """Two mentions that contradict each other (A3), as `conflicts` has them."""
    for text, fits, second in conflicts(own, others, words, like):
        yield Way("A3", text, fits, second=second)


def twins(names: Mapping[Any, str], own: Any, noun: str, places: Mapping[Any, str] | None = None) -> Iterator[Way]:
    """Ways to speak of one of two whose names begin alike: by the beginning, by a name near both, by the other's place.

    `places` say of each where it is found, "in Porto".
    """
    stem = names[own].partition(" ")[0]
    alike = [value for value, name in names.items() if name.partition(" ")[0] == stem]
    yield Way("E3", stem, alike)
    if stem in GHOSTS and len(alike) > 1:
        yield Way("P2", GHOSTS[stem], alike, f"There is no {noun} called {GHOSTS[stem]}.")
    if places:
        yield from disagreeing(
            own,
            [other for other in alike if places[other] != places[own]],
            lambda named, told: f"{names[named]} (the one {places[told]})",
            lambda told: [value for value in alike if places[value] == places[told]],
        )


def deed(
    id: str,
    role: str,
    options: Mapping[Any, str],
    weak: Sequence[str],
    wishes: Sequence[str],
    *,
    asks: tuple[str, ...] = (),
    says: str = "It is to be {value}",
) -> Slot:
    """What is to be done: value -> how it is said. `weak` requests say that something is, `wishes` not even that."""
    every = tuple(Value(text, value) for value, text in options.items())

    def ways(rows: Rows, values: Values) -> Iterator[Way]:
        for fault, requests in (("I4", weak), ("I2", wishes)):
            for request in requests:
                yield Way(fault, "", options, request=request)  # type: ignore[arg-type]

    return one_of(id, "action", role, lambda rows, values: every, ways, asks=asks, says=says)


def days(first: int, last: int) -> list[Value]:
    """Working days from so many days after today to so many."""
    every = [NOW.date() + timedelta(days=number) for number in range(first, last + 1)]
    return [Value(dated(on), on.isoformat()) for on in every if on.weekday() < 5]


def day(
    id: str,
    role: str,
    first: int,
    last: int,
    ways: Ways = _none,
    *,
    span: str = " on {value}",
    says: str = "on {value}",
) -> Slot:
    """A working day of the time around now: left out, a week or a month in its place, a weekday that it is not."""
    every = days(first, last)

    def several(rows: Rows, values: Values) -> Iterator[Way]:
        own = date.fromisoformat(values[id].value)
        on = {value.value: date.fromisoformat(value.value) for value in every}
        month = [value for value, each in on.items() if each.month == own.month]
        yield Way("A2", f" some day in {own:%B}", month, span=True)
        week = [value for value, each in on.items() if each.isocalendar()[:2] == own.isocalendar()[:2]]
        weeks = own.isocalendar().week - NOW.date().isocalendar().week
        if weeks in (-1, 0, 1):
            yield Way("A2", (" one day this week", " one day next week", " one day last week")[weeks], week, span=True)
        others = [value for value in on if nearest(on[value], own)]
        yield from disagreeing(own.isoformat(), others, lambda named, told: f"{on[told]:%A} {dated(named)}")
        if own > NOW.date():
            yield Way("E4", " some time soon", [value for value in on if on[value] >= NOW.date()][:6], span=True)
        else:
            yield Way("E4", " not long ago", [value for value in on if on[value] < NOW.date()][-6:], span=True)
        yield from ways(rows, values)

    return one_of(
        id,
        "date",
        role,
        lambda rows, values: every,
        several,
        span=span,
        without="",
        asks=("which day", "what date", "when"),
        says=says,
    )


def amount(
    id: str,
    role: str,
    among: Sequence[int],
    unit: str,
    ways: Callable[[int], Iterable[Way]],
    *,
    span: str = " {value}",
    without: str = "",
    asks: tuple[str, ...] = ("how much", "how many"),
) -> Slot:
    """A whole number with its unit, of those `among`."""
    every = tuple(Value(f"{number:,} {unit}".strip(), number) for number in among)
    return one_of(
        id,
        "quantity",
        role,
        lambda rows, values: every,
        lambda rows, values: ways(values[id].value),
        span=span,
        without=without,
        asks=asks,
    )


class _Words(NamedTuple):
    last: str
    both: str
    unclear: str


def attached(
    id: str,
    role: str,
    pairs: Callable[[Rows], Sequence[tuple[Any, Any, Any]]],
    words: Callable[[Any, Any, Any], tuple[str, str, str]],
    says: str = "I mean {value}",
) -> Slot:
    """Two of a kind and a condition: on the last alone, or on both. Said once behind both it is unclear (E2).

    Values are [first, second, condition, "last" or "both"]; `words` give how each is said, and the unclear way.
    """

    def domain(rows: Rows, values: Values) -> Sequence[Value]:
        found = []
        for pair in pairs(rows):
            told = _Words(*words(*pair))
            found += [Value(told.last, [*pair, "last"]), Value(told.both, [*pair, "both"])]
        return found

    def ways(rows: Rows, values: Values) -> Iterator[Way]:
        pair = values[id].value[:3]
        yield Way("E2", _Words(*words(*pair)).unclear, [[*pair, "last"], [*pair, "both"]])

    return one_of(id, "filter", role, domain, ways, says=says)
