from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from benchmarks.lhaw.tables import report
from harness.core.config import Condition, RunConfig, UserConfig
from harness.report import Agents, Figure, plots
from harness.score import outcome
from harness.suite import Scored, Suite, Table
from harness.trajectory import SessionRecord
from harness.view import reports
from servers.kernel import World
from tests.lhaw.scenes import NOW, trial, variant
from userssim.heard import figures

REFERENCE = {"kind": "reference", "name": "reference", "explore": 0.8, "ask": 0.7, "guess": 0.3}
MODEL = {"kind": "llm", "name": "m", "model": "local/m"}
CONDITIONS = ("original", "original+ask", "underspecified", "underspecified+ask")
TASKS = [variant("a", dimensions=["goal", "input"], segments=2), variant("b", template="u", severity="vagify")]
SUITE = Suite(
    name="toy",
    version="1",
    description="",
    tasks=TASKS,
    world=lambda name: World(name, NOW, {}),
    checks={"outcome": outcome},
    measured=figures(),
)


def trials(agent: str) -> list[Scored]:
    return [
        trial(task.id, condition, n, condition != "underspecified", agent=agent,
              questions=[["recipient"]] if condition == "underspecified+ask" else [])
        for task in TASKS for condition in CONDITIONS for n in range(3)
    ]  # fmt: skip


def tables(agents: Mapping[str, Mapping[str, Any]]) -> dict[str, Table]:
    found = report(SUITE, agents, [s for agent in agents for s in trials(agent)])
    assert len({table.title for table in found}) == len(found)
    return {table.title: table for table in found}


def run(user: UserConfig, **more: Condition) -> Agents:
    """A run of both agents with this user under both asking conditions."""
    asking = {f"{prompt}+ask": Condition(prompt=prompt, ask="ask_user", user=user) for prompt in CONDITIONS[::2]}
    without = {prompt: Condition(prompt=prompt) for prompt in CONDITIONS[::2]}
    return Agents(RunConfig.model_validate(
        {"suite": "toy", "agents": [REFERENCE, MODEL], "conditions": {**without, **asking, **more}}
    ))  # fmt: skip


def of(agents: Agents, *more: Scored) -> dict[str, Table]:
    """Tables by title, without those of tests/lhaw/flags, which name conditions in a column."""
    made = report(SUITE, agents, [*trials("reference"), *trials("m"), *more])
    return {table.title: table for table in made if ": failure" not in table.title}


def test_instruments_are_calibrated_with_their_dials_beside_what_was_measured() -> None:
    (row,) = tables({"reference": REFERENCE})["Calibration"].rows

    assert (row["explore dial"], row["ask dial"], row["guess dial"]) == (0.8, 0.7, 0.3)
    assert (row["complete"], row["variants"]) == (2, 2)
    assert (row["baseline pass@3 %"], row["ask %"], row["avg/traj"]) == (100.0, 100.0, 1.0)
    assert (row["pass@3 %"], row["pass@3 gain"], row["pass@3 gain/Q"]) == (0.0, 100.0, 16.667)
    assert row["ckpt %"] is None


def test_questions_that_are_as_many_in_every_template_have_no_interval_and_the_table_says_why() -> None:
    found = tables({"m": MODEL})["Clarification: questions by designed class and persona"]

    assert [(row["calls/trial"], row["low"], row["high"]) for row in found.rows] == [(1.0, None, None)]
    assert found.notes[-1] == "No interval: every template is alike."


def test_models_and_instruments_never_share_a_table() -> None:
    found = tables({"reference": REFERENCE, "m": MODEL})

    assert [row["agent"] for row in found["Calibration"].rows] == ["reference"]
    assert [row["agent"] for row in found["Clarification"].rows] == ["m"]
    for title, table in found.items():
        agents = {row["agent"] for row in table.rows if "agent" in row}
        assert agents in ({"reference"} if title.startswith("Calibration") else {"m"}, set())


def test_gain_and_gain_per_question_are_drawn_with_their_intervals() -> None:
    found = tables({"m": MODEL})
    drawn: dict[str, tuple[str, list[str]]] = {}
    for title in ("what the user is worth", "what the user is worth, in pass@3"):
        figure = found[f"Clarification: {title}"]
        assert isinstance(figure, Figure)
        drawn |= {name: (title, re.findall('aria-label="(.*?)"', svg)) for name, svg in plots.draw(figure).items()}

    assert drawn == {
        name: (title, [f"Clarification: {title}. {name}. {name} by agent: m: 100."])
        for name, title in (
            ("accuracy gain", "what the user is worth"),
            ("pass@3 gain", "what the user is worth, in pass@3"),
            ("gain/(questions/trial)", "what the user is worth, in pass@3"),
        )
    }


def test_a_figure_whose_title_names_its_users_is_still_drawn() -> None:
    found = of(run(UserConfig(version=1)))["Clarification: what the user is worth, user grounded@1"]

    assert isinstance(found, Figure)
    assert list(plots.draw(found)) == ["accuracy gain"]


def test_with_fewer_than_three_trials_there_is_the_gain_in_accuracy_and_why_there_is_no_pass_at_3() -> None:
    single = [each for each in trials("m") if each.trajectory.trial == 0]
    found = {table.title: table for table in report(SUITE, {"m": MODEL}, single)}
    worth = found["Clarification: what the user is worth"]
    (row,) = worth.rows

    assert (row["accuracy gain"], row["complete"], row["variants"]) == (100.0, 0, 2)
    assert "Clarification: what the user is worth, in pass@3" not in found
    assert any(
        "no variant has 3 valid trials in both arms (m: 0 of 2)" in note for note in found["Clarification"].notes
    )


def test_tables_in_which_every_figure_is_a_dash_are_named_in_one_line_instead() -> None:
    single = [each for each in trials("m") if each.trajectory.trial == 0]
    found = {table.title: table for table in report(SUITE, {"m": MODEL}, single)}
    (said,) = (note for note in found["Clarification: what the user is worth"].notes if note.startswith("Not shown"))

    assert said.endswith(
        ": what the user is worth, in pass@3; what the user is worth, in checkpoints; "
        "outcome-critical variants, designed."
    )
    assert "Clarification: outcome-critical variants, designed" not in found


def test_a_gain_says_of_which_trials_it_is() -> None:
    (row,) = tables({"m": MODEL})["Clarification: what the user is worth"].rows

    assert (row["prompt"], row["trials"]) == ("underspecified", 12)


def test_of_an_agent_that_asked_nothing_no_gain_is_said_to_be_by_asking() -> None:
    mute = [trial(t.task, t.condition, t.trial, True, agent="m") for t in (each.trajectory for each in trials("m"))]
    found = {table.title: table for table in report(SUITE, {"m": MODEL}, mute)}
    said = "m asked nothing, so that no gain is by asking."

    assert said in found["Clarification: what the user is worth"].notes
    assert said not in tables({"m": MODEL})["Clarification: what the user is worth"].notes


def test_a_row_of_what_the_user_is_worth_leads_to_the_trials_of_both_arms() -> None:
    worth = tables({"m": MODEL})["Clarification: what the user is worth"]
    played = [each.trajectory for each in trials("m")]
    listed = [{"agent": t.agent, "condition": t.condition, "prompt": t.prompt, "verdict": "correct"} for t in played]
    chosen = {name: {row[name] for row in listed} for name in ("agent", "condition", "prompt")}
    (link,) = reports.tables([worth], "t", chosen, listed)["tables"][0]["links"]

    assert link == {"agent": "m", "prompt": "underspecified"}
    assert sum(reports.passes(row, link) for row in listed) == worth.rows[0]["trials"]


def test_limits_of_gains_that_are_all_alike_are_said_to_be_exact_bounds() -> None:
    worth = tables({"m": MODEL})["Clarification: what the user is worth, in pass@3"]
    (row,) = worth.rows

    assert (row["pass@3 gain"], row["gain low"], row["gain high"]) == (100.0, -68.4, 100.0)
    assert any("exact bounds instead (Clopper and Pearson 1934)" in note for note in worth.notes)


def test_a_note_says_how_many_requests_the_baseline_leaves_out() -> None:
    short = [each for each in trials("m") if (each.trajectory.task, each.trajectory.trial) != ("b", 2)]
    found = {table.title: table for table in report(SUITE, {"m": MODEL}, short)}
    note = (
        "The pass@3 baseline is over requests with 3 valid trials, whichever of their variants these were played for "
        "(m: 1 of 2, 1 left out)."
    )

    assert note in found["Clarification"].notes
    assert note in found["Clarification: what the user is worth, in pass@3"].notes
    assert note not in tables({"m": MODEL})["Clarification"].notes
    left, whole = (each["Clarification: by designed class"].notes[-1] for each in (found, tables({"m": MODEL})))
    assert left.endswith("were played for; one with fewer than 3 valid ones counts nowhere.")
    assert whole.endswith("were played for.")


def test_where_one_arm_was_not_played_it_is_said_that_there_is_no_gain_and_by_which_arm_variants_are_complete() -> None:
    for played, how in (("underspecified", "with"), ("underspecified+ask", "without")):
        scored = [each for each in trials("m") if each.trajectory.condition == played]
        first, worth, *_ = report(SUITE, {"m": MODEL}, scored)
        why = f"No gain: the underspecified request was not played {how} a user."

        assert (first.rows[0]["complete"], first.rows[0]["pass@3 gain"]) == (2, None)
        assert any("3 valid trials in both arms, or in the one that was played" in note for note in first.notes)
        assert why in first.notes
        assert why in worth.notes
        single = [each for each in scored if each.trajectory.trial == 0]
        assert not any("takes any number" in note for note in report(SUITE, {"m": MODEL}, single)[0].notes)
    assert not any(note.startswith("No gain") for note in tables({"m": MODEL})["Clarification"].notes)


def test_a_class_of_which_nothing_was_played_with_a_user_is_as_incomplete_as_the_first_table_has_it() -> None:
    suite = replace(SUITE, tasks=(variant("a", designed_class="benign"), variant("b")))
    left = [
        each for each in trials("m") if (each.trajectory.task, each.trajectory.condition) != ("b", "underspecified+ask")
    ]
    found = {table.title: table.rows for table in report(suite, {"m": MODEL}, left)}
    (whole,) = found["Clarification"]
    critical, benign = found["Clarification: by designed class"]

    got = [[row[name] for name in ("complete", "variants", "pass@3 %")] for row in (whole, critical, benign)]
    assert got == [[1, 2, 0.0], [0, 1, None], [1, 1, 0.0]]


def test_the_note_on_checkpoints_says_of_how_many_variants_the_ckpt_variants_are() -> None:
    scored = [
        trial(name, condition, 0, True, agent="m")
        for name in ("x", "y") for condition in ("underspecified", "underspecified+ask")
    ]  # fmt: skip
    suite = replace(SUITE, tasks=tuple(variant(name, changes=3) for name in ("x", "y")))
    whole, short = (report(suite, {"m": MODEL}, some)[0] for some in (scored, scored[:-1]))

    assert (whole.rows[0]["ckpt variants"], short.rows[0]["ckpt variants"]) == (2, 1)
    for each in (whole, short):
        assert each.notes[-1].endswith(
            "of the 2 of 2 played whose task has 3 expected changes or more, those with a valid trial in both arms."
        )


def test_models_have_no_dials() -> None:
    found = tables({"m": MODEL})

    assert not any("dial" in column for column in found["Clarification"].columns)
    assert not any("dials" in title for title in found)


def test_every_cell_of_a_row_has_a_column() -> None:
    for table in tables({"reference": REFERENCE, "m": MODEL}).values():
        for row in table.rows:
            assert set(row) == set(table.columns), table.title


def test_a_variant_counts_under_each_of_its_dimensions() -> None:
    rows = tables({"reference": REFERENCE})["Calibration: by dimension"].rows

    assert {row["dimension"]: row["variants"] for row in rows} == {"all": 2, "goal": 2, "input": 1}


def test_asking_on_the_original_request_has_its_own_row() -> None:
    rows = tables({"reference": REFERENCE})["Calibration: asking"].rows

    assert [(row["prompt"], row["ask %"], row["calls"]) for row in rows] == [
        ("original", 0.0, 0),
        ("underspecified", 100.0, 6),
    ]


def test_dials_are_read_off_variants_that_lack_one_segment() -> None:
    rows = {row["seen"]: row for row in tables({"reference": REFERENCE})["Calibration: dials"].rows}

    assert (rows["asked"]["true %"], rows["asked"]["measured %"], rows["asked"]["trials"]) == (70.0, 100.0, 3)
    assert rows["went on, explorable"]["true %"] == 86.0
    assert rows["went on, explorable"]["measured %"] is None


def test_asked_has_no_true_value_where_the_end_of_a_turn_is_a_question_too() -> None:
    config = RunConfig.model_validate({"suite": "toy", "agents": [REFERENCE], "conditions": {
        "underspecified": {"prompt": "underspecified"},
        "underspecified+ask": {"prompt": "underspecified", "end_of_turn": "user"},
    }})  # fmt: skip
    found = report(SUITE, Agents(config), trials("reference"))
    (dials,) = (table for table in found if table.title.startswith("Calibration: dials"))
    rows = {row["seen"]: row for row in dials.rows}

    assert (rows["asked"]["true %"], rows["asked"]["measured %"]) == (None, 100.0)
    assert rows["went on unasked"]["true %"] == 30.0
    assert dials.notes[-1].startswith("Asked has no true value here")


def test_a_trial_that_was_cut_at_a_limit_had_not_given_up() -> None:
    ends = {"Done.": "finished", "": "limit", "I stopped before the end. I do not know the recipient.": "finished"}
    scored = [
        one._replace(trajectory=one.trajectory.model_copy(update={
            "status": status, "sessions": [SessionRecord(request="", now="", reply=reply)],
        }))
        for n, (reply, status) in enumerate(ends.items()) for one in [trial("b", "underspecified", n, False)]
    ]  # fmt: skip
    (dials,) = (t for t in report(SUITE, {"reference": REFERENCE}, scored) if t.title == "Calibration: dials")
    (row,) = (row for row in dials.rows if row["seen"] == "went on unasked")

    assert (row["measured %"], row["trials"]) == (66.7, 3)


def test_an_interrupted_run_still_makes_tables() -> None:
    found = report(SUITE, {"reference": REFERENCE}, trials("reference")[:2])

    assert found[0].rows[0]["pass@3 gain"] is None
    assert found[0].rows[0]["complete"] == 0


def test_the_order_of_trials_changes_nothing() -> None:
    forth, back = (
        report(SUITE, {"reference": REFERENCE}, order) for order in (trials("reference"), trials("reference")[::-1])
    )

    assert forth == back


def test_what_the_simulated_user_understands_is_in_every_report() -> None:
    rows = tables({"m": MODEL})["Calibration: the simulated user on questions that players put"].rows

    assert {(row["user"], row["half"]) for row in rows} >= {("grounded@1", "tuned"), ("grounded@1", "frozen")}
    assert all(0 <= row["%"] <= 100 for row in rows)


def test_instruments_without_dials_have_no_table_of_them() -> None:
    found = report(SUITE, {"idle": {"kind": "idle", "name": "idle"}}, trials("idle"))

    assert not any("dial" in column for table in found for column in table.columns)
    assert "Calibration: dials" not in {table.title for table in found}


def test_titles_name_the_user_that_a_table_is_made_with() -> None:
    titles = list(of(run(UserConfig(version=1))))

    assert "Clarification, user grounded@1" in titles
    assert "Calibration: what the user is worth, user grounded@1" in titles
    assert [title for title in titles if not title.endswith(", user grounded@1")] == [
        "Suite: what its variants are",
        "Calibration: the simulated user on questions that players put",
    ]


def test_a_table_names_the_users_of_its_own_conditions_alone() -> None:
    scripted = Condition(ask="ask_user", user=UserConfig(kind="scripted"))
    found = of(run(UserConfig(version=1), **{"original+ask": scripted, "other": scripted}))

    asking = found["Clarification: asking, users scripted and grounded@1"]
    assert asking.notes[-1] == "Users: scripted on the original request, grounded@1 on the other."
    assert "Clarification: by dimension, user grounded@1" in found


def test_what_the_user_is_worth_has_a_range_over_manners() -> None:
    terse = Condition(prompt="underspecified", ask="ask_user", user=UserConfig(manner="terse"))
    wrong = [trial(task.id, "terse", n, False, agent="m") for task in TASKS for n in range(3)]
    found = of(run(UserConfig(), terse=terse), *wrong)
    users = "users grounded@2 and grounded@2 (terse)"

    assert list(found[f"Clarification: what the user is worth, over manners, {users}"].rows) == [
        {
            "agent": "m", "complete, fewest": 2, "variants": 2,
            "pass@3 gain, lowest": 0.0, "pass@3 gain, highest": 100.0,
            "ask %, lowest": 0.0, "ask %, highest": 100.0,
            "segments asked for %, lowest": 0.0, "segments asked for %, highest": 100.0,
        }
    ]  # fmt: skip


def test_without_another_manner_there_is_no_range() -> None:
    assert not any("manners" in title for title in of(run(UserConfig())))
