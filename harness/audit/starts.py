"""Can tasks be opened at all? Rows of their worlds, their apps, what is set up and arrives, names in their ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.audit.trying import Finding
from harness.audit.workplace import toolsets, written
from harness.core.suite import Suite, SuiteError
from harness.core.task import Task
from harness.core.task_briefs import unknown_names
from harness.play.arriving import Unfit, laid_out
from harness.serving.toolsets import apps_of
from servers.catalog import UnknownApp
from servers.kernel import App, Engine, StateError

__all__ = ("unplayable",)


def unplayable(suite: Suite, tasks: Sequence[Task]) -> list[Finding]:
    """What keeps tasks from being played and judged; the others are as good as they were.

    Raises `SuiteError` for a world that cannot be loaded, with the file and line of the row that does not fit: every
    task that starts from it would fail for that alone.
    """
    found: list[Finding] = []
    opened: dict[str, list[tuple[Task, list[App]]]] = {}
    for task in tasks:
        found += [Finding(task.id, "ends", "problem", f"{written(suite, task)}{text}") for text in unknown_names(task)]
        try:
            apps = apps_of(toolsets(suite, task.apps, task.toolsets))
        except UnknownApp as error:
            found.append(Finding(task.id, "apps", "problem", f"{written(suite, task)}apps: {error}"))
            continue
        except SuiteError as error:
            if not task.toolsets:
                raise
            found.append(Finding(task.id, "apps", "problem", f"{written(suite, task)}toolsets: {error}"))
            continue
        opened.setdefault(task.world, []).append((task, apps))
    for world, those in opened.items():
        found += _in_world(suite, world, those)
    return found


def _in_world(suite: Suite, name: str, tasks: Sequence[tuple[Task, list[App]]]) -> Iterator[Finding]:
    try:
        world = suite.load_world(name)
    except SuiteError as error:
        raise SuiteError(f"task {tasks[0][0].id}: {error}") from error
    engine = Engine()
    try:
        base = engine.load(world)
        for app in {app.name: app for _, apps in tasks for app in apps}.values():
            for table in app.tables:
                base.shelf(app, table)
        for task, apps in tasks:
            if task.setup or task.arrivals:
                try:
                    laid_out(engine, base, task, apps).close()
                except StateError as error:
                    which = "" if isinstance(error, Unfit) else f"setup: it does not fit world {name!r}: "
                    yield Finding(task.id, "setup", "problem", f"{written(suite, task)}{which}{error}")
    except StateError as error:
        raise SuiteError(f"suite {suite.name}: {error}") from error
    finally:
        engine.close()
