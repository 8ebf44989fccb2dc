"""What a tool says of what goes into it, and what it answers to a name that it does not have."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from servers.kernel import App, InvalidArguments, State, Tool
from tests.kernel.desk import Paper


class Step(BaseModel):
    model_config = ConfigDict(extra="forbid")
    day: str
    after: Step | None = None


def nested() -> Tool:
    toolset = App("plans", "Plans.", tables=(Paper,)).toolset("default")

    @toolset.writes
    def make_plan(state: State, steps: list[Step], first: Step | None = None) -> None:
        """Make a plan."""

    return toolset.tool("make_plan")


def test_what_goes_in_is_described_in_its_place_and_what_holds_itself_once() -> None:
    schema = nested().input_schema

    assert "$defs" not in json.dumps(schema)
    step = schema["properties"]["steps"]["items"]
    assert step["properties"]["day"] == {"type": "string"}
    assert step["properties"]["after"]["anyOf"][0] == {}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"steps": [{"day": "Friday", "due": 1}]}, "unknown argument 'steps.0.due' (there are day, after)"),
        ({"steps": [], "first": {"day": "a", "when": 1}}, "unknown argument 'first.when' (there are day, after)"),
        ({"steps": [], "last": 1}, "unknown argument 'last'"),
    ],
)
def test_an_unknown_name_within_an_argument_is_told_with_those_that_there_are(
    arguments: dict[str, Any], problem: str
) -> None:
    with pytest.raises(InvalidArguments) as caught:
        nested().check(arguments)

    assert str(caught.value).endswith(f"{problem}.")
