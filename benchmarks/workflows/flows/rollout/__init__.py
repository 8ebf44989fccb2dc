"""An update in three waves: which sites may when, what is left out and why, who is told, who clears up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, NamedTuple

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.flows.rollout.papers import MAILS, NOTES, PROCEDURES, TALK
from benchmarks.workflows.flows.rollout.sites import CLIENTS, FIND, Site, working
from benchmarks.workflows.layout import Layout, attachment, first, person
from benchmarks.workflows.plan import Fact, Plan, amount, day, pairs, says, spoken
from servers.kernel import ordinal

__all__ = ("FLOW",)

_ROOT: Final = "/workspace/devices/rollouts"


class _Setting(NamedTuple):
    """What is particular to a case."""

    folder: str
    tables: tuple[str, str]
    unit: str
    subject: str
    task: str
    due: int
    """Working days from the first wave to the day on which tasks are due."""
    gap: int
    """Working days from wave to wave."""
    report: str
    event: tuple[str, str]
    stale: tuple[str, str, str]
    """Whose contact the CRM has wrong, and who it is by now."""
    channel: tuple[str, str]
    query: str


_SETTINGS: Final = (
    _Setting(
        "firmware_3.2", ("plan.csv", "left_out.csv"), "gateways", "Firmware 3.2 for your gateways", "Clear up:", 0, 5,
        "3.2 in three waves", ("3.2: go or no go", "15:30"), ("P", "Tessa Grange", "tessa.grange@pellmoor.example"),
        ("incidents", "C003"), "after:2026-03-09 (gateways OR testing OR boards OR Otter OR Ivy OR Pellmoor)",
    ),
    _Setting(
        "loggers_2.9", ("waves.csv", "later.csv"), "MB", "New software in your loggers", "See to:", -2, 1,
        "Loggers: three nights", ("Loggers 2.9, last look", "15:00"), ("R", "Conrad Ashe", "c.ashe@rothwell.example"),
        ("operations", "C002"), "after:2026-03-09 (loaded OR loads OR loggers OR battery OR bounces OR bake OR baked)",
    ),
    _Setting(
        "certificates_spring", ("evenings.csv", "not_now.csv"), "minutes", "Certificates of your gateways",
        "Certificate of", 5, 2, "Certificates, spring round", ("Certificates: before we begin", "16:00"),
        ("T", "Annika Byrne", "annika.byrne@thornlea.example"), ("incidents", "C003"),
        "after:2026-03-09 (certificate OR certificates OR Otter OR Saltholm OR Thornlea)",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class _Books:
    case: int
    sites: tuple[Site, ...]
    """In the order of planning."""
    papers: Mapping[str, str]
    mails: tuple[str, ...]
    notes: tuple[str, ...]
    project: str
    contact: str
    """Id of the contact that the CRM has wrong."""


def _lay(layout: Layout, number: int) -> _Books:
    setting = _SETTINGS[number]
    folder = f"{_ROOT}/{setting.folder}"
    papers: dict[str, str] = {}
    name, text = PROCEDURES[number]
    papers["procedure"] = layout.file(f"{_ROOT}/{name}", text, at="2026-02-11 10:10")
    sites = FIND[number](layout, folder, papers)
    ids: dict[str, str] = {}
    for key, client in CLIENTS.items():
        added = layout.customer(client.name, industry=client.industry, domain=client.domain, owner="am1")
        for who, job in ((client.contact, "Site Manager"), (client.buyer, "Buyer")):
            if who:
                contact = layout.contact(
                    who, email=_usual(who, client.domain), owner="am1", company_id=added, job_title=job, status="Won"
                )
                if job == "Site Manager":
                    ids[key] = contact
    mails = tuple(
        layout.mail(sender, subject, text, at=at, files=files) for sender, subject, text, at, files in MAILS[number]
    )
    for channel, author, text, at in TALK[number]:
        layout.message(channel, author, text, at=at)
    notes = tuple(layout.note(title, text, at=at, tags=["devices"]) for title, text, at in NOTES[number])
    project = layout.project("Roll-outs", members=("support", "it", "junior", "planner"))
    return _Books(number, tuple(sites), papers, mails, notes, project, ids[setting.stale[0]])


def _usual(name: str, domain: str) -> str:
    return f"{name.lower().replace(' ', '.')}@{domain}"


def _placed(books: _Books, days: list[str], most: int) -> tuple[list[list[Site]], list[tuple[Site, str]]]:
    """Sites by wave, and those left out with the reason."""
    room = [most * (1000 if books.case == 1 else 1)] * len(days)
    waves: list[list[Site]] = [[] for _ in days]
    left: list[tuple[Site, str]] = []
    for site in books.sites:
        may = [wave for wave, on in enumerate(days) if site.free(on, wave) and site.weight <= room[wave]]
        if site.never or not may:
            left.append((site, site.never or "no wave"))
            continue
        room[may[0]] -= site.weight
        waves[may[0]].append(site)
    return waves, left


def _weight(books: _Books, weight: int) -> str:
    return f"{Decimal(weight) / 1000:.2f}" if books.case == 1 else str(weight)


def _plan(books: _Books, values: Values) -> Plan:
    setting = _SETTINGS[books.case]
    folder = f"{_ROOT}/{setting.folder}"
    first = date.fromisoformat(values["first"])
    days = [f"{working(first, setting.gap * wave)}" for wave in range(3)]
    waves, left = _placed(books, days, values["most"])
    if not left or not all(waves):
        raise Unfit("a wave is empty, or nothing is left out")
    when = {site.name: on for on, wave in zip(days, waves, strict=True) for site in wave}
    totals = [_weight(books, sum(site.weight for site in wave)) for wave in waves]

    plan = Plan()
    tree = plan.read("filesystem", "directory_tree", path="devices")
    rules = plan.open(books.papers["procedure"], after=tree)
    sheets = [plan.open(path, after=rules) for name, path in books.papers.items() if name != "procedure"]
    found = plan.read("gmail", "find_emails", query=setting.query, after=rules)
    mails = [plan.conversation(mail, after=found, loop="mails") for mail in books.mails]
    for *_, files in MAILS[books.case]:
        if files:
            mails.append(plan.read("gmail", "get_attachment", attachment_id=attachment(1), after=mails))
    talk = plan.read("chat", "get_messages", channel="#incidents", after=rules)
    notes = [plan.read("simple_note", "find_notes", query=_WORDS[books.case], after=rules)]
    notes.append(plan.read("simple_note", "get_note", note_id=books.notes[-1], after=notes[0]))
    companies = plan.read("crm", "find_records", kind="company", after=rules)
    contacts = plan.read("crm", "find_records", kind="contact", query="site manager", after=rules)
    projects = plan.read("todoist", "find_projects", after=rules)
    diary = plan.read("calendar", "find_events", before="2026-03-27")
    known = (*sheets, *mails, *notes, talk, companies)

    key, name, address = setting.stale
    changed, arguments = {"customer_email": address}, {"email": address}
    if name != CLIENTS[key].contact:
        changed["customer_name"] = arguments["name"] = name
    fixed = plan.change(
        "crm", "save_contact", "customers", books.contact, changed, after=(contacts, *mails),
        contact_id=books.contact, **arguments,
    )  # fmt: skip
    table = plan.save_sheet(
        f"{folder}/{setting.tables[0]}",
        [
            ("wave", "day", "site", setting.unit),
            *(
                (number, on, site.name, _weight(books, site.weight))
                for number, (on, wave) in enumerate(zip(days, waves, strict=True), 1)
                for site in wave
            ),
        ],
        after=known,
    )
    out = plan.save_sheet(
        f"{folder}/{setting.tables[1]}", [("site", "reason"), *((site.name, why) for site, why in left)], after=table
    )
    last = out
    for client, them in CLIENTS.items():
        mine = [site.name for site in books.sites if site.client == client and site.name in when]
        if not mine:
            continue
        lines = "\n".join(f"{site}: {spoken(when[site])}" for site in mine)
        last = plan.mail(
            address if client == key else _usual(them.contact, them.domain),
            f"Dear customer,\n\nthese of your sites are updated:\n\n{lines}\n\n{person('owner').name}",
            subject=setting.subject,
            expects=says(*pairs(*((site, _on(when[site])) for site in mine))),
            after=(table, fixed),
            loop="letters",
        )
    due = f"{working(first, setting.due)}"
    jobs = plan.tasks(
        [
            {"title": f"{setting.task} {site.name}", "project": books.project, "due": due, "assignee": values["fixer"]}
            for site, _ in left
        ],
        after=(out, projects),
    )
    title, time = setting.event
    plan.book(
        title, start=f"{working(first, -1)} {time}", minutes=values["length"], people=(values["fixer"],),
        after=(jobs, diary),
    )  # fmt: skip
    told = ", ".join(f"{name} wave has {total} {setting.unit}" for name, total in zip(_NTH, totals, strict=True))
    names = [_wave(number, on) for number, on in enumerate(days)]
    waved = pairs(*zip(names, map(amount, totals), strict=True), named=False)
    plan.mail(
        values["reader"],
        f"The {told}; {len(left)} sites are left out.",
        subject=setting.report,
        expects=says(*waved, (*amount(len(left)), _WORDED[len(left)])),
        after=out,
    )
    channel, id = setting.channel
    plan.say(
        channel, id, f"The first wave is on {spoken(days[0])} and has {len(waves[0])} sites.",
        expects=says(_on(days[0]), (str(len(waves[0])), _WORDED[len(waves[0])])), after=last,
    )  # fmt: skip
    return plan


_WORDS: Final = ("pilots", "over the air", "certificates")
_NTH: Final = ("first", "second", "third")
_WORDED: Final = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")


def _wave(place: int, on: str) -> Fact:
    """What people call a wave: by its number or by its day."""
    name, number = _NTH[place], place + 1
    return (name, f"wave {number}", f"wave {_WORDED[number]}", ordinal(number), *_on(on))


def _on(value: str) -> tuple[str, ...]:
    """A day in the forms that people write."""
    number, month = ordinal(int(value[-2:])), "April" if value[5:7] == "04" else "March"
    forms = (f"{number} {month}", f"{number} of {month}", f"{month} {number}")
    return tuple(dict.fromkeys((*day(value), *forms)))


FLOW: Final = Flow(
    name="rollout",
    domain="engineering",
    apps=("calendar", "chat", "crm", "filesystem", "gmail", "simple_note", "todoist"),
    slots={
        "first": SlotSpec(
            kind="date", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-24", "2026-03-25", "2026-03-26"), why="The rules leave the day to each roll-out.",
        ),
        "most": SlotSpec(
            kind="threshold", dimension="constraint", subdimension="numeric_bound", options=(60, 70, 80),
            why="The rules leave the limit to each roll-out.",
        ),
        "fixer": SlotSpec(
            kind="person", role="assignee", dimension="input", subdimension="identifier", text=first,
            options=("support", "it", "junior", "planner"), why="All four look after sites in some way.",
        ),
        "reader": SlotSpec(
            kind="person", role="recipient", dimension="input", subdimension="identifier", text=first,
            options=("coo", "cto", "sales_vp"), why="Any of three who would want to know.",
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
                "I promised a plan for firmware 3.2 by tonight. Everything is in devices/rollouts/firmware_3.2, or "
                "should be, and how_we_roll_out.md beside it says how. Plan the first wave for {first}; no wave "
                "may have more than {most} gateways. Make plan.csv and left_out.csv, write to the customers, and "
                "add a task for each site left out to the project Roll-outs; assign these tasks to {fixer}. Invite "
                "whoever gets these tasks, and nobody else, to a {length} meeting \"3.2: go or no go\" at the time "
                "the rules give. Send {reader} the number of gateways in each wave and of sites left out, subject "
                "\"3.2 in three waves\". In #incidents say when the first wave is and how many sites it has."
            ),
            values={"first": "2026-03-25", "most": 80, "fixer": "support", "reader": "coo", "length": 30},
        ),
        Case(
            wording=(
                "Version 2.9 for the loggers can go out over the air. Would you plan it, please, following "
                "updates_over_the_air.md in devices/rollouts? Plan the first night for {first}; the mobile "
                "contract means that a night cannot carry more than {most} MB. I need waves.csv and later.csv in "
                "loggers_2.9, and the mails to customers. The sites left out become tasks in the project "
                "Roll-outs; assign these tasks to {fixer}. Whoever gets them, and nobody else, is also invited to "
                "a {length} meeting, \"Loggers 2.9, last look\", at the time the rules give. Mail {reader} how "
                "many MB each wave has and how many sites are left out, subject \"Loggers: three nights\". "
                "#operations should know the first day and the number of sites in that wave."
            ),
            values={"first": "2026-03-25", "most": 70, "fixer": "it", "reader": "cto", "length": 45},
        ),
        Case(
            wording=(
                "Please plan the spring round of certificates before any expire: certificates_before_they_end.md "
                "in devices/rollouts has the rules, and the folder is certificates_spring. Plan the first evening "
                "for {first}. Our people are tired, so no evening may take more than {most} minutes. Please write "
                "evenings.csv and not_now.csv, tell the customers, and open the tasks in the project Roll-outs; "
                "assign these tasks to {fixer}. Book a {length} meeting \"Certificates: before we begin\" with "
                "whoever gets them, nobody else, at the time the rules give. Then send {reader} how many minutes each "
                "wave takes and how many sites are left out, subject \"Certificates, spring round\". Post in "
                "#incidents which day we start and with how many sites."
            ),
            values={"first": "2026-03-26", "most": 70, "fixer": "junior", "reader": "sales_vp", "length": 60},
        ),
    ),
    lay=_lay,
    plan=_plan,
)  # fmt: skip
