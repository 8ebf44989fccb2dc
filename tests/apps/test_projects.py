from collections.abc import Iterator

import pytest

from servers.projects import Task, app
from tests.apps.desk import Desk, desk


def task(number: int, name: str, email: str = "ines@harbor.example", board: str = "Design") -> dict[str, str]:
    return {
        "id": f"{number:08d}",
        "task_name": name,
        "assigned_to_email": email,
        "list_name": "Backlog",
        "due_date": "2023-12-05",
        "board": board,
    }


TASKS = [
    task(3, "Fix log-in (2FA)", "tariq@harbor.example", "Back end"),
    task(8, "Redraw icons"),
    task(5, "Fix footer", board="Front end"),
]
NEW = {
    "task_name": "Add search",
    "assigned_to_email": "Tariq@Harbor.example",
    "list_name": "In Review",
    "due_date": "2023-12-08",
    "board": "Front end",
}


@pytest.fixture
def projects() -> Iterator[Desk]:
    with desk(app, {"tasks": TASKS}) as calls:
        yield calls


def found(projects: Desk, **arguments: object) -> list[str]:
    return [record["task_id"].lstrip("0") for record in projects("search_tasks", **arguments)]


def test_a_task_is_shown_whole(projects: Desk) -> None:
    assert projects("search_tasks", task_name="icons") == [
        {
            "task_id": "00000008",
            "task_name": "Redraw icons",
            "assigned_to_email": "ines@harbor.example",
            "list_name": "Backlog",
            "due_date": "2023-12-05",
            "board": "Design",
        }
    ]


def test_one_field_is_read(projects: Desk) -> None:
    assert projects("get_task_information_by_id", task_id="00000008", field="board") == {"board": "Design"}
    assert "'due_date'" in projects.refusal("get_task_information_by_id", task_id="00000008", field="due")


def test_a_search_needs_one_condition(projects: Desk) -> None:
    assert "at least one" in projects.refusal("search_tasks")
    assert "at least one" in projects.refusal("search_tasks", task_name="", board=None)


def test_conditions_are_parts_regardless_of_case_and_hold_together(projects: Desk) -> None:
    assert found(projects, task_name="FIX") == ["3", "5"]
    assert found(projects, task_name="fix", assigned_to_email="Ines") == ["5"]
    assert found(projects, list_name="back", due_date="2023-12", board="END") == ["3", "5"]
    assert found(projects, task_name="nothing") == []


@pytest.mark.parametrize(("text", "ids"), [("(2FA)", ["3"]), ("F.x", []), ("%", []), ("fix|icons", [])])
def test_a_condition_is_literal_text(projects: Desk, text: str, ids: list[str]) -> None:
    assert found(projects, task_name=text) == ids


def test_a_search_gives_every_match_in_table_order() -> None:
    with desk(app, {"tasks": [task(90 - number, "Fix") for number in range(40)]}) as projects:
        assert found(projects, board="design") == [str(90 - number) for number in range(40)]


def test_a_new_task_is_stored_with_the_assignee_in_lower_case(projects: Desk) -> None:
    id = projects("create_task", **NEW)

    assert id == "00000009"
    assert projects.layer.state(app).get(Task, id).model_dump(exclude={"id"}) == {
        **NEW,
        "assigned_to_email": "tariq@harbor.example",
    }


@pytest.mark.parametrize(
    ("field", "wrong", "choice"),
    [
        ("list_name", "backlog", "'In Progress'"),
        ("board", "Backend", "'Back end'"),
        ("assigned_to_email", "nobody@harbor.example", "search_tasks"),
    ],
)
def test_list_board_and_assignee_are_checked(projects: Desk, field: str, wrong: str, choice: str) -> None:
    assert choice in projects.refusal("create_task", **{**NEW, field: wrong})
    refusal = projects.refusal("update_task", task_id="nope", field=field, new_value=wrong)
    assert choice.strip("'") in refusal
    assert repr(wrong) in refusal


def test_an_assignee_is_whoever_has_a_task_now(projects: Desk) -> None:
    projects("delete_task", task_id="00000003")

    assert "'Tariq@Harbor.example'" in projects.refusal("create_task", **NEW)


def test_a_due_date_is_not_checked(projects: Desk) -> None:
    id = projects("create_task", **{**NEW, "due_date": "soon"})

    assert found(projects, due_date="soon") == [id.lstrip("0")]


def test_an_empty_part_counts_as_missing(projects: Desk) -> None:
    assert "task_name and due_date" in projects.refusal("create_task", **{**NEW, "task_name": "", "due_date": ""})
    assert "new_value" in projects.refusal("update_task", task_id="00000008", field="board", new_value="")


def test_an_update_changes_one_field(projects: Desk) -> None:
    projects("update_task", task_id="00000008", field="assigned_to_email", new_value="TARIQ@harbor.example")
    projects("update_task", task_id="00000005", field="list_name", new_value="Completed")

    assert [(change.id, change.fields) for change in projects.layer.changes()] == [
        ("00000005", {"list_name": "Completed"}),
        ("00000008", {"assigned_to_email": "tariq@harbor.example"}),
    ]


@pytest.mark.parametrize("field", ["task_id", "id", "priority"])
def test_an_update_refuses_ids_and_unknown_fields(projects: Desk, field: str) -> None:
    assert "'task_name'" in projects.refusal("update_task", task_id="00000008", field=field, new_value="x")


def test_a_deleted_task_is_gone_and_its_id_does_not_come_back(projects: Desk) -> None:
    projects("delete_task", task_id="00000008")

    assert found(projects, task_name="icons") == []
    assert "'00000008'" in projects.refusal("delete_task", task_id="00000008")
    assert projects("create_task", **NEW) == "00000009"
