"""Suites of task files."""

from harness.core.task_files import calls_path, read_tasks, read_world, task_path, write

__all__ = ("calls_path", "read_tasks", "read_world", "task_path", "write")
