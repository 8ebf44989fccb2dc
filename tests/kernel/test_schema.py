"""What a tool says of what goes into it, and what it answers to a name that it does not have."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, create_model

from servers.kernel import App, InvalidArguments, State, Tool
from tests.kernel.desk import Paper


class Place(BaseModel):
    town: str


class Step(BaseModel):
    model_config = ConfigDict(extra="forbid")
    day: str
    place: Place | None = None


class Tree(BaseModel):
    kind: str
    parts: list[Tree] = []


def nested() -> Tool:
    toolset = App("plans", "Plans.", tables=(Paper,)).toolset("default")

    @toolset.writes
    def make_plan(state: State, steps: list[Step], first: Step | None = None) -> None:
        """Make a plan."""

    return toolset.tool("make_plan")


def test_what_goes_in_is_described_in_its_place() -> None:
    schema = nested().input_schema

    assert "$" not in json.dumps(schema)
    step = schema["properties"]["steps"]["items"]
    assert step["properties"]["day"] == {"type": "string"}
    assert step["properties"]["place"]["anyOf"][0]["properties"] == {"town": {"type": "string"}}


def test_what_holds_itself_is_referred_to() -> None:
    toolset = App("plans", "Plans.", tables=(Paper,)).toolset("default")

    @toolset.writes
    def plant(state: State, tree: Tree) -> None:
        """Plant a tree."""

    schema = toolset.tool("plant").input_schema
    assert schema["properties"]["tree"] == {"$ref": "#/$defs/Tree"}
    assert schema["$defs"]["Tree"]["properties"]["parts"]["items"] == {"$ref": "#/$defs/Tree"}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"steps": [{"day": "Friday", "due": 1}]}, "unknown argument 'steps.0.due' (there are day, place)"),
        ({"steps": [], "first": {"day": "a", "when": 1}}, "unknown argument 'first.when' (there are day, place)"),
        ({"steps": [], "last": 1}, "unknown argument 'last' (there are steps, first)"),
        ({"steps": [], "last": 1, "next": 1}, "'last' (there are steps, first); unknown argument 'next'"),
    ],
)
def test_an_unknown_name_is_told_with_those_that_there_are(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        nested().check(arguments)

    assert str(caught.value).endswith(f"{problem}.")


_MANY: dict[str, Any] = dict.fromkeys([*"abcdefghijklmnopqrstuvw", "due_day"], (int, 0))
Wide = create_model("Wide", __config__=ConfigDict(extra="forbid"), **_MANY)


def test_of_very_many_names_those_near_an_unknown_one_come_first() -> None:
    toolset = App("plans", "Plans.", tables=(Paper,)).toolset("default")

    @toolset.writes
    def make_plan(state: State, plan: Wide) -> None:  # type: ignore[valid-type]
        """Make a plan."""

    with pytest.raises(InvalidArguments) as caught:
        toolset.tool("make_plan").check({"plan": {"due": 1}})

    assert "unknown argument 'plan.due' (there are due_day, a, b, c," in str(caught.value)
    assert str(caught.value).endswith(", s, 4 more).")
