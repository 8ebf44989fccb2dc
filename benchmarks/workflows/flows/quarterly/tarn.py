"""The workshop at Tarn Street: a sheet a month, with minutes, prices with VAT and devices that say whose they are."""

from __future__ import annotations

from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.workflows.flows.quarterly.books import CLOSED, working_day_after, working_days
from benchmarks.workflows.layout import Layout

__all__ = ("SHUT", "Repair", "lay_tarn_street")

SHUT: Final = ("2025-12-29", "2025-12-30", "2025-12-31", "2026-02-16")
_FOLDER: Final = "/workspace/support/quarter/tarn"
_MONTHS: Final = ("2025-11", "2025-12", "2026-01", "2026-02", "2026-03")
_OWNERS: Final = (
    "Ashmoor Hospital", "Brindle Farm Eggs", "Calder Pharma", "Carrow Blood Service", "Dunmere Cheese",
    "Fairlie Creamery", "Fennimore Foods", "Grantley Seafood", "Hartwell Vets", "Jessop Logistics", "Kestrelby demo",
    "Larkspur Dairies", "Marram Oysters", "Orrin Dairy", "Sedgewick Labs", "Vennfield Vaccines",
)  # fmt: skip
_HANDED_ON: Final = {
    **dict.fromkeys(range(33, 39), ("Fennimore Foods", "2026-02-02")),
    **dict.fromkeys(range(60, 65), ("Grantley Seafood", "2026-01-12")),
}
"""Devices of customers who gave them away, and since when they are whose; notes in the CRM say so."""


class Repair(NamedTuple):
    """A job that is out, as it is put right. `days` are those that count; `parts` are EUR without VAT."""

    job: str
    customer: str
    came: str
    left: str
    days: int
    hours: Decimal
    parts: Decimal
    free: bool


class _Device(NamedTuple):
    number: int
    customer: str
    delivered: str
    years: int

    @property
    def name(self) -> str:
        return f"T-{self.number + 2000}"

    def holder(self, day: str) -> str:
        customer, since = _HANDED_ON.get(self.number, ("", "9999"))
        return customer if day >= since else self.customer

    def covered(self, day: str) -> bool:
        """Whether it was under warranty on a day."""
        return day < f"{int(self.delivered[:4]) + self.years}{self.delivered[4:]}"


def _devices() -> list[_Device]:
    rng = Random("quarterly-report: devices of Tarn Street")
    found = []
    for number in range(104):
        owner = _OWNERS[number * len(_OWNERS) // 104]
        day = working_days("2022-07-01", "2025-10-31")[rng.randrange(840)]
        found.append(_Device(number, owner, day, rng.choice((2, 2, 3))))
    return found


class _Job(NamedTuple):
    job: str
    device: _Device
    came: str
    left: str
    minutes: int
    price: int
    waited: int


_PUT_RIGHT: Final[dict[str, dict[str, Any]]] = {
    "T151": {"left": "2026-01-06"}, "T183": {"minutes": 107}, "T211": {"price": 12524}, "T274": {"waited": 3},
}  # fmt: skip
"""What Olga puts right in mails and messages."""
_SETTLED: Final[dict[str, bool]] = {"T178": True, "T208": False, "T213": True}
"""Jobs whose warranty Kieran has settled."""


def lay_tarn_street(layout: Layout) -> list[Repair]:
    """Lay out the workshop's sheets and its list of devices; those that are out, put right."""
    rng = Random("quarterly-report: Tarn Street")
    devices = _devices()
    sheets: dict[str, list[tuple[Any, ...]]] = {month: [] for month in _MONTHS}
    jobs: list[_Job] = []
    number = 100
    for day in working_days("2025-11-24", "2026-03-13"):
        if day in SHUT:
            continue
        for _ in range(rng.choice((2, 2, 2, 3))):
            number += rng.choice((1, 1, 1, 2))
            here = {job.device for job in jobs if job.left >= day}
            job = _drawn(rng, f"T{number}", rng.choice([each for each in devices if each not in here]), day)
            jobs.append(job)
            for month in _MONTHS:
                if day[:7] <= month <= job.left[:7]:
                    sheets[month].append(_written(job, month, rng))
    head = ("job", "device", "came", "left", "min", "price with VAT", "waited")
    for month, lines in sheets.items():
        layout.sheet(f"{_FOLDER}/tarn_{month.replace('-', '_')}.csv", (head, *lines), at="2026-03-17 16:20")
    rows = [(each.name, each.customer, each.delivered, each.years) for each in devices]
    layout.sheet(f"{_FOLDER}/devices.csv", (("device", "customer", "delivered", "years"), *rows), at="2026-01-07 09:10")
    for day in SHUT:
        layout.event("Tarn Street shut", start=f"{day} 08:00", minutes=540, people=("product",), location="Tarn Street")
    return [_settled(job._replace(**_PUT_RIGHT.get(job.job, {}))) for job in jobs if job.left <= "2026-03-17"]


def _drawn(rng: Random, number: str, device: _Device, came: str) -> _Job:
    left = came
    for _ in range(rng.choice((2, 3, 4, 4, 5, 6, 7, 8, 10, 13))):
        left = working_day_after(left, CLOSED | set(SHUT))
    waited = rng.choice((0, 0, 0, 1, 2))
    return _Job(number, device, came, left, rng.randint(12, 280), rng.randint(0, 2) and rng.randint(480, 15900), waited)


def _written(job: _Job, month: str, rng: Random) -> tuple[Any, ...]:
    """A job on the sheet of a month: done, or as far as it was when the month ended."""
    if month == job.left[:7] and job.left <= "2026-03-17":
        return (job.job, job.device.name, job.came, job.left, job.minutes, f"{job.price / 100:.2f}", job.waited or "")
    return (job.job, job.device.name, job.came, "", rng.randint(0, job.minutes), "", "")


def _settled(job: _Job) -> Repair:
    shut = sum(job.came < day < job.left for day in SHUT)
    days = (date.fromisoformat(job.left) - date.fromisoformat(job.came)).days - shut - job.waited
    net = (Decimal(job.price) / 120).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    return Repair(
        job.job, job.device.holder(job.came), job.came, job.left, days, Decimal(-(-job.minutes // 30)) / 2, net,
        _SETTLED.get(job.job, job.device.covered(job.came)),
    )  # fmt: skip
