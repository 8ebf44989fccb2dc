"""The hall's north dock and its courier book: orders by the hundred, written down as people at a dock write."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.workflows.flows.quarterly.books import CLOSED, working_day_after, working_days
from benchmarks.workflows.layout import Layout

__all__ = ("CALLED", "SHUT", "SIZES", "Sent", "called", "lay_courier_book", "lay_north_dock", "pieces")

CALLED: Final = (
    ("Ashmoor Hospital", "Ashmoor Hospital", ""), ("Ashmoor Hosp.", "Ashmoor Hospital", ""),
    ("Brindle Eggs", "Brindle Farm Eggs", ""), ("Brindle Farm", "Brindle Farm Eggs", ""),
    ("Calder Pharma", "Calder Pharma", ""), ("Calder", "Calder Pharma", ""),
    ("Carrow Blood", "Carrow Blood Service", ""), ("CBS", "Carrow Blood Service", ""),
    ("Dunmere", "Dunmere Cheese", ""), ("Dunmere Cheese", "Dunmere Cheese", ""),
    ("Easterly", "Easterly Seeds", ""), ("Fennimore", "Fennimore Foods", ""),
    ("Fenn. Foods", "Fennimore Foods", ""), ("Grantley Seafood", "Grantley Seafood", ""),
    ("Grantley", "Grantley Seafood", ""), ("Hartwell", "Hartwell Vets", ""), ("H. Vets", "Hartwell Vets", ""),
    ("Jessop Logistics", "Jessop Logistics", ""), ("Jessop", "Jessop Logistics", ""),
    ("Larkspur", "Larkspur Dairies", ""), ("Lark. Dairies", "Larkspur Dairies", ""),
    ("Marram", "Marram Oysters", ""), ("Orrin Dairy", "Orrin Dairy", ""), ("Orrin", "Orrin Dairy", ""),
    ("Penhale Ice", "Penhale Ice", ""), ("Penhale Ice", "Marram Oysters", "2026-01-19"),
    ("Sedgewick", "Sedgewick Labs", ""), ("S. Labs", "Sedgewick Labs", ""),
    ("Vennfield Vaccines", "Vennfield Vaccines", ""), ("Vennfield", "Vennfield Vaccines", ""),
    ("Fairlie Creamery", "Fairlie Creamery", ""), ("Fairlie Creamery", "Larkspur Dairies", "2026-02-09"),
)  # fmt: skip
"""A name on a sheet, the customer under whom it counts, and since which day ("" for always)."""

SHUT: Final = (("2026-01-14", "Hall shut: racks are inspected"), ("2026-02-17", "Hall shut: new gate at the dock"))
"""Days on which nothing leaves, as the calendar has them."""

SIZES: Final = (
    ("logger", "case", 24, "2025-01-01"), ("logger", "pack", 6, "2025-01-01"), ("probe", "case", 50, "2025-01-01"),
    ("probe", "pack", 10, "2025-01-01"), ("gateway", "case", 8, "2025-01-01"), ("gateway", "pack", 2, "2025-01-01"),
    ("gateway", "case", 6, "2025-12-15"), ("logger", "pack", 5, "2026-01-12"), ("logger", "case", 20, "2026-02-01"),
    ("probe", "pack", 8, "2026-02-02"), ("probe", "case", 40, "2026-03-01"),
)  # fmt: skip
_AGREED: Final = {("Calder Pharma", "logger"): (16, "2026-01-05"), ("Vennfield Vaccines", "probe"): (30, "2026-02-09")}
"""Cases as agreed with a customer; notes in the CRM say so."""


class Sent(NamedTuple):
    """A line of a dock: `promised` is "" where nothing was promised, `kind` order, sample, branch or back."""

    number: str
    name: str
    product: str
    quantity: int
    unit: str
    promised: str
    sent: str
    kind: str


def called(name: str, day: str) -> str:
    """The customer under whom a name counts on a day."""
    return [customer for entered, customer, since in CALLED if entered == name and since <= day][-1]


def pieces(line: Sent) -> int:
    """What a line comes to in pieces, by the sizes of the day on which it was sent."""
    if line.unit == "piece":
        return line.quantity
    size, since = _AGREED.get((called(line.name, line.sent), line.product), (0, "9999"))
    if line.unit != "case" or line.sent < since:
        found = [n for product, unit, n, day in SIZES if (product, unit) == line[2:5:2] and day <= line.sent]
        size = found[-1]
    return line.quantity * size


_UNITS: Final = {"piece": "", "case": "cs ", "pack": "pk "}
_REMARKS: Final = {"order": "", "sample": "sample", "branch": "own branch", "back": "back"}
_PAPERS: Final = "/workspace/reports/hall/despatch"


def lay_north_dock(layout: Layout) -> list[Sent]:
    """Lay out the dock's sheets, one for each month of entry. Numbers that stand twice are there twice, in order."""
    rng = Random("quarterly-report: north dock")
    names = [name for name, _, _ in CALLED]
    sheets: dict[str, list[Sent]] = {}
    number = 408
    for day in working_days("2025-11-17", "2026-03-03"):
        for _ in range(rng.choice((1, 2, 2, 3))):
            number += rng.choice((1, 1, 1, 2))
            line = _drawn(rng, number, rng.choice(names), day)
            if line.sent < "2026-03-17":
                sheets.setdefault(day[:7], []).append(line)
    for twice, later, change in _TWICE:
        (line,) = (line for lines in sheets.values() for line in lines if line.number == twice)
        again = line._replace(number=twice.replace("-", ""), **change)
        sheets[later].insert(rng.randrange(len(sheets[later])), again)
    for month, lines in sheets.items():
        layout.sheet(
            f"{_PAPERS}/north_{month.replace('-', '_')}.csv",
            (("no", "who", "what", "promised", "out", "remark"), *map(_written, lines)), at="2026-03-16 17:20",
        )  # fmt: skip
    return [line for month in sorted(sheets) for line in sheets[month]]


def _drawn(rng: Random, number: int, name: str, entered: str) -> Sent:
    """An order entered on that day. Two in three go out in time, half of the others on the next working day."""
    promised = _later(entered, rng.randint(4, 9))
    early = _later(entered, 3)
    sent = rng.choices(
        (promised, early, _later(promised, 1), _later(promised, rng.randint(2, 5))), weights=(44, 20, 20, 16)
    )[0]
    product = rng.choices(("logger", "probe", "gateway"), weights=(5, 3, 2))[0]
    unit = rng.choices(("piece", "case", "pack"), weights=(4, 4, 3))[0]
    most = {"piece": 90, "case": 4, "pack": 12}[unit] // (5 if product == "gateway" and unit == "piece" else 1)
    kind = rng.choices(("order", "sample", "branch", "back"), weights=(84, 5, 5, 6))[0]
    if kind in ("sample", "back"):
        unit, most = "piece", 12
    if kind == "back":
        promised = ""
    return Sent(f"N-{number}", name, product, rng.randint(1, most), unit, promised, sent, kind)


def _later(day: str, count: int) -> str:
    for _ in range(count):
        day = working_day_after(day, _NOTHING_LEAVES)
    return day


_NOTHING_LEAVES: Final = CLOSED | {day for day, _ in SHUT}


def _short(day: str) -> str:
    return f"{date.fromisoformat(day):%d.%m.%y}" if day else ""


def _written(line: Sent) -> tuple[str, ...]:
    what = f"{line.quantity} {_UNITS[line.unit]}{line.product}"
    return (line.number, line.name, what, _short(line.promised), _short(line.sent), _REMARKS[line.kind])


_TWICE: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    ("N-418", "2025-12", {"sent": "2025-12-01"}), ("N-444", "2026-01", {"quantity": 54}),
    ("N-474", "2026-01", {"sent": "2026-01-06"}), ("N-499", "2026-02", {"quantity": 26}), ("N-512", "2026-02", {}),
)  # fmt: skip
"""Numbers that stand on a later sheet as well, and what is different there."""


_COURIER: Final = (
    ("2025-11-27", "Hartwell", "probe", 12, "order"), ("2025-12-02", "CBS", "logger", 6, "order"),
    ("2025-12-03", "Owner's aunt", "parcel", 1, "private"), ("2025-12-09", "S. Labs", "probe", 18, "order"),
    ("2025-12-11", "Ashmoor Hosp.", "logger", 9, "order"), ("2025-12-17", "Calder", "logger", 4, "sample"),
    ("2025-12-19", "Easterly", "gateway", 2, "order"), ("2026-01-06", "Dunmere", "probe", 25, "order"),
    ("2026-01-15", "Penhale Ice", "logger", 14, "order"), ("2026-01-21", "Penhale Ice", "logger", 11, "order"),
    ("2026-01-29", "H. Vets", "gateway", 3, "order"), ("2026-02-05", "Fairlie Creamery", "probe", 16, "order"),
    ("2026-02-11", "Fairlie Creamery", "logger", 8, "order"), ("2026-02-12", "Facilities", "kettle", 1, "private"),
    ("2026-02-19", "Brindle Farm", "probe", 22, "order"), ("2026-02-24", "Marram", "logger", 5, "sample"),
    ("2026-02-27", "CBS", "logger", 19, "order"), ("2026-03-02", "Carrow Blood", "probe", 30, "order"),
)  # fmt: skip


def lay_courier_book(layout: Layout) -> list[Sent]:
    """Lay out the front desk's book of what couriers took."""
    lines = [(f"C-{place}", *each) for place, each in enumerate(_COURIER, 71)]
    layout.sheet(
        "/workspace/office/front_desk/courier_book.csv",
        (("slip", "day", "who", "what", "for"), *((n, day, who, f"{q} {p}", why) for n, day, who, p, q, why in lines)),
        at="2026-03-16 17:05",
    )  # fmt: skip
    return [Sent(n, who, product, q, "piece", "", day, why) for n, day, who, product, q, why in lines]
