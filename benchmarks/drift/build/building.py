"""`harness build drift`: tasks and faulty requests in a folder, phase by phase, to be reviewed and gone on with.

    FOLDER/tasks.jsonl        clean tasks: those to be released, and the rest of the pool
           frames.jsonl       what each request is made of (phase 1 of the paper)
           strategies.jsonl   how it is to be made faulty, and what that costs (phase 2)
           texts.jsonl        the faulty requests (phase 3)
           readings.jsonl     what each lets its reader take
           variants.jsonl     those that hold, of the whole pool
           released/          what is released of it, as `benchmarks/drift/released` has it
           refused.jsonl      what did not come through, with phase, fault, validator and reason
           work/              a model's replies

A phase whose inputs and files are as they were is not run again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel, ConfigDict, ValidationError

from benchmarks.drift import environments as room
from benchmarks.drift.build import hand
from benchmarks.drift.build.config import BuildConfig
from benchmarks.drift.build.context import PHASES, Context, Phase
from benchmarks.drift.build.framing import frames, tasks
from benchmarks.drift.build.planning import strategies
from benchmarks.drift.build.reading import readings
from benchmarks.drift.build.records import Refusal
from benchmarks.drift.build.releasing import RELEASED, variants
from benchmarks.drift.build.writing import texts
from benchmarks.drift.frames import Variant, read, written
from benchmarks.drift.need import NEEDS
from benchmarks.drift.release import joined, read_released
from benchmarks.drift.suite import suite_of
from benchmarks.drift.template import CATEGORIES, Environment
from benchmarks.probe.pipeline.building import asked
from benchmarks.probe.pipeline.work import Client, PipelineError
from harness.cli import render
from harness.cli.building import Made, digest_of
from harness.cli.building import build as build_all
from harness.cli.options import Json
from harness.cli.problems import CallProblem
from harness.core.config_file import settings
from harness.record.files import write_whole
from harness.suite import Suite, SuiteError, Table
from servers.kernel import first_amiss

__all__ = ("build", "made", "opened", "table")

_HERE = Path(__file__).parents[1]
_SOURCES = ("build", "faults", "sql", "terminal", "apis", "drawn.py", "environments.py", "frames.py", "need.py",
            "tasks.py", "template.py")  # fmt: skip
_MAKERS: Mapping[str, Callable[[Context], Phase]] = {
    "tasks": tasks,
    "frames": frames,
    "strategies": strategies,
    "texts": texts,
    "readings": readings,
    "variants": variants,
}
_REFUSED = "refused"


class _Whose(BaseModel):
    """What `suite.json` says: whose suite it is, its name, and where it is played."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    benchmark: str = "drift"
    name: str
    environments: tuple[Environment, ...]


def build(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="What to build, as a YAML file.")],
    out: Annotated[Path | None, typer.Option(help="The folder; by default sets/CONFIG.")] = None,
    json: Json = False,
) -> None:
    """Make faulty requests of tasks over databases, files and services; the same command continues what was stopped."""
    wanted = settings(config, BuildConfig)
    folder = out or Path("sets") / config.stem
    said = made(wanted, folder)
    rows = read(folder / "variants.jsonl", Variant)
    refused = read(folder / f"{_REFUSED}.jsonl", Refusal)
    if json:
        render.as_json({"folder": str(folder), "variants": len(rows), "refused": len(refused), "phases": dict(said)})
        return
    render.terminal([table(rows)])
    for name in PHASES:
        typer.echo(f"{name}: {said[name]}")
    typer.echo(f"{folder}: {len(rows)} variants; `suite: {folder}` in a config plays those that are released")


def made(wanted: BuildConfig, folder: Path) -> Mapping[str, str]:
    """Build the set, or go on with it; what each phase says of itself. Raises `CallProblem`, `SuiteError`."""
    context = Context(wanted, _places(wanted), folder, _client(wanted))
    whose = _Whose(name=f"drift-{folder.name}", environments=tuple(wanted.counts)).model_dump(mode="json")
    found = build_all(folder, _inputs(wanted), _things(wanted, context), partial(_make, context), suite=whose)
    refused = [each for name in PHASES for each in read(folder / _REFUSED / f"{name}.jsonl", Refusal)]
    write_whole(folder / f"{_REFUSED}.jsonl", written(refused))
    return {entry["name"]: entry["said"] for entry in found.entries}


def opened(folder: Path) -> Suite:
    """The suite of what is released in a folder that was built. Raises `SuiteError`."""
    path = folder / "suite.json"
    try:
        whose = _Whose.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SuiteError(f"{path} cannot be read: {error}") from None
    except ValidationError as error:
        raise SuiteError(f"{path}: {first_amiss(error, 'file')}") from None
    places = [place for place in room.environments() if place.name in whose.environments]
    return suite_of(places, joined([read_released(place.name, folder / RELEASED) for place in places]), name=whose.name)


def table(rows: list[Variant]) -> Table:
    """What is in a set, by kind of fault: numbers of variants by need and by route."""
    found = []
    for kind in CATEGORIES:
        of = [each for each in rows if each.category == kind]
        counts: dict[str, Any] = {need: sum(each.need == need for each in of) for need in NEEDS}
        routes = {f"by {route}": sum(each.route == route for each in of) for route in ("slots", "model", "hand")}
        found.append({"faults": kind.title(), "variants": len(of), **counts, **routes})
    note = f"{len({each.task for each in rows})} tasks, {len({each.strategy.id for each in rows})} faults."
    return Table(f"{len(rows)} faulty requests", tuple(found[0]), found, (note,))


def _places(wanted: BuildConfig) -> list[room.Place]:
    there = {place.name: place for place in room.environments()}
    if lacking := next((name for name in wanted.counts if name not in there), ""):
        raise CallProblem(f"counts: there is no environment {lacking}; there are {', '.join(there) or 'none'}")
    return [place for name, place in there.items() if name in wanted.counts]


def _client(wanted: BuildConfig) -> Client | None:
    if wanted.route == "slots" or wanted.llm is None:
        return None
    return asked(wanted.llm, wanted.reader, wanted.width, wanted.max_cost, wanted.record, wanted.replay)


def _inputs(wanted: BuildConfig) -> dict[str, Any]:
    """What the whole folder is made from: with another of these it would be another set."""
    models = wanted.asked if wanted.route == "model" else {}
    return {**wanted.model_dump(mode="json", include={"route", "seed", "counts", "pool"}), **models}


def _things(wanted: BuildConfig, context: Context) -> dict[str, Any]:
    """What each phase is made from besides. Requests written by hand take part from the strategies on."""
    code = digest_of(*(_HERE / each for each in _SOURCES))
    worlds = {name: place.world(name).digest for place in context.places for name in place.worlds}
    own: dict[str, Any] = {"code": code, "worlds": worlds}
    written_by_hand = {"hand": digest_of(hand.HAND) if wanted.hand else ""}
    return {name: own if name in ("tasks", "frames") else {**own, **written_by_hand} for name in PHASES}


def _make(context: Context, name: str) -> Made:
    """One phase. Raises `SuiteError`, and `CallProblem` where there is no going on for now."""
    from harness.models.replies import ModelFault

    try:
        phase = _MAKERS[name](context)
    except (PipelineError, ModelFault) as error:
        raise CallProblem(f"{name}: {error}; the same command resumes {context.folder}") from None
    typer.echo(f"{name}: {phase.said}", err=True)
    files = {
        f"{name}.jsonl": written(phase.records),
        f"{_REFUSED}/{name}.jsonl": written(phase.refused),
        **phase.files,
    }
    return Made(files, {"said": phase.said})
