from __future__ import annotations

from typing import Any

import pytest

from benchmarks.lhaw.leaks import leaks
from harness.task import Slot
from tests.lhaw.scenes import NOW


def slot(kind: str, text: str, value: Any) -> Slot:
    return Slot(name="x", kind=kind, text=text, value=value, dimension="goal", subdimension="target")


@pytest.mark.parametrize(
    ("kind", "text", "value", "said"),
    [
        ("person", "Priya", "priya", "Write to PRIYA."),
        ("person", "Priya", "priya", "Her address is priya.shah@example.test."),
        ("person", "Priya", "priya", "Move Priya's tasks."),
        ("customer", "Nadia Rahman", "Nadia Rahman", "The Rahman account."),
        ("date", "March 20", "2025-03-20", "It is the 20th of March."),
        ("date", "March 20", "2025-03-20", "On 2025-03-20, please."),
        ("date", "March 20", "2025-03-20", "On 03/20, please."),
        ("date", "March 20", "2025-03-20", "A week from now."),
        ("date", "March 20", "2025-03-20", "On 20 Mar at noon."),
        ("due_date", "March 14", "2025-03-14", "Due tomorrow."),
        ("date", "March 14", "2025-03-14", "Next Friday."),
        ("time", "14:30", "14:30:00", "At 2:30pm."),
        ("time", "09:00", "09:00:00", "At 9 am."),
        ("time", "09:00", "09:00:00", "At nine o'clock."),
        ("duration", "30-minute", 30, "A meeting of half an hour."),
        ("duration", "90-minute", 90, "Ninety minutes will do."),
        ("period", "2 weeks", 14, "The last fourteen days."),
        ("period", "7 days", 7, "What came in last week."),
        ("threshold", "12", 12, "More than a dozen, say twelve."),
        ("threshold", "40", 40, "Above forty."),
        ("metric", "total visits", "total_visits", "Plot the Total  Visits."),
        ("plot_type", "bar chart", "bar", "Two bar charts."),
        ("body", "Thanks, all.", "Thanks, all.", "Say thanks all"),
    ],
)
def test_a_value_is_recognised_in_another_shape(kind: str, text: str, value: Any, said: str) -> None:
    assert leaks(said, slot(kind, text, value), NOW)


@pytest.mark.parametrize(
    ("kind", "text", "value", "said"),
    [
        ("person", "Ann", "ann", "Write to Annette about the annex."),
        ("date", "March 2", "2025-03-02", "Meet on March 20."),
        ("time", "10:00", "10:00:00", "Row 110:00 of the sheet."),
        ("threshold", "4", 4, "Version 4.5 is out; it is 14:04."),
        ("duration", "30-minute", 30, "On March 30."),
        ("date", "April 30", "2025-04-30", "Meet on Wednesday."),
    ],
)
def test_what_only_looks_alike_is_no_leak(kind: str, text: str, value: Any, said: str) -> None:
    assert leaks(said, slot(kind, text, value), NOW) == ""
