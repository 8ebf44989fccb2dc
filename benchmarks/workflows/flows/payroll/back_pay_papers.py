"""What is written about the rise of 2026 and its back pay: the page that rules it, mails, messages, the calendar."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from benchmarks.workflows.flows.payroll.books import ROOT, Letters
from benchmarks.workflows.layout import Layout

__all__ = ("letters", "rise", "rules")

_RULES: Final = """\
# How a rise is paid retroactively

The rise itself is in `rise_2026.md`. Fergus Varga, who signed it, may still change it or any line below; the last thing
he wrote counts. Drafts and wishes do not.

1. New rate of a grade = old rate plus its percentage, rounded to cents (half a cent up, as everywhere here). Work it
   out first, and use it rounded.
2. Go week by week, each line of each `paid_MMDD.csv` (the week from that Monday) by itself. Back pay for a week is
   what is due less what was paid. Due is the hours at the new rate, overtime at one and a quarter times the new rate,
   as one sum, rounded to cents. Paid is the last column. A week belongs to the month of its Monday.
3. The grade that counts is the one on the Monday of the week, whatever the list of payments says; for people who
   started later in a week, the one on the day they started. It is in `grades.csv`; changes since 7 February are only in
   Gareth's calendar, as "Grade: NAME" on the day from which the new one applies.
4. Payments in pounds are converted to EUR with the figure for their week in `pounds.csv` (pounds for one EUR), rounded
   to cents, before anything else is done with them. Wanda Mbeki keeps that list; if she got it wrong she says so in
   #general.
5. Hours and overtime are those in the list, unless the lead of the team (leads.csv) has corrected them since; if twice,
   the later correction counts. If the list was wrong when people were paid, the difference is simply part of what is
   due. A line that is there twice in a week was typed twice and paid once.
6. A week that comes out negative counts as zero; nobody pays anything back.
7. Weeks with an agency are the agency's business and count as zero.
8. Only people still employed on 1 March 2026 get anything. Others who are in a list are left out.
9. What somebody has had on account (`on_account.csv`, kept by Rufus Reyes) is deducted from the sum of the two months,
   but not below zero. One receipt is one payment, however often it was typed. The column shows everything they had,
   whether deducted or not.

What we need in the folder `rise_2026`:

- `back_pay.csv`: name, January, February, on account, EUR; one line for everybody who is entitled, even to zero, in
  the order of grades.csv. All in EUR.
- `left_out.csv`: name, last day (YYYY-MM-DD), for those left out under point 8, by day.

`rises.csv`, one folder up, gets a line at its end: year, people in back_pay.csv, EUR in all. Each lead gets a mail
"Back pay: hours we used" with every one of their people in back_pay.csv and that person's hours in both months
together, plain and overtime in one figure, not counting agency weeks. #operations is told which day the run is; back
pay usually goes out on the last Friday of the month.
"""


def rules(layout: Layout) -> str:
    """The page; its path."""
    return layout.file(f"{ROOT}/rise_2026/how_back_pay_works.md", _RULES, at="2026-02-27 12:30")


def rise(layout: Layout) -> str:
    """The rise as it was signed, its path; a draft of it lies beside."""
    layout.file(
        f"{ROOT}/rise_2026/rise_2026_draft.md",
        "# The rise of 2026 (draft, for discussion)\n\n- H1 four percent\n- H2 three percent\n- H3 three percent\n\n"
        "Overtime at one and a half times?\n",
        at="2026-01-22 16:15",
    )
    return layout.file(
        f"{ROOT}/rise_2026/rise_2026.md",
        "# The rise of 2026\n\nFrom 1 January, for everybody in the hall:\n\n- H1 three percent\n- H2 two and a "
        "half percent\n- H3 two percent\n\nThe rates until now: H1 EUR 14.00, H2 EUR 15.60, H3 EUR 17.70 an hour.\n\n"
        "Signed: Fergus Varga, 27 February 2026\n",
        at="2026-02-27 12:00",
    )


def letters(layout: Layout, right: Mapping[tuple[str, str], tuple[Decimal, Decimal]]) -> Letters:
    """Everything that was written beside the papers. `right`: hours and overtime of a person's week."""
    carl, josip = (right[key][0] for key in (("Carl Immer", "2026-01-26"), ("Josip Maric", "2026-02-02")))
    pavel, agnes, kit = (
        right[key][1]
        for key in (("Pavel Strand", "2026-01-12"), ("Agnes Thorp", "2026-02-09"), ("Kit Lorne", "2026-02-16"))
    )
    mails = (
        layout.mail(
            "hr", "The rise: one figure up, one date later",
            "Hi Gareth,\n\nTwo changes, both signed. H2 gets 2.8 percent and not two and a half. And H3 gets its two "
            "percent from 1 February only, so the January weeks stay at the old rate for that grade, overtime "
            "too.\n\nThanks, Fergus", at="2026-03-04 10:05",
        ),
        layout.mail(
            "planner", "Luca, and Carl's January",
            "Hello Gareth\n\nLuca Ferris had no overtime at all in the week from 16 February, the list has another "
            f"man's. And Carl Immer had {carl} plain hours in the week from 26 January, "
            "no more.\n\nRegards\nIvo Takala", at="2026-03-05 16:20",
        ),
        layout.mail(
            "hr", "Walt's last day", "Hi Gareth,\n\nBefore anybody asks: Walt Dray's last day was Friday 6 March, he "
            "stayed a week longer for the handover. grades.csv has the end of February, which was the plan."
            "\n\nThanks, Fergus", at="2026-03-09 09:30",
        ),
        layout.mail(
            "logistics", "pavel", "hello Gareth,\n\nI found Pavel Strand's own list: two hours of overtime in the week "
            "from 12 January. his hand, his coffee stain. and he says the repair people did more as well, Agnes "
            "five at least in February.\n\nthanks! Tamsin", at="2026-03-10 08:45",
        ),
        layout.mail(
            "accounts", "On account", "Gareth,\n\nAgnes Thorp had 52.25 on receipt 127 and not 62.25, I have it in "
            "front of me. The rest of the list is right, apart from how people's names are spelt.\n\nRufus",
            at="2026-03-11 15:05",
        ),
        layout.mail(
            "it", "Agnes, overtime", "Dear Gareth,\n\nAgnes Thorp's overtime in the week from 9 February was "
            f"{agnes} hours; the list must have taken a Saturday twice.\n\nBest regards, Emeka", at="2026-03-11 17:40",
        ),
    )  # fmt: skip
    layout.mail(
        "facility", "Dov's hours", "Hi Gareth,\n\nDov Sadler fixed my lift on 21 February until nine in the evening. "
        "Is that in his overtime? I would add three hours.\n\nRegards, Vikram", at="2026-03-06 11:15",
    )  # fmt: skip
    layout.mail(
        "hr", "The rise of 2027", "Hi Gareth,\n\nWe have begun to talk about next year: two percent for all three "
        "grades, overtime at one and a third. Nothing is signed and none of it applies yet.\n\nThanks, Fergus",
        at="2026-03-12 10:10",
    )  # fmt: skip
    asked = "Noor's back pay"
    question = layout.mail(
        "accounts", asked, "Gareth,\n\nNoor Haddon says January alone must be over three hundred. What does it come "
        "to, January and both months together, before anything comes off? I would rather have it from you than from "
        "the corridor.\n\nRufus", at="2026-03-16 11:50", read=False,
    )  # fmt: skip
    for channel, author, at, text in (
        (
            "general",
            "controller",
            "2026-03-06 12:20",
            "for whoever uses pounds.csv: the week from 9 February is 0.869, I swapped two digits",
        ),
        ("general", "recruiter", "2026-03-09 14:35", "grades for the new people in April: two H1, one H2"),
        (
            "operations",
            "facility",
            "2026-03-05 09:15",
            "people who left in February worked for it too, shouldn't they get the rise as well? I would include them",
        ),
        ("operations", "junior", "2026-03-05 09:21", "fair! Stefan still has my umbrella though"),
        (
            "operations",
            "logistics",
            "2026-03-11 09:40",
            f"despatch, week from 2 February: Josip had {josip} plain "
            f"hours, the list is short. week from 16 February: Kit's overtime is {kit - Decimal('0.3')}",
        ),
        (
            "operations",
            "logistics",
            "2026-03-12 15:05",
            "Pavel's week from 12 January again: the two hours were with "
            f"the Christmas ones. I counted with him, it is {pavel}. sorry",
        ),
        (
            "operations",
            "planner",
            "2026-03-12 16:20",
            "Luca asked whether the Sunday of the burst pipe counts. it does not, it was in March",
        ),
        (
            "operations",
            "logistics",
            "2026-03-13 10:12",
            f"Kit once more, week from 16 February: {kit} hours of overtime, both of us agree now",
        ),
    ):
        layout.message(channel, author, text, at=at)
    for title, start, text in (
        ("Grade: Gwen Astley", "2026-02-16 09:00", "H2 from today, until now H1"),
        ("Grade: Betty Oduya", "2026-03-16 09:00", "H2 from today, until now H1"),
    ):
        layout.event(title, start=start, minutes=15, people=("hr",), description=text)
    return Letters((*mails, question), question, asked)
