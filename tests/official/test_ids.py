"""Ids as the release gives them: the largest plus one, so that they come back, and overwritten by an update."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.workbench.official import load
from benchmarks.workbench.official.conformance import Conformance, conformance
from benchmarks.workbench.official.expected import Bench
from benchmarks.workbench.official.importer import WORLD
from benchmarks.workbench.official.predictions import Prediction
from benchmarks.workbench.official.profiles import PROFILES, left
from benchmarks.workbench.official.rescore import play, rescore
from harness.play.replay import replay_run
from harness.record.scores import scores as checked
from harness.suite import Suite
from harness.trajectory import Trajectory
from harness.wiring import Wired
from tests.official import independent
from tests.official.conftest import SMALL
from tests.official.independent import KEYS
from tests.official.test_conformance import small_world, write_run
from tests.official.test_official import OURS, as_the_release_has_it
from tests.official.test_rescore import CHARTS, HARM, MEET, RIGHT, V1, V2, WRONG, scores, write_results
from tests.official.tools import Release, judged, written

START = independent.starting_tables(SMALL)
TASKS = {id: calls for id, (_, calls) in independent.published_tasks(SMALL).items()}

MEET_AT_NINE, MEET_AT_TEN = MEET.format("09:00:00"), MEET.format("10:00:00")
SEND = written("email.send_email", recipient="odd.berg@quay.example", subject="Nets", body="They are dry.")
BUILD = written(
    "project_management.create_task",
    task_name="Mend the crane", assigned_to_email="odd.berg@quay.example", list_name="Backlog", due_date="2023-12-09",
    board="Design",
)  # fmt: skip
LEAD = written(
    "customer_relationship_manager.add_customer",
    customer_name="Ada Moss", assigned_to_email="odd.berg@quay.example", status="Lead",
)  # fmt: skip


def event(id: str) -> str:
    return written("calendar.delete_event", event_id=id)


def moved(id: str, to: str) -> str:
    return written("calendar.update_event", event_id=id, field="event_id", new_value=to)


def mail(id: str) -> str:
    return written("email.delete_email", email_id=id)


def task(id: str) -> str:
    return written("project_management.delete_task", task_id=id)


def customer(id: str) -> str:
    return written("customer_relationship_manager.delete_customer", customer_id=id)


NOTHING, CANCEL, DROP = "calendar-002", "calendar-000", "customer_relationship_manager-002"
"""Tasks of the small release: nothing is to be done; event 1 of 0 to 3 is to go; customer 2 of 0 to 2 is to go."""

SAME_EVENT = written(
    "calendar.create_event",
    event_name="rope check", participant_email="odd.berg@quay.example", event_start="2023-11-27 09:00:00",
    duration="30",
)  # fmt: skip

Verdicts = tuple[tuple[bool, bool], tuple[bool, bool], tuple[bool, bool]]
ALL_RIGHT: Verdicts = (RIGHT, RIGHT, RIGHT)
ALL_HARM: Verdicts = (HARM, HARM, HARM)

SCENES: dict[str, tuple[str, list[str], Verdicts]] = {
    "an event made, deleted, made and deleted again by the same id": (
        NOTHING, [MEET_AT_NINE, event("00000004"), MEET_AT_TEN, event("00000004")], ALL_RIGHT,
    ),
    "the same with the id that never comes to be": (
        NOTHING, [MEET_AT_NINE, event("00000004"), MEET_AT_TEN, event("00000005")], ALL_HARM,
    ),
    "a refused call in between": (
        NOTHING,
        [MEET_AT_NINE, event("00000004"), event("00000004"), MEET_AT_TEN, event("00000009"), event("00000004")],
        ALL_RIGHT,
    ),
    "two made, the first deleted, a third one above both": (
        NOTHING,
        [MEET_AT_NINE, MEET_AT_TEN, event("00000004"), MEET_AT_NINE, event("00000006"), event("00000005")],
        ALL_RIGHT,
    ),
    "a mail sent, deleted, sent and deleted again, numbered without zeros in 2024": (
        NOTHING, [SEND, mail("5"), SEND, mail("5")], (RIGHT, HARM, HARM),
    ),
    "the same with eight digits, as in 2026": (
        NOTHING, [SEND, mail("00000005"), SEND, mail("00000005")], (HARM, RIGHT, RIGHT),
    ),
    "a project task made, deleted, made and deleted again": (
        NOTHING, [BUILD, task("00000004"), BUILD, task("00000004")], ALL_RIGHT,
    ),
    "a customer added, deleted, added and deleted again": (
        NOTHING, [LEAD, customer("00000003"), LEAD, customer("00000003")], ALL_RIGHT,
    ),
    "a customer added with an optional field given as empty, and deleted": (
        NOTHING, [LEAD.replace(")", ", customer_phone='')"), customer("00000003")], ALL_RIGHT,
    ),
    "the world's newest customer deleted, and the one that got its id": (
        DROP, [customer("00000002"), LEAD, customer("00000002")], ALL_RIGHT,
    ),
    "another customer in place of the newest": (DROP, [customer("00000002"), LEAD], ALL_HARM),
    "the world's newest event deleted and made as it was, last where it stood first": (
        NOTHING, [event("00000003"), SAME_EVENT], (HARM, RIGHT, RIGHT),
    ),
    "an event moved and deleted by its new id": (CANCEL, [moved("00000001", "7"), event("7")], ALL_RIGHT),
    "an event moved and asked for by its old id": (NOTHING, [moved("00000001", "7"), event("00000001")], ALL_HARM),
    "an event moved and left": (NOTHING, [moved("00000001", "00000009")], ALL_HARM),
    "an event moved there and back": (NOTHING, [moved("00000001", "7"), moved("7", "00000001")], ALL_RIGHT),
    "the newest event moved away, so that the next is numbered after it": (
        NOTHING,
        [moved("00000003", "00000008"), MEET_AT_NINE, event("00000009"), moved("00000008", "00000003")],
        ALL_RIGHT,
    ),
    "an event moved onto another, and both deleted by one call": (
        CANCEL, [moved("00000001", "00000000"), event("00000000")], ALL_HARM,
    ),
    "two events made, one moved onto the other, and both deleted by one call": (
        NOTHING, [MEET_AT_NINE, MEET_AT_TEN, moved("00000005", "00000004"), event("00000004")], ALL_RIGHT,
    ),
    "an id that is no number, after which the release fails to number a new row": (
        NOTHING, [moved("00000003", "next"), MEET_AT_NINE, moved("next", "00000003")], (RIGHT, WRONG, WRONG),
    ),
    "all events deleted, and one made: without a largest id in 2024, the first in 2026": (
        NOTHING,
        [*map(event, ("00000000", "00000001", "00000002", "00000003")), MEET_AT_NINE, event("00000000")],
        ALL_HARM,
    ),
    "a task moved and deleted by its new id": (
        NOTHING,
        [
            BUILD,
            written("project_management.update_task", task_id="00000004", field="task_id", new_value="7"),
            task("7"),
        ],
        ALL_RIGHT,
    ),
    "a customer moved and deleted by its new id": (
        DROP,
        [
            written(
                "customer_relationship_manager.update_customer",
                customer_id="00000002", field="customer_id", new_value="7",
            ),
            customer("7"),
        ],
        ALL_RIGHT,
    ),
}  # fmt: skip


class Player:
    """Plays runs of the small release under a profile, all over one loaded world."""

    def __init__(self, root: Path, profile: str) -> None:
        write_results(root)
        found = rescore(root, model="m", mode="all", profile=profile)
        self.suite, self.head = found.suite, found.run.head
        self.bench = Bench(self.suite.world(WORLD))

    def play(self, id: str, calls: Sequence[str]) -> Trajectory:
        task = self.suite.task(id)
        row = Prediction(task.sessions[0].requests["original"], tuple(calls), "", "")
        return anyio.run(play, self.bench, task, row, self.head)

    def verdict(self, trajectory: Trajectory) -> tuple[bool, bool]:
        detail = checked(self.suite.checks, self.suite.task(trajectory.task), trajectory)["outcome"].detail
        return detail["correct"], detail["side_effects"]


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Player]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARNESS_DATA", str(tmp_path_factory.mktemp("data")))
        root = Path(shutil.copytree(SMALL, tmp_path_factory.mktemp("small") / "release"))
        found = {profile: Player(root, profile) for profile in PROFILES}
    yield found
    for player in found.values():
        player.bench.close()


@pytest.mark.parametrize("name", SCENES)
def test_ids_come_back_and_move_as_the_release_has_it(players: dict[str, Player], name: str) -> None:
    id, calls, wanted = SCENES[name]

    assert tuple(p.verdict(p.play(id, calls)) for p in map(players.__getitem__, (V1, V2, CHARTS))) == wanted


@pytest.mark.parametrize("name", SCENES)
def test_what_each_scene_expects_is_what_the_second_reading_finds(name: str) -> None:
    id, calls, wanted = SCENES[name]

    assert tuple(judged(START, calls, TASKS[id], profile) for profile in (V1, V2, CHARTS)) == wanted


def test_a_results_file_that_uses_an_id_again_and_one_that_moves_one_are_scored_so(small: Path, data: Path) -> None:
    again, move = (SCENES[name] for name in ("an event made, deleted, made and deleted again by the same id",
                                            "an event moved and deleted by its new id"))  # fmt: skip
    write_results(small, {NOTHING: again[1], CANCEL: move[1]})

    for profile in PROFILES:
        found = scores(rescore(small, model="m", mode="all", profile=profile))
        assert {id: (score.value, score.detail["side_effects"]) for id, score in found.items()} == dict.fromkeys(
            TASKS, (1.0, False)
        )


IDS = st.sampled_from([*(f"{n:08d}" for n in range(7)), *"34567", "new"])
PEOPLE = st.sampled_from(["odd.berg@quay.example", "Mira.Lund@quay.example", "nobody@quay.example", "nobody"])
TEXT = st.sampled_from(["rope check", "Rope check", "Una Vale", "2023-12-01 13:00:00", "30", "Lead", "Won", "Design"])


def calls_of(tool: str, **values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(lambda **given: written(tool, **given), **values)


def updates(tool: str, key: str, *fields: str) -> st.SearchStrategy[str]:
    """Half of them overwrite the id."""
    other = calls_of(tool, **{key: IDS}, field=st.sampled_from(fields), new_value=TEXT | PEOPLE)
    return calls_of(tool, **{key: IDS}, field=st.just(key), new_value=IDS) | other


EVENTS = st.one_of(
    st.sampled_from([MEET_AT_NINE, MEET_AT_TEN, SAME_EVENT]),
    IDS.map(event),
    updates("calendar.update_event", "event_id", "event_name", "participant_email", "duration"),
)
MAILS = st.one_of(
    st.just(SEND),
    IDS.map(mail),
    calls_of("email.forward_email", email_id=IDS, recipient=PEOPLE),
    calls_of("email.reply_email", email_id=IDS, body=TEXT),
)
PROJECTS = st.one_of(
    st.just(BUILD),
    IDS.map(task),
    updates("project_management.update_task", "task_id", "task_name", "assigned_to_email", "board", "colour"),
)
CUSTOMERS = st.one_of(
    st.just(LEAD),
    IDS.map(customer),
    updates(
        "customer_relationship_manager.update_customer", "customer_id", "customer_name", "status", "customer_email"
    ),
)
CALLS = st.one_of(
    *(st.lists(each, max_size=12) for each in (EVENTS, MAILS, PROJECTS, CUSTOMERS)),
    st.lists(
        EVENTS | MAILS | PROJECTS | CUSTOMERS | st.sampled_from(["calendar.wipe.func()", "oh dear("]), max_size=12
    ),
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), id=st.sampled_from(list(TASKS)), calls=CALLS, profile=st.sampled_from(list(PROFILES)))
def test_any_calls_leave_what_a_second_reading_of_the_tools_says_and_are_judged_so(
    players: dict[str, Player], data: st.DataObject, id: str, calls: list[str], profile: str
) -> None:
    place = data.draw(st.integers(0, len(calls)))
    calls = [*calls[:place], *(TASKS[id] if data.draw(st.booleans()) else ()), *calls[place:]]
    theirs = Release(START, 2024 if profile == V1 else 2026)
    theirs.play(calls)

    trajectory = players[profile].play(id, calls)

    assert tables(trajectory) == {name: rows_of(name, rows) for name, rows in theirs.tables.items()}
    assert players[profile].verdict(trajectory) == judged(START, calls, TASKS[id], profile)


def tables(trajectory: Trajectory) -> dict[str, list[str]]:
    """Every table as the trajectory says that the release was left with it, in the release's names, in no order."""
    found = Release(START, 2024).tables
    for change in left(trajectory)[0]:
        table, names = OURS[change.app, change.table]
        key = KEYS[table]
        if change.before is not None:
            found[table] = [row for row in found[table] if row[key] != change.id]
        if change.after is not None:
            after = as_the_release_has_it(table, change.after)
            row = {names.get(name, name): value for name, value in after.items() if name != "new row"}
            found[table].append(row if table == "plots" else {key: change.id, **row})
    return {name: rows_of(name, rows) for name, rows in found.items()}


def rows_of(table: str, rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Rows as text, sorted; ids of mails with their zeros, and without the time of those that were sent."""
    skip = ("sent_datetime",) if table == "emails" else ()
    lines = [{name: value for name, value in row.items() if name not in skip} for row in rows]
    if table == "emails":
        lines = [{**line, "email_id": line["email_id"].zfill(8)} for line in lines]
    return sorted(str(sorted(line.items())) for line in lines)


def played(root: Path, calls: Sequence[str], task: str = NOTHING, **options: Any) -> tuple[Suite, Trajectory]:
    write_results(root, {task: list(calls)})
    found = rescore(root, model="m", mode="all", profile=V1, **options)
    return found.suite, next(r.trajectory for r in found.records if r.trajectory.task == task)


def test_a_run_with_ids_of_the_release_can_be_replayed_and_scored_again(
    small: Path, data: Path, tmp_path: Path
) -> None:
    calls = [MEET_AT_NINE, event("00000004"), MEET_AT_TEN, moved("00000001", "7"), event("7"), event("00000001")]
    write_results(small, {CANCEL: [*calls, event("00000004")]})

    found = rescore(small, model="m", mode="all", profile=V1, output=tmp_path / "run")
    (again,) = [each for each in replay_run(found.run, load("v1"), Wired()) if each.task == CANCEL]
    (kept,) = [record for record in found.run.records() if record.trajectory.task == CANCEL]

    assert again.equal, again.difference
    assert checked(found.suite.checks, found.suite.task(CANCEL), kept.trajectory)["outcome"] == scores(found)[CANCEL]
    assert scores(found)[CANCEL].label == "correct"


def test_what_was_said_is_on_record_before_what_was_done_for_it(small: Path, data: Path) -> None:
    _, trajectory = played(small, [MEET_AT_NINE, event("00000004"), MEET_AT_NINE, event("00000004")])

    told = [(call.app, call.tool, call.arguments.get("event_id")) for call in trajectory.calls if "delete" in call.tool]
    assert told == [
        ("calendar", "delete_event", "00000004"),
        ("", "calendar.delete_event", "00000004"),
        ("calendar", "delete_event", "00000005"),
    ]


def test_the_reference_calls_among_others_do_not_match_exactly_by_our_ids(small: Path, data: Path) -> None:
    """The second call deletes the event that the release calls 1, and is told apart from `delete_event("7")`."""
    suite, trajectory = played(small, [moved("00000001", "7"), event("7")], CANCEL)
    detail = checked(suite.checks, suite.task(CANCEL), trajectory)["outcome"].detail

    assert (detail["correct"], detail["exact"]) == (True, False)


def test_runs_that_keep_to_our_ids_have_no_more_on_record_than_their_calls(small: Path, data: Path) -> None:
    _, trajectory = played(small, [MEET_AT_NINE, event("00000004"), SEND])

    assert [call.tool for call in trajectory.calls] == ["create_event", "delete_event", "send_email"]


def observed(folder: Path, *steps: tuple[str, dict[str, str], object]) -> Conformance:
    """What comparing a recorded run of these steps (tool, input, observation) finds."""
    told = ", ".join(
        f"(AgentAction(tool={tool!r}, tool_input={given!r}, log=''), {answer!r})" for tool, given, answer in steps
    )
    return conformance([write_run(folder, "{'intermediate_steps': [" + told + "]}")], small_world())


MEETING = {"event_name": "a", "participant_email": "b", "event_start": "2023-12-01 09:00:00", "duration": "30"}
DELETED = ("calendar.delete_event", {"event_id": "00000004"}, "Event deleted successfully.")


def test_recorded_answers_with_ids_that_came_back_are_ours(tmp_path: Path) -> None:
    create = ("calendar.create_event", MEETING, "00000004")
    berth = {"event_name": "berth round", "participant_email": "mira.lund@quay.example", "duration": "60"}
    shown = [
        {"event_id": "00000001", "event_start": "2023-12-01 09:00:00", **berth},
        {"event_id": "00000004", **MEETING},
    ]
    bounds = {"query": "a", "time_min": "2023-12-01", "time_max": "2023-12-01 09:00:00"}
    search = ("calendar.search_events", bounds, shown)
    field = ("calendar.get_event_information_by_id", {"event_id": "00000004", "field": "event_id"})

    found = observed(
        tmp_path, create, DELETED, create, search, (*field, {"event_id": "00000004"}), DELETED,
        (*DELETED[:2], "Event not found."),
    )  # fmt: skip

    assert (found.unmatched, found.agreed, found.departures) == ([], 7, {})


def test_recorded_answers_with_an_id_that_moved_are_ours(tmp_path: Path) -> None:
    move = {"event_id": "00000001", "field": "event_id", "new_value": "7"}
    ask = "calendar.get_event_information_by_id"

    found = observed(
        tmp_path,
        ("calendar.update_event", move, "Event updated successfully."),
        (ask, {"event_id": "7", "field": "event_name"}, {"event_name": "berth round"}),
        (ask, {"event_id": "00000001", "field": "event_name"}, "Event not found."),
        ("calendar.create_event", MEETING, "00000008"),
    )

    assert (found.unmatched, found.agreed, found.departures) == ([], 4, {})


def test_recorded_answers_with_the_short_id_of_a_sent_mail_are_ours(tmp_path: Path) -> None:
    send = {"recipient": "odd.berg@quay.example", "subject": "Nets", "body": "They are dry."}
    found = observed(
        tmp_path,
        ("email.send_email", send, "Email sent successfully."),
        ("email.get_email_information_by_id", {"email_id": "5", "field": "email_id"}, {"email_id": "5"}),
        ("email.get_email_information_by_id", {"email_id": "00000005", "field": "subject"}, "Email not found."),
    )

    assert (found.unmatched, found.agreed, found.departures) == ([], 3, {})
