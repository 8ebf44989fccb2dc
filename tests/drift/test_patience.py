"""For every persona there is a way to ask that brings to light in time what a variant hides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import get_args

import anyio
import pytest

from benchmarks.drift.environments import environments
from benchmarks.drift.release import released
from benchmarks.drift.tasks import FAULTY, Faulty
from harness.core.config import ROUNDS
from harness.core.user_config import PersonaUserConfig
from harness.wiring import wiring
from servers.kernel import Answer, Question
from tests.sampling import sampled
from userssim.persona import PersonaName


@cache
def hiding() -> list[Faulty]:
    return [each for each in released(environments()).faulty if each.variant.hidden]


def sample() -> list[Faulty]:
    return hiding()[:: max(1, len(hiding()) // 30)]


def ways(each: Faulty) -> Iterator[Question]:
    """Questions that somebody would put who has understood what is open: by its role, and by the words in its place."""
    (item,) = each.task.sessions[0].briefs[FAULTY].withheld
    role = item.slot.role or item.id
    yield Question(strategy="ask_parameter", text=f"What is the {role}?")
    yield Question(strategy="ask_parameter", text=f"Which {role} do you mean?")
    if each.variant.mention.strip():
        yield Question(
            strategy="report_blocker",
            text=f"I cannot tell what {each.variant.mention.strip()!r} is. What do you mean by it?",
        )
    offered = (item.value, "something else altogether")
    yield Question(strategy="disambiguate", text=f"Which {role} do you mean?", candidates=offered)


def solved(each: Faulty, name: PersonaName, question: Question) -> bool:
    """Whether asking so, again and again, brings the value to light in time, word for word."""
    brief = each.task.sessions[0].briefs[FAULTY]
    user = wiring().user(PersonaUserConfig(kind="persona", persona=name), brief)
    for _ in range(ROUNDS):
        answer = anyio.run(user.answer, question)
        if answer.revealed:
            return brief.withheld[0].value in answer.text
    return False


@pytest.mark.parametrize("name", get_args(PersonaName))
def test_some_way_to_ask_solves_each_variant_in_time(name: PersonaName) -> None:
    lost = [each.variant.text for each in sample() if not any(solved(each, name, way) for way in ways(each))]

    assert lost == []


def test_most_variants_are_solved_by_the_first_way_that_comes_to_mind() -> None:
    first = [solved(each, "rational", next(ways(each))) for each in sample()]

    assert sum(first) >= 0.9 * len(sample())


# --- what an agent proposes --------------------------------------------------------------------------------------


def proposed() -> list[Faulty]:
    """A dozen have a value of most sorts; judging one of them takes the same code as any."""
    return sampled(hiding(), 12)


def proposal(each: Faulty, words: str) -> Question:
    (item,) = each.task.sessions[0].briefs[FAULTY].withheld
    return Question(strategy="propose_solution", text=f"As to the {item.slot.role or item.id}: ", candidates=(words,))


def talked(each: Faulty, name: PersonaName, question: Question) -> list[Answer]:
    """Answers to one question that is put as often as is answered, until a value is told."""
    user = wiring().user(PersonaUserConfig(kind="persona", persona=name), each.task.sessions[0].briefs[FAULTY])
    found: list[Answer] = []
    while len(found) < ROUNDS and not (found and found[-1].revealed):
        found.append(anyio.run(user.answer, question))
    return found


def by_id(each: Faulty) -> str:
    """What tools call the hidden value, as somebody would say it; "" where they have no id for it."""
    (item,) = each.task.sessions[0].briefs[FAULTY].withheld
    key = str(item.slot.value)
    known = isinstance(item.slot.value, int | str) and re.search(r"\d", key) and item.slot.dimension == "entity"
    return f"{item.slot.role} {key}" if known else ""


@pytest.mark.timeout(3600)  # for FULL
@pytest.mark.parametrize("name", get_args(PersonaName))
def test_the_right_value_is_confirmed_in_time_in_its_own_words_and_by_its_id(name: PersonaName) -> None:
    lost = []
    for each in proposed():
        (item,) = each.task.sessions[0].briefs[FAULTY].withheld
        for words in filter(None, (item.value, by_id(each))):
            *_, last = talked(each, name, proposal(each, words))
            if [part.kind for part in last.parts] != ["confirmed"] or item.value.strip() not in last.text:
                lost.append((each.variant.text, words, last.text))

    assert lost == []


@pytest.mark.timeout(3600)  # for FULL
@pytest.mark.parametrize("name", get_args(PersonaName))
def test_another_reading_is_refused_at_once_and_every_time(name: PersonaName) -> None:
    taken = []
    for each in proposed():
        (item,) = each.task.sessions[0].briefs[FAULTY].withheld
        for other in sampled(item.slot.others, 2)[:2]:
            words = re.sub(r" \([\w.-]+\)$", "", other)
            answers = talked(each, name, proposal(each, words))
            if {part.kind for answer in answers for part in answer.parts} != {"corrected"}:
                taken.append((each.variant.text, words, answers[-1].text))

    assert taken == []


def test_every_hidden_value_has_others_and_is_none_of_them() -> None:
    for each in hiding():
        (item,) = each.task.sessions[0].briefs[FAULTY].withheld
        assert item.slot.others
        assert item.value.strip() not in item.slot.others


def test_what_a_false_request_has_in_a_values_place_is_among_the_others() -> None:
    for each in hiding():
        if each.variant.category == "premise" and each.variant.mention.strip():
            (item,) = each.task.sessions[0].briefs[FAULTY].withheld
            assert each.variant.mention.strip() in item.slot.others
