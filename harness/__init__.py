"""Connects agents to sandboxed apps, plays tasks, records and scores them. From Python: docs/python.md."""

from __future__ import annotations

import sys
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
