"""`evaluate`: plays an experiment from Python, with an agent that is a function or with those of its config."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from harness import wiring
from harness.agents.function import Function
from harness.core.config import ConfigProblem, RunConfig
from harness.core.config_file import checked, load
from harness.core.suite import Suite, Table
from harness.front.reading import Columns, events, trials
from harness.play import run as playing
from harness.play.run import Progress
from harness.record.belonging import belonging
from harness.record.judgements import judged
from harness.record.store import Run
from harness.report import ordered, summary, tables

__all__ = ("Evaluation", "Progress", "evaluate")


class Evaluation:
    """A run that was played: what is on disk in `folder`, read when it is asked for.

    `stopped` says why trials were left out, and is empty where none was; `left` counts those that were not started.
    The same call goes on with them, and plays void ones again.
    """

    def __init__(self, run: Run, suite: Suite, left: int, stopped: str) -> None:
        self.run, self.folder, self.identity = run, run.folder, run.head.identity
        self.left, self.stopped = left, stopped
        self._suite = suite

    @cached_property
    def trials(self) -> Columns:
        """As `harness.trials` gives them: `pandas.DataFrame(result.trials)`."""
        return trials(self)

    @cached_property
    def events(self) -> Columns:
        """As `harness.events` gives them."""
        return events(self)

    @cached_property
    def tables(self) -> list[Table]:
        """The tables of `harness eval`: each has `title`, `columns`, `rows` (mappings by column) and `notes`."""
        config = self.run.head.config
        return tables(config, self._suite, ordered(self._records, config, self._suite))

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What `harness eval --json` prints: docs/reports.md."""
        return summary(self.run, self._suite, self._records, self.tables)

    @property
    def accuracy(self) -> float | None:
        """The share of trials that are correct of those that count.

        None where none does, and where agents could ask different users, which are not pooled: see `summary`.
        """
        found: float | None = self.summary["accuracy"]["value"]
        return found

    @property
    def void(self) -> int:
        """How many trials count for nothing, since something of ours failed."""
        return int(self.summary["void"])

    @cached_property
    def _records(self) -> list[Any]:
        return judged(self.run, self._suite, belonging(self.run, self._suite))

    def __repr__(self) -> str:
        accuracy = "no accuracy" if self.accuracy is None else f"accuracy {self.accuracy:.3f}"
        more = f", {self.void} void" if self.void else ""
        more += f", {self.left} not started" if self.left else ""
        return f"<{self.folder}: {self.summary['trials']} trials, {accuracy}{more}>"


def evaluate(
    config: str | PathLike[str] | Mapping[str, Any] | RunConfig,
    agent: Function | None = None,
    *,
    name: str = "",
    version: str = "",
    folder: str | PathLike[str] | None = None,
    limit: int | None = None,
    sample: int | None = None,
    concurrency: int = 8,
    workers: int = 1,
    max_cost: float | None = None,
    allow_unpriced: bool = False,
    progress: Callable[[Progress], object] | None = None,
) -> Evaluation:
    """Play what is missing of a run, as `harness eval` does, and print nothing.

    `config` is the path of a YAML file, or what stands in one as a mapping, or a `RunConfig`. With an `agent`, an
    `async` function of a `Session` that returns its last words, that plays in place of the config's agents, which may
    be left out; its `name` and `version` are part of the run's identity, so raise the version when it changes. Without
    one the config's own play. `folder` is `runs/NAME-IDENTITY` unless given; `limit` and `sample`, `concurrency`,
    `workers`, `max_cost` and `allow_unpriced` are as in docs/cli.md. `progress` hears of each trial that ends.

    An exception of the function is a crash of the agent: the trial has failed, and its reason says where. Raises
    `ConfigProblem`, `SuiteError`, `RunError` and `ModelError` before the first trial for what would void them all.
    """
    if limit is not None and sample is not None:
        raise ConfigProblem("`limit` takes the first tasks, `sample` some of each template: give one of them")
    functions = {} if agent is None else {name: _checked(agent, name, version, workers)}
    if agent is None and (name or version):
        raise ConfigProblem("`name` and `version` are of an `agent` that is a function: give one, or leave them out")
    players = [{"kind": "function", "name": name, "version": version}] if functions else None
    chosen = _config(config, players)
    wired = wiring.Wired(functions=functions)
    suite = wired.suite(chosen.suite, chosen.scale)
    wiring.check(chosen, suite, functions=functions)
    planned = playing.plan(chosen, suite, limit=limit, sample=sample)
    where = Path(folder) if folder is not None else Path("runs") / f"{chosen.name}-{planned.head.identity}"
    last = Progress(0, len(planned.jobs))

    def hear(now: Progress) -> None:
        nonlocal last
        last = now
        if progress:
            progress(now)

    run = _apart(
        hear,
        lambda listener: playing.evaluate(
            chosen, suite, wired, where,
            limit=limit, sample=sample, concurrency=concurrency, workers=workers, max_cost=max_cost,
            allow_unpriced=allow_unpriced, wiring_factory="harness.wiring:wiring", listener=listener,
        ),
    )  # fmt: skip
    left = last.total - last.done
    return Evaluation(run, suite, left, last.stopped or (f"the costs came to {max_cost} US dollars" if left else ""))


def _checked(agent: object, name: str, version: str, workers: int) -> Function:
    """The function. Raises `ConfigProblem`."""
    if not callable(agent) or not (
        inspect.iscoroutinefunction(agent) or inspect.iscoroutinefunction(type(agent).__call__)
    ):
        raise ConfigProblem(f"`agent` is {agent!r:.80}: write it as `async def agent(session): ...`")
    if not name or not version:
        raise ConfigProblem(
            "an agent needs a `name` and a `version`, which tell its runs from others': "
            '`evaluate(config, agent, name="mine", version="1")`'
        )
    if workers > 1:
        raise ConfigProblem(
            f"`workers` is {workers}, and a function plays in this process alone: leave it out, and raise "
            "`concurrency` for more trials at a time"
        )
    return agent


def _config(
    given: str | PathLike[str] | Mapping[str, Any] | RunConfig, agents: Sequence[Mapping[str, Any]] | None
) -> RunConfig:
    """The config with these agents in place of its own. Raises `ConfigProblem`."""
    if isinstance(given, str | PathLike):
        return load(Path(given), agents=agents)
    values = given.model_dump() if isinstance(given, RunConfig) else {**given}
    if agents is not None:
        values["agents"] = [*agents]
    return checked({**values, "name": values.get("name") or Path(str(values.get("suite", ""))).name})


class _Stopped(Exception):
    """Ends a run from another thread."""


def _apart(hear: Callable[[Progress], None], play: Callable[[Callable[[Progress], None]], Run]) -> Run:
    """Play here, or in a thread of its own where an event loop runs here already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return play(hear)
    ended: list[Run | BaseException] = []
    over = threading.Event()

    def listener(now: Progress) -> None:
        if over.is_set():
            raise _Stopped
        hear(now)

    def work() -> None:
        try:
            ended.append(play(listener))
        except BaseException as error:  # noqa: BLE001 - raised where `evaluate` was called
            ended.append(error)

    thread = threading.Thread(target=work, name="evaluate")
    thread.start()
    try:
        thread.join()
    except BaseException:  # Ctrl-C: no further trial is counted, and what was played is kept
        over.set()
        thread.join()
        raise
    (found,) = ended
    if isinstance(found, BaseException):
        raise found
    return found
