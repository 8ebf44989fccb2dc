"""What a command is to work on, by the names that people give: a run with its suite, a trial, a task."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.saying import say

if TYPE_CHECKING:
    from harness.core.suite import Suite
    from harness.core.task import Task
    from harness.record.store import Run

__all__ = ("find_task", "find_trial", "names", "opened", "some")


def opened(folder: Path) -> tuple[Run, Suite]:
    """A run and the suite it was played on. Raises `RunError` and `SuiteError`."""
    from harness.record.files import RunError
    from harness.record.store import Run
    from harness.report.reading import reopened
    from harness.wiring import suite

    run = Run.open(folder)
    found, same = reopened(run, suite)
    if not same:
        raise RunError(
            f"{folder} was played on {run.head.suite}@{run.head.suite_version} ({run.head.suite_digest[:12]}), "
            f"and what is here now is @{found.version} ({found.digest[:12]}): install that version, or play it again"
        )
    return run, found


def find_trial(run: Run, wanted: str) -> str:
    """The file name of the one trial whose name holds `wanted`. Raises `CallProblem` listing candidates."""
    from harness.cli.problems import CallProblem
    from harness.core.near import near

    known = names(run)
    found = [name for name in known if name.startswith(f"{wanted}-")] or [name for name in known if wanted in name]
    if len(found) == 1:
        return found[0]
    if found:
        raise CallProblem(
            f"{len(found)} trials of {run.folder} match {wanted!r}; give more of its name:\n{some(found)}"
        )
    stems = [name.rpartition("-")[0] for name in known]
    raise CallProblem(f"no trial of {run.folder} matches {wanted!r}.{near(wanted, stems)} There are:\n{some(known)}")


def names(run: Run) -> list[str]:
    """The files of a run's trials."""
    return [path.name for path in run.files()]


def some(names: list[str], most: int = 10) -> str:
    """The first of a list, each in a line of its own, and how many more there are."""
    lines = [f"  {name.removesuffix('.json')}" for name in names[:most]]
    return "\n".join([*lines, f"  ... and {len(names) - most} more"] if len(names) > most else lines)


def find_task(wanted: str) -> tuple[Suite, Task]:
    """A task by `SUITE:TASK`, or by its id in whichever suite has it."""
    from harness import wiring
    from harness.cli.problems import CallProblem
    from harness.core.gc_paused import gc_paused
    from harness.core.near import near
    from harness.core.suite import SuiteError

    entries = wiring.catalog().suites
    suite_name, colon, id = wanted.rpartition(":")
    if colon and (suite_name in entries or Path(suite_name, "suite.json").is_file()):
        suite = wiring.suite(suite_name)
        return suite, suite.task(id)
    if colon and (meant := _close(suite_name, entries)):
        raise CallProblem(f"no suite is named {suite_name!r}.{meant} See `harness list suites`.")
    if len(entries) > 1:  # each is loaded, as a second one may have a task of that id: that takes seconds
        say(f"looking for {wanted} in {len(entries)} suites; SUITE:{wanted} is found at once", err=True)
    known: dict[str, list[Suite]] = {}
    unread: list[str] = []
    with gc_paused():  # what is loaded stays, and looking through it is a fifth of the time
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


def _close(name: str, suites: Iterable[str]) -> str:
    """Which suites somebody may have meant: those whose names begin so, or are close; "" for what is like none."""
    from harness.core.near import near

    longer = [each for each in suites if each.startswith(name)] if name else []
    return f" Did you mean {' or '.join(map(repr, longer))}?" if longer else near(name, suites)
