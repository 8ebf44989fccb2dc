"""Apps on offer while a block runs: whenever it is cancelled it ends, and nothing of their server stays."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import anyio
import anyio.lowlevel
import pytest

from harness.agents.person import PersonAgent
from harness.core.config import ConfigProblem
from harness.serving.host import HttpHost
from harness.serving.offer import urls
from harness.serving.sandbox import Sandbox
from servers import catalog
from servers.kernel import Engine
from tests.harness import toy
from tests.llm.support import FakeDesk

pytestmark = pytest.mark.timeout(60)  # what hangs here is shielded, so that no `fail_after` would end it


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    engine = Engine()
    yield Sandbox(engine.layer(engine.load(toy.world())), {"projects": catalog.app("projects").default})
    engine.close()


@pytest.fixture
def port() -> int:
    """One that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        number: int = other.getsockname()[1]
    return number


def listened_at(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@asynccontextmanager
async def cancelled() -> AsyncIterator[None]:
    """A block that is cancelled before it begins, and may raise nothing but that."""
    with anyio.CancelScope() as scope:
        scope.cancel()
        yield
    assert scope.cancelled_caught


@pytest.mark.parametrize("rounds", range(4))
def test_a_block_that_is_cancelled_while_its_server_starts_ends_and_leaves_nothing_of_it(
    sandbox: Sandbox, port: int, rounds: int
) -> None:
    """Cancelled once the event loop has gone round so many times."""

    async def cancel(scope: anyio.CancelScope) -> None:
        for _ in range(rounds):
            await anyio.lowlevel.checkpoint()
        scope.cancel()

    async def main() -> int:
        async with anyio.create_task_group() as group:
            group.start_soon(cancel, group.cancel_scope)
            async with urls(sandbox, port):
                await anyio.sleep_forever()
        assert not listened_at(port)
        return len(anyio.get_running_tasks())

    assert anyio.run(main) == 1


def test_a_block_that_is_cancelled_where_its_port_is_taken_ends(sandbox: Sandbox) -> None:
    async def main() -> None:
        with socket.create_server(("127.0.0.1", 0)) as other:
            async with cancelled(), urls(sandbox, other.getsockname()[1]):
                raise AssertionError("nothing is served")

    anyio.run(main)


def test_a_port_that_is_taken_is_told(sandbox: Sandbox) -> None:
    async def main() -> None:
        with socket.create_server(("127.0.0.1", 0)) as other:
            async with urls(sandbox, other.getsockname()[1]):
                raise AssertionError("nothing is served")

    with pytest.raises(ConfigProblem, match=r"cannot listen on 127\.0\.0\.1 port"):
        anyio.run(main)


@asynccontextmanager
async def breaking(host: HttpHost, port: int = 0) -> AsyncIterator[None]:
    await anyio.lowlevel.checkpoint()
    raise OSError("too many open files")
    yield


def test_what_a_server_raises_as_it_starts_is_told(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with urls(sandbox):
            raise AssertionError("nothing is served")

    monkeypatch.setattr(HttpHost, "run", breaking)
    with pytest.RaisesGroup(pytest.RaisesExc(OSError, match="too many open files")):
        anyio.run(main)


def test_what_a_server_raises_as_it_starts_is_told_where_the_block_is_cancelled_too(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with cancelled(), urls(sandbox):
            raise AssertionError("nothing is served")

    monkeypatch.setattr(HttpHost, "run", breaking)
    with pytest.RaisesGroup(pytest.RaisesExc(OSError, match="too many open files")):
        anyio.run(main)


def test_the_turn_of_a_person_that_is_cancelled_while_their_server_starts_ends(port: int) -> None:
    async def wait() -> str:
        raise AssertionError("nothing is shown")

    async def main() -> None:
        async with PersonAgent(lambda *_: None, lambda _: None, wait, port) as person, cancelled():
            await person.turn(FakeDesk(), "Find the mail.")
        assert not listened_at(port)

    anyio.run(main)
