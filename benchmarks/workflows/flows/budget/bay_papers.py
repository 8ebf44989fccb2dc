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
- Thu 19 February: platform stood still, wind
- Fri 20 February: platform gone to Hull until further notice
- Mon 23 February: nobody, Founders' Day
- Tue 24 February: crane here, first beams. platform back, here all day
- Wed 25 February: crane here until dark, platform here
- Thu 26 February: crane stood still, rain sideways, and the platform beside it
- Fri 27 February: crane here
- Mon 2 March: crane here, door frames
- Tue 3 March: no crane, it was in Hull. platform here for the lamps
- Wed 4 March: crane here, last beam, cake
- Thu 5 March: painters, no machines
- Fri 6 March: crane back for one beam that was none: here all day
- Mon 9 March: crane here, roof sheets. platform stood still, its man was ill
- Tue 10 March: crane here
- Wed 11 March: crane here until dark, then gone for good
- Thu 12 March: platform gone
- Fri 13 March: sweeping

Vikram
"""
_RULES: Final = """\
# The bay and its money

Wanda Mbeki keeps the budget and this page; where she has written something later, that goes before it. Changes to
orders are for Niamh Jansson to approve and for nobody else; a yes or no of hers in a mail or in the chat is as good as
the one in `changes.csv`, and her last word is the one that counts. What Wanda moves between lines of the budget stands
in Gareth's calendar ("The bay: budget"), and so does what Vikram accepts after 9 March ("The bay: accepted").

1. Everything as of Friday 13 March: invoices of a later date do not exist yet.
2. Invoices are in `bay_invoices_february.csv` and `bay_invoices_march.csv`. One that was entered twice counts once;
   blanks and hyphens in its number mean nothing. Slips in those lists Wanda tells in #general.
3. Invoices count net: where "tax" is gross, divide by 1.2 and round to cents (half a cent up, here and below).
4. Orders, changes and invoices are in the currency of the order. Each invoice in pounds becomes EUR at the rate of its
   date (`bay_pounds.csv`, the last line on or before it), rounded to cents. Invoiced is what the invoices of a line
   come to in EUR, credits taken off.
5. Hire by the day is invoiced for as many days as Vikram's diary has the machine here; a day on which it stood still
   is half a day, and one that does not name it is none. Whatever was billed beyond that, or less, is not counted. What
   is ordered of it is what orders.csv has.
6. Still to come of an order, in its currency: ordered, plus approved changes, less invoiced (net), and never below
   zero; pounds become EUR at the rate of 13 March, rounded to cents. After a final invoice nothing is to come.
7. Left is budget less invoiced less still to come, negative where a line is over.
8. Of works we hold back five percent of what is invoiced in EUR, order by order, rounded to cents, until the work is
   accepted (`accepted.csv`, see also above). It changes nothing in the budget.
9. Jessop Logistics share the doors and are charged a part of what is invoiced for that line; which part stands in the
   notes to their company in the CRM. It is rounded to cents once, at the end, and changes nothing in the budget; their
   company in the CRM gets a note with the sum.

To be made, beside this page: `bay_20260313.csv` with line, budget, invoiced, still to come, left, in the order of
`bay_budget.csv`, budget being what holds now; `held_back_20260313.csv` with order, supplier, EUR, in the order of the
orders, for those of which something is held back; and at the end of `bay_days.csv` a line with day, invoiced, still
to come, left, for all lines together (day as YYYY-MM-DD). Whoever answers for a line that is over gets a mail "The bay:
over budget" with each of their lines that is, and by how much. In #operations one only says
that `bay_20260313.csv` is there.
The mail about the whole has the subject that it has for everything of ours, "Operations: where we stand".
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
            "coo", "Two changes", f"Hi Gareth,\n\nI have read two papers again, properly this time. {cut[0]} gets "
            f"{cut[1]:.2f}, not what I signed in February. And {later[0]} may have all that they asked for."
            "\n\nAll best, Niamh", at="2026-03-06 12:15",
        ),
        layout.mail(
            "coo", "A third one", f"Hi Gareth,\n\nThe change of {revoked} I take back altogether, they get nothing "
            f"more and nothing less. And {chatted} I said no to this morning.\n\nAll best, Niamh",
            at="2026-03-09 11:30",
        ),
    )  # fmt: skip
    layout.mail(
        "planner", f"{never[0]}, {never[1]:.0f}", f"Hello Gareth\n\nThe people of {never[0]} want {never[1]:.2f}. It "
        "is reasonable, and I told them that I would count it in. You may want to do the same.\n\nRegards\nIvo Takala",
        at="2026-03-09 14:50",
    )  # fmt: skip
    layout.mail(
        "controller", "The next bay", "Gareth, hello,\n\nFor the bay after this one we'll hold back ten percent, and "
        "of goods as well. This one stays as it is.\n\nYours, Wanda", at="2026-03-11 10:10",
    )  # fmt: skip
    asked = "What about my doors?"
    question = layout.mail(
        "facility", asked, "Hi Gareth,\n\nWhat is invoiced for the doors until now, in EUR, and what is still to come? "
        "I am asked in the canteen.\n\nRegards, Vikram", at="2026-03-16 10:40", read=False,
    )  # fmt: skip
    for channel, author, at, text in (
        (
            "operations",
            "facility",
            "2026-03-06 09:50",
            "I could count the rain day of the crane whole, they did sit there after all",
        ),
        (
            "operations",
            "coo",
            "2026-03-10 09:05",
            f"{chatted} again, Gareth: they may have their change after all, forget Monday",
        ),
        ("operations", "it", "2026-03-11 15:30", "the lamps hang so well that I would pay what they ask for next time"),
        (
            "general",
            "controller",
            "2026-03-12 11:25",
            f"for those who count the bay: {typed[0]} is {typed[1]:.2f}, and "
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
