"""The outcome of a workflow: the rows that were to change, with texts that may be worded freely where they say enough.

What `outcome` compares is settled first: a text that says all that is wanted of it (`plan.says`) becomes the expected
one, and a sheet (`.csv`) has its numbers in one form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from benchmarks.workflows.plan import Said, facts, settled_csv
from benchmarks.workflows.telling import found, tells
from harness.suite import Told
from harness.task import Compare, Expected, Task
from harness.trajectory import Trajectory
from servers.kernel import Change

__all__ = ("settled", "told")

_LOGS: Final = frozenset({("crm", "stage_changes")})
"""Tables that programs write in, as a consequence of what was done."""


_OPEN: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    ("calendar", "events"): frozenset({"description"}),
    ("chat", "messages"): frozenset({"sent"}),
    ("crm", "notes"): frozenset({"type"}),
    ("crm", "tasks"): frozenset({"description"}),
    ("gmail", "emails"): frozenset({"sent_datetime", "thread"}),
    ("simple_note", "notes"): frozenset({"created", "changed", "tags"}),
    ("todoist", "comments"): frozenset({"posted"}),
    ("todoist", "tasks"): frozenset({"description", "position"}),
}
"""What is not looked at in rows that are new; in others it is."""


def settled(task: Task, trajectory: Trajectory) -> tuple[Task, Trajectory]:
    """Task and trial as the outcome check compares them: logs of programs are not looked at."""
    wanted = [change for end in task.ends for change in end.changes]
    changes = [
        _settled(change, wanted, task.compare)
        for change in trajectory.changes
        if (change.app, change.table) not in _LOGS
    ]
    return task, trajectory.model_copy(update={"changes": changes})


def told(expected: Any, value: Any) -> Told | None:
    """What a text says of the facts that are expected of it; None where none are."""
    asked = facts(expected)
    if asked is None:
        return None
    text = str(value or "")
    if not asked:
        return Told((("any text", bool(text.strip())),), tells(text, asked))
    said = found(text, asked)
    words = (f"{each.key[0]}: {each.forms[0]}" if each.key else each.forms[0] for each in asked)
    return Told(tuple(zip(words, said, strict=True)), tells(text, asked))


def _settled(change: Change, wanted: Sequence[Expected], compare: Compare) -> Change:
    after = change.after
    if change.op == "delete" or after is None:
        return change
    if (
        change.app == "filesystem"
        and str(after.get("path", "")).endswith(".csv")
        and isinstance(after.get("text"), str)
    ):
        return change.model_copy(update={"after": {**after, "text": settled_csv(after["text"])}})
    if change.op == "insert":
        left_open = _OPEN.get((change.app, change.table), frozenset())
        after = {field: value for field, value in after.items() if field not in left_open}
        if (change.app, change.table) == ("calendar", "events") and after.get("attendees"):
            guests = sorted(after["attendees"], key=lambda each: str(each["address"]))
            after = {**after, "attendees": guests}
            if after.get("participant_email") in [each["address"] for each in guests]:
                after["participant_email"] = guests[0]["address"]  # whoever of them was named first
        change = change.model_copy(update={"after": after})
    for wish in wanted:
        if (wish.op, wish.app, wish.table) != (change.op, change.app, change.table):
            continue
        if wish.op == "update" and wish.id != change.id:
            continue
        free = {field: asked for field, value in wish.values.items() if (asked := facts(value)) is not None}
        if free and _fits(after, wish, free, compare):
            return change.model_copy(update={"after": {**after, **{field: wish.values[field] for field in free}}})
    return change


def _fits(after: Mapping[str, Any], wish: Expected, free: Mapping[str, Sequence[Said]], compare: Compare) -> bool:
    """Whether the row is the wished one in all that is given word for word, and its free texts say enough."""
    for field, value in wish.values.items():
        if field in free:
            if not tells(str(after.get(field) or ""), free[field]):
                return False
        elif _folded(value, f"{wish.app}.{wish.table}.{field}", compare) != _folded(
            after.get(field), f"{wish.app}.{wish.table}.{field}", compare
        ):
            return False
    return True


def _folded(value: Any, name: str, compare: Compare) -> Any:
    return " ".join(value.casefold().split()) if name in compare.text and isinstance(value, str) else value
