"""`harness connect`: sandboxed apps in Claude Desktop, Claude Code, Cursor or VS Code."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.options import Json
from harness.cli.saying import say

if TYPE_CHECKING:
    from harness.connect.plan import Outcome

__all__ = ("connect",)


class Name(StrEnum):
    """The clients whose files we know."""

    claude_desktop = "claude-desktop"
    claude_code = "claude-code"
    cursor = "cursor"
    vscode = "vscode"


def connect(
    client: Annotated[Name, typer.Argument(metavar="CLIENT", help="claude-desktop, claude-code, cursor or vscode.")],
    apps: Annotated[
        list[str] | None,
        typer.Argument(metavar="[APP...]", help="Which apps; by default the core of a workplace, with --remove all."),
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Merge the entries into the client's file.")] = False,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove the entries again, with or without --write.")
    ] = False,
    state: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder that keeps changes; by default one per client.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The client's file, if it is not where it usually is.")
    ] = None,
    json: Json = False,
) -> None:
    """Connect a client to sandboxed apps. Prints the entries for the client's file, or writes them into it."""
    from harness.cli import render
    from harness.cli.problems import CallProblem
    from harness.connect import apps as ours
    from harness.connect import plan
    from harness.connect.clients import CLIENTS, here
    from harness.connect.problem import ConnectProblem
    from servers import catalog

    chosen = list(dict.fromkeys(apps or ()))
    try:
        machine = here()
        kept = state.expanduser().absolute() if state else None
        if remove:
            outcome = plan.take_out(CLIENTS[client], chosen, machine=machine, file=config)
        else:
            chosen = [catalog.app(app).name for app in chosen] or ours.defaults()
            act = plan.write if write else plan.show
            outcome = act(CLIENTS[client], chosen, machine=machine, file=config, state=kept)
    except ConnectProblem as error:
        raise CallProblem(str(error)) from None
    if json:
        render.as_json(_object(outcome))
    else:
        _tell(outcome, every=not apps and not remove)


def _object(outcome: Outcome) -> dict[str, object]:
    return {
        "client": outcome.client.name,
        "file": str(outcome.file),
        "did": outcome.did,
        "key": outcome.client.key,
        "servers": outcome.servers,
        "state": None if outcome.state is None else str(outcome.state),
        "tokens": outcome.tokens,
        "warnings": outcome.warnings,
        "backup": None if outcome.backup is None else str(outcome.backup),
    }


def _tell(outcome: Outcome, *, every: bool) -> None:
    """The entry, or what was done, on standard output; what a person should know on standard error.

    `every` is whether no app was named.
    """
    from harness.cli import render

    names, title = ", ".join(outcome.servers), outcome.client.title
    kept = f" What was there is in {outcome.backup.name} beside it." if outcome.backup else ""
    notes = []
    match outcome.did:
        case "shown":
            render.as_json({outcome.client.key: outcome.servers})
            notes.append(f"{title} reads {outcome.file}; --write adds this to what it holds.")
        case "written":
            say(f"Wrote {names} to {outcome.file}.{kept}")
            notes.append(outcome.client.after)
        case "unchanged":
            say(f"{outcome.file} is already as you asked; nothing was written.")
        case "removed":
            say(f"Removed {names} from {outcome.file}.{kept}")
            notes.append(f"What was done in the sandbox is kept. {title} stops using it when it is restarted.")
    if outcome.state is not None:
        notes.append(f"Changes are kept in {outcome.state}.")
    if every:
        notes.append(
            f"These {len(outcome.servers)} apps make a workplace together. "
            "Name apps to connect more or fewer: `harness list apps` says which there are."
        )
    if outcome.tokens:
        each = ", ".join(f"{app} {count:,}" for app, count in outcome.tokens.items())
        total = sum(outcome.tokens.values())
        notes.append(f"Tool definitions cost about {total:,} tokens (a quarter of their JSON's bytes): {each}.")
        notes.append(f"What {title} has beside its files, such as connectors and extensions, was not looked at.")
    for note in notes:
        say(note, err=True)
    for warning in outcome.warnings:
        say(f"Warning: {warning}", err=True)
