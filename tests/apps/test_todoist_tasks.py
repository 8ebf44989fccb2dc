"""The default surface of Todoist: tasks that are made, changed, moved, done and deleted."""

from __future__ import annotations

from typing import Any

import pytest

from tests.apps.test_todoist import INES, MEI, TARIQ, Todoist, engine, todoist

__all__ = ("engine", "todoist")


def test_several_tasks_are_made_at_once_with_subtasks_and_labels(todoist: Todoist) -> None:
    made = todoist(
        "create_tasks",
        tasks=[
            {
                "title": "Launch",
                "text": "On the 12th.",
                "section_id": "S2",
                "due": "2023-12-12 09:30",
                "priority": "p2",
                "assignee": "mei",
                "labels": ["@Waiting", "launch"],
                "subtasks": ["Press", "Mail"],
            },
            {"title": "Bulbs", "labels": ["launch"]},
            {"title": "Second draft", "parent_id": "T2"},
        ],
    )

    assert made["also"] == "new labels: launch"
    assert [(item["id"], item["title"]) for item in made["tasks"]] == [
        ("T11", "Launch"),
        ("T12", "Press"),
        ("T13", "Mail"),
        ("T14", "Bulbs"),
        ("T15", "Second draft"),
    ]
    first = made["tasks"][0]
    assert (first["section"], first["due"], first["assignee"]) == ("Design (S2)", "2023-12-12 09:30", MEI)
    assert (first["labels"], first["subtasks"]) == (["waiting", "launch"], "0 of 2 done")
    rows = todoist.changes()
    assert (rows["T13"]["parent_id"], rows["T13"]["section_id"], rows["T13"]["position"]) == ("T11", "S2", 2)
    assert rows["T14"]["project_id"] is None
    assert (rows["T15"]["parent_id"], rows["T15"]["section_id"]) == ("T2", "S1")


def test_if_one_task_cannot_be_made_none_is(todoist: Todoist) -> None:
    tasks = [{"title": "Bulbs", "labels": ["new"]}, {"title": "Launch", "project_id": "P1", "assignee": "sam"}]

    assert "assignee: Sam Lund" in todoist.refusal("create_tasks", tasks=tasks)
    crowd = [{"title": "Box", "subtasks": ["Tape"] * 25}] * 2
    assert "tasks: 52 with subtasks; at most 50" in todoist.refusal("create_tasks", tasks=crowd)


def test_a_recurring_task_begins_on_the_first_day_that_fits(todoist: Todoist) -> None:
    made = todoist(
        "create_tasks",
        tasks=[
            {"title": "Stand-up", "recurrence": "every monday, Thu"},
            {"title": "Invoices", "recurrence": "every month on the 15th", "due": "2024-01-20 10:00"},
            {"title": "Stretch", "recurrence": "Daily"},
        ],
    )["tasks"]

    assert [(item["recurrence"], item["due"]) for item in made] == [
        ("every Monday, Thursday", "2023-11-30"),
        ("every month on the 15th", "2024-02-15 10:00"),
        ("every day", "2023-11-30"),
    ]


def test_several_tasks_are_changed_in_the_same_way(todoist: Todoist) -> None:
    changed = todoist("update_tasks", task_ids=["T2", "T4", "T2"], due="2023-12-04", priority="p1", assignee="ines")

    assert [item["id"] for item in changed["tasks"]] == ["T2", "T4"]
    new = {"due_date": "2023-12-04", "priority": "p1", "assignee": INES}
    assert todoist.changes() == {"T2": new, "T4": new}


def test_a_text_that_was_given_is_shown(todoist: Todoist) -> None:
    (task,) = todoist("update_tasks", task_ids=["T7"], text="Ask Mei first.")["tasks"]

    assert (task["text"], "text" in todoist("update_tasks", task_ids=["T7"], priority="p2")["tasks"][0]) == (
        "Ask Mei first.",
        False,
    )


def test_one_id_alone_will_do(todoist: Todoist) -> None:
    assert todoist("complete_tasks", task_ids=["T7"])["tasks"][0]["completed"] == "2023-11-30 08:15"


def test_none_takes_away_a_date_a_recurrence_and_an_assignee(todoist: Todoist) -> None:
    todoist("update_tasks", task_ids=["T5"], recurrence="none")
    todoist("update_tasks", task_ids=["T4"], due="none", assignee="none")
    todoist("update_tasks", task_ids=["T6"], recurrence="every! 2 weeks")
    assert todoist.changes() == {
        "T4": {"due_date": None, "assignee": None},
        "T5": {"recurrence": None},
        "T6": {"recurrence": "every! 2 weeks"},
    }

    todoist("update_tasks", task_ids=["T6"], due="None")
    assert todoist.changes()["T6"] == {"due_date": None, "due_time": None}


@pytest.mark.parametrize(
    ("due", "day", "time"),
    [
        ("2023-12-01", "2023-12-01", None),
        ("2023-12-01T18:30", "2023-12-01", "18:30"),
        ("2023-12-01 23:30:00-05:00", "2023-12-02", "04:30"),
        ("2023-07-01T12:00Z", "2023-07-01", "13:00"),
    ],
)
def test_a_time_is_the_owners_unless_it_says_its_zone(todoist: Todoist, due: str, day: str, time: str | None) -> None:
    todoist("update_tasks", task_ids=["T7"], due=due)

    assert todoist.changes()["T7"] == {"due_date": day} | ({"due_time": time} if time else {})


def test_a_task_moves_to_another_project_with_its_subtasks(todoist: Todoist) -> None:
    todoist("update_tasks", task_ids=["T1", "T3"], project_id="P5")

    moved = {"project_id": "P5", "section_id": None}
    # Mei has a part in P5 too and keeps her task; T3 goes along below T2.
    assert todoist.changes() == {"T1": {**moved, "position": 1}, "T2": moved, "T3": moved}
    todoist("update_tasks", task_ids=["T1"], project_id="P2")
    assert todoist.changes()["T3"] == {"project_id": "P2", "section_id": None, "assignee": None}
    assert todoist.found(project_id="P2") == ["T5", "T1", "T2", "T3"]


def test_a_task_becomes_a_subtask_and_again_a_task_of_its_own(todoist: Todoist) -> None:
    todoist("update_tasks", task_ids=["T4"], parent_id="T1")
    assert todoist.changes()["T4"] == {"section_id": "S1", "parent_id": "T1", "position": 1}
    todoist("update_tasks", task_ids=["T4"], parent_id="none")
    assert todoist.changes()["T4"] == {"section_id": "S1", "position": 1}
    todoist("update_tasks", task_ids=["T4"], section_id="none")
    assert todoist.changes()["T4"] == {"section_id": None, "position": 1}

    refused = todoist.refusal("update_tasks", task_ids=["T1"], parent_id="T3")
    assert "T3 is task T1 itself or one of its subtasks" in refused


def test_a_title_is_for_one_task(todoist: Todoist) -> None:
    assert "cannot be given one title" in todoist.refusal("update_tasks", task_ids=["T1", "T4"], title="Same")
    todoist("update_tasks", task_ids=["T4"], title="Icons", text="Three sizes.", add_labels=["errands"])
    assert todoist.changes() == {"T4": {"content": "Icons", "description": "Three sizes."}}
    assert todoist.changes("task_labels")["TL5"] == {"task_id": "T4", "label_id": "L1"}


def test_subtasks_are_completed_with_their_parent(todoist: Todoist) -> None:
    done = todoist("complete_tasks", task_ids=["T1", "T2", "T7"])

    assert done["also"] == "subtasks completed too: T2, T3"
    assert set(todoist.changes()) == {"T1", "T2", "T3", "T7"}
    assert all(fields == {"completed": "2023-11-30T08:15:00"} for fields in todoist.changes().values())
    assert "Completed already: T2. Nothing" in todoist.refusal("complete_tasks", task_ids=["T4", "T2"])


def test_a_recurring_task_moves_on_over_a_change_of_month(todoist: Todoist) -> None:
    due = [todoist("complete_tasks", task_ids=["T5"])["tasks"][0]["due"] for _ in range(3)]

    assert due == ["2023-12-02", "2023-12-05", "2023-12-08"]
    todoist("update_tasks", task_ids=["T6"], recurrence="every month on the 31st", due="2023-11-30 08:00")
    due = [todoist("complete_tasks", task_ids=["T6"])["tasks"][0]["due"] for _ in range(3)]
    assert due == ["2023-12-31 08:00", "2024-01-31 08:00", "2024-02-29 08:00"]
    assert todoist.found(completed_after="2023-11-30") == []


def test_what_was_done_below_a_recurring_task_is_to_be_done_again(todoist: Todoist) -> None:
    todoist("create_tasks", tasks=[{"title": "Fill the can", "parent_id": "T5"}, {"title": "Ferns", "parent_id": "T5"}])
    todoist("complete_tasks", task_ids=["T11"])
    todoist("complete_tasks", task_ids=["T5"])

    assert (todoist.changes()["T11"]["completed"], todoist.changes()["T12"]["completed"]) == (None, None)


def test_a_reopened_subtask_reopens_what_it_is_below(todoist: Todoist) -> None:
    todoist("complete_tasks", task_ids=["T1"])
    again = todoist("reopen_tasks", task_ids=["T3", "T10"])

    assert again["also"] == "reopened too: T2, T1"
    assert todoist.changes() == {"T10": {"completed": None}}
    todoist("complete_tasks", task_ids=["T1"])
    assert "also" not in todoist("reopen_tasks", task_ids=["T1"])
    assert set(todoist.changes()) == {"T2", "T3", "T10"}
    recurring = todoist("create_tasks", tasks=[{"title": "Post", "recurrence": "every day"}])["tasks"][0]["id"]
    assert todoist.refusal("reopen_tasks", task_ids=[recurring]) == (
        f"Not completed: {recurring}. Nothing was changed. {recurring} recurs: completing only moves the due day on; "
        "to undo that, set the due day back."
    )
    assert f"{recurring}, T5 recur: completing" in todoist.refusal("reopen_tasks", task_ids=[recurring, "T5", "T4"])
    assert "Not completed: T1, T4." in todoist.refusal("reopen_tasks", task_ids=["T1", "T4", "T2"])
    assert "parent_id: task T2 is completed" in todoist.refusal("update_tasks", task_ids=["T4"], parent_id="T2")


def test_a_task_is_deleted_with_its_subtasks_labels_and_comments(todoist: Todoist) -> None:
    assert todoist("delete_object", kind="task", ids=["T1", "T3"]) == "Deleted: task T1, T3. 3 tasks are gone."
    todoist("delete_object", kind="task", ids=["T4"])

    assert todoist.changes() == dict.fromkeys(("T1", "T2", "T3", "T4"))
    assert todoist.changes("task_labels") == {"TL3": None, "TL4": None}
    assert todoist.changes("comments") == {"C1": None, "C2": None}


def test_an_assignment_notifies_others_in_accounts_of_their_own(todoist: Todoist) -> None:
    todoist("update_tasks", task_ids=["T2"], assignee="Tariq")
    written = todoist("create_comment", task_id="T2", text="Yours now.")

    assert written == {"id": "C3", "author": INES, "posted": "2023-11-30 08:15", "text": "Yours now."}
    assert todoist.changes() == {"T2": {"assignee": TARIQ}}
    assert todoist.tables() == {"tasks", "comments"}


INBOX = (
    "assignee: Tariq Lund <tariq.lund@harbor.example> cannot have a task in the Inbox, which is shared with nobody. "
    "Put the task in a project that is shared with Tariq Lund <tariq.lund@harbor.example> first (`update_project` with "
    "add_people)."
)
NOBODY = "assignee: Sam Lund <sam.lund@harbor.example> is not in project P1 (Website); in it are"


@pytest.mark.parametrize(
    ("third", "told"),
    [
        ({"title": " "}, "tasks.2: title must not be empty."),
        ({"title": "x", "due": "soon"}, "tasks.2: due: 'soon' is not a day; write YYYY-MM-DD, such as 2026-03-12, or"),
        ({"title": "x", "project_id": "P4"}, "tasks.2: No project has the id 'P4'."),
        ({"title": "x", "subtasks": ["y", ""]}, "tasks.2.subtasks.1: title must not be empty."),
    ],
)
def test_a_refusal_says_which_of_several_new_tasks_it_is_about(
    todoist: Todoist, third: dict[str, Any], told: str
) -> None:
    tasks = [{"title": "One"}, {"title": "Two"}, third, {"title": "Four"}]

    assert todoist.refusal("create_tasks", tasks=tasks).startswith(told)


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("find_tasks", {"project_id": "P4"}, "No project has the id 'P4'"),
        ("find_tasks", {"after": "soon"}, "'soon' is not a day; write YYYY-MM-DD, such as 2026-03-12"),
        (
            "find_tasks",
            {"after": "2023-12-02", "before": "2023-12-01"},
            "after, 2023-12-02, is later than before, 2023-12-01.",
        ),
        ("find_tasks", {"assignee": "lund"}, "may be Sam Lund <sam.lund@harbor.example>, Tariq Lund"),
        ("find_tasks", {"assignee": "Zoe"}, "assignee: 'Zoe' is nobody known here"),
        ("find_tasks", {"query": " ".join(map(str, range(33)))}, "query has 33 different words; it may have 32"),
        (
            "find_tasks",
            {"completed_after": "2023-11-01", "due": "overdue"},
            "due: no completed task is overdue; omit due",
        ),
        ("find_tasks", {"section_id": "S9"}, "No section has the id 'S9'"),
        ("get_task", {"task_id": "T9"}, "No task has the id 'T9'"),
        ("create_tasks", {"tasks": [{"title": " "}]}, "title must not be empty"),
        (
            "create_tasks",
            {"tasks": [{"title": "x" * 501}]},
            "'tasks.0.title': string should have at most 500",
        ),
        ("create_tasks", {"tasks": [{"title": "x", "project": "P1"}]}, "unknown argument 'tasks.0.project'"),
        ("create_tasks", {"tasks": [{"title": "x", "labels": [" "]}]}, "labels must not be empty"),
        ("create_tasks", {"tasks": [{"title": "x", "due": "tomorrow"}]}, "due: 'tomorrow' is not a day; write"),
        ("create_tasks", {"tasks": [{"title": "x", "parent_id": "T1", "section_id": "S1"}]}, "Give parent_id alone"),
        ("update_tasks", {"task_ids": ["T1"]}, "Nothing to change: give at least one of title"),
        ("update_tasks", {"task_ids": ["T98", "T1", "T99"], "priority": "p1"}, "no task has the id 'T98', 'T99'."),
        ("update_tasks", {"task_ids": ["T4"], "due": "0001-01-01T00:00+14:00"}, "is not a day and a time"),
        ("update_tasks", {"task_ids": ["T4"], "due": "2026-04-20 25:00"}, "25:00' is not a day and a time of day"),
        ("update_tasks", {"task_ids": ["T4"], "recurrence": "when I can"}, "'when I can' is not understood; write"),
        (
            "update_tasks",
            {"task_ids": ["T6"], "due": "none", "recurrence": "every day"},
            "due: none means no recurrence",
        ),
        ("update_tasks", {"task_ids": ["T4"], "assignee": "sam"}, NOBODY),
        ("update_tasks", {"task_ids": ["T7"], "assignee": "tariq"}, INBOX),
        (
            "update_tasks",
            {"task_ids": ["T4"], "assignee": "di@harbor.example"},
            "Share the project with 'di@harbor.example' first (`update_project` with add_people).",
        ),
        (
            "update_tasks",
            {"task_ids": ["T4"], "add_labels": ["zz"], "remove_labels": ["urgent"]},
            "there is no label 'urgent'. Labels: errands, waiting.",
        ),
        ("update_tasks", {"task_ids": ["T4"], "project_id": "P5", "section_id": "S1"}, "S1 is in project P1, not P5"),
        ("update_tasks", {"task_ids": ["T4"], "project_id": "P3"}, "Project P3 is archived"),
        ("update_tasks", {"task_ids": ["T4"], "remove_labels": ["urgent"]}, "there is no label 'urgent'. Labels: err"),
        (
            "update_tasks",
            {"task_ids": ["T4"], "text": "x" * 8001},
            "'text': string should have at most 8000",
        ),
        ("complete_tasks", {"task_ids": []}, "at least 1 item"),
        ("complete_tasks", {"task_ids": ["T1"] * 51}, "at most 50 items"),
        ("create_comment", {"task_id": "T4", "text": "  "}, "text must not be empty"),
        ("create_project", {"title": "x" * 121}, "'title': string should have at most 120 characters"),
        ("create_project", {"title": "x", "people": ["Zoe"]}, "people: 'Zoe' is nobody known here"),
        ("update_project", {"project_id": "P1", "add_people": ["Zoe"]}, "add_people: 'Zoe' is nobody known here"),
        ("update_project", {"project_id": "inbox", "title": "In"}, "The Inbox cannot be renamed, shared, archived or"),
        ("update_project", {"project_id": "Inbox", "add_people": ["mei"]}, "The Inbox cannot be renamed, shared"),
        ("delete_object", {"kind": "project", "ids": ["P1", "inbox"]}, "The Inbox cannot be renamed, shared, archived"),
        ("update_project", {"project_id": "P1"}, "Nothing to change: give at least one of title, text"),
        ("update_project", {"project_id": "P1", "rename_sections": {"S3": "x"}}, "S3 is in project P5, not P1"),
        ("update_project", {"project_id": "P1", "add_sections": [""]}, "add_sections must not be empty"),
        ("delete_object", {"kind": "section", "ids": ["S1", "S9"]}, "No section has the id 'S9'"),
        ("delete_object", {"kind": "notification", "ids": ["N4"]}, "No notification has the id 'N4'"),
        ("delete_object", {"kind": "label", "ids": ["private"]}, "ids: there is no label 'private'"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(
    todoist: Todoist, tool: str, arguments: dict[str, Any], told: str
) -> None:
    assert told in todoist.refusal(tool, **arguments)


def test_what_came_of_changes_besides_is_told_once(todoist: Todoist) -> None:
    moved = todoist("update_tasks", task_ids=["T4", "T5"], project_id="inbox", add_labels=["launch"])
    assert moved["also"] == (
        f"new labels: launch; T4 has no assignee any more, as {TARIQ} is not there: the Inbox is shared with nobody"
    )

    tasks = [{"title": title, "due": "2026-04-14", "recurrence": "every Monday"} for title in ("Bins", "Post")]
    put_off = "2026-04-14 is not a day of 'every Monday': due on Monday, 2026-04-20, instead"
    assert todoist("create_tasks", tasks=tasks)["also"] == put_off


def test_an_archived_project_takes_no_subtasks_either(todoist: Todoist) -> None:
    refused = todoist.refusal("create_tasks", tasks=[{"title": "x", "parent_id": "T8"}])

    assert refused == "tasks.0: Project P3 is archived; take it out of the archive first."


def test_a_label_is_found_whatever_stands_around_its_name(todoist: Todoist) -> None:
    made = todoist("create_tasks", tasks=[{"title": "x", "labels": ["@ waiting "]}])

    assert made.get("also") is None
