"""A toolset that is not structured gives its clients text alone, and everybody else what it always gave."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Annotated, Literal

import anyio
import pytest
from mcp.client.client import Client
from pydantic import BaseModel, Field

from harness.serving.host import HttpHost
from harness.serving.links import open_links
from harness.serving.sandbox import Sandbox
from harness.serving.serve import connect
from servers.kernel import App, Engine, Rejected, State, Table, World, overlaid


class Card(Table, name="cards", ids="C{}"):
    """A card, perhaps due."""

    title: str
    due: str | None = None


class Shown(BaseModel):
    """A card as it is shown."""

    id: str
    title: str
    due: str | None = None


app = App("cards", "Cards.", tables=(Card,))
plain = app.toolset("default", "Cards of {owner}.", structured=False)


@plain.reads
def get_card(state: State, card_id: Annotated[str, Field(description="Id of a card.")]) -> Shown:
    """Show a card."""
    return Shown(**state.get(Card, card_id).model_dump())


@plain.reads
def count_cards(state: State) -> str:
    """Say how many cards there are."""
    return f"There are {len(state.find(Card))}."


@plain.reads
def export_card(state: State, card_id: Annotated[str, Field(description="Id of a card.")]) -> str:
    """Give a card as JSON."""
    return json.dumps([card_id])


@plain.reads
def refuse(state: State) -> Shown:
    """Refuse."""
    raise Rejected("Not today.")


WORLD = World("cards", datetime(2026, 3, 2), {"cards": {"cards": [{"id": "C1", "title": "Milk"}]}})
CARD = {"id": "C1", "title": "Milk"}


@asynccontextmanager
async def sandboxed() -> AsyncIterator[Sandbox]:
    engine = Engine()
    yield Sandbox(engine.layer(engine.load(WORLD)), {"cards": plain})
    engine.close()


def test_clients_get_text_without_what_is_null_and_no_structured_content() -> None:
    async def main() -> None:
        async with sandboxed() as sandbox:
            host = HttpHost([plain])
            async with (
                host.run(),
                connect(sandbox, "cards") as here,
                Client(host.url(host.add(sandbox), "cards")) as there,
            ):
                for client in (here, there):
                    listed = await client.list_tools()
                    assert [tool.output_schema for tool in listed.tools] == [None] * 4
                    found = await client.call_tool("get_card", {"card_id": "C1"})
                    assert (found.structured_content, found.is_error) == (None, False)
                    assert json.loads(found.content[0].text) == CARD  # type: ignore[union-attr]

            assert [call.data for call in sandbox.calls] == [CARD, CARD]

    anyio.run(main)


@pytest.mark.parametrize("transport", ["memory", "http"])
def test_programs_get_the_data_either_way(transport: Literal["memory", "http"]) -> None:
    async def main() -> None:
        async with sandboxed() as sandbox, open_links(transport, [plain]) as links, links.link(sandbox, ()) as link:
            found = await link.call("cards", "get_card", {"card_id": "C1"})
            counted = await link.call("cards", "count_cards", {})
            refused = await link.call("cards", "refuse", {})

        assert (found.data, counted.data) == (CARD, {"result": "There are 1."})
        assert (refused.text, refused.data, refused.is_error) == ("Not today.", {}, True)

    anyio.run(main)


@pytest.mark.parametrize("transport", ["memory", "http"])
def test_a_text_that_looks_like_json_is_a_text_for_programs(transport: Literal["memory", "http"]) -> None:
    async def main() -> None:
        async with sandboxed() as sandbox, open_links(transport, [plain]) as links, links.link(sandbox, ()) as link:
            exported = await link.call("cards", "export_card", {"card_id": "C1"})

        assert exported == ('["C1"]', {"result": '["C1"]'}, False)

    anyio.run(main)


def test_an_overlay_keeps_it() -> None:
    assert not overlaid(plain, {"get_card": "show"}, {}, ()).structured
