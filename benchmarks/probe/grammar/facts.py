"""What a sample's documents state, as data, and when six facts make somebody's bottleneck.

A chain is due(task, owner, deadline), needs(task, input), at(input, desk, system), run(desk, person),
why(person, cause, object), lever(object, decider, reference), each joined to the next by one key.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

__all__ = (
    "ARGUMENTS", "DEFEATERS", "FACTS", "KEYS", "NOTES", "Chain", "Fact", "Remit", "chains", "defeated", "joints",
    "keys_of", "live",
)  # fmt: skip

FACTS = ("due", "needs", "at", "run", "why", "lever")
KEYS = ("task", "input", "desk", "person", "object")
"""`KEYS[k]` joins `FACTS[k]` with `FACTS[k + 1]`."""
NOTES = ("mention", "settled", "delegated", "dismissed", "parked", "hypothetical")
"""What may be said of a task besides: all but a mention take it off the table."""
DEFEATERS = (*NOTES[1:], "other_period", "out_of_remit", "entity_swap")
"""Why a chain that looks complete is none. The last three lie in its own facts, the others in a note elsewhere."""
ARGUMENTS = {
    "due": ("task", "owner", "deadline"),
    "needs": ("task", "input"),
    "at": ("input", "desk", "system"),
    "run": ("desk", "person"),
    "why": ("person", "cause", "object"),
    "lever": ("object", "decider", "reference"),
    **dict.fromkeys(NOTES, ("task",)),
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement: its kind and its values in the order of `ARGUMENTS`.

    Work and desks stand as codes, persons as full names, a deadline as an ISO day, a cause as the id of its template.
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
    """Facts by kind and left key: `joints(facts)["needs", code]` are those that follow a task."""
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


def defeated(facts: Iterable[Fact]) -> frozenset[str]:
    """Tasks that a note takes off the table."""
    return frozenset(fact["task"] for fact in facts if fact.kind in NOTES[1:])


def live(facts: Sequence[Fact], remit: Remit, *, resolved: Collection[str] = ()) -> list[Chain]:
    """Ω: complete chains that nothing speaks against. `resolved` are objects about which something was done."""
    off = defeated(facts)
    return [
        chain
        for chain in chains(facts)
        if chain.due["owner"] in remit.owners
        and chain.due["deadline"] > remit.now
        and chain.due["task"] not in off
        and chain.why["object"] not in resolved
    ]
