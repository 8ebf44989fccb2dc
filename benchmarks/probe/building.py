"""`harness build probe`: samples of the grammar into a folder, as ours to be played or in the published layout."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from pydantic import Field, ValidationInfo, field_validator

from benchmarks.probe import published, worlds
from benchmarks.probe.filler import filler
from benchmarks.probe.grammar.generate import NUMBER, generate
from benchmarks.probe.grammar.proofs import ProofFailed
from benchmarks.probe.grammar.sizes import estimated
from benchmarks.probe.imported import Whose, entry, indexed
from benchmarks.probe.pins import chosen
from benchmarks.probe.records import Difficulty, Sample
from harness.cli import render
from harness.cli.building import REFUSED, Built, Made, Refused, digest_of
from harness.cli.building import build as build_all
from harness.core.agent_config import Settings
from harness.core.config_file import settings
from harness.suite import SuiteError, Table

__all__ = ("BuildConfig", "build", "show", "sizes")

_HERE = Path(__file__).parent
_SOURCES = ("grammar", "filler", "records.py", "worlds.py", "imported.py", "published.py")
_PAPER = {"tokens": (107_640.5, 4_676.5), "actions": (25.27, 0.51), "documents": (79.3, 3.7)}
"""Means and standard deviations of table 1."""


class BuildConfig(Settings):
    """What is to be built, as a YAML file holds it (docs/benchmarks/probe.md, Building and importing)."""

    seed: int = Field(default=1, ge=0, le=999_999_999)
    difficulties: tuple[Difficulty, ...] = Field(default=("easy", "medium", "hard"), min_length=1)
    number: int = Field(default=300, ge=1, le=NUMBER, validate_default=True)
    level: Literal["grammar"] = "grammar"
    format: Literal["ours", "published"] = "ours"

    @field_validator("number")
    @classmethod
    def _as_many_as_there_are(cls, number: int, given: ValidationInfo) -> int:
        if levels := given.data.get("difficulties"):
            try:
                chosen(total=number, levels=levels)
            except SuiteError as error:
                raise ValueError(str(error)) from None
        return number


def build(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="What to build, as a YAML file.")],
    number: Annotated[int | None, typer.Option(help="How many samples, in place of the config's.")] = None,
    out: Annotated[Path | None, typer.Option(help="The folder; by default sets/CONFIG.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Make samples and prove them, a file each; the same command goes on with what was stopped."""
    wanted = settings(config, BuildConfig, {} if number is None else {"number": number})
    folder = out or Path("sets") / config.stem
    names = chosen(wanted.seed, wanted.number, wanted.difficulties)
    playable = wanted.format == "ours"
    inputs = {
        **wanted.model_dump(mode="json", exclude={"number"}),
        "tokens": "estimated" if estimated() else "counted",
        "code": digest_of(*(_HERE / each for each in _SOURCES)),
    }
    found = build_all(
        folder, inputs, dict.fromkeys(names), partial(_make, published_layout=not playable), workers=workers,
        suite=Whose(name=f"probe-{folder.name}").model_dump() if playable else None,
    )  # fmt: skip
    show(found, folder, folder if playable else None, as_json=json)


def show(found: Built, folder: Path, suite: Path | None, *, as_json: bool) -> None:
    """What came of it, on standard output; status 1 where something was refused."""
    table = sizes(found.entries)
    if as_json:
        render.as_json(
            {
                "folder": str(folder),
                "suite": None if suite is None else str(suite),
                "samples": len(found.entries),
                "before": found.before,
                "refused": list(found.refused),
                "sizes": [dict(row) for row in table.rows],
            }
        )
    else:
        render.terminal([table])
        earlier = f", {found.before} of them made earlier" if found.before else ""
        typer.echo(f"{folder}: {len(found.entries)} samples{earlier}")
        if suite is not None and found.entries:
            typer.echo(f"`suite: {suite}` in a config plays them")
    if found.refused:
        typer.echo(f"{len(found.refused)} refused, see {folder / REFUSED}:", err=True)
        for each in found.refused[:10]:
            typer.echo(f"  {each['name']}: {each['why']}", err=True)
        raise typer.Exit(1)


def sizes(entries: Sequence[Mapping[str, Any]]) -> Table:
    """Sizes of samples beside those that the paper tells of its own (table 1)."""
    rows = []
    for what, (mean, deviation) in _PAPER.items() if entries else ():
        values = [each[what] for each in entries]
        rows.append(
            {
                "": what,
                "least": min(values),
                "most": max(values),
                "mean": round(statistics.fmean(values), 2),
                "sd": round(statistics.stdev(values), 2) if len(values) > 1 else None,
                "paper mean": mean,
                "paper sd": deviation,
            }
        )
    levels = [each["difficulty"] for each in entries]
    each = ", ".join(f"{levels.count(level)} {level}" for level in ("easy", "medium", "hard"))
    causes = len({each["template"] for each in entries})
    columns = ("", "least", "most", "mean", "sd", "paper mean", "paper sd")
    return Table(f"Sizes of {len(entries)} samples (table 1)", columns, rows, (f"{each}; {causes} causes.",))


def _make(name: str, *, published_layout: bool) -> Made:
    """The sample of that name. Raises `Refused` naming the proof that it fails, and the document."""
    try:
        sample = _generated(name)
    except ProofFailed as error:
        raise Refused(str(error), proof=error.proof, document=error.document) from None
    if not published_layout:
        return entry(sample)
    files = published.exported(sample).files()
    told = {name: value for name, value in indexed(sample).items() if name not in ("who", "address", "world_model")}
    return Made({f"samples/{path}": text for path, text in files.items()}, told)


def _generated(name: str) -> Sample:
    seed, number, level = worlds.parsed(name)
    return generate(seed, number, difficulty=level, filler=filler)
