"""What is written about February's pay: the house's paper, mails, messages, the calendar and the CRM."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from benchmarks.workflows.flows.payroll.books import ROOT, Letters
from benchmarks.workflows.layout import Layout, first
from benchmarks.workflows.plan import spoken

__all__ = ("letters", "rules")

_LEADS: Final = {"dock": "logistics", "packing": "planner", "returns": "junior"}
_RULES: Final = """\
# How we pay the hall

By the hour, once a month. This page applies until Fergus Varga changes it; what he writes later, in a mail or in the
chat, counts from the day he names. Nobody else changes anything here, though everybody is welcome to make wishes.

1. Each week has a sheet, Monday to Saturday. A number is hours worked; L is leave; S is sick.
2. A day of leave counts as a fifth of the weekly hours in staff.csv. So does a sick day with a doctor's note
   (doctors_notes.csv). Fergus posts late notes, and corrections to that list, in #general or sends them by mail. A sick
   day without a note is not paid. If weekly hours change, there is an entry "Contract: NAME" in Gareth's calendar, on
   the day from which the new ones apply.
3. Founders' Day (23 February) is empty in the sheet and counts as a fifth of the week for everybody employed that day.
4. Overtime is worked out week by week: whatever Monday to Friday comes to above 37.5 hours, days under 2 and 3
   included. The limit is 37.5 for everybody, part-timers too. Overtime is paid at one and a quarter times the rate.
5. Saturdays are separate: they do not count towards overtime, and are paid at one and a half times the rate.
6. Hours are paid at the rate for the week they are in (rates_2026.csv: the last one that begins on or before its
   Monday), in the grade that the person has that week. The hours of a week are rounded to cents as one sum, half a
   cent up, and the weeks are added up.
7. Only the lead of a team corrects its hours and extras (leads.csv). If they do so twice, the later correction counts.
8. A name that is twice in a week with the same hours was typed twice, whatever the spelling. Agency people (grade
   "agency") are in the sheets, but their agency pays them; they appear in nothing we produce.
9. People who leave are paid for leave not taken (leavers.csv), a fifth of the week for each day, at the rate of the
   last week worked, rounded to cents on its own. It is added to the plain hours and never makes overtime.

Extras are in a list for each week (`extras_*.csv`). Each line is rounded to cents, half a cent up, before anything is
added up; extras do not count as hours.

10. cold: "how much" is hours in the cold store, EUR 1.85 each. One person gets at most EUR 12.40 of it in one week.
11. forklift: hours too, EUR 1.15 each, for those whose licence is valid on that day (forklift_licences.csv, last day
    included). Without a licence there is nothing.
12. keys: EUR 4.20 for each day on which somebody locks up.
13. container: "how much" is its number, "for" whose it is. What one container earns is agreed with the customer and is
    in the notes to their company in the CRM; the latest agreement valid on the day counts. It is split equally between
    everybody who is in the list for it, agency people included (whose part stays with us).
14. The same line twice counts once. An extra on a day on which the person was on leave or sick is a mistake and does
    not count.

What we need, all in the folder of the month:

- `pay_202602.csv`: name, hours, overtime, Saturday, extras, EUR. In the order of staff.csv. `hours` are the plain ones,
  paid absence included; `extras` is the EUR for 10 to 13, and EUR is everything that the person gets, extras
  included. The total EUR is the sum of these.
- `unpaid_202602.csv`: name, day (YYYY-MM-DD), one line for each sick day that is not paid, by day, and by
  name within a day.
- A line at the end of `overtime_hall.csv` here: month as YYYY-MM, everybody's overtime, everybody's Saturday hours.
- Each lead gets a mail "Hours of February" with each of their people and all their hours in one figure: plain, overtime
  and Saturday. No money in it, please.
- #operations is told which day the run is, usually the 25th of the month after.
"""


def rules(layout: Layout) -> str:
    """The house's paper; its path."""
    return layout.file(f"{ROOT}/how_we_pay_the_hall.md", _RULES, at="2026-01-08 11:40")


def letters(layout: Layout, cold: tuple[str, str], drove: tuple[str, str, str], teams: Mapping[str, str]) -> Letters:
    """Everything that was written beside the papers.

    `cold` is who was in the cold store on 12 February and for how long, `drove` a day, a driver and their hours: lines
    of the extras that are wrong in the list.
    """
    mails = (
        layout.mail(
            "hr", "Two things for the hall's pay",
            "Hi Gareth,\n\nBea Ashcombe is H3 from Monday 9 February, she has the letter. staff.csv still says "
            "otherwise, I am locked out of it.\n\nAnd from Monday 16 February Saturdays get sixty percent on top, no "
            "longer fifty. It will be on our page as soon as somebody unlocks it for me.\n\nThanks, Fergus",
            at="2026-02-12 11:20",
        ),
        layout.mail(
            "logistics", "marek, 5 february",
            "hello Gareth,\n\nthe sheet is wrong for Marek on Thursday the 5th: he did 9 hours that day. "
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
            "hr", "Forklift and cold store",
            "Hi Gareth,\n\nSigned today, both from Monday 16 February on: an hour on the forklift is EUR 1.34, and the "
            "most that anybody can get for the cold store in one week goes from 12.40 to EUR 13.60. The hour in the "
            "cold stays at 1.85.\n\nThanks, Fergus",
            at="2026-02-26 16:30",
        ),
        layout.mail(
            _LEADS[teams[cold[0]]], "Thursday in the cold",
            f"Gareth,\n\none line of the extras is too long: {cold[0]} was in the cold store for {cold[1]} hours on "
            f"12 February and had soup for the rest.\n\n{first(_LEADS[teams[cold[0]]])}",
            at="2026-03-10 08:50",
        ),
        layout.mail(
            "hr", "Returns has a new lead",
            "Hi Gareth,\n\nJoan has been leading returns since 1 March, and Vikram has his afternoons back. Anything "
            "still to be said about returns is for her, February included.\n\nThanks, Fergus",
            at="2026-03-06 14:05",
        ),
    )  # fmt: skip
    layout.mail(
        "hr", "The hall's pay, from April",
        "Hi Gareth,\n\nSo that it doesn't surprise you: from 1 April the hour in the cold store is EUR 2.05 and the "
        "keys are EUR 4.50. Until then everything stays as it is.\n\nThanks, Fergus",
        at="2026-03-09 10:40",
    )  # fmt: skip
    layout.mail(
        "facility", "Returns, for what it is worth",
        "Hi Gareth,\n\nOne more from me before Joan has it all: Dilys was here until half past five on 17 February, I "
        "would give her nine hours for it. She didn't ask.\n\nRegards, Vikram",
        at="2026-03-06 15:30",
    )  # fmt: skip
    asked = "What Tomos gets"
    question = layout.mail(
        "hr", asked,
        "Hi Gareth,\n\nTomos Vale asks me what February comes to for him, in EUR, before he buys the pushchair. Can "
        "you tell me once you know? His doctor's note for 19 and 20 February has come by post, by the way. It's "
        "under my tea.\n\nThanks, Fergus",
        at="2026-03-11 10:35", read=False,
    )  # fmt: skip
    for channel, author, at, text in (
        (
            "operations",
            "planner",
            "2026-03-04 10:12",
            "why do part-timers wait until 37.5 before it is overtime? I "
            "would pay it above their own hours, from February on",
        ),
        ("operations", "junior", "2026-03-04 10:20", "+1, Hugo would be pleased"),
        (
            "operations",
            "planner",
            "2026-03-05 14:25",
            "K-309 on the 18th went through three pairs of hands: Oskar is missing from the list",
        ),
        (
            "operations",
            "junior",
            "2026-03-09 11:02",
            "returns: Hugo on the 24th of February is 5.35, I typed 3.55. and Dilys did 8.7 on the 19th",
        ),
        (
            "operations",
            "logistics",
            "2026-03-09 16:48",
            "I looked at the door again: Marek went home earlier on the "
            "5th. make it 8.45 for that day. and Sunniva's 19th stays as it is in the sheet",
        ),
        (
            "operations",
            _LEADS[teams[drove[1]]],
            "2026-03-10 09:31",
            f"extras, forklift: {drove[1]} drove {drove[2]} hours on {spoken(drove[0])}, the list has too many",
        ),
        (
            "operations",
            "facility",
            "2026-03-10 12:06",
            "Ralf on the 4th looked quite healthy to me, he carried a cupboard",
        ),
        (
            "operations",
            "junior",
            "2026-03-12 09:17",
            "Dilys again, the 19th: 8.2 and not 8.7. the half hour was a birthday",
        ),
        (
            "general",
            "hr",
            "2026-03-05 13:40",
            "for whoever does the hall's pay: a doctor's note came for Rhys Palmer, "
            "12 and 13 February. and Nerys Colt's is for the 18th and 19th, I typed it a day too late",
        ),
        (
            "general",
            "recruiter",
            "2026-03-06 09:10",
            "agency days in February: Jonah Fell 19, Yusuf Adair 19, for the agency's bill",
        ),
    ):
        layout.message(channel, author, text, at=at)
    for title, start, text in (
        ("Contract: Tomos Vale", "2026-02-16 09:00", "30 hours a week from today, until now 25"),
        ("Contract: Hugo Brandt", "2026-03-02 09:00", "24 hours a week from today, until now 20"),
    ):
        layout.event(title, start=start, minutes=15, people=("hr",), description=text)
    for company, author, day, text in (
        (
            "C1",
            "am1",
            "2025-12-16",
            "Unloading agreed for 2026: EUR 10.80 a container for the people who empty it, from 1 January",
        ),
        ("C2", "am1", "2025-12-17", "Unloading agreed for 2026: EUR 10.25 a container, from 1 January"),
        (
            "C2",
            "am1",
            "2026-02-17",
            "Unloading: as the crates are wet, EUR 11.60 a container agreed from 18 February",
        ),
        ("C3", "am1", "2025-12-18", "Unloading agreed for 2026: EUR 12.10 a container, from 1 January"),
        ("C3", "sdr", "2026-02-10", "Unloading: I asked for EUR 13.50 from now on, they will think about it"),
    ):
        layout.about(company, text, author=author, day=day)
    return Letters((*mails, question), question, asked)
