"""How cost grows with a world: `workbench-synth` at scale 1, 10 and 100, the larger as ratios to the first.

Each scale is measured in a process of its own: `python -m tests.bench.scale N` prints one as JSON.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import psutil

from benchmarks.workbench.synth import suite as synth
from benchmarks.workbench.synth.world import make_world
from harness.agents.reference import ReferenceAgent, SlotView
from harness.suite import Suite
from servers import catalog
from servers.kernel import Engine, Layer
from tests.bench.timing import Figure, timed
from tests.synth.desk import Office, scored

__all__ = ("figures",)

SCALES = (1, 10, 100)
REPEAT = 3
DIALS: dict[str, Any] = {"explore": 0.0, "ask": 0.0, "guess": 0.0}


class Use(NamedTuple):
    """One tool call that is timed."""

    what: str
    app: str
    tool: str
    arguments: dict[str, Any]


PRIYA, TOMAS = "priya.nambiar@tarnwick.example", "tomas.vrba@tarnwick.example"
FORTNIGHT = {"date_min": "2025-02-27", "date_max": "2025-03-12"}
MONTH = {"time_min": "2025-02-10", "time_max": "2025-03-12"}
DAY = {"time_min": "2025-03-17 00:00:00", "time_max": "2025-03-17 23:59:00"}
MEETING = {"event_name": "Tea", "participant_email": PRIYA, "event_start": "2025-03-20 08:00:00", "duration": "30"}
USES = (
    Use("mail: two words", "gmail", "search_emails", {"query": "harbour pricing"}),
    Use("mail: a sender, two weeks", "gmail", "search_emails", {"query": PRIYA, **FORTNIGHT}),
    Use("calendar: a day", "calendar", "search_events", DAY),
    Use("analytics: visits by day, a month", "analytics", "total_visits_count", MONTH),
    Use("crm: an owner and a status", "crm", "search_customers", {"assigned_to_email": PRIYA, "status": "Won"}),
    Use("projects: what somebody has in progress", "projects", "search_tasks",
        {"assigned_to_email": TOMAS, "list_name": "In Progress"}),
    Use("projects: all that somebody ever had (no limit)", "projects", "search_tasks", {"assigned_to_email": TOMAS}),
    Use("directory: an address", "directory", "find_email_address", {"name": "priya"}),
    Use("calendar: a new event", "calendar", "create_event", MEETING),
)  # fmt: skip


def _rss() -> float:
    gc.collect()
    return float(psutil.Process().memory_info().rss) / 1e6


def _call(layer: Layer, use: Use, _: int) -> None:
    app = catalog.app(use.app)
    app.toolset("workbench").tool(use.tool).call(layer.state(app), use.arguments)


def measure(scale: int) -> dict[str, float]:
    """Every figure of one scale."""
    engine = Engine()
    engine.layer(engine.load(make_world(0))).state(catalog.app("gmail")).query("SELECT 1 FROM emails")
    before, start = _rss(), perf_counter()
    world = make_world(synth.SEED, scale)
    found = {"making the world, s": perf_counter() - start}
    start = perf_counter()
    layer = engine.layer(engine.load(world))
    for use in USES:
        _call(layer, use, 0)  # a table is loaded when it is first asked for
    layer.reset()
    found["loading it, with one call of each kind, s"] = perf_counter() - start
    found["memory, as Python rows and DuckDB tables, MB"] = _rss() - before
    for use in USES:
        found[f"{use.what}, ms"] = timed(
            partial(_call, layer, use), before=lambda _: layer.base.answers.clear(), times=60
        ).median
    engine.close()
    start = perf_counter()
    suite = synth.load(scale)
    found["suite: world and 690 tasks, s"] = perf_counter() - start
    found["a task played by the reference agent, mean of one a template, ms"] = _played(suite, world.name)
    return found


def _played(suite: Suite, world: str) -> float:
    office = Office(suite.world(world))
    tasks = list({task.template: task for task in suite.tasks}.values())
    office.play(ReferenceAgent(suite.programs[tasks[0].template], SlotView.of(tasks[0], "original"), **DIALS))
    start = perf_counter()
    for task in tasks:
        agent = ReferenceAgent(suite.programs[task.template], SlotView.of(task, "original"), **DIALS)
        assert scored(task, office.play(agent)[2]).value == 1.0, task.id
    return (perf_counter() - start) / len(tasks) * 1000


def _apart(scale: int) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.bench.scale", str(scale)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def figures() -> Iterator[Figure]:
    """Each figure at scale 1, and how many times that the larger scales cost."""
    rounds = [[_apart(scale) for scale in SCALES] for _ in range(REPEAT)]
    where = f"workbench-synth at scale {', '.join(map(str, SCALES))}, kernel only, best of {REPEAT} processes"
    for name in rounds[0][0]:
        what, _, unit = name.rpartition(", ")
        first, *others = [min(each[name] for each in same) for same in zip(*rounds, strict=True)]
        yield Figure(what, where, first, unit)
        for scale, value in zip(SCALES[1:], others, strict=True):
            yield Figure(f"  {what}, at {scale}", where, value, unit, f"x {value / first:.1f}")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(int(sys.argv[1]))))
