"""Truths said differently, and things said in their place: what a matcher has to tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.facts import ARGUMENTS, Fact
from benchmarks.probe.records import Detail, Details
from benchmarks.probe.scoring.answers import Structured

__all__ = ("perturbed",)

_SAME = 0.3
"""How many fields stay as they are; of the others about half stay right."""


def perturbed(
    draw: Random, details: Details, parts: Structured, facts: Sequence[Fact], people: Sequence[str]
) -> Structured:
    """The answer with each field as it was, said in another way, or with something else of the sample in its place."""
    system = str(details.where_system.value) if details.where_system else ""
    ways = {
        "who_blocked": [*_person(parts.who_blocked), *_others(draw, facts, "owner", parts.who_blocked), *people[:2]],
        "who_blocker": [
            *_person(parts.who_blocker),
            *_others(draw, facts, "decider", ""),
            *_others(draw, facts, "person", parts.who_blocker),
        ],
        "what_task": [*_thing(parts.what_task, details.what_task), *_others(draw, facts, "task", parts.what_task), ""],
        "why_root_cause": _causes(draw, parts.why_root_cause, details.why_root_cause, facts),
        "when_deadline": _days(parts.when_deadline),
        "where_system": [
            system.upper(), f"the {system} system", f"{system}, at the desk", f"in {system}.",
            *_others(draw, facts, "system", system), "the shared drive", "",
        ],
        "how_mechanism": [
            parts.how_mechanism.capitalize() + ".",
            parts.how_mechanism.replace(" is missing and comes from ", " has not come from "),
            parts.how_mechanism.partition(" is missing")[0],
            f"the {draw.choice([each['input'] for each in facts if each.kind == 'needs'])} is missing",
            "",
        ],
    }  # fmt: skip
    said = {name: getattr(parts, name) if draw.random() < _SAME else draw.choice(each) for name, each in ways.items()}
    return Structured(**said)


def _person(name: str) -> list[str]:
    given, _, surname = name.partition(" ")
    return [name.upper(), f"{surname}, {given}", f"{given[0]}. {surname}", given, f"{name} (desk)", _slip(name)]


def _thing(name: str, detail: Detail | None) -> list[str]:
    aliases = [each for each in detail.accept if each != name] if detail else []
    return [*aliases, f"the {name}", f"completion of the {name}", name.partition(" ")[2], _slip(name)]


def _causes(draw: Random, said: str, detail: Detail | None, facts: Sequence[Fact]) -> list[str]:
    kind, _, thing = said.partition(": ")
    aliases = [each for each in detail.accept if each != thing] if detail else []
    other = draw.choice([each for each in facts if each.kind == "why" and each["object"] != thing])
    kinds = sorted({causes()[each["cause"]].type.replace("_", " ") for each in facts if each.kind == "why"})
    return [
        f"{thing} ({kind})",
        f"{kind} of the {thing}",
        *(f"{kind}: {each}" for each in aliases),
        thing,
        kind,
        f"{kind}: {other['object']}",
        f"{draw.choice(kinds)}: {thing}",
    ]


def _days(iso: str) -> list[str]:
    day = date.fromisoformat(iso)
    later, earlier = day + timedelta(days=1), day - timedelta(days=7)
    return [
        f"{day.day} {day:%B %Y}", f"{day:%B} {day.day}, {day.year}", f"{day:%d.%m.%Y}", f"{day:%A}, {day.day} {day:%B}",
        f"{day:%d/%m/%y}", f"by {day.day} {day:%b}", f"{day.day}th {day:%B}",
        f"{later.day} {later:%B %Y}", earlier.isoformat(), f"the week of {earlier.day} {earlier:%B}",
        f"{day:%B %Y}", "",
    ]  # fmt: skip


def _others(draw: Random, facts: Sequence[Fact], slot: str, but: str) -> list[str]:
    """Two other values of that slot, where there are so many."""
    there = sorted({fact[slot] for fact in facts if slot in ARGUMENTS[fact.kind]} - {but})
    return draw.sample(there, min(2, len(there)))


def _slip(name: str) -> str:
    """The name with two neighbouring letters in the middle exchanged."""
    at = len(name) // 2
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]
