"""`harness capture`: a job that a person does in any MCP client becomes a draft task, and is audited at once."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from harness.cli.files import filled
from harness.cli.options import Port
from harness.cli.problems import CallProblem
from harness.cli.saying import say
from harness.cli.typed import typed
from harness.cli.worlds import edits_in
from harness.wiring import world_named

if TYPE_CHECKING:
    from harness.core.suite import Suite
    from harness.core.task import Task
    from harness.core.trajectory import CallRecord
    from servers.kernel import Change, Edit, Toolset, World

__all__ = ("capture",)

_NAME = re.compile(r"[A-Za-z0-9]+([-_.][A-Za-z0-9]+)*")
_LONGEST = 80


def capture(
    task: Annotated[str, typer.Argument(metavar="SUITE:TASK", help="The suite to add to, and the new task's id.")],
    apps: Annotated[
        list[str] | None,
        typer.Argument(metavar="[APP]...", help="Apps that the task opens; by default all in the world."),
    ] = None,
    world: Annotated[
        str | None, typer.Option(metavar="W", help="Starting rows, if not those of the suite's first task.")
    ] = None,
    setup: Annotated[
        Path | None, typer.Option(metavar="FILE.json", help="Rows to add, change or remove before you start.")
    ] = None,
    request: Annotated[str, typer.Option(help="What the task asks for; if missing, you are asked at the end.")] = "",
    port: Port = 0,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per line: the sandbox, then the draft.")
    ] = False,
) -> None:
    """Do a job in your own client and have it written as a task. The draft is audited.

    Ends with status 1 when no draft could be made, or the audit finds a fault in it.
    """
    from harness.core.config import Condition
    from harness.core.task_files import calls_path
    from harness.play.stage import toolsets_for

    suite, id = _place(task)
    assert suite.files is not None, "`_place` sees to that"
    start, new_world = _world(suite, world)
    toolsets = toolsets_for(suite, Condition(), apps or tuple(start.rows))
    edits = edits_in(setup)
    calls_file = calls_path(suite.files, id)
    _reserve(calls_file)
    try:
        did, said = _served(start, toolsets, edits, calls_file, request, port, as_json=json)
    finally:
        if not calls_file.stat().st_size:
            calls_file.unlink()
    if all(call.status != "ok" for call in did.calls):
        calls_file.unlink(missing_ok=True)
        say("harness: no call succeeded, so there is no task to write", err=True)
        raise typer.Exit(1)
    if new_world:
        with filled(place := suite.files / "worlds" / start.name):
            start.write(place)
    _write(suite, id, request or said, start, toolsets, edits, did, as_json=json)


class _Did(NamedTuple):
    """What a person did: every call, and what differs from the start."""

    calls: Sequence[CallRecord]
    changes: Sequence[Change]


def _place(wanted: str) -> tuple[Suite, str]:
    """The suite and the new task's id, once it is sure that the draft has a place to go."""
    from harness import wiring
    from harness.core.task_files import calls_path, task_path

    name, colon, id = wanted.rpartition(":")
    if not colon:
        raise CallProblem(f"{wanted}: a task goes into a suite: write SUITE:{id}; `harness new suite NAME` starts one")
    if not _NAME.fullmatch(id) or len(id) > _LONGEST:
        raise CallProblem(
            f"{id!r} is not a valid name for a task: use letters and digits, with single hyphens, dots or underscores "
            f"between them, {_LONGEST} at most"
        )
    suite = wiring.suite(name)
    if suite.files is None:
        raise CallProblem(
            f"suite {name} keeps no task files: capture into one that `harness new suite NAME` started "
            f"(`--world {name}` gives it these rows), or see docs/suites.md"
        )
    if any(task.id == id for task in suite.tasks):
        raise CallProblem(f"suite {name} already has a task {id!r}; choose another name")
    for path in (task_path(suite.files, id), calls_path(suite.files, id)):
        if path.exists():
            raise CallProblem(f"{_shown(path)} already exists; choose another name, or move it away")
    return suite, id


def _reserve(path: Path) -> None:
    """Make the file that calls are kept in, so that nobody works who could not keep them."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("x").close()
    except OSError as error:
        raise CallProblem(f"{_shown(path)} cannot be written: {error.strerror}") from None


def _world(suite: Suite, wanted: str | None) -> tuple[World, bool]:
    """The world to start from, and whether the suite does not have it yet."""
    from harness.core.suite import SuiteError

    if wanted is None:
        if not suite.tasks:
            raise CallProblem(f"suite {suite.name} has no task whose world it could be: name one with --world")
        return suite.load_world(suite.tasks[0].world), False
    found = world_named(wanted)
    try:
        own = suite.world(found.name)
    except SuiteError:
        if not _NAME.fullmatch(found.name):
            raise CallProblem(f"--world {wanted}: {found.name!r} cannot be a folder's name; rename the world") from None
        if suite.worlds:
            raise CallProblem(
                f"--world {wanted}: suite {suite.name} declares its worlds: "
                f"add {found.name!r}: {found.digest!r} to them first"
            ) from None
        return found, True
    if own.digest != found.digest:
        raise CallProblem(f"--world {wanted}: suite {suite.name} has another world called {found.name!r}")
    return suite.load_world(found.name), False


def _served(
    world: World,
    toolsets: Mapping[str, Toolset],
    setup: Sequence[Edit],
    calls_file: Path,
    request: str,
    port: int,
    *,
    as_json: bool,
) -> tuple[_Did, str]:
    """Serve a sandbox until the person is done; what they did, and what they typed at the end."""
    import anyio

    from harness.cli import render, waiting
    from harness.service.standalone import Log
    from harness.serving.offer import urls
    from harness.serving.sandbox import Sandbox
    from harness.serving.toolsets import apps_of
    from servers.kernel import Engine

    async def serve(sandbox: Sandbox) -> str:
        async with urls(sandbox, port, person=True) as found:
            if as_json:
                render.as_json_line({"world": world.name, "now": world.now.isoformat(), "urls": found})
            else:
                say(f"It is {world.now:%Y-%m-%d %H:%M} in world {world.name}.")
                if request:
                    say(f"\nThe request:\n\n  {request}\n")
                waiting.show_entry(found)
                then = "press" if request else "type in one line what one would have to ask for, and press"
                say(f"Do the job in your client, then {then} Enter.")
            return await waiting.for_a_line()

    engine = Engine()
    try:
        layer = engine.layer(engine.load(world), setup, apps_of(toolsets))
        sandbox = Sandbox(layer, toolsets, listener=Log(calls_file))
        said = anyio.run(serve, sandbox)
        return _Did(sandbox.calls, layer.changes()), said.strip()
    finally:
        engine.close()


def _write(
    suite: Suite,
    id: str,
    request: str,
    world: World,
    toolsets: Mapping[str, Toolset],
    setup: Sequence[Edit],
    did: _Did,
    *,
    as_json: bool,
) -> None:
    """Write the draft, audit it where it now belongs, and say what became of it."""
    from harness import wiring
    from harness.audit import audit
    from harness.capture import draft
    from harness.cli import render
    from harness.cli.auditing import asked, line
    from harness.core.task_files import write

    assert suite.files is not None
    task = draft(suite, id, request, world, toolsets, did.calls, did.changes, setup)
    path = write(suite.files, task)
    if not as_json:
        _tell(suite, task, path)
    loaded = wiring.suite(suite.name)
    if all(each.id != id for each in loaded.tasks):
        raise CallProblem(
            f"{_shown(path)} is written, but suite {suite.name} does not list it: add `*read_tasks(FILES)` to its tasks"
        )
    found = audit(loaded, task=id, user=asked)
    if as_json:
        render.as_json_line(
            {
                "file": str(path),
                "task": task.model_dump(mode="json"),
                "changes": [change.model_dump(mode="json") for change in did.changes],
                "audit": found.as_json(),
            }
        )
    else:
        render.terminal([table for table in found.tables() if table.title == "Audit: findings"])
        say(line(found.as_json()))
    if not request:
        say(f"harness: the draft has no request yet; write it into {_shown(path)}", err=True)
    for each in found.unchecked:
        if each.fails:
            say(f"harness: {each.text}", err=True)
    if not found.sound:
        say(
            f"harness: the audit found fault with the draft, which is kept: fix {_shown(path)}, then "
            f"`{typed('audit', suite.name, '--task', id)}`",
            err=True,
        )
    if not request or not found.sound:
        raise typer.Exit(1)


def _tell(suite: Suite, task: Task, path: Path) -> None:
    from harness.capture import FACTS
    from harness.cli import stories

    say(f"\n{stories.of_task(suite, task.model_copy(update={'facts': {}}))}")
    captured: Mapping[str, Any] = task.facts[FACTS]
    told = [*(f"{field} is {reason}" for field, reason in captured["compare"].items()), *captured["notes"]]
    if told:
        say("\nWhy so:")
        say("\n".join(f"  {each}" for each in told))
    say(f"\n{_shown(path)}\n")


def _shown(path: Path) -> str:
    return os.path.relpath(path.resolve())
