"""The rows of pi-Bench's table of tools that are about the assistant itself: what it writes, and what it puts off."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from servers.desk.tables import Entry, Message, Repeat, app
from servers.desk.times import upcoming
from servers.kernel import Moment, Page, Ref, Rejected, Skip, State, bounded, one_line, paged, required, zone

__all__ = ("pi",)

_TITLE, _TEXT, _WHAT, _MOST = 200, 20_000, 2_000, 50

pi = app.toolset(
    "pi",
    "You work for {owner}. `send_message` writes to them, `schedule_task` has a task come back at a later time.",
    structured=False,
)


class Sent(BaseModel):
    """A message, and when it was written."""

    id: str
    written: str


class Scheduled(BaseModel):
    """What comes back, how often, and when next; without a next time, it is over."""

    id: str
    what: str
    repeat: Repeat
    next: str | None
    note: str | None = None


@pi.writes
def send_message(
    state: State,
    text: Annotated[str, Field(max_length=_TEXT, description="What to say. Name files by their path.")],
    title: Annotated[str, Field(max_length=_TITLE, description="What it is about, in one line; may be left out.")] = "",
) -> Sent:
    """Write to the person you work for; they read it in their conversation with you."""
    required(text=text.strip())
    one_line(title=title)
    message = state.add(Message(title=title, text=text, written=state.now))
    return Sent(id=message.id, written=_told(message.written))


@pi.writes(destructive=True)
def schedule_task(
    state: State,
    action: Annotated[Literal["add", "remove", "list"], Field(description="What to do with what is scheduled.")],
    what: Annotated[str, Field(description="With add: what is to be done then, so that it makes sense alone.")] = "",
    at: Annotated[
        Moment | None,
        Field(description="With add: when, as YYYY-MM-DD HH:MM. Where it repeats, the first time of all."),
    ] = None,
    repeat: Annotated[
        Repeat | None,
        Field(description="With add: once (the default), or at that time every day, Monday to Friday, or every week."),
    ] = None,
    entry_id: Annotated[
        str | None, Ref(Entry), Field(description="With remove: an id, such as E3, as `schedule_task` lists it.")
    ] = None,
    skip: Skip = 0,
) -> Scheduled | Page[Scheduled] | str:
    """Have a task come back at a later time, once or repeatedly; or list what does, soonest first, or remove it."""
    entry = state.get(Entry, entry_id) if entry_id is not None else None
    if entry and action != "remove":
        raise Rejected(f"entry_id goes with remove, not with {action}.")
    if action != "add" and (what or at or repeat):
        raise Rejected(f"what, at and repeat go with add, not with {action}.")
    if action == "add":
        return _added(state, what, at, repeat or "once")
    if action == "list":
        page = paged(_in_order(state), skip, lambda each: _shown(state, each))
        return Page[Scheduled](**vars(page))  # of that very type, by which the union knows it
    if not entry:
        raise Rejected("Say which one to remove: entry_id, as action list shows it.")
    state.delete(entry)
    return f"Removed {entry.id}, {entry.what!r}."


def _added(state: State, what: str, at: datetime | None, repeat: Repeat) -> Scheduled:
    required(what=what.strip())
    bounded(_WHAT, what=what)
    if at is None:
        raise Rejected("Say when: at, as YYYY-MM-DD HH:MM.")
    time = _local(state, at)
    if time <= state.now:
        raise Rejected(f"at, {_told(time)}, is not later than now, {_told(state.now)}.")
    if sum(upcoming(each, state.now) is not None for each in state.find(Entry)) >= _MOST:
        raise Rejected(f"{_MOST} tasks are scheduled, which is as many as there may be; remove one first.")
    same = state.find(Entry, "what = ? AND due = ? AND repeat = ?", [what, time, repeat])
    made = _shown(state, state.add(Entry(what=what, due=time, repeat=repeat, made=state.now)))
    return made.model_copy(update={"note": f"{same[0].id} is the same, so that it comes back twice."}) if same else made


def _local(state: State, time: datetime) -> datetime:
    """A time of the owner's zone, without it."""
    if time.tzinfo is None:
        return time
    try:
        return time.astimezone(zone(state.zone)).replace(tzinfo=None)
    except OverflowError:
        raise Rejected(
            f"at, {time.isoformat()}, is beyond the calendar; write a time between the years 1 and 9999."
        ) from None


def _in_order(state: State) -> list[Entry]:
    """Soonest first; those that are over come last."""
    found = [(upcoming(each, state.now), each) for each in state.find(Entry)]
    return [each for _, each in sorted(found, key=lambda pair: pair[0] or datetime.max)]


def _shown(state: State, entry: Entry) -> Scheduled:
    time = upcoming(entry, state.now)
    return Scheduled(id=entry.id, what=entry.what, repeat=entry.repeat, next=_told(time) if time else None)


def _told(time: datetime) -> str:
    return time.isoformat(" ", "minutes" if not time.second else "seconds")
