"""What a client is told of an app: the instructions of its surface, with the name of the world's owner."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import anyio
import pytest
from mcp.client.client import Client

from harness.serving.host import HttpHost
from harness.serving.offer import offered
from harness.serving.sandbox import Sandbox
from harness.serving.serve import server
from servers.kernel import App, Engine, Owner, State
from tests.harness import toy
from tests.llm.support import FakeDesk

desk = App("desk", "Of the app.")
plain = desk.toolset("plain")
addressed = desk.toolset("addressed", "The desk of {owner} ({address}).")


@plain.reads
@addressed.reads
def look(state: State) -> str:
    """Look."""
    return ""


MIRA = replace(toy.world(), owner=Owner(name="Mira Quay", address="mira@quay.example"))
LEO = replace(toy.world(), owner=Owner(name="Leo Hart", address="leo@quay.example"))
NOBODY = toy.world()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_each_client_of_one_server_reads_whose_sandbox_it_is(mode: Literal["auto", "legacy"]) -> None:
    async def main() -> list[str | None]:
        engine, host = Engine(), HttpHost([addressed])
        told = []
        async with host.run():
            for world in (MIRA, LEO, NOBODY):
                id = host.add(Sandbox(engine.layer(engine.load(world)), {"desk": addressed}))
                async with Client(host.url(id, "desk"), mode=mode) as client:
                    told.append(client.instructions)
        engine.close()
        return told

    assert anyio.run(main) == [
        "The desk of Mira Quay (mira@quay.example).",
        "The desk of Leo Hart (leo@quay.example).",
        "The desk of the user (the user's address).",
    ]


def test_a_client_in_process_reads_them_too() -> None:
    async def main() -> list[str | None]:
        engine = Engine()
        told = []
        for toolset in (plain, addressed):
            sandbox = Sandbox(engine.layer(engine.load(MIRA)), {"desk": toolset})
            async with Client(server(toolset, lambda _, it=sandbox: it)) as client:  # type: ignore[misc]
                told.append(client.instructions)
        engine.close()
        return told

    assert anyio.run(main) == ["Of the app.", "The desk of Mira Quay (mira@quay.example)."]


def test_an_external_program_reads_whose_desk_it_sits_at() -> None:
    class AtDesk(FakeDesk):
        def __init__(self) -> None:
            super().__init__()
            self.toolsets, self.owner = {"desk": addressed}, MIRA.owner

    async def main() -> str | None:
        async with offered(AtDesk()) as urls, Client(urls["desk"]) as client:
            return client.instructions

    assert anyio.run(main) == "The desk of Mira Quay (mira@quay.example)."


def test_a_person_reads_whose_sandbox_it_is_and_that_it_is_one() -> None:
    async def main() -> str | None:
        engine, host = Engine(), HttpHost([addressed], person=True)
        async with host.run():
            id = host.add(Sandbox(engine.layer(engine.load(MIRA)), {"desk": addressed}))
            async with Client(host.url(id, "desk")) as client:
                told = client.instructions
        engine.close()
        return told

    told = anyio.run(main) or ""
    assert told.startswith("The desk of Mira Quay (mira@quay.example). This is a sandbox")
