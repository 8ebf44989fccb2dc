"""Figures as inline SVG, drawn with Matplotlib: the only module that imports it, and only when there is one to draw.

Matplotlib because it has kept its interface for two decades, is maintained by a foundation, and writes SVG with text
as text, from a `Figure` object, without global state, browser or script. It is the extra `plots`: without it
a page shows the tables that figures are made from.

Colours leave as CSS variables of the page, so that one drawing serves light and dark.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib.util import find_spec
from math import ceil
from typing import Any, Final

from harness.report.figures import Chart, Figure

__all__ = ("available", "draw", "load")

_INK: Final = {
    "#010101": "var(--ink)",
    "#020202": "var(--faint)",
    "#030303": "var(--first)",
    "#040404": "var(--second)",
    "#050505": "var(--mark)",
    "#060606": "var(--paper)",
}
"""Stand-ins that Matplotlib takes for colours -> what they become."""
_TEXT, _FAINT, _FIRST, _SECOND, _MARK, _PAPER = _INK

_STYLE: Final = {
    "svg.fonttype": "none",
    "font.size": 12,
    "axes.labelsize": 12,
    "xtick.labelsize": 12,
    "ytick.labelsize": 12,
    "legend.fontsize": 12,
    "font.family": "sans-serif",
    "text.parse_math": False,
    "text.color": _TEXT,
    "axes.labelcolor": _TEXT,
    "axes.edgecolor": _FAINT,
    "xtick.color": _TEXT,
    "ytick.color": _TEXT,
    "grid.color": _FAINT,
    "hatch.color": _PAPER,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.linewidth": 0.5,
    "legend.frameon": False,
}
_WIDTH: Final = 4.9
"""Inches, 72 to the inch: about a phone's width, so that text keeps its size there."""

_LOOKS: Final[Sequence[Mapping[str, Any]]] = (
    {"color": _FIRST, "linewidth": 0},
    {"color": _SECOND, "linewidth": 0, "hatch": "////"},
    {"facecolor": "none", "edgecolor": _MARK, "linewidth": 1},
)
"""Of stacked values, in their order: told apart without colour too."""

Rows = Sequence[Mapping[str, Any]]


def available() -> bool:
    """Whether figures can be drawn here."""
    return find_spec("matplotlib") is not None


def load() -> None:
    """Import what draws, which takes longest the first time; in any thread, unlike `draw`."""
    if available():
        import matplotlib.backends.backend_svg
        import matplotlib.figure  # noqa: F401


def draw(figure: Figure, key: str = "figure") -> dict[str, str]:
    """One SVG element per chart and panel, by the names of both; those of one panel come together.

    `key` sets its ids apart from those of other figures. What says one value alone is not drawn, nor are zeros alone.
    Meanwhile Matplotlib's settings, which are the whole process's, are others: threads must not draw at a time.
    """
    import matplotlib

    found: dict[str, str] = {}
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # not what a user's own matplotlibrc says
        matplotlib.rcParams.update({**_STYLE, "svg.hashsalt": key})
        drawn = [chart for chart in figure.charts if _says_more_than_one(chart, figure.rows)]
        for panel in dict.fromkeys(name for chart in drawn for name in chart.panels_of(figure.rows)):
            for chart in drawn:
                rows = chart.panels_of(figure.rows).get(panel, [])
                if not _is_empty(chart, rows, figure.rows):
                    name = ": ".join(filter(None, (panel, chart.title)))
                    title = f"{figure.title}. {name}".strip(". ")
                    found[name] = _svg(chart, rows, _top(chart, figure.rows), f"{key}-{len(found)}", title)
    return found


def _says_more_than_one(chart: Chart, rows: Rows) -> bool:
    """Points have an interval and a zero to be read against, and say something alone."""
    most = max(map(len, chart.panels_of(rows).values()), default=0)
    return most > 0 if chart.kind == "points" else most * len(chart.values) > 1


def _is_empty(chart: Chart, rows: Rows, every: Rows) -> bool:
    """Whether there is nothing to see; of a chart with one value and no interval, whether there is in no panel."""
    chosen = every if chart.panels and len(chart.values) == 1 and not chart.low else rows
    values = [row[name] for row in chosen for name in chart.values]
    return not rows or not any(value is not None if chart.low else value for value in values)


def _value(chart: Chart, row: Mapping[str, Any], name: str) -> float | None:
    """What is drawn of a cell: itself, or what share it is of another."""
    value, whole = row[name], sum(row[each] for each in chart.of) if chart.of else 1
    return None if value is None or not whole else value / whole


def _top(chart: Chart, rows: Rows) -> float:
    """Where the axis of values ends, the same in all panels: all of it, or what the longest takes and its interval."""
    if chart.unit == "share":
        return 1
    if chart.unit == "%" and (chart.low or chart.mark):
        return 100
    ends = (row[chart.high] or 0 for row in rows) if chart.high else ()
    longest = max((*(sum(row[name] or 0 for name in chart.values) for row in rows), *ends), default=0)
    return 10 * ceil(longest / 10) if chart.unit == "%" else 1.05 * longest  # the longest does not touch the frame


def _svg(chart: Chart, rows: Rows, top: float, key: str, title: str) -> str:
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as Canvas

    height = {"columns": 2.8, "scatter": 3.1 + 0.2 * len(rows)}.get(chart.kind, _height(chart, rows))
    canvas = Canvas(figsize=(_WIDTH, height), layout="constrained", facecolor="none", edgecolor="none")
    axes = canvas.add_subplot(facecolor="none")
    if chart.kind == "columns":
        _columns(axes, chart, rows)
    elif chart.kind == "scatter":
        _scatter(axes, chart, rows)
    elif chart.kind == "points":
        _points(axes, chart, rows)
    else:
        _bars(axes, chart, rows)
        axes.set_xlim(0, top)
    handles, named = axes.get_legend_handles_labels()
    if chart.kind == "scatter":
        canvas.legend(handles, named, loc="outside lower left", handlelength=0, handletextpad=0)
    elif handles:
        step = 1 if len(chart.values) > 1 else -1
        canvas.legend(handles[::step], named[::step], loc="outside lower right", ncols=3, columnspacing=1.2)
    out = io.StringIO()
    # Not `savefig`, which draws everything twice where there is a layout, the first time for nobody.
    FigureCanvasSVG(canvas).print_svg(out, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return _inline(out.getvalue(), key, _alt(chart, rows, title))


def _bars(axes: Any, chart: Chart, rows: Rows) -> None:
    places = range(len(rows))
    ends = [0.0] * len(rows)
    for name, look in zip(chart.values, _LOOKS, strict=False):
        sizes = [_value(chart, row, name) or 0.0 for row in rows]
        label = name.removesuffix(" %") if _is_compared(chart) else None
        axes.barh(places, sizes, left=ends, height=0.25 if _is_above(chart) else 0.66, label=label, **look)
        ends = [end + size for end, size in zip(ends, sizes, strict=True)]
    _intervals(axes, chart, rows)
    if chart.mark:
        marks = [(place, row[chart.mark]) for place, row in enumerate(rows) if row[chart.mark] is not None]
        axes.vlines(
            [at for _, at in marks], [p - 0.42 for p, _ in marks], [p + 0.42 for p, _ in marks],
            color=_MARK, lw=2, label=chart.mark.removesuffix(" %"),
        )  # fmt: skip
    _named(axes, chart, rows)
    for place, row in enumerate(rows):
        if len(chart.values) == 1 and _value(chart, row, chart.values[0]) is None:
            axes.text(0, place, " not scored", va="center")


def _points(axes: Any, chart: Chart, rows: Rows) -> None:
    (name,) = chart.values
    _intervals(axes, chart, rows)
    known = [(row[name], place) for place, row in enumerate(rows) if row[name] is not None]
    axes.plot([value for value, _ in known], [place for _, place in known], "o", color=_FIRST, ms=8)
    axes.axvline(0, color=_MARK, lw=1)
    _named(axes, chart, rows)
    axes.margins(x=0.1)


def _intervals(axes: Any, chart: Chart, rows: Rows) -> None:
    known = [
        (n, row[chart.low], row[chart.high]) for n, row in enumerate(rows) if chart.low and row[chart.low] is not None
    ]
    if known:
        at, start, end = zip(*known, strict=True)
        for colour, wider in ((_PAPER, 1.2), (_TEXT, 0)):  # an edge, as ink on a bar is hard to see in the dark
            axes.hlines(at, start, end, color=colour, lw=1.5 + wider, label=None if wider else "95% interval")
            axes.plot([*start, *end], [*at, *at], "|", color=colour, ms=8 + wider / 2, mew=1.5 + wider, clip_on=False)


def _is_compared(chart: Chart) -> bool:
    """Whether bars stand for several things, which a legend tells apart."""
    return len(chart.values) > 1 or bool(chart.mark)


def _is_above(chart: Chart) -> bool:
    """Whether rows' names stand above their bars, with all the width there is: those made of several columns."""
    return len(chart.labels) > 1


def _height(chart: Chart, rows: Rows) -> float:
    """Inches of rows that lie, each as high whether or not there is a legend."""
    each = 0.4 + 0.22 * (len(chart.labels) + 1) if _is_above(chart) else 0.22 if len(rows) > 30 else 0.28
    return 0.65 + 0.32 * bool(chart.low or _is_compared(chart)) + 0.2 * (len(rows) > 30) + each * len(rows)


def _named(axes: Any, chart: Chart, rows: Rows) -> None:
    """Rows' names beside them; or above, and with what their bars are made of."""
    places = range(len(rows))
    if _is_above(chart):
        axes.set_yticks([])
        for place, row in enumerate(rows):
            lines = [_cut(f"{name}: {row[name]}", 50, ending=31) for name in chart.labels]
            told = ", ".join(f"{row[name]:g} {name}" for name in chart.values if row[name] is not None)
            above = axes.text(0, place - 0.17, "\n".join([*lines, told]), va="bottom", linespacing=1.25)
            above.set_in_layout(False)
        axes.set_ylim(len(rows) - 0.8, -0.9)
        axes.spines.left.set_visible(False)
        axes.grid(False)
    else:
        axes.set_yticks(places, [_cut(str(row[chart.labels[0]])) for row in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labeltop=len(rows) > 30)
    axes.grid(False, axis="y")
    unit = chart.values[0] if chart.unit == "share" else chart.unit
    axes.set_xlabel(f"share of {' + '.join(chart.of)}" if chart.of else unit)


def _columns(axes: Any, chart: Chart, rows: Rows) -> None:
    (name,) = chart.values
    drawn = axes.bar(
        [_cut(str(row[chart.labels[0]])) for row in rows], [row[name] or 0.0 for row in rows], color=_FIRST
    )
    axes.bar_label(drawn, [f"{row[name]:g}" for row in rows], padding=1, color=_TEXT)
    axes.grid(False, axis="x")
    axes.set_xlabel(chart.labels[0])
    axes.set_ylabel(name)


def _scatter(axes: Any, chart: Chart, rows: Rows) -> None:
    """Points bear numbers, and names stand below: names beside points run into each other.

    Rows at the same place share a point and its number.
    """
    from matplotlib.ticker import LogLocator

    (name,) = chart.values
    known = [row for row in rows if row[name] is not None and row[chart.across] is not None]
    places: dict[tuple[float, float], list[Mapping[str, Any]]] = {}
    for row in known:
        places.setdefault((row[chart.across], row[name]), []).append(row)
    for n, ((across, value), there) in enumerate(places.items(), start=1):
        for row in there:
            if chart.low and row[chart.low] is not None:
                axes.vlines(across, row[chart.low], row[chart.high], color=_TEXT, lw=1)
            axes.plot([], [], " ", label=f"{n}  {', '.join(_cut(str(row[each])) for each in chart.labels)}")
        size = 210 if n < 10 else 300  # room for two digits
        axes.scatter(across, value, s=size, color=_FIRST, edgecolor=_PAPER, zorder=2 + n, clip_on=False)
        axes.text(across, value, str(n), ha="center", va="center_baseline", color=_PAPER, zorder=2 + n)
    costs = [row[chart.across] for row in known]
    if min(costs) > 0 and max(costs) > 20 * min(costs):
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.minorticks_off()
    else:
        axes.set_xlim(0, 1.1 * max(costs))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_ylim(0, 1 if chart.unit == "share" else 100)
    axes.set_xlabel(chart.across)
    axes.set_ylabel(name)


def _cut(text: str, most: int = 34, *, ending: int = 0) -> str:
    """A text in so many characters, of which `ending` are its last ones where it is longer."""
    return text if len(text) <= most else f"{text[: most - 1 - ending]}…{text[len(text) - ending :]}"


def _alt(chart: Chart, rows: Rows, title: str) -> str:
    """The figure in words: what is shown, and each value where they are few."""
    shown = (chart.across, *chart.values) if chart.across else chart.values
    if len(rows) > 16:
        values = [value for row in rows if (value := _value(chart, row, chart.values[0])) is not None]
        unit = "%" if chart.unit == "%" else ""
        return f"{title}. {len(rows)} values from {min(values, default=0):.4g} to {max(values, default=0):.4g}{unit}."
    told = [
        f"{', '.join(str(row[name]) for name in chart.labels)}: "
        + " and ".join(f"{value:.4g}" for name in shown if (value := _value(chart, row, name)) is not None)
        for row in rows
    ]
    return f"{title}. {', '.join(shown)} by {', '.join(chart.labels)}: {'; '.join(told)}."


def _inline(svg: str, key: str, alt: str) -> str:
    """The `svg` element alone: page colours and font, an accessible name, and ids that are no other figure's."""
    opening, body = svg[svg.index("<svg") :].split(">", 1)
    body = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", body, flags=re.DOTALL)
    body = re.sub(r"font-family: [^;\"]*;? ?", "", body)
    for colour, variable in _INK.items():
        body = body.replace(colour, variable)
    referred = re.compile(r"(url\(|href=\")#([^)\"]+)")
    used = {name for _, name in referred.findall(body)}
    body = re.sub(r' id="([^"]+)"', lambda found: f' id="{key}-{found[1]}"' if found[1] in used else "", body)
    body = referred.sub(rf"\g<1>#{key}-\g<2>", body)
    kept = " ".join(re.findall(r'(?:xmlns|xmlns:xlink|viewBox)="[^"]+"', opening))
    return f'<svg {kept} role="img" aria-label="{escape(alt)}">{body}'.strip()
