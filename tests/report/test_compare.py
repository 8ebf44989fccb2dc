"""Runs side by side: pairing, flips, noise, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pytest

from harness.core.config import Ask, Condition, RunConfig, UserConfig
from harness.record.store import TrialRecord
from harness.report import Figure
from harness.report.compare import Played, compare, differing
from harness.suite import Table
from harness.task import Task
from tests.report.records import IDS, by_title, config, delete, record, scored, suite, task

VERSIONS: tuple[tuple[str, Literal[1, 2]], ...] = (("a", 1), ("b", 2))
TASKS = [task(f"t{n}", delete(IDS[n]), template=f"template {n % 3}") for n in range(9)]


def played(label: str, records: Sequence[TrialRecord], chosen: RunConfig | None = None) -> Played:
    chosen = chosen or config()
    of = suite(TASKS)
    return Played(label, chosen, scored(records, of, chosen), of)


def run(label: str, right: str, *, agent: str = "m", trial: int = 0, tasks: Sequence[Task] = TASKS) -> Played:
    """One trial per task; `right` has a 1 for each that is right."""
    records = [record(t, r == "1", agent=agent, trial=trial) for t, r in zip(tasks, right, strict=True)]
    return played(label, records, config(agent))


def side_by_side(found: Sequence[Table]) -> list[dict[str, object]]:
    return [dict(row) for table in found if table.title.startswith("Results: side by side") for row in table.rows]


def test_flips_are_counted_and_tested_per_task() -> None:
    (row,) = side_by_side(compare([run("a", "111111000"), run("b", "000001100")]))

    assert row["first"] == "a"
    assert row["second"] == "b"
    assert {key: row[key] for key in ("tasks", "first %", "second %", "difference", "gained", "lost", "p")} == {
        "tasks": 9, "first %": 66.7, "second %": 22.2, "difference": -44.4, "gained": 1, "lost": 5, "p": 0.21875,
    }  # fmt: skip


def test_tasks_that_began_in_another_world_are_not_paired() -> None:
    here, there = run("a", "110000000"), run("b", "110000000")
    for n, trial in enumerate((*here.trials, *there.trials)):
        trial.trajectory.world = "other rows" if n == len(TASKS) else "rows"
    found = compare([here, there])

    assert differing([here, there]) == [{"task": "t0", "a": "rows", "b": "other rows"}]
    assert side_by_side(found)[0]["tasks"] == 8


def test_each_flip_is_listed_with_its_task_and_template() -> None:
    found = by_title(compare([run("a", "110000000"), run("b", "010100000")]), "Results: tasks that flip")

    assert [tuple(row.values()) for row in found.rows] == [
        ("t0", "template 0", 100.0, 0.0, "lost"), ("t3", "template 0", 0.0, 100.0, "gained"),
    ]  # fmt: skip


def test_runs_that_agree_everywhere_list_no_flips() -> None:
    found = compare([run("a", "110000000"), run("b", "110000000")])

    assert side_by_side(found)[0]["differ %"] == 0.0
    assert [t.title for t in found] == ["Results: side by side", "Results: noise floor"]


def test_the_noise_floor_is_how_much_trials_of_the_same_thing_differ() -> None:
    records = [record(TASKS[0], n == 0, trial=n) for n in range(3)] + [record(TASKS[1], trial=n) for n in range(3)]
    found = compare([played("a", records), run("b", "110000000")])
    rows = by_title(found, "Results: noise floor").rows

    assert [(row["and"], row["tasks"], row["differ %"]) for row in rows] == [
        ("the same run", 2, 33.3), ("b", 2, 0.0),
    ]  # fmt: skip
    assert side_by_side(found)[0]["noise %"] == 33.3
    assert side_by_side(found)[0]["differ %"] == 33.3


def test_noise_beside_a_difference_is_of_the_paired_tasks() -> None:
    uneven, even = ([record(TASKS[n], right, trial=t) for t, right in enumerate((True, n > 0))] for n in (0, 1))
    found = compare([played("a", [*uneven, *even]), run("b", "1", tasks=[TASKS[1]])])

    assert [(row["tasks"], row["noise %"]) for row in side_by_side(found)] == [(1, 0.0)]


def test_noise_says_what_difference_chance_alone_makes() -> None:
    found = compare([run("a", "111100000"), run("b", "000011110")])
    (row,) = by_title(found, "Results: noise floor").rows

    assert (row["differ %"], row["points"]) == (88.9, 61.6)  # 1.96 sqrt((8/9) / 9)


def test_different_agents_are_no_noise() -> None:
    found = compare([run("a", "111100000"), run("b", "000011110", agent="n")])

    assert [t.title.partition(" from")[0] for t in found] == ["Results: side by side", "Results: tasks that flip"]
    assert side_by_side(found)[0]["noise %"] is None


def changed(number: int) -> Task:
    return task(f"t{number}", delete(IDS[number]), template=f"template {number % 3}", request="Something else.")


def test_tasks_whose_content_differs_are_listed_and_never_paired() -> None:
    runs = [run("a", "111100000"), run("b", "000011111", tasks=[changed(0), *TASKS[1:8], changed(8)])]
    found = compare(runs)
    listed = by_title(found, "Not compared: tasks whose content differs")

    assert side_by_side(found)[0]["tasks"] == 7
    assert [(row["task"], row["a"]) for row in listed.rows] == [("t0", TASKS[0].hash[:12]), ("t8", TASKS[8].hash[:12])]
    assert listed.rows[0]["b"] == changed(0).hash[:12]
    assert not any(row.get("task") in ("t0", "t8") for t in found if "flip" in t.title for row in t.rows)
    assert [row["task"] for row in differing(runs)] == ["t0", "t8"]


def test_tasks_of_two_contents_in_one_run_are_not_pooled() -> None:
    mixed = played("a", [record(TASKS[0]), record(changed(0), trial=1), record(TASKS[1])])
    found = compare([mixed, run("b", "110000000")])

    assert side_by_side(found)[0]["tasks"] == 1


def test_tasks_that_one_run_lacks_are_counted_and_left_out() -> None:
    found = compare([run("a", "111", tasks=TASKS[:3]), run("b", "000000000")])

    assert side_by_side(found)[0]["tasks"] == 3
    assert by_title(found, "Results: side by side").notes[0] == "6 tasks of a and b are in one of them only."


def test_trials_that_were_copied_from_one_run_to_another_are_counted() -> None:
    first, second = (run(label, "110", tasks=TASKS[:3]) for label in "ab")
    for n, trial in enumerate((*first.trials, *second.trials)):
        trial.trajectory.seconds = 1.0 + n % 3 + (n == 5)  # the last took longer in the second run
    found = by_title(compare([first, second]), "Results: side by side")

    assert found.notes[0] == (
        "2 trials are the same record in both, as in a copy: held against itself a trial never differs, which makes "
        "differ %, and the noise between the two, too low."
    )


def test_trials_that_were_played_twice_are_no_copies() -> None:
    first, second = run("a", "110000000"), run("b", "110000000")
    for trial in second.trials:
        trial.trajectory.seconds = 1.0

    assert not any("copy" in note for table in compare([first, second]) for note in table.notes)


def test_void_trials_are_not_paired() -> None:
    found = compare([played("a", [record(TASKS[0], status="void"), record(TASKS[1])]), run("b", "110000000")])

    assert side_by_side(found)[0]["tasks"] == 1


def test_instruments_are_never_paired_with_models() -> None:
    calibrated = [run("a", "111111111", agent="oracle"), run("b", "000000000", agent="idle")]

    assert compare([calibrated[0], run("c", "000000000")]) == []
    assert [t.title.partition(" from")[0] for t in compare(calibrated)] == [
        "Calibration: side by side", "Calibration: tasks that flip",
    ]  # fmt: skip


def test_cells_pair_by_agent_and_condition_then_by_either() -> None:
    both = {"ask": Condition(ask="ask_user"), "off": Condition()}
    records = [record(TASKS[0], condition=name) for name in both]
    first = played("a", records, config(conditions=both))
    same = played("b", records, config(conditions=both))
    other = played("c", [record(TASKS[0], agent="n", condition="ask")], config("n", conditions=both))

    def pairs(second: Played) -> list[tuple[object, object]]:
        return [(row["first"], row["second"]) for row in side_by_side(compare([first, second]))]

    assert pairs(same) == [("a: m, ask", "b: m, ask"), ("a: m, off", "b: m, off")]
    assert pairs(other) == [("a: m, ask", "c")]


def asked(label: str, user: UserConfig, right: str, ask: Ask = "ask_user") -> Played:
    """One trial per task by an agent who could ask this user."""
    records = [record(t, r == "1") for t, r in zip(TASKS, right, strict=True)]
    return played(label, records, config(conditions={"default": Condition(ask=ask, user=user)}))


def test_pairs_with_different_users_have_a_table_of_their_own_that_says_so() -> None:
    found = compare([asked("a", UserConfig(version=1), "110000000"), asked("b", UserConfig(), "010100000")])

    assert [table.title for table in found] == [
        "Results: side by side, users grounded@1 and grounded@2",
        "Results: tasks that flip from a to b, users grounded@1 and grounded@2",
    ]
    assert "The users differ" in found[0].notes[0]


def test_titles_name_the_user_that_two_runs_share() -> None:
    found = compare([asked("a", UserConfig(version=1), "110000000"), asked("b", UserConfig(version=1), "110000000")])

    assert [table.title for table in found] == [
        "Results: side by side, user grounded@1",
        "Results: noise floor, user grounded@1",
    ]
    assert not any("users differ" in note for note in found[0].notes)


def test_a_user_whom_nobody_could_ask_tells_no_two_runs_apart() -> None:
    one, other = (asked(name, UserConfig(version=version), "110000000", ask="off") for name, version in VERSIONS)
    found = compare([one, other])

    assert [table.title for table in found] == ["Results: side by side", "Results: noise floor"]


def test_the_first_run_is_compared_with_every_other() -> None:
    found = compare([run("a", "111111111"), run("b", "000000000"), run("c", "111111110")])

    assert [(row["first"], row["second"]) for row in side_by_side(found)] == [
        ("a", "b"), ("a", "c"),
    ]  # fmt: skip


@pytest.mark.parametrize("labels", [("a",), ("a", "a")])
def test_a_comparison_takes_two_labelled_runs(labels: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="two or more runs, each with a label of its own"):
        compare([run(label, "111111111") for label in labels])


def test_of_many_runs_only_the_first_is_held_against_the_others_for_the_noise_floor() -> None:
    found = by_title(compare([run(f"r{n:02d}", "111100000") for n in range(11)]), "Results: noise floor")

    assert [(row["trials of"], row["and"]) for row in found.rows] == [("r00", f"r{n:02d}") for n in range(1, 11)]
    assert found.notes[-1] == "11 runs: only the first is held against the others; of up to 10, all are."


def test_more_pairs_than_anybody_could_read_are_not_drawn() -> None:
    few, many = (
        by_title(compare([run(f"r{n:02d}", "1", tasks=TASKS[:1]) for n in range(number)]), "Results: side by side")
        for number in (3, 52)
    )

    assert (isinstance(few, Figure), isinstance(many, Figure)) == (True, False)
    assert len(many.rows) == 51
