"""Figures: tables that can also be drawn, so that every plotted number can be read too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from harness.core.suite import Table

__all__ = ("Chart", "Figure")


class Chart(NamedTuple):
    """How a table is drawn; every name is one of its columns.

    `bars` lie, one per row; `columns` stand. Several `values` are stacked in one bar. `low` and `high` are the
    limits of an interval, `mark` a line to compare with (a floor). Rows that differ in a `panels` column
    are drawn apart. Values are shares in percent. `folded`: the drawing says it all, a page opens the numbers on
    demand.
    """

    kind: Literal["bars", "columns"]
    label: str
    values: tuple[str, ...]
    low: str = ""
    high: str = ""
    mark: str = ""
    panels: tuple[str, ...] = ()
    folded: bool = False


class Figure(Table):
    """A table with its `chart`. A page draws it; elsewhere it is a table like any other."""

    chart: Chart

    @classmethod
    def of(
        cls, title: str, columns: Sequence[str], rows: Sequence[Mapping[str, Any]], notes: Sequence[str], chart: Chart
    ) -> Figure:
        """A figure. Raises ValueError where the chart names a column that the table lacks."""
        used = (chart.label, *chart.values, *chart.panels, chart.low, chart.high, chart.mark)
        if strange := [name for name in used if name and name not in columns]:
            raise ValueError(f"figure {title!r} has no column {strange[0]!r}; it has {', '.join(columns)}")
        made = cls(title, columns, rows, notes)
        made.chart = chart
        return made

    def panels(self) -> dict[str, list[Mapping[str, Any]]]:
        """Rows by panel, in the order they come; one panel named "" where the chart has none."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for row in self.rows:
            name = ", ".join(str(row[column]) for column in self.chart.panels)
            found.setdefault(name, []).append(row)
        return found
