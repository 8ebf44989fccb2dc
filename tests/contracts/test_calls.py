"""What every tool does with generated calls."""

import pytest

from harness.contracts import promises
from servers.kernel import Tool, Toolset
from tests.contracts.subjects import every_id, every_tool, every_toolset, ground

pytestmark = pytest.mark.slow


@every_toolset
def test_a_call_succeeds_or_fails_on_purpose(toolset: Toolset) -> None:
    promises.a_call_succeeds_or_fails_on_purpose(ground(), toolset)


@every_tool
def test_some_generated_call_succeeds(tool: Tool) -> None:
    promises.some_generated_call_succeeds(ground(), tool)


@every_tool
def test_only_a_tool_called_destructive_leaves_fewer_rows(tool: Tool) -> None:
    promises.only_a_tool_called_destructive_leaves_fewer_rows(ground(), tool)


@every_tool
def test_a_tool_called_idempotent_changes_nothing_the_second_time(tool: Tool) -> None:
    promises.a_tool_called_idempotent_changes_nothing_the_second_time(ground(), tool)


@every_tool
def test_the_clock_of_the_machine_is_not_read(tool: Tool) -> None:
    promises.the_clock_of_the_machine_is_not_read(ground(), tool)


@every_toolset
def test_reads_and_failed_calls_change_nothing(toolset: Toolset) -> None:
    promises.reads_and_failed_calls_change_nothing(ground(), toolset)


@every_id
def test_an_unknown_id_is_named_in_the_error(tool: Tool) -> None:
    promises.an_unknown_id_is_named_in_the_error(ground(), tool)


@every_tool
def test_an_unknown_argument_is_refused_by_name(tool: Tool) -> None:
    promises.an_unknown_argument_is_refused_by_name(ground(), tool)


@every_tool
def test_an_unpaired_surrogate_is_refused_wherever_text_goes(tool: Tool) -> None:
    promises.an_unpaired_surrogate_is_refused_wherever_text_goes(ground(), tool)


@every_tool
def test_a_limit_of_a_text_is_told_before_it_is_met(tool: Tool) -> None:
    promises.a_limit_of_a_text_is_told_before_it_is_met(ground(), tool)


@every_tool
def test_an_error_does_not_repeat_a_long_text(tool: Tool) -> None:
    promises.an_error_does_not_repeat_a_long_text(ground(), tool)


@every_tool
def test_an_odd_value_is_taken_or_refused_on_purpose(tool: Tool) -> None:
    promises.an_odd_value_is_taken_or_refused_on_purpose(ground(), tool)
