"""`evaluate` and `evaluate_async`: play an experiment from Python, with a function as its agent or with its own."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import anyio.to_thread
from anyio.from_thread import start_blocking_portal

from harness import wiring
from harness.agents.function import Function
from harness.core.config import ConfigProblem, RunConfig
from harness.core.config_file import checked, load
from harness.core.config_places import placed
from harness.core.counts import counted
from harness.core.suite import Suite, Table
from harness.front.reading import Columns, events, trials
from harness.play import run as playing
from harness.play.run import Progress
from harness.record.files import RunError
from harness.record.scores import breaks
from harness.record.store import Run
from harness.report.reading import Read
from harness.report.texts import rounded

__all__ = ("Evaluation", "Progress", "evaluate", "evaluate_async")


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
        return self._read.tables or []

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What `harness eval --json` prints: docs/reports.md."""
        return self._read.summary()

    @property
    def accuracy(self) -> float | None:
        """The share of trials that are correct of those that count.

        None where none does, and where they are of several agents or conditions, which are not pooled: see `summary`.
        """
        found: float | None = self.summary["accuracy"]["value"]
        return found

    @property
    def void(self) -> int:
        """How many trials count for nothing, since something of ours failed."""
        return int(self.summary["void"])

    @property
    def broken(self) -> list[str]:
        """A line for each check that broke: how many trials lack its score, why, and where it raised.

        They are played and kept: once the check is mended, the same call scores them.
        """
        return breaks(self._read.records)

    @cached_property
    def _read(self) -> Read:
        return Read.of(self.run, self._suite)

    def __repr__(self) -> str:
        accuracy = "no accuracy" if self.accuracy is None else f"accuracy {rounded(self.accuracy, 3):.3f}"
        more = f", {self.void} void" if self.void else ""
        more += f", {self.left} not started" if self.left else ""
        more += "".join(f"; {line}" for line in self.broken)
        return f"<{self.folder}: {counted(self.summary['trials'], 'trial')}, {accuracy}{more}>"


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
    `ConfigProblem`, `SuiteError`, `UnknownApp`, `RunError` and `ModelError` before the first trial for what would void
    them all.
    """
    planned = _planned(
        config, agent, name=name, version=version, folder=folder, limit=limit, sample=sample,
        concurrency=concurrency, workers=workers, max_cost=max_cost, progress=progress,
    )  # fmt: skip
    settings: dict[str, Any] = {**planned.settings, "allow_unpriced": allow_unpriced}
    with_workers = partial(playing.evaluate, workers=workers, wiring_factory="harness.wiring:wiring")
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        with _told_in_python():
            return planned.ended(with_workers(*planned.what, **settings))
    with _told_in_python(), start_blocking_portal("asyncio") as apart:  # at Ctrl-C it ends what it plays
        try:
            if workers > 1:
                run = apart.call(anyio.to_thread.run_sync, partial(with_workers, *planned.what, **settings))
            else:
                run = apart.call(partial(playing.evaluate_async, *planned.what, **settings))
        except BaseException:
            planned.over.set()
            raise
    return planned.ended(run)


async def evaluate_async(
    config: str | PathLike[str] | Mapping[str, Any] | RunConfig,
    agent: Function | None = None,
    *,
    name: str = "",
    version: str = "",
    folder: str | PathLike[str] | None = None,
    limit: int | None = None,
    sample: int | None = None,
    concurrency: int = 8,
    max_cost: float | None = None,
    allow_unpriced: bool = False,
    progress: Callable[[Progress], object] | None = None,
) -> Evaluation:
    """As `evaluate`, awaited: trials share the event loop that runs already, and so may what the function uses.

    Cancelled, it ends the trials under way, of which nothing is kept; those that had ended are not played again.
    """
    planning = partial(
        _planned, config, agent, name=name, version=version, folder=folder, limit=limit, sample=sample,
        concurrency=concurrency, workers=1, max_cost=max_cost, progress=progress,
    )  # fmt: skip
    planned = await anyio.to_thread.run_sync(planning)  # the loop would stand still for seconds
    with _told_in_python():
        run = await playing.evaluate_async(*planned.what, **planned.settings, allow_unpriced=allow_unpriced)
        found = planned.found(run)
        await anyio.to_thread.run_sync(lambda: found._read.work_out())  # the loop would stand still for a second or so
        found._read.leave_page()
        return found


@contextmanager
def _told_in_python() -> Iterator[None]:
    """Name what to give another of as it is named here, not as on the command line."""
    try:
        yield
    except RunError as error:
        raise RunError(str(error).replace("--output", "`folder`")) from None


class _Planned(NamedTuple):
    """A run that can be played."""

    what: tuple[RunConfig, Suite, wiring.Wired, Path]
    settings: dict[str, Any]
    heard: list[Progress]
    over: threading.Event
    """Set when nobody waits for it any more: what is told of its progress ends it."""

    def ended(self, run: Run) -> Evaluation:
        """What came of it, with its page in its folder."""
        found = self.found(run)
        found._read.leave_page()
        return found

    def found(self, run: Run) -> Evaluation:
        _, suite, _, _ = self.what
        last, max_cost = self.heard[-1], self.settings["max_cost"]
        left = last.total - last.done
        spent = f"the costs came to {last.spent_usd:g} US dollars, and `max_cost` is {max_cost}"
        why = last.stopped or (spent if left else "")
        return Evaluation(run, suite, left, why)


def _planned(
    config: str | PathLike[str] | Mapping[str, Any] | RunConfig,
    agent: Function | None,
    *,
    name: str,
    version: str,
    folder: str | PathLike[str] | None,
    limit: int | None,
    sample: int | None,
    concurrency: int,
    workers: int,
    max_cost: float | None,
    progress: Callable[[Progress], object] | None,
) -> _Planned:
    """What the arguments ask for, tried as far as it can be without playing. Raises as `evaluate` does."""
    numbers = {"limit": limit, "sample": sample, "concurrency": concurrency, "workers": workers}
    for what, number in numbers.items():
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 1):
            raise ConfigProblem(f"`{what}` is {number!r}: write a whole number, 1 or more")
    if max_cost is not None and (not isinstance(max_cost, int | float) or not max_cost > 0):
        raise ConfigProblem(f"`max_cost` is {max_cost!r:.80}: write US dollars, more than 0")
    if progress is not None and not callable(progress):
        raise ConfigProblem(f"`progress` is {progress!r:.80}: give a function of where the run stands, such as `print`")
    if limit is not None and sample is not None:
        raise ConfigProblem("`limit` takes the first tasks, `sample` some of each template: give only one of them")
    functions = {} if agent is None else {name: _checked(agent, name, version, workers)}
    if agent is None and (name or version):
        raise ConfigProblem("`name` and `version` belong to an `agent` that is a function: give one, or leave them out")
    players = [{"kind": "function", "name": name, "version": version}] if functions else None
    chosen = _config(config, players)
    wired = wiring.Wired(functions=functions)
    with placed(Path(config)) if isinstance(config, str | PathLike) else nullcontext():
        suite = wired.suite(chosen.suite, chosen.scale)
        wiring.check(chosen, suite, functions=functions)
        planned = playing.plan(chosen, suite, limit=limit, sample=sample)
    where = Path(folder) if folder is not None else Path("runs") / f"{chosen.name}-{planned.head.identity}"
    heard, over = [Progress(0, len(planned.jobs))], threading.Event()

    def hear(now: Progress) -> None:
        if over.is_set():
            raise RunError("the run was stopped; the same call resumes it")
        heard[:] = [now]
        if progress:
            progress(now)

    settings = {
        "limit": limit, "sample": sample, "concurrency": concurrency, "max_cost": max_cost, "listener": hear,
    }  # fmt: skip
    return _Planned((chosen, suite, wired, where), settings, heard, over)


def _checked(agent: object, name: str, version: str, workers: int) -> Function:
    """The function. Raises `ConfigProblem`."""
    if inspect.iscoroutine(agent):
        agent.close()
        raise ConfigProblem(
            "`agent` is the result of calling a function: give the function itself, `agent=mine`, not `mine(...)`"
        )
    if not callable(agent) or not (
        inspect.iscoroutinefunction(agent) or inspect.iscoroutinefunction(type(agent).__call__)
    ):
        raise ConfigProblem(f"`agent` is {agent!r:.80}: write it as `async def agent(session): ...`")
    if not name or not version:
        raise ConfigProblem(
            "an agent needs a `name` and a `version`, which tell its runs from others': "
            '`evaluate(config, agent, name="mine", version="1")`'
        )
    for what, text in (("name", name), ("version", version)):
        if not isinstance(text, str):
            raise ConfigProblem(f"`{what}` is {text!r:.80}: write text, such as {str(text)[:20]!r}")
    try:
        inspect.signature(agent).bind("a session")
    except TypeError as error:
        raise ConfigProblem(
            f"`agent` has to take a session and nothing else ({error}): `async def agent(session): ...`"
        ) from None
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
    if isinstance(given, str) and given in wiring.catalog().suites and not Path(given).exists():
        raise ConfigProblem(
            f'`config` is the name of a suite: write `{{"suite": {given!r}}}`, with more settings if you like'
        )
    if isinstance(given, str | PathLike):
        return load(Path(given), agents=agents)
    if not isinstance(given, Mapping | RunConfig):
        raise ConfigProblem(
            f'`config` is {given!r:.80}: give a YAML file\'s path, a `RunConfig`, or settings: {{"suite": ...}}'
        )
    if isinstance(given, Mapping) and isinstance(given.get("tasks"), list | tuple) and not given["tasks"]:
        raise ConfigProblem("config: tasks: an empty list; leave it out to play all tasks")
    values = given.model_dump() if isinstance(given, RunConfig) else {**given}
    if agents is not None:
        values["agents"] = [*agents]
    if not values.get("agents") and values.keys() <= RunConfig.model_fields.keys():  # else `checked` names a slip
        raise ConfigProblem("no agent plays: give `agent`, a function, or name `agents` in the config")
    return checked({**values, "name": values.get("name") or Path(str(values.get("suite", ""))).name})
