"""Invented persons and where they work: persona, organisation, context, relationships, and what is held up there."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from benchmarks.probe.grammar.lines import entries
from benchmarks.probe.pipeline.replies import Bottleneck, Bottlenecks, Context, Firm, Relation, Relations, Who
from benchmarks.probe.pipeline.work import Work, prompt
from benchmarks.probe.records import Difficulty

__all__ = ("MIXED", "Cast", "cast", "difficulty_of")

MIXED: tuple[Difficulty, ...] = (
    "easy", "medium", "hard", "hard", "medium", "hard", "easy", "hard", "medium", "hard",
)  # fmt: skip
_RELATIONS: Mapping[Difficulty, tuple[int, int]] = {"easy": (3, 5), "medium": (5, 8), "hard": (8, 12)}
_FIRST_DAY = date(2026, 1, 12)
_NAMES = 40


@dataclass(frozen=True)
class Cast:
    """A persona with their world, the day on which they are met, and what is held up there, one for each sample."""

    number: int
    difficulty: Difficulty
    now: date
    who: Who
    firm: Firm
    context: Context
    relations: tuple[Relation, ...]
    bottlenecks: tuple[Bottleneck, ...]

    @property
    def reports(self) -> list[str]:
        return [each.name for each in self.relations if each.type == "direct report"]

    @property
    def names(self) -> list[str]:
        """Everybody who is known, the persona first."""
        return [self.who.name, *(each.name for each in self.relations)]

    def address(self, name: str) -> str:
        outside = any(each.name == name and each.type in ("client", "stakeholder") for each in self.relations)
        domain = "partners" if outside else _slug(self.firm.company_name, "-")
        return f"{_slug(name, '.')}@{domain}.example"

    def mailbox(self, name: str) -> str:
        return f"{name} <{self.address(name)}>"

    def world(self) -> dict[str, JsonValue]:
        """What the person is told of themselves, in the shape of every sample."""
        manager = next((each.name for each in self.relations if each.type == "manager"), self.firm.reporting_to)
        return {
            "persona": {**self.who.model_dump(mode="json"), "email": self.address(self.who.name)},
            "organization": {
                **self.firm.model_dump(mode="json"),
                "reporting_to": manager,
                "direct_reports": [*self.reports],
            },
            "relationships": [
                {**each.model_dump(mode="json"), "email": self.address(each.name)} for each in self.relations
            ],
            "personal_context": self.context.model_dump(mode="json"),
        }


def difficulty_of(number: int) -> Difficulty:
    """The difficulty of all samples of a persona, whose relationships depend on it."""
    return MIXED[number % len(MIXED)]


async def cast(seed: int, number: int, batch: int, work: Work) -> Cast:
    """The persona of this number with a batch of bottlenecks. Raises `Dropped`."""
    draw = random.Random(f"probe model {seed} persona {number}")
    difficulty = difficulty_of(number)
    calling = draw.choice(_callings())
    pool = _pool(draw)
    now = _FIRST_DAY + timedelta(days=draw.randrange(300))
    while now.weekday() > 4:
        now += timedelta(days=1)
    of: dict[str, Any] = {"persona": number}
    who = await work.item(
        "persona", of, prompt("persona", calling=calling, called=pool[0], town=draw.choice(entries("towns"))), Who,
        check=partial(_is_called, pool[0]),
    )  # fmt: skip
    firm = await work.item("organisation", of, prompt("organisation", who=who, calling=calling), Firm)
    context = await work.item("context", of, prompt("context", who=who, firm=firm, difficulty=difficulty), Context)
    low, high = _RELATIONS[difficulty]
    asked = prompt("relationships", who=who, firm=firm, difficulty=difficulty, low=low, high=high, pool=pool[1:])
    known = await work.item("relationships", of, asked, Relations, check=partial(_related, pool[1:], (low, high)))
    found = Cast(number, difficulty, now, who, firm, context, known.relationships, ())
    asked = prompt("bottlenecks", cast=found, batch=batch, now=now.isoformat())
    held = await work.item("bottlenecks", of, asked, Bottlenecks, check=partial(_held_up, found, batch))
    return Cast(number, difficulty, now, who, firm, context, known.relationships, held.bottlenecks)


@cache
def _callings() -> tuple[str, ...]:
    lines = Path(__file__).with_name("callings.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def _pool(draw: random.Random) -> list[str]:
    """Full names, no surname twice: what a model makes up by itself are always the same few."""
    families = draw.sample(entries("family"), _NAMES)
    return [f"{given} {family}" for given, family in zip(draw.sample(entries("given"), _NAMES), families, strict=True)]


def _slug(name: str, mark: str) -> str:
    return mark.join("".join(sign if sign.isalnum() else " " for sign in name.lower()).split())


def _is_called(name: str, who: Who) -> None:
    if who.name != name:
        raise ValueError(f"the person is called {name}, not {who.name}")


def _related(pool: list[str], size: tuple[int, int], reply: Relations) -> None:
    names = [each.name for each in reply.relationships]
    if not size[0] <= len(names) <= size[1]:
        raise ValueError(f"expected {size[0]} to {size[1]} relationships, not {len(names)}")
    strange = [name for name in names if name not in pool]
    if strange or len(set(names)) < len(names):
        raise ValueError(f"each is to have a name of its own from the list, unlike {', '.join(strange) or 'here'}")
    if not any(each.type == "direct report" for each in reply.relationships):
        raise ValueError("at least one of them is to be a direct report")


def _held_up(cast: Cast, batch: int, reply: Bottlenecks) -> None:
    if len(reply.bottlenecks) != batch:
        raise ValueError(f"expected {batch} bottlenecks, not {len(reply.bottlenecks)}")
    for place, each in enumerate(reply.bottlenecks, 1):
        if each.who_blocked.value not in [cast.who.name, *cast.reports]:
            raise ValueError(f"bottleneck {place}: who_blocked is to be {cast.who.name} or a direct report")
        for name in (each.who_blocker.value, each.primary_person):
            if name not in cast.names:
                raise ValueError(f"bottleneck {place}: nobody is called {name!r}")
        if each.who_blocker.value == each.who_blocked.value:
            raise ValueError(f"bottleneck {place}: who_blocker and who_blocked are to be two persons")
        if each.when_deadline is not None and date.fromisoformat(each.when_deadline.value) <= cast.now:
            raise ValueError(f"bottleneck {place}: when_deadline is to be a day after {cast.now}")
    tasks = {each.what_task.value.casefold() for each in reply.bottlenecks}
    if len(tasks) < batch:
        raise ValueError("each bottleneck is to be about a piece of work of its own (what_task)")
