"""What the paper prints of its runs: its tables 1, 2 and 8, and what its figures 3 to 5 are drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from benchmarks.pi.ended import Ended, apart, by_unit, cells, ended, in_percent, mean_percent, played, together
from benchmarks.pi.intervals import FIGURES, deviation, interval, over_personas, worded
from benchmarks.pi.playing import Unit
from benchmarks.pi.session import Session
from harness.report.figures import Chart
from harness.suite import Scored

__all__ = ("CATEGORIES", "PERSONAS", "STATISTICS", "by_category", "by_persona", "scatter", "statistics")

PERSONAS: Final = (
    "Table 1. In percent: of a persona, units weighted by their sessions; `all` is the mean of personas; sessions of a "
    "group that were played alone count in none. A unit counts with the mean of its runs; sd: the standard deviation "
    "over runs that have every unit, where there are several. 95%: interval from a bootstrap of units within personas; "
    "t: one over personas, as if they were drawn from more."
)
CATEGORIES: Final = "Table 8. In percent: means of the sessions of a kind of work (A to R, the paper's table 5)."
STATISTICS: Final = "Table 2. Rubrics are items for a judge, rules those that a predicate decides."


def by_persona(scored: Iterable[Scored], units: Mapping[str, Unit]) -> list[dict[str, Any]]:
    """Table 1: Proc and Comp of each persona, and over personas. Sessions that are played alone count in none."""
    rows: list[dict[str, Any]] = []
    for head, group in cells(together(scored, units)):
        found = played(group, units)
        for persona, own in found.items():
            of = {"runs": _runs(own), "units": len({unit for unit, _ in by_unit(own)})}
            sizes = of | {"sessions": len({each.session.id for each in own})}
            rows.append(head | {"persona": persona} | sizes | _figures({persona: own}))
        if len(found) > 1:
            runs = min(_runs(own) for own in found.values())
            every = {"runs": runs, "units": sum(row["units"] for row in rows[-len(found) :]), "sessions": None}
            rows.append(head | {"persona": "all"} | every | _figures(found))
    columns = dict.fromkeys(name for row in rows for name in row)
    return [{name: row.get(name) for name in columns} for row in rows]


def by_category(scored: Sequence[Scored], units: Mapping[str, Unit]) -> list[dict[str, Any]]:
    """Table 8 and figure 3: a row for each agent, condition and kind of work."""
    rows = []
    for head, group in apart(scored, units):
        by: dict[str, list[Ended]] = {}
        for each in ended(group, units):
            by.setdefault(each.session.category, []).append(each)
        for category, own in sorted(by.items()):
            figures = {"Proc": in_percent([each.proc for each in own]), "Comp": mean_percent(each.comp for each in own)}
            rows.append(head | {"category": category, "sessions": len(own)} | figures)
    return rows


def statistics(units: Iterable[Unit]) -> list[dict[str, Any]]:
    """Table 2: how many sessions, intents and items a persona has."""
    sessions = {(each.persona, each.id): each for unit in units for each in unit.sessions}
    rows = []
    for persona, group in groupby(sorted(sessions.values(), key=lambda each: (each.persona, each.id)), _of):
        own = list(group)
        rubrics = sum(bool(item.rubric) for each in own for item in each.checklist)
        rows.append(
            {"persona": persona, "sessions": len(own)}
            | {"hidden intents": sum(len(each.intents) for each in own), "rubrics": rubrics}
            | {"rules": sum(len(each.checklist) for each in own) - rubrics}
        )
    return rows


def scatter(rows: Sequence[Mapping[str, Any]], value: str, across: str, **more: Any) -> tuple[Chart, ...]:
    """A chart of `value` over `across`; none where nothing can be set across."""
    if not any(row[across] for row in rows):
        return ()
    names = tuple(name for name in ("agent", "condition", "played") if name in rows[0])
    return (Chart("scatter", names, (value,), across=across, **more),)


def _figures(found: Mapping[str, Sequence[Ended]]) -> dict[str, Any]:
    """Proc and Comp of these personas, with what they scatter by over runs, and their intervals."""
    row: dict[str, Any] = {}
    for figure in FIGURES:
        there = interval(found, figure)
        row[figure] = mean_percent([there.value])
        row[f"{figure} sd"] = mean_percent([deviation(found, figure)])
        row[f"{figure} 95%"] = worded(there)
        if drawn := over_personas(found, figure):
            row[f"{figure} t"] = worded(drawn)
    return row


def _runs(own: Iterable[Ended]) -> int:
    return len({each.run for each in own})


def _of(session: Session) -> str:
    return session.persona
