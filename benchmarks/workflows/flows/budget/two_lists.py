"""Our list of a month against the ledger's: split and reversed postings, invoices in the mail, wrong centres."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from benchmarks.workflows.flows.budget.books import ROOT, Books, note, summed
from benchmarks.workflows.layout import Layout, attachment, person
from benchmarks.workflows.plan import amount

__all__ = ("two_lists",)

_CENTRES: Final = {
    "Dock": ("logistics", "1450.00"),
    "Packing": ("planner", "2200.00"),
    "Workshop": ("it", "620.00"),
    "Office": ("facility", "450.00"),
    "Rounds": ("logistics", "900.00"),
}
"""Centre -> who answers for it, its budget."""
_OURS: Final = """\
R01 | 2026-02-02 | Gloves | Dock | 118.40
R02 | 2026-02-02 | Pallet wrap | Packing | 264.00
R03 | 2026-02-03 | Solder | Workshop | 57.35
R04 | 2026-02-04 | Toner | Office | 189.90
R05 | 2026-02-05 | Ramp repair | Dock | 742.00
R06 | 2026-02-06 | Label rolls | Packing | 318.75
R07 | 2026-02-09 | Courier, Calder Pharma | Rounds | 96.20
R08 | 2026-02-09 | Bench lamp | Workshop | 143.00
R09 | 2026-02-10 | Window cleaning | Office | 210.00
R10 | 2026-02-11 | Diesel | Rounds | 287.64
R11 | 2026-02-12 | Strapping | Packing | 405.10
R12 | 2026-02-12 | Dock light | Dock | 366.00
R13 | 2026-02-13 | Calibration gas | Workshop | 529.80
R14 | 2026-02-16 | Tyres | Rounds | 612.48
R15 | 2026-02-17 | Coffee machine, hire | Office | 84.00
R16 | 2026-02-18 | Cartons | Packing | 893.25
R17 | 2026-02-19 | Oscilloscope probe | Workshop | 247.50
R18 | 2026-02-20 | Courier, Calder Pharma | Rounds | 131.45
R19 | 2026-02-24 | First aid boxes | Office | 76.60
R20 | 2026-02-25 | Bollards | Dock | 455.00
R21 | 2026-02-26 | Tape guns | Packing | 129.96
R22 | 2026-02-27 | Toll | Rounds | 68.30
R23 | 2026-03-02 | Stamps | Office | 35.00"""
_LEDGER: Final = """\
P801 | R01 | 2026-02-03 | gloves | Dock | 118.40
P802 | R02 | 2026-02-03 | wrap | Packing | 264.00
P803 | R03 | 2026-02-04 | solder | Workshop | 57.53
P804 | R04 | 2026-02-05 | toner | Office | 189.90
P806 | R05 | 2026-02-06 | ramp, first half | Dock | 500.00
P807 | R06 | 2026-02-06 | rolls | Packing | 318.75
P808 | R06 | 2026-02-09 | rolls, back | Packing | -318.75
P809 | R06 | 2026-02-10 | rolls | Packing | 318.75
P811 | R07 | 2026-02-10 | courier | Rounds | 96.20
P812 | R08 | 2026-02-10 | lamp | Workshop | 134.00
P813 | R09 | 2026-02-11 | windows | Office | 210.00
P814 | R10 | 2026-02-12 | diesel | Rounds | 287.64
P815 | R05 | 2026-02-12 | ramp, rest | Dock | 242.00
P816 | R11 | 2026-02-13 | strapping | Packing | 450.10
P817 | R12 | 2026-02-13 | light | Office | 366.00
P818 | R13 | 2026-02-16 | gas | Workshop | 529.80
P820 | R14 | 2026-02-17 | tyres | Rounds | 612.48
P821 | R15 | 2026-02-18 | coffee | Office | 84.00
P822 | R15 | 2026-02-18 | coffee | Office | 84.00
P824 | R17 | 2026-02-20 | probe | Workshop | 247.50
P826 | R19 | 2026-02-25 | first aid | Office | 76.60
P827 | R20 | 2026-02-26 | bollards | Dock | 455.00
P829 |  | 2026-02-24 | parking, Hollis | Rounds | 45.00
P831 | R21 | 2026-02-27 | guns | Packing | 108.30
P832 | R22 | 2026-02-27 | toll | Rounds | 68.30
P833 |  | 2026-02-26 | water | Office | 33.80
P835 |  | 2026-02-27 | strapping, freight | Packing | 27.00
P836 | R09 | 2026-02-27 | windows, back | Office | -210.00
P838 | R23 | 2026-03-03 | stamps | Office | 35.00"""
_RULES: Final = """\
# Two lists, one truth

How our list of a month (`ours_`) and the ledger's (`ledger_`) are made to agree. This page and the ledger are Wanda
Mbeki's. She can overrule each line of both in a mail or message, and what she said last is right. Nobody else's opinion
moves a figure, except where it says so below.

1. A posting belongs to the line of ours that is its reference. Several postings with one reference are added up, those
   with a minus too; but the same amount twice on the same day is one posting that was sent twice, and counts once.
2. Only February counts, by our day, or the posting's own where it has no line of ours.
3. If both come to the same, that is right.
4. If they differ, the supplier's invoice is right, net of tax. Where there is none in the mail, the ledger is.
5. What only we have is right as we have it, and will be posted later; unless whoever answers for the centre says that
   it was cancelled, then it is 0.
6. A posting without a reference is right as it is.
7. Where the centres differ, ours is right.
8. A courier for a customer stays in the centre, and is charged on to the customer besides: the company in the CRM gets
   a note with the sum of those that are right and not 0.

The month's folder then has `agreed_202602.csv`, with centre, budget, spent, left, in the order of `centres_budget.csv`,
`spent` being the sum of what is right; and `differences_202602.csv`, with reference, ours, ledger, right: one line for
everything where ours and the ledger's (after 1) are not the same, 0 where a list has nothing, first our lines by
number, then postings without a reference, by theirs. `agreed_months.csv`, one folder up, gets another line at its end:
month, spent, left, of all centres. Whoever answers for a centre that is over gets one mail, "February: over", with
each of their centres that is and the EUR by which it is. #operations hears that
`agreed_202602.csv` is there. The mail about all of it
is called "Operations: where we stand", as it always is.
"""


def two_lists(layout: Layout) -> Books:
    """Lay the case out."""
    folder = f"{ROOT}/2026_02"
    ours = [[cell.strip() for cell in line.split("|")] for line in _OURS.splitlines()]
    ledger = [[cell.strip() for cell in line.split("|")] for line in _LEDGER.splitlines()]
    papers = (
        layout.sheet(
            f"{folder}/centres_budget.csv",
            [("centre", "EUR", "answers for it"),
             *((name, number, person(post).name) for name, (post, number) in _CENTRES.items())],
            at="2026-01-30 14:10",
        ),
        layout.sheet(f"{folder}/ours_202602.csv", [("line", "day", "what", "centre", "EUR"), *ours],
                     at="2026-03-02 17:05"),
        layout.sheet(
            f"{folder}/ledger_202602.csv", [("posting", "reference", "day", "text", "centre", "EUR"), *ledger],
            at="2026-03-04 08:40",
        ),
    )  # fmt: skip
    layout.sheet(
        f"{ROOT}/2025_02/centres_budget.csv",
        [("centre", "EUR"), ("Dock", "1400.00"), ("Packing", "2450.00"), ("Office", "500.00"), ("Rounds", "1000.00")],
        at="2025-01-31 15:30",
    )
    before = [("month", "spent", "left"), ("2025-12", "5020.66", "599.34"), ("2026-01", "5707.15", "-37.15")]
    log = layout.sheet(f"{ROOT}/agreed_months.csv", before, at="2026-02-06 10:50")
    mails = (
        layout.mail(
            "desk@brightbench.example", "Your invoice for the bench lamp", "Dear customer,\n\nplease find our invoice "
            "for your order R08 attached.\n\nBrightbench Lighting", at="2026-02-10 09:12",
            files={"invoice_3391.txt": "Brightbench Lighting\nInvoice 3391, your order R08\n\nBench lamp, swivel  "
            "143.00\n"
                   "Tax 20 percent       28.60\nTo pay EUR          171.60\n"},
        ),
        layout.mail(
            "billing@strapco.example", "Invoice 20-118", "Good morning,\n\nthe invoice for the strapping (your R11) is "
            "attached. Thank you for asking about our family.\n\nStrapco billing", at="2026-02-13 10:31",
            files={"invoice_20-118.txt": "Strapco\nInvoice 20-118 for your R11\n\nStrapping, 14 reels  441.00\nCutter, "
                   "returned defect, credited  -36.00\nCutter, new  45.10\nTax 20 percent  90.02\nTo pay EUR  "
                   "540.12\n"},
        ),
        layout.mail(
            "office@gunsandtape.example", "R21, tape guns", "Hello,\n\ninvoice attached, payable in thirty "
            "days.\n\nGuns & Tape",
            at="2026-02-26 15:47",
            files={"r21.txt": "Guns & Tape\nFor R21: six tape guns, EUR 129.96 to pay, 20 percent tax included\n"},
        ),
        layout.mail(
            "controller", "Postings of February", "Gareth, hello,\n\nBefore you start: the calibration gas (R13) is "
            "Packing's, they fill the boxes with it. And the parking of Tobias Hollis, P829, is Engineering's and "
            "nothing to you; leave it out, right is 0.\n\nYours, Wanda", at="2026-03-05 11:50",
        ),
        layout.mail(
            "logistics", "the courier that never came", "hello Gareth,\n\nthe courier to Calder on the 20th was "
            "cancelled, the driver had a flat. so there will be no bill for R18. the cartons (R16) I would cross "
            "out as well, Ivo has too many.\n\n"
            "thanks! Tamsin", at="2026-03-03 12:35",
        ),
    )  # fmt: skip
    asked = "The workshop's February"
    question = layout.mail(
        "it", asked, "Dear Gareth,\n\nCould you tell me what the Workshop has spent in February, and what is left? I "
        "have seen a soldering iron that I like.\n\nBest regards, Emeka", at="2026-03-16 13:15", read=False,
    )  # fmt: skip
    layout.message("operations", "facility", "the dock light hangs nearer to my office than to the dock, so Office is "
                   "fine, leave R12 where the ledger has it", at="2026-03-06 10:05")  # fmt: skip
    layout.message("general", "controller", "Gareth, the solder (R03): I found the slip under the scanner. The "
                   "ledger has it wrong, 57.35 is right", at="2026-03-11 14:30")  # fmt: skip

    invoiced = {"R08": "143.00", "R11": "450.10", "R21": "108.30"}
    overruled = {"R03": "57.35", "R18": "0", "P829": "0"}
    moved = {"R13": "Packing"}
    spent = dict.fromkeys(_CENTRES, Decimal(0))
    lines: list[tuple[Any, ...]] = [("reference", "ours", "ledger", "right")]
    for number, on, _, centre, eur in ours:
        if not on.startswith("2026-02"):
            continue
        posted = summed(Decimal(each) for _, each in {(row[2], row[5]) for row in ledger if row[1] == number})
        known = any(row[1] == number for row in ledger)
        right = Decimal(overruled.get(number, invoiced.get(number, str(posted) if known else eur)))
        spent[moved.get(number, centre)] += right
        if posted != Decimal(eur):
            lines.append((number, eur, posted, right))
    for posting, reference, _, _, centre, eur in sorted(ledger):
        if not reference:
            right = Decimal(overruled.get(posting, eur))
            spent[centre] += right
            lines.append((posting, 0, eur, right))
    budget = {name: Decimal(number) for name, (_, number) in _CENTRES.items()}
    left = {name: budget[name] - spent[name] for name in _CENTRES}
    return Books(
        rules=layout.file(f"{ROOT}/two_lists_one_truth.md", _RULES, at="2026-01-30 14:45"), papers=papers,
        search="invoice OR R21 OR postings OR courier OR workshop after:2026/02/01", mails=(*mails, question),
        files=tuple(map(attachment, (1, 2, 3))), channels=("#operations", "#general"),
        note=note(layout, "February, too much: ", "half an hour"),
        main=(f"{folder}/agreed_202602.csv",
              [("centre", "budget", "spent", "left"), *((name, budget[name], spent[name], left[name])
                                                     for name in _CENTRES)]),
        beside=(f"{folder}/differences_202602.csv", lines),
        log=(log, [*before, ("2026-02", summed(spent.values()), summed(left.values()))]), left=left,
        holders={name: post for name, (post, _) in _CENTRES.items()}, over_subject="February: over",
        title="February, too much: ", customer=("C1", "Calder Pharma", Decimal("96.20")), question=question, asks="it",
        asked=asked, answer=(amount(spent["Workshop"]), amount(left["Workshop"])),
    )  # fmt: skip
