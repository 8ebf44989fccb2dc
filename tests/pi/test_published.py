"""The paper's tables, worked out by hand from trials of two units."""

from __future__ import annotations

from math import sqrt
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.pi.ended import in_percent
from benchmarks.pi.episode import Episode
from benchmarks.pi.known import known
from benchmarks.pi.playing import Unit, alone, units
from benchmarks.pi.published import by_category, by_persona, scatter, statistics
from benchmarks.pi.suite import episodes
from harness.score import Criterion

EPISODE: Episode = episodes()[0]
WHOLE = Unit("whole", EPISODE.sessions)
UNITS = {unit.id: unit for unit in (WHOLE, *units(EPISODE), *alone(EPISODE))}


def ended(unit: Unit, settled: dict[str, int], comp: dict[str, float], *, agent: str = "a", trial: int = 0) -> Any:
    """A trial in which so many intents of each session were settled, and such shares of items met, by weight."""
    sessions = unit.sessions
    statuses = [
        {intent.id: "completed" if n < settled[each.id] else "provided" for n, intent in enumerate(each.intents)}
        for each in sessions
    ]
    scores = {
        "proc": SimpleNamespace(detail={"statuses": statuses}),
        "outcome": SimpleNamespace(
            criteria=[
                Criterion(name=f"{each.id}.c1", value=comp[each.id], weight=WEIGHTS[each.id]) for each in sessions
            ]
        ),
    }
    trajectory = SimpleNamespace(agent=agent, condition="notes", task=unit.id, trial=trial)
    return SimpleNamespace(trajectory=trajectory, scores=scores)


SETTLED = {"s1": 5, "s2": 2, "s3": 1, "s4": 5}  # of 5, 4, 7, 5
COMP = {"s1": 1.0, "s2": 0.5, "s3": 0.0, "s4": 0.5}
WEIGHTS = {"s1": 6, "s2": 6, "s3": 8, "s4": 8}


def test_a_persona_weighs_its_units_by_their_sessions() -> None:
    (row,) = by_persona([ended(WHOLE, SETTLED, COMP)], UNITS)

    assert (row["persona"], row["runs"], row["units"], row["sessions"]) == ("financier", 1, 2, 4)
    assert row["Proc"] == 62.5  # 3 / 4 * 8 / 16 + 1 / 4 * 1
    assert row["Comp"] == 46.3  # 3 / 4 * 9 / 20 + 1 / 4 * 0.5 = 0.4625, halves away from zero
    assert (row["Proc sd"], row["Comp sd"]) == (None, None)


def test_units_that_are_played_apart_come_to_the_same() -> None:
    apart = [ended(each, SETTLED, COMP) for each in units(EPISODE)]
    (whole,), (row,) = by_persona([ended(WHOLE, SETTLED, COMP)], UNITS), by_persona(apart, UNITS)

    assert row == whole


def test_a_session_without_its_leads_counts_in_no_persona() -> None:
    (last,) = [each for each in alone(EPISODE) if each.sessions[0].id == "s3"]

    assert by_persona([ended(last, SETTLED, COMP)], UNITS) == []


def test_kinds_of_work_have_sessions_alone_in_rows_of_their_own() -> None:
    (last,) = [each for each in alone(EPISODE) if each.sessions[0].id == "s3"]
    rows = by_category([ended(WHOLE, SETTLED, COMP), ended(last, {"s3": 7}, {"s3": 1.0})], UNITS)

    assert [(row["played"], row["sessions"], row["Comp"]) for row in rows if row["category"] == "D"] == [
        ("together", 2, 25.0), ("alone", 1, 100.0),
    ]  # fmt: skip


def test_runs_have_a_standard_deviation() -> None:
    none = dict.fromkeys(SETTLED, 0)
    (row,) = by_persona([ended(WHOLE, none, COMP), ended(WHOLE, none, dict.fromkeys(COMP, 1.0), trial=1)], UNITS)

    assert (row["runs"], row["Comp"], row["Comp sd"]) == (2, 73.1, 38.0)
    assert (row["Proc"], row["Proc sd"]) == (0.0, 0.0)


def test_what_is_known_of_units_does_not_depend_on_how_often_each_was_played() -> None:
    group, single = units(EPISODE)
    settings = {"plays": "forgetful"}

    assert known("reference", settings, [group, single, single]) == known("reference", settings, [group, single])


def test_the_known_span_of_a_dial_takes_the_mean_of_a_units_runs() -> None:
    group, single = units(EPISODE)  # of 16 and 5 intents; one more run of the second halves what it adds
    found = known("reference", {"plays": "dial", "p": 0.5}, [group, single, single])
    half = 1.96 * 0.5 * sqrt((3 / 4) ** 2 / 16 + (1 / 4) ** 2 / (2 * 5))

    assert found is not None
    assert found.proc == pytest.approx((0.5 - half, 0.5 + half))


def test_equal_shares_are_the_same_percentage_however_they_were_summed_up() -> None:
    exact, summed = 0.2875, 0.75 * 0.25 + 0.25 * 0.4 + 1e-16

    assert 100 * exact != 28.75
    assert in_percent([exact]) == in_percent([summed]) == in_percent([0.175, 0.4]) == 28.8


def test_kinds_of_work_are_means_of_their_sessions() -> None:
    rows = by_category([ended(WHOLE, SETTLED, COMP)], UNITS)
    kinds = {each.category for each in EPISODE.sessions}

    assert [row["category"] for row in rows] == sorted(kinds)
    assert sum(row["sessions"] for row in rows) == 4
    assert len(kinds) > 1 or rows[0]["Comp"] == 50.0


def test_what_a_persona_holds_is_counted_once_however_often_it_is_played() -> None:
    (row,) = statistics(UNITS.values())

    assert (row["sessions"], row["hidden intents"]) == (4, 21)
    assert row["rubrics"] + row["rules"] == sum(len(each.checklist) for each in EPISODE.sessions)


def test_nothing_is_drawn_where_all_would_lie_on_one_line() -> None:
    assert scatter([{"agent": "a", "condition": "c", "Proc": 1.0, "Comp": 0.0}], "Proc", "Comp") == ()
    assert scatter([{"agent": "a", "condition": "c", "Proc": 1.0, "Comp": 5.0}], "Proc", "Comp")[0].across == "Comp"
