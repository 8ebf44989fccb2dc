"""A course for customers, who come for two days."""

from __future__ import annotations

from decimal import Decimal

from benchmarks.workflows.flows.travel.trip import (
    Guest,
    House,
    Meeting,
    Trip,
    book,
    crm,
    later,
    mails,
    records,
    rooms,
    script,
)
from benchmarks.workflows.layout import Layout
from benchmarks.workflows.plan import Plan, cents

__all__ = ("lay",)


def lay(layout: Layout) -> Trip:
    contact, deal = crm(
        layout, "Vennfield Vaccines", "Ada Whitlock", "ada.whitlock@vennfielddepots.example", "Course places, spring",
        "am2",
    )  # fmt: skip
    papers = script(layout, "course")
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
        Guest(name=name, company=company, before=int(km[company] > 150), after=int(km[company] >= 30), needs=needs)
        for name, company, needs in come
    ]
    rooms_left = {"Weir House": 1}

    def houses(first: str) -> list[House]:
        # All arrive in the two nights before and on the first day, between which no rate changes.
        lines = {row["hotel"]: row for row in papers.rows("hotels") if row["from"] <= later(first, -1)}
        return [
            House(
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
        signed = mails(
            plan, papers, "subject:course after:2026/02/01", ("g1", "g2", "g3", "g4", "g5", "g6", "g8", "g10"), rules,
            "sign-ups",
        )  # fmt: skip
        change = mails(plan, papers, "from:vikram after:2026/01/20 course", ("rate",), rules, "changes")
        gone = mails(plan, papers, "weirhouse OR oldropery OR stationrooms", ("painted",), lists, "gone")
        chat = plan.read("chat", "find_messages", query='in:#operations "blue room"', detail="detailed", after=rules)
        chairs = plan.read("chat", "get_thread", message_id=papers.chats["chairs"][0], after=chat)
        taken = plan.read("calendar", "find_events", query="room", before="2026-04-30", after=rules)
        projects = plan.read("todoist", "find_projects", after=rules)
        return (
            rules, lists, taken, *signed, *change, *gone, chairs, projects,
            *records(plan, rules, "Whitlock", "course places"),
        )  # fmt: skip

    return Trip(
        folder="/workspace/courses/spring", lists=("guests.csv", "guests"),
        heads=("name", "company", "arrives", "nights", "hotel", "EUR"), guests=lambda first: guests,
        order=lambda guest: guest.name, houses=houses,
        meetings=lambda seats: (
            Meeting(title="Course, day one", offset=0, minutes=360, seats=seats + 1),
            Meeting(title="Course, day two", offset=1, minutes=240, seats=seats + 1, start="09:00"),
        ),
        rooms=rooms(papers, "seats"),
        book=(*book(papers, "book"), ("2026-04-15", "10:00", "11:00", "Blue room")),
        subjects=("Rooms for our course", "Costs of the course"), bound=1200, payers=("accounts", "controller"),
        task="Ramp: {}", helper="facility", fetched=lambda guest: guest.needs, contact=contact,
        address="ada.whitlock@vennfieldvaccines.example", deal=deal, beds_only=False, announced="Course, day one",
        read=read,
    )  # fmt: skip
