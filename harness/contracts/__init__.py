"""The contract tests, for apps anywhere: what every app promises, as checks to run or to parametrise tests with.

Calls are generated, which takes `hypothesis`: the extra `testing` brings it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from harness.contracts import keeping, promises
from harness.contracts.ground import Ground
from harness.contracts.world import world_of
from servers.kernel import App, World

__all__ = ("Contract", "contracts", "idle")


class Contract(NamedTuple):
    """One promise of one app, toolset or tool. `check` raises if it is broken: an AssertionError, or what escaped."""

    promise: str
    subject: str
    check: Callable[[], None]

    def __str__(self) -> str:
        return f"{self.subject}: {self.promise}"


_OF_APPS = (promises.an_app_says_what_it_is_for_and_offers_tools,)
_OF_TOOLS = (
    promises.a_tool_says_in_one_line_what_it_does,
    promises.every_parameter_is_described_and_typed,
    promises.every_result_is_typed,
    promises.a_parameter_that_takes_an_id_names_a_tool_that_gives_it,
    promises.some_generated_call_succeeds,
    promises.only_a_tool_called_destructive_leaves_fewer_rows,
    promises.a_tool_called_idempotent_changes_nothing_the_second_time,
    promises.the_clock_of_the_machine_is_not_read,
    promises.an_unknown_id_is_named_in_the_error,
    promises.an_unknown_argument_is_refused_by_name,
    promises.an_unpaired_surrogate_is_refused_wherever_text_goes,
    promises.an_error_does_not_repeat_a_long_text,
    promises.a_limit_of_a_text_is_told_before_it_is_met,
    promises.an_odd_value_is_taken_or_refused_on_purpose,
)
_OF_TOOLSETS = (
    promises.a_call_succeeds_or_fails_on_purpose,
    promises.reads_and_failed_calls_change_nothing,
    keeping.the_same_calls_give_the_same_answers_and_digest,
    keeping.restoring_a_snapshot_undoes_what_followed,
    keeping.resetting_leads_back_to_the_start,
    keeping.interleaved_sandboxes_never_see_each_other,
)


def contracts(app: App, world: World | None = None) -> list[Contract]:
    """Every promise of an app, to be checked in a world that has a row for each of its tables.

    Without a world, rows are made from the tables' types. In a test of an app's own package:
    `@pytest.mark.parametrize("contract", contracts(app), ids=str)`.
    """
    ground = Ground(world or world_of([app]))
    found = [_contract(check, app.name, ground, app) for check in _OF_APPS]
    for toolset in app.toolsets.values():
        for tool in toolset.tools.values():
            found += [_contract(check, f"{app.name}.{tool.name}", ground, tool) for check in _OF_TOOLS]
        found += [_contract(check, f"{app.name}/{toolset.name}", ground, toolset) for check in _OF_TOOLSETS]
    return found


def idle(app: App, world: World | None = None) -> list[str]:
    """Tools that may write, of which no call that can be generated in that world does: `state.save` may be forgotten.

    No promise is broken by one that rightly changes nothing there.
    """
    ground = Ground(world or world_of([app]))
    tools = dict.fromkeys(tool for toolset in app.toolsets.values() for tool in toolset.tools.values())
    return [tool.name for tool in tools if tool.kind == "writes" and ground.idle(tool)]


def _contract(check: Callable[..., None], subject: str, *arguments: object) -> Contract:
    return Contract(check.__name__.replace("_", " "), subject, partial(check, *arguments))
