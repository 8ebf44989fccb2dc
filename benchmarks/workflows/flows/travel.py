"""Travel and rooms: who comes, who gets which bed at what price, and which of the house's own rooms is free."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.layout import TODAY, Layout, first, person
from benchmarks.workflows.plan import Plan, amount, cents, day, pairs, says, spoken
from benchmarks.workflows.script import Told, told
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


@dataclass(frozen=True, kw_only=True)
class _Guest:
    """Somebody who comes: nights before the first day and from it on; without a bed both are 0."""

    name: str
    company: str
    before: int = 0
    after: int = 0
    needs: bool = False
    shares: str = ""

    @property
    def nights(self) -> int:
        return self.before + self.after


@dataclass(frozen=True, kw_only=True)
class _House:
    """A house as it holds on a day: the price of one night in EUR, of a single and of a double."""

    name: str
    mailbox: str
    price: Decimal
    rooms: int
    suits: bool = True
    double: Decimal = Decimal(0)
    doubles: int = 0


@dataclass(frozen=True, kw_only=True)
class _Meeting:
    """An event of the trip: days after the first, when, how long, and how many seats it takes."""

    title: str
    offset: int
    minutes: int
    seats: int
    start: str = ""


@dataclass(frozen=True, kw_only=True)
class _Trip:
    """What holds once all is read; what hangs on the day or the limit is a function of it."""

    folder: str
    lists: tuple[str, str]
    heads: tuple[str, ...]
    guests: Callable[[str], Sequence[_Guest]]
    order: Callable[[_Guest], Any]
    houses: Callable[[str], Sequence[_House]]
    meetings: Callable[[int], Sequence[_Meeting]]
    rooms: tuple[tuple[str, int], ...]
    book: tuple[tuple[str, str, str, str], ...]
    subjects: tuple[str, str]
    bound: int
    payers: tuple[str, str]
    task: str
    helper: str
    fetched: Callable[[_Guest], bool]
    contact: str
    address: str
    deal: str
    beds_only: bool
    announced: str
    read: Callable[[Plan], tuple[int, ...]]


def _plan(trip: _Trip, values: Values) -> Plan:
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
        lines.append((guest.name, guest.company, _later(first, -guest.before), guest.nights, bed, cost[guest.name]))
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
        told_them = "\n".join(f"{each.name}, from {spoken(_later(first, -each.before))}" for each in theirs)
        come = pairs(*((each.name, day(_later(first, -each.before))) for each in theirs))
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
        at, start = _later(first, meeting.offset), meeting.start or values["time"]
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


def _placed(guests: Sequence[_Guest], houses: Sequence[_House], order: Callable[[_Guest], Any]) -> dict[str, _House]:
    """Who sleeps where: who shares or needs something goes first, each to the first house that will do."""
    singles = {house.name: house.rooms for house in houses}
    doubles = {house.name: house.doubles for house in houses}
    placed: dict[str, _House] = {}
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


def _bill(guest: _Guest, house: _House) -> Decimal:
    return cents(house.double * guest.nights / 2) if guest.shares else house.price * guest.nights


def _room(trip: _Trip, at: str, start: str, meeting: _Meeting) -> str:
    end = _clock(start, meeting.minutes)
    for room, seats in trip.rooms:
        taken = any(each[0] == at and each[3] == room and each[1] < end and start < each[2] for each in trip.book)
        if seats >= meeting.seats and not taken:
            return room
    raise Unfit(f"no room for {meeting.title}")


def _clock(start: str, minutes: int) -> str:
    hours, left = divmod(int(start[:2]) * 60 + int(start[3:]) + minutes, 60)
    return f"{hours:02d}:{left:02d}"


def _later(first: str, days: int) -> str:
    return (date.fromisoformat(first) + timedelta(days)).isoformat()


def _rooms(papers: Told, seats: str) -> tuple[tuple[str, int], ...]:
    return tuple((row["room"], int(row[seats])) for row in papers.rows("rooms"))


def _book(papers: Told, name: str) -> tuple[tuple[str, str, str, str], ...]:
    return tuple(
        (row["day"], row["from"], row["to"], row["room"])
        for row in papers.rows(name)
        if row.get("state") != "cancelled"
    )


def _script(layout: Layout, name: str) -> Told:
    return told(layout, Path(__file__).with_name(f"travel_{name}.txt"))


def _crm(layout: Layout, company: str, who: str, email: str, deal: str, owner: str) -> tuple[str, str]:
    """A company with a contact and a deal: ids of the two."""
    its = layout.customer(company, owner=owner)
    contact = layout.contact(who, email=email, owner=owner, company_id=its)
    return contact, layout.deal(
        deal, owner=owner, amount=4800, stage="Proposal", close_date="2026-05-29", company_id=its
    )


def _records(plan: Plan, after: int, who: str, deal: str) -> tuple[int, int]:
    """The contact and the deal looked up."""
    found = plan.read("crm", "find_records", kind="contact", query=who, after=after)
    return found, plan.read("crm", "find_records", kind="deal", query=deal, after=after)


def _mails(plan: Plan, papers: Told, query: str, names: Sequence[str], after: int, loop: str) -> list[int]:
    found = plan.read("gmail", "find_emails", query=query, detail="detailed", after=after)
    return [plan.conversation(papers.mails[name], after=found, loop=loop) for name in names]


# -- a course for customers


def _lay_course(layout: Layout) -> _Trip:
    contact, deal = _crm(
        layout, "Vennfield Vaccines", "Ada Whitlock", "ada.whitlock@vennfielddepots.example", "Course places, spring",
        "am2",
    )  # fmt: skip
    papers = _script(layout, "course")
    layout.event("Talk with the insurer", start="2026-04-15 10:00", minutes=60, people=("hr",), location="Blue room")
    km = {
        row["company"]: Decimal(row["distance"]) * (Decimal("1.609") if row["unit"] == "mile" else 1)
        for row in papers.rows("distances")
    }
    come = (
        ("Oisin Kaur", "Calder Pharma", False), ("Maud Pensby", "Tarnholm Laboratories", False),
        ("Gwen Ashdown", "Tarnholm Laboratories", True), ("Enid Marlow", "Grantley Seafood", False),
        ("Basil Ferris", "Ferris Flowers", False), ("Farah Tremaine", "Jessop Logistics", False),
        ("Ned Calloway", "Orrin Dairy", False), ("Lorna Petrie", "Orrin Dairy", True),
        ("Ada Whitlock", "Vennfield Vaccines", False),
    )  # fmt: skip
    guests = [
        _Guest(name=name, company=company, before=int(km[company] > 150), after=int(km[company] >= 30), needs=needs)
        for name, company, needs in come
    ]
    rooms_left = {"Weir House": 1}

    def houses(first: str) -> list[_House]:
        # All arrive in the two nights before and on the first day, between which no rate changes.
        lines = {row["hotel"]: row for row in papers.rows("hotels") if row["from"] <= _later(first, -1)}
        return [
            _House(
                name=name, mailbox=row["mailbox"], suits=row["lift"] == "yes",
                price=cents((Decimal(row["GBP a night"]) + Decimal(row["breakfast GBP"])) * Decimal("1.15")),
                rooms=rooms_left.get(name, int(row["rooms"])),
            )
            for name, row in lines.items()
        ]  # fmt: skip

    def read(plan: Plan) -> tuple[int, ...]:
        look = plan.read("filesystem", "directory_tree", path="/workspace/courses")
        rules = plan.open(papers.files["rules"], after=look)
        names = ("hotels", "distances", "rooms", "book")
        lists = plan.read("filesystem", "read_multiple_files", paths=papers.paths(*names), after=rules)
        signed = _mails(
            plan, papers, "subject:course after:2026/02/01", ("g1", "g2", "g3", "g4", "g5", "g6", "g8", "g10"), rules,
            "sign-ups",
        )  # fmt: skip
        change = _mails(plan, papers, "from:vikram after:2026/01/20 course", ("rate",), rules, "changes")
        gone = _mails(plan, papers, "weirhouse OR oldropery OR stationrooms", ("painted",), lists, "gone")
        chat = plan.read("chat", "find_messages", query='in:#operations "blue room"', detail="detailed", after=rules)
        chairs = plan.read("chat", "get_thread", message_id=papers.chats["chairs"][0], after=chat)
        taken = plan.read("calendar", "find_events", query="room", before="2026-04-30", after=rules)
        projects = plan.read("todoist", "find_projects", after=rules)
        return (
            rules, lists, taken, *signed, *change, *gone, chairs, projects,
            *_records(plan, rules, "Whitlock", "course places"),
        )  # fmt: skip

    return _Trip(
        folder="/workspace/courses/spring", lists=("guests.csv", "guests"),
        heads=("name", "company", "arrives", "nights", "hotel", "EUR"), guests=lambda first: guests,
        order=lambda guest: guest.name, houses=houses,
        meetings=lambda seats: (
            _Meeting(title="Course, day one", offset=0, minutes=360, seats=seats + 1),
            _Meeting(title="Course, day two", offset=1, minutes=240, seats=seats + 1, start="09:00"),
        ),
        rooms=_rooms(papers, "seats"),
        book=(*_book(papers, "book"), ("2026-04-15", "10:00", "11:00", "Blue room")),
        subjects=("Rooms for our course", "Costs of the course"), bound=1200, payers=("accounts", "controller"),
        task="Ramp: {}", helper="facility", fetched=lambda guest: guest.needs, contact=contact,
        address="ada.whitlock@vennfieldvaccines.example", deal=deal, beds_only=False, announced="Course, day one",
        read=read,
    )  # fmt: skip


# -- an audit by customers


def _lay_audit(layout: Layout) -> _Trip:
    contact, deal = _crm(
        layout, "Norrish Hospitals", "Sybil Harcourt", "sybil.harcourt@norrishhospitals.example", "Framework contract",
        "am1",
    )  # fmt: skip
    papers = _script(layout, "audit")
    team = {row["name"]: row for row in papers.rows("team")}
    for gone in ("Una Brisket", "Gilbert Nowak", "Thea Quarles"):
        del team[gone]
    team["Lionel Ashby"] = {"company": "Norrish Hospitals", "minutes": "310"}
    guests = [
        _Guest(name=name, company=row["company"], before=int(int(row["minutes"]) > 150), needs=name == "Owen Abery")
        for name, row in team.items()
    ]

    def houses(first: str) -> list[_House]:
        night = date.fromisoformat(_later(first, -1))
        rate = "GBP weekend" if night.weekday() in (4, 5) else "GBP Sunday to Thursday"
        levy = Decimal("2.50") if night.isoformat() >= "2026-04-13" else Decimal("2.00")
        return [
            _House(
                name=row["hotel"], mailbox=row["mailbox"], price=cents((Decimal(row[rate]) + levy) * Decimal("1.16")),
                rooms=1 if row["hotel"] == "The Wharf" else int(row["rooms"]), suits=row["dogs"] == "yes",
            )
            for row in papers.rows("lodging")
        ]  # fmt: skip

    def read(plan: Plan) -> tuple[int, ...]:
        look = plan.read("filesystem", "directory_tree", path="/workspace/visits")
        rules = plan.open(papers.files["rules"], after=look)
        names = ("team", "lodging", "rate", "rooms", "book")
        lists = plan.read("filesystem", "read_multiple_files", paths=papers.paths(*names), after=rules)
        change = _mails(plan, papers, "from:niamh after:2026/01/12 audits", ("change",), rules, "changes")
        chat = plan.read("chat", "find_messages", query="in:#operations audits", detail="detailed", after=rules)
        thread = plan.read("chat", "get_thread", message_id=papers.chats["idea"][0], after=chat)
        lead = _mails(plan, papers, "harcourt after:2026/03/01", ("lead1", "lead2"), lists, "lead")
        other = _mails(plan, papers, "subject:audit after:2026/03/01", ("other",), lists, "others")
        gone = _mails(
            plan, papers, "priorygate OR crookinn OR thewharf OR lambyard", ("wharf",), lists, "gone"
        )  # fmt: skip
        projects = plan.read("todoist", "find_projects", after=rules)
        return (
            rules, lists, *lead, *change, thread, *other, *gone, projects,
            *_records(plan, rules, "Harcourt", "framework contract"),
        )  # fmt: skip

    return _Trip(
        folder="/workspace/visits/audit_2026", lists=("guests.csv", "guests"),
        heads=("name", "company", "arrives", "nights", "hotel", "EUR"), guests=lambda first: guests,
        order=lambda guest: guest.name.rpartition(" ")[2], houses=houses,
        meetings=lambda seats: (
            _Meeting(title="Audit", offset=0, minutes=300, seats=seats + 2),
            _Meeting(title="Audit, rehearsal", offset=-1, minutes=90, seats=8, start="15:00"),
        ),
        rooms=_rooms(papers, "chairs"), book=_book(papers, "book"),
        subjects=("Booking for an audit", "Rooms for the audit"), bound=750, payers=("accounts", "cfo"),
        task="Water bowl: {}", helper="junior", fetched=lambda guest: guest.needs, contact=contact,
        address="s.harcourt@norrish.example", deal=deal, beds_only=False, announced="Audit", read=read,
    )  # fmt: skip


# -- our own people at the branch


def _lay_branch(layout: Layout) -> _Trip:
    contact, deal = _crm(
        layout, "Hallbridge Beds", "Bett Marlow", "bett.marlow@hallbridgebeds.example", "Beds, frame agreement", "sdr"
    )
    papers = _script(layout, "branch")
    offices = {row["name"]: (row["office"], row["lives in Hallbridge"]) for row in papers.rows("list")}
    offices |= {"Imogen Bianchi": ("Helsinki", ""), "Joan Garside": ("main", "")}
    for gone in ("Ravi Iqbal", "Wilhelm Dlamini"):
        del offices[gone]
    pair = {"Farah Lacey": "Imogen Bianchi", "Imogen Bianchi": "Farah Lacey"}
    pound = Decimal("1.15") * Decimal("1.2")

    def guests(first: str) -> list[_Guest]:
        away = {
            row["name"] for row in papers.rows("leave")
            if row["state"] == "granted" and row["first day"] <= _later(first, 2) and first <= row["last day"]
        }  # fmt: skip
        return [
            _Guest(
                name=name, company=office, before=int(office == "Toronto"), after=0 if home else 2,
                shares=pair.get(name, ""),
            )
            for name, (office, home) in offices.items()
            if name not in away
        ]  # fmt: skip

    def houses(first: str) -> list[_House]:
        lines: dict[str, dict[str, dict[str, str]]] = {}
        for row in papers.rows("inns"):
            if row["from"] <= _later(first, -1):
                lines.setdefault(row["inn"], {})[row["kind"]] = row
        return [
            _House(
                name=name, mailbox=kinds["single"]["mailbox"],
                price=cents(Decimal(kinds["single"]["GBP without tax"]) * pound),
                rooms=int(kinds["single"]["rooms"]) - (name == "Hop & Hare"),
                double=cents(Decimal(kinds["double"]["GBP without tax"]) * pound),
                doubles=int(kinds["double"]["rooms"]),
            )
            for name, kinds in lines.items()
        ]  # fmt: skip

    def read(plan: Plan) -> tuple[int, ...]:
        look = plan.read("filesystem", "directory_tree", path="/workspace/branch")
        rules = plan.open(papers.files["rules"], after=look)
        names = ("list", "leave", "inns", "rooms", "diary")
        lists = plan.read("filesystem", "read_multiple_files", paths=papers.paths(*names), after=rules)
        change = _mails(plan, papers, "from:quentin after:2026/01/28", ("pound",), rules, "changes")
        about = _mails(
            plan, papers, "subject:hallbridge after:2026/03/01", ("instead", "share1", "share2", "share3", "wish"),
            lists, "people",
        )  # fmt: skip
        chat = plan.read("chat", "find_messages", query="in:#operations along", detail="detailed", after=rules)
        more = plan.read("chat", "get_thread", message_id=papers.chats["who"][2], after=chat)
        gone = _mails(plan, papers, "thekiln OR hopandhare OR canalview", ("hare",), lists, "gone")
        moved = _mails(plan, papers, "hallbridgebeds", ("landlady",), rules, "landlady")
        projects = plan.read("todoist", "find_projects", after=rules)
        return (
            rules, lists, *about, *change, more, *gone, *moved, projects,
            *_records(plan, rules, "Marlow", "beds frame"),
        )  # fmt: skip

    return _Trip(
        folder="/workspace/branch/travel/q2", lists=("people.csv", "people"),
        heads=("name", "office", "arrives", "nights", "inn", "EUR"), guests=guests, order=lambda guest: guest.name,
        houses=houses,
        meetings=lambda seats: (
            _Meeting(title="Hallbridge, opening", offset=0, minutes=120, seats=seats + 1),
            _Meeting(title="Hallbridge, close", offset=2, minutes=60, seats=seats + 1, start="11:00"),
        ),
        rooms=_rooms(papers, "seats"), book=_book(papers, "diary"),
        subjects=("Kestrelby in Hallbridge", "Beds in Hallbridge"), bound=2000, payers=("controller", "cfo"),
        task="Pick up {}", helper="planner", fetched=lambda guest: guest.company == "Toronto", contact=contact,
        address="bett@kilnandcanal.example", deal=deal, beds_only=True, announced="Hallbridge, opening", read=read,
    )  # fmt: skip


def _lay(layout: Layout, number: int) -> _Trip:
    return (_lay_course, _lay_audit, _lay_branch)[number](layout)


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
