"""Sandboxes for tests of agents, and for programs that open many: what `harness.open_task` opens, several at a time."""

from harness.front.opened import Sandbox as LiveSandbox
from harness.front.opened import Task as LiveTask
from harness.front.opened import as_text
from harness.front.workplace import Workplace

__all__ = ("LiveSandbox", "LiveTask", "Workplace", "as_text")
