"""A month of weekly sheets and extras: corrections, doctor's notes, two rates, shares, caps, a leaver, part-timers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.workflows.flows.payroll.books import (
    ROOT,
    Books,
    cents,
    leads,
    note,
    number,
    reminder,
    spread,
    summed,
)
from benchmarks.workflows.flows.payroll.february_papers import letters, rules
from benchmarks.workflows.layout import Layout
from benchmarks.workflows.plan import amount

__all__ = ("february",)

_MONDAYS: Final = ("2026-02-02", "2026-02-09", "2026-02-16", "2026-02-23")
_FOUNDERS: Final = "2026-02-23"
_STAFF: Final = (
    ("name", "team", "grade", "hours a week", "from", "until"),
    ("Marek Dole", "dock", "H2", "37.5", "2022-05-02", ""),
    ("Sunniva Hart", "dock", "H1", "37.5", "2024-09-16", ""),
    ("Cormac Reese", "dock", "H1", "37.5", "2025-03-03", ""),
    ("Jonah Fell", "dock", "agency", "", "2026-01-12", ""),
    ("Rhys Palmer", "dock", "H2", "37.5", "2023-01-09", ""),
    ("Lena Storck", "dock", "H1", "30", "2024-02-05", ""),
    ("Bea Ashcombe", "packing", "H2", "37.5", "2021-11-01", ""),
    ("Tomos Vale", "packing", "H1", "25", "2023-06-12", ""),
    ("Ines Cardoso", "packing", "H2", "37.5", "2020-02-03", ""),
    ("Oskar Lindt", "packing", "H1", "37.5", "2025-08-18", ""),
    ("Mina Farrow", "packing", "H2", "32", "2022-10-10", ""),
    ("Yusuf Adair", "packing", "agency", "", "2026-02-02", ""),
    ("Hugo Brandt", "returns", "H1", "20", "2025-10-06", ""),
    ("Petra Moss", "returns", "H2", "37.5", "2019-08-05", "2026-02-13"),
    ("Agata Wren", "returns", "H3", "37.5", "2026-02-09", ""),
    ("Dilys Crane", "returns", "H1", "37.5", "2024-05-20", ""),
    ("Ralf Ekman", "returns", "H2", "37.5", "2023-09-04", ""),
    ("Nerys Colt", "returns", "H1", "24", "2025-04-14", ""),
)
_WEEKS: Final = """\
Marek Dole   | 39.1 ..... 4    | 40 ..... 0      | 39.3 ..... 4.25 | 28.9 -.... 0
Sunniva Hart | 22.4 ..SS. 0    | 38.9 ..... 5    | 39.4 ..... 0    | 30.8 -.... 0
Cormac Reese | 39.95 ..... 0   | 30.1 ..S.. 0    | 40.3 ..... 3.5  | 32.9 -.... 6
Jonah Fell   | 37.5 ..... 6    | 37.5 ..... 0    | 38.5 ..... 4    | 30 -.... 0
Rhys Palmer  | 38.9 ..... 0    | 24.7 ...SS 0    | 38.6 ..... 4.5  | 31.4 -.... 0
Lena Storck  | 30.6 ..... 0    | 24.2 S.... 3.25 | 31.1 ..... 0    | 18.3 -...L 0
Bea Ashcombe | 39.6 ..... 0    | 40.15 ..... 0   | 41.35 ..... 5   | 30.7 -.... 0
Tomos Vale   | 25.4 ..... 0    | 39.2 ..... 0    | 16.2 ...SS 0    | 23.8 -.... 3
Ines Cardoso | 23.9 .LL.. 0    | 38.4 ..... 4    | 39.85 ..... 0   | 31.5 -.... 0
Oskar Lindt  | 39.45 ..... 4.5 | 39.2 ..... 0    | 39.7 ..... 0    | 29.2 -.... 5.25
Mina Farrow  | 33.1 ..... 0    | 38.7 ..... 0    | 25.5 .S... 4    | 26.9 -.... 0
Yusuf Adair  | 36.8 ..... 0    | 37.5 ..... 4    | 37.5 ..... 0    | 30 -.... 0
Hugo Brandt  | 21.6 ..... 0    | 20.3 ..... 0    | 16.4 .S... 0    | 22.1 -.... 3.75
Petra Moss   | 38.15 ..... 0   | 30.4 L.... 0    | -               | -
Agata Wren   | -               | 38.8 ..... 4    | 30.2 ..L.. 0    | 23.1 -...S 0
Dilys Crane  | 38.8 ..... 4    | 38.7 ..... 0    | 38.9 ..... 0    | 22.6 -..S. 0
Ralf Ekman   | 14.9 .SSS. 0    | 39.35 ..... 0   | 38.4 ..... 4.75 | 29.4 -.... 0
Nerys Colt   | 24.3 ..... 0    | 23.75 ..... 0   | 14.1 ..SS. 0    | 19.6 -.... 4"""
"""Name, and of each week the hours of Monday to Friday, what its days are (. worked, S sick, L leave) and Saturday."""
_FIXED: Final = {
    ("Marek Dole", "2026-02-05"): ("7.45", "8.45"), ("Ines Cardoso", "2026-02-27"): ("7.2", "9"),
    ("Hugo Brandt", "2026-02-24"): ("3.55", "5.35"), ("Dilys Crane", "2026-02-19"): ("7.6", "8.2"),
}  # fmt: skip
"""Days that their leads put right: what the sheet has, and what holds."""
_HOURLY: Final = {
    "2026-01-01": {"H1": "14.10", "H2": "15.86", "H3": "17.95"},
    "2026-02-16": {"H1": "14.64", "H2": "16.40", "H3": "18.50"},
    "2026-04-01": {"H1": "14.75", "H2": "16.50", "H3": "18.70"},
}
_NOTES: Final = (
    ("Sunniva Hart", "2026-02-04", "2026-02-05"), ("Agata Wren", "2026-02-27", "2026-03-02"),
    ("Hugo Brandt", "2026-01-19", "2026-01-20"), ("Ralf Ekman", "2026-02-05", "2026-02-06"),
    ("Nerys Colt", "2026-02-19", "2026-02-20"),
)  # fmt: skip
"""As the list has them; Nerys's is a day too late there."""
_LICENCES: Final = (
    ("name", "from", "to"), ("Marek Dole", "2023-03-01", "2027-02-28"), ("Rhys Palmer", "2023-02-06", "2026-02-19"),
    ("Ines Cardoso", "2024-06-03", "2028-06-02"), ("Ralf Ekman", "2023-11-20", "2027-11-19"),
    ("Sunniva Hart", "2026-02-18", "2030-02-17"), ("Jonah Fell", "2025-01-07", "2029-01-06"),
)  # fmt: skip
_DRIVERS: Final = ("Marek Dole", "Rhys Palmer", "Ines Cardoso", "Ralf Ekman", "Sunniva Hart")
_COLD: Final = ("Cormac Reese", "Oskar Lindt", "Dilys Crane", "Agata Wren", "Lena Storck")
_KEYS: Final = ("Marek Dole", "Bea Ashcombe", "Ralf Ekman", "Mina Farrow")
_CONTAINERS: Final = {
    "K-301": ("2026-02-03", "Calder Pharma", ("Tomos Vale", "Jonah Fell")),
    "K-302": ("2026-02-05", "Jessop Logistics", ("Hugo Brandt", "Bea Ashcombe", "Nerys Colt")),
    "K-304": ("2026-02-09", "Jessop Logistics", ("Tomos Vale", "Oskar Lindt", "Yusuf Adair")),
    "K-305": ("2026-02-11", "Grantley Seafood", ("Sunniva Hart", "Petra Moss")),
    "K-306": ("2026-02-13", "Calder Pharma", ("Mina Farrow", "Dilys Crane", "Hugo Brandt")),
    "K-308": ("2026-02-17", "Grantley Seafood", ("Bea Ashcombe", "Ines Cardoso")),
    "K-309": ("2026-02-18", "Grantley Seafood", ("Tomos Vale", "Mina Farrow", "Oskar Lindt")),
    "K-310": ("2026-02-20", "Calder Pharma", ("Cormac Reese", "Agata Wren")),
    "K-312": ("2026-02-25", "Jessop Logistics", ("Nerys Colt", "Tomos Vale", "Lena Storck")),
    "K-313": ("2026-02-26", "Grantley Seafood", ("Rhys Palmer", "Jonah Fell", "Ines Cardoso")),
}
"""Container -> day, customer, and whose hands it was in (Oskar is missing in the list of K-309)."""
_AGREED: Final = (("Calder Pharma", "2026-01-01", "10.80"), ("Grantley Seafood", "2026-01-01", "10.25"),
                  ("Grantley Seafood", "2026-02-18", "11.60"), ("Jessop Logistics", "2026-01-01", "12.10"))  # fmt: skip


class _Extra(NamedTuple):
    """A line of the extras. `what` is "cold", "forklift", "keys" or "container"; `much` hours, 1, or the container."""

    day: str
    name: str
    what: str
    much: str
    customer: str = ""


def _days(monday: str) -> list[str]:
    return [(date.fromisoformat(monday) + timedelta(days=place)).isoformat() for place in range(6)]


def _cells(draw: Random) -> dict[tuple[str, str], list[str]]:
    """What holds of each week, by name and Monday: six cells, as the sheets write them."""
    found = {}
    for line in _WEEKS.splitlines():
        name, *weeks = (each.strip() for each in line.split("|"))
        for monday, week in zip(_MONDAYS, weeks, strict=True):
            if week == "-":
                continue
            total, marks, saturday = week.split()
            at = [place for place, mark in enumerate(marks) if mark == "."]
            worked = dict(zip(at, spread(draw, number(total), len(at)), strict=True))
            for place, day in enumerate(_days(monday)):
                if (name, day) in _FIXED:
                    _settle(worked, place, number(_FIXED[name, day][1]))
            found[name, monday] = [
                f"{worked[place]:f}".rstrip("0").rstrip(".") if mark == "." else mark.replace("-", "")
                for place, mark in enumerate(marks)
            ] + [saturday]
    return found


def _settle(worked: dict[int, Decimal], place: int, hours: Decimal) -> None:
    """Give a day its hours and the other days the rest, so that the week stays what it was."""
    rest, others = worked[place] - hours, [other for other in sorted(worked) if other != place]
    worked[place] = hours
    for n in range(abs(int(rest * 20))):
        worked[others[n % len(others)]] += Decimal("0.05").copy_sign(rest)


def _extras(draw: Random, cells: Mapping[tuple[str, str], Sequence[str]]) -> list[_Extra]:
    """What holds, by day; lines of agency people and unlicensed drivers are among them, for nothing."""
    lines = []
    for monday in _MONDAYS:
        for place, day in enumerate(_days(monday)[:5]):
            if day == _FOUNDERS:
                continue

            def there(name: str, place: int = place, monday: str = monday) -> bool:
                return cells.get((name, monday), "S" * 6)[place] not in ("S", "L")

            cold = draw.sample([name for name in _COLD if there(name)], 2 if place % 2 else 1)
            lines += [_Extra(day, name, "cold", _hours(draw, 1.2, 3.6)) for name in cold]
            drivers = [name for name in _DRIVERS if there(name) and (name != "Sunniva Hart" or day > "2026-02-12")]
            drivers = draw.sample(drivers, 1 if place % 2 else 2)
            lines += [_Extra(day, name, "forklift", _hours(draw, 1.5, 5.9)) for name in drivers]
            if place != 2:
                lines.append(_Extra(day, draw.choice([name for name in _KEYS if there(name)]), "keys", "1"))
            for box, (when, customer, hands) in _CONTAINERS.items():
                if when == day:
                    lines += [_Extra(day, name, "container", box, customer) for name in hands]
    return lines


def _hours(draw: Random, least: float, most: float) -> str:
    return f"{draw.randint(int(least * 20), int(most * 20)) / 20:g}"


def february(layout: Layout) -> Books:
    """Lay the case out."""
    draw = Random("payroll february")
    folder = f"{ROOT}/2026_02"
    cells = _cells(draw)
    extras = _extras(draw, cells)
    cold = next(line for line in extras if line.what == "cold" and line.day == "2026-02-12")
    again = next(line for line in extras if line.what == "cold" and line.day > "2026-02-18")
    drove = next(line for line in extras if line.what == "forklift" and line.day > "2026-02-23")
    wrong = {cold: f"{number(cold.much) + 1:f}", drove: f"{number(drove.much) + number('0.9'):f}"}
    absent = next(name for name, monday in cells if monday == "2026-02-09" and cells[name, monday][2] == "S")
    rows = {
        monday: [[name, *cells[name, monday]] for name, *_ in _STAFF[1:] if (name, monday) in cells]
        for monday in _MONDAYS
    }
    for (name, day), (shown, _) in _FIXED.items():
        for monday in _MONDAYS:
            if day in _days(monday):
                next(row for row in rows[monday] if row[0] == name)[1 + _days(monday).index(day)] = shown
    cormac = next(place for place, row in enumerate(rows["2026-02-16"]) if row[0] == "Cormac Reese")
    rows["2026-02-16"].insert(cormac + 5, ["Cormack Reese", *rows["2026-02-16"][cormac][1:]])
    sheets = []
    for monday in _MONDAYS:
        tag, days = f"{monday[5:7]}{monday[8:]}", _days(monday)
        heads = ("name", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
        sheets.append(layout.sheet(f"{folder}/week_{tag}.csv", [heads, *rows[monday]], at="2026-03-02 09:10"))
        listed = [
            line._replace(much=wrong.get(line, line.much))
            for line in extras
            if line.day in days and (line.much, line.name) != ("K-309", "Oskar Lindt")
        ]
        if again in listed:
            listed.append(again)
        if monday == "2026-02-09":
            listed.append(_Extra("2026-02-11", absent, "cold", "2.1"))
        sheets.append(
            layout.sheet(
                f"{folder}/extras_{tag}.csv",
                [("day", "name", "what", "how much", "for"), *listed], at="2026-03-02 09:25",
            )
        )  # fmt: skip
    papers = (
        layout.sheet(f"{ROOT}/staff.csv", _STAFF, at="2026-02-06 16:40"),
        _rates(layout, f"{ROOT}/rates_2026.csv", _HOURLY, at="2026-01-08 11:15"),
        layout.sheet(f"{folder}/doctors_notes.csv", [("name", "from", "to"), *_NOTES], at="2026-03-02 10:25"),
        layout.sheet(f"{ROOT}/forklift_licences.csv", _LICENCES, at="2026-02-18 15:05"),
        layout.sheet(
            f"{ROOT}/leavers.csv",
            [("name", "last day", "days of leave not taken"), ("Neil Cope", "2025-12-19", "2.5"),
             ("Petra Moss", "2026-02-13", "3.5")],
            at="2026-02-13 15:55",
        ),
        leads(layout, {"dock": "logistics", "packing": "planner", "returns": "facility"}),
    )  # fmt: skip
    _rates(
        layout,
        f"{ROOT}/rates_2025.csv",
        {"2025-01-01": {"H1": "13.60", "H2": "15.30", "H3": "17.40"}},
        at="2025-01-09 09:30",
    )
    before = [("month", "overtime", "Saturday"), ("2025-11", "41.5", "38"), ("2025-12", "60.25", "46"),
              ("2026-01", "36.4", "49.5")]  # fmt: skip
    ledger = layout.sheet(f"{ROOT}/overtime_hall.csv", before, at="2026-02-04 13:05")
    post = letters(layout, (cold.name, cold.much), (drove.day, drove.name, drove.much), {
        name: team for name, team, *_ in _STAFF[1:]
    })  # fmt: skip

    pay: list[tuple[Any, ...]] = [("name", "hours", "overtime", "Saturday", "extras", "EUR")]
    unpaid, teams, over = [], dict[str, dict[str, Decimal]](), dict[str, Decimal]()
    paid_extras = _paid(extras)
    count = sum(1 for value in paid_extras.values() for _ in value)
    for name, team, grade, weekly, _, left in _STAFF[1:]:
        if grade == "agency":
            continue
        plain, extra, saturday, money = Decimal(0), Decimal(0), Decimal(0), Decimal(0)
        fifth, last = number(weekly) / 5, Decimal(0)
        for monday in (each for each in _MONDAYS if (name, each) in cells):
            count += 1
            if name == "Tomos Vale" and monday >= "2026-02-16":
                fifth = number(30) / 5
            held = "H3" if name == "Bea Ashcombe" and monday >= "2026-02-09" else grade
            last = number(_HOURLY["2026-02-16" if monday >= "2026-02-16" else "2026-01-01"][held])
            week = Decimal(0)
            for day, cell in zip(_days(monday)[:5], cells[name, monday], strict=False):
                if cell in ("L", "") or (cell == "S" and _noted(name, day)):
                    week += fifth
                elif cell == "S":
                    unpaid.append((name, day))
                else:
                    week += number(cell)
            sixth = number(cells[name, monday][5])
            above = max(Decimal(0), week - number("37.5"))
            premium = number("1.6") if monday >= "2026-02-16" else number("1.5")
            plain, extra, saturday = plain + week - above, extra + above, saturday + sixth
            money += cents(last * (week - above + above * number("1.25") + sixth * premium))
        if left:
            leave = number("3.5") * fifth
            plain, money = plain + leave, money + cents(leave * last)
        over[name] = extra
        teams.setdefault(team, {})[name] = plain + extra + saturday
        pay.append((name, plain, extra, saturday, summed(paid_extras[name]), money + summed(paid_extras[name])))
    return Books(
        tree=ROOT, rules=rules(layout), papers=papers, sheets=tuple(sheets), search="Fergus OR Marek OR Packing",
        mails=post.mails, note=note(layout, "Overtime in February: "),
        reminder=reminder(layout, "Pay the hall: February"), pay=(f"{folder}/pay_202602.csv", pay),
        beside=(f"{folder}/unpaid_202602.csv", [("name", "day"), *sorted(unpaid, key=lambda line: (line[1], line[0]))]),
        ledger=(ledger, [*before, ("2026-02", summed(over.values()), summed(line[3] for line in pay[1:]))]),
        overtime=over, told={"logistics": teams["dock"], "planner": teams["packing"], "junior": teams["returns"]},
        lead_subject="Hours of February", total=summed(line[5] for line in pay[1:]),
        total_subject="Hall payroll February", title="Overtime in February: ", question=post.question, asks="hr",
        asked=post.asked, answer=(amount(next(line[5] for line in pay if line[0] == "Tomos Vale")),), lines=count,
        channels=("#operations", "#general"), records=("C1", "C2", "C3"),
        events=("Contract", "2026-02-01", "2026-03-18"),
    )  # fmt: skip


def _noted(name: str, day: str) -> bool:
    """Whether a doctor's note holds for the day, those included that People told us of."""
    told = {
        ("Rhys Palmer", "2026-02-12"), ("Rhys Palmer", "2026-02-13"), ("Tomos Vale", "2026-02-19"),
        ("Tomos Vale", "2026-02-20"), ("Nerys Colt", "2026-02-18"), ("Nerys Colt", "2026-02-19"),
    }  # fmt: skip
    return (name, day) in told or any(
        who == name and name != "Nerys Colt" and first <= day <= last for who, first, last in _NOTES
    )


def _paid(extras: Sequence[_Extra]) -> dict[str, list[Decimal]]:
    """What each line is worth that counts, by name; a week's cold store comes to its cap at most."""
    grades = {name: grade for name, _, grade, *_ in _STAFF[1:]}
    found: dict[str, list[Decimal]] = {name: [] for name in grades}
    cold: dict[tuple[str, str], Decimal] = {}
    for line in extras:
        if grades[line.name] == "agency":
            continue
        late = line.day >= "2026-02-16"
        if line.what == "cold":
            week = line.name, max(monday for monday in _MONDAYS if monday <= line.day)
            room = (number("13.60") if late else number("12.40")) - cold.get(week, Decimal(0))
            worth = min(cents(number(line.much) * number("1.85")), room)
            cold[week] = cold.get(week, Decimal(0)) + worth
        elif line.what == "forklift":
            if not any(who == line.name and first <= line.day <= last for who, first, last in _LICENCES[1:]):
                continue
            worth = cents(number(line.much) * number("1.34" if late else "1.15"))
        elif line.what == "keys":
            worth = number("4.20")
        else:
            hands = sum(other.much == line.much for other in extras)
            held = max((since, eur) for who, since, eur in _AGREED if who == line.customer and since <= line.day)
            worth = cents(number(held[1]) / hands)
        found[line.name].append(worth)
    return found


def _rates(layout: Layout, path: str, rates: Mapping[str, Mapping[str, str]], *, at: str) -> str:
    rows = [(grade, rate, since) for since, by in rates.items() for grade, rate in by.items()]
    return layout.sheet(path, [("grade", "EUR an hour", "from"), *sorted(rows)], at=at)
