"""A fault followed up: which devices have it, whose they are by now, what each customer is offered, letters, visits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Final, NamedTuple

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.flows.incident.bench import lay_bench
from benchmarks.workflows.flows.incident.cells import lay_cells
from benchmarks.workflows.flows.incident.devices import CLIENTS, Found, Hit, working
from benchmarks.workflows.flows.incident.papers import COSTS, MAILS, PROCEDURES, RATES, SCOPES, TALK
from benchmarks.workflows.flows.incident.relays import lay_relays
from benchmarks.workflows.layout import Layout, first, person
from benchmarks.workflows.plan import Fact, Plan, Said, amount, cents, day, pairs, says, spoken

__all__ = ("FLOW",)

_ROOT: Final = "/workspace/incidents"


class _Setting(NamedTuple):
    """What is particular to a case."""

    folder: str
    table: str
    columns: tuple[str, ...]
    subject: str
    task: str
    cost_subject: str
    event: tuple[str, str]
    later: int
    """Working days from the day of the answer to the day on which visits are due."""
    copy: str
    """Who gets a copy of the mail about the cost."""
    stale: tuple[str, str, str]
    """Whose contact the CRM has wrong, and who it is by now."""
    held_back: str = ""
    timeline: tuple[tuple[str, str], ...] = ()


_SETTINGS: Final = (
    _Setting(
        "2026-03_cells", "affected.csv", ("number", "site", "loggers", "offer", "EUR"),
        "Cells in your loggers", "Visit:", "Cost of the cells", ("Cells: where we stand", "2026-03-24 15:00"), 2,
        "firmware", ("K-138", "Hollis Vane", "hollis.vane@gilcrux.example"),
        timeline=(
            ("first report", "2026-03-09 14:50"), ("confirmed", "2026-03-11 11:40"),
            ("deliveries stopped", "2026-03-12 16:10"), ("scope settled", "2026-03-16 09:25"),
        ),
    ),
    _Setting(
        "2026-03_bench_two", "readings.csv", ("number", "site", "exchange", "certificate", "way", "EUR"),
        "Calibration of your loggers", "Take new loggers to", "Bench two: what it costs",
        ("Bench two, next steps", "2026-03-26 11:00"), -3, "cto",
        ("K-121", "Chiara Holt", "c.holt@dunmoorgroup.example"), held_back="K-145",
        timeline=(
            ("bench adjusted wrongly", "2026-02-11 07:15"), ("first report", "2026-03-05 17:30"),
            ("confirmed", "2026-03-10 08:20"), ("bench closed", "2026-03-10 10:05"),
        ),
    ),
    _Setting(
        "2026-03_relays", "gateways.csv", ("recipient", "region", "gateways", "free", "to pay", "way", "EUR"),
        "Relays in your gateways", "Change relays:", "Relays: what comes in",
        ("Relays, who goes where", "2026-03-25 15:30"), 1, "support",
        ("K-204", "Rosa Kettle", "rosa.kettle@marrick.example"),
        timeline=(
            ("first report", "2026-03-02 20:15"), ("confirmed", "2026-03-06 12:30"),
            ("dealers told by phone", "2026-03-10 16:45"), ("scope settled", "2026-03-17 07:55"),
        ),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class _Books:
    case: int
    found: Found
    papers: Mapping[str, str]
    mails: tuple[str, ...]
    project: str
    contact: str
    """Id of the contact that the CRM has wrong."""
    note: str


_QUERY: Final = tuple(
    f"after:2026-03-05 before:2026-03-18 ({words})"
    for words in (
        "cell OR cells OR logger OR loggers",
        "bench OR loggers OR Dunmoor OR exchange",
        "relays OR kits OR Ottershaw",
    )
)
_FIND: Final = (lay_cells, lay_bench, lay_relays)
_NOTES: Final = ("calls", "calls", "phone")


def _lay(layout: Layout, number: int) -> _Books:
    setting = _SETTINGS[number]
    folder = f"{_ROOT}/{setting.folder}"
    papers: dict[str, str] = {}
    name, text = PROCEDURES[number]
    papers["procedure"] = layout.file(f"{_ROOT}/{name}", text, at="2026-02-10 09:35")
    name, text = SCOPES[number]
    papers["scope"] = layout.file(f"{folder}/{name}", text, at="2026-03-11 15:05")
    for path, rows, at in COSTS[number]:
        written = layout.sheet(f"/workspace/finance/{path}", rows, at=at)
        if "2025" not in path:
            papers[path] = written
    if number != 2:
        papers["rates"] = layout.sheet("/workspace/finance/rates.csv", RATES, at="2026-03-02 09:00")
    if number == 0:
        papers["cover"] = layout.sheet(
            "/workspace/people/cover.csv",
            [
                ("who is away", "from", "to", "who stands in"),
                ("Devika Lindgren, account manager", "2026-03-09", "2026-03-13", "Delphine Cowley"),
                ("Olga Yilmaz, product manager", "2025-12-29", "2025-12-31", "Yannick Saarinen"),
                ("Olga Yilmaz, product manager", "2026-03-16", "2026-03-20", "Wilhelm Dlamini"),
            ],
            at="2026-03-06 13:00",
        )
    ids: dict[str, str] = {}
    records: dict[str, str] = {}
    for client, (name, industry, domain, contact, books) in CLIENTS.items():
        company = layout.customer(
            name, industry=industry, domain=domain, owner="am1", description=f"Customer number {client}"
        )
        records[client] = company
        for who, job in ((contact, "Quality Manager"), (books, "Bookkeeper")):
            if who:
                added = layout.contact(
                    who, email=f"{who.lower().replace(' ', '.')}@{domain}", owner="am1", company_id=company,
                    job_title=job, status="Won",
                )  # fmt: skip
                if job == "Quality Manager":
                    ids[client] = added
    found = _FIND[number](layout, folder, papers, records)
    mails = tuple(layout.mail(sender, subject, text, at=at) for sender, subject, text, at in MAILS[number])
    for channel, author, text, at in TALK[number][:-1]:
        layout.message(channel, author, text, at=at)
    title, _, text, at = TALK[number][-1]
    note = layout.note(title, text, at=at, tags=["customers"])
    project = layout.project("Field work", members=("support", "logistics", "planner", "junior"))
    return _Books(number, found, papers, (*mails, *found.mails), project, ids[setting.stale[0]], note)


# -- what follows


def _parcels(count: int, size: int) -> int:
    return -(-count // size)


class _Offer(NamedTuple):
    hit: Hit
    visit: bool
    money: Decimal
    rows: tuple[tuple[Any, ...], ...]
    says: tuple[Fact | Said, ...]


def _offer(case: int, hit: Hit, many: int) -> _Offer:
    """What a customer is offered; what it costs is rounded to cents place by place, and then summed."""
    visit = hit.always or hit.total > many
    way = "visit" if visit else "parcel"
    rows: list[tuple[Any, ...]]
    facts: tuple[Fact | Said, ...]
    if case == 0:
        way = "swap on site" if visit else "swap by parcel" if hit.contract else "cell kit"
        rows = [(hit.number, site, count, way, _cells(way, count)) for site, (count,) in hit.places]
        facts = (amount(hit.total), way)
    elif case == 1:
        rows = [(hit.number, site, new, paper, way, _bench(visit, new, paper)) for site, (new, paper) in hit.places]
        facts = pairs(*((key, amount(each)) for key, each in zip(_SORTS, hit.counts, strict=True) if each), named=False)
    else:
        kit = Decimal("58.00") * (Decimal("0.80") if CLIENTS[hit.number].industry == "Dealer" else 1)
        rows = [
            (hit.name, region, free + paid, free, paid, way, cents(kit * paid)) for region, (free, paid) in hit.places
        ]
        facts = (amount(hit.total), amount(sum(row[-1] for row in rows)))
    return _Offer(hit, visit, sum((row[-1] for row in rows), Decimal(0)), tuple(rows), facts)


def _cells(way: str, count: int) -> Decimal:
    parcel = Decimal("14.50") * Decimal("1.16") * _parcels(count, 10) + Decimal("6.10") * count
    if way == "swap by parcel":
        return cents(parcel)
    return 185 + Decimal("9.40") * count if way == "swap on site" else Decimal("3.85") * count


def _bench(visit: bool, new: int, paper: int) -> Decimal:
    brought = Decimal(210) if visit else Decimal("11.80") * Decimal("1.16") * _parcels(new, 12)
    return cents(Decimal("46.20") * new + Decimal("7.50") * paper + brought)


def _mailbox(books: _Books, number: str) -> str:
    stale, _, by_now = _SETTINGS[books.case].stale
    client = CLIENTS[number]
    return by_now if number == stale else f"{client.contact.lower().replace(' ', '.')}@{client.domain}"


def _plan(books: _Books, values: Values) -> Plan:
    setting = _SETTINGS[books.case]
    folder = f"{_ROOT}/{setting.folder}"
    offers = [_offer(books.case, hit, values["many"]) for hit in books.found.hits]
    if books.case == 2:
        offers.sort(key=lambda offer: offer.hit.name)
    visits = [offer for offer in offers if offer.visit]
    if not visits or len(visits) == len(offers):
        raise Unfit("all customers are visited, or none")
    total = sum((offer.money for offer in offers), Decimal(0))
    devices = sum(offer.hit.total for offer in offers)

    plan = Plan(books.found.lines)
    tree = plan.read("filesystem", "directory_tree", path=".")
    rules = plan.open(books.papers["procedure"], after=tree)
    scope = plan.open(books.papers["scope"], after=rules)
    found = plan.read("gmail", "find_emails", query=_QUERY[books.case], after=scope)
    mails = [plan.conversation(mail, after=found, loop="mails") for mail in books.mails]
    talk = [
        plan.read("chat", "get_messages", channel=f"#{name}", after=rules, loop="talk")
        for name in ("incidents", "operations")
    ]
    notes = plan.read("simple_note", "find_notes", query=_NOTES[books.case], after=rules)
    note = plan.read("simple_note", "get_note", note_id=books.note, after=notes)
    sheets = [
        plan.open(path, after=(rules, *mails))
        for name, path in books.papers.items()
        if name not in ("procedure", "scope")
    ]
    lists = plan.read("filesystem", "read_multiple_files", paths=list(books.found.lists), after=rules)
    said = plan.read("gmail", "find_emails", query="from:devika OR from:farah OR from:leonie OR from:rosa", after=lists)
    words = plan.read("crm", "find_records", kind="note", detail="detailed", after=rules)
    companies = plan.read("crm", "find_records", kind="company", detail="detailed", after=rules)
    contacts = plan.read("crm", "find_records", kind="contact", query="quality manager", after=companies)
    projects = plan.read("todoist", "find_projects", after=rules)

    _, name, address = setting.stale
    changed = {"customer_email": address}
    arguments = {"email": address}
    if name != CLIENTS[setting.stale[0]].contact:
        changed["customer_name"] = arguments["name"] = name
    fixed = plan.change(
        "crm", "save_contact", "customers", books.contact, changed, after=(contacts, *mails),
        contact_id=books.contact, **arguments,
    )  # fmt: skip
    table = plan.save_sheet(
        f"{folder}/{setting.table}", [setting.columns, *(row for offer in offers for row in offer.rows)],
        after=(*sheets, lists, said, words, *mails, *talk, companies, scope),
    )  # fmt: skip
    last = table
    for offer in offers:
        if offer.hit.number != setting.held_back:
            facts = "; ".join(map(_form, offer.says))
            last = plan.mail(
                _mailbox(books, offer.hit.number),
                f"Dear customer,\n\nwe have found a fault: {facts}. Please answer by {spoken(values['answer'])}.\n\n"
                f"{person('owner').name}",
                subject=setting.subject,
                expects=says(*offer.says, _by(values["answer"])),
                after=(table, fixed),
                loop="letters",
            )
    due = working(date.fromisoformat(values["answer"]), setting.later)
    jobs = plan.tasks(
        [
            {
                "title": f"{setting.task} {offer.hit.name}",
                "project": books.project, "due": f"{due}", "assignee": values["visitor"],
            }
            for offer in visits
        ],
        after=(table, projects, last),
    )  # fmt: skip
    plan.save_sheet(f"{folder}/timeline.csv", [("what", "when"), *setting.timeline], after=(*mails, *talk, note, scope))
    plan.mail(
        values["reader"], f"It comes to {total} EUR in all.", subject=setting.cost_subject, expects=says(amount(total)),
        cc=(setting.copy,), after=table,
    )  # fmt: skip
    title, start = setting.event
    plan.book(title, start=start, minutes=values["length"], people=(values["visitor"],), after=jobs)
    plan.say(
        "incidents", "C003", f"In the end it is {devices} devices, the letters are out.",
        expects=says(amount(devices)), after=last,
    )  # fmt: skip
    return plan


_SORTS: Final = (
    ("exchanged", "replaced", "swapped"),
    ("get a certificate", "new certificate", "new certificates", "corrected certificate", "corrected certificates"),
)
"""What happens to loggers of the bench. Not any certificate, since letters may say what was wrong with the old ones."""


def _form(fact: Fact | Said) -> str:
    if isinstance(fact, Said):
        return f"{fact.forms[-1]} {fact.key[0]}"
    return fact if isinstance(fact, str) else fact[-1]


def _by(on: str) -> tuple[str, ...]:
    """The day of the answer, in the forms that people write."""
    forms = tuple(day(on))
    return (*forms, "31st March", "31st of March", "March 31st") if on.endswith("31") else forms


FLOW: Final = Flow(
    name="incident",
    domain="engineering",
    apps=("calendar", "chat", "crm", "filesystem", "gmail", "simple_note", "todoist"),
    slots={
        "many": SlotSpec(
            kind="threshold", dimension="constraint", subdimension="numeric_bound", options=(24, 29, 34),
            why="The rules leave the number to each incident.",
        ),
        "answer": SlotSpec(
            kind="date", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-25", "2026-03-27", "2026-03-31"), why="No paper says when answers are wanted.",
        ),
        "visitor": SlotSpec(
            kind="person", role="assignee", dimension="input", subdimension="identifier", text=first,
            options=("logistics", "planner", "support", "junior"), why="All four do field work.",
        ),
        "reader": SlotSpec(
            kind="person", role="recipient", dimension="input", subdimension="identifier", text=first,
            options=("cfo", "controller", "coo"), why="Any of three who deal with money may want it.",
        ),
        "length": SlotSpec(
            kind="duration", dimension="context", subdimension="conventions", options=(30, 45, 60),
            text=lambda minutes: f"{minutes}-minute", guessability=1.0,
            why="The procedure says how long the meeting takes, and the request says the same.",
        ),
    },
    cases=(
        Case(
            wording=(
                "Please take the case of the batteries running flat off my hands (folder incidents/2026-03_cells); "
                "follow how_we_follow_up.md: affected.csv, the letters, timeline.csv. Customers have until "
                "{answer} to answer. We swap on site for customers with more than {many} faulty loggers. Each "
                "on-site swap is a task \"Visit: CUSTOMER\" (name as in the CRM) in the project Field work; assign "
                "these tasks to {visitor}. Send {reader} what it all costs us in EUR, subject \"Cost of the "
                "cells\". Also book a {length} meeting \"Cells: where we stand\" with whoever does the swaps, "
                "nobody else, on Tuesday 24 March at 15:00, and tell #incidents how many loggers are affected in "
                "the end."
            ),
            values={"many": 29, "answer": "2026-03-27", "visitor": "planner", "reader": "cfo", "length": 45},
        ),
        Case(
            wording=(
                "The bench two incident has to be closed. Everything is in incidents/2026-03_bench_two, the rules "
                "are in faults_in_calibration.md; I need readings.csv and timeline.csv, and the letters go out "
                "today, asking for an answer by {answer}. Customers with more than {many} affected loggers get a "
                "visit. Each visit is a task in the project Field work, \"Take new loggers to CUSTOMER\" with the "
                "name from the CRM; assign these tasks to {visitor}. Mail {reader} what it costs us altogether, in "
                "EUR, subject \"Bench two: what it costs\". Then put a {length} meeting \"Bench two, next steps\" "
                "in the calendar for 11:00 on Thursday 26 March, inviting only the person who makes the visits, "
                "and post in #incidents how many loggers are affected, both kinds together."
            ),
            values={"many": 29, "answer": "2026-03-31", "visitor": "logistics", "reader": "coo", "length": 30},
        ),
        Case(
            wording=(
                "Could you do the rest of the sticking relays for me? The folder is incidents/2026-03_relays and "
                "the page to follow is gateways_in_the_field.md. We need gateways.csv, timeline.csv and the "
                "letters, which should ask for an answer by {answer}. Anyone who looks after more than {many} "
                "affected gateways gets a visit. Each visit is a task \"Change relays: NAME\" in Field work, with "
                "the name from gateways.csv; assign these tasks to {visitor}. Mail {reader} the total that "
                "customers and dealers will pay us, subject \"Relays: what comes in\". Set up a {length} meeting "
                "\"Relays, who goes where\" on Wednesday the 25th, 15:30, with the person who gets those tasks as "
                "the only guest. Finally, post in #incidents how many gateways are affected."
            ),
            values={"many": 24, "answer": "2026-03-27", "visitor": "junior", "reader": "controller", "length": 60},
        ),
    ),
    lay=_lay,
    plan=_plan,
)  # fmt: skip
