"""What happens to records: deals move, notes are added, tasks get done, owners change, records are tied and go."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from pydantic import Field

from servers.crm.default import default, textual
from servers.crm.owners import assigned, me
from servers.crm.records import KINDS, Row, look_up, several
from servers.crm.shown import Record, show
from servers.crm.tables import Association, Company, Customer, Deal, Note, NoteType, Stage, StageChange, Task
from servers.kernel import Day, Ref, Rejected, State, required, snippet

__all__ = ()

_REASON, _LABEL, _TEXT, _SEVERAL, _TOLD = 1_000, 100, 10_000, 50, 10

RecordIds = Annotated[
    list[str], Field(min_length=1, max_length=_SEVERAL, description="Ids from `find_records`, 50 at most.")
]


@default.writes
def move_deal(
    state: State,
    deal_id: Annotated[str, Ref(Deal), Field(description="Id from `find_records`.")],
    stage: Annotated[Stage, Field(description="Won and Lost close it, any other reopens it.")],
    reason: Annotated[str, Field(max_length=_REASON), textual, Field(description="Why; required for Lost.")] = "",
    day: Annotated[Day | None, Field(description="When that was; today if left out.")] = None,
) -> Record:
    """Move a deal to another stage; `get_record` shows its stages so far."""
    deal = state.get(Deal, deal_id)
    if stage == deal.stage:
        raise Rejected(f"stage: {deal.id} is in {stage} already.")
    if stage == "Lost" and not reason.strip():
        raise Rejected("reason: say why the deal was lost, such as 'Chose a cheaper offer'.")
    when, closes = _moved(state, deal, day), stage in ("Won", "Lost")
    state.add(StageChange(deal_id=deal.id, before=deal.stage, after=stage, day=when, by=me(state), reason=reason))
    moved = deal.model_copy(
        update={"stage": stage, "closed": when if closes else None, "reason": reason if closes else ""}
    )
    return show(state, state.save(moved), detailed=True)


def _moved(state: State, deal: Deal, day: date | None) -> date:
    """When a deal is moved. Raises `Rejected` for a day to come, or before it came to where it is."""
    today = state.now.date()
    if day and day > today:
        raise Rejected(f"day: {day} is yet to come; today is {today}. Move the deal when it is so.")
    steps = state.find(StageChange, "deal_id = ?", [deal.id], order="day DESC", limit=1)
    if day and steps and day < steps[0].day:
        raise Rejected(f"day: {deal.id} came to {deal.stage} on {steps[0].day}; give that day or a later one.")
    return day or today


@default.writes
def add_note(
    state: State,
    record_id: Annotated[str, Field(description="Id of the record it is about, from `find_records`.")],
    text: Annotated[str, Field(max_length=_TEXT, description="What to remember.")],
    type: Annotated[NoteType, Field(description="A note, or the kind of contact.")] = "note",
    day: Annotated[Day | None, Field(description="When that was; today if left out.")] = None,
) -> Record:
    """Add a note to a record, or log a call, e-mail or meeting that took place.

    A call, e-mail or meeting logged on a contact, or on a contact's deal, counts as the last contact.
    """
    kind, row = look_up(state, record_id)
    required(text=text.strip())
    if kind == "note":
        raise Rejected(f"record_id: {record_id} is a note; give the record that the new one is about.")
    today = state.now.date()
    if day and day > today:
        raise Rejected(f"day: {day} is yet to come; today is {today}. Use `save_task` for what is to be done.")
    when = day or today
    if type != "note":
        _contacted(state, row, when)
    note = state.add(Note(record_id=row.id, type=type, text=text, day=when, author=me(state)))
    return show(state, note, detailed=True)


@default.writes(idempotent=True)
def complete_tasks(
    state: State,
    task_ids: Annotated[
        list[str],
        Ref(Task),
        Field(min_length=1, max_length=_SEVERAL, description="Ids from `find_records`, 50 at most."),
    ],
    done: Annotated[bool, Field(description="False reopens them.")] = True,
) -> list[Record]:
    """Mark tasks as completed today."""
    changed = []
    for _, row in several(state, task_ids, "task_ids", "task"):
        if isinstance(row, Task) and bool(row.completed) != done:
            row = state.save(row.model_copy(update={"completed": state.now.date() if done else None}))
        changed.append(show(state, row))
    return changed


@default.writes(destructive=True, idempotent=True)
def assign_records(
    state: State,
    record_ids: RecordIds,
    owner: Annotated[str, Field(description="Who gets them, by address or name.")],
) -> list[Record]:
    """Assign contacts, companies, deals or tasks to a colleague."""
    required(owner=owner.strip())
    address = assigned(state, owner, "owner")
    changed = []
    for _, row in several(state, record_ids, "record_ids", "contact", "company", "deal", "task"):
        column = {Customer: "assigned_to_email", Task: "assignee"}.get(type(row), "owner")
        changed.append(show(state, state.save(row.model_copy(update={column: address}))))
    return changed


@default.writes(destructive=True, idempotent=True)
def associate_records(
    state: State,
    record_id: Annotated[str, Field(description="Id of any record, from `find_records`.")],
    other_ids: RecordIds,
    label: Annotated[
        str, Field(max_length=_LABEL), textual, Field(description="What they are to each other, such as partner.")
    ] = "",
    remove: Annotated[bool, Field(description="True removes associations.")] = False,
) -> list[Record]:
    """Associate a record with others of any kind; company and main contact are set by `save_contact`, `save_deal`.

    Those already associated get the label.
    """
    row = look_up(state, record_id)[1]
    shown = []
    for _, other in several(state, other_ids, "other_ids", *KINDS):
        if other.id == row.id:
            raise Rejected(f"other_ids: {other.id} is the record itself; give others.")
        ties = state.find(
            Association,
            "(from_id = ? AND to_id = ?) OR (to_id = ? AND from_id = ?)",
            [row.id, other.id, row.id, other.id],
        )
        if remove and not ties:
            raise Rejected(
                f"other_ids: {row.id} and {other.id} have no association; what one says of the other in a field of "
                "its own is changed by its `save_` tool."
            )
        for tie in ties:
            if remove:
                state.delete(tie)
            elif label:
                state.save(tie.model_copy(update={"label": label}))
        if not ties:
            state.add(Association(from_id=row.id, to_id=other.id, label=label))
        kept = "" if remove else label or next((tie.label for tie in ties), "")
        shown.append(show(state, other, label=kept))
    return shown


@default.writes(destructive=True, idempotent=True)
def delete_records(
    state: State,
    record_ids: RecordIds,
) -> list[Record]:
    """Delete records of any kind for good, with their notes, tasks and associations; contacts and deals stay."""
    rows = several(state, record_ids, "record_ids", *KINDS)
    shown = [show(state, row) for _, row in rows]
    gone: dict[str, Row] = {}
    named = {row.id for _, row in rows}
    for record, (_, row) in zip(shown, rows, strict=True):
        before = len(gone)
        _delete(state, row, gone)
        along = [each for each in [*gone.values()][before:] if each.id not in named]
        record.gone_too = _told(along)
    return shown


def _told(rows: Sequence[Row]) -> list[str] | None:
    """Tasks by name, of very many the first, and how many notes there were."""
    tasks = [f"{snippet(row.title, 80)} ({row.id})" for row in rows if isinstance(row, Task)]
    more = [f"and {len(tasks) - _TOLD} more tasks"] if len(tasks) > _TOLD else []
    notes = sum(isinstance(row, Note) for row in rows)
    return [*tasks[:_TOLD], *more, *([f"notes: {notes}"] if notes else [])] or None


def _delete(state: State, row: Row, gone: dict[str, Row]) -> None:
    """Delete a record, what is only about it, and what others say of it. Tasks may be about each other, in a circle."""
    if row.id in gone:
        return
    gone[row.id] = row
    beside: list[Row] = [*state.find(Note, "record_id = ?", [row.id]), *state.find(Task, "record_id = ?", [row.id])]
    for about in beside:
        _delete(state, about, gone)
    for tie in state.find(Association, "from_id = ? OR to_id = ?", [row.id, row.id]):
        state.delete(tie)
    match row:
        case Company():
            for person in state.find(Customer, "company_id = ?", [row.id]):
                state.save(person.model_copy(update={"company_id": None}))
            for deal in state.find(Deal, "company_id = ?", [row.id]):
                state.save(deal.model_copy(update={"company_id": None}))
        case Customer():
            for deal in state.find(Deal, "contact_id = ?", [row.id]):
                state.save(deal.model_copy(update={"contact_id": None}))
        case Deal():
            for change in state.find(StageChange, "deal_id = ?", [row.id]):
                state.delete(change)
        case _:
            pass
    state.delete(row)


def _contacted(state: State, row: Row, day: date) -> None:
    """Note on the contact, or that of the deal, that somebody was in touch, unless that was so later."""
    id = row.id if isinstance(row, Customer) else row.contact_id if isinstance(row, Deal) else None
    person = state.there(Customer, id) if id else None
    if person and (person.last_contact_date or "")[:10] < day.isoformat():
        state.save(person.model_copy(update={"last_contact_date": day.isoformat()}))
