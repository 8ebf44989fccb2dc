"""All story lines of an office, where they begin, and the everyday ones around them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from benchmarks.office.filling import fill
from benchmarks.office.ledger import AHEAD, DAY, Ledger, Mail, Meeting, Note, Story, ToDo, day_of
from benchmarks.office.people import CLOSED, OWNER
from benchmarks.office.script import Thread, threads
from benchmarks.office.settling import settle
from benchmarks.office.stage import Stage, keyed, workday
from benchmarks.office.stories import customers, desk, diary, house, lines, quality, terms
from benchmarks.office.stories.orders import orders
from benchmarks.office.timely import untimely
from benchmarks.office.words import TOKEN

__all__ = ("STORIES", "Size", "told")


class Size(NamedTuple):
    """How large an office is."""

    mails: int
    """In its mailbox at `now`."""
    everyday: float
    """What part of the everyday threads is told."""
    twice: int
    """How often a mail is sent twice."""
    orders: int
    """In the CRM, besides the deals that stories tell of."""


STORIES: tuple[tuple[str, str, int, Callable[[Stage], None]], ...] = (
    ("deal", "customer deal", -114, customers.deal),
    ("lost", "customer deal", -79, customers.deal_lost),
    ("pipeline", "pipeline", -149, customers.pipeline),
    ("incident", "incident", -51, lines.incident),
    ("hiring", "hiring", -128, lines.hiring),
    ("renewal", "contract renewal", -79, lines.renewal),
    ("offsite", "offsite", -44, lines.offsite),
    ("weekly", "team meeting", -121, lines.weekly),
    ("moves", "joiner and leaver", -72, lines.people_moves),
    ("scanners", "internal project", -93, lines.project),
    ("recall", "batch recall", -86, quality.recall),
    ("audit", "audit by a customer", -163, quality.audit),
    ("shelves", "moving shelves", -37, house.shelves),
    ("carrier", "supplier's price rise", -121, terms.price_rise),
    ("dispute", "disputed invoice", -107, terms.dispute),
    ("branch", "new office", -149, house.branch),
)
"""Name, kind, the Monday on which it begins, and who tells it. Leave in `people` lies where stories spare it."""

_BESIDES: tuple[tuple[str, str, Callable[[Stage], None]], ...] = (
    ("papers", "shared folders", desk.papers),
    ("sheets", "shared folders", desk.sheets),
    ("desk", "tasks and short words", desk.desk),
    ("colleagues", "busy times", desk.colleagues),
    ("diary", "meetings", diary.diary),
)
"""What is told for every seed beside the lines, when they are told: lists say what they say."""

_ALWAYS = ("deal", "pipeline", "weekly", "moves")
"""Told for every seed, since checks and other stories lean on them: offer, CRM, series, who comes and goes."""
_HELD_OUT = ("renewal", "scanners", "audit", "dispute")
_TOLD, _OF_HELD_OUT = 10, 2
"""How many story lines a seed tells, and how many of those are held out."""
_LAST = -1


def told(ledger: Ledger, size: Size) -> None:
    """Tell all story lines into a ledger, and work scripts until it has its size. Raises ValueError where it cannot."""
    company = ledger.company
    office = _opened(ledger, "office", "the office", 0)
    for name, value in (("company", company.name), ("product", company.product), *company.outside.items()):
        office.fact(name, "text", value)
    drawn = _drawn(ledger.seed)
    for name, kind, base, tell in STORIES:
        if name in drawn:
            tell(_opened(ledger, name, kind, base))
    _everyday(ledger, size.everyday)
    _bulk(ledger)
    _meetings(_opened(ledger, "rhythm", "meetings", 0))
    _own(_opened(ledger, "own", "the owner's own", 0))
    if size.orders:
        orders(_opened(ledger, "orders", "pipeline", 0), size.orders)
    for name, kind, besides in _BESIDES:
        besides(_opened(ledger, name, kind, 0))
    fill(ledger, size.mails)
    settle(ledger)
    _automatic(ledger)
    _twice(ledger, size.twice)
    ledger.events.sort(key=lambda event: (event.at, event.id))


def _drawn(seed: int) -> set[str]:
    """The story lines of a seed: those that are always told, two that are held out, and others."""
    rng, names = keyed(seed, "picked"), [name for name, *_ in STORIES]
    others = [name for name in names if name not in (*_ALWAYS, *_HELD_OUT)]
    return {*_ALWAYS, *rng.sample(_HELD_OUT, _OF_HELD_OUT), *rng.sample(others, _TOLD - len(_ALWAYS) - _OF_HELD_OUT)}


def _opened(ledger: Ledger, name: str, kind: str, base: int) -> Stage:
    ledger.stories.append(Story(id=name, kind=kind, held_out=name in _HELD_OUT))
    return Stage(ledger, name, base)


def _everyday(ledger: Ledger, part: float) -> None:
    """Short threads, or a part of them, each on a day of its own; the last lie around `now`."""
    pool = [*threads("everyday")]
    keyed(ledger.seed, "everyday").shuffle(pool)
    del pool[round(part * len(pool)) :]
    for place, thread in enumerate(pool):
        rng = keyed(ledger.seed, "everyday", thread.key)
        base = workday(-172 + place * (172 + AHEAD - 5) // len(pool) + rng.randint(-2, 2))
        if "day" in thread.options:
            base = int(thread.options["day"])
        people = {who for line in thread.lines for who in (line.who, *line.to, *line.cc)}
        people |= {found[2] for line in thread.lines for text in line.wordings for found in TOKEN.finditer(text)}
        for person in (ledger.company.people[who] for who in sorted(people) if who in ledger.company.people):
            base = max(base, (person.joined or -999) + 4)
            if thread.lines[0].who == person.key:
                while not person.works(base):
                    base = workday(base + 1)
        _told_in_time(ledger, f"day-{thread.key}", base, thread)


def _told_in_time(ledger: Ledger, name: str, base: int, thread: Thread) -> None:
    """A short thread on that day, or on one of the next days on which its words fit the hours and days it takes."""
    for later in range(20):
        scratch = Ledger(seed=ledger.seed, company=ledger.company, facts=dict(ledger.facts))
        _opened(scratch, name, "everyday", workday(base + later)).thread(thread)
        if not untimely(scratch.events, scratch.facts, ledger.company):
            break
    else:
        raise ValueError(f"{name}: on none of 20 days its words fit the days and hours that they are written on")
    ledger.stories += scratch.stories
    ledger.facts.update(scratch.facts)
    ledger.events += scratch.events


def _bulk(ledger: Ledger) -> None:
    """Newsletters, notices of machines and spam, spread over the half year."""
    pool: list[Thread] = [*threads("bulk")]
    keyed(ledger.seed, "bulk").shuffle(pool)
    for place, thread in enumerate(pool):
        base = -175 + place * (175 + AHEAD - 4) // len(pool)
        _opened(ledger, f"bulk-{thread.key}", "bulk", base).thread(thread)


def _meetings(stage: Stage) -> None:
    """What recurs, and what stands in the calendar for the days to come."""

    def add(at: int, who: str, title: str, day: int, time: str, minutes: int, people: str, **more: object) -> Meeting:
        hours, rest = time.split(":")
        return stage.add(
            Meeting,
            workday(at) * DAY + 10 * 60 + 5,
            who,
            title=title,
            starts=day * DAY + int(hours) * 60 + int(rest),
            minutes=minutes,
            people=tuple((key, "accepted") for key in people.split()),
            skipped=tuple(sorted(each for each in CLOSED if each >= day and (each - day) % 14 == 0))
            if "recurrence" in more
            else (),
            **more,
        )

    talk = add(-170, "coo", "Talk with {@owner}", -163, "14:00", 30, "", recurrence="FREQ=WEEKLY;INTERVAL=2")
    if moved := [mail for mail in stage.ledger.of(Mail) if mail.story == "day-oneonone"]:
        to = int(stage.ledger.facts["day-oneonone.d5"].at(0))
        add(day_of(moved[0].at), "coo", "Talk with {@owner}", to, "14:00", 30, "", series=talk.id, original=-37)
    add(-160, "sales_vp", "Forecast", -153, "15:00", 45, "am1 am2 controller", recurrence="FREQ=WEEKLY;INTERVAL=4")
    add(
        -150,
        "cto",
        "Hardware and operations",
        -146,
        "09:30",
        30,
        "firmware qa product",
        recurrence="FREQ=WEEKLY;INTERVAL=2",
    )
    add(-60, OWNER, "Lunch with {@junior}", -48, "12:30", 60, "junior")
    add(-12, "controller", "Half-year sums", 1, "11:00", 60, "cfo", response="tentative")
    add(-8, "am2", "Ferry terminal: what can we deliver?", 2, "16:00", 45, "sales_vp", response="needs action")
    add(
        -6,
        "qa",
        "Cold chamber booked for drop tests",
        5,
        "10:00",
        120,
        "firmware",
        response="needs action",
        place="Chamber",
    )
    add(-5, "hr", "Handovers, second half", 6, "13:30", 60, "support product", place="Blue room")
    add(-4, OWNER, "Walk the hall with the insurer", 7, "09:00", 90, "controller logistics", place="Hall")
    add(-4, "marketing", "Photographs", 8, "14:30", 60, "planner logistics", response="declined")
    add(-2, "landlord", "Lift inspection", 9, "08:30", 45, "facility", place="Goods lift")
    add(-30, OWNER, "Dentist", 0, "16:30", 45, "")


def _own(stage: Stage) -> None:
    """Tasks, notes and drafts of the owner that belong to no story."""
    for text, day, due, done, priority in (
        ("Renew the licence of the yellow fork-lift", -20, 6, None, 2),
        ("Return the spare key to {@facility}", -15, -14, -14, 4),
        ("Ask {@qa} about batch seventeen", -11, -1, None, 2),
        ("Count the corner boards", -9, 1, None, 3),
        ("Read the insurer's questionnaire", -6, 5, None, 3),
        ("Two signatures for orders above the line: tell the team", -5, 0, None, 1),
        ("Book the train north", -3, 8, None, 4),
        ("Water the plant on desk eleven", -40, -38, -37, 4),
        ("Safety walk, rear staircase", -33, -30, -30, 3),
        ("Photograph the shelf labels", -80, -78, -77, 4),
    ):
        stage.add(
            ToDo,
            stage.moment(f"d{day}@09:20", OWNER),
            OWNER,
            text=text,
            project="Operations",
            due=workday(due),
            done=None if done is None else workday(done) * DAY + 16 * 60,
            priority=priority,
        )
    for day, title, text, tags, pinned in (
        (-140, "How to reset the strapping machine", "Red, wait for the sigh, red again, green.", ("hall",), True),
        (
            -88,
            "Books people mentioned",
            "- the one about queues\n- the one about rope\n- anything on bridges",
            (),
            False,
        ),
        (
            -47,
            "Questions for the shareholders' visit",
            "Loading bay first. Second shift only if asked.",
            ("ideas",),
            False,
        ),
        (
            -13,
            "What breaks if we double",
            "Bay, planner, me. In that order, and the bay costs most.",
            ("ideas",),
            False,
        ),
        (-3, "Insurer", "Wants to see the hall on {walk:wd} {walk}. Helmets are by the door.", (), False),
    ):
        if "{walk" in text:
            stage.date("walk", 7)
        stage.add(Note, stage.moment(f"d{day}@12:10", OWNER), OWNER, title=title, text=text, tags=tags, pinned=pinned)
    for day, to, subject, text in (
        (-1, "coo", "Second shift, one more try", "I know you haven't won that one yet. Here's what it would cost and"),
        (
            -2,
            "venue",
            "A lost umbrella",
            "One of us seems to have left a green umbrella with you. It has a duck for a handle.",
        ),
        (-6, "am2", "Ferry terminal", "Before we talk: which of the two piers is it? Their wireless differs a lot."),
    ):
        stage.add(Mail, stage.moment(f"d{day}@17:10", OWNER), OWNER, to=(to,), subject=subject, text=text, draft=True)


def _automatic(ledger: Ledger) -> None:
    """Who is on leave answers by machine, once a leave."""
    texts = {thread.key: thread for thread in threads("away")}
    answered: set[tuple[str, int]] = set()
    for mail in [each for each in ledger.of(Mail) if each.sender == OWNER and not each.draft]:
        for key in mail.to:
            for first, last in ledger.company.people[key].away:
                if not first <= day_of(mail.at) <= last or (key, first) in answered or key not in texts:
                    continue
                answered.add((key, first))
                stage = Stage(ledger, f"away-{key}", 0)
                stage.date("back", last + 1)
                ledger.stories.append(Story(id=stage.story, kind="auto-reply", held_out=False))
                stage.add(
                    Mail,
                    mail.at + 1,
                    key,
                    to=(OWNER,),
                    subject=texts[key].subject,
                    text=texts[key].lines[0].wordings[0],
                    kind="auto",
                    thread=mail.thread or mail.id,
                    answers=mail.id,
                )


def _twice(ledger: Ledger, times: int) -> None:
    """Somebody's mail client sends a mail two times."""
    stage = _opened(ledger, "twice", "mistakes", 0)
    several = [
        mail for mail in ledger.of(Mail) if mail.story.startswith("day-") and mail.sender != OWNER and not mail.answers
    ]
    for mail in stage.rng("which").sample([each for each in several if day_of(each.at) < _LAST], times):
        again = replace(mail, id=f"{mail.id}-again", at=mail.at + 2, twin=mail.id)
        ledger.events.append(again)
        stage.error("duplicate", [mail, again], "one and the same mail")
