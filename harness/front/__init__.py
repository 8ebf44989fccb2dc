"""The front door from Python: what `from harness import ...` gives (docs/python.md)."""

from harness.agents.function import Session
from harness.agents.toolbox import Tool, ToolError, Tools
from harness.core.config import ConfigProblem, RunConfig
from harness.core.suite import SuiteError
from harness.front.evaluating import Evaluation, Progress, evaluate, evaluate_async
from harness.front.opened import AsyncSandbox, AsyncTask, Closed, Sandbox, Snapshot, Task
from harness.front.reading import events, suites, tasks, trials
from harness.front.workplace import Opening, open_task, open_world
from harness.record.store import RunError

__all__ = (
    "AsyncSandbox", "AsyncTask", "Closed", "ConfigProblem", "Evaluation", "Opening", "Progress", "RunConfig",
    "RunError", "Sandbox", "Session", "Snapshot", "SuiteError", "Task", "Tool", "ToolError", "Tools", "evaluate",
    "evaluate_async", "events", "open_task", "open_world", "suites", "tasks", "trials",
)  # fmt: skip
