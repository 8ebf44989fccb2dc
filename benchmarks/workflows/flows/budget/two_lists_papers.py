"""What is written about the two lists: Wanda's page, invoices, mails, messages, the calendar and the CRM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from benchmarks.workflows.flows.budget.books import ROOT, Letters, cents
from benchmarks.workflows.layout import Layout, person

__all__ = ("letters", "rules")

_RULES: Final = """\
# Two lists, one truth

How our list of a month (`ours_*`) and the ledger's (`ledger_*`) are made to agree. This page and the ledger are Wanda
Mbeki's. She can overrule any line of either in a mail or message (check #general as well), and what she said last is
right. Nobody else's opinion changes a figure, except where it says so below.

1. A line of ours is pieces times price, less the rebate, rounded to cents (half a cent up, as everywhere here).
2. A posting counts net: its EUR amount less the tax in it ("tax %" is 0, 10 or 20, so divide by 1, 1.1 or 1.2),
   rounded to cents.
3. A posting belongs to the line of ours that its reference names. Several postings with one reference are added up,
   negative ones too; but the same amount twice on the same day is one posting that was sent twice, and counts once.
4. Only February counts, by our day, or by the posting's own if it has no line of ours. What belongs to one of our
   February lines counts whenever it was posted, and what belongs to a March line does not.
5. If both come to the same, that is right.
6. If they differ, the supplier's invoice is right, net of tax. If there is none in the mail, the ledger is.
7. What only we have is right as we have it, and will be posted later; unless whoever is responsible for the centre says
   that it was cancelled, either in a mail or on the phone (then there is an entry "Cancelled" in Gareth's calendar). In
   that case it is 0.
8. A posting without a reference is right as it is.
9. If the centres differ, ours is right.
10. A courier for a customer stays in the centre, and is also charged on to the customer, as agreed with them (see the
    notes to the company in the CRM): the company in the CRM gets a note with the sum of the right amounts, rounded to
    cents once.

The month's folder then gets `agreed_202602.csv`, with centre, budget, spent, left, in the order of
`centres_budget.csv`, `spent` being the sum of what is right; and `differences_202602.csv`, with reference, ours,
ledger, right: one line for everything on which ours and the ledger's (after 1 to 3) differ, with 0 if a list has
nothing; first our lines by number, then postings without a reference, by theirs. `agreed_months.csv`, one folder up,
gets another line at its end: month, spent, left, for all centres. Whoever is responsible for a centre that is over gets
one mail, "February: over", with each of their centres that is over and by how many EUR. Tell #operations that
`agreed_202602.csv` is there. The mail about all of it is called "Operations: where we stand", as it always is.
"""


def rules(layout: Layout) -> str:
    """The page; its path."""
    return layout.file(f"{ROOT}/two_lists_one_truth.md", _RULES, at="2026-01-30 14:45")


def letters(
    layout: Layout,
    *,
    invoices: Sequence[tuple[str, str, Decimal]],
    parking: str,
    mine: tuple[str, Decimal],
    hers: tuple[str, Decimal],
    cancelled: Sequence[tuple[str, str]],
    proposed: tuple[str, str],
    moved: Mapping[str, str],
    centre: str,
) -> Letters:
    """Everything that was written beside the papers.

    `invoices`: what, line of ours, net. `parking` is a posting that is not ours, `mine` and `hers` are lines with what
    Wanda says is right, `cancelled` lines and who answers for them, the first by mail and the second by phone.
    `proposed` somebody would cross out, `moved` goes to centres, `centre` somebody would leave with the ledger's.
    """
    mails = tuple(
        layout.mail(
            f"billing{n}@{('brightbench', 'strapco', 'gunsandtape', 'northlamp', 'hallpaper')[n]}.example",
            f"Invoice {2118 + n * 37}, your {number}",
            f"Good morning,\n\nthe invoice for your order {number} is attached, payable in thirty days.\n\nBilling",
            at=f"2026-02-{12 + n * 3} 09:1{n}", files={f"invoice_{2118 + n * 37}.txt": _invoice(n, what, number, net)},
        )
        for n, (what, number, net) in enumerate(invoices)
    )  # fmt: skip
    to = list(moved.items())
    mails += (
        layout.mail(
            "controller", "Postings of February", f"Gareth, hello,\n\nBefore you start: {to[0][0]} is {to[0][1]}'s and "
            f"{to[1][0]} is {to[1][1]}'s, whatever both lists say. Tobias Hollis's parking, {parking}, is "
            f"Engineering's and nothing to do with you; leave it out, the right figure is 0. And for {hers[0]} it is "
            f"{hers[1] + 11:.2f}.\n\nYours, Wanda", at="2026-03-05 11:50",
        ),
        layout.mail(
            cancelled[0][1], f"{cancelled[0][0]} is cancelled", f"Gareth,\n\n{cancelled[0][0]} was cancelled, they had "
            f"none in stock. There will be no bill.\n\n{person(cancelled[0][1]).first}", at="2026-03-03 12:35",
        ),
    )  # fmt: skip
    stranger = "junior" if proposed[1] not in ("Post", "Courses", "Signs") else "facility"
    layout.mail(
        stranger, f"What is {proposed[0]}?", f"Hi Gareth,\n\nI would cross out {proposed[0]} as well, nobody has seen "
        f"it here.\n\n{person(stranger).first}", at="2026-03-04 10:05",
    )  # fmt: skip
    layout.mail(
        "billing0@brightbench.example", "Invoice 2391, your order of March", "Good morning,\n\nthe invoice for the "
        "lamps that you ordered on 9 March is attached, payable in thirty days.\n\nBilling", at="2026-03-12 09:40",
        files={"invoice_2391.txt": "Invoice 2391\nBench lamps, 4 at 39.90   159.60\nTax 20 percent   31.92\n"
               "To pay EUR   191.52\n"},
    )  # fmt: skip
    asked = "The workshop's February"
    question = layout.mail(
        "it", asked, "Dear Gareth,\n\nCould you tell me what the Workshop spent in February, and what is left? I "
        "have seen a soldering iron that I like.\n\nBest regards, Emeka", at="2026-03-16 13:15", read=False,
    )  # fmt: skip
    for channel, author, at, text in (
        (
            "operations",
            "facility",
            "2026-03-06 10:05",
            f"{centre} is closer to my office than to anybody else's, so leave it where the ledger has it",
        ),
        ("operations", "planner", "2026-03-06 10:12", "then the tape guns are the office's as well"),
        (
            "general",
            "controller",
            "2026-03-11 14:30",
            f"Gareth, {mine[0]}: I found the slip under the scanner. The ledger has it wrong, {mine[1]:.2f} is right",
        ),
        (
            "general",
            "accounts",
            "2026-03-12 09:20",
            "the list of invoices for February is closed, anything that comes in now is March",
        ),
        (
            "operations",
            "controller",
            "2026-03-13 08:55",
            f"Gareth, once more {hers[0]}: {hers[1]:.2f}, not what I wrote on the 5th",
        ),
    ):
        layout.message(channel, author, text, at=at)
    for start, text in (
        ("2026-03-04 15:00", f"{cancelled[1][0]}, {person(cancelled[1][1]).first} on the phone"),
        ("2026-03-10 15:00", "Visit by the fire officer, now in April"),
    ):
        layout.event("Cancelled", start=start, minutes=15, people=(cancelled[1][1],), description=text)
    for day, text in (
        ("2026-01-08", "Couriers: we charge on all of it in 2026"),
        (
            "2026-02-12",
            "Couriers: agreed today that they carry 80 percent of those from 16 February on, all of those before",
        ),
        ("2026-03-09", "Asked for 70 percent on couriers. Not before summer"),
    ):
        layout.about("C1", text, author="am1", day=day)
    return Letters((*mails, question), question, asked)


def _invoice(n: int, what: str, number: str, net: Decimal) -> str:
    """An invoice as suppliers write it; what it comes to without tax has to be added up on some."""
    head, tax = f"Invoice {2118 + n * 37} for your {number}\n\n", cents(net / 5)
    if n % 3 == 0:
        return f"{head}{what}   {net:.2f}\nTax 20 percent   {tax:.2f}\nTo pay EUR   {net + tax:.2f}\n"
    if n % 3 == 1:
        return (
            f"{head}{what}   {net - Decimal('7.45'):.2f}\nReturned, credited   -12.80\nCarriage   20.25\n"
            f"Tax 20 percent   {tax:.2f}\nTo pay EUR   {net + tax:.2f}\n"
        )
    return f"{head}{what}, EUR {net + tax:.2f} to pay, 20 percent tax included\n"
