"""`docs/python.md`, run as it stands: its blocks in order, in an empty folder, each printing what the page says."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import harness
from harness import AsyncTask, Evaluation, Session, Task, evaluate
from tests.front.page import BLOCKS, PAGE

Told = tuple[list[str], dict[str, Any]]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """What each block printed, and the names that all of them left."""
    names: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("page"))
        return [block.run(names) for block in BLOCKS], names


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_each_block_prints_what_the_page_says(told: Told, number: int) -> None:
    assert told[0][number] == BLOCKS[number].printed


class Completions:
    """Stands in for a client: asks for the address, then sends the mail, then says so."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    async def create(self, *, model: str, messages: list[Any], tools: list[Any]) -> Any:
        self.sent.append((messages[-1], len(tools)))
        calls = (
            ("directory_find_email_address", '{"name": "Chiara"}'),
            (
                "gmail_send_email",
                '{"recipient": "chiara.lombard@tarnwick.example", "subject": "Photos from the open day", '
                '"body": "Please pass this on to your team."}',
            ),
        )
        wanted = [
            SimpleNamespace(id=f"c{len(self.sent)}", function=SimpleNamespace(name=name, arguments=arguments))
            for name, arguments in calls[len(self.sent) - 1 : len(self.sent)]
        ]
        message = SimpleNamespace(role="assistant", content="" if wanted else "Sent.", tool_calls=wanted)
        usage = SimpleNamespace(prompt_tokens=100, completion_tokens=10)
        return SimpleNamespace(choices=[SimpleNamespace(message=message)], usage=usage)


def test_the_agent_with_a_model_plays(told: Told, tmp_path: Path) -> None:
    completions, agent = Completions(), told[1]["model_agent"]
    told[1]["client"] = SimpleNamespace(chat=SimpleNamespace(completions=completions))
    config = {"suite": "lhaw-short", "tasks": ["task-2120f9720a"]}
    found = evaluate(config, agent, name="model", version="1", folder=tmp_path / "run")

    assert found.trials["verdict"] == ["correct"]
    assert (found.trials["prompt_tokens"], found.trials["completion_tokens"]) == ([300], [30])
    assert completions.sent[1][0] == {
        "role": "tool", "tool_call_id": "c1", "content": '["chiara.lombard@tarnwick.example"]',
    }  # fmt: skip


def rows(heading: str) -> set[str]:
    """What the table under a line that begins so names in its first column."""
    table = PAGE.partition(f"| {heading} | |")[2].partition("\n\n")[0]
    first = [line.split("|")[1] for line in table.splitlines()[2:]]
    return set(re.findall(r"(?:`|, )`?(\w+)(?:\([^`]*)?`", "\n".join(first)))


@pytest.mark.parametrize(
    ("heading", "kind"), [("a task has", Task), ("a task has", AsyncTask), ("`evaluate` gives", Evaluation)]
)
def test_what_a_thing_has_is_on_the_page(heading: str, kind: type) -> None:
    own = {"sandbox", "id"}  # of old; what one has opened it with
    public = {name for name in dir(kind) if not name.startswith("_")} - own
    made = {"folder", "identity", "run", "left", "stopped"} if kind is Evaluation else {"system"}

    assert rows(heading) == public | made


def test_what_a_session_has_is_on_the_page() -> None:
    methods = {name for name in dir(Session) if not name.startswith("_")}

    assert rows("the session has") == methods | {"request", "system", "now", "tools", "number", "state"}


def test_the_page_names_what_is_offered() -> None:
    functions = {name for name in harness.__all__ if name.islower()}

    assert functions == set(re.findall(r"\w+", BLOCKS[0].code.partition("import")[2]))
