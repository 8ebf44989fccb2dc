"""Calendar: the first or the last meeting of a day, cancelled, renamed or put off."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from benchmarks.workbench.synth.office import CLOSES, Office
from benchmarks.workbench.synth.templates import acts, find, rows, steps
from benchmarks.workbench.synth.templates.base import SlotSpec, Template, Values
from benchmarks.workbench.synth.templates.fields import NEW_TITLE, coming_day, participant
from benchmarks.workbench.synth.templates.steps import Step
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)

_DAY = coming_day(15)
"""Wordings go on to speak of "that day", so that one misses a date that is not given."""


def _cancel_first(office: Office, values: Values) -> Sequence[Step]:
    return steps.cancel(rows.on_day(office, values["date"])[:1])


async def _play_cancel_first(worker: Worker) -> None:
    await acts.cancel(worker, (await find.on_day(worker, await worker.slot("date")))[:1])


CANCEL_FIRST = Template(
    name="cancel-first",
    domains=("calendar",),
    wordings=(
        "My train gets in late on {date}. Cancel the first meeting I have that day.",
        "I have to start later than usual on {date}, so please delete the first meeting of that day.",
        "There is a change of plans for {date}: whichever meeting comes first that day should be cancelled.",
    ),
    slots={"date": _DAY},
    outcome=_cancel_first,
    program=_play_cancel_first,
)


def _rename_last(office: Office, values: Values) -> Sequence[Step]:
    return steps.change_events(rows.on_day(office, values["date"])[-1:], "event_name", values["title"])


async def _play_rename_last(worker: Worker) -> None:
    if events := await find.on_day(worker, await worker.slot("date")):
        await acts.change_events(worker, events[-1:], "event_name", await worker.slot("title"))


RENAME_LAST = Template(
    name="rename-last",
    domains=("calendar",),
    wordings=(
        'Look at my calendar for {date} and rename the last meeting of that day to "{title}".',
        'The agenda for {date} has changed: the last meeting that day needs another name. Call it "{title}".',
        'Our plans for {date} are different now. Please give the last meeting of that day the name "{title}".',
    ),
    slots={"date": _DAY, "title": NEW_TITLE},
    outcome=_rename_last,
    program=_play_rename_last,
)


def _later(start: str, lasts: str, minutes: int) -> str:
    """The start put off, "" where the meeting would end after working hours."""
    begin = datetime.fromisoformat(start) + timedelta(minutes=minutes)
    return str(begin) if begin + timedelta(minutes=int(lasts)) <= datetime.combine(begin, CLOSES) else ""


def _put_off(office: Office, values: Values) -> Sequence[Step]:
    who = office.people[values["participant"]]
    for event in rows.where(rows.on_day(office, values["date"]), participant_email=who)[:1]:
        if start := _later(event["event_start"], event["duration"], values["delay"]):
            return steps.change_events([event], "event_start", start)
    return []


async def _play_put_off(worker: Worker) -> None:
    who = await find.address(worker, await worker.slot("participant"))
    for event in rows.where(await find.on_day(worker, await worker.slot("date")), participant_email=who)[:1]:
        if start := _later(event["event_start"], event["duration"], await worker.slot("delay")):
            await acts.change_events(worker, [event], "event_start", start)


PUT_OFF = Template(
    name="put-off",
    domains=("calendar",),
    wordings=(
        "My schedule for {date} is slipping, and {participant} will have to wait. Postpone our first meeting that "
        "day by {delay}, unless it would then end after working hours.",
        "I cannot be as early as I thought on {date}: the first meeting that {participant} and I have that day has to "
        "start {delay} later. Leave it alone if that takes it beyond working hours.",
        "There is a clash for {participant} on {date}. Please push our first meeting that day back by {delay}, as "
        "long as it still ends within working hours.",
    ),
    slots={
        "date": _DAY,
        "participant": participant("There are meetings with nearly everybody."),
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
