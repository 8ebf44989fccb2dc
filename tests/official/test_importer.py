from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.workbench.official import ImportProblem, import_release, load
from benchmarks.workbench.official.calls import CallProblem, literal_strings, read_call
from benchmarks.workbench.official.names import COMPARE, DOMAINS
from benchmarks.workbench.official.release import read_release
from harness.suite import Suite, SuiteError
from harness.task import Call, Expected

ANSWERS = "data/processed/queries_and_answers"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.fixture
def suite(small: Path, data: Path) -> Suite:
    import_release(small, data)
    return load("v1")


def test_every_table_of_the_release_becomes_rows_of_an_app(suite: Suite) -> None:
    rows = suite.world("workbench-official").rows

    assert {f"{app}.{table}": len(found) for app, tables in rows.items() for table, found in tables.items()} == {
        "gmail.emails": 5,
        "calendar.events": 4,
        "analytics.visits": 5,
        "analytics.plots": 0,
        "projects.tasks": 4,
        "crm.customers": 3,
        "directory.people": 4,
    }
    assert rows["analytics"]["visits"][1] == {
        "id": "1",
        "date_of_visit": "2023-11-27",
        "visitor_id": "0977",
        "page_views": 1,
        "session_duration_seconds": 4,
        "traffic_source": "referral",
        "user_engaged": False,
    }
    assert rows["directory"]["people"][3] == {"id": "3", "email_address": "olga.lindt@quay.example"}


def test_rows_keep_the_order_of_the_file(suite: Suite) -> None:
    mails = suite.world("workbench-official").rows["gmail"]["emails"]

    assert [mail["id"] for mail in mails] == ["00000002", "00000000", "00000001", "00000004", "00000003"]


def test_an_empty_cell_is_missing_only_where_the_release_says_so(suite: Suite) -> None:
    customers = suite.world("workbench-official").rows["crm"]["customers"]

    assert [(customer["customer_phone"], customer["notes"]) for customer in customers[:2]] == [
        (None, "2023-11-02: Had a call. "),
        ("555-0101", None),
    ]


def test_bodies_of_stored_mail_keep_their_two_character_line_breaks(suite: Suite) -> None:
    body = suite.world("workbench-official").rows["gmail"]["emails"][0]["body"]

    assert body == r"Hello,\n\nThe tide tables are in.\n\nMira"


def test_a_line_break_written_by_a_reference_call_is_a_real_one(suite: Suite) -> None:
    assert suite.task("email-001").solution[0].arguments["body"] == "Hi,\n\nIt is on its way."
    assert suite.task("email-001").ends[0].changes[0].values["body"] == "Hi,\n\nIt is on its way."


def test_tasks_are_numbered_by_domain_and_say_where_they_come_from(suite: Suite) -> None:
    task = suite.task("multi_domain-000")

    assert [task.id for task in suite.tasks if task.id.endswith("-000")] == [f"{domain}-000" for domain in DOMAINS]
    assert task.apps == ("gmail", "calendar", "analytics", "projects", "crm", "directory")
    assert task.sessions[0].requests["original"].startswith("If nobody spoke to Una Vale")
    assert task.template.startswith("If nobody spoke to {customer}")
    assert dict(task.facts) == {
        "domain": "multi_domain",
        "domains": ["customer_relationship_manager", "calendar"],
        "labels": ["crm", "calendar"],
        "actions": 1,
        "chosen_template": task.template,
    }


def test_expected_changes_are_what_the_reference_calls_do(suite: Suite) -> None:
    ends = {task.id: task.ends[0].changes for task in suite.tasks}

    assert ends["calendar-000"] == (Expected(op="delete", app="calendar", table="events", id="00000001"),)
    assert ends["project_management-000"] == (
        Expected(op="update", app="projects", table="tasks", id="00000000", values={"list_name": "In Review"}),
    )
    assert ends["analytics-000"] == (
        Expected(
            op="insert",
            app="analytics",
            table="plots",
            values={"file_path": "plots/2023-11-27_2023-11-29_total_visits_bar.png"},
        ),
    )
    assert ends["calendar-002"] == ()
    assert [(change.op, change.app) for change in ends["multi_domain-002"]] == [("update", "crm"), ("insert", "gmail")]


def test_a_new_mail_is_expected_without_id_and_time(suite: Suite) -> None:
    (change,) = suite.task("email-003").ends[0].changes

    assert change == Expected(
        op="insert",
        app="gmail",
        table="emails",
        values={
            "folder": "outbox",
            "address": "odd.berg@quay.example",
            "subject": "Crane inspection",
            "body": "Noted.",
        },
    )


def test_text_is_compared_as_the_release_compares_it(suite: Suite) -> None:
    assert suite.tasks[0].compare == COMPARE
    assert COMPARE.free == {"gmail.emails.sent_datetime"}
    assert {"crm.customers.notes", "calendar.events.duration", "analytics.plots.file_path"} <= COMPARE.text
    assert not {"crm.customers.status", "projects.tasks.list_name", "projects.tasks.board"} & COMPARE.text


def test_the_suite_knows_its_tools_its_time_and_its_notice(suite: Suite, data: Path) -> None:
    record = json.loads((data / suite.version / "import.json").read_text(encoding="utf-8"))

    assert suite.name == "workbench-official@v1"
    assert set(suite.toolsets.values()) == {"workbench"}
    assert "2023-11-30" in suite.system
    assert record["notice"].startswith("MIT License")
    assert len(record["checksums"]) == 13
    assert [record["counts"][name] for name in ("tasks", "calls", "empty", "unchanged", "changes")] == [
        17,
        16,
        3,
        3,
        16,
    ]


def test_the_layout_of_2026_gives_the_same_tasks(small: Path, small_v2: Path, data: Path) -> None:
    imported = import_release(small_v2, data)

    assert imported.version == "v2"
    assert load("v2").name == "workbench-official@v2"
    assert load("v2").task("email-001").solution[0].arguments["body"] == "Hi,\n\nIt is on its way."
    assert len(load("v2").tasks) == 17


def test_importing_twice_changes_nothing(small: Path, data: Path) -> None:
    first = import_release(small, data)
    before = contents(data)

    assert import_release(small, data) == first
    assert contents(data) == before


def test_importing_again_mends_a_damaged_import(small: Path, data: Path) -> None:
    folder = import_release(small, data).folder
    before = contents(data)
    (folder / "tasks.jsonl").write_text("", encoding="utf-8")

    import_release(small, data)
    assert contents(data) == before


def test_another_release_becomes_the_newest_of_its_version(small: Path, data: Path) -> None:
    first = import_release(small, data)
    edit(small / ANSWERS / "email_queries_and_answers.csv", "Noted.", "Seen.")
    second = import_release(small, data)

    assert first.folder != second.folder
    assert first.folder.is_dir()
    assert load("v1").version == second.folder.name


def test_a_refused_release_leaves_the_last_import_alone(small: Path, data: Path) -> None:
    import_release(small, data)
    before = contents(data)
    edit(small / ANSWERS / "email_queries_and_answers.csv", "00000001", "00000099")

    with pytest.raises(ImportProblem, match=r"1 task\(s\).*email-000|2 task\(s\)"):
        import_release(small, data)
    assert contents(data) == before


def test_a_suite_that_was_never_imported_names_the_command(data: Path) -> None:
    with pytest.raises(SuiteError, match="harness import workbench PATH"):
        load("v1")


def test_a_damaged_import_names_the_command(small: Path, data: Path) -> None:
    folder = import_release(small, data).folder
    (folder / "tasks.jsonl").write_text('{"id":', encoding="utf-8")

    with pytest.raises(SuiteError, match="harness import workbench PATH"):
        load("v1")


def test_a_folder_of_neither_layout_is_told_both_paths(tmp_path: Path) -> None:
    with pytest.raises(ImportProblem, match=r"tasks_and_outcomes nor .*queries_and_answers"):
        read_release(tmp_path)


def test_a_path_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ImportProblem, match="nowhere is not a folder"):
        read_release(tmp_path / "nowhere")


def test_missing_files_are_all_named(small: Path) -> None:
    (small / "data/processed/emails.csv").unlink()
    (small / ANSWERS / "calendar_queries_and_answers.csv").unlink()

    with pytest.raises(ImportProblem, match=r"lacks 2 file.*emails\.csv.*calendar_queries_and_answers\.csv"):
        read_release(small)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        ("event_id,event_name\n1,2\n", "has the columns"),
        ("event_id,event_name,participant_email,event_start,duration\n", "no rows"),
        ("event_id,event_name,participant_email,event_start,duration\n00000000,a,b\n", "row 1: 3 cells"),
        ('event_id,event_name,participant_email,event_start,duration\n0,"a', "not a whole CSV file"),
        ("event_id,event_name,participant_email,event_start,duration\n0,a,b,c,d\n0,a,b,c,d\n", "two rows"),
    ],
)
def test_a_short_or_damaged_file_is_named(small: Path, text: str, problem: str) -> None:
    (small / "data/processed/calendar_events.csv").write_text(text, encoding="utf-8")

    with pytest.raises(ImportProblem, match=rf"calendar_events\.csv.*{problem}"):
        read_release(small)


def test_a_number_that_is_none_is_named_with_its_row(small: Path) -> None:
    edit(small / "data/processed/analytics_data.csv", "0412,7,30", "0412,seven,30")

    with pytest.raises(ImportProblem, match="row 3: page_views is 'seven'"):
        read_release(small)


def test_another_licence_is_refused(small: Path) -> None:
    (small / "LICENSE").write_text("All rights reserved", encoding="utf-8")

    with pytest.raises(ImportProblem, match="MIT License"):
        read_release(small)


def test_tasks_that_do_not_parse_are_counted_and_named(small: Path) -> None:
    edit(small / ANSWERS / "email_queries_and_answers.csv", "email.reply_email.func(", "email.reply_email.func(*")
    edit(small / ANSWERS / "analytics_queries_and_answers.csv", "analytics.create_plot", "statistics.create_plot")

    with pytest.raises(ImportProblem, match=r"2 task\(s\)") as caught:
        read_release(small)
    assert "email-003" in str(caught.value)
    assert "analytics-000: names the app 'statistics'" in str(caught.value)


def test_a_solution_that_an_app_refuses_is_named(small: Path, data: Path) -> None:
    edit(small / ANSWERS / "project_management_queries_and_answers.csv", "Front end", "Roof")

    with pytest.raises(ImportProblem, match=r"project_management-001: call 1, projects\.create_task: "):
        import_release(small, data)


def test_the_revision_is_read_from_the_files_of_git(small: Path) -> None:
    git = small / ".git"
    (git / "refs/heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (git / "packed-refs").write_text("# pack-refs\n" + "a" * 40 + " refs/heads/main\n", encoding="utf-8")
    assert read_release(small).revision == "a" * 40

    (git / "refs/heads/main").write_text("b" * 40 + "\n", encoding="utf-8")
    assert read_release(small).revision == "b" * 40


def test_a_release_without_git_has_no_revision(small: Path) -> None:
    assert read_release(small).revision == ""


def test_a_reference_call_is_read_as_syntax() -> None:
    assert read_call(
        'customer_relationship_manager.delete_customer.func(customer_id="7", note="a\nb \\"c\\"")'
    ) == Call(app="crm", tool="delete_customer", arguments={"customer_id": "7", "note": 'a\nb "c"'})


@pytest.mark.parametrize(
    "text",
    [
        '__import__("os").system.func(command="true")',
        'email.send_email.func("positional")',
        "email.send_email.func(body=open)",
        "email.send_email.func(body=1)",
        'email.send_email.func(**{"body": "x"})',
        'email.send_email(body="x")',
        'email.send_email.func(body="x")()',
        'email.send_email.func(body=f"{1}")',
        "email.send_email.func(body=",
        'music.play.func(name="x")',
    ],
)
def test_anything_but_a_call_with_literal_text_is_refused(text: str) -> None:
    with pytest.raises(CallProblem):
        read_call(text)


@pytest.mark.parametrize("text", ["[1]", "'x'", "['a', open]", "[", "['a'] + ['b']"])
def test_anything_but_a_list_of_strings_is_refused(text: str) -> None:
    with pytest.raises(CallProblem):
        literal_strings(text)
