"""What a run of pi-Bench comes to: Proc and Comp (section 3.3), and what became of intents (as in table 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from harness.core.config import RunConfig
from harness.report import INSTRUMENTS
from harness.report.headline import check_share, framed, limits, named, percent, shown
from harness.suite import Headline, Scored, Suite, Table

__all__ = ("headline", "report")

_CHECKS: Final = {"Proc": "proc", "Comp": "outcome"}
_STATUSES: Final = ("completed", "inferred", "provided", "open")
_COLUMNS: Final = ("agent", "condition", "intents", *_STATUSES)
_NOTES: Final = (
    "In percent. Completed: acted on before anybody said it; inferred: told upon a question that asked for it; "
    "provided: told because nothing was asked for; open: never told.",
)


def headline(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> Headline | None:
    """None where nothing was scored."""
    found = shown(config, trials)

    told = [
        f"{named(cell, found)} inferred or asked for {percent(proc)} of what was not said and met {percent(comp)} of "
        "what rules can check"
        for cell in found
        if (proc := check_share(cell, suite, "proc").value) is not None
        and (comp := check_share(cell, suite, "outcome").value) is not None
    ]
    notes = [
        "Proc: intents acted on unasked, or asked for. Comp: rule items met, by weight.",
        "Items that take a judge are in no figure: judging them is not built yet.",
    ]
    table = framed(
        config,
        suite,
        found,
        lambda cell: {name: limits(check_share(cell, suite, check)) for name, check in _CHECKS.items()},
        notes,
    )
    return Headline(table, "; ".join(told) + ".") if told else None


def report(suite: Suite, agents: Mapping[str, Mapping[str, Any]], scored: Sequence[Scored]) -> Sequence[Table]:
    """What became of the intents of each agent and condition; instruments in a table of their own."""
    instruments = {name for name, each in agents.items() if each.get("kind") in INSTRUMENTS}
    calibrating = [each for each in scored if each.trajectory.agent in instruments]
    others = [each for each in scored if each.trajectory.agent not in instruments]
    return [
        Table(title, _COLUMNS, rows, _NOTES)
        for title, chosen in (("Calibration: what became of intents", calibrating), ("What became of intents", others))
        if (rows := _rows(chosen))
    ]


def _rows(scored: Sequence[Scored]) -> list[dict[str, Any]]:
    rows = []
    for (agent, condition), group in groupby(scored, lambda each: (each.trajectory.agent, each.trajectory.condition)):
        details = [each.scores["proc"].detail for each in group if each.scores["proc"].value is not None]
        counts = {name: sum(detail[name] for detail in details) for name in _STATUSES}
        if intents := sum(counts.values()):
            shares = {name: round(100 * count / intents, 1) for name, count in counts.items()}
            rows.append({"agent": agent, "condition": condition, "intents": intents, **shares})
    return rows
