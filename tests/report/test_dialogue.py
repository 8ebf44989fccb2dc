"""Trouble in the dialogue of trials that failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from harness import report
from harness.core.config import Condition, UserConfig
from harness.core.trajectory import Asked, HandOver, Trajectory
from harness.record.store import TrialRecord
from harness.report.dialogue import told_apart, troubles
from harness.suite import Table
from servers.kernel import Part
from tests.report.records import IDS, by_title, call, config, delete, record, suite, task

TASKS = [task(f"t{n}", delete(IDS[n]), template=f"template {n % 2}") for n in range(4)]

GIVEN = Part(kind="given", target="owner", text="Priya.")
CONFIRMED = Part(kind="confirmed", target="day")
LEFT = Part(kind="no_preference")
LOST = Part(kind="not_understood")
PUT_OFF = Part(kind="put_off", target="owner")


def asked(*parts: Part, targets: Sequence[str] = (), goes_on: bool = True) -> Asked:
    return Asked(text="?", answer="!", parts=parts, targets=tuple(targets), goes_on=goes_on)


def played(n: int, right: bool, *questions: Asked) -> TrialRecord:
    found = record(TASKS[n], right)
    found.trajectory.events += [call("ask_user", app="ask_user").model_copy(update={"asked": list(questions)})]
    return found


def trajectory(*questions: Asked) -> Trajectory:
    return played(0, False, *questions).trajectory


def rows(*records: TrialRecord, user: UserConfig | None = None) -> list[dict[str, Any]]:
    return [dict(row) for row in table(*records, user=user).rows]


def table(*records: TrialRecord, user: UserConfig | None = None) -> Table:
    of = suite(TASKS)
    chosen = config(conditions={"default": Condition(ask="ask_user", user=user or UserConfig())})
    found = report.tables(chosen, of, report.ordered(records, chosen, of))
    return by_title(found, "Results: failed trials with trouble in the dialogue")


@pytest.mark.parametrize(
    ("questions", "expected"),
    [
        ([asked(GIVEN, targets=["owner"]), asked(CONFIRMED, targets=["day"])], set()),
        ([asked(LEFT)], set()),
        ([asked(PUT_OFF, targets=["owner"])], set()),
        ([asked(LOST)], {"not understood"}),
        ([asked(GIVEN, LEFT)], {"contradiction"}),
        ([asked(CONFIRMED, LOST)], {"contradiction", "not understood"}),
        ([asked(GIVEN), asked(LEFT)], set()),
        ([asked(GIVEN, targets=["owner"]), asked(GIVEN, targets=["day", "owner"])], {"asked twice"}),
        ([asked(targets=["owner", "owner"])], set()),
        ([asked(GIVEN, targets=["day"]), asked(CONFIRMED, targets=["day"])], set()),
        (
            [asked(CONFIRMED, targets=["day"]), asked(GIVEN, targets=["day"]), asked(GIVEN, targets=["day"])],
            {"asked twice"},
        ),
    ],
)
def test_a_trouble_is_told_from_questions_and_answers(questions: Sequence[Asked], expected: set[str]) -> None:
    assert troubles(trajectory(*questions)) == expected


def test_what_is_asked_for_in_another_session_is_not_asked_twice() -> None:
    found = trajectory(asked(GIVEN, targets=["owner"]))
    later = call("ask_user", app="ask_user").model_copy(
        update={"n": 1, "session": 1, "asked": [asked(GIVEN, targets=["owner"])]}
    )
    found.events.append(later)

    assert troubles(found) == frozenset()


def test_a_closing_statement_that_nobody_answers_is_no_question() -> None:
    found = trajectory()
    found.events.append(HandOver(n=1, session=0, turn=1, text="Done.", asked=[asked(LOST, goes_on=False)]))

    assert troubles(found) == frozenset()


def test_answers_without_parts_are_not_told_apart() -> None:
    assert told_apart(trajectory(asked(GIVEN), asked(LEFT)))
    assert not told_apart(trajectory(asked(GIVEN), asked()))


def test_the_share_is_of_failed_trials_alone() -> None:
    (row,) = rows(played(0, False, asked(LOST)), played(1, False, asked(GIVEN)), played(2, True, asked(LOST)))

    assert {key: row[key] for key in ("failed", "not understood", "contradiction", "asked twice", "share")} == {
        "failed": 2, "not understood": 1, "contradiction": 0, "asked twice": 0, "share": 0.5,
    }  # fmt: skip
    assert row["user"] == "grounded@2"
    assert row["low"] < 0.5 < row["high"]


def test_a_user_who_does_not_say_what_it_does_gets_no_share() -> None:
    (row,) = rows(
        played(0, False, asked(targets=["owner"]), asked(targets=["owner"])), user=UserConfig(version=1)
    )  # fmt: skip

    assert [row[key] for key in ("not understood", "contradiction", "share", "low", "high")] == [
        "not told apart", "not told apart", "not told apart", None, None,
    ]  # fmt: skip
    assert row["asked twice"] == 1


def test_a_run_without_a_failed_trial_has_no_share() -> None:
    (row,) = rows(played(0, True, asked(LOST)))

    assert (row["failed"], row["share"]) == (0, None)


def test_a_manner_that_makes_agents_ask_twice_is_said_beside_the_share() -> None:
    reluctant = table(played(0, False, asked(PUT_OFF)), user=UserConfig(manner="reluctant"))

    assert "a user who is reluctant has things asked for twice by nature" in reluctant.notes


def test_a_note_says_where_nothing_was_asked_in_any_trial() -> None:
    def silent(*records: TrialRecord) -> bool:
        return any("default: nothing was asked in any trial" in note for note in table(*records).notes)

    assert silent(record(TASKS[0], False), record(TASKS[1], True))
    assert not silent(record(TASKS[0], False), played(1, True, asked(GIVEN)))
