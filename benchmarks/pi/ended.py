"""The sessions of trials as they ended, which tables and intervals are folds over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from benchmarks.pi.failures import SETTLED
from benchmarks.pi.playing import Unit
from benchmarks.pi.session import Session
from harness.suite import Scored

__all__ = ("Ended", "by_unit", "cells", "ended", "in_percent", "played")


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


def ended(scored: Iterable[Scored], units: Mapping[str, Unit]) -> Iterator[Ended]:
    """The sessions of trials, one by one."""
    for each in scored:
        statuses, shares = each.scores["proc"].detail["statuses"], each.scores["outcome"].detail["sessions"]
        for session, status, share in zip(units[each.trajectory.task].sessions, statuses, shares, strict=True):
            settled = sum(one in SETTLED for one in status.values())
            yield Ended(each.trajectory.trial, session, settled, len(status), share)


def played(scored: Iterable[Scored], units: Mapping[str, Unit]) -> dict[str, list[Ended]]:
    """Sessions by persona, of all runs. Those that are played without their leads are not among them."""
    found: dict[str, list[Ended]] = {}
    for each in ended((each for each in scored if not units[each.trajectory.task].left_out), units):
        found.setdefault(each.session.persona, []).append(each)
    return found


def by_unit(sessions: Iterable[Ended]) -> dict[tuple[str, int], list[Ended]]:
    """Sessions of a persona by unit, a group or a session that is of none, and run."""
    found: dict[tuple[str, int], list[Ended]] = {}
    for each in sessions:
        found.setdefault((each.session.group or each.session.id, each.run), []).append(each)
    return found


def in_percent(shares: Sequence[float]) -> float:
    """The mean of shares, in percent with one decimal."""
    return round(100 * sum(shares) / len(shares), 1)
