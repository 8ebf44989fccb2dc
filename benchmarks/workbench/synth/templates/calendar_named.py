"""Calendar: meetings known by their name, the next one or all that are to come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.workbench.synth import names
from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import acts, find, rows, steps
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.fields import NEW_TITLE, coming_day
from benchmarks.workbench.synth.templates.slots import quoted
from benchmarks.workbench.synth.templates.steps import Step
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)


async def _soon(worker: Worker) -> Mapping[str, str]:
    """Names of a few meetings to come, enough to guess from."""
    found = await worker.call("calendar", "search_events", time_min=str(worker.now))
    return {event["event_name"]: event["event_name"] for event in found}


_MEETING = quoted(
    "event_name",
    "input",
    "identifier",
    names.EVENTS,
    role="meeting name",
    why="Some two dozen names are in use.",
    words=_soon,
)
"""Meetings that have been given one name. Wordings go on to speak of "that name", so that one misses it."""


def _cancel_next(office: Office, values: Values) -> Sequence[Step]:
    return steps.cancel(rows.coming(office, event_name=values["meeting"])[:1])


async def _play_cancel_next(worker: Worker) -> None:
    found = await find.coming(worker, "event_name", await worker.slot("meeting"))
    await acts.cancel(worker, found[:1])


CANCEL_NEXT_NAMED = Template(
    name="cancel-next-named",
    domains=("calendar",),
    wordings=(
        'I have no time for "{meeting}". Cancel the next meeting of that name.',
        'The next "{meeting}" in my calendar is not going to happen. Please delete it.',
        'There is no need for "{meeting}" this time: please cancel the next meeting of that name.',
    ),
    slots={"meeting": _MEETING},
    outcome=_cancel_next,
    program=_play_cancel_next,
)


def _rename_next(office: Office, values: Values) -> Sequence[Step]:
    found = rows.coming(office, event_name=values["meeting"])
    return steps.change_events(found[:1], "event_name", values["title"])


async def _play_rename_next(worker: Worker) -> None:
    if found := await find.coming(worker, "event_name", await worker.slot("meeting")):
        await acts.change_events(worker, found[:1], "event_name", await worker.slot("title"))


RENAME_NEXT_NAMED = Template(
    name="rename-next-named",
    domains=("calendar",),
    wordings=(
        'There is some confusion about "{meeting}". Rename the next meeting of that name to "{title}".',
        'The next "{meeting}" in my calendar needs another name. Call it "{title}".',
        'Please look for "{meeting}" in my calendar and change the name of the next one to "{title}".',
    ),
    slots={"meeting": _MEETING, "title": NEW_TITLE},
    outcome=_rename_next,
    program=_play_rename_next,
)


def _cancel_later(office: Office, values: Values) -> Sequence[Step]:
    found = rows.coming(office, event_name=values["meeting"])
    return steps.cancel(event for event in found if event["event_start"][:10] > values["date"])


async def _play_cancel_later(worker: Worker) -> None:
    if found := await find.coming(worker, "event_name", await worker.slot("meeting")):
        last_kept = await worker.slot("date")
        await acts.cancel(worker, [event for event in found if event["event_start"][:10] > last_kept])


CANCEL_LATER_NAMED = Template(
    name="cancel-later-named",
    domains=("calendar",),
    wordings=(
        'We have dropped "{meeting}": cancel every meeting of that name that I have after {date}.',
        'We no longer hold "{meeting}". Please delete every meeting of that name that I have in my calendar after '
        "{date}.",
        '"{meeting}" is not needed any more after {date}: please cancel all meetings of that name that come later.',
    ),
    slots={
        "meeting": _MEETING,
        "date": coming_day(
            14,
            why="Without a day the request reads as one for all that are to come.",
            complete_without=True,
        ),
    },
    outcome=_cancel_later,
    program=_play_cancel_later,
    idle=2,
)

TEMPLATES: tuple[Template, ...] = (CANCEL_NEXT_NAMED, RENAME_NEXT_NAMED, CANCEL_LATER_NAMED)
