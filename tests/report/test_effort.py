"""What trials took, where it is known and where nobody reported it."""

from __future__ import annotations

from typing import Any

from harness import report
from harness.record.store import TrialRecord
from harness.trajectory import Message, Usage
from tests.report.records import by_title, config, record, scored, suite, task

TASK = task("t")


def _spoke(agent: str, usage: Usage, **more: Any) -> TrialRecord:
    """A trial in which the agent said something."""
    made = record(TASK, agent=agent, **more)
    said = Message(session=0, role="assistant", content="It is done.")
    played = made.trajectory.model_copy(update={"events": [*made.trajectory.events, said], "usage": usage})
    return made.model_copy(update={"trajectory": played})


def _effort(*records: TrialRecord) -> Any:
    of, chosen = suite([TASK]), config("m", "n", trials=1 + max(each.trajectory.trial for each in records))
    return by_title(report.tables(chosen, of, scored(records, of, chosen)), "Results: effort")


def test_turns_and_cost_that_nobody_reported_are_unknown_and_a_note_says_whose() -> None:
    metered = Usage(prompt_tokens=10, completion_tokens=2, cost_usd=0.5)
    found = _effort(_spoke("m", Usage()), _spoke("n", metered))

    assert [(row["agent"], row["model turns"], row["cost USD"]) for row in found.rows] == [
        ("m", None, None), ("n", 1, 0.5),
    ]  # fmt: skip
    assert "model turns and cost of m are unknown: not reported" in found.notes


def test_a_void_trial_of_unknown_cost_leaves_the_others_known() -> None:
    metered = Usage(prompt_tokens=10, completion_tokens=2, cost_usd=0.5)
    found = _effort(_spoke("m", metered), _spoke("m", Usage(), trial=1, status="void"))

    assert [(row["model turns"], row["cost USD"]) for row in found.rows] == [(1, 0.5)]
    assert found.notes == ["means per trial that is not void"]


def test_an_agent_that_says_nothing_took_no_turn_and_cost_nothing() -> None:
    found = _effort(record(TASK, agent="m"))

    assert [(row["model turns"], row["cost USD"]) for row in found.rows] == [(0, 0.0)]
    assert found.notes == ["means per trial that is not void"]
