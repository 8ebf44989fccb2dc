"""Website analytics: plots that are simply asked for, of one figure or two, a day or a stretch of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.workbench.synth import names
from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import acts, find, rows, steps
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.fields import figure, past_day, plot_type
from benchmarks.workbench.synth.templates.slots import choice, day
from benchmarks.workbench.synth.templates.steps import Step
from benchmarks.workbench.synth.templates.website import visits_from
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)

_RANKS = {"most popular": "most", "least popular": "least", "most": "most", "least": "least"}


def _chart_since(office: Office, values: Values) -> Sequence[Step]:
    return [steps.plot(values["date"], office.ago(1), values["metric"], values["plot_type"])]


async def _play_chart_since(worker: Worker) -> None:
    first, key = await worker.slot("date"), await worker.slot("metric")
    await acts.plot(worker, first, find.yesterday(worker), key, await worker.slot("plot_type"))


CHART_SINCE = Template(
    name="chart-since",
    domains=("analytics",),
    wordings=(
        "Something has changed since {date}. Please make a {plot_type} of {metric} for all that time.",
        "How have we been doing since {date}? Show me {metric} over that time as a {plot_type}.",
        "I have been away since {date}, so I need a {plot_type} that shows {metric} from that day on.",
    ),
    slots={
        "plot_type": plot_type(),
        "metric": figure(),
        "date": past_day((4, 6, 9, 11, 13, 16, 19, 22, 26, 30, 34, 40)),
    },
    outcome=_chart_since,
    program=_play_chart_since,
)


def _chart_day(office: Office, values: Values) -> Sequence[Step]:
    return [steps.plot(values["date"], values["date"], values["metric"], "histogram")]


async def _play_chart_day(worker: Worker) -> None:
    key, date = await worker.slot("metric"), await worker.slot("date")
    await acts.plot(worker, date, date, key, "histogram")


CHART_DAY = Template(
    name="chart-day",
    domains=("analytics",),
    wordings=(
        "Plot the distribution of {metric} on {date}, as a histogram of that single day.",
        "What did {metric} look like on {date}? Make a histogram of that day alone.",
        "People keep asking me what happened on {date}. Please plot {metric} for just that day as a histogram.",
    ),
    slots={
        "metric": figure(),
        "date": past_day((2, 3, 5, 8, 10, 12, 15, 18, 23, 27, 33, 41, 50)),
    },
    outcome=_chart_day,
    program=_play_chart_day,
)


def _charts_between(office: Office, values: Values) -> Sequence[Step]:
    return [steps.plot(values["start"], values["end"], values[name], "histogram") for name in ("first", "second")]


async def _play_charts_between(worker: Worker) -> None:
    start, end = await worker.slot("start"), await worker.slot("end")
    for name in ("first", "second"):
        await acts.plot(worker, start, end, await worker.slot(name), "histogram")


CHARTS_BETWEEN = Template(
    name="charts-between",
    domains=("analytics",),
    wordings=(
        "My report covers a time that begins on {start} and ends on {end}. Plot the distributions of {first} and "
        "{second} for it, one histogram each.",
        "I want two histograms, one of {first} and one of {second}, for the stretch of days that starts on {start} and "
        "ends on {end}, inclusive.",
        "How were {first} and {second} distributed over the time that began on {start} and ended on {end}? Make a "
        "histogram of the one and another of the other.",
    ),
    slots={
        "first": figure("first figure"),
        "second": figure("second figure"),
        "start": past_day((18, 21, 25, 30, 36, 44, 52), role="first date"),
        "end": past_day((3, 5, 8, 10, 12, 15), role="second date"),
    },
    outcome=_charts_between,
    program=_play_charts_between,
    valid=lambda values: values["first"] != values["second"],
)


def _chart_two(office: Office, values: Values) -> Sequence[Step]:
    last = office.ago(1)
    return [steps.plot(values["date"], last, values[name], values["plot_type"]) for name in ("first", "second")]


async def _play_chart_two(worker: Worker) -> None:
    first, plot_type = await worker.slot("date"), await worker.slot("plot_type")
    for name in ("first", "second"):
        await acts.plot(worker, first, find.yesterday(worker), await worker.slot(name), plot_type)


CHART_TWO_SINCE = Template(
    name="chart-two-since",
    domains=("analytics",),
    wordings=(
        "A lot has happened since {date}. Make a {plot_type} of {first} from that day on and another one of {second}.",
        "My talk is about what has changed since {date}. I need {first} and {second} from that day on, each as a "
        "{plot_type} of its own.",
        "How have {first} and {second} developed since {date}? Draw a {plot_type} for the one and a separate one for "
        "the other, both over all that time.",
    ),
    slots={
        "plot_type": plot_type("Bars and lines are both usual."),
        "first": figure("first figure"),
        "second": figure("second figure"),
        "date": past_day((5, 7, 9, 12, 14, 18, 22, 26, 31, 37, 45)),
    },
    outcome=_chart_two,
    program=_play_chart_two,
    valid=lambda values: values["first"] != values["second"],
)


_SOURCES = [visits_from(source) for source in names.SOURCES]


def _clear_days(office: Office) -> list[str]:
    """Days since which the sources at both ends of the ranking are alone there."""
    days = [office.ago(n) for n in (7, 9, 11, 13, 16, 18, 20, 23, 25, 28, 32, 36, 41, 46, 52)]
    ranked = {first: sorted(_totals(office, first).values()) for first in days}
    return [first for first, totals in ranked.items() if totals[0] < totals[1] and totals[-2] < totals[-1]]


def _totals(office: Office, first: str) -> dict[str, float]:
    return {key: sum(rows.daily(office, key, first).values()) for key in _SOURCES}


def _at_end(totals: Mapping[str, float], rank: str) -> str:
    """The source with most visits, or with least."""
    ranked = sorted(totals, key=totals.__getitem__)
    return ranked[-1] if rank == "most" else ranked[0]


def _chart_popular(office: Office, values: Values) -> Sequence[Step]:
    chosen = _at_end(_totals(office, values["date"]), values["rank"])
    return [steps.plot(values["date"], office.ago(1), chosen, values["plot_type"])]


async def _play_chart_popular(worker: Worker) -> None:
    first, rank = await worker.slot("date"), await worker.slot("rank")
    totals = {key: sum((await find.daily(worker, key, first)).values()) for key in _SOURCES}
    chosen = _at_end(totals, rank)
    await acts.plot(worker, first, find.yesterday(worker), chosen, await worker.slot("plot_type"))


CHART_POPULAR_SOURCE = Template(
    name="chart-popular-source",
    domains=("analytics",),
    wordings=(
        "Rank our traffic sources by the visits they brought since {date}, and make a {plot_type} of those from the "
        "{rank} source over that time.",
        "Which of our traffic sources brought us how many visits since {date}? Plot those from the {rank} traffic "
        "source, over all that time, as a {plot_type}.",
        "Add up the visits from each traffic source since {date}. I would like a {plot_type} of the visits from the "
        "{rank} source over the same days.",
    ),
    slots={
        "rank": choice(
            "traffic_source",
            _RANKS,
            role="rank",
            dimension="goal",
            subdimension="target",
            why="Either end of the ranking might be of interest.",
        ),
        "date": day(
            "date",
            _clear_days,
            dimension="constraint",
            subdimension="temporal",
            why="Any past day might be meant.",
        ),
        "plot_type": plot_type(),
    },
    outcome=_chart_popular,
    program=_play_chart_popular,
)

TEMPLATES = (CHART_SINCE, CHART_DAY, CHARTS_BETWEEN, CHART_TWO_SINCE, CHART_POPULAR_SOURCE)
