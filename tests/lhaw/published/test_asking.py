"""What a simulated user makes of expected questions, counted question by question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import anyio
import pytest

from benchmarks.lhaw.dimensions import DIMENSIONS
from benchmarks.lhaw.published.asking import KINDS, Put, brief, put, tables
from benchmarks.lhaw.published.rows import Row
from harness.core.config import UserConfig
from harness.task import Brief
from harness.wiring import wiring
from servers.kernel import Answer, Question, User, UserFault
from tests.lhaw.published.rows import PAYROLL, TOP, made


class Tells:
    """Tells whatever `say` gives for a question; None is a fault."""

    def __init__(self, say: Callable[[str], Answer | None]) -> None:
        self._say = say

    async def answer(self, question: Question) -> Answer:
        if (answer := self._say(question.text)) is None:
            raise UserFault("the model did not answer")
        return answer


def asked(rows: Iterable[Row], make: Callable[[Brief], User], at_once: int = 1) -> list[Put]:
    async def run() -> list[Put]:
        return await put(rows, make, at_once=at_once)

    return anyio.run(run)


def telling(say: Callable[[str], Answer | None]) -> Callable[[Brief], User]:
    return lambda known: Tells(say)


def figures(found: list[Put]) -> Mapping[str, Mapping[str, Any]]:
    return {row["dimension"]: row for row in tables(found, "somebody")[0].rows}


def test_every_subdimension_of_the_taxonomy_has_plain_words() -> None:
    assert {*KINDS} == {name for names in DIMENSIONS.values() for name in names}


def test_a_user_knows_both_prompts_and_what_was_removed_in_plain_words() -> None:
    known = brief(made(TOP))

    assert (known.intent, known.sent) == (TOP["original_prompt"], TOP["underspecified_prompt"])
    assert [(each.id, each.slot.kind, each.value) for each in known.withheld] == [
        ("S1", "limit", "12"), ("S2", "format", "JSON"),
    ]  # fmt: skip


def test_a_subdimension_outside_the_taxonomy_is_said_as_it_stands() -> None:
    segments = [{**PAYROLL["removed_segments"][0], "subdimension": "house_rule"}]

    assert brief(made(removed_segments=segments)).withheld[0].slot.kind == "house rule"


@pytest.mark.parametrize("at_once", [1, 4])
def test_the_grounded_user_tells_what_is_asked_for_and_nothing_else(at_once: int) -> None:
    wired = wiring()
    found = asked([made(TOP), made()], lambda known: wired.user(UserConfig(), known), at_once)

    assert [(each.variant, each.asked.id, each.told) for each in found] == [
        ("top_sellers_V4", "S1", ("S1",)),
        ("top_sellers_V4", "S2", ("S2",)),
        ("payroll_V1_input", "S1", ("S1",)),
        ("payroll_V1_input", "S1", ("S1",)),
    ]
    assert "JSON" in found[1].answer


def test_each_question_is_put_to_a_user_of_its_own() -> None:
    users: list[Brief] = []

    def make(known: Brief) -> User:
        users.append(known)
        return Tells(lambda question: Answer(text=""))

    asked([made(TOP), made()], make)

    assert len(users) == 4


def test_recall_counts_questions_and_segments_by_dimension() -> None:
    found = figures(
        asked([made(), made(TOP)], telling(lambda q: Answer(text="", revealed=("S1",) if "source" in q else ())))
    )

    assert (found["input"]["questions"], found["input"]["recall %"]) == (2, 50.0)
    assert (found["input"]["segments"], found["input"]["segments told"]) == (1, 1)
    assert (found["goal"]["recall %"], found["goal"]["segments told"]) == (0.0, 0)
    assert (found["context"]["questions"], found["context"]["recall %"]) == (0, None)
    assert (found["all"]["questions"], found["all"]["recall %"]) == (4, 25.0)


def test_another_segment_told_counts_where_there_is_another() -> None:
    found = figures(asked([made(), made(TOP)], telling(lambda question: Answer(text="", revealed=("S1",)))))

    assert (found["goal"]["another told"], found["goal"]["of"]) == (1, 1)
    assert (found["constraint"]["another told"], found["constraint"]["of"]) == (0, 1)
    assert (found["input"]["another told"], found["input"]["of"]) == (None, 0)


def test_a_question_without_an_answer_is_void_and_in_no_rate() -> None:
    found = asked([made()], telling(lambda q: None if "source" in q else Answer(text="", revealed=("S1",))))
    row = figures(found)["input"]

    assert [each.fault for each in found] == ["the model did not answer", ""]
    assert (row["questions"], row["void"], row["recall %"]) == (2, 1, 100.0)


def test_a_user_that_does_not_say_what_it_told_is_read() -> None:
    found = asked([made()], telling(lambda question: Answer(text="Take hours-march.csv, please.")))

    assert [each.told for each in found] == [("S1",), ("S1",)]


def test_a_value_that_the_question_has_already_is_not_told_by_being_repeated() -> None:
    row = made(expected_questions=[{"S1": ["Is it hours-march.csv?"]}])
    found = asked([row], telling(lambda question: Answer(text="Who knows of hours-march.csv?")))

    assert [each.told for each in found] == [()]


def test_questions_for_no_removed_segment_and_empty_ones_are_not_put() -> None:
    row = made(expected_questions=[{"S9": ["Which?"]}, {"S1": [" ", "Which data source?"]}])

    assert [each.question for each in asked([row], telling(lambda question: Answer(text="")))] == ["Which data source?"]


def test_subdimensions_are_listed_in_the_order_of_the_taxonomy_and_strange_ones_last() -> None:
    strange = made(variant_id="s", removed_segments=[{**PAYROLL["removed_segments"][0], "dimension": "mood"}])
    found = asked([strange, made(), made(TOP)], telling(lambda question: Answer(text="")))

    assert [(row["dimension"], row["subdimension"]) for row in tables(found, "somebody")[1].rows] == [
        ("goal", "format"), ("constraint", "numeric_bound"), ("input", "source"), ("mood", "source"),
    ]  # fmt: skip
    assert [*figures(found)] == [*DIMENSIONS, "mood", "all"]
