"""Conditions under which agents see other tools than an app has: what they see, what is recorded, what is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp.client.client import Client

from harness.agents.instruments import OracleAgent
from harness.core.config import Condition, ConfigProblem, RunConfig
from harness.core.config_file import load
from harness.core.desk import Agent, Desk, ToolSpec, on_offer
from harness.play.replay import replay_run
from harness.play.run import evaluate, plan
from harness.play.session import specs
from harness.play.stage import toolsets_for
from harness.record.store import Run
from harness.serving.host import HttpHost
from harness.serving.sandbox import Sandbox
from harness.trajectory import CallRecord
from servers import catalog
from servers.kernel import App, Engine, State, Toolset
from tests.command.programs import CALL, ToyWired
from tests.harness import toy

OVERLAY: dict[str, Any] = {
    "rename": {"update_task": "move", "search_tasks": "look_up"},
    "describe": {"update_task": "Move a job.", "search_tasks.board": "Which of the boards."},
    "hide": ["delete_task", "search_tasks.due_date"],
}
MOVE = {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"}


def condition(**overlay: Any) -> Condition:
    return Condition.model_validate({"overlays": {"projects": overlay or OVERLAY}})


def config(*, transport: Literal["memory", "http"] = "memory", **conditions: Condition) -> RunConfig:
    return toy.config(conditions=conditions or {"over": condition()}, transport=transport)


def play(folder: Path, config: RunConfig, make: type[Agent] | Any = None) -> Run:
    wiring = toy.Wiring(make=make or (lambda task: OracleAgent(task)))
    return evaluate(config, toy.suite(), wiring, folder)


class Noting:
    """Notes what is on offer, then makes its calls."""

    def __init__(self, seen: list[ToolSpec], calls: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        self._seen, self._calls = seen, calls
        self.heard: list[str] = []

    async def turn(self, desk: Desk, message: str) -> str:
        self._seen[:] = desk.tools
        self.heard = [(await desk.call(name, arguments)).text for name, arguments in self._calls]
        return "\n".join(self.heard)


def noted(folder: Path, *calls: tuple[str, Mapping[str, Any]]) -> tuple[list[ToolSpec], str, list[CallRecord]]:
    """What an agent sees under the overlay, what it is told, and what is on record of its calls."""
    seen: list[ToolSpec] = []
    chosen = config().model_copy(update={"tasks": ("toy-0",)})
    (record,) = play(folder, chosen, lambda task: Noting(seen, calls)).records()
    return seen, record.trajectory.sessions[0].reply, record.trajectory.calls


def test_an_agent_sees_what_the_overlay_shows(tmp_path: Path) -> None:
    seen, _, _ = noted(tmp_path / "run")
    by_name = {spec.name: spec for spec in seen}

    assert list(by_name) == [
        "projects_get_task_information_by_id",
        "projects_look_up",
        "projects_create_task",
        "projects_move",
    ]
    assert by_name["projects_move"].description == "Move a job."
    assert "due_date" not in by_name["projects_look_up"].input_schema["properties"]
    assert by_name["projects_look_up"].input_schema["properties"]["board"]["description"] == "Which of the boards."


@pytest.mark.parametrize("app", sorted(catalog.names()))
def test_what_an_agent_is_offered_names_tools_as_it_has_to_call_them(app: str) -> None:
    toolset = catalog.app(app).default
    texts = json.dumps([[spec.description, spec.input_schema] for spec in specs(toolset)])

    assert [name for name in toolset.tools if f"`{name}`" in texts] == []


def test_a_call_by_the_shown_name_is_on_record_under_the_tool_s_own(tmp_path: Path) -> None:
    _, _, calls = noted(tmp_path / "run", ("projects_move", MOVE))

    assert [(call.app, call.tool, call.status) for call in calls] == [("projects", "update_task", "ok")]


def test_nothing_answers_to_a_name_that_is_not_shown(tmp_path: Path) -> None:
    _, told, calls = noted(tmp_path / "run", ("projects_update_task", MOVE), ("projects_delete_task", {"task_id": "1"}))

    assert [(call.app, call.tool, call.status) for call in calls] == [
        ("", "projects_update_task", "unknown"),
        ("", "projects_delete_task", "unknown"),
    ]
    assert (
        "Available: projects_get_task_information_by_id, projects_look_up, projects_create_task, projects_move." in told
    )


def test_a_hidden_parameter_is_refused_by_name(tmp_path: Path) -> None:
    _, told, calls = noted(tmp_path / "run", ("projects_look_up", {"due_date": "2025-03-11"}))

    assert told.startswith("Invalid arguments for look_up: unknown argument 'due_date' (there are ")
    assert told.count("due_date") == 1
    assert [(call.tool, call.status) for call in calls] == [("search_tasks", "invalid")]


@pytest.mark.parametrize("transport", ["memory", "http"])
def test_the_oracle_does_the_same_under_an_overlay_as_without(
    tmp_path: Path, transport: Literal["memory", "http"]
) -> None:
    run = play(tmp_path / "run", config(transport=transport, plain=Condition(), over=condition()))
    found: dict[str, list[Any]] = {"plain": [], "over": []}
    for record in run.records():
        played = record.trajectory
        found[played.condition].append((played.task, played.calls, played.digest, record.scores["outcome"].value))

    assert found["plain"] == found["over"]
    assert [value for *_, value in found["over"]] == [1.0] * 12


def test_a_run_under_an_overlay_replays_to_the_same_states(tmp_path: Path) -> None:
    run = play(tmp_path / "run", config())

    assert [each.equal for each in replay_run(run, toy.suite(), toy.Wiring())] == [True] * 12


def test_overlays_are_part_of_a_run_s_identity_and_none_are_as_before() -> None:
    plain, over = config(a=Condition()), config(a=condition())

    assert plan(plain, toy.suite()).head.identity != plan(over, toy.suite()).head.identity
    assert "overlays" not in plain.model_dump(mode="json")["conditions"]["a"]
    assert RunConfig.model_validate(over.model_dump(mode="json")) == over


def test_an_instrument_finds_a_tool_by_its_own_name_and_never_another_in_its_place() -> None:
    class Shown:
        tools = (ToolSpec("projects_b", "projects", "a", "", {}),)

    desk: Any = Shown()
    assert on_offer(desk, "projects", "a") == "projects_b"
    assert on_offer(desk, "projects", "c") == "projects_c", "which nobody has"
    assert on_offer(desk, "projects", "b") == "projects.b", "since projects_b is another tool"


PROGRAM = f"""{CALL}
url = json.load(open(sys.argv[1]))["mcpServers"]["projects"]["url"]
told = [call(*each) for each in (("move", {MOVE}), ("update_task", {MOVE}), ("delete_task", {{}}))]
print(json.dumps([each["content"][0]["text"] for each in told]))
"""


@pytest.mark.slow
def test_an_external_program_sees_the_overlay_too(tmp_path: Path) -> None:
    program = {"kind": "command", "command": ["{python}", "-c", PROGRAM, "{mcp_config}"]}
    chosen = RunConfig.model_validate(
        {"suite": "toy", "agents": [program], "conditions": {"over": {"overlays": {"projects": OVERLAY}}}}
    )
    run = evaluate(chosen, toy.suite([toy.task(0)]), ToyWired(), tmp_path / "run")
    (record,) = run.records()

    assert record.scores["outcome"].value == 1, record.trajectory.reason
    assert [(call.app, call.tool.partition(" ")[0], call.status) for call in record.trajectory.calls] == [
        ("projects", "update_task", "ok"),
        ("", "projects_update_task", "unknown"),
        ("", "projects_delete_task", "unknown"),
    ]
    assert [each.equal for each in replay_run(run, toy.suite([toy.task(0)]), ToyWired())] == [True]


def test_a_client_of_a_sandbox_under_an_overlay_cannot_call_a_tool_by_its_own_name() -> None:
    toolsets: dict[str, Toolset] = toolsets_for(toy.suite(), condition(), ("projects",))

    async def main() -> list[tuple[str, str, str]]:
        engine, host = Engine(), HttpHost(toolsets.values())
        sandbox = Sandbox(engine.layer(engine.load(toy.world())), toolsets)
        async with host.run(), Client(host.url(host.add(sandbox), "projects")) as client:
            assert [tool.name for tool in (await client.list_tools()).tools][-1] == "move"
            for name in ("move", "update_task"):
                await client.call_tool(name, MOVE)
        engine.close()
        return [(call.tool, call.status, call.text) for call in sandbox.calls]

    moved, refused = anyio.run(main)

    assert moved[:2] == ("update_task", "ok")
    assert refused[:2] == ("update_task (shown under another name)", "unknown")
    assert "Available: get_task_information_by_id, look_up, create_task, move." in refused[2]


@pytest.mark.parametrize(
    ("overlays", "problem"),
    [
        ({"proj": {}}, r"proj: no task of toy has an app 'proj'; there are projects$"),
        ({"projects": {"rename": {"lose": "a"}}}, r"projects\.rename\.lose: .* no tool 'lose'"),
        ({"projects": {"hide": ["search_tasks.size"]}}, r"projects\.hide: .* no parameter 'size'"),
        ({"projects": {"hide": ["delete_task.task_id"]}}, r"projects\.hide: .* cannot be hidden"),
        ({"projects": {"rename": {"delete_task": "update_task"}}}, r"projects\.rename\.delete_task: "),
        ({"projects": {"rename": {"delete_task": "löschen"}}}, r"projects\.rename\.delete_task: .*not a name that"),
    ],
)  # fmt: skip
def test_an_overlay_that_does_not_fit_is_refused_before_the_first_trial(
    tmp_path: Path, overlays: dict[str, Any], problem: str
) -> None:
    chosen = config(x=Condition.model_validate({"overlays": overlays}))

    with pytest.raises(ConfigProblem, match=rf"^conditions\.x\.overlays\.{problem}"):
        play(tmp_path / "run", chosen)

    assert not (tmp_path / "run").exists()


def test_tools_of_two_apps_under_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = App("ask", "Ask.")

    @ask.reads
    def around(state: State) -> str:
        """Ask around."""
        return ""

    known = {"ask": ask, "ask_user": catalog.app("ask_user")}
    monkeypatch.setattr(catalog, "app", known.__getitem__)
    clash = Condition.model_validate({"overlays": {"ask": {"rename": {"around": "user_ask_user"}}}})

    with pytest.raises(ConfigProblem, match=r"^overlays: two tools are shown as ask_user_ask_user$"):
        toolsets_for(toy.suite(), clash, ("ask", "ask_user"))


def test_an_overlay_over_stdio_is_refused_by_file_and_field(tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    file.write_text(
        "suite: toy\ntransport: stdio\nagents: [{kind: oracle}]\n"
        "conditions: {over: {overlays: {projects: {hide: [delete_task]}}}}\n",
        encoding="utf-8",
    )

    with pytest.raises(
        ConfigProblem, match=r"run\.yaml.*conditions\.over\.overlays: over stdio .* `memory` or `http`$"
    ):
        load(file)
