"""Slots of this environment, with the ways in which people speak of them when they do not name them outright.

A mention is offered where it fits the value and others too, or nothing at all; `made.template` leaves out those that
come to the same whatever they are taken for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple, TypeAlias, TypeVar

from benchmarks.drift.apis.names import GHOSTS
from benchmarks.drift.apis.worlds import TODAY
from benchmarks.drift.template import Fault, Mention, Rows, Slot, SlotKind, Value, Values, conflicts, dated, nearest

__all__ = (
    "Item",
    "Pair",
    "Said",
    "Way",
    "amount",
    "attached",
    "choice",
    "day",
    "deed",
    "disagreeing",
    "item",
    "person",
    "spoken",
)

Domain: TypeAlias = Callable[[Rows, Values], Sequence[Value]]


class Way(NamedTuple):
    """Another way to say a value: what stands in its place in the span, and the values that it is true of.

    With a `claim` it is true of none, and the values are what might be meant instead. `left` are those that are left
    for somebody who has looked it up. `second`, `said` and `state` are as in `Mention`.
    """

    fault: Fault
    text: str
    fits: Sequence[Any]
    claim: str = ""
    left: Sequence[Any] | None = None
    second: bool = False
    said: Any = None
    state: str = ""


Ways: TypeAlias = Callable[[Rows, Values], Iterable[Way]]
T = TypeVar("T")


_WEEKS = ("some day this week", "some day next week", "some day in the week after next")


def no_ways(rows: Rows, values: Values) -> Iterable[Way]:
    """None."""
    return ()


def spoken(domain: Sequence[Value], own: Value, span: str, ways: Iterable[Way]) -> Iterator[Mention]:
    """The mentions that these ways come to: those that fit the task's own value, and others of the domain beside it.

    An E1 may fit that one alone. A way whose text begins with a space takes the place of the whole span.
    """
    for way in ways:
        fits = tuple(value for value in domain if value.value in way.fits)
        if own not in fits or (len(fits) < 2 and way.fault != "E1"):
            continue
        if way.left is not None and own.value not in way.left:
            continue
        text = way.text if way.text.startswith(" ") else span.replace("{value}", way.text)
        if way.claim:
            yield Mention(way.fault, text, repairs=fits, claim=way.claim, said=way.said, state=way.state)
        elif way.left is None:
            yield Mention(way.fault, text, fits, second=way.second)
        else:
            yield Mention(way.fault, text, fits, tuple(value for value in fits if value.value in way.left))


def disagreeing(
    own: T, others: Iterable[T], words: Callable[[T, T], str], like: Callable[[T], Sequence[T]] | None = None
) -> Iterator[Way]:
    """Two mentions that contradict each other (A3), as `conflicts` has them."""
    for text, fits, second in conflicts(own, others, words, like):
        yield Way("A3", text, fits, second=second)


def _slot(id: str, kind: SlotKind, role: str, domain: Domain, span: str, ways: Ways, **more: Any) -> Slot:
    def mentions(rows: Rows, values: Values) -> Iterator[Mention]:
        return spoken(domain(rows, values), values[id], span, ways(rows, values))

    return Slot(id=id, kind=kind, role=role, domain=domain, mentions=mentions, span=span, **more)


def choice(
    id: str,
    kind: SlotKind,
    role: str,
    span: str,
    options: Mapping[Any, str] | Domain,
    ways: Ways = no_ways,
    *,
    without: str | None = "",
    drops: bool = False,
    asks: tuple[str, ...] = (),
) -> Slot:
    """One of a few values. `without` is what the request says where the value is left out; None where it cannot be."""
    fixed = tuple(Value(text, value) for value, text in options.items()) if isinstance(options, Mapping) else ()
    domain: Domain = options if callable(options) else lambda rows, values: fixed

    def every(rows: Rows, values: Values) -> Iterator[Mention]:
        all_, own = domain(rows, values), values[id]
        if without is not None and not drops and len(all_) > 1:
            yield Mention("A1", without, tuple(all_))
        yield from spoken(all_, own, span, ways(rows, values))

    return Slot(id=id, kind=kind, role=role, domain=domain, mentions=every, span=span, drops=drops, asks=asks)


def deed(id: str, role: str, options: Mapping[str, str], weak: Sequence[str], wishes: Sequence[str] = ()) -> Slot:
    """What is to be done: value -> the verb. `weak` verbs say that something is; `wishes` are requests without one."""
    all_ = tuple(Value(text, value) for value, text in options.items())

    def mentions(rows: Rows, values: Values) -> Iterator[Mention]:
        for text in weak:
            yield Mention("I4", text, all_)
        for request in wishes:
            yield Mention("I2", "", all_, request=request)

    says = "Please {value}" if any(" " in text for text in options.values()) else "Please {value} it"
    return Slot(id=id, kind="action", role=role, domain=lambda rows, values: all_, mentions=mentions, says=says)


def day(
    id: str,
    role: str,
    span: str,
    among: Callable[[Rows, Values], Sequence[str]],
    ways: Ways = no_ways,
    *,
    without: str = "",
    drops: bool = False,
    asks: tuple[str, ...] = (),
) -> Slot:
    """A day, of those `among`: left out, a week in place of it, a weekday that it is not, "soon"."""

    def domain(rows: Rows, values: Values) -> Sequence[Value]:
        return [Value(dated(each), each) for each in among(rows, values)]

    def ways_of(rows: Rows, values: Values) -> Iterator[Way]:
        days = {each: date.fromisoformat(each) for each in among(rows, values)}
        own = days[values[id].value]
        monday = own - timedelta(days=own.weekday())
        week = [each for each, on in days.items() if monday <= on < monday + timedelta(days=7)]
        weeks = (monday - (TODAY - timedelta(days=TODAY.weekday()))).days // 7
        if weeks in (0, 1, 2):
            yield Way("A2", _WEEKS[weeks], week)
        month = [each for each, on in days.items() if on.month == own.month]
        yield Way("A2", f"some day in {own:%B}", month)
        soonest, when = sorted(days), "time" if span.startswith(" on ") else "day"
        if own.isoformat() in soonest[:4]:
            yield Way("E4", f"some {when} soon", soonest[:4])
        else:
            yield Way("E4", f"some {when} later on", soonest[-max(4, len(soonest) // 2) :])

    def exact(rows: Rows, values: Values) -> Iterator[Way]:
        days = {each: date.fromisoformat(each) for each in among(rows, values)}
        own = days[values[id].value]
        yield from disagreeing(
            own.isoformat(),
            [each for each, on in days.items() if nearest(on, own)],
            lambda named, told: f"{days[told]:%A}, {dated(named)}",
        )
        yield from ways(rows, values)

    def mentions(rows: Rows, values: Values) -> Iterator[Mention]:
        all_, own = domain(rows, values), values[id]
        if not drops and len(all_) > 1:
            yield Mention("A1", without, tuple(all_))
        yield from spoken(all_, own, span.replace(" on ", " "), ways_of(rows, values))
        yield from spoken(all_, own, span, exact(rows, values))

    return Slot(id=id, kind="date", role=role, domain=domain, mentions=mentions, span=span, drops=drops, asks=asks)


def amount(
    id: str,
    role: str,
    span: str,
    among: Callable[[Rows, Values], Sequence[int]],
    ways: Ways = no_ways,
    *,
    before: str = "",
    unit: str = "",
    without: str = "",
    drops: bool = False,
    asks: tuple[str, ...] = (),
) -> Slot:
    """A number, of those `among`, with a word `before` it and a `unit` behind.

    `without` is what the request says where it is left out.
    """

    def domain(rows: Rows, values: Values) -> Sequence[Value]:
        return [Value(f"{before}{each}{unit}", each) for each in among(rows, values)]

    def mentions(rows: Rows, values: Values) -> Iterator[Mention]:
        all_ = domain(rows, values)
        if not drops and len(all_) > 1:
            yield Mention("A1", without, tuple(all_))
        yield from spoken(all_, values[id], span, ways(rows, values))

    return Slot(id=id, kind="quantity", role=role, domain=domain, mentions=mentions, span=span, drops=drops, asks=asks)


class Pair(NamedTuple):
    """Two things of a kind, and a condition that is said once: of the second alone, or of both."""

    first: str
    second: str
    condition: Any


class Said(NamedTuple):
    """A pair in words: with the condition on the second, on both, and so that nobody can tell."""

    second: str
    both: str
    unclear: str


def attached(
    id: str,
    role: str,
    pairs: Callable[[Rows, Values], Sequence[Pair]],
    words: Callable[[Rows, Pair], Said],
    ways: Ways = no_ways,
) -> Slot:
    """A pair with its condition, as [first, second, condition, "second" or "both"]. What is said once is unclear."""

    def domain(rows: Rows, values: Values) -> Sequence[Value]:
        found = []
        for pair in pairs(rows, values):
            said = words(rows, pair)
            found += [Value(said.second, [*pair, "second"]), Value(said.both, [*pair, "both"])]
        return found

    def every(rows: Rows, values: Values) -> Iterator[Way]:
        own = values[id].value
        pair = Pair(*own[:3])
        yield Way("E2", words(rows, pair).unclear, [[*pair, "second"], [*pair, "both"]])
        yield from ways(rows, values)

    return _slot(id, "filter", role, domain, "{value}", every)


class Item(NamedTuple):
    """Something that belongs to a person: "Ines Berg's floor lamp order". `sort` is what it is one of several of."""

    id: str
    who: str
    what: str
    sort: str = ""

    @property
    def text(self) -> str:
        return f"{self.who}'s {self.what}"

    @property
    def surname(self) -> str:
        return self.who.rpartition(" ")[2]


Items: TypeAlias = Callable[[Rows, Values], Sequence[Item]]


def _others(items: Sequence[Item], own: Item) -> Iterator[Item]:
    """Those whose surname nobody else among the items has, and that are somebody else's."""
    surnames = [each.surname for each in items]
    yield from (each for each in items if each.surname != own.surname and surnames.count(each.surname) == 1)


def _alike(surname: str) -> tuple[str, str]:
    """A surname and the one that is easily taken for it."""
    return surname, next(other for other in GHOSTS if other != surname and GHOSTS[other] == GHOSTS[surname])


def item(
    id: str,
    role: str,
    noun: str,
    items: Items,
    *,
    numbered: str = "",
    past: tuple[str, str] | None = None,
    already: Items | None = None,
    state: str = "",
    ways: Ways = no_ways,
    asks: tuple[str, ...] = (),
) -> Slot:
    """A person's order, ticket, loan, room: spoken of by half of its name, by a wrong one, by what it is not.

    `numbered` is what has the number, where people call it something else: a book that is out has that of its loan.
    `past` is what somebody might wrongly believe of it, and that it is not so ("placed at Christmas", "placed nothing
    at Christmas"). Those of `already` are in the state
    where the task is to bring one, which `state` puts in words ("is open").
    """

    def domain(rows: Rows, values: Values) -> Sequence[Value]:
        texts = [each.text for each in items(rows, values)]
        return [Value(each.text, each.id) for each in items(rows, values) if texts.count(each.text) == 1]

    def every(rows: Rows, values: Values) -> Iterator[Way]:
        all_ = items(rows, values)
        own = next(each for each in all_ if each.id == values[id].value)
        same = [each.id for each in all_ if each.who == own.who]
        yield Way("A1", f"the {noun}", [each.id for each in all_])
        yield Way("E3", f"the {own.surname} {noun}", [each.id for each in all_ if each.surname == own.surname])
        yield Way("E3", f"{own.who}'s {noun}", same)
        if own.sort:
            yield Way("A2", f"one of the {own.sort}", [each.id for each in all_ if each.sort == own.sort])
        yield Way("A2", f"one of {own.who}'s {noun}s", same)
        surname = {each.id: each.surname for each in all_}
        yield from disagreeing(
            own.id,
            [other.id for other in _others(all_, own)][:3],
            lambda named, told: f"{numbered or noun} {named} (the {surname[told]} one)",
            lambda told: [each for each in surname if surname[each] == surname[told]],
        )
        ghost = GHOSTS.get(own.surname)
        if ghost:
            first = own.who.rpartition(" ")[0]
            near = [each.id for each in all_ if each.surname in _alike(own.surname)]
            claim = f"There is nobody called {ghost}."
            yield Way("P2", f"the {ghost} {noun}", near, claim)
            yield Way("P2", f"{first} {ghost}'s {noun}", near, claim)
        if past:
            yield Way("P1", f"the {noun} that {own.who} {past[0]}", same, f"{own.who} {past[1]}.")
        for done in already(rows, values) if already else ():
            near = [each.id for each in all_ if done.who == each.who or (done.sort and done.sort == each.sort)]
            yield Way("P3", done.text, near, f"{done.text} {state} already.", said=done.id)
        yield from ways(rows, values)

    return _slot(id, "entity", role, domain, "{value}", every, asks=asks)


def person(
    id: str,
    role: str,
    span: str,
    among: Callable[[Rows, Values], Sequence[str]],
    *,
    ways: Ways = no_ways,
    without: str = "",
    table: str = "customers",
    asks: tuple[str, ...] = (),
) -> Slot:
    """A customer, by name, of those with the ids `among`; of another `table` somebody who works for the town."""

    def domain(rows: Rows, values: Values) -> Sequence[Value]:
        ids = set(among(rows, values))
        return [Value(row["name"], row["id"]) for row in rows[table] if row["id"] in ids]

    def mentions(rows: Rows, values: Values) -> Iterator[Mention]:
        all_, own = domain(rows, values), values[id]
        if len(all_) > 1:
            yield Mention("A1", without, tuple(all_))
        yield from spoken(all_, own, span, every(rows, values, all_, own))

    def every(rows: Rows, values: Values, all_: Sequence[Value], own: Value) -> Iterator[Way]:
        first, _, surname = own.text.rpartition(" ")
        called = {each.value: each.text.rpartition(" ") for each in all_}
        yield Way("E3", surname, [key for key, (_, _, last) in called.items() if last == surname])
        yield Way("E3", first, [key for key, (given, _, _) in called.items() if given == first])
        if table == "customers":
            lives = {row["id"]: row["district"] for row in rows[table]}
            there = [each.value for each in all_ if lives[each.value] == lives[own.value]]
            yield Way("A2", f"somebody in {lives[own.value]}", there)
        noun = "customer" if table == "customers" else "agent"
        yield from disagreeing(
            own.value,
            [other.value for other in all_[:3] if other != own],
            lambda named, told: f"{''.join(called[named])} ({noun} {told})",
        )
        if ghost := GHOSTS.get(surname):
            near = [key for key, (_, _, last) in called.items() if last in _alike(surname)]
            yield Way("P2", f"{first} {ghost}", near, f"There is nobody called {ghost}.")
        yield from ways(rows, values)

    return Slot(id=id, kind="entity", role=role, domain=domain, mentions=mentions, span=span, asks=asks)
