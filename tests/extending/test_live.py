"""Sandboxes and tasks for tests of agents: URLs for the agent, rows and scores for the test."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client

from harness import wiring
from harness.core.config import ConfigProblem
from harness.live import LiveSandbox, Workplace, as_text
from harness.scaffold import scaffold
from harness.suite import SuiteEntry, SuiteError
from servers.catalog import UnknownApp
from servers.kernel import Change, World
from tests.cli.conftest import offer
from tests.extending.install import install
from tests.extending.page import BLOCKS, ROOT
from tests.harness import toy

pytest_plugins = ["pytester"]

MOVE = {"task_id": "00000000", "field": "list_name", "new_value": "Completed"}


@pytest.fixture
def workplace() -> Iterator[Workplace]:
    with Workplace() as opened:
        yield opened


def call(sandbox: LiveSandbox, app: str, tool: str, **arguments: Any) -> Any:
    """What an agent of any language does: one call over HTTP."""

    async def main() -> Any:
        async with Client(sandbox.mcp_config["mcpServers"][f"sandbox-{app}"]["url"]) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(main)


def test_sandboxes_are_apart_and_only_what_changed_shows(workplace: Workplace) -> None:
    first, second = (workplace.sandbox("projects", world=toy.world()) for _ in range(2))

    call(first, "projects", "update_task", **MOVE)

    assert first.diff() == '~ projects.tasks 00000000\n    list_name: "Backlog" -> "Completed"\n'
    assert second.diff() == "nothing changed\n"
    assert [(record.tool, record.status) for record in first.calls] == [("update_task", "ok")]
    assert second.calls == []


def test_without_apps_a_sandbox_has_those_of_its_world(workplace: Workplace, tmp_path: Path) -> None:
    toy.world().write(tmp_path)

    assert set(workplace.sandbox(world=tmp_path).urls) == set(toy.world().rows)


def test_an_app_or_a_toolset_that_is_not_there_is_named(workplace: Workplace) -> None:
    with pytest.raises(UnknownApp, match="Did you mean 'gmail'"):
        workplace.sandbox("gmial", world=toy.world())
    with pytest.raises(ConfigProblem, match="has no toolset 'full'"):
        workplace.sandbox("projects", world=toy.world(), toolsets={"projects": "full"})
    with pytest.raises(SuiteError, match="neither a folder"):
        workplace.sandbox("projects", world="nowhere")


def test_the_url_config_is_json_for_clients(workplace: Workplace) -> None:
    (server,) = json.loads(json.dumps(workplace.sandbox("projects", world=toy.world()).mcp_config))[
        "mcpServers"
    ].values()

    assert server["type"] == "http"
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/s/[0-9a-f]{32}/projects/mcp", server["url"])


def test_servers_end_with_the_block() -> None:
    with Workplace() as workplace:
        url = workplace.sandbox("projects", world=toy.world()).urls["projects"]

    async def main() -> None:
        async with Client(url) as client:
            await client.list_tools()

    with pytest.raises(BaseExceptionGroup) as ended:
        anyio.run(main)
    assert "All connection attempts failed" in repr(ended.value)


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = SuiteEntry("toy", "Jobs on a board.", toy.suite)
    offer(monkeypatch, entry)
    monkeypatch.setattr("harness.front.workplace._suite", wiring.suite)


@pytest.mark.usefixtures("toys")
def test_a_task_is_scored_by_its_rows_whenever_asked(workplace: Workplace) -> None:
    chosen = toy.suite().tasks[0]
    task = workplace.task("toy", chosen.id)
    idle = task.score()
    for step in chosen.solution:
        call(task.sandbox, step.app, step.tool, **step.arguments)

    assert task.request == chosen.sessions[0].requests["original"]
    assert (idle.value, idle.label) == (0.0, "nothing_done")
    assert (task.score().value, task.score().label) == (1.0, "correct")


@pytest.mark.usefixtures("toys")
def test_what_a_task_or_a_suite_does_not_have_is_named(workplace: Workplace) -> None:
    id = toy.suite().tasks[0].id

    with pytest.raises(SuiteError, match="has no task 'none'"):
        workplace.task("toy", "none")
    with pytest.raises(ConfigProblem, match="has no prompt 'vague'; it has original"):
        workplace.task("toy", id, prompt="vague")
    with pytest.raises(SuiteError, match="has no check 'style'; it has outcome"):
        workplace.task("toy", id).score("style")


@pytest.mark.usefixtures("toys")
def test_a_task_may_come_with_somebody_to_ask(workplace: Workplace) -> None:
    task = workplace.task("toy", toy.suite().tasks[0].id, ask="ask_user")
    answer = call(task.sandbox, "ask_user", "ask_user", question="Which board?")

    assert not answer.is_error
    assert [asked.text for record in task.sandbox.calls for asked in record.asked] == ["Which board?"]


def test_changes_are_told_in_a_fixed_order_with_every_field() -> None:
    changes = [
        Change(app="b", table="rows", id="2", before={"name": "old"}, after=None),
        Change(app="a", table="rows", id="1", before=None, after={"name": "é\n", "size": None}),
    ]

    assert as_text(changes) == '+ a.rows 1\n    name: "é\\n"\n    size: null\n- b.rows 2\n    name: "old"\n'
    assert as_text(changes[::-1]) == as_text(changes)


PLUGIN = """
import datetime, pytest
from servers.kernel import World
ROWS = {"directory": {"people": [{"id": "0", "email_address": "noor@example.com"}]}}
WORLD = World("small", datetime.datetime(2025, 3, 13), ROWS)

@pytest.mark.sandbox("directory", world=WORLD)
def test_marked(sandbox):
    assert list(sandbox.urls) == ["directory"]

def test_called(sandbox):
    assert sandbox("directory", world=WORLD).urls != sandbox("directory", world=WORLD).urls

@pytest.mark.task("no-such-suite", "1")
def test_misspelt(task):
    raise AssertionError("never reached")
"""


@pytest.mark.slow
def test_the_fixtures_are_what_the_marker_says_or_what_opens_one(
    pytester: pytest.Pytester, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{site}")
    pytester.makepyfile(PLUGIN)
    result = pytester.runpytest_subprocess("--strict-markers", "-p", "harness.pytest_plugin", "-p", "no:cacheprovider")

    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["*SuiteError: no suite is named 'no-such-suite'*"])


@pytest.mark.slow
def test_the_example_for_teams_passes_and_fails_with_a_worse_agent(
    pytester: pytest.Pytester, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scaffold("app", "hr", tmp_path)
    scaffold("suite", "hr-leave", tmp_path)
    for block in BLOCKS:
        if block.file.startswith("hr"):
            (tmp_path / block.file).parent.mkdir(exist_ok=True)
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    install(tmp_path / "hr", site)
    install(tmp_path / "hr-leave", site)
    (example,) = [block.text for block in BLOCKS if block.file == "test_agent.py"]
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{site}")
    pytester.makepyfile(test_good=example, test_worse=example.replace('"days": 3', '"days": 4'))
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")

    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["*AssertionError: The one expected change is missing, and 1 unexpected change.*"])
    result.stderr.no_fnmatch_line("*leaked*")


def test_a_world_made_in_a_test_is_used_as_it_is(workplace: Workplace) -> None:
    rows = {"directory": {"people": [{"id": "0", "email_address": "noor@example.com"}]}}
    sandbox = workplace.sandbox("directory", world=World("small", datetime(2025, 3, 13), rows))

    assert call(sandbox, "directory", "find_email_address", name="noor").structured_content == {
        "result": ["noor@example.com"]
    }
