"""What a sample's documents state, as data, and when six facts make somebody's bottleneck.

A chain is due(task, owner, deadline), needs(task, input), at(input, desk, system), run(desk, person),
why(person, cause, object), lever(object, decider, reference), each joined to the next by one key. A note says something
of one key besides: it may speak against every chain through that key, or take such a note back. In hard samples it may
do so for a time only, days may be told by events and persons by their offices: what follows from that is worked out in
`reckoning.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

__all__ = (
    "AGAIN", "AGAINST", "ARGUMENTS", "DEFEATERS", "FACTS", "KEYS", "MENTIONS", "NOTED", "NOTES", "PASSING", "REASONS",
    "RECKONED", "Chain", "Fact", "Remit", "chains", "defeated", "joints", "keys_of", "live", "touches",
)  # fmt: skip

FACTS = ("due", "needs", "at", "run", "why", "lever")
KEYS = ("task", "input", "desk", "person", "object")
"""`KEYS[k]` joins `FACTS[k]` with `FACTS[k + 1]`."""
MENTIONS: Mapping[str, str] = {
    "task": "mention", "input": "mention input", "desk": "mention desk", "person": "mention person",
    "object": "mention object",
}  # fmt: skip
"""For each key the kind of note that changes nothing: it may be of last year."""
AGAINST: Mapping[str, tuple[str, ...]] = {
    "task": ("settled", "delegated", "dismissed", "parked", "hypothetical"),
    "input": ("waived", "arrived"),
    "desk": ("moved",),
    "person": ("covered",),
    "object": ("mended", "ruled"),
}
"""For each key the kinds of note after which no chain through it is live."""
AGAIN: Mapping[str, str] = {
    "task": "again", "input": "again input", "desk": "again desk", "person": "again person", "object": "again object",
}  # fmt: skip
"""For each key the kind of note that takes back what was said against it."""
REASONS: Mapping[str, str] = {"task": "unclaimed", "object": "nobody"}
"""Why a chain has no beginning or end where a reader would look for one. It defeats nothing: there is no chain."""
NOTES = (MENTIONS["task"], *AGAINST["task"])
"""What may be said of a task besides, but for the rarer notes: all but a mention take it off the table."""
DEFEATERS = (*(kind for kinds in AGAINST.values() for kind in kinds), "other_period", "out_of_remit", "entity_swap")
"""Why a chain that looks complete is none. The last three lie in its own facts, the others in a note elsewhere."""
PASSING: Mapping[str, tuple[str, str]] = {
    f"{ends} {key}": (key, kind)
    for key, kind in zip(KEYS, ("delegated", "arrived", "moved", "covered", "mended"), strict=True)
    for ends in ("until", "from")
}
"""Kinds of notes that hold until a day or from a day on: their key, and the kind of note they are while they hold."""
NOTED: Mapping[str, str] = {
    kind: key
    for key in KEYS
    for kind in (
        MENTIONS[key],
        *AGAINST[key],
        AGAIN[key],
        *((REASONS[key],) if key in REASONS else ()),
        *(passing for passing, (of, _) in PASSING.items() if of == key),
    )
}
"""Of which key a kind of note speaks."""
RECKONED: Mapping[str, tuple[str, ...]] = {
    "event": ("event", "day"),
    "later": ("event", "count"),
    "sooner": ("event", "count"),
    "office": ("office", "person"),
    "office from": ("office", "person", "day"),
    "acting": ("office", "person", "since", "until"),
}
"""What days and persons are reckoned from: the first day of an event, by how many working days it was moved, who first
held an office, who has it from a day on, who acts in it from one day until another. With their arguments."""
ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "due": ("task", "owner", "deadline"),
    "needs": ("task", "input"),
    "at": ("input", "desk", "system"),
    "run": ("desk", "person"),
    "why": ("person", "cause", "object"),
    "lever": ("object", "decider", "reference"),
    **{kind: (key, "day") if kind in PASSING else (key,) for kind, key in NOTED.items()},
    **RECKONED,
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement: its kind and its values in the order of `ARGUMENTS`.

    Work and desks stand as full names without article, persons as full names, a deadline as an ISO day, a cause as the
    id of its template. Before it is reckoned, a day may be told by an event, `wardens' muster+3`, and a person by their
    office, `inland bursar`.
    """

    kind: str
    values: tuple[str, ...]

    def __getitem__(self, name: str) -> str:
        return self.values[ARGUMENTS[self.kind].index(name)]


class Chain(NamedTuple):
    """Six facts, each joined to the next."""

    due: Fact
    needs: Fact
    at: Fact
    run: Fact
    why: Fact
    lever: Fact


class Remit(NamedTuple):
    """Whose tasks count: the persona and their reports, and the ISO day after which a deadline is still ahead."""

    owners: frozenset[str]
    now: str


def keys_of(fact: Fact) -> Iterator[tuple[str, str]]:
    """(type, value) of each key that a statement names."""
    yield from ((name, value) for name, value in zip(ARGUMENTS[fact.kind], fact.values, strict=True) if name in KEYS)


def joints(facts: Iterable[Fact]) -> dict[tuple[str, str], list[Fact]]:
    """Facts by kind and left key: `joints(facts)["needs", name]` are those that follow a task."""
    found: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.kind in FACTS[1:]:
            found[fact.kind, fact[KEYS[FACTS.index(fact.kind) - 1]]].append(fact)
    return found


def chains(facts: Sequence[Fact]) -> list[Chain]:
    """All complete chains, whatever speaks against them."""
    follow = joints(facts)
    paths: list[tuple[Fact, ...]] = [(fact,) for fact in facts if fact.kind == "due"]
    for kind, key in zip(FACTS[1:], KEYS, strict=True):
        paths = [(*path, fact) for path in paths for fact in follow.get((kind, path[-1][key]), ())]
    return [Chain(*path) for path in dict.fromkeys(paths)]


_SPEAKS_AGAINST = frozenset(kind for kinds in AGAINST.values() for kind in kinds)
_TAKES_BACK = frozenset(AGAIN.values())


def defeated(facts: Iterable[Fact]) -> frozenset[str]:
    """Keys through which no chain is live: a note speaks against them, and none takes that back."""
    facts = [*facts]
    back = {fact.values[0] for fact in facts if fact.kind in _TAKES_BACK}
    return frozenset(fact.values[0] for fact in facts if fact.kind in _SPEAKS_AGAINST) - back


def touches(path: Iterable[Fact], off: Collection[str]) -> bool:
    """Whether facts go through one of these keys."""
    return any(value in off for fact in path for _, value in keys_of(fact))


def live(facts: Sequence[Fact], remit: Remit) -> list[Chain]:
    """Ω: complete chains that nothing speaks against."""
    off = defeated(facts)
    return [
        chain
        for chain in chains(facts)
        if chain.due["owner"] in remit.owners and chain.due["deadline"] > remit.now and not touches(chain, off)
    ]
