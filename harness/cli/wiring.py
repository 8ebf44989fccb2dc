"""The composition root: the only place that knows benchmarks, users and agents at once.

The folder is the registry: `benchmarks/<name>/__init__.py` exposes `suites`. Installed packages add
theirs through the entry-point group `workplace_harness.suites`.
"""

from __future__ import annotations

import importlib
import pkgutil
import traceback
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.suite import Suite, SuiteEntry, SuiteError

if TYPE_CHECKING:
    from harness.agents.desk import Agent
    from harness.cassette import Cassette
    from harness.config import LlmConfig, RunConfig, UserConfig
    from harness.stage import Job
    from harness.store import Run, TrialRecord
    from harness.suite import Table
    from harness.task import Brief, Segment
    from harness.trajectory import ModelCall
    from servers.kernel import User
    from userssim.wish import Known

__all__ = (
    "GROUP", "USERS", "Catalog", "Rescoring", "Wired", "catalog", "check", "import_workbench", "observe_workbench",
    "rescore_workbench", "suite", "wiring",
)  # fmt: skip

GROUP = "workplace_harness.suites"
"""Entry points of this group name a tuple of `SuiteEntry`."""


class Catalog(NamedTuple):
    """Every suite on offer by name, and one message for each folder or plugin that could not be read."""

    suites: dict[str, SuiteEntry]
    broken: list[str]


def catalog() -> Catalog:
    """Look through benchmark folders and plugins; a broken one is reported and hides no other."""
    found = Catalog({}, [])
    origin: dict[str, str] = {}
    for where, read in _sources():
        try:
            entries = tuple(read())
        except Exception as error:  # noqa: BLE001 (whatever a folder raises must not take the others down)
            found.broken.append(f"{where} cannot be imported: {_cause(error)}")
            continue
        for entry in entries:
            if entry.name in origin:
                found.broken.append(f"{where} offers suite {entry.name!r}, which {origin[entry.name]} offers too")
            else:
                origin[entry.name] = where
                found.suites[entry.name] = entry
    return found


def suite(name: str, scale: int = 1) -> Suite:
    """Load a suite at a scale.

    Raises `SuiteError` with close matches, or with what is broken or missing, and `ConfigProblem` for a scale
    other than 1 where the suite has no other.
    """
    found = catalog()
    if name not in found.suites:
        from harness.config_file import near

        broken = "".join(f"\n{problem}" for problem in found.broken)
        raise SuiteError(
            f"no suite is named {name!r}.{near(name, found.suites)} "
            f"Known: {', '.join(sorted(found.suites)) or 'none'}; see `harness list suites`.{broken}"
        )
    entry = found.suites[name]
    if scale != 1 and not entry.scales:
        from harness.config import ConfigProblem

        those = ", ".join(sorted(other.name for other in found.suites.values() if other.scales)) or "none"
        raise ConfigProblem(f"suite {name} cannot be scaled: leave out `scale` ({scale}). Suites that scale: {those}.")
    try:
        return entry.load(scale=scale) if entry.scales else entry.load()
    except SuiteError:
        raise
    except Exception as error:
        raise SuiteError(f"suite {name!r} cannot be loaded: {_cause(error)}") from error


class Wired:
    """What a run needs of the outside, one per process: the `Wiring` that the trial loop asks."""

    def __init__(self, cassette: Cassette | None = None) -> None:
        self._cassette = cassette
        self._lanes: Any = None

    def suite(self, name: str, scale: int = 1) -> Suite:
        return suite(name, scale)

    def user(self, config: UserConfig, brief: Brief) -> User:
        """Whoever answers, made for one session."""
        if config.kind == "scripted":
            from userssim.scripted import ScriptedUser

            return ScriptedUser(config.script)
        from userssim.grounded import GroundedUser
        from userssim.wish import Wish

        wish = Wish(
            full=brief.intent,
            sent=brief.sent,
            withheld=tuple(map(_known, brief.withheld)),
            stated=tuple(map(_known, brief.stated)),
        )
        return GroundedUser(
            wish, policy=config.policy, deferral=config.deferral, memory=config.memory, probe=config.probe
        )

    def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
        """A fresh agent for one trial."""
        from harness.config import CommandConfig, IdleConfig, LlmConfig, OracleConfig, ReferenceConfig

        config, task = job.agent, job.task
        match config:
            case IdleConfig():
                from harness.agents.instruments import IdleAgent

                return IdleAgent()
            case OracleConfig():
                from harness.agents.instruments import OracleAgent

                return OracleAgent(task.solution)
            case ReferenceConfig():
                from harness.agents.reference import ReferenceAgent, SlotView

                dials = config.model_dump(include={"explore", "ask", "guess"})
                return ReferenceAgent(suite.programs[task.template], SlotView.of(task, job.prompt), **dials)
            case LlmConfig():
                return self._model_agent(config, job, recorded)
            case CommandConfig():
                from harness.agents.command import CommandAgent

                return CommandAgent(config)

    def _model_agent(self, config: LlmConfig, job: Job, recorded: Sequence[ModelCall]) -> Agent:
        """An agent that asks a model, for one try of a trial; later tries have a temperature of their own."""
        from harness.agents.llm import LlmAgent, Recorded
        from harness.agents.react import ReactAgent
        from harness.llm import Lanes, Model

        scope = f"{config.name}/{job.condition}/{job.task.id}/{job.trial}"
        if job.attempt:
            config = config.model_copy(update={"temperature": config.resample_temperature})
            scope = f"{scope}/{job.attempt}"
        self._lanes = self._lanes or Lanes()
        live = Model(config, lanes=self._lanes, take=self._cassette.take(scope) if self._cassette else None)
        model = Recorded(recorded, live) if recorded else live
        if config.strategy == "react":
            return ReactAgent(model, patience=config.patience, template=config.prompts.react)
        return LlmAgent(model, patience=config.patience, template=config.prompts.system)

    async def aclose(self) -> None:
        """Close connections to models, if there were any."""
        if self._lanes:
            from harness.llm import aclose

            await aclose()


def check(config: RunConfig, suite: Suite, *, replaying: bool = False) -> None:
    """Find out before the first trial what would void them all. Raises `ConfigProblem` and `ModelError`.

    When `replaying` a cassette no model is asked, so none is checked.
    """
    from harness.config import CommandConfig, ConfigProblem, LlmConfig, ReferenceConfig

    for agent in config.agents:
        if isinstance(agent, ReferenceConfig) and not suite.programs:
            raise ConfigProblem(f"suite {suite.name} has no programs for the reference agent: play oracle or a model")
        if isinstance(agent, LlmConfig) and not replaying:
            from harness.llm import check as check_model

            check_model(agent)
        if isinstance(agent, CommandConfig):
            from harness.isolation import check as check_program

            check_program(agent)


def wiring(record: str = "", replay: str = "") -> Wired:
    """What `harness.run.evaluate` takes; worker processes call it by name to make their own.

    `record` and `replay` are cassettes: files that model replies go to or come from.
    """
    if not record and not replay:
        return Wired()
    from harness.cassette import Cassette

    return Wired(Cassette(Path(record or replay), "record" if record else "replay"))


USERS = {
    "grounded": "Knows the whole request and reveals exactly what is asked for; needs no model.",
    "scripted": "Reads out the answers of its script, in order.",
}
"""Who can answer questions: `UserConfig.kind` -> what it is."""


def import_workbench(path: Path) -> dict[str, Any]:
    """Import a checkout of the published WorkBench. Raises `SuiteError` naming what does not fit."""
    from benchmarks.workbench.official import ImportProblem, home, import_release

    try:
        found = import_release(path, home())
    except ImportProblem as problem:
        raise SuiteError(str(problem)) from None
    return {
        "suite": f"workbench-official@{found.version}",
        "folder": str(found.folder),
        "checksum": found.checksum,
        "revision": found.revision,
        "counts": found.counts,
    }


class Rescoring(NamedTuple):
    """Published runs with our verdicts. `about` says whose and from where, `note` what `report` will not find."""

    run: Run
    suite: Suite
    records: Sequence[TrialRecord]
    tables: Sequence[Table]
    about: dict[str, Any]
    note: str


def rescore_workbench(
    path: Path, *, model: str, mode: str, profile: str, output: Path | None, items: Path | None
) -> Rescoring:
    """Score a checkout's published runs, and write the run and one row per task where asked to.

    Raises `SuiteError` naming what does not fit, and `RunError`.
    """
    from benchmarks.workbench.official import ImportProblem
    from benchmarks.workbench.official.figures import calls_of, tables, write_items
    from benchmarks.workbench.official.rescore import rescore

    try:
        found = rescore(path, model=model, mode=mode, profile=profile, output=output)
    except ImportProblem as problem:
        raise SuiteError(str(problem)) from None
    if items is not None:
        write_items(found, items)
    about = {
        "model": model,
        "mode": mode,
        "profile": found.profile,
        "files": {domain: str(file) for domain, file in found.chosen.files.items()},
        "older_files": list(map(str, found.chosen.older)),
        "malformed": dict(found.malformed),
        "unparsed_calls": calls_of(found, "unparsed"),
        "failing_calls": calls_of(found, "failing"),
    }
    return Rescoring(found.run, found.suite, found.records, tables(found), about, found.note)


def observe_workbench(path: Path, *, model: str, mode: str) -> tuple[dict[str, Any], str, bool]:
    """Compare a checkout's recorded answers with ours: counts, the same as text, and whether all is well.

    Raises `SuiteError` naming what does not fit.
    """
    from benchmarks.workbench.official import ImportProblem
    from benchmarks.workbench.official.conformance import observed

    try:
        found, left_out = observed(path, model, mode)
    except ImportProblem as problem:
        raise SuiteError(str(problem)) from None
    counts = {
        "runs": found.runs,
        "no_steps": found.no_steps,
        "pairs": found.pairs,
        "agreed": found.agreed,
        "departures": dict(sorted(found.departures.items())),
        "departed": found.departed,
        "unmatched": found.unmatched,
        "not_tools": found.not_tools,
        "left_out": list(map(str, left_out)),
    }
    left = f"\n{len(left_out)} files of 2026 left out: their tools answer otherwise" if left_out else ""
    return counts, f"{found}{left}", found.holds


def _known(segment: Segment) -> Known:
    from userssim.wish import Known

    slot = segment.slot
    return Known(
        id=segment.id, kind=slot.kind, value=segment.value, role=slot.role,
        dimension=slot.dimension, subdimension=slot.subdimension,
    )  # fmt: skip


def _sources() -> Iterator[tuple[str, Callable[[], Any]]]:
    import benchmarks

    for module in sorted(pkgutil.iter_modules(benchmarks.__path__)):
        if module.ispkg:
            yield f"benchmarks/{module.name}", partial(_folder, f"benchmarks.{module.name}")
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        yield f"plugin {point.name!r} ({point.value})", point.load


def _folder(module: str) -> tuple[SuiteEntry, ...]:
    """A folder's suites; a folder without `suites` (shared code) offers none."""
    suites: tuple[SuiteEntry, ...] = getattr(importlib.import_module(module), "suites", ())
    return suites


def _cause(error: Exception) -> str:
    """The exception in one line, with the place that raised it."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} ({error.filename}:{error.lineno})"
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if not frame.filename.startswith("<")]
    at = f" ({ours[-1].filename}:{ours[-1].lineno})" if ours else ""
    return f"{type(error).__name__}: {error}{at}"
