"""Back pay after a rise: what is due less what was paid, with grades, pounds and leavers in between."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from benchmarks.workflows.flows.payroll.books import ROOT, Books, cents, leads, note, number, reminder, summed
from benchmarks.workflows.layout import Layout
from benchmarks.workflows.plan import amount

__all__ = ("back_pay",)

_GRADES: Final = {"H1": ("14.00", "3"), "H2": ("15.60", "2.8"), "H3": ("17.70", "2")}
"""Grade -> the rate until now and the rise in percent, as it holds in the end."""
_RISE_STAFF: Final = (
    ("name", "team", "grade", "since", "until"),
    ("Gwen Astley", "store", "H1", "2024-03-01", ""),
    ("Luca Ferris", "store", "H2", "2022-10-01", ""),
    ("Noor Haddon", "store", "H1", "2023-02-01", "2025-11-30"),
    ("Noor Haddon", "store", "H2", "2025-12-01", ""),
    ("Pavel Strand", "despatch", "H3", "2018-06-01", ""),
    ("Rhona Blyth", "despatch", "H1", "2025-01-13", ""),
    ("Stefan Oakes", "despatch", "H2", "2021-09-01", "2026-02-27"),
    ("Tilda Crewe", "despatch", "H2", "2020-04-01", "2026-01-31"),
    ("Tilda Crewe", "despatch", "H3", "2026-02-01", ""),
    ("Umberto Lane", "repair", "agency", "2025-11-03", "2026-01-31"),
    ("Umberto Lane", "repair", "H1", "2026-02-01", ""),
    ("Viola Penn", "repair", "H2", "2026-02-09", ""),
    ("Walt Dray", "repair", "H1", "2019-01-07", "2026-02-28"),
    ("Yvette Gale", "repair", "H1", "2022-05-02", "2026-01-30"),
)
_LISTS: Final = {
    "2026-01": """\
Gwen Astley | H1 | 158.5 4.5
Luca Ferris | H2 | 161 3.25
Noor Haddon | H1 | 154.25 0
Pavel Strand | H3 | 165 7
Rhona Blyth | H1 | 149.75 2
Stefan Oakes | H2 | 160 1.5
Tilda Crewe | H3 | 152 0.5
Umberto Lane | agency | 148 0
Walt Dray | H1 | 157.5 4
Yvette Gale | H1 | 140 0""",
    "2026-02": """\
Gwen Astley | H1 | 146 2.5
Luca Ferris | H2 | 149.5 1.25
Noor Haddon | H2 | 151.25 3
Pavel Strand | H3 | 150 1
Rhona Blyth | H1 | 143.5 4
Stefan Oakes | H2 | 139 0
Tilda Crewe | H3 | 144.75 1.75
Umberto Lane | H1 | 150 2.25
Viola Penn | H2 | 104.5 0.75
Walt Dray | H1 | 141 0""",
}
_POUNDS: Final = {"2026-01": "0.865", "2026-02": "0.872"}
_RISE: Final = """\
# How a rise is paid after the event

The rise itself is in `rise_2026.md`. Fergus Varga, who signed it, may still change it or any line below; the last thing
he wrote counts. Drafts and wishes do not.

1. New rate of a grade = old rate plus its percent, rounded to cents (half a cent up, as everywhere here). It is
   worked out first, and used rounded.
2. Back pay of a month = what is due less what was paid. Due is the hours at the new rate, overtime at one and a quarter
   times the new rate, rounded to cents. Paid is the last column of `paid_YYYY-MM.csv`.
3. The grade that counts is the one in `grades.csv` on the first of the month, whatever the list of payments says;
   for those who began later, on the day they began.
4. Payments in pounds are turned into EUR with the figure of their month in `pounds.csv` (pounds for one EUR), rounded
   to cents, before anything else is done with them.
5. Hours are those of the list, unless the lead of the team has put them right since. If they are right now and were
   wrong then, the difference is simply part of what is due.
6. A month that comes out negative counts as zero; nobody pays anything back.
7. Months with an agency are the agency's affair and count as zero.
8. Only who is still employed on 1 March 2026 gets anything. Whoever stands in a list and does not is left out.
9. What somebody has had on account (`on_account.csv`) comes off the sum of the two months, but not below zero. One
   receipt is one payment, however often it was typed. The column shows all they had, taken off or not.

Wanted in the folder `rise_2026`:

- `back_pay.csv`: name, January, February, on account, EUR; one line for each who is entitled, even to zero, in the
  order of grades.csv. All in EUR.
- `left_out.csv`: name, last day (YYYY-MM-DD), for those of point 8, by day.

`rises.csv`, one folder up, gets a line at its end: year, people in back_pay.csv, EUR in all. Each lead is sent a mail
"Back pay: hours we used" with every one of their people in back_pay.csv and that person's hours of both months
together, plain and overtime in one figure, those of agency months not among them. #operations is told on which day the
run is; back pay usually goes with the last Friday of the month.
"""


def back_pay(layout: Layout) -> Books:
    """Lay the case out."""
    folder = f"{ROOT}/rise_2026"
    listed = {month: dict(map(_listed, text.splitlines())) for month, text in _LISTS.items()}
    old = {grade: number(rate) for grade, (rate, _) in _GRADES.items()}
    new = {grade: cents(number(rate) * (100 + number(rise)) / 100) for grade, (rate, rise) in _GRADES.items()}
    paid: dict[tuple[str, str], Decimal] = {}
    sheets = []
    for month, people in listed.items():
        rows: list[tuple[Any, ...]] = [("name", "grade", "hours", "overtime", "currency", "paid")]
        for name, (grade, hours, extra) in people.items():
            eur = cents(old.get(grade, Decimal(0)) * (hours + number("1.25") * extra))
            if name == "Rhona Blyth":
                pounds = cents(eur * number(_POUNDS[month]))
                paid[name, month] = cents(pounds / number(_POUNDS[month]))
                rows.append((name, grade, hours, extra, "GBP", pounds))
            else:
                paid[name, month] = eur
                rows.append((name, grade, hours, extra, "EUR", eur))
        sheets.append(layout.sheet(f"{ROOT}/paid_{month}.csv", rows, at=f"2026-{int(month[5:]) + 1:02d}-02 15:20"))
    papers = (
        layout.file(
            f"{folder}/rise_2026.md",
            "# The rise of 2026\n\nFrom 1 January, for everybody in the hall:\n\n- H1 three percent\n- H2 two and a "
            "half percent\n- H3 two percent\n\nThe rates until now: H1 EUR 14.00, H2 EUR 15.60, H3 EUR 17.70 an "
            "hour.\n\n"
            "Signed: Fergus Varga, 27 February 2026\n",
            at="2026-02-27 12:00",
        ),
        layout.sheet(f"{ROOT}/grades.csv", _RISE_STAFF, at="2026-02-27 09:00"),
        layout.sheet(
            f"{ROOT}/pounds.csv",
            [("month", "GBP for one EUR"), ("2025-12", "0.871"), *_POUNDS.items()], at="2026-03-02 08:50",
        ),
        layout.sheet(
            f"{folder}/on_account.csv",
            [
                ("receipt", "name", "day", "EUR"), ("118", "Gwen Astley", "2026-02-10", "40"),
                ("119", "Tilda Crewe", "2026-02-11", "90"), ("121", "Walt Dray", "2026-02-13", "35.50"),
                ("121", "Walt Drey", "2026-02-13", "35.50"), ("122", "Stefan Oakes", "2026-02-13", "50"),
                ("124", "Gwen Astley", "2026-02-20", "15"),
            ],
            at="2026-03-02 10:10",
        ),
        leads(layout, {"store": "planner", "despatch": "logistics", "repair": "it"}),
    )  # fmt: skip
    layout.file(
        f"{folder}/rise_2026_draft.md",
        "# The rise of 2026 (draft, for talking about)\n\n- H1 four percent\n- H2 three percent\n- H3 three percent\n\n"
        "Overtime at one and a half times?\n",
        at="2026-01-22 16:15",
    )
    before = [("year", "people", "EUR"), ("2024", "7", "1630.15"), ("2025", "8", "988.40")]
    ledger = layout.sheet(f"{ROOT}/rises.csv", before, at="2025-04-02 14:30")
    mails = (
        layout.mail(
            "hr", "The rise: one figure better, one day later",
            "Hi Gareth,\n\nTwo changes, both signed. H2 gets 2.8 percent and not two and a half. And H3 has its two "
            "percent from 1 February only, so that January stays at the old rate for that grade, overtime too."
            "\n\nThanks, Fergus", at="2026-03-04 10:05",
        ),
        layout.mail(
            "planner", "Luca's February",
            "Hello Gareth\n\nLuca Ferris was at the store on the Sunday of the burst pipe "
            "and nobody wrote it down. His overtime of February is 7.75 hours in all, not 1.25. Plain hours are right."
            "\n\nRegards\nIvo Takala", at="2026-03-05 16:20",
        ),
        layout.mail(
            "hr", "Walt's last day", "Hi Gareth,\n\nBefore anybody asks: Walt Dray's last day was Friday 6 March, he "
            "stayed a week longer for the handover. grades.csv has the end of February, which was the plan."
            "\n\nThanks, Fergus", at="2026-03-09 09:30",
        ),
        layout.mail(
            "logistics", "pavel", "hello Gareth,\n\nI found Pavel Strand's own list: 9 hours of overtime in January, "
            "not 7. his hand, his coffee stain. and he says the repair people did more as well, Umberto five at least "
            "in February.\n\nthanks! Tamsin", at="2026-03-10 08:45",
        ),
    )  # fmt: skip
    asked = "Noor's back pay"
    question = layout.mail(
        "accounts", asked, "Gareth,\n\nNoor Haddon says January alone must be over two hundred. What does it come to, "
        "January and both months together? I would rather have it from you than from the corridor.\n\nRufus",
        at="2026-03-16 11:50", read=False,
    )  # fmt: skip
    layout.message("operations", "facility", "people who left in February worked for it too, shouldn't they get the "
                   "rise as well? I would include them", at="2026-03-05 09:15")  # fmt: skip
    layout.message("operations", "junior", "fair! Stefan still has my umbrella though", at="2026-03-05 09:21")
    layout.message("operations", "logistics", "Pavel's January again: the 9 were with the Christmas hours. I counted "
                   "with him, it is 8. sorry", at="2026-03-12 15:05")  # fmt: skip

    right = {("Luca Ferris", "2026-02"): number("7.75"), ("Pavel Strand", "2026-01"): number(8)}
    until = {"Walt Dray": "2026-03-06"}
    account = {"Gwen Astley": number(55), "Tilda Crewe": number(90), "Walt Dray": number("35.50")}
    pay: list[tuple[Any, ...]] = [("name", "January", "February", "on account", "EUR")]
    over, told = dict[str, Decimal](), dict[str, dict[str, Decimal]]()
    left_out = []
    last = {name: (team, until.get(name, end)) for name, team, _, _, end in _RISE_STAFF[1:]}
    for name, (team, end) in last.items():
        if end and end < "2026-03-01":
            left_out.append((name, end))
            continue
        back, hours_in_all, over[name] = [], Decimal(0), Decimal(0)
        for month in _LISTS:
            grade = _grade(name, month)
            if name not in listed[month] or grade == "agency":
                back.append(Decimal(0))
                continue
            _, hours, extra = listed[month][name]
            extra = right.get((name, month), extra)
            rate = old[grade] if grade == "H3" and month == "2026-01" else new[grade]
            due = cents(rate * (hours + number("1.25") * extra))
            back.append(max(Decimal(0), due - paid[name, month]))
            hours_in_all += hours + extra
            over[name] += extra
        had = account.get(name, Decimal(0))
        pay.append((name, *back, had, max(Decimal(0), summed(back) - had)))
        told.setdefault(team, {})[name] = hours_in_all
    noor = next(line for line in pay if line[0] == "Noor Haddon")
    total = summed(line[4] for line in pay[1:])
    return Books(
        tree=ROOT, rules=layout.file(f"{folder}/how_back_pay_works.md", _RISE, at="2026-02-27 12:30"), papers=papers,
        sheets=tuple(sheets), search="rise OR Luca OR Walt OR Pavel OR Noor after:2026/03/01", mails=(*mails, question),
        note=note(layout, "Overtime so far: "), reminder=reminder(layout, "Back pay for the rise"),
        pay=(f"{folder}/back_pay.csv", pay),
        beside=(f"{folder}/left_out.csv", [("name", "last day"), *sorted(left_out, key=lambda line: line[1])]),
        ledger=(ledger, [*before, ("2026", len(pay) - 1, total)]), overtime=over,
        told={"planner": told["store"], "logistics": told["despatch"], "it": told["repair"]},
        lead_subject="Back pay: hours we used", total=total, total_subject="Back pay for the rise",
        title="Overtime so far: ", question=question, asks="accounts", asked=asked,
        answer=(amount(noor[1]), amount(noor[1] + noor[2])),
    )  # fmt: skip


def _listed(line: str) -> tuple[str, tuple[str, Decimal, Decimal]]:
    name, grade, both = line.split(" | ")
    hours, extra = map(number, both.split())
    return name, (grade, hours, extra)


def _grade(name: str, month: str) -> str:
    """The grade on the first of a month, or the first one that somebody had."""
    rows = [(since, grade) for who, _, grade, since, _ in _RISE_STAFF[1:] if who == name]
    return max((row for row in rows if row[0] <= f"{month}-01"), default=rows[0])[1]
