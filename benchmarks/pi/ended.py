"""The sessions of trials as they ended, which tables and intervals are folds over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from benchmarks.pi.failures import SETTLED
from benchmarks.pi.playing import Unit
from benchmarks.pi.session import Session
from harness.report.texts import rounded
from harness.score import Criterion
from harness.suite import Scored

__all__ = (
    "Ended", "apart", "by_unit", "cells", "ended", "in_percent", "mean_percent", "played", "shares", "together",
    "weighed",
)  # fmt: skip


class Ended(NamedTuple):
    """One session of one trial: how many of its intents were settled, and how much of its items is met, by weight.

    `weight` is that of the items that are scored, `met` that of those that are met among them.
    """

    run: int
    session: Session
    settled: int
    intents: int
    met: float
    weight: float

    @property
    def proc(self) -> float:
        return self.settled / self.intents

    @property
    def comp(self) -> float | None:
        """None where no item is scored."""
        return self.met / self.weight if self.weight else None


def cells(scored: Iterable[Scored]) -> Iterator[tuple[dict[str, Any], list[Scored]]]:
    """The trials of each agent and condition, behind these two as a row's head."""
    for (agent, condition), group in groupby(scored, lambda each: (each.trajectory.agent, each.trajectory.condition)):
        yield {"agent": agent, "condition": condition}, list(group)


def apart(scored: Sequence[Scored], units: Mapping[str, Unit]) -> Iterator[tuple[dict[str, Any], list[Scored]]]:
    """`cells`, in two rows where sessions of a group were played alone too: what is compared is not pooled."""
    several = len(together(scored, units)) < len(scored)
    for head, group in cells(scored):
        for name, alone in (("together", False), ("alone", True)):
            if own := [each for each in group if units[each.trajectory.task].alone == alone]:
                yield head | ({"played": name} if several else {}), own


def together(scored: Iterable[Scored], units: Mapping[str, Unit]) -> list[Scored]:
    """Trials of sessions as they belong together, without those of a group's session alone."""
    return [each for each in scored if not units[each.trajectory.task].alone]


def ended(scored: Iterable[Scored], units: Mapping[str, Unit]) -> Iterator[Ended]:
    """The sessions of trials, one by one."""
    for each in scored:
        items: dict[str, list[Criterion]] = {}
        for item in each.scores["outcome"].criteria:
            if item.value is not None:
                items.setdefault(item.name.partition(".")[0], []).append(item)
        statuses = each.scores["proc"].detail["statuses"]
        for session, status in zip(units[each.trajectory.task].sessions, statuses, strict=True):
            settled = sum(one in SETTLED for one in status.values())
            own = items.get(session.id, ())
            met = sum(item.weight * (item.value or 0.0) for item in own)
            yield Ended(each.trajectory.trial, session, settled, len(status), met, sum(item.weight for item in own))


def played(scored: Iterable[Scored], units: Mapping[str, Unit]) -> dict[str, list[Ended]]:
    """Sessions by persona, of all runs."""
    found: dict[str, list[Ended]] = {}
    for each in ended(scored, units):
        found.setdefault(each.session.persona, []).append(each)
    return found


def by_unit(sessions: Iterable[Ended]) -> dict[tuple[str, int], list[Ended]]:
    """Sessions of a persona by unit, a group or a session that is of none, and run."""
    found: dict[tuple[str, int], list[Ended]] = {}
    for each in sessions:
        found.setdefault((each.session.unit, each.run), []).append(each)
    return found


def shares(parts: Iterable[tuple[Session, float, float]]) -> dict[str, tuple[float, float]]:
    """What each unit comes to, and its number of sessions, of each of which so much is had of so much.

    That of a unit is a share of all that its sessions have together (specs, section 5); one that has nothing is none.
    """
    found: dict[str, list[tuple[float, float]]] = {}
    for session, part, of in parts:
        found.setdefault(session.unit, []).append((part, of))
    return {
        unit: (sum(part for part, _ in own) / whole, float(len(own)))
        for unit, own in found.items()
        if (whole := sum(of for _, of in own))
    }


def weighed(values: Iterable[tuple[float, float]]) -> float | None:
    """The mean of values by their weights; None of none."""
    known = list(values)
    return sum(value * weight for value, weight in known) / sum(weight for _, weight in known) if known else None


def in_percent(shares: Sequence[float]) -> float:
    """The mean of shares, in percent with one decimal; the same of equal ones, however each was summed up."""
    return rounded(100 * sum(shares) / len(shares), 1)


def mean_percent(shares: Iterable[float | None]) -> float | None:
    """The same of those that there are; None where there is none."""
    known = [share for share in shares if share is not None]
    return in_percent(known) if known else None
