"""The example agent in TypeScript, which has nothing of ours, plays a task from creation to score."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from harness.stub import Reply, StubServer, ToolCall
from tests.conformance.apps import http_server
from tests.conformance.node import ROOT, missing, node

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

EXAMPLE = ROOT / "examples" / "typescript"
TASK = "wb-synth-20-0"
"""Book a 60-minute meeting called "Before the audit" with Samira on March 24 at 10:00."""


def diligent(body: Any) -> Reply:
    """A model that looks the address up and books the meeting with what it found."""
    said = [message["content"] for message in body["messages"] if message["role"] == "tool"]
    if not said:
        assert "gmail_send_email" in {tool["function"]["name"] for tool in body["tools"]}
        return Reply(calls=(ToolCall(name="directory_find_email_address", arguments={"name": "Samira"}),))
    if len(said) == 1:
        (address,) = json.loads(said[0])
        meeting = {"event_name": "Before the audit", "event_start": "2025-03-24 10:00:00", "duration": "60"}
        arguments = {**meeting, "participant_email": address}
        return Reply(calls=(ToolCall(name="calendar_create_event", arguments=arguments),))
    return Reply(text="Booked.")


def muddled(body: Any) -> Reply:
    """A model that calls what does not exist, then with arguments that are none, and gives up."""
    said = [message["content"] for message in body["messages"] if message["role"] == "tool"]
    calls = (ToolCall(name="calendar_book"), ToolCall(name="calendar_create_event", arguments="{"))
    return Reply(text=" ".join(said)) if said else Reply(calls=calls)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with http_server() as address:
        yield address


def play(model: Callable[[Any], Reply], address: str, folder: Path) -> str:
    """What the example prints."""
    for file in EXAMPLE.glob("*.ts"):
        shutil.copy(file, folder)
    (folder / "package.json").write_text((EXAMPLE / "package.json").read_text())
    (folder / "node_modules").symlink_to(node().packages)

    async def main() -> str:
        async with StubServer(model) as stub:
            environment = {**node().environment, "SANDBOXES": address, "MODEL_URL": stub.base_url}
            command = [str(node().folder / "bin" / "node"), "play.ts", "workbench-synth", TASK]
            with anyio.fail_after(120):
                done = await anyio.run_process(command, cwd=folder, env=environment)
        return done.stdout.decode()

    return anyio.run(main)


def test_it_books_the_meeting_and_sees_that_this_was_right(address: str, tmp_path: Path) -> None:
    request, reply, change, score = play(diligent, address, tmp_path).splitlines()

    assert request.startswith("request: Book a 60-minute meeting")
    assert reply == "reply: Booked."
    assert change.startswith("insert calendar.events ")
    assert '"participant_email":"samira' in change
    assert score.startswith("outcome: correct.")


def test_calls_that_cannot_be_made_go_back_to_its_model(address: str, tmp_path: Path) -> None:
    _, reply, score = play(muddled, address, tmp_path).splitlines()

    assert "There is no tool calendar_book." in reply
    assert "The arguments of calendar_create_event are not JSON" in reply
    assert score.startswith("outcome: nothing_done.")


def test_it_wants_the_version_of_the_sdk_that_is_tested() -> None:
    here, example = (json.loads((folder / "package.json").read_text()) for folder in (Path(__file__).parent, EXAMPLE))

    assert example["dependencies"].items() <= here["dependencies"].items()
