"""A month of weekly sheets: corrections, doctor's notes, two rates, a leaver and a part-timer's overtime."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from benchmarks.workflows.flows.payroll.books import ROOT, Books, cents, leads, note, number, reminder, summed
from benchmarks.workflows.layout import Layout
from benchmarks.workflows.plan import amount

__all__ = ("february",)

_WEEKS: Final = {
    "2026-02-02": """\
Marek Dole       7.5 8 7.5 7.5 7.5 4
Sunniva Hart     7.5 7.5 S S 7.5 0
Cormac Reese     8 8 8 8 7.5 0
Jonah Fell       7.5 7.5 7.5 7.5 7.5 6
Bea Ashcombe     7.5 7.5 8.25 7.5 8 0
Tomos Vale       5 5 5 5 5 0
Ines Cardoso     7.5 L L 7.5 7.5 0
Hugo Brandt      4 4 4 6 4 0
Petra Moss       7.5 7.5 7.5 7.5 7.5 0""",
    "2026-02-09": """\
Marek Dole       8.5 8 8 8 7.5 0
Sunniva Hart     7.5 7.5 7.5 7.5 7.5 5
Cormac Reese     7.5 7.5 S 7.5 7.5 0
Jonah Fell       7.5 7.5 7.5 7.5 7.5 0
Bea Ashcombe     8 8 7.5 7.5 8 0
Tomos Vale       8 8 8 8 8 0
Ines Cardoso     7.5 7.5 7.5 7.5 7.5 4
Hugo Brandt      4 4 4 4 4 0
Petra Moss       L 7.5 7.5 7.5 7.5 0
Agata Wren       7.5 7.5 7.5 8.5 7.5 0""",
    "2026-02-16": """\
Marek Dole       9 8 8 9 8 4
Sunniva Hart     7.5 8 7.5 7.5 7.5 0
Cormac Reese     8 8 7.5 8 8 0
Jonah Fell       7.5 7.5 8 8 7.5 4
Bea Ashcombe     7.5 7.5 9 9 8 5
Cormack Reese    8 8 7.5 8 8 0
Tomos Vale       5 5 5 S S 0
Ines Cardoso     8 8 8 8 8 0
Hugo Brandt      4 S 4 4 4 0
Agata Wren       7.5 7.5 L 7.5 7.5 0""",
    "2026-02-23": """\
Marek Dole       - 8 8 7.5 8 0
Sunniva Hart     - 7.5 7.5 7.5 7.5 0
Cormac Reese     - 8 7.5 7.5 9 6
Jonah Fell       - 7.5 7.5 7.5 7.5 0
Bea Ashcombe     - 7.5 8.5 7.5 7.5 0
Tomos Vale       - 5 6 5 5 0
Ines Cardoso     - 7.5 7.5 7.5 7.5 0
Hugo Brandt      - 4 4 8 8 0
Agata Wren       - 7.5 7.5 7.5 S 0""",
}
"""Monday -> the sheet of that week."""
_STAFF: Final = (
    ("name", "team", "grade", "hours a week", "from", "until"),
    ("Marek Dole", "dock", "H2", "37.5", "2022-05-02", ""),
    ("Sunniva Hart", "dock", "H1", "37.5", "2024-09-16", ""),
    ("Cormac Reese", "dock", "H1", "37.5", "2025-03-03", ""),
    ("Jonah Fell", "dock", "agency", "", "2026-01-12", ""),
    ("Bea Ashcombe", "packing", "H2", "37.5", "2021-11-01", ""),
    ("Tomos Vale", "packing", "H1", "25", "2023-06-12", ""),
    ("Ines Cardoso", "packing", "H2", "37.5", "2020-02-03", ""),
    ("Hugo Brandt", "returns", "H1", "20", "2025-10-06", ""),
    ("Petra Moss", "returns", "H2", "37.5", "2019-08-05", "2026-02-13"),
    ("Agata Wren", "returns", "H3", "37.5", "2026-02-09", ""),
)
_HOURLY: Final = {
    "2026-01-01": {"H1": "14.10", "H2": "15.86", "H3": "17.95"},
    "2026-02-16": {"H1": "14.64", "H2": "16.40", "H3": "18.50"},
    "2026-04-01": {"H1": "14.75", "H2": "16.50", "H3": "18.70"},
}
_FEBRUARY: Final = """\
# How we pay the hall

By the hour, once a month. What is here holds until Fergus Varga changes it; what he writes later, in a mail or in the
chat, counts from the day he names. Nobody else changes anything here, though all are welcome to wish.

1. Each week has a sheet, Monday to Saturday. A number is hours worked; L is leave; S is sick.
2. A day of leave counts a fifth of the hours a week in staff.csv. So does a sick day for which there is a doctor's
   note (doctors_notes.csv, or People telling us that one has come). A sick day without one is not paid.
3. Founders' Day (23 February) is empty in the sheet and counts a fifth of the week for everybody employed that day.
4. Overtime is reckoned week by week: what Monday to Friday comes to above 37.5 hours, days under 2 and 3 included. The
   line is 37.5 for everybody, part-timers too. It is paid at one and a quarter times the rate.
5. Saturdays stand apart: they make no overtime, and are paid at one and a half times the rate.
6. Hours are paid at the rate of the week they are in (rates_2026.csv: the last one that begins on or before its
   Monday), in the grade that the person has that week.
7. Only the lead of a team puts its hours right (leads.csv). If they do so twice, the later word holds.
8. A name that stands twice in a week with the same hours was typed twice, whatever the spelling. Agency people
   (grade "agency") stand in the sheets, but their agency pays them; they appear in nothing we make.
9. Whoever leaves is paid for leave not taken (leavers.csv), a fifth of the week for each day, at the rate of the last
   week worked. It is added to the plain hours and never makes overtime.

What comes of it, all in the folder of the month:

- `pay_202602.csv`: name, hours, overtime, Saturday, EUR. In the order of staff.csv. `hours` are the plain ones, paid
  absence included. EUR is rounded once, at the end, to cents, half a cent up; the EUR of all is the
  sum of these.
- `unpaid_202602.csv`: name, day (YYYY-MM-DD), one line for each sick day that is not paid, by day.
- A line at the end of `overtime_hall.csv` here: month as YYYY-MM, overtime of all, Saturday hours of all.
- Each lead gets a mail "Hours of February" with each of their people and all their hours in one figure: plain, overtime
  and Saturday. No money in it, please.
- #operations is told on which day the run is, usually on the 25th of the month after.
"""


def february(layout: Layout) -> Books:
    """Lay the case out."""
    folder = f"{ROOT}/2026_02"
    papers = (
        layout.sheet(f"{ROOT}/staff.csv", _STAFF, at="2026-02-06 16:40"),
        _rates(layout, f"{ROOT}/rates_2026.csv", _HOURLY, at="2026-01-08 11:15"),
        layout.sheet(
            f"{folder}/doctors_notes.csv",
            [
                ("name", "from", "to"), ("Sunniva Hart", "2026-02-04", "2026-02-05"),
                ("Agata Wren", "2026-02-27", "2026-03-02"), ("Hugo Brandt", "2026-01-19", "2026-01-20"),
            ],
            at="2026-03-02 10:25",
        ),
        layout.sheet(
            f"{ROOT}/leavers.csv",
            [("name", "last day", "days of leave not taken"), ("Neil Cope", "2025-12-19", "2.5"),
             ("Petra Moss", "2026-02-13", "3")],
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
    heads = ("name", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
    rows = {monday: [_line(line) for line in text.splitlines()] for monday, text in _WEEKS.items()}
    sheets = tuple(
        layout.sheet(f"{folder}/week_{monday[5:7]}{monday[8:]}.csv", [heads, *lines], at="2026-03-02 09:10")
        for monday, lines in rows.items()
    )
    before = [("month", "overtime", "Saturday"), ("2025-11", "21.5", "18"), ("2025-12", "30.25", "26"),
              ("2026-01", "16", "9.5")]  # fmt: skip
    ledger = layout.sheet(f"{ROOT}/overtime_hall.csv", before, at="2026-02-04 13:05")
    mails = (
        layout.mail(
            "hr", "Two things for the hall's pay",
            "Hi Gareth,\n\nBea Ashcombe is H3 from Monday 9 February, she has the letter. staff.csv still says "
            "otherwise, I am locked out of it.\n\nAnd from Monday 16 February Saturdays carry sixty percent on top, no "
            "longer fifty. You find it in our paper as soon as somebody unlocks me.\n\nThanks, Fergus",
            at="2026-02-12 11:20",
        ),
        layout.mail(
            "logistics", "marek, 5 february",
            "hello Gareth,\n\nthe sheet is wrong for Marek on Thursday the 5th: he did 9 hours, not seven and a half. "
            "the lorry from Leeds was late, and then it was wet.\n\nthanks! Tamsin",
            at="2026-03-02 12:15",
        ),
        layout.mail(
            "planner", "Packing, last week of February",
            "Hello Gareth\n\nInes Cardoso stayed until the last pallet on Friday 27 February. Please make it 9 hours. "
            "For what it is worth, Sunniva on the dock was still lifting things at seven on the 19th, which must have "
            "been ten hours.\n\nRegards\nIvo Takala",
            at="2026-03-03 09:40",
        ),
        layout.mail(
            "hr", "Returns has a new lead",
            "Hi Gareth,\n\nJoan leads returns since 1 March, and Vikram has his afternoons back. Whatever is still to "
            "be said about returns goes to her, February included.\n\nThanks, Fergus",
            at="2026-03-06 14:05",
        ),
    )  # fmt: skip
    asked = "What Tomos gets"
    question = layout.mail(
        "hr", asked,
        "Hi Gareth,\n\nTomos Vale asks me what February comes to for him, in EUR, before he buys the pushchair. Can "
        "you tell me once you know? His doctor's note for 19 and 20 February has come by post, by the way. It lies "
        "under my tea.\n\nThanks, Fergus",
        at="2026-03-11 10:35", read=False,
    )  # fmt: skip
    layout.message("operations", "planner", "why do part-timers wait until 37.5 before it is overtime? I would pay it "
                   "above their own hours, from February on", at="2026-03-04 10:12")  # fmt: skip
    layout.message("operations", "junior", "+1, Hugo would be pleased", at="2026-03-04 10:20")
    layout.message("operations", "logistics", "I looked at the door again: Marek went home earlier on the 5th. make it "
                   "8.5 for that day. and Sunniva's 19th stays as the sheet has it", at="2026-03-09 16:48")  # fmt: skip

    cells = {(name, monday): list(line) for monday, lines in rows.items() for name, *line in lines}
    cells["Marek Dole", "2026-02-02"][3] = "8.5"
    cells["Ines Cardoso", "2026-02-23"][4] = "9"
    noted = {("Sunniva Hart", "2026-02-02"), ("Agata Wren", "2026-02-23"), ("Tomos Vale", "2026-02-16")}
    pay: list[tuple[Any, ...]] = [("name", "hours", "overtime", "Saturday", "EUR")]
    unpaid, told, over = [], dict[str, Decimal](), dict[str, Decimal]()
    teams: dict[str, dict[str, Decimal]] = {}
    for name, team, grade, weekly, begun, left in _STAFF[1:]:
        if grade == "agency":
            continue
        plain, extra, saturday, money = Decimal(0), Decimal(0), Decimal(0), Decimal(0)
        fifth, last = number(weekly) / 5, Decimal(0)
        for monday in _WEEKS:
            if begun > monday or (left and left < monday):
                continue
            held = "H3" if name == "Bea Ashcombe" and monday >= "2026-02-09" else grade
            rate = number(_HOURLY["2026-02-16" if monday >= "2026-02-16" else "2026-01-01"][held])
            week = Decimal(0)
            for place, cell in enumerate(cells[name, monday][:5]):
                if cell in ("L", "") or (cell == "S" and (name, monday) in noted):
                    week += fifth
                elif cell == "S":
                    unpaid.append((name, f"{monday[:8]}{int(monday[8:]) + place:02d}"))
                else:
                    week += number(cell)
            sixth = number(cells[name, monday][5])
            above = max(Decimal(0), week - number("37.5"))
            premium = number("1.6") if monday >= "2026-02-16" else number("1.5")
            plain, extra, saturday = plain + week - above, extra + above, saturday + sixth
            money += rate * (week - above + above * number("1.25") + sixth * premium)
            last = rate
        if left:
            plain, money = plain + 3 * fifth, money + 3 * fifth * last
        over[name], told[name] = extra, plain + extra + saturday
        teams.setdefault(team, {})[name] = told[name]
        pay.append((name, plain, extra, saturday, cents(money)))
    return Books(
        tree=ROOT, rules=layout.file(f"{ROOT}/how_we_pay_the_hall.md", _FEBRUARY, at="2026-01-08 11:40"),
        papers=papers, sheets=sheets, search="Fergus OR Marek OR Packing after:2026/02/10", mails=(*mails, question),
        note=note(layout, "Overtime in February: "), reminder=reminder(layout, "Pay the hall: February"),
        pay=(f"{folder}/pay_202602.csv", pay),
        beside=(f"{folder}/unpaid_202602.csv", [("name", "day"), *sorted(unpaid, key=lambda line: line[1])]),
        ledger=(ledger, [*before, ("2026-02", summed(over.values()), summed(line[3] for line in pay[1:]))]),
        overtime=over, told={"logistics": teams["dock"], "planner": teams["packing"], "junior": teams["returns"]},
        lead_subject="Hours of February", total=summed(line[4] for line in pay[1:]),
        total_subject="Hall payroll February", title="Overtime in February: ", question=question, asks="hr",
        asked=asked, answer=(amount(next(line[4] for line in pay if line[0] == "Tomos Vale")),),
    )  # fmt: skip


def _line(line: str) -> list[str]:
    first, last, *cells = line.split()
    return [f"{first} {last}", *("" if cell == "-" else cell for cell in cells)]


def _rates(layout: Layout, path: str, rates: Mapping[str, Mapping[str, str]], *, at: str) -> str:
    rows = [(grade, rate, since) for since, by in rates.items() for grade, rate in by.items()]
    return layout.sheet(path, [("grade", "EUR an hour", "from"), *sorted(rows)], at=at)
