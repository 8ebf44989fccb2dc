"""Without forms in the client the person is asked at the server's terminal, where it has one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
import pytest
from mcp.client.client import Client

from harness.serving.person import DECLINED, NOWHERE, Person
from servers.kernel import Question
from tests.person.scenes import EMPTY, ERAS, ROOT, Behind, does, says, text_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals"),
]
WHICH = {"strategy": "disambiguate", "content": "Which Ann?", "candidates": ["Ann Lee", "Ann Low"]}
SERVE = ["-m", "harness", "serve", "clarify", "--transport", "http", "--port", "0", "--world", "world"]
PLAY = """
import dataclasses, sys
from harness.cli import main
from harness import wiring
from harness.suite import SuiteEntry
from tests.harness import toy
task = toy.task(0).model_copy(update={"apps": ("projects", "clarify")})
entry = SuiteEntry("toy", "Jobs.", lambda: toy.suite([task]))
wiring.suites._sources = lambda: iter([("benchmarks/toy", lambda: (entry,))])
sys.argv[0] = "harness"
main()
"""


class Screen:
    """The other end of a process's terminal."""

    def __init__(self, end: int) -> None:
        self._end, self.shown = end, ""

    def until(self, pattern: str) -> re.Match[str]:
        """Read until what was shown has the pattern; a process that ends first fails the test."""
        while not (found := re.search(pattern, self.shown)):
            self.shown += os.read(self._end, 4096).decode().replace("\r\n", "\n")
        return found

    def type(self, text: str) -> None:
        os.write(self._end, text.encode())


@contextmanager
def terminal(folder: Path, *arguments: str, ours: bool = True) -> Iterator[Screen]:
    """Start Python in a terminal of its own; one that is not `ours` is another session's."""
    EMPTY.write(folder / "world")
    near, far = os.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    how: Mapping[str, Any] = {"preexec_fn": lambda: os.login_tty(far)} if ours else {"start_new_session": True}
    process = subprocess.Popen(
        [sys.executable, *arguments], cwd=folder, env=environment, stdin=far, stdout=far, stderr=far, **how
    )
    try:
        yield Screen(near)
    finally:
        process.kill()
        process.wait()
        os.close(near)
        os.close(far)


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Screen, str]]:
    """A served `clarify` in its own terminal, and its URL."""
    with terminal(tmp_path_factory.mktemp("serving"), *SERVE) as screen:
        yield screen, screen.until(r"serving at (\S+);")[1] + "/clarify/mcp"


def asked(url: str, typed: Callable[[], None] | None, behind: Behind | None = None, era: str = ERAS[0]) -> str:
    """Ask which Ann, with somebody typing meanwhile; what the agent reads."""
    said: list[types.CallToolResult] = []

    async def ask() -> None:
        async with Client(url, mode=era, elicitation_callback=behind) as client:
            said.append(await client.call_tool("clarify", WHICH))

    async def main() -> None:
        with anyio.fail_after(30):
            async with anyio.create_task_group() as group:
                group.start_soon(ask)
                if typed:
                    await anyio.to_thread.run_sync(typed, abandon_on_cancel=True)

    anyio.run(main)
    return text_of(said[0])


def test_a_question_appears_and_the_line_typed_is_the_answer(serving: tuple[Screen, str]) -> None:
    screen, url = serving

    def typed(answer: str) -> Callable[[], None]:
        def reply() -> None:
            screen.until(r"Which Ann\?\n +1\. Ann Lee\n +2\. Ann Low\nYour answer, .*: ")
            screen.shown = ""
            screen.type(answer)

        return reply

    assert asked(url, typed("2\n")) == "Ann Low"
    assert asked(url, typed("Ann Holt\n"), era="legacy") == "Ann Holt"
    assert asked(url, typed("\n")) == DECLINED


def test_a_client_with_forms_is_asked_there_and_not_at_the_terminal(serving: tuple[Screen, str]) -> None:
    screen, url = serving
    screen.shown = ""

    assert asked(url, None, says(answer="Ann Lee")) == "Ann Lee"
    assert asked(url, None, does("decline"), era="legacy") == DECLINED
    assert "Which Ann" not in screen.shown


def test_a_question_is_withdrawn_when_the_client_gives_up(serving: tuple[Screen, str]) -> None:
    screen, url = serving

    async def give_up() -> None:
        async with Client(url, mode=ERAS[0]) as client, anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "clarify", WHICH)
            await anyio.to_thread.run_sync(screen.until, "Your answer")
            group.cancel_scope.cancel()
        with anyio.fail_after(20):
            await anyio.to_thread.run_sync(screen.until, "no longer asked", abandon_on_cancel=True)

    anyio.run(give_up)


def test_a_terminal_that_is_not_the_servers_own_is_left_alone(tmp_path: Path) -> None:
    with terminal(tmp_path, *SERVE, ours=False) as screen:
        url = screen.until(r"serving at (\S+);")[1] + "/clarify/mcp"
        assert asked(url, None) == NOWHERE


def test_at_a_task_a_question_comes_before_being_done(tmp_path: Path) -> None:
    with terminal(tmp_path, "-c", PLAY, "play", "toy-0") as screen:
        url = screen.until(r"clarify +(http\S+)")[1]
        screen.until("Press Enter when you are done")

        def reply() -> None:
            screen.until("Your answer")
            screen.type("2\n")

        assert asked(url, reply) == "Ann Low\n\nQuestions left: 4"
        assert asked(url, None, says(answer="Ann Lee")) == "Ann Lee\n\nQuestions left: 3"
        assert asked(url, None, says(answer="Ann Lee"), era="legacy") == "Ann Lee\n\nQuestions left: 2"
        screen.type("That was it.\n")
        screen.until("You took")

        assert screen.shown.count("asked (disambiguate): Which Ann?") == 3
        assert "That was it." in screen.shown


def test_what_an_agent_writes_gives_the_terminal_no_commands() -> None:
    shown: list[str] = []

    class Pane:
        async def put(self, question: str) -> str:
            shown.append(question)
            return "1"

    question = Question(text="Which?\x1b[2J\nNow.", strategy="disambiguate", candidates=("a\rb", "c"))
    answer = anyio.run(Person(Pane()).answer, question)

    assert answer.text == "a\rb"
    assert "\x1b" not in shown[0]
    assert "\r" not in shown[0]
    assert "  Which?\ufffd[2J\n  Now.\n    1. a\ufffdb\n" in shown[0]
