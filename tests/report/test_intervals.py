"""What is said of intervals beside figures."""

from __future__ import annotations

from harness import report
from harness.report.intervals import notes, wanting, weighed
from harness.scoring.stats import paired, rate
from tests.report.records import by_title, config, record, scored, suite, task

TWELVE = rate({f"t{n}": [float(n % 2)] for n in range(12)}, "template")
FOUR = rate({f"t{n}": [float(n % 2)] for n in range(4)}, "template")
ONE = rate({"t": [1.0, 0.0]}, "template")
THREE = paired({"a": [0.5], "b": [0.0], "c": [1.0]}, "template", within=(-1, 1))


def test_a_note_says_where_limits_are_and_of_how_many_clusters() -> None:
    assert notes([TWELVE, TWELVE]) == ["In brackets: 95% interval, by template, of which there are 12."]
    assert notes([TWELVE, FOUR]) == ["In brackets: 95% interval, by template, of which there are 4 to 12."]


def test_without_any_interval_a_note_says_why_and_nothing_of_brackets() -> None:
    assert notes([ONE, ONE]) == ["No interval: one template only."]


def test_where_only_some_have_an_interval_notes_say_both() -> None:
    assert notes([FOUR, ONE]) == [
        "In brackets: 95% interval, by template, of which there are 4.",
        "Where there is none: one template only.",
    ]


def test_of_no_figures_nothing_is_said() -> None:
    assert notes([]) == notes([rate({}, "template")]) == []


def test_a_sentence_claims_no_chance_where_there_is_no_interval_and_says_why_at_its_end() -> None:
    assert weighed(THREE, " points") == "50 points"
    assert wanting([THREE, ONE]) == "; 3 templates are too few for an interval"
    assert wanting([ONE]) == "; one template is too few for an interval"
    assert wanting([TWELVE]) == ""


def test_a_row_without_a_scored_trial_has_no_level_of_an_interval() -> None:
    tasks = [task(f"t{n}", template=f"of {n // 2}") for n in range(4)]
    of, chosen = suite(tasks), config("m", "n")
    played = [record(each, agent=agent, status="void" if agent == "n" else "finished")
              for each in tasks for agent in ("m", "n")]  # fmt: skip
    found = by_title(report.tables(chosen, of, scored(played, of, chosen)), "Results: outcomes")

    assert [(row["agent"], row["accuracy"], row["level"]) for row in found.rows] == [
        ("m", 1.0, "template"), ("n", None, None),
    ]  # fmt: skip
