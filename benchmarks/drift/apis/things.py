"""What tasks over several services speak of: people, orders, parcels, goods, districts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from benchmarks.drift.apis.made import by, names, where
from benchmarks.drift.apis.mentions import Item, Way, disagreeing
from benchmarks.drift.apis.names import GOODS
from benchmarks.drift.apis.worlds import DISTRICTS as NAMES
from benchmarks.drift.template import Rows, Value, Values

__all__ = (
    "CHRISTMAS", "DISTRICTS", "THING", "district_ways", "everybody", "goods_on_sale", "goods_ways",
    "orders_billed", "orders_in", "parcels_under_way",
)  # fmt: skip

CHRISTMAS: Final = ("placed at Christmas", "placed no order at Christmas")
"""What somebody may wrongly believe of an order, and that it is not so."""

THING: Final = "that thing we spoke about"
"""A product that is not named."""

_SINGULAR: Final = {sort: "toolbox" if sort == "toolboxes" else sort.removesuffix("s") for sort in GOODS}


def orders_in(rows: Rows, *states: str) -> list[Item]:
    """Orders in one of these states: "Ines Berg's floor lamp order"."""
    people, goods = names(rows, "customers"), {row["id"]: row for row in rows["products"]}
    return [
        Item(
            row["id"],
            people[row["customer_id"]],
            f"{goods[row['product_id']]['name']} order",
            f"{_SINGULAR[goods[row['product_id']]['category']]} orders",
        )
        for row in rows["orders"]
        if row["status"] in states
    ]


def orders_billed(rows: Rows, status: str) -> list[Item]:
    """Orders whose invoice is open, or is paid."""
    billed = {row["order_id"] for row in where(rows, "invoices", status=status)}
    every = ("open", "on hold", "shipped", "delivered")
    return [each for each in orders_in(rows, *every) if each.id in billed]


def parcels_under_way(rows: Rows) -> list[Item]:
    """Parcels under way: "Ines Berg's floor lamp parcel"."""
    ordered = {each.id: each for each in orders_in(rows, "shipped")}
    return [
        Item(
            row["id"],
            ordered[row["order_id"]].who,
            ordered[row["order_id"]].what.replace(" order", " parcel"),
            ordered[row["order_id"]].sort.replace(" orders", " parcels"),
        )
        for row in where(rows, "parcels", status="in transit")
    ]


def goods_on_sale(rows: Rows, values: Values) -> list[Value]:
    """Every product, with its article."""
    return [Value(f"the {row['name']}", row["id"]) for row in rows["products"]]


def goods_ways(rows: Rows, values: Values) -> Iterable[Way]:
    """Ways to speak of the product of the slot `product`."""
    own = by(rows, "products", values["product"].value)
    last = own["name"].rpartition(" ")[2]
    like = [row["id"] for row in rows["products"] if row["name"].rpartition(" ")[2] == last]
    sort = [row["id"] for row in where(rows, "products", category=own["category"])]
    yield Way("E3", f"the {last}", like)
    yield Way("A2", f"one of the {own['category']}", sort)
    yield Way("P2", f"the garden {last}", like, f"There is no garden {last}.")
    called = names(rows, "products")
    yield from disagreeing(
        own["id"],
        [id for id in sort if id != own["id"]][:1],
        lambda named, told: f"the {called[named]} (product {told})",
    )


DISTRICTS: Final = {district: district for district in NAMES}
_WATER: Final = ["Harbour", "Lakeside"]


def everybody(rows: Rows, values: Values) -> Sequence[str]:
    """Every customer, by id."""
    return [row["id"] for row in rows["customers"]]


def district_ways(rows: Rows, values: Values) -> Iterable[Way]:
    """Ways to speak of a district, "in" or "for" one."""
    every = list(DISTRICTS)
    yield Way("E1", "the boatmen's quarter", ["Harbour"])
    yield Way("A2", "one of the districts on the water", _WATER)
    yield Way("A2", "one of the districts away from the water", [each for each in every if each not in _WATER])
    yield Way("P2", "Eastmill", ["Eastgate", "Mill Hill"], "There is no district called Eastmill.")
