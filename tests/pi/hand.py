"""Run folders made by hand: units of made-up personas, and what each session of each trial came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.pi.episode import episode
from benchmarks.pi.failures import PATTERNS
from benchmarks.pi.playing import Unit
from benchmarks.pi.report import headline, report
from benchmarks.pi.session import Session
from harness.core.config import RunConfig
from harness.core.trajectory import SessionRecord
from harness.play.opening import begun
from harness.record.store import Run, RunHead, TrialRecord
from harness.score import Criterion, Score
from harness.suite import Suite
from harness.task import Session as Asked
from harness.task import Task
from servers.kernel import World, fold
from tests.pi.made import WORLD

__all__ = ("INTENTS", "Came", "Hand")

INTENTS = 4
"""Of each session."""

_BAKER = episode(Path(__file__).parent / "fixtures" / "baker").sessions[0]


class Came(NamedTuple):
    """What each session of a unit came to in one trial: how many of its four intents were settled, and Comp.

    `weights` are those of the sessions' items, one each; `waits` are as heavy, of another that awaits a judge.
    """

    settled: Sequence[int]
    comp: Sequence[float]
    weights: Sequence[float] = ()
    waits: Sequence[float] = ()


@dataclass(frozen=True)
class Hand:
    """Personas with their units and how many sessions each has; of a group the last can be played alone too."""

    personas: Mapping[str, Mapping[str, int]]

    @property
    def units(self) -> dict[str, Unit]:
        found = {}
        for persona, units in self.personas.items():
            for name, sessions in units.items():
                made = tuple(_session(persona, name, number, sessions) for number in range(sessions))
                found[f"{persona}-{name}"] = Unit(f"{persona}-{name}", made)
                if sessions > 1:
                    found[f"{persona}-{name}-last"] = Unit(f"{persona}-{name}-last", made[-1:], made[:-1])
        return found

    @property
    def suite(self) -> Suite:
        units = self.units

        def of(task: Task) -> Unit:
            return units[task.id]

        return Suite(
            name="by-hand",
            version="0",
            description="Made by hand",
            tasks=[_task(unit) for unit in units.values()],
            world=lambda name: World(name, WORLD.now, WORLD.rows),
            checks={"outcome": _none, "proc": _none},
            headline=headline(of),
            report=report(of),
        )

    def write(self, folder: Path, came: Mapping[str, Sequence[Mapping[str, Came]]], trials: int = 1) -> Run:
        """A folder in which agents, models by what they are called, did so: by agent and run, of each unit."""
        suite = self.suite
        config = RunConfig.model_validate(
            {
                "suite": suite.name,
                "trials": trials,
                "agents": [{"kind": "llm", "name": name, "model": f"local/{name}"} for name in came],
                "conditions": {"notes": {}},
            }
        )
        run = Run.create(folder, RunHead.of(config, suite))
        for agent, runs in came.items():
            for trial, units in enumerate(runs):
                for name, each in units.items():
                    run.write(_record(suite, self.units[name], agent, trial, each))
        return run


def _session(persona: str, unit: str, number: int, of: int) -> Session:
    intents = tuple(_BAKER.intents[0].model_copy(update={"id": f"i{each}"}) for each in range(INTENTS))
    group = unit if of > 1 else None
    told = {"id": f"{unit}-{number}" if of > 1 else unit, "persona": persona, "group": group, "intents": intents}
    return _BAKER.model_copy(update=told)


def _task(unit: Unit) -> Task:
    asked = tuple(Asked(requests={"original": "Please."}) for _ in unit.sessions)
    return Task(id=unit.id, world=WORLD.name, apps=("calendar",), template=unit.template, sessions=asked, ends=())


def _none(*_: Any) -> Score:
    return Score(value=None)


def _record(suite: Suite, unit: Unit, agent: str, trial: int, came: Came) -> TrialRecord:
    task = suite.task(unit.id)
    trajectory = begun(
        suite.name, task, prompt="original", agent=agent, condition="notes", trial=trial, run_seed=0
    )  # fmt: skip
    trajectory.sessions = [SessionRecord(reply="Done.") for _ in task.sessions]
    trajectory.world = suite.world_digests[task.world]
    trajectory.digest = fold(trajectory.world, [], [])
    statuses = [
        {f"i{each}": "inferred" if each < settled else "provided" for each in range(INTENTS)}
        for settled in came.settled
    ]
    every = [status for session in statuses for status in session.values()]
    comp = sum(came.comp) / len(came.comp)
    names = [session.id for session in unit.sessions]
    weights = came.weights or [1.0] * len(names)
    items = [
        Criterion(name=f"{name}.c1", value=share, weight=weight)
        for name, share, weight in zip(names, came.comp, weights, strict=True)
    ]
    waits = zip(names, came.waits, strict=False)
    waiting = [Criterion(name=f"{name}.c2", value=None, weight=weight) for name, weight in waits]
    told = {name: every.count(name) for name in ("completed", "inferred", "provided", "open")}
    burden = dict.fromkeys(("asking", "targeted", "fishing", "words", "turns"), 0)
    burden["hand_overs"] = 2 * len(names)
    scores = {
        "outcome": Score(
            value=None if waiting else comp, correct=None if waiting else comp == 1, criteria=(*items, *waiting),
            detail={
                "comp": comp, "sessions": list(came.comp), "maximum": comp, "regressed": 0.0, "low": comp, "high": comp,
                "guards": [], "guarded": 0, "unscored": len(waiting), "failures": {name: [0, 0] for name in PATTERNS},
            },
        ),
        "proc": Score(
            value=sum(came.settled) / len(every), detail={**told, **burden, "statuses": statuses},
        ),
    }  # fmt: skip
    return TrialRecord(trajectory=trajectory, scores=scores)
