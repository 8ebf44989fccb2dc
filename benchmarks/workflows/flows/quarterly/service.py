"""The quarter of service: repairs of three workshops, devices, scores, outages."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from benchmarks.workflows.flows.quarterly.books import (
    OPERATIONS,
    Books,
    figures,
    in_time,
    minutes,
    rounded,
    script,
    share,
    sold,
)  # fmt: skip
from benchmarks.workflows.flows.quarterly.tarn import Repair, lay_tarn_street
from benchmarks.workflows.layout import Layout
from benchmarks.workflows.plan import Plan
from benchmarks.workflows.script import Told

__all__ = ("lay_service",)

_FIRST, _LAST = "2025-12-15", "2026-03-14"
_TARN = "/workspace/support/quarter/tarn"
_MONTHS = ("2025_11", "2025_12", "2026_01", "2026_02", "2026_03")


def _of_two_workshops(papers: Told) -> list[Repair]:
    """Jobs of the sheets that stand one for a workshop; one that stands on both is put together."""
    jobs: dict[str, dict[str, Any]] = {}
    for sheet, coin, worth in (("home", "EUR", Decimal(1)), ("hallbridge", "GBP", Decimal("1.156"))):
        for row in papers.rows(sheet):
            job = jobs.setdefault(row["job"], {**row, "hours": Decimal(0), "parts": Decimal(0), "outs": []})
            job["in"] = min(job["in"], row["in"])
            job["outs"].append(row["out"])
            job["hours"] += Decimal(row["hours"])
            job["parts"] += Decimal(row[f"parts {coin}"]) * worth
    found = []
    for job in jobs.values():
        if all(job["outs"]) and "Kestrelby" not in job["customer"]:
            out = max(job["outs"])
            days = (date.fromisoformat(out) - date.fromisoformat(job["in"])).days
            free = job["warranty"] == "yes" or job["job"] == "R-331"
            found.append(Repair(job["job"], job["customer"], job["in"], out, days, job["hours"], job["parts"], free))
    return found


def _lay_handovers(layout: Layout) -> str:
    fairlie = layout.customer("Fairlie Creamery", industry="Dairy", owner="am1")
    layout.about(fairlie, "Gave the devices T-2033 to T-2038 to Fennimore Foods on 2 February, with our blessing.",
                 author="am1", day="2026-02-03")  # fmt: skip
    layout.about("C3", "T-2060 to T-2064 went to Grantley Seafood on 12 January, the vans were sold with them.",
                 author="am2", day="2026-01-14")  # fmt: skip
    layout.about("C1", "They think of passing T-2013 to T-2019 on to a sister company some day.", author="am1",
                 day="2026-02-20")  # fmt: skip
    return fairlie


def lay_service(layout: Layout) -> Books:
    orrin = layout.customer("Orrin Dairy", industry="Dairy", domain="orrindairy.example", owner="am1")
    venn = layout.customer("Vennfield Vaccines", industry="Pharma", domain="vennfieldvaccines.example", owner="am2")
    papers = script(layout, "service", {"Orrin": orrin, "Vennfield": venn})
    ticked = layout.task("Service report", project=OPERATIONS, due="2026-03-19", assignee="owner")
    layout.event("Insurer on the line", start="2026-03-27 14:30", minutes=60, people=("hr",), location="Small room")
    layout.event("Forecast, dry run", start="2026-03-31 09:30", minutes=90, people=("am1",), location="Small room")
    fairlie = _lay_handovers(layout)
    jobs = [*_of_two_workshops(papers), *lay_tarn_street(layout)]
    done = [job for job in jobs if _FIRST <= job.left <= _LAST and "Kestrelby" not in job.customer]
    split: list[tuple[Any, ...]] = [("customer", "repairs", "hours", "days")]
    for name in sorted({job.customer for job in done}):
        theirs = [job for job in done if job.customer == name]
        split.append((name, len(theirs), sum(job.hours for job in theirs), sum(job.days for job in theirs)))
    devices = 1236 + 24 - 7 + 12 - 5
    years = sum(
        sum for title, sum, _, _ in sold(papers, _FIRST, _LAST)
        if title.startswith("Service year") and title != "Service year Vennfield depots"
    )  # fmt: skip
    down = (("09:40", "10:25"), ("07:55", "08:47"), ("16:33", "17:30"), ("07:05", "07:15"), ("11:50", "12:00"))
    now = (
        Decimal(len(done)), rounded(Decimal(sum(job.days for job in done)) / len(done), 1),
        share(sum(job.free for job in done), len(done)),
        rounded(sum((job.parts for job in done if not job.free), Decimal(0)), 2), rounded(Decimal(years), 2),
        rounded(Decimal(8 + 7 + 8 + 9 + 6) / 5, 1), Decimal(sum(minutes(*each) for each in down)), Decimal(devices),
        rounded(Decimal(100 * len(done)) / devices, 2), in_time(papers, "visits", _FIRST, _LAST, {}, "courtesy"),
    )  # fmt: skip
    gone = next(deal.id for deal in papers.deals["won"] if deal.title == "Service year Vennfield depots")
    visits, mails = papers.projects["visits"], papers.mails

    def read(plan: Plan) -> tuple[int, ...]:
        look = plan.read("filesystem", "directory_tree", path="/workspace/support")
        paper = plan.open(papers.files["rules"], after=look)
        names = ("home", "hallbridge", "rates")
        books = plan.read("filesystem", "read_multiple_files", paths=papers.paths(*names), after=paper)
        lists = plan.read(
            "filesystem", "read_multiple_files", paths=papers.paths("field", "last", "keepers"), after=paper
        )
        tarn = plan.read(
            "filesystem", "read_multiple_files",
            paths=[*(f"{_TARN}/tarn_{month}.csv" for month in _MONTHS), f"{_TARN}/devices.csv"], after=paper,
        )  # fmt: skip
        owners = plan.read("crm", "find_records", kind="note", query="T-20", after=tarn)
        handed = [
            plan.read("crm", "get_record", record_id=each, after=owners, loop="handed") for each in (fairlie, "C3")
        ]
        shut = plan.read(
            "calendar",
            "find_events",
            query="Tarn Street",
            given={"after": "2025-12-15"},
            before="2026-03-14",
            after=paper,
        )
        kept = plan.read("gmail", "find_emails", query='from:olga "Tarn Street"', after=(tarn, lists))
        mended = [plan.conversation(mails[each], after=kept, loop="mended") for each in ("o183", "o211", "o274")]
        said = plan.read("chat", "find_messages", query='in:#incidents "Tarn Street"', detail="detailed", after=kept)
        rule = plan.read("gmail", "find_emails", query="from:tobias after:2025/12/15", after=paper)
        short = plan.conversation(mails["short"], after=rule)
        word = plan.read("gmail", "find_emails", query="from:kieran warranty", after=books)
        free = [
            plan.conversation(mails[each], after=word, loop="free")
            for each in ("warranty", "seal", "seal again", "two jobs")
        ]
        field = plan.read("gmail", "find_emails", query='subject:"field change"', detail="detailed", after=lists)
        moves = [plan.conversation(mails[each], after=field, loop="moves") for each in ("f2", "f3", "f4")]
        asked = plan.read(
            "gmail", "find_emails", query="subject:score after:2025/12/15", detail="detailed", after=paper
        )
        scores = [plan.conversation(mails[each], after=asked, loop="scores") for each in ("s3", "s5", "s6")]
        chat = plan.read("chat", "find_messages", query="in:#incidents down", detail="detailed", after=(paper, short))
        ups = plan.read("chat", "find_messages", query="in:#incidents up", detail="detailed", after=chat)
        thread = plan.read("chat", "get_thread", message_id=papers.chats["status"][9], after=ups)
        projects = plan.read("todoist", "find_projects", after=paper)
        ticks = plan.read("todoist", "find_tasks", project_id=visits, completed_after="2025-12-01", after=projects)
        left = plan.read("todoist", "find_tasks", project_id=visits, after=projects)
        return (
            paper, books, lists, tarn, *handed, shut, *mended, said, short, *free, *moves, *scores, thread, ticks, left,
        )  # fmt: skip

    def mend(plan: Plan, paper: int) -> int:
        deals = plan.read("crm", "find_records", kind="deal", query="service year", after=paper)
        found = plan.read("gmail", "find_emails", query='"service year" after:2026/02/15', after=deals)
        word = plan.conversation(mails["back"], after=found)
        return plan.change(
            "crm", "move_deal", "deals", gone, {"stage": "Lost", "closed": "2026-03-04", "reason": "Withdrawn"},
            deal_id=gone, stage="Lost", reason="Withdrawn", day="2026-03-04", after=word,
        )  # fmt: skip

    return Books(
        report="/workspace/support/quarter/2026_q1.csv", heads=("figure", "before", "now", "change"),
        figures=figures(papers.rows("last"), "now", now, ("warranty share", "mean score", "visits in time")),
        split="/workspace/support/quarter/2026_q1_customers.csv", rows=tuple(split), reader="coo",
        subject="Service in Q1", told=("mean days in house", "warranty share", "mean score"), keeper="firmware",
        stale=papers.files["field"], behind=papers.rows("field")[-1]["day"], channel=("incidents", "C003"),
        title="Service review", minutes=60,
        rooms=("Small room", "Blue room"),
        taken=frozenset({("2026-03-27", "14:00"), ("2026-03-27", "15:00"), ("2026-03-31", "10:30")}),
        ticked=ticked, explain="Find out why: {}", read=read, mend=mend, lines=len(done),
    )  # fmt: skip
