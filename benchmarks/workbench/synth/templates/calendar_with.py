"""Calendar: meetings with one colleague, cancelled or newly made."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import find
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.calendar import usual_length
from benchmarks.workbench.synth.templates.calendar_coming import coming, find_coming, participant
from benchmarks.workbench.synth.templates.slots import clock, day, duration, person, quoted
from benchmarks.workbench.synth.templates.steps import Step, book, cancel
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)


async def _find_with(worker: Worker) -> find.Found:
    who = await find.address(worker, await worker.slot("participant"))
    return await find_coming(worker, "participant_email", who)


def _cancel_next(office: Office, values: Values) -> Sequence[Step]:
    found = coming(office, "participant_email", office.people[values["participant"]])
    return [cancel(event) for event in found[:1] if event["event_start"][:10] < values["date"]]


async def _play_cancel_next(worker: Worker) -> None:
    for event in (await _find_with(worker))[:1]:
        if event["event_start"][:10] < await worker.slot("date"):
            await worker.call("calendar", "delete_event", event_id=event["event_id"])


CANCEL_NEXT_WITH = Template(
    name="cancel-next-with",
    domains=("calendar",),
    wordings=(
        "I am not ready to talk with {participant}: cancel my next meeting with them if it is before {date}.",
        "I have nothing new to say to {participant}: my next meeting with them must go in case it takes place before "
        "{date}. Delete it then.",
        "Please look up when I meet {participant} next. Should that be before {date}, cancel the meeting.",
    ),
    slots={
        "participant": participant(),
        "date": day(
            "date",
            lambda office: office.workdays(12),
            dimension="constraint",
            subdimension="temporal",
            why="Without a day the request reads as one for the next meeting, whenever it is.",
            complete_without=True,
        ),
    },
    outcome=_cancel_next,
    program=_play_cancel_next,
    idle=2,
)


def _cancel_all(office: Office, values: Values) -> Sequence[Step]:
    return [cancel(event) for event in coming(office, "participant_email", office.people[values["participant"]])]


async def _play_cancel_all(worker: Worker) -> None:
    for event in await _find_with(worker):
        await worker.call("calendar", "delete_event", event_id=event["event_id"])


CANCEL_ALL_WITH = Template(
    name="cancel-all-with",
    domains=("calendar",),
    wordings=(
        "I have nothing left to discuss with {participant}. Cancel all the meetings with them that are still to come.",
        "{participant} is going to leave us. Please delete every future meeting I have with them.",
        "All is settled with {participant}: please cancel every meeting with them that lies ahead.",
    ),
    slots={"participant": participant()},
    outcome=_cancel_all,
    program=_play_cancel_all,
)


def _book(office: Office, values: Values) -> Sequence[Step]:
    start = f"{values['date']} {values['time']}"
    return [book(values["title"], office.people[values["participant"]], start, values["duration"])]


async def _play_book(worker: Worker) -> None:
    who = await find.address(worker, await worker.slot("participant"))
    start = f"{await worker.slot('date')} {await worker.slot('time')}"
    await find.book(worker, await worker.slot("title"), who, start, await worker.slot("duration"))


BOOK_MEETING = Template(
    name="book-meeting",
    domains=("calendar",),
    wordings=(
        'Book a {duration} meeting called "{title}" with {participant} on {date} at {time}.',
        "Please put a {duration} meeting with {participant} into my calendar for {date} at {time}, with the title "
        '"{title}".',
        '{participant} and I agreed to meet on {date} at {time}. Schedule a {duration} meeting named "{title}" for us.',
    ),
    slots={
        "participant": person(
            "participant",
            lambda office: list(office.people),
            dimension="goal",
            subdimension="target",
            why="Any colleague might be meant.",
        ),
        "date": day(
            "date",
            lambda office: office.workdays(10),
            dimension="constraint",
            subdimension="temporal",
            why="Any coming day might be meant.",
        ),
        "time": clock(
            ("09:30:00", "10:00:00", "11:30:00", "12:30:00", "14:00:00", "15:30:00", "16:00:00"),
            dimension="constraint",
            subdimension="precision",
            why="Any working hour might be meant.",
        ),
        "duration": duration(
            (20, 30, 45, 60, 75, 90),
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
                "Ideas for autumn",
                "Second opinion",
                "Walk and talk",
                "Your first month",
                "Tools we could drop",
                "Before the audit",
                "Sorting out the rota",
            ),
            why="Nothing in the workplace tells what to call the meeting.",
        ),
    },
    outcome=_book,
    program=_play_book,
)

TEMPLATES: tuple[Template, ...] = (CANCEL_NEXT_WITH, CANCEL_ALL_WITH, BOOK_MEETING)
