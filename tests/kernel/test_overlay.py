"""A toolset under an overlay: other names, other texts, some tools and parameters hidden."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import Field

from servers.kernel import App, InvalidArguments, State, Toolset, UnknownTool, overlaid, own_names, prefixed
from tests.kernel.desk import Scene, app

desk = App("desk", "Use `find` to find.")


@desk.reads
def find(
    state: State,
    words: Annotated[str, Field(description="What to look for.")],
    limit: Annotated[int, Field(description="At most so many.")] = 5,
) -> str:
    """Find something."""
    return f"{words} {limit}"


@desk.reads
def read(state: State, id: Annotated[str, Field(description="An id, as `find` returns it.")]) -> str:
    """Read what `find` found."""
    return id


def over(**settings: Any) -> Toolset:
    return overlaid(desk.default, **{"rename": {}, "describe": {}, "hide": (), **settings})


def test_a_renamed_tool_is_kept_under_its_own_name_and_shown_under_the_other() -> None:
    derived = over(rename={"find": "look_up"})

    assert {name: tool.shown for name, tool in derived.tools.items()} == {"find": "look_up", "read": "read"}
    assert own_names(derived) == {"look_up": "find", "read": "read"}
    assert derived.tool("find").name == "find"


def test_texts_name_a_renamed_tool_as_it_is_shown() -> None:
    derived = over(rename={"find": "look_up"})

    assert derived.instructions == "Use `look_up` to find."
    assert derived.tool("read").description == "Read what `look_up` found."
    assert derived.tool("read").input_schema["properties"]["id"]["description"] == "An id, as `look_up` returns it."


def test_beside_other_apps_tools_have_the_app_s_name_first_and_texts_have_it_too() -> None:
    beside = prefixed(over(rename={"find": "look_up"}))

    assert own_names(beside) == {"desk_look_up": "find", "desk_read": "read"}
    assert beside.instructions == "Use `desk_look_up` to find."
    assert beside.tool("read").description == "Read what `desk_look_up` found."


def test_errors_name_a_renamed_tool_as_it_is_shown() -> None:
    derived = over(rename={"find": "look_up"})

    with pytest.raises(InvalidArguments, match="Invalid arguments for look_up: 'words' is required"):
        derived.tool("find").check({})
    with pytest.raises(UnknownTool, match=r"no tool 'lose'\. Available: look_up, read"):
        derived.tool("lose")


def test_tools_and_parameters_are_described_anew() -> None:
    derived = over(describe={"find": "Search it.", "find.limit": "How many, as `find` has it."})
    limit = derived.tool("find").input_schema["properties"]["limit"]

    assert derived.tool("find").description == "Search it."
    assert limit == {"default": 5, "description": "How many, as `find` has it.", "type": "integer"}


def test_a_hidden_tool_is_not_there() -> None:
    derived = over(hide=["find"])

    assert list(derived.tools) == ["read"]
    with pytest.raises(UnknownTool, match="no tool 'find'"):
        derived.tool("find")


def test_a_hidden_parameter_is_not_shown_and_not_taken_and_has_its_default() -> None:
    tool = over(hide=["find.limit"]).tool("find")

    assert list(tool.input_schema["properties"]) == ["words"]
    assert tool.call(Scene().state, {"words": "w"}).text == "w 5"
    with pytest.raises(InvalidArguments, match="unknown argument 'limit'"):
        tool.check({"words": "w", "limit": 7})


def test_a_tool_without_a_parameter_takes_and_shows_the_others_as_before() -> None:
    whole, part = app.default.tool("find_papers"), app.default.tool("find_papers").without({"limit"})
    others = {name: schema for name, schema in whole.input_schema["properties"].items() if name != "limit"}

    assert part.input_schema == {**whole.input_schema, "properties": others}
    assert part.check({"title": "1"}) == {
        name: value for name, value in whole.check({"title": "1"}).items() if name != "limit"
    }


def test_what_lies_below_stays_as_it_is() -> None:
    before = [(tool.shown, tool.description, str(tool.input_schema)) for tool in desk.default.tools.values()]
    over(rename={"find": "look_up"}, describe={"read": "Open."}, hide=["find.limit"])

    assert [(tool.shown, tool.description, str(tool.input_schema)) for tool in desk.default.tools.values()] == before
    assert desk.default.instructions == "Use `find` to find."


def test_names_may_be_exchanged() -> None:
    assert own_names(over(rename={"find": "read", "read": "find"})) == {"read": "find", "find": "read"}


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"rename": {"lose": "x"}}, r"^rename\.lose: desk/default has no tool 'lose'; it has find, read$"),
        ({"rename": {"find.limit": "x"}}, r"^rename\.find\.limit: only tools have other names"),
        ({"rename": {"find": "read"}}, r"^rename\.find: read is shown as 'read' too$"),
        ({"rename": {"read": "find"}}, r"^rename\.read: find is shown as 'find' too$"),
        ({"rename": {"find": "a", "read": "a"}}, r"^rename\.read: find is shown as 'a' too$"),
        ({"rename": {"find": "look up"}}, r"^rename\.find: desk_look up is not a name that models allow"),
        ({"rename": {"find": ""}}, r"^rename\.find: desk_ is not a name that models allow"),
        ({"rename": {"find": "x" * 60}}, r"^rename\.find: desk_x+ is longer than the 64 characters"),
        ({"describe": {"lose": "x"}}, r"^describe\.lose: desk/default has no tool 'lose'"),
        ({"describe": {"find.size": "x"}}, r"^describe\.find\.size: find has no parameter 'size'; it has words"),
        ({"hide": ["lose"]}, r"^hide: desk/default has no tool 'lose'"),
        ({"hide": ["find.size"]}, r"^hide: find has no parameter 'size'"),
        ({"hide": ["find.words"]}, r"^hide: find\.words cannot be hidden, as no call goes without it$"),
        ({"hide": ["find", "read"]}, r"^hide: no tool of desk/default is left$"),
        ({"hide": ["find"], "rename": {"find": "x"}}, r"^rename\.find: it is hidden too"),
        ({"hide": ["find"], "describe": {"find.limit": "x"}}, r"^describe\.find\.limit: it is hidden too"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(settings: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        over(**settings)
