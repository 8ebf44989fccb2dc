"""The tasks through the tools for models at work: the same work, the same rows, the same verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from benchmarks.workbench.synth.through import solved
from harness.agents.instruments import OracleAgent
from harness.audit.play import Played, Player
from harness.core.config_file import load
from harness.core.overrides import Overrides
from harness.core.scores import Score
from harness.play.run import evaluate
from harness.record.store import TrialRecord
from harness.suite import Suite
from harness.task import Call, Task
from harness.trajectory import Trajectory
from harness.wiring import wiring
from tests.synth.desk import Office, scored

CONFIG = Path(__file__).parents[2] / "configs" / "surfaces.yaml"
DEFAULT = {"gmail": "default", "calendar": "default", "crm": "default"}
DOMAINS = {"email", "calendar", "customer_relationship_manager"}

Row = tuple[str, str, str]
Rows = dict[Row, tuple[dict[str, Any] | None, dict[str, Any] | None]]


@pytest.fixture(scope="module")
def ends(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str, str], TrialRecord]:
    """(agent, condition, task) -> its record, of all tasks about mail, calendar or CRM."""
    tasks = [task.id for task in suite.tasks if DOMAINS & {*task.facts["domains"]}]
    config = load(CONFIG, Overrides()).model_copy(update={"tasks": tuple(tasks)})
    run = evaluate(config, suite, wiring(), tmp_path_factory.mktemp("both") / "run")
    told = ((record.trajectory, record) for record in run.records())
    return {(played.agent, played.condition, played.task): record for played, record in told}


def rows(trajectory: Trajectory, *but: str) -> Rows:
    """What changed, without these fields."""
    return {
        (change.app, change.table, change.id): (_without(change.before, but), _without(change.after, but))
        for change in trajectory.changes
    }


def _without(row: dict[str, Any] | None, fields: Sequence[str]) -> dict[str, Any] | None:
    return row and {field: value for field, value in row.items() if field not in fields}


def verdict(suite: Suite, task: Task, trajectory: Trajectory) -> Score:
    """What the suite's outcome check says of a trial, whose tools may have been any."""
    return suite.checks["outcome"](task, trajectory, {})


def through(suite: Suite, task: Task, *calls: Call) -> Played:
    """What these calls do to the task's rows where mail, calendar and CRM have the tools for models at work."""
    return made_of(replace(suite, toolsets={**suite.toolsets, **DEFAULT}), task, calls)


def made_of(suite: Suite, task: Task, calls: Sequence[Call]) -> Played:
    player = Player(suite)
    try:
        return anyio.run(player.play, task, calls)
    finally:
        player.close()


def first(suite: Suite, template: str) -> Task:
    return next(task for task in suite.tasks if task.template == template and task.solution)


def gmail(tool: str, **arguments: Any) -> Call:
    return Call(app="gmail", tool=tool, arguments=arguments)


def test_every_task_about_mail_calendar_or_crm_is_played_through_both(suite: Suite, ends: Any) -> None:
    tasks = {task for *_, task in ends}
    templates = {task.template for task in suite.tasks if DOMAINS & {*task.facts["domains"]}}

    assert {suite.task(task).template for task in tasks} == templates
    assert len(tasks) == 10 * len(templates) == 460
    assert len(ends) == 2 * 2 * 460


def test_the_oracle_is_right_through_both_and_changes_nothing_else(ends: Any) -> None:
    scores = {key: record.scores["outcome"] for key, record in ends.items() if key[0] == "oracle"}

    assert {key: score.reason for key, score in scores.items() if score.label != "correct"} == {}
    assert all(not score.detail["side_effects"] for score in scores.values())


def test_the_same_rows_are_left_but_for_the_trash_and_conversations(ends: Any) -> None:
    trashed, continued = 0, 0
    for task in {task for *_, task in ends}:
        there, here = (ends["oracle", condition, task].trajectory for condition in ("workbench", "default"))
        goes_on = [call for call in here.calls if call.tool in ("forward_email", "reply_to_email")]
        but = ("thread",) if goes_on else ()
        left, was = rows(here, *but), rows(there, *but)
        in_trash = {row for row in left if row[1] == "trash"}
        gone = {(app, "trash", id) for (app, table, id), (_, after) in was.items() if table == "emails" and not after}

        assert {row: change for row, change in left.items() if row not in in_trash} == was, task
        assert in_trash == gone, task
        new = [row["thread"] for _, row in rows(here).values() if row and "thread" in row] if goes_on else []
        assert new == [call.arguments["email_id"] for call in goes_on], task
        trashed, continued = trashed + len(in_trash), continued + len(new)

    assert (trashed, continued) == (58, 81)


def test_doing_nothing_is_right_in_the_same_tasks(ends: Any) -> None:
    idle = {key[1:]: record for key, record in ends.items() if key[0] == "idle"}
    right = {
        condition: {
            task for (where, task), record in idle.items() if where == condition and record.scores["outcome"].value
        }
        for condition in ("workbench", "default")
    }

    assert right["default"] == right["workbench"] != set()
    assert all(not record.trajectory.changes for record in idle.values())


def test_what_is_done_to_several_things_in_a_row_is_one_call(suite: Suite, ends: Any) -> None:
    made = dict.fromkeys(("workbench", "default"), 0)
    for (agent, condition, _), record in ends.items():
        if agent == "oracle":
            made[condition] += sum(call.app in DEFAULT for call in record.trajectory.calls)
    assert made == {"workbench": 719, "default": 526}  # as docs/surfaces.md has it

    several = tuple(Call(app="crm", tool="delete_customer", arguments={"customer_id": f"{n:08d}"}) for n in range(51))
    other = Call(app="crm", tool="update_customer", arguments=owner("00000000", "a@b.example"))
    same = Call(app="crm", tool="update_customer", arguments=owner("00000001", "a@b.example"))
    task = suite.tasks[0].model_copy(update={"solution": (*several, other, same)})
    calls = solved(task, DEFAULT)

    assert [(call.tool, len(call.arguments["record_ids"])) for call in calls] == [
        ("delete_records", 50),
        ("delete_records", 1),
        ("assign_records", 2),
    ]


def owner(id: str, address: str) -> dict[str, str]:
    return {"customer_id": id, "field": "assigned_to_email", "new_value": address}


def test_what_goes_to_another_is_a_call_of_its_own(suite: Suite) -> None:
    calls = [
        Call(app="crm", tool="update_customer", arguments=owner(f"0000000{n}", f"{n}@b.example")) for n in range(2)
    ]
    task = suite.tasks[0].model_copy(update={"solution": tuple(calls)})

    assert [call.arguments for call in solved(task, DEFAULT)] == [
        {"record_ids": [f"0000000{n}"], "owner": f"{n}@b.example"} for n in range(2)
    ]


def test_an_app_that_is_served_as_published_keeps_its_calls(suite: Suite) -> None:
    for task in suite.tasks:
        assert solved(task, suite.toolsets) == task.solution
        apart = [call for call in solved(task, {**suite.toolsets, "crm": "default"}) if call.app != "crm"]
        assert apart == [call for call in task.solution if call.app != "crm"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_events", {"query": "x"}),
        ("update_event", {"event_id": "00000001", "field": "participant_email", "new_value": "a@b.example"}),
    ],
)
def test_a_call_that_nothing_is_known_for_is_told_of(suite: Suite, tool: str, arguments: dict[str, str]) -> None:
    task = suite.tasks[0].model_copy(update={"solution": (Call(app="calendar", tool=tool, arguments=arguments),)})

    with pytest.raises(ValueError, match="`workbench` alone"):
        solved(task, DEFAULT)


def test_other_ways_of_a_task_are_no_part_of_what_it_is(suite: Suite) -> None:
    assert replace(suite, solved=None).digest == suite.digest
    assert not any(task.solutions for task in suite.tasks)


def test_an_oracle_that_is_told_no_other_way_makes_the_calls_of_the_task(suite: Suite, office: Office) -> None:
    task = first(suite, "delete-latest")
    desk, said, changes = office.play(OracleAgent(task, solved))

    assert (said, desk.calls) == ("Done.", ["gmail_delete_email"])
    assert scored(task, changes).value == 1.0


@pytest.mark.parametrize("mode", ["trash", "forever"])
def test_a_mail_is_deleted_in_the_trash_and_out_of_it(suite: Suite, mode: str) -> None:
    task = first(suite, "delete-latest")
    id = task.solution[0].arguments["email_id"]
    played = through(suite, task, gmail("delete_emails", conversation_ids=[id], mode=mode))

    assert len(played.trajectory.changes) == (2 if mode == "trash" else 1)
    assert verdict(suite, task, played.trajectory).label == "correct"


def test_another_mail_in_the_trash_is_a_side_effect(suite: Suite) -> None:
    task, other = first(suite, "delete-latest"), first(suite, "delete-recent")
    ids = [each.solution[0].arguments["email_id"] for each in (task, other)]
    played = through(suite, task, gmail("delete_emails", email_ids=ids))
    score = verdict(suite, task, played.trajectory)

    assert (score.label, score.detail["unexpected"], score.detail["side_effects"]) == ("wrong", 1, True)


def test_a_row_in_the_trash_that_is_no_deleted_mail_is_a_side_effect(suite: Suite) -> None:
    task = first(suite, "delete-latest")
    id = task.solution[0].arguments["email_id"]
    played = through(suite, task, gmail("delete_emails", email_ids=[id])).trajectory
    (put,) = (change for change in played.changes if change.table == "trash")
    row = put.after or {}
    for odd in (put.model_copy(update={"id": "99999999"}), put.model_copy(update={"after": {**row, "body": "x"}})):
        changes = [odd if change is put else change for change in played.changes]
        score = verdict(suite, task, played.model_copy(update={"changes": changes}))

        assert (score.label, score.detail["unexpected"]) == ("wrong", 1)


def test_a_mail_that_was_sent_is_not_taken_back_by_throwing_it_away(suite: Suite) -> None:
    task = next(task for task in suite.tasks if not task.solution)
    sent = gmail("send_email", to=["a@b.example"], subject="s", text="t").model_copy(update={"bind": "new"})
    played = through(suite, task, sent, gmail("delete_emails", email_ids=[{"ref": "new"}]))

    assert [(change.table, change.op) for change in played.trajectory.changes] == [("trash", "insert")]
    assert verdict(suite, task, played.trajectory).label == "wrong"


def test_a_mail_sent_on_to_two_at_once_is_one_to_each(suite: Suite) -> None:
    task, one, other = next(
        (task, one, other)
        for task in suite.tasks
        if [call.tool for call in task.solution] == ["forward_email"] * 2
        for one, other in [[call.arguments for call in task.solution]]
        if one["email_id"] == other["email_id"]
    )
    both = [one["recipient"], other["recipient"]]
    done = through(suite, task, gmail("forward_email", email_id=one["email_id"], to=both))
    three = through(suite, task, gmail("forward_email", email_id=one["email_id"], to=[*both, "dario"]))

    assert verdict(suite, task, done.trajectory).value == 1
    assert verdict(suite, task, three.trajectory).detail["unexpected"] == 1


def test_a_draft_that_is_sent_is_a_mail_that_was_sent(suite: Suite) -> None:
    task = next(task for task in suite.tasks if [call.tool for call in task.solution] == ["send_email"])
    given = task.solution[0].arguments
    draft = gmail("save_draft", to=[given["recipient"]], subject=given["subject"], text=given["body"])
    played = through(
        suite, task, draft.model_copy(update={"bind": "draft"}), gmail("send_draft", draft_id={"ref": "draft"})
    )

    assert verdict(suite, task, played.trajectory).label == "correct"


MAIL = {"recipient": "a@b.example", "subject": "s", "body": "t"}
EVENT = {
    "event_name": "x",
    "participant_email": "a@b.example",
    "event_start": "2025-03-14 10:00:00",
    "duration": "30",
}
LEAD = {"customer_name": "Ida Lind", "assigned_to_email": "a@b.example", "status": "Lead"}
LIMITS = [
    ("gmail", "send_email", MAIL | {"recipient": "a.b@c"}, "to: 'a.b@c' is not a whole e-mail address"),
    ("gmail", "send_email", MAIL | {"subject": "s" * 1_001}, "'subject': string should have at most 1000"),
    ("calendar", "create_event", EVENT | {"participant_email": "Ida"}, "people: 'Ida' is nobody known here"),
    ("calendar", "create_event", EVENT | {"event_start": "soon"}, "'soon' is not a time"),
    (
        "calendar",
        "create_event",
        EVENT | {"event_start": "2025-03-14 10:00:30"},
        "start: 2025-03-14 10:00:30 is not a whole minute",
    ),
    ("calendar", "create_event", EVENT | {"event_start": "2225-03-14 10:00:00"}, "is not between 1900-01-01"),
    ("calendar", "create_event", EVENT | {"duration": "0"}, "minutes"),
    ("crm", "add_customer", LEAD | {"assigned_to_email": "Ida"}, "owner: 'Ida' is nobody known here"),
    ("crm", "add_customer", LEAD | {"status": "Asleep"}, "stage"),
    ("crm", "add_customer", LEAD | {"product_interest": "Tea"}, "product"),
    ("crm", "add_customer", LEAD | {"follow_up_by": "soon"}, "'soon' is not a day"),
    ("crm", "add_customer", LEAD | {"customer_email": "ida"}, "email: 'ida' is not an e-mail address"),
]
"""What the published tools write and the default ones refuse; no task does any of it."""


@pytest.mark.parametrize(("app", "tool", "arguments", "refusal"), LIMITS)
def test_what_only_the_published_tools_write_is_refused_with_a_reason(
    suite: Suite, app: str, tool: str, arguments: dict[str, str], refusal: str
) -> None:
    task = suite.tasks[0].model_copy(update={"solution": (Call(app=app, tool=tool, arguments=arguments),)})
    there, here = made_of(suite, task, task.solution), through(suite, task, *solved(task, DEFAULT))

    assert [(call.status, change.op) for call in there.trajectory.calls for change in there.trajectory.changes] == [
        ("ok", "insert")
    ]
    (call,) = here.trajectory.calls
    assert call.status != "ok"
    assert here.trajectory.changes == []
    assert refusal in call.text


def test_an_address_that_another_customer_has_is_written_by_the_published_tools_alone(suite: Suite) -> None:
    customers = suite.load_world(suite.tasks[0].world).rows["crm"]["customers"]
    taken = LEAD | {"customer_email": customers[0]["customer_email"]}
    task = suite.tasks[0].model_copy(update={"solution": (Call(app="crm", tool="add_customer", arguments=taken),)})

    assert len(made_of(suite, task, task.solution).trajectory.changes) == 1
    (call,) = through(suite, task, *solved(task, DEFAULT)).trajectory.calls
    assert f"contact {customers[0]['id']}" in call.text
    assert not call.writes
