"""What is written about the bay: Wanda's page, the diary, mails, messages, the calendar and the CRM."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from benchmarks.workflows.flows.budget.books import ROOT, Letters
from benchmarks.workflows.layout import Layout

__all__ = ("DIARY", "letters", "rules")

DIARY: Final = """\
# Site diary, new bay

- Tue 17 February: platform here, gutters
- Wed 18 February: platform here
- Thu 19 February: platform stood idle, wind
- Fri 20 February: platform gone to Hull until further notice
- Mon 23 February: nobody, Founders' Day
- Tue 24 February: crane here, first beams. platform back, here all day
- Wed 25 February: crane here until dark, platform here
- Thu 26 February: crane stood idle, rain sideways, and the platform beside it
- Fri 27 February: crane here
- Mon 2 March: crane here, door frames
- Tue 3 March: no crane, it was in Hull. platform here for the lamps
- Wed 4 March: crane here, last beam, cake
- Thu 5 March: painters, no machines
- Fri 6 March: crane back for a beam that turned out not to exist: here all day
- Mon 9 March: crane here, roof sheets. platform stood idle, its operator was ill
- Tue 10 March: crane here
- Wed 11 March: crane here until dark, then gone for good
- Thu 12 March: platform gone
- Fri 13 March: sweeping

Vikram
"""
_RULES: Final = """\
# The bay and its money

Wanda Mbeki keeps the budget and this page; whatever she has written since overrides it. Only Niamh Jansson approves
changes to orders; a yes or no from her in a mail or in the chat is as good as the one in `changes.csv`, and her last
word counts. What Wanda moves between lines of the budget is in Gareth's calendar ("The bay: budget"), and so is what
Vikram accepts after 9 March ("The bay: accepted").

1. Everything is as of Friday 13 March: ignore invoices with a later date.
2. Invoices are in `bay_invoices_february.csv` and `bay_invoices_march.csv`. One that was entered twice counts once;
   spaces and hyphens in its number do not matter. Wanda posts corrections to those lists in #general.
3. Invoices count net: if "tax" is gross, divide by 1.2 and round to cents (half a cent up, here and below).
4. Orders, changes and invoices are in the currency of the order. Each invoice in pounds is converted to EUR at the
   rate of
   its date (`bay_pounds.csv`, the last line on or before it), rounded to cents. Invoiced is what the invoices of a
   line come to in EUR, less credits.
5. Hire by the day counts as invoiced for as many days as the machine was here according to Vikram's diary; a day on
   which it stood idle is half a day, and a day that does not mention it is none. It makes no difference whether more or
   less was billed. The amount ordered is the one in orders.csv.
6. Still to come on an order, in its currency: ordered, plus approved changes, less invoiced (net), and never below
   zero; pounds are converted to EUR at the rate of 13 March, rounded to cents. After a final invoice nothing is to
   come.
7. Left is budget less invoiced less still to come, negative if a line is over.
8. For works we hold back five percent of what is invoiced in EUR, order by order, rounded to cents, until the work is
   accepted (`accepted.csv`, see also above). This does not affect the budget.
9. Jessop Logistics share the doors and are charged a part of what is invoiced for that line; the notes to their company
   in the CRM say which part. It is rounded to cents once, at the end, and does not affect the budget; their company in
   the CRM gets a note with the sum.

What we need, beside this page: `bay_20260313.csv` with line, budget, invoiced, still to come, left, in the order of
`bay_budget.csv`, budget being the current one; `held_back_20260313.csv` with order, supplier, EUR, in the order of the
orders, for those on which something is held back; and at the end of `bay_days.csv` a line with day, invoiced, still
to come, left, for all lines together (day as YYYY-MM-DD). Whoever is responsible for a line that is over gets a mail
"The bay: over budget" with each of their lines that is over, and by how much. Just post in #operations that
`bay_20260313.csv` is there.
The mail about the overall result has the same subject as for all our budgets, "Operations: where we stand".
"""


def rules(layout: Layout) -> str:
    """The page; its path."""
    return layout.file(f"{ROOT}/bay/the_bay_and_its_money.md", _RULES, at="2026-02-02 12:20")


def letters(
    layout: Layout,
    *,
    moved: tuple[str, str],
    later: tuple[str, Decimal],
    cut: tuple[str, Decimal],
    never: tuple[str, Decimal],
    chatted: str,
    revoked: str,
    typed: tuple[str, Decimal],
    order: tuple[str, str],
    last: str,
    done: str,
) -> Letters:
    """Everything that was written beside the papers.

    By order: `moved` to a line, changes that are approved `later`, `cut` to less, `never` approved, `chatted` about or
    `revoked`, works that are `done`. By invoice: `typed` with its amount, one with its right `order`, and the `last`.
    """
    mails = (
        layout.mail(
            "controller", "The bay: two small things",
            f"Gareth, hello,\n\n{moved[0]} is heating mats, so it goes to {moved[1]}, whatever orders.csv says. And "
            f"{last} is the last invoice of its order, I've asked them; they forgot to say so on it."
            "\n\nYours, Wanda", at="2026-03-05 09:35",
        ),
        layout.mail(
            "coo", "Two changes", f"Hi Gareth,\n\nI have reread two of the forms, properly this time. {cut[0]} gets "
            f"{cut[1]:.2f}, not what I signed in February. And {later[0]} may have all that they asked for."
            "\n\nAll best, Niamh", at="2026-03-06 12:15",
        ),
        layout.mail(
            "coo", "A third one", f"Hi Gareth,\n\nI'm withdrawing the change to {revoked} altogether, they get nothing "
            f"more and nothing less. And I said no to {chatted} this morning.\n\nAll best, Niamh",
            at="2026-03-09 11:30",
        ),
    )  # fmt: skip
    layout.mail(
        "planner", f"{never[0]}, {never[1]:.0f}", f"Hello Gareth\n\nThe people on {never[0]} want {never[1]:.2f}. It "
        "is reasonable, and I told them that I would include it. You may want to do the same.\n\nRegards\nIvo Takala",
        at="2026-03-09 14:50",
    )  # fmt: skip
    layout.mail(
        "controller", "The next bay", "Gareth, hello,\n\nFor the bay after this one we'll hold back ten percent, and "
        "of goods as well. This one stays as it is.\n\nYours, Wanda", at="2026-03-11 10:10",
    )  # fmt: skip
    asked = "What about my doors?"
    question = layout.mail(
        "facility", asked, "Hi Gareth,\n\nWhat has been invoiced for the doors so far, in EUR, and what is still to "
        "come? "
        "People ask me in the canteen.\n\nRegards, Vikram", at="2026-03-16 10:40", read=False,
    )  # fmt: skip
    for channel, author, at, text in (
        (
            "operations",
            "facility",
            "2026-03-06 09:50",
            "I could count the crane's rain day as a whole one, they did sit there after all",
        ),
        (
            "operations",
            "coo",
            "2026-03-10 09:05",
            f"{chatted} again, Gareth: they may have their change after all, forget Monday",
        ),
        ("operations", "it", "2026-03-11 15:30", "the lamps look so good that I would pay whatever they ask next time"),
        (
            "general",
            "controller",
            "2026-03-12 11:25",
            f"for whoever is adding up the bay: {typed[0]} is {typed[1]:.2f}, and "
            f"{order[0]} is for {order[1]}. both lists are locked, so I say it here",
        ),
        ("general", "recruiter", "2026-03-12 16:40", "the bay of desks by the window is free again from Monday"),
    ):
        layout.message(channel, author, text, at=at)
    for title, start, text in (
        ("The bay: budget", "2026-03-05 09:00", "EUR 400 from Permits to Doors. Wanda"),
        ("The bay: budget", "2026-03-11 09:00", "EUR 120 from Access to Roof. Wanda"),
        ("The bay: accepted", "2026-03-12 14:00", f"{done}, no faults. Vikram"),
        ("The bay: accepted", "2026-03-17 14:00", "B7, if it is dry by then. Vikram"),
    ):
        layout.event(title, start=start, minutes=15, people=("controller",), description=text)
    for day, text in (
        (
            "2026-02-03",
            "Doors of the new bay: they carry 25 percent of invoices of February, 30 percent of those dated "
            "in March, net and in EUR",
        ),
        ("2026-03-10", "Asked whether the fence could be shared too. Not for now"),
    ):
        layout.about("C3", text, author="am1", day=day)
    return Letters((*mails, question), question, asked)
