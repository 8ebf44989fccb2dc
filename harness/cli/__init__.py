"""The command line. Commands import what they need when they run, so that help is instant."""

from __future__ import annotations

import os
import traceback

import typer

from harness.cli.asking import measure, try_
from harness.cli.auditing import audit
from harness.cli.capturing import capture
from harness.cli.connecting import connect
from harness.cli.doctoring import doctor
from harness.cli.evaluating import evaluate
from harness.cli.exporting import world as export_world
from harness.cli.folders import export, import_
from harness.cli.forking import fork
from harness.cli.judging import judge
from harness.cli.listing import list_
from harness.cli.playing import play
from harness.cli.problems import OF_THE_MACHINE, known_problems
from harness.cli.runs import replay, report, score
from harness.cli.scaffolding import new_app, new_suite
from harness.cli.serving import serve
from harness.cli.showing import show
from harness.cli.states import diff, reset, restore, snapshot
from harness.cli.verbs import Verbs

__all__ = ("app", "main")

app = typer.Typer(
    cls=Verbs,
    help="A sandboxed workplace for AI agents: play tasks on MCP apps, record, score, report.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("eval")(evaluate)
app.command("list")(list_)
app.command("show")(show)
app.command("score")(score)
app.command("judge")(judge)
app.command("replay")(replay)
app.command("report")(report)
app.command("audit")(audit)
app.command("serve")(serve)
app.command("diff")(diff)
app.command("reset")(reset)
app.command("snapshot")(snapshot)
app.command("restore")(restore)
app.command("connect")(connect)
app.command("play")(play)
app.command("capture")(capture)
app.command("fork")(fork)
app.command("doctor")(doctor)
news = typer.Typer(help="Start an app or a suite of your own.", no_args_is_help=True, rich_markup_mode=None)
news.command("app")(new_app)
news.command("suite")(new_suite)
app.add_typer(news, name="new")
asking = typer.Typer(help="The users that answer agents.", no_args_is_help=True, rich_markup_mode=None)
asking.command("try")(try_)
asking.command("measure")(measure)
app.add_typer(asking, name="users")
exports = typer.Typer(help="Write a world to read, edit and serve.", no_args_is_help=True, rich_markup_mode=None)
exports.command("world")(export_world)
app.add_typer(exports, name="export")
copying = typer.Typer(
    help="Copy a folder of this machine into `filesystem`, or back.", no_args_is_help=True, rich_markup_mode=None
)
copying.command("import")(import_)
copying.command("export")(export)
app.add_typer(copying, name="folder")

_BUG = 70
"""Exit status of an unexpected exception (EX_SOFTWARE)."""


def main() -> None:
    """Entry point of `harness` and `workplace-harness`.

    Exit status: 0; 1 when trials were void or a comparison failed; 2 for a wrong call or config, and for a
    disk that is full or may not be written to. One clear message on stderr; `HARNESS_DEBUG=1` adds the traceback.
    """
    try:
        app(prog_name="harness")
    except Exception as error:  # noqa: BLE001 (the outermost door: known problems are told from bugs here)
        if os.environ.get("HARNESS_DEBUG"):
            traceback.print_exc()
        if isinstance(error, known_problems()):
            typer.echo(f"harness: {error}", err=True)
            raise SystemExit(2) from None
        if isinstance(error, OSError) and error.errno in OF_THE_MACHINE:
            where = f"{error.filename}: " if error.filename else ""
            typer.echo(f"harness: {where}{error.strerror}", err=True)
            raise SystemExit(2) from None
        if isinstance(error, ImportError):
            typer.echo(f"harness: {error}; `harness doctor` looks for the cause", err=True)
            raise SystemExit(2) from None
        at = traceback.extract_tb(error.__traceback__)[-1]
        typer.echo(
            f"harness: this is a bug: {type(error).__name__}: {error} ({at.filename}:{at.lineno}). "
            "Run the same with HARNESS_DEBUG=1 for the whole traceback, and please report it.",
            err=True,
        )
        raise SystemExit(_BUG) from None
