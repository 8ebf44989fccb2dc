"""What stands in the owner's calendar beside all stories: rounds of two, calls of customers, rooms, the odd lunch."""

from __future__ import annotations

from benchmarks.office.ledger import DAY, NOW, Meeting, day_of
from benchmarks.office.people import OWNER
from benchmarks.office.stage import Stage, weekday

__all__ = ("diary",)

_ROOMS = ("Blue room", "Small room", "Green room", "Corner room")
_TIMES = tuple(hour * 60 + half for hour in range(9, 17) for half in (0, 30))
_FIRST, _LAST = -168, 13
_EAST, _WEST = "Europe/Helsinki", "America/Toronto"

_SERIES: tuple[tuple[str, str, int, str, int, int, tuple[str, ...]], ...] = (
    # who, title, first day (of a week that counts), time, minutes, every so many weeks, with whom
    (OWNER, "{@owner} and {@planner}", -162, "13:30", 30, 2, ("planner",)),
    (OWNER, "{@owner} and {@logistics}", -160, "13:30", 30, 2, ("logistics",)),
    (OWNER, "{@owner} and {@facility}", -155, "14:15", 30, 4, ("facility",)),
    (OWNER, "{@owner} and {@it}", -153, "14:15", 30, 4, ("it",)),
    (OWNER, "{@owner} and {@junior}", -54, "11:30", 30, 1, ("junior",)),
    ("am1", "{office.regular}: how is it going?", -148, "11:00", 30, 4, ("regular", "support")),
    ("freight", "{office.freight}: next month's loads", -145, "15:15", 30, 4, ("logistics",)),
    ("controller", "Cost centre, month by month", -140, "10:15", 45, 4, ()),
)

_SINGLE = """\
am1 | buyer | First call with {office.client} | 30 | | Who decides, what hurts.
am2 | prospect | {office.prospect}: questions about fitting | 45 | | They bring their electrician.
support | regular, support1 | {office.regular}: alarm at night | 30 | | Why it rang and why nobody heard it.
am1 | buyer_it | Gateways and firewalls | 45 | | {@firmware} may be rung if it gets deep.
sdr | am2 | Sample boxes: what goes in | 30 | room |
marketing | product | Words for the fair | 45 | room | Bring nouns.
product | firmware, qa | What operations wants from the next unit | 60 | room | A longer list than you think.
qa | firmware | Returns of the month | 30 | room | Open boxes, no blame.
cto | dev, firmware | Readings of our own freezers | 30 | |
planner | logistics | Loads before the holidays | 45 | room |
planner | accounts | Orders that nobody invoiced | 30 | room | Slips in hand, please.
logistics | facility | Where do the pallets sleep? | 30 | Hall | Walk, don't sit.
logistics | freight | New driver, new dock | 30 | Hall |
facility | it | Cables in the annex | 30 | | Torch.
facility | landlord | Roof, gutters, patience | 45 | |
landlord | facility | Yearly look at the smoke doors | 60 | |
it | support | Phones: who rings when | 30 | room |
it | controller | What the licences cost | 45 | room | With the list, not with the guess.
hr | recruiter | Posts for next year | 45 | room |
hr | support, product | Talk about talks | 60 | Green room | How we speak about each other's work.
recruiter | logistics | What a packer does all day | 30 | room | For the advert.
agency | recruiter | {office.agency}: how the search went | 30 | |
cfo | controller | Half-year sums, dry run | 60 | room |
cfo | coo | What if freight goes up again | 45 | room |
controller | accounts | Unpaid and unloved | 30 | room | Oldest first.
accounts | controller | Order numbers, why they matter | 30 | room | There will be biscuits.
coo | cfo, cto | On time: the one number | 45 | Large room | One sentence each.
coo | sales_vp | What may sales promise? | 60 | |
ceo | coo, sales_vp | Which customers do we want more of? | 60 | | No slides.
ceo | marketing | Guests from abroad, tour of the hall | 90 | Hall | Coats are by the door.
sales_vp | am1, am2 | Large orders ahead | 45 | |
sales_vp | controller | Leasing, first sums | 45 | |
vendor | planner | {office.vendor}: new screen, same buttons | 30 | | They show, we ask.
owner | planner, logistics | Shelf by shelf | 60 | Hall | Gloves.
owner | qa | Batch hold: when do we let go? | 30 | |
owner | support | What customers ask twice | 30 | room |
owner | product | Wish list, operations | 30 | |
owner | facility | Kettle, chairs, light | 30 | Kitchen |
owner | controller | Budget, second look | 45 | room | The sheet is in the finance folder.
owner | am1, logistics | After the big delivery | 30 | room | What went well comes first.
owner | it | Printer that sings | 15 | | Bring ears.
owner | marketing | Photographs we may use | 30 | |
owner | coo | Before the board | 45 | |
owner | | Read what has piled up | 60 | |
owner | | Eye test | 45 | |
owner | | Take the van to be looked at | 60 | |
owner | junior | How orders travel | 60 | Small room |
owner | junior, planner | Forecast for beginners | 45 | Corner room |
qa | junior | A day in the cold, part one | 60 | Chamber | Wear everything you have.
support | am2, support1 | Handing over at noon, their morning | 30 | |
marketing | am1 | Case study: whom do we ask? | 30 | room |
dev | qa | Scans in our own log, a first look | 30 | |
"""


def diary(stage: Stage) -> None:
    """Series and single meetings of the half year. Nobody is in two places, and no room has two of them."""
    taken = _taken(stage)
    owner = stage.ledger.company.person(OWNER)
    closed = int(stage.ledger.facts["weekly.closed"].at(0))
    taken.setdefault(closed, []).append((0, DAY))
    for who, title, first, time, minutes, weeks, people in _SERIES:
        hours, rest = time.split(":")
        days = range(first, 61, 7 * weeks)
        series = stage.add(
            Meeting,
            stage.moment(f"d{first - 6}", who),
            who,
            title=title,
            starts=first * DAY + int(hours) * 60 + int(rest),
            minutes=minutes,
            people=tuple((key, "accepted") for key in people),
            recurrence=f"FREQ=WEEKLY;INTERVAL={weeks}" if weeks > 1 else "FREQ=WEEKLY",
            skipped=tuple(day for day in days if not owner.works(day) or day == closed),
        )
        for day in days:
            taken.setdefault(day, []).append((series.starts % DAY, series.starts % DAY + minutes))
    lines = [tuple(part.strip() for part in line.split("|")) for line in _SINGLE.splitlines()]
    stage.rng("order").shuffle(lines)
    for place, (who, others, title, length, room, text) in enumerate(lines):
        rng = stage.rng("meeting", title)
        people = tuple(each.strip() for each in others.split(",") if each.strip())
        wanted = _FIRST + place * (_LAST - _FIRST) // len(lines) + rng.randrange(-2, 3)
        minutes = int(length)
        if (found := _slot(stage, (OWNER, who, *people), wanted, minutes, taken)) is None:
            continue
        day, start = found[0], rng.choice(found[1])
        taken.setdefault(day, []).append((start, start + minutes))
        asked = max(_asked(stage, who, day - rng.randrange(3, 13)), -177)
        at = stage.moment(f"d{asked}", who)
        starts = day * DAY + start
        stage.add(
            Meeting,
            at,
            who,
            title=title,
            starts=starts,
            minutes=minutes,
            place=rng.choice(_ROOMS) if room == "room" else room,
            people=tuple((key, _said(rng.random(), starts, _seen(stage, key, at, starts))) for key in people),
            text=text,
            response=_said(rng.random(), starts, _seen(stage, OWNER, at, starts)),
        )


def _seen(stage: Stage, key: str, at: int, starts: int) -> bool:
    """Whether somebody has worked between the invitation and the meeting, as far as that is past."""
    person = stage.ledger.company.person(key)
    return any(person.works(day) for day in range(day_of(at), min(day_of(starts), day_of(NOW)) + 1))


def _said(draw: float, starts: int, seen: bool) -> str:
    """What somebody answers: most come, and about what lies ahead some have not said yet."""
    if not seen or (starts > NOW and draw < 0.3):
        return "needs action"
    return "declined" if draw > 0.93 else "tentative" if draw > 0.86 else "accepted"


def _taken(stage: Stage) -> dict[int, list[tuple[int, int]]]:
    """When the owner has something on already, by day: what stories have set."""
    found: dict[int, list[tuple[int, int]]] = {}
    for each in stage.ledger.of(Meeting):
        start, weeks = each.starts % DAY, each.recurrence.partition("INTERVAL=")[2] or "1"
        first = each.starts // DAY
        days = range(first, 61, 7 * int(weeks)) if each.recurrence else range(first, first + 1 + each.minutes // DAY)
        for day in days:
            found.setdefault(day, []).append((0, DAY) if each.all_day else (start, start + each.minutes))
    return found


def _slot(
    stage: Stage, who: tuple[str, ...], wanted: int, minutes: int, taken: dict[int, list[tuple[int, int]]]
) -> tuple[int, list[int]] | None:
    """A day near that one on which all of them are there, and times at which they can; None where there is none."""
    people = [stage.ledger.company.person(key) for key in who]
    zones = {person.zone for person in people}
    first, last = 13 * 60 + 30 if _WEST in zones else 0, 15 * 60 + 30 if _EAST in zones else 17 * 60 + 30
    for day in sorted(range(wanted - 12, min(wanted + 16, _LAST + 1)), key=lambda each: (abs(each - wanted), each)):
        if weekday(day) > 4 or not all(p.works(day) and (p.joined is None or p.joined + 14 < day) for p in people):
            continue
        times = [
            at
            for at in _TIMES
            if first <= at <= last - minutes
            and all(at >= end or at + minutes <= start for start, end in taken.get(day, []))
        ]
        if times:
            return day, times
    return None


def _asked(stage: Stage, who: str, day: int) -> int:
    """That day, or the last one before it on which they work."""
    while weekday(day) > 4 or not stage.ledger.company.person(who).works(day):
        day -= 1
    return day
