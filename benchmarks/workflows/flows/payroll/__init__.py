"""Month-end pay of the hall: a month of weekly sheets, a fortnight of punches, and back pay after a rise."""

from __future__ import annotations

from typing import Final

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.flows.payroll.back_pay import back_pay
from benchmarks.workflows.flows.payroll.books import OPERATIONS, Books, said, summed
from benchmarks.workflows.flows.payroll.february import february
from benchmarks.workflows.flows.payroll.fortnight import fortnight
from benchmarks.workflows.layout import Layout, first, person
from benchmarks.workflows.plan import Fact, Plan, Said, amount, day, pairs, says, spoken
from harness.task import Expected

__all__ = ("FLOW",)


def _lay(layout: Layout, number: int) -> Books:
    return (february, fortnight, back_pay)[number](layout)


def _plan(books: Books, values: Values) -> Plan:
    many = [name for name, hours in books.overtime.items() if hours > values["limit"]]
    if not many:
        raise Unfit("nobody has more overtime")
    plan = Plan(books.lines)
    look = plan.read("filesystem", "directory_tree", path=books.tree)
    rules = plan.open(books.rules, after=look)
    sheets = [plan.open(path, after=rules, loop="sheets") for path in books.sheets]
    papers = [plan.open(path, after=rules, loop="papers") for path in books.papers]
    ledger = plan.open(books.ledger[0], after=rules)
    found = plan.read("gmail", "find_emails", query=books.search, after=rules)
    mails = [plan.conversation(mail, after=found, loop="mails") for mail in books.mails]
    chats = [plan.read("chat", "get_messages", channel=name, after=mails, loop="chats") for name in books.channels]
    records = []
    if books.records:
        companies = plan.read("crm", "find_records", kind="company", after=rules)
        records = [
            plan.read("crm", "get_record", record_id=id, after=companies, loop="records") for id in books.records
        ]
    events = []
    if books.events:
        word, begin, end = books.events
        dated = {"after": begin, "before": end, "detail": "detailed"}
        events.append(plan.read("calendar", "find_events", query=word, after=rules, given=dated))
    notes = plan.read("simple_note", "find_notes", query="payroll", after=look)
    note = plan.read("simple_note", "get_note", note_id=books.note, after=notes)
    projects = plan.read("todoist", "find_projects", after=note)
    reminder = plan.read("todoist", "find_tasks", project_id=OPERATIONS, assignee="me", after=projects)
    busy = plan.read("calendar", "find_events", query="payroll")

    settled = (*sheets, *papers, *mails, *chats, *records, *events)
    pay = plan.save_sheet(*books.pay, after=settled)
    beside = plan.save_sheet(*books.beside, after=settled)
    plan.save_sheet(*books.ledger, after=(ledger, pay), over=True)
    plan.tasks(
        [
            {
                "title": f"{books.title}{name}", "project": OPERATIONS, "due": values["due"],
                "assignee": values["talker"],
            }
            for name in many
        ],
        after=(pay, note, projects),
    )  # fmt: skip
    for lead, hours in books.told.items():
        lines = "\n".join(f"{name}: {count:.2f}" for name, count in hours.items())
        plan.mail(
            lead, f"Hello {person(lead).first},\n\nthe hours of your people:\n\n{lines}\n\nGareth",
            subject=books.lead_subject,
            expects=says(*pairs(*((name, said(count)) for name, count in hours.items()))),
            after=pay, loop="leads",
        )  # fmt: skip
    extra = summed(books.overtime.values())
    sent = plan.mail(
        values["reader"], f"It comes to {books.total} EUR, with {extra} hours of overtime.",
        subject=books.total_subject, after=(pay, beside),
        expects=says(*pairs((("EUR",), amount(books.total)), (("overtime", "hours"), said(extra)), named=False)),
    )  # fmt: skip
    plan.answer(
        books.question, books.asks, books.asked, "It is " + ", ".join(map(_form, books.answer)) + ".",
        expects=says(*books.answer), after=pay,
    )  # fmt: skip
    run = plan.book("Payroll run", start=f"{values['run']} 14:00", minutes=30, people=("accounts",), after=(busy, sent))
    plan.say(
        "operations", "C002", f"The run is on {spoken(values['run'])}.", expects=says(day(values["run"])), after=run
    )
    plan.write(
        "todoist", "create_comment",
        Expected(op="insert", app="todoist", table="comments",
                 values={
                "task_id": books.reminder, "text": says(amount(books.total)), "author": person("owner").address,
            }),
        task_id=books.reminder, text=f"{books.total} EUR in all", after=(sent, reminder),
    )  # fmt: skip
    return plan


def _form(fact: Fact | Said) -> str:
    if isinstance(fact, Said):
        return f"{fact.key[0]} {fact.forms[0]}"
    return fact if isinstance(fact, str) else fact[0]


FLOW: Final = Flow(
    name="payroll",
    domain="hr",
    apps=("calendar", "chat", "crm", "filesystem", "gmail", "simple_note", "todoist"),
    slots={
        "limit": SlotSpec(
            kind="threshold", dimension="constraint", subdimension="numeric_bound", options=(4, 6, 8),
            text=lambda value: f"{value} hours", why="How much is too much is nowhere written down.",
        ),
        "talker": SlotSpec(
            kind="person", role="who talks to them", dimension="goal", subdimension="target", text=first,
            options=("planner", "facility", "it"), why="Any of those in the project could do it.",
        ),
        "due": SlotSpec(
            kind="due_date", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-24", "2026-03-26", "2026-03-31"), why="Nothing says when.",
        ),
        "reader": SlotSpec(
            kind="person", role="who gets the sum", dimension="goal", subdimension="target", text=first,
            options=("controller", "cfo", "coo"), guessability=0.5, why="It is one of three who deal with money.",
        ),
        "run": SlotSpec(
            kind="date", role="day of the run", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-20", "2026-03-25", "2026-03-27"), guessability=1.0,
            why="The paper on pay says on which day the run usually is, and it is that day.",
        ),
    },
    cases=(
        Case(
            wording=(
                "Could you do the February pay for the hall? It's all in people/payroll, and "
                "how_we_pay_the_hall.md says what has to come out of it and who has to be told; please do all of "
                "it. As ever, half of the corrections came by mail and the rest in the chat. Make a task for "
                "{talker} about everyone with more than {limit} of overtime in the month, named as in my note "
                "about payroll, to be done by {due}. Send a mail to {reader}, subject \"Hall payroll February\", "
                "with the total in EUR and everybody's overtime hours as a single figure. Put \"Payroll run\" in "
                "the calendar with Rufus, half an hour from 14:00 on {run}. Fergus has a question about Tomos: "
                "reply to his mail. And don't forget the comment on the reminder, that's in my note as well."
            ),
            values={"limit": 6, "talker": "facility", "due": "2026-03-24", "reader": "controller", "run": "2026-03-25"},
        ),
        Case(
            wording=(
                "The late crew is due its pay for 2 to 13 March. Clock, door and lists are in "
                "people/payroll/late_20260302, the rules one folder up in late_crew.md. Please produce everything "
                "that page asks for, and tell everyone it says to tell. Send a mail to {reader}, subject \"Late "
                "crew: what it costs\", with what they all get together in EUR, net of advances, and their "
                "total hours of overtime. Anyone with more than {limit} of overtime in the fortnight is overdoing "
                "it: one task each for {talker}, named as my payroll note says, to be done by {due}. The note also "
                "covers the comment. Then put \"Payroll run\" with Rufus in the calendar on {run}, 14:00 to 14:30. "
                "Emeka has asked about late hours, please reply to him."
            ),
            values={"limit": 4, "talker": "planner", "due": "2026-03-26", "reader": "cfo", "run": "2026-03-20"},
        ),
        Case(
            wording=(
                "Fergus's rise is to be paid retroactively for January and February, and I promised it for this "
                "month. See people/payroll/rise_2026: how_back_pay_works.md says how, and I want everything it "
                "asks for done, the mails included. When you have it, send a mail to {reader}, subject \"Back pay "
                "for the rise\", with the sum in EUR and the overtime hours of everybody in back_pay.csv as a "
                "single figure, both months together. For each of them with more than {limit} of overtime in the "
                "two months (not counting agency months) I want a task for {talker}, as in my note on payroll, to "
                "be done by {due}. The same note says what to do with the reminder. Reply to Rufus, who is worried "
                "about Noor, and invite him to \"Payroll run\" on {run}, 30 minutes at two in the afternoon."
            ),
            values={"limit": 6, "talker": "it", "due": "2026-03-31", "reader": "coo", "run": "2026-03-27"},
        ),
    ),
    lay=_lay,
    plan=_plan,
)  # fmt: skip
