"""Three days of our own people at the branch."""

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
        layout, "Hallbridge Beds", "Bett Marlow", "bett.marlow@hallbridgebeds.example", "Beds, frame agreement", "sdr"
    )
    papers = script(layout, "branch")
    offices = {row["name"]: (row["office"], row["lives in Hallbridge"]) for row in papers.rows("list")}
    offices |= {"Imogen Bianchi": ("Helsinki", ""), "Joan Garside": ("main", "")}
    for gone in ("Ravi Iqbal", "Wilhelm Dlamini"):
        del offices[gone]
    pair = {"Farah Lacey": "Imogen Bianchi", "Imogen Bianchi": "Farah Lacey"}
    pound = Decimal("1.15") * Decimal("1.2")

    def guests(first: str) -> list[Guest]:
        away = {
            row["name"] for row in papers.rows("leave")
            if row["state"] == "granted" and row["first day"] <= later(first, 2) and first <= row["last day"]
        }  # fmt: skip
        return [
            Guest(
                name=name, company=office, before=int(office == "Toronto"), after=0 if home else 2,
                shares=pair.get(name, ""),
            )
            for name, (office, home) in offices.items()
            if name not in away
        ]  # fmt: skip

    def houses(first: str) -> list[House]:
        lines: dict[str, dict[str, dict[str, str]]] = {}
        for row in papers.rows("inns"):
            if row["from"] <= later(first, -1):
                lines.setdefault(row["inn"], {})[row["kind"]] = row
        return [
            House(
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
        change = mails(plan, papers, "from:quentin after:2026/01/28", ("pound",), rules, "changes")
        about = mails(
            plan, papers, "subject:hallbridge after:2026/03/01", ("instead", "share1", "share2", "share3", "wish"),
            lists, "people",
        )  # fmt: skip
        chat = plan.read("chat", "find_messages", query="in:#operations along", detail="detailed", after=rules)
        more = plan.read("chat", "get_thread", message_id=papers.chats["who"][2], after=chat)
        gone = mails(plan, papers, "thekiln OR hopandhare OR canalview", ("hare",), lists, "gone")
        moved = mails(plan, papers, "hallbridgebeds", ("landlady",), rules, "landlady")
        projects = plan.read("todoist", "find_projects", after=rules)
        return (
            rules, lists, *about, *change, more, *gone, *moved, projects,
            *records(plan, rules, "Marlow", "beds frame"),
        )  # fmt: skip

    return Trip(
        folder="/workspace/branch/travel/q2", lists=("people.csv", "people"),
        heads=("name", "office", "arrives", "nights", "inn", "EUR"), guests=guests, order=lambda guest: guest.name,
        houses=houses,
        meetings=lambda seats: (
            Meeting(title="Hallbridge, opening", offset=0, minutes=120, seats=seats + 1),
            Meeting(title="Hallbridge, close", offset=2, minutes=60, seats=seats + 1, start="11:00"),
        ),
        rooms=rooms(papers, "seats"), book=book(papers, "diary"),
        subjects=("Kestrelby in Hallbridge", "Beds in Hallbridge"), bound=2000, payers=("controller", "cfo"),
        task="Pick up {}", helper="planner", fetched=lambda guest: guest.company == "Toronto", contact=contact,
        address="bett@kilnandcanal.example", deal=deal, beds_only=True, announced="Hallbridge, opening", read=read,
    )  # fmt: skip
