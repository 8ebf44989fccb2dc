"""The surface for models at work, to begin with: find records of any kind, and see one whole.

Contacts are the customers of `workbench`: one table holds both.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from servers.crm import finding
from servers.crm.finding import Wanted
from servers.crm.owners import everybody, meant
from servers.crm.records import KINDS, Kind, Row, linked, look_up
from servers.crm.shown import Found, Record, Whole, colleague, show, step, text_of
from servers.crm.tables import Company, Customer, Deal, Note, StageChange, Task, app
from servers.kernel import Day, Rejected, Skip, State, has_words, paged, part

__all__ = ("Line", "default", "textual")

_NAME, _TEXT = 500, 6_000
_MOST: Mapping[Kind, int] = {"contact": 8, "company": 8, "deal": 8, "task": 10, "note": 5}
_STEPS = 25
"""How much is shown of a record and of what goes with it, so that a result is never too long."""

default = app.toolset(
    "default",
    "The sales records of {owner} ({address}): contacts, companies, deals, tasks and notes. Begin with `find_records`: "
    "it returns the ids that all other tools take.",
    structured=False,
)

textual = BeforeValidator(lambda value: "" if value is None else value)
"""Marks a text that may as well be null, which is no text."""

Line = Annotated[str, textual]


@default.reads
def find_records(
    state: State,
    kind: Annotated[
        Literal["contact", "company", "deal", "task", "note", "owner"],
        Field(description="What to look for; owners are colleagues."),
    ],
    query: Annotated[Line, Field(description="Words that all occur in it, in any order, case-insensitive.")] = "",
    owner: Annotated[
        Line, Field(description="Address or name of the colleague in charge; for notes, the author.")
    ] = "",
    stage: Annotated[
        Literal["Open", "Lead", "Qualified", "Proposal", "Negotiation", "Won", "Lost", "Done"] | None,
        Field(description="Open is neither Won nor Lost; tasks are Open or Done."),
    ] = None,
    amount_min: Annotated[float | None, Field(description="Smallest amount of a deal.")] = None,
    amount_max: Annotated[float | None, Field(description="Largest amount of a deal.")] = None,
    after: Annotated[Day | None, Field(description="First day, inclusive.")] = None,
    before: Annotated[Day | None, Field(description="Last day, inclusive.")] = None,
    day: Annotated[
        finding.Day | None,
        Field(
            description="Which date the bounds and the sort order use: last_contact or follow_up of contacts, "
            "last_contact of companies, close (when closed, else when expected to be) or last_contact of deals; by "
            "default the first."
        ),
    ] = None,
    related_to: Annotated[Line, Field(description="Id of a related record.")] = "",
    detail: Annotated[
        Literal["concise", "detailed"], Field(description="detailed adds phone, description and so on.")
    ] = "concise",
    skip: Skip = 0,
) -> Found:
    """Find records of one kind that meet all conditions given.

    Deals come with totals by stage over all that were found. Sorted by name, deals by close day, tasks by due day,
    notes newest first.
    """
    if kind == "owner":
        if any((owner, stage, amount_min, amount_max, after, before, day, related_to)):
            raise Rejected("kind: owners are narrowed by query alone; leave out the rest, or look for another kind.")
        people = [each for each in everybody(state) if has_words(query, str(each))]
        return Found(**dict(paged(people, skip, colleague)))
    wanted = Wanted(
        kind,
        query,
        meant(state, owner, "owner") if owner else "",
        stage,
        amount_min,
        amount_max,
        after,
        before,
        day,
        related_to,
    )
    found, table = finding.ids(state, wanted), KINDS[kind]
    page = paged(found, skip, lambda id: show(state, state.get(table, id), detailed=detail == "detailed"))
    totals = finding.totals(state, wanted) if kind == "deal" and found and not skip else None
    return Found(**dict(page), totals=totals)


@default.reads
def get_record(
    state: State,
    record_id: Annotated[str, Field(description="Id of a record of any kind, as `find_records` returns it.")],
    skip: Annotated[
        int, Field(ge=0, le=1_000_000, description="Characters of a long text to skip, as given by `more`.")
    ] = 0,
) -> Whole:
    """Show a record in full, with related records, tasks, latest notes, and a deal's stages so far."""
    kind, row = look_up(state, record_id)
    more = []
    text, left = part(text_of(row), skip, most=_TEXT)
    if left:
        more.append(f"text: {left}")
    record = _whole(row, show(state, row, detailed=True), text)
    beside: dict[Kind, list[Record]] = {}
    for other, rows in linked(state, row, *KINDS).items():
        rows.sort(key=lambda each: _place(each[0]))
        beside[other] = [
            show(state, each, label=label, detailed=other == "note") for each, label in rows[: _MOST[other]]
        ]
        if len(rows) > _MOST[other]:
            more.append(
                f"{len(rows) - _MOST[other]} of {len(rows)} {other} records are left out: "
                f"find_records kind={other} related_to={record_id}"
            )
    steps = state.find(StageChange, "deal_id = ?", [row.id], order="day") if kind == "deal" else []
    if len(steps) > _STEPS:
        more.append(f"the first {len(steps) - _STEPS} of {len(steps)} stage changes are left out")
    return Whole(
        record=record,
        history=[step(change) for change in steps[-_STEPS:]] or None,
        related=[*beside["company"], *beside["contact"], *beside["deal"]] or None,
        tasks=beside["task"] or None,
        notes=beside["note"] or None,
        more=more or None,
    )


def _whole(row: Row, record: Record, text: str) -> Record:
    """The record with its name and text as they are, where a list may have cut them."""
    match row:
        case Note():
            record.text = text
            return record
        case Customer():
            record.name = row.customer_name[:_NAME]
        case Company():
            record.name = row.name[:_NAME]
        case Deal() | Task():
            record.title = row.title[:_NAME]
    record.description = text or None
    return record


def _place(row: Row) -> tuple[bool, int]:
    """Where a record stands among those of its kind: what is open before what is done, soonest first, notes newest."""
    match row:
        case Note():
            return False, -row.day.toordinal()
        case Task():
            return bool(row.completed), (row.due or date.max).toordinal()
        case Deal():
            return bool(row.closed), (row.close_date or date.max).toordinal()
        case _:
            return False, 0
