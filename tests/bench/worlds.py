"""A run over many worlds: what a process holds of them. Takes minutes, so it is measured only where it is named.

python -m tests.bench --only worlds
python -m tests.bench.worlds WORKERS     # one run in a process of its own: its peaks as JSON
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from harness.core.config import RunConfig
from harness.play.run import evaluate
from harness.score import outcome
from harness.suite import Suite
from harness.task import Call, End, Expected, Session, Task
from harness.wiring import Wired
from servers.kernel import World, canonical
from tests.bench.mailbox import mail_id, mailbox
from tests.bench.timing import Figure

__all__ = ("figures", "wired")

WORLDS, MAILS = 1_000, 960
PERSONAS = ("none", "supervisor", "standard", "executive")


def _world(name: str) -> World:
    return replace(mailbox(MAILS), name=name)


def _task(number: int) -> Task:
    """Delete one mail of a world of its own."""
    id = mail_id(number % MAILS)
    return Task(
        id=f"task-{number}",
        world=f"mailbox-{number}",
        apps=("gmail",),
        sessions=(Session(requests={"original": f"Delete mail {id}."}),),
        ends=(End(changes=(Expected(op="delete", app="gmail", table="emails", id=id),)),),
        solution=(Call(app="gmail", tool="delete_email", arguments={"email_id": id}),),
    )


class _Many(Wired):
    def __init__(self, worlds: Mapping[str, str]) -> None:
        super().__init__()
        tasks = [_task(number) for number in range(len(worlds))]
        checks, toolsets = {"outcome": outcome}, {"gmail": "workbench"}
        self._suite = Suite("many", "1", "Many worlds.", tasks, _world, checks, toolsets=toolsets, worlds=worlds)

    def suite(self, name: str, scale: int = 1) -> Suite:
        return self._suite


def wired(worlds: Mapping[str, str]) -> _Many:
    """What worker processes call."""
    return _Many(worlds)


def _played(workers: int) -> dict[str, float]:
    worlds = {task.world: _world(task.world).digest for task in map(_task, range(WORLDS))}
    agents = [{"kind": "idle"}, {"kind": "oracle"}]
    conditions = {persona: {"persona": persona} for persona in PERSONAS}
    config = RunConfig.model_validate({"suite": "many", "agents": agents, "conditions": conditions})
    wiring = wired(worlds)
    before = _peak(resource.RUSAGE_SELF)
    began = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        evaluate(
            config, wiring.suite("many"), wiring, Path(folder) / "run", workers=workers,
            wiring_factory="tests.bench.worlds:wired", wiring_options={"worlds": worlds},
        )  # fmt: skip
        trials = sum(1 for _ in (Path(folder) / "run" / "trials").iterdir())
    return {
        "trials": trials,
        "seconds": perf_counter() - began,
        "before": before,
        "process": _peak(resource.RUSAGE_SELF),
        "worker": _peak(resource.RUSAGE_CHILDREN),
    }


def _peak(who: int) -> float:
    """The most that this process, or the largest of those it started, has held, in MB."""
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return resource.getrusage(who).ru_maxrss / unit


def figures() -> Iterator[Figure]:
    """The largest that each process of a run becomes, played in one process and over two workers."""
    size = len(canonical(_world("mailbox-0").rows)) / 1000
    for workers in (1, 2):
        command = [sys.executable, "-m", "tests.bench.worlds", str(workers)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        found: dict[str, float] = json.loads(done.stdout)
        where = f"{WORLDS:,} worlds of {size:.0f} kB, {found['trials']:,.0f} idle and oracle trials, {workers} workers"
        beside = f"({found['before']:.0f} before the first trial)"
        yield Figure("peak memory, the process that was started", where, found["process"], "MB", beside, "500 MB")
        if workers > 1:
            yield Figure("peak memory, its largest worker", where, found["worker"], "MB", "", "500 MB")
        yield Figure("  the whole run", where, found["seconds"], "s")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_played(int(sys.argv[1]))))
