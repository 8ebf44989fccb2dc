"""Website analytics: a plot if a figure crossed a line, and two plots if one source beat another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import find
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.slots import (
    MORE_OR_LESS,
    PLOT_TYPES,
    choice,
    day,
    metric,
    number,
    period,
    source,
)
from benchmarks.workbench.synth.templates.steps import Step, plot
from harness.agents.reference import Worker

__all__ = (
    "TEMPLATES",
    "since",
)


def crossed(figures: Iterable[float], comparison: str, threshold: float) -> bool:
    """Whether any figure is more, or less, than the threshold."""
    return any(figure > threshold if comparison == "more" else figure < threshold for figure in figures)


def since(office: Office, key: str, first: str) -> list[float]:
    """A website figure of each day that had visits, from `first` up to yesterday."""
    return [figure for when, figure in office.daily[key].items() if when >= first]


def _plot_if_crossed(office: Office, values: Values) -> Sequence[Step]:
    figures = since(office, values["metric"], values["date"])
    if not crossed(figures, values["comparison"], values["threshold"]):
        return []
    return [plot(values["date"], office.ago(1), values["metric"], values["plot_type"])]


async def _play_plot_if_crossed(worker: Worker) -> None:
    key, first = await worker.slot("metric"), await worker.slot("date")
    figures = await find.daily(worker, key, first)
    if crossed(figures.values(), await worker.slot("comparison"), await worker.slot("threshold")):
        await find.draw(worker, first, key, await worker.slot("plot_type"))


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
        "metric": metric(
            dimension="goal",
            subdimension="target",
            why="Seven figures could be plotted.",
        ),
        "comparison": choice(
            "comparison",
            MORE_OR_LESS,
            dimension="constraint",
            subdimension="selection",
            why="A worry may be about too much or too little.",
        ),
        "threshold": number(
            (1, 2, 3, 4, 6, 8, 10, 12, 15, 18, 22, 26),
            dimension="constraint",
            subdimension="numeric_bound",
            why="What counts as much is the user's own view.",
        ),
        "date": day(
            "date",
            lambda office: [office.ago(days) for days in (3, 5, 8, 10, 12, 15, 17, 20, 24, 27, 31, 38)],
            dimension="constraint",
            subdimension="temporal",
            why="Any past day might be meant.",
        ),
        "plot_type": choice(
            "plot_type",
            PLOT_TYPES,
            dimension="goal",
            subdimension="format",
            guessability=0.5,
            why="A line plot is the usual choice for figures over time.",
        ),
    },
    outcome=_plot_if_crossed,
    program=_play_plot_if_crossed,
    idle=4,
)


def _plot_if_crossed_lately(office: Office, values: Values) -> Sequence[Step]:
    first = office.ago(values["period"])
    if not crossed(since(office, values["metric"], first), values["comparison"], values["threshold"]):
        return []
    return [plot(first, office.ago(1), values["metric"], "line")]


async def _play_plot_if_crossed_lately(worker: Worker) -> None:
    key, first = await worker.slot("metric"), find.ago(worker, await worker.slot("period"))
    figures = await find.daily(worker, key, first)
    if crossed(figures.values(), await worker.slot("comparison"), await worker.slot("threshold")):
        await find.draw(worker, first, key, "line")


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
        "metric": metric(
            dimension="goal",
            subdimension="target",
            why="Seven figures could be plotted.",
        ),
        "comparison": choice(
            "comparison",
            MORE_OR_LESS,
            dimension="constraint",
            subdimension="selection",
            why="A worry may be about too much or too little.",
        ),
        "threshold": number(
            (1, 2, 3, 4, 6, 8, 10, 12, 15, 18, 22, 26),
            dimension="constraint",
            subdimension="numeric_bound",
            why="What counts as much is the user's own view.",
        ),
        "period": period(
            (4, 6, 7, 10, 14, 21, 28, 42),
            dimension="constraint",
            subdimension="temporal",
            why="Any stretch of time might be meant.",
        ),
    },
    outcome=_plot_if_crossed_lately,
    program=_play_plot_if_crossed_lately,
    idle=5,
)


def _key(source_name: str) -> str:
    return f"visits_{source_name.replace(' ', '_')}"


def _compare_sources(office: Office, values: Values) -> Sequence[Step]:
    keys, first = [_key(values["first"]), _key(values["second"])], office.ago(values["period"])
    ours, theirs = (sum(since(office, key, first)) for key in keys)
    return [plot(first, office.ago(1), key, values["plot_type"]) for key in keys] if ours > theirs else []


async def _play_compare_sources(worker: Worker) -> None:
    keys = [_key(await worker.slot("first")), _key(await worker.slot("second"))]
    first = find.ago(worker, await worker.slot("period"))
    ours, theirs = [sum((await find.daily(worker, key, first)).values()) for key in keys]
    if ours > theirs:
        for key in keys:
            await find.draw(worker, first, key, await worker.slot("plot_type"))


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
        "first": source(
            "first traffic source",
            dimension="input",
            subdimension="source",
            why="Four sources could be compared.",
        ),
        "second": source(
            "second traffic source",
            dimension="input",
            subdimension="source",
            why="Four sources could be compared.",
        ),
        "period": period(
            (5, 7, 10, 14, 21, 28, 42, 56),
            dimension="constraint",
            subdimension="temporal",
            why="Any stretch of time might be meant.",
        ),
        "plot_type": choice(
            "plot_type",
            PLOT_TYPES,
            dimension="goal",
            subdimension="format",
            guessability=0.5,
            why="Bars and lines are both usual.",
        ),
    },
    outcome=_compare_sources,
    program=_play_compare_sources,
    idle=4,
    valid=lambda values: values["first"] != values["second"],
)

TEMPLATES = (PLOT_IF_CROSSED, PLOT_IF_CROSSED_LATELY, COMPARE_SOURCES)
