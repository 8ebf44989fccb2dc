"""Meetings still to come: how outcomes and programs find and change them, and slots that several templates share."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from benchmarks.workbench.synth import names
from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import find
from benchmarks.workbench.synth.templates.base import SlotSpec
from benchmarks.workbench.synth.templates.slots import person, quoted
from benchmarks.workbench.synth.templates.steps import Row, Step
from harness.agents.reference import Worker

__all__ = ("change", "change_by_tool", "coming", "find_coming", "meeting", "new_title", "participant")


def coming(office: Office, field: str, value: str) -> list[Row]:
    """Meetings that start now or later and have that value, first one first."""
    found = [
        event for event in office.events if event[field] == value and event["event_start"] >= str(office.world.now)
    ]
    return sorted(found, key=lambda event: str(event["event_start"]))


async def find_coming(worker: Worker, field: str, value: str) -> find.Found:
    """The same through searches, over a year ahead."""
    found = await find.events(worker, value, worker.now, worker.now + timedelta(days=365))
    return [event for event in found if event[field].casefold() == value.casefold()]


def change(event: Row, field: str, value: str) -> Step:
    """An event with one field set."""
    arguments = {"event_id": event["id"], "field": field, "new_value": value}
    return Step("calendar", "update_event", arguments, "update", "events", event["id"], {field: value})


async def change_by_tool(worker: Worker, event: Row, field: str, value: str) -> None:
    await worker.call("calendar", "update_event", event_id=event["event_id"], field=field, new_value=value)


async def _soon(worker: Worker) -> Mapping[str, Any]:
    """Names of a few meetings to come, enough to guess from."""
    found = await worker.call("calendar", "search_events", time_min=str(worker.now))
    return {event["event_name"]: event["event_name"] for event in found}


def meeting() -> SlotSpec:
    """Meetings that have been given one name. Wordings go on to speak of "that name", so that one misses it."""
    return quoted(
        "event_name",
        "input",
        "identifier",
        names.EVENTS,
        role="meeting name",
        why="Some two dozen names are in use.",
        words=_soon,
    )


def participant() -> SlotSpec:
    """The colleague met. Wordings go on to speak of "them", so that one misses a name that is not given."""
    return person(
        "participant",
        lambda office: list(office.people),
        dimension="input",
        subdimension="identifier",
        why="There are meetings with nearly everybody.",
    )


def new_title() -> SlotSpec:
    """What a meeting is to be called from now on."""
    return quoted(
        "title",
        "goal",
        "content",
        (
            "Lessons learned",
            "Open questions",
            "Kick-off, second try",
            "Plans for the summer",
            "Handover",
            "Ask me anything",
            "Numbers and next steps",
            "Farewell breakfast",
        ),
        role="new title",
        why="Nothing in the workplace tells what to call the meeting from now on.",
    )
