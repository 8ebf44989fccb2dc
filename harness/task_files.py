"""Suites of task files."""

from harness.core.task_files import TASK_SCHEMA, calls_path, read_tasks, read_world, schema, task_path, write

__all__ = ("TASK_SCHEMA", "calls_path", "read_tasks", "read_world", "schema", "task_path", "write")
