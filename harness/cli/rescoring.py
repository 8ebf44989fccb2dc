"""`harness rescore`: published runs, played again through our apps and scored under their release's rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.problems import CallProblem

if TYPE_CHECKING:
    from harness.cli.wiring import Rescoring

__all__ = ("workbench",)


def workbench(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A checkout of the release, of either layout.")],
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
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Score the published runs of a model; or check that our tools answer as those it used.

    The newest results of each domain count. With --observations, --model and --mode narrow the files compared.
    """
    from harness.cli.wiring import rescore_workbench

    if observations:
        if profile or items or output:
            raise CallProblem("--observations takes no --profile, --items or --output: it scores nothing")
        _observe(path, model, mode, as_json=json)
        return
    if items is not None and not items.parent.is_dir():
        raise CallProblem(f"--items {items}: there is no folder {items.parent}")
    found = rescore_workbench(path, model=model, mode=mode, profile=profile, output=output, items=items)
    _show(found, output, as_json=json)
    if found.note:
        typer.echo(found.note, err=True)
    if malformed := found.about["malformed"]:
        typer.echo(f"{len(malformed)} rows cannot be read; their trials are void:", err=True)
        for task, problem in malformed.items():
            typer.echo(f"  {task}: {problem}", err=True)
    if any(record.trajectory.status == "void" for record in found.records):
        raise typer.Exit(1)


def _show(found: Rescoring, output: Path | None, *, as_json: bool) -> None:
    from harness import report
    from harness.cli import render

    summary, about = report.summary(found.run, found.suite, found.records), found.about
    if as_json:
        summary["run"] = str(output) if output else None
        summary["tables"] |= {table.title: [dict(row) for row in table.rows] for table in found.tables}
        render.as_json({**summary, **about})
        return
    suite = f"{found.suite.name} ({found.suite.version})"
    typer.echo(f"{about['model']}, {about['mode']}, under {about['profile']}, on {suite}\n")
    render.terminal(found.tables)
    for domain, file in about["files"].items():
        typer.echo(f"{domain}: {file}")
    if about["older_files"]:
        typer.echo(f"newer files stand in for {', '.join(about['older_files'])}")
    where = f"; written to {output}" if output else ""
    typer.echo(
        f"{summary['correct']} of {summary['trials']} correct, {summary['side_effects']} with side effects"
        f"{where}; digest of all states {summary['digest'][:12]}"
    )


def _observe(path: Path, model: str, mode: str, *, as_json: bool) -> None:
    from harness.cli import render
    from harness.cli.wiring import observe_workbench

    counts, text, holds = observe_workbench(path, model=model, mode=mode)
    if as_json:
        render.as_json(counts)
    else:
        typer.echo(text)
    if not holds:
        raise typer.Exit(1)
