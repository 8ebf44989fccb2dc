"""Devices with a fault, by case: sheets that tell who had them delivered, and what is true of them in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final, NamedTuple

from benchmarks.workflows.layout import Layout

__all__ = ("CLIENTS", "FIND", "Client", "Hit", "working")

_OURS: Final = "K-000"
_CLOSED: Final = ("2025-12-25", "2025-12-26", "2026-01-01", "2026-02-23")


class Client(NamedTuple):
    """A customer as the CRM has them, with the quality manager and perhaps a bookkeeper."""

    name: str
    industry: str
    domain: str
    contact: str
    books: str = ""


CLIENTS: Final[Mapping[str, Client]] = {
    "K-104": Client("Aldersyke Dairies", "Food", "aldersyke.example", "Morag Tennant"),
    "K-109": Client("Borrowfell Clinic", "Health", "borrowfell.example", "Sunil Abara", "Petra Lund"),
    "K-113": Client("Carrick Blood Service", "Health", "carrickblood.example", "Iona Metcalf"),
    "K-117": Client("Carrick Blood Bank Trust", "Charity", "cbbt.example", "Basil Orme"),
    "K-121": Client("Dunmoor Vaccines", "Pharma", "dunmoor.example", "Chiara Holt", "Rhys Penn"),
    "K-126": Client("Eskmouth Produce", "Food", "eskmouth.example", "Nils Barclay"),
    "K-130": Client("Fenwick Catering", "Food", "fenwickcatering.example", "Odile Marsh"),
    "K-138": Client("Gilcrux Laboratories", "Pharma", "gilcrux.example", "Tariq Sorley", "Una Frame"),
    "K-142": Client("Hexley Ices", "Food", "hexley.example", "Bettina Crane"),
    "K-145": Client("Inverdale Shellfish", "Seafood", "inverdale.example", "Magnus Thorpe"),
    "K-201": Client("Ottershaw Cold Systems", "Dealer", "ottershaw.example", "Leonie Wark"),
    "K-204": Client("Marrick Refrigeration", "Dealer", "marrick.example", "Anton Pryce", "Saskia Rudd"),
}
_TYPED: Final = {
    "K-104": ("Aldersyke Dairies", "Aldersyke Diaries"), "K-113": ("Carrick Blood", "Carrick Blood Serv."),
    "K-117": ("Carrick Blood B. Trust", "Carrick Blood"), "K-121": ("Dunmoor Vaccines", "Dunmore Vaccines"),
    _OURS: ("Fair, on loan", "Our own hall"),
}  # fmt: skip
"""How deliveries call customers; others as the CRM does."""


@dataclass(frozen=True)
class Hit:
    """A customer with devices that have the fault: how many of each sort, and what else decides the offer.

    `always`: visited however few they are.
    """

    number: str
    counts: tuple[int, ...]
    contract: bool = False
    always: bool = False

    @property
    def name(self) -> str:
        """What the CRM calls them."""
        return CLIENTS[self.number].name

    @property
    def total(self) -> int:
        """Devices of all sorts."""
        return sum(self.counts)


# -- which devices: loggers delivered by serial number, those that came back, those that others have by now

_CELL_RUNS: Final = (
    "104:24 130:18 109:20 142:16 126:22 113:12 145:20 117:24 138:16 121:18 104:12 109:14",
    "113:11 121:16 000:6 126:9 109:12 117:7 138:14 113:4 121:18 126:13 109:10 104:5 138:9 121:6 000:4 113:8 142:3 "
    "126:7 138:12 109:6 145:20 130:15 104:10 121:8",
)
_CELL_DAYS: Final = ("2025-11-03", "2026-01-07")
_CELLS: Final = (41208, 41383)
_BACK: Final = (
    (41220, "2026-02-02", "K-113", "new cell", "K-113"),
    (41221, "2026-02-02", "K-113", "new cell", "K-113"),
    (41135, "2026-02-05", "K-117", "new display", "K-117"),
    (41230, "2026-02-09", "K-121", "clock set, old cell", "K-121"),
    (41232, "2026-02-09", "K-121", "scrapped", ""),
    (41251, "2026-02-16", "K-126", "as new, old cell", "K-117"),
    *((serial, "2026-02-24", "K-104", "new cell", "K-104") for serial in range(41336, 41341)),
    (41380, "2026-03-02", "K-138", "waits on the bench, old cell", ""),
    (41300, "2026-03-13", "K-121", "new cell", "K-121"),
    (41353, "2026-03-16", "K-121", "new case, old cell", "K-121"),
)
_CONTRACTS: Final = {
    "K-104": "2026-12-31", "K-109": "2026-06-30", "K-113": "", "K-117": "2026-03-31", "K-121": "2027-01-31",
    "K-126": "2026-02-28", "K-138": "2026-02-28", "K-142": "2026-08-31", "K-145": "2025-12-31",
}  # fmt: skip
_RENEWED: Final = "K-138"


def _runs(text: str, first: int) -> list[tuple[str, int, int]]:
    runs = []
    for each in text.split():
        number, _, size = each.partition(":")
        runs.append((f"K-{number}", first, first + int(size) - 1))
        first += int(size)
    return runs


def _typed(number: str, place: int) -> str:
    names = _TYPED.get(number) or (CLIENTS[number].name,)
    return names[place % len(names)]


def _shipped(runs: Sequence[tuple[str, int, int]], start: str, tag: str) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = [("delivery", "day", "number", "customer", "from", "to")]
    on = date.fromisoformat(start)
    for place, (number, first, last) in enumerate(runs):
        rows.append((f"{tag}-{place + 11:03d}", f"{on}", number, _typed(number, place), first, last))
        on = working(on, 2 if place % 3 else 1)
    return rows


def working(on: date, days: int) -> date:
    """The day so many working days later, or earlier."""
    step = 1 if days > 0 else -1
    while days:
        on += timedelta(step)
        days -= step if on.weekday() < 5 and f"{on}" not in _CLOSED else 0
    return on


def _cells(layout: Layout, folder: str, papers: dict[str, str]) -> list[Hit]:
    early = _runs(_CELL_RUNS[0], 41000)
    late = _runs(_CELL_RUNS[1], early[-1][2] + 1)
    for year, runs, start in ((2025, early, _CELL_DAYS[0]), (2026, late, _CELL_DAYS[1])):
        papers[f"shipped {year}"] = layout.sheet(
            f"/workspace/devices/shipped_{year}.csv", _shipped(runs, start, f"L{year - 2000}"), at=f"{year}-12-19 12:00"
            if year == 2025 else "2026-03-13 17:10",
        )  # fmt: skip
    papers["back"] = layout.sheet(
        "/workspace/devices/came_back.csv",
        [("serial", "day", "from", "what was done", "sent out again to"), *_BACK],
        at="2026-03-16 16:40",
    )
    papers["contracts"] = layout.sheet(
        "/workspace/customers/service_contracts.csv",
        [("number", "customer", "until"), *((n, CLIENTS[n].name, until) for n, until in _CONTRACTS.items() if until)],
        at="2026-02-20 10:30",
    )
    holder = {
        serial: number
        for number, first, last in (*early, *late)
        for serial in range(first, last + 1)
        if _CELLS[0] <= serial <= _CELLS[1]
    }
    for serial, _, _, done, to in _BACK:
        if serial in holder:
            holder[serial] = to if "old cell" in done else ""
    holder = {serial: "K-109" if number == "K-142" else number for serial, number in holder.items()}
    return [
        Hit(
            number, (count,), contract=number == _RENEWED or _CONTRACTS.get(number, "") >= "2026-03-18",
            always=number in ("K-113", "K-121"),
        )
        for number in CLIENTS
        if (count := sum(owner == number for owner in holder.values()))
    ]  # fmt: skip


# -- which devices: loggers by the day, the bench and the error of their calibration

_SETS: Final = (
    "0205/2 8 20 104, 0205/1 10 55 109, 0209/2 9 45 113, 0209/2 6 30 126, 0210/1 8 10 121, 0210/2 7 50 138, "
    "0211/2 9 -45 109, 0211/2 8 15 142, 0211/1 12 60 121, 0212/2 10 40 121, 0212/2 7 25 126, 0212/3 9 45 113, "
    "0213/2 11 -20 138, 0213/2 6 35 000, 0213/2 8 10 104, 0216/2 12 35 109, 0216/2 9 15 117, 0216/1 6 40 126, "
    "0217/2 8 45 130, 0217/2 10 20 121, 0217/2 5 30 stock, 0218/2 12 -35 138, 0218/2 7 40 126, 0218/3 9 20 142, "
    "0219/2 6 25 145, 0219/2 10 15 104, 0219/2 9 50 121, 0220/2 4 60 109, 0220/2 11 30 126, 0224/1 8 45 145, "
    "0224/2 8 -50 138, 0224/2 5 20 130, 0224/2 7 15 113, 0224/2 6 40 145, 0224/2 4 10 121, 0225/2 9 40 104, "
    "0225/2 8 30 109, 0226/2 10 45 142, 0226/2 6 20 117, 0227/2 7 35 138"
)
_BENCH_DAYS: Final = ("0211", "0224")


def _bench(layout: Layout, folder: str, papers: dict[str, str]) -> list[Hit]:
    log: list[tuple[Any, ...]] = [("day", "bench", "from", "to", "unit", "reference", "reading")]
    out: list[tuple[Any, ...]] = [("delivery", "day", "number", "customer", "from", "to")]
    found: dict[str, list[int]] = {}
    first = 52000
    for place, text in enumerate(_SETS.split(", ")):
        head, size, error, whose = text.split()
        mmdd, _, bench = head.partition("/")
        last, off = first + int(size) - 1, Decimal(error) / 100
        unit = "F" if bench == "2" and mmdd >= "0216" else "C"
        reference = Decimal("-18.00") if place % 3 else Decimal("4.00")
        shown = [each * Decimal("1.8") + 32 if unit == "F" else each for each in (reference, reference + off)]
        log.append((f"2026-{mmdd[:2]}-{mmdd[2:]}", bench, first, last, unit, *(f"{each:.2f}" for each in shown)))
        if whose != "stock":
            number = f"K-{whose}"
            on = working(date(2026, int(mmdd[:2]), int(mmdd[2:])), 1 + place % 3)
            out.append((f"L26-{place + 31:03d}", f"{on}", number, _typed(number, place), first, last))
            faulty = bench == "2" and _BENCH_DAYS[0] <= mmdd <= _BENCH_DAYS[1] and abs(off) >= Decimal("0.20")
            if faulty and number != _OURS:
                counts = found.setdefault("K-126" if number == "K-130" else number, [0, 0])
                counts[abs(off) < Decimal("0.40")] += int(size)
        first = last + 1
    papers["log"] = layout.sheet(f"{folder}/calibration_log.csv", log, at="2026-03-02 08:10")
    papers["shipped"] = layout.sheet("/workspace/devices/shipped_2026.csv", _by_day(out), at="2026-03-06 17:30")
    return [Hit(number, tuple(found[number])) for number in CLIENTS if number in found]


def _by_day(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """A sheet with its rows by day, the head before them."""
    return [rows[0], *sorted(rows[1:], key=lambda row: (row[1], row[0]))]


# -- which devices: gateways by board and week, in stores that dealers or we look after

_STORES: Final = (
    "Albion Wharf 104 201 C 2023-W37 6 2023-11-06 -, Bramley 104 201 C 2023-W44 8 2024-01-22 2026-09-30, "
    "Corn Row 104 204 B 2023-W44 5 2024-02-05 -, Dock Street 109 - C 2023-W49 9 2024-03-18 -, "
    "East Ward 109 - C 2023-W50 7 2024-02-12 2026-03-17, Fell View 109 - C 2024-W04 12 2024-05-20 -, "
    "Goose Green 121 204 C 2023-W35 9 2023-10-16 2026-05-31, Harbour 121 204 C 2023-W46 11 2024-02-19 2026-03-18, "
    "Inkerman Road 121 204 C 2024-W02 10 2024-04-08 -, Jubilee Hall 126 - B 2024-W03 7 2024-04-22 -, "
    "Kiln Lane 126 - C 2023-W40 14 2023-12-11 -, Lime Court 126 - C 2024-W05 6 2024-03-11 -, "
    "Mill Race 126 - C 2024-W06 8 2024-04-15 -, Nether Yard 130 201 C 2023-W51 10 2024-02-26 -, "
    "Old Quay 130 201 C 2024-W03 7 2024-05-13 -, Parsonage 130 201 C 2024-W07 4 2024-03-04 2026-12-31, "
    "Quarry Top 138 - D 2024-W05 6 2024-06-03 -, Ropewalk 138 - C 2023-W42 9 2024-01-08 -, "
    "Saltpan 138 - C 2023-W51 12 2024-03-25 -, Tanyard 138 - C 2024-W01 15 2024-04-02 -, "
    "Upper Hexley 142 201 C 2023-W48 9 2024-03-12 -, Vine Street 142 201 C 2024-W08 8 2024-05-27 -, "
    "Weir Cottage 142 201 C 2024-W09 6 2024-06-10 -, Yew Tree 145 204 C 2023-W45 5 2024-01-15 -, "
    "Zinc Works 145 204 C 2024-W06 7 2024-03-19 -, Abbot's Kitchen 117 204 C 2024-W04 8 2024-03-04 2026-01-31, "
    "Beck Side 104 201 C 2024-W02 5 2024-04-29 -, Cross Keys 113 - D 2024-W03 9 2024-05-06 -"
)
_WEEKS: Final = ("2023-W36", "2024-W08")
_NOT_WEEK: Final = "2023-W51"
_DIRECT_BY_NOW: Final = ("K-142",)
_EMPTIED: Final = ("Old Quay",)


def _relays(layout: Layout, folder: str, papers: dict[str, str]) -> list[Hit]:
    stores: list[tuple[Any, ...]] = [
        ("store", "number", "customer", "dealer", "board", "built", "gateways", "installed")
    ]
    plans: list[tuple[Any, ...]] = [("store", "plan until")]
    found: dict[str, list[int]] = {}
    for place, text in enumerate(_STORES.split(", ")):
        *words, customer, dealer, board, built, count, installed, plan = text.split()
        store, number = " ".join(words), f"K-{customer}"
        through = f"K-{dealer}" if dealer != "-" else ""
        stores.append((
            store, number, _typed(number, place), CLIENTS[through].name if through else "", board, built, count,
            installed,
        ))  # fmt: skip
        if plan != "-":
            plans.append((store, plan))
        faulty = board == "C" and _WEEKS[0] <= built <= _WEEKS[1] and built != _NOT_WEEK and store not in _EMPTIED
        if faulty:
            whose = through if through and number not in _DIRECT_BY_NOW else number
            free = installed >= "2024-03-18" or (plan != "-" and plan >= "2026-03-18")
            found.setdefault(whose, [0, 0])[not free] += int(count)
    papers["stores"] = layout.sheet("/workspace/devices/gateways_installed.csv", stores, at="2026-01-30 15:20")
    papers["plans"] = layout.sheet("/workspace/customers/care_plans.csv", plans, at="2026-03-03 11:45")
    return [Hit(number, tuple(found[number])) for number in CLIENTS if number in found]


FIND: Final = (_cells, _bench, _relays)
"""For each case: lays out its sheets, keeping their paths by name, and returns who has what."""
