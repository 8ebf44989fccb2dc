"""`harness audit`: do the checks of a suite catch wrong work and pass right work?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.options import Processes
from harness.cli.saying import say
from harness.cli.stopping import stoppable

if TYPE_CHECKING:
    from harness.core.task import Brief
    from servers.kernel import User

__all__ = ("asked", "audit", "line")


def audit(
    suite: Annotated[str, typer.Argument(metavar="SUITE", help="A suite with reference solutions.")],
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N tasks.")] = None,
    task: Annotated[str, typer.Option(metavar="TASK", help="Only this task.")] = "",
    seed: Annotated[int, typer.Option(help="Seed of the draws.")] = 0,
    workers: Processes = 1,
    json: Annotated[bool, typer.Option("--json", help="Print the certificate, one JSON object.")] = False,
    output: Annotated[Path | None, typer.Option(metavar="FILE.json", help="Write the certificate there.")] = None,
) -> None:
    """Find out whether a suite's checks tell right work from wrong.

    Both kinds of work are made from the suite's reference solutions; no model plays. The user who would answer is
    asked for each value that a request withholds, in a dozen ways. Exits with status 1 if wrong work passed, right
    work was refused, a task has a problem, the user does not recognise questions about withheld values, or nothing
    checks a field or rows and the suite does not say why.
    """
    from json import dumps

    from harness.audit import Unchecked
    from harness.audit import audit as examine
    from harness.cli import render
    from harness.cli.files import put
    from harness.cli.problems import CallProblem
    from harness.core.writing import made_folder
    from harness.wiring import suite as load

    if output:
        made_folder(output.parent, CallProblem, f"--output {output}: ")
    with stoppable():
        found = examine(
            load(suite), limit=limit, task=task, seed=seed, workers=workers, loader="harness.wiring:suite", name=suite,
            user=asked,
        )  # fmt: skip
    certificate = found.as_json()
    if output:
        put(output, dumps(certificate, indent=2, ensure_ascii=False) + "\n")
    if json:
        render.as_json(certificate)
    else:
        render.terminal(found.tables())
        say(line(certificate))
    if not found.sound:
        open_ = [fault for fault in found.faults if isinstance(fault, Unchecked)]
        tasks = list(dict.fromkeys(fault.task for fault in found.faults if not isinstance(fault, Unchecked)))
        if tasks:
            have = "task has" if len(tasks) == 1 else "tasks have"
            say(f"{len(tasks)} {have} faults: {', '.join(tasks)}", err=True)
        for each in open_:
            say(each.text, err=True)
        raise typer.Exit(1)


def asked(brief: Brief) -> User:
    """The user that a condition has unless it says otherwise."""
    from harness.core.config import UserConfig
    from harness.wiring import wiring

    return wiring().user(UserConfig(), brief)


def line(certificate: Mapping[str, Any]) -> str:
    """What an audit found, in a line."""
    n = certificate
    told = (
        f"{n['suite']}@{n['version']}, {n['tasks']} task{'s' * (n['tasks'] != 1)}, digest {n['digest'][:12]}: "
        f"{n['caught']} of {n['caught'] + n['survived']} wrong works caught, "
        f"{n['passed']} of {n['passed'] + n['rejected']} right works passed, "
        f"{n['equivalent']} equivalent, {n['open']} open"
    )
    if n["slots"]:
        questions, missed = (sum(each["questions"] for each in n["slots"]), sum(len(e["missed"]) for e in n["slots"]))
        told += f", {questions - missed} of {questions} questions heard"
    return told
