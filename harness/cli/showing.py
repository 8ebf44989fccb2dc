"""`harness show`: a task readably, or a trial step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from harness.store import Run
    from harness.suite import Suite
    from harness.task import Task

__all__ = ("find_task", "find_trial", "show")


def show(
    what: Annotated[str, typer.Argument(metavar="TASK | RUN", help="A task's id (or SUITE:TASK), or a run's folder.")],
    trial: Annotated[str | None, typer.Argument(help="With a run: the trial, by any unique part of its name.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print it as JSON, whole.")] = False,
) -> None:
    """Show a task; or what happened in a trial: messages, calls, rows written, questions, outcome."""
    from harness.cli import render, stories
    from harness.cli.problems import CallProblem
    from harness.store import Run

    if (Path(what) / "run.json").exists() or trial is not None:
        run = Run.open(Path(what))
        if trial is None:
            raise CallProblem(f"which trial? `harness show {what} TRIAL`, such as one of:\n{_some(_names(run))}")
        record = run.read(run.folder / "trials" / find_trial(run, trial))
        if json:
            render.as_json(record.model_dump(mode="json"))
        else:
            typer.echo(stories.of_trial(record))
        return
    suite, task = find_task(what)
    if json:
        render.as_json(task.model_dump(mode="json"))
    else:
        typer.echo(stories.of_task(suite, task))


def find_trial(run: Run, wanted: str) -> str:
    """The file name of the one trial whose name holds `wanted`. Raises `CallProblem` listing candidates."""
    from harness.cli.problems import CallProblem
    from harness.config_file import near

    names = _names(run)
    found = [name for name in names if name.startswith(f"{wanted}-")] or [name for name in names if wanted in name]
    if len(found) == 1:
        return found[0]
    if found:
        raise CallProblem(f"{len(found)} trials of {run.folder} match {wanted!r}; say more:\n{_some(found)}")
    stems = [name.rpartition("-")[0] for name in names]
    raise CallProblem(f"no trial of {run.folder} matches {wanted!r}.{near(wanted, stems)} There are:\n{_some(names)}")


def _names(run: Run) -> list[str]:
    return sorted(path.name for path in (run.folder / "trials").glob("*.json"))


def _some(names: list[str], most: int = 10) -> str:
    lines = [f"  {name.removesuffix('.json')}" for name in names[:most]]
    return "\n".join([*lines, f"  ... and {len(names) - most} more"] if len(names) > most else lines)


def find_task(wanted: str) -> tuple[Suite, Task]:
    """A task by `SUITE:TASK`, or by its id in whichever suite has it."""
    from harness.cli import wiring
    from harness.cli.problems import CallProblem
    from harness.config_file import near
    from harness.suite import SuiteError

    entries = wiring.catalog().suites
    suite_name, colon, id = wanted.rpartition(":")
    if colon and suite_name in entries:
        suite = wiring.suite(suite_name)
        return suite, suite.task(id)
    known: dict[str, list[Suite]] = {}
    unread: list[str] = []
    for name in entries:
        try:
            suite = wiring.suite(name)
        except SuiteError as error:
            unread.append(f"\n(not searched: {error})")
            continue
        for task in suite.tasks:
            known.setdefault(task.id, []).append(suite)
    found = known.get(wanted, [])
    if len(found) > 1:
        names = " or ".join(f"{suite.name}:{wanted}" for suite in found)
        raise CallProblem(f"several suites have a task {wanted!r}: write {names}")
    if not found:
        raise CallProblem(
            f"no suite has a task {wanted!r}, and it is not a run folder.{near(wanted, known)} "
            f"See `harness list tasks SUITE`.{''.join(unread)}"
        )
    return found[0], found[0].task(wanted)
