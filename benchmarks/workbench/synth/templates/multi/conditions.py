"""When something is to be done: what website figures, tasks, mails, meetings and customers have to say."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any, Literal

from benchmarks.workbench.synth.office import Office, is_overdue
from benchmarks.workbench.synth.templates import find, website
from benchmarks.workbench.synth.templates.base import Values
from benchmarks.workbench.synth.templates.multi.people import named
from benchmarks.workbench.synth.templates.multi.pieces import When
from benchmarks.workbench.synth.templates.rows import daily, mails, where
from benchmarks.workbench.synth.templates.steps import Row
from harness.agents.reference import Worker

__all__ = ("changed", "crossed", "late", "out_of_touch", "silent", "unmet", "unplanned")

Comparison = Literal["more", "less"]


def _begin(today: date, window: str, value: Any) -> str:
    """The first day of the window: the date said, so many days ago, or this week's Monday."""
    if window == "week":
        return str(today - timedelta(days=today.weekday()))
    return str(value) if window == "date" else str(today - timedelta(days=value))


def crossed(window: Literal["date", "period", "week"], comparison: Comparison | None = None) -> When:
    """The metric was beyond the threshold on a day of the window; without a comparison given, a slot tells which."""

    def rows(office: Office, values: Values) -> bool:
        figures = daily(office, values["metric"], _begin(office.today, window, values.get(window)))
        return website.crossed(figures, comparison or values["comparison"], values["threshold"])

    async def tools(worker: Worker) -> bool:
        metric = await worker.slot("metric")
        value = None if window == "week" else await worker.slot(window)
        figures = await find.daily(worker, metric, _begin(worker.now.date(), window, value))
        side = comparison or await worker.slot("comparison")
        return website.crossed(figures, side, await worker.slot("threshold"))

    return When(rows, tools)


def _changed(office: Office, values: Values) -> bool:
    figures = office.daily[values["metric"]]
    return website.changed(figures, values["date"], office.ago(1), values["comparison"], values["threshold"])


async def _find_changed(worker: Worker) -> bool:
    metric, then = await worker.slot("metric"), await worker.slot("date")
    figures = await find.daily(worker, metric, then)
    side, percent = await worker.slot("comparison"), await worker.slot("threshold")
    return website.changed(figures, then, find.yesterday(worker), side, percent)


changed = When(_changed, _find_changed)
"""Yesterday the metric was higher, or lower, than on the date by more than the threshold, in percent."""


def late(owner: str, *, threshold: str = "", within: str = "") -> When:
    """Somebody has overdue tasks: at least as many as the slot `threshold` says, in the list that `within` says."""

    def count(tasks: Iterable[Row], today: date, place: str | None) -> int:
        return sum(1 for task in tasks if is_overdue(task, today) and place in (None, task["list_name"]))

    def rows(office: Office, values: Values) -> bool:
        who = named(owner).rows(office, values)
        overdue = count(where(office.tasks, assigned_to_email=who), office.today, values.get(within))
        return bool(overdue >= values.get(threshold, 1))

    async def tools(worker: Worker) -> bool:
        tasks = await find.tasks(worker, await named(owner).tools(worker))
        place = await worker.slot(within) if within else None
        least: int = await worker.slot(threshold) if threshold else 1
        return count(tasks, worker.now.date(), place) >= least

    return When(rows, tools)


def _silent(office: Office, values: Values) -> bool:
    who, first = office.people[values["sender"]], office.ago(values["period"])
    return not any(mail["sent_datetime"] >= first for mail in mails(office, address=who))


async def _find_silent(worker: Worker) -> bool:
    who = await named("sender").tools(worker)
    found = await find.mails(worker, who, await worker.slot("period"))
    return not any(mail["sender/recipient"] == who for mail in found)


silent = When(_silent, _find_silent)
"""The sender has not written during the last period."""


def _meets(office: Office, values: Values, first: str, last: str) -> bool:
    """Whether there is a meeting with the participant from the first day to the last."""
    who = office.people[values["participant"]]
    return any(first <= event["event_start"][:10] <= last for event in where(office.events, participant_email=who))


async def _find_meeting(worker: Worker, first: datetime, last: datetime) -> bool:
    return bool(await find.events(worker, await named("participant").tools(worker), first, last))


async def _find_unmet(worker: Worker) -> bool:
    return not await _find_meeting(worker, worker.now - timedelta(days=await worker.slot("period")), worker.now)


unmet = When(
    lambda office, values: not _meets(office, values, office.ago(values["period"]), office.ago(1)), _find_unmet
)
"""There was no meeting with the participant during the last period."""


async def _find_unplanned(worker: Worker) -> bool:
    midnight = datetime.fromisoformat(await worker.slot("date"))
    return not await _find_meeting(worker, worker.now, midnight + timedelta(days=1))


unplanned = When(lambda office, values: not _meets(office, values, str(office.today), values["date"]), _find_unplanned)
"""There is no meeting with the participant from today to the end of the date."""


def _out_of_touch(office: Office, values: Values) -> bool:
    row = where(office.customers, customer_name=values["customer"])[0]
    return bool(row["last_contact_date"] < office.ago(values["period"]))


async def _find_out_of_touch(worker: Worker) -> bool:
    row = await find.customer(worker, await worker.slot("customer"))
    return bool(row["last_contact_date"] < find.ago(worker, await worker.slot("period")))


out_of_touch = When(_out_of_touch, _find_out_of_touch)
"""The last contact with the customer is longer ago than the period."""
