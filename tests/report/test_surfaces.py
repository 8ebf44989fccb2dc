"""Conditions that differ in toolsets and overlays alone: which are compared, over which tasks, with what figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from harness import report
from harness.core.config import Condition, Limits, Overlay, RunConfig, UserConfig
from harness.core.trajectory import Usage
from harness.record.store import TrialRecord
from harness.report.compare import Played, compare
from harness.serving.cost import cost
from harness.suite import Suite, Table
from servers import catalog
from servers.kernel import overlaid
from tests.report.records import IDS, by_title, call, config, delete, record, scored, suite, task

TASKS = [task(f"t{n}", delete(IDS[n]), template=f"template {n % 2}") for n in range(4)]
TOOLSETS = {"calendar": "workbench"}
SURFACE = catalog.app("calendar").toolsets["workbench"]

TEXTS = {"search_events": "Find events."}
PLAIN = Condition()
BRIEF = Condition(overlays={"calendar": Overlay(describe=TEXTS)})
HIDDEN = Condition(overlays={"calendar": Overlay(hide=("search_events",))})


def of(**more: Any) -> Suite:
    return suite(TASKS, toolsets=TOOLSETS, **more)


def played(condition: str, right: str, *, agent: str = "m", **more: Any) -> list[TrialRecord]:
    """One trial per task; `right` has a 1 for each that is right, and a dash for each that is void."""
    return [
        record(t, r == "1", agent=agent, condition=condition, status="void" if r == "-" else "finished", **more)
        for t, r in zip(TASKS, right, strict=True)
    ]


def tables(
    conditions: Mapping[str, Condition], records: Sequence[TrialRecord], *agents: str, **more: Any
) -> list[Table]:
    chosen = config(*agents, conditions=conditions)
    return report.tables(chosen, of(**more), scored(records, of(**more), chosen))


def surfaces(found: Sequence[Table]) -> list[Table]:
    return [table for table in found if "surfaces" in table.title or "flip" in table.title]


def by_title_of(found: Sequence[Table]) -> Table:
    (one,) = [table for table in found if table.title.partition(", user")[0] == "Results: surfaces"]
    return one


def titles(found: Sequence[Table]) -> list[str]:
    return [table.title for table in surfaces(found)]


def test_each_surface_has_its_figures_and_the_first_is_held_against_the_others() -> None:
    conditions = {"plain": PLAIN, "brief": BRIEF, "hidden": HIDDEN}
    records = [*played("plain", "1100"), *played("brief", "1111"), *played("hidden", "1000")]
    found = tables(conditions, records)
    rows = by_title(found, "Results: surfaces side by side").rows

    assert [(row["condition"], row["tasks"], row["accuracy %"]) for row in by_title_of(found).rows] == [
        ("plain", 4, 50.0), ("brief", 4, 100.0), ("hidden", 4, 25.0),
    ]  # fmt: skip
    chosen = ("first", "second", "tasks", "difference", "gained", "lost", "p")
    assert [tuple(row[name] for name in chosen) for row in rows] == [
        ("m, plain", "m, brief", 4, 50.0, 2, 0, 0.5), ("m, plain", "m, hidden", 4, -25.0, 0, 1, 1.0),
    ]  # fmt: skip
    assert all(row["low"] <= row["accuracy %"] <= row["high"] for row in by_title_of(found).rows)


def test_each_task_that_flips_is_listed() -> None:
    found = tables({"plain": PLAIN, "brief": BRIEF}, [*played("plain", "1100"), *played("brief", "1010")])
    flips = by_title(found, "Results: tasks that flip from m, plain to m, brief")

    assert [(row["task"], row["template"], row["change"]) for row in flips.rows] == [
        ("t1", "template 1", "lost"), ("t2", "template 0", "gained"),
    ]  # fmt: skip


def test_surfaces_on_which_all_ends_are_the_same_list_no_flips() -> None:
    found = tables({"plain": PLAIN, "brief": BRIEF}, [*played("plain", "1100"), *played("brief", "1100")])

    assert titles(found) == ["Results: surfaces", "Results: surfaces side by side"]


@pytest.mark.parametrize(
    "other",
    [
        Condition(overlays=BRIEF.overlays, notice="may-be-missing"),
        Condition(overlays=BRIEF.overlays, prompt="underspecified"),
        Condition(overlays=BRIEF.overlays, ask="ask_user"),
        Condition(notice="do-not-ask"),
    ],
)
def test_conditions_that_differ_in_something_else_are_not_compared(
    other: Condition,
) -> None:
    assert titles(tables({"plain": PLAIN, "o": other}, [*played("plain", "1100"), *played("o", "0011")])) == []


def test_conditions_that_differ_in_nothing_are_no_surfaces() -> None:
    assert titles(tables({"a": BRIEF, "b": BRIEF}, [*played("a", "1100"), *played("b", "0011")])) == []


def test_a_user_whom_nobody_asks_makes_no_difference() -> None:
    other = Condition(overlays=BRIEF.overlays, user=UserConfig(manner="terse"))
    found = tables({"plain": PLAIN, "o": other}, [*played("plain", "1100"), *played("o", "1100")])

    assert titles(found) == ["Results: surfaces", "Results: surfaces side by side"]


def test_users_are_named_and_never_pooled() -> None:
    users = {"p": UserConfig(), "t": UserConfig(manner="terse")}
    conditions = {
        f"{surface}-{name}": Condition(ask="ask_user", user=user, overlays=overlays)
        for name, user in users.items()
        for surface, overlays in (("plain", {}), ("brief", BRIEF.overlays))
    }
    found = tables(conditions, [each for name in conditions for each in played(name, "1100")])

    assert titles(found) == [
        "Results: surfaces, users grounded@2 and grounded@2 (terse)",
        "Results: surfaces side by side, user grounded@2",
        "Results: surfaces side by side, user grounded@2 (terse)",
    ]
    assert [(row["first"], row["second"]) for table in found if "by side" in table.title for row in table.rows] == [
        ("m, plain-p", "m, brief-p"), ("m, plain-t", "m, brief-t"),
    ]  # fmt: skip


def test_another_toolset_is_another_surface_with_definitions_of_its_own() -> None:
    other = Condition(toolsets={"calendar": "default"})
    found = by_title_of(tables({"plain": PLAIN, "other": other}, [*played("plain", "1100"), *played("other", "1100")]))

    assert [row["definitions"] for row in found.rows] == [
        cost(SURFACE).tokens, cost(catalog.app("calendar").default).tokens,
    ]  # fmt: skip


def test_definitions_are_those_that_the_overlay_shows() -> None:
    found = by_title_of(tables({"plain": PLAIN, "brief": BRIEF}, [*played("plain", "1100"), *played("brief", "1100")]))
    brief = overlaid(SURFACE, {}, TEXTS, ())

    assert [row["definitions"] for row in found.rows] == [cost(SURFACE).tokens, cost(brief).tokens]
    assert cost(brief).tokens < cost(SURFACE).tokens


def test_only_what_a_task_needs_is_on_offer_where_the_condition_says_so() -> None:
    conditions = {
        "plain": Condition(tools="required"), "brief": Condition(tools="required", overlays=BRIEF.overlays),
    }  # fmt: skip
    records = [*played("plain", "1100"), *played("brief", "1100")]
    found = by_title_of(tables(conditions, records, required=lambda t: ("calendar",) if t.id == "t0" else ()))

    assert found.rows[0]["definitions"] == round(cost(SURFACE).tokens / 4, 3)


def test_tools_that_are_no_longer_there_leave_their_definitions_unknown() -> None:
    gone = Condition(overlays={"calendar": Overlay(hide=("a_tool_of_old",))})
    found = by_title_of(tables({"plain": PLAIN, "old": gone}, [*played("plain", "1100"), *played("old", "1100")]))

    assert [row["definitions"] for row in found.rows] == [cost(SURFACE).tokens, None]


def test_calls_errors_and_tokens_are_means_per_trial_that_counts() -> None:
    records = [*played("plain", "1100"), *played("brief", "11-0")]
    for each in records:
        brief = each.trajectory.condition == "brief"
        calls = [call(), call(status="invalid")] if brief else [call()]
        each.trajectory.events += [made.model_copy(update={"n": n}) for n, made in enumerate(calls)]
        each.trajectory.usage = Usage(prompt_tokens=100 if brief else 300, completion_tokens=10)
    found = by_title_of(tables({"plain": PLAIN, "brief": BRIEF}, records))

    assert [(row["tasks"], row["calls"], row["errors"], row["tokens"]) for row in found.rows] == [
        (3, 1.0, 0.0, 310.0), (3, 2.0, 1.0, 110.0),
    ]  # fmt: skip


def test_there_is_no_column_of_tokens_where_no_model_played() -> None:
    found = by_title_of(tables({"plain": PLAIN, "brief": BRIEF}, [*played("plain", "1100"), *played("brief", "1100")]))

    assert "tokens" not in found.columns


def test_tasks_that_one_surface_lacks_are_left_out_of_all_and_counted() -> None:
    found = tables({"plain": PLAIN, "brief": BRIEF}, [*played("plain", "1100"), *played("brief", "-110")])
    table = by_title_of(found)

    assert [(row["tasks"], row["accuracy %"]) for row in table.rows] == [(3, 33.3), (3, 66.7)]
    assert "1 task is left out, which not all of m, plain, m, brief have" in table.notes
    assert by_title(found, "Results: surfaces side by side").rows[0]["tasks"] == 3


def test_a_surface_without_a_trial_that_counts_is_shown_as_such_and_does_not_hide_the_others() -> None:
    conditions = {"plain": PLAIN, "brief": BRIEF, "hidden": HIDDEN}
    records = [*played("plain", "----"), *played("brief", "1100"), *played("hidden", "1010")]
    found = tables(conditions, records)

    assert [(row["condition"], row["tasks"], row["accuracy %"]) for row in by_title_of(found).rows] == [
        ("plain", 0, None), ("brief", 4, 50.0), ("hidden", 4, 50.0),
    ]  # fmt: skip
    assert [(row["first"], row["second"]) for row in by_title(found, "Results: surfaces side by side").rows] == [
        ("m, brief", "m, hidden")
    ]


def test_agents_are_not_held_against_each_other_nor_models_against_instruments() -> None:
    names = ("m", "n", "oracle")
    records = [each for name in names for condition in ("p", "b") for each in played(condition, "1100", agent=name)]
    found = tables({"p": PLAIN, "b": BRIEF}, records, *names)

    assert [(row["first"], row["second"]) for table in found if "by side" in table.title for row in table.rows] == [
        ("m, p", "m, b"), ("n, p", "n, b"), ("oracle, p", "oracle, b"),
    ]  # fmt: skip
    assert [table.title for table in found if table.title.endswith("surfaces")] == [
        "Results: surfaces", "Calibration: surfaces",
    ]  # fmt: skip


def run(label: str, conditions: Mapping[str, Condition], right: Mapping[str, str], **more: Any) -> Played:
    chosen: RunConfig = config(conditions=conditions, **more)
    records = [each for name in conditions for each in played(name, right[name])]
    return Played(label, chosen, scored(records, of(), chosen), of())


def test_surfaces_of_two_runs_are_shown_together_and_their_pairs_once() -> None:
    found = compare([run("a", {"x": PLAIN}, {"x": "1100"}), run("b", {"x": BRIEF}, {"x": "1110"})])
    table = by_title_of(found)

    assert [(row["run"], row["condition"], row["accuracy %"]) for row in table.rows] == [
        ("a", "x", 50.0),
        ("b", "x", 75.0),
    ]
    assert [t.title for t in found] == [
        "Results: side by side", "Results: tasks that flip from a to b", "Results: surfaces",
    ]  # fmt: skip
    assert [row["difference"] for row in found[0].rows] == [25.0]


def test_pairs_of_surfaces_that_runs_have_under_names_that_do_not_pair_are_there_too() -> None:
    first = run("a", {"x": PLAIN, "y": HIDDEN}, {"x": "1100", "y": "1000"})
    second = run("b", {"y": BRIEF}, {"y": "1111"})
    found = compare([first, second])

    assert [(row["run"], row["condition"]) for row in by_title_of(found).rows] == [("a", "x"), ("a", "y"), ("b", "y")]
    assert [
        (row["first"], row["second"], row["difference"]) for row in by_title(found, "Results: surfaces side").rows
    ] == [("a: m, x", "b", 50.0)]
    assert by_title(found, "Results: tasks that flip from a: m, x to b").rows


def test_what_one_run_has_by_itself_is_not_said_again() -> None:
    both = {"x": PLAIN, "y": BRIEF}
    found = compare([run("a", both, {"x": "1100", "y": "1110"}), run("b", both, {"x": "1100", "y": "1110"})])

    assert not any("surfaces" in table.title for table in found)


@pytest.mark.parametrize("more", [{"limits": Limits(turns=5)}, {"transport": "http"}])
def test_runs_under_other_limits_or_over_another_transport_are_no_surfaces_of_one_thing(more: dict[str, Any]) -> None:
    found = compare([run("a", {"x": PLAIN}, {"x": "1100"}), run("b", {"x": BRIEF}, {"x": "1110"}, **more)])

    assert not any("surfaces" in table.title for table in found)
