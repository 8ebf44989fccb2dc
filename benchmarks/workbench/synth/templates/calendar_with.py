"""Calendar: meetings with one colleague, cancelled or newly made."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import acts, find, rows, steps
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.fields import (
    coming_day,
    meeting_length,
    meeting_title,
    participant,
    working_hour,
)
from benchmarks.workbench.synth.templates.slots import colleague
from benchmarks.workbench.synth.templates.steps import Step
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)

_MET = participant("There are meetings with nearly everybody.")


async def _find_with(worker: Worker) -> find.Found:
    who = await find.address(worker, await worker.slot("participant"))
    return await find.coming(worker, "participant_email", who)


def _cancel_next(office: Office, values: Values) -> Sequence[Step]:
    found = rows.coming(office, participant_email=office.people[values["participant"]])
    return steps.cancel(event for event in found[:1] if event["event_start"][:10] < values["date"])


async def _play_cancel_next(worker: Worker) -> None:
    if found := await _find_with(worker):
        date = await worker.slot("date")
        await acts.cancel(worker, [event for event in found[:1] if event["event_start"][:10] < date])


CANCEL_NEXT_WITH = Template(
    name="cancel-next-with",
    domains=("calendar",),
    wordings=(
        "I am not ready to talk with {participant}: cancel our next meeting if it is before {date}.",
        "I have nothing new to say to {participant}: our next meeting must go in case it takes place before {date}. "
        "Delete it then.",
        "Please look up when I meet {participant} next. Should that be before {date}, cancel the meeting.",
    ),
    slots={
        "participant": _MET,
        "date": coming_day(
            12,
            why="Without a day the request reads as one for the next meeting, whenever it is.",
            complete_without=True,
        ),
    },
    outcome=_cancel_next,
    program=_play_cancel_next,
    idle=2,
)


def _cancel_all(office: Office, values: Values) -> Sequence[Step]:
    return steps.cancel(rows.coming(office, participant_email=office.people[values["participant"]]))


async def _play_cancel_all(worker: Worker) -> None:
    await acts.cancel(worker, await _find_with(worker))


CANCEL_ALL_WITH = Template(
    name="cancel-all-with",
    domains=("calendar",),
    wordings=(
        "I have nothing left to discuss with {participant}. Cancel all our meetings that are still to come.",
        "{participant} is leaving the project. Please delete every meeting that the two of us still have ahead.",
        "Everything is settled with {participant}: please cancel every meeting of ours that is still to come.",
    ),
    slots={"participant": _MET},
    outcome=_cancel_all,
    program=_play_cancel_all,
)


def _book(office: Office, values: Values) -> Sequence[Step]:
    start = f"{values['date']} {values['time']}"
    return [steps.book(values["title"], office.people[values["participant"]], start, values["duration"])]


async def _play_book(worker: Worker) -> None:
    who = await find.address(worker, await worker.slot("participant"))
    start = f"{await worker.slot('date')} {await worker.slot('time')}"
    await acts.book(worker, await worker.slot("title"), who, start, await worker.slot("duration"))


BOOK_MEETING = Template(
    name="book-meeting",
    domains=("calendar",),
    wordings=(
        'Book a {duration} meeting called "{title}" with {participant} on {date} at {time}.',
        "Please put a {duration} meeting with {participant} in my calendar for {date} at {time}, with the title "
        '"{title}".',
        '{participant} and I agreed to meet on {date} at {time}. Schedule a {duration} meeting named "{title}" for us.',
    ),
    slots={
        "participant": colleague(
            "participant",
            dimension="goal",
            subdimension="target",
            why="Any colleague might be meant.",
        ),
        "date": coming_day(10),
        "time": working_hour("09:30:00", "10:00:00", "11:30:00", "12:30:00", "14:00:00", "15:30:00", "16:00:00"),
        "duration": meeting_length(20, 30, 45, 60, 75, 90),
        "title": meeting_title(
            "Ideas for autumn",
            "Second opinion",
            "Walk and talk",
            "Your first month",
            "Tools we could drop",
            "Before the audit",
            "Sorting out the rota",
        ),
    },
    outcome=_book,
    program=_play_book,
)

TEMPLATES: tuple[Template, ...] = (CANCEL_NEXT_WITH, CANCEL_ALL_WITH, BOOK_MEETING)
