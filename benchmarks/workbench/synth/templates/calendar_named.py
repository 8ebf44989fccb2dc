"""Calendar: meetings known by their name, the next one or all that are to come."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.calendar_coming import (
    change,
    change_by_tool,
    coming,
    find_coming,
    meeting,
    new_title,
)  # fmt: skip
from benchmarks.workbench.synth.templates.slots import day
from benchmarks.workbench.synth.templates.steps import Step, cancel
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)


def _cancel_next(office: Office, values: Values) -> Sequence[Step]:
    return [cancel(event) for event in coming(office, "event_name", values["meeting"])[:1]]


async def _play_cancel_next(worker: Worker) -> None:
    for event in (await find_coming(worker, "event_name", await worker.slot("meeting")))[:1]:
        await worker.call("calendar", "delete_event", event_id=event["event_id"])


CANCEL_NEXT_NAMED = Template(
    name="cancel-next-named",
    domains=("calendar",),
    wordings=(
        'I have no time for "{meeting}". Cancel the next meeting of that name.',
        'The next "{meeting}" in my calendar is not going to happen. Please delete it.',
        'There is no need for "{meeting}" this time: please cancel the next meeting of that name.',
    ),
    slots={"meeting": meeting()},
    outcome=_cancel_next,
    program=_play_cancel_next,
)


def _rename_next(office: Office, values: Values) -> Sequence[Step]:
    found = coming(office, "event_name", values["meeting"])
    return [change(event, "event_name", values["title"]) for event in found[:1]]


async def _play_rename_next(worker: Worker) -> None:
    for event in (await find_coming(worker, "event_name", await worker.slot("meeting")))[:1]:
        await change_by_tool(worker, event, "event_name", await worker.slot("title"))


RENAME_NEXT_NAMED = Template(
    name="rename-next-named",
    domains=("calendar",),
    wordings=(
        'There is some confusion about "{meeting}". Rename the next meeting of that name to "{title}".',
        'The next "{meeting}" in my calendar needs another name. Call it "{title}".',
        'Please look for "{meeting}" in my calendar and change the name of the next one to "{title}".',
    ),
    slots={"meeting": meeting(), "title": new_title()},
    outcome=_rename_next,
    program=_play_rename_next,
)


def _cancel_later(office: Office, values: Values) -> Sequence[Step]:
    found = coming(office, "event_name", values["meeting"])
    return [cancel(event) for event in found if event["event_start"][:10] > values["date"]]


async def _play_cancel_later(worker: Worker) -> None:
    found = await find_coming(worker, "event_name", await worker.slot("meeting"))
    if found:
        last_kept = await worker.slot("date")
        for event in found:
            if event["event_start"][:10] > last_kept:
                await worker.call("calendar", "delete_event", event_id=event["event_id"])


CANCEL_LATER_NAMED = Template(
    name="cancel-later-named",
    domains=("calendar",),
    wordings=(
        'We lost interest in "{meeting}": cancel every meeting of that name that I have after {date}.',
        'We stop holding "{meeting}". Please delete whatever of that name I have in my calendar after {date}.',
        '"{meeting}" is not needed any more after {date}: please cancel all meetings of that name that come later.',
    ),
    slots={
        "meeting": meeting(),
        "date": day(
            "date",
            lambda office: office.workdays(14),
            dimension="constraint",
            subdimension="temporal",
            why="Without a day the request reads as one for all that are to come.",
            complete_without=True,
        ),
    },
    outcome=_cancel_later,
    program=_play_cancel_later,
    idle=2,
)

TEMPLATES: tuple[Template, ...] = (CANCEL_NEXT_NAMED, RENAME_NEXT_NAMED, CANCEL_LATER_NAMED)
