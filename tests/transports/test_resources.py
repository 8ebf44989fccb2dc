"""What an app has to be read is listed and read over every transport, to the letter, and nothing else can be."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from benchmarks.pi.skills import OFFERED, rows
from benchmarks.pi.suite import episodes, load_episodes
from harness.service.bundle import NAME, Bundle
from harness.serving.host import HttpHost
from harness.serving.offer import offered
from harness.serving.sandbox import Sandbox
from harness.serving.serve import connect
from servers import catalog
from servers.kernel import App, Engine, Resource, State, Toolset, World
from servers.skills import app as skills
from tests.contracts.rows_skills import SKILLS
from tests.llm.support import FakeDesk

ROOT = Path(__file__).parents[2]
TEXTS = {row["id"]: row["text"] for row in SKILLS["files"]}
KNOTS, TEA, SCALES = (
    "skill://knots/SKILL.md",
    "skill://tea-tasting/SKILL.md",
    "skill://tea-tasting/references/scales.md",
)
LONG = {"id": "F5", "skill": "knots", "path": "long.md", "text": "0123456789" * 20_000}
WORLD = World("skills", datetime(2026, 3, 2, 9), {"skills": {"files": [*SKILLS["files"], LONG]}})

Clients = Callable[..., Any]


@asynccontextmanager
async def sandboxed(toolset: Toolset, world: World = WORLD) -> AsyncIterator[Sandbox]:
    engine = Engine()
    yield Sandbox(engine.layer(engine.load(world)), {toolset.app.name: toolset})
    engine.close()


@asynccontextmanager
async def in_process(toolset: Toolset) -> AsyncIterator[Client]:
    async with sandboxed(toolset) as sandbox, connect(sandbox, toolset.app.name) as client:
        yield client


@asynccontextmanager
async def over_http(toolset: Toolset) -> AsyncIterator[Client]:
    host = HttpHost([toolset])
    async with (
        sandboxed(toolset) as sandbox,
        host.run(),
        Client(host.url(host.add(sandbox), toolset.app.name)) as client,
    ):
        yield client


@asynccontextmanager
async def by_an_older_client(toolset: Toolset) -> AsyncIterator[Client]:
    host = HttpHost([toolset])
    async with (
        sandboxed(toolset) as sandbox,
        host.run(),
        Client(host.url(host.add(sandbox), toolset.app.name), mode="legacy") as client,
    ):
        yield client


@pytest.fixture
def over_stdio(tmp_path: Path) -> Clients:
    WORLD.write(tmp_path)

    @asynccontextmanager
    async def started(*toolsets: Toolset) -> AsyncIterator[Client]:
        names = [toolset.app.name for toolset in toolsets]
        arguments = ["-m", "harness", "serve", *names, "--world", str(tmp_path), "--now", "world"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        async with Client(StdioServerParameters(command=sys.executable, args=arguments, env=environment)) as client:
            yield client

    return started


@pytest.fixture(
    params=["in process", "over HTTP", "older client", pytest.param("over stdio", marks=pytest.mark.slow)],
)
def reached(request: pytest.FixtureRequest, over_stdio: Clients) -> Clients:
    clients: dict[str, Clients] = {
        "in process": in_process,
        "over HTTP": over_http,
        "older client": by_an_older_client,
        "over stdio": over_stdio,
    }
    return clients[request.param]


def seen(reached: Clients, look: Callable[[Client], Awaitable[Any]], toolset: Toolset = skills.default) -> Any:
    async def main() -> Any:
        async with reached(toolset) as client:
            return await look(client)

    return anyio.run(main)


async def text(client: Client, uri: str) -> str:
    (found,) = (await client.read_resource(uri)).contents
    assert isinstance(found, types.TextResourceContents)
    assert found.uri == uri
    return found.text


async def refusal(client: Client, uri: str) -> tuple[int, str, Any]:
    with pytest.raises(MCPError) as caught:
        await client.read_resource(uri)
    return caught.value.error.code, caught.value.error.message, caught.value.error.data


def test_every_file_of_every_skill_is_listed(reached: Clients) -> None:
    async def look(client: Client) -> Any:
        found = (await client.list_resources()).resources
        return [(each.uri, each.name, each.mime_type, each.description) for each in found]

    assert seen(reached, look) == [
        (KNOTS, "knots/SKILL.md", "text/markdown", "Picks the knot for a rope and a load."),
        ("skill://knots/long.md", "knots/long.md", "text/markdown", None),
        (TEA, "tea-tasting/SKILL.md", "text/markdown", "Tastes teas side by side (très finely)."),
        (SCALES, "tea-tasting/references/scales.md", "text/markdown", None),
    ]


def test_a_resource_says_to_the_letter_what_the_tool_reads(reached: Clients) -> None:
    async def look(client: Client) -> Any:
        told = []
        for uri in (KNOTS, TEA, SCALES):
            name, path = uri.removeprefix("skill://").split("/", 1)
            result = await client.call_tool("read_skill", {"name": name, "path": path})
            assert isinstance(result.content[0], types.TextContent)
            told.append((await text(client, uri), result.content[0].text))
        return told

    assert seen(reached, look) == [(TEXTS[id], TEXTS[id]) for id in ("F3", "F1", "F2")]


def test_a_resource_is_whole_where_the_tool_gives_a_part(reached: Clients) -> None:
    async def look(client: Client) -> Any:
        result = await client.call_tool("read_skill", {"name": "knots", "path": "long.md"})
        assert isinstance(result.content[0], types.TextContent)
        return result.content[0].text == LONG["text"], await text(client, "skill://knots/long.md")

    assert seen(reached, look) == (False, LONG["text"])


@pytest.mark.parametrize(
    ("uri", "told"),
    [
        ("skill://knot/SKILL.md", f"There is no resource 'skill://knot/SKILL.md'; close to it: {KNOTS}, "),
        ("skill://knots/../tea-tasting/references/scales.md", f"close to it: {SCALES}."),
        ("skill://knots/../../etc/passwd", "There is no resource 'skill://knots/../../etc/passwd'; "),
        ("skill://knots/%2e%2e/tea-tasting/SKILL.md", f"close to it: {TEA}"),
        ("file:/etc/passwd", "There is no resource 'file:/etc/passwd'; `resources/list` says which there are."),
        ("skill://unfinished/notes.md", "There is no resource 'skill://unfinished/notes.md'; "),
        ("", "There is no resource ''; `resources/list` says which there are."),
    ],
)
def test_what_is_not_listed_is_refused_with_what_is_close(uri: str, told: str) -> None:
    code, message, data = seen(over_http, lambda client: refusal(client, uri))

    assert (code, data) == (types.INVALID_PARAMS, {"uri": uri})
    assert told in message


def test_a_refusal_goes_over_every_transport(reached: Clients) -> None:
    code, message, _ = seen(reached, lambda client: refusal(client, "skill://knots/SKIL.md"))

    assert code == types.INVALID_PARAMS
    assert (
        message == f"There is no resource 'skill://knots/SKIL.md'; close to it: {KNOTS}, skill://knots/long.md, {TEA}."
    )


def test_a_long_uri_comes_back_in_part() -> None:
    _, message, _ = seen(in_process, lambda client: refusal(client, "skill://" + "a" * 100_000))

    assert "99,808 more characters" in message
    assert len(message) < 400


@pytest.mark.slow
def test_several_apps_as_one_server_have_the_resources_of_each(over_stdio: Clients) -> None:
    async def main() -> Any:
        async with over_stdio(skills.default, catalog.app("gmail").default) as client:
            return [each.uri for each in (await client.list_resources()).resources], await text(client, SCALES)

    assert anyio.run(main) == ([KNOTS, "skill://knots/long.md", TEA, SCALES], TEXTS["F2"])


def test_several_apps_without_any_have_none() -> None:
    assert Bundle({"gmail": _sandbox("gmail"), "chat": _sandbox("chat")}).toolsets[NAME].app.resources is None


def _sandbox(app: str) -> Sandbox:
    engine = Engine()
    return Sandbox(engine.layer(engine.load(WORLD)), {app: catalog.app(app).default})


@pytest.mark.parametrize("app", [name for name in catalog.apps() if name != "skills"])
def test_other_apps_offer_none_and_say_so(app: str) -> None:
    async def look(client: Client) -> Any:
        with pytest.raises(MCPError) as caught:
            await client.list_resources()
        return client.server_capabilities.resources, caught.value.error.code

    assert seen(in_process, look, catalog.app(app).default) == (None, types.METHOD_NOT_FOUND)


def test_a_desk_of_a_trial_offers_none_so_that_what_is_read_is_on_record() -> None:
    class AtDesk(FakeDesk):
        def __init__(self) -> None:
            super().__init__()
            self.toolsets = {"skills": skills.default}

    async def main() -> Any:
        async with offered(AtDesk()) as urls, Client(urls["skills"]) as client:
            return (await client.list_resources()).resources, await refusal(client, KNOTS)

    there, (_, message, _) = anyio.run(main)
    assert there == []
    assert message == f"There is no resource {KNOTS!r}; `resources/list` says which there are."


def test_reading_is_not_on_record_and_changes_nothing() -> None:
    async def main() -> Any:
        async with sandboxed(skills.default) as sandbox, connect(sandbox, "skills") as client:
            before = sandbox.layer.digest()
            await text(client, KNOTS)
            return sandbox.events, sandbox.layer.digest() == before

    assert anyio.run(main) == ([], True)


def test_a_text_comes_as_text_and_bytes_as_a_blob() -> None:
    def both(state: State) -> list[Resource]:
        return [
            Resource("box://note", "note", "text/plain", "süß"),
            Resource("box://dot", "dot", "image/png", b"\x89PNG\xff"),
        ]

    box = App("box", "A box.", resources=both)

    @box.reads
    def look(state: State) -> str:
        """Look."""
        return ""

    async def read(client: Client) -> Any:
        return [(await client.read_resource(f"box://{name}")).contents[0] for name in ("note", "dot")]

    assert seen(over_http, read, box.default) == [
        types.TextResourceContents(uri="box://note", mime_type="text/plain", text="süß"),
        types.BlobResourceContents(uri="box://dot", mime_type="image/png", blob="iVBOR/8="),
    ]


def test_resources_that_break_are_an_error_that_tells_nothing_of_them() -> None:
    def broken(state: State) -> list[Resource]:
        raise ValueError("secret of ours")

    box = App("box", "A box.", resources=broken)

    @box.reads
    def look(state: State) -> str:
        """Look."""
        return ""

    async def read(client: Client) -> Any:
        found = await refusal(client, "box://note")
        assert not (await client.call_tool("look", {})).is_error
        return found

    code, message, _ = seen(over_http, read, box.default)
    assert (code, "secret" in message) == (types.INTERNAL_ERROR, False)


def test_a_persona_s_skills_are_resources_of_their_world() -> None:
    (episode,) = episodes()
    world = load_episodes().world(episode.persona)

    async def main() -> Any:
        async with sandboxed(skills.default, world) as sandbox, connect(sandbox, "skills") as client:
            return {each.uri: await text(client, each.uri) for each in (await client.list_resources()).resources}

    offered_to_them = rows(OFFERED[episode.persona])
    assert anyio.run(main) == {f"skill://{row['skill']}/{row['path']}": row["text"] for row in offered_to_them}
