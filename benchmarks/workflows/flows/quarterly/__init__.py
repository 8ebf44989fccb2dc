"""A quarterly report from sheets, CRM, mails, chat and tasks: a paper says what counts, and one source is stale."""

from __future__ import annotations

from typing import Any, Final

from benchmarks.workflows.flow import Case, Flow, SlotSpec, Unfit, Values
from benchmarks.workflows.flows.quarterly.books import OPERATIONS, Books
from benchmarks.workflows.flows.quarterly.hall import lay_hall
from benchmarks.workflows.flows.quarterly.sales import lay_sales
from benchmarks.workflows.flows.quarterly.service import lay_service
from benchmarks.workflows.layout import TODAY, Layout, first, person
from benchmarks.workflows.plan import Plan, amount, day, pairs, says, spoken

__all__ = ("FLOW",)


def _plan(books: Books, values: Values) -> Plan:
    off = [figure for figure in books.figures if abs(figure.change) > values["margin"]]
    if not off:
        raise Unfit("no figure is beyond the margin")
    plan = Plan(books.lines)
    read = books.read(plan)
    mended = books.mend(plan, read[0])
    lines: list[tuple[Any, ...]] = [books.heads]
    for figure in books.figures:
        cells = {"figure": figure.name, "this": figure.value, "last": figure.last, "change": figure.change}
        lines.append(tuple(cells[_CELL[head]] for head in books.heads))
    split = plan.save_sheet(books.split, books.rows, after=(*read, mended))
    report = plan.save_sheet(books.report, lines, after=(split, mended))
    by_name = {figure.name: figure for figure in books.figures}
    told = pairs(
        *((_TOLD[name], (*amount(by_name[name].value), str(by_name[name].value))) for name in books.told), named=False
    )
    text = "\n".join(f"{name}: {by_name[name].value}" for name in books.told)
    mailed = plan.mail(
        books.reader, f"Hello,\n\nthe quarter in brief:\n\n{text}\n\n{person('owner').name}", subject=books.subject,
        expects=says(*told), after=report,
    )  # fmt: skip
    stale = books.stale.rpartition("/")[2]
    plan.mail(
        books.keeper,
        f"Hello,\n\n{stale} ends on {spoken(books.behind)}. Could you bring it up to date?\n\n{person('owner').name}",
        subject=f"Stale source: {stale}", expects=says(day(books.behind)), after=read,
    )  # fmt: skip
    tasks = plan.tasks(
        [
            {
                "title": books.explain.format(figure.name), "project": OPERATIONS, "due": values["due"],
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

_TOLD: Final = {
    "pieces sent": ("pieces sent", "sent pieces"), "on-time share": ("on-time share", "on-time", "on time"),
    "orders won EUR": ("orders won", "won orders"), "mean days in house": ("days in house", "mean days"),
    "warranty share": ("warranty share", "under warranty"), "mean score": ("mean score", "average score"),
    "invoiced EUR": ("invoiced",), "win rate": ("win rate",), "visits": ("visits",),
}  # fmt: skip
"""How people call the figures of the mail."""


def _lay(layout: Layout, number: int) -> Books:
    return (lay_hall, lay_service, lay_sales)[number](layout)


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
                "reports/hall/what_counts.md, and a few things have changed since, so please check for changes "
                "before you count. Do everything it asks for: the two files, the mails, the CRM and so on. Each "
                "figure that moved by more than {margin} either way gets a task \"Explain: FIGURE\" in the project "
                "Operations, named as in the report, for {finder}, due on {due}. Put \"Review of Q1\" in the "
                "calendar on {meeting} at {time}, with whoever gets those tasks and nobody else."
            ),
            values={
                "margin": 15, "finder": "logistics", "due": "2026-03-24", "meeting": "2026-03-25", "time": "10:30",
            },
        ),
        Case(
            wording=(
                "Could you do the service report for the quarter that ended on Saturday? Tobias's rules are in "
                "support/quarter/how_we_report.md; please do everything they ask for, down to ticking off the "
                "task, and start from the sheets, not from the draft that's in the folder. I'd like {finder} to "
                "look into whatever moved by more than {margin} up or down: for each such figure a task \"Find out "
                "why: FIGURE\", spelt as in the report, due on {due}, in the project Operations. We'll talk about "
                "it on {meeting} at {time}; the event is called \"Service review\", and only whoever gets the "
                "tasks is invited."
            ),
            values={
                "margin": 10, "finder": "planner", "due": "2026-03-23", "meeting": "2026-03-27", "time": "15:00",
            },
        ),
        Case(
            wording=(
                "Dafydd needs the sales figures of Q1 for the board. Quentin has it all in "
                "finance/board/rules_for_the_quarter.md: papers, mails, chat, what has to be put right first. He "
                "has written at least once since. Do everything that the rules ask of whoever makes the report. "
                "Please also make tasks in Operations, \"Comment on FIGURE\" with the figure named as in the "
                "report, for all figures that moved by more than {margin}, assigned to {finder} and due on {due}. "
                "The discussion is on {meeting} at {time}, called \"Q1 before the board\", and apart from me it's "
                "just whoever gets the tasks."
            ),
            values={
                "margin": 15, "finder": "junior", "due": "2026-03-20", "meeting": "2026-03-25", "time": "14:00",
            },
        ),
    ),
    lay=_lay,
    plan=_plan,
)  # fmt: skip
