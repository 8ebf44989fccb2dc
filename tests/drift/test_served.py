"""Drift-Bench over the service: sandboxes whose users are personas, the placebo, or nobody, by HTTP and MCP."""

from __future__ import annotations

from collections.abc import Sequence

import anyio

from benchmarks.drift.suite import suite_of
from benchmarks.drift.tasks import INFORMED, Faulty, built
from harness.core.config import PersonaUserConfig, PlaceboUserConfig
from harness.service.models import ServedUser
from harness.serving.serve import call, connect_http
from servers import catalog
from servers.clarify import LEFT
from tests.drift.place import COUNTS, PLACE
from tests.harness.wired import Over
from tests.service.scenes import Scene, service

BUILT = built([PLACE], COUNTS)
SUITE = suite_of([PLACE], BUILT)
HIDING: Faulty = next(each for each in BUILT.faulty if each.variant.hidden and each.variant.need == "required")
SLOT = next(slot for slot in HIDING.task.slots if slot.name == HIDING.variant.hidden[0].slot)
ASK = {"strategy": "ask_parameter", "content": f"What is the {SLOT.role}?"}
APPS = {name: catalog.app(name) for name in (*PLACE.apps, "clarify")}


async def asked(scene: Scene, user: ServedUser, times: int) -> Sequence[str]:
    """What an agent is told that asks for the hidden value so many times, in a sandbox of its own."""
    box = await scene.client.create(
        suite="drift-workplace", task=HIDING.task.id, prompt="faulty", ask="clarify", user=user
    )
    async with connect_http(box.urls["clarify"], scene.http) as agent:
        for _ in range(times):
            await call(agent, "clarify", ASK)
    assert box.request == HIDING.variant.text
    return [record.text for record in await box.calls()]


def test_a_persona_tells_over_http_at_the_ask_of_its_card_and_counts_rounds() -> None:
    async def main() -> Sequence[str]:
        async with service(apps=APPS, wiring=Over(SUITE)) as scene:
            return await asked(scene, PersonaUserConfig(kind="persona", persona="avoidant"), 3)

    answers = anyio.run(main)
    assert [SLOT.text in answer for answer in answers] == [False, False, True]
    assert [answer.rpartition(LEFT)[2] for answer in answers] == ["4", "3", "2"]


def test_a_placebo_answers_over_http_and_adds_nothing() -> None:
    async def main() -> Sequence[str]:
        async with service(apps=APPS, wiring=Over(SUITE)) as scene:
            return await asked(scene, PlaceboUserConfig(kind="placebo"), 5)

    answers = anyio.run(main)
    assert len(answers) == 5
    assert not any(SLOT.text in answer for answer in answers)


def test_the_informed_arm_is_a_prompt_that_a_sandbox_can_be_opened_with() -> None:
    async def main() -> str:
        async with service(apps=APPS, wiring=Over(SUITE)) as scene:
            box = await scene.client.create(suite="drift-workplace", task=HIDING.task.id, prompt=INFORMED)
            assert "clarify" not in box.urls
            return box.request

    request = anyio.run(main)
    assert request.startswith(HIDING.variant.text)
    assert SLOT.text in request
