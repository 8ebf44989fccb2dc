"""The quarter of the hall: what was sent from two docks and by courier, how late, and what was said about it."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any, Final

from benchmarks.workflows.flows.quarterly.books import (
    CLOSED,
    OPERATIONS,
    Books,
    figures,
    in_time,
    minutes,
    noted,
    rounded,
    script,
    share,
    sold,
    working_day_after,
)  # fmt: skip
from benchmarks.workflows.flows.quarterly.north import (
    CALLED,
    SHUT,
    SIZES,
    Sent,
    called,
    lay_courier_book,
    lay_north_dock,
    pieces,
)  # fmt: skip
from benchmarks.workflows.layout import Layout
from benchmarks.workflows.plan import Plan, amount
from benchmarks.workflows.script import Told

__all__ = ("lay_hall",)

_FIRST, _LAST = "2025-12-01", "2026-02-28"
_MONTHS: Final = ("2025_11", "2025_12", "2026_01", "2026_02", "2026_03")
_DESPATCH: Final = "/workspace/reports/hall/despatch"
_CHANGED: Final[dict[str, dict[str, Any]]] = {
    "N-431": {"sent": "2025-12-08"}, "N-480": {"quantity": 11}, "N-549": {"unit": "case", "quantity": 10},
    "N-546": {"sent": "2026-03-03"}, "N-508": {"kind": "order"}, "C-81": {"quantity": 13},
    "K-2085": {"promised": "2026-01-13"}, "N-471": {"promised": "2026-01-12"}, "N-537": {"promised": "2026-02-19"},
}  # fmt: skip
"""What mails and messages put right, by whoever may."""
_COMPLAINED: Final = {"K-2097", "K-2101", "N-509", "N-513", "N-536"}


def _sent(papers: Told, more: list[Sent]) -> list[Sent]:
    """Lines of the quarter: orders and what came back, each number once and as it is put right."""
    main = [
        Sent(
            row["order"].replace("K2", "K-2"), row["customer"], row["product"], int(row["quantity"]), row["unit"],
            row["promised"], row["sent"], "branch" if "branch" in row["customer"] else row["kind"],
        )
        for month in _MONTHS for row in papers.rows(month)
    ]  # fmt: skip
    lines: dict[str, Sent] = {}
    for line in (*main, *more):
        number = line.number if "-" in line.number else line.number.replace("N", "N-")
        lines[number] = line._replace(number=number, **_CHANGED.get(number, {}))
    return [line for line in lines.values() if _FIRST <= line.sent <= _LAST and line.kind in ("order", "back")]


def _is_late(line: Sent) -> bool:
    """Whether it was sent after the working day that follows the promised one."""
    closed = CLOSED | {day for day, _ in SHUT}
    return bool(line.promised) and line.sent > working_day_after(line.promised, closed)


def _lay_lists(layout: Layout, venn: str) -> None:
    layout.sheet(f"{_DESPATCH}/cases.csv", (("product", "unit", "pieces", "from"), *SIZES), at="2026-02-27 13:00")
    layout.sheet(f"{_DESPATCH}/names.csv", (("as written", "customer", "from"), *CALLED), at="2026-02-09 08:10")
    for day, title in SHUT:
        layout.event(title, start=f"{day} 07:00", minutes=600, people=("logistics",), location="Hall")
    layout.event("Office shut: carpets", start="2026-01-28 12:00", minutes=300, people=("facility",))
    layout.about("C1", "Agreed with Niamh: loggers for Calder in cases of 16, as from 5 January.", author="am1",
                 day="2025-12-19")  # fmt: skip
    layout.about(venn, "Their shelves are narrow. Agreed: cases of probes have 30 for them from 9 February on. Loggers "
                 "as in the list.", author="am2", day="2026-02-03")  # fmt: skip
    layout.about("C3", "Farah would like cases of 12. I said we would think about it; nothing agreed.", author="am1",
                 day="2026-01-13")  # fmt: skip


def lay_hall(layout: Layout) -> Books:
    """What lies there for the first case."""
    orrin = layout.customer("Orrin Dairy", industry="Dairy", domain="orrindairy.example", owner="am1")
    venn = layout.customer("Vennfield Vaccines", industry="Pharma", domain="vennfieldvaccines.example", owner="am2")
    papers = script(layout, "hall", {"Orrin": orrin, "Vennfield": venn})
    lines = _sent(papers, [*lay_north_dock(layout), *lay_courier_book(layout)])
    _lay_lists(layout, venn)
    layout.folder("/workspace/reports/hall/q1_2026", at="2026-03-02 09:00")
    ticked = layout.task("Report on the quarter", project=OPERATIONS, due="2026-03-20", assignee="owner")
    layout.event("Interviews", start="2026-03-25 10:00", minutes=120, people=("recruiter",), location="Large room")
    layout.event("Works talk", start="2026-03-31 13:30", minutes=90, people=("hr",), location="Large room")

    sent = [line for line in lines if line.kind == "order"]
    late = [line for line in sent if _is_late(line)]
    whole: Counter[str] = Counter()
    for line in lines:
        whole[called(line.name, line.sent)] += pieces(line) * (-1 if line.kind == "back" else 1)
    split: list[tuple[Any, ...]] = [("customer", "orders", "pieces", "late")]
    for name in sorted({called(line.name, line.sent) for line in sent}):
        theirs = [[each for each in some if called(each.name, each.sent) == name] for some in (sent, late)]
        split.append((name, len(theirs[0]), whole[name], len(theirs[1])))
    total = whole.total()
    logged = {row["order"] for row in papers.rows("log") if row["day"] >= _FIRST} - {"N-471"}
    complaints = len(logged | _COMPLAINED)
    orders_won = {
        (title.replace("Diary", "Dairy"), closed): sum * (Decimal("0.624") if currency == "CAD" else 1)
        for title, sum, currency, closed in sold(papers, _FIRST, _LAST)
    }
    stopped = sum(
        minutes(*clocks)
        for clocks in (
            ("10:12", "10:47"), ("13:30", "15:05"), ("08:50", "09:15"), ("14:05", "15:45"), ("14:20", "15:00"),
        )
    )  # fmt: skip
    now = (
        Decimal(total), Decimal(len(sent)), Decimal(len(late)), share(len(sent) - len(late), len(sent)),
        rounded(sum(orders_won.values(), Decimal(0)) - 18420 + 18240, 2), Decimal(complaints),
        rounded(Decimal(complaints * 1000) / total, 2), Decimal(stopped),
        in_time(papers, "safety", _FIRST, _LAST, {}),
    )  # fmt: skip
    wrong = next(deal.id for deal in papers.deals["won"] if deal.amount == "18420")
    safety, mails = papers.projects["safety"], papers.mails

    def read(plan: Plan) -> tuple[int, ...]:
        look = plan.read("filesystem", "directory_tree", path="/workspace/reports")
        paper = plan.open(papers.files["rules"], after=look)
        main = plan.read("filesystem", "read_multiple_files", paths=papers.paths(*_MONTHS), after=paper)
        north = plan.read(
            "filesystem", "read_multiple_files", paths=[f"{_DESPATCH}/north_{month}.csv" for month in _MONTHS],
            after=paper,
        )  # fmt: skip
        couriers = plan.open("/workspace/office/front_desk/courier_book.csv", after=paper)
        lists = plan.read(
            "filesystem", "read_multiple_files",
            paths=[f"{_DESPATCH}/cases.csv", f"{_DESPATCH}/names.csv", *papers.paths("log", "rates", "last")],
            after=paper,
        )  # fmt: skip
        agreed = [
            plan.read("crm", "get_record", record_id=company, after=lists, loop="sizes") for company in ("C1", venn)
        ]
        people = plan.read(
            "filesystem", "read_multiple_files", paths=papers.paths("handovers", "cover"), after=(paper, lists)
        )
        shut = plan.read(
            "calendar", "find_events", query="shut", after=paper, given={"after": "2025-12-01"}, before="2026-03-01"
        )
        found = plan.read("gmail", "find_emails", query="from:niamh after:2025/12/04", after=paper)
        grace = plan.conversation(mails["grace"], after=found)
        about = plan.read("gmail", "find_emails", query="subject:complaint after:2026/02/05", after=lists)
        letters = [
            plan.conversation(mails[each], after=about, loop="complaints")
            for each in ("c2097", "c2097b", "c2101", "wet", "n509", "n513", "n536")
        ]
        days = plan.read(
            "gmail", "find_emails", query="K-2085 OR K-2091 OR N-471 OR N-537 OR N-521", after=(main, grace)
        )
        wishes = [
            plan.conversation(mails[each], after=days, loop="days")
            for each in ("moved", "too late", "later471", "back471", "later537", "late521")
        ]
        dock = plan.read("gmail", "find_emails", query="from:tamsin after:2025/12/01", after=north)
        words = [plan.conversation(mails[each], after=dock, loop="words") for each in ("t480", "t549", "bay")]
        said = plan.read("chat", "find_messages", query="in:#operations N-", detail="detailed", after=north)
        desk = plan.read("chat", "find_messages", query="in:#general slip", detail="detailed", after=couriers)
        chat = plan.read("chat", "find_messages", query="in:#operations line", detail="detailed", after=paper)
        thread = plan.read("chat", "get_thread", message_id=papers.chats["line"][8], after=chat)
        projects = plan.read("todoist", "find_projects", after=paper)
        done = plan.read("todoist", "find_tasks", project_id=safety, completed_after="2025-11-01", after=projects)
        left = plan.read("todoist", "find_tasks", project_id=safety, after=projects)
        return (
            paper, main, north, *agreed, people, shut, grace, *letters, *wishes, *words, said, desk, thread, done, left,
        )  # fmt: skip

    def mend(plan: Plan, paper: int) -> int:
        deals = plan.read("crm", "find_records", kind="deal", stage="Won", after=paper)
        found = plan.read("gmail", "find_emails", query="CRM after:2026/02/15", after=deals)
        word = plan.conversation(mails["signed"], after=found)
        put = plan.change(
            "crm", "save_deal", "deals", wrong, {"amount": 18240.0}, deal_id=wrong, amount=18240, after=word
        )
        text = "The CRM had 18420; signed at 18240, Devika writes."
        return noted(plan, wrong, text, (amount(18420), amount(18240)), put)

    return Books(
        report="/workspace/reports/hall/q1_2026/report.csv", heads=("figure", "value", "last quarter", "change"),
        figures=figures(papers.rows("last"), "value", now, ("on-time share", "actions in time")),
        split="/workspace/reports/hall/q1_2026/customers.csv", rows=tuple(split), reader="support",
        subject="Q1 2026 in three figures", told=("pieces sent", "on-time share", "orders won EUR"), keeper="sdr",
        stale=papers.files["log"], behind=papers.rows("log")[-1]["day"], channel=("operations", "C002"),
        title="Review of Q1", minutes=45,
        rooms=("Large room", "Blue room"), taken=frozenset({("2026-03-25", "10:30"), ("2026-03-31", "14:00")}),
        ticked=ticked, explain="Explain: {}", read=read, mend=mend, lines=len(lines),
    )  # fmt: skip
