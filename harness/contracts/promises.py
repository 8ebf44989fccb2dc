"""What an app tells its clients, and what each tool does with a call. One function is one promise."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import UTC, date, datetime
from typing import Any

from hypothesis import given

from harness.contracts.ground import QUIET, Ground, Step, must, play, rows
from harness.contracts.places import placed
from servers.kernel import App, NotFound, Tool, Toolset

__all__ = (
    "a_call_succeeds_or_fails_on_purpose",
    "a_limit_of_a_text_is_told_before_it_is_met",
    "a_parameter_that_takes_an_id_names_a_tool_that_gives_it",
    "a_tool_called_idempotent_changes_nothing_the_second_time",
    "a_tool_says_in_one_line_what_it_does",
    "an_app_says_what_it_is_for_and_offers_tools",
    "an_error_does_not_repeat_a_long_text",
    "an_odd_value_is_taken_or_refused_on_purpose",
    "an_unknown_argument_is_refused_by_name",
    "an_unknown_id_is_named_in_the_error",
    "an_unpaired_surrogate_is_refused_wherever_text_goes",
    "every_parameter_is_described_and_typed",
    "every_result_is_typed",
    "only_a_tool_called_destructive_leaves_fewer_rows",
    "reads_and_failed_calls_change_nothing",
    "some_generated_call_succeeds",
    "the_clock_of_the_machine_is_not_read",
)

_LONG = ("x" * 20_000, "#" + "x" * 20_000, "@" + "x" * 20_000)
"""Texts that hardly anything is called by: plain ones, and such as channels and people are addressed by."""

_LENGTHS = (400, 2_001, 20_001, 200_001)
_LIMITED = re.compile(r"has [0-9,]+ characters; it may have ([0-9,]*[0-9])\b")
"""Characters of texts that are tried, and what `bounded` says of one that has too many."""

_TELLING = 2_000
"""Characters of an error that somebody reads."""

_ODD: tuple[tuple[tuple[str, ...], tuple[Any, ...]], ...] = (
    (("integer", "number"), (-1, -0.0, 0.1 + 0.2, 2**63, 10**300, 10**5_000, float("inf"), float("nan"))),
    (("string",), ("a\x00b", "NaN", "9" * 5_000)),
    (("array", "object"), (["x"] * 100_000, [None] * 2_000, json.loads("[" * 200 + "]" * 200))),
)
"""What JSON may hold, or Python takes for it, and hardly anybody means: by the types of the places it is put in."""


def an_app_says_what_it_is_for_and_offers_tools(_: Ground, app: App) -> None:
    must(app.instructions.endswith("."), f"the instructions of {app.name} do not end with a full stop")
    must(bool(app.toolsets), f"{app.name} has no tools")
    for toolset in app.toolsets.values():
        whole = toolset.instructions.endswith(".")
        must(whole, f"the instructions of {app.name}/{toolset.name} do not end with a full stop")
    empty = [toolset.name for toolset in app.toolsets.values() if not toolset.tools]
    must(not empty, f"toolsets without tools: {', '.join(empty)}")


def a_tool_says_in_one_line_what_it_does(_: Ground, tool: Tool) -> None:
    first = tool.description.splitlines()[0]
    must(first.endswith("."), f"the first line of {tool.name}'s docstring does not end with a full stop: {first!r}")
    must(len(first) <= 120, f"the first line of {tool.name}'s docstring is longer than 120 characters")


def every_parameter_is_described_and_typed(_: Ground, tool: Tool) -> None:
    for name, schema in tool.input_schema.get("properties", {}).items():
        described = schema.get("description", "").endswith(".")
        must(described, f'{tool.name}: {name} has no description, as in Annotated[str, Field(description="...")], '
                        "that ends with a full stop")  # fmt: skip
        must(_typed(schema), f"{tool.name}: {name} has no type")


def every_result_is_typed(_: Ground, tool: Tool) -> None:
    untyped = [name for name, part in tool.output_schema.get("properties", {}).items() if not _typed(part)]
    must(not untyped, f"{tool.name}: results without a type: {', '.join(untyped)}")


def a_parameter_that_takes_an_id_names_a_tool_that_gives_it(_: Ground, tool: Tool) -> None:
    offered = [each.tools for each in tool.owner.toolsets.values() if each.tools.get(tool.name) is tool]
    for parameter in tool.refs:
        description = tool.input_schema["properties"][parameter]["description"]
        named = set(re.findall(r"`(\w+)`", description))
        must(
            all(named & tools.keys() for tools in offered),
            f"{tool.name}: the description of {parameter} names no `tool` that returns such an id",
        )


def only_a_tool_called_destructive_leaves_fewer_rows(ground: Ground, tool: Tool) -> None:
    layer = ground.layer()
    play(layer, Step(tool, ground.succeeding(tool)))
    found = Counter(f"{change.table}: {change.op}" for change in layer.changes())
    layer.close()
    names = [table.table_name for table in tool.owner.tables]
    fewer = [name for name in names if found[f"{name}: delete"] > found[f"{name}: insert"]]
    must(tool.destructive or not fewer, f"{tool.name} removes {', '.join(fewer)}: declare it destructive=True")


def a_tool_called_idempotent_changes_nothing_the_second_time(ground: Ground, tool: Tool) -> None:
    step = Step(tool, ground.succeeding(tool))
    layer = ground.layer()
    once, twice = ((play(layer, step), layer.digest())[1] for _ in range(2))
    layer.close()
    must(not tool.idempotent or once == twice, f"{tool.name} is called idempotent, and changes rows again: {step}")


def some_generated_call_succeeds(ground: Ground, tool: Tool) -> None:
    ground.succeeding(tool)


def the_clock_of_the_machine_is_not_read(ground: Ground, tool: Tool) -> None:
    """Two calls of one day agree, whichever clock they read: so the machine's day is looked for in what one leaves."""
    step, layer, before = Step(tool, ground.succeeding(tool)), ground.layer(), _today()
    left = f"{play(layer, step).data} {layer.changes()}"
    layer.close()
    given = f"{step} {ground.world.now} {ground.world.rows}"
    read = [day for day in before | _today() if day in left and day not in given]
    must(not read, f"{tool.name} gives or writes {', '.join(read)}, which is the machine's day: use `state.now`")


def _today() -> set[str]:
    """The day that it is here and in UTC."""
    return {str(date.today()), str(datetime.now(UTC).date())}


def an_unknown_id_is_named_in_the_error(ground: Ground, tool: Tool) -> None:
    for parameter in tool.refs:
        layer, given = ground.layer(), ground.succeeding(tool)
        unknown: Any = "no-such-id"
        if tool.lists(parameter):
            unknown = [*_room(tool.input_schema["properties"][parameter], given.get(parameter) or []), unknown]
        try:
            tool.call(layer.state(tool.owner), given | {parameter: unknown})
        except NotFound as error:
            must("'no-such-id'" in str(error), f"{tool.name}: the error does not name the unknown {parameter}: {error}")
        else:
            must(False, f"{tool.name} takes {parameter}={unknown!r}; let `state.get` raise NotFound")
        finally:
            layer.close()


def an_unknown_argument_is_refused_by_name(ground: Ground, tool: Tool) -> None:
    layer = ground.layer()
    outcome = play(layer, Step(tool, ground.succeeding(tool) | {"no_such_argument": 1}))
    layer.close()
    must("'no_such_argument'" in outcome.failure, f"{tool.name} takes an argument that it does not declare")


def an_unpaired_surrogate_is_refused_wherever_text_goes(ground: Ground, tool: Tool) -> None:
    layer, given = ground.layer(), ground.succeeding(tool)
    half = "\ud83d"  # what is left of an emoji that was cut in two
    for where, arguments in placed(tool.input_schema, given, half, ("string",)):
        name = re.split(r"[.[]", where)[1]
        refused = f"'{name}' holds an unpaired surrogate" in play(layer, Step(tool, arguments)).failure
        must(refused, f"{tool.name} takes an unpaired surrogate as {where[1:]}")
    must(layer.changes() == [], f"{tool.name} was refused and changed rows")
    layer.close()


def an_error_does_not_repeat_a_long_text(ground: Ground, tool: Tool) -> None:
    layer, given = ground.layer(), ground.succeeding(tool)
    for text in _LONG:
        for where, arguments in placed(tool.input_schema, given, text, ("string",)):
            told = len(play(layer, Step(tool, arguments)).failure)
            if not told:
                layer.reset()
            must(told <= _TELLING, f"{tool.name}: of {where[1:]}, {len(text):,} characters, an error repeats {told:,}: "
                                   "write {quoted(value)}")  # fmt: skip
    layer.close()


def a_limit_of_a_text_is_told_before_it_is_met(ground: Ground, tool: Tool) -> None:
    layer, given = ground.layer(), ground.succeeding(tool)
    told = tool.description + json.dumps(tool.input_schema)
    for length in _LENGTHS:
        for where, arguments in placed(tool.input_schema, given, "x" * length, ("string",)):
            failure = play(layer, Step(tool, arguments)).failure
            if not failure:
                layer.reset()
            elif limit := _LIMITED.search(failure):
                said = re.search(rf"(?<![0-9,])({limit[1]}|{limit[1].replace(',', '')})(?![0-9,])", told)
                must(bool(said), f"{tool.name} refuses {where[1:]} of more than {limit[1]} characters and does not "
                                 f"say so: write Field(max_length=...)")  # fmt: skip
    layer.close()


def an_odd_value_is_taken_or_refused_on_purpose(ground: Ground, tool: Tool) -> None:
    layer, given = ground.layer(), ground.succeeding(tool)
    for kinds, values in _ODD:
        for value in values:
            for _, arguments in placed(tool.input_schema, given, value, kinds):
                if not play(layer, Step(tool, arguments)).failure:
                    layer.reset()
    layer.close()


def a_call_succeeds_or_fails_on_purpose(ground: Ground, toolset: Toolset) -> None:
    @QUIET
    @given(calls=ground.steps(toolset))
    def promise(calls: list[Step]) -> None:
        layer = ground.layer()
        for step in calls:
            outcome = play(layer, step)
            must((outcome.data is None) == bool(outcome.failure), f"{step.tool.name} gave neither result nor error")
        layer.close()

    promise()


def reads_and_failed_calls_change_nothing(ground: Ground, toolset: Toolset) -> None:
    @QUIET
    @given(calls=ground.steps(toolset))
    def promise(calls: list[Step]) -> None:
        layer = ground.layer()
        before = layer.digest(), rows(layer, toolset.app)
        for step in calls:
            outcome = play(layer, step)
            after = layer.digest(), rows(layer, toolset.app)
            if outcome.failure or step.tool.kind == "reads":
                must(after == before, f"{step.tool.name} {'failed' if outcome.failure else 'reads'} and changed rows")
            before = after
        layer.close()

    promise()


def _room(schema: dict[str, Any], items: list[Any]) -> list[Any]:
    """Of a list that a parameter takes, as many items as leave room for one more."""
    array = next(option for option in schema.get("anyOf", [schema]) if option.get("type") == "array")
    return items[: array.get("maxItems", len(items) + 1) - 1]


def _typed(schema: dict[str, Any]) -> bool:
    return not {"type", "anyOf", "$ref", "enum", "const"}.isdisjoint(schema)
