"""Tables grew: states are what they were before, but for the new fields, each at its default."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.core.config import RunConfig
from harness.play.run import evaluate
from harness.wiring import wiring
from servers.kernel import Change, canonical, fold

NEW: dict[tuple[str, str], dict[str, Any]] = {
    ("gmail", "emails"): {"starred": False, "thread": None, "cc": []},
    ("calendar", "events"): {
        "calendar": "", "all_day": False, "zone": "", "location": "", "description": "", "organizer": "",
        "attendees": [], "response": "", "status": "confirmed", "free": False, "recurrence": "", "until": None,
        "skipped": [], "series": "", "original": None,
    },
    ("crm", "customers"): {"job_title": "", "company_id": None},
}  # fmt: skip

BEFORE = "04f424d65d4ce0472a0b68d1481f1251a24160acd82d78ef958db6b366f6c096"
"""Of the digests that the 690 final states of the oracle have without the new fields, by task."""


def without_new_fields(changes: Sequence[Change]) -> list[Change]:
    return [
        change.model_copy(
            update={"before": _old(change.before, new), "after": _old(change.after, new)},
        )
        for change in changes
        for new in (NEW.get((change.app, change.table), {}),)
    ]


def _old(row: dict[str, Any] | None, new: dict[str, Any]) -> dict[str, Any] | None:
    if row is None:
        return None
    assert {name: row[name] for name in new} == new
    return {name: value for name, value in row.items() if name not in new}


def test_final_states_differ_from_those_before_in_new_fields_alone(tmp_path: Path) -> None:
    wired = wiring()
    config = RunConfig.model_validate({"suite": "workbench-synth", "agents": [{"kind": "oracle"}]})
    run = evaluate(config, wired.suite("workbench-synth"), wired, tmp_path / "run")
    played = [record.trajectory for record in run.records()]
    old = {t.task: fold(t.world, without_new_fields(t.start), without_new_fields(t.changes)) for t in played}

    assert hashlib.sha256(canonical(old)).hexdigest() == BEFORE
    assert sum(old[t.task] != t.digest for t in played) == 399, "the tasks that change mail, events or customers"
