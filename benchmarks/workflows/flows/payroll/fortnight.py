"""A fortnight of the late crew by the clock: breaks, tenths of an hour, nights on call, courses, advances."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from random import Random
from typing import Any, Final

from benchmarks.workflows.flows.payroll.books import ROOT, Books, cents, leads, note, number, reminder, said, summed
from benchmarks.workflows.flows.payroll.fortnight_papers import letters, rules
from benchmarks.workflows.layout import Layout
from benchmarks.workflows.plan import pairs

__all__ = ("fortnight",)

_DAYS: Final = (
    "2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06",
    "2026-03-09", "2026-03-10", "2026-03-11", "2026-03-12", "2026-03-13",
)  # fmt: skip
_CREW: Final = """\
Rosa Tennant  | . +1.1 . +0.6 . +0.3 . +1.9 . .
Idris Cole    | . S S +0.4 . . +1.6 . +2.1 .
Owen Marsh    | . . +0.7 . . +1.2 . . . +0.4
Bettina Kray  | +1.3 . . +0.8 . . +1.8 . . .
Colm Brady    | . +0.7 . +2.4 . +1.1 . . +1.9 .
Ewa Lind      | . . +1.7 . . S . C . .
Maya Fenn     | . +0.9 . . L L . +0.6 +0.7 .
Lech Borowski | 5.3 +2.3 . . +1.6 +0.9 +2.6 . +0.9 .
Greta Voss    | +1.4 . . +0.3 . . +2.1 . . .
Farid Amin    | . . L . . +0.9 . . . .
Jory Pike     | . . S . +1.1 . . . . .
Siobhan Pryce | . . +0.4 . S S . . . .
Dario Keel    | . +0.9 . +1.4 . . . +1.9 . .
Ilse Marten   | +0.6 . . . . +0.4 +1.8 . . .
Hamish Orr    | . . . S . . . C . ."""
"""Hours there as they are paid: "." a day without overtime, "+0.6" so much above eight, S sick, L leave, C a course."""
_STAFF: Final = {
    "Rosa Tennant": ("loading", "14.62"), "Idris Cole": ("loading", "14.64"), "Owen Marsh": ("loading", "monthly"),
    "Bettina Kray": ("loading", "15.06"), "Colm Brady": ("loading", "14.62"), "Ewa Lind": ("loading", "14.25"),
    "Maya Fenn": ("wrapping", "15.23"), "Lech Borowski": ("wrapping", "16.37"), "Greta Voss": ("wrapping", "15.23"),
    "Farid Amin": ("wrapping", "14.88"), "Jory Pike": ("wrapping", "14.25"),
    "Siobhan Pryce": ("cold store", "15.21"), "Dario Keel": ("cold store", "16.37"),
    "Ilse Marten": ("cold store", "15.74"), "Hamish Orr": ("cold store", "14.91"),
}  # fmt: skip
_BEGIN: Final = {"loading": 14 * 60, "wrapping": 13 * 60 + 30, "cold store": 14 * 60 + 20}
_ON_CALL: Final = ("Dario", "Rosa", "Lech", "Maya", "Idris", "Colm", "Greta", "Dario", "Ilse", "Siobhan")
"""By day, as the file has it."""
_DOOR: Final = (
    ("Ewa Lind", "2026-03-04"), ("Jory Pike", "2026-03-06"), ("Rosa Tennant", "2026-03-09"),
    ("Ilse Marten", "2026-03-10"), ("Dario Keel", "2026-03-11"), ("Idris Cole", "2026-03-12"),
    ("Owen Marsh", "2026-03-10"),
)  # fmt: skip
"""Who forgot to clock out, and when; Owen's does not matter."""
_ADVANCES: Final = (
    ("name", "given on", "amount", "currency", "taken off on"),
    ("Maya Fenn", "2026-01-15", "80", "EUR", "2026-01-30"), ("Rosa Tennant", "2026-02-27", "150", "EUR", ""),
    ("Lech Borowski", "2026-03-04", "100", "GBP", ""), ("Owen Marsh", "2026-03-05", "200", "EUR", ""),
    ("Farid Amin", "2026-03-06", "64.50", "GBP", ""), ("Colm Brady", "2026-02-20", "75", "EUR", "2026-03-06"),
    ("Hamish Orr", "2026-03-10", "45", "GBP", ""),
)  # fmt: skip
_POUND: Final = (
    ("day", "EUR for a pound"), ("2026-02-27", "1.142"), ("2026-03-03", "1.158"), ("2026-03-06", "1.151"),
    ("2026-03-09", "1.1565"), ("2026-03-13", "1.163"),
)  # fmt: skip

_Punch = tuple[str, str]
"""In and out as HH:MM, or "leave"/"sick"/"course" and nothing."""


def _punches(draw: Random) -> dict[tuple[str, str], _Punch]:
    """What is true of each person and day."""
    found: dict[tuple[str, str], _Punch] = {}
    for line in _CREW.splitlines():
        name, marks = (each.strip() for each in line.split("|"))
        for day, mark in zip(_DAYS, marks.split(), strict=True):
            if mark in "SLC":
                found[name, day] = ({"S": "sick", "L": "leave", "C": "course"}[mark], "")
                continue
            if mark == ".":
                tenths = draw.choice((74, 76, 77, 78, 79, 79, 80, 80))
            else:
                tenths = int(number(mark.removeprefix("+")) * 10) + (80 if mark.startswith("+") else 0)
            net = tenths * 6 + draw.randint(0, 5)
            length = net if net < 355 else net + 30 if net < 509 else net + 45
            begin = _BEGIN[_STAFF[name][0]] + draw.randint(-14, 11) - max(0, tenths - 80) * draw.choice((0, 3, 5))
            begin += 240 if tenths < 60 else 0
            found[name, day] = (_at(begin), _at(begin + length))
    return found


def _at(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def _later(at: str, minutes: int) -> str:
    return _at(int(at[:2]) * 60 + int(at[3:]) + minutes)


def fortnight(layout: Layout) -> Books:
    """Lay the case out."""
    draw = Random("payroll fortnight, two")
    folder = f"{ROOT}/late_20260302"
    true = _punches(draw)
    shown = dict(true)
    for key in _DOOR:
        shown[key] = (true[key][0], "")
    begin, end = true["Colm Brady", "2026-03-05"]
    shown["Colm Brady", "2026-03-05"] = (_later(begin, 62), end)
    for key, minutes in ((("Rosa Tennant", "2026-03-11"), 31), (("Greta Voss", "2026-03-10"), -47)):
        shown[key] = (true[key][0], _later(true[key][1], minutes))
    stations = list(dict.fromkeys(station for station, _ in _STAFF.values()))
    sheets = tuple(
        layout.sheet(
            f"{folder}/clock_{_DAYS[first][5:7]}{_DAYS[first][8:]}_{station.replace(' ', '_')}.csv",
            [
                ("name", "day", "in", "out"),
                *((name, day, *shown[name, day]) for day in _DAYS[first : first + 5] for name in _STAFF
                  if _STAFF[name][0] == station and true[name, day][0] != "course"),
            ],
            at=f"{_DAYS[first + 4]} 23:55",
        )
        for first in (0, 5) for station in stations
    )  # fmt: skip
    ends = dict(zip(_DAYS, _ON_CALL, strict=True))
    whole = {name.split()[0]: name for name in _STAFF}
    papers = (
        layout.sheet(
            f"{ROOT}/late_staff.csv",
            [("name", "station", "EUR an hour"), *((name, *rest) for name, rest in _STAFF.items())],
            at="2026-02-20 14:15",
        ),
        layout.sheet(
            f"{folder}/hall_door.csv", [("day", "time", "name"), *_passes(draw, true)], at="2026-03-14 06:00"
        ),
        layout.sheet(
            f"{folder}/on_call.csv", [("night of", "who"), *((at, whole[who]) for at, who in ends.items())],
            at="2026-02-26 15:10",
        ),
        layout.sheet(f"{ROOT}/advances.csv", _ADVANCES, at="2026-03-10 12:30"),
        layout.sheet(f"{ROOT}/fx.csv", _POUND, at="2026-03-13 17:05"),
        leads(layout, {"loading": "logistics", "wrapping": "planner", "cold store": "facility"}),
    )  # fmt: skip
    layout.sheet(f"{ROOT}/late_20260216/on_call.csv",
                 [("night of", "who"), *((f"2026-02-{n}", whole[who]) for n, who in zip(range(16, 21), _ON_CALL[5:],
                                                                                       strict=True))],
                 at="2026-02-12 15:00")  # fmt: skip
    before = [("from", "overtime", "late hours"), ("2026-02-02", "29.5", "331.2"), ("2026-02-16", "42.3", "318.5")]
    ledger = layout.sheet(f"{ROOT}/overtime_late.csv", before, at="2026-03-04 09:55")
    post = letters(
        layout, colm=begin, rosa=true["Rosa Tennant", "2026-03-11"][1],
        greta=(_later(true["Greta Voss", "2026-03-10"][1], 24), true["Greta Voss", "2026-03-10"][1]),
    )  # fmt: skip

    nights = {name: sum(whole[who] == name for who in ends.values()) for name in _STAFF}
    nights["Idris Cole"] += 1
    nights["Dario Keel"] -= 1
    nights["Bettina Kray"] += 1
    nights["Colm Brady"] -= 1
    advances = {
        "Rosa Tennant": number(100), "Lech Borowski": cents(number(100) * number("1.158")),
        "Farid Amin": cents(number("64.50") * number("1.151")), "Hamish Orr": cents(number(40) * number("1.1565")),
    }  # fmt: skip
    pay: list[tuple[Any, ...]] = [("name", "hours", "overtime", "late hours", "nights", "EUR")]
    over, told = dict[str, Decimal](), dict[str, dict[str, Decimal]]()
    count = 0
    for name, (station, rate) in _STAFF.items():
        if rate == "monthly":
            continue
        plain, extra, late, money = Decimal(0), Decimal(0), Decimal(0), Decimal(0)
        for n, day in enumerate(_DAYS):
            count += 1
            worth = number("15.87" if name == "Maya Fenn" and day >= "2026-03-09" else rate)
            begin, end = true[name, day]
            if not end:
                unpaid = begin == "sick" and (name != "Jory Pike" and true[name, _DAYS[n - 1]][0] != "sick")
                hours, above, after = number(0 if unpaid else 8), Decimal(0), Decimal(0)
            else:
                there, after = _clocked(begin, end)
                hours, above = min(there, number(8)), max(there - 8, Decimal(0))
            plain, extra, late = plain + hours, extra + above, late + after
            money += cents(
                worth * (hours + above * number("1.25")) + after * number("2.83" if day >= "2026-03-09" else "2.40")
            )
        money += 35 * nights[name] - advances.get(name, Decimal(0))
        over[name] = extra
        told.setdefault(station, {})[name] = plain + extra
        pay.append((name, plain, extra, late, nights[name], money))
    lates = {line[0]: line[3] for line in pay}
    outs = [(name, day, true[name, day][1]) for name, day in _DOOR if name != "Owen Marsh"]
    return Books(
        tree=ROOT, rules=rules(layout), papers=papers, sheets=sheets,
        search="late OR advances OR cold OR call after:2026/03/02", mails=post.mails,
        note=note(layout, "Long evenings: "), reminder=reminder(layout, "Late crew: first fortnight of March"),
        pay=(f"{folder}/pay_20260302.csv", pay),
        beside=(f"{folder}/no_out_20260302.csv",
                [("name", "day", "out"), *sorted(outs, key=lambda line: line[1])]),
        ledger=(ledger, [*before, ("2026-03-02", summed(over.values()), summed(line[3] for line in pay[1:]))]),
        overtime=over,
        told={"logistics": told["loading"], "planner": told["wrapping"], "it": told["cold store"]},
        lead_subject="Late crew, 2 to 13 March", total=summed(line[5] for line in pay[1:]),
        total_subject="Late crew: what it costs", title="Long evenings: ", question=post.question, asks="it",
        asked=post.asked, answer=pairs(("Siobhan", said(lates["Siobhan Pryce"])), ("Dario", said(lates["Dario Keel"]))),
        lines=count, channels=("#operations", "#general"), events=("late", "2026-03-01", "2026-03-18"),
    )  # fmt: skip


def _passes(draw: Random, true: Mapping[tuple[str, str], _Punch]) -> list[tuple[str, str, str]]:
    """The door's list, as it went: of those who forgot the clock, and of some who did not."""
    found = []
    others = [("Lech Borowski", "2026-03-04"), ("Maya Fenn", "2026-03-12"), ("Greta Voss", "2026-03-12"),
              ("Siobhan Pryce", "2026-03-11"), ("Bettina Kray", "2026-03-10")]  # fmt: skip
    for name, day in (*_DOOR, *others):
        begin, end = true[name, day]
        smoke = _later(begin, 200 + draw.randint(0, 70))
        times = (_later(begin, -3), smoke, _later(end, -draw.randint(12, 40)), end)
        found += [(day if at > "06:00" else f"{day[:8]}{int(day[8:]) + 1:02d}", at, name) for at in times]
    return sorted(found)


def _clocked(begin: str, end: str) -> tuple[Decimal, Decimal]:
    """Hours there, and hours late, at most 2.8, both in full tenths."""
    first, last = (int(at[:2]) * 60 + int(at[3:]) for at in (begin, end))
    last += 24 * 60 if last < first else 0
    length = last - first
    net = length - (45 if length > 540 else 30 if length > 360 else 0)
    return Decimal(net // 6) / 10, min(Decimal("2.8"), Decimal(max(0, last - 20 * 60) // 6) / 10)
