"""The reference agent takes what was meant from a reply that names other values beside it."""

from __future__ import annotations

from pathlib import Path

from harness.core.config import RunConfig
from harness.play.run import evaluate
from harness.wiring import Wired, suite

BEFORE_ARRIVAL = "task-4b16f854cacb"
"""Of its last day the user says: "17 April is before 20 April; what I mean is 21 April."."""


def test_what_is_meant_is_taken_from_behind_what_is_wrong(tmp_path: Path) -> None:
    config = RunConfig.model_validate(
        {
            "suite": "drift-workplace",
            "agents": [{"kind": "reference"}],
            "conditions": {
                "rational": {"prompt": "faulty", "ask": "clarify", "user": {"kind": "persona", "persona": "rational"}}
            },
            "tasks": [BEFORE_ARRIVAL],
        }
    )
    (record,) = evaluate(config, suite("drift-workplace"), Wired(), tmp_path / "run").records()

    assert record.scores["outcome"].right
