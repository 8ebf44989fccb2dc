"""The tables of a run, folded from scored trials: a pure function of what is on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.core.config import RunConfig
from harness.core.credentials import stored
from harness.core.raised import place
from harness.core.suite import Scored, Suite, SuiteError, Table
from harness.report.cells import Cell, cells
from harness.report.costs import costs
from harness.report.dialogue import dialogue
from harness.report.effort import effort
from harness.report.judged import grades, judges
from harness.report.manners import manners
from harness.report.outcomes import outcomes
from harness.report.surfaces import surfaces
from harness.report.templates import templates
from harness.report.users import labels, named

__all__ = ("GENERAL", "Agents", "tables")

GENERAL: Sequence[Callable[[str, Sequence[Cell], RunConfig, Suite], Sequence[Table]]] = (
    outcomes, templates, effort, costs, surfaces, dialogue, manners, grades,
)  # fmt: skip
"""What a report may have, whatever the suite, in this order: a new table is a file beside this and a name here.

Each gets what its titles begin with and one or more cells of a run, and gives no table where it has nothing to show.
"""


class Agents(dict[str, Mapping[str, Any]]):
    """Agent name -> its config, as a suite's `report` gets it.

    `conditions` are the run's, by name; `users` the label of whom each lets agents ask, "" for nobody.
    """

    def __init__(self, config: RunConfig) -> None:
        super().__init__({agent.name: agent.model_dump(mode="json") for agent in stored(config).agents})
        self.conditions = {name: each.model_dump(mode="json") for name, each in config.conditions.items()}
        self.users = labels(config)


def tables(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> list[Table]:
    """The general tables, then the suite's own. Instruments get tables of their own, titled Calibration.

    A suite's table that is to lead stands behind the outcomes of its kind. Where a table has a column `condition`, its
    title names the users of those conditions; that of a general one of all that were played, so that titles do not hang
    on which rows there are. Raises `SuiteError` where the suite's own break.
    """
    users = labels(config)
    own = [named(table, users) for table in _own(config, suite, trials)]
    found: list[Table] = []
    for title, instruments in (("Results", False), ("Calibration", True)):
        chosen = [cell for cell in cells(trials) if config.calibrates([cell.agent]) == instruments]
        if chosen:
            played = {cell.condition for cell in chosen}
            made = [
                [named(table, users, played) for table in general(title, chosen, config, suite)] for general in GENERAL
            ]
            leading = [table for table in own if table.lead and table.title.startswith("Calibration") == instruments]
            own = [table for table in own if table not in leading]
            found += [*made[0], *leading, *(table for each in made[1:] for table in each)]
    return found + judges(trials) + own


def _own(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> list[Table]:
    """The suite's own tables. Raises `SuiteError` naming where its `report` broke, or what it gave instead."""
    if suite.report is None:
        return []
    with suite.calling(suite.report, "its `report` raised"):
        given: Any = suite.report(suite, Agents(config), trials)
        found = given if isinstance(given, Mapping | Table | str) else list(given)
    if not isinstance(found, list) or not all(map(_is_table, found)):
        raise SuiteError(
            f"suite {suite.name}: its `report`{place(suite.report)} gave {found!r:.80}, and it gives a list of "
            "`harness.suite.Table`, whose rows have a value for each column by name"
        )
    return found


def _is_table(value: object) -> bool:
    return isinstance(value, Table) and all(isinstance(row, Mapping) for row in value.rows)
