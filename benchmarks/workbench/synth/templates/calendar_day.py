"""Calendar: the first or the last meeting of a day, cancelled, renamed or put off."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from benchmarks.workbench.synth.office import CLOSES, Office
from benchmarks.workbench.synth.templates import find
from benchmarks.workbench.synth.templates.base import SlotSpec, Template, Values
from benchmarks.workbench.synth.templates.calendar_coming import change, change_by_tool, new_title, participant
from benchmarks.workbench.synth.templates.slots import day
from benchmarks.workbench.synth.templates.steps import Row, Step, cancel
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)


def _day() -> SlotSpec:
    """Wordings go on to speak of "that day", so that one misses a date that is not given."""
    return day(
        "date",
        lambda office: office.workdays(15),
        dimension="constraint",
        subdimension="temporal",
        why="Any coming day might be meant.",
    )


def _on(office: Office, values: Values) -> list[Row]:
    """Events of the day, first one first."""
    events = office.by_day.get(date.fromisoformat(values["date"]), ())
    return sorted(events, key=lambda event: str(event["event_start"]))


async def _find_on(worker: Worker) -> find.Found:
    return await find.events_on(worker, date.fromisoformat(await worker.slot("date")))


def _cancel_first(office: Office, values: Values) -> Sequence[Step]:
    return [cancel(event) for event in _on(office, values)[:1]]


async def _play_cancel_first(worker: Worker) -> None:
    for event in (await _find_on(worker))[:1]:
        await worker.call("calendar", "delete_event", event_id=event["event_id"])


CANCEL_FIRST = Template(
    name="cancel-first",
    domains=("calendar",),
    wordings=(
        "My train gets in late on {date}. Cancel the first meeting I have that day.",
        "I have to start later than usual on {date}, so please delete the first meeting of that day.",
        "There is a change of plans for {date}: whichever meeting comes first that day should be cancelled.",
    ),
    slots={"date": _day()},
    outcome=_cancel_first,
    program=_play_cancel_first,
)


def _rename_last(office: Office, values: Values) -> Sequence[Step]:
    return [change(event, "event_name", values["title"]) for event in _on(office, values)[-1:]]


async def _play_rename_last(worker: Worker) -> None:
    for event in (await _find_on(worker))[-1:]:
        await change_by_tool(worker, event, "event_name", await worker.slot("title"))


RENAME_LAST = Template(
    name="rename-last",
    domains=("calendar",),
    wordings=(
        'Look at my calendar for {date} and rename the last meeting of that day to "{title}".',
        'The agenda for {date} has changed: the last meeting that day needs another name. Call it "{title}".',
        'Our plans for {date} are different now. Please give the last meeting of that day the name "{title}".',
    ),
    slots={"date": _day(), "title": new_title()},
    outcome=_rename_last,
    program=_play_rename_last,
)


def _later(start: str, lasts: str, minutes: int) -> str:
    """The start put off, "" where the meeting would end after working hours."""
    begin = datetime.fromisoformat(start) + timedelta(minutes=minutes)
    return str(begin) if begin + timedelta(minutes=int(lasts)) <= datetime.combine(begin, CLOSES) else ""


def _put_off(office: Office, values: Values) -> Sequence[Step]:
    who = office.people[values["participant"]]
    first = [event for event in _on(office, values) if event["participant_email"] == who][:1]
    moved = [(event, _later(event["event_start"], event["duration"], values["delay"])) for event in first]
    return [change(event, "event_start", start) for event, start in moved if start]


async def _play_put_off(worker: Worker) -> None:
    who = await find.address(worker, await worker.slot("participant"))
    for event in [event for event in await _find_on(worker) if event["participant_email"] == who][:1]:
        if start := _later(event["event_start"], event["duration"], await worker.slot("delay")):
            await change_by_tool(worker, event, "event_start", start)


PUT_OFF = Template(
    name="put-off",
    domains=("calendar",),
    wordings=(
        "My schedule for {date} is slipping, and {participant} will have to wait. Postpone the first meeting I have "
        "with them that day by {delay}, unless it would then end after working hours.",
        "I cannot be as early as I thought on {date}: the first meeting that {participant} and I have that day has to "
        "start {delay} later. Leave it alone if that takes it beyond working hours.",
        "There is a clash for {participant} on {date}. Please push the first meeting I have with them that day back by "
        "{delay}, as long as it still ends within working hours.",
    ),
    slots={
        "date": _day(),
        "participant": participant(),
        "delay": SlotSpec(
            kind="duration",
            role="delay",
            dimension="constraint",
            subdimension="numeric_bound",
            domain=lambda _: (15, 20, 30, 45, 60, 90),
            text=lambda minutes: f"{minutes} minutes",
            guessability=0.5,
            why="Half an hour is common.",
        ),
    },
    outcome=_put_off,
    program=_play_put_off,
    idle=1,
)

TEMPLATES: tuple[Template, ...] = (CANCEL_FIRST, RENAME_LAST, PUT_OFF)
