"""`harness list`: what there is, by name."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.saying import say
from harness.core.texts import cut

if TYPE_CHECKING:
    from harness.core.task import Session
    from harness.serving.cost import Cost
    from servers.kernel import App

__all__ = ("list_",)


class What(StrEnum):
    """What can be listed."""

    apps = "apps"
    suites = "suites"
    agents = "agents"
    users = "users"
    tasks = "tasks"


def list_(
    what: Annotated[What, typer.Argument(help="What to list.")],
    suite: Annotated[str | None, typer.Argument(metavar="[SUITE]", help="With tasks: the suite.")] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print a JSON list of name and description; for apps, also their cost.")
    ] = False,
) -> None:
    """List apps, suites, agents, users, or the tasks of a suite."""
    from harness.cli import render
    from harness.cli.problems import CallProblem

    if suite is not None and what is not What.tasks:
        raise typer.BadParameter(f"`harness list {what.value}` takes no suite")
    broken: list[str] = []
    about: dict[str, App] = {}
    match what:
        case What.apps:
            from servers.kernel import addressed

            about, broken = _apps()
            found = {name: first_line(addressed(app.instructions, None)) for name, app in about.items()}
        case What.suites:
            from harness.wiring import catalog

            on_offer = catalog()
            broken = on_offer.broken
            found = {name: entry.description for name, entry in sorted(on_offer.suites.items())}
        case What.agents:
            found = _agents()
        case What.users:
            from harness.wiring import users

            found, broken = users()
        case What.tasks:
            found = _tasks(suite)
    if json:
        more = {name: _costs(app) for name, app in about.items()}
        render.as_json([{"name": name, "description": text, **more.get(name, {})} for name, text in found.items()])
    else:
        width = max(map(len, found), default=0)
        for name, text in found.items():
            say(f"{name:<{width}}  {text}")
            for line in _surfaces(about[name]) if name in about else ():
                say(f"{'':<{width}}  {line}")
        if what is What.apps:
            say(f"\n{_together(about)}")
        elif what is What.tasks and not found:
            say(f"suite {suite} has no tasks", err=True)
    if broken:
        raise CallProblem("\n".join(broken))


def _apps() -> tuple[dict[str, App], list[str]]:
    from servers import catalog
    from servers.kernel.errors import BrokenTool

    found: dict[str, App] = {}
    broken = [*catalog.clashes()]
    for name in catalog.names():
        try:
            app = catalog.app(name)
            for toolset in app.toolsets.values():
                toolset.prepare()  # its cost is told
            found[name] = app
        except (catalog.BrokenApp, BrokenTool) as error:
            broken.append(str(error))
    return found, list(dict.fromkeys(broken))


def _costs(app: App) -> dict[str, Any]:
    """What JSON says of an app beside name and description."""
    from harness.serving.cost import CORE, cost

    toolsets = []
    for name, toolset in app.toolsets.items():
        tools, size = (of := cost(toolset))
        toolsets.append(
            {"name": name, "default": toolset is app.default, "tools": tools, "bytes": size, "tokens": of.tokens}
        )
    return {"core": app.name in CORE, "toolsets": toolsets}


def _surfaces(app: App) -> list[str]:
    """A line for each toolset, in columns."""
    from harness.serving.cost import cost

    rows = [
        (name, *_figures(cost(toolset)), "default" if toolset is app.default and len(app.toolsets) > 1 else "")
        for name, toolset in app.toolsets.items()
    ]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(("", name.ljust(wide[0]), *map(str.rjust, figures, wide[1:]), mark)).rstrip()
        for name, *figures, mark in rows
    ]


def _together(apps: dict[str, App]) -> str:
    """What the default toolsets of the core apps cost a conversation that has them all."""
    from harness.serving.cost import BYTES_PER_TOKEN, core, cost

    together = core(apps.values())
    names = ", ".join(toolset.app.name for toolset in together)
    return (
        f"Default toolsets of the core apps ({names}): {', '.join(_figures(cost(*together)))}.\n"
        f"Bytes of the definitions that clients get; tokens are an estimate, one for every {BYTES_PER_TOKEN} bytes."
    )


def _figures(cost: Cost) -> tuple[str, str, str]:
    tools = f"{cost.tools} tool{'s' if cost.tools != 1 else ''}"
    return tools, f"{cost.bytes:,} bytes", f"about {cost.tokens:,} tokens"


def _agents() -> dict[str, str]:
    from harness.core.agent_config import KINDS

    return {kind: first_line(model.__doc__ or "") for kind, model in KINDS.items()}


def _tasks(suite: str | None) -> dict[str, str]:
    from harness import wiring
    from harness.cli.problems import CallProblem

    if suite is None:
        raise CallProblem(
            f"which suite? `harness list tasks SUITE`, one of {', '.join(sorted(wiring.catalog().suites))}"
        )
    tasks = wiring.suite(suite).tasks
    return {task.id: first_line(_beginning(task.sessions[0])) for task in tasks}


def _beginning(session: Session) -> str:
    if session.event:
        return f"{session.event.source}: {session.event.name}"
    return next(iter(session.requests.values()), "")


def first_line(text: str) -> str:
    """The first line of a text, shortened."""
    return cut(text.strip().partition("\n")[0], 100, "…")
