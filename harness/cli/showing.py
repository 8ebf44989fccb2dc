"""`harness show`: a task readably, a run at a glance, or a trial step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.saying import say

__all__ = ("show",)


def show(
    what: Annotated[str, typer.Argument(metavar="TASK | RUN", help="A task's id (or SUITE:TASK), or a run's folder.")],
    trial: Annotated[
        str | None,
        typer.Argument(help="With a run: the trial, by any unique part of its name; without it, how all trials ended."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print all of it as JSON.")] = False,
) -> None:
    """Show a task, how a run's trials ended, or one trial in detail.

    A trial is shown with its messages, calls, rows written, questions and outcome.
    """
    from harness.cli import render, stories
    from harness.cli.finding import find_task, find_trial, opened
    from harness.cli.overview import overview
    from harness.record.judgements import FOLDER, judged
    from harness.record.shape import shape
    from harness.record.store import Run

    if (Path(what) / "run.json").exists() or trial is not None:
        run = Run.open(Path(what))
        if trial is None:
            found = overview(run)
            if json:
                render.as_json(found.as_json())
            else:
                render.terminal([found.table()])
                say("\n".join(found.hints()))
            for file, problem in found.unread:
                say(f"not counted: {run.folder / 'trials' / file} {problem}", err=True)
            return
        record = run.read(run.folder / "trials" / find_trial(run, trial))
        if (run.folder / FOLDER).is_dir():
            record = judged(run, opened(run.folder)[1], [record])[0]
        if json:
            render.as_json(shape(record))
        else:
            say(stories.of_trial(record))
        return
    if Path(what).exists() or ("/" in what and ":" not in what):
        Run.open(Path(what))  # says what is missing there
    suite, task = find_task(what)
    if json:
        render.as_json(task.model_dump(mode="json"))
    else:
        say(stories.of_task(suite, task))
