"""What the three quarterly reports have in common: figures, their rounding, days, deals and tasks that count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final

from benchmarks.workflows.layout import TODAY, Layout, office, person
from benchmarks.workflows.plan import Fact, Plan, says
from benchmarks.workflows.script import Told, told
from harness.task import Expected

__all__ = (
    "CLOSED", "OPERATIONS", "Books", "Figure", "figures", "in_time", "minutes", "noted", "rounded", "script", "share",
    "sold", "working_day_after", "working_days",
)  # fmt: skip

OPERATIONS: Final = "P4"
CLOSED: Final = frozenset({"2025-12-25", "2025-12-26", "2026-01-01", "2026-02-23"})


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A line of the report. Shares change in points, all others in percent."""

    name: str
    value: Decimal
    last: Decimal
    share: bool = False

    @property
    def change(self) -> Decimal:
        if self.share:
            return rounded(self.value - self.last, 1)
        return rounded((self.value - self.last) * 100 / self.last, 1)


@dataclass(frozen=True, kw_only=True)
class Books:
    """What holds once all is read, and where it is read."""

    report: str
    heads: tuple[str, str, str, str]
    figures: tuple[Figure, ...]
    split: str
    rows: tuple[tuple[Any, ...], ...]
    reader: str
    subject: str
    told: tuple[str, ...]
    keeper: str
    stale: str
    behind: str
    """Day of the last line of what is stale."""
    channel: tuple[str, str]
    title: str
    minutes: int
    rooms: tuple[str, str]
    taken: frozenset[tuple[str, str]]
    ticked: str
    explain: str
    read: Callable[[Plan], tuple[int, ...]]
    mend: Callable[[Plan, int], int]
    lines: int


def rounded(value: Decimal, places: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def share(part: int, whole: int) -> Decimal:
    return rounded(Decimal(100 * part) / whole, 1)


def working_day_after(day: str, closed: frozenset[str] = CLOSED) -> str:
    """The next day from Monday to Friday that is none of those on which all is closed."""
    then = date.fromisoformat(day) + timedelta(1)
    while then.weekday() > 4 or then.isoformat() in closed:
        then += timedelta(1)
    return then.isoformat()


@cache
def working_days(first: str, last: str) -> tuple[str, ...]:
    """Working days from one day to another."""
    days = [first] if date.fromisoformat(first).weekday() < 5 and first not in CLOSED else []
    day = working_day_after(first)
    while day <= last:
        days.append(day)
        day = working_day_after(day)
    return tuple(days)


def minutes(start: str, end: str) -> int:
    (h, m), (hh, mm) = (map(int, clock.split(":")) for clock in (start, end))
    return (hh - h) * 60 + mm - m


def noted(plan: Plan, deal: str, text: str, facts: Sequence[Fact], after: int) -> int:
    left = Expected(
        op="insert", app="crm", table="notes",
        values={"record_id": deal, "text": says(*facts), "day": TODAY, "author": person("owner").address},
    )  # fmt: skip
    return plan.write("crm", "add_note", left, record_id=deal, text=text, after=after)


def script(layout: Layout, name: str, companies: dict[str, str]) -> Told:
    return told(layout, Path(__file__).with_name(f"{name}.txt"), companies=companies)


def figures(
    last: Sequence[dict[str, str]], head: str, now: Sequence[Decimal], shares: Sequence[str]
) -> tuple[Figure, ...]:
    return tuple(
        Figure(name=row["figure"], value=value, last=Decimal(row[head]), share=row["figure"] in shares)
        for row, value in zip(last, now, strict=True)
    )


def sold(papers: Told, first: str, last: str, stage: str = "Won") -> list[tuple[str, Decimal, str, str]]:
    """Deals that closed between two days, the office's own among them: title, amount, currency, day."""
    ours = [
        (row["title"], Decimal(str(row["amount"])), row["currency"], row["closed"])
        for row in office().rows["crm"]["deals"]
        if row["stage"] == stage
    ]
    laid = [
        (deal.title, Decimal(deal.amount), deal.currency, deal.closed)
        for deal in papers.deals["won"]
        if deal.stage == stage
    ]
    return [each for each in (*ours, *laid) if first <= each[3] <= last]


def in_time(papers: Told, project: str, first: str, last: str, moved: dict[str, str], skip: str = "") -> Decimal:
    """Tasks due between two days that were done by then, in percent; subtasks and those with a word left out."""
    due = [
        (moved.get(job.title, job.due), job.done)
        for job in papers.jobs[project]
        if not job.sub and not (skip and skip in job.title.casefold())
    ]
    due = [each for each in due if first <= each[0] <= last]
    return share(sum(bool(done) and done <= day for day, done in due), len(due))
