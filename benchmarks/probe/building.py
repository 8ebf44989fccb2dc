"""`harness build probe`: samples into a folder, as ours to be played or in the published layout.

Those of level `grammar` take no model. The others are what models reply (`pipeline`), which is kept in the folder too.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from pydantic import Field, ValidationInfo, field_validator

from benchmarks.probe import naming, published
from benchmarks.probe.filler import filler
from benchmarks.probe.grammar.generate import generate
from benchmarks.probe.grammar.proofs import ProofFailed
from benchmarks.probe.grammar.sizes import estimated
from benchmarks.probe.imported import Whose, entry, indexed
from benchmarks.probe.pins import chosen
from benchmarks.probe.pipeline.building import asked, maker
from benchmarks.probe.pipeline.model import ROUND, Making
from benchmarks.probe.pipeline.model import named as model_named
from benchmarks.probe.pipeline.work import Dropped, PipelineError, matters
from benchmarks.probe.records import Difficulty, Level, Sample
from harness.cli import render
from harness.cli.building import REFUSED, Built, Made, Refused, digest_of
from harness.cli.building import build as build_all
from harness.cli.options import Json, Processes
from harness.cli.problems import CallProblem
from harness.core.agent_config import LlmConfig, Settings
from harness.core.config_file import settings
from harness.suite import SuiteError, Table

__all__ = ("BuildConfig", "build", "show", "sizes")

Source = Callable[[str], Sample]
"""The sample of a name."""

_HERE = Path(__file__).parent
_SOURCES = ("grammar", "filler", "records.py", "naming.py", "pouring.py", "worlds.py", "imported.py", "published.py")
_USUAL = {"grammar": 300, "rewrite": 20, "model": 20}
"""How many samples, where nobody says: those of models are paid for."""
_PAPER = {
    "tokens": ("Tokens", 107_640.5, 4_676.5),
    "actions": ("Actions", 25.27, 0.51),
    "documents": ("Docs", 79.3, 3.7),
}
"""What the index counts as table 1 calls it, with its mean and standard deviation there."""


class BuildConfig(Settings):
    """What is to be built, as a YAML file holds it (docs/benchmarks/probe-making.md, Building and importing).

    All from `llm` on is of levels that a model makes: who writes, and who reads what was written (None: the same), with
    settings as an agent `llm` has them; how many requests side by side; US dollars at which it stops; a cassette.
    """

    level: Level = "grammar"
    seed: int = Field(default=1, ge=0, le=999_999_999)
    difficulties: tuple[Difficulty, ...] = Field(default=("easy", "medium", "hard"), min_length=1)
    making: Making = Making()
    number: int = Field(
        default_factory=lambda given: _USUAL[given.get("level", "grammar")], ge=1, validate_default=True
    )
    format: Literal["ours", "published"] = "ours"
    llm: LlmConfig | None = Field(default=None, validate_default=True)
    reader: LlmConfig | None = None
    width: int = Field(default=8, ge=1)
    max_cost: float | None = Field(default=None, gt=0)
    record: Path | None = None
    replay: Path | None = None

    @field_validator("difficulties", "making", "llm", "reader", "width", "max_cost", "record", "replay")
    @classmethod
    def _of_its_level(cls, value: Any, given: ValidationInfo) -> Any:
        level, name = given.data.get("level"), given.field_name
        if name == "llm" and value is None:
            if level in ("rewrite", "model"):
                raise ValueError(f"level {level} needs `llm`, the settings of a model")
            return value
        of = {"difficulties": ("grammar", "rewrite"), "making": ("model",)}.get(str(name), ("rewrite", "model"))
        if level is not None and level not in of:
            raise ValueError(f"`{name}` is of level {' and '.join(of)}, and level is {level}: leave it out")
        return value

    @field_validator("llm", "reader", mode="before")
    @classmethod
    def _a_model(cls, value: Any) -> Any:
        return {"kind": "llm", **value} if isinstance(value, dict) else value

    @field_validator("replay")
    @classmethod
    def _one_of_both(cls, replay: Path | None, given: ValidationInfo) -> Path | None:
        if replay and given.data.get("record"):
            raise ValueError("record and replay: a build does one or the other")
        return replay

    @field_validator("number")
    @classmethod
    def _as_many_as_there_are(cls, number: int, given: ValidationInfo) -> int:
        if given.data.get("level") == "model":
            if (making := given.data.get("making")) and number > making.room:
                raise ValueError(
                    f"there are {max(making.room, 0)} samples, not {number}: `making` has {making.personas} personas "
                    f"with {making.per_persona} each, of which {making.rounds} rounds of adversaries get {ROUND} each"
                )
        elif levels := given.data.get("difficulties"):
            try:
                chosen(total=number, levels=levels)
            except SuiteError as error:
                raise ValueError(str(error)) from None
        return number

    @property
    def names(self) -> list[str]:
        """The samples to be made."""
        if self.level == "model":
            return [model_named(self.seed, number, self.making) for number in range(self.number)]
        bases = chosen(self.seed, self.number, self.difficulties)
        return bases if self.level == "grammar" else [*map(naming.rewrite_of, bases)]

    @property
    def inputs(self) -> dict[str, Any]:
        """What all samples are made from, but for code: not how many there are, how fast they come or who pays."""
        of = {"level", "seed", "format"} | ({"difficulties"} if self.level != "model" else set())
        found = self.model_dump(mode="json", include=of)
        for name, each in (("llm", self.llm), ("reader", self.reader)):
            if each is not None:
                found[name] = matters(each)
        return {**found, "tokens": "estimated" if estimated() else "counted"}


def build(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="What to build, as a YAML file.")],
    number: Annotated[int | None, typer.Option(help="How many samples, in place of the config's.")] = None,
    out: Annotated[Path | None, typer.Option(help="The folder; by default sets/CONFIG.")] = None,
    workers: Processes = 1,
    json: Json = False,
) -> None:
    """Make samples, one file each. The same command resumes what was stopped."""
    wanted = settings(config, BuildConfig, {} if number is None else {"number": number})
    folder = out or Path("sets") / config.stem
    playable = wanted.format == "ours"
    code = digest_of(*(_HERE / each for each in _SOURCES))
    finish = partial(build_all, folder, workers=workers,
                     suite=Whose(name=f"probe-{folder.name}").model_dump() if playable else None)  # fmt: skip
    if wanted.llm is None:
        make = partial(_make, source=_generated, published_layout=not playable)
        found = finish({**wanted.inputs, "code": code}, dict.fromkeys(wanted.names), make)
    else:
        found = _asked(wanted, wanted.llm, folder, workers, finish)
    show(found, folder, folder if playable else None, as_json=json)


def _asked(wanted: BuildConfig, llm: LlmConfig, folder: Path, workers: int, finish: Callable[..., Built]) -> Built:
    """Samples that a model makes. Code and `making` are inputs of each, and none of the folder.

    So what was paid for outlives them: after a change samples are made again from what the folder holds.
    """
    if workers > 1:
        raise CallProblem(f"--workers: level {wanted.level} waits for a model in one process; `width` says how wide")
    client = asked(llm, wanted.reader, wanted.width, wanted.max_cost, wanted.record, wanted.replay)
    own = {"code": digest_of(*(_HERE / each for each in (*_SOURCES, "pipeline")))}
    if wanted.level == "model":
        own["making"] = wanted.making.model_dump_json()
    level: Literal["rewrite", "model"] = "rewrite" if wanted.level == "rewrite" else "model"
    with maker(level, client, folder, wanted.seed, wanted.making) as source:
        make = partial(_make, source=partial(_paid, source, folder), published_layout=wanted.format == "published")
        return finish(wanted.inputs, dict.fromkeys(wanted.names, own), make)


def _paid(source: Source, folder: Path, name: str) -> Sample:
    """A sample that a model makes. Raises `Refused`; `CallProblem` where there is no going on for now."""
    from harness.models.replies import ModelFault

    try:
        return source(name)
    except Dropped as error:
        raise Refused(error.problem, phase=error.phase) from None
    except (PipelineError, ModelFault) as error:
        raise CallProblem(f"{name}: {error}; the same command resumes {folder}") from None


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
    """Table 1: sizes of samples in its words, beside those that the paper tells of its own."""
    rows = []
    for what, (name, mean, deviation) in _PAPER.items() if entries else ():
        values = [each[what] for each in entries]
        rows.append(
            {
                "": name,
                "min": min(values),
                "max": max(values),
                "mean": round(statistics.fmean(values), 2),
                "std": round(statistics.stdev(values), 2) if len(values) > 1 else None,
                "paper mean": mean,
                "paper std": deviation,
            }
        )
    levels = [each["difficulty"] for each in entries]
    each = ", ".join(f"{levels.count(level)} {level}" for level in ("easy", "medium", "hard"))
    causes = len({each["template"] for each in entries})
    columns = ("", "min", "max", "mean", "std", "paper mean", "paper std")
    return Table(f"Sizes of {len(entries)} samples (table 1)", columns, rows, (f"{each}; {causes} causes.",))


def _make(name: str, *, source: Source, published_layout: bool) -> Made:
    """The sample of that name. Raises `Refused` naming the proof that it fails, and the document."""
    try:
        sample = source(name)
    except ProofFailed as error:
        raise Refused(str(error), proof=error.proof, document=error.document) from None
    if not published_layout:
        return entry(sample)
    files = published.exported(sample).files()
    told = {name: value for name, value in indexed(sample).items() if name not in ("who", "address", "world_model")}
    return Made({f"samples/{path}": text for path, text in files.items()}, told)


def _generated(name: str) -> Sample:
    seed, number, level = naming.parsed(name)
    return generate(seed, number, difficulty=level, filler=filler)
