"""Across apps: what late tasks lead to, and keeping in touch with a customer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from benchmarks.workbench.synth.office import Office, is_overdue
from benchmarks.workbench.synth.templates import find
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.slots import clock, count, customer, day, duration, period, person, quoted
from benchmarks.workbench.synth.templates.steps import Step, book, mail
from harness.agents.reference import GiveUp, Worker

__all__ = ("FOLLOW_UP_CUSTOMER", "OVERDUE_RULE")


def _overdue_rule(office: Office, values: Values) -> Sequence[Step]:
    who = office.people[values["participant"]]
    late = sum(task["assigned_to_email"] == who and is_overdue(task, office.today) for task in office.tasks)
    if late < values["threshold"]:
        return []
    start = office.first_slot(values["duration"])
    return [book(values["title"], who, start, values["duration"]), mail(who, values["title"], values["body"])]


async def _play_overdue_rule(worker: Worker) -> None:
    who = await find.address(worker, await worker.slot("participant"))
    late = [task for task in await find.tasks(worker, who) if is_overdue(task, worker.now.date())]
    if len(late) < await worker.slot("threshold"):
        return
    minutes, title = await worker.slot("duration"), await worker.slot("title")
    body = await worker.slot("body")
    start = await find.first_slot(worker, minutes)
    await find.book(worker, title, who, start, minutes)
    await worker.call("gmail", "send_email", recipient=who, subject=title, body=body)


OVERDUE_RULE = Template(
    name="overdue-rule",
    domains=("project_management", "calendar", "email"),
    wordings=(
        "Our rule is that {threshold} overdue tasks or more call for a talk. See whether that applies to "
        '{participant}; if so, book a {duration} meeting with them called "{title}" in my first free slot from '
        'tomorrow and send them a mail with the same title that says "{body}"',
        "Count the overdue tasks of {participant}. If there are {threshold} of them or more, put a {duration} meeting "
        'with them named "{title}" at the earliest time I am free from tomorrow on, and mail them "{body}" under the '
        "same name.",
        "Does {participant} have overdue tasks, {threshold} at least? In that case I want to see them: schedule "
        '"{title}" as a {duration} meeting for the first gap in my calendar from tomorrow, and mail them, with the '
        'name of the meeting as the subject, this text: "{body}"',
    ),
    slots={
        "threshold": count(
            (1, 2, 3, 4, 5, 6, 7, 8, 10),
            dimension="context",
            subdimension="business_logic",
            why="It is a rule of the user's own.",
            complete_without=True,
        ),
        "participant": person(
            "participant",
            lambda office: office.staff,
            dimension="input",
            subdimension="identifier",
            why="Nearly everybody has overdue tasks.",
        ),
        "duration": duration(
            (20, 30, 45, 60),
            dimension="constraint",
            subdimension="numeric_bound",
            guessability=0.5,
            why="Half an hour is common.",
        ),
        "title": quoted(
            "event_name",
            "goal",
            "content",
            ("Late tasks", "Your workload", "Getting back on track", "Deadlines", "What is holding you up"),
            why="Nothing in the workplace tells what to call the meeting.",
        ),
        "body": quoted(
            "body",
            "goal",
            "content",
            (
                "Let us go through your late tasks together.",
                "Please bring a list of what blocks you.",
                "I would like to hear how I can help.",
                "Tell me beforehand which dates you cannot keep.",
                "No need to prepare anything.",
            ),
            why="The wording of a mail is the user's own.",
        ),
    },
    outcome=_overdue_rule,
    program=_play_overdue_rule,
    idle=3,
)


def _follow_up(office: Office, values: Values) -> Sequence[Step]:
    row = next(row for row in office.customers if row["customer_name"] == values["customer"])
    if row["last_contact_date"] >= office.ago(values["period"]):
        return []
    start = f"{values['date']} {values['time']}"
    return [
        book(values["title"], row["assigned_to_email"], start, values["duration"]),
        mail(row["assigned_to_email"], values["title"], values["body"]),
    ]


async def _play_follow_up(worker: Worker) -> None:
    name = await worker.slot("customer")
    found = await worker.call("crm", "search_customers", customer_name=name)
    rows = [row for row in found if row["customer_name"].casefold() == name.casefold()]
    if len(rows) != 1:
        raise GiveUp(f"The CRM has {len(rows)} customers called {name!r}, not one.")
    since = worker.now.date() - timedelta(days=await worker.slot("period"))
    if rows[0]["last_contact_date"] >= str(since):
        return
    title, who = await worker.slot("title"), rows[0]["assigned_to_email"]
    start = f"{await worker.slot('date')} {await worker.slot('time')}"
    minutes, body = await worker.slot("duration"), await worker.slot("body")
    await find.book(worker, title, who, start, minutes)
    await worker.call("gmail", "send_email", recipient=who, subject=title, body=body)


FOLLOW_UP_CUSTOMER = Template(
    name="follow-up-customer",
    domains=("customer_relationship_manager", "calendar", "email"),
    wordings=(
        "If nobody has been in contact with {customer} for more than {period}, book a {duration} meeting on {date} at "
        '{time} with whoever looks after them. Call it "{title}", and mail that colleague under the same title: '
        '"{body}"',
        "Check in the CRM when we last had contact with {customer}. Should that be more than {period} ago, I want to "
        'meet the colleague in charge of them on {date} at {time}: a {duration} meeting with the name "{title}". Mail '
        'them "{body}" as well, with the same name as the subject.',
        "Has it been more than {period} since our last contact with {customer}? Then invite the colleague they are "
        'assigned to for {date} at {time} to a {duration} meeting entitled "{title}", and send that colleague a mail '
        'of the same title saying "{body}"',
    ),
    slots={
        "customer": customer(
            dimension="input",
            subdimension="identifier",
            why="There are two hundred customers.",
        ),
        "period": period(
            (7, 14, 21, 28, 42, 56),
            dimension="constraint",
            subdimension="temporal",
            why="How long is too long is the user's own view.",
        ),
        "date": day(
            "date",
            lambda office: office.workdays(8),
            dimension="constraint",
            subdimension="temporal",
            why="Any coming day might be meant.",
        ),
        "time": clock(
            ("09:00:00", "10:30:00", "11:00:00", "13:00:00", "14:30:00", "16:00:00"),
            dimension="constraint",
            subdimension="precision",
            why="Any working hour might be meant.",
        ),
        "duration": duration(
            (30, 45, 60),
            dimension="constraint",
            subdimension="numeric_bound",
            guessability=0.5,
            why="Half an hour is common.",
        ),
        "title": quoted(
            "event_name",
            "goal",
            "content",
            ("A quiet customer", "Next steps", "Account check", "Keeping in touch"),
            why="Nothing in the workplace tells what to call the meeting.",
        ),
        "body": quoted(
            "body",
            "goal",
            "content",
            (
                "Please bring your notes on this customer.",
                "Can you call them before we meet?",
                "I would like to understand why we lost touch.",
                "Have an offer ready for them by then.",
            ),
            why="The wording of a mail is the user's own.",
        ),
    },
    outcome=_follow_up,
    program=_play_follow_up,
    idle=3,
)
