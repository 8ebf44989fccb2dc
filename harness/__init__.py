"""Connects agents to sandboxed apps, plays tasks, records and scores them. From Python: docs/python.md."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.front import (
        AsyncSandbox,
        AsyncTask,
        CallRecord,
        Change,
        Closed,
        ConfigProblem,
        Defect,
        Evaluation,
        Fault,
        ModelError,
        Opening,
        Progress,
        RunConfig,
        RunError,
        Sandbox,
        Score,
        Session,
        Snapshot,
        StateError,
        SuiteError,
        Task,
        Tool,
        ToolError,
        Tools,
        UnknownApp,
        UserFault,
        evaluate,
        evaluate_async,
        events,
        open_task,
        open_world,
        suites,
        tasks,
        trials,
    )

__all__ = (
    "AsyncSandbox", "AsyncTask", "CallRecord", "Change", "Closed", "ConfigProblem", "Defect", "Evaluation", "Fault",
    "ModelError", "Opening", "Progress", "RunConfig", "RunError", "Sandbox", "Score", "Session", "Snapshot",
    "StateError", "SuiteError", "Task", "Tool", "ToolError", "Tools", "UnknownApp", "UserFault", "evaluate",
    "evaluate_async", "events", "open_task", "open_world", "suites", "tasks", "trials",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """What the front door offers, imported when asked for: whoever wants another part of the package waits for none."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__])
    from harness import front

    return getattr(front, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _check_beside() -> None:
    """Raises `ImportError` where a package that is installed with this one is somebody else's, first on the path."""
    home = Path(__file__).resolve().parents[1]
    for name in ("servers", "benchmarks", "userssim"):
        if (found := find_spec(name)) is None:
            continue
        where = found.origin or next(iter(found.submodule_search_locations or ()), "")
        if not Path(where).resolve().is_relative_to(home / name):
            raise ImportError(
                f"`{name}` is {where} here, and not {home / name}, which `harness` needs: rename yours, or run Python "
                "where its folder does not come first on the path",
                name=name,
                path=where,
            )


_check_beside()
