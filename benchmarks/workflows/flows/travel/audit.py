"""An audit by customers, with a rehearsal before it."""

from __future__ import annotations

from datetime import date
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
        layout, "Norrish Hospitals", "Sybil Harcourt", "sybil.harcourt@norrishhospitals.example", "Framework contract",
        "am1",
    )  # fmt: skip
    papers = script(layout, "audit")
    team = {row["name"]: row for row in papers.rows("team")}
    for gone in ("Una Brisket", "Gilbert Nowak", "Thea Quarles"):
        del team[gone]
    team["Lionel Ashby"] = {"company": "Norrish Hospitals", "minutes": "310"}
    guests = [
        Guest(name=name, company=row["company"], before=int(int(row["minutes"]) > 150), needs=name == "Owen Abery")
        for name, row in team.items()
    ]

    def houses(first: str) -> list[House]:
        night = date.fromisoformat(later(first, -1))
        rate = "GBP weekend" if night.weekday() in (4, 5) else "GBP Sunday to Thursday"
        levy = Decimal("2.50") if night.isoformat() >= "2026-04-13" else Decimal("2.00")
        return [
            House(
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
        change = mails(plan, papers, "from:niamh after:2026/01/12 audits", ("change",), rules, "changes")
        chat = plan.read("chat", "find_messages", query="in:#operations audits", detail="detailed", after=rules)
        thread = plan.read("chat", "get_thread", message_id=papers.chats["idea"][0], after=chat)
        lead = mails(plan, papers, "harcourt after:2026/03/01", ("lead1", "lead2"), lists, "lead")
        other = mails(plan, papers, "subject:audit after:2026/03/01", ("other",), lists, "others")
        gone = mails(
            plan, papers, "priorygate OR crookinn OR thewharf OR lambyard", ("wharf",), lists, "gone"
        )  # fmt: skip
        projects = plan.read("todoist", "find_projects", after=rules)
        return (
            rules, lists, *lead, *change, thread, *other, *gone, projects,
            *records(plan, rules, "Harcourt", "framework contract"),
        )  # fmt: skip

    return Trip(
        folder="/workspace/visits/audit_2026", lists=("guests.csv", "guests"),
        heads=("name", "company", "arrives", "nights", "hotel", "EUR"), guests=lambda first: guests,
        order=lambda guest: guest.name.rpartition(" ")[2], houses=houses,
        meetings=lambda seats: (
            Meeting(title="Audit", offset=0, minutes=300, seats=seats + 2),
            Meeting(title="Audit, rehearsal", offset=-1, minutes=90, seats=8, start="15:00"),
        ),
        rooms=rooms(papers, "chairs"), book=book(papers, "book"),
        subjects=("Booking for an audit", "Rooms for the audit"), bound=750, payers=("accounts", "cfo"),
        task="Water bowl: {}", helper="junior", fetched=lambda guest: guest.needs, contact=contact,
        address="s.harcourt@norrish.example", deal=deal, beds_only=False, announced="Audit", read=read,
    )  # fmt: skip
