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

__all__ = ("available", "draw")

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
    "font.size": 11,
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
_WIDTH: Final = 5.4
"""Inches, 72 to the inch: about a phone's width, so that text keeps its size there."""

Rows = Sequence[Mapping[str, Any]]


def available() -> bool:
    """Whether figures can be drawn here."""
    return find_spec("matplotlib") is not None


def draw(figure: Figure, key: str = "figure") -> dict[str, str]:
    """One SVG element per panel, by the panel's name. `key` sets its ids apart from those of other figures."""
    import matplotlib

    found: dict[str, str] = {}
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # not what a user's own matplotlibrc says
        matplotlib.rcParams.update({**_STYLE, "svg.hashsalt": key})
        chart, top = figure.chart, _top(figure)
        for name, rows in figure.panels().items():
            if chart.low or any(row[value] for row in rows for value in chart.values):  # zeros alone need no drawing
                found[name] = _svg(chart, rows, top, f"{key}-{len(found)}", f"{figure.title}. {name}".strip(". "))
    return found


def _top(figure: Figure) -> float:
    """Where the axis of values ends, the same in all panels: 100, or for stacked shares the next ten."""
    chart = figure.chart
    if chart.low or chart.mark:
        return 100
    return 10 * ceil(max((sum(row[name] or 0 for name in chart.values) for row in figure.rows), default=0) / 10)


def _svg(chart: Chart, rows: Rows, top: float, key: str, title: str) -> str:
    from matplotlib.figure import Figure as Canvas

    labels = [_cut(str(row[chart.label])) for row in rows]
    height = 2.6 if chart.kind == "columns" else 0.7 + (0.18 if len(rows) > 30 else 0.25) * len(rows)
    canvas = Canvas(figsize=(_WIDTH, height), layout="constrained")
    axes = canvas.add_subplot()
    if chart.kind == "columns":
        _columns(axes, chart, rows, labels)
    else:
        _bars(axes, chart, rows, labels)
        axes.set_xlim(0, top)
    if len(chart.values) > 1 or chart.mark:
        handles, named = axes.get_legend_handles_labels()
        step = 1 if len(chart.values) > 1 else -1
        canvas.legend(handles[::step], named[::step], loc="outside lower right", ncols=3, fontsize=10)
    out = io.StringIO()
    canvas.savefig(out, format="svg", transparent=True, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return _inline(out.getvalue(), key, _alt(chart, rows, title))


def _bars(axes: Any, chart: Chart, rows: Rows, labels: Sequence[str]) -> None:
    places = range(len(rows))
    ends = [0.0] * len(rows)
    for name, colour, hatch in zip(chart.values, (_FIRST, _SECOND), ("", "////"), strict=False):
        sizes = [row[name] or 0.0 for row in rows]
        label = name.removesuffix(" %")
        axes.barh(places, sizes, left=ends, height=0.66, color=colour, hatch=hatch, linewidth=0, label=label)
        ends = [end + size for end, size in zip(ends, sizes, strict=True)]
    if chart.low and chart.high:
        known = [(n, row[chart.low], row[chart.high]) for n, row in enumerate(rows) if row[chart.low] is not None]
        at, start, end = zip(*known, strict=True) if known else ((), (), ())
        axes.hlines(at, start, end, color=_TEXT, lw=1, label="95% interval")
    if chart.mark:
        marks = [(place, row[chart.mark]) for place, row in enumerate(rows) if row[chart.mark] is not None]
        axes.vlines(
            [at for _, at in marks], [p - 0.42 for p, _ in marks], [p + 0.42 for p, _ in marks],
            color=_MARK, lw=2, label=chart.mark.removesuffix(" %"),
        )  # fmt: skip
    axes.set_yticks(places, labels, fontsize=9 if len(rows) > 30 else 11)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labeltop=len(rows) > 30)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(False, axis="y")
    axes.set_xlabel("%")


def _columns(axes: Any, chart: Chart, rows: Rows, labels: Sequence[str]) -> None:
    (name,) = chart.values
    drawn = axes.bar(labels, [row[name] or 0.0 for row in rows], color=_FIRST, width=0.8)
    axes.bar_label(drawn, [f"{row[name]:g}" for row in rows], fontsize=8, padding=1, color=_TEXT)
    axes.grid(False, axis="x")
    axes.set_xlabel(chart.label)
    axes.set_ylabel(name)


def _cut(text: str, most: int = 34) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _alt(chart: Chart, rows: Rows, title: str) -> str:
    """The figure in words: what is shown, and each value where they are few."""
    if len(rows) > 16:
        values = [row[chart.values[0]] for row in rows if row[chart.values[0]] is not None]
        return f"{title}. {len(rows)} values from {min(values, default=0):g} to {max(values, default=0):g}%."
    told = [
        f"{row[chart.label]}: " + " and ".join(f"{row[name]:g}" for name in chart.values if row[name] is not None)
        for row in rows
    ]
    return f"{title}. {', '.join(chart.values)} by {chart.label}: {'; '.join(told)}."


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
