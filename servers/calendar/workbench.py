"""The five calendar tools of WorkBench (the paper's appendix A.5, release of 2024).

As in the release: a search is bounded by when events start, and names, addresses, times and durations
are stored as given, whether or not they overlap, parse or fall in working hours.

Departures from the release, each where it has a defect:

- A query is literal text, not a regular expression.
- An update changes one of the four fields of an event; the release adds unknown fields and overwrites ids.
- Ids of deleted events do not come back.
- A stored start that is not a time is passed over by a search with bounds, where the release fails.
- A bound is a date, or a date and a time of day without zone; the release takes some freer spellings too.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from servers.calendar.tables import Event, app
from servers.kernel import Ref, Rejected, State, moment, quoted, required

__all__ = ("workbench",)


class EventRecord(BaseModel):
    """An event as the tools show it."""

    event_id: str
    event_name: str
    participant_email: str
    event_start: str
    duration: str


_SHOWN = set(EventRecord.model_fields) - {"event_id"}

workbench = app.toolset("workbench")

EventField = Literal["event_id", "event_name", "participant_email", "event_start", "duration"]
ChangeableField = Literal["event_name", "participant_email", "event_start", "duration"]
EventId = Annotated[
    str,
    Ref(Event),
    Field(description="Id of an event, eight digits, as `search_events` and `create_event` return it."),
]
Bound = Annotated[
    str | None,
    Field(description="YYYY-MM-DD HH:MM:SS, inclusive; a date alone means its midnight. Leave out for no bound."),
]


@workbench.reads
def get_event_information_by_id(
    state: State, event_id: EventId, field: Annotated[EventField, Field(description="Which field to read.")]
) -> dict[str, str]:
    """Read one field of an event. Returns an object with only that field."""
    required(event_id=event_id)
    return {field: _record(state.get(Event, event_id)).model_dump()[field]}


@workbench.reads
def search_events(
    state: State,
    query: Annotated[
        str | None,
        Field(
            description="Text to look for in event names and participants' addresses, regardless of case. "
            "Empty matches every event."
        ),
    ] = "",
    time_min: Bound = None,
    time_max: Bound = None,
) -> list[EventRecord]:
    """Find events by text and by when they start.

    An event is found if it starts between `time_min` and `time_max`; when it ends does not matter.
    Returns at most the first five matches, in the calendar's own order; narrow the query or the times to see others.
    Returns an empty list if nothing matches.
    """
    where = "(contains(lower(event_name), lower(?)) OR contains(lower(participant_email), lower(?)))"
    params: list[Any] = [query or ""] * 2
    for name, time, bound in (("time_min", time_min, ">="), ("time_max", time_max, "<=")):
        if time:
            where += f" AND TRY_CAST(event_start AS TIMESTAMP) {bound} ?"
            params.append(_moment(name, time))
    return [_record(row) for row in state.find(Event, where, params, limit=5)]


@workbench.writes
def create_event(
    state: State,
    event_name: Annotated[str, Field(description="Title of the event.")],
    participant_email: Annotated[str, Field(description="Participant's e-mail address. It is stored in lower case.")],
    event_start: Annotated[str, Field(description="When it starts: YYYY-MM-DD HH:MM:SS. Stored as given.")],
    duration: Annotated[str, Field(description="How long it lasts, in minutes.", coerce_numbers_to_str=True)],
) -> str:
    """Create an event with one participant and return its id.

    It does not check whether the time is free, and invites nobody.
    """
    required(event_name=event_name, participant_email=participant_email, event_start=event_start, duration=duration)
    event = Event(
        event_name=event_name,
        participant_email=participant_email.lower(),
        event_start=event_start,
        duration=duration,
    )
    return state.add(event).id


@workbench.writes(destructive=True, idempotent=True)
def delete_event(state: State, event_id: EventId) -> str:
    """Delete an event for good."""
    required(event_id=event_id)
    state.delete(state.get(Event, event_id))
    return f"Event {event_id} deleted."


@workbench.writes(destructive=True, idempotent=True)
def update_event(
    state: State,
    event_id: EventId,
    field: Annotated[ChangeableField, Field(description="Which field to change.")],
    new_value: Annotated[
        str,
        Field(
            description="The field's new value: a start as YYYY-MM-DD HH:MM:SS, a duration in minutes.",
            coerce_numbers_to_str=True,
        ),
    ],
) -> str:
    """Change one field of an event; its old value is replaced.

    The new value is stored as given, a participant's address in lower case.
    """
    required(event_id=event_id, new_value=new_value)
    value = new_value.lower() if field == "participant_email" else new_value
    state.save(state.get(Event, event_id).model_copy(update={field: value}))
    return f"Event {event_id} updated."


def _record(row: Event) -> EventRecord:
    return EventRecord(event_id=row.id, **row.model_dump(include=_SHOWN))


def _moment(name: str, text: str) -> datetime:
    if (when := moment(text)) is None:
        raise Rejected(f"{name} {quoted(text)} is not a time; write YYYY-MM-DD HH:MM:SS.")
    return when
