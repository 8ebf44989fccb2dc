"""For every persona there is a way to ask that brings to light in time what a variant hides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import anyio
import pytest

from benchmarks.drift.environments import environments
from benchmarks.drift.release import released
from benchmarks.drift.tasks import FAULTY, Faulty
from harness.core.config import ROUNDS
from harness.core.user_config import PersonaUserConfig
from harness.wiring import wiring
from servers.kernel import Question
from userssim.persona import PersonaName

HIDING = [each for each in released(environments()).faulty if each.variant.hidden]
SAMPLE = HIDING[:: max(1, len(HIDING) // 30)]


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
    lost = [each.variant.text for each in SAMPLE if not any(solved(each, name, way) for way in ways(each))]

    assert lost == []


def test_most_variants_are_solved_by_the_first_way_that_comes_to_mind() -> None:
    first = [solved(each, "rational", next(ways(each))) for each in SAMPLE]

    assert sum(first) >= 0.9 * len(SAMPLE)
