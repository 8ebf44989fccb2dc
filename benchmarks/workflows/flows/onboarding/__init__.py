"""People who join: what is done by when and by whom, their kit, what they may enter, and who looks after them."""

from __future__ import annotations

from typing import Final

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.flows.onboarding.books import ROOT, Books, Joiner
from benchmarks.workflows.flows.onboarding.moves import moves
from benchmarks.workflows.flows.onboarding.spring import spring
from benchmarks.workflows.flows.onboarding.summer import summer
from benchmarks.workflows.layout import Layout, company, first, person
from benchmarks.workflows.plan import Plan, amount, day, says, spoken

__all__ = ("FLOW",)


def _lay(layout: Layout, number: int) -> Books:
    return (spring, summer, moves)[number](layout)


def _plan(books: Books, values: Values) -> Plan:
    signing = [each for each in books.joiners if each.worth > values["limit"]]
    if not signing:
        raise Unfit("nobody's kit is worth more")

    plan = Plan()
    look = plan.read("filesystem", "directory_tree", path=ROOT)
    rules = plan.open(books.rules, after=look)
    people = plan.open(books.people, after=rules)
    papers = [plan.open(path, after=rules, loop="papers") for path in books.papers]
    found = plan.read("gmail", "find_emails", query=books.query, after=people)
    mails = [plan.conversation(mail, after=found, loop="mails") for mail in books.mails]
    chat = plan.read("chat", "get_messages", channel=books.channel, after=mails)
    told = [chat]
    if books.note:
        noted = plan.read("simple_note", "find_notes", after=rules)
        told.append(plan.read("simple_note", "get_note", note_id=books.note, after=noted))
    projects = plan.read("todoist", "find_projects", after=rules)

    last = chat
    made = []
    for path, rows in books.sheets.items():
        last = plan.save_sheet(path, rows, after=(*told, *mails, *papers, people))
        made.append(last)
    plan.tasks(
        [
            *(
                {
                    "title": books.week.format(each.name), "project": books.project, "due": values["due"],
                    "assignee": _post(each.buddy),
                }
                for each in books.joiners
            ),
            *(
                {
                    "title": books.sign.format(each.name), "project": books.project, "due": each.start,
                    "assignee": "owner",
                }
                for each in signing
            ),
        ],
        after=(*made, projects),
    )  # fmt: skip
    for each in books.joiners:
        plan.book(
            books.hour.format(each.name), start=f"{each.start} {values['time']}", minutes=books.minutes,
            people=(values["lead"],), after=made[0], loop="hours",
        )  # fmt: skip
    for each in books.joiners:
        plan.mail(
            each.mail, _welcome(each, values["time"]), subject=books.welcome,
            expects=says(day(each.start), _clock(values["time"]), each.buddy), after=made[0], loop="welcome",
        )  # fmt: skip
    plan.mail(
        values["buyer"], f"Here is what we need, {books.total} EUR in all. The list is with the papers.",
        subject=books.order, expects=says(amount(books.total)), after=made[1],
    )  # fmt: skip
    return plan


def _welcome(joiner: Joiner, time: str) -> str:
    return (
        f"Hello {joiner.name},\n\nwe expect you on {joiner.start} at {time}. {joiner.buddy} will look after you in "
        f"your first week.\n\n{person('owner').name}"
    )


def _clock(time: str) -> tuple[str, ...]:
    """A time in the forms that people write."""
    bare = time.removeprefix("0")
    said = {"09:00": "nine", "09:30": "half past nine", "10:00": "ten"}[time]
    whole = (f"{bare.removesuffix(':00')}am", f"{bare.removesuffix(':00')} am") if time.endswith(":00") else ()
    return (time, bare, f"{bare}am", bare.replace(":", "."), time.replace(":", "."), said, *whole)


def _post(name: str) -> str:
    return next(key for key, who in company().people.items() if who.name == name)


FLOW: Final = Flow(
    name="onboarding",
    domain="hr",
    apps=("calendar", "chat", "crm", "filesystem", "gmail", "simple_note", "todoist"),
    slots={
        "limit": SlotSpec(
            kind="threshold", dimension="constraint", subdimension="numeric_bound", options=(50, 120, 800, 1200),
            text=lambda value: f"{value} EUR", why="No paper says from when somebody has to sign.",
        ),
        "due": SlotSpec(
            kind="due_date", dimension="constraint", subdimension="temporal", text=spoken,
            options=("2026-03-25", "2026-03-27", "2026-03-31"), why="Nothing says when buddies have to be ready.",
        ),
        "lead": SlotSpec(
            kind="person", role="who welcomes them", dimension="goal", subdimension="target", text=first,
            options=("recruiter", "coo", "marketing"), why="It is nobody's job; whoever has the time does it.",
        ),
        "time": SlotSpec(
            kind="time", dimension="constraint", subdimension="temporal", text=str, guessability=1.0,
            options=("09:00", "09:30", "10:00"), why="The rules of the house say when people come on a first day.",
        ),
        "buyer": SlotSpec(
            kind="person", role="who orders the kit", dimension="goal", subdimension="target", text=first,
            options=("facility", "accounts", "logistics"), why="Several order things; no paper says who does here.",
        ),
    },
    cases=(
        Case(
            wording=(
                "Could you get the April starters ready? Everything is in people/joining; how_people_join.md says "
                "which three sheets we need. In the project Joiners each buddy gets a task \"First week with "
                "NAME\", to be done by {due}, and there is one more, \"Sign for the kit: NAME\", assigned to me "
                "and due on the first day, for everybody whose kit is worth more than {limit}. For each starter "
                "put \"First hour: NAME\" in my calendar, an hour with {lead} at {time} on the first day. Send the "
                "total of the kit order to {buyer}, subject \"Kit for April\". And write to each of the starters, "
                "subject \"Your first day\": which day, what time, and the buddy's full name."
            ),
            values={"limit": 800, "due": "2026-03-27", "lead": "recruiter", "time": "09:30", "buyer": "facility"},
        ),
        Case(
            wording=(
                "The hall is taking people on for the summer, see people/summer_hall. Please do what "
                "how_we_take_people_on.md asks for, so that the calendar, the kit order and the keys are all "
                "settled today. Everybody who starts gets a mail, subject \"Welcome to the hall\", with the day, "
                "the time and the full name of the buddy. Book 45 minutes \"Welcome NAME\" with {lead} for each of "
                "them, at {time} on the first day. The tasks go in the project Summer hall: \"Show NAME the hall\" "
                "for the buddy, to be done by {due}, and \"Receipt for NAME\", assigned to me and due on the first "
                "day, for everybody whose kit is worth more than {limit}. Somebody else places the order: just "
                "send the total to {buyer}, subject \"Summer kit\"."
            ),
            values={"limit": 50, "due": "2026-03-31", "lead": "coo", "time": "09:30", "buyer": "accounts"},
        ),
        Case(
            wording=(
                "The spring moves between teams need preparing; everything about them is in people/moves. Write "
                "the sheets that moving_teams.md asks for. If somebody's new kit is worth more than {limit}, I "
                "have to approve it: a task \"Approve kit: NAME\", assigned to me, due on the first day in the new "
                "team. Each guide gets a task \"Guide NAME\", to be done by {due}; both go in the project Team "
                "moves. Put 30 minutes \"New team: NAME\" with {lead} in my calendar for everybody who moves, on "
                "the first day at {time}. Send the total of the order to {buyer}, subject \"Kit for the moves\", "
                "and mail everybody who moves, subject \"Your move\", with the day, the time and the guide's full "
                "name."
            ),
            values={"limit": 120, "due": "2026-03-25", "lead": "marketing", "time": "09:30", "buyer": "logistics"},
        ),
    ),
    lay=_lay,
    plan=_plan,
)  # fmt: skip
