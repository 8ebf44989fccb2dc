"""Cells that run empty: who has which logger, one line a logger, and what became of it since."""

from __future__ import annotations

from collections import Counter
from datetime import date
from random import Random
from typing import Any, Final

from benchmarks.workflows.flows.incident.devices import CLIENTS, Found, Hit, typed, working
from benchmarks.workflows.layout import Layout

__all__ = ("lay_cells",)

SITES: Final = {
    "K-000": ("fair", "hall"), "K-104": ("churn room", "dairy", "depot"), "K-109": ("pharmacy", "theatre", "ward two"),
    "K-113": ("donor hall", "vans"), "K-117": ("archive",), "K-121": ("depot", "filling line", "laboratory"),
    "K-126": ("packing", "ripening", "yard"), "K-130": ("kitchen",), "K-138": ("cold room", "main lab", "small lab"),
    "K-142": ("parlour", "store"), "K-145": ("quay",),
}  # fmt: skip
_LOT: Final = (41208, 41383)
_DELIVERED: Final = {
    "K-104": 32, "K-109": 15, "K-142": 16, "K-113": 11, "K-121": 19, "K-126": 26, "K-138": 34, "K-000": 6,
}  # fmt: skip
"""Loggers of the lot with its cells; the others of the lot are of type L."""
_CONTRACTS: Final = {
    "K-104": "2026-12-31", "K-109": "2026-06-30", "K-117": "2026-03-31", "K-121": "2027-01-31", "K-126": "2026-02-28",
    "K-138": "2026-02-28", "K-142": "2026-08-31", "K-145": "2025-12-31",
}  # fmt: skip
_RENEWED: Final = "K-138"
_ALWAYS: Final = ("K-113", "K-121")

_Place = tuple[str, str]
"""A customer's number and a site."""


def _picked(rng: Random) -> list[tuple[int, str, _Place]]:
    """All loggers that were picked: serial, type, for whom and where."""
    lot = [number for number, count in _DELIVERED.items() for _ in range(count)]
    lot += [""] * (_LOT[1] - _LOT[0] + 1 - len(lot))
    rng.shuffle(lot)
    lines = []
    for serial in range(41146, 41436):
        inside = _LOT[0] <= serial <= _LOT[1]
        number = lot[serial - _LOT[0]] if inside else rng.choice(list(SITES))
        sort = "L" if inside and not number else rng.choice(("S", "S", "M")) if inside else rng.choice("SML")
        number = number or rng.choice(list(SITES))
        lines.append((serial, sort, (number, rng.choice(SITES[number]))))
    return lines


def _lay_lists(layout: Layout, rng: Random, lines: list[tuple[int, str, _Place]]) -> list[str]:
    """The lists of each week. Loggers leave about in the order of their numbers."""
    places = sorted(range(len(lines)), key=lambda place: place + rng.randint(0, 14))
    weeks: dict[str, list[tuple[Any, ...]]] = {}
    on = date(2026, 1, 5)
    for place, each in enumerate(places):
        serial, sort, (number, site) = lines[each]
        if place and place % 7 == 0:
            on = working(on, 1)
        year, week, _ = on.isocalendar()
        weeks.setdefault(f"{year}_w{week:02d}", []).append((on, serial, sort, number, typed(number, place), site))
    head = ("day", "serial", "type", "number", "customer", "site")
    return [
        layout.sheet(f"/workspace/devices/picked/picked_{week}.csv", (head, *rows), at="2026-03-13 17:10")
        for week, rows in weeks.items()
    ]


def lay_cells(layout: Layout, folder: str, papers: dict[str, str], companies: dict[str, str]) -> Found:
    """Lay out the lists and what was said of single loggers; who has how many in the end."""
    rng = Random("incident: cells")
    lines = _picked(rng)
    lists = _lay_lists(layout, rng, lines)
    holder: dict[int, _Place | None] = {
        serial: place for serial, sort, place in lines if _LOT[0] <= serial <= _LOT[1] and sort != "L"
    }
    left = list(holder)
    rng.shuffle(left)

    def taken(number: str, count: int = 1) -> list[int]:
        """Loggers of a customer that nothing was said of yet."""
        found = sorted([serial for serial in left if holder[serial][:1] == (number,)][:count])  # type: ignore[index]
        for serial in found:
            left.remove(serial)
        return found

    back: list[tuple[Any, ...]] = []

    def came(number: str, count: int, done: str, to: str = "same") -> None:
        for serial in taken(number, count):
            place = holder[serial]
            again: _Place | None = place if to == "same" else (to, SITES[to][0]) if to else None
            holder[serial] = again if "old cell" in done else None
            day = working(date(2026, 3, 5), len(back) % 6)
            back.append((serial, day, number, done, *(again or ("", ""))))

    for number, count, done, to in (
        ("K-113", 2, "new cell", "same"), ("K-121", 1, "clock set, old cell", "same"), ("K-126", 2, "new cell", "same"),
        ("K-104", 3, "new cell", "same"), ("K-121", 1, "scrapped", ""), ("K-138", 2, "new case, old cell", "same"),
        ("K-126", 1, "as new, old cell", "K-138"), ("K-138", 2, "new cell", "same"), ("K-142", 1, "scrapped", ""),
        ("K-104", 2, "new display, old cell", "same"), ("K-138", 1, "waits on the bench, old cell", ""),
        ("K-109", 1, "new cell", "same"), ("K-138", 1, "as new, old cell", "K-121"), ("K-121", 1, "new cell", "same"),
        ("K-126", 1, "new case, old cell", "same"), ("K-142", 1, "new foil, old cell", "same"),
    ):  # fmt: skip
        came(number, count, done, to)
    outside = [(serial, place) for serial, _, place in lines if serial > _LOT[1] and place[0] != "K-000"]
    back += [(serial, "2026-03-12", place[0], "new display, old cell", *place) for serial, place in outside[5:9]]
    rng.shuffle(back)
    papers["back"] = layout.sheet(
        "/workspace/devices/came_back.csv",
        [("serial", "day", "from", "what was done", "sent out again to", "site"), *back], at="2026-03-16 16:40",
    )  # fmt: skip
    papers["contracts"] = layout.sheet(
        "/workspace/customers/service_contracts.csv",
        [("number", "customer", "until"), *((n, CLIENTS[n].name, until) for n, until in _CONTRACTS.items())],
        at="2026-02-20 10:30",
    )
    mails = _say(layout, companies, holder, taken)
    holder = {
        serial: ("K-109", "annex") if place and place[0] == "K-142" else place for serial, place in holder.items()
    }
    counts = Counter(place for place in holder.values() if place and place[0] != "K-000")
    hits = tuple(
        Hit(
            number, tuple((site, (counts[number, site],)) for site in sorted({*SITES[number], "annex"})
                          if counts[number, site]),
            contract=number == _RENEWED or _CONTRACTS.get(number, "") >= "2026-03-18", always=number in _ALWAYS,
        )
        for number in CLIENTS if any(place[0] == number for place in counts)
    )  # fmt: skip
    return Found(hits, counts.total(), tuple(mails), tuple(lists))


def _say(layout: Layout, companies: dict[str, str], holder: dict[int, _Place | None], taken: Any) -> list[str]:
    """What colleagues say of single loggers; who may changes `holder`."""
    one, two, three = taken("K-126", 3)
    layout.message(
        "operations", "planner", f"gave {one} and {two} new cells on the spot, Eskmouth", at="2026-03-12 18:05"
    )
    layout.message(
        "operations",
        "planner",
        f"wrong label in my book: new cells at Eskmouth are in {one} and {three}, {two} has its old one",
        at="2026-03-13 08:40",
    )
    holder[one] = holder[three] = None
    (shelf,) = taken("K-138")
    layout.message("operations", "logistics", f"new cell on the spot for {shelf}, Gilcrux", at="2026-03-16 17:20")
    holder[shelf] = None
    (seen,) = taken("K-104")
    layout.message(
        "operations", "junior", f"I think somebody once gave {seen} at Aldersyke a new cell?", at="2026-03-16 09:50"
    )

    four, five = taken("K-104", 2)
    layout.about(
        companies["K-104"],
        f"Gave {four} and {five} to Eskmouth in exchange for a pallet of tomatoes. They are in the yard there.",
        author="am1",
        day="2026-03-06",
    )
    layout.about(
        companies["K-104"],
        f"The tomatoes again: only {four} went to Eskmouth, {five} is in Aldersyke's dairy.",
        author="am1",
        day="2026-03-09",
    )
    holder[four], holder[five] = ("K-126", "yard"), ("K-104", "dairy")
    six, seven, eight = taken("K-138", 3)
    layout.about(
        companies["K-138"],
        f"{six}, {seven} and {eight} are in the small lab now, wherever they were sent.",
        author="am1",
        day="2026-03-06",
    )
    for serial in (six, seven, eight):
        holder[serial] = ("K-138", "small lab")
    layout.about(
        companies["K-113"], "They may want to move some loggers to the vans in summer.", author="am1", day="2026-03-02"
    )

    nine, ten = taken("K-121", 2)
    (eleven,) = taken("K-109")
    mails = [
        layout.mail(
            "am1",
            "Two loggers at Dunmoor",
            f"Hi Gareth,\n\nI counted at Dunmoor: {nine} and {ten} are on the filling line, "
            "whatever the list says. All the others are where they were sent.\n\nDevika",
            at="2026-03-11 16:15",
        ),
        layout.mail(
            "am1",
            f"Logger {eleven}",
            f"Hi Gareth,\n\n{eleven} did not stay at Borrowfell. It went to Eskmouth as a favour, "
            "packing, and stays there.\n\nDevika",
            at="2026-03-12 09:30",
        ),
        layout.mail(
            "am1",
            "Dunmoor once more",
            f"Hi Gareth,\n\nthey have moved one back: {ten} has been in the depot since Friday. {nine} "
            "stays on the filling line.\n\nDevika",
            at="2026-03-16 12:10",
        ),
    ]
    holder[nine], holder[ten], holder[eleven] = ("K-121", "filling line"), ("K-121", "depot"), ("K-126", "packing")
    (twelve,) = taken("K-138")
    (thirteen,) = taken("K-104")
    layout.mail(
        "support",
        f"Logger {twelve}",
        f"Gareth, Gilcrux say on the phone that {twelve} feels light, perhaps it has no "
        "cell at all. Nobody has looked.\n\nKieran",
        at="2026-03-13 14:05",
    )
    layout.mail(
        "sdr",
        "Aldersyke",
        f"Hello Gareth, could {thirteen} be at Eskmouth too? A driver said something like it.\n\nDelphine",
        at="2026-03-16 15:25",
    )
    return mails
