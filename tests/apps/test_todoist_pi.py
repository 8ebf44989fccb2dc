"""Todoist as the paper's table of tools has it, over the rows that `default` has too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.kernel import Engine
from servers.todoist import app
from servers.todoist.official import NOT_OFFERED, OFFICIAL
from tests.apps.test_todoist import INES, MEI, ROWS, SAM, TARIQ, Todoist, engine, opened

__all__ = ("engine",)

ACCOUNTS = [
    {"id": "A1", "username": INES, "password": "blue-kite", "name": "Ines Okafor"},
    {"id": "A2", "username": SAM, "password": "tin-drum", "name": "Sam Lund"},
]


class Pi(Todoist):
    toolset = "pi"

    def ids(self, tool: str, **arguments: Any) -> list[str]:
        return [item["id"] for item in self(tool, **arguments)["items"]]

    def logged_out(self) -> Pi:
        self("log_out")
        return self


@pytest.fixture
def pi(engine: Engine) -> Iterator[Pi]:
    """Ines is logged in when it begins."""
    layer = opened(engine, {**ROWS, "accounts": ACCOUNTS, "logins": [{"id": "L1", "username": INES}]}, None)
    yield Pi(app, layer)
    layer.close()


def test_the_rows_of_the_table_are_offered() -> None:
    assert len(OFFICIAL["pi"]) == 36
    assert set(OFFICIAL["pi"]) == set(app.toolset("pi").tools)


def test_every_official_tool_has_one_of_ours_or_a_reason() -> None:
    named = [(name, ours) for server in OFFICIAL.values() for name, ours in server.items()]

    assert {name for name, ours in named if not ours} == set(NOT_OFFERED)
    for toolset, _, tool in (ours.partition(".") for _, ours in named if ours):
        assert tool in app.toolset(toolset).tools


def test_without_a_login_nothing_is_shown(pi: Pi) -> None:
    pi.logged_out()
    task, project = {"task_id": "T4"}, {"project_id": "P1"}

    for tool, arguments in (
        ("view_tasks", {}),
        ("view_projects", {}),
        ("view_task", task),
        ("search_labels", {}),
        ("search_users", {}),
        ("view_notifications", {}),
        ("create_task", {"title": "x"}),
        ("delete_project", project),
    ):
        assert "use `log_in` with" in pi.refusal(tool, **arguments)
    assert "No account has that" in pi.refusal("log_in", username=INES, password="blue")
    assert pi.refusal("log_out") == "Nobody is logged in."


def test_each_account_sees_what_is_its_own_or_shared_with_it(pi: Pi) -> None:
    assert pi.ids("view_projects") == ["P2", "P1", "P5"]
    pi("log_in", username=SAM, password="tin-drum")

    assert pi.ids("view_projects") == ["P2", "P4"]
    assert "T9" in pi.ids("view_tasks")
    assert pi.ids("search_labels") == ["L1", "L3"]
    assert pi.ids("view_notifications") == ["N4", "N2"]
    for tool, arguments in (
        ("view_project", {"project_id": "P1"}),
        ("view_task", {"task_id": "T4"}),
        ("view_task_comment", {"comment_id": "C1"}),
        ("delete_label", {"label_id": "L2"}),
        ("mark_notification", {"notification_id": "N3"}),
        ("update_section", {"section_id": "S1", "name": "x"}),
    ):
        assert "has the id" in pi.refusal(tool, **arguments)


def test_without_accounts_nobody_logs_in(engine: Engine) -> None:
    pi = Pi(app, opened(engine, ROWS, None))

    assert pi.ids("view_tasks", project_id="P4") == ["T9"]


def test_people_are_found_by_name_and_address(pi: Pi) -> None:
    assert pi.ids("search_users", query="LUND") == ["U1", "U3"]
    assert pi.ids("search_users", query="mei.novak@") == ["U2"]


def test_projects_are_made_changed_and_deleted_with_everything_in_them(pi: Pi) -> None:
    assert pi("create_project", name="Move", description="In May.")["owner"] == INES
    assert pi("update_project", project_id="P6", favorite=True, archived=True)["archived"] is True
    assert pi.ids("view_projects", archived=True) == ["P6", "P3"]
    assert pi.ids("view_projects", archived=None) == ["P2", "P6", "P1", "P3", "P5"]
    assert pi("view_project", project_id="P1")["members"] == [TARIQ, MEI]
    assert pi("delete_project", project_id="P1") == "Project P1 deleted, with tasks: 5."
    assert pi.tables() == {"projects", "sections", "tasks", "task_labels", "comments"}
    assert f"belongs to {MEI}" in pi.refusal("delete_project", project_id="P5")
    assert "Nothing to change: give at least one of name" in pi.refusal("update_project", project_id="P2")


def test_sections_are_made_renamed_and_deleted_with_their_tasks(pi: Pi) -> None:
    assert pi("create_section", project_id="P1", name="Later")["position"] == 3
    assert pi("update_section", section_id="S2", name="Looks")["name"] == "Looks"
    assert pi.ids("view_sections", project_id="P1") == ["S1", "S2", "S4"]
    assert pi("delete_section", section_id="S1") == "Section S1 deleted, with tasks: 3."
    assert pi.changes() == dict.fromkeys(("T1", "T2", "T3"))
    assert "Project P3 is archived" in pi.refusal("create_section", project_id="P3", name="x")


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({}, ["T6", "T7", "T1", "T2", "T3", "T4", "T5"]),
        ({"project_id": "inbox"}, ["T6", "T7"]),
        ({"section_id": "S2"}, ["T4"]),
        ({"completed": True}, ["T10"]),
        ({"project_id": "P1", "completed": None}, ["T10", "T1", "T2", "T3", "T4"]),
        ({"query": "draft"}, ["T2", "T3"]),
        ({"due_after": "2023-11-29", "due_before": "2023-11-30"}, ["T6", "T5"]),
    ],
)
def test_tasks_are_listed_project_by_project(pi: Pi, conditions: dict[str, Any], expected: list[str]) -> None:
    assert pi.ids("view_tasks", **conditions) == expected


def test_a_task_is_shown_with_its_own_labels(pi: Pi) -> None:
    shown = pi("view_task", task_id="T4")

    assert (shown["task"]["content"], shown["labels"]) == ("Redraw icons", ["waiting"])


def test_tasks_and_subtasks_are_made_and_changed(pi: Pi) -> None:
    made = pi("create_task", title="Launch", section_id="S2", due="2023-12-12 09:30", priority="p1")
    sub = pi("create_subtask", task_id="T11", title="Press", recurrence="every friday")

    assert (made["project_id"], made["due_time"], made["position"]) == ("P1", "09:30", 1)
    assert (sub["parent_id"], sub["section_id"], sub["due_date"]) == ("T11", "S2", "2023-12-01")
    assert pi.ids("view_subtasks", task_id="T11") == ["T12"]
    assert pi("update_subtask", subtask_id="T12", title="Radio", recurrence="none")["content"] == "Radio"
    assert pi("update_task", task_id="T11", project_id="P2", priority="p4")["project_id"] == "P2"
    assert pi.changes()["T12"]["project_id"] == "P2"
    assert "T4 is a task of its own" in pi.refusal("update_subtask", subtask_id="T4", title="x")
    assert "T4 is a task of its own" in pi.refusal("delete_subtask", subtask_id="T4")
    assert "Nothing to change" in pi.refusal("update_task", task_id="T4")
    assert "title must not be empty" in pi.refusal("create_task", title=" ")


def test_completing_a_task_completes_what_is_below_it_and_moves_on_what_recurs(pi: Pi) -> None:
    pi("update_task", task_id="T1", completed=True)
    assert set(pi.changes()) == {"T1", "T2", "T3"}
    pi("update_task", task_id="T1", completed=True)
    pi("update_subtask", subtask_id="T3", completed=False)
    assert pi.changes() == {}

    assert pi("update_task", task_id="T5", completed=True)["due_date"] == "2023-12-02"


def test_tasks_are_deleted_with_their_subtasks(pi: Pi) -> None:
    assert pi("delete_subtask", subtask_id="T2") == "Tasks deleted: 2."
    assert pi("delete_task", task_id="T4") == "Tasks deleted: 1."
    assert pi.changes() == dict.fromkeys(("T2", "T3", "T4"))


def test_a_task_is_assigned_within_its_project_and_taken_away_again(pi: Pi) -> None:
    assert pi("assign_task", task_id="T2", assignee="Novak")["assignee"] == MEI
    assert pi.tables() == {"tasks"}
    assert "assignee" not in pi("assign_task", task_id="T4")
    assert pi.changes() == {"T2": {"assignee": MEI}, "T4": {"assignee": None}}
    assert "is not in project P1" in pi.refusal("assign_task", task_id="T2", assignee=SAM)


def test_labels_are_made_borne_taken_off_and_deleted(pi: Pi) -> None:
    assert pi("create_label", name="launch")["id"] == "L4"
    pi("add_task_label", task_id="T1", label_id="L4")
    assert pi.changes("task_labels") == {"TL5": {"task_id": "T1", "label_id": "L4"}}
    assert "Task T1 has the label L4 (launch) already" in pi.refusal("add_task_label", task_id="T1", label_id="L4")
    pi("remove_task_label", task_id="T1", label_id="L4")
    assert "Task T1 has no label L4" in pi.refusal("remove_task_label", task_id="T1", label_id="L4")
    pi("delete_label", label_id="L1")
    assert pi.changes("task_labels") == {"TL1": None, "TL2": None}
    assert pi.ids("search_labels", query="WAIT") == ["L2"]
    assert "there is a label 'waiting' already, L2" in pi.refusal("create_label", name="Waiting")


def test_comments_are_posted_changed_and_deleted_by_who_wrote_them(pi: Pi) -> None:
    assert pi("post_task_comment", task_id="T1", text="Soon.")["author"] == INES
    assert pi.ids("view_task_comments", task_id="T4") == ["C1", "C2"]
    assert pi("view_task_comment", comment_id="C1")["text"] == "Which sizes?"
    assert pi("update_task_comment", comment_id="C2", text="Both sizes.")["posted"] == "2023-11-27T09:30:00"
    pi("delete_task_comment", comment_id="C3")
    assert pi.changes("comments") == {"C2": {"text": "Both sizes."}}
    assert f"Comment C1 is by {TARIQ}" in pi.refusal("update_task_comment", comment_id="C1", text="x")
    assert f"Comment C1 is by {TARIQ}" in pi.refusal("delete_task_comment", comment_id="C1")
    assert "text must not be empty" in pi.refusal("post_task_comment", task_id="T1", text=" ")


def test_notifications_are_counted_marked_and_deleted(pi: Pi) -> None:
    assert pi.ids("view_notifications") == ["N3", "N2", "N1"]
    assert [pi("view_notification_count", read=read)["count"] for read in (None, True, False)] == [3, 1, 2]
    assert pi("mark_notification", notification_id="N2")["read"] is True
    assert pi("delete_notifications", all_read=True) == "Notifications deleted: 2."
    assert pi("delete_notifications", notification_ids=["N3"]) == "Notifications deleted: 1."
    assert pi.changes("notifications") == dict.fromkeys(("N1", "N2", "N3"))
    assert "Which ones? Give notification_ids" in pi.refusal("delete_notifications")
    assert "No notification has the id 'N4'" in pi.refusal("delete_notifications", notification_ids=["N4"])


def test_a_move_says_who_has_no_part_in_the_new_project(pi: Pi) -> None:
    moved = pi("update_task", task_id="T4", project_id="inbox")
    assert moved["note"] == f"T4 has no assignee any more, as {TARIQ} is not there: the Inbox is shared with nobody"
    assert pi.changes()["T4"]["assignee"] is None

    along = pi("update_task", task_id="T1", project_id="P2")["note"]
    assert along == f"T3 has no assignee any more, as {MEI} is not in Home (P2)"


def test_a_rule_that_puts_the_due_day_off_is_told(pi: Pi) -> None:
    made = pi("create_task", title="Bins", due="2026-04-14", recurrence="every Monday")

    assert made["due_date"] == "2026-04-20"
    assert made["note"] == "2026-04-14 is not a day of 'every Monday': due on Monday, 2026-04-20, instead"
    assert "note" not in pi("update_task", task_id=made["id"], due="2026-04-27", recurrence="every Monday")


def test_a_refused_assignee_is_told_what_this_toolset_can_do(pi: Pi) -> None:
    refused = pi.refusal("assign_task", task_id="T2", assignee=SAM)
    assert refused.endswith(
        "Assign it to one of them, or move it to a project that the assignee is in; `view_projects` shows who is in "
        "which."
    )
    inbox = pi.refusal("assign_task", task_id="T7", assignee=SAM)
    assert inbox.endswith("first; `view_projects` shows who is in which.")


def test_days_in_the_wrong_order_are_refused_by_their_names_here(pi: Pi) -> None:
    refused = pi.refusal("view_tasks", due_after="2026-04-02", due_before="2026-04-01")

    assert refused == "due_after, 2026-04-02, is later than due_before, 2026-04-01."


def test_every_month_from_the_31st_stays_on_the_last_day(pi: Pi) -> None:
    id = pi("create_task", title="Backup", due="2024-01-31", recurrence="every month")["id"]
    done = [pi("update_task", task_id=id, completed=True) for _ in range(3)]

    assert [task["due_date"] for task in done] == ["2024-02-29", "2024-03-31", "2024-04-30"]
    assert done[0]["recurrence"] == "every month on the last day"


def test_tasks_stand_by_place_and_not_by_how_ids_are_spelled_with_subtasks_below_theirs(engine: Engine) -> None:
    projects = [{"id": f"P{n}", "name": f"p{n}"} for n in (1, 2, 10)]
    sections = [
        {"id": "S1", "project_id": "P2", "name": "last", "position": 2},
        {"id": "S2", "project_id": "P2", "name": "first", "position": 1},
    ]
    tasks: list[dict[str, Any]] = [
        {"id": "T1", "content": "in P10", "project_id": "P10"},
        {"id": "T2", "content": "last section", "project_id": "P2", "section_id": "S1"},
        {"id": "T3", "content": "first section", "project_id": "P2", "section_id": "S2"},
        {"id": "T4", "content": "second", "project_id": "P2", "position": 2},
        {"id": "T5", "content": "first", "project_id": "P2", "position": 1},
        {"id": "T6", "content": "below the second", "project_id": "P2", "parent_id": "T4", "position": 1},
        {"id": "T7", "content": "below the first", "project_id": "P2", "parent_id": "T5", "position": 3},
        {"id": "T8", "content": "in the Inbox"},
    ]
    pi = Pi(app, opened(engine, {"projects": projects, "sections": sections, "tasks": tasks}, None))

    assert pi.ids("view_tasks") == ["T8", "T5", "T7", "T4", "T6", "T3", "T2", "T1"]
    assert pi.ids("view_tasks", query="first") == ["T5", "T7", "T3"]


def test_a_section_of_another_project_is_refused_by_view_tasks_as_by_create_task(pi: Pi) -> None:
    elsewhere = {"project_id": "P5", "section_id": "S1"}

    assert pi.refusal("view_tasks", **elsewhere) == "section_id: section S1 is in project P1, not P5."
    assert pi.refusal("create_task", title="x", **elsewhere) == "section_id: section S1 is in project P1, not P5."


def test_an_archived_project_takes_no_subtasks(pi: Pi) -> None:
    assert "Project P3 is archived" in pi.refusal("create_subtask", task_id="T8", title="x")


def test_a_completed_task_that_takes_no_subtask_is_named_by_the_argument_there_is(pi: Pi) -> None:
    refused = pi.refusal("create_subtask", task_id="T10", title="x")

    assert refused == "task_id: task T10 is completed; reopen it first."


def test_labels_that_differ_in_outer_spaces_are_one(pi: Pi) -> None:
    assert pi("create_label", name=" x ")["name"] == "x"
    assert "there is a label 'x' already" in pi.refusal("create_label", name="x ")


def test_names_and_titles_are_kept_without_outer_spaces(pi: Pi) -> None:
    assert pi("create_project", name=" Move ")["name"] == "Move"
    assert pi("update_project", project_id="P2", name=" Flat\n")["name"] == "Flat"
    assert pi("create_section", project_id="P1", name=" Later ")["name"] == "Later"
    assert pi("create_task", title=" Pack ")["content"] == "Pack"


@pytest.mark.parametrize(
    ("tool", "arguments", "problem"),
    [
        ("create_project", {"name": "a\nb"}, "name has a line break"),
        ("create_project", {"name": "Inbox"}, "name: 'Inbox' is where tasks without a project are"),
        ("update_project", {"project_id": "P2", "name": " inbox "}, "name: 'inbox' is where"),
        ("create_section", {"project_id": "P1", "name": "a\nb"}, "name has a line break"),
        ("create_label", {"name": "a\nb"}, "name has a line break"),
        ("create_task", {"title": "a\nb"}, "title has a line break"),
        ("update_subtask", {"subtask_id": "T2"}, "give at least one of title, description, due, recurrence, priority"),
        ("assign_task", {"task_id": "T2", "assignee": " "}, "assignee must not be empty; leave it out for nobody."),
    ],
)
def test_what_makes_no_sense_is_refused_with_nothing_changed(
    pi: Pi, tool: str, arguments: dict[str, Any], problem: str
) -> None:
    assert problem in pi.refusal(tool, **arguments)


def test_of_notifications_of_one_moment_the_last_stands_first(engine: Engine) -> None:
    news = [{"id": f"N{n}", "kind": "reminder", "text": "t", "posted": "2023-11-20T12:00:00"} for n in (1, 2)]
    pi = Pi(app, opened(engine, {"notifications": news}, None))

    assert pi.ids("view_notifications") == ["N2", "N1"]
