"""The quarter of sales: papers of house and branch, deals, enquiries, visits."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from benchmarks.workflows.flows.quarterly.books import (
    OPERATIONS,
    Books,
    figures,
    in_time,
    rounded,
    script,
    share,
    sold,
)  # fmt: skip
from benchmarks.workflows.flows.quarterly.branch import ACCOUNTS, LEDGER, Paper, lay_branch
from benchmarks.workflows.layout import Layout
from benchmarks.workflows.plan import Plan
from benchmarks.workflows.script import Told

__all__ = ("lay_sales",)

_MONTHS = ("2025_11", "2025_12", "2026_01", "2026_02", "2026_03")
_SHEETS = ("nov", "dec", "jan", "feb", "mar")
_FIRST, _LAST = "2025-11-24", "2026-02-22"


def _papers(papers: Told, branch: list[Paper]) -> list[tuple[str, str, str, Decimal]]:
    """Invoices and credit notes of the quarter: kind, month, currency, net sum."""
    house = [
        ({"invoice": "inv", "credit": "cr"}.get(row["kind"], "pf"), row["day"], row["currency"], Decimal(row["amount"]))
        for row in {row["number"]: row for sheet in _SHEETS for row in papers.rows(sheet)}.values()
        if "Kestrelby" not in row["customer"]
    ]
    theirs = [(paper.kind, paper.day, paper.currency, paper.net) for paper in branch]
    return [
        (kind, day[:7], currency, net)
        for kind, day, currency, net in (*house, *theirs) if _FIRST <= day <= _LAST and kind != "pf"
    ]  # fmt: skip


def _lay_trials(layout: Layout) -> None:
    for name, text, author, day in (
        ("Sedgewick Labs", "Loggers on trial until 31 January.", "sdr", "2025-12-05"),
        ("Marram Oysters", "On trial, last day is 19 December.", "am2", "2025-11-20"),
        ("Larkspur Dairies", "They asked for a trial in January. I said we do none for old customers.", "am1",
         "2026-01-08"),
    ):  # fmt: skip
        company = layout.customer(name, owner="am1")
        layout.about(company, text, author=author, day=day)
        if name == "Sedgewick Labs":
            layout.about(company, "They like them. Trial ends earlier, last day 16 January, and they pay from then on.",
                         author="sdr", day="2026-01-12")  # fmt: skip


def lay_sales(layout: Layout) -> Books:
    named = (("Orrin", "Orrin Dairy"), ("Harbour", "Harbour Foods Canada"), ("Tarnholm", "Tarnholm Laboratories"))
    ids = {key: layout.customer(name, owner="am1") for key, name in (*named, ("Oxley", "Oxley Bakes"))}
    papers = script(layout, "sales", ids)
    layout.folder("/workspace/finance/board/q1", at="2026-02-24 09:00")
    ticked = layout.task("Figures for the board", project=OPERATIONS, due="2026-03-19", assignee="owner")
    layout.event("Board lunch", start="2026-03-25 13:00", minutes=120, people=("ceo",), location="Large room")
    layout.event("First-aid course", start="2026-03-27 09:00", minutes=180, people=("hr",), location="Large room")
    rates = {(row["month"], row["currency"]): Decimal(row["EUR for one"]) for row in papers.rows("rates")}
    rates["2026-01", "NOK"] = Decimal("0.0853")
    _lay_trials(layout)

    def euros(amount: Decimal, currency: str, day: str) -> Decimal:
        return rounded(amount * (Decimal(1) if currency == "EUR" else rates[day[:7], currency]), 2)

    counted: list[tuple[tuple[str, str], Decimal]] = []
    credits: list[Decimal] = []
    for kind, month, currency, net in _papers(papers, lay_branch(layout)):
        worth = euros(net, currency, month)
        if kind == "inv":
            counted.append(((month, currency), worth))
        elif worth >= 400:
            credits.append(worth)
            counted.append(((month, currency), -worth))
    split: list[tuple[Any, ...]] = [("month", "currency", "papers", "EUR")]
    for month, currency in sorted({place for place, _ in counted}):
        theirs = [worth for place, worth in counted if place == (month, currency)]
        split.append((month, currency, len(theirs), sum(theirs)))
    shed = next(deal for deal in papers.deals["won"] if deal.title == "Harbour Foods, cold shed")
    won = [*sold(papers, _FIRST, _LAST), (shed.title, Decimal(shed.amount), shed.currency, "2026-02-18")]
    lost = sold(papers, _FIRST, _LAST, "Lost")
    seen = {(row["day"], row["customer"]) for row in papers.rows("visits") if row["how"] == "visit"}
    visits = len([each for each in seen if _FIRST <= each[0] <= _LAST]) + 3
    moved = {"Ring Orrin about the spare probes": "2026-02-05"}
    now = (
        sum((worth for _, worth in counted), Decimal(0)), sum(credits, Decimal(0)), Decimal(len(won)),
        share(len(won), len(won) + len(lost)), sum((euros(*each[1:]) for each in won), Decimal(0)),
        Decimal(5), Decimal(visits), in_time(papers, "follow", _FIRST, _LAST, moved),
    )  # fmt: skip
    follow, mails = papers.projects["follow"], papers.mails

    def read(plan: Plan) -> tuple[int, ...]:
        look = plan.read("filesystem", "directory_tree", path="/workspace/finance/board")
        paper = plan.open(papers.files["rules"], after=look)
        books = plan.read("filesystem", "read_multiple_files", paths=papers.paths(*_SHEETS), after=paper)
        names = ("rates", "visits", "keepers", "last")
        lists = plan.read("filesystem", "read_multiple_files", paths=papers.paths(*names), after=paper)
        branch = plan.read(
            "filesystem", "read_multiple_files",
            paths=[*(f"{LEDGER}/ledger_{month}.csv" for month in _MONTHS), ACCOUNTS], after=paper,
        )  # fmt: skip
        trials = plan.read("crm", "find_records", kind="note", query="trial", detail="detailed", after=branch)
        asked_of = plan.read("gmail", "find_emails", query="from:rufus after:2025/11/24", after=(branch, lists))
        mended = [
            plan.conversation(mails[each], after=asked_of, loop="mended")
            for each in ("r3085", "r3111", "r3120", "rnok")
        ]
        said = plan.read("chat", "find_messages", query="in:#general B-", detail="detailed", after=branch)
        rule = plan.read("gmail", "find_emails", query="from:quentin after:2025/12/01", after=paper)
        small = plan.conversation(mails["small"], after=(rule, books))
        asked = plan.read(
            "gmail", "find_emails", query="subject:enquiry after:2025/11/24 before:2026/02/22", detail="detailed",
            after=paper,
        )  # fmt: skip
        letters = [plan.conversation(mails[each], after=asked, loop="letters") for each in ("e1", "e3", "e6", "e8")]
        chat = plan.read("chat", "find_messages", query="in:#sales visit", detail="detailed", after=lists)
        thread = plan.read("chat", "get_thread", message_id=papers.chats["visits"][5], after=chat)
        projects = plan.read("todoist", "find_projects", after=paper)
        ticks = plan.read("todoist", "find_tasks", project_id=follow, completed_after="2025-11-24", after=projects)
        left = plan.read("todoist", "find_tasks", project_id=follow, after=projects)
        wishes = plan.read("gmail", "find_emails", query="after:2025/11/24 (ring OR vans OR call)", after=ticks)
        days = [plan.conversation(mails[each], after=wishes, loop="days") for each in ("put off", "put off too late")]
        return (paper, books, lists, branch, trials, *mended, said, small, *letters, thread, left, *days)

    def mend(plan: Plan, paper: int) -> int:
        deals = plan.read("crm", "find_records", kind="deal", after=paper)
        found = plan.read("gmail", "find_emails", query="signed after:2026/01/01", after=deals)
        word = plan.conversation(mails["signed"], after=found)
        return plan.change(
            "crm", "move_deal", "deals", shed.id, {"stage": "Won", "closed": "2026-02-18"}, deal_id=shed.id,
            stage="Won", day="2026-02-18", after=word,
        )  # fmt: skip

    return Books(
        report="/workspace/finance/board/q1/board.csv", heads=("figure", "this quarter", "last quarter", "change"),
        figures=figures(papers.rows("last"), "this quarter", now, ("win rate", "follow-ups in time")),
        split="/workspace/finance/board/q1/months.csv", rows=tuple(split), reader="ceo", subject="Q1 for the board",
        told=("invoiced EUR", "win "
        "rate", "visits"), keeper="marketing", stale=papers.files["visits"], behind=papers.rows("visits")[-1]["day"],
        channel=("sales", "C005"), title="Q1 before the board", minutes=90, rooms=("Large room", "Small room"),
        taken=frozenset({("2026-03-25", "14:00"), ("2026-03-27", "10:30")}), ticked=ticked, explain="Comment on {}",
        read=read, mend=mend, lines=len(counted),
    )  # fmt: skip
