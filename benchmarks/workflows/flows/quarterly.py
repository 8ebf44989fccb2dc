"""A quarterly report from sheets, CRM, mails, chat and tasks: a paper says what counts, and one source is stale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, Final

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.layout import TODAY, Layout, first, office, person
from benchmarks.workflows.plan import ANYTHING, Fact, Plan, amount, says, spoken
from benchmarks.workflows.script import Told, told
from harness.task import Expected

__all__ = ("FLOW",)

_OPERATIONS: Final = "P4"
_CLOSED: Final = frozenset({"2025-12-25", "2025-12-26", "2026-01-01", "2026-02-23"})


@dataclass(frozen=True, kw_only=True)
class _Figure:
    """A line of the report. Shares change in points, all others in percent."""

    name: str
    value: Decimal
    last: Decimal
    share: bool = False

    @property
    def change(self) -> Decimal:
        if self.share:
            return _rounded(self.value - self.last, 1)
        return _rounded((self.value - self.last) * 100 / self.last, 1)


@dataclass(frozen=True, kw_only=True)
class _Books:
    """What holds once all is read, and where it is read."""

    report: str
    heads: tuple[str, str, str, str]
    figures: tuple[_Figure, ...]
    split: str
    rows: tuple[tuple[Any, ...], ...]
    reader: str
    subject: str
    told: tuple[str, ...]
    keeper: str
    stale: str
    channel: tuple[str, str]
    title: str
    minutes: int
    rooms: tuple[str, str]
    taken: frozenset[tuple[str, str]]
    ticked: str
    explain: str
    read: Callable[[Plan], tuple[int, ...]]
    mend: Callable[[Plan, int], int]


def _plan(books: _Books, values: Values) -> Plan:
    off = [figure for figure in books.figures if abs(figure.change) > values["margin"]]
    if not off:
        raise Unfit("no figure is beyond the margin")
    plan = Plan()
    read = books.read(plan)
    mended = books.mend(plan, read[0])
    lines: list[tuple[Any, ...]] = [books.heads]
    for figure in books.figures:
        cells = {"figure": figure.name, "this": figure.value, "last": figure.last, "change": figure.change}
        lines.append(tuple(cells[_CELL[head]] for head in books.heads))
    split = plan.save_sheet(books.split, books.rows, after=(*read, mended))
    report = plan.save_sheet(books.report, lines, after=(split, mended))
    by_name = {figure.name: figure for figure in books.figures}
    facts: list[Fact] = [(*amount(by_name[name].value), str(by_name[name].value)) for name in books.told]
    text = "\n".join(f"{name}: {by_name[name].value}" for name in books.told)
    mailed = plan.mail(
        books.reader, f"Hello,\n\nthe quarter in brief:\n\n{text}\n\n{person('owner').name}", subject=books.subject,
        expects=says(*facts), after=report,
    )  # fmt: skip
    stale = books.stale.rpartition("/")[2]
    plan.mail(
        books.keeper, f"Hello,\n\n{stale} is behind. Could you bring it up to date?\n\n{person('owner').name}",
        subject=f"Stale source: {stale}", expects=ANYTHING, after=read,
    )  # fmt: skip
    tasks = plan.tasks(
        [
            {
                "title": books.explain.format(figure.name), "project": _OPERATIONS, "due": values["due"],
                "assignee": values["finder"],
            }
            for figure in off
        ],
        after=report,
    )  # fmt: skip
    free = plan.read("calendar", "find_events", after=read[0], query="room", before="2026-04-03")
    slot = (values["meeting"], values["time"])
    plan.book(
        books.title, start=f"{values['meeting']} {values['time']}", minutes=books.minutes, people=(values["finder"],),
        location=books.rooms[slot in books.taken], after=(free, tasks),
    )  # fmt: skip
    plan.say(
        *books.channel, f"The report is out: {books.report}", expects=says(books.report.rpartition("/")[2]),
        after=mailed,
    )  # fmt: skip
    plan.change(
        "todoist", "complete_tasks", "tasks", books.ticked, {"completed": f"{TODAY}T08:30:00"}, after=mailed,
        task_ids=[books.ticked],
    )  # fmt: skip
    return plan


_CELL: Final = {
    "figure": "figure", "value": "this", "this quarter": "this", "now": "this", "last quarter": "last",
    "before": "last", "change": "change",
}  # fmt: skip


def _rounded(value: Decimal, places: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def _share(part: int, whole: int) -> Decimal:
    return _rounded(Decimal(100 * part) / whole, 1)


def _working_day_after(day: str) -> str:
    then = date.fromisoformat(day) + timedelta(1)
    while then.weekday() > 4 or then.isoformat() in _CLOSED:
        then += timedelta(1)
    return then.isoformat()


def _minutes(start: str, end: str) -> int:
    (h, m), (hh, mm) = (map(int, clock.split(":")) for clock in (start, end))
    return (hh - h) * 60 + mm - m


def _noted(plan: Plan, deal: str, text: str, facts: Sequence[Fact], after: int) -> int:
    left = Expected(
        op="insert", app="crm", table="notes",
        values={"record_id": deal, "text": says(*facts), "day": TODAY, "author": person("owner").address},
    )  # fmt: skip
    return plan.write("crm", "add_note", left, record_id=deal, text=text, after=after)


def _script(layout: Layout, name: str, companies: dict[str, str]) -> Told:
    return told(layout, Path(__file__).with_name(f"quarterly_{name}.txt"), companies=companies)


def _figures(
    last: Sequence[dict[str, str]], head: str, now: Sequence[Decimal], shares: Sequence[str]
) -> tuple[_Figure, ...]:
    return tuple(
        _Figure(name=row["figure"], value=value, last=Decimal(row[head]), share=row["figure"] in shares)
        for row, value in zip(last, now, strict=True)
    )


def _sold(papers: Told, first: str, last: str, stage: str = "Won") -> list[tuple[str, Decimal, str, str]]:
    """Deals that closed between two days, the office's own among them: title, amount, currency, day."""
    ours = [
        (row["title"], Decimal(str(row["amount"])), row["currency"], row["closed"])
        for row in office().rows["crm"]["deals"]
        if row["stage"] == stage
    ]
    laid = [
        (deal.title, Decimal(deal.amount), deal.currency, deal.closed)
        for deal in papers.deals["won"]
        if deal.stage == stage
    ]
    return [each for each in (*ours, *laid) if first <= each[3] <= last]


def _in_time(papers: Told, project: str, first: str, last: str, moved: dict[str, str], skip: str = "") -> Decimal:
    """Tasks due between two days that were done by then, in percent; subtasks and those with a word left out."""
    due = [
        (moved.get(job.title, job.due), job.done)
        for job in papers.jobs[project]
        if not job.sub and not (skip and skip in job.title.casefold())
    ]
    due = [each for each in due if first <= each[0] <= last]
    return _share(sum(bool(done) and done <= day for day, done in due), len(due))


# -- the hall: despatch


def _lay_hall(layout: Layout) -> _Books:
    orrin = layout.customer("Orrin Dairy", industry="Dairy", domain="orrindairy.example", owner="am1")
    venn = layout.customer("Vennfield Vaccines", industry="Pharma", domain="vennfieldvaccines.example", owner="am2")
    papers = _script(layout, "hall", {"Orrin": orrin, "Vennfield": venn})
    layout.folder("/workspace/reports/hall/q1_2026", at="2026-03-02 09:00")
    ticked = layout.task("Report on the quarter", project=_OPERATIONS, due="2026-03-20", assignee="owner")
    layout.event("Interviews", start="2026-03-25 10:00", minutes=120, people=("recruiter",), location="Large room")
    layout.event("Works talk", start="2026-03-31 13:30", minutes=90, people=("hr",), location="Large room")
    first, last = "2025-12-01", "2026-02-28"
    months = ("2025_11", "2025_12", "2026_01", "2026_02", "2026_03")

    orders = {row["order"].replace("-", ""): row for month in months for row in papers.rows(month)}
    sent = [
        row for row in orders.values()
        if first <= row["sent"] <= last and row["kind"] == "order" and "branch" not in row["customer"]
    ]  # fmt: skip
    promised = {"K-2085": "2026-01-13"}
    late = {
        row["order"] for row in sent if row["sent"] > _working_day_after(promised.get(row["order"], row["promised"]))
    }

    def pieces(row: dict[str, str]) -> int:
        size = {"probe": 50, "logger": 20 if row["sent"] >= "2026-02-01" else 24}
        return int(row["quantity"]) * (size[row["product"]] if row["unit"] == "case" else 1)

    split: list[tuple[Any, ...]] = [("customer", "orders", "pieces", "late")]
    for name in sorted({row["customer"] for row in sent}):
        theirs = [row for row in sent if row["customer"] == name]
        split.append((name, len(theirs), sum(map(pieces, theirs)), sum(row["order"] in late for row in theirs)))
    total = sum(map(pieces, sent))
    logged = {row["order"] for row in papers.rows("log") if row["day"] >= first}
    complaints = len(logged | {"K-2097", "K-2101"})
    sold = {
        (title.replace("Diary", "Dairy"), closed): sum * (Decimal("0.624") if currency == "CAD" else 1)
        for title, sum, currency, closed in _sold(papers, first, last)
    }
    stopped = sum(
        _minutes(*clocks)
        for clocks in (
            ("10:12", "10:47"), ("13:30", "15:05"), ("08:50", "09:15"), ("14:05", "15:45"), ("14:20", "15:00"),
        )
    )  # fmt: skip
    now = (
        Decimal(total), Decimal(len(sent)), Decimal(len(late)), _share(len(sent) - len(late), len(sent)),
        _rounded(sum(sold.values(), Decimal(0)) - 18420 + 18240, 2), Decimal(complaints),
        _rounded(Decimal(complaints * 1000) / total, 2), Decimal(stopped), _in_time(papers, "safety", first, last, {}),
    )  # fmt: skip
    wrong = next(deal.id for deal in papers.deals["won"] if deal.amount == "18420")
    safety, mails = papers.projects["safety"], papers.mails

    def read(plan: Plan) -> tuple[int, ...]:
        look = plan.read("filesystem", "directory_tree", path="/workspace/reports")
        paper = plan.open(papers.files["rules"], after=look)
        books = plan.read("filesystem", "read_multiple_files", paths=papers.paths(*months), after=paper)
        names = ("cases", "log", "rates", "last")
        lists = plan.read("filesystem", "read_multiple_files", paths=papers.paths(*names), after=paper)
        people = plan.read(
            "filesystem", "read_multiple_files", paths=papers.paths("handovers", "cover"), after=(paper, lists)
        )
        found = plan.read("gmail", "find_emails", query="from:niamh after:2025/12/04", after=paper)
        grace = plan.conversation(mails["grace"], after=found)
        about = plan.read("gmail", "find_emails", query="subject:complaint after:2026/02/05", after=lists)
        letters = [
            plan.conversation(mails[each], after=about, loop="complaints")
            for each in ("c2097", "c2097b", "c2101", "wet")
        ]
        days = plan.read("gmail", "find_emails", query="K-2085 OR K-2091", after=(books, grace))
        wishes = [plan.conversation(mails[each], after=days, loop="days") for each in ("moved", "too late")]
        chat = plan.read("chat", "find_messages", query="in:#operations line", detail="detailed", after=paper)
        thread = plan.read("chat", "get_thread", message_id=papers.chats["line"][8], after=chat)
        projects = plan.read("todoist", "find_projects", after=paper)
        done = plan.read("todoist", "find_tasks", project_id=safety, completed_after="2025-11-01", after=projects)
        left = plan.read("todoist", "find_tasks", project_id=safety, after=projects)
        return (paper, books, people, grace, *letters, *wishes, thread, done, left)

    def mend(plan: Plan, paper: int) -> int:
        deals = plan.read("crm", "find_records", kind="deal", stage="Won", after=paper)
        found = plan.read("gmail", "find_emails", query="CRM after:2026/02/15", after=deals)
        word = plan.conversation(mails["signed"], after=found)
        put = plan.change(
            "crm", "save_deal", "deals", wrong, {"amount": 18240.0}, deal_id=wrong, amount=18240, after=word
        )
        text = "The CRM had 18420; signed at 18240, Devika writes."
        return _noted(plan, wrong, text, (amount(18420), amount(18240)), put)

    return _Books(
        report="/workspace/reports/hall/q1_2026/report.csv", heads=("figure", "value", "last quarter", "change"),
        figures=_figures(papers.rows("last"), "value", now, ("on-time share", "actions in time")),
        split="/workspace/reports/hall/q1_2026/customers.csv", rows=tuple(split), reader="support",
        subject="Q1 2026 in three figures", told=("pieces sent", "on-time share", "orders won EUR"), keeper="sdr",
        stale=papers.files["log"], channel=("operations", "C002"), title="Review of Q1", minutes=45,
        rooms=("Large room", "Blue room"), taken=frozenset({("2026-03-25", "10:30"), ("2026-03-31", "14:00")}),
        ticked=ticked, explain="Explain: {}", read=read, mend=mend,
    )  # fmt: skip


# -- service: repairs, devices, scores


def _lay_service(layout: Layout) -> _Books:
    orrin = layout.customer("Orrin Dairy", industry="Dairy", domain="orrindairy.example", owner="am1")
    venn = layout.customer("Vennfield Vaccines", industry="Pharma", domain="vennfieldvaccines.example", owner="am2")
    papers = _script(layout, "service", {"Orrin": orrin, "Vennfield": venn})
    ticked = layout.task("Service report", project=_OPERATIONS, due="2026-03-19", assignee="owner")
    layout.event("Insurer on the line", start="2026-03-27 14:30", minutes=60, people=("hr",), location="Small room")
    layout.event("Forecast, dry run", start="2026-03-31 09:30", minutes=90, people=("am1",), location="Small room")
    first, last = "2025-12-15", "2026-03-14"
    rate, misread = Decimal("1.156"), "R-331"

    jobs: dict[str, dict[str, Any]] = {}
    for sheet, coin, worth in (("home", "EUR", Decimal(1)), ("hallbridge", "GBP", rate)):
        for row in papers.rows(sheet):
            job = jobs.setdefault(row["job"], {**row, "hours": Decimal(0), "parts": Decimal(0), "outs": []})
            job["in"] = min(job["in"], row["in"])
            job["outs"].append(row["out"])
            job["hours"] += Decimal(row["hours"])
            job["parts"] += Decimal(row[f"parts {coin}"]) * worth
    done = [
        job for job in jobs.values()
        if all(job["outs"]) and first <= max(job["outs"]) <= last and "Kestrelby" not in job["customer"]
    ]  # fmt: skip
    for job in done:
        job["days"] = (date.fromisoformat(max(job["outs"])) - date.fromisoformat(job["in"])).days
        job["free"] = job["warranty"] == "yes" or job["job"] == misread
    split: list[tuple[Any, ...]] = [("customer", "repairs", "hours", "days")]
    for name in sorted({job["customer"] for job in done}):
        theirs = [job for job in done if job["customer"] == name]
        split.append((name, len(theirs), sum(job["hours"] for job in theirs), sum(job["days"] for job in theirs)))
    devices = 1236 + 24 - 7 + 12 - 5
    sold = sum(
        sum for title, sum, _, _ in _sold(papers, first, last)
        if title.startswith("Service year") and title != "Service year Vennfield depots"
    )  # fmt: skip
    down = (("09:40", "10:25"), ("07:55", "08:47"), ("16:33", "17:30"), ("07:05", "07:15"), ("11:50", "12:00"))
    now = (
        Decimal(len(done)), _rounded(Decimal(sum(job["days"] for job in done)) / len(done), 1),
        _share(sum(job["free"] for job in done), len(done)),
        _rounded(sum((job["parts"] for job in done if not job["free"]), Decimal(0)), 2), _rounded(Decimal(sold), 2),
        _rounded(Decimal(8 + 7 + 8 + 9 + 6) / 5, 1), Decimal(sum(_minutes(*each) for each in down)), Decimal(devices),
        _rounded(Decimal(100 * len(done)) / devices, 2), _in_time(papers, "visits", first, last, {}, "courtesy"),
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
        rule = plan.read("gmail", "find_emails", query="from:tobias after:2025/12/15", after=paper)
        short = plan.conversation(mails["short"], after=rule)
        word = plan.read("gmail", "find_emails", query="from:kieran warranty", after=books)
        free = plan.conversation(mails["warranty"], after=word)
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
        return (paper, books, lists, short, free, *moves, *scores, thread, ticks, left)

    def mend(plan: Plan, paper: int) -> int:
        deals = plan.read("crm", "find_records", kind="deal", query="service year", after=paper)
        found = plan.read("gmail", "find_emails", query='"service year" after:2026/02/15', after=deals)
        word = plan.conversation(mails["back"], after=found)
        return plan.change(
            "crm", "move_deal", "deals", gone, {"stage": "Lost", "closed": "2026-03-04", "reason": "Withdrawn"},
            deal_id=gone, stage="Lost", reason="Withdrawn", day="2026-03-04", after=word,
        )  # fmt: skip

    return _Books(
        report="/workspace/support/quarter/2026_q1.csv", heads=("figure", "before", "now", "change"),
        figures=_figures(papers.rows("last"), "now", now, ("warranty share", "mean score", "visits in time")),
        split="/workspace/support/quarter/2026_q1_customers.csv", rows=tuple(split), reader="coo",
        subject="Service in Q1", told=("mean days in house", "warranty share", "mean score"), keeper="firmware",
        stale=papers.files["field"], channel=("incidents", "C003"), title="Service review", minutes=60,
        rooms=("Small room", "Blue room"),
        taken=frozenset({("2026-03-27", "14:00"), ("2026-03-27", "15:00"), ("2026-03-31", "10:30")}),
        ticked=ticked, explain="Find out why: {}", read=read, mend=mend,
    )  # fmt: skip


# -- sales: invoices, deals, visits


def _lay_sales(layout: Layout) -> _Books:
    named = (("Orrin", "Orrin Dairy"), ("Harbour", "Harbour Foods Canada"), ("Tarnholm", "Tarnholm Laboratories"))
    ids = {key: layout.customer(name, owner="am1") for key, name in (*named, ("Oxley", "Oxley Bakes"))}
    papers = _script(layout, "sales", ids)
    layout.folder("/workspace/finance/board/q1", at="2026-02-24 09:00")
    ticked = layout.task("Figures for the board", project=_OPERATIONS, due="2026-03-19", assignee="owner")
    layout.event("Board lunch", start="2026-03-25 13:00", minutes=120, people=("ceo",), location="Large room")
    layout.event("First-aid course", start="2026-03-27 09:00", minutes=180, people=("hr",), location="Large room")
    first, last = "2025-11-24", "2026-02-22"
    sheets = ("nov", "dec", "jan", "feb", "mar")
    rates = {(row["month"], row["currency"]): Decimal(row["EUR for one"]) for row in papers.rows("rates")}

    def euros(amount: Decimal, currency: str, day: str) -> Decimal:
        return _rounded(amount * (Decimal(1) if currency == "EUR" else rates[day[:7], currency]), 2)

    counted: list[tuple[str, Decimal]] = []
    credits: list[Decimal] = []
    for row in {row["number"]: row for sheet in sheets for row in papers.rows(sheet)}.values():
        if not first <= row["day"] <= last or row["kind"] == "proforma" or "Kestrelby" in row["customer"]:
            continue
        worth = euros(Decimal(row["amount"]), row["currency"], row["day"])
        if row["kind"] == "invoice":
            counted.append((row["day"][:7], worth))
        elif worth >= 400:
            credits.append(worth)
            counted.append((row["day"][:7], -worth))
    split: list[tuple[Any, ...]] = [("month", "papers", "EUR")]
    for month in sorted({month for month, _ in counted}):
        theirs = [worth for at, worth in counted if at == month]
        split.append((month, len(theirs), sum(theirs)))
    shed = next(deal for deal in papers.deals["won"] if deal.title == "Harbour Foods, cold shed")
    won = [*_sold(papers, first, last), (shed.title, Decimal(shed.amount), shed.currency, "2026-02-18")]
    lost = _sold(papers, first, last, "Lost")
    seen = {(row["day"], row["customer"]) for row in papers.rows("visits") if row["how"] == "visit"}
    visits = len([each for each in seen if first <= each[0] <= last]) + 3
    moved = {"Ring Orrin about the spare probes": "2026-02-05"}
    now = (
        sum((worth for _, worth in counted), Decimal(0)), sum(credits, Decimal(0)), Decimal(len(won)),
        _share(len(won), len(won) + len(lost)), sum((euros(*each[1:]) for each in won), Decimal(0)),
        Decimal(5), Decimal(visits), _in_time(papers, "follow", first, last, moved),
    )  # fmt: skip
    follow, mails = papers.projects["follow"], papers.mails

    def read(plan: Plan) -> tuple[int, ...]:
        look = plan.read("filesystem", "directory_tree", path="/workspace/finance/board")
        paper = plan.open(papers.files["rules"], after=look)
        books = plan.read("filesystem", "read_multiple_files", paths=papers.paths(*sheets), after=paper)
        names = ("rates", "visits", "keepers", "last")
        lists = plan.read("filesystem", "read_multiple_files", paths=papers.paths(*names), after=paper)
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
        return (paper, books, lists, small, *letters, thread, left, *days)

    def mend(plan: Plan, paper: int) -> int:
        deals = plan.read("crm", "find_records", kind="deal", after=paper)
        found = plan.read("gmail", "find_emails", query="signed after:2026/01/01", after=deals)
        word = plan.conversation(mails["signed"], after=found)
        return plan.change(
            "crm", "move_deal", "deals", shed.id, {"stage": "Won", "closed": "2026-02-18"}, deal_id=shed.id,
            stage="Won", day="2026-02-18", after=word,
        )  # fmt: skip

    return _Books(
        report="/workspace/finance/board/q1/board.csv", heads=("figure", "this quarter", "last quarter", "change"),
        figures=_figures(papers.rows("last"), "this quarter", now, ("win rate", "follow-ups in time")),
        split="/workspace/finance/board/q1/months.csv", rows=tuple(split), reader="ceo", subject="Q1 for the board",
        told=("invoiced EUR", "win rate", "visits"), keeper="marketing", stale=papers.files["visits"],
        channel=("sales", "C005"), title="Q1 before the board", minutes=90, rooms=("Large room", "Small room"),
        taken=frozenset({("2026-03-25", "14:00"), ("2026-03-27", "10:30")}), ticked=ticked, explain="Comment on {}",
        read=read, mend=mend,
    )  # fmt: skip


def _lay(layout: Layout, number: int) -> _Books:
    return (_lay_hall, _lay_service, _lay_sales)[number](layout)


FLOW: Final = Flow(
    name="quarterly-report",
    domain="data",
    apps=("calendar", "chat", "crm", "filesystem", "gmail", "simple_note", "todoist"),
    slots={
        "margin": SlotSpec(
            kind="threshold", dimension="constraint", subdimension="numeric_bound", options=(10, 15, 25),
            text=lambda value: f"{value} percent", why="The rules leave open how far is too far.",
        ),
        "finder": SlotSpec(
            kind="person", role="who looks into it", dimension="goal", subdimension="target", text=first,
            options=("junior", "logistics", "planner", "it"), why="Any of the team could be asked.",
        ),
        "due": SlotSpec(
            kind="due_date", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-20", "2026-03-23", "2026-03-24", "2026-03-30"), why="Nothing says when.",
        ),
        "meeting": SlotSpec(
            kind="date", role="day of the review", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-25", "2026-03-27", "2026-03-31"), why="Nothing says when.",
        ),
        "time": SlotSpec(
            kind="time", dimension="context", subdimension="conventions", options=("10:30", "14:00", "15:00"),
            guessability=1.0, complete_without=True, why="The rules say when a review usually begins.",
        ),
    },
    cases=(
        Case(
            wording=(
                "Niamh wants the hall's report on Q1 2026. What counts is written down in "
                "reports/hall/what_counts.md, and a few things have changed since, so please look before you "
                "count. Do the whole of what it asks for, the two files, the mails, the CRM and so on. Each "
                "figure whose change comes to more than {margin} either way gets a task \"Explain: FIGURE\" in the"
                " project Operations, named as in the report, for {finder}, due on {due}. Put \"Review of Q1\" "
                "into the calendar on {meeting} at {time}, with whoever has those tasks and nobody else."
            ),
            values={
                "margin": 15, "finder": "logistics", "due": "2026-03-24", "meeting": "2026-03-25", "time": "10:30",
            },
        ),
        Case(
            wording=(
                "Could you do the service report for the quarter that ended on Saturday? Tobias's rules are in "
                "support/quarter/how_we_report.md; everything they want done is to be done, down to the tick, "
                "and please start from the sheets and not from the draft that lies there. I would like {finder} "
                "to look into whatever moved by more than {margin} up or down: for each such figure a task \"Find"
                " out why: FIGURE\", spelt as in the report, due on {due}, in the project Operations. We talk "
                "about it on {meeting} at {time}; the event is called \"Service review\" and only whoever has the "
                "tasks is asked to come."
            ),
            values={
                "margin": 10, "finder": "planner", "due": "2026-03-23", "meeting": "2026-03-27", "time": "15:00",
            },
        ),
        Case(
            wording=(
                "Dafydd needs the sales figures of Q1 for the board. Quentin has it all in "
                "finance/board/rules_for_the_quarter.md, papers, mails, chat, what has to be put right first, "
                "and he has written at least once since. Do everything that the rules ask of whoever makes the "
                "report. Please also make tasks in Operations, \"Comment on FIGURE\" with the figure as the report"
                " calls it, for all figures that moved by more than {margin}, assigned to {finder} and due on "
                "{due}. The discussion is on {meeting} at {time}, called \"Q1 before the board\", and apart from "
                "me just whoever got the tasks."
            ),
            values={
                "margin": 15, "finder": "junior", "due": "2026-03-20", "meeting": "2026-03-25", "time": "14:00",
            },
        ),
    ),
    lay=_lay,
    plan=_plan,
)  # fmt: skip
