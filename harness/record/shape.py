"""A trial record as `--json` prints it: messages, calls and model calls in a list each, as scripts know them.

What is on disk is one list of events (`harness.core.trajectory`), with the time of each; this is for whoever counts or
filters one kind of them.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from harness.core.trajectory import Trajectory
from harness.record.store import TrialRecord

__all__ = ("shape",)

_TIMED = {"kind", "start", "duration", "waited"}


def shape(record: TrialRecord) -> dict[str, Any]:
    """`{"trajectory": {..., "messages": [...], "calls": [...], "model_calls": [...], ...}, "scores": {...}}`."""
    return {"trajectory": _shape(record.trajectory), "scores": _plain(record)["scores"]}


def _shape(t: Trajectory) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in t.model_dump(mode="json", exclude={"events", "sessions", "tries"}).items():
        found[name] = value
        if name == "reason":
            found["sessions"] = [{"request": each.request, "now": each.now, **_plain(each)} for each in t.sessions]
            found["messages"] = [_plain(each) for each in t.messages]
            found["calls"] = [each.shown() for each in t.steps]
            found["model_calls"] = [_plain(each) for each in t.model_calls]
    return {**found, "tries": [_shape(each) for each in t.tries]}


def _plain(model: BaseModel) -> dict[str, Any]:
    return model.model_dump(mode="json", exclude=_TIMED)
