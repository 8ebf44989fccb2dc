"""The suite `probe-inbox`: the samples of `probe-workplace`, in mail, calendar and files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from functools import cache

from benchmarks.probe import pins, worlds
from benchmarks.probe import suite as first
from benchmarks.probe.grammar.actions import ROLES
from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.people import PERSONAS, Persona, persona
from benchmarks.probe.headline import headline
from benchmarks.probe.pins import COUNT, SEED, Pin
from benchmarks.probe.report import report
from benchmarks.probe.workplace import pins as poured
from benchmarks.probe.workplace import pouring
from benchmarks.probe.workplace.acts import FINDINGS, HOW, PLACES, WAYS, Wanted, call, signs
from benchmarks.probe.workplace.checks import CHECKS, queries
from benchmarks.probe.workplace.reference import filled_in, play
from harness.suite import Suite
from harness.task import Call, Compare, End, Expected, Session, Slot, Task

__all__ = ("APPS", "load", "solved")

APPS = ("gmail", "calendar", "filesystem", "todoist")
_SYSTEM = """\
You work for one person, in their mail, their calendar, their files and their task list. You read them and act for that
person with the tools you have; there is nobody to ask, and whatever is sent or entered is so for good.
"""
_WHO = """\
You work for {name}. This is what is known of them, their firm and the people around them:

{world}

"""
_TELL = f"""\
{HOW} lists what can be done and says how each of it is done here; do it in that way, and change nothing else. And fill
in {FINDINGS}, which stays JSON: as `evidence` the ids of the mails and events and the paths of the files that state
what follows, and of no others; who owes (`who_blocked`) the work that is blocked (`what_task`), on whom it hangs
(`who_blocker`) and why (`why_root_cause`: what is wrong, and with which thing), by when it is due (`when_deadline`), in
which system it is stuck (`where_system`), how the one thing keeps the other from going on (`how_mechanism`), and what
else suffers, where that is known (`impact_scope`).
"""
_REQUESTS = {
    "one": f"""\
Something that {{name}} or one of their direct reports owes is held up, and nobody has said so: it shows only where
several mails, events or files are read together. There is exactly one such bottleneck. Find it, and do the one thing
that ends it.

{_TELL}""",
    "any": f"""\
It may be that something that {{name}} or one of their direct reports owes is held up, and that nobody has said so: it
would show only where several mails, events or files are read together. See whether there is such a bottleneck. If there
is none, leave everything as it is. If there is, do the one thing that ends it.

{_TELL}""",
}
_FREE = {
    "gmail.emails": ("subject", "sent_datetime", "body"),
    "calendar.events": ("event_name", "event_start", "duration", "location", "description"),
    "todoist.tasks": ("content", "description"),
    "filesystem.entries": ("path", "text", "created", "modified"),
}
_LEFT = {
    "gmail.emails": ("sent_datetime", "starred", "thread"),
    "calendar.events": (
        "all_day", "calendar", "duration", "event_start", "free", "location", "organizer", "original", "recurrence",
        "response", "series", "skipped", "status", "until", "zone",
    ),
    "todoist.tasks": (
        "assignee", "completed", "due_date", "due_time", "parent_id", "position", "priority", "project_id",
        "recurrence", "section_id",
    ),
}  # fmt: skip
_UNCHECKED = {
    "gmail.drafts": "nobody gets a draft",
    **{
        f"{table}.{field}": "an act is known by heading, text and whom it is for; the rest is left to whoever does it"
        for table, fields in _LEFT.items()
        for field in fields
    },
}


def load(seed: int = SEED, total: int = COUNT) -> Suite:
    """The suite, without making any of its samples, as `benchmarks.probe.suite.load`. Raises `SuiteError`."""
    found = _pins(seed, total)
    tasks = tuple(_task(seed, each) for each in found)
    return Suite(
        name="probe-inbox",
        version="1",
        description="The samples of probe-workplace in mail, calendar and files (PROBE)",
        tasks=tasks,
        world=pouring.world,
        worlds={each.name: poured.read().get(each.name) or poured.digest(each.name) for each in found},
        checks=CHECKS,
        programs=dict.fromkeys((task.template for task in tasks), play),
        report=report,
        headline=headline,
        questions=queries,
        solved=solved,
        system=_SYSTEM,
        toolsets=dict.fromkeys(APPS, "default"),
        unchecked=_UNCHECKED,
    )


def solved(task: Task, toolsets: Mapping[str, str]) -> tuple[Call, ...]:
    """The bottleneck written down and the one act done, through the surfaces `default`."""
    sample = worlds.sample(task.world)
    choices = first.solved(task, {"actions": "structured"})
    if not choices:
        return ()
    given = choices[0].arguments
    types = [each.type for each in sample.actions]
    place = [each.id for each in sample.actions].index(given["action"])
    who, what, under = (given["parameters"][role] for role in ROLES[types[place]])
    whom = next(each for each in pouring.staff(sample) if each.name == who)
    home = {document: place for place, document in pouring.homes(sample).items()}
    wanted = Wanted(whom.name, whom.address, what, under, given["parameters"]["message"])
    return (
        filled_in([home[each] for each in given["evidence"]], given["bottleneck"]),
        call(signs(types)[place], wanted, date.fromisoformat(sample.now)),
    )


@cache
def _pins(seed: int, total: int) -> tuple[Pin, ...]:
    written = {pin.name: pin for pin in pins.read()}
    return tuple(written.get(name) or pins.pinned(name) for name in pins.chosen(seed, total))


@cache
def _persona(seed: int, number: int) -> Persona:
    return persona(seed, number)


def _task(seed: int, pin: Pin) -> Task:
    who = _persona(seed, pin.number % PERSONAS)
    intro = _WHO.format(name=who.me.name, world=json.dumps(who.world, indent=2, ensure_ascii=False))
    reports = [each.name for each in who.reports]
    app, table = PLACES[WAYS[causes()[pin.template].action].place]
    return Task(
        id=pin.name,
        world=pin.name,
        apps=APPS,
        sessions=(Session(requests={name: intro + text.format(name=who.me.name) for name, text in _REQUESTS.items()}),),
        ends=(
            End(
                changes=(
                    Expected(op="update", app="filesystem", table="entries", id=FINDINGS),
                    Expected(op="insert", app=app, table=table),
                )
            ),
        ),
        compare=Compare(free=frozenset(f"{table}.{field}" for table, fields in _FREE.items() for field in fields)),
        template=who.id,
        slots=(
            Slot(name="persona", kind="person", text=who.me.name, value=who.me.name),
            Slot(name="reports", kind="people", text=", ".join(reports), value=reports),
        ),
        facts={
            "difficulty": pin.difficulty,
            "persona": who.id,
            "cause": pin.template,
            "held_out": causes()[pin.template].held_out,
            "key": pin.key,
            "control": False,
        },
    )
