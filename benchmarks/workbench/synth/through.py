"""The same tasks through other toolsets: their reference calls as `default` takes them, and what counts as the same.

Tasks hold the calls of the published tools, and their hashes with them. What `default` is asked for instead is worked
out here, call by call, so that no task is another one for having a second way to be done.

What the published tools write and `default` refuses, which no task asks for: a start that is no time, a length of
0 minutes, an address without a dot behind its @, a status or product that is none of those listed, a date that is no
day, an address that another customer has, subjects and texts beyond any use. Seconds of a start are left out. To put
one participant in another's place `default` is told who leaves, too, which the published call does not say.

In a world that has more than this one they differ further: `default` names the world's owner as the organizer of a
new event, and deletes with a customer what is only about them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.task import Call, Task
from harness.trajectory import Trajectory
from servers.kernel import Change

__all__ = ("settled", "solved")

_Arguments = Mapping[str, Any]
_Asked = tuple[str, dict[str, Any]]
"""A tool, and its arguments."""

_AT_ONCE = 50
"""Ids that `default` takes in one call."""

_IDS = {"delete_emails": "email_ids", "delete_records": "record_ids", "assign_records": "record_ids"}
"""The tools that take several, and how they are given."""


def solved(task: Task, toolsets: Mapping[str, str]) -> tuple[Call, ...]:
    """The reference calls where apps are served through toolsets of these names.

    What is done to several things in a row is one call where `default` takes them at once. Raises ValueError for a
    call that `default` has nothing for.
    """
    calls: list[Call] = []
    for call in task.solution:
        if toolsets.get(call.app) == "default" and call.app in _SAID:
            call = _translated(call)
            if calls and (both := _together(calls[-1], call)):
                calls[-1] = both
                continue
        calls.append(call)
    return tuple(calls)


def settled(task: Task, trajectory: Trajectory) -> tuple[Task, Trajectory]:
    """A mail in the trash is a mail deleted: `default` puts it there unless told otherwise.

    That counts for what was deleted with it alone, and only as it was: any other row in the trash is a side effect. A
    mail that went to several at once is one to each, as the published tools send it.
    """
    gone = {change.id: change.before for change in trajectory.changes if _is(change, "emails", "delete")}
    kept = [
        change
        for change in trajectory.changes
        if not (_is(change, "trash", "insert") and change.id in gone and _as_it_was(change, gone[change.id]))
    ]
    return task, trajectory.model_copy(update={"changes": _one_to_each(kept)})


def _one_to_each(changes: Sequence[Change]) -> list[Change]:
    """The same with a mail to each of those whom a new mail went to, and without the row that names them."""
    to = {
        change.id: (change.after or {}).get("to") or []
        for change in changes
        if _is(change, "envelopes", "insert") and not (change.after or {}).get("sender_name")
    }
    sent = {change.id for change in changes if _is(change, "emails", "insert") and len(to.get(change.id, [])) > 1}
    found: list[Change] = []
    for change in changes:
        if change.app == "gmail" and change.table == "emails" and change.id in sent:
            for number, address in enumerate(to[change.id]):
                after = {**(change.after or {}), "address": address}
                id = f"{change.id}+{number}" if number else change.id
                found.append(change.model_copy(update={"id": id, "after": after}))
        elif not (_is(change, "envelopes", "insert") and change.id in sent):
            found.append(change)
    return found


def _is(change: Change, table: str, op: str) -> bool:
    return (change.app, change.table, change.op) == ("gmail", table, op)


def _as_it_was(trashed: Change, before: Mapping[str, Any] | None) -> bool:
    row = {**(trashed.after or {})}
    row.pop("trashed", None)
    return row == before


def _translated(call: Call) -> Call:
    say = _SAID[call.app].get(call.tool)
    if say is None:
        raise ValueError(f"{call.app}.{call.tool} is asked of `workbench` alone; say in {__name__} how of `default`")
    tool, arguments = say(call.arguments)
    return call.model_copy(update={"tool": tool, "arguments": arguments})


def _together(first: Call, second: Call) -> Call | None:
    """One call that does what both do; None where there is none."""
    ids = _IDS.get(first.tool, "")
    if not ids or first.model_copy(update={"arguments": {**first.arguments, ids: second.arguments.get(ids)}}) != second:
        return None
    both = [*first.arguments[ids], *second.arguments[ids]]
    return first.model_copy(update={"arguments": {**first.arguments, ids: both}}) if len(both) <= _AT_ONCE else None


def _send(given: _Arguments) -> _Asked:
    return "send_email", {"to": [given["recipient"]], "subject": given["subject"], "text": given["body"]}


def _forward(given: _Arguments) -> _Asked:
    return "forward_email", {"email_id": given["email_id"], "to": [given["recipient"]]}


def _reply(given: _Arguments) -> _Asked:
    return "reply_to_email", {"email_id": given["email_id"], "text": given["body"]}


def _discard(given: _Arguments) -> _Asked:
    return "delete_emails", {"email_ids": [given["email_id"]]}


def _book(given: _Arguments) -> _Asked:
    return "create_event", {
        "title": given["event_name"],
        "people": [given["participant_email"]],
        "start": given["event_start"],
        "minutes": int(given["duration"]),
    }


def _change_event(given: _Arguments) -> _Asked:
    names = {"event_name": "title", "event_start": "start", "duration": "minutes"}
    return "update_event", {"event_id": given["event_id"], **_one(names, given)}


def _cancel(given: _Arguments) -> _Asked:
    return "delete_event", {"event_id": given["event_id"]}


def _add_contact(given: _Arguments) -> _Asked:
    return "save_contact", {_CONTACT[field]: value for field, value in given.items()}


def _change_contact(given: _Arguments) -> _Asked:
    if given["field"] == "assigned_to_email":
        return "assign_records", {"record_ids": [given["customer_id"]], "owner": given["new_value"]}
    return "save_contact", {"contact_id": given["customer_id"], **_one(_CONTACT, given)}


def _drop(given: _Arguments) -> _Asked:
    return "delete_records", {"record_ids": [given["customer_id"]]}


def _one(names: Mapping[str, str], given: _Arguments) -> dict[str, Any]:
    """The one field that a published update sets, by the parameter of `default`."""
    if given["field"] not in names:
        raise ValueError(f"{given['field']!r} is set by `workbench` alone; say in {__name__} how by `default`")
    return {names[given["field"]]: given["new_value"]}


_CONTACT = {
    "customer_name": "name",
    "assigned_to_email": "owner",
    "customer_email": "email",
    "customer_phone": "phone",
    "last_contact_date": "last_contact",
    "product_interest": "product",
    "status": "stage",
    "follow_up_by": "follow_up",
    "notes": "description",
}
_SAID: Mapping[str, Mapping[str, Callable[[_Arguments], _Asked]]] = {
    "gmail": {
        "send_email": _send,
        "forward_email": _forward,
        "reply_email": _reply,
        "delete_email": _discard,
    },
    "calendar": {"create_event": _book, "update_event": _change_event, "delete_event": _cancel},
    "crm": {"add_customer": _add_contact, "update_customer": _change_contact, "delete_customer": _drop},
}
"""What each published write is in `default`."""
