"""Supplies of a bakery: who delivers which ingredient, at what price, and what is in store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from benchmarks.drift.sql.names import TOWNS
from benchmarks.drift.sql.reference import answering, changing, quoted
from benchmarks.drift.sql.schema import Schema, changes, world
from benchmarks.drift.sql.speaking import Way, amount, disagreeing, made, one_of
from benchmarks.drift.template import Draw, Outcome, Rows, Value, Values

__all__ = ("SCHEMA", "TEMPLATES")

Taken = Mapping[str, Any]

SUPPLIERS: Final = (
    "Larkfield Mill", "Larkfield Farm", "Brook & Daughters", "Brook & Barley", "Ostra Foods", "Ostra Spice",
    "Pella Imports", "Pella Orchards",
)  # fmt: skip
GHOSTS: Final = {"Larkfield": "Larkfield Dairy", "Brook": "Brook & Sons", "Ostra": "Ostra Grain", "Pella": "Pella Nuts"}
INGREDIENTS: Final = {
    "spelt flour": "flour", "rye flour": "flour", "wheat flour": "flour", "butter": "dairy", "quark": "dairy",
    "cream": "dairy", "raisins": "fruit", "dried figs": "fruit", "poppy seed": "seeds", "sesame": "seeds",
}  # fmt: skip


def _rows(draw: Draw) -> Rows:
    suppliers = [
        {"id": 1 + n, "name": name, "town": TOWNS[(n * 3 + n // 3) % 5], "days": 2 + draw.number(f"days {n}", 9)}
        for n, name in enumerate(SUPPLIERS)
    ]
    ingredients = [
        {"name": name, "sort": sort, "in_store": 5 + draw.number(f"store {name}", 90), "reorder_at": 10 + 5 * (n % 6)}
        for n, (name, sort) in enumerate(INGREDIENTS.items())
    ]
    offers = [
        {
            "supplier_id": 1 + s,
            "ingredient": name,
            "price": f"{1 + draw.number(f'price {s} {name}', 9)}.{draw.number(f'cents {s} {name}', 100):02d}",
        }
        for s in range(len(SUPPLIERS))
        for name in INGREDIENTS
        if draw.number(f"offers {s} {name}", 5) < 3
    ]
    return {"suppliers": suppliers, "ingredients": ingredients, "offers": offers}


SCHEMA: Final = Schema(
    "sql-bakery",
    {
        "suppliers": {"id": "INTEGER", "name": "VARCHAR", "town": "VARCHAR", "days": "INTEGER"},
        "ingredients": {"name": "VARCHAR", "sort": "VARCHAR", "in_store": "INTEGER", "reorder_at": "INTEGER"},
        "offers": {"supplier_id": "INTEGER", "ingredient": "VARCHAR", "price": "DECIMAL(6,2)"},
    },
    _rows,
)


def _ingredients(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["name"], row["name"]) for row in rows["ingredients"]]


def _ingredient_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["ingredient"].value
    sort = INGREDIENTS[own]
    same = [name for name in INGREDIENTS if INGREDIENTS[name] == sort]
    yield Way(
        "A2",
        {"flour": "flour", "dairy": "something from the dairy", "fruit": "dried fruit", "seeds": "seeds"}[sort],
        same,
    )
    yield Way(
        "E1",
        {"flour": "the white stuff", "dairy": "the cold stuff", "fruit": "the sweet stuff", "seeds": "the tiny stuff"}[
            sort
        ],
        same,
    )
    yield Way("P1", "hazelnuts from the 2031 crop", INGREDIENTS, "There is no 2031 crop yet.")
    ghost = {"flour": "oat flour", "dairy": "buttermilk", "fruit": "dried dates", "seeds": "poppy flour"}[sort]
    yield Way("P2", ghost, same, f"We do not have {ghost} at all.")


def _numbers(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(text, number) for number, text in ((2, "two"), (3, "three"), (4, "four"))]


def _number_ways(rows: Rows, values: Values) -> Iterator[Way]:
    yield Way("E4", "few", (2, 3, 4))
    yield Way("A2", "less than five", (2, 3, 4))


def _towns(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f"{number} days", number) for number in (4, 6, 8)]


def _days_ways(rows: Rows, values: Values) -> Iterator[Way]:
    yield Way("E4", " who deliver fast", (4, 6, 8), span=True)
    yield Way("A2", " who deliver within a week or so", (6, 8), span=True)


def _cheapest(rows: Rows, taken: Taken) -> Outcome | None:
    names = {row["id"]: row["name"] for row in rows["suppliers"]}
    quick = {row["id"] for row in rows["suppliers"] if taken["days"] is None or row["days"] <= taken["days"]}
    offers = sorted(
        (Decimal(row["price"]), row["supplier_id"])
        for row in rows["offers"]
        if row["ingredient"] == taken["ingredient"] and row["supplier_id"] in quick
    )
    wanted = taken["count"]
    prices = [price for price, _ in offers]
    if len(offers) < wanted or len(set(prices[: wanted + 1])) < len(prices[: wanted + 1]):
        return None
    return Outcome(tuple(names[id] for _, id in offers[:wanted]), "text", ranked=True)


def _cheapest_sql(taken: Taken) -> str:
    quick = "" if taken["days"] is None else f" AND s.days <= {taken['days']}"
    return (
        "SELECT s.name FROM offers o JOIN suppliers s ON s.id = o.supplier_id "
        f"WHERE o.ingredient = {quoted(taken['ingredient'])}{quick} ORDER BY o.price LIMIT {taken['count']}"
    )


CHEAPEST: Final = made(
    id="bakery-cheapest",
    world=SCHEMA.name,
    kind="read",
    slots=(
        one_of("count", "quantity", "how many", _numbers, _number_ways, without="", asks=("how many",)),
        one_of(
            "days",
            "filter",
            "days of delivery",
            _towns,
            _days_ways,
            span=" who deliver within {value}",
            drops=True,
            asks=("how fast", "how many days", "within what time"),
        ),
        one_of(
            "ingredient",
            "entity",
            "ingredient",
            _ingredients,
            _ingredient_ways,
            without="it",
            asks=("which ingredient", "what ingredient", "for what"),
        ),
    ),
    wordings=(
        "Name the {count} suppliers{days} with the lowest prices for {ingredient}, cheapest first.",
        "Which {count} suppliers{days} ask least for {ingredient}? Begin with the cheapest.",
    ),
    draw=lambda rows, draw: {
        "count": draw.one("count", _numbers(rows, {})),
        "days": draw.one("days", _towns(rows, {})),
        "ingredient": draw.one("ingredient", _ingredients(rows, {})),
    },
    truth=_cheapest,
    solve=answering(world(SCHEMA), _cheapest_sql),
)


def _suppliers(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["name"], row["id"]) for row in rows["suppliers"]]


def _supplier_ways(rows: Rows, values: Values) -> Iterator[Way]:
    rows_ = {row["id"]: row for row in rows["suppliers"]}
    own = rows_[values["supplier"].value]
    stem = own["name"].split()[0]
    alike = [id for id, row in rows_.items() if row["name"].split()[0] == stem]
    yield Way("E3", stem, alike)
    yield Way("P2", GHOSTS[stem], alike, f"There is no supplier called {GHOSTS[stem]}.")
    yield Way("A2", f"a supplier in {own['town']}", [id for id, row in rows_.items() if row["town"] == own["town"]])
    yield from disagreeing(
        own["id"],
        [id for id in alike if rows_[id]["town"] != own["town"]],
        lambda named, told: f"{rows_[named]['name']} (the one in {rows_[told]['town']})",
        lambda told: [id for id in alike if rows_[id]["town"] == rows_[told]["town"]],
    )


CENTS: Final = (5, 10, 15, 20, 25, 30, 40, 50, 75)


def _cent_ways(own: int) -> Iterator[Way]:
    low = own <= 20
    yield Way("E4", " slightly" if low else " noticeably", CENTS[:4] if low else CENTS[4:], span=True)
    yield Way("A2", " by a few cents" if low else " by some tens of cents", CENTS[:4] if low else CENTS[3:], span=True)
    yield Way("P4", " by 0 cents", CENTS, "A price that rises by nothing does not rise.", span=True)


def _dearer(rows: Rows, taken: Taken) -> Outcome | None:
    if taken["cents"] <= 0:
        return None
    more = Decimal(taken["cents"]) / 100
    offers = [
        {**row, "price": f"{Decimal(row['price']) + more:.2f}"}
        if row["supplier_id"] == taken["supplier"] and taken["ingredient"] in (None, row["ingredient"])
        else row
        for row in rows["offers"]
    ]
    return changes(rows, {**rows, "offers": offers})


def _dearer_sql(taken: Taken) -> str:
    one = "" if taken["ingredient"] is None else f" AND ingredient = {quoted(taken['ingredient'])}"
    return f"UPDATE offers SET price = price + {taken['cents']} * 0.01 WHERE supplier_id = {taken['supplier']}{one}"


def _draw_dearer(rows: Rows, draw: Draw) -> Values | None:
    offer = draw.one("offer", rows["offers"])
    return {
        "supplier": next(value for value in _suppliers(rows, {}) if value.value == offer["supplier_id"]),
        "ingredient": Value(offer["ingredient"], offer["ingredient"]),
        "cents": draw.one("cents", [Value(f"{number} cents", number) for number in CENTS]),
    }


DEARER: Final = made(
    id="bakery-dearer",
    world=SCHEMA.name,
    kind="change",
    risky=True,
    slots=(
        one_of(
            "supplier",
            "entity",
            "supplier",
            _suppliers,
            _supplier_ways,
            without="our supplier",
            asks=("which supplier", "who"),
        ),
        one_of(
            "ingredient",
            "filter",
            "ingredient",
            _ingredients,
            _ingredient_ways,
            span=" of {value}",
            drops=True,
            asks=("which ingredient", "what ingredient", "which price"),
        ),
        amount("cents", "how much", CENTS, "cents", _cent_ways, span=" by {value}"),
    ),
    wordings=(
        "Raise the price{ingredient} in the offers of {supplier}{cents}.",
        "{supplier} now asks more; put up the price{ingredient} in the offers{cents}.",
    ),
    draw=_draw_dearer,
    truth=_dearer,
    solve=changing(_dearer_sql),
)

TEMPLATES: Final = (CHEAPEST, DEARER)
