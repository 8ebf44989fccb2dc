"""Tasks, as suites write them."""

from harness.core.task import (
    Arrives,
    Brief,
    Call,
    Compare,
    End,
    Expected,
    Segment,
    Session,
    SessionLimits,
    Slot,
    Task,
    Trigger,
)  # fmt: skip
from servers.kernel import Edit

__all__ = (
    "Arrives", "Brief", "Call", "Compare", "Edit", "End", "Expected", "Segment", "Session", "SessionLimits", "Slot",
    "Task", "Trigger",
)  # fmt: skip
