"""A veterinary clinic: pets and their owners, who sees them, and what is owed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from benchmarks.drift.sql.names import TOWNS, people
from benchmarks.drift.sql.reference import answering, changing, quoted
from benchmarks.drift.sql.schema import Schema, changes, world
from benchmarks.drift.sql.speaking import Way, attached, day, days, disagreeing, made, one_of, twins
from benchmarks.drift.template import Draw, Outcome, Rows, Value, Values

__all__ = ("SCHEMA", "TEMPLATES")

Taken = Mapping[str, Any]

REASONS: Final = ("vaccination", "dental check", "skin rash", "limping", "check-up")
SAID: Final = {
    "vaccination": "a vaccination",
    "dental check": "a dental check",
    "skin rash": "a skin rash",
    "limping": "limping",
    "check-up": "a check-up",
}
SPECIES: Final = ("dog", "cat", "rabbit", "parrot")
PETS: Final = (
    "Biscuit",
    "Pepper",
    "Mango",
    "Juno",
    "Otto",
    "Fig",
    "Luna",
    "Basil",
    "Nori",
    "Tilda",
    "Rusty",
    "Olive",
    "Pepper",
    "Mango",
    "Juno",
    "Fig",
    "Luna",
    "Basil",
    "Biscuit",
    "Otto",
)


def _rows(draw: Draw) -> Rows:
    owners = [
        {"id": 1 + n, "name": name, "town": TOWNS[(3 * n + n // 2) % len(TOWNS)]} for n, name in enumerate(people(4, 6))
    ]
    vets = [{"id": 1 + n, "name": f"Dr {name}"} for n, name in enumerate(people(11, 2))]
    pets = [
        {
            "id": 1 + n,
            "name": name,
            "species": SPECIES[(n + n // 12) % 4],
            "owner_id": 1 + (n * 5 + n // 12) % len(owners),
        }
        for n, name in enumerate(PETS)
    ]
    visits = [
        {
            "pet_id": 1 + draw.number(f"pet {n}", len(pets)),
            "vet_id": 1 + draw.number(f"vet {n}", len(vets)),
            "day": f"2026-{1 + n // 30:02d}-{1 + (n % 30) * 28 // 30:02d}",
            "reason": REASONS[draw.number(f"reason {n}", len(REASONS))],
            "fee": f"{30 + 5 * draw.number(f'fee {n}', 30)}.00",
            "paid": draw.number(f"paid {n}", 3) > 0,
        }
        for n in range(120)
    ]
    return {"owners": owners, "vets": vets, "pets": pets, "visits": visits, "appointments": _appointments(draw)}


def _appointments(draw: Draw) -> list[dict[str, Any]]:
    taken = days(1, 18)
    return [
        {
            "pet_id": 1 + draw.number(f"booked {n}", len(PETS)),
            "vet_id": 1 + draw.number(f"by {n}", 4),
            "day": taken[(3 * n) % len(taken)].value,
            "reason": REASONS[draw.number(f"for {n}", len(REASONS))],
        }
        for n in range(8)
    ]


SCHEMA: Final = Schema(
    "sql-clinic",
    {
        "owners": {"id": "INTEGER", "name": "VARCHAR", "town": "VARCHAR"},
        "vets": {"id": "INTEGER", "name": "VARCHAR"},
        "pets": {"id": "INTEGER", "name": "VARCHAR", "species": "VARCHAR", "owner_id": "INTEGER"},
        "visits": {
            "pet_id": "INTEGER",
            "vet_id": "INTEGER",
            "day": "DATE",
            "reason": "VARCHAR",
            "fee": "DECIMAL(8,2)",
            "paid": "BOOLEAN",
        },
        "appointments": {"pet_id": "INTEGER", "vet_id": "INTEGER", "day": "DATE", "reason": "VARCHAR"},
    },
    _rows,
)


def _vets(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["name"], row["id"]) for row in rows["vets"]]


def _vet_ways(rows: Rows, values: Values) -> Iterator[Way]:
    names = {row["id"]: row["name"].removeprefix("Dr ") for row in rows["vets"]}
    own = values["vet"].value
    for way in twins(names, own, "vet"):
        yield way if way.fault == "E3" else way._replace(text=f"Dr {way.text}")
    yield Way("A2", "one of the vets", names)


def _reasons(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(SAID[reason], reason) for reason in REASONS]


def _reason_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["reason"].value
    routine = ("vaccination", "dental check", "check-up")
    ailing = ("skin rash", "limping")
    yield Way("A2", "something routine" if own in routine else "some complaint", routine if own in routine else ailing)
    yield Way("E1", "the works", routine)
    yield Way("P1", "acupuncture", REASONS, "Nobody here does acupuncture.")


MONTHS: Final = {"2026-01": "January", "2026-02": "February", "2026-03": "March", "2026-04": "April"}


def _pair_words(first: str, second: str, month: str) -> tuple[str, str, str]:
    one, two, then = SAID[first], SAID[second], MONTHS[month]
    return (
        f"were for {one}, whenever that was, or for {two} in {then}",
        f"were for {one} or for {two}, either of them in {then}",
        f"were for {one} or {two} in {then}",
    )


def _pairs(rows: Rows) -> Sequence[tuple[str, str, str]]:
    return [(first, second, month) for first in REASONS for second in REASONS if first != second for month in MONTHS]


def _seen(rows: Rows, taken: Taken) -> Outcome | None:
    first, second, month, to = taken["pair"]
    species = {row["id"]: row["species"] for row in rows["pets"]}

    def meant(row: Mapping[str, Any]) -> bool:
        then = row["day"].startswith(month)
        return bool((row["reason"] == first and (then or to == "last")) or (row["reason"] == second and then))

    found = [
        row
        for row in rows["visits"]
        if row["vet_id"] == taken["vet"] and meant(row) and taken["species"] in (None, species[row["pet_id"]])
    ]
    return Outcome((f"{sum(Decimal(row['fee']) for row in found):.2f}",), "number") if found else None


def _seen_sql(taken: Taken) -> str:
    first, second, month, to = taken["pair"]
    then = f"strftime(v.day, '%Y-%m') = {quoted(month)}"
    one = f"v.reason = {quoted(first)}" + ("" if to == "last" else f" AND {then}")
    species = "" if taken["species"] is None else f" AND p.species = {quoted(taken['species'])}"
    return (
        "SELECT sum(v.fee) FROM visits v JOIN pets p ON p.id = v.pet_id "
        f"WHERE v.vet_id = {taken['vet']}{species} AND (({one}) OR (v.reason = {quoted(second)} AND {then}))"
    )


def _species(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f"{species}s", species) for species in SPECIES]


def _species_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["species"].value
    yield Way("A2", "furry ones" if own != "parrot" else "small ones", SPECIES[:3] if own != "parrot" else SPECIES[2:])
    yield Way(
        "E4",
        "bigger animals" if own in SPECIES[:2] else "smaller animals",
        SPECIES[:2] if own in SPECIES[:2] else SPECIES[2:],
    )
    yield Way("P1", "horses", SPECIES, "We have never treated a horse.")


SEEN: Final = made(
    id="clinic-fees",
    world=SCHEMA.name,
    kind="read",
    slots=(
        one_of("vet", "entity", "vet", _vets, _vet_ways, without="the vet", asks=("which vet", "who saw")),
        one_of(
            "species",
            "filter",
            "species",
            _species,
            _species_ways,
            span=" with {value}",
            drops=True,
            asks=("which animals", "which species", "what kind of animal"),
        ),
        attached("pair", "what they came for", _pairs, _pair_words, "I mean those that {value}"),
    ),
    wordings=(
        "What did {vet} charge in all for the visits{species} that {pair}?",
        "Add up the fees of all visits{species} to {vet} that {pair}.",
    ),
    draw=lambda rows, draw: {
        "vet": draw.one("vet", _vets(rows, {})),
        "species": draw.one("species", _species(rows, {})[:3]),
        "pair": draw.one(
            "pair",
            [Value(_pair_words(*pair)[to == "both"], [*pair, to]) for pair in _pairs(rows) for to in ("last", "both")],
        ),
    },
    truth=_seen,
    solve=answering(world(SCHEMA), _seen_sql),
)


def _pets(rows: Rows, values: Values) -> Sequence[Value]:
    names = {row["id"]: row["name"] for row in rows["owners"]}
    return [Value(f"{names[row['owner_id']]}'s {row['species']} {row['name']}", row["id"]) for row in rows["pets"]]


def _pet_ways(rows: Rows, values: Values) -> Iterator[Way]:
    pets = {row["id"]: row for row in rows["pets"]}
    names = {row["id"]: row["name"] for row in rows["owners"]}
    own = pets[values["pet"].value]
    owner = names[own["owner_id"]]
    yield Way("E3", own["name"], [id for id, row in pets.items() if row["name"] == own["name"]])
    yield Way("E3", f"{owner}'s pet", [id for id, row in pets.items() if row["owner_id"] == own["owner_id"]])
    yield Way(
        "A2", f"one of the {own['species']}s", [id for id, row in pets.items() if row["species"] == own["species"]]
    )

    def had(id: int) -> str:
        return f"the {pets[id]['species']} that {names[pets[id]['owner_id']]} has"

    yield from disagreeing(
        own["id"],
        [id for id, row in pets.items() if row["name"] == own["name"] and row["owner_id"] != own["owner_id"]],
        lambda named, told: f"{names[pets[named]['owner_id']]}'s {own['name']} ({had(told)})",
    )
    alike = [id for id, row in pets.items() if row["owner_id"] == own["owner_id"]]
    yield Way("P2", f"{owner}'s hamster", alike, f"{owner} has no hamster.")


def _book(rows: Rows, taken: Taken) -> Outcome | None:
    if taken["day"] <= "2026-05-11":
        return None
    new = {
        key: taken[slot] for key, slot in (("pet_id", "pet"), ("vet_id", "vet"), ("day", "day"), ("reason", "reason"))
    }
    return changes(rows, {**rows, "appointments": [*rows["appointments"], new]})


def _past(rows: Rows, values: Values) -> Iterator[Way]:
    soon = [value.value for value in days(1, 18)]
    yield Way("P4", " on 4 May", soon, "4 May is over; I cannot have meant that.", span=True)


BOOK: Final = made(
    id="clinic-book",
    world=SCHEMA.name,
    kind="insert",
    slots=(
        one_of(
            "pet", "entity", "pet", _pets, _pet_ways, without="the patient", asks=("which pet", "which animal", "whose")
        ),
        one_of(
            "vet",
            "entity",
            "vet",
            _vets,
            _vet_ways,
            span=" with {value}",
            without="",
            asks=("which vet", "with whom", "who should"),
        ),
        day("day", "day of the appointment", 1, 18, _past),
        one_of(
            "reason",
            "value",
            "reason",
            _reasons,
            _reason_ways,
            span=" for {value}",
            without="",
            asks=("what reason", "what for", "why"),
        ),
    ),
    wordings=(
        "Add an appointment for {pet}{vet}{day}{reason}.",
        "Please book {pet} in{vet}{day}{reason}; it goes into appointments.",
    ),
    draw=lambda rows, draw: {
        "pet": draw.one("pet", _pets(rows, {})),
        "vet": draw.one("vet", _vets(rows, {})),
        "day": draw.one("day", days(1, 18)),
        "reason": draw.one("reason", _reasons(rows, {})),
    },
    truth=_book,
    solve=changing(
        lambda v: (
            f"INSERT INTO appointments (pet_id, vet_id, day, reason) VALUES ({v['pet']}, {v['vet']}, "
            f"{quoted(v['day'])}, {quoted(v['reason'])})"
        )
    ),
)


def _owners(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["name"], row["id"]) for row in rows["owners"]]


def _owner_ways(rows: Rows, values: Values) -> Iterator[Way]:
    towns = {row["id"]: f"in {row['town']}" for row in rows["owners"]}
    own = values["owner"].value
    yield from twins({row["id"]: row["name"] for row in rows["owners"]}, own, "owner", towns)
    yield Way("A2", f"somebody {towns[own]}", [id for id, town in towns.items() if town == towns[own]])


def _settle(rows: Rows, taken: Taken) -> Outcome | None:
    theirs = {row["id"] for row in rows["pets"] if row["owner_id"] == taken["owner"]}

    def after(row: Mapping[str, Any]) -> Mapping[str, Any]:
        meant = row["pet_id"] in theirs and taken["month"] in (None, row["day"][:7])
        return {**row, "paid": True} if meant else row

    return changes(rows, {**rows, "visits": [after(row) for row in rows["visits"]]})


def _settle_sql(taken: Taken) -> str:
    month = "" if taken["month"] is None else f" AND strftime(day, '%Y-%m') = {quoted(taken['month'])}"
    return (
        "UPDATE visits SET paid = true WHERE NOT paid AND pet_id IN "
        f"(SELECT id FROM pets WHERE owner_id = {taken['owner']}){month}"
    )


def _months(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(name, month) for month, name in MONTHS.items()]


def _month_ways(rows: Rows, values: Values) -> Iterator[Way]:
    every, own = list(MONTHS), values["month"].value
    late = own in every[2:]
    yield Way(
        "E4", " from recent weeks" if late else " from early in the year", every[2:] if late else every[:2], span=True
    )
    yield Way("A2", " from one month of this year", every, span=True)
    yield Way("P1", " from the open day in 2019", every, "There was no open day in 2019.", span=True)


def _draw_settle(rows: Rows, draw: Draw) -> Values | None:
    visit = draw.one("visit", [row for row in rows["visits"] if not row["paid"]])
    owner = next(row["owner_id"] for row in rows["pets"] if row["id"] == visit["pet_id"])
    month = visit["day"][:7]
    return {
        "owner": next(value for value in _owners(rows, {}) if value.value == owner),
        "month": Value(MONTHS[month], month),
    }


SETTLE: Final = made(
    id="clinic-settle",
    world=SCHEMA.name,
    kind="change",
    risky=True,
    slots=(
        one_of(
            "owner",
            "entity",
            "owner",
            _owners,
            _owner_ways,
            without="the owner",
            asks=("which owner", "whose", "who paid"),
        ),
        one_of(
            "month",
            "date",
            "month of the visits",
            _months,
            _month_ways,
            span=" from {value}",
            drops=True,
            asks=("which month", "which visits", "when"),
        ),
    ),
    wordings=(
        "{owner} has paid for all visits{month}: mark those that are still open as paid.",
        "Please mark all unpaid visits{month} of the pets of {owner} as paid.",
    ),
    draw=_draw_settle,
    truth=_settle,
    solve=changing(_settle_sql),
)

TEMPLATES: Final = (SEEN, BOOK, SETTLE)
