"""Plots of a daily figure as PNG, drawn with Matplotlib, which is imported when there is a plot to draw.

Matplotlib is the extra `plots`: it has kept its interface for two decades and needs neither browser nor global state.
The same figures give the same bytes under one version of it: its own style and font, no date, no metadata.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, Final, Literal, NamedTuple

from servers.kernel import Image, quoted

__all__ = ("Chart", "Kind", "draw", "period", "points")

Kind = Literal["bar", "line", "scatter", "histogram"]

_SIZE: Final = (8.0, 4.5)
_DPI: Final = 100
"""Inches and dots to the inch: 800 x 450 pixels."""
_INK, _MUTED, _COLOUR = "#222222", "#8a8a8a", "#1f5a96"
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MOST_TICKS: Final = 9
_MOST_DAYS: Final = 400
"""A longer period is shown from the first to the last day that it has visits on."""


class Chart(NamedTuple):
    """A figure by day, and what to call it.

    `unit` names its axis; `empty` is a day's figure where there were no visits, None if it has none.
    """

    title: str
    unit: str
    kind: Kind
    first: date
    last: date
    figures: Mapping[date, float]
    empty: float | None = 0


def period(first: str, last: str) -> tuple[date, date]:
    """Both days. Raises ValueError, as a sentence, if they are no period."""
    days = (_day(first), _day(last))
    if days[0] > days[1]:
        raise ValueError(f"the period begins on {first}, after it ends on {last}")
    return days


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or str(day) != text:  # other spellings compare wrongly as text
        raise ValueError(f"{quoted(text)} is not a day as YYYY-MM-DD")
    return day


def draw(chart: Chart) -> Image | str:
    """The chart as a PNG of 800 x 450 pixels, or the reason why there is none."""
    if not chart.figures:
        return f"No picture: there were no visits from {chart.first} to {chart.last}."
    try:
        from matplotlib import style
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return "No picture: drawing needs Matplotlib, which `pip install 'workplace-harness[plots]'` brings."
    with style.context("default"):  # whatever a user's own settings say
        figure = Figure(figsize=_SIZE, dpi=_DPI, layout="constrained", facecolor="white")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        (_histogram if chart.kind == "histogram" else _by_day)(axes, chart)
        _dress(figure, axes, chart)
        out = io.BytesIO()
        figure.savefig(out, format="png", metadata={"Software": None})
    return Image(out.getvalue(), "image/png")


def _days(chart: Chart) -> list[date]:
    """Every day that the chart shows."""
    first, last = chart.first, chart.last
    if (last - first).days >= _MOST_DAYS:
        first, last = min(chart.figures), max(chart.figures)
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def points(chart: Chart) -> list[tuple[date, float]]:
    """Each day with its figure; days that have none are left out."""
    found = ((day, chart.figures.get(day, chart.empty)) for day in _days(chart))
    return [(day, value) for day, value in found if value is not None]


def _by_day(axes: Any, chart: Chart) -> None:
    from matplotlib.ticker import MaxNLocator

    shown = _days(chart)
    days, values = zip(*((day.toordinal(), value) for day, value in points(chart)), strict=True)
    if chart.kind == "bar":
        axes.bar(days, values, width=0.8, color=_COLOUR)
    elif chart.kind == "scatter":
        axes.scatter(days, values, s=26, color=_COLOUR, zorder=3, clip_on=False)
    else:
        marker = "o" if len(days) <= 62 else None
        axes.plot(days, values, color=_COLOUR, linewidth=1.8, marker=marker, markersize=4)
    margin = max(0.7, 3 - len(shown) / 2)
    axes.set_xlim(shown[0].toordinal() - margin, shown[-1].toordinal() + margin)
    axes.set_ylim(0, max(values) * 1.08 or 1)
    axes.yaxis.set_major_locator(MaxNLocator(8, integer=chart.empty is not None))
    step = next((step for step in (1, 2, 7, 14, 28) if len(shown) <= step * _MOST_TICKS), -(-len(shown) // _MOST_TICKS))
    ticks = shown[::step]
    axes.set_xticks([day.toordinal() for day in ticks], [_said(day, year=len(shown) > _MOST_DAYS) for day in ticks])
    axes.set_xlabel("day")
    axes.set_ylabel(chart.unit)
    axes.grid(axis="y", color="#e4e4e4")


def _said(day: date, *, year: bool) -> str:
    """A day as people write it, in English whatever the locale."""
    return f"{day.day} {_MONTHS[day.month - 1]}{f' {day.year}' if year else ''}"


def _histogram(axes: Any, chart: Chart) -> None:
    """How many days had a figure of about that size; whole figures get bins of whole numbers."""
    from matplotlib.ticker import MaxNLocator

    values = [value for _, value in points(chart)]
    low, high = min(values), max(values)
    if all(float(value).is_integer() for value in values):
        step = max(1, -(-int(high - low + 1) // 20))
        edges = [low - 0.5 + step * n for n in range(int(high - low) // step + 2)]
        if high - low < 4:
            axes.set_xlim(max(low - 3, 0) - 0.7, high + 3.7)
        axes.xaxis.set_major_locator(MaxNLocator(12, integer=True))
    else:
        width = (high - low) / 12 or 1.0
        edges = [low + width * n for n in range(13)]
    axes.hist(values, bins=edges, color=_COLOUR, edgecolor="white", linewidth=1)
    axes.yaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.set_xlabel(f"{chart.unit} per day")
    axes.set_ylabel("days")
    axes.grid(axis="y", color="#e4e4e4")


def _dress(figure: Any, axes: Any, chart: Chart) -> None:
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(_MUTED)
    axes.tick_params(colors=_INK, labelsize=10)
    axes.xaxis.label.set(color=_INK, size=11)
    axes.yaxis.label.set(color=_INK, size=11)
    first, last = _said(chart.first, year=True), _said(chart.last, year=True)
    when = first if first == last else f"{first} to {last}"
    axes.set_title(f"{chart.title} per day, {when}", loc="left", color=_INK, fontsize=13, pad=12)
