"""Todoist: tasks and projects, for models at work (`default`) and as the paper's table of tools has them (`pi`)."""

from servers.todoist import default, pi, pi_tasks, projects
from servers.todoist.tables import app

__all__ = ("app", "default", "pi", "pi_tasks", "projects")
