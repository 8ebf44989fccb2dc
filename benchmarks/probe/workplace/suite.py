"""The suite `probe-inbox`: the samples of `probe-workplace`, in mail, calendar and files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache

from benchmarks.probe import pins, worlds
from benchmarks.probe import suite as first
from benchmarks.probe.grammar.actions import ROLES
from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.people import PERSONAS
from benchmarks.probe.headline import headline
from benchmarks.probe.pins import COUNT, SEED
from benchmarks.probe.pouring import Pin
from benchmarks.probe.report import report
from benchmarks.probe.suite import BLOCKED, kept, reckoning, told_of
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
person with the tools you have; there is nobody to ask, and whatever is sent or entered is final.
"""
_TELL = f"""\
{HOW} lists the actions that can be taken and says how each is done here; do it that way, and change nothing else. Also
fill in {FINDINGS}, and keep it valid JSON:

- `evidence`: the ids of the mails and events, and the paths of the files, that state the following, and no others:
  neither those that contradict it nor those that withdraw a contradiction
- `who_blocked`: who owes the work that is blocked
- `who_blocker`: whose unfinished work it is waiting for
- `what_task`: which work is blocked
- `why_root_cause`: why: what is wrong, and with which thing
- `when_deadline`: when the work is due
- `where_system`: in which system it is stuck
- `how_mechanism`: how the cause blocks the work
- `impact_scope`: what else suffers, if that is known
"""
_REQUESTS = {
    "one": f"""\
Something that {{name}} or one of their direct reports owes is blocked, and nobody has said so: it shows only when
several mails, events or files are read together. There is exactly one such bottleneck. Find it, and do the one thing
that resolves it.
{BLOCKED}
{_TELL}""",
    "any": f"""\
Something that {{name}} or one of their direct reports owes may be blocked without anybody having said so: it would show
only when several mails, events or files are read together. Find out whether there is such a bottleneck. If there is
none, leave everything as it is. If there is, do the one thing that resolves it.
{BLOCKED}
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


def _task(seed: int, pin: Pin) -> Task:
    who = kept(seed, pin.number % PERSONAS)
    intro = told_of(pin.name, who.me.name, who.world)
    reports = [each.name for each in who.reports]
    rules = reckoning({"difficulty": pin.difficulty})
    requests = {name: intro + text.format(name=who.me.name) + rules for name, text in _REQUESTS.items()}
    app, table = PLACES[WAYS[causes()[pin.template].action].place]
    return Task(
        id=pin.name,
        world=pin.name,
        apps=APPS,
        sessions=(Session(requests=requests),),
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
