"""What is opened from Python is closed, and what was asked for is given up, however whoever waits for it stops."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from harness import Closed, open_task, wiring
from harness.front.workplace import Workplace
from servers.kernel import Answer, Opening, Question

pytestmark = pytest.mark.usefixtures("only_board")


class Silent:
    """A user who never says a word, and knows whether anybody waits for one."""

    def __init__(self, asked: Callable[[], object]) -> None:
        self.asked, self.given_up = asked, False

    async def answer(self, question: Question) -> Answer:
        await self._nothing()
        return Answer(text="")

    async def _nothing(self) -> None:
        try:
            self.asked()
            await anyio.sleep_forever()
        finally:
            self.given_up = True


class SilentPartner(Silent):
    """One who is there for the whole trial, and would open its sessions."""

    async def opens(self, session: Opening) -> str:
        await self._nothing()
        return ""


@pytest.fixture
def users(monkeypatch: pytest.MonkeyPatch) -> Callable[[Silent], None]:
    """Has this one answer."""
    return lambda user: monkeypatch.setattr(wiring.Wired, "user", lambda *_, **__: user)


def _serving() -> set[threading.Thread]:
    return {each for each in threading.enumerate() if each.name == "workplace"}


def test_a_task_is_closed_whose_opening_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Workplace._kept
    before = _serving()

    async def main() -> None:
        loop, under_way, let_go = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

        def slowly(*given: Any) -> Any:
            loop.call_soon_threadsafe(under_way.set)
            let_go.wait()
            return kept(*given)

        async def block() -> None:
            async with open_task("toy", "toy-0"):
                raise AssertionError("it was cancelled before")

        monkeypatch.setattr(Workplace, "_kept", slowly)
        opening = asyncio.create_task(block())
        await under_way.wait()
        opening.cancel()
        loop.call_soon(let_go.set)
        with pytest.raises(asyncio.CancelledError):
            await opening

        assert _serving() == before

    asyncio.run(main())


def test_a_task_is_closed_where_a_cancellation_comes_at_the_end_of_its_block() -> None:
    before = _serving()

    async def block() -> None:
        async with open_task("toy", "toy-0"):
            task = asyncio.current_task()
            assert task
            task.cancel()

    async def main() -> None:
        with pytest.raises(asyncio.CancelledError):
            await asyncio.create_task(block())

        assert _serving() == before

    asyncio.run(main())


def test_a_user_who_does_not_begin_is_given_up_where_the_opening_is_cancelled(
    users: Callable[[Silent], None],
) -> None:
    before = _serving()

    async def main() -> None:
        loop, asked = asyncio.get_running_loop(), asyncio.Event()
        user = SilentPartner(lambda: loop.call_soon_threadsafe(asked.set))
        users(user)

        async def block() -> None:
            async with open_task("toy", "toy-0", ask="ask_user"):
                raise AssertionError("its user has not begun")

        opening = asyncio.create_task(block())
        await asked.wait()
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening

        assert (user.given_up, _serving()) == (True, before)

    asyncio.run(main())


def test_a_question_that_waits_when_its_task_is_closed_says_so(users: Callable[[Silent], None]) -> None:
    async def main() -> None:
        loop, asked = asyncio.get_running_loop(), asyncio.Event()
        user = Silent(lambda: loop.call_soon_threadsafe(asked.set))
        users(user)

        async with open_task("toy", "toy-0", ask="ask_user") as task:
            asking = asyncio.create_task(task.ask("Which list?"))
            await asked.wait()

        with pytest.raises(Closed, match="closed before this had ended"):
            await asking
        assert user.given_up

    asyncio.run(main())


def test_a_fork_that_is_closed_gives_up_its_own_questions_alone(users: Callable[[Silent], None]) -> None:
    async def main() -> None:
        loop, asked = asyncio.get_running_loop(), asyncio.Semaphore(0)
        users(Silent(lambda: loop.call_soon_threadsafe(asked.release)))

        async with open_task("toy", "toy-0", ask="ask_user") as task:
            fork = await task.fork()
            first, second = (asyncio.create_task(each.ask("Which list?")) for each in (task, fork))
            await asked.acquire()
            await asked.acquire()
            fork.close()
            with pytest.raises(Closed):
                await second
            assert not first.done()

        with pytest.raises(Closed):
            await first

    asyncio.run(main())


def test_ctrl_c_ends_a_question_and_the_block_around_it(users: Callable[[Silent], None]) -> None:
    main = threading.main_thread().ident
    assert main
    user = Silent(lambda: signal.pthread_kill(main, signal.SIGINT))
    users(user)

    with pytest.raises(KeyboardInterrupt), open_task("toy", "toy-0", ask="ask_user") as task:
        task.ask("Which list?")

    assert user.given_up
