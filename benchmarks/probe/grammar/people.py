"""Who somebody is: a persona by number, with firm, colleagues, programs and what they are told of their own work."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import JsonValue

from benchmarks.probe.grammar.lines import entries, sections
from benchmarks.probe.grammar.setting import Person

__all__ = ("PERSONAS", "Persona", "persona")

PERSONAS = 235
_STAFF = 400
_DECIDERS = 60


@dataclass(frozen=True)
class Persona:
    """One working life. `world` is what they are told; `staff` are all others, of whom `deciders` have a say.

    `reports` are those who report to them; `style` decides how the firm writes its codes; `tasks`, `inputs` and
    `functions` are the kinds of work and of desks that there are.
    """

    id: str
    me: Person
    firm: str
    staff: tuple[Person, ...]
    known: tuple[Person, ...]
    manager: Person
    reports: tuple[Person, ...]
    deciders: tuple[Person, ...]
    projects: tuple[str, ...]
    systems: tuple[str, ...]
    tasks: tuple[str, ...]
    inputs: tuple[str, ...]
    functions: tuple[str, ...]
    style: int
    trade: str
    world: dict[str, JsonValue]

    @property
    def owners(self) -> tuple[str, ...]:
        """Whose work it is that the persona looks after: their own and their reports'."""
        return (self.me.name, *(each.name for each in self.reports))

    @property
    def operators(self) -> tuple[str, ...]:
        """Who may run a desk: everybody in the firm but owners, manager and deciders."""
        outside = (each.name for each in self.staff if each.team == "outside")
        barred = {self.manager.name, *self.owners, *(each.name for each in self.deciders), *outside}
        return tuple(each.name for each in self.staff if each.name not in barred)


def persona(seed: int, number: int) -> Persona:
    """The persona of this number, the same whatever sample asks."""
    draw = random.Random(f"persona {seed} {number}")
    firm, sort = draw.choice(entries("firms")).split(": ")
    domain = f"{firm.lower().replace(' ', '-')}.example"
    teams = dict(line.split(": ") for line in sections("words.txt")["teams"])
    names = _names(draw, _STAFF + 1)
    me, *staff = [_person(draw, name, teams, domain, leads=not place) for place, name in enumerate(names)]
    colleagues = [each for each in staff if each.team == me.team]
    reports = [Person(each.name, each.role, me.team, each.address) for each in colleagues[: draw.choice((2, 3, 3, 4))]]
    others = [each for each in staff if each.team != me.team]
    manager, *outside = draw.sample(others, draw.randint(5, 7) + 3)
    peers = outside[2:]
    guests = [
        Person(each.name, role, "outside", f"{each.address.split('@')[0]}@{host}.example")
        for each, role, host in zip(outside, draw.sample(entries("outside"), 2), ("council", "partners"), strict=False)
    ]
    manager = Person(manager.name, f"Director, {me.team}", me.team, manager.address)
    kinds = (
        [("manager", manager)]
        + [("direct report", each) for each in reports]
        + [("colleague", each) for each in peers]
        + [("partner", each) for each in guests]
    )
    replaced = {each.name: each for _, each in kinds}
    staff = [replaced.get(each.name, each) for each in staff]
    projects = tuple(draw.sample(entries("projects"), 8))
    systems = tuple(draw.sample(entries("systems"), 8))
    tasks = tuple(draw.sample(entries("tasks"), 16))
    barred = {manager.name, *(report.name for report in reports)}
    free = [each for each in staff if each.name not in barred and each.team != "outside"]
    return Persona(
        id=f"p{number:03d}",
        me=me,
        firm=firm,
        staff=tuple(staff),
        known=tuple(each for _, each in kinds),
        manager=manager,
        reports=tuple(reports),
        deciders=tuple(draw.sample(free, _DECIDERS)),
        projects=projects,
        systems=systems,
        tasks=tasks,
        inputs=tuple(draw.sample(entries("inputs"), 16)),
        functions=tuple(draw.sample(entries("functions"), 8)),
        style=number % 3,
        trade=sort,
        world=_world(draw, me, (firm, sort), kinds, _Work(tasks, projects, systems)),
    )


def _names(draw: random.Random, count: int) -> list[str]:
    """Full names whose initial and surname tell them apart, so that `A. Petrov` is one person."""
    found: dict[tuple[str, str], str] = {}
    while len(found) < count:
        given, family = draw.choice(entries("given")), draw.choice(entries("family"))
        found.setdefault((given[0], family), f"{given} {family}")
    return [*found.values()]


def _person(draw: random.Random, name: str, teams: dict[str, str], domain: str, *, leads: bool) -> Person:
    team = draw.choice([*teams])
    head, *roles = teams[team].split(", ")
    role = head if leads else draw.choice(roles)
    return Person(name=name, role=role, team=team, address=f"{name.lower().replace(' ', '.')}@{domain}")


class _Work(NamedTuple):
    tasks: tuple[str, ...]
    projects: tuple[str, ...]
    systems: tuple[str, ...]


def _world(draw: random.Random, me: Person, of: tuple[str, str], kinds: list[tuple[str, Person]],
           work: _Work) -> dict[str, JsonValue]:  # fmt: skip
    firm, sort = of

    def some(section: str, count: int) -> list[JsonValue]:
        return [text.format(given=me.given, their="their") for text in draw.sample(entries(section), count)]

    relationships: list[JsonValue] = [
        {
            "name": each.name,
            "role": each.role,
            "email": each.address,
            "type": kind,
            "team": each.team,
            "manner": draw.choice(entries("manners")),
            "interaction": draw.choice(entries("dealings")).format(given=me.given),
            "status": draw.choice(entries("states")),
            "frequency": draw.choice(("daily", "twice a week", "weekly", "every other week", "monthly")),
        }
        for kind, each in kinds
    ]
    return {
        "persona": {
            "name": me.name,
            "occupation": me.role,
            "email": me.address,
            "location": draw.choice(entries("towns")),
            "about": f"{me.name} works at {firm} as {me.role[0].lower()}{me.role[1:]} and has been there for "
            f"{draw.randint(5, 19)} years, the last {draw.choice(('two', 'three', 'four'))} in the present team.",
        },
        "organization": {
            "company_name": firm,
            "company_type": sort,
            "department": me.team,
            "team_size": draw.randint(5, 14),
            "direct_reports": [each.name for kind, each in kinds if kind == "direct report"],
            "reporting_to": kinds[0][1].name,
            "key_processes": [*draw.sample(work.tasks, 6)],
            "projects": [*work.projects],
            "typical_meetings": [
                title.format(project=work.projects[0]) for title in draw.sample(entries("meetings"), 3)
            ],
        },
        "relationships": relationships,
        "personal_context": {
            "work_style": some("habits", 1)[0],
            "responsible_for": "whatever is in their own name or in that of a direct report",
            "current_goals": some("goals", 3),
            "constraints": some("limits", 2),
            "communication_preferences": some("ways", 1)[0],
            "tools_used": [*work.systems],
            "biggest_challenges": some("struggles", 2),
        },
    }
