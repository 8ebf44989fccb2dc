"""Figures: tables that can also be drawn, so that every plotted number can be read too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Self

from harness.core.suite import Table

__all__ = ("Chart", "Figure")


class Chart(NamedTuple):
    """How a table is drawn; every name is one of its columns.

    `bars` lie, one per row; `columns` stand; `points` lie on an axis that goes below 0 where values do; a `scatter`
    has a point per row, set across by the column `across`. Several `values` are stacked in one bar. `low` and `high`
    are the limits of an interval, `mark` a line to compare with (a floor), `of` the columns whose sum values are a
    share of. `label` names a row: one column, or several, which bars have above them. Rows that differ in a `panels`
    column are drawn apart. `unit` says what values are: `%` ends at 100, `share` at 1. `folded`: the drawing says it
    all, a page opens the numbers on demand. `title` tells the charts of one table apart.
    """

    kind: Literal["bars", "columns", "points", "scatter"]
    label: str | tuple[str, ...]
    values: tuple[str, ...]
    low: str = ""
    high: str = ""
    mark: str = ""
    panels: tuple[str, ...] = ()
    folded: bool = False
    unit: str = "%"
    of: tuple[str, ...] = ()
    across: str = ""
    title: str = ""

    @property
    def labels(self) -> tuple[str, ...]:
        """The columns that name a row."""
        return (self.label,) if isinstance(self.label, str) else self.label

    def panels_of(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
        """Rows by panel, in the order they come; one panel named "" where the chart has none."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for row in rows:
            found.setdefault(", ".join(str(row[column]) for column in self.panels), []).append(row)
        return found


class Figure(Table):
    """A table with its `charts`. A page draws them; elsewhere it is a table like any other."""

    charts: tuple[Chart, ...]

    @classmethod
    def of(
        cls,
        title: str,
        columns: Sequence[str],
        rows: Sequence[Mapping[str, Any]],
        notes: Sequence[str],
        *charts: Chart,
        lead: bool = False,
    ) -> Figure:
        """A figure. Raises ValueError where a chart names a column that the table lacks."""
        for chart in charts:
            used = (*chart.labels, *chart.values, *chart.panels, *chart[3:6], *chart.of, chart.across)
            if strange := [name for name in used if name and name not in columns]:
                raise ValueError(f"figure {title!r} has no column {strange[0]!r}; it has {', '.join(columns)}")
        made = cls(title, columns, rows, notes, lead)
        made.charts = charts
        return made

    @property
    def folded(self) -> bool:
        """Whether its drawings say it all."""
        return all(chart.folded for chart in self.charts)

    def _replace(self, **changes: Any) -> Self:
        made = super()._replace(**changes)
        made.charts = self.charts
        return made
