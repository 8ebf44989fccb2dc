"""Tasks over shops and those who buy there: orders, parcels, invoices, goods, accounts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.apis.made import Taken, by, change, changes, insert, names, template, told, where
from benchmarks.drift.apis.mentions import Item, Pair, Said, Way, amount, attached, choice, day, deed, item, person
from benchmarks.drift.apis.names import FIRST, GOODS, STREETS, SURNAMES
from benchmarks.drift.apis.play import Play
from benchmarks.drift.apis.worlds import DISTRICTS, TODAY, days
from benchmarks.drift.template import Outcome, Rows, Template, Value, Values

__all__ = ("TEMPLATES",)

_CHRISTMAS = ("placed at Christmas", "placed no order at Christmas")

_SINGULAR = {sort: "toolbox" if sort == "toolboxes" else sort.removesuffix("s") for sort in GOODS}

# Who and what.


def _orders(rows: Rows, *states: str) -> list[Item]:
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


def _billed(rows: Rows, status: str) -> list[Item]:
    """Orders whose invoice is open, or is paid."""
    billed = {row["order_id"] for row in where(rows, "invoices", status=status)}
    every = ("open", "on hold", "shipped", "delivered")
    return [each for each in _orders(rows, *every) if each.id in billed]


def _parcels(rows: Rows) -> list[Item]:
    """Parcels under way: "Ines Berg's floor lamp parcel"."""
    ordered = {each.id: each for each in _orders(rows, "shipped")}
    return [
        Item(
            row["id"],
            ordered[row["order_id"]].who,
            ordered[row["order_id"]].what.replace(" order", " parcel"),
            ordered[row["order_id"]].sort.replace(" orders", " parcels"),
        )
        for row in where(rows, "parcels", status="in transit")
    ]


def _goods(rows: Rows, values: Values) -> list[Value]:
    return [Value(f"the {row['name']}", row["id"]) for row in rows["products"]]


def _goods_ways(rows: Rows, values: Values) -> Iterable[Way]:
    own = by(rows, "products", values["product"].value)
    last = own["name"].rpartition(" ")[2]
    like = [row["id"] for row in rows["products"] if row["name"].rpartition(" ")[2] == last]
    sort = [row["id"] for row in where(rows, "products", category=own["category"])]
    yield Way("E3", f"the {last}", like)
    yield Way("A2", f"one of the {own['category']}", sort)
    yield Way("P2", f"the garden {last}", like, f"There is no garden {last}.")
    for other in rows["products"]:
        if other["category"] == own["category"] and other != own:
            yield Way("A3", f"the {own['name']} (product {other['id']})", [own["id"], other["id"]])
            break


_THING = "that thing we spoke about"


# Orders.


def _order_deed_truth(rows: Rows, taken: Taken) -> Outcome | None:
    if by(rows, "orders", taken["order"])["status"] != "open":
        return None
    return changes(change("orders", taken["order"], status={"cancel": "cancelled", "hold": "on hold"}[taken["deed"]]))


def _order_deed(play: Play, v: Mapping[str, Any]) -> None:
    order = play("orders", "get_order", order_id=v["order"])
    play("orders", f"{v['deed']}_order", order_id=order["order_id"])


def _held(rows: Rows, values: Values) -> Sequence[Item]:
    return _orders(rows, "on hold") if values["deed"].value == "hold" else ()


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
            lambda rows, values: _orders(rows, "open"),
            past=_CHRISTMAS,
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
    order = play("orders", "get_order", order_id=v["order"])
    play("orders", "change_quantity", order_id=order["order_id"], quantity=v["quantity"])


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
        item("order", "order", "order", lambda rows, values: _orders(rows, "open", "on hold"), past=_CHRISTMAS),
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
    product = play("catalog", "get_product", product_id=v["product"])
    customer = play("customers", "get_customer", customer_id=v["customer"])
    play(
        "orders",
        "place_order",
        customer_id=customer["customer_id"],
        product_id=product["product_id"],
        quantity=v["quantity"],
    )


def _few(rows: Rows, values: Values) -> Iterable[Way]:
    numbers = range(2, 9)
    yield Way("E4", "a few", [3, 4, 5])
    yield Way("E4", "a good number", [6, 7, 8])
    yield Way("A2", "an even number", [2, 4, 6, 8])
    yield Way("P4", "900", list(numbers), "There are not 900 of them anywhere.")


PLACE_ORDER: Final = template(
    "place-order",
    "apis-brisa",
    (
        choice("product", "entity", "product", "{value}", _goods, _goods_ways, without=_THING),
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
    orders = play.items("orders", "find_orders", customer_id=v["customer"], status=v["status"])
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


# Parcels.


def _parcel_point_truth(rows: Rows, taken: Taken) -> Outcome | None:
    parcel = by(rows, "parcels", taken["parcel"])
    return told([names(rows, "points")[parcel["point_id"]]]) if parcel["point_id"] else None


def _parcel_point(play: Play, v: Mapping[str, Any]) -> None:
    parcel = play("parcels", "track_parcel", parcel_id=v["parcel"])
    points = play.items("parcels", "find_points")
    play.answer(*(each["name"] for each in points if each["pickup_point_id"] == parcel["point_id"]))


def _waiting(rows: Rows, values: Values) -> list[Item]:
    at = {row["id"] for row in rows["parcels"] if row["point_id"]}
    return [each for each in _parcels(rows) if each.id in at]


PARCEL_POINT: Final = template(
    "parcel-point",
    "apis-tallen",
    (item("parcel", "parcel", "parcel", _waiting, past=("sent back in March", "sent nothing back in March")),),
    ("At which pickup point will {parcel} be?", "Where is {parcel} to be picked up? I need the name of the point."),
    _parcel_point_truth,
    _parcel_point,
    kind="read",
)


def _redirect_truth(rows: Rows, taken: Taken) -> Outcome | None:
    parcel = by(rows, "parcels", taken["parcel"])
    if parcel["status"] != "in transit" or parcel["point_id"] == taken["point"]:
        return None
    return changes(change("parcels", parcel["id"], point_id=taken["point"]))


def _redirect(play: Play, v: Mapping[str, Any]) -> None:
    parcel = play("parcels", "track_parcel", parcel_id=v["parcel"])
    play("parcels", "redirect_parcel", parcel_id=parcel["parcel_id"], point_id=v["point"])


def _other_points(rows: Rows, values: Values) -> list[Value]:
    now = by(rows, "parcels", values["parcel"].value)["point_id"] if "parcel" in values else None
    return [Value(row["name"], row["id"]) for row in rows["points"] if row["id"] != now]


def _usual(rows: Rows, parcel: str) -> set[str]:
    """Where the other parcels of whoever gets this one were picked up."""
    owner = {row["id"]: row["customer_id"] for row in rows["orders"]}
    who = owner[by(rows, "parcels", parcel)["order_id"]]
    return {row["point_id"] for row in where(rows, "parcels", status="delivered") if owner[row["order_id"]] == who}


def _point_ways(rows: Rows, values: Values) -> Iterable[Way]:
    own = by(rows, "points", values["point"].value)
    every = [each.value for each in _other_points(rows, values)]
    yield Way("A2", f"a pickup point in {own['district']}", [
        row["id"] for row in where(rows, "points", district=own["district"])
    ])  # fmt: skip
    yield Way("A2", "another pickup point", every)
    yield Way("P1", "the pickup point at the airport", every, "There is no pickup point at the airport.")
    usual = _usual(rows, values["parcel"].value)
    if usual == {own["id"]}:
        yield Way("A2", "where they always pick up their parcels", every, left=list(usual))
    for other in rows["points"]:
        if other != own and other["id"] in every:
            yield Way("A3", f"{own['name']} (pickup point {other['id']})", [own["id"], other["id"]])
            break


def _there_already(rows: Rows, values: Values) -> Sequence[Item]:
    at = {row["id"] for row in where(rows, "parcels", point_id=values["point"].value)} if "point" in values else set()
    return [each for each in _parcels(rows) if each.id in at]


REDIRECT_PARCEL: Final = template(
    "redirect-parcel",
    "apis-brisa",
    (
        item(
            "parcel",
            "parcel",
            "parcel",
            lambda rows, values: _parcels(rows),
            already=_there_already,
            state="goes there",
        ),
        choice("point", "entity", "pickup point", " to {value}", _other_points, _point_ways),
    ),
    ("Redirect {parcel}{point}.", "Please have {parcel} sent{point} instead."),
    _redirect_truth,
    _redirect,
    kind="change",
)


# Invoices and payments.


def _invoice_of(play: Play, order: str) -> dict[str, Any]:
    (found,) = play.items("payments", "find_invoices", order_id=order)
    return found


def _amount_truth(rows: Rows, taken: Taken) -> Outcome | None:
    return told((row["amount"] for row in where(rows, "invoices", order_id=taken["order"])), "number")


def _amount(play: Play, v: Mapping[str, Any]) -> None:
    invoice = _invoice_of(play, v["order"])
    play.answer(play("payments", "get_invoice", invoice_id=invoice["invoice_id"])["amount"])


INVOICE_AMOUNT: Final = template(
    "invoice-amount",
    "apis-brisa",
    (item("order", "order", "order", lambda rows, values: _billed(rows, "open"), past=_CHRISTMAS),),
    ("How much is the invoice for {order}, in euros?", "What does the invoice for {order} come to in euros?"),
    _amount_truth,
    _amount,
    kind="read",
)


def _pay_truth(rows: Rows, taken: Taken) -> Outcome | None:
    (invoice,) = where(rows, "invoices", order_id=taken["order"])
    if invoice["status"] == "paid":
        return None
    paid = {"invoice_id": invoice["id"], "amount": invoice["amount"], "method": taken["method"]}
    return changes(change("invoices", invoice["id"], status="paid"), insert("payments", **paid, made=TODAY.isoformat()))


def _pay(play: Play, v: Mapping[str, Any]) -> None:
    play("payments", "pay_invoice", invoice_id=_invoice_of(play, v["order"])["invoice_id"], method=v["method"])


def _method_ways(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("E1", "with plastic", ["card"])
    yield Way("E1", "in notes and coins", ["cash"])
    yield Way("E1", "through the bank", ["transfer"])
    yield Way("A2", "without cash", ["card", "transfer"])
    yield Way("A2", "some way other than by transfer", ["card", "cash"])
    yield Way("P1", "by the cheque they sent", ["card", "transfer", "cash"], "No cheque was sent.")


PAY_INVOICE: Final = template(
    "pay-invoice",
    "apis-harwick",
    (
        item(
            "order",
            "order",
            "order",
            lambda rows, values: _billed(rows, "open"),
            past=_CHRISTMAS,
            already=lambda rows, values: _billed(rows, "paid"),
            state="is paid for",
        ),
        choice(
            "method",
            "value",
            "way of paying",
            " {value}",
            {"card": "by card", "transfer": "by transfer", "cash": "in cash"},
            _method_ways,
        ),
    ),
    ("Pay the invoice for {order}{method}.", "The invoice for {order} is to be paid{method}. Please do that."),
    _pay_truth,
    _pay,
    kind="insert",
    risky=True,
)


def _due_truth(rows: Rows, taken: Taken) -> Outcome | None:
    (invoice,) = where(rows, "invoices", order_id=taken["order"])
    if invoice["status"] == "paid" or taken["due"] < TODAY.isoformat() or invoice["due"] == taken["due"]:
        return None
    return changes(change("invoices", invoice["id"], due=taken["due"]))


def _due(play: Play, v: Mapping[str, Any]) -> None:
    play("payments", "set_due_date", invoice_id=_invoice_of(play, v["order"])["invoice_id"], due=v["due"])


def _dues(rows: Rows, values: Values) -> Sequence[str]:
    return [each.isoformat() for each in days(8, 28)]


def _past_due(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("P4", "19 March", list(_dues(rows, values)), "19 March has passed.")


DUE_DATE: Final = template(
    "due-date",
    "apis-tallen",
    (
        item(
            "order",
            "order",
            "order",
            lambda rows, values: _billed(rows, "open"),
            past=_CHRISTMAS,
            already=lambda rows, values: _billed(rows, "paid"),
            state="is paid for",
        ),
        day("due", "day by which it is to be paid", " to {value}", _dues, _past_due),
    ),
    ("Move the due date of the invoice for {order}{due}.", "Set the due date of the invoice for {order}{due}."),
    _due_truth,
    _due,
    kind="change",
)


def _refund_truth(rows: Rows, taken: Taken) -> Outcome | None:
    (invoice,) = where(rows, "invoices", order_id=taken["order"])
    for payment in where(rows, "payments", invoice_id=invoice["id"]):
        if taken["amount"] <= payment["amount"] - payment["refunded"]:
            return changes(change("payments", payment["id"], refunded=payment["refunded"] + taken["amount"]))
    return None


def _refund(play: Play, v: Mapping[str, Any]) -> None:
    invoice = _invoice_of(play, v["order"])
    (payment,) = play.items("payments", "find_payments", invoice_id=invoice["invoice_id"])
    play("payments", "refund_payment", payment_id=payment["payment_id"], amount=v["amount"])


def _refunds(rows: Rows, values: Values) -> Sequence[int]:
    (invoice,) = where(rows, "invoices", order_id=values["order"].value)
    return [euros for euros in (5, 8, 10, 12, 15, 20, 25, 30, 40) if euros < invoice["amount"]]


def _refund_ways(rows: Rows, values: Values) -> Iterable[Way]:
    (invoice,) = where(rows, "invoices", order_id=values["order"].value)
    sums = list(_refunds(rows, values))
    yield Way("E4", "a small sum", sums[: len(sums) // 2])
    yield Way("E4", "a decent sum", sums[len(sums) // 2 :])
    much = invoice["amount"] + 50
    yield Way("P4", f"{much} euros", sums, f"They did not even pay {much} euros.")


REFUND: Final = template(
    "refund",
    "apis-brisa",
    (
        item("order", "order", "order", lambda rows, values: _billed(rows, "paid"), past=_CHRISTMAS),
        amount("amount", "euros to refund", "{value} of", _refunds, _refund_ways, unit=" euros", without="some of"),
    ),
    ("Refund {amount} what was paid for {order}.", "Please give back {amount} the payment for {order}."),
    _refund_truth,
    _refund,
    kind="change",
    risky=True,
)


# Accounts and goods.


def _contact_truth(rows: Rows, taken: Taken) -> Outcome | None:
    if by(rows, "customers", taken["customer"])["contact"] == taken["channel"]:
        return None
    return changes(change("customers", taken["customer"], contact=taken["channel"]))


def _contact(play: Play, v: Mapping[str, Any]) -> None:
    customer = play("customers", "get_customer", customer_id=v["customer"])
    play("customers", "set_contact", customer_id=customer["customer_id"], channel=v["channel"])


def _channels(rows: Rows, values: Values) -> list[Value]:
    now = by(rows, "customers", values["customer"].value)["contact"] if "customer" in values else ""
    texts = {"email": "by email", "phone": "by phone", "post": "by post"}
    return [Value(text, channel) for channel, text in texts.items() if channel != now]


def _channel_ways(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("E1", "by snail mail", ["post"])
    yield Way("E1", "with a ring", ["phone"])
    yield Way("A2", "in writing", ["email", "post"])
    every = [each.value for each in _channels(rows, values)]
    yield Way("P1", "on the fax number they gave us", every, f"{values['customer'].text} gave us no fax number.")


SET_CONTACT: Final = template(
    "set-contact",
    "apis-harwick",
    (
        person("customer", "customer", "{value}", lambda rows, values: [row["id"] for row in rows["customers"]],
               without="that customer"),
        choice("channel", "value", "way to reach them", " {value}", _channels, _channel_ways,
               without=" differently"),
    ),
    ("From now on {customer} wants to be contacted{channel}. Please set that.",
     "Change how we contact {customer}: it should be done{channel}."),
    _contact_truth,
    _contact,
    kind="change",
)  # fmt: skip


def _goods_deed_truth(rows: Rows, taken: Taken) -> Outcome | None:
    product = by(rows, "products", taken["product"])
    if taken["deed"] == "withdraw":
        return changes(change("products", product["id"], status="withdrawn"))
    return changes(change("products", product["id"], stock=product["stock"] + 10))


def _goods_deed(play: Play, v: Mapping[str, Any]) -> None:
    product = play("catalog", "get_product", product_id=v["product"])["product_id"]
    if v["deed"] == "withdraw":
        play("catalog", "withdraw_product", product_id=product)
    else:
        play("catalog", "restock", product_id=product, pieces=10)


GOODS_DEED: Final = template(
    "goods-deed",
    "apis-tallen",
    (
        deed(
            "deed",
            "what is to be done about the product",
            {"withdraw": "withdraw it from the catalogue", "restock": "add 10 pieces to its stock"},
            ("do something about it", "see to it"),
            ("People keep asking about {product}.", "I am not content with how {product} is doing."),
        ),
        choice("product", "entity", "product", "{value}", _goods, _goods_ways, without=_THING),
    ),
    ("About {product}: please {deed}.", "As to {product}, {deed}, please."),
    _goods_deed_truth,
    _goods_deed,
    kind="change",
    risky=True,
)


def _cheap_goods(rows: Rows, wanted: Sequence[Any]) -> list[str]:
    first, second, limit, scope = wanted
    return [
        row["name"]
        for row in rows["products"]
        if (row["category"] == first and (scope == "second" or row["price"] < limit))
        or (row["category"] == second and row["price"] < limit)
    ]


def _goods_pairs(rows: Rows, values: Values) -> list[Pair]:
    """Pairs of categories with a limit of euros that leaves something of the second, and not all of the first."""
    prices: dict[str, list[int]] = {}
    for row in rows["products"]:
        prices.setdefault(row["category"], []).append(row["price"])
    return [
        Pair(first, second, limit)
        for first in sorted(prices)
        for second in sorted(prices)
        for limit in (30, 40, 50, 65, 90)
        if first != second and min(prices[second]) < limit <= max(prices[first])
    ]


def _goods_words(rows: Rows, pair: Pair) -> Said:
    first, second, limit = pair
    return Said(
        f"all {first}, and those {second} that cost less than {limit} euros",
        f"{first} or {second}, in both cases only what costs less than {limit} euros",
        f"{first} and {second} that cost less than {limit} euros",
    )


def _goods_pair_ways(rows: Rows, values: Values) -> Iterable[Way]:
    first, second, limit, scope = values["goods"].value
    like = [[*pair, scope] for pair in _goods_pairs(rows, values) if pair[:2] == (first, second)]
    if scope == "second":
        yield Way("E4", f"all {first}, and those {second} that are cheap", like[:4])
        yield Way("A2", f"all {first}, and some of the {second}", like)
    yield Way("P1", f"{first} and {second} from the 2031 fair", like, "There has been no fair of 2031.")


GOODS_PAIR: Final = template(
    "goods-pair",
    "apis-brisa",
    (attached("goods", "which products", _goods_pairs, _goods_words, _goods_pair_ways),),
    ("I need a list of products by name: {goods}.", "Look up these products and give me their names: {goods}."),
    lambda rows, taken: told(_cheap_goods(rows, taken["goods"])),
    lambda play, v: _find_goods(play, *v["goods"]),
    kind="read",
)


def _find_goods(play: Play, first: str, second: str, limit: int, scope: str) -> None:
    names_ = []
    for category in (first, second):
        for each in play.items("catalog", "find_products", category=category):
            price = play("catalog", "get_product", product_id=each["product_id"])["price"]
            if price < limit or (category == first and scope == "second"):
                names_.append(each["name"])
    play.answer(*names_)


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
        f"those orders of {first} and {second} that are {state}, whoever's they are",
        f"the orders of {first} and {second} that are {state}",
    )


def _order_pair_ways(rows: Rows, values: Values) -> Iterable[Way]:
    first, second, status, scope = values["orders"].value
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


def _newcomers(rows: Rows, values: Values) -> list[Value]:
    """People who are not customers yet, with an e-mail address."""
    known = {row["name"] for row in rows["customers"]}
    new = [f"{first} {last}" for first, last in zip(FIRST, SURNAMES, strict=False)]
    mails = {name: f"{name.replace(' ', '.').lower()}@mail.example" for name in new if name not in known}
    return [Value(f"{name} ({mail})", [name, mail]) for name, mail in mails.items()]


def _create_truth(rows: Rows, taken: Taken) -> Outcome | None:
    name, email = taken["who"]
    return changes(insert("customers", name=name, email=email, street=taken["street"], district=taken["district"]))


def _create(play: Play, v: Mapping[str, Any]) -> None:
    name, email = v["who"]
    play("customers", "create_customer", name=name, email=email, street=v["street"], district=v["district"])


_STREETS: Final = {f"{number} {street}": f"{number} {street}" for number in (4, 17) for street in STREETS}


def _street_ways(rows: Rows, values: Values) -> Iterable[Way]:
    number, _, street = values["street"].value.partition(" ")
    yield Way("A2", f"somewhere in {street}", [each for each in _STREETS if each.endswith(street)])
    yield Way("P2", f"{number} Rope Lane", [f"{number} Rope Walk", f"{number} Tanner Lane", f"{number} Kiln Lane"],
              "There is no Rope Lane.")  # fmt: skip
    row = next((row for row in rows["customers"] if row["street"] in _STREETS), None)
    if row and row["street"] != values["street"].value:
        yield Way("A3", f"{values['street'].text}, in the house of {row['name']}", [
            values["street"].value, row["street"]
        ])  # fmt: skip


CREATE_CUSTOMER: Final = template(
    "create-customer",
    "apis-brisa",
    (
        choice("who", "value", "name and address", "{value}", _newcomers, without="a new customer"),
        choice("street", "value", "street and number", " at {value}", _STREETS, _street_ways),
        choice("district", "value", "district", " in {value}",
               {each: each for each in DISTRICTS},
               lambda rows, values: (
                   Way("E1", "the boatmen's quarter", ["Harbour"]),
                   Way("A2", "one of the districts on the water", ["Harbour", "Lakeside"]),
                   Way("P2", "Eastmill", ["Eastgate", "Mill Hill"], "There is no district called Eastmill."),
               )),
    ),
    ("Open an account for {who}, who lives{street}{district}.",
     "Please make {who} a customer: the address is{street}{district}."),
    _create_truth,
    _create,
    kind="insert",
)  # fmt: skip


TEMPLATES: Final[tuple[Template, ...]] = (
    ORDER_DEED, CHANGE_QUANTITY, PLACE_ORDER, ORDERED, PARCEL_POINT, REDIRECT_PARCEL, INVOICE_AMOUNT, PAY_INVOICE,
    DUE_DATE, REFUND, SET_CONTACT, GOODS_DEED, GOODS_PAIR, ORDERS_PAIR, CREATE_CUSTOMER,
)  # fmt: skip
