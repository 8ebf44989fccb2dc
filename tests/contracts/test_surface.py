"""What every app tells its clients."""

import json

import pytest

from harness.contracts import promises
from harness.contracts.ground import ContractBroken
from harness.scaffold.surface import surface
from servers import catalog
from servers.kernel import App, State, Tool
from tests.contracts.subjects import every_id, every_tool, ground
from tests.contracts.surfaces import FOLDER


@pytest.mark.parametrize("app", catalog.apps().values(), ids=lambda app: app.name)
def test_an_app_says_what_it_is_for_and_offers_tools(app: App) -> None:
    promises.an_app_says_what_it_is_for_and_offers_tools(ground(), app)


def test_instructions_of_a_surface_of_its_own_are_held_to_the_same_and_recorded() -> None:
    app = App("visits", "Keep visits.", ())
    app.toolset("short", "Keep them")

    @app.toolset("short").reads
    def look(state: State) -> str:
        """Look."""
        return ""

    with pytest.raises(ContractBroken, match="the instructions of visits/short do not end with a full stop"):
        promises.an_app_says_what_it_is_for_and_offers_tools(ground(), app)
    assert json.loads(surface(app))["own_instructions"] == {"short": "Keep them"}


@every_tool
def test_a_tool_says_in_one_line_what_it_does(tool: Tool) -> None:
    promises.a_tool_says_in_one_line_what_it_does(ground(), tool)


@every_tool
def test_every_parameter_is_described_and_typed(tool: Tool) -> None:
    promises.every_parameter_is_described_and_typed(ground(), tool)


@every_tool
def test_every_result_is_typed(tool: Tool) -> None:
    promises.every_result_is_typed(ground(), tool)


@every_id
def test_a_parameter_that_takes_an_id_names_a_tool_that_gives_it(tool: Tool) -> None:
    promises.a_parameter_that_takes_an_id_names_a_tool_that_gives_it(ground(), tool)


@pytest.mark.parametrize("name", catalog.folders())
def test_the_wire_surface_is_the_one_that_was_reviewed(name: str) -> None:
    recorded = FOLDER / f"{name}.json"

    assert recorded.exists(), "new app: run `python -m tests.contracts.surfaces` and review the file"
    assert recorded.read_text(encoding="utf-8") == surface(catalog.app(name)), (
        f"what clients of {name} are told has changed: run `python -m tests.contracts.surfaces` and review the diff"
    )


def test_no_surface_is_recorded_of_an_app_that_is_gone() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(catalog.folders())
