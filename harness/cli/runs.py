"""Commands over finished runs: `harness score`, `harness replay`, `harness report`."""

from __future__ import annotations

import os
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.files import put
from harness.cli.finding import find_trial, opened
from harness.cli.options import Full, RunFolder
from harness.cli.problems import CallProblem
from harness.cli.saying import say
from harness.cli.typed import typed
from harness.core.counts import counted
from harness.core.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.core.suite import Table
    from harness.report.reading import Read

__all__ = ("replay", "report", "score")

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class Format(StrEnum):
    """How a report is written."""

    terminal = "terminal"
    md = "md"
    html = "html"
    csv = "csv"


def score(run: RunFolder, full: Full = False, json: AsJson = False) -> None:
    """Score a run again from disk. Existing verdicts count; no agent plays and no judge is asked."""
    from harness.cli import render
    from harness.cli.evaluating import stop_if_unsound
    from harness.play.run import score_run
    from harness.report import digest
    from harness.report.reading import Read

    found, suite = opened(run)
    if found.files() and not os.access(found.folder / "trials", os.W_OK):
        raise CallProblem(
            f"{run}: its records cannot be written, so they stay scored as they are, and `{typed('report', run)}` "
            "shows that; to score them again, make the folder writable, or score a copy of it"
        )
    score_run(found, suite)
    read = Read.of(found, suite)
    told = f"{run}: {counted(len(read.records), 'trial')} scored again; digest of all states {digest(read.trials)[:12]}"
    render.show(read, told, full=full, in_json=json)
    stop_if_unsound(run, read.records)


def replay(
    run: RunFolder,
    trial: Annotated[
        str | None, typer.Argument(metavar="[TRIAL]", help="One trial, by any unique part of its name.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Play recorded calls again and compare the resulting states. Each trial gets a fresh sandbox."""
    from harness.cli import render
    from harness.play.replay import replay_run
    from harness.wiring import wiring

    found, suite = opened(run)
    chosen = None if trial is None else find_trial(found, trial)
    replayed = replay_run(found, suite, wiring(), trial=chosen)
    differing = [each for each in replayed if not each.equal]
    changed = found.changed(suite) if differing else ""
    if json:
        render.as_json(
            {
                "run": str(run),
                "trials": len(replayed),
                "equal": len(replayed) - len(differing),
                "differing": [each._asdict() for each in differing],
                **({"changed": changed} if changed else {}),
            }
        )
    else:
        for each in differing:
            say(f"{each.agent}, {each.condition}, {each.task}, trial {each.trial}: {each.difference}")
        equal = counted(len(replayed) - len(differing), "digest")
        say(f"{run}: {counted(len(replayed), 'trial')} replayed, {equal} equal")
        if changed:
            say(f"{run}: {changed}")
    if differing:
        raise typer.Exit(1)


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs; several are compared.")],
    format: Annotated[
        Format, typer.Option(help="Output format; csv has one row per trial, in a folder tables too.")
    ] = Format.terminal,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="Write it to this file; html to a folder, unless the name ends in .html, and csv if it has no ending.",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Show tables and figures of finished runs. If there are several, they are compared."""
    from harness.cli import render
    from harness.report import reading
    from harness.wiring import suite
    from servers.kernel import few_of

    folder = output if output is not None and not json and _is_folder(output, format) else None
    if folder and format is Format.html:
        _folder(runs, folder)
        return
    if len(runs) == 1:
        opened(runs[0])  # one whose suite has changed has no tables
    read = reading.read(runs, suite)
    comparison = reading.compared(read)
    if left_out := reading.refused(read) if len(read) > 1 else []:
        say(f"not compared, since their content differs: {few_of(left_out, 10)}", err=True)
    for each in read:
        if each.tables is None:
            say(f"{each.run.folder}: only compared, since its suite has changed since it was played", err=True)
    if json:
        text = render.json_text(reading.as_json(read, comparison))
    elif format is Format.html:
        text = reading.as_page(read, comparison)
    elif format is Format.md:
        text = visible("\n".join(map(render.report_as_markdown, reading.parts(read, comparison))))
    elif format is Format.csv:
        from harness.report import trials
        from harness.view.annotations import verdicts

        rows = [
            row
            for each in read
            for row in trials.rows(each.label, each.run.head, each.suite, each.trials, verdicts(each.run.folder))
        ]
        text = trials.as_csv(rows)
        if folder:
            _sheets(read, comparison, text, folder)
            return
        text = visible(text)
    else:
        written = partial(render.report, plain=output is not None)
        parts = [written("Side by side", None, comparison)] if comparison else []
        parts += [written(each.heading, each.first, each.tables) for each in read if each.tables is not None]
        text = "\n".join(parts)
    if output is None:
        render.out(render.encodable(text) if json else text)
    else:
        put(output, text)
        say(f"{output}: {format.value if not json else 'json'}, {len(text.encode()):,} bytes")


def _is_folder(path: Path, format: Format) -> bool:
    """Whether a report goes into a folder there: as html unless the name ends so, as csv if it has no ending."""
    if format is Format.html:
        return path.is_dir() or path.suffix.lower() not in (".html", ".htm")
    return format is Format.csv and (path.is_dir() or not (path.suffix or path.exists()))


def _sheets(read: Sequence[Read], comparison: Sequence[Table], trials: str, output: Path) -> None:
    """Write trials and tables of runs as a folder of CSV files."""
    from harness.report.sheets import write_folder

    own = {each.label: each.tables for each in read if each.tables is not None}
    alone = len(read) == 1
    sheets = write_folder(output, trials, own[read[0].label] if alone else comparison, {} if alone else own)
    say(f"{output}: {sheets:,} CSV files")


def _folder(runs: list[Path], output: Path) -> None:
    """Write runs as a folder that a browser opens, every trial in it."""
    from harness.view import View
    from harness.view.folder import write_folder
    from harness.wiring import suite

    shown = View(runs, suite, read_only=True)
    for head in shown.heads()["runs"]:
        for problem in head["problems"]:
            say(f"{head['folder']}: left out: {problem['file']}: {problem['text']}", err=True)
        if head["changed"]:
            say(f"{head['folder']}: without tables: {head['changed']}", err=True)
    files = write_folder(shown, output)
    say(f"{output / 'index.html'}: every trial, for a browser; {files:,} files")
