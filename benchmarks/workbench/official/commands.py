"""`harness import workbench` and `harness rescore workbench`: the published release, and what was published of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.workbench.official import conformance
from benchmarks.workbench.official.figures import calls_of, items_csv, tables
from benchmarks.workbench.official.importer import import_release
from benchmarks.workbench.official.rescore import Rescored
from benchmarks.workbench.official.rescore import rescore as score
from benchmarks.workbench.official.suite import home
from harness import report
from harness.cli import render
from harness.cli.files import put
from harness.cli.options import Json
from harness.cli.problems import CallProblem
from harness.cli.saying import say

__all__ = ("imported", "read", "rescore")

_Checkout = Annotated[Path, typer.Argument(metavar="PATH", help="A checkout of the release, of either layout.")]


def read(path: _Checkout, json: Json = False) -> None:
    """Read the published WorkBench data into `workbench-official`."""
    found = imported(path)
    if json:
        render.as_json(found)
    else:
        for name, value in found.items():
            say(f"{name}: {value}")


def imported(path: Path) -> dict[str, Any]:
    """Import a checkout; what came of it, as JSON values. Raises `ImportProblem` naming what does not fit."""
    found = import_release(path, home())
    return {
        "suite": f"workbench-official@{found.version}",
        "folder": str(found.folder),
        "checksum": found.checksum,
        "revision": found.revision,
        "counts": found.counts,
    }


def rescore(
    path: _Checkout,
    model: Annotated[str, typer.Option(help="Whose results, as their files name it.")] = "",
    mode: Annotated[str, typer.Option(help="Tools that were on offer: all or domains.")] = "",
    profile: Annotated[
        str, typer.Option(help="Whose rules: v1-2024, v2-2026-06 or v2-2026-07; by default the checkout's own.")
    ] = "",
    items: Annotated[Path | None, typer.Option(metavar="FILE.csv", help="Write one row per task.")] = None,
    output: Annotated[Path | None, typer.Option(help="Write a run folder, for `harness show` and `report`.")] = None,
    observations: Annotated[
        bool, typer.Option("--observations", help="Instead: compare recorded answers with our tools'.")
    ] = False,
    json: Json = False,
) -> None:
    """Score a model's published runs. Or check that our tools answer like the ones it used.

    The newest results of each domain count. With --observations, --model and --mode narrow the files compared.
    """
    if observations:
        if profile or items or output:
            raise CallProblem("--observations takes no --profile, --items or --output: it scores nothing")
        _observe(path, model, mode, as_json=json)
        return
    if items is not None and not items.parent.is_dir():
        raise CallProblem(f"--items {items}: there is no folder {items.parent}")
    found = score(path, model=model, mode=mode, profile=profile, output=output)
    if items is not None:
        put(items, items_csv(found), "--items")
    _show(found, model, mode, output, as_json=json)
    if found.note:
        say(found.note, err=True)
    if found.malformed:
        say(f"{len(found.malformed)} rows cannot be read; their trials are void:", err=True)
        for task, problem in found.malformed.items():
            say(f"  {task}: {problem}", err=True)
    if any(record.trajectory.status == "void" for record in found.records):
        raise typer.Exit(1)


def _show(found: Rescored, model: str, mode: str, output: Path | None, *, as_json: bool) -> None:
    summary = report.summary(found.run, found.suite, found.records)
    made, files = tables(found), {domain: str(file) for domain, file in found.chosen.files.items()}
    older = list(map(str, found.chosen.older))
    if as_json:
        summary["tables"] |= {table.title: [dict(row) for row in table.rows] for table in made}
        render.as_json(
            {
                **summary,
                "run": str(output) if output else None,
                "model": model,
                "mode": mode,
                "profile": found.profile,
                "files": files,
                "older_files": older,
                "malformed": dict(found.malformed),
                "unparsed_calls": calls_of(found, "unparsed"),
                "failing_calls": calls_of(found, "failing"),
            }
        )
        return
    suite = f"{found.suite.name} ({found.suite.version})"
    say(f"{model}, {mode}, under {found.profile}, on {suite}\n")
    render.terminal(made)
    for domain, file in files.items():
        say(f"{domain}: {file}")
    if older:
        say(f"newer files stand in for {', '.join(older)}")
    where = f"; written to {output}" if output else ""
    say(
        f"{summary['correct']} of {summary['trials']} correct, {summary['side_effects']} with side effects"
        f"{where}; digest of all states {summary['digest'][:12]}"
    )


def _observe(path: Path, model: str, mode: str, *, as_json: bool) -> None:
    found, left_out = conformance.observed(path, model, mode)
    if as_json:
        render.as_json(
            {
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
        )
    else:
        left = f"\n{len(left_out)} files of 2026 left out: their tools answer otherwise" if left_out else ""
        say(f"{found}{left}")
    if not found.holds:
        raise typer.Exit(1)
