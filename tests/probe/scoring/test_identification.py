"""Verdicts on details, and the score that they come to."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.probe.records import Detail, Details
from benchmarks.probe.scoring.answers import DETAILS, Answer, DetailName, Grade, Structured
from benchmarks.probe.scoring.identification import identification, identification_questions, rubric
from tests.probe.scoring.toys import PROSE, RIGHT, answer, sample


def verdict(name: DetailName, said: str) -> Grade | None:
    return identification(sample(), answer(details={name: said}), {}).verdicts[name]


def test_a_right_answer_in_parts_takes_no_judge() -> None:
    found = identification(sample(), RIGHT, {})

    assert found.verdicts == {
        **dict.fromkeys(DETAILS[:6], "correct"),
        "how_mechanism": "n/a",
        "impact_scope": "n/a",
    }
    assert (found.score, found.by_program) == (1, DETAILS)
    assert identification_questions(sample(), RIGHT) == []


@pytest.mark.parametrize(
    ("name", "said", "expected"),
    [
        ("who_blocked", "Cem", "correct"),
        ("who_blocked", "cem@quarry.example", "correct"),
        ("who_blocked", "Cem Dal <cem@quarry.example>", "correct"),
        ("who_blocked", "Ada Berg", "incorrect"),
        ("who_blocked", "somebody in finance", "incorrect"),
        ("who_blocked", "", "missing"),
        ("who_blocked", "Cem Dal or Eva Løvås", None),
        ("who_blocker", "Ada", "correct"),
        ("who_blocker", "Ada Fox", "incorrect"),
        ("what_task", "PL 104", "correct"),
        ("what_task", "PL-104 or PL-105", None),
        ("what_task", "the price list", None),
        ("what_task", "price list for the kiln", None),
        ("what_task", "Kiln prcie list", None),
        ("what_task", "the export price list", "incorrect"),
        ("who_blocked", "Cme Dal", None),
        ("why_root_cause", "lapsed access, archive of drawings", "correct"),
        ("why_root_cause", "nobody answers for the drawing archive", None),
        ("why_root_cause", "lapsed access: Kastor", "incorrect"),
        ("why_root_cause", " ", "missing"),
        ("when_deadline", "2025-06-12T17:00", "correct"),
        ("when_deadline", "June 12", "correct"),
        ("when_deadline", "12 June 2026", "incorrect"),
        ("when_deadline", "12 or 13 June 2025", "incorrect"),  # only the second stands with its month
        ("when_deadline", "12 June or 14 June", None),
        ("when_deadline", "Thursday next week", None),
        ("when_deadline", "soon", None),
        ("where_system", "Kastor", "correct"),
        ("where_system", "Pollux", "incorrect"),
    ],
)
def test_a_part_is_judged_by_its_aliases(name: DetailName, said: str, expected: str | None) -> None:
    assert verdict(name, said) == expected


def test_a_text_is_right_word_for_word_and_else_a_question() -> None:
    mechanism = Detail(kind="text", value="By mail")
    key = sample(details=sample().gold.details.model_copy(update={"how_mechanism": mechanism}))

    same, other = (
        identification(key, answer(details={"how_mechanism": said}), {}).verdicts["how_mechanism"]
        for said in ("by mail.", "With letters")
    )
    assert (same, other) == ("correct", None)


def test_a_day_may_have_a_name_of_its_own() -> None:
    day = Detail(kind="date", value="2025-06-12", accept=("the fair opens",))
    key = sample(details=sample().gold.details.model_copy(update={"when_deadline": day}))
    found = [
        identification(key, answer(details={"when_deadline": said}), {}).verdicts["when_deadline"]
        for said in ("when the fair opens", "when the fair opens, 14 June", "14 June")
    ]

    assert found == ["correct", None, "incorrect"]


def test_in_prose_what_is_there_is_a_question_and_what_is_absent_missing() -> None:
    found = identification(sample(), answer(bottleneck=PROSE), {})

    assert found.verdicts == {
        **dict.fromkeys(DETAILS[:6], None),
        "how_mechanism": "n/a",
        "impact_scope": "n/a",
    }
    assert (found.score, found.by_program) == (None, DETAILS[6:])
    vague = identification(sample(), answer(bottleneck="Somebody is waiting for a figure."), {})
    assert vague.verdicts == {
        **dict.fromkeys(DETAILS[:6], "missing"),
        "how_mechanism": "n/a",
        "impact_scope": "n/a",
    }
    assert vague.score == 0


def test_a_question_has_what_was_said_and_the_key() -> None:
    asked = identification_questions(sample(), answer(bottleneck=PROSE))

    assert [each.about for each in asked] == list(DETAILS[:6])
    assert asked[2].model_dump() == {
        "about": "what_task",
        "gold": "the kiln price list",
        "accept": ("PL-104",),
        "said": PROSE,
    }
    assert asked[3].gold == {"type": "lapsed access", "object": "the drawing archive"}


def test_a_judge_settles_what_the_program_leaves_open_and_nothing_else() -> None:
    judged: dict[str, Any] = {**dict.fromkeys(DETAILS[:6], "correct"), "how_mechanism": "missing"}
    given = answer(bottleneck=PROSE.replace("in Kastor ", ""))
    found = identification(sample(), given, judged)

    assert (found.verdicts["where_system"], found.verdicts["how_mechanism"], found.score) == ("missing", "n/a", 0.5)


def test_a_judge_who_fails_on_one_detail_leaves_the_answer_unscored() -> None:
    judged: dict[str, Any] = dict.fromkeys(DETAILS[1:6], "correct")

    assert identification(sample(), answer(bottleneck=PROSE), judged).score is None


def test_a_wrong_detail_beside_an_open_one_is_no_zero_yet() -> None:
    assert identification(sample(), answer(bottleneck="Cem Dal waits."), {}).score is None


def test_swapped_persons_are_both_wrong() -> None:
    found = identification(sample(), answer(details={"who_blocked": "Ada Berg", "who_blocker": "Cem Dal"}), {})

    assert (found.verdicts["who_blocked"], found.verdicts["who_blocker"], found.score) == ("incorrect", "incorrect", 0)


@pytest.mark.parametrize("given", [None, answer(bottleneck=""), answer(bottleneck=Structured())])
def test_no_answer_misses_everything(given: Answer | None) -> None:
    found = identification(sample(), given, {})

    assert set(found.verdicts.values()) == {"missing", "n/a"}
    assert found.score == 0


def verdicts(**changed: Grade | None) -> dict[DetailName, Grade | None]:
    found: dict[DetailName, Grade | None] = dict.fromkeys(DETAILS, "correct")
    found.update(changed)  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(
    ("given", "score"),
    [
        (verdicts(), 1),
        (verdicts(impact_scope="n/a", how_mechanism="n/a"), 1),
        (verdicts(when_deadline="missing"), 0.5),
        (verdicts(when_deadline="incorrect", where_system="missing"), 0.5),
        (verdicts(who_blocker="incorrect"), 0),
        (verdicts(why_root_cause="missing", when_deadline="missing"), 0),
        (verdicts(who_blocked=None), None),
        (verdicts(who_blocker="incorrect", where_system=None), None),
    ],
)
def test_verdicts_come_to_a_score(given: dict[DetailName, Grade | None], score: float | None) -> None:
    assert rubric(given) == score


def test_a_key_that_only_describes_the_bottleneck_is_all_questions() -> None:
    nothing = Details(who_blocked=None, who_blocker=None, what_task=None, why_root_cause=None)
    key = sample(details=nothing)
    asked = identification_questions(key, answer(bottleneck=PROSE))

    assert [(each.about, each.gold) for each in asked] == [(name, None) for name in DETAILS]
    judged: dict[str, Any] = {**dict.fromkeys(DETAILS, "correct"), "impact_scope": "n/a"}
    assert identification(key, answer(bottleneck=PROSE), judged).score == 1
    assert identification(key, answer(bottleneck=""), {}).score == 0


def test_a_control_has_no_bottleneck_to_score() -> None:
    assert identification(sample(action=None), RIGHT, {}).score is None
