"""Calendar: clearing a part of a day, and meeting somebody whom one has not met for a while."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import acts, find, rows, steps
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.fields import (
    coming_day,
    how_long_ago,
    meeting_length,
    meeting_title,
    participant,
)
from benchmarks.workbench.synth.templates.slots import choice, clock
from benchmarks.workbench.synth.templates.steps import Step
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)


def _hit(start: str, side: str, time: str) -> bool:
    """Whether a meeting that starts then falls on that side of the clock time."""
    clock = start[11:]
    return clock < time if side == "before" else clock >= time


def _clear(office: Office, values: Values) -> Sequence[Step]:
    events = rows.on_day(office, values["date"])
    return steps.cancel(event for event in events if _hit(event["event_start"], values["comparison"], values["time"]))


async def _play_clear(worker: Worker) -> None:
    if events := await find.on_day(worker, await worker.slot("date")):
        side, time = await worker.slot("comparison"), await worker.slot("time")
        await acts.cancel(worker, [event for event in events if _hit(event["event_start"], side, time)])


CLEAR_PART_OF_DAY = Template(
    name="clear-part-of-day",
    domains=("calendar",),
    wordings=(
        "I am away for a part of {date}. Cancel the meetings I have that day that start {comparison} {time}.",
        "Something has come up on {date}: whatever I have in my calendar that day starting {comparison} {time} "
        "has to be cancelled.",
        "My plans for {date} have changed. Please delete that day's meetings that start {comparison} {time}.",
    ),
    slots={
        "date": coming_day(12),
        "comparison": choice(
            "comparison",
            {"before": "before", "no earlier than": "from", "at or after": "from", "after": "from", "from": "from"},
            dimension="constraint",
            subdimension="selection",
            why="Either part of a day might be meant.",
        ),
        "time": clock(
            ("10:00:00", "11:00:00", "12:00:00", "13:30:00", "14:30:00", "15:00:00", "16:00:00"),
            dimension="constraint",
            subdimension="numeric_bound",
            why="Any hour might be meant, though meetings are few enough that some hours come to the same.",
        ),
    },
    outcome=_clear,
    program=_play_clear,
    idle=2,
)


def _catch_up(office: Office, values: Values) -> Sequence[Step]:
    who, since = office.people[values["participant"]], office.ago(values["period"])
    meetings = rows.where(office.events, participant_email=who)
    if any(since <= event["event_start"][:10] < str(office.today) for event in meetings):
        return []
    return [steps.book(values["title"], who, office.first_slot(values["duration"]), values["duration"])]


async def _play_catch_up(worker: Worker) -> None:
    who = await find.address(worker, await worker.slot("participant"))
    since = worker.now - timedelta(days=await worker.slot("period"))
    if await find.events(worker, who, since, worker.now):
        return
    title, minutes = await worker.slot("title"), await worker.slot("duration")
    await acts.book(worker, title, who, await find.first_slot(worker, minutes), minutes)


CATCH_UP = Template(
    name="catch-up",
    domains=("calendar",),
    wordings=(
        "If I have not met {participant} during the last {period}, put a {duration} meeting for the two of us called "
        '"{title}" in my first free slot from tomorrow.',
        "Have I met {participant} in the past {period}? If not, book us a {duration} meeting named "
        '"{title}" at the earliest time I am free from tomorrow.',
        "Look up whether I had a meeting with {participant} over the last {period}. If there was none, schedule "
        'a {duration} one with the title "{title}" for the first gap in my calendar from tomorrow.',
    ),
    slots={
        "participant": participant(),
        "period": how_long_ago((4, 7, 14, 21, 28, 42, 56)),
        "duration": meeting_length(30, 45, 60, 90),
        "title": meeting_title(
            "Catching up",
            "Coffee and questions",
            "Where do we stand",
            "Open points",
            "Quick sync",
            "Next quarter",
        ),
    },
    outcome=_catch_up,
    program=_play_catch_up,
    idle=4,
)

TEMPLATES = (CLEAR_PART_OF_DAY, CATCH_UP)
