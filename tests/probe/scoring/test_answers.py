"""Answers, read from the decisions that an agent made."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from benchmarks.probe.scoring.answers import Answer, Structured, answered, wrong_acts
from servers.actions import Decision, app
from servers.kernel import Engine, World


def decided(toolset: str, *given: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of `decisions` after these choices."""
    actions = [
        {"id": id, "type": "send_email", "description": "Send.", "params_schema": {"required": ["to"]}} for id in "ab"
    ]
    engine = Engine()
    state = engine.layer(engine.load(World("w", datetime(2025, 3, 5), {"actions": {"actions": actions}}))).state(app)
    for each in given:
        app.toolsets[toolset].tool("choose_action").call(
            state, {"parameters": {"to": "Ada"}, "evidence": ["D1"], **each}
        )
    rows = [row.to_json() for row in state.find(Decision)]
    engine.close()
    return rows


def test_the_first_decision_is_the_answer_and_others_are_acts() -> None:
    rows = decided("open", {"action": "b", "bottleneck": "Cem waits."}, {"action": "a", "bottleneck": "No, Ada does."})

    assert answered(rows) == Answer(retrieved=("D1",), bottleneck="Cem waits.", action="b", parameters={"to": "Ada"})
    assert (wrong_acts(rows, "b"), wrong_acts(rows, "a"), wrong_acts(rows, None)) == (1, 1, 2)


def test_a_bottleneck_in_parts_stays_in_parts() -> None:
    rows = decided("structured", {"action": "a", "bottleneck": {"who_blocked": "Cem Dal"}})
    found = answered(rows)

    assert found is not None
    assert found.bottleneck == Structured(who_blocked="Cem Dal")


def test_without_a_decision_there_is_no_answer() -> None:
    assert (answered([]), wrong_acts([], "a")) == (None, 0)
