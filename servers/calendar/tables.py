"""The calendar: its tables, and the app whose surfaces are made over them."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from servers.kernel import App, Dated, Ref, Table

__all__ = ("Attendee", "Busy", "Calendar", "Event", "Response", "app")

Response = Literal["needs action", "accepted", "declined", "tentative"]


class Attendee(BaseModel):
    """Somebody who is invited, and what they said. `address` is in lower case."""

    address: str
    name: str = ""
    response: Response = "needs action"
    optional: bool = False


class Calendar(Table, name="calendars", ids="C{}"):
    """A calendar beside the main one. `owner` is an address: "" is the owner of the world, another one a colleague.

    Events without a calendar are in the main one, which has no row. A colleague's calendar says their time zone.
    """

    name: str
    zone: str = ""
    colour: str = ""
    owner: str = ""


class Busy(Table, name="busy", ids="B{}", noun="busy time"):
    """When a colleague is busy, where nothing more of it is known. `start` is in the time zone of the world's owner."""

    person: str
    start: datetime
    minutes: int


class Event(Table, name="events", ids="{:08d}"):
    """An event, a series of them, or one of a series that was changed on its own.

    `event_start` is YYYY-MM-DD HH:MM:SS, `duration` minutes, both as text. The start is the time that a clock on the
    wall shows in `zone` (IANA name; "" is the owner's): a weekly meeting at 09:30 stays at 09:30 when summer time
    begins, and moves for whoever lives elsewhere, as its people expect. A moment in UTC could not say that. All-day
    events start at 00:00, last whole days, and are on the same days in every zone.

    `participant_email` is the first of the `attendees`, and all that is known of them where that list is empty.
    Attendees are everybody but the owner, whose own answer is `response` ("": none is wanted). `organizer` is an
    address, "" where nobody said. A `free` event takes up no time.

    A series has a `recurrence`: an RRULE (RFC 5545) without UNTIL, which is the day `until` (included), so that it
    moves with the world; `event_start` is its first day. `skipped` are days that were deleted from it. One that was
    changed on its own is a row with `series`, the id of the series, and `original`, its day in it before the change.
    Days of a series are those of its own zone. Days of the month that a rule names (BYMONTHDAY) do not move with a
    world; where its start says them they need no name.
    """

    event_name: Dated
    participant_email: str
    event_start: Dated
    duration: str
    calendar: Annotated[str, Ref(Calendar)] = ""
    all_day: bool = False
    zone: str = ""
    location: str = ""
    description: Dated = ""
    organizer: str = ""
    attendees: list[Attendee] = Field(default=[])
    response: Literal["", "needs action", "accepted", "declined", "tentative"] = ""
    status: Literal["confirmed", "tentative", "cancelled"] = "confirmed"
    free: bool = False
    recurrence: str = ""
    until: date | None = None
    skipped: list[date] = Field(default=[])
    series: str = ""
    original: date | None = None


app = App(
    "calendar",
    "Search, create, change and delete the events in the user's calendar.",
    tables=(Event, Calendar, Busy),
)
app.toolset("workbench")  # the surface of the benchmark, whose figures stand
