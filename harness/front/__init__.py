"""The front door from Python: what `from harness import ...` gives (docs/python.md)."""

from harness.agents.function import Session
from harness.agents.toolbox import Tool, ToolError, Tools
from harness.core.config import ConfigProblem, RunConfig
from harness.core.scores import Score
from harness.core.suite import SuiteError
from harness.core.trajectory import CallRecord
from harness.front.evaluating import Evaluation, Progress, evaluate, evaluate_async
from harness.front.opened import AsyncSandbox, AsyncTask, Closed, Sandbox, Snapshot, Task
from harness.front.reading import events, suites, tasks, trials
from harness.front.workplace import Opening, open_task, open_world
from harness.models.replies import ModelError
from harness.record.files import RunError
from servers.catalog import UnknownApp
from servers.kernel import Change, Defect, Fault, StateError, UserFault

__all__ = (
    "AsyncSandbox", "AsyncTask", "CallRecord", "Change", "Closed", "ConfigProblem", "Defect", "Evaluation", "Fault",
    "ModelError", "Opening", "Progress", "RunConfig", "RunError", "Sandbox", "Score", "Session", "Snapshot",
    "StateError", "SuiteError", "Task", "Tool", "ToolError", "Tools", "UnknownApp", "UserFault", "evaluate",
    "evaluate_async", "events", "open_task", "open_world", "suites", "tasks", "trials",
)  # fmt: skip
