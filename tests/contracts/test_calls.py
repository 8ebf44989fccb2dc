"""What every tool does with generated calls."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servers.kernel import NotFound, Tool, Toolset
from tests.contracts.calls import QUIET, Step, base, play, rows, steps, succeeding, surfaces, tools

every_toolset = pytest.mark.parametrize("toolset", surfaces(), ids=lambda toolset: f"{toolset.app.name}/{toolset.name}")
every_tool = pytest.mark.parametrize("tool", tools(), ids=lambda tool: f"{tool.app}.{tool.name}")
every_id = pytest.mark.parametrize(
    ("tool", "parameter"),
    [(tool, parameter) for tool in tools() for parameter in tool.refs],
    ids=lambda value: f"{value.app}.{value.name}" if isinstance(value, Tool) else value,
)


@every_toolset
@QUIET
@given(data=st.data())
def test_a_call_succeeds_or_fails_on_purpose(toolset: Toolset, data: st.DataObject) -> None:
    layer = base().engine.layer(base())

    for step in data.draw(steps(toolset)):
        outcome = play(layer, step)

        assert (outcome.data is None) == bool(outcome.failure)
    layer.close()


@every_tool
def test_some_generated_call_succeeds(tool: Tool) -> None:
    arguments = succeeding(tool)

    assert set(arguments) <= set(tool.input_schema["properties"])


@every_toolset
@QUIET
@given(data=st.data())
def test_reads_and_failed_calls_change_nothing(toolset: Toolset, data: st.DataObject) -> None:
    layer = base().engine.layer(base())
    before = layer.digest(), rows(layer, toolset.app)

    for step in data.draw(steps(toolset)):
        outcome = play(layer, step)
        after = layer.digest(), rows(layer, toolset.app)

        if outcome.failure or step.tool.kind == "reads":
            assert after == before, step
        before = after
    layer.close()


@every_id
def test_an_unknown_id_is_named_in_the_error(tool: Tool, parameter: str) -> None:
    layer = base().engine.layer(base())
    arguments = succeeding(tool) | {parameter: "no-such-id"}

    with pytest.raises(NotFound, match="'no-such-id'"):
        tool.call(layer.state(tool.owner), arguments)
    layer.close()


@every_tool
def test_an_unknown_argument_is_refused_by_name(tool: Tool) -> None:
    layer = base().engine.layer(base())

    outcome = play(layer, Step(tool, succeeding(tool) | {"no_such_argument": 1}))

    assert "'no_such_argument'" in outcome.failure
    layer.close()


def test_text_with_half_a_character_is_refused_wherever_text_goes() -> None:
    layer = base().engine.layer(base())
    half = "\ud83d"  # what is left of an emoji that was cut in two

    for tool in tools():
        for name, schema in tool.input_schema["properties"].items():
            if {"type": "string"} in (schema.get("anyOf", []) or [{"type": schema["type"]}]) and "enum" not in schema:
                outcome = play(layer, Step(tool, succeeding(tool) | {name: half}))

                assert f"'{name}' holds half a character" in outcome.failure
    assert layer.changes() == []
    layer.close()
