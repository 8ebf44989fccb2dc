"""A budget reconciled: a month's invoices, a building project, and our list against the ledger's."""

from __future__ import annotations

from typing import Final

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.flows.budget.bay import bay
from benchmarks.workflows.flows.budget.books import OPERATIONS, ROOT, SUBJECT, Books, summed
from benchmarks.workflows.flows.budget.february import february
from benchmarks.workflows.flows.budget.two_lists import two_lists
from benchmarks.workflows.layout import TODAY, Layout, address, first, person
from benchmarks.workflows.plan import Fact, Plan, Said, amount, pairs, says, spoken
from harness.task import Expected

__all__ = ("FLOW",)

_LENGTHS: Final = (40, 60, 30)
"""How long the talk is in each case, in minutes."""
_DAY_BEFORE: Final = {"2026-03-26": "2026-03-25", "2026-03-31": "2026-03-30", "2026-04-02": "2026-04-01"}


def _lay(layout: Layout, number: int) -> tuple[Books, int]:
    return (february, bay, two_lists)[number](layout), _LENGTHS[number]


def _plan(laid: tuple[Books, int], values: Values) -> Plan:
    books, minutes = laid
    dear = [name for name, left in books.left.items() if -left > values["limit"]]
    if not dear:
        raise Unfit("no line is over by more")
    over: dict[str, list[str]] = {}
    for name, left in books.left.items():
        if left < 0:
            over.setdefault(books.holders[name], []).append(name)
    company, customer, charged = books.customer
    file = books.main[0].rpartition("/")[2]

    plan = Plan(books.lines)
    look = plan.read("filesystem", "directory_tree", path=ROOT)
    rules = plan.open(books.rules, after=look)
    papers = [plan.open(path, after=rules, loop="papers") for path in books.papers]
    log = plan.open(books.log[0], after=rules)
    found = plan.read("gmail", "find_emails", query=books.search, after=rules)
    mails = [plan.conversation(mail, after=found, loop="mails") for mail in books.mails]
    files = [plan.read("gmail", "get_attachment", attachment_id=id, after=mails, loop="files") for id in books.files]
    chats = [plan.read("chat", "get_messages", channel=name, after=mails, loop="chats") for name in books.channels]
    notes = plan.read("simple_note", "find_notes", query="budget", after=look)
    note = plan.read("simple_note", "get_note", note_id=books.note, after=notes)
    projects = plan.read("todoist", "find_projects", after=note)
    record = plan.read("crm", "find_records", kind="company", query=customer, after=rules)
    day = plan.read("calendar", "find_events", person=address("controller"))

    notes_of = plan.read("crm", "get_record", record_id=company, after=record)
    dated = {"after": "2026-02-01", "before": TODAY, "detail": "detailed"}
    moved = plan.read("calendar", "find_events", query=books.event, after=rules, given=dated)
    settled = (*papers, *mails, *files, *chats, notes_of, moved)
    main = plan.save_sheet(*books.main, after=settled)
    beside = plan.save_sheet(*books.beside, after=settled)
    plan.save_sheet(*books.log, after=(log, main), over=True)
    plan.tasks(
        [
            {
                "title": f"{books.title}{name}", "project": OPERATIONS, "due": _DAY_BEFORE[values["meeting"]],
                "assignee": values["explainer"],
            }
            for name in dear
        ],
        after=(main, note, projects),
    )  # fmt: skip
    for post, names in over.items():
        lines = "\n".join(f"{name}: {-books.left[name]} EUR over" for name in names)
        plan.mail(
            post, f"Hello {person(post).first},\n\n{lines}\n\nGareth", subject=books.over_subject,
            expects=says(*pairs(*((name, amount(-books.left[name])) for name in names))), after=main,
            loop="over",
        )  # fmt: skip
    total = summed(books.left.values())
    sent = plan.mail(
        values["reader"], f"All in all {total} EUR are left (minus is over): {_form(_left(total))}.",
        subject=values["subject"], expects=says(_left(total)), after=(main, beside),
    )  # fmt: skip
    plan.answer(
        books.question, books.asks, books.asked,
        "It is EUR " + " and ".join(map(_form, books.answer)) + ".",
        expects=says(*books.answer), after=main,
    )  # fmt: skip
    plan.write(
        "crm", "add_note",
        Expected(
            op="insert", app="crm", table="notes",
            values={"record_id": company, "text": says(amount(charged)), "day": TODAY, "author": address("owner")},
        ),
        record_id=company, text=f"To be charged on: EUR {charged}", after=(main, record),
    )  # fmt: skip
    plan.book(
        "Budget talk",
        start=f"{values['meeting']} 10:00",
        minutes=minutes,
        people=("controller",),
        after=(day, note, sent),
    )
    plan.say("operations", "C002", f"It is in {file}.", expects=says(file), after=main)
    return plan


def _left(total: object) -> tuple[str, ...]:
    """What is left in all; where it is negative the amount by which all is over will do."""
    forms = amount(str(total).removeprefix("-"))
    return (*amount(str(total)), *forms) if str(total).startswith("-") else forms


def _form(fact: Fact | Said) -> str:
    if isinstance(fact, Said):
        return f"{fact.forms[0]} {fact.key[0]}"
    return fact if isinstance(fact, str) else fact[0]


FLOW: Final = Flow(
    name="budget",
    domain="finance",
    apps=("calendar", "chat", "crm", "filesystem", "gmail", "simple_note", "todoist"),
    slots={
        "limit": SlotSpec(
            kind="threshold", dimension="constraint", subdimension="numeric_bound", options=(100, 200, 300),
            text=lambda value: f"EUR {value}", why="From where on it matters is nowhere written down.",
        ),
        "explainer": SlotSpec(
            kind="person", role="who finds out why", dimension="goal", subdimension="target", text=first,
            options=("planner", "logistics", "junior"), why="Any of those in the project could do it.",
        ),
        "meeting": SlotSpec(
            kind="date", role="day of the talk", dimension="constraint", subdimension="temporal", text=spoken,
            options=tuple(_DAY_BEFORE), why="Nothing says when.",
        ),
        "reader": SlotSpec(
            kind="person", role="who gets the result", dimension="goal", subdimension="target", text=first,
            options=("cfo", "coo", "ceo"), guessability=0.5, why="It is one of three whom budgets concern.",
        ),
        "subject": SlotSpec(
            kind="subject", role="subject line", dimension="context", subdimension="conventions",
            text=lambda value: f'"{value}"', options=(SUBJECT, "Money left in operations", "Budget, in short"),
            guessability=1.0, why="The paper on the budget says what that mail is always called, and it is that.",
        ),
    },
    cases=(
        Case(
            wording=(
                "February has to be reconciled for our cost centres, and Wanda is waiting. Everything is in "
                "finance/cost_centres; follow how_a_month_is_reconciled.md and do everything it asks for. For each "
                "centre that is over budget by more than {limit}, please make a task for {explainer}, as my note "
                "on budget talks says. Send {reader} a mail under the subject {subject} with what is left of all "
                "budgets taken together. \"Budget talk\" with Wanda is on {meeting}; please put it in the "
                "calendar, time and length are in that same note. Tamsin wrote about the hall, please reply to "
                "her. And don't forget Jessop in the CRM."
            ),
            values={
                "limit": 100, "explainer": "planner", "meeting": "2026-03-26", "reader": "cfo", "subject": SUBJECT,
            },
        ),
        Case(
            wording=(
                "How are we doing on the new bay? Please work it out the way the_bay_and_its_money.md in "
                "finance/cost_centres/bay describes, and do whatever else that page asks for; note that people "
                "have kept writing about it since. Then send {reader} a mail under the subject {subject} with what "
                "is left of all lines taken together. If a line is over budget by more than {limit}, I'd like a "
                "task for {explainer} to find out why; my note on budget talks says how. The same note says when "
                "\"Budget talk\" with Wanda starts and how long it lasts; put it in the calendar for {meeting}. "
                "Vikram asked me about his doors, please reply to him with both figures."
            ),
            values={
                "limit": 200, "explainer": "junior", "meeting": "2026-03-31", "reader": "coo", "subject": SUBJECT,
            },
        ),
        Case(
            wording=(
                "The ledger and our own list for February don't agree, as usual. Both are in "
                "finance/cost_centres/2026_02, and two_lists_one_truth.md one folder up says how to settle it and "
                "what follows from it, mails and CRM included. Some of the invoices are in my mailbox as "
                "attachments. I want a task for {explainer} about every centre that is over budget by more than "
                "{limit}, with title and date as my note on budget talks says. Put \"Budget talk\" with Wanda in "
                "the calendar for {meeting}, time and length as in the note. Then send {reader} a mail under the "
                "subject {subject} that says what is left in all. And reply to Emeka, who has his eye on a "
                "soldering iron; answer both his questions."
            ),
            values={
                "limit": 100, "explainer": "logistics", "meeting": "2026-04-02", "reader": "ceo", "subject": SUBJECT,
            },
        ),
    ),
    lay=_lay,
    plan=_plan,
)  # fmt: skip
