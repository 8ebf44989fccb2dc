"""What state promises, whatever is called."""

import pytest

from harness.contracts import keeping
from servers.kernel import Toolset
from tests.contracts.subjects import every_toolset, ground

pytestmark = pytest.mark.slow


@every_toolset
def test_the_same_calls_give_the_same_answers_and_digest(toolset: Toolset) -> None:
    keeping.the_same_calls_give_the_same_answers_and_digest(ground(), toolset)


@every_toolset
def test_restoring_a_snapshot_undoes_what_followed(toolset: Toolset) -> None:
    keeping.restoring_a_snapshot_undoes_what_followed(ground(), toolset)


@every_toolset
def test_resetting_leads_back_to_the_start(toolset: Toolset) -> None:
    keeping.resetting_leads_back_to_the_start(ground(), toolset)


@every_toolset
def test_interleaved_sandboxes_never_see_each_other(toolset: Toolset) -> None:
    keeping.interleaved_sandboxes_never_see_each_other(ground(), toolset)
