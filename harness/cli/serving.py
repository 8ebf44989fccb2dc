"""`harness serve`: apps for any MCP client, on standard input and output or over HTTP."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.saying import say
from harness.cli.worlds import edits_in, world_of
from harness.core.gc_paused import gc_paused

if TYPE_CHECKING:
    from datetime import datetime

    from harness.service.sandboxes import Sources
    from harness.service.standalone import Apps
    from harness.service.today import Clock
    from harness.serving.guard import Guard
    from harness.serving.person import Person
    from servers.kernel import World

__all__ = ("serve",)


class Transport(StrEnum):
    """How clients connect."""

    stdio = "stdio"
    http = "http"


def serve(
    context: typer.Context,
    apps: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[APP]...",
            help="Apps to serve; by default all but those that only some tasks use: see `harness list apps`.",
        ),
    ] = None,
    transport: Annotated[Transport, typer.Option(help="Standard input and output, or HTTP.")] = Transport.stdio,
    host: Annotated[str, typer.Option(help="With http: address to listen on; --token is required beyond loopback.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="With http: port; 0 takes a free one.")] = 8000,
    token: Annotated[
        str, typer.Option(envvar="HARNESS_TOKEN", help="With http: bearer token that every request must carry.")
    ] = "",
    service_token: Annotated[
        str,
        typer.Option(
            envvar="HARNESS_SERVICE_TOKEN", help="With http: a separate token for /v1, so that agents cannot use it."
        ),
    ] = "",
    allow_host: Annotated[
        list[str] | None, typer.Option(help="With http: another name by which clients reach this machine.")
    ] = None,
    idle: Annotated[
        float, typer.Option(min=0, help="With http: seconds after which an unused sandbox is removed; 0: never.")
    ] = 3600,
    state: Annotated[Path | None, typer.Option(help="Folder that keeps changes; without it they are lost.")] = None,
    world: Annotated[
        str | None,
        typer.Option(
            help="Starting rows: a suite, SUITE:WORLD, or a folder with a world.json. By default those that the state "
            "folder began with, else an invented company whose records agree across all apps."
        ),
    ] = None,
    toolset: Annotated[str | None, typer.Option(help="Tool surface; by default the app's own.")] = None,
    now: Annotated[
        str,
        typer.Option(
            help="The time there: today (the clock runs); world, or a time like 2025-03-13T09:00 (it stands still)."
        ),
    ] = "today",
    live: Annotated[
        bool,
        typer.Option("--live", help="Let mails, messages and other people's actions arrive as the clock reaches them."),
    ] = False,
    pictures: Annotated[bool, typer.Option(help="Send what tools draw as images beside the text.")] = True,
    setup: Annotated[Path | None, typer.Option(hidden=True)] = None,
    record: Annotated[Path | None, typer.Option(hidden=True)] = None,
) -> None:
    """Serve apps over MCP. It runs until the client disconnects (stdio) or a signal comes."""
    with gc_paused(), _named(world):  # what imports and rows make stays; to look through it took a seventh of the start
        from harness.service.standalone import Apps, Listening, serve_http, serve_stdio_apps
        from harness.serving.toolsets import toolset_of
        from servers import catalog

        named = [name for word in apps or () for name in word.replace(",", " ").split()]
        names = list(dict.fromkeys(named or (name for name, app in catalog.apps().items() if not app.apart)))
        serving = Apps(
            toolsets=[toolset_of(catalog.app(name), toolset) for name in names],
            world=world_of(world, state),
            state=state,
            setup=edits_in(setup),
            now=_time(now, state),
            record=record,
            user=_person(transport) if setup is None else None,
            pictures=pictures,
            live=live,
            tell=lambda text: say(f"harness: {text}", err=True),
        )
        if transport is Transport.stdio:
            _refuse_http_options(context)
        if live:
            say(f"harness: live: {_comes(serving)}", err=True)
        empty = _empty(serving)
        if transport is Transport.http:
            guard = _guard(host, token, service_token, allow_host or [])
            listening = Listening(host=host, port=port, guard=guard, idle=idle or None)
            serve_http(
                serving, _sources(named, names, serving.world), listening, lambda at: _say(at, names, state, empty)
            )
            return
        if empty:
            say(f"harness: {empty}", err=True)
        if sys.stdin.isatty():
            say("harness: waiting for an MCP client on standard input; Ctrl-C ends it", err=True)
        serve_stdio_apps(serving)


_OF_HTTP = ("host", "port", "token", "service_token", "allow_host", "idle")


def _refuse_http_options(context: typer.Context) -> None:
    """Raise `CallProblem` for one that was typed; tokens in the environment are left aside."""
    from harness.cli.problems import CallProblem

    for name in _OF_HTTP:
        source = context.get_parameter_source(name)
        if source and source.name == "COMMANDLINE":
            raise CallProblem(f"--{name.replace('_', '-')} goes with --transport http: without it nothing listens")


@contextmanager
def _named(world: str | None) -> Iterator[None]:
    """Where a folder has another world than the one that was asked for, say by which name it was."""
    from harness.cli.problems import CallProblem
    from servers.kernel import WorldMismatch

    try:
        yield
    except WorldMismatch as error:
        if world is None:
            raise
        raise CallProblem(f"--world {world}: {error}") from None


def _empty(serving: Apps) -> str:
    """A line on the apps that start without rows, whose tools have nothing to show until somebody adds it; or ""."""
    from harness.service.keeping import state_file
    from harness.wiring import FORMER, catalog, world_named

    empty = [
        toolset.app.name
        for toolset in serving.toolsets
        if toolset.app.tables
        and not (serving.state and state_file(serving.state, toolset.app.name).exists())
        and not serving.starting.holds(toolset.app.name)
    ]
    if not empty:
        return ""
    former = world_named(FORMER) if FORMER in catalog().suites else None
    elsewhere = ", ".join(app for app in empty if former and former.holds(app))
    more = f"; --world {FORMER} has some for {elsewhere}" if elsewhere else ""
    return f"nothing is in {', '.join(empty)} at first, as world {serving.world.name} has no rows for them{more}"


def _person(transport: Transport) -> Person:
    """Whoever has the client. With stdio the terminal, if there is one, belongs to the client that started us."""
    from harness.cli.terminal import Terminal
    from harness.serving.person import Person

    return Person(Terminal.here() if transport is Transport.http else None)


def _guard(host: str, token: str, service_token: str, names: Sequence[str]) -> Guard:
    """Who may connect. Raises `CallProblem` where that would be everybody."""
    from harness.cli.problems import CallProblem
    from harness.serving.guard import Guard, is_loopback

    if not token and not is_loopback(host):
        raise CallProblem(
            f"--host {host} can be reached from other machines: give a bearer token with --token or HARNESS_TOKEN, "
            "or listen on 127.0.0.1"
        )
    own = f"[{host}]" if ":" in host else host.lower()
    return Guard(hosts=(*Guard.hosts, own, *map(str.lower, names)), token=token, service_token=service_token)


def _sources(named: Sequence[str], names: Sequence[str], world: World) -> Sources:
    """What programs may create sandboxes from: the apps that were named, or all; by default those that are served."""
    from harness import wiring
    from harness.service.sandboxes import Sources
    from servers import catalog

    apps = {name: catalog.app(name) for name in named} or dict(catalog.apps())
    return Sources(apps=apps, usual=names, world=world, suite=wiring.suite_on_offer, user=wiring.wiring().user)


def _say(address: str, names: Sequence[str], state: Path | None, empty: str) -> None:
    """Where what is, on standard error."""
    lasting = f"kept in {state}" if state else "forgotten at the end"
    say(
        f"harness: serving at {address}; Ctrl-C ends it\n"
        f"  /<app>/mcp    one default sandbox, which every client shares; changes are {lasting}\n"
        f"                <app>: {', '.join(names)}\n"
        f"  /v1/sandboxes creates private sandboxes at /s/<sandbox>/<app>/mcp; see /v1/openapi.json"
        + (f"\n  {empty}" if empty else ""),
        err=True,
    )


def _comes(apps: Apps) -> str:
    """What comes by itself, and when."""
    from harness.service.today import at_home, begun, stands_still

    clock = apps.now if callable(apps.now) else None
    world = begun(apps.state, apps.world, clock, note=False).world
    coming = world.coming(toolset.app for toolset in apps.toolsets)
    if not coming:
        return f"nothing comes by itself: world {world.name} has no arrivals for what is served"
    if apps.now is None or (clock and apps.state and stands_still(apps.state)):
        return "nothing comes by itself: the clock stands still; it runs with --now today"
    if clock:
        now = at_home(clock, world)
        left = [each.at for each in coming.values() if each.at > now]
        past = f"what was to come by now ({len(coming) - len(left)}) is there from the first call on"
        if not left:
            return f"nothing is still to come; {past}"
        return f"{len(left)} still to come, each as the clock passes it, the last at {max(left):%Y-%m-%d %H:%M}; {past}"
    return f"the clock stands still at {apps.now:%Y-%m-%d %H:%M}: what was to come by then is there, and no more comes"


def _time(text: str, state: Path | None) -> datetime | Clock | None:
    """A clock that runs, a time at which it stands, or None for the world's own time."""
    from harness.cli.worlds import local_time
    from harness.service.today import real_time, stands_still

    if text == "today":
        if state and stands_still(state):
            say(f"harness: {state} was started in its world's own time, and keeps it", err=True)
        return real_time
    if text == "world":
        return None
    return local_time(text)
