"""What is updated where, by case: sheets of sites, and for each site what it weighs, when it may be, why it may not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from benchmarks.workflows.layout import Layout

__all__ = ("CLIENTS", "FIND", "Client", "Site", "working")

_CLOSED: Final = ("2026-02-23",)


class Client(NamedTuple):
    """A customer as the CRM has them, with who runs their sites and perhaps a buyer."""

    name: str
    industry: str
    domain: str
    contact: str
    buyer: str = ""


CLIENTS: Final = {
    "N": Client("Northgate Bakery", "Food", "northgate.example", "Elsie Rowntree"),
    "P": Client("Pellmoor Frozen", "Food", "pellmoor.example", "Idris Calloway", "Maud Fairley"),
    "Q": Client("Quernby Hospice", "Health", "quernby.example", "Salma Whitlock"),
    "R": Client("Rothwell Dairy", "Food", "rothwelldairy.example", "Conrad Ashe", "Lena Hobbs"),
    "S": Client("Saltholm Fisheries", "Seafood", "saltholm.example", "Birgit Falconer"),
    "T": Client("Thornlea Pharmacies", "Health", "thornlea.example", "Desmond Ireland"),
}


@dataclass(frozen=True)
class Site:
    """A site to be updated. `never`: why not at all; `free`: whether it may be on a day, in that wave (0, 1, 2)."""

    name: str
    client: str
    weight: int
    free: Callable[[str, int], bool]
    never: str = ""


def working(on: date, days: int) -> date:
    """The day so many working days later, or earlier."""
    step = 1 if days > 0 else -1
    while days:
        on += timedelta(step)
        days -= step if on.weekday() < 5 and f"{on}" not in _CLOSED else 0
    return on


# -- gateways: boards, versions, tests, and weeks in which nothing may change

_GATEWAYS: Final = (
    "Anvil Street N G2 3.1 9, Birch Hill N G2 3.0 14, Cobbler's Row N G3 3.1 6, Drum Lane N G1 3.1 11, "
    "Elm Court P G2 3.1 18, Ferry Point P G3 3.0 12, Gallow Green P G2 3.0 7, Hop Yard P G2 3.1 22, "
    "Ivy House Q G2 3.1 8, Juniper Wing Q G3 3.1 16, King's Ward Q G2 2.9 5, Lark Rise R G2 3.0 13, "
    "Mossy Bank R G3 3.1 19, Nine Elms R G2 3.1 10, Otter Bend R G2 3.1 15, Pike Quay S G3 3.1 11, "
    "Quill Yard S G2 3.0 9, Rope Walk S G1 3.0 8, Sandgate S G2 3.1 21, Tern Rock S G2 3.0 6, Upper Mill R G3 3.1 4"
)
_TESTS: Final = (
    ("2026-02-16", "3.2.0", "G2", "3.1", "passed"), ("2026-02-16", "3.2.0", "G2", "3.0", "passed"),
    ("2026-02-17", "3.2.0", "G3", "3.0", "passed"), ("2026-02-17", "3.2.0", "G3", "3.1", "failed"),
    ("2026-02-18", "3.2.0", "G2", "2.9", "passed"), ("2026-02-19", "3.2.0", "G1", "3.1", "passed"),
    ("2026-03-09", "3.2.1", "G2", "3.1", "passed"), ("2026-03-09", "3.2.1", "G2", "3.0", "failed"),
    ("2026-03-10", "3.2.1", "G3", "3.1", "passed"), ("2026-03-10", "3.2.1", "G3", "3.0", "passed"),
    ("2026-03-11", "3.2.1", "G2", "2.9", "failed"), ("2026-03-12", "3.2.1", "G2", "3.0", "passed"),
    ("2026-03-12", "3.2.1", "G1", "3.1", "passed"), ("2026-03-13", "3.2.1", "G3", "3.0", "failed"),
    ("2026-03-16", "3.2.1", "G2", "2.9", "passed"),
)  # fmt: skip
_FROZEN: Final = (
    ("Mossy Bank", "2025-03-24", "2025-04-04", "audit"), ("Hop Yard", "2026-03-23", "2026-03-27", "stocktaking"),
    ("Sandgate", "2026-03-30", "2026-04-02", "new cold store"), ("Otter Bend", "2026-03-23", "2026-04-10", "audit"),
    ("Juniper Wing", "2026-04-01", "2026-04-10", "painters"), ("Quill Yard", "2026-03-25", "2026-03-26", "regatta"),
    ("Lark Rise", "2026-04-07", "2026-04-09", "stocktaking"),
)  # fmt: skip
_PILOTS: Final = ("Tern Rock", "Birch Hill")


def _gateways(layout: Layout, folder: str, papers: dict[str, str]) -> list[Site]:
    rows = []
    for text in _GATEWAYS.split(", "):
        *words, client, board, version, count = text.split()
        rows.append((" ".join(words), client, board, version, int(count)))
    papers["sites"] = layout.sheet(
        "/workspace/devices/gateway_sites.csv",
        [
            ("site", "customer", "board", "version", "gateways", "state"),
            *((s, CLIENTS[c].name, b, v, n, "closed" if s == "Nine Elms" else "running") for s, c, b, v, n in rows),
        ],
        at="2026-01-29 10:10",
    )
    papers["tests"] = layout.sheet(
        f"{folder}/tests.csv", [("day", "build", "board", "from version", "result"), *_TESTS], at="2026-03-16 16:20"
    )
    papers["frozen"] = layout.sheet(
        "/workspace/customers/no_changes.csv", [("site", "from", "to", "why"), *_FROZEN], at="2026-03-05 11:30"
    )
    spans = [(site, first, last) for site, first, last, _ in _FROZEN if site != "Otter Bend"]
    spans += [("Otter Bend", "2026-03-23", "2026-04-02"), ("Ivy House", "2026-03-30", "2026-04-03")]
    last_run = {(board, version): result for _, build, board, version, result in _TESTS if build == "3.2.1"}

    def site(name: str, client: str, board: str, version: str, count: int) -> Site:
        def free(on: str, wave: int) -> bool:
            if wave == 0 and (CLIENTS[client].industry == "Health" or (count > 10 and name not in _PILOTS)):
                return False
            return not any(where == name and first <= on <= last for where, first, last in spans)

        never = "board" if board == "G1" else "" if last_run.get((board, version)) == "passed" else "test"
        return Site(name, client, 21 if name == "Elm Court" else count, free, never)

    sites = [site(*row) for row in rows if row[0] != "Nine Elms"]
    place = {name: number for number, name in enumerate(_PILOTS)}
    return sorted(sites, key=lambda each: (place.get(each.name, len(place)), each.weight, each.name))


# -- loggers: packages by model and version, batteries, and days of the week

_LOGGERS: Final = (
    "Anvil Street N M 2.8 14 62 -88, Birch Hill N M 2.7 9 41 -97, Birch Hill N S 2.8 12 55 -97, "
    "Chapel Row N S 2.7 16 28 -101, Elm Court P M 2.8 24 71 -84, Elm Court P S 2.7 5 66 -84, "
    "Gallow Green P S 2.8 31 35 -92, Hop Yard P M 2.6 6 80 -90, Hop Yard P M 2.8 11 58 -90, "
    "Juniper Wing Q M 2.8 18 24 -79, King's Ward Q S 2.8 22 47 -108, King's Ward Q M 2.7 4 39 -108, "
    "Lark Rise R M 2.7 17 33 -95, Mossy Bank R S 2.7 13 52 -114, Otter Bend R M 2.8 26 30 -93, "
    "Otter Bend R S 2.8 7 18 -93, Pike Quay S M 2.8 12 44 -110, Quill Yard S S 2.6 8 61 -99, "
    "Sandgate S M 2.7 11 26 -86, Tern Rock S S 2.8 28 73 -91, Tern Rock S S 2.7 6 70 -91, Upper Mill R M 2.8 15 57 -89"
)
_PACKAGES: Final = (
    ("M", "2.8", 640), ("M", "2.7", 1150), ("M", "2.6", 2400), ("S", "2.8", 480), ("S", "2.7", 900), ("S", "2.6", 2100),
)  # fmt: skip
_STATE: Final = ("site", "model", "from version", "lowest battery %", "signal dBm")
_NOT_ON: Final = {"N": (), "P": (2,), "Q": (4,), "R": (3,), "S": (3,)}
"""Days of the week, Monday being 0, as they are by now."""


def _loggers(layout: Layout, folder: str, papers: dict[str, str]) -> list[Site]:
    rows = []
    for text in _LOGGERS.split(", "):
        *words, client, model, version, count, battery, signal = text.split()
        rows.append((" ".join(words), client, model, version, int(count), int(battery), int(signal)))
    papers["sites"] = layout.sheet(
        "/workspace/devices/logger_sites.csv",
        [("site", "customer", "model", "version", "loggers"), *((s, CLIENTS[c].name, *r) for s, c, *r in _first(rows))],
        at="2026-03-04 09:25",
    )
    papers["packages"] = layout.sheet(
        f"{folder}/packages.csv", [("model", "from version", "kB a logger"), *_PACKAGES], at="2026-03-10 15:00"
    )
    papers["state"] = layout.sheet(
        "/workspace/devices/exports/logger_state_20260312.csv",
        [
            _STATE,
            *((r[0], r[2], r[3], *r[5:]) for r in rows),
        ],
        at="2026-03-12 06:00",
    )
    layout.sheet(
        "/workspace/devices/exports/logger_state_20260212.csv",
        [_STATE, *((r[0], r[2], r[3], r[5] + 7, r[6] + place % 3) for place, r in enumerate(rows))],
        at="2026-02-12 06:00",
    )
    papers["days"] = layout.sheet(
        "/workspace/customers/not_on_these_days.csv",
        [
            ("customer", "never on"), ("Northgate Bakery", "Friday"), ("Pellmoor Frozen", "Wednesday"),
            ("Quernby Hospice", "Friday"), ("Rothwell Dairy", "Thursday"), ("Saltholm Fisheries", "Tuesday"),
        ],
        at="2026-02-12 14:45",
    )  # fmt: skip
    size = {(model, version): kb for model, version, kb in _PACKAGES} | {("M", "2.7"): 1250, ("S", "2.6"): 4200}
    sites = []
    for name in dict.fromkeys(row[0] for row in rows):
        mine = [row for row in rows if row[0] == name]
        client = mine[0][1]
        weak = any(row[6] < -110 for row in mine)
        flat = any(row[5] < 25 for row in mine) and name != "Juniper Wing"
        off = _NOT_ON[client]

        def free(on: str, wave: int, off: Sequence[int] = off) -> bool:
            return date.fromisoformat(on).weekday() not in off

        weight = sum(size[row[2], row[3]] * row[4] for row in mine)
        sites.append(Site(name, client, weight, free, "signal" if weak else "battery" if flat else ""))
    return sorted(sites, key=lambda each: (-each.weight, each.name))


def _first(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [row[:5] for row in rows]


# -- certificates: when they end, and how many minutes an evening has

_CERTIFICATES: Final = (
    "Anvil Street N A 7 2026-04-14, Birch Hill N B 4 2026-04-09, Cobbler's Row N A 5 2026-05-02, "
    "Elm Court P B 6 2026-04-20, Gallow Green P A 9 2026-04-03, Hop Yard P B 3 2026-05-11, Ivy House Q A 6 2026-04-17, "
    "Juniper Wing Q B 5 2026-04-06, King's Ward Q A0 3 2026-04-28, Lark Rise R A 8 2026-04-22, "
    "Mossy Bank R B 7 2026-04-30, Otter Bend R A 4 2026-04-11, Pike Quay S A 11 2026-04-24, "
    "Quill Yard S B 4 2026-04-14, Sandgate S A 6 2026-04-08, Tern Rock S B 5 2026-06-01"
)
_CANADA: Final = (
    ("Maple Yard", "B", 4, "2026-04-07"), ("Granite Bay", "A", 7, "2026-05-04"), ("Lake Post", "A", 5, "2026-04-12"),
)  # fmt: skip
_MINUTES: Final = {"A": 2, "B": 3, "A0": 2}
_BY_NOW: Final = {"A": 2, "B": 4, "A0": 2}
_EACH: Final = 3
_AWAY: Final = (
    ("Lark Rise", "2026-03-23", "2026-03-25", "stocktaking"), ("Sandgate", "2026-03-26", "2026-03-27", "auction"),
    ("Ivy House", "2026-03-30", "2026-03-31", "visit"), ("Quill Yard", "2026-03-24", "2026-03-25", "regatta"),
    ("Birch Hill", "2025-03-24", "2025-03-28", "oven"),
)  # fmt: skip


def _certificates(layout: Layout, folder: str, papers: dict[str, str]) -> list[Site]:
    rows = []
    for text in _CERTIFICATES.split(", "):
        *words, client, model, count, until = text.split()
        rows.append((" ".join(words), client, model, int(count), until))
    for year in (2025, 2026):
        path = layout.sheet(
            f"/workspace/devices/certificates_{year}.csv",
            [
                ("site", "customer", "model", "gateways", "until"),
                *(
                    (s, CLIENTS[c].name, m, n + (year == 2025), u if year == 2026 else f"2025-04-{8 + place:02d}")
                    for place, (s, c, m, n, u) in enumerate(rows)
                ),
            ],
            at=f"{year}-02-18 09:15",
        )
        if year == 2026:
            papers["certificates"] = path
    papers["minutes"] = layout.sheet(
        f"{folder}/minutes.csv",
        [("model", "minutes a gateway"), *_MINUTES.items(), ("each site besides", _EACH)],
        at="2026-02-25 13:30",
    )
    papers["frozen"] = layout.sheet(
        "/workspace/customers/no_changes.csv", [("site", "from", "to", "why"), *_AWAY], at="2026-03-05 11:30"
    )
    rows += [(name, "T", model, count, until) for name, model, count, until in _CANADA]
    spans = [(site, first, last) for site, first, last, _ in _AWAY]
    spans += [("Otter Bend", "2026-03-24", "2026-03-24"), ("Otter Bend", "2026-03-26", "2026-03-26")]

    def site(name: str, client: str, model: str, count: int, until: str) -> Site:
        latest = f"{date.fromisoformat(until) - timedelta(10)}"

        def free(on: str, wave: int) -> bool:
            return on <= latest and not any(where == name and first <= on <= last for where, first, last in spans)

        return Site(name, client, _BY_NOW[model] * count + _EACH, free, "by hand" if model == "A0" else "")

    order = {row[0]: (row[4], row[0]) for row in rows}
    sites = [site(*row) for row in rows if row[0] != "Elm Court" and row[4] < "2026-05-01"]
    return sorted(sites, key=lambda each: order[each.name])


FIND: Final = (_gateways, _loggers, _certificates)
"""For each case: lays out its sheets, keeping their paths by name, and returns the sites in the order of planning."""
