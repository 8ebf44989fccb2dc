"""What is written about February's budget: Wanda's page, mails, messages, the calendar and the CRM."""

from __future__ import annotations

from typing import Final

from benchmarks.workflows.flows.budget.books import ROOT, Letters
from benchmarks.workflows.layout import Layout

__all__ = ("letters", "rules")

_RULES: Final = """\
# How a month is reconciled

Wanda Mbeki's page. Only she changes it, the plan, and where something is booked; a later mail or message from her
overrides this page and the sheets. What others propose she may take up, and until she has, nothing changes. What she
has moved from one centre's plan to another's since February is in Gareth's calendar, as "Plan moved", and not in the
sheet.

1. The lists `invoices_*.csv` in the month's folder hold everything that came in. An invoice belongs to the month it is
   for, whatever its date. "2026-01..2026-03" covers each of these months in equal parts, and our month gets one part.
2. Budgets are net. "gross" includes 20 percent tax (10 percent if the kind is travel), so divide by 1.2 (1.1).
   Then, if it is not in EUR, multiply by the rate in `fx.csv` for the month of its date. Round each invoice to cents
   once, after both steps, half a cent up; a month's part of it is rounded to cents again.
3. One number is one invoice. If it was entered twice, the first entry counts, however the second spells the supplier.
   Wanda corrects mistyped figures in #general.
4. Disputed invoices (`disputed.csv`) do not count until they are settled. Rufus Reyes keeps that list, and what he
   writes overrides it.
5. Goods of more than EUR 1,500 net on one invoice are capital. They go on the list of capital and are charged to no
   centre. Services never are capital, however expensive.
6. A remark "for" and a customer means that the invoice is charged on to them, net, and to no centre either. The
   customer's company in the CRM gets a note with the sum: all of theirs added up, plus the handling fee agreed
   with them (see their record), rounded to cents.
7. Credits count like invoices, with their minus sign.
8. If the centre is the name of a key, the invoice (or the month's part of it) is split by the parts in `keys.csv`.
   Each centre's share is rounded to cents by itself; a leftover cent is dropped.

For the month we then need, in the folder of this page,

- `reconciled_202602.csv`: centre, budget, spent, left; the centres by name, in the order of `centres.csv`; budget
  is the plan as it now stands; left is negative for centres that are over;
- `capital_202602.csv`: number, supplier, EUR; by date of the invoice, and by number within a day;
- one more line in `months.csv`: month, spent, left, for all centres together.

Whoever is responsible for a centre that is over gets a mail "Over budget in February", with each of their centres that
is over and by how much. Post in #operations that `reconciled_202602.csv` is there. The mail about the overall result
always has the subject "Operations: where we stand".
"""


def rules(layout: Layout) -> str:
    """The page; its path."""
    return layout.file(f"{ROOT}/how_a_month_is_reconciled.md", _RULES, at="2026-01-12 11:00")


def letters(
    layout: Layout,
    *,
    rebooked: tuple[str, str],
    back: tuple[str, str],
    typed: tuple[str, str],
    proposed: tuple[str, str],
    disputed: str,
) -> Letters:
    """Everything that was written beside the papers, about invoices by number.

    `rebooked` goes to a centre, `back` stays where it is after a word to and fro, `typed` has another amount,
    `proposed` somebody would like elsewhere, `disputed` is so since lately.
    """
    elsewhere = "Yard" if back[1] != "Yard" else "Dock"
    mails = (
        layout.mail(
            "controller", "Two bookings of February",
            f"Gareth, hello,\n\nTwo bookings: {rebooked[0]} belongs to {rebooked[1]}, whatever the list says. And I "
            f"put {back[0]} on {elsewhere}.\n\nYours, Wanda", at="2026-03-05 10:25",
        ),
        layout.mail(
            "controller", "Capital, a little sooner",
            "Gareth, hello,\n\nThe auditors would like us to draw the line lower: for invoices dated 16 February or "
            "later, goods are capital from above EUR 1,400. Before that it stays at 1,500.\n\nYours, Wanda",
            at="2026-02-13 14:45",
        ),
        layout.mail(
            "accounts", "One more disputed invoice",
            f"Gareth,\n\n{disputed} has been disputed since Monday, they billed us for somebody else's. I'll add it "
            "to the list when I am back at my desk.\n\nRufus", at="2026-03-10 09:40",
        ),
    )  # fmt: skip
    layout.mail(
        "facility", "An invoice charged to the wrong people",
        f"Hi Gareth,\n\n{proposed[0]} from {proposed[1]} was for the planning office only, Ivo wanted it. I would book "
        "it on Planning.\n\nRegards, Vikram", at="2026-03-06 11:30",
    )  # fmt: skip
    layout.mail(
        "controller", "Budgets from April", "Gareth, hello,\n\nFrom April on, travel includes 20 percent tax like "
        "everything else, and keys go by headcount alone. None of that applies to February.\n\nYours, Wanda",
        at="2026-03-11 13:20",
    )  # fmt: skip
    asked = "How much was the hall?"
    question = layout.mail(
        "logistics", asked, "hello Gareth,\n\nwhat does your sheet say was spent on the Hall in February, once it is "
        "done? i have a bet with Ivo and would like to win it before lunch.\n\nthanks! Tamsin",
        at="2026-03-17 16:20", read=False,
    )  # fmt: skip
    for channel, author, at, text in (
        (
            "operations",
            "it",
            "2026-03-05 15:10",
            "hosting in dollars is not our doing, I would leave it out of Systems from now on",
        ),
        ("operations", "planner", "2026-03-05 15:14", "then I'll leave out the planning licence"),
        (
            "operations",
            "controller",
            "2026-03-06 09:15",
            f"{back[0]} once more: I had the wrong sheet open. It stays on {back[1]}, forget {elsewhere}",
        ),
        (
            "general",
            "controller",
            "2026-03-09 12:05",
            f"for those who reconcile: {typed[0]} is {typed[1]}, the list is ninety too high",
        ),
        (
            "general",
            "marketing",
            "2026-03-10 15:45",
            "we have 90 euros left in our budget and will spend them on cake, 16:00 today",
        ),
        (
            "operations",
            "facility",
            "2026-03-11 10:35",
            "we could split the heating by headcount instead of area, the hall is cold anyway",
        ),
    ):
        layout.message(channel, author, text, at=at)
    for start, text in (
        ("2026-02-20 09:00", "February: EUR 150 from Planning to Systems. Wanda"),
        ("2026-03-03 09:00", "February, belatedly: EUR 60 from Dock to Courier. Wanda"),
        ("2026-03-12 09:00", "March: EUR 200 from Yard to Hall. Wanda"),
    ):
        layout.event("Plan moved", start=start, minutes=15, people=("controller",), description=text)
    for company, day, text in (
        ("C3", "2025-12-15", "Handling on what we charge on to them in 2026: 4.5 percent, agreed"),
        ("C3", "2026-03-05", "They would like handling at 3 percent from summer, still to be discussed"),
    ):
        layout.about(company, text, author="am1", day=day)
    return Letters((*mails, question), question, asked)
