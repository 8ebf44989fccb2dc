"""The suite `probe-workplace`: samples of our grammar, each a world and a task of its own, made when it is played."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from benchmarks.probe import days, naming, pins, worlds
from benchmarks.probe.checks import CHECKS, queries
from benchmarks.probe.grammar import generate
from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.people import PERSONAS, Persona, persona
from benchmarks.probe.headline import headline
from benchmarks.probe.pins import CONTROLS, COUNT, SEED
from benchmarks.probe.pipeline import stored
from benchmarks.probe.pouring import Pin
from benchmarks.probe.records import ESSENTIAL, OTHER, Detail, Sample
from benchmarks.probe.reference import Settings, play
from benchmarks.probe.report import report
from benchmarks.probe.rubric import RUBRIC
from benchmarks.probe.single_shot import refused, whole
from harness.suite import Suite, SuiteError
from harness.task import Call, Compare, End, Expected, Session, Slot, Task

__all__ = ("APPS", "BLOCKED", "Asked", "act", "kept", "load", "reckoning", "solved", "task_of", "told_of")

APPS = ("datastore", "actions")
_SYSTEM = """\
You work for one person, whose mails, calendar events and documents are in a datastore. You read them and act for that
person with the tools you have; there is nobody to ask.
"""
_WHO = """\
You work for {name}.{today} Here is what is known about them, their firm and the people around them:

{world}

"""
BLOCKED = """
A piece of work is blocked if all of the following hold: {name} or one of their direct reports owes it; its due date is
still ahead; somebody is preparing an input that it needs and cannot continue today, for a reason that still applies; no
document withdraws the work or the reason; and one named person can resolve it, by acting on a reference given in the
documents. The person who is blocked is whoever owes the work. The blocker is whoever prepares the missing input and is
stuck, not the person who could unblock them.
"""
"""When a piece of work counts as blocked, in the same words under every prompt of both suites."""
RECKONING = """
Some days in these documents are told by events, and some people by an office that they hold. All of this is to be
reckoned as things stand today:

- Working days are Mondays to Fridays, without exception. The first working day after an event is the next one after
  its day, and the first working day before it is the last one before its day.
- An event takes place on the day first set for it, moved by every change that a document reports. Each report is of a
  change of its own, counted in working days from the day on which the event stood until then: all of them add up,
  whatever their order. An event first set by another one goes by the day on which that one takes place in the end.
- An office is held today by whoever took it over last, up to and including today; while somebody acts in it, by that
  person alone. Whoever holds an office today owes what the office owes and decides what the office decides.
- What holds until a day, or from a day on, holds on that day too. What has run out, or has not begun, changes nothing
  today. Work is not blocked if today somebody else has it or prepares the input, the input can be had elsewhere or
  left out, or the trouble holds nobody up.
- In the answer give people by name and days as dates. What only says when events take place, who holds an office, or
  what does not hold today, is not evidence.
"""
"""How days and people of hard samples are worked out, in the same words under every prompt of both suites."""
_SAY = """\
what the bottleneck is: who owes which work that cannot be finished, whose unfinished work it is waiting for and why,
when it is due, in which system it is stuck, and how the cause blocks the work. As evidence give the ids of the
documents that state this, and no others: neither those that contradict it nor those that withdraw a contradiction."""
_REQUESTS = {
    "one": f"""\
Something that {{name}} or one of their direct reports owes is blocked, and nobody has said so: it shows only when
several mails, events or documents are read together. There is exactly one such bottleneck. Find it, and take the one
action that resolves it.
{BLOCKED}
Along with the action, say {_SAY}
""",
    "any": f"""\
Something that {{name}} or one of their direct reports owes may be blocked without anybody having said so: it would show
only when several mails, events or documents are read together. Find out whether there is such a bottleneck. If there
is, take the one action that resolves it. If there is none, take no action.
{BLOCKED}
Along with an action, say {_SAY}
""",
}
"""By prompt."""
_FREE = frozenset(f"actions.decisions.{field}" for field in ("made", "parameters", "evidence", "bottleneck", "details"))


def load(seed: int = SEED, total: int = COUNT, controls: int = CONTROLS) -> Suite:
    """The suite, without making any of its samples: what tasks need to know of them is pinned (`pins`).

    The first `controls` of its samples, or all if there are fewer, have a control, and some of them a task in which a
    document arrives during the week; some samples are stored as told anew. All these are played only where a config
    names them. What is not pinned, as under another seed, is made to load it. Raises `SuiteError`.
    """
    found = [*_pins(seed, total, min(controls, total))]
    chosen = pins.chosen(seed, total)
    own = frozenset(chosen)
    weekly = frozenset(map(naming.days_of, chosen[:controls]))
    found += [pin for pin in pins.read() if pin.name in weekly]
    found += [pin for pin in stored.pins() if naming.base_of(pin.name) in own]
    tasks = tuple(_task(seed, each) for each in found)
    return Suite(
        name="probe-workplace",
        version="1",
        description="Find the bottleneck that nobody mentioned, and take the one action that resolves it (PROBE)",
        tasks=tasks,
        world=worlds.world,
        worlds={each.name: each.world for each in found},
        checks=CHECKS,
        programs=dict.fromkeys((task.template for task in tasks), play),
        settings=Settings,
        report=report,
        headline=headline,
        questions=queries,
        aside=frozenset(task.id for task in tasks if task.id not in own),
        solved=solved,
        rubric=RUBRIC,
        whole=whole,
        refused=refused,
        system=_SYSTEM,
        toolsets={"datastore": "default", "actions": "open"},
        unchecked={
            "actions.decisions.made": "there is no time by which one has to decide",
        },
    )


def solved(task: Task, toolsets: Mapping[str, str]) -> tuple[Call, ...]:
    """The one call that resolves the bottleneck, told in parts where the toolset has them, else in prose."""
    calls = act(worlds.sample(task.world), toolsets)
    if "arrives" in task.facts:
        return tuple(call.model_copy(update={"session": task.facts["arrives"]}) for call in calls)
    return calls


def act(sample: Sample, toolsets: Mapping[str, str]) -> tuple[Call, ...]:
    """The same of a sample, wherever it is from; no call where none is right."""
    gold = sample.gold
    if gold.action is None:
        return ()
    messages = {name: f"Needed for {', '.join(each)}." for name, each in gold.mentions.items()}
    arguments: dict[str, Any] = {
        "action": gold.action,
        "parameters": {**gold.parameters, **messages},
        "evidence": [*gold.true_positives],
        "bottleneck": _parts(sample) if toolsets.get("actions") == "structured" else gold.description,
    }
    return (Call(app="actions", tool="choose_action", arguments=arguments),)


@cache
def _pins(seed: int, total: int, controls: int) -> tuple[Pin, ...]:
    written = {pin.name: pin for pin in pins.read()}
    names = pins.chosen(seed, total)
    names += [naming.control_of(name) for name in names[:controls]]
    return tuple(written.get(name) or pins.pinned(name) for name in names)


@cache
def kept(seed: int, number: int) -> Persona:
    """The persona, made once for both suites."""
    return persona(seed, number)


class Asked(NamedTuple):
    """What a task says of a sample, and what its facts are."""

    name: str
    action: str | None
    who: str
    reports: Sequence[str]
    world_model: Mapping[str, Any]
    facts: Mapping[str, Any]


def task_of(asked: Asked) -> Task:
    """The task of a sample; where no action is right, none is expected."""
    intro = told_of(asked.name, asked.who, asked.world_model)
    control = asked.action is None
    rules = reckoning(asked.facts)
    requests = {
        name: intro + text.format(name=asked.who) + rules
        for name, text in _REQUESTS.items()
        if not (control and name == "one")
    }
    right = Expected(op="insert", app="actions", table="decisions", values={"action": asked.action})
    return Task(
        id=asked.name,
        world=asked.name,
        apps=APPS,
        sessions=(Session(requests=requests),),
        ends=(End(changes=() if control else (right,)),),
        compare=Compare(free=_FREE),
        template=asked.facts["persona"],
        slots=(
            Slot(name="persona", kind="person", text=asked.who, value=asked.who),
            Slot(name="reports", kind="people", text=", ".join(asked.reports), value=[*asked.reports]),
        ),
        facts=dict(asked.facts),
    )


def told_of(task: str, name: str, world_model: Mapping[str, Any]) -> str:
    """How a request begins: for whom, today's date where it is one day and known, and what is known about them."""
    today = ""
    if not task.startswith("days-"):
        with suppress(SuiteError):  # a sample that others made
            day = generate.today(*naming.parsed(task))
            today = f" Today is {day:%A}, {day.day} {day:%B %Y}."
    return _WHO.format(name=name, today=today, world=json.dumps(world_model, indent=2, ensure_ascii=False))


def reckoning(facts: Mapping[str, Any]) -> str:
    """What the request says besides of days and offices: of hard samples of the grammar, also as told anew."""
    own = facts.get("level", "grammar") in ("grammar", "rewrite")
    return RECKONING if own and facts["difficulty"] == "hard" else ""


def _task(seed: int, pin: Pin) -> Task:
    who = kept(seed, pin.number % PERSONAS)
    control = pin.action == "-"
    facts = {
        "difficulty": pin.difficulty,
        "persona": who.id,
        "cause": pin.template,
        "held_out": causes()[pin.template].held_out,
        "key": pin.key,
        "control": control,
    }
    reports = [each.name for each in who.reports]
    action = None if control else pin.action
    task = task_of(Asked(pin.name, action, who.me.name, reports, who.world, facts))
    return _with_days(task) if pin.name.startswith("days-") else task


def _with_days(task: Task) -> Task:
    """The task on several days, under the prompt that leaves open whether there is a bottleneck."""
    of = days.coming(task.id)
    requests = {"any": task.sessions[0].requests["any"] + days.NOTE}
    facts = {**task.facts, "arrives": of.arrives}
    return task.model_copy(update={"sessions": days.sessions(requests, of), "facts": facts})


def _parts(sample: Sample) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in (*ESSENTIAL, *OTHER):
        detail: Detail | None = getattr(sample.gold.details, name)
        if detail is not None:
            found[name] = _said(detail)
    return found


def _said(detail: Detail) -> str:
    if isinstance(detail.value, str):
        return detail.value
    return f"{detail.value['type'].replace('_', ' ')}: {detail.value['object']}"
