"""A person who holds intents back, in a sandbox of the service: told of each session, also of one that was forked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio

from harness.core.config import IntentUserConfig
from harness.service.client import RemoteSandbox
from harness.serving.serve import call, connect_http
from harness.wiring import Wired
from servers import catalog
from tests.service.scenes import Scene, service

APPS = (
    "splitwise",
    "phone",
    "gmail",
    "filesystem",
    "calendar",
    "simple_note",
    "todoist",
    "web",
    "skills",
    "desk",
    "memory",
)
PETROL, SOUP = "Who shares the petrol?", "Is the dinner split equally among the four?"


def played(done: Callable[[Scene, RemoteSandbox], Awaitable[Any]], task: str) -> Any:
    async def main() -> Any:
        apps = {name: catalog.app(name) for name in (*APPS, "ask_user")}
        async with service(apps=apps, wiring=Wired()) as scene:
            box = await scene.client.create(
                suite="pi-units", task=task, ask="ask_user", user=IntentUserConfig(kind="intents")
            )
            return await done(scene, box)

    return anyio.run(main)


async def asked(scene: Scene, box: RemoteSandbox, question: str) -> str:
    async with connect_http(box.urls["ask_user"], scene.http) as agent:
        (part,) = (await call(agent, "ask_user", {"question": question})).content
        return str(getattr(part, "text", part))


def test_it_answers_what_it_is_asked_for() -> None:
    assert "Nell came up and went back by train." in played(
        lambda scene, box: asked(scene, box, PETROL), "financier-s4"
    )


def test_a_fork_has_heard_what_was_asked_before_it() -> None:
    async def forked(scene: Scene, box: RemoteSandbox) -> tuple[str, Any]:
        await asked(scene, box, PETROL)
        other = await box.fork()
        return await asked(scene, other, SOUP), (await other.score()).scores["proc"].detail

    said, proc = played(forked, "financier-s4")

    assert said.startswith("Samira only had the soup.")
    assert (proc["inferred"], proc["open"]) == (2, 3)


def test_the_next_session_has_intents_of_its_own() -> None:
    async def on(scene: Scene, box: RemoteSandbox) -> str:
        await box.advance()
        return await asked(scene, box, "How long does Hanne have, what is the deadline?")

    assert "19 May" in played(on, "financier-g1")
