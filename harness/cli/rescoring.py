"""`harness rescore`: published runs, played again through our apps and scored under their release's rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.problems import CallProblem

if TYPE_CHECKING:
    from benchmarks.workbench.official.rescore import Rescored

__all__ = ("workbench",)


def workbench(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A checkout of the release, of either layout.")],
    model: Annotated[str, typer.Option(help="Whose results, as their files name it.")] = "",
    mode: Annotated[str, typer.Option(help="Tools that were on offer: all or domains.")] = "",
    profile: Annotated[str, typer.Option(help="Whose rules: v1-2024, v2-2026-06 or v2-2026-07.")] = "",
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
    found = rescore_workbench(path, model=model, mode=mode, profile=profile, output=output)
    if items is not None:
        from benchmarks.workbench.official.figures import write_items

        write_items(found, items)
    _show(found, as_json=json)
    if found.note:
        typer.echo(found.note, err=True)
    if found.malformed:
        typer.echo(f"{len(found.malformed)} rows cannot be read; their trials are void:", err=True)
        for task, problem in found.malformed.items():
            typer.echo(f"  {task}: {problem}", err=True)
    if any(record.trajectory.status == "void" for record in found.records):
        raise typer.Exit(1)


def _show(found: Rescored, *, as_json: bool) -> None:
    from benchmarks.workbench.official.figures import calls_of, tables
    from harness import report
    from harness.cli import render

    summary = report.summary(found.run, found.suite, found.records)
    made = tables(found)
    agent, condition = found.run.head.config.agents[0].name, next(iter(found.run.head.config.conditions))
    if as_json:
        extra: dict[str, Any] = {
            "model": agent,
            "mode": condition.partition("/")[0],
            "profile": condition.partition("/")[2],
            "files": {domain: str(file) for domain, file in found.chosen.files.items()},
            "older_files": list(map(str, found.chosen.older)),
            "malformed": dict(found.malformed),
            "unparsed_calls": calls_of(found, "unparsed"),
            "failing_calls": calls_of(found, "failing"),
        }
        summary["tables"] |= {table.title: [dict(row) for row in table.rows] for table in made}
        render.as_json({**summary, "run": str(found.run.folder) if found.written else None, **extra})
        return
    typer.echo(f"{agent}, {condition}, on {found.suite.name} ({found.suite.version})\n")
    render.terminal(made)
    for domain, file in found.chosen.files.items():
        typer.echo(f"{domain}: {file}")
    if found.chosen.older:
        typer.echo(f"newer files stand in for {', '.join(map(str, found.chosen.older))}")
    where = f"; written to {found.run.folder}" if found.written else ""
    typer.echo(
        f"{summary['correct']} of {summary['trials']} correct, {summary['side_effects']} with side effects"
        f"{where}; digest of all states {summary['digest'][:12]}"
    )


def _observe(path: Path, model: str, mode: str, *, as_json: bool) -> None:
    from harness.cli import render
    from harness.cli.wiring import observe_workbench

    found, left_out = observe_workbench(path, model=model, mode=mode)
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
        typer.echo(str(found))
        if left_out:
            typer.echo(f"{len(left_out)} files of 2026 left out: their tools answer otherwise")
    if not found.holds:
        raise typer.Exit(1)
