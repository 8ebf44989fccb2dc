"""Website analytics: a plot if a figure crossed a line, and two plots if one source beat another."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import acts, find, rows, steps
from benchmarks.workbench.synth.templates.base import SlotSpec, Template, Values
from benchmarks.workbench.synth.templates.fields import COMPARISON, LIMIT, figure, past_day, plot_type, stretch
from benchmarks.workbench.synth.templates.slots import source
from benchmarks.workbench.synth.templates.steps import Step
from benchmarks.workbench.synth.templates.website import crossed, visits_from
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)


def _plot_if_crossed(office: Office, values: Values) -> Sequence[Step]:
    figures = rows.daily(office, values["metric"], values["date"])
    if not crossed(figures, values["comparison"], values["threshold"]):
        return []
    return [steps.plot(values["date"], office.ago(1), values["metric"], values["plot_type"])]


async def _play_plot_if_crossed(worker: Worker) -> None:
    key, first = await worker.slot("metric"), await worker.slot("date")
    figures = await find.daily(worker, key, first)
    if crossed(figures, await worker.slot("comparison"), await worker.slot("threshold")):
        await acts.plot(worker, first, find.yesterday(worker), key, await worker.slot("plot_type"))


PLOT_IF_CROSSED = Template(
    name="plot-if-crossed",
    domains=("analytics",),
    wordings=(
        "If {metric} came to {comparison} than {threshold} on any single day since {date}, "
        "make a {plot_type} of it from then on.",
        "Was there a day since {date} on which {metric} came to {comparison} than {threshold}? "
        "If there was, show me a {plot_type} of it over that time.",
        "Go through {metric} day by day since {date}. Should it have been {comparison} than {threshold} even once, "
        "I would like a {plot_type} covering that time.",
    ),
    slots={
        "metric": figure(),
        "comparison": COMPARISON,
        "threshold": LIMIT,
        "date": past_day((3, 5, 8, 10, 12, 15, 17, 20, 24, 27, 31, 38)),
        "plot_type": plot_type(),
    },
    outcome=_plot_if_crossed,
    program=_play_plot_if_crossed,
    idle=4,
)


def _plot_if_crossed_lately(office: Office, values: Values) -> Sequence[Step]:
    first = office.ago(values["period"])
    figures = rows.daily(office, values["metric"], first)
    if not crossed(figures, values["comparison"], values["threshold"]):
        return []
    return [steps.plot(first, office.ago(1), values["metric"], "line")]


async def _play_plot_if_crossed_lately(worker: Worker) -> None:
    key, first = await worker.slot("metric"), find.ago(worker, await worker.slot("period"))
    figures = await find.daily(worker, key, first)
    if crossed(figures, await worker.slot("comparison"), await worker.slot("threshold")):
        await acts.plot(worker, first, find.yesterday(worker), key, "line")


PLOT_IF_CROSSED_LATELY = Template(
    name="plot-if-crossed-lately",
    domains=("analytics",),
    wordings=(
        "If {metric} came to {comparison} than {threshold} on any day during the last {period}, make a line plot of it "
        "over that time.",
        "Look at {metric} over the past {period}: if any single day came to {comparison} than {threshold}, I want a "
        "line plot covering that time.",
        "Was there a day in the past {period} on which {metric} came to {comparison} than {threshold}? In that case "
        "show me a line plot of all that time.",
    ),
    slots={
        "metric": figure(),
        "comparison": COMPARISON,
        "threshold": LIMIT,
        "period": stretch((4, 6, 7, 10, 14, 21, 28, 42)),
    },
    outcome=_plot_if_crossed_lately,
    program=_play_plot_if_crossed_lately,
    idle=5,
)


def _compare_sources(office: Office, values: Values) -> Sequence[Step]:
    keys, first = [visits_from(values["first"]), visits_from(values["second"])], office.ago(values["period"])
    ours, theirs = (sum(rows.daily(office, key, first).values()) for key in keys)
    return [steps.plot(first, office.ago(1), key, values["plot_type"]) for key in keys] if ours > theirs else []


async def _play_compare_sources(worker: Worker) -> None:
    keys = [visits_from(await worker.slot("first")), visits_from(await worker.slot("second"))]
    first = find.ago(worker, await worker.slot("period"))
    ours, theirs = [sum((await find.daily(worker, key, first)).values()) for key in keys]
    if ours > theirs:
        for key in keys:
            await acts.plot(worker, first, find.yesterday(worker), key, await worker.slot("plot_type"))


def _source(role: str) -> SlotSpec:
    return source(role, dimension="input", subdimension="source", why="Four sources could be compared.")


COMPARE_SOURCES = Template(
    name="compare-sources",
    domains=("analytics",),
    wordings=(
        "If {first} brought us more visits than {second} during the last {period}, make a {plot_type} of each "
        "over that time.",
        "Check whether more visits came from {first} than from {second} in the past {period}. "
        "If so, I want a {plot_type} for the one and a second for the other, over the same time.",
        "Compare {first} with {second} for the last {period}: in case the former gave us more visits, "
        "plot either of them over that time, each as a {plot_type}.",
    ),
    slots={
        "first": _source("first traffic source"),
        "second": _source("second traffic source"),
        "period": stretch((5, 7, 10, 14, 21, 28, 42, 56)),
        "plot_type": plot_type("Bars and lines are both usual."),
    },
    outcome=_compare_sources,
    program=_play_compare_sources,
    idle=4,
    valid=lambda values: values["first"] != values["second"],
)

TEMPLATES = (PLOT_IF_CROSSED, PLOT_IF_CROSSED_LATELY, COMPARE_SOURCES)
