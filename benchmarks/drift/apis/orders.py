"""Tasks over orders: what is to be done with one, who ordered what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.apis import finding
from benchmarks.drift.apis.made import Taken, by, change, changes, insert, names, template, told, where
from benchmarks.drift.apis.mentions import Item, Pair, Said, Way, amount, attached, choice, deed, item, person
from benchmarks.drift.apis.play import Play
from benchmarks.drift.apis.things import CHRISTMAS, THING, goods_on_sale, goods_ways, orders_in
from benchmarks.drift.apis.worlds import TODAY
from benchmarks.drift.template import Outcome, Rows, Template, Value, Values

__all__ = ("TEMPLATES",)


def _order_deed_truth(rows: Rows, taken: Taken) -> Outcome | None:
    order = by(rows, "orders", taken["order"])
    if order["status"] != "open":
        return None
    if taken["deed"] == "hold":
        return changes(change("orders", order["id"], status="on hold"))
    there = by(rows, "products", order["product_id"])["stock"] + order["quantity"]
    return changes(
        change("orders", order["id"], status="cancelled"), change("products", order["product_id"], stock=there)
    )


def _order_deed(play: Play, v: Mapping[str, Any]) -> None:
    play("orders", f"{v['deed']}_order", order_id=finding.order(play, v["order"]))


def _held(rows: Rows, values: Values) -> Sequence[Item]:
    return orders_in(rows, "on hold") if values["deed"].value == "hold" else ()


ORDER_DEED: Final = template(
    "order-deed",
    "apis-harwick",
    (
        deed(
            "deed",
            "what is to be done with the order",
            {"cancel": "cancel", "hold": "pause"},
            ("deal with", "sort out", "take care of"),
            ("{order} should not go out like this.", "I am not happy about {order}."),
        ),
        item(
            "order",
            "order",
            "order",
            lambda rows, values: orders_in(rows, "open"),
            past=CHRISTMAS,
            already=_held,
            state="is on hold",
        ),
    ),
    ("{deed} {order}, please.", "Could you {deed} {order}?", "We need to {deed} {order}."),
    _order_deed_truth,
    _order_deed,
    kind="change",
    risky=True,
)


def _quantity_truth(rows: Rows, taken: Taken) -> Outcome | None:
    order = by(rows, "orders", taken["order"])
    product = by(rows, "products", order["product_id"])
    left = product["stock"] - (taken["quantity"] - order["quantity"])
    if order["status"] not in ("open", "on hold") or left < 0 or taken["quantity"] == order["quantity"]:
        return None
    return changes(
        change("orders", order["id"], quantity=taken["quantity"]), change("products", product["id"], stock=left)
    )


def _quantity(play: Play, v: Mapping[str, Any]) -> None:
    play("orders", "change_quantity", order_id=finding.order(play, v["order"]), quantity=v["quantity"])


def _other_quantities(rows: Rows, values: Values) -> Sequence[int]:
    now = by(rows, "orders", values["order"].value)["quantity"] if "order" in values else 0
    return [number for number in range(1, 10) if number != now]


def _quantity_ways(rows: Rows, values: Values) -> Iterable[Way]:
    order = by(rows, "orders", values["order"].value)
    numbers = list(_other_quantities(rows, values))
    more, fewer = (
        [n for n in numbers if n > order["quantity"]],
        [n for n in numbers if n < order["quantity"]],
    )
    yield Way("E4", "rather more", more)
    yield Way("E4", "a bit less", fewer)
    yield Way("A2", "an even number", [n for n in numbers if n % 2 == 0])
    stock = by(rows, "products", order["product_id"])["stock"]
    yield Way("P4", str(stock + 200), numbers, f"There are not {stock + 200} of them.")


CHANGE_QUANTITY: Final = template(
    "change-quantity",
    "apis-tallen",
    (
        item("order", "order", "order", lambda rows, values: orders_in(rows, "open", "on hold"), past=CHRISTMAS),
        amount("quantity", "number of pieces", " to {value}", _other_quantities, _quantity_ways),
    ),
    ("Change the quantity of {order}{quantity}.", "The number of pieces in {order} has to be changed{quantity}."),
    _quantity_truth,
    _quantity,
    kind="change",
)


def _place_truth(rows: Rows, taken: Taken) -> Outcome | None:
    product, customer = by(rows, "products", taken["product"]), by(rows, "customers", taken["customer"])
    left = product["stock"] - taken["quantity"]
    if left < 0 or customer["status"] != "active":
        return None
    ordered = {"customer_id": customer["id"], "product_id": product["id"], "quantity": taken["quantity"]}
    return changes(insert("orders", **ordered, placed=TODAY.isoformat()), change("products", product["id"], stock=left))


def _place(play: Play, v: Mapping[str, Any]) -> None:
    product = finding.product(play, v["product"])
    customer = finding.customer(play, v["customer"])
    play(
        "orders",
        "place_order",
        customer_id=customer,
        product_id=product,
        quantity=v["quantity"],
    )


def _few(rows: Rows, values: Values) -> Iterable[Way]:
    numbers = range(2, 9)
    yield Way("E4", "a few", [3, 4, 5])
    yield Way("E4", "a good number", [6, 7, 8])
    yield Way("A2", "an even number", [2, 4, 6, 8])
    if "customer" in values:
        last = {row["quantity"] for row in where(rows, "orders", customer_id=values["customer"].value)}
        if len(last) == 1:
            yield Way("A2", "as many as they ordered last time", list(numbers), left=list(last))
    yield Way("P4", "900", list(numbers), "There are not 900 of them anywhere.")


PLACE_ORDER: Final = template(
    "place-order",
    "apis-brisa",
    (
        choice("product", "entity", "product", "{value}", goods_on_sale, goods_ways, without=THING),
        amount("quantity", "number of pieces", "{value} of", lambda rows, values: range(2, 9), _few),
        person("customer", "customer", " for {value}", lambda rows, values: [row["id"] for row in rows["customers"]]),
    ),
    ("Order {quantity} {product}{customer}.", "Please place an order{customer}: {quantity} {product}."),
    _place_truth,
    _place,
    kind="insert",
)


_STATES: Final = {"open": "still open", "on hold": "on hold", "shipped": "on the way", "delivered": "delivered"}


def _ordered_truth(rows: Rows, taken: Taken) -> Outcome | None:
    goods = names(rows, "products")
    wanted = {} if taken["status"] is None else {"status": taken["status"]}
    return told(goods[row["product_id"]] for row in where(rows, "orders", customer_id=taken["customer"], **wanted))


def _ordered(play: Play, v: Mapping[str, Any]) -> None:
    customer = finding.customer(play, v["customer"])
    orders = play.items("orders", "find_orders", customer_id=customer, status=v["status"])
    play.answer(*(play("catalog", "get_product", product_id=each["product_id"])["name"] for each in orders))


def _states(rows: Rows, values: Values) -> list[Value]:
    there = [row["status"] for row in where(rows, "orders", customer_id=values["customer"].value)]
    return [Value(text, status) for status, text in _STATES.items() if status in there]


def _state_ways(rows: Rows, values: Values) -> Iterable[Way]:
    there = [each.value for each in _states(rows, values)]
    yield Way("E1", "in limbo", ["on hold"])
    yield Way("E1", "waiting to go out", ["open"])
    yield Way("A2", "not yet with them", [each for each in there if each != "delivered"])
    yield Way("E3", "stuck", [each for each in there if each in ("open", "on hold")])
    who = values["customer"].text
    yield Way("P1", "left over from the sale of 2019", there, f"{who} bought nothing in a sale in 2019.")


ORDERED: Final = template(
    "ordered",
    "apis-harwick",
    (
        person("customer", "customer", "{value}", lambda rows, values: [each["id"] for each in rows["customers"]],
               without="that customer"),
        choice("status", "filter", "state of the orders", "{value}", _states, _state_ways, drops=True),
    ),
    ("Which products has {customer} ordered that are {status}?",
     "Of the products that {customer} ordered, which are {status}? Give me their names."),
    _ordered_truth,
    _ordered,
    kind="read",
)  # fmt: skip


def _order_pairs(rows: Rows, values: Values) -> list[Pair]:
    """Pairs of customers, of whom the second has orders in that state, and the first has others."""
    states: dict[str, set[str]] = {}
    for row in rows["orders"]:
        states.setdefault(row["customer_id"], set()).add(row["status"])
    ids = sorted(states)
    return [
        Pair(first, second, status)
        for place, first in enumerate(ids)
        for second in (ids[(place + 1) % len(ids)], ids[(place + 5) % len(ids)])
        for status in sorted(states[second])
        if states[first] - {status} and first != second
    ]


def _order_words(rows: Rows, pair: Pair) -> Said:
    people = names(rows, "customers")
    first, second, state = people[pair.first], people[pair.second], _STATES[pair.condition]
    return Said(
        f"all of {first}'s orders, and in those of {second}'s orders that are {state}",
        f"the orders of {first} and of {second}, of both only those that are {state}",
        f"the orders of {first} and {second} that are {state}",
    )


def _order_pair_ways(rows: Rows, values: Values) -> Iterable[Way]:
    first, second, _, scope = values["orders"].value
    people = names(rows, "customers")
    same = [[*pair, scope] for pair in _order_pairs(rows, values) if pair[:2] == (first, second)]
    yield Way("A2", f"the orders of {people[first]}, and in some of {people[second]}'s", [
        each for each in same if scope == "second"
    ])  # fmt: skip
    near = [[*pair, scope] for pair in _order_pairs(rows, values) if pair.first == first]
    text = f"the orders that {people[first]} and {people[second]} placed together at Christmas"
    yield Way("P1", text, near, "They placed no order together.")


def _orders_truth(rows: Rows, taken: Taken) -> Outcome | None:
    first, second, status, scope = taken["orders"]
    goods = names(rows, "products")
    return told(
        goods[row["product_id"]]
        for row in rows["orders"]
        if (row["customer_id"] == second and row["status"] == status)
        or (row["customer_id"] == first and (scope == "second" or row["status"] == status))
    )


def _orders_path(play: Play, v: Mapping[str, Any]) -> None:
    first, second, status, scope = v["orders"]
    first, second = finding.customer(play, first), finding.customer(play, second)
    found = play.items("orders", "find_orders", customer_id=second, status=status)
    wanted = {"status": status} if scope == "both" else {}
    found += play.items("orders", "find_orders", customer_id=first, **wanted)
    play.answer(*(play("catalog", "get_product", product_id=each["product_id"])["name"] for each in found))


ORDERS_PAIR: Final = template(
    "orders-pair",
    "apis-tallen",
    (attached("orders", "which orders", _order_pairs, _order_words, _order_pair_ways),),
    ("Which products are in {orders}?", "Give me the names of the products in {orders}."),
    _orders_truth,
    _orders_path,
    kind="read",
)


TEMPLATES: Final[tuple[Template, ...]] = (
    ORDER_DEED,
    CHANGE_QUANTITY,
    PLACE_ORDER,
    ORDERED,
    ORDERS_PAIR,
)
