"""What the paper prints of its runs: its tables 1, 2 and 8, and what its figures 3 to 5 are drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from benchmarks.pi.failures import SETTLED
from benchmarks.pi.playing import Unit
from benchmarks.pi.session import Session
from harness.report.figures import Chart
from harness.suite import Scored

__all__ = (
    "CATEGORIES", "PERSONAS", "STATISTICS", "Ended", "by_category", "by_persona", "cells", "ended", "in_percent",
    "scatter", "statistics",
)  # fmt: skip

PERSONAS: Final = (
    "Table 1. In percent: of a persona, units weighted by their sessions; `all` is the mean of personas. Sd: the "
    "standard deviation over runs, where there are several. No interval is given, as there are fewer than six units."
)
CATEGORIES: Final = "Table 8. In percent: means of the sessions of a kind of work (A to R, the paper's table 5)."
STATISTICS: Final = "Table 2. Rubrics are items for a judge, rules those that a predicate decides."


class Ended(NamedTuple):
    """One session of one trial: shares of its intents that were settled, and of its items that are met."""

    run: int
    session: Session
    settled: int
    intents: int
    comp: float

    @property
    def proc(self) -> float:
        return self.settled / self.intents


def cells(scored: Iterable[Scored]) -> Iterator[tuple[dict[str, Any], list[Scored]]]:
    """The trials of each agent and condition, behind these two as a row's head."""
    for (agent, condition), group in groupby(scored, lambda each: (each.trajectory.agent, each.trajectory.condition)):
        yield {"agent": agent, "condition": condition}, list(group)


def by_persona(scored: Iterable[Scored], units: Mapping[str, Unit]) -> list[dict[str, Any]]:
    """Table 1: Proc and Comp of each persona, and over personas. Sessions that are played alone count in none."""
    rows = []
    for head, group in cells(scored):
        whole = [each for each in group if not units[each.trajectory.task].left_out]
        by: dict[str, dict[int, list[Ended]]] = {}
        for each in ended(whole, units):
            by.setdefault(each.session.persona, {}).setdefault(each.run, []).append(each)
        found = {persona: [_persona(run) for run in runs.values()] for persona, runs in by.items()}
        for persona, runs in found.items():
            some = next(iter(by[persona].values()))
            sizes = {"runs": len(runs), "units": len(_units(some)), "sessions": len(some)}
            rows.append(head | {"persona": persona} | sizes | _spread(runs))
        if len(found) > 1:
            runs = [_mean(run) for run in zip(*found.values(), strict=False)]
            rows.append(head | {"persona": "all", "runs": len(runs), "units": None, "sessions": None} | _spread(runs))
    return rows


def by_category(scored: Iterable[Scored], units: Mapping[str, Unit]) -> list[dict[str, Any]]:
    """Table 8 and figure 3: a row for each agent, condition and kind of work."""
    rows = []
    for head, group in cells(scored):
        by: dict[str, list[Ended]] = {}
        for each in ended(group, units):
            by.setdefault(each.session.category, []).append(each)
        for category, own in sorted(by.items()):
            figures = {"Proc": in_percent([each.proc for each in own]), "Comp": in_percent([each.comp for each in own])}
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
    return (Chart("scatter", ("agent", "condition"), (value,), across=across, **more),)


def ended(scored: Iterable[Scored], units: Mapping[str, Unit]) -> Iterator[Ended]:
    """The sessions of trials, one by one."""
    for each in scored:
        statuses, shares = each.scores["proc"].detail["statuses"], each.scores["outcome"].detail["sessions"]
        for session, status, share in zip(units[each.trajectory.task].sessions, statuses, shares, strict=True):
            settled = sum(one in SETTLED for one in status.values())
            yield Ended(each.trajectory.trial, session, settled, len(status), share)


def _units(run: Iterable[Ended]) -> list[list[Ended]]:
    """Groups, and sessions that are of none."""
    by: dict[str, list[Ended]] = {}
    for each in run:
        by.setdefault(each.session.group or each.session.id, []).append(each)
    return list(by.values())


def _persona(run: Sequence[Ended]) -> tuple[float, float]:
    """Proc and Comp of one run (section 3.3): a unit's intents are pooled, its sessions' items averaged."""
    proc = comp = 0.0
    for unit in _units(run):
        share = len(unit) / len(run)
        proc += share * sum(each.settled for each in unit) / sum(each.intents for each in unit)
        comp += share * fmean(each.comp for each in unit)
    return proc, comp


def _mean(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return fmean(proc for proc, _ in pairs), fmean(comp for _, comp in pairs)


def _spread(runs: Sequence[tuple[float, float]]) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for name, values in (("Proc", [proc for proc, _ in runs]), ("Comp", [comp for _, comp in runs])):
        found[name] = in_percent(values)
        found[f"{name} sd"] = round(100 * stdev(values), 1) if len(values) > 1 else None
    return found


def in_percent(shares: Sequence[float]) -> float:
    """The mean of shares, in percent with one decimal."""
    return round(100 * sum(shares) / len(shares), 1)


def _of(session: Session) -> str:
    return session.persona
