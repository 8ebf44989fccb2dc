"""Plots reach those who show images as images, and trials not at all."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp_types import CallToolResult, ImageContent, TextContent

from harness.serving.host import HttpHost
from harness.serving.links import open_links
from harness.serving.sandbox import Sandbox
from harness.serving.serve import connect
from servers import analytics
from servers.analytics import app
from servers.kernel import Engine, Layer, World

VISIT = {
    "id": "0", "date_of_visit": "2025-03-02", "visitor_id": "0001", "page_views": 1, "session_duration_seconds": 3,
    "traffic_source": "direct", "user_engaged": True,
}  # fmt: skip
WORLD = World("site", datetime(2025, 3, 13), {"analytics": {"visits": [VISIT]}})
TOOLS = {"analytics": app.toolset("workbench")}
PLOT = {"time_min": "2025-03-01", "time_max": "2025-03-12", "value_to_plot": "total_visits", "plot_type": "bar"}
PATH = "plots/2025-03-01_2025-03-12_total_visits_bar.png"


@asynccontextmanager
async def layer() -> AsyncIterator[Layer]:
    engine = Engine()
    yield engine.layer(engine.load(WORLD))
    engine.close()


@asynccontextmanager
async def clients(*, pictures: bool = True) -> AsyncIterator[tuple[list[Client], Sandbox]]:
    """An SDK client in process and one over HTTP, of the same sandbox."""
    async with layer() as one:
        sandbox = Sandbox(one, TOOLS)
        host = HttpHost(TOOLS.values(), pictures=pictures)
        async with (
            host.run(),
            connect(sandbox, "analytics", pictures=pictures) as here,
            Client(host.url(host.add(sandbox), "analytics")) as there,
        ):
            yield [here, there], sandbox


def texts(result: CallToolResult) -> list[str]:
    return [part.text for part in result.content if isinstance(part, TextContent)]


def test_a_plot_comes_as_text_then_as_an_image_in_process_and_over_http() -> None:
    pytest.importorskip("matplotlib", reason="plots are drawn with the extra `plots`")

    async def main() -> None:
        async with clients() as (both, sandbox):
            results = [await client.call_tool("create_plot", PLOT) for client in both]

            for result in results:
                assert isinstance(image := result.content[-1], ImageContent)
                assert texts(result) == [PATH]
                assert image.mime_type == "image/png"
                assert base64.b64decode(image.data)[:4] == b"\x89PNG"
                assert (result.is_error, result.structured_content) == (False, {"result": PATH})
            assert results[0].content == results[1].content
            assert [call.text for call in sandbox.calls] == [PATH, PATH]

    anyio.run(main)


def test_a_plot_that_cannot_be_drawn_says_why_after_the_path() -> None:
    async def main() -> None:
        async with clients() as (both, _):
            for client in both:
                assert texts(await client.call_tool("create_plot", {**PLOT, "time_min": "May"})) == [
                    "plots/May_2025-03-12_total_visits_bar.png",
                    "No picture: 'May' is not a day as YYYY-MM-DD.",
                ]

    anyio.run(main)


def test_a_drawing_that_breaks_leaves_the_call_a_success(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Any) -> Any:
        raise RuntimeError("out of ink")

    monkeypatch.setattr(analytics, "draw", broken)

    async def main() -> None:
        async with clients() as (both, sandbox):
            result = await both[0].call_tool("create_plot", PLOT)

            assert not result.is_error
            assert texts(result)[1] == "No picture: drawing it failed (RuntimeError: out of ink)."
            assert len(sandbox.layer.changes()) == 1

    anyio.run(main)


def _never(*_: Any) -> Any:
    raise AssertionError("drew, though nobody asked for a picture")


def test_a_server_that_serves_no_pictures_draws_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analytics, "_picture", _never)

    async def main() -> None:
        async with clients(pictures=False) as (both, _):
            for client in both:
                assert (await client.call_tool("create_plot", PLOT)).content == [TextContent(text=PATH)]

    anyio.run(main)


@pytest.mark.parametrize("transport", ["memory", "http"])
def test_a_trial_s_agent_gets_text_alone_and_nothing_is_drawn(transport: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analytics, "_picture", _never)

    async def main() -> None:
        async with (
            layer() as one,
            open_links(transport, list(TOOLS.values())) as links,
            links.link(Sandbox(one, TOOLS), ()) as link,
        ):
            reply = await link.call("analytics", "create_plot", PLOT)

            assert (reply.text, reply.data, reply.is_error) == (PATH, {"result": PATH}, False)

    anyio.run(main)


@pytest.mark.slow
def test_a_trial_over_stdio_gets_text_alone() -> None:
    async def main() -> None:
        async with (
            layer() as one,
            open_links("stdio", list(TOOLS.values())) as links,
            links.link(Sandbox(one, TOOLS), ()) as link,
        ):
            undrawable = {**PLOT, "time_min": "May"}  # a server that drew would add a sentence to the text
            reply = await link.call("analytics", "create_plot", undrawable)

            assert reply.text == "plots/May_2025-03-12_total_visits_bar.png"

    anyio.run(main)


def test_a_record_has_no_bytes_and_a_replayed_call_is_the_same_record() -> None:
    async def main() -> None:
        async with clients() as (both, sandbox), layer() as again:
            await both[0].call_tool("create_plot", PLOT)
            replayed = await Sandbox(again, TOOLS).call("analytics", "create_plot", PLOT)

            assert replayed == sandbox.calls[0]
            assert "PNG" not in replayed.model_dump_json()

    anyio.run(main)
