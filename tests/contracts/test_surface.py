"""What every app tells its clients."""

import re
from typing import Any

import pytest

from servers import catalog
from servers.kernel import App, Tool
from tests.contracts.calls import tools
from tests.contracts.surfaces import FOLDER, surface

every_tool = pytest.mark.parametrize("tool", tools(), ids=lambda tool: f"{tool.app}.{tool.name}")


@pytest.mark.parametrize("app", catalog.apps().values(), ids=lambda app: app.name)
def test_an_app_says_what_it_is_for_and_offers_tools(app: App) -> None:
    assert app.instructions.endswith(".")
    assert app.toolsets
    assert all(toolset.tools for toolset in app.toolsets.values())


@every_tool
def test_a_tool_says_in_one_line_what_it_does(tool: Tool) -> None:
    first = tool.description.splitlines()[0]

    assert first.endswith(".")
    assert len(first) <= 120


@every_tool
def test_every_parameter_is_described_and_typed(tool: Tool) -> None:
    for name, schema in tool.input_schema.get("properties", {}).items():
        assert schema.get("description", "").endswith("."), f"{name} has no description"
        assert _typed(schema), f"{name} has no type"


@every_tool
def test_every_result_is_typed(tool: Tool) -> None:
    assert tool.output_schema["type"] == "object"
    assert all(_typed(part) for part in tool.output_schema.get("properties", {}).values())


@pytest.mark.parametrize(
    ("tool", "parameter"),
    [(tool, parameter) for tool in tools() for parameter in tool.refs],
    ids=lambda value: f"{value.app}.{value.name}" if isinstance(value, Tool) else value,
)
def test_a_parameter_that_takes_an_id_names_a_tool_that_gives_it(tool: Tool, parameter: str) -> None:
    description = tool.input_schema["properties"][parameter]["description"]
    offered = {name for toolset in tool.owner.toolsets.values() for name in toolset.tools}

    assert offered.intersection(re.findall(r"`(\w+)`", description))


@every_tool
def test_only_a_tool_that_writes_is_called_destructive(tool: Tool) -> None:
    assert tool.kind == "writes" or not tool.destructive


@pytest.mark.parametrize("name", catalog.folders())
def test_the_wire_surface_is_the_one_that_was_reviewed(name: str) -> None:
    recorded = FOLDER / f"{name}.json"

    assert recorded.exists(), "new app: run `python -m tests.contracts.surfaces` and review the file"
    assert recorded.read_text(encoding="utf-8") == surface(catalog.app(name)), (
        f"what clients of {name} are told has changed: run `python -m tests.contracts.surfaces` and review the diff"
    )


def test_no_surface_is_recorded_of_an_app_that_is_gone() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(catalog.folders())


def _typed(schema: dict[str, Any]) -> bool:
    return not {"type", "anyOf", "$ref", "enum", "const"}.isdisjoint(schema)
