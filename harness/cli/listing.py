"""`harness list`: what there is, by name."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from harness.core.task import Session

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
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list of name and description.")] = False,
) -> None:
    """List apps, suites, agents, users, or the tasks of a suite."""
    from harness.cli import render
    from harness.cli.problems import CallProblem

    if suite is not None and what is not What.tasks:
        raise typer.BadParameter(f"`harness list {what.value}` takes no suite")
    broken: list[str] = []
    match what:
        case What.apps:
            found, broken = _apps()
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
        render.as_json([{"name": name, "description": text} for name, text in found.items()])
    else:
        width = max(map(len, found), default=0)
        for name, text in found.items():
            typer.echo(f"{name:<{width}}  {text}")
    if broken:
        raise CallProblem("\n".join(broken))


def _apps() -> tuple[dict[str, str], list[str]]:
    from servers import catalog

    found: dict[str, str] = {}
    broken: list[str] = []
    for name in catalog.names():
        try:
            found[name] = first_line(catalog.app(name).instructions)
        except catalog.BrokenApp as error:
            broken.append(str(error))
    return found, broken


def _agents() -> dict[str, str]:
    from harness.core.config_file import KINDS

    return {kind: first_line(model.__doc__ or "") for kind, model in KINDS.items()}


def _tasks(suite: str | None) -> dict[str, str]:
    from harness import wiring
    from harness.cli.problems import CallProblem

    if suite is None:
        raise CallProblem(
            f"of which suite? `harness list tasks SUITE`, one of {', '.join(sorted(wiring.catalog().suites))}"
        )
    tasks = wiring.suite(suite).tasks
    return {task.id: first_line(_beginning(task.sessions[0])) for task in tasks}


def _beginning(session: Session) -> str:
    if session.event:
        return f"{session.event.source}: {session.event.name}"
    return next(iter(session.requests.values()), "")


def first_line(text: str, width: int = 100) -> str:
    """The first line of a text, shortened."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= width else line[: width - 1] + "…"
