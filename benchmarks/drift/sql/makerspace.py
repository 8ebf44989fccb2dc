"""A makerspace: machines, members, who has a machine on which day, and what members may use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.sql.names import people
from benchmarks.drift.sql.reference import changing, quoted
from benchmarks.drift.sql.schema import Schema, changes
from benchmarks.drift.sql.speaking import Way, amount, day, days, deed, disagreeing, made, one_of, twins
from benchmarks.drift.template import Draw, Outcome, Rows, Value, Values

__all__ = ("SCHEMA", "TEMPLATES")

Taken = Mapping[str, Any]

MACHINES: Final = (
    ("Laser One", "the zapper", "cutting"), ("Laser Two", "the toaster", "cutting"),
    ("Lathe East", "old Greta", "turning"), ("Lathe West", "the carousel", "turning"),
    ("Printer Ash", "the dripper", "printing"), ("Printer Elm", "the snail", "printing"),
    ("Band Saw", "the shark", "cutting"),
)  # fmt: skip
LEVELS: Final = ("guest", "trained", "instructor")
HOURS: Final = (1, 2, 3, 4, 5, 6, 7, 8)


def _rows(draw: Draw) -> Rows:
    machines = [{"name": name, "known_as": known, "does": does} for name, known, does in MACHINES]
    members = [
        {
            "id": 1 + n,
            "name": name,
            "level": LEVELS[draw.number(f"level {n}", 3)],
            "active": draw.number(f"on {n}", 6) > 0,
        }
        for n, name in enumerate(people(9, 9))
    ]
    ahead = days(1, 24)
    slots = [
        {
            "machine": MACHINES[draw.number(f"machine {n}", len(MACHINES))][0],
            "member_id": 1 + draw.number(f"member {n}", len(members)),
            "day": ahead[n % len(ahead)].value,
            "hours": HOURS[draw.number(f"hours {n}", 5)],
        }
        for n in range(60)
    ]
    return {"machines": machines, "members": members, "slots": slots}


SCHEMA: Final = Schema(
    "sql-makerspace",
    {
        "machines": {"name": "VARCHAR", "known_as": "VARCHAR", "does": "VARCHAR"},
        "members": {"id": "INTEGER", "name": "VARCHAR", "level": "VARCHAR", "active": "BOOLEAN"},
        "slots": {"machine": "VARCHAR", "member_id": "INTEGER", "day": "DATE", "hours": "INTEGER"},
    },
    _rows,
)


def _machines(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["name"], row["name"]) for row in rows["machines"]]


def _machine_ways(rows: Rows, values: Values) -> Iterator[Way]:
    machines = {row["name"]: row for row in rows["machines"]}
    own = values["machine"].value
    stem, does = own.split()[0], machines[own]["does"]
    yield Way("E3", f"the {stem.lower()}", [name for name in machines if name.split()[0] == stem])
    yield Way("E1", machines[own]["known_as"], list(machines), left=[own])
    yield Way("A2", f"something for {does}", [name for name, row in machines.items() if row["does"] == does])
    if stem != "Band":
        ghost = {"Laser": "Laser Ten", "Lathe": "Lathe Best", "Printer": "Printer Oak"}[stem]
        yield Way("P2", ghost, [name for name in machines if name.split()[0] == stem], f"There is no {ghost}.")
    yield from disagreeing(
        own,
        [name for name in machines if name != own],
        lambda named, told: f"{named} (the one that they call {machines[told]['known_as']})",
    )
    yield Way("P1", "the machine bought with the 2031 grant", machines, "There has been no 2031 grant.")


def _members(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["name"], row["id"]) for row in rows["members"]]


def _member_ways(rows: Rows, values: Values) -> Iterator[Way]:
    level = {row["id"]: row["level"] for row in rows["members"]}
    own = values["member"].value
    said = {
        id: f"who is {'an' if each == 'instructor' else 'a'} {each}" if each != "trained" else "who is trained"
        for id, each in level.items()
    }
    yield from twins({row["id"]: row["name"] for row in rows["members"]}, own, "member", said)
    yield Way("A2", f"somebody {said[own]}", [id for id in level if level[id] == level[own]])


def _hour_ways(own: int) -> Iterator[Way]:
    short = own <= 3
    yield Way(
        "E4", " for a short while" if short else " for a good while", HOURS[:3] if short else HOURS[3:], span=True
    )
    yield Way(
        "A2", " for a morning" if own <= 4 else " for most of a day", HOURS[1:4] if own <= 4 else HOURS[4:], span=True
    )
    yield Way("P4", " for 30 hours", HOURS, "A day has no 30 hours.", span=True)


def _past(rows: Rows, values: Values) -> Iterator[Way]:
    yield Way("P4", " on 6 April", [value.value for value in days(1, 24)], "6 April is over.", span=True)


def _slot(rows: Rows, taken: Taken) -> Outcome | None:
    if not 0 < taken["hours"] <= 24 or taken["day"] <= "2026-05-11":
        return None
    new = {"machine": taken["machine"], "member_id": taken["member"], "day": taken["day"], "hours": taken["hours"]}
    return changes(rows, {**rows, "slots": [*rows["slots"], new]})


SLOT: Final = made(
    id="makerspace-slot",
    world=SCHEMA.name,
    kind="insert",
    slots=(
        one_of(
            "machine",
            "entity",
            "machine",
            _machines,
            _machine_ways,
            without="a machine",
            asks=("which machine", "what machine"),
        ),
        one_of(
            "member",
            "entity",
            "member",
            _members,
            _member_ways,
            span=" for {value}",
            without="",
            asks=("which member", "for whom", "who"),
        ),
        day("day", "day", 1, 24, _past),
        amount(
            "hours",
            "how long",
            HOURS[1:],
            "hours",
            _hour_ways,
            span=" for {value}",
            asks=("how long", "how many hours"),
        ),
    ),
    wordings=("Put {machine} down{member}{day}{hours}.", "Please add a slot: {machine}{member}{day}{hours}."),
    draw=lambda rows, draw: {
        "machine": draw.one("machine", _machines(rows, {})),
        "member": draw.one("member", _members(rows, {})),
        "day": draw.one("day", days(1, 24)),
        "hours": draw.one("hours", [Value(f"{number} hours", number) for number in HOURS[1:]]),
    },
    truth=_slot,
    solve=changing(
        lambda v: (
            f"INSERT INTO slots (machine, member_id, day, hours) VALUES ({quoted(v['machine'])}, {v['member']}, "
            f"{quoted(v['day'])}, {v['hours']})"
        )
    ),
)

SAID: Final = {"trained": "is trained now", "instructor": "is an instructor now", "gone": "is no longer active"}


def _standing_ways(rows: Rows, values: Values) -> Iterator[Way]:
    yield from _member_ways(rows, values)
    own = values["member"].value
    members = {row["id"]: row for row in rows["members"]}
    stem = members[own]["name"].split()[0]
    alike = [id for id, row in members.items() if row["name"].split()[0] == stem]
    already = [id for id, row in members.items() if _stands(row, values["deed"].value) and id not in alike]
    others = [id for id, row in members.items() if not _stands(row, values["deed"].value)][:4]
    for id in already[:1]:
        yield Way(
            "P3",
            members[id]["name"],
            [own, *[each for each in others if each != own][:3]],
            f"{members[id]['name']} has that standing already.",
            said=id,
        )


def _stands(row: Mapping[str, Any], deed: str) -> bool:
    return bool(not row["active"] if deed == "gone" else row["level"] == deed)


def _standing(rows: Rows, taken: Taken) -> Outcome | None:
    new = {"active": False} if taken["deed"] == "gone" else {"level": taken["deed"]}
    members = [{**row, **new} if row["id"] == taken["member"] else row for row in rows["members"]]
    return changes(rows, {**rows, "members": members})


def _standing_sql(taken: Taken) -> str:
    new = "active = false" if taken["deed"] == "gone" else f"level = {quoted(taken['deed'])}"
    return f"UPDATE members SET {new} WHERE id = {taken['member']}"


STANDING: Final = made(
    id="makerspace-standing",
    world=SCHEMA.name,
    kind="change",
    slots=(
        one_of(
            "member",
            "entity",
            "member",
            _members,
            _standing_ways,
            without="our member",
            asks=("which member", "who", "whose"),
        ),
        deed(
            "deed",
            "the new standing",
            SAID,
            ("Please update {member} among the members.", "Can you bring the entry of {member} up to date?"),
            ("The entry of {member} is not right any more.", "Things have changed for {member}."),
            asks=("what has changed", "what should be changed", "which level", "what standing"),
            says="The member {value}",
        ),
    ),
    wordings=("{member} {deed}: change that among the members.", "Please record that {member} {deed}."),
    draw=lambda rows, draw: {
        "member": draw.one("member", _members(rows, {})),
        "deed": draw.one("deed", [Value(text, value) for value, text in SAID.items()]),
    },
    truth=_standing,
    solve=changing(_standing_sql),
)

TEMPLATES: Final = (SLOT, STANDING)
