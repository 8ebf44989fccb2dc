"""A coffee roastery: who orders which coffee, and where each order stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.sql.names import TOWNS, people, things
from benchmarks.drift.sql.reference import answering, changing, quoted
from benchmarks.drift.sql.schema import Schema, changes, world
from benchmarks.drift.sql.speaking import Way, amount, deed, disagreeing, made, one_of, twins
from benchmarks.drift.template import Draw, Outcome, Rows, Value, Values

__all__ = ("SCHEMA", "TEMPLATES")

Taken = Mapping[str, Any]

HOUSE_NAMES: Final = (
    "the rooster",
    "the postman",
    "the slow lane",
    "the red tin",
    "the ladder",
    "the night train",
    "the anchor",
    "the aunt",
)
ROASTS: Final = ("light", "medium", "dark")
MONTHS: Final = {"2026-02": "February", "2026-03": "March", "2026-04": "April"}


def _rows(draw: Draw) -> Rows:
    customers = [
        {"id": 1 + n, "name": name, "town": TOWNS[(n * 2 + n // 2) % len(TOWNS)]} for n, name in enumerate(people(0, 8))
    ]
    coffees = [
        {
            "id": 1 + n,
            "name": name,
            "house_name": HOUSE_NAMES[n],
            "roast": ROASTS[draw.number(f"roast {n}", 3)],
            "price": f"{14 + draw.number(f'price {n}', 12)}.{50 * draw.number(f'half {n}', 2):02d}",
            "stock": 20 + 5 * draw.number(f"stock {n}", 20),
        }
        for n, name in enumerate(things("coffee"))
    ]
    orders, lines = [], []
    for n in range(72):
        number = 1201 + 3 * n
        orders.append(
            {
                "number": number,
                "customer_id": 1 + draw.number(f"customer {n}", len(customers)),
                "placed": f"2026-{2 + n // 24:02d}-{1 + draw.number(f'day {n}', 28):02d}",
                "status": ("open", "open", "on hold", "shipped", "cancelled")[draw.number(f"status {n}", 5)],
            }
        )
        first = draw.number(f"first {n}", len(coffees))
        for m in range(1 + draw.number(f"lines {n}", 3)):
            coffee = 1 + (first + 3 * m) % len(coffees)
            kilos = 2 + draw.number(f"kilos {n} {m}", 18)
            lines.append({"order_number": number, "coffee_id": coffee, "kilos": kilos})
    return {"customers": customers, "coffees": coffees, "orders": orders, "order_lines": lines}


SCHEMA: Final = Schema(
    "sql-roastery",
    {
        "customers": {"id": "INTEGER", "name": "VARCHAR", "town": "VARCHAR"},
        "coffees": {
            "id": "INTEGER",
            "name": "VARCHAR",
            "house_name": "VARCHAR",
            "roast": "VARCHAR",
            "price": "DECIMAL(6,2)",
            "stock": "INTEGER",
        },
        "orders": {"number": "INTEGER", "customer_id": "INTEGER", "placed": "DATE", "status": "VARCHAR"},
        "order_lines": {"order_number": "INTEGER", "coffee_id": "INTEGER", "kilos": "INTEGER"},
    },
    _rows,
)


def _coffees(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["name"], row["name"]) for row in rows["coffees"]]


def _coffee_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["coffee"].value
    roast = {row["name"]: row["roast"] for row in rows["coffees"]}
    yield from twins({name: name for name in roast}, own, "coffee")
    same = [name for name in roast if roast[name] == roast[own]]
    yield Way("A2", f"one of the {roast[own]} roasts", same)
    slang = {"light": "the breakfast coffee", "medium": "the everyday coffee", "dark": "the espresso coffee"}
    yield Way("E1", slang[roast[own]], same)
    known = {row["name"]: row["house_name"] for row in rows["coffees"]}
    yield Way("E1", known[own], list(known), left=[own])
    dear = sorted(roast, key=lambda name: (next(r["price"] for r in rows["coffees"] if r["name"] == name), name))
    yield Way(
        "A2",
        "one of the cheaper coffees" if own in dear[:4] else "one of the pricier coffees",
        dear[:4] if own in dear[:4] else dear[4:],
    )


def _towns(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(town, town) for town in TOWNS]


def _town_ways(rows: Rows, values: Values) -> Iterator[Way]:
    yield Way("P1", "Quillhaven", TOWNS, "We have no customers in Quillhaven.")
    own = values["town"].value
    coast = TOWNS[:3] if own in TOWNS[:3] else TOWNS[2:]
    yield Way("A2", "one of the towns on the coast" if own in TOWNS[:3] else "one of the towns inland", coast)


def _kilos(rows: Rows, taken: Taken) -> Outcome | None:
    towns = {row["id"]: row["town"] for row in rows["customers"]}
    coffee = next(row["id"] for row in rows["coffees"] if row["name"] == taken["coffee"])
    wanted = {
        row["number"]
        for row in rows["orders"]
        if row["placed"].startswith(taken["month"])
        and row["status"] != "cancelled"
        and taken["town"] in (None, towns[row["customer_id"]])
    }
    total = sum(
        row["kilos"] for row in rows["order_lines"] if row["coffee_id"] == coffee and row["order_number"] in wanted
    )
    return Outcome((str(total),), "number") if total else None


def _kilos_sql(taken: Taken) -> str:
    town = "" if taken["town"] is None else f" AND c.town = {quoted(taken['town'])}"
    return (
        "SELECT sum(l.kilos) FROM order_lines l JOIN orders o ON o.number = l.order_number "
        "JOIN customers c ON c.id = o.customer_id JOIN coffees f ON f.id = l.coffee_id "
        f"WHERE f.name = {quoted(taken['coffee'])} AND strftime(o.placed, '%Y-%m') = {quoted(taken['month'])} "
        f"AND o.status <> 'cancelled'{town}"
    )


def _draw_kilos(rows: Rows, draw: Draw) -> Values | None:
    line = draw.one("line", rows["order_lines"])
    order = next(row for row in rows["orders"] if row["number"] == line["order_number"])
    coffee = next(row["name"] for row in rows["coffees"] if row["id"] == line["coffee_id"])
    town = next(row["town"] for row in rows["customers"] if row["id"] == order["customer_id"])
    month = order["placed"][:7]
    return {"coffee": Value(coffee, coffee), "town": Value(town, town), "month": Value(f"{MONTHS[month]} 2026", month)}


def _months(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f"{name} 2026", month) for month, name in MONTHS.items()]


def _month_ways(rows: Rows, values: Values) -> Iterator[Way]:
    every = list(MONTHS)
    own = values["month"].value
    yield Way("A2", " at some point this spring", every, span=True)
    yield Way(
        "E4",
        " recently" if own == every[-1] else " a while ago",
        every[1:] if own == every[-1] else every[:2],
        span=True,
    )
    yield Way("P1", " in February 2031", every, "2031 has not come yet; there are no orders from it.", span=True)


KILOS: Final = made(
    id="roastery-kilos",
    world=SCHEMA.name,
    kind="read",
    slots=(
        one_of("coffee", "entity", "coffee", _coffees, _coffee_ways, without="our coffee", asks=("which coffee",)),
        one_of("town", "filter", "town", _towns, _town_ways, span=" in {value}", drops=True, asks=("which town",)),
        one_of(
            "month",
            "date",
            "month",
            _months,
            _month_ways,
            span=" in {value}",
            without=" in that month",
            asks=("which month", "what period", "when"),
        ),
    ),
    wordings=(
        "How many kilos of {coffee} did customers{town} order{month}? Leave cancelled orders out.",
        "I need the kilos of {coffee} that customers{town} ordered{month}, without cancelled orders.",
    ),
    draw=_draw_kilos,
    truth=_kilos,
    solve=answering(world(SCHEMA), _kilos_sql),
)


STATES: Final = {"shipped": "shipped", "on hold": "on hold", "cancelled": "cancelled"}


def _orders(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f"order {row['number']}", row["number"]) for row in rows["orders"] if row["status"] == "open"]


def _order_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["order"].value
    names = {row["id"]: row["name"] for row in rows["customers"]}
    whose = {row["number"]: names[row["customer_id"]] for row in rows["orders"]}
    there = [value.value for value in _orders(rows, values)]
    same = [number for number in there if whose[number] == whose[own]]
    yield Way("E3", f"the {whose[own]} order", same)
    month = next(row["placed"] for row in rows["orders"] if row["number"] == own)[:7]
    yield Way(
        "A2",
        f"one of the open orders from {MONTHS[month]}",
        [row["number"] for row in rows["orders"] if row["number"] in there and row["placed"][:7] == month],
    )

    def theirs(order: int) -> list[int]:
        return [number for number in there if whose[number] == whose[order]]

    yield from disagreeing(
        own,
        [other for other in there[own % 3 :: 7] if theirs(other) == [other] != [own]],
        lambda named, told: f"order {named} (the one for {whose[told]})",
        theirs,
    )
    near = [number for number in there if number // 10 == own // 10]
    ghost = next(number for number in range(own // 10 * 10, own // 10 * 10 + 10) if number not in whose)
    yield Way("P2", f"order {ghost}", near, f"There is no order {ghost}.")
    shipped = [
        row["number"] for row in rows["orders"] if row["status"] == "shipped" and whose[row["number"]] == whose[own]
    ]
    for number in shipped[:1]:
        yield Way(
            "P3",
            f"order {number} (still open)",
            same,
            f"Order {number} is not open: it was shipped.",
            said=number,
            state="still open",
        )
    yield Way("P1", f"the open order from {whose[own]} for decaf", same, "No order has any decaf in it.")


def _deed(rows: Rows, taken: Taken) -> Outcome | None:
    if not any(row["number"] == taken["order"] and row["status"] == "open" for row in rows["orders"]):
        return None
    orders = [{**row, "status": taken["deed"]} if row["number"] == taken["order"] else row for row in rows["orders"]]
    return changes(rows, {**rows, "orders": orders})


DEED: Final = made(
    id="roastery-order-deed",
    world=SCHEMA.name,
    kind="change",
    risky=True,
    slots=(
        deed(
            "deed",
            "what is to be done with the order",
            STATES,
            ("Please deal with {order}.", "Could you take care of {order}?", "Update {order}, please."),
            ("I cannot have {order} lying around as open any longer.", "{order} should not be among the open ones."),
            asks=("what should be done", "which status", "what would you like"),
        ),
        one_of("order", "entity", "order", _orders, _order_ways, without="the order", asks=("which order",)),
    ),
    wordings=("Please mark {order} as {deed}.", "Set the status of {order} to {deed}, please."),
    draw=lambda rows, draw: {
        "deed": draw.one("deed", [Value(text, value) for value, text in STATES.items()]),
        "order": draw.one("order", _orders(rows, {})),
    },
    truth=_deed,
    solve=changing(lambda v: f"UPDATE orders SET status = {quoted(v['deed'])} WHERE number = {v['order']}"),
)


KILOS_MORE: Final = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30)


def _more_ways(own: int) -> Iterator[Way]:
    few = [number for number in KILOS_MORE if number <= 6]
    yield Way("E4", "a little" if own in few else "a good deal of", few if own in few else KILOS_MORE[5:], span=True)
    tens = [number for number in KILOS_MORE if number >= 10]
    yield Way(
        "A2",
        "a two-digit number of kilos of" if own in tens else "a few kilos of",
        tens if own in tens else [n for n in KILOS_MORE if n < 10],
        span=True,
    )
    yield Way("P4", "0 kilos", KILOS_MORE, "A line of an order cannot be for nothing.")
    yield Way("A2", "a sack or so", [15, 20, 25, 30])


def _line(rows: Rows, taken: Taken) -> Outcome | None:
    coffee = next(row["id"] for row in rows["coffees"] if row["name"] == taken["coffee"])
    there = {(row["order_number"], row["coffee_id"]) for row in rows["order_lines"]}
    open_ = {row["number"] for row in rows["orders"] if row["status"] == "open"}
    if taken["order"] not in open_ or (taken["order"], coffee) in there or taken["kilos"] <= 0:
        return None
    new = {"order_number": taken["order"], "coffee_id": coffee, "kilos": taken["kilos"]}
    return changes(rows, {**rows, "order_lines": [*rows["order_lines"], new]})


LINE: Final = made(
    id="roastery-new-line",
    world=SCHEMA.name,
    kind="insert",
    slots=(
        amount("kilos", "how much", KILOS_MORE, "kilos", _more_ways, span="{value} of", without="some"),
        one_of("coffee", "entity", "coffee", _coffees, _coffee_ways, without="coffee", asks=("which coffee",)),
        one_of("order", "entity", "order", _orders, _order_ways, without="the order", asks=("which order",)),
    ),
    wordings=(
        "Add a line to {order}: {kilos} {coffee}.",
        "Put one more line on {order}, namely {kilos} {coffee}.",
    ),
    draw=lambda rows, draw: {
        "kilos": draw.one("kilos", [Value(f"{number} kilos", number) for number in KILOS_MORE]),
        "coffee": draw.one("coffee", _coffees(rows, {})),
        "order": draw.one("order", _orders(rows, {})),
    },
    truth=_line,
    solve=changing(
        lambda v: (
            f"INSERT INTO order_lines SELECT {v['order']}, id, {v['kilos']} FROM coffees "
            f"WHERE name = {quoted(v['coffee'])}"
        )
    ),
)

TEMPLATES: Final = (KILOS, DEED, LINE)
