"""Website analytics: plots if a figure changed by so much between two days, or by more than another."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from benchmarks.workbench.synth.office import METRICS, Office
from benchmarks.workbench.synth.templates import acts, find, steps
from benchmarks.workbench.synth.templates.base import SlotSpec, Template, Values
from benchmarks.workbench.synth.templates.slots import choice, day
from benchmarks.workbench.synth.templates.steps import Step
from benchmarks.workbench.synth.templates.website import Figures, changed, outgrew
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)

_MAIN = ("total_visits", "session_duration_seconds", "user_engaged", "visits_direct")
"""Figures that are hardly ever zero, so that their growth has a percentage."""

_UP_OR_DOWN = {
    "rose": "up", "fell": "down", "up": "up", "down": "down", "higher": "up", "lower": "down", "more": "up",
    "less": "down", "increased": "up", "decreased": "down", "grew": "up", "dropped": "down",
}  # fmt: skip


def _measured(office: Office, days: Sequence[int], *, back: int = 0) -> list[str]:
    """So many days ago, as far as each main figure was above zero that day, or the given number of days before it."""

    def measured(day: str) -> bool:
        return all(office.daily[key].get(day, 0) > 0 for key in _MAIN)

    return [office.ago(n) for n in days if measured(office.ago(n + back))]


def _last_weekday(back: int = 0, **record: Any) -> SlotSpec:
    """One of the last seven days but yesterday, by the name of the weekday."""
    return SlotSpec(
        kind="date",
        domain=lambda office: _measured(office, range(2, 8), back=back),
        text=lambda value: f"last {date.fromisoformat(value):%A}",
        dimension="constraint",
        subdimension="temporal",
        why="Any day of the past week might be meant.",
        **record,
    )


def _figure(**record: Any) -> SlotSpec:
    return choice(
        "metric",
        {METRICS[key]: key for key in _MAIN},
        dimension="goal",
        subdimension="target",
        why="Several figures could be compared and plotted.",
        **record,
    )


def _direction() -> SlotSpec:
    return choice(
        "comparison",
        _UP_OR_DOWN,
        role="direction",
        dimension="constraint",
        subdimension="selection",
        why="A rise and a fall are both worth knowing of.",
    )


def _percent() -> SlotSpec:
    return SlotSpec(
        kind="threshold",
        role="percentage",
        domain=lambda _: (5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 120),
        text=lambda value: f"{value}%",
        dimension="constraint",
        subdimension="numeric_bound",
        why="How much is too much is the user's own view.",
        complete_without=True,
    )


async def _to_see(worker: Worker, figures: Figures, then: str, now: str) -> bool:
    """Whether the figure of the later day differs from that of the earlier as the request has it."""
    return changed(figures, then, now, await worker.slot("comparison"), await worker.slot("percent"))


def _plot_if_changed(office: Office, values: Values) -> Sequence[Step]:
    return _plot_between(office, values, values["date"], office.ago(1))


def _plot_between(office: Office, values: Values, first: str, last: str) -> Sequence[Step]:
    key = values["metric"]
    if not changed(office.daily[key], first, last, values["comparison"], values["percent"]):
        return []
    return [steps.plot(first, last, key, "line")]


async def _play_plot_if_changed(worker: Worker) -> None:
    key, first = await worker.slot("metric"), await worker.slot("date")
    if await _to_see(worker, await find.daily(worker, key, first), first, find.yesterday(worker)):
        await acts.plot(worker, first, find.yesterday(worker), key, "line")


PLOT_IF_CHANGED = Template(
    name="plot-if-changed",
    domains=("analytics",),
    wordings=(
        "If {metric} {comparison} by more than {percent} from {date} to yesterday, make a line plot of it for that "
        "time.",
        "Compare yesterday with {date}: should it turn out that {metric} {comparison} by more than {percent}, show me "
        "a line plot of it from the earlier day on.",
        "Check whether {metric} {comparison} by more than {percent} since {date}, going by yesterday's value. "
        "If so, I want to see a line plot from that day on.",
    ),
    slots={
        "metric": _figure(),
        "comparison": _direction(),
        "percent": _percent(),
        "date": day(
            "date",
            lambda office: _measured(office, (9, 11, 12, 14, 16, 18, 21, 24, 27, 32, 38, 45)),
            role="start date",
            dimension="constraint",
            subdimension="temporal",
            why="Any past day might be meant.",
        ),
    },
    outcome=_plot_if_changed,
    program=_play_plot_if_changed,
    idle=5,
)

PLOT_IF_CHANGED_LATELY = Template(
    name="plot-if-changed-lately",
    domains=("analytics",),
    wordings=(
        "How does yesterday look against {date}? If {metric} {comparison} by more than {percent} between the two, make "
        "a line plot of it since then.",
        "Has anything happened since {date}? See whether {metric} {comparison} by more than {percent} from that day to "
        "yesterday, and if so, draw a line plot of the time in between, including both days.",
        "Take yesterday's figures and those of {date}. In case {metric} {comparison} by more than {percent} from the "
        "one day to the other, I would like a line plot that begins with the earlier day.",
    ),
    slots={
        "metric": _figure(),
        "comparison": _direction(),
        "percent": _percent(),
        "date": _last_weekday(role="start date"),
    },
    outcome=_plot_if_changed,
    program=_play_plot_if_changed,
    idle=5,
)


def _week_before(day: str) -> str:
    return str(date.fromisoformat(day) - timedelta(days=7))


def _plot_week_on_week(office: Office, values: Values) -> Sequence[Step]:
    return _plot_between(office, values, _week_before(values["date"]), values["date"])


async def _play_plot_week_on_week(worker: Worker) -> None:
    key, last = await worker.slot("metric"), await worker.slot("date")
    first = _week_before(last)
    if await _to_see(worker, await find.daily(worker, key, first), first, last):
        await acts.plot(worker, first, last, key, "line")


PLOT_WEEK_ON_WEEK = Template(
    name="plot-week-on-week",
    domains=("analytics",),
    wordings=(
        "I have to explain the figures for {date}. If {metric} {comparison} by more than {percent} compared with the "
        "same day one week earlier, make a line plot from that earlier day to the later one.",
        "I am writing the report for {date}. In case {metric} {comparison} by more than {percent} from the same day of "
        "the week before to that day, show me a line plot from the one to the other.",
        "My question is about the figures from {date}. If {metric} {comparison} by more than {percent} against the "
        "same weekday of the week before, I want a line plot of these two days and those in between.",
    ),
    slots={
        "date": _last_weekday(back=7),
        "metric": _figure(),
        "comparison": _direction(),
        "percent": _percent(),
    },
    outcome=_plot_week_on_week,
    program=_play_plot_week_on_week,
    idle=5,
)


def _plot_if_outgrew(office: Office, values: Values) -> Sequence[Step]:
    keys, first, last = [values["first"], values["second"]], values["date"], office.ago(1)
    if not outgrew([office.daily[key] for key in keys], first, last):
        return []
    return [steps.plot(first, last, key, "line") for key in keys]


async def _play_plot_if_outgrew(worker: Worker) -> None:
    keys, first = [await worker.slot("first"), await worker.slot("second")], await worker.slot("date")
    last, figures = find.yesterday(worker), [await find.daily(worker, key, first) for key in keys]
    if outgrew(figures, first, last):
        for key in keys:
            await acts.plot(worker, first, last, key, "line")


PLOT_IF_OUTGREW = Template(
    name="plot-if-outgrew",
    domains=("analytics",),
    wordings=(
        "If {first} grew by a larger percentage than {second} from {date} to yesterday (a fall is negative growth), "
        "make a line plot of each for that time.",
        "Work out the percent growth since {date}, going by yesterday's values: should that of {first} be greater than "
        "that of {second}, negative growth included, I would like to have a line plot of each for that time.",
        "By how many percent have {first} and {second} changed since {date}, going by yesterday's values? If the "
        "percentage of the former is the larger one, a fall being negative, plot both for that time, each as a line.",
    ),
    slots={
        "first": _figure(role="first figure"),
        "second": _figure(role="second figure"),
        "date": _last_weekday(role="start date"),
    },
    outcome=_plot_if_outgrew,
    program=_play_plot_if_outgrew,
    idle=5,
    valid=lambda values: values["first"] != values["second"],
)

TEMPLATES = (PLOT_IF_CHANGED, PLOT_IF_CHANGED_LATELY, PLOT_WEEK_ON_WEEK, PLOT_IF_OUTGREW)
