"""`harness build composed`: faulty requests of a suite's tasks in a folder, to be read and played.

FOLDER/variants.jsonl    the faulty requests, as Drift-Bench writes its own
       left_out.jsonl    what was refused on the way: task, fault, check, reason
       suite.json        what it was made of; the suite is made of that again, and held against the file
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchmarks.composed.suite import SHORT, Found, composed, found
from benchmarks.drift.build.building import table
from benchmarks.drift.faults import Fails
from benchmarks.drift.frames import Line, Variant, read, written
from benchmarks.drift.need import Refused
from benchmarks.drift.template import FAULTS, Fault
from harness.cli import render
from harness.cli.building import Made, digest_of
from harness.cli.building import build as build_all
from harness.cli.options import Json
from harness.cli.problems import CallProblem
from harness.cli.saying import say
from harness.core.agent_config import Settings
from harness.core.config_file import settings
from harness.suite import Suite, SuiteError
from servers.kernel import first_amiss

__all__ = ("BuildConfig", "Refusal", "build", "opened")

_VARIANTS, _LEFT_OUT = "variants.jsonl", "left_out.jsonl"


class BuildConfig(Settings):
    """Which suite's requests are to be made faulty, how many in all, and by which faults."""

    source: str
    number: int = Field(default=SHORT, ge=1)
    faults: tuple[Fault, ...] = Field(default=FAULTS, min_length=1)
    seed: int = Field(default=7, ge=0, le=999_999_999)


class Refusal(Line):
    """What did not come through."""

    fault: Fault = Field(description="The fault.")
    check: str = Field(default="", description="The check that refused the text; none where there was no text.")
    reason: str = Field(description="Of which task, perhaps of which slot, and why.")


class _Whose(BaseModel):
    """What `suite.json` says: whose suite it is, its name, and what it was made of."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    benchmark: str = "composed"
    name: str
    made_of: BuildConfig


def build(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="What to build, as a YAML file.")],
    out: Annotated[Path | None, typer.Option(help="The folder; by default sets/CONFIG.")] = None,
    json: Json = False,
) -> None:
    """Make faulty requests of the tasks of a suite with slots."""
    from harness.wiring import suite

    wanted = settings(config, BuildConfig)
    folder = out or Path("sets") / config.stem
    source = suite(wanted.source)
    whose = _Whose(name=f"composed-{folder.name}", made_of=wanted).model_dump(mode="json")
    things = {"variants": {"code": digest_of(Path(__file__).parent), "suite": source.digest}}
    build_all(folder, wanted.model_dump(mode="json"), things, partial(_made, source, wanted), suite=whose)
    rows = read(folder / _VARIANTS, Variant)
    refused = read(folder / _LEFT_OUT, Refusal)
    if json:
        render.as_json({"folder": str(folder), "variants": len(rows), "left_out": len(refused)})
        return
    render.terminal([table(rows)])
    say(f"{folder}: {len(rows)} faulty requests; `suite: {folder}` in a config plays them")


def opened(folder: Path) -> Suite:
    """The suite in a folder that was built. Raises `SuiteError`, also where the source has changed since."""
    from harness.wiring import suite

    path = folder / "suite.json"
    try:
        whose = _Whose.model_validate_json(path.read_text(encoding="utf-8"))
        there = (folder / _VARIANTS).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SuiteError(f"{path} cannot be read: {error}") from None
    except ValidationError as error:
        raise SuiteError(f"{path}: {first_amiss(error, 'file')}") from None
    source = suite(whose.made_of.source)
    of = _found(source, whose.made_of)
    if _lines(of) != there:
        raise SuiteError(
            f"{folder / _VARIANTS}: of {source.name} other requests are made by now: build the set anew "
            "(`harness build composed`)"
        )
    return composed(source, of, whose.name)


def _found(source: Suite, wanted: BuildConfig) -> Found:
    return found(source, number=wanted.number, faults=frozenset(wanted.faults), seed=wanted.seed)


def _lines(of: Found) -> str:
    return written(each.variant for each in of.faulty)


def _made(source: Suite, wanted: BuildConfig, name: str) -> Made:
    """The whole set. Raises `CallProblem` where no request can be made."""
    try:
        of = _found(source, wanted)
    except SuiteError as error:
        raise CallProblem(str(error)) from None
    files = {_VARIANTS: _lines(of), _LEFT_OUT: written(map(_refusal, of.refused))}
    return Made(files, {"said": f"{len(of.faulty)} faulty requests"})


def _refusal(each: Refused | Fails) -> Refusal:
    return Refusal(fault=each.fault, check=each.validator if isinstance(each, Fails) else "", reason=str(each))
