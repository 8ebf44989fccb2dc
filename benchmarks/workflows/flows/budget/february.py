"""A month's invoices against five cost centres: net and gross, three currencies, rebookings, capital."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from benchmarks.workflows.flows.budget.books import ROOT, Books, cents, note, summed
from benchmarks.workflows.layout import Layout, person
from benchmarks.workflows.plan import amount

__all__ = ("february",)

_CENTRES: Final = {
    "Hall": ("410", "logistics", "1950"),
    "Planning": ("420", "planner", "1450"),
    "Building": ("430", "facility", "3450"),
    "Systems": ("440", "it", "600"),
    "Travel": ("450", "junior", "800"),
}
"""Name -> number, who answers for it, what was planned for February."""
_INVOICES: Final = """\
OB-7713 | Oatley Board | 2026-02-03 | 2026-02 | 410 | goods | 612.00 | EUR | net |
TM-0418 | Tarn Metalwork | 2026-02-05 | 2026-02 | 410 | goods | 1044.00 | EUR | gross |
MF-2290 | Merrow Freight | 2026-02-06 | 2026-02 | 410 | service | 388.50 | EUR | net | for Jessop Logistics
RP-0226 | Rowan Property | 2026-02-02 | 2026-02 | 430 | service | 2680.00 | EUR | net |
RP-0231 | Rowan Property | 2026-02-03 | 2026-01 | 430 | service | 341.15 | EUR | net |
LL-118 | Ledgerline | 2026-02-09 | 2026-02 | 420 | service | 797.33 | EUR | net |
SK-55 | Skerry Forklifts | 2026-02-10 | 2026-02 | 410 | goods | 1920.00 | EUR | gross |
NB-301 | Northgate Blinds | 2026-02-10 | 2026-02 | 430 | goods | 356.20 | GBP | net |
TP-5 | Tollgate Parking | 2026-02-11 | 2026-02 | 450 | service | 387.00 | EUR | gross |
QC-77 | Quill & Cable | 2026-02-12 | 2026-02 | 440 | goods | 684.00 | EUR | gross |
LH-1209 | Lakeshore Hosting | 2026-02-13 | 2026-02 | 440 | service | 512.75 | CAD | net |
LT-3 | Lantern Training | 2026-02-16 | 2026-02 | 420 | service | 540.00 | EUR | net |
SW-14 | Scanway | 2026-02-17 | 2026-02 | 440 | goods | 1485.00 | EUR | net |
VC-908 | Voltaire Cells | 2026-02-18 | 2026-02 | 410 | goods | 275.40 | EUR | net |
HS-33 | Harrowgate Seals | 2026-02-19 | 2026-02 | 420 | goods | 402.60 | EUR | gross |
VC-911 | Voltaire Cells | 2026-02-20 | 2026-02 | 410 | goods | -91.80 | EUR | net | credit
MF-2297 | Merrow Freight | 2026-02-20 | 2026-02 | 410 | service | 144.00 | EUR | gross | for Jessop Logistics
TM-0418 | Tarn Metalworks | 2026-02-20 | 2026-02 | 410 | goods | 1044.00 | EUR | gross | reminder
MH-4 | Mill House | 2026-02-24 | 2026-02 | 450 | service | 230.00 | EUR | net |
BL-61 | Bright & Lowe Signs | 2026-02-24 | 2026-02 | 430 | goods | 264.00 | EUR | gross |
NE-2 | North Eastern Rail | 2026-02-25 | 2026-02 | 450 | service | 188.40 | EUR | gross |
OB-7731 | Oatley Board | 2026-02-25 | 2026-02 | 410 | goods | 388.80 | EUR | gross |
PX-18 | Pell & Dunmore | 2026-02-26 | 2026-02 | 420 | goods | 149.90 | GBP | gross |
PX-19 | Pell & Dunmore | 2026-02-27 | 2026-02 | 440 | goods | 96.00 | EUR | net |
GS-9 | Gull Security | 2026-02-27 | 2026-02 | 430 | service | 175.25 | EUR | net |
RP-0312 | Rowan Property | 2026-03-02 | 2026-02 | 430 | service | 318.40 | EUR | net |
OB-7750 | Oatley Board | 2026-03-03 | 2026-03 | 410 | goods | 205.00 | EUR | net |"""
_EUR: Final = {"EUR": "1", "GBP": "1.148", "CAD": "0.676"}
_RULES: Final = """\
# How a month is reconciled

Wanda Mbeki's page. She alone changes it, the plan and where something is booked; a later mail or message of hers goes
before what stands here or in a sheet. What others propose she may take up, and until she has, nothing changes.

1. `invoices.csv` has everything that came in. An invoice belongs to the month it is for, whatever its date.
2. Budgets are net. "gross" has 20 percent of tax in it, so divide by 1.2. Then, if it is not in EUR, multiply with the
   rate in `fx.csv` for the month of its date. Round to cents once,
   when both is done, half a cent up.
3. One number is one invoice. If it was entered twice, the first entry holds, however the second spells the supplier.
4. Disputed invoices (`disputed.csv`) count for nothing as long as they are not settled.
5. Goods of more than EUR 1,500 net on one invoice are capital. They go into the list of capital and burden no centre.
   Services never do, be they as dear as they may.
6. What has "for" and a customer behind it is charged on to them, net, and burdens no centre either. The customer's
   company in the CRM gets a note with the sum.
7. Credits count like invoices, with their minus.

For the month there are then, in the folder here,

- `reconciled_202602.csv`: centre, budget, spent, left; the centres by name, in the order of `centres.csv`; budget
  is the plan as it holds now; left is negative where they are over;
- `capital_202602.csv`: number, supplier, EUR; in the order of the invoices;
- one more line in `months.csv`: month, spent, left, of all centres together.

Whoever answers for a centre that is over gets a mail "Over budget in February", with the centre and by how much. In
#operations one says that `reconciled_202602.csv` is there. The subject of the mail about the whole is always
"Operations: where we stand".
"""


def february(layout: Layout) -> Books:
    """Lay the case out."""
    rows = [[cell.strip() for cell in line.split("|")] for line in _INVOICES.splitlines()]
    papers = (
        layout.sheet(
            f"{ROOT}/centres.csv",
            [
                ("number", "centre", "answers for it"),
                *((code, name, person(post).name) for name, (code, post, _) in _CENTRES.items()),
            ],
            at="2026-01-12 10:10",
        ),
        layout.sheet(
            f"{ROOT}/plan_2026.csv",
            [
                ("centre", "month", "EUR"),
                *((name, month, number) for month, more in (("2026-01", 100), ("2026-02", 0), ("2026-03", 150))
                  for name, number in ((name, int(planned) + more) for name, (_, _, planned) in _CENTRES.items())),
            ],
            at="2026-01-12 10:30",
        ),
        layout.sheet(
            f"{ROOT}/invoices.csv",
            [("number", "supplier", "date", "for month", "centre", "kind", "amount", "currency", "tax", "remark"),
             *rows],
            at="2026-03-04 16:50",
        ),
        layout.sheet(
            f"{ROOT}/fx.csv",
            [
                ("month", "currency", "EUR for one"), ("2026-01", "GBP", "1.153"), ("2026-01", "CAD", "0.668"),
                ("2026-02", "GBP", "1.148"), ("2026-02", "CAD", "0.676"), ("2026-03", "GBP", "1.160"),
            ],
            at="2026-03-02 09:15",
        ),
        layout.sheet(
            f"{ROOT}/disputed.csv",
            [
                ("number", "since", "settled", "what"), ("PX-19", "2026-03-02", "2026-03-05", "wrong cable, kept it"),
                ("BL-61", "2026-02-26", "", "sign says Kestreley"),
            ],
            at="2026-03-05 12:40",
        ),
    )  # fmt: skip
    layout.sheet(
        f"{ROOT}/plan_2026_first.csv",
        [
            ("centre", "month", "EUR"),
            *((name, "2026-02", int(number) + 300) for name, (_, _, number) in _CENTRES.items()),
        ],
        at="2025-11-20 15:00",
    )
    before = [("month", "spent", "left"), ("2025-12", "7710.42", "389.58"), ("2026-01", "8914.05", "-164.05")]
    log = layout.sheet(f"{ROOT}/months.csv", before, at="2026-02-05 11:35")
    mails = (
        layout.mail(
            "controller", "Seals, and the training",
            "Gareth, hello,\n\nTwo bookings of February: the Harrowgate invoice HS-33 belongs to Hall, not Planning. "
            "And Lantern Training is for February, March and April, so take a third of it for each of "
            "them.\n\nYours, Wanda",
            at="2026-03-05 10:25",
        ),
        layout.mail(
            "controller", "Capital, a little sooner",
            "Gareth, hello,\n\nThe auditors would like us to draw the line lower: for invoices dated 16 February or "
            "later, goods are capital above EUR 1,400 already. Before that it stays at 1,500.\n\nYours, Wanda",
            at="2026-02-13 14:45",
        ),
        layout.mail(
            "controller", "Plan for February",
            "Gareth, hello,\n\nAs agreed, 150 euros of February go from Planning to Systems. I'm not touching the "
            "sheet for that, you know it now.\n\nYours, Wanda",
            at="2026-02-20 09:05",
        ),
        layout.mail(
            "facility", "The blinds", "Hi Gareth,\n\nThe blinds from Northgate are for the planning office only, Ivo "
            "wanted them. I would book NB-301 on Planning, it is not Building's fault that the sun "
            "shines.\n\nRegards, Vikram",
            at="2026-03-06 11:30",
        ),
    )  # fmt: skip
    asked = "How dear was the hall?"
    question = layout.mail(
        "logistics", asked, "hello Gareth,\n\nwhat does your sheet have as spent for the Hall in February, when it is "
        "done? i have a bet with Ivo and would like to win it before lunch.\n\nthanks! Tamsin",
        at="2026-03-17 16:20", read=False,
    )  # fmt: skip
    layout.message("operations", "it", "hosting in dollars is not our doing, I would leave it out of Systems "
                   "from now on", at="2026-03-05 15:10")  # fmt: skip
    layout.message("operations", "planner", "then I leave out the planning licence", at="2026-03-05 15:14")

    codes = {code: name for name, (code, _, _) in _CENTRES.items()}
    plan = {name: Decimal(number) for name, (_, _, number) in _CENTRES.items()}
    plan["Planning"] -= 150
    plan["Systems"] += 150
    spent = dict.fromkeys(_CENTRES, Decimal(0))
    capital: list[tuple[Any, ...]] = [("number", "supplier", "EUR")]
    charged, seen = Decimal(0), set[str]()
    for number, supplier, date, month, code, kind, sum_, currency, tax, remark in rows:
        if month != "2026-02" or number in seen or number == "BL-61":
            continue
        seen.add(number)
        eur = cents(Decimal(sum_) / (Decimal("1.2") if tax == "gross" else 1) * Decimal(_EUR[currency]))
        if remark.startswith("for "):
            charged += eur
        elif kind == "goods" and eur > (1400 if date >= "2026-02-16" else 1500):
            capital.append((number, supplier, eur))
        else:
            centre = "Hall" if number == "HS-33" else codes[code]
            spent[centre] += cents(eur / 3) if number == "LT-3" else eur
    left = {name: plan[name] - spent[name] for name in plan}
    return Books(
        rules=layout.file(f"{ROOT}/how_a_month_is_reconciled.md", _RULES, at="2026-01-12 11:00"), papers=papers,
        search="from:wanda OR blinds OR hall after:2026/02/10", mails=(*mails, question), files=(),
        note=note(layout, "Why over in February: ", "40 minutes"),
        main=(f"{ROOT}/reconciled_202602.csv",
              [("centre", "budget", "spent", "left"), *((name, plan[name], spent[name], left[name]) for name in plan)]),
        beside=(f"{ROOT}/capital_202602.csv", capital),
        log=(log, [*before, ("2026-02", summed(spent.values()), summed(left.values()))]), left=left,
        holders={name: post for name, (_, post, _) in _CENTRES.items()}, over_subject="Over budget in February",
        title="Why over in February: ", customer=("C3", "Jessop Logistics", charged), question=question,
        asks="logistics", asked=asked, answer=(amount(spent["Hall"]),),
    )  # fmt: skip
