"""How far the main figures range over the manners of one user: one who always obliges is an easy one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.core.config import RunConfig
from harness.core.suite import Suite, Table
from harness.report.cells import Cell
from harness.report.users import labels, titled
from harness.report.verdicts import accuracy
from servers.kernel import canonical

__all__ = ("alike", "manners", "span")


def alike(conditions: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """Names of conditions that differ in their user's manner alone, two or more in each list.

    `conditions` are as JSON has them, of those alone who have somebody to ask.
    """
    found: dict[bytes, dict[str, str]] = {}
    for name, condition in conditions.items():
        user = dict(condition["user"])
        manner = str(user.pop("manner", "plain"))
        found.setdefault(canonical({**condition, "user": user}), {}).setdefault(manner, name)
    return [list(names.values()) for names in found.values() if len(names) > 1]


def span(values: Sequence[float | None]) -> tuple[float | None, float | None]:
    """Lowest and highest of the known ones."""
    known = [value for value in values if value is not None]
    return (min(known), max(known)) if known else (None, None)


def manners(title: str, cells: Sequence[Cell], config: RunConfig, suite: Suite) -> list[Table]:
    """Accuracy, and questions in a trial, from lowest to highest over manners; nothing where no two differ in that."""
    asking = {name: each.model_dump(mode="json") for name, each in config.conditions.items() if each.asks}
    by_name = {(cell.agent, cell.condition): cell for cell in cells}
    rows, users = [], []
    for names in alike(asking):
        for agent in dict.fromkeys(cell.agent for cell in cells):
            played = [by_name[agent, name] for name in names if (agent, name) in by_name]
            if len(played) > 1:
                lowest, highest = span([accuracy(cell.trials, suite).value for cell in played])
                fewest, most = span(list(map(_questions, played)))
                users += [labels(config)[cell.condition] for cell in played]
                rows.append(
                    {
                        "agent": agent,
                        "conditions": ", ".join(cell.condition for cell in played),
                        "accuracy, lowest": lowest,
                        "highest": highest,
                        "questions, fewest": fewest,
                        "most": most,
                    }
                )
    if not rows:
        return []
    notes = ["over conditions that differ in the user's manner alone; questions: mean per trial that is not void"]
    return [Table(titled(f"{title}: range over manners", users), list(rows[0]), rows, notes)]


def _questions(cell: Cell) -> float | None:
    sound = [scored.trajectory for scored in cell.trials if scored.trajectory.status != "void"]
    return sum(len(t.questions) for t in sound) / len(sound) if sound else None
