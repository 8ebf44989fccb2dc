"""What accuracy costs: a view of the outcomes and the effort of the same cells."""

from __future__ import annotations

from collections.abc import Sequence

from harness.core.config import RunConfig
from harness.core.suite import Suite, Table
from harness.report.cells import Cell
from harness.report.effort import effort
from harness.report.figures import Chart, Figure
from harness.report.outcomes import outcomes

__all__ = ("costs",)


def costs(title: str, cells: Sequence[Cell], config: RunConfig, suite: Suite) -> list[Table]:
    """Cost against accuracy, where two cells or more have both and any cost something."""
    spent = {(row["agent"], row["condition"]): row["cost USD"] for row in effort(title, cells, config, suite)[0].rows}
    rows = [
        {name: row[name] for name in ("agent", "condition")}
        | {"cost USD": spent[row["agent"], row["condition"]]}
        | {name: row[name] for name in ("accuracy", "low", "high")}
        for row in outcomes(title, cells, config, suite)[0].rows
    ]
    known = [row for row in rows if row["cost USD"] is not None and row["accuracy"] is not None]
    if len(known) < 2 or not any(row["cost USD"] for row in known):
        return []
    label = ("agent", "condition") if len({row["condition"] for row in known}) > 1 else "agent"
    left_out = len(rows) - len(known)
    notes = ["cost: US dollars per trial that is not void; low and high: 95% interval of accuracy"]
    notes += [f"{left_out} without a known cost or accuracy left out"] if left_out else []
    chart = Chart("scatter", label, ("accuracy",), "low", "high", folded=True, unit="share", across="cost USD")
    return [Figure.of(f"{title}: cost against accuracy", list(rows[0]), known, notes, chart)]
