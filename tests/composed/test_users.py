"""Every persona tells what a faulty request leaves open, in time; the placebo tells nothing."""

from __future__ import annotations

from datetime import datetime
from random import Random
from typing import Any, get_args

import anyio
import pytest

from benchmarks.composed.making import Composed
from benchmarks.composed.programs import Dials, asked
from benchmarks.composed.suite import played
from benchmarks.drift.need import NEEDY
from harness.agents.reference import Explore, Words
from harness.core.config import ROUNDS, PersonaUserConfig, PlaceboUserConfig, UserConfig
from harness.wiring import Wired
from servers.kernel import Question, User
from tests.composed.sets import NUMBERS, of
from tests.sampling import sampled
from userssim.persona import PersonaName, card

PERSONAS = get_args(PersonaName)


class AtDesk:
    """A worker of whom nothing is needed but to put questions to a user."""

    def __init__(self, user: User) -> None:
        self.now, self.session, self.request, self.settings = datetime(2025, 3, 13), 0, "", Dials()
        self.user, self.questions = user, 0

    def random(self, decision: str, purpose: str) -> Random:
        return Random(f"{decision} {purpose}")

    def whole(self) -> str:
        return ""

    def takes(self, app: str, tool: str, argument: str) -> bool:
        return False

    async def slot(self, name: str, *, explore: Explore | None = None, words: Words | None = None) -> Any:
        raise AssertionError(f"slot {name} is not asked for here")

    async def call(self, app: str, tool: str, **arguments: Any) -> Any:
        assert (app, tool) == ("clarify", "clarify")
        self.questions += 1
        return (await self.user.answer(Question(text=arguments["content"], strategy=arguments["strategy"]))).text


def _told(name: str, each: Composed, settings: Any) -> tuple[str, int]:
    """The value that the reference agent takes from the user's answers, and how many questions that took."""
    brief = played(name, each).sessions[0].briefs["faulty"]
    desk = AtDesk(Wired().user(settings, brief))
    value = anyio.run(asked, desk, each, ROUNDS)
    return (value.text if value else ""), desk.questions


def _needy(name: str) -> list[Composed]:
    return [each for each in of(name).faulty if each.variant.need in NEEDY]


def _of_each_kind(name: str) -> list[Composed]:
    """At most five of each kind of value, on which it hangs how one is asked for and told; all in `make full`."""
    needy = _needy(name)
    kinds = dict.fromkeys(map(_kind, needy))
    return [each for kind in kinds for each in sampled([each for each in needy if _kind(each) == kind], 5)]


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("persona", PERSONAS)
def test_every_persona_tells_values_as_soon_as_its_dials_say(name: str, persona: PersonaName) -> None:
    """A fifth of these requests each, since a question takes a while to be heard: together they are all."""
    settings = PersonaUserConfig(kind="persona", persona=persona)
    amiss = [
        (each.variant.text, told)
        for each in _of_each_kind(name)[PERSONAS.index(persona) :: len(PERSONAS)]
        if (told := _told(name, each, settings)) != (each.readings[0].text, card(persona).open)
    ]

    assert amiss == []


@pytest.mark.parametrize("name", NUMBERS)
def test_the_grounded_user_tells_values_at_once_in_words_of_its_own(name: str) -> None:
    settings = UserConfig(kind="grounded")
    graded = [each for each in _needy(name) if _kind(each) in ("period", "threshold")]
    others = _needy(name)[::12]
    amiss = [
        (each.variant.text, told)
        for each in (*graded, *others)
        if (told := _told(name, each, settings)) != (each.readings[0].text, 1)
    ]

    assert amiss == []


def _kind(each: Composed) -> str:
    return next(slot.kind for slot in each.task.slots if slot.name == each.variant.hidden[0].slot)


@pytest.mark.parametrize("name", NUMBERS)
def test_the_placebo_tells_nothing(name: str) -> None:
    settings = PlaceboUserConfig(kind="placebo")

    assert all(_told(name, each, settings)[0] == "" for each in _of_each_kind(name))
