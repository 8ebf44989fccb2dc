"""What is written about the late crew's fortnight: the page that rules it, mails, messages and the calendar."""

from __future__ import annotations

from typing import Final

from benchmarks.workflows.flows.payroll.books import ROOT, Letters
from benchmarks.workflows.layout import Layout

__all__ = ("letters", "rules")

_RULES: Final = """\
# How we pay the late crew

Fortnight by fortnight, from the clock. Fergus Varga keeps this page. What he writes elsewhere later, by mail or in the
chat, overrides it; what the rest of us would like does not, until he has said yes.

1. `clock_*.csv` (one for each week and station) has one line for each person and day. Time worked is out less in, less
   the break: half an hour if it was more than six hours, three quarters if it was more than nine, none otherwise.
   Out may be after midnight.
2. The result is rounded down to full six minutes, a tenth of an hour, day by day. Up to eight hours a day are plain
   hours, the rest is overtime, paid at one and a quarter times.
3. A missing "out" is the person's last pass of that day in `hall_door.csv`; a pass before six in the morning belongs
   to the day before. If the clock is wrong, the lead of the station, and nobody else, corrects it (leads.csv). If they
   do so twice, the later correction counts.
4. Leave counts as eight plain hours. So does a sick day, except the first one of each illness, which is not paid. A
   weekend in the middle does not make it a new illness; if an old one comes back, Fergus says so in #general.
5. People on a course do not clock in and have eight plain hours. Courses are in Gareth's calendar ("Late crew,
   course"), and so are new hourly rates ("Late crew, rate"), on the day from which they apply.
6. Late time is time after 20:00, with nothing taken off for breaks, rounded down to a tenth of an hour day by day, and
   never more than 2.8 hours a day. Each hour of it earns EUR 2.40 on top of its ordinary pay.
7. A night on call is EUR 35. The list is `on_call.csv`; nights may be swapped, and a swap counts once the lead of
   whoever takes over the night has approved it.
8. Advances that are still open (`advances.csv`, kept by Rufus Reyes, whose word on them is enough) are deducted from
   the EUR. One given in pounds is deducted in EUR, to cents, at the rate of the day on which it was given (`fx.csv`,
   the last line on or before it).
9. Anyone marked "monthly" in late_staff.csv clocks in with the rest but is on a salary, and does not appear in
   anything below.

The EUR of a day, plain hours, overtime and late money as one sum, is rounded to cents, half a cent up; then the days,
the nights and the advances are added up.

What I need in the folder of the fortnight:

- `pay_20260302.csv` with name, hours, overtime, late hours, nights, EUR, in the order of late_staff.csv. `hours` are
  the plain ones; EUR is what is left after advances. All totals are sums of these figures;
- `no_out_20260302.csv` with name, day (YYYY-MM-DD), out (HH:MM), for each "out" that came from the door, by day.

`overtime_late.csv`, one folder up, gets one more line: first day of the fortnight, everybody's overtime, everybody's
late hours. The lead of each station gets a mail "Late crew, 2 to 13 March" with the hours of each of their people,
plain and overtime in one figure, and nothing about money. Tell the crew in #operations which day the run is; it is
usually the Friday of the week after the fortnight.
"""


def rules(layout: Layout) -> str:
    """The page; its path."""
    return layout.file(f"{ROOT}/late_crew.md", _RULES, at="2026-02-20 14:40")


def letters(layout: Layout, *, colm: str, rosa: str, greta: tuple[str, str]) -> Letters:
    """Everything that was written beside the papers.

    Times that the clock has wrong: when Colm came on 5 March, when Rosa went on the 11th, and when Greta went on the
    10th, at first and in the end.
    """
    mails = (
        layout.mail(
            "hr", "Late money", "Hi Gareth,\n\nSigned this morning: after eight in the evening it is EUR 2.83 an hour, "
            "from Monday 9 March on. Days before that stay as they are.\n\nThanks, Fergus", at="2026-03-05 15:30",
        ),
        layout.mail(
            "accounts", "Advances, late crew", "Gareth,\n\nRosa Tennant came by on Tuesday and put fifty euros of her "
            "advance on my desk, in coins. She has a receipt; it goes on my list when I have counted them again. "
            "It is fifty. And Hamish Orr's of the 10th was 40 pounds, the 45 is my typo.\n\nRufus",
            at="2026-03-12 11:15",
        ),
        layout.mail(
            "hr", "Cold store", "Hi Gareth,\n\nEmeka looks after the cold store crew from this month on, since the "
            "sensors are his anyway. leads.csv isn't up to date yet. Vikram knows.\n\nThanks, Fergus",
            at="2026-03-03 09:20",
        ),
        layout.mail(
            "it", "On call, 13 March", "Dear Gareth,\n\nSiobhan Pryce asks whether Maya Fenn could be on call for her "
            "on the 13th; they have agreed between them. It is fine with me.\n\nBest regards, Emeka",
            at="2026-03-04 13:40",
        ),
        layout.mail(
            "logistics", "colm's clock", "hello Gareth,\n\non Thursday the 5th Colm forgot to clock in and only did it "
            f"when the second lorry was in. he came at {colm}, I had the door open for him.\n\nthanks! Tamsin",
            at="2026-03-06 12:10",
        ),
    )  # fmt: skip
    layout.mail(
        "facility", "Siobhan, 4 March", "Hi Gareth,\n\nSiobhan was in the cold store until a quarter past midnight on "
        "the 4th, I saw the light. The clock has her out long before that, please correct it.\n\nRegards, Vikram",
        at="2026-03-09 10:15",
    )  # fmt: skip
    layout.mail(
        "hr", "Late crew from Easter on", "Hi Gareth,\n\nFor your calendar: from 6 April the night on call is EUR 38 "
        "and the break is half an hour for everybody, however long the evening. It doesn't apply to March."
        "\n\nThanks, Fergus", at="2026-03-10 09:45",
    )  # fmt: skip
    asked = "Late hours, cold store"
    question = layout.mail(
        "it", asked, "Dear Gareth,\n\nHow many late hours did Siobhan Pryce and Dario Keel have in the fortnight, "
        "each? I would like to know who the cold keeps up.\n\nBest regards, Emeka", at="2026-03-16 09:05", read=False,
    )  # fmt: skip
    for channel, author, at, text in (
        (
            "general",
            "hr",
            "2026-03-09 12:40",
            "Jory Pike's cold on the 4th is the one from February coming back, his papers say so",
        ),
        ("general", "recruiter", "2026-03-11 10:20", "three new people for the late crew from April, rates to follow"),
        (
            "operations",
            "planner",
            "2026-03-05 11:05",
            "Maya isn't taking the 13th, her sister is getting married on the Saturday. Siobhan keeps her night",
        ),
        (
            "operations",
            "it",
            "2026-03-06 10:30",
            "rounding to single minutes instead of six would be fairer, no? the clock can do it",
        ),
        ("operations", "logistics", "2026-03-08 17:15", "on call: Bettina does the 9th for Colm, I am fine with it"),
        (
            "operations",
            "logistics",
            "2026-03-10 12:20",
            "on call: Idris does Wednesday night, the 11th, for Dario. ok from me",
        ),
        (
            "operations",
            "planner",
            "2026-03-11 09:50",
            f"the clock got ahead of Greta yesterday, the 10th. she left at {greta[0]}",
        ),
        (
            "operations",
            "logistics",
            "2026-03-12 12:05",
            f"Rosa went at {rosa} on the 11th, somebody else held her card to the clock later",
        ),
        (
            "operations",
            "planner",
            "2026-03-13 16:35",
            f"I have seen Greta's parking slip now: {greta[1]} on the 10th, and I take back what I wrote",
        ),
        ("operations", "facility", "2026-03-13 17:02", "on call: Ilse would do the 13th for Siobhan, says Siobhan"),
    ):
        layout.message(channel, author, text, at=at)
    for title, start, text in (
        ("Late crew, course", "2026-03-11 13:00", "Fire safety, all day: Ewa Lind, Hamish Orr"),
        ("Late crew, rate", "2026-03-09 09:00", "Maya Fenn: EUR 15.87 an hour from today"),
        ("Late crew, rate", "2026-03-16 09:00", "Farid Amin: EUR 15.23 an hour from today"),
    ):
        layout.event(title, start=start, minutes=15, people=("hr",), description=text)
    return Letters((*mails, question), question, asked)
