"""The default surface of Todoist: what it finds and shows; projects and notifications."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.kernel import Engine, Layer, Owner, World
from servers.todoist import app
from tests.apps.desk import NOW, Desk

INES, TARIQ, MEI, SAM = (f"{name}@harbor.example" for name in ("ines.okafor", "tariq.lund", "mei.novak", "sam.lund"))

PEOPLE = [
    {"id": f"U{place}", "name": name, "email": email}
    for place, (name, email) in enumerate([("Tariq Lund", TARIQ), ("Mei Novak", MEI), ("Sam Lund", SAM)], 1)
]
PROJECTS: list[dict[str, Any]] = [
    {"id": "P1", "name": "Website", "owner": INES, "members": [TARIQ, MEI], "description": "The new pages."},
    {"id": "P2", "name": "Home", "favorite": True},
    {"id": "P3", "name": "Audit 2022", "archived": True},
    {"id": "P4", "name": "Plans", "owner": SAM},
    {"id": "P5", "name": "Rota", "owner": MEI, "members": [INES.upper()]},
]
SECTIONS = [
    {"id": "S1", "project_id": "P1", "name": "Copy", "position": 1},
    {"id": "S2", "project_id": "P1", "name": "Design", "position": 2},
    {"id": "S3", "project_id": "P5", "name": "Week", "position": 1},
]
COPY = {"project_id": "P1", "section_id": "S1"}
TASKS: list[dict[str, Any]] = [
    {
        "id": "T1",
        "content": "Write the launch post",
        "due_date": "2023-12-01",
        "priority": "p1",
        "assignee": INES,
        **COPY,
    },
    {"id": "T2", "content": "Draft", "parent_id": "T1", **COPY},
    {"id": "T3", "content": "Proofread the draft", "parent_id": "T2", "assignee": MEI, **COPY},
    {
        "id": "T4",
        "content": "Redraw icons",
        "description": "Two sizes, 16 and 32.",
        "project_id": "P1",
        "section_id": "S2",
        "due_date": "2023-11-28",
        "assignee": TARIQ,
    },
    {
        "id": "T5",
        "content": "Water the plants",
        "project_id": "P2",
        "due_date": "2023-11-29",
        "recurrence": "every 3 days",
    },
    {"id": "T6", "content": "Pay the rent", "due_date": "2023-11-30", "due_time": "08:00", "priority": "p2"},
    {"id": "T7", "content": "Buy a lamp"},
    {"id": "T8", "content": "Old invoice", "project_id": "P3"},
    {"id": "T9", "content": "A surprise", "project_id": "P4"},
    {"id": "T10", "content": "Send invitations", "project_id": "P1", "completed": "2023-11-27T16:30:00"},
]
ROWS: dict[str, list[dict[str, Any]]] = {
    "people": PEOPLE,
    "projects": PROJECTS,
    "sections": SECTIONS,
    "tasks": TASKS,
    "labels": [
        {"id": "L1", "name": "errands"},
        {"id": "L2", "name": "waiting", "owner": INES},
        {"id": "L3", "name": "private", "owner": SAM},
    ],
    "task_labels": [
        {"id": "TL1", "task_id": "T7", "label_id": "L1"},
        {"id": "TL2", "task_id": "T5", "label_id": "L1"},
        {"id": "TL3", "task_id": "T4", "label_id": "L2"},
        {"id": "TL4", "task_id": "T4", "label_id": "L3"},
    ],
    "comments": [
        {"id": "C1", "task_id": "T4", "text": "Which sizes?", "posted": "2023-11-27T09:00:00", "author": TARIQ},
        {"id": "C2", "task_id": "T4", "text": "Both.", "posted": "2023-11-27T09:30:00", "author": INES},
    ],
    "notifications": [
        {
            "id": f"N{place}",
            "kind": kind,
            "text": text,
            "posted": f"2023-11-2{place}T12:00:00",
            "sender": sender,
            "task_id": task,
            "recipient": recipient,
            "read": read,
        }
        for place, (kind, text, sender, task, recipient, read) in enumerate(
            [
                ("shared", "Mei Novak shared Rota with you.", MEI, None, INES, True),
                ("commented", "Tariq Lund: Which sizes?", TARIQ, "T4", None, False),
                ("completed", "Tariq Lund completed Send invitations.", TARIQ, "T10", INES, False),
                ("assigned", "A surprise is yours.", MEI, "T9", SAM, False),
            ],
            1,
        )
    ],
}


class Todoist(Desk):
    """Calls the tools of one toolset."""

    toolset = "default"

    def found(self, **conditions: Any) -> list[str]:
        """Ids of the tasks on the first page."""
        return [item["id"] for item in self("find_tasks", **conditions)["items"]]

    def changes(self, table: str = "tasks") -> dict[str, Any]:
        """What changed in a table, by id: fields set, or None for a row that is gone."""
        changed = [change for change in self.layer.changes() if change.table == table]
        return {change.id: None if change.op == "delete" else change.fields for change in changed}

    def tables(self) -> set[str]:
        """Tables in which anything changed."""
        return {change.table for change in self.layer.changes()}


def opened(engine: Engine, rows: dict[str, list[dict[str, Any]]], owner: Owner | None) -> Layer:
    return engine.layer(engine.load(World("desk", NOW, {app.name: rows}, owner=owner)))


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    made = Engine()
    yield made
    made.close()


@pytest.fixture
def todoist(engine: Engine) -> Iterator[Todoist]:
    layer = opened(engine, ROWS, Owner(name="Ines Okafor", address=INES, zone="Europe/Lisbon"))
    yield Todoist(app, layer)
    layer.close()


def test_open_tasks_are_found_soonest_first_without_archived_and_other_peoples_projects(todoist: Todoist) -> None:
    page = todoist("find_tasks")

    assert page["shown"] == "1 to 7 of 7"
    assert [item["id"] for item in page["items"]] == ["T4", "T5", "T6", "T1", "T2", "T3", "T7"]


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({"query": "DRAFT"}, ["T2", "T3"]),
        ({"query": "sizes redraw"}, ["T4"]),
        ({"query": "50%"}, []),
        ({"project_id": "P1"}, ["T4", "T1", "T2", "T3"]),
        ({"project_id": "inbox"}, ["T6", "T7"]),
        ({"project_id": "P3"}, ["T8"]),
        ({"section_id": "S1"}, ["T1", "T2", "T3"]),
        ({"parent_id": "T1"}, ["T2"]),
        ({"labels": ["Errands"]}, ["T5", "T7"]),
        ({"labels": ["errands", "@waiting"]}, []),
        ({"assignee": "me"}, ["T5", "T6", "T1", "T7"]),
        ({"assignee": "tariq"}, ["T4"]),
        ({"assignee": "nobody", "project_id": "P1"}, ["T2"]),
        ({"after": "2023-11-29", "before": "2023-11-30"}, ["T5", "T6"]),
        ({"after": "2023-11-30"}, ["T6", "T1"]),
        ({"due": "overdue"}, ["T4", "T5", "T6"]),
        ({"due": "today"}, ["T6"]),
        ({"due": "none", "project_id": "inbox"}, ["T7"]),
        ({"completed_after": "2023-11-27"}, ["T10"]),
        ({"completed_after": "2023-11-28"}, []),
    ],
)
def test_a_condition_narrows_what_is_found(todoist: Todoist, conditions: dict[str, Any], expected: list[str]) -> None:
    assert todoist.found(**conditions) == expected


def test_what_is_archived_is_found_by_the_arguments_that_the_tool_names(todoist: Todoist) -> None:
    todoist("update_project", project_id="P1", archived=True)

    assert todoist.found(query="icons") == []
    assert todoist.found(project_id="P1") == ["T4", "T1", "T2", "T3"]
    assert (todoist.found(section_id="S2"), todoist.found(parent_id="T1")) == (["T4"], ["T2"])
    assert "only by project_id, section_id or parent_id." in app.default.tool("find_tasks").description


def test_a_task_in_a_list_says_where_it_is_and_what_hangs_on_it(todoist: Todoist) -> None:
    icons = todoist("find_tasks", query="icons")["items"][0]
    post = todoist("find_tasks", query="launch", detail="detailed")["items"][0]

    assert icons == {
        "id": "T4",
        "title": "Redraw icons",
        "project": "Website (P1)",
        "section": "Design (S2)",
        "due": "2023-11-28",
        "assignee": TARIQ,
        "labels": ["waiting"],
        "comments": 2,
    }
    assert (post["priority"], post["subtasks"], post.get("text")) == ("p1", "0 of 1 done", None)
    assert todoist("find_tasks", query="icons", detail="detailed")["items"][0]["text"] == "Two sizes, 16 and 32."
    assert todoist("find_tasks", query="rent")["items"][0]["due"] == "2023-11-30 08:00"


def test_a_long_list_comes_in_pages_that_say_how_to_go_on(todoist: Todoist) -> None:
    todoist("create_tasks", tasks=[{"title": f"Box {number}", "project_id": "P2"} for number in range(45)])
    pages = [todoist("find_tasks", query="box", skip=skip) for skip in (0, 20, 40)]

    assert [page["shown"] for page in pages] == ["1 to 20 of 45", "21 to 40 of 45", "41 to 45 of 45"]
    assert [page.get("next") for page in pages] == ["skip=20", "skip=40", None]
    assert [item["title"] for page in pages for item in page["items"]] == [f"Box {number}" for number in range(45)]


def test_a_label_taken_off_while_filtering_by_it_leaves_the_other_tasks(todoist: Todoist) -> None:
    assert todoist.found(labels=["errands"]) == ["T5", "T7"]
    todoist("update_tasks", task_ids=["T5"], remove_labels=["errands"])

    assert todoist.found(labels=["errands"]) == ["T7"]
    assert todoist.changes("task_labels") == {"TL2": None}
    todoist("delete_object", kind="label", ids=["errands"])
    assert todoist.changes("task_labels") == {"TL1": None, "TL2": None}
    assert "labels: there is no label 'errands'. Labels: waiting." in todoist.refusal("find_tasks", labels=["errands"])


def test_a_task_is_shown_whole_with_subtasks_and_comments(todoist: Todoist) -> None:
    icons = todoist("get_task", task_id="T4")

    assert icons["text"] == "Two sizes, 16 and 32."
    assert icons["comment_list"]["shown"] == "1 to 2 of 2"
    assert icons["comment_list"]["items"][0] == {
        "id": "C1",
        "author": TARIQ,
        "posted": "2023-11-27 09:00",
        "text": "Which sizes?",
    }
    post = todoist("get_task", task_id="T1")
    assert [item["id"] for item in post["subtask_list"]] == ["T2"]
    assert "comment_list" not in post


def test_long_comments_and_many_subtasks_are_cut_with_the_next_step_named(todoist: Todoist) -> None:
    todoist("create_tasks", tasks=[{"title": f"{number} {'x' * 490}", "parent_id": "T4"} for number in range(40)])
    for number in range(4):
        todoist("create_comment", task_id="T4", text=f"{number}" + "y" * 7_999)
    todoist("update_tasks", task_ids=["T4"], text="z" * 8_000)
    tool = app.default.tool("get_task")
    first = tool.call(todoist.layer.state(app), {"task_id": "T4"})

    assert len(first.text) < 24_000 + 200
    assert first.data["more_subtasks"] == "10 more: find_tasks with parent_id=T4"
    skip, seen = 0, 0
    while True:
        page = todoist("get_task", task_id="T4", skip=skip)["comment_list"]
        seen += len(page["items"])
        if "next" not in page:
            break
        skip = int(page["next"].removeprefix("skip="))
    assert seen == 6


def test_projects_are_listed_with_sections_people_and_labels(todoist: Todoist) -> None:
    found = todoist("find_projects")

    assert [item["id"] for item in found["items"]] == ["inbox", "P2", "P1", "P5"]
    assert found["items"][2] == {
        "id": "P1",
        "title": "Website",
        "open_tasks": 4,
        "sections": ["Copy (S1)", "Design (S2)"],
        "people": [TARIQ, MEI],
    }
    assert (found["items"][0]["open_tasks"], found["items"][3]["owner"]) == (2, MEI)
    assert found["labels"] == ["errands", "waiting"]
    assert [item["id"] for item in todoist("find_projects", archived=True)["items"]] == ["P3"]
    detailed = todoist("find_projects", query="new", detail="detailed")["items"]
    assert [(item["id"], item["text"]) for item in detailed] == [("P1", "The new pages.")]


def test_a_project_is_created_with_sections_and_shared_with_strangers_too(todoist: Todoist) -> None:
    made = todoist(
        "create_project", title="Move", sections=["Before", "After"], people=["mei", "Bo <bo@ferry.example>"]
    )

    assert made["id"] == "P6"
    assert made["people"] == [MEI, "bo@ferry.example"]
    assert made["sections"] == ["Before (S4)", "After (S5)"]
    assert todoist.changes("projects")["P6"]["owner"] == INES
    assert todoist("create_tasks", tasks=[{"title": "Boxes", "project_id": "P6", "assignee": "bo@ferry.example"}])


def test_whoever_shares_a_project_is_in_it_and_may_say_so(todoist: Todoist) -> None:
    made = todoist("create_project", title="Move", people=["me", "mei"])
    changed = todoist("update_project", project_id=made["id"], add_people=["Me", "tariq"])

    assert (made["people"], changed["people"]) == ([MEI], [MEI, TARIQ])
    assert todoist.changes("projects")["P6"]["owner"] == INES
    assert todoist("create_tasks", tasks=[{"title": "Boxes", "project_id": "P6", "assignee": "me"}])


def test_a_project_is_changed_and_put_away(todoist: Todoist) -> None:
    changed = todoist(
        "update_project",
        project_id="P1",
        title="Site",
        favorite=True,
        add_sections=["Later"],
        rename_sections={"S1": "Words"},
    )

    assert (changed["title"], changed["sections"]) == ("Site", ["Words (S1)", "Design (S2)", "Later (S4)"])
    todoist("update_project", project_id="P1", archived=True, text="")
    assert todoist.found(query="icons") == []
    assert todoist.changes("projects") == {
        "P1": {"name": "Site", "description": "", "favorite": True, "archived": True}
    }
    assert "is archived" in todoist.refusal("create_tasks", tasks=[{"title": "More", "project_id": "P1"}])


def test_whoever_leaves_a_project_loses_their_tasks_in_it(todoist: Todoist) -> None:
    todoist("update_project", project_id="P1", add_people=["sam"], remove_people=["Mei Novak"])

    assert todoist.changes("projects") == {"P1": {"members": [TARIQ, SAM]}}
    assert todoist.changes() == {"T3": {"assignee": None}}
    assert "owns project P1" in todoist.refusal("update_project", project_id="P1", remove_people=["me"])
    refusal = todoist.refusal("update_project", project_id="P1", remove_people=[MEI])
    assert "is not in project P1 (Website); in it are" in refusal
    assert "Share" not in refusal


def test_deleting_a_project_takes_everything_in_it_one_change_a_row(todoist: Todoist) -> None:
    told = todoist("delete_object", kind="project", ids=["P1"])

    assert told == "Deleted: project P1. 5 tasks are gone."
    assert {(change.table, change.id) for change in todoist.layer.changes()} == {
        ("projects", "P1"),
        *(("sections", id) for id in ("S1", "S2")),
        *(("tasks", id) for id in ("T1", "T2", "T3", "T4", "T10")),
        *(("task_labels", id) for id in ("TL3", "TL4")),
        *(("comments", id) for id in ("C1", "C2")),
    }
    assert all(change.op == "delete" for change in todoist.layer.changes())
    assert len(todoist("find_notifications", unread=False)["items"]) == 3


def test_only_its_owner_deletes_a_project(todoist: Todoist) -> None:
    assert f"belongs to {MEI}" in todoist.refusal("delete_object", kind="project", ids=["P2", "P5"])


def test_sections_comments_and_notifications_are_deleted(todoist: Todoist) -> None:
    assert todoist("delete_object", kind="section", ids=["S2"]) == "Deleted: section S2. 1 task is gone."
    assert todoist.changes() == {"T4": None}
    assert todoist("delete_object", kind="notification", ids=["N2", "N3"]) == "Deleted: notification N2, N3."
    todoist.layer.reset()
    assert f"Comment C1 is by {TARIQ}" in todoist.refusal("delete_object", kind="comment", ids=["C2", "C1"])
    todoist("delete_object", kind="comment", ids=["C2"])
    assert todoist.changes("comments") == {"C2": None}


def test_notifications_of_the_owner_are_listed_newest_first_and_marked_as_read(todoist: Todoist) -> None:
    assert [item["id"] for item in todoist("find_notifications")["items"]] == ["N3", "N2"]
    assert [item["id"] for item in todoist("find_notifications", unread=False)["items"]] == ["N3", "N2", "N1"]
    assert todoist.layer.changes() == []

    assert [item["read"] for item in todoist("find_notifications", mark_read=True)["items"]] == [False, False]
    assert todoist.changes("notifications") == {"N2": {"read": True}, "N3": {"read": True}}
    assert todoist("find_notifications")["shown"] == "nothing found"


def test_without_an_owner_every_row_is_the_users(engine: Engine) -> None:
    todoist = Todoist(app, opened(engine, ROWS, None))

    assert "T9" in todoist.found()
    made = todoist("create_tasks", tasks=[{"title": "A chair"}])["tasks"]
    assert made == [{"id": "T11", "title": "A chair", "project": "Inbox"}]
    assert "nothing says who 'me' is" in todoist.refusal("update_tasks", task_ids=["T7"], assignee="me")
    assert "nothing says who 'me' is" in todoist.refusal("find_tasks", assignee="Me")
