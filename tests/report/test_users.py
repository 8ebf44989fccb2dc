"""Users in reports: titles name them, those that differ are kept apart, and manners have a range."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from harness import report
from harness.core.config import Condition, LlmConfig, ModelUserSettings, RunConfig, UserConfig, UserSettings
from harness.core.trajectory import Asked
from harness.record.store import Run, RunHead, TrialRecord
from harness.report import Chart, Figure, page, trials, words
from harness.report.manners import alike
from harness.report.users import named, titled
from harness.suite import Suite, Table
from tests.report.records import IDS, by_title, call, config, delete, record, suite, task

TASKS = [task(f"t{n}", delete(IDS[n]), template=f"template {n % 2}") for n in range(4)]

FIRST = Condition(ask="ask_user", user=UserConfig(version=1))
SECOND = Condition(ask="ask_user", user=UserConfig())
TERSE = Condition(ask="ask_user", user=UserConfig(manner="terse"))


def played(condition: str, right: str, questions: int = 0) -> list[TrialRecord]:
    """One trial per task; `right` has a 1 for each that is right."""
    asked = [Asked(text="?", answer="!")] * questions
    step = call("ask_user", app="ask_user").model_copy(update={"asked": asked})
    records = [record(t, r == "1", condition=condition) for t, r in zip(TASKS, right, strict=True)]
    for each in records:
        each.trajectory.events += [step] if asked else []
    return records


def tables(conditions: Mapping[str, Condition], records: Sequence[TrialRecord], **more: Any) -> list[Table]:
    of, chosen = suite(TASKS, **more), config(conditions=conditions)
    return report.tables(chosen, of, report.ordered(records, chosen, of))


def head(chosen: RunConfig, of: Suite) -> RunHead:
    return RunHead(
        identity="0" * 12, config=chosen, suite="made", suite_version="1", suite_digest="", package="0"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("user", "label"),
    [
        (UserConfig(), "grounded@2"),
        (UserConfig(version=1), "grounded@1"),
        (UserConfig(manner="terse"), "grounded@2 (terse)"),
        (UserConfig(kind="scripted", script=("Yes.",)), "scripted"),
        (UserSettings(kind="patient"), "patient"),
        (ModelUserSettings(kind="patient", model=LlmConfig(kind="llm", model="local/m")), "patient (local/m)"),
    ],
)
def test_a_label_has_what_tells_users_of_a_kind_apart(user: UserSettings, label: str) -> None:
    assert user.label == label


def test_a_title_names_each_user_once() -> None:
    assert titled("T", ["", "a", "b", "a"]) == "T, users a and b"
    assert titled("T", ["a", "b", "c"]) == "T, users a, b and c"
    assert titled("T", ["a"]) == "T, user a"
    assert titled("T", [""]) == "T"


def test_every_table_with_conditions_names_the_users_of_those() -> None:
    found = tables({"a": FIRST, "b": SECOND, "off": Condition()}, [*played("b", "1111"), *played("off", "0000")])

    assert [table.title for table in found] == [
        "Results: outcomes, user grounded@2",
        "Results: by template",
        "Results: by template, agent and condition, user grounded@2",
        "Results: effort, user grounded@2",
        "Results: failed trials with trouble in the dialogue, user grounded@2",
    ]


@pytest.mark.parametrize(("first", "second"), [("0000", "1000"), ("1000", "0000"), ("0000", "1111")])
def test_users_are_named_in_the_order_of_the_config_whatever_the_results(first: str, second: str) -> None:
    found = tables({"a": FIRST, "b": SECOND}, [*played("a", first), *played("b", second)])

    assert "Results: by template, agent and condition, users grounded@1 and grounded@2" in [t.title for t in found]


def test_tables_without_anybody_to_ask_are_titled_as_ever() -> None:
    found = tables({"off": Condition()}, played("off", "1111"))

    assert [table.title for table in found] == ["Results: outcomes", "Results: effort"]


def test_a_suites_table_that_is_to_lead_stands_behind_the_outcomes_of_its_kind() -> None:
    chart = Chart("bars", "n", ("n",))

    def own(of: object, agents: object, scored: object) -> list[Table]:
        rows = [{"n": 4}]
        return [
            Table("Tasks", ["n"], rows),
            Figure.of("Mine", ["n"], rows, (), chart, lead=True),
            Table("Calibration: none", ["n"], rows, lead=True),
        ]

    found = tables({"off": Condition()}, played("off", "1111"), report=own)

    assert [table.title for table in found] == [
        "Results: outcomes", "Mine", "Results: effort", "Tasks", "Calibration: none",
    ]  # fmt: skip
    assert isinstance(found[1], Figure)
    assert found[1].charts == (chart,)


def test_a_suites_own_tables_by_condition_name_the_users_too() -> None:
    def own(of: object, agents: object, scored: object) -> list[Table]:
        return [Table("Mine", ["condition"], [{"condition": "a"}]), Table("Tasks", ["n"], [{"n": 4}])]

    found = tables({"a": FIRST}, played("a", "1111"), report=own)

    assert [table.title for table in found[-2:]] == ["Mine, user grounded@1", "Tasks"]


def test_a_suites_report_is_told_whom_each_condition_lets_agents_ask() -> None:
    agents = report.Agents(config(conditions={"a": FIRST, "off": Condition()}))

    assert agents.users == {"a": "grounded@1", "off": ""}


def test_a_figure_whose_title_names_a_user_is_still_drawn() -> None:
    chart = Chart("bars", "condition", ("share",))
    figure = Figure.of("F", ["condition", "share"], [{"condition": "a", "share": 1.0}], [], chart)
    found = named(figure, {"a": "grounded@1"})

    assert isinstance(found, Figure)
    assert (found.title, found.charts) == ("F, user grounded@1", (chart,))


def test_a_page_names_its_users_in_the_heading_and_beside_their_conditions() -> None:
    chosen, of = config(conditions={"a": FIRST, "off": Condition()}), suite(TASKS)

    part = page.part(head(chosen, of), of, [], [])

    assert part.heading == f"{'0' * 12}: made@1, user grounded@1"
    assert part.facts["conditions"] == "a (grounded@1), off"


def test_an_accuracy_over_all_trials_is_given_for_one_condition_alone(tmp_path: Path) -> None:
    def accuracy(*records: TrialRecord) -> dict[str, Any]:
        chosen, of = config(conditions={"a": FIRST, "b": SECOND, "off": Condition()}), suite(TASKS)
        found = report.summary(Run(tmp_path, head(chosen, of)), of, records)
        assert found["correct"] == len(records)
        return dict(found["accuracy"])

    apart = accuracy(*played("a", "1111"), *played("b", "1111"))
    assert (apart["value"], apart["note"]) == (None, "users differ and are not pooled: see `conditions`")
    apart = accuracy(*played("a", "1111"), *played("off", "1111"))
    assert (apart["value"], apart["note"]) == (None, "conditions differ and are not pooled: see `conditions`")
    assert accuracy(*played("a", "1111"))["value"] == 1.0


def test_no_accuracy_is_given_over_several_agents(tmp_path: Path) -> None:
    chosen, of = config("m", "n"), suite(TASKS)
    records = [record(task, agent=agent) for agent in ("m", "n") for task in TASKS]
    found = report.summary(Run(tmp_path, head(chosen, of)), of, records)

    apart = found["accuracy"]
    assert (apart["value"], apart["low"], apart["note"]) == (
        None, None, "agents differ and are not pooled: see `conditions`",
    )  # fmt: skip
    assert [each["accuracy"]["value"] for each in found["conditions"]] == [1.0, 1.0]


def test_users_with_dials_stand_under_one_name_and_their_numbers_are_explained() -> None:
    users = ["grounded@2", "patience dials 1/1 all", "patience dials 3/2 one"]

    assert words.joined(users) == "patience dials 1/1 all, 3/2 one and grounded@2"
    assert [line.partition(":")[0] for line in words.users(users)] == ["grounded@2", "Patience dials 3/2 one, say"]
    assert words.joined(["placebo", "scripted"]) == "placebo and scripted"
    assert words.dials(["placebo"]) == []


def test_a_title_names_patience_dials_once_and_the_numbers_of_each() -> None:
    dials = ["patience dials 1/1 all", "patience dials 2/1 one", "patience dials 3/2 one"]

    assert titled("Dialogue", [*dials, ""]) == "Dialogue, users patience dials 1/1 all, 2/1 one, 3/2 one"
    assert titled("Dialogue", dials[:1]) == "Dialogue, user patience dials 1/1 all"
    assert titled("Dialogue", ["idle", "placebo", "scripted"]) == "Dialogue, users idle, placebo and scripted"


def test_a_row_of_the_csv_says_whom_the_agent_could_ask() -> None:
    chosen, of = config(conditions={"a": FIRST, "off": Condition()}), suite(TASKS)
    scored = report.ordered([*played("a", "1111"), *played("off", "1111")], chosen, of)
    rows = csv.DictReader(io.StringIO(trials.as_csv(trials.rows("r", head(chosen, of), of, scored))))

    assert {(row["condition"], row["user"]) for row in rows} == {("a", "grounded@1"), ("off", "")}


def test_the_range_over_manners_goes_from_the_lowest_to_the_highest() -> None:
    records = [*played("plain", "1110", questions=2), *played("terse", "1000", questions=3), *played("old", "0000")]
    found = by_title(
        tables({"plain": SECOND, "terse": TERSE, "old": FIRST}, records), "Results: range over manners"
    )  # fmt: skip

    assert found.title == "Results: range over manners, users grounded@2 and grounded@2 (terse)"
    assert found.rows == [
        {
            "agent": "m", "conditions": "plain, terse", "accuracy, lowest": 0.25, "highest": 0.75,
            "questions, fewest": 2.0, "most": 3.0,
        }
    ]  # fmt: skip


def test_one_manner_alone_has_no_range() -> None:
    found = tables({"plain": SECOND, "terse": TERSE}, played("plain", "1111"))

    assert not any("manners" in table.title for table in found)


def test_conditions_that_differ_in_more_than_manner_are_not_alike() -> None:
    lenient = Condition(ask="ask_user", user=UserConfig(manner="terse", probe="lenient"))
    conditions = {"plain": SECOND, "terse": TERSE, "lenient": lenient, "first": FIRST}

    assert alike({name: each.model_dump(mode="json") for name, each in conditions.items()}) == [["plain", "terse"]]
