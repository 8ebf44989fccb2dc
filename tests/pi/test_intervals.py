"""Intervals of Proc and Comp, in tables of run folders that were made by hand."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest
from scipy.stats import t

from benchmarks.pi.published import by_persona
from harness.core.config import RunConfig
from harness.report.headline import headline
from harness.report.order import ordered
from harness.report.reading import read
from harness.score import Score
from harness.suite import Table
from tests.pi.hand import INTENTS, Came, Hand

EIGHT = Hand({"baker": {f"u{number}": 1 for number in range(8)}})
HALF = {f"baker-u{number}": Came([INTENTS * (number % 2)], [float(number % 2)]) for number in range(8)}
ALL = {name: Came([INTENTS], [1.0]) for name in HALF}


def tables(folder: Path, hand: Hand, came: Mapping[str, Sequence[Mapping[str, Came]]]) -> dict[str, Table]:
    """What `harness report` says of a folder, by title."""
    hand.write(folder, came, max(map(len, came.values())))
    (found,) = read([folder], lambda *_: hand.suite)
    assert found.tables is not None
    return {table.title: table for table in found.tables}


def rows(folder: Path, hand: Hand, came: Mapping[str, Sequence[Mapping[str, Came]]], title: str) -> list[Any]:
    return [dict(row) for row in tables(folder, hand, came)[title].rows]


def summed(folder: Path, hand: Hand, came: Mapping[str, Sequence[Mapping[str, Came]]]) -> tuple[Any, Sequence[str]]:
    """The first row of the first screen, and what stands below the table."""
    run = hand.write(folder, came)
    table = headline(run.head.config, hand.suite, ordered(run.records(), run.head.config, hand.suite)).table
    return dict(table.rows[0]), table.notes


@pytest.mark.parametrize(("units", "told"), [(1, "none: 1 unit, and it takes 6"), (5, "none: 5 units, and it takes 6")])
def test_of_fewer_than_six_units_the_table_says_how_many_there_are(units: int, told: str, tmp_path: Path) -> None:
    few = Hand({"baker": {f"u{number}": 1 for number in range(units)}})
    came = {f"baker-u{number}": Came([number % 3], [0.5]) for number in range(units)}
    (row,) = rows(tmp_path / "run", few, {"a": [came]}, "Proc and Comp")

    assert (row["units"], row["Proc 95%"], row["Comp 95%"]) == (units, told, told)


def test_the_first_screen_says_so_too_and_has_no_interval(tmp_path: Path) -> None:
    few = Hand({"baker": {"u0": 1, "u1": 1}})
    row, notes = summed(tmp_path / "run", few, {"a": [{name: HALF[name] for name in few.units}]})

    assert (row["Proc"], row["Comp"]) == ("0.50", "0.50")
    assert "No interval: 2 units, and it takes 6." in notes
    assert not [note for note in notes if "In brackets" in note]


def test_six_units_have_an_interval(tmp_path: Path) -> None:
    six = Hand({"baker": {f"u{number}": 1 for number in range(6)}})
    (row,) = rows(tmp_path / "run", six, {"a": [{name: HALF[name] for name in six.units}]}, "Proc and Comp")

    assert row["Proc 95%"] == "0.0 to 100.0"


def test_the_limits_of_eight_units_are_those_of_a_binomial(tmp_path: Path) -> None:
    # Means of 8 draws from as many ones as zeros: .0057 is to lie beyond a limit; P(X = 0) = .0039, P(X <= 1) = .035.
    (row,) = rows(tmp_path / "run", EIGHT, {"a": [HALF]}, "Proc and Comp")

    assert (row["Proc"], row["Proc 95%"], row["Comp 95%"]) == (50.0, "12.5 to 87.5", "12.5 to 87.5")


def test_the_first_screen_has_the_same_limits(tmp_path: Path) -> None:
    row, notes = summed(tmp_path / "run", EIGHT, {"a": [HALF]})

    assert (row["Proc"], row["Comp"]) == ("0.50 (0.13-0.88)", "0.50 (0.13-0.88)")
    assert "In brackets: 95% interval, by unit, of which there are 8, within personas." in notes


def test_three_runs_of_the_same_units_are_no_more_units(tmp_path: Path) -> None:
    (row,) = rows(tmp_path / "run", EIGHT, {"a": [HALF, HALF, HALF]}, "Proc and Comp")

    assert (row["runs"], row["units"], row["Proc 95%"]) == (3, 8, "12.5 to 87.5")
    assert row["Proc sd"] == 0.0


def test_what_runs_differ_by_stands_beside(tmp_path: Path) -> None:
    none = {name: Came([0], [0.0]) for name in HALF}
    (row,) = rows(tmp_path / "run", EIGHT, {"a": [HALF, ALL, none]}, "Proc and Comp")

    assert (row["Proc"], row["Proc sd"]) == (50.0, 50.0)  # of .5, 1 and 0


def test_runs_of_a_unit_are_averaged_before_units_are_in_all_tables_and_on_the_first_screen(tmp_path: Path) -> None:
    hand = Hand({"baker": {"g": 3, "u": 1}})
    once, thrice = {"baker-g": Came([2, 1, 0], [0.5, 0.25, 0.0])}, {"baker-u": Came([4], [1.0])}
    runs = [{**once, **thrice}, thrice, thrice]
    found = tables(tmp_path / "run", hand, {"a": [*runs]})
    screen, notes = summed(tmp_path / "screen", hand, {"a": [*runs]})
    (row,) = found["Proc and Comp"].rows
    (ends,), (burden,) = found["How sessions ended"].rows, found["Burden of a session"].rows

    assert (row["Proc"], row["Comp"]) == (43.8, 43.8)  # 3/4 of .25 and 1/4 of 1
    assert [ends[name] for name in ("Comp", "maximum", "low", "high")] == [43.8] * 4
    assert burden["Proc"] == 43.8
    assert (screen["Proc"], screen["Comp"]) == ("0.44", "0.44")
    assert "Units have unequal numbers of trials: each counts with the mean of its own." in notes
    assert not [note for note in notes if "weigh more" in note]


def test_runs_that_lack_a_unit_are_in_no_standard_deviation(tmp_path: Path) -> None:
    hand = Hand({"baker": {"g": 3, "u": 1}})
    once, thrice = {"baker-g": Came([2, 1, 0], [0.5, 0.25, 0.0])}, {"baker-u": Came([4], [1.0])}
    (one,) = rows(tmp_path / "one", hand, {"a": [{**once, **thrice}, thrice, thrice]}, "Proc and Comp")
    (two,) = rows(tmp_path / "two", hand, {"a": [{**once, **thrice}, {**once, **thrice}, thrice]}, "Proc and Comp")

    assert (one["runs"], one["Proc sd"], one["Comp sd"]) == (3, None, None)
    assert (two["runs"], two["Proc sd"], two["Comp sd"]) == (3, 0.0, 0.0)


def test_a_standard_deviation_takes_the_same_run_of_each_persona(tmp_path: Path) -> None:
    hand = Hand({"baker": {"u": 1}, "cook": {"u": 1}})
    low = {"baker-u": Came([0], [0.0]), "cook-u": Came([0], [0.0])}
    high = {"baker-u": Came([4], [1.0]), "cook-u": Came([4], [1.0])}
    only = [{"baker-u": high["baker-u"]}, {"cook-u": high["cook-u"]}]
    *_, row = rows(tmp_path / "run", hand, {"a": [only[0], low, high, only[1]]}, "Proc and Comp")

    assert (row["persona"], row["Proc sd"]) == ("all", 70.7)  # of 0 and 1, the second and third run


def test_what_is_known_of_an_instrument_is_of_the_units_that_are_not_void(tmp_path: Path) -> None:
    hand = Hand({"baker": {"u0": 1, "u1": 1}})
    run = hand.write(tmp_path / "run", {"dial": [{name: Came([2], [1.0]) for name in hand.units}]})
    config = RunConfig.model_validate(
        {
            "suite": hand.suite.name,
            "agents": [{"kind": "reference", "name": "dial", "settings": {"plays": "dial", "p": 0.5}}],
            "conditions": {"notes": {"ask": "ask_user", "end_of_turn": "user", "user": {"kind": "intents"}}},
        }
    )
    *others, last = run.records()
    gone = last.model_copy(
        update={
            "trajectory": last.trajectory.model_copy(update={"status": "void"}),
            "scores": dict.fromkeys(last.scores, Score(value=None, reason="void")),
        }
    )
    found = headline(config, hand.suite, ordered([*others, gone], config, hand.suite))
    half = 1.96 * sqrt(0.25 / INTENTS)

    assert found.table.rows[0]["known Proc"] == f"{0.5 - half:.2f}-{0.5 + half:.2f}"


GROUP = Hand({"baker": {"g": 3, **{f"u{number}": 1 for number in range(5)}}})
OF_GROUP = {"baker-g": Came([4, 2, 0], [1.0, 0.5, 0.0], [6, 2, 2])} | {
    f"baker-u{number}": Came([4], [0.25]) for number in range(5)
}
PROC = 3 / 8 * 6 / 12 + 5 / 8
"""0.8125, in percent 81.3: halves are rounded away from zero."""
COMP = 3 / 8 * (6 + 1) / 10 + 5 / 8 * 0.25
"""0.41875."""


def test_units_weigh_by_their_sessions_and_comp_of_one_by_its_items(tmp_path: Path) -> None:
    (row,) = rows(tmp_path / "run", GROUP, {"a": [OF_GROUP]}, "Proc and Comp")

    assert (row["Proc"], row["Comp"]) == (81.3, 41.9)


def test_all_tables_and_the_first_screen_have_the_figures_of_table_1(tmp_path: Path) -> None:
    found = tables(tmp_path / "run", GROUP, {"a": [OF_GROUP]})
    screen, _ = summed(tmp_path / "screen", GROUP, {"a": [OF_GROUP]})

    assert found["Burden of a session"].rows[0]["Proc"] == 81.3
    assert found["How sessions ended"].rows[0]["Comp"] == 41.9
    assert (screen["Proc"][:4], screen["Comp"][:4]) == (f"{PROC:.2f}", f"{COMP:.2f}")


def test_burden_is_of_a_session(tmp_path: Path) -> None:
    (row,) = rows(tmp_path / "run", GROUP, {"a": [OF_GROUP]}, "Burden of a session")

    assert row["hand_overs"] == round((3 * 2 + 5 * 2) / 8, 2)


def test_sessions_that_were_played_alone_are_pooled_with_no_others(tmp_path: Path) -> None:
    came = {**OF_GROUP, "baker-g-last": Came([1], [1.0])}
    found = tables(tmp_path / "run", GROUP, {"a": [came]})
    screen, notes = summed(tmp_path / "screen", GROUP, {"a": [came]})

    assert (screen["Proc"][:4], screen["Comp"][:4]) == (f"{PROC:.2f}", f"{COMP:.2f}")
    assert [note for note in notes if note.startswith("Sessions of a group that were played alone")]
    (first,) = found["Proc and Comp"].rows
    assert (first["sessions"], first["Proc"], first["Comp"]) == (8, 81.3, 41.9)
    for title, column in (("How sessions ended", "Comp"), ("Burden of a session", "Proc"),
                          ("What became of intents", "inferred")):  # fmt: skip
        assert [row["played"] for row in found[title].rows] == ["together", "alone"], title
        assert found[title].rows[1][column] == (25.0 if column != "Comp" else 100.0)
        assert [note for note in found[title].notes if note.startswith("Played alone: ")]
    assert found["By session: Proc / Comp"].rows[1]["g-2"] == "25.0 / 100.0"
    assert found["By session: Proc / Comp"].rows[1]["u0"] is None


def test_where_sessions_were_played_alone_only_the_first_screen_is_of_them(tmp_path: Path) -> None:
    screen, notes = summed(tmp_path / "run", GROUP, {"a": [{"baker-g-last": Came([1], [1.0])}]})

    assert (screen["Proc"], screen["Comp"]) == ("0.25", "1.00")
    assert not [note for note in notes if note.startswith("Sessions of a group that were played alone")]


def test_what_awaits_a_judge_is_in_no_figure_and_its_trial_is_unscored(tmp_path: Path) -> None:
    came = {**HALF, "baker-u1": Came([INTENTS], [1.0], waits=[3])}
    row, notes = summed(tmp_path / "run", EIGHT, {"a": [came]})

    assert (row["Proc"][:4], row["Comp"][:4], row["unscored"]) == ("0.50", "0.50", 1)
    assert [note for note in notes if "Proc and Comp count what needs no judge" in note]
    assert not [note for note in notes if "counted nowhere" in note]


def test_a_session_of_which_nothing_is_scored_has_no_share(tmp_path: Path) -> None:
    came = {**HALF, "baker-u0": Came([0], [0.0], weights=[0], waits=[1])}
    found = tables(tmp_path / "run", EIGHT, {"a": [came]})

    assert found["By session: Proc / Comp"].rows[0]["u0"] == "0.0 / -"
    assert found["How sessions ended"].rows[0]["Comp"] == round(100 * 4 / 7, 1)


def test_units_that_all_come_to_the_same_have_exact_bounds(tmp_path: Path) -> None:
    (row,) = rows(tmp_path / "run", EIGHT, {"a": [ALL]}, "Proc and Comp")

    assert row["Proc 95%"] == f"{100 * 0.025 ** (1 / 8):.1f} to 100.0"


FIVE = ("baker", "cook", "driver", "miller", "tailor")


def many(*names: str, units: int = 6) -> tuple[Hand, dict[str, Came]]:
    """So many units of each persona; of the first none is settled, of each next one intent more."""
    hand = Hand({name: {f"u{number}": 1 for number in range(units)} for name in names})
    came = {
        f"{name}-u{unit}": Came([number], [float(unit % 2)])
        for number, name in enumerate(names)
        for unit in range(units)
    }
    return hand, came


def test_over_all_personas_their_means_count_alike(tmp_path: Path) -> None:
    hand, came = many("baker", "cook")
    *_, row = rows(tmp_path / "run", hand, {"a": [came]}, "Proc and Comp")

    assert (row["persona"], row["units"], row["Proc"]) == ("all", 12, 12.5)  # of 0 and 25
    assert "Proc t" not in row


def test_over_five_personas_there_is_a_t_interval_besides(tmp_path: Path) -> None:
    hand, came = many(*FIVE)
    first, *_, row = rows(tmp_path / "run", hand, {"a": [came]}, "Proc and Comp")
    means = [0.0, 25.0, 50.0, 75.0, 100.0]
    half = t.ppf(0.975, 4) * stdev(means) / sqrt(5)

    assert row["Proc t"] == f"{50 - half:.1f} to {50 + half:.1f}"
    assert first["Proc t"] is None
    assert row["Comp t"] == "none: every persona is alike: no interval"  # they say nothing of how far units scatter
    assert row["Comp 95%"] != row["Comp t"]


def test_one_persona_with_few_units_leaves_all_without_an_interval(tmp_path: Path) -> None:
    hand = Hand({"baker": {f"u{number}": 1 for number in range(8)}, "cook": {"u0": 1, "u1": 1}})
    came = {**HALF, "cook-u0": Came([4], [1.0]), "cook-u1": Came([0], [0.0])}
    baker, cook, every = rows(tmp_path / "run", hand, {"a": [came]}, "Proc and Comp")

    assert baker["Proc 95%"] == "12.5 to 87.5"
    assert cook["Proc 95%"] == "none: 2 units, and it takes 6"
    assert every["Proc 95%"] == "none: cook has 2, and it takes 6"


def test_agents_are_held_against_each_other_unit_by_unit(tmp_path: Path) -> None:
    better = {name: Came([each.settled[0] or 1], each.comp) for name, each in HALF.items()}
    (row,) = rows(tmp_path / "run", EIGHT, {"a": [HALF], "b": [better]}, "Agents side by side")

    assert (row["agent"], row["and"], row["persona"], row["units"]) == ("a", "b", "baker", 8)
    # Four of eight units gain a quarter: limits are a quarter of the binomial's, far closer than the agents' own.
    assert (row["Proc more"], row["Proc 95%"]) == (12.5, "3.1 to 21.9")
    assert (row["Comp more"], row["Comp 95%"]) == (0.0, f"-{100 * (1 - 0.025 ** (1 / 8)):.1f} to "
                                                         f"{100 * (1 - 0.025 ** (1 / 8)):.1f}")  # fmt: skip


def test_units_that_one_of_them_did_not_play_are_left_out(tmp_path: Path) -> None:
    part = {name: ALL[name] for name in list(ALL)[:3]}
    (row,) = rows(tmp_path / "run", EIGHT, {"a": [HALF], "b": [part]}, "Agents side by side")

    assert (row["units"], row["Proc more"], row["Proc 95%"]) == (3, 66.7, "none: 3 units, and it takes 6")


def test_over_several_personas_agents_are_compared_in_each_and_in_all(tmp_path: Path) -> None:
    hand, came = many("baker", "cook")
    full = {name: Came([4], [1.0]) for name in came}
    found = rows(tmp_path / "run", hand, {"a": [came], "b": [full]}, "Agents side by side")

    assert [(row["persona"], row["Proc more"]) for row in found] == [("baker", 100.0), ("cook", 75.0), ("all", 87.5)]


def test_the_order_in_which_trials_are_read_changes_nothing(tmp_path: Path) -> None:
    hand, came = many(*FIVE)
    one = rows(tmp_path / "one", hand, {"a": [came, came]}, "Proc and Comp")
    other = rows(tmp_path / "other", hand, {"a": [dict(reversed(came.items()))] * 2}, "Proc and Comp")

    assert one == other


def test_nineteen_of_twenty_intervals_hold_the_true_value(tmp_path: Path) -> None:
    """Forty agents over the units of five personas, whose intents are each settled with a chance of their unit."""
    draw, hand = random.Random(4), Hand({name: {f"u{n}": 1 + n % 2 for n in range(11)} for name in FIVE})
    true = {name: 0.3 + 0.1 * number for number, name in enumerate(FIVE)}
    came = {}
    for agent in range(40):
        runs: list[dict[str, Came]] = [{}, {}]
        for name, unit in hand.units.items():
            chance = true[unit.sessions[0].persona] + draw.choice([-0.2, 0.2])
            for run in runs:
                settled = [sum(draw.random() < chance for _ in range(INTENTS)) for _ in unit.sessions]
                run[name] = Came(settled, [each / INTENTS for each in settled])
        came[f"a{agent:02d}"] = runs
    made = hand.write(tmp_path / "run", came, 2)
    found = by_persona(ordered(made.records(), made.head.config, hand.suite), hand.units)
    held: dict[str, list[bool]] = {}
    for row in found:
        low, high = map(float, row["Proc 95%"].split(" to "))
        value = 100 * (fmean(true.values()) if row["persona"] == "all" else true[row["persona"]])
        held.setdefault("all" if row["persona"] == "all" else "one", []).append(low <= value <= high)

    assert 0.92 <= fmean(held["one"]) <= 0.99  # of 200
    assert fmean(held["all"]) >= 0.875  # of 40
