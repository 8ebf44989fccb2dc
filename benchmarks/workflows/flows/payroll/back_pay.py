"""Back pay after a rise, week by week: due less paid, with grades, pounds, corrections and leavers in between."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.workflows.flows.payroll.back_pay_papers import letters, rise, rules
from benchmarks.workflows.flows.payroll.books import ROOT, Books, cents, leads, note, number, reminder, summed
from benchmarks.workflows.layout import Layout
from benchmarks.workflows.plan import amount, pairs

__all__ = ("back_pay",)

_MONDAYS: Final = (
    "2026-01-05", "2026-01-12", "2026-01-19", "2026-01-26", "2026-02-02", "2026-02-09", "2026-02-16", "2026-02-23",
)  # fmt: skip
_GRADES: Final = {"H1": ("14.00", "3"), "H2": ("15.60", "2.8"), "H3": ("17.70", "2")}
"""Grade -> the rate until now and the rise in percent, as it holds in the end."""
_STAFF: Final = (
    ("name", "team", "grade", "since", "until"),
    ("Gwen Astley", "store", "H1", "2024-03-01", ""),
    ("Luca Ferris", "store", "H2", "2022-10-01", ""),
    ("Noor Haddon", "store", "H1", "2023-02-01", "2025-11-30"),
    ("Noor Haddon", "store", "H2", "2025-12-01", ""),
    ("Betty Oduya", "store", "H1", "2025-06-02", ""),
    ("Carl Immer", "store", "H3", "2016-04-01", ""),
    ("Edda Falk", "store", "H2", "2023-08-14", ""),
    ("Senta Bruck", "store", "H1", "2025-10-20", ""),
    ("Pavel Strand", "despatch", "H3", "2018-06-01", ""),
    ("Rhona Blyth", "despatch", "H1", "2025-01-13", ""),
    ("Stefan Oakes", "despatch", "H2", "2021-09-01", "2026-02-27"),
    ("Tilda Crewe", "despatch", "H2", "2020-04-01", "2026-01-31"),
    ("Tilda Crewe", "despatch", "H3", "2026-02-01", ""),
    ("Kit Lorne", "despatch", "H2", "2024-11-04", ""),
    ("Josip Maric", "despatch", "H1", "2025-09-01", ""),
    ("Umberto Lane", "repair", "agency", "2025-11-03", "2026-01-31"),
    ("Umberto Lane", "repair", "H1", "2026-02-01", ""),
    ("Viola Penn", "repair", "H2", "2026-02-09", ""),
    ("Walt Dray", "repair", "H1", "2019-01-07", "2026-02-28"),
    ("Yvette Gale", "repair", "H1", "2022-05-02", "2026-01-30"),
    ("Agnes Thorp", "repair", "H2", "2021-03-15", ""),
    ("Dov Sadler", "repair", "H3", "2017-10-02", ""),
    ("Mick Harte", "repair", "H1", "2024-07-08", "2026-02-13"),
)
_OVERTIME: Final = """\
Gwen Astley  | 1.2 0 0.85 0 1.6 0 2.15 0.3
Luca Ferris  | 0 0.65 0 0.9 0 1.4 0 2.9
Noor Haddon  | 0.45 0 0 0 1.1 0 0.7 0
Betty Oduya  | 0 0 0.55 0 0 1.3 0 0.4
Carl Immer   | 0.9 0.6 0 1.15 0 0.75 0.5 0
Edda Falk    | 0 0.8 1.2 0 0.65 1.25 0 0
Senta Bruck  | 0 0.35 0 0 1.05 0 0 0.6
Pavel Strand | 1.9 0.75 0 1.6 0 0.8 0 1.05
Rhona Blyth  | 0.4 0.95 0 0.75 0 1.15 0.85 0
Stefan Oakes | 0 0.5 0 1 0 0 0 0
Tilda Crewe  | 1.45 0 2.2 0 1.85 0.6 0 2.05
Kit Lorne    | 0 1.1 0 0.7 0.35 0 1.75 0
Josip Maric  | 0.2 0 0 0 0.9 0 0 0.65
Umberto Lane | 0 1.9 0.6 0 1.35 0.55 1.4 0.8
Viola Penn   | - - - - - 0.75 0 1.15
Walt Dray    | 0.6 0 1.05 0 0 1.2 0 0.95
Yvette Gale  | 0 0 0.5 0 - - - -
Agnes Thorp  | 0.85 0 1.3 0.7 0 1.6 0 1.4
Dov Sadler   | 0 0.3 0 0 0.55 0 0.9 0
Mick Harte   | 0 0 0.7 0 0 1.5 - -"""
"""Name, and the overtime of each week as it holds in the end; "-" where they were not there."""
_PAID_AS: Final = {("Noor Haddon", "01"): "H1", ("Tilda Crewe", "01"): "H3", ("Gwen Astley", "02-16"): "H1",
                   ("Gwen Astley", "02-23"): "H1", ("Edda Falk", "02-02"): "H1"}  # fmt: skip
"""Where another grade was paid than the one that counts: by month, or by week."""
_LISTED: Final = {
    ("Luca Ferris", "2026-02-16"): (0, "1.35"), ("Pavel Strand", "2026-01-12"): (0, "-0.35"),
    ("Agnes Thorp", "2026-02-09"): (0, "0.95"), ("Carl Immer", "2026-01-26"): ("1.2", 0),
    ("Josip Maric", "2026-02-02"): ("-2.5", 0), ("Kit Lorne", "2026-02-16"): (0, "-0.6"),
}  # fmt: skip
"""Hours and overtime by which the list was off before the lead put it right: more than is right, or less."""
_IN_POUNDS: Final = ("Rhona Blyth", "Kit Lorne")
_POUNDS: Final = dict(zip(_MONDAYS, ("0.865", "0.868", "0.871", "0.866", "0.872", "0.869", "0.874", "0.8705"),
                          strict=True))  # fmt: skip
_ACCOUNT: Final = (
    ("receipt", "name", "day", "EUR"), ("118", "Gwen Astley", "2026-02-10", "40"),
    ("119", "Tilda Crewe", "2026-02-11", "90"), ("121", "Walt Dray", "2026-02-13", "35.50"),
    ("121", "Walt Drey", "2026-02-13", "35.50"), ("122", "Stefan Oakes", "2026-02-13", "50"),
    ("124", "Gwen Astley", "2026-02-20", "15"), ("125", "Dov Sadler", "2026-02-23", "120"),
    ("127", "Agnes Thorp", "2026-02-24", "62.25"), ("128", "Edda Falk", "2026-02-25", "30"),
    ("128", "E. Falk", "2026-02-25", "30.00"), ("131", "Dov Sadler", "2026-02-27", "18.40"),
)  # fmt: skip


class _Week(NamedTuple):
    """What is right of a person's week."""

    hours: Decimal
    overtime: Decimal


def _weeks(draw: Random) -> dict[tuple[str, str], _Week]:
    found = {}
    for line in _OVERTIME.splitlines():
        name, marks = (each.strip() for each in line.split("|"))
        for monday, mark in zip(_MONDAYS, marks.split(), strict=True):
            if mark != "-":
                hours = Decimal(draw.randint(690, 750)) / 20 if mark == "0" else Decimal(draw.randint(738, 750)) / 20
                found[name, monday] = _Week(hours, number(mark))
    return found


def _grade(name: str, monday: str) -> str:
    """The grade on a Monday, or the first one that somebody had; Gwen's last move stands in the calendar alone."""
    if name == "Gwen Astley" and monday >= "2026-02-16":
        return "H2"
    rows = [(since, grade) for who, _, grade, since, _ in _STAFF[1:] if who == name]
    return max((row for row in rows if row[0] <= monday), default=rows[0])[1]


def back_pay(layout: Layout) -> Books:
    """Lay the case out."""
    draw = Random("payroll back pay")
    folder = f"{ROOT}/rise_2026"
    right = _weeks(draw)
    old = {grade: number(rate) for grade, (rate, _) in _GRADES.items()}
    new = {grade: cents(number(rate) * (100 + number(percent)) / 100) for grade, (rate, percent) in _GRADES.items()}
    paid: dict[tuple[str, str], Decimal] = {}
    sheets = []
    for monday in _MONDAYS:
        rows: list[tuple[Any, ...]] = [("name", "grade", "hours", "overtime", "currency", "paid")]
        for name in (each for each in dict.fromkeys(line[0] for line in _STAFF[1:]) if (each, monday) in right):
            week = right[name, monday]
            more, above = map(number, map(str, _LISTED.get((name, monday), (0, 0))))
            hours, extra = week.hours + more, week.overtime + above
            grade = _PAID_AS.get((name, monday[5:7]), _PAID_AS.get((name, monday[5:]), _grade(name, monday)))
            eur = cents(old.get(grade, Decimal(0)) * (hours + number("1.25") * extra))
            if name in _IN_POUNDS:
                pounds = cents(eur * number(_POUNDS[monday]))
                paid[name, monday] = cents(pounds / number(_POUNDS[monday]))
                rows.append((name, grade, f"{hours:.2f}", f"{extra:.2f}", "GBP", pounds))
            else:
                paid[name, monday] = eur
                rows.append((name, grade, f"{hours:.2f}", f"{extra:.2f}", "EUR", eur))
        if monday == "2026-01-19":
            rows.insert(-2, next(row for row in rows if row[0] == "Betty Oduya"))
        sheets.append(
            layout.sheet(
                f"{folder}/paid_{monday[5:7]}{monday[8:]}.csv", rows,
                at=f"{date.fromisoformat(monday) + timedelta(days=11)} 16:20",
            )
        )  # fmt: skip
    papers = (
        rise(layout),
        layout.sheet(f"{ROOT}/grades.csv", _STAFF, at="2026-02-06 09:00"),
        layout.sheet(
            f"{ROOT}/pounds.csv",
            [("week from", "GBP for one EUR"), ("2025-12-29", "0.867"),
             *((monday, "0.896" if monday == "2026-02-09" else rate) for monday, rate in _POUNDS.items())],
            at="2026-03-02 08:50",
        ),
        layout.sheet(f"{folder}/on_account.csv", _ACCOUNT, at="2026-03-02 10:10"),
        leads(layout, {"store": "planner", "despatch": "logistics", "repair": "it"}),
    )  # fmt: skip
    before = [("year", "people", "EUR"), ("2024", "12", "2630.15"), ("2025", "15", "1988.40")]
    ledger = layout.sheet(f"{ROOT}/rises.csv", before, at="2025-04-02 14:30")
    post = letters(layout, {key: (week.hours, week.overtime) for key, week in right.items()})

    until = {"Walt Dray": "2026-03-06"}
    account: dict[str, Decimal] = {}
    for _, name, _, eur in {line[0]: line for line in reversed(_ACCOUNT[1:])}.values():
        account[name] = account.get(name, Decimal(0)) + number(eur)
    account["Agnes Thorp"] = number("52.25")
    pay: list[tuple[Any, ...]] = [("name", "January", "February", "on account", "EUR")]
    over, told = dict[str, Decimal](), dict[str, dict[str, Decimal]]()
    left_out, count = [], 0
    last = {name: (team, until.get(name, end)) for name, team, _, _, end in _STAFF[1:]}
    for name, (team, end) in last.items():
        if end and end < "2026-03-01":
            left_out.append((name, end))
            continue
        back, hours_in_all, over[name] = {"01": Decimal(0), "02": Decimal(0)}, Decimal(0), Decimal(0)
        for monday in _MONDAYS:
            grade = _grade(name, monday)
            if (name, monday) not in right or grade == "agency":
                continue
            count += 1
            week = right[name, monday]
            rate = old[grade] if grade == "H3" and monday < "2026-02-01" else new[grade]
            due = cents(rate * (week.hours + number("1.25") * week.overtime))
            back[monday[5:7]] += max(Decimal(0), due - paid[name, monday])
            hours_in_all += week.hours + week.overtime
            over[name] += week.overtime
        had = account.get(name, Decimal(0))
        pay.append((name, *back.values(), had, max(Decimal(0), summed(back.values()) - had)))
        told.setdefault(team, {})[name] = hours_in_all
    noor = next(line for line in pay if line[0] == "Noor Haddon")
    total = summed(line[4] for line in pay[1:])
    answer = pairs(
        (("January", "Jan"), amount(noor[1])),
        (("both months", "both", "two months", "together"), amount(noor[1] + noor[2])), named=False,
    )  # fmt: skip
    return Books(
        tree=ROOT, rules=rules(layout), papers=papers, sheets=tuple(sheets),
        search="rise OR Luca OR Walt OR Pavel OR Noor after:2026/03/01", mails=post.mails,
        note=note(layout, "Overtime so far: "), reminder=reminder(layout, "Back pay for the rise"),
        pay=(f"{folder}/back_pay.csv", pay),
        beside=(f"{folder}/left_out.csv", [("name", "last day"), *sorted(left_out, key=lambda line: line[1])]),
        ledger=(ledger, [*before, ("2026", len(pay) - 1, total)]), overtime=over,
        told={"planner": told["store"], "logistics": told["despatch"], "it": told["repair"]},
        lead_subject="Back pay: hours we used", total=total, total_subject="Back pay for the rise",
        title="Overtime so far: ", question=post.question, asks="accounts", asked=post.asked,
        answer=answer, lines=count, channels=("#operations", "#general"),
        events=("Grade", "2026-01-01", "2026-03-31"),
    )  # fmt: skip
