"""Contracts before they renew: last days, prices to come, who decides, what is ended, and what is told to whom."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.flows.renewals import fleet, hall, software
from benchmarks.workflows.flows.renewals.terms import Contract, Drawer
from benchmarks.workflows.layout import TODAY, Layout, person
from benchmarks.workflows.plan import Plan, amount, says, spoken

__all__ = ("FLOW",)

_DRAWERS: Final = (hall.DRAWER, software.DRAWER, fleet.DRAWER)
_MEMBERS: Final = (
    "coo", "cfo", "cto", "controller", "facility", "logistics", "planner", "junior", "it", "product", "support",
    "marketing", "hr", "accounts", "qa", "firmware",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class _Laid:
    """A drawer with its ids: of mails, of the note, of the project, and of open tasks by title."""

    drawer: Drawer
    mails: tuple[str, ...]
    note: str
    project: str
    open: dict[str, str]


def _terms(drawer: Drawer, contract: Contract) -> str:
    name = contract.what.lower().replace(" ", "_").replace(",", "")
    return f"{drawer.folder}/terms/{contract.number.lower().replace('-', '')}_{name}.md"


def _lay(layout: Layout, number: int) -> _Laid:
    drawer = _DRAWERS[number]
    for path, at, text in drawer.papers:
        layout.file(path, text, at=at)
    for contract in drawer.contracts:
        amended = "Amendment" in contract.text
        at = "2026-01-12 14:00" if amended else "2025-09-18 14:00"
        layout.file(_terms(drawer, contract), contract.text, at=at)
    layout.sheet(
        f"{drawer.folder}/register.csv",
        [
            ("number", "what", "supplier", "ends", "answers for it"),
            *(
                (each.number, each.what, each.supplier, each.listed or each.end, person(each.owner or "owner").name)
                for each in drawer.contracts
            ),
        ],
        at="2025-10-06 11:15",
    )
    mails = tuple(layout.mail(who, subject, text, at=at) for who, subject, at, text in drawer.mails)
    for who, at, text in drawer.chat:
        layout.message("operations", who, text, at=at)
    title, at, text = drawer.note
    note = layout.note(title, text, at=at)
    project = layout.project("Contracts", members=_MEMBERS)
    found = {}
    for what, due, who, done in drawer.tasks:
        id = layout.task(
            what, project=project, due=due, assignee=who, **({"completed": f"{due}T15:00:00"} if done else {})
        )
        if not done:
            found[what] = id
    return _Laid(drawer=drawer, mails=mails, note=note, project=project, open=found)


def _plan(laid: _Laid, values: Values) -> Plan:
    drawer = laid.drawer
    listed = sorted(
        (each for each in drawer.contracts if not each.apart and TODAY <= each.last <= values["until"]),
        key=lambda each: (each.last, each.number),
    )
    fates = {each.number: drawer.fate(each, values["rise"]) for each in listed}
    ended = [each for each in listed if fates[each.number] == drawer.ended]
    if not ended:
        raise Unfit("nothing is ended")

    plan = Plan()
    look = plan.read("filesystem", "directory_tree", path=drawer.folder)
    rules = plan.open(drawer.to_read[0], after=look)
    papers = [plan.open(path, after=rules) for path in (f"{drawer.folder}/register.csv", *drawer.to_read[1:])]
    paths = [_terms(drawer, each) for each in drawer.contracts]
    files = [
        plan.read(
            "filesystem", "read_multiple_files", paths=paths[first : first + 3], after=papers[0], loop="terms"
        )
        for first in range(0, len(paths), 3)
    ]  # fmt: skip
    found = plan.read("gmail", "find_emails", query=drawer.search, after=files)
    mails = [plan.conversation(id, after=found, loop="mails") for id in laid.mails]
    chat = plan.read("chat", "get_messages", channel="#operations", after=rules)
    notes = plan.read("simple_note", "find_notes", query="contract", after=rules)
    note = plan.read("simple_note", "get_note", note_id=laid.note, after=notes)
    projects = plan.read("todoist", "find_projects", query="Contracts", after=rules)
    tasks = plan.read("todoist", "find_tasks", project_id=laid.project, after=projects)

    sheet = plan.save_sheet(
        drawer.sheet,
        [drawer.columns, *(drawer.row(each, fates[each.number]) for each in listed)],
        after=(*papers, *files, *mails, chat, note),
    )
    sent = sheet
    for contract in listed:
        if fates[contract.number] in drawer.mailed:
            facts = drawer.mail(contract, fates[contract.number])
            said = facts[0] if isinstance(facts[0], str) else facts[0][0]
            letter = drawer.mailed[fates[contract.number]].format(number=contract.number, said=said)
            sent = plan.mail(
                contract.mailbox,
                f"Hello,\n\n{letter}\n\n{person('owner').name}",
                subject=values["subject"],
                expects=says(contract.number, *facts),
                after=sheet,
                loop="suppliers",
            )
    new: list[dict[str, str]] = []
    for contract in listed:
        if fates[contract.number] in drawer.tasked:
            begin, whose = drawer.tasked[fates[contract.number]]
            title, who = f"{begin}: {contract.what}", whose(contract)
            if title in laid.open:
                plan.change(
                    "todoist", "update_tasks", "tasks", laid.open[title], {"due_date": values["due"]},
                    task_ids=[laid.open[title]], due=values["due"], after=(sheet, tasks),
                )  # fmt: skip
            else:
                new.append({"title": title, "project": laid.project, "due": values["due"], "assignee": who})
    if new:
        plan.tasks(new, after=(sheet, tasks))
    total = sum((each.after for each in listed if each not in ended), Decimal(0))
    told = plan.mail(
        values["reader"],
        f"Hello {person(values['reader']).first},\n\nwhat goes on comes to {total} EUR a year, see the list."
        f"\n\n{person('owner').first}",
        subject=drawer.subject,
        expects=says(amount(total)),
        after=sheet,
    )
    plan.book(drawer.event, start=drawer.start, minutes=30, people=(values["reader"],), after=told)
    plan.say(
        "operations",
        "C002",
        f"These end: {', '.join(each.what for each in ended)}",
        expects=says(*(each.what for each in ended)),
        after=sent,
    )
    return plan


FLOW: Final = Flow(
    name="renewals",
    domain="operations",
    apps=("calendar", "chat", "crm", "filesystem", "gmail", "simple_note", "todoist"),
    slots={
        "until": SlotSpec(
            kind="date", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-04-30", "2026-05-29", "2026-06-30"), why="How far to look ahead is said each time.",
        ),
        "rise": SlotSpec(
            kind="threshold", dimension="constraint", subdimension="numeric_bound", options=(2, 4, 6),
            text=lambda value: f"{value} percent", why="The rules leave the limit to whoever asks.",
        ),
        "reader": SlotSpec(
            kind="person", dimension="goal", subdimension="target", options=("controller", "cfo", "coo", "accounts"),
            text=lambda post: person(post).first, guessability=0.5, why="It is one of those who deal with money.",
        ),
        "due": SlotSpec(
            kind="due_date", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-27", "2026-04-01", "2026-04-08"), why="Nothing says when.",
        ),
        "subject": SlotSpec(
            kind="subject", dimension="context", subdimension="conventions", text=lambda value: f"\"{value}\"",
            options=("Your contract with us", "Our contract with you", "Contract notice"), guessability=1.0,
            why="The rules say under which subject such mails go out.",
        ),
    },
    cases=(
        Case(
            wording=(
                "Could you do a round of the contracts in contracts/hall? The page before_they_renew.md says how. "
                "Take all those with a last day up to {until}. A rise of more than {rise} is too much. Whatever I "
                "can end myself, end today, under the subject {subject}. Tasks for the others are due on {due}. "
                "Send {reader} a mail, \"Hall contracts\", with the EUR total of the column \"next\" over "
                "everything in the list that we are not ending, and an invitation to half an hour with me, 26 "
                "March at 11, \"Hall contracts, line by line\". Tell #operations which contracts we are ending, by "
                "name."
            ),
            values={
                "until": "2026-05-29", "rise": 4, "reader": "controller", "due": "2026-04-01",
                "subject": "Your contract with us",
            },
        ),
        Case(
            wording=(
                "Emeka would like us to go through the software before it goes through us. Please do what "
                "contracts/software/before_a_term_ends.md says for the tools with a last day up to {until}; no "
                "seat's price may go up by more than {rise}. Mails to suppliers go out today, under the subject "
                "{subject}. If people have to move, their tasks are due on {due}. When the list is there, send "
                "{reader} the EUR total of its column \"next\" over all tools that we are not ending, subject "
                "\"Software, next terms\", and an invitation to thirty minutes with me under the same title, 31 "
                "March, 3 pm. Post in #operations which tools we are ending."
            ),
            values={
                "until": "2026-06-30", "rise": 4, "reader": "cfo", "due": "2026-04-08",
                "subject": "Your contract with us",
            },
        ),
        Case(
            wording=(
                "Vehicles and storage are waiting for us: please settle the contracts in contracts/fleet, "
                "following vehicles_and_storage.md, those with a last day up to {until}. In this round, a rise of "
                "more than {rise} is too much. Order the extensions right away, with the subject {subject}; the "
                "tasks are due on {due}. Then send {reader} a mail, subject \"Vehicles and storage\", with the EUR "
                "total of the column \"next\" over everything on the list that is not ending, including what is "
                "still to be decided. I'd like half an hour with whoever gets that mail, \"Vehicles and storage, "
                "the year ahead\", 24 March, 11 o'clock. Post in #operations what we are ending, each by its name."
            ),
            values={
                "until": "2026-05-29", "rise": 4, "reader": "accounts", "due": "2026-03-27",
                "subject": "Your contract with us",
            },
        ),
    ),
    lay=_lay,
    plan=_plan,
)  # fmt: skip
