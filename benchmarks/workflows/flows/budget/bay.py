"""A building project against its budget: orders, approved changes, invoices, a site diary, and what is held back."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from benchmarks.workflows.flows.budget.books import ROOT, Books, cents, note, summed
from benchmarks.workflows.layout import Layout, person
from benchmarks.workflows.plan import amount

__all__ = ("bay",)

_LINES: Final = {
    "Steel": ("logistics", "9600"),
    "Doors": ("facility", "6900"),
    "Electrics": ("it", "6140"),
    "Floor": ("planner", "9150"),
    "Permits": ("facility", "2400"),
}
"""Line -> who answers for it, its budget as the sheet has it."""
_ORDERS: Final = """\
B1 | Steel | Tarn Metalwork | works | 8400.00 | EUR |
B2 | Steel | Skerry Cranes | hire | 1260.00 | EUR | 210 a day
B3 | Doors | Northgate Doors | goods | 5200.00 | GBP | at 1.15
B4 | Doors | Pell & Dunmore | goods | 930.00 | EUR |
B5 | Electrics | Volt & Vane | works | 4750.00 | EUR |
B6 | Electrics | Quill & Cable | goods | 1180.50 | EUR |
B7 | Floor | Slabworks | works | 6900.00 | EUR |
B8 | Floor | Oatley Resin | goods | 1540.00 | EUR |
B9 | Permits | District Council | fee | 640.00 | EUR |
B10 | Permits | Hale Surveyors | works | 1350.00 | EUR |
B11 | Electrics | Lumen North | goods | 2210.00 | EUR |"""
_CHANGES: Final = """\
B1 | 620.00 | 2026-02-12 | Niamh Jansson
B3 | 200.00 | 2026-02-17 | Niamh Jansson
B5 | 480.00 | 2026-02-26 |
B6 | 90.00 | 2026-02-27 | Vikram Eklund
B7 | 950.00 | 2026-03-04 |
B10 | -150.00 | 2026-02-19 | Niamh Jansson"""
_INVOICES: Final = """\
TM-501 | B1 | 2026-02-09 | part | 4200.00
ND-9 | B3 | 2026-02-10 | deposit | 2080.00
DC-1 | B9 | 2026-02-11 | final | 640.00
VV-31 | B5 | 2026-02-18 | part | 2850.00
SW-7 | B7 | 2026-02-19 | part | 3450.00
HS-70 | B10 | 2026-02-20 | part | 800.00
PX-44 | B4 | 2026-02-25 | final | 951.32
VV 31 | B5 | 2026-02-18 | part | 2850.00
TM-512 | B1 | 2026-02-27 | part | 2520.00
LN-2 | B11 | 2026-03-02 | deposit | 663.00
OR-3 | B8 | 2026-03-03 | final | 154.00
SW-9 | B7 | 2026-03-04 | part | 2070.00
SC-20 | B2 | 2026-03-05 | final | 1680.00
HS-75 | B10 | 2026-03-06 | final | 455.00
QC-80 | B6 | 2026-03-09 | final | 1150.50
ND-14 | B3 | 2026-03-10 | part | 2600.00
SW-9K | B7 | 2026-03-11 | credit | -310.00
VV-40 | B5 | 2026-03-16 | part | 1425.00"""
_DIARY: Final = """\
# Site diary, new bay

- Mon 23 February: nobody, Founders' Day
- Tue 24 February: crane here, first beams
- Wed 25 February: crane here until dark
- Thu 26 February: crane stood still, rain sideways
- Fri 27 February: crane here
- Mon 2 March: crane here, door frames
- Tue 3 March: no crane, it was in Hull
- Wed 4 March: crane here, last beam, cake

Vikram
"""
_RULES: Final = """\
# The bay and its money

Wanda Mbeki keeps the budget and this page; where she has written something later, that goes before it. Changes to
orders are for Niamh Jansson to approve and for nobody else; a yes or no of hers in a mail or in the chat is as good as
the one in `changes.csv`, and her last word is the one that counts.

1. Everything as of Friday 13 March: invoices of a later date do not exist yet.
2. Invoiced is what the invoices of a line come to, credits taken off. An invoice that was entered twice counts once;
   blanks and hyphens in its number mean nothing.
3. Orders, changes and invoices are in the currency of the order. Pounds become EUR at the rate fixed in the order,
   rounded to cents (half a cent up, here and below), when an order's invoices (or what is still to come of it) have
   been summed up.
4. Hire by the day is invoiced for as many days as Vikram's diary has the crane here; a day on which it stood still is
   half a day. Whatever was billed beyond that is not counted.
5. Still to come of an order: ordered, plus approved changes, less invoiced, and never below zero. After a final
   invoice nothing is to come.
6. Left is budget less invoiced less still to come, negative where a line is over.
7. Of works we hold back five percent of what is invoiced, order by order, rounded to cents, until the work is accepted
   (`accepted.csv`). It changes nothing in the budget.
8. Jessop Logistics share the doors and are charged a quarter of what is invoiced for that line. That too changes
   nothing in the budget; their company in the CRM gets a note with the sum.

To be made, beside this page: `bay_20260313.csv` with line, budget, invoiced, still to come, left, in the order of
`bay_budget.csv`, budget being what holds now; `held_back_20260313.csv` with order, supplier, EUR, in the order of the
orders, for those of which something is held back; and at the end of `bay_days.csv` a line with day, invoiced, still
to come, left, for all lines together (day as YYYY-MM-DD). Whoever answers for a line that is over gets a mail "The bay:
over budget" with each of their lines that is, and by how much. In #operations one only says
that `bay_20260313.csv` is there.
The mail about the whole has the subject that it has for everything of ours, "Operations: where we stand".
"""


def bay(layout: Layout) -> Books:
    """Lay the case out."""
    folder = f"{ROOT}/bay"
    orders = [[cell.strip() for cell in line.split("|")] for line in _ORDERS.splitlines()]
    changes = [[cell.strip() for cell in line.split("|")] for line in _CHANGES.splitlines()]
    invoices = [[cell.strip() for cell in line.split("|")] for line in _INVOICES.splitlines()]
    papers = (
        layout.sheet(
            f"{folder}/bay_budget.csv",
            [("line", "EUR", "answers for it"), *((name, f"{number}.00", person(post).name)
                                                  for name, (post, number) in _LINES.items())],
            at="2026-02-02 12:05",
        ),
        layout.sheet(
            f"{folder}/orders.csv",
            [("order", "line", "supplier", "kind", "amount", "currency", "remark"), *orders], at="2026-02-06 16:00",
        ),
        layout.sheet(
            f"{folder}/changes.csv", [("order", "more or less", "asked on", "approved by"), *changes],
            at="2026-03-04 17:10",
        ),
        layout.sheet(
            f"{folder}/bay_invoices.csv", [("number", "order", "date", "kind", "amount"), *invoices],
            at="2026-03-16 15:25",
        ),
        layout.file(f"{folder}/site_diary.md", _DIARY, at="2026-03-04 17:55"),
        layout.sheet(
            f"{folder}/accepted.csv", [("order", "accepted on", "by"), ("B10", "2026-03-09", "Vikram Eklund")],
            at="2026-03-09 10:20",
        ),
    )  # fmt: skip
    layout.sheet(
        f"{folder}/bay_budget_first.csv",
        [("line", "EUR"), *((name, int(number) - 250) for name, (_, number) in _LINES.items())], at="2026-01-16 12:30",
    )  # fmt: skip
    before = [("day", "invoiced", "still to come", "left"), ("2026-02-13", "7232.00", "28528.50", "-1570.50"),
              ("2026-02-27", "17803.32", "18058.50", "-1671.80")]  # fmt: skip
    log = layout.sheet(f"{folder}/bay_days.csv", before, at="2026-02-27 17:30")
    mails = (
        layout.mail(
            "controller", "The bay: two small things",
            "Gareth, hello,\n\nB11 from Lumen North is heating mats, so it goes to Floor and no longer to Electrics. "
            "And I've moved 400 euros of budget from Permits to Doors, which the sheet will show when I get round "
            "to it.\n\n"
            "Yours, Wanda", at="2026-03-05 09:35",
        ),
        layout.mail(
            "coo", "Tarn and their 620", "Hi Gareth,\n\nI have read Tarn's paper again, properly this time. They get "
            "400 more, not the 620 I signed in February. They know.\n\nAll best, Niamh", at="2026-03-06 12:15",
        ),
        layout.mail(
            "planner", "Slabworks, 950", "Hello Gareth\n\nSlabworks want 950 more for the slope. It is worth it, and I "
            "told them that I would count it in. You may want to do the same.\n\nRegards\nIvo Takala",
            at="2026-03-09 14:50",
        ),
        layout.mail(
            "controller", "Resin", "Gareth, hello,\n\nOatley Resin have accepted that we want no resin. OR-3 is what "
            "it costs us, and it is their last.\n\nYours, Wanda", at="2026-03-10 16:05",
        ),
    )  # fmt: skip
    asked = "What about my doors?"
    question = layout.mail(
        "facility", asked, "Hi Gareth,\n\nWhat is invoiced for the doors until now, in EUR, and what is still to come? "
        "I am asked in the canteen.\n\nRegards, Vikram", at="2026-03-16 10:40", read=False,
    )  # fmt: skip
    layout.message("operations", "coo", "Volt & Vane may have their 480 for B5. Nobody gets anything for slopes before "
                   "I have seen the slope", at="2026-03-10 09:05")  # fmt: skip
    layout.message("operations", "facility", "I could count the rain day of the crane whole, they did sit "
                   "there after all", at="2026-03-06 09:50")  # fmt: skip

    approved = {"B1": 400, "B3": 200, "B5": 480, "B10": -150}
    budget = {name: Decimal(number) for name, (_, number) in _LINES.items()}
    budget["Permits"] -= 400
    budget["Doors"] += 400
    spent, open_ = dict.fromkeys(_LINES, Decimal(0)), dict.fromkeys(_LINES, Decimal(0))
    held: list[tuple[Any, ...]] = [("order", "supplier", "EUR")]
    for order, line, supplier, kind, ordered, currency, _ in orders:
        name = "Floor" if order == "B11" else line
        found = {
            number.replace(" ", "-"): (what, Decimal(sum_))
            for number, of, date, what, sum_ in invoices if of == order and date <= "2026-03-13"
        }  # fmt: skip
        billed = Decimal("5.5") * 210 if kind == "hire" else summed(sum_ for _, sum_ in found.values())
        done = any(what == "final" for what, _ in found.values())
        rest = Decimal(0) if done else max(Decimal(0), Decimal(ordered) + approved.get(order, 0) - billed)
        rate = Decimal("1.15") if currency == "GBP" else Decimal(1)
        spent[name] += cents(billed * rate)
        open_[name] += cents(rest * rate)
        if kind == "works" and order != "B10":
            held.append((order, supplier, cents(billed * rate / 20)))
    left = {name: budget[name] - spent[name] - open_[name] for name in _LINES}
    return Books(
        rules=layout.file(f"{folder}/the_bay_and_its_money.md", _RULES, at="2026-02-02 12:20"), papers=papers,
        search="bay OR Tarn OR Slabworks OR resin OR doors after:2026/03/01", mails=(*mails, question), files=(),
        note=note(layout, "The bay, too dear: ", "an hour"),
        main=(f"{folder}/bay_20260313.csv",
              [("line", "budget", "invoiced", "still to come", "left"),
               *((name, budget[name], spent[name], open_[name], left[name]) for name in _LINES)]),
        beside=(f"{folder}/held_back_20260313.csv", held),
        log=(log, [*before, ("2026-03-13", summed(spent.values()), summed(open_.values()), summed(left.values()))]),
        left=left, holders={name: post for name, (post, _) in _LINES.items()}, over_subject="The bay: over budget",
        title="The bay, too dear: ", customer=("C3", "Jessop Logistics", cents(spent["Doors"] / 4)), question=question,
        asks="facility", asked=asked, answer=(amount(spent["Doors"]), amount(open_["Doors"])),
    )  # fmt: skip
