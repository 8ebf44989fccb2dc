"""A trial: an event is replaced by another, which is looked at and handed over."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from harness.trajectory import CallRecord, HandOver, Trajectory, Write
from servers.kernel import Change, World

NOW = datetime(2026, 4, 13, 8)
OLD: dict[str, Any] = {"event_name": "Old", "event_start": "2026-04-14 15:00:00", "duration": "30"}
NEW: dict[str, Any] = {"event_name": "Tasting", "event_start": "2026-04-14 15:00:00", "duration": "40"}
NEWER = Write(app="calendar", table="events", id="00000002", values=NEW)
WORLD = World("toy", NOW, {"calendar": {"events": [{"id": "00000001", **OLD}]}})


def trajectory() -> Trajectory:
    def call(n: int, tool: str, text: str, *writes: Write) -> CallRecord:
        return CallRecord(
            session=0, n=n, turn=1, app="calendar", tool=tool, arguments={}, status="ok", text=text, writes=list(writes)
        )

    gone = Write(app="calendar", table="events", id="00000001", values=None)
    return Trajectory(
        suite="pi", task="toy", task_hash="", agent="a", condition="c", trial=0, seed=0, prompt="", status="finished",
        events=[
            call(1, "create_event", "00000002", gone, NEWER),
            call(2, "search_events", "00000002 Tasting"),
            HandOver(session=0, n=3, turn=1, text="Done."),
        ],
        changes=[
            Change(app="calendar", table="events", id="00000001", before=OLD, after=None),
            Change(app="calendar", table="events", id="00000002", before=None, after=NEW),
        ],
    )  # fmt: skip
