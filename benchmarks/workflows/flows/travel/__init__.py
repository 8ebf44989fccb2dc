"""Travel and rooms: who comes, who gets which bed at what price, and which of the house's own rooms is free."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, Final

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.flows.travel import audit, branch, course
from benchmarks.workflows.flows.travel.trip import Guest, House, Meeting, Trip, later
from benchmarks.workflows.layout import TODAY, Layout, first, person
from benchmarks.workflows.plan import Plan, amount, cents, day, pairs, says, spoken
from harness.task import Expected

__all__ = ("FLOW",)

_OPERATIONS: Final = "P4"
_COMING: Final = ("people", "guests", "participants", "beds")
"""What people call those who come, in the note that also has a sum."""
_WORDS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def _plan(trip: Trip, values: Values) -> Plan:
    first = values["day"]
    guests = sorted(trip.guests(first), key=trip.order)
    houses = [house for house in trip.houses(first) if house.price <= values["limit"]]
    placed = _placed(guests, houses, trip.order)
    cost = {guest.name: _bill(guest, placed[guest.name]) if guest.name in placed else Decimal(0) for guest in guests}
    total = sum(cost.values(), Decimal(0))
    plan = Plan()
    read = trip.read(plan)

    lines: list[tuple[Any, ...]] = [trip.heads]
    for guest in guests:
        bed = placed[guest.name].name if guest.name in placed else "none"
        lines.append((guest.name, guest.company, later(first, -guest.before), guest.nights, bed, cost[guest.name]))
    people = plan.save_sheet(f"{trip.folder}/{trip.lists[0]}", lines, after=read)
    used = [house for house in houses if house in placed.values()]
    sums: list[tuple[Any, ...]] = [(trip.heads[4], trip.lists[1], "nights", "EUR")]
    for house in used:
        theirs = [guest for guest in guests if placed.get(guest.name) is house]
        sums.append(
            (house.name, len(theirs), sum(each.nights for each in theirs), sum(cost[each.name] for each in theirs))
        )
    sums.append(("total", *(sum(row[column] for row in sums[1:]) for column in (1, 2, 3))))
    costs = plan.save_sheet(f"{trip.folder}/costs.csv", sums, after=people)
    for house in used:
        theirs = [guest for guest in guests if placed.get(guest.name) is house]
        due = sum(cost[guest.name] for guest in theirs)
        told_them = "\n".join(f"{each.name}, from {spoken(later(first, -each.before))}" for each in theirs)
        come = pairs(*((each.name, day(later(first, -each.before))) for each in theirs))
        plan.mail(
            house.mailbox, f"Hello,\n\nplease keep rooms for\n\n{told_them}\n\nWe expect {due} EUR.\n\nGareth Rahimi",
            subject=trip.subjects[0], expects=says(*come, amount(due)), after=people, loop="houses",
        )  # fmt: skip
    payer = trip.payers[total > trip.bound]
    plan.mail(
        payer, f"Hello {person(payer).first},\n\nall rooms come to {total} EUR.\n\nGareth",
        subject=trip.subjects[1], expects=says(amount(total)), after=costs,
    )  # fmt: skip
    seats = len(guests)
    where: dict[str, str] = {}
    booked = costs
    for meeting in trip.meetings(seats):
        at, start = later(first, meeting.offset), meeting.start or values["time"]
        where[meeting.title] = _room(trip, at, start, meeting)
        booked = plan.book(
            meeting.title, start=f"{at} {start}", minutes=meeting.minutes, people=(values["host"],),
            location=where[meeting.title], after=(people, *read[1:3]), loop="events",
        )  # fmt: skip
    fetched = [guest for guest in guests if trip.fetched(guest)]
    plan.tasks(
        [
            {
                "title": trip.task.format(guest.name), "project": _OPERATIONS, "due": values["due"],
                "assignee": trip.helper,
            }
            for guest in fetched
        ],
        after=people,
    )  # fmt: skip
    plan.change(
        "crm", "save_contact", "customers", trip.contact, {"customer_email": trip.address}, contact_id=trip.contact,
        email=trip.address, after=read,
    )  # fmt: skip
    count = sum(1 for guest in guests if guest.nights or not trip.beds_only)
    left = Expected(
        op="insert", app="crm", table="notes",
        values={
            "record_id": trip.deal,
            "text": says(*pairs((_COMING, (*amount(count), _WORDS[count])), (("EUR",), amount(total)), named=False)),
            "day": TODAY,
            "author": person("owner").address,
        },
    )  # fmt: skip
    plan.write(
        "crm", "add_note", left, record_id=trip.deal, text=f"{count} people, rooms for {total} EUR.", after=costs
    )
    plan.say(
        "operations", "C002", f"{spoken(first)}: we are in the {where[trip.announced]}.",
        expects=says(day(first), where[trip.announced]), after=booked,
    )  # fmt: skip
    return plan


def _placed(guests: Sequence[Guest], houses: Sequence[House], order: Callable[[Guest], Any]) -> dict[str, House]:
    """Who sleeps where: who shares or needs something goes first, each to the first house that will do."""
    singles = {house.name: house.rooms for house in houses}
    doubles = {house.name: house.doubles for house in houses}
    placed: dict[str, House] = {}
    for guest in sorted(guests, key=lambda each: (not (each.needs or each.shares), order(each))):
        if not guest.nights or guest.name in placed:
            continue
        rooms = doubles if guest.shares else singles
        house = next((each for each in houses if rooms[each.name] and (each.suits or not guest.needs)), None)
        if house is None:
            raise Unfit(f"no bed for {guest.name}")
        rooms[house.name] -= 1
        placed[guest.name] = house
        if guest.shares:
            placed[guest.shares] = house
    return placed


def _bill(guest: Guest, house: House) -> Decimal:
    return cents(house.double * guest.nights / 2) if guest.shares else house.price * guest.nights


def _room(trip: Trip, at: str, start: str, meeting: Meeting) -> str:
    end = _clock(start, meeting.minutes)
    for room, seats in trip.rooms:
        taken = any(each[0] == at and each[3] == room and each[1] < end and start < each[2] for each in trip.book)
        if seats >= meeting.seats and not taken:
            return room
    raise Unfit(f"no room for {meeting.title}")


def _clock(start: str, minutes: int) -> str:
    hours, left = divmod(int(start[:2]) * 60 + int(start[3:]) + minutes, 60)
    return f"{hours:02d}:{left:02d}"


def _lay(layout: Layout, number: int) -> Trip:
    return (course.lay, audit.lay, branch.lay)[number](layout)


def _euros(value: int) -> str:
    return f"{value} EUR"


FLOW: Final = Flow(
    name="travel-and-rooms",
    domain="operations",
    apps=("calendar", "chat", "crm", "filesystem", "gmail", "simple_note", "todoist"),
    slots={
        "limit": SlotSpec(
            kind="threshold", dimension="constraint", subdimension="numeric_bound", options=(95, 110, 130),
            text=_euros, why="The rules leave the limit to whoever pays.",
        ),
        "day": SlotSpec(
            kind="date", role="first day", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-04-14", "2026-04-21", "2026-04-28"), why="Nothing says which of the weeks it is.",
        ),
        "host": SlotSpec(
            kind="person", role="host", dimension="goal", subdimension="target", text=first,
            options=("support", "marketing", "hr"), why="Any of them could do it.",
        ),
        "due": SlotSpec(
            kind="due_date", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-27", "2026-03-31", "2026-04-02", "2026-04-09"), why="Nothing says when.",
        ),
        "time": SlotSpec(
            kind="time", dimension="context", subdimension="conventions", options=("09:30", "10:30", "13:00"),
            guessability=1.0, complete_without=True, why="The rules say when it usually begins.",
        ),
    },
    cases=(
        Case(
            wording=(
                "We're holding the spring course on {day} at {time} and on the day after, and {host} is giving it. "
                "Would you arrange it from end to end, as described in courses/how_a_course_is_arranged.md? The "
                "participants are in my mailbox, along with some news about hotels and prices. No room may cost "
                "more than {limit} a night. I need the two lists, the mails to the hotels, the one about the "
                "costs, our own rooms and both events, the CRM, the announcement in #operations, and the tasks for "
                "Vikram, which are due on {due}."
            ),
            values={"limit": 110, "day": "2026-04-14", "host": "support", "due": "2026-04-02", "time": "09:30"},
        ),
        Case(
            wording=(
                "Norrish are coming to audit us, and we have settled on {day} at {time}. {host} is our host. "
                "Please do everything that Emeka wrote down in visits/audits.md for such a day, and note that "
                "Niamh has had second thoughts and Mrs Harcourt quite a few. A night may cost us {limit} at most, "
                "tourist tax included. Everything the document asks for, in files, in mails, in my calendar, in "
                "the CRM, in Todoist and in #operations, should be there when you are done; Joan's part is due on "
                "{due}."
            ),
            values={"limit": 130, "day": "2026-04-21", "host": "marketing", "due": "2026-03-31", "time": "10:30"},
        ),
        Case(
            wording=(
                "Could you set up our three days in Hallbridge? They begin on {day} with the opening at {time}, "
                "and {host} is leading them. It all follows Quentin's document, "
                "branch/travel/days_in_hallbridge.md, with what he and others have written since, and I'd like "
                "everything in it done: both lists, the inns, the costs, the two events, the CRM, the pick-ups, "
                "the line in #operations. The limit for a single room is {limit} a night, tax included. Ivo should "
                "have his tasks done by {due}. Who is going can be worked out from all that."
            ),
            values={"limit": 110, "day": "2026-04-28", "host": "hr", "due": "2026-04-09", "time": "13:00"},
        ),
    ),
    lay=_lay,
    plan=_plan,
)  # fmt: skip
