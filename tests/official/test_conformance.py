"""The `workbench` toolsets against the release's recorded observations."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from benchmarks.workbench.official.calls import CallProblem
from benchmarks.workbench.official.conformance import DEPARTURES, Pair, agrees, conformance
from benchmarks.workbench.official.importer import NOW, WORLD
from benchmarks.workbench.official.predictions import available
from benchmarks.workbench.official.release import ImportProblem, read_release
from benchmarks.workbench.official.trajectories import Step, read_results
from servers.kernel import Failure, InvalidArguments, NotFound, Rejected, World
from tests.official.conftest import SMALL


def small_world() -> World:
    return World(WORLD, NOW, read_release(SMALL).rows)


def pair(observation: object, value: object = None, refusal: Failure | None = None) -> Pair:
    return Pair(Step("calendar.search_events", {}, observation), {}, value, refusal)


def write_run(folder: Path, response: str) -> Path:
    file = folder / "calendar" / "tiny_all_2024-01-01_00-00-00.csv"
    file.parent.mkdir()
    with file.open("w", newline="", encoding="utf-8") as target:
        rows = [["query", "function_calls", "full_response", "error"], ["Do it", "[]", response, ""]]
        csv.writer(target).writerows(rows)
    return file


def test_recorded_runs_of_the_small_release_are_answered_alike() -> None:
    files = [file for each in available(SMALL)["tiny", "all"].values() for file in each]
    found = conformance(files, small_world())

    assert str(found) == (
        "6 runs (1 without steps), 16 pairs: 16 agree, 0 depart by rule (0.00%), 0 unmatched; "
        "1 calls of tools that do not exist"
    )


def test_an_answer_that_differs_is_unmatched(tmp_path: Path) -> None:
    given = "{'event_id': '00000000', 'field': 'event_name'}"
    action = f"AgentAction(tool='calendar.get_event_information_by_id', tool_input={given}, log='')"
    response = "{'intermediate_steps': [(" + action + ", {'event_name': 'something else'})]}"

    result = conformance([write_run(tmp_path, response)], small_world())

    assert (result.pairs, result.agreed) == (1, 0)
    assert "calendar-000 step 1, calendar.get_event_information_by_id" in result.unmatched[0]


@pytest.mark.parametrize(
    "same",
    [
        pair("No events found.", []),
        pair("Event not found.", refusal=NotFound("event", "7")),
        pair("Field not found.", refusal=InvalidArguments("get", ["'field': unknown"])),
        pair("Board not valid. Please choose from: 'Design'", refusal=Rejected("No such board.")),
        pair("Event deleted successfully.", "Deleted event 00000007."),
        pair("00000300", "00000300"),
        pair({"2023-11-27": 22.333333333333332}, {"2023-11-27": 22.33333333333333}),
        pair([{"views": "8", "phone": None}], [{"views": 8, "phone": None}]),
        pair([], []),
    ],
)
def test_the_same_content_in_other_words_agrees(same: Pair) -> None:
    assert agrees(same)


@pytest.mark.parametrize(
    "other",
    [
        pair("No events found.", [{"event_id": "1"}]),
        pair("No events found.", refusal=Rejected("Nothing there.")),
        pair("Event not found.", "gone"),
        pair("Event not found.", refusal=Rejected("Try another time.")),
        pair("Event start not provided.", refusal=NotFound("event", "7")),
        pair("Event deleted successfully.", refusal=NotFound("event", "7")),
        pair("00000300", "00000301"),
        pair("00000300", "300"),
        pair("plots/a_b_c_bar.png", "plots/a_b_c_line.png"),
        pair({"2023-11-27": 22.4}, {"2023-11-27": 22.3}),
        pair([{"phone": None}], [{"phone": ""}]),
        pair([{"a": "1"}, {"a": "2"}], [{"a": "2"}, {"a": "1"}]),
        pair([{"a": "1"}], [{"a": "1", "b": "2"}]),
        pair([], refusal=Rejected("No parameters.")),
    ],
)
def test_another_content_does_not_agree(other: Pair) -> None:
    assert not agrees(other)


def test_recorded_runs_are_read_and_never_run(tmp_path: Path) -> None:
    file = write_run(tmp_path, "{'intermediate_steps': [(AgentAction(tool='a.b', tool_input=open('x'), log=''), '')]}")

    with pytest.raises(CallProblem, match="run 1: not a value that the release prints"):
        list(read_results(file))


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"query,function_calls,error\n\xff,[],\n", "cannot be read"), (b"query,error\nDo it,\n", "lacks the column")],
)
def test_a_file_of_recorded_runs_that_is_none_is_refused_by_its_name(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    file = tmp_path / "tiny_all_2024-01-01_00-00-00.csv"
    file.write_bytes(content)

    with pytest.raises(ImportProblem, match=f"{file.name} {problem}"):
        list(read_results(file))


def test_the_names_that_printed_observations_use_are_read(tmp_path: Path) -> None:
    printed = "[nan, array(['a', 'b'], dtype=object), Timestamp('2023-11-30 00:00:00'), -1, {'k': (True, None)}]"
    file = write_run(
        tmp_path, "{'intermediate_steps': [(AgentAction(tool='a.b', tool_input='c', log=''), " + printed + ")]}"
    )

    (run,) = read_results(file)

    assert run.steps == (Step("a.b", "c", [None, ["a", "b"], "2023-11-30 00:00:00", -1, {"k": [True, None]}]),)


def test_only_a_time_that_is_none_excuses_a_search_that_we_refuse() -> None:
    rule = DEPARTURES[0]
    departed = pair("No events found.", refusal=Rejected("Not a time."))._replace(
        given={"time_max": "2023-11-30 24:00:00"}
    )

    assert rule.applies(departed)
    assert not agrees(departed)
    assert not rule.applies(departed._replace(given={"time_max": "2023-11-30 23:59:59"}))
    assert not rule.applies(departed._replace(step=Step("calendar.search_events", {}, [{"event_id": "1"}])))


def test_only_an_unfit_argument_excuses_an_unknown_id_that_we_do_not_name() -> None:
    rule = DEPARTURES[1]
    departed = pair("Email not found.", refusal=InvalidArguments("get", ["'field': unknown"]))

    assert rule.applies(departed)
    assert not agrees(departed)
    assert not rule.applies(departed._replace(refusal=Rejected("Not now.")))
    assert not rule.applies(departed._replace(step=Step("email.search_emails", {}, "No emails found.")))


def test_only_a_bound_that_is_refused_as_no_date_excuses_a_search_that_was_answered() -> None:
    rule = DEPARTURES[2]
    departed = pair([{"event_id": "1"}], refusal=Rejected("time_max '1 Dec' is not a time; write YYYY-MM-DD HH:MM:SS."))

    assert rule.applies(departed)
    assert not agrees(departed)
    assert not rule.applies(departed._replace(refusal=Rejected("query has 40 different words; it may have 32.")))
    assert not rule.applies(departed._replace(step=Step("calendar.delete_event", {}, [{"event_id": "1"}])))


def test_only_a_character_of_patterns_excuses_a_search_that_finds_other_rows() -> None:
    rule = DEPARTURES[3]
    departed = pair([{"event_id": "1"}], [])._replace(given={"query": "rope|winch"})

    assert rule.applies(departed)
    assert not agrees(departed)
    assert not rule.applies(departed._replace(given={"query": "odd.berg@quay.example"}))
    assert not rule.applies(departed._replace(step=Step("email.search_emails", {}, [{"email_id": "1"}])))


def test_only_a_stored_field_that_we_do_not_have_excuses_an_update_or_a_column() -> None:
    rule = DEPARTURES[4]
    updated = Pair(
        Step("calendar.update_event", {}, "Event updated successfully."),
        {},
        None,
        InvalidArguments("update_event", ["'field': unknown"]),
    )
    shown = pair([{"event_id": "1", "colour": None}], [{"event_id": "1"}])

    assert rule.applies(updated)
    assert rule.applies(shown)
    assert not agrees(updated)
    assert not agrees(shown)
    assert not rule.applies(updated._replace(refusal=NotFound("event", "1")))
    assert not rule.applies(shown._replace(value=[{"event_id": "2"}]))
    assert not rule.applies(pair([{"event_id": "1"}], [{"event_id": "2"}]))
