"""The suite `workbench-synth`: our world, our templates, ten tasks of each."""

from __future__ import annotations

from functools import cache, partial

from benchmarks.workbench.headline import headline
from benchmarks.workbench.official.names import required
from benchmarks.workbench.synth import names
from benchmarks.workbench.synth.build import APPS, build
from benchmarks.workbench.synth.templates import TEMPLATES
from benchmarks.workbench.synth.through import settled, solved
from benchmarks.workbench.synth.world import NOW, SEED, world
from benchmarks.workbench.tables import report
from harness.score import outcome
from harness.suite import Suite, SuiteError
from harness.task import Task
from servers.kernel import World

__all__ = ("SEED", "load", "world")

_SYSTEM = f"""\
You are the assistant of {names.USER}, who runs operations at Tarnwick. The people in the company directory are
colleagues; where somebody is named by first name alone, the directory has the address.
It is {NOW:%A}, {NOW.day} {NOW:%B %Y}, {NOW:%H:%M}. A date without a year means the nearest such
date.
Working hours are 9:00 to 18:00, Monday to Friday; meetings have to be within them.
"The last N days" are the N whole days before today, and likewise for weeks; "since" a day includes that day. "Last
Monday" is the latest Monday before today, and likewise for other days. Website figures are complete up to yesterday;
plots end there unless the request says otherwise. A task is overdue when its due date is before today and it is not
completed.
Do what you are asked with the tools you have, and nothing beyond it. Where a condition is not met, change nothing.
"""


def load(scale: int = 1) -> Suite:
    """The suite, made from code and seed, its tasks once per process; nothing is read from disk.

    Tasks of another scale are others, built the same way from a world with that many times the rows.
    """
    return Suite(
        name="workbench-synth",
        version="v1",
        description="Office work over six apps, from templates of our own in the manner of WorkBench",
        tasks=_tasks(scale),
        world=partial(_named, scale),
        checks={"outcome": outcome},
        settled=settled,
        solved=solved,
        programs={template.name: template.play for template in TEMPLATES},
        report=report,
        headline=headline,
        system=_SYSTEM,
        toolsets=dict.fromkeys(APPS, "workbench"),
        required=required,
        unchecked={
            "gmail.emails.sent_datetime": "as published: when a mail was sent is not compared",
            "gmail.emails.thread": "the published tools do not say which conversation a mail stands in",
        },
    )


@cache
def _tasks(scale: int) -> tuple[Task, ...]:
    return tuple(build(world(scale), TEMPLATES, seed=SEED))


def _named(scale: int, name: str) -> World:
    office = world(scale)
    if name != office.name:
        raise SuiteError(
            f"suite workbench-synth at scale {scale} has one world, {office.name!r}, and none called {name!r}"
        )
    return office
