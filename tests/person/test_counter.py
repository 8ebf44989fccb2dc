"""Between the turns of a person nobody takes their calls, and the next turn does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio

from harness.core.desk import Reply
from harness.serving.offer import Counter
from tests.llm.support import FakeDesk

WAIT = "Nothing is asked of you at the moment: wait for what comes next, and call again then."


class Deaf(FakeDesk):
    """A desk whose calls are never answered."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        await anyio.sleep_forever()
        raise AssertionError


def test_a_call_between_turns_is_told_to_wait_and_reaches_no_desk() -> None:
    desk, next_ = FakeDesk(), FakeDesk()

    async def main() -> list[str]:
        counter = Counter(desk)
        told = []
        async with counter.at(desk):
            told.append((await counter.show("gmail", "search", {}))[0].text)
        told.append((await counter.show("gmail", "search", {}))[0].text)
        told.append(counter.garbled("gmail_search", "{", "no JSON").text)
        async with counter.at(next_):
            told.append((await counter.show("gmail", "send", {}))[0].text)
        return told

    assert anyio.run(main) == ["gmail_search got {}", WAIT, WAIT, "gmail_send got {}"]
    assert (desk.made, next_.made) == ([("gmail_search", {})], [("gmail_send", {})])


def test_a_call_that_still_waits_at_the_end_of_a_turn_holds_up_none_of_the_next() -> None:
    async def main() -> list[str]:
        counter = Counter(Deaf())
        told = []

        async def call() -> None:
            told.append((await counter.show("gmail", "search", {}))[0].text)

        with anyio.fail_after(20):
            async with anyio.create_task_group() as group, counter.at(Deaf()):
                group.start_soon(call)
                await anyio.wait_all_tasks_blocked()
            async with counter.at(FakeDesk()):
                await call()
        return told

    assert anyio.run(main) == [WAIT, "gmail_search got {}"]
