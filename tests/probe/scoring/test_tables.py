"""Tables 2 to 5 from a handful of answers, each figure worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.probe.scoring.modes import Share, modes
from benchmarks.probe.scoring.scored import Scored, score
from benchmarks.probe.scoring.tables import HumanEntry, failures, frameworks, humans, models
from tests.probe.scoring.toys import RIGHT, answer, sample


def scored(agent: str = "a", persona: str = "P1", *, would_resolve: str = "", **changed: Any) -> Scored:
    found = score(sample(), answer(**changed), {}, agent=agent, would_resolve=would_resolve)
    return found.model_copy(update={"persona": persona})


HALF = {"where_system": "Pollux"}
"""Identification 0.5."""

WRONG = {"who_blocked": "Ada Berg", "why_root_cause": "lapsed access: the kitchen", "when_deadline": ""}
MISSED = {"who_blocker": "", "why_root_cause": "", "when_deadline": "2025-06-20"}


def entry(annotator: str, minutes: float, each: Scored, real: bool = True) -> HumanEntry:
    return HumanEntry(
        annotator=annotator, scored=each, seconds=60 * minutes, documents_realistic=real, actions_realistic=True
    )


def test_table_2_averages_over_entries() -> None:
    rows = humans(
        [
            entry("1", 20, scored(retrieved=())),
            entry("1", 10, scored(action="wait")),
            entry("1", 30, scored(details=HALF, action="wait"), real=False),
            entry("2", 60, scored()),
        ],
        chance=0.04,
    )

    assert rows == [
        {
            "Annotator": "1",
            "Search F1": pytest.approx(2 / 3),
            "Bottleneck Identification": pytest.approx(2.5 / 3),
            "Task Selection": pytest.approx(1 / 3),
            "Entries": 3,
            "identification scored": 3,
            "selection scored": 3,
            "Samples/hour": pytest.approx(3),
            "Realistic": False,
        },
        {
            "Annotator": "2",
            "Search F1": 1,
            "Bottleneck Identification": 1,
            "Task Selection": 1,
            "Entries": 1,
            "identification scored": 1,
            "selection scored": 1,
            "Samples/hour": pytest.approx(1),
            "Realistic": True,
        },
        {
            "Annotator": "Avg",
            "Search F1": 3 / 4,
            "Bottleneck Identification": 3.5 / 4,
            "Task Selection": 2 / 4,
            "Entries": 2,
            "identification scored": 2,
            "selection scored": 2,
            "Samples/hour": pytest.approx(2),
            "Realistic": False,
        },
        {
            "Annotator": "chance",
            "Search F1": None,
            "Bottleneck Identification": None,
            "Task Selection": 0.04,
            "Entries": None,
            "identification scored": None,
            "selection scored": None,
            "Samples/hour": None,
            "Realistic": None,
        },
    ]


def test_table_2_says_how_many_entries_are_scored() -> None:
    open_ = scored(bottleneck="Cem Dal waits for Ada Berg.", parameters={"by": "next Thursday"})
    *_, average = rows = humans([entry("1", 10, scored()), entry("1", 10, open_), entry("2", 10, scored())])

    counts = ("Bottleneck Identification", "identification scored", "selection scored", "Entries")
    assert [[row[name] for name in counts] for row in rows[:2]] == [[1, 1, 1, 2], [1, 1, 1, 1]]
    assert [average[name] for name in counts] == [1, 1, 1, 1.5]


def test_table_2_as_printed_is_an_average_over_entries() -> None:
    printed = [("1", 13, 0.2679), ("2", 7, 0.4524), ("3", 6, 0.2037)]
    entries = []
    for annotator, count, f1 in printed:
        one = scored()
        assert one.search is not None
        one = one.model_copy(update={"search": one.search.model_copy(update={"f1": f1})})
        entries += [entry(annotator, 240 / count, one)] * count

    average = humans(entries)[-1]
    assert round(100 * average["Search F1"], 2) == 30.28
    assert (round(average["Entries"], 2), round(average["Samples/hour"], 2)) == (8.67, 2.17)


def test_table_3_has_means_over_samples_and_pooled_ones_beside() -> None:
    rows = models(
        [
            scored("a", "P1", retrieved=("D1", "D4")),  # P 1/2, R 1/2, F1 1/2
            scored("a", "P1", retrieved=("D1", "D2", "D3", "D4", "D5"), details=HALF),  # P 2/5, R 1, F1 4/7
            scored("a", "P2", retrieved=(), details=WRONG),  # 0, identification 0, execution 1
            scored("a", "P2", action="wait"),
            scored("b", "P1"),
        ]
    )
    found = rows[0]

    assert [row["Model"] for row in rows] == ["a", "b"]
    assert found["P"] == pytest.approx((1 / 2 + 2 / 5 + 0 + 1) / 4)
    assert found["R"] == pytest.approx((1 / 2 + 1 + 0 + 1) / 4)
    assert found["F1"] == pytest.approx((1 / 2 + 4 / 7 + 0 + 1) / 4)
    assert found["precision (neutral excluded)"] == pytest.approx((1 / 2 + 2 / 4 + 0 + 1) / 4)
    assert found["micro P"] == pytest.approx(5 / 9)
    assert found["micro R"] == pytest.approx(5 / 8)
    assert found["micro F1"] == pytest.approx(10 / 17)
    assert found["Bottleneck Identification"] == pytest.approx((1 + 0.5 + 0 + 1) / 4)
    assert found["Task Execution"] == pytest.approx(3 / 4)
    assert found["overall"] == pytest.approx(((2.5) + (4 / 7 + 1.5) + 1 + 2) / 12)
    assert (found["strict"], found["right for the wrong reason"], found["execution at 50%"]) == (0, 1 / 4, 3 / 4)
    assert (found["answers"], found["unscored"], found["decided by program"]) == (4, 0, 1)
    assert (rows[1]["strict"], rows[1]["overall"]) == (1, 1)


def test_intervals_cluster_by_persona() -> None:
    found = models(
        [scored("a", persona, **given) for persona, given in (("P1", {}), ("P1", {}), ("P2", {"action": "wait"}))]
    )
    interval = found[0]["Execution interval"]

    assert (interval.level, interval.clusters, interval.n, interval.value) == ("persona", 2, 3, pytest.approx(2 / 3))


def test_unscored_answers_are_counted_and_in_no_mean() -> None:
    (found,) = models([scored(), scored(bottleneck="Cem Dal waits for Ada Berg.")])

    assert (found["Bottleneck Identification"], found["overall"], found["unscored"]) == (1, 1, 1)
    assert (found["answers"], found["identification scored"], found["execution scored"]) == (2, 1, 2)
    assert (found["F1"], found["decided by program"]) == (1, pytest.approx(10 / 12))


def test_table_4_shows_what_was_opened_beside_what_is_declared() -> None:
    one = score(sample(), RIGHT, {}, agent="react", touched=["D1", "D4", "D3"])
    (found,) = frameworks([one, score(sample(), RIGHT, {}, agent="react")])

    assert (found["Framework"], found["P"], found["touched P"], found["touched R"]) == ("react", 1, 1 / 3, 1 / 2)
    assert found["touched precision (neutral excluded)"] == 1 / 2


ANSWERS = [
    scored(details=WRONG, action="wait"),  # identification 0
    scored(details=MISSED),  # identification 0
    scored(details=HALF, action="wait", would_resolve="no"),  # identification 0.5, another action
    scored(details=HALF, parameters={"by": None}, would_resolve="partially"),  # 0.5, one parameter missing
    scored(parameters={"by": None, "decider": "Eva Løvås"}, would_resolve="no"),  # 1, one missing and one wrong
    scored(),
]


def test_table_5_counts_modes_of_those_that_failed() -> None:
    found = modes(ANSWERS)

    assert found.root_cause == Share(count=2, of=4)  # one is wrong, one is not told
    assert found.person == Share(count=1, of=4)
    assert found.deadline == Share(count=2, of=4)
    assert found.cause_missing == Share(count=1, of=4)
    assert found.person_missing == Share(count=1, of=4)
    assert found.wrong_function == Share(count=1, of=4)
    assert found.missing == Share(count=2, of=2)
    assert found.wrong == Share(count=1, of=2)
    assert found.unexplained == Share(count=0, of=2)


def test_table_5_has_what_the_published_code_counts() -> None:
    silent = scored(parameters={"by": None}, would_resolve="silent")  # its judge said nothing
    lost = scored(action="wait", would_resolve="yes")  # another action that its judge finds as good
    found = modes([*ANSWERS, silent, lost])

    assert found.would_not_resolve == Share(count=3, of=5)
    assert found.paper_missing == Share(count=1, of=2)
    assert found.paper_wrong == Share(count=1, of=2)


def test_table_5_has_nothing_of_what_the_published_code_counts_while_a_right_act_waits_for_its_judge() -> None:
    found = modes([*ANSWERS, scored(parameters={"by": None})])

    assert {found.would_not_resolve, found.paper_missing, found.paper_wrong} == {Share(count=0, of=0)}
    assert modes([scored(action="wait")]).would_not_resolve == Share(count=1, of=1)  # of a wrong act none is asked


def test_what_is_neither_missing_nor_wrong_is_unexplained() -> None:
    one = scored(parameters={"by": None}, would_resolve="yes")
    odd = one.model_copy(
        update={"execution": one.execution.model_copy(update={"verdicts": {"by": "n/a", "decider": "correct"}})}
    )
    found = modes([odd])

    assert (found.unexplained, found.missing, found.paper_wrong) == (
        Share(count=1, of=1),
        Share(count=0, of=1),
        Share(count=1, of=1),
    )


def test_table_5_has_a_column_for_each_model() -> None:
    rows = {row["Failure Mode"]: row for row in failures([*ANSWERS, scored("b")])}

    assert rows["deadline"] == {"Failure Mode": "deadline", "a": 0.5, "of a": 4, "b": None, "of b": 0}
    assert rows["wrong_function"]["b"] == 0
