"""A team is reorganised: tasks, deals, standing meetings and files go to other people, by rules."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.flows.reorganisation.books import Books, Rows
from benchmarks.workflows.flows.reorganisation.days import days
from benchmarks.workflows.flows.reorganisation.desk import desk
from benchmarks.workflows.flows.reorganisation.regions import regions
from benchmarks.workflows.layout import Layout, address, first, guest, person
from benchmarks.workflows.plan import Plan, amount, pairs, says, spoken
from harness.task import Expected

__all__ = ("FLOW",)


def _lay(layout: Layout, number: int) -> Books:
    return (desk, regions, days)[number](layout)


def _plan(books: Books, values: Values) -> Plan:
    hands = books.decide(values["start"], values["heir"], values["limit"])
    if not (hands.tasks and hands.deals):
        raise Unfit("nothing changes hands")

    plan = Plan()
    look = plan.read("filesystem", "directory_tree", path=books.look)
    rules = plan.open(books.rules, after=look)
    papers = [plan.open(path, after=rules, loop="papers") for path in books.papers]
    found = plan.read("gmail", "find_emails", query=books.query, after=rules)
    mails = [plan.conversation(mail, after=found, loop="mails") for mail in books.mails]
    chat = plan.read("chat", "get_messages", channel=books.channel, after=mails)
    notes = plan.read("simple_note", "find_notes", after=rules)
    note = plan.read("simple_note", "get_note", note_id=books.note, after=notes)
    tasks = plan.read("todoist", "find_tasks", project_id=books.project, after=rules)
    deals = plan.read("crm", "find_records", kind="deal", stage="Open", after=rules)
    companies = plan.read("crm", "find_records", kind="company", after=deals)
    events = plan.read("calendar", "find_events", after=rules)

    known = (*papers, *mails, chat, note)
    done = []
    for taker in dict.fromkeys(each.new for each in hands.tasks):
        theirs = [each.id for each in hands.tasks if each.new == taker]
        done.append(
            plan.write(
                "todoist", "update_tasks", [_changed("todoist", "tasks", id, assignee=address(taker)) for id in theirs],
                task_ids=theirs, assignee=address(taker), after=(*known, tasks), loop="tasks",
            )
        )  # fmt: skip
    for taker in dict.fromkeys(each.new for each in hands.deals):
        theirs = [each.id for each in hands.deals if each.new == taker and each.amount is None]
        if theirs:
            done.append(
                plan.write(
                    "crm", "assign_records", [_changed("crm", "deals", id, owner=address(taker)) for id in theirs],
                    record_ids=theirs, owner=address(taker), after=(*known, deals, companies), loop="deals",
                )
            )  # fmt: skip
    done += [
        plan.change(
            "crm", "save_deal", "deals", deal.id, {"owner": address(deal.new), "amount": deal.amount}, deal_id=deal.id,
            owner=address(deal.new), amount=deal.amount, after=(*known, deals, companies), loop="deals",
        )
        for deal in hands.deals
        if deal.amount is not None
    ]  # fmt: skip
    for meeting in hands.meetings:
        stay = [{**guest(each), "response": "accepted"} for each in hands.stay[meeting.id]]
        done.append(
            plan.change(
                "calendar", "update_event", "events", meeting.id,
                {
                    "attendees": [*stay, guest(meeting.new)],
                    "participant_email": (stay or [guest(meeting.new)])[0]["address"],
                },
                event_id=meeting.id, scope="all", uninvite=[address(each) for each in hands.leave[meeting.id]],
                invite=[address(meeting.new)], after=(*known, events), loop="meetings",
            )
        )  # fmt: skip

    rows: Rows = [("kind", "what", "from", "to")]
    for kind, all_of in (
        ("task", hands.tasks), ("deal", hands.deals), ("meeting", hands.meetings), ("file", hands.files),
    ):  # fmt: skip
        rows += [(kind, each.what, person(each.old).name, person(each.new).name) for each in all_of]
    sheet = plan.save_sheet(books.sheet, rows, after=done)
    register = plan.save_sheet(books.register, hands.register, over=True, after=known)
    total = sum((deal.eur for deal in hands.deals), Decimal(0))
    plan.mail(
        values["reader"],
        f"It is done: {len(rows) - 1} items in all have changed hands, among them deals worth {total} EUR. The list "
        f"is {books.sheet}.",
        subject=values["subject"],
        expects=says(*pairs((_ITEMS, str(len(rows) - 1)), (_WORTH, amount(total)), named=False)),
        after=(sheet, register),
    )
    return plan


_ITEMS: Final = ("items", "things", "entries", "lines", "rows")
_WORTH: Final = ("EUR",)
"""What people call the two figures of the mail, which may not be exchanged."""


def _changed(app: str, table: str, id: str, **values: Any) -> Expected:
    return Expected(op="update", app=app, table=table, id=id, values=values)


FLOW: Final = Flow(
    name="reorganisation",
    domain="operations",
    apps=("calendar", "chat", "crm", "filesystem", "gmail", "simple_note", "todoist"),
    slots={
        "start": SlotSpec(
            kind="date", role="day of the change", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-30", "2026-04-01", "2026-04-08"), why="No paper says from when it holds.",
        ),
        "heir": SlotSpec(
            kind="person", role="assignee", dimension="goal", subdimension="target", text=first,
            options=("facility", "junior", "it"), why="It is what no rule gives to anybody.",
        ),
        "limit": SlotSpec(
            kind="threshold", dimension="constraint", subdimension="numeric_bound", options=(5000, 10000, 20000),
            text=lambda value: f"{value:,} EUR", why="What counts as large is set anew with each change.",
        ),
        "reader": SlotSpec(
            kind="person", role="who hears of it", dimension="goal", subdimension="target", text=first,
            options=("coo", "cfo", "controller"), guessability=0.5, why="It is one of three whom Gareth reports to.",
        ),
        "subject": SlotSpec(
            kind="subject", role="subject line", dimension="goal", subdimension="format", guessability=1.0,
            options=("Hand-over", "Who does what now", "Work in new hands"),
            why="The rules of the house say what such a mail is called.",
        ),
    },
    cases=(
        Case(
            wording=(
                "The installation desk closes on {start}, and its work needs new owners: the tasks in the project "
                "Installations, the deals, the standing meetings and the files. Please do it as "
                "teams/desk/closing_a_desk.md says, all of it today, with the sheet and the register it asks for. "
                "Deals worth more than {limit} go to Giulia. Anything left without an owner goes to {heir}. When "
                "you're done, send {reader} a mail under the subject \"{subject}\" that says how many items the "
                "sheet lists and what the deals in it are worth together in EUR."
            ),
            values={
                "start": "2026-04-01", "heir": "junior", "limit": 10000, "reader": "coo", "subject": "Hand-over",
            },
        ),
        Case(
            wording=(
                "Customer care is being split by region on {start}. The rules are in two_regions.md in "
                "teams/regions; could you carry it all out today? That means tasks (project Customer care), open "
                "deals, the meetings with customers, and who keeps which file. Deals of more than {limit} go to "
                "Giulia herself, and whatever the rules assign to nobody goes to {heir}. At the end send {reader} "
                "a mail under the subject \"{subject}\" with the number of items in your sheet and the sum of the "
                "deals there in EUR."
            ),
            values={
                "start": "2026-03-30", "heir": "facility", "limit": 5000, "reader": "controller",
                "subject": "Hand-over",
            },
        ),
        Case(
            wording=(
                "Devika is going to work Monday to Wednesday only from {start}, and part of what she has goes to "
                "others. How it works is described in teams/fewer_days; start with fewer_days.md. Please see to "
                "the tasks in Key accounts, her deals, her standing meetings with me and the file register, and "
                "write the sheet. Deals above {limit} go to Giulia; whatever the rules assign to nobody goes to "
                "{heir}. Then send {reader} a mail under the subject \"{subject}\" with the number of items in the "
                "sheet and what the deals among them come to in EUR."
            ),
            values={
                "start": "2026-04-01", "heir": "it", "limit": 20000, "reader": "cfo", "subject": "Hand-over",
            },
        ),
    ),
    lay=_lay,
    plan=_plan,
)  # fmt: skip
