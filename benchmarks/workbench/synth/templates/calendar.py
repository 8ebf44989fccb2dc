"""Calendar: clearing a part of a day, and meeting somebody whom one has not met for a while."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import find
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.slots import choice, clock, day, duration, period, person, quoted
from benchmarks.workbench.synth.templates.steps import Step, book, cancel
from harness.agents.reference import Worker

__all__ = (
    "TEMPLATES",
    "usual_length",
)


def _hit(start: str, side: str, time: str) -> bool:
    """Whether a meeting that starts then falls on that side of the clock time."""
    clock = start[11:]
    return clock < time if side == "before" else clock >= time


def _clear(office: Office, values: Values) -> Sequence[Step]:
    events = office.by_day.get(date.fromisoformat(values["date"]), ())
    return [cancel(event) for event in events if _hit(event["event_start"], values["comparison"], values["time"])]


async def _play_clear(worker: Worker) -> None:
    events = await find.events_on(worker, date.fromisoformat(await worker.slot("date")))
    if events:
        side, time = await worker.slot("comparison"), await worker.slot("time")
        for event in events:
            if _hit(event["event_start"], side, time):
                await worker.call("calendar", "delete_event", event_id=event["event_id"])


CLEAR_PART_OF_DAY = Template(
    name="clear-part-of-day",
    domains=("calendar",),
    wordings=(
        "I am away for a part of {date}. Cancel the meetings I have that day that start {comparison} {time}.",
        "Something has come up on {date}: whatever I have in my calendar that day starting {comparison} {time} "
        "has to be cancelled.",
        "My plans for {date} have changed. Please delete the meetings of that day which begin {comparison} {time}.",
    ),
    slots={
        "date": day(
            "date",
            lambda office: office.workdays(12),
            dimension="constraint",
            subdimension="temporal",
            why="Any coming day might be meant.",
        ),
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
    met = any(
        event["participant_email"] == who and since <= event["event_start"][:10] < str(office.today)
        for event in office.events
    )
    if met:
        return []
    return [book(values["title"], who, office.first_slot(values["duration"]), values["duration"])]


async def _play_catch_up(worker: Worker) -> None:
    who = await find.address(worker, await worker.slot("participant"))
    since = worker.now - timedelta(days=await worker.slot("period"))
    if await find.events(worker, who, since, worker.now):
        return
    title, minutes = await worker.slot("title"), await worker.slot("duration")
    await worker.call(
        "calendar",
        "create_event",
        event_name=title,
        participant_email=who,
        event_start=await find.first_slot(worker, minutes),
        duration=str(minutes),
    )


async def usual_length(worker: Worker) -> int | None:
    """How long the latest meeting with the participant took."""
    who = await find.address(worker, await worker.slot("participant"))
    past = await find.events(worker, who, worker.now - timedelta(days=120), worker.now)
    return int(past[-1]["duration"]) if past else None


CATCH_UP = Template(
    name="catch-up",
    domains=("calendar",),
    wordings=(
        "If I have not met {participant} during the last {period}, put a {duration} meeting with them called "
        '"{title}" into my first free slot from tomorrow.',
        "Have I met {participant} in the past {period}? If not, book us a {duration} meeting named "
        '"{title}" at the earliest time I am free from tomorrow on.',
        "Look up whether I had a meeting with {participant} over the last {period}. If there was none, schedule "
        'a {duration} one with the title "{title}" for the first gap in my calendar from tomorrow.',
    ),
    slots={
        "participant": person(
            "participant",
            lambda office: list(office.people),
            dimension="input",
            subdimension="identifier",
            why="Any colleague might be meant.",
        ),
        "period": period(
            (4, 7, 14, 21, 28, 42, 56),
            dimension="constraint",
            subdimension="temporal",
            why="How long is too long is the user's own view.",
            complete_without=True,
        ),
        "duration": duration(
            (30, 45, 60, 90),
            dimension="constraint",
            subdimension="numeric_bound",
            guessability=0.5,
            why="Half an hour is common, and earlier meetings with the same colleague hint at it.",
            explore=usual_length,
        ),
        "title": quoted(
            "event_name",
            "goal",
            "content",
            (
                "Catching up",
                "Coffee and questions",
                "Where do we stand",
                "Open points",
                "Quick sync",
                "Next quarter",
            ),
            why="Nothing in the workplace tells what to call the meeting.",
        ),
    },
    outcome=_catch_up,
    program=_play_catch_up,
    idle=4,
)

TEMPLATES = (CLEAR_PART_OF_DAY, CATCH_UP)
