"""A bench that read wrong: every logger that was calibrated, by day, and where each of them went."""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal
from random import Random
from typing import Any, Final

from benchmarks.workflows.flows.incident.devices import CLIENTS, Found, Hit, typed, working
from benchmarks.workflows.layout import Layout

__all__ = ("lay_bench",)

_SITES: Final = {
    "K-000": ("hall",), "K-104": ("dairy",), "K-109": ("pharmacy", "theatre", "ward two"), "K-113": ("vans",),
    "K-121": ("depot", "filling line", "laboratory"), "K-126": ("packing", "ripening", "yard"),
    "K-130": ("kitchen", "stores"), "K-138": ("cold room", "main lab", "small lab"), "K-142": ("parlour", "store"),
    "K-145": ("quay", "smokehouse"),
}  # fmt: skip
_AFFECTED: Final = {
    "K-121": 33, "K-138": 32, "K-109": 32, "K-126": 17, "K-130": 12, "K-142": 8, "K-145": 11, "K-000": 4, "": 5,
}  # fmt: skip
"""Loggers whose calibration was wrong, as the log has it; "" are those that were not delivered."""
_FIRST, _LAST = "2026-02-11", "2026-02-24"
_FAHRENHEIT: Final = "2026-02-16"
_REFERENCES: Final = (Decimal("-18.00"), Decimal("4.00"), Decimal("20.00"))
_WELL: Final = (2, 5, 8, 11, 14, 17, 18, 19)
_WRONG: Final = (21, 22, 24, 27, 29, 31, 33, 36, 38, 39, 41, 42, 44, 47, 52, 55, 58, 63)

_Place = tuple[str, str]


def _shown(rng: Random, error: int, unit: str) -> tuple[str, str]:
    """Reference and reading for an error in hundredths of a degree Celsius."""
    reference = rng.choice(_REFERENCES)
    off = Decimal(error * rng.choice((1, 1, -1))) / 100
    if unit == "C":
        return f"{reference:.2f}", f"{reference + off:.2f}"
    reference = reference * Decimal("1.8") + 32
    return f"{reference:.2f}", f"{reference + round(off * Decimal('1.8'), 2):.2f}"


def lay_bench(layout: Layout, folder: str, papers: dict[str, str], companies: dict[str, str]) -> Found:
    """Lay out the log of each day and the lists of what was picked; who has how many of each sort in the end."""
    rng = Random("incident: bench two")
    whose = [number for number, count in _AFFECTED.items() for _ in range(count)]
    rng.shuffle(whose)
    days = []
    day = date(2026, 2, 9)
    while f"{day}" <= "2026-02-26":
        days.append(f"{day}")
        day = working(day, 1)
    inside = [each for each in days if _FIRST <= each <= _LAST]
    logs: dict[str, list[tuple[Any, ...]]] = {each: [] for each in days}
    errors: dict[int, int] = {}
    places: dict[int, _Place] = {}
    serial = 52000
    for each in days:
        due = len(whose) // (len(inside) - inside.index(each)) if each in inside else 0
        lines = [("2", rng.choice(_WRONG), whose.pop()) for _ in range(due)]
        lines += [("2", rng.choice(_WELL if due else _WRONG), rng.choice(list(_SITES))) for _ in range(3 if due else 7)]
        lines += [(rng.choice("13"), rng.choice(_WRONG), rng.choice(list(_SITES))) for _ in range(4)]
        rng.shuffle(lines)
        for bench, error, number in lines:
            serial += 1
            unit = "F" if bench == "2" and each >= _FAHRENHEIT else "C"
            logs[each].append((serial, bench, unit, *_shown(rng, error, unit)))
            if bench == "2" and due:
                errors[serial] = error
            if number:
                places[serial] = (number, rng.choice(_SITES[number]))
    wrong = [each for each, error in errors.items() if error >= 20 and each in places]
    rng.shuffle(wrong)

    def taken(number: str, count: int = 1) -> list[int]:
        """Affected loggers of a customer that nothing was said of yet."""
        found = sorted([each for each in wrong if places[each][0] == number][:count])
        for each in found:
            wrong.remove(each)
        return found

    for number, bench, error in (
        ("K-121", "3", 0), ("K-138", "1", 0), ("K-126", "3", 0), ("K-121", "2", 44), ("K-109", "2", 12),
    ):  # fmt: skip
        (again,) = taken(number)
        unit = "F" if bench == "2" else "C"
        logs["2026-02-24"].append((again, bench, unit, *_shown(rng, error, unit)))
        errors[again] = error
    papers_of = [
        layout.sheet(
            f"{folder}/log/log_{each}.csv", (("logger", "bench", "unit", "reference", "reading"), *rows),
            at="2026-03-02 08:10",
        )
        for each, rows in logs.items()
    ]  # fmt: skip
    weeks: dict[str, list[tuple[Any, ...]]] = {}
    for nth, (one, (number, site)) in enumerate(sorted(places.items(), key=lambda pair: pair[0] + rng.randint(0, 9))):
        on = working(date(2026, 2, 25), nth // 26)
        week = on.isocalendar()[1]
        weeks.setdefault(f"w{week:02d}", []).append((on, one, number, typed(number, nth), site))
    papers_of += [
        layout.sheet(
            f"/workspace/devices/picked/picked_2026_{week}.csv",
            (("day", "serial", "number", "customer", "site"), *rows), at="2026-03-13 17:30",
        )
        for week, rows in weeks.items()
    ]  # fmt: skip
    mails = _say(layout, companies, errors, places, taken)
    counts: Counter[tuple[_Place, bool]] = Counter()
    for one, error in errors.items():
        if error >= 20 and one in places and places[one][0] != "K-000":
            number, site = places[one]
            counts[("K-126" if number == "K-130" else number, site), error < 40] += 1
    hits = []
    for number in CLIENTS:
        sites = sorted({place[1] for place, _ in counts if place[0] == number})
        if sites:
            hits.append(Hit(number, tuple((s, (counts[(number, s), False], counts[(number, s), True])) for s in sites)))
    return Found(tuple(hits), counts.total(), tuple(mails), tuple(papers_of))


def _say(
    layout: Layout, companies: dict[str, str], errors: dict[int, int], places: dict[int, _Place], taken: Any
) -> list[str]:
    """What colleagues say of single loggers; where they may, `errors` and `places` follow."""
    one, two, three = taken("K-121", 3)
    layout.message(
        "operations", "logistics", f"{one} and {two} never left the hall, they are in bay two", at="2026-03-12 15:40"
    )
    layout.message(
        "operations", "logistics", f"about bay two: it is {one} and {three}, and {two} did leave", at="2026-03-13 09:05"
    )
    for each in (one, three):
        del places[each]
    four, five, six = taken("K-138", 3)
    layout.about(
        companies["K-138"],
        f"{four}, {five} and {six} are in the cold room now, wherever they were sent.",
        author="am1",
        day="2026-03-10",
    )
    for each in (four, five, six):
        places[each] = ("K-138", "cold room")
    seven, eight = taken("K-109", 2)
    layout.about(
        companies["K-109"], f"Lent {seven} and {eight} to Hexley's parlour for good.", author="am1", day="2026-03-11"
    )
    layout.about(
        companies["K-109"], f"Hexley took {seven} only. {eight} is in the theatre now.", author="am1", day="2026-03-13"
    )
    places[seven], places[eight] = ("K-142", "parlour"), ("K-109", "theatre")
    layout.about(
        companies["K-113"],
        "They wonder whether to hang two of theirs at the donor hall.",
        author="am1",
        day="2026-03-12",
    )
    nine, ten = taken("K-126", 2)
    (eleven,) = taken("K-142")
    errors[nine], errors[ten], errors[eleven] = 43, 37, 12
    mails = [
        layout.mail(
            "qa",
            f"Log of the bench, {nine}",
            f"Hi Gareth,\n\nI compared the log with my own sheet. Logger {nine} was off by "
            "0.34 degrees Celsius. The log has another reading, mine is right.\n\nFarah",
            at="2026-03-11 09:40",
        ),
        layout.mail(
            "qa",
            f"Log of the bench, {ten} and {eleven}",
            f"Hi Gareth,\n\ntwo more. {ten} was off by 0.37 and {eleven} by 0.12, "
            "both Celsius. With these the rest of the log is as I have it.\n\nFarah",
            at="2026-03-12 10:25",
        ),
        layout.mail(
            "qa",
            f"{nine} for the last time",
            f"Hi Gareth,\n\nI cannot read my own hand. {nine} was off by 0.43, not 0.34.\n\nFarah",
            at="2026-03-17 08:20",
        ),
    ]
    (twelve,) = taken("K-109")
    (thirteen,) = taken("K-138")
    layout.mail(
        "dev",
        f"Logger {twelve}",
        f"Gareth, {twelve} looks fine to me on the screen, it follows its neighbours nicely. Leave it out?\n\nImogen",
        at="2026-03-13 13:50",
    )
    layout.mail(
        "sdr",
        f"Logger {thirteen}",
        f"Hello Gareth, might {thirteen} be at Aldersyke by now? I heard two drivers talk about loggers.\n\nDelphine",
        at="2026-03-16 15:10",
    )
    return mails
