"""What the tools of Doist's own server, and the rows of the paper's table, are called here."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("NOT_OFFERED", "OFFICIAL")

_GOALS = "There are no goals here."
_REMINDERS = "Nothing rings here: a task has a due day and time."
_FILTERS = "The conditions of `find_tasks` are given anew each time."
_STATISTICS = "Figures about work are left to whoever reads the tasks."

_PI = (
    "add_task_label", "assign_task", "create_label", "create_project", "create_section", "create_subtask",
    "create_task", "delete_label", "delete_notifications", "delete_project", "delete_section", "delete_subtask",
    "delete_task", "delete_task_comment", "log_in", "log_out", "mark_notification", "post_task_comment",
    "remove_task_label", "search_labels", "search_users", "update_project", "update_section", "update_subtask",
    "update_task", "update_task_comment", "view_notification_count", "view_notifications", "view_project",
    "view_projects", "view_sections", "view_subtasks", "view_task", "view_task_comment", "view_task_comments",
    "view_tasks",
)  # fmt: skip

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "Doist todoist-mcp": {
        "add-tasks": "default.create_tasks",
        "update-tasks": "default.update_tasks",
        "complete-tasks": "default.complete_tasks",
        "uncomplete-tasks": "default.reopen_tasks",
        "reschedule-tasks": "default.update_tasks",
        "find-tasks": "default.find_tasks",
        "find-tasks-by-date": "default.find_tasks",
        "find-completed-tasks": "default.find_tasks",
        "add-projects": "default.create_project",
        "update-projects": "default.update_project",
        "find-projects": "default.find_projects",
        "project-management": "default.update_project",
        "project-move": "",
        "add-sections": "default.update_project",
        "update-sections": "default.update_project",
        "find-sections": "default.find_projects",
        "add-comments": "default.create_comment",
        "update-comments": "",
        "find-comments": "default.get_task",
        "add-labels": "default.update_tasks",
        "update-labels": "",
        "find-labels": "default.find_projects",
        "add-filters": "",
        "update-filters": "",
        "find-filters": "",
        "add-reminders": "",
        "update-reminders": "",
        "find-reminders": "",
        "add-goals": "",
        "update-goals": "",
        "complete-goals": "",
        "find-goals": "",
        "link-goal-tasks": "",
        "find-activity": "default.find_notifications",
        "find-project-collaborators": "default.find_projects",
        "manage-assignments": "default.update_tasks",
        "get-overview": "default.find_projects",
        "get-productivity-stats": "",
        "get-project-health": "",
        "get-project-activity-stats": "",
        "analyze-project-health": "",
        "get-workspace-insights": "",
        "list-workspaces": "",
        "user-info": "",
        "view-attachment": "",
        "reorder-objects": "",
        "delete-object": "default.delete_object",
        "fetch-object": "default.get_task",
        "search": "default.find_tasks",
        "fetch": "default.get_task",
    },
    "pi": {name: f"pi.{name}" for name in _PI},
}
"""Server, and its tool -> `toolset.tool` of ours, "" where there is none."""

NOT_OFFERED: Mapping[str, str] = {
    "project-move": "There are no workspaces between which a project could move.",
    "update-comments": "`delete_object` deletes a comment of your own, and `create_comment` writes it anew.",
    "update-labels": "A label is its name: give tasks another, and delete the old one.",
    "add-filters": _FILTERS,
    "update-filters": _FILTERS,
    "find-filters": _FILTERS,
    "add-reminders": _REMINDERS,
    "update-reminders": _REMINDERS,
    "find-reminders": _REMINDERS,
    "add-goals": _GOALS,
    "update-goals": _GOALS,
    "complete-goals": _GOALS,
    "find-goals": _GOALS,
    "link-goal-tasks": _GOALS,
    "get-productivity-stats": _STATISTICS,
    "get-project-health": _STATISTICS,
    "get-project-activity-stats": _STATISTICS,
    "analyze-project-health": _STATISTICS,
    "get-workspace-insights": _STATISTICS,
    "list-workspaces": "There is one workplace.",
    "user-info": "The instructions say whose it is.",
    "view-attachment": "Tasks and comments have no attachments.",
    "reorder-objects": "New and moved tasks stand last; nothing else is told by their order.",
}
"""Tools without one of ours, and why."""
