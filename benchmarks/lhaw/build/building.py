"""`harness build lhaw`: a set of variants in a folder, phase by phase, to be reviewed, played and gone on with.

    FOLDER/baseline.jsonl     sources, and how reference agents do them as written
           segments.jsonl     what can be withheld of each
           candidates.jsonl   requests that lack something (appendix F.1)
           classes.jsonl      what trials without a user came to
           variants.jsonl     the set (appendix F.2)
           distribution.json  what is in it (figure 3)
           refused.jsonl      what did not come through, with phase and reason; by phase in refused/
           runs/, work/       trials, as any run has them, and a model's replies

A phase whose inputs and files are as they were is not run again, so that the set can be chosen anew without playing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel, ConfigDict, ValidationError

from benchmarks.lhaw.build.baseline import baseline, by_domain
from benchmarks.lhaw.build.candidates import candidates
from benchmarks.lhaw.build.classes import classes
from benchmarks.lhaw.build.config import BuildConfig
from benchmarks.lhaw.build.context import PHASES, REFUSED, Context, Phase
from benchmarks.lhaw.build.joining import loaded
from benchmarks.lhaw.build.records import Baseline, Refusal, Variant, lines, read
from benchmarks.lhaw.build.release import release
from benchmarks.lhaw.build.segments import segments
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

__all__ = ("build", "opened", "table")

_HERE = Path(__file__).parents[1]
_SOURCES = ("build", "derived.py", "dimensions.py", "leaks.py", "rewrite.py", "variants.py")
_MAKERS: Mapping[str, Callable[[Context], Phase]] = {
    "baseline": baseline,
    "segments": segments,
    "candidates": candidates,
    "classes": classes,
    "variants": release,
}


class _Whose(BaseModel):
    """What `suite.json` says: whose suite it is, its name, and the suite that its tasks are joined with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    benchmark: str = "lhaw"
    name: str
    source: str


def build(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="What to build, as a YAML file.")],
    out: Annotated[Path | None, typer.Option(help="The folder; by default sets/CONFIG.")] = None,
    json: Json = False,
) -> None:
    """Make requests that lack something of the tasks of a suite; the same command continues what was stopped."""
    wanted = settings(config, BuildConfig)
    if wanted.classified:
        wanted = wanted.model_copy(update={"classified": config.parent / wanted.classified})
    suite = _source(wanted)
    folder = out or Path("sets") / config.stem
    context = Context(wanted, suite, folder, _client(wanted), _wiring(wanted))
    whose = _Whose(name=f"lhaw-{folder.name}", source=wanted.suite).model_dump()
    found = build_all(folder, _inputs(wanted, suite), _things(wanted, suite), partial(_make, context), suite=whose)
    said = {entry["name"]: entry["said"] for entry in found.entries}
    refused = [each for name in PHASES for each in read(folder / REFUSED / f"{name}.jsonl", Refusal)]
    write_whole(folder / f"{REFUSED}.jsonl", lines(refused))
    rows, played = read(folder / "variants.jsonl", Variant), by_domain(context.read("baseline", Baseline), suite)
    if json:
        counted = {"variants": len(rows), "refused": len(refused), "sources": list(played.rows)}
        render.as_json({"folder": str(folder), **counted, "phases": said})
        return
    render.terminal([played, table(rows)])
    for name in PHASES:
        typer.echo(f"{name}: {said[name]}")
    typer.echo(f"{folder}: {len(rows)} variants; `suite: {folder}` in a config plays them")


def opened(folder: Path) -> Suite:
    """The suite in a folder that was built. Raises `SuiteError`."""
    from harness.wiring import suite

    path = folder / "suite.json"
    try:
        whose = _Whose.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SuiteError(f"{path} cannot be read: {error}") from None
    except ValidationError as error:
        raise SuiteError(f"{path}: {first_amiss(error, 'file')}") from None
    base = suite(whose.source)
    about = f"Tasks of {base.name} with one or two values withheld (LHAW)"
    return loaded(folder / "variants.jsonl", base, name=whose.name, version="1", description=about)


def table(rows: list[Variant]) -> Table:
    """What is in a set, by designed class: numbers of variants by strategy and of segments withheld."""
    found = []
    for name in ("outcome-critical", "divergent", "benign"):
        of = [each for each in rows if each.designed_class == name]
        counts: dict[str, Any] = {
            how: sum(each.strategy == how for each in of) for how in ("delete", "vagify", "genericize")
        }
        segments = {f"{n} segment{'s' * (n > 1)}": sum(len(each.removed_segments) == n for each in of) for n in (1, 2)}
        found.append({"class (designed)": name, "variants": len(of), **counts, **segments})
    sets, matched = len({each.triple for each in rows} - {None}), len({each.pair for each in rows} - {None})
    note = f"{len({each.original_task for each in rows})} tasks; {sets} triples, {matched} pairs."
    return Table(f"{len(rows)} variants (as figure 3 of the paper)", tuple(found[0]), found, (note,))


def _source(wanted: BuildConfig) -> Suite:
    from harness.wiring import suite

    found = suite(wanted.suite)
    if wanted.route == "slots" and not any(task.slots for task in found.tasks):
        raise CallProblem(
            f"suite {found.name} has no slots: give its tasks slots (docs/benchmarks/lhaw.md, Segments), or write "
            "`route: model` and `llm`, the settings of a model that finds segments"
        )
    if wanted.route == "model" and wanted.llm is None:
        raise CallProblem("route: model needs `llm`, the settings of a model; route: slots needs none")
    return found


def _client(wanted: BuildConfig) -> Client | None:
    if wanted.llm is None:
        return None
    return asked(wanted.llm, None, wanted.width, wanted.max_cost, wanted.record, wanted.replay)


def _wiring(wanted: BuildConfig) -> Any:
    from harness.wiring import Wired

    if not (path := wanted.record or wanted.replay):
        return Wired()
    from harness.models.cassette import Cassette

    return Wired(Cassette(path, "record" if wanted.record else "replay"))


def _inputs(wanted: BuildConfig, suite: Suite) -> dict[str, Any]:
    """What the whole folder is made from: with another of these it would be another set."""
    about = wanted.model_dump(mode="json", include={"suite", "route", "seed"})
    return {**about, "version": suite.version, "llm": wanted.asked}


def _things(wanted: BuildConfig, suite: Suite) -> dict[str, Any]:
    """What each phase is made from besides, with all that those before it are."""
    code = digest_of(
        *(_HERE / each for each in _SOURCES), *sorted(_HERE.glob("*.yaml")), *sorted(_HERE.glob("phrases"))
    )
    own: Mapping[str, set[str]] = {
        "baseline": {"tasks", "per_template", "baseline"},
        "segments": {"per_task"},
        "candidates": {"strategies", "max_segments"},
        "classes": {"empirical"},
        "variants": {"number", "mix", "triples", "keep"},
    }
    fields: set[str] = set()
    found = {}
    for name in PHASES:
        fields |= own[name]
        found[name] = {"code": code, "suite": suite.digest, **wanted.model_dump(mode="json", include=fields)}
    if wanted.empirical is not None and wanted.empirical.number is not None:
        found["classes"] |= wanted.model_dump(mode="json", include=own["variants"])  # a spread over what is released
    if wanted.classified is not None:
        for name in ("classes", "variants"):
            found[name]["classified"] = digest_of(wanted.classified)
    return found


def _make(context: Context, name: str) -> Made:
    """One phase. Raises `CallProblem` where there is no going on for now."""
    from harness.models.replies import ModelFault

    try:
        phase = _MAKERS[name](context)
    except (PipelineError, ModelFault) as error:
        raise CallProblem(f"{name}: {error}; the same command resumes {context.folder}") from None
    typer.echo(f"{name}: {phase.said}", err=True)
    files = {
        f"{name}.jsonl": lines(phase.records),
        f"{REFUSED}/{name}.jsonl": lines(phase.refused),
        **phase.files,
    }
    return Made(files, {"said": phase.said})
