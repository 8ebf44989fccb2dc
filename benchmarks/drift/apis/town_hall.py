"""Tasks over appointments at the town hall."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.apis import finding
from benchmarks.drift.apis.made import Taken, by, change, changes, insert, names, template, told, where
from benchmarks.drift.apis.mentions import Item, Way, choice, day, item, person
from benchmarks.drift.apis.play import Play
from benchmarks.drift.apis.things import everybody
from benchmarks.drift.template import Outcome, Rows, Template, Value, Values

__all__ = ("TEMPLATES",)


def _desks(rows: Rows, values: Values) -> list[Value]:
    return [Value(row["name"], row["id"]) for row in rows["desks"]]


def _desk_ways(rows: Rows, values: Values) -> Iterable[Way]:
    every = {row["name"]: row["id"] for row in rows["desks"]}
    yield Way("E1", "wedding", [every["registry"]])
    yield Way("E1", "driveway", [every["parking permit"]])
    yield Way("A2", "permit", [every["parking permit"], every["building permit"]])
    yield Way("P2", "passport registry", [every["passport"], every["registry"]], "There is no passport registry.")
    yield Way("P2", "tax permit", [every["tax"], every["parking permit"]], "There is no such thing as a tax permit.")


def _taken_slots(rows: Rows) -> set[str]:
    return {row["slot_id"] for row in where(rows, "appointments", status="booked")}


def _times_truth(rows: Rows, taken: Taken) -> Outcome | None:
    gone = _taken_slots(rows)
    free = [row for row in where(rows, "slots", desk_id=taken["desk"], day=taken["day"]) if row["id"] not in gone]
    times = sorted(row["time"] for row in free)
    return told(times if taken["only"] == "all" else times[:1])


def _times(play: Play, v: Mapping[str, Any]) -> None:
    slots = play.items("appointments", "find_slots", desk_id=finding.desk(play, v["desk"]), day=v["day"])
    free = [each["time"] for each in slots if each["free"]]
    play.answer(*(free if v["only"] == "all" else [min(free)]))


def _working(rows: Rows, values: Values) -> Sequence[str]:
    return sorted({row["day"] for row in rows["slots"]})


def _booked(rows: Rows, values: Values) -> list[Item]:
    """Appointments: "Ines Berg's registry appointment"."""
    people, desks = names(rows, "customers"), names(rows, "desks")
    slots = {row["id"]: row for row in rows["slots"]}
    return [
        Item(
            row["id"],
            people[row["customer_id"]],
            f"{desks[slots[row['slot_id']]['desk_id']]} appointment",
            f"{desks[slots[row['slot_id']]['desk_id']]} appointments",
        )
        for row in where(rows, "appointments", status="booked")
    ]


_HOURS: Final = {time: f" at {time}" for time in ("08:40", "10:20", "13:00", "15:30")}


def _hour_ways(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("A2", " in the morning", ["08:40", "10:20"])
    yield Way("A2", " in the afternoon", ["13:00", "15:30"])
    yield Way("E4", " not too early", ["10:20", "13:00", "15:30"])
    if "customer" in values:
        times = {row["id"]: row["time"] for row in rows["slots"]}
        other = where(rows, "appointments", customer_id=values["customer"].value)
        left = {times[row["slot_id"]] for row in other}
        if len(left) == 1:
            yield Way("A2", " at the same hour as their other appointment", list(_HOURS), left=list(left))
    yield Way("P1", " in their evening hours", list(_HOURS), "There are no hours in the evening.")


def _slot(rows: Rows, desk: str, day: str, time: str) -> str | None:
    """The slot, if it is free."""
    gone = _taken_slots(rows)
    found = [row["id"] for row in where(rows, "slots", desk_id=desk, day=day, time=time) if row["id"] not in gone]
    return found[0] if found else None


def _book_truth(rows: Rows, taken: Taken) -> Outcome | None:
    slot = _slot(rows, taken["desk"], taken["day"], taken["time"])
    return changes(insert("appointments", slot_id=slot, customer_id=taken["customer"])) if slot else None


def _book(play: Play, v: Mapping[str, Any]) -> None:
    slots = play.items("appointments", "find_slots", desk_id=finding.desk(play, v["desk"]), day=v["day"])
    (slot,) = [each["slot_id"] for each in slots if each["time"] == v["time"]]
    play("appointments", "book_appointment", slot_id=slot, customer_id=finding.customer(play, v["customer"]))


def _sunday(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("P4", "Sunday, 11 April", list(_working(rows, values)), "The town hall is closed on Sundays.")


BOOK_APPOINTMENT: Final = template(
    "book-appointment",
    "apis-brisa",
    (
        choice("desk", "entity", "what the appointment is for", "a {value} appointment", _desks, _desk_ways,
               without="an appointment"),
        person("customer", "visitor", " for {value}", everybody),
        day("day", "day", " on {value}", _working, _sunday),
        choice("time", "value", "time", "{value}", _HOURS, _hour_ways),
    ),
    ("Book {desk} at the town hall{customer}{day}{time}.", "Please make {desk} at the town hall{customer}{day}{time}."),
    _book_truth,
    _book,
    kind="insert",
)  # fmt: skip


def _move_truth(rows: Rows, taken: Taken) -> Outcome | None:
    old = by(rows, "slots", by(rows, "appointments", taken["appointment"])["slot_id"])
    slot = _slot(rows, old["desk_id"], taken["day"], taken["time"])
    return changes(change("appointments", taken["appointment"], slot_id=slot)) if slot else None


def _move(play: Play, v: Mapping[str, Any]) -> None:
    appointment, slots = finding.appointment(play, v["appointment"])
    (slot,) = [each["slot_id"] for each in slots if (each["day"], each["time"]) == (v["day"], v["time"])]
    play("appointments", "move_appointment", appointment_id=appointment, slot_id=slot)


_JANUARY: Final = ("made in January", "made no appointment in January")

MOVE_APPOINTMENT: Final = template(
    "move-appointment",
    "apis-harwick",
    (
        item(
            "appointment",
            "appointment",
            "appointment",
            _booked,
            past=_JANUARY,
        ),
        day("day", "new day", " to {value}", _working, _sunday, without=" to another day"),
        choice("time", "value", "new time", "{value}", _HOURS, _hour_ways),
    ),
    ("Move {appointment}{day}{time}.", "Please reschedule {appointment}{day}{time}."),
    _move_truth,
    _move,
    kind="change",
)


TIMES: Final = template(
    "free-times",
    "apis-brisa",
    (
        choice("only", "value", "all free times or the first", "{value}",
               {"all": "Which times are still free", "first": "What is the first time that is still free"},
               lambda rows, values: (Way("E3", "What is still to be had", ["all", "first"]),),
               without="How do things stand"),
        choice("desk", "entity", "what the times are for", " for {value} appointments", _desks, _desk_ways),
        day("day", "day", " on {value}", _working, _sunday),
    ),
    ("{only}{desk} at the town hall{day}?", "{only}{desk} at the town hall{day}? Give times as hh:mm."),
    _times_truth,
    _times,
    kind="read",
)  # fmt: skip


TEMPLATES: Final[tuple[Template, ...]] = (
    BOOK_APPOINTMENT,
    MOVE_APPOINTMENT,
    TIMES,
)
