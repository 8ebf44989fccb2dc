"""A fortnight's returns settled: what came back and why, by whose terms, from stock or as a credit, and who is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.flows.claims.papers import OTHER_RATES, letters, old, rules
from benchmarks.workflows.flows.claims.rounds import RATES, ROUNDS, Round, settle
from benchmarks.workflows.layout import TODAY, Layout, first, person
from benchmarks.workflows.plan import Plan, amount, pairs, says, spoken
from harness.task import Expected

__all__ = ("FLOW",)

_ROOT: Final = "/workspace/customers/claims"


@dataclass(frozen=True, kw_only=True)
class _Books:
    """The round, where its papers lie, and ids."""

    round: Round
    papers: tuple[str, ...]
    mails: tuple[str, ...]
    companies: tuple[str, ...]
    contacts: tuple[str, ...]
    project: str


def _lay(layout: Layout, number: int) -> _Books:
    of = ROUNDS[number]
    folder = f"{_ROOT}/round_{of.tag}"
    claims, firms = of.claims, of.firms
    invoices = sorted(of.invoices.values())
    middle = sorted(claim.back for claim in claims)[len(claims) // 2]
    sold = {(line.invoice, line.product) for claim in claims for line in claim.lines}
    wanted: tuple[tuple[str, str, str, list[tuple[Any, ...]]], ...] = (
        *((f"{folder}/register_{_slug(firm.name)}.csv", f"{of.last} 16:00",
           "claim,they want,line,product,pieces,invoice,they say",
           [(c.number, c.wish, n, line.product, line.said, line.invoice, line.reason)
            for c in claims if firms[c.firm] is firm for n, line in enumerate(c.lines, 1)])
          for firm in firms),
        *((f"{folder}/goods_in_{part}.csv", "2026-03-18 07:50", "came back on,claim,line,product,counted,lot",
           [(c.back, c.number, n, line.product, line.hall, line.lot)
            for c in sorted(claims, key=lambda c: (c.back, c.number))
            if c.state != "twice" and late == (c.back > middle)
            for n, line in enumerate(c.lines, 1)])
          for part, late in (("first_days", False), ("last_days", True))),
        (f"{folder}/freight_back.csv", f"{of.last} 16:30", "claim,waybill of,cost,currency",
         [(c.number, c.waybill, f"{c.freight:.2f}", firms[c.firm].currency) for c in claims if c.state != "late"]),
        (f"{_ROOT}/invoices.csv", "2026-03-02 10:00", "invoice,day,customer,currency,rebate %",
         [(i.number, i.day, firms[i.firm].name, firms[i.firm].currency, i.printed) for i in invoices]),
        (f"{_ROOT}/invoice_lines.csv", "2026-03-02 10:00", "invoice,product,price each",
         [(i.number, product, f"{price:.2f}") for i in invoices for product, price in i.prices.items()
          if product != "gateway" or (i.number, product) in sold]),
        (f"{_ROOT}/terms_2025.csv", "2025-01-09 10:00", "customer,days to return,fee %",
         [(f.name, f.days_before, f.fee_before) for f in firms]),
        (f"{_ROOT}/terms_2026.csv", "2026-01-07 15:10", "customer,days to return,fee %",
         [(f.name, f.days, f.fee) for f in firms]),
        (f"{_ROOT}/rates.csv", "2026-03-02 08:45", "currency,month,EUR for one",
         [(*key, OTHER_RATES.get(key, rate)) for key, rate in RATES.items()]),
        (f"{_ROOT}/exchange_stock.csv", "2026-03-17 18:10", "product,on the shelf,of these promised",
         [(name, *held) for name, held in of.stock.items()]),
    )  # fmt: skip
    papers = [
        layout.file(f"{_ROOT}/how_we_settle.md", rules(of), at="2026-01-08 11:20"),
        *(layout.sheet(path, [head.split(","), *rows], at=at) for path, at, head, rows in wanted),
    ]
    ids = [layout.customer(f.name, industry="Cold chain", domain=f.domain, owner=f.owner) for f in firms]
    people = [
        layout.contact(f.contact, email=old(of, n), owner=f.owner, company_id=ids[n], job_title="Returns", status="Won")
        for n, f in enumerate(firms)
    ]
    project = layout.project("Claims", members=("cfo", "coo", "sales_vp", "controller", "logistics"))
    return _Books(
        round=of, papers=tuple(papers), mails=letters(layout, of, dict(enumerate(ids))), companies=tuple(ids),
        contacts=tuple(people), project=project,
    )  # fmt: skip


def _slug(name: str) -> str:
    return name.partition(" ")[0].lower()


def _plan(books: _Books, values: Values) -> Plan:
    of = books.round
    lines = settle(of)
    high = [line.claim.number for line in lines if line.credit > values["limit"]]
    if not high:
        raise Unfit("no credit is above that")

    plan = Plan(sum(len(line.claim.lines) for line in lines))
    look = plan.read("filesystem", "directory_tree", path=_ROOT)
    rules = plan.open(books.papers[0], after=look)
    papers = [plan.open(each, after=rules, loop="papers") for each in books.papers[1:]]
    searches = [
        plan.read("gmail", "find_emails", query=query, after=papers, loop="searches")
        for query in (f"round {of.tag}", "from:giulia after:2026-02-01", 'subject:"new address"')
    ]
    mails = [plan.conversation(each, after=searches, loop="mails") for each in books.mails]
    chats = [
        plan.read("chat", "get_messages", channel=f"#{name}", after=mails, loop="chats")
        for name in ("operations", "sales", "general")
    ]
    dated = {"after": "2026-02-15", "before": TODAY, "detail": "detailed"}
    given = plan.read("calendar", "find_events", query="More time", after=papers, given=dated)
    records = [
        plan.read("crm", "find_records", kind="company", query=firm.name, after=papers, loop="companies")
        for firm in of.firms
    ]
    people = [plan.read("crm", "get_record", record_id=id, after=records, loop="records") for id in books.companies]
    projects = plan.read("todoist", "find_projects")

    folder = f"{_ROOT}/round_{of.tag}"
    settled = plan.save_sheet(
        f"{folder}/settlement.csv",
        [
            ("claim", "pieces", "goods EUR", "freight EUR", "credit EUR"),
            *((line.claim.number, line.pieces, line.goods, line.freight, line.credit) for line in lines),
        ],
        after=(*papers, *mails, *chats, *people, given),
    )
    plan.save_sheet(
        f"{folder}/replacements.csv",
        [
            ("claim", "line", "product", "pieces"),
            *(
                (line.claim.number, number, line.claim.lines[number - 1].product, pieces)
                for line in lines
                for number, pieces in line.sent.items()
            ),
        ],
        after=settled,
    )
    corrected = settled
    for firm, contact in zip(of.firms, books.contacts, strict=True):
        if firm.moved:
            corrected = plan.change(
                "crm", "save_contact", "customers", contact, {"customer_email": firm.moved}, contact_id=contact,
                email=firm.moved, after=(*mails, *people),
            )  # fmt: skip
    written = settled
    for number, firm in enumerate(of.firms):
        theirs = [line for line in lines if line.claim.firm == number]
        told = "\n".join(
            f"{line.claim.number}: credit {line.credit:.2f} EUR" + (f", {_sent(line.sent)} pieces" if line.sent else "")
            for line in theirs
        )
        told_of = [(line.claim.number, amount(line.credit)) for line in theirs]
        sent = [(line.claim.number, _sent(line.sent)) for line in theirs if line.sent]
        written = plan.mail(
            firm.moved or old(of, number),
            f"Dear {firm.contact},\n\nthis is how your claims are settled:\n\n{told}\n\n{person('owner').name}",
            subject="Your claims",
            expects=says(*pairs(*told_of, *sent)),
            after=(settled, corrected),
            loop="letters",
        )
    for number, id in enumerate(books.companies):
        total = sum((line.credit for line in lines if line.claim.firm == number), Decimal("0.00"))
        text = f"Round {of.tag}: {total:.2f} EUR"
        note: dict[str, Any] = {"record_id": id, "text": text, "day": TODAY, "author": person("owner").address}
        plan.write(
            "crm", "add_note", Expected(op="insert", app="crm", table="notes", values=note), record_id=id, text=text,
            after=(settled, *people, written), loop="notes",
        )  # fmt: skip
    plan.tasks(
        [
            {
                "title": f"Release the credit: {number}", "project": books.project, "due": values["due"],
                "assignee": values["approver"],
            }
            for number in high
        ],
        after=(settled, projects),
    )  # fmt: skip
    whole = sum((line.credit for line in lines), Decimal(0))
    plan.mail(
        values["reader"],
        f"The credits of round {of.tag} come to {whole:.2f} EUR.",
        subject="Claims round: credits",
        expects=says(amount(whole)),
        after=settled,
    )
    plan.book(
        "Claims round",
        start=f"{values['meeting']} {values['hour']}",
        minutes=30,
        people=(values["approver"],),
        after=settled,
    )
    return plan


def _sent(pieces: Mapping[int, int]) -> str:
    return str(sum(pieces.values()))


FLOW: Final = Flow(
    name="claims",
    domain="sales",
    apps=("calendar", "chat", "crm", "filesystem", "gmail", "simple_note", "todoist"),
    slots={
        "limit": SlotSpec(
            kind="threshold", dimension="constraint", subdimension="numeric_bound", options=(550, 640, 780),
            text=lambda value: f"{value} EUR", why="No paper says from which credit on somebody has to release it.",
        ),
        "approver": SlotSpec(
            kind="person", role="who releases credits", dimension="input", subdimension="identifier", text=first,
            options=("sales_vp", "coo", "cfo"), why="Any of three could release money, and no rule says who does.",
        ),
        "due": SlotSpec(
            kind="due_date", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-20", "2026-03-24", "2026-03-26"), why="Nothing says when.",
        ),
        "reader": SlotSpec(
            kind="person", role="who gets the sum", dimension="input", subdimension="identifier", text=first,
            options=("controller", "accounts", "logistics"), guessability=0.5,
            why="It is one of few who deal with credits.",
        ),
        "meeting": SlotSpec(
            kind="date", role="day of the meeting", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-25", "2026-03-27", "2026-03-31"), why="Nothing says when.",
        ),
        "hour": SlotSpec(
            kind="time", dimension="constraint", subdimension="temporal", options=("10:00", "11:30", "15:00"),
            guessability=1.0, why="how_we_settle.md says 10:00 unless told otherwise.",
        ),
    },
    cases=(
        Case(
            wording=(
                "The claims round that ended on 13 March, in customers/claims/round_0313, has still not been dealt "
                "with. Please settle it as how_we_settle.md says, with everything that goes with it: both sheets, "
                "the mails to the customers, the CRM. Every claim with a credit of more than {limit} needs a task "
                "\"Release the credit: CLAIM\" for {approver}, in the project Claims and due {due}. Mail {reader} "
                "the sum of all credits in EUR, subject \"Claims round: credits\". Then put a half-hour meeting "
                "called \"Claims round\" in the calendar at {hour} on {meeting}, with whoever releases the credits."
            ),
            values={
                "limit": 640, "approver": "coo", "due": "2026-03-20", "reader": "controller",
                "meeting": "2026-03-25", "hour": "10:00",
            },
        ),
        Case(
            wording=(
                "Can you see Monday's claims round through? The papers are in customers/claims/round_0316 and the "
                "rules one level up, in how_we_settle.md: sheets, mails to the customers, records, all of it. I "
                "want {approver} to release the larger credits, so for each claim with a credit of more than "
                "{limit} make a task \"Release the credit: CLAIM\" in the project Claims, to be done by {due}. "
                "Mail {reader} what all the credits come to in EUR (subject \"Claims round: credits\"). And book "
                "30 minutes on {meeting} at {hour}, \"Claims round\", with the person who gets those tasks."
            ),
            values={
                "limit": 550, "approver": "cfo", "due": "2026-03-24", "reader": "logistics", "meeting": "2026-03-27",
                "hour": "10:00",
            },
        ),
        Case(
            wording=(
                "A claims round ended yesterday (customers/claims/round_0317) and the customers are waiting. "
                "Please do everything how_we_settle.md asks for, from the sheets to the mails and the CRM. I'd "
                "like {approver} to look at credits over {limit}: a task for each such claim, \"Release the "
                "credit: CLAIM\", project Claims, due {due}. The two of us will talk about it on {meeting} at "
                "{hour} for half an hour; call it \"Claims round\". {reader} only needs the sum of the credits in "
                "EUR, by mail with the subject \"Claims round: credits\"."
            ),
            values={
                "limit": 780, "approver": "sales_vp", "due": "2026-03-26", "reader": "accounts",
                "meeting": "2026-03-31", "hour": "10:00",
            },
        ),
    ),
    lay=_lay,
    plan=_plan,
)  # fmt: skip
