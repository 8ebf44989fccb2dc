"""Tasks over goods of the shops and accounts of customers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.apis import finding
from benchmarks.drift.apis.made import Taken, by, change, changes, insert, template, told
from benchmarks.drift.apis.mentions import Pair, Said, Way, attached, choice, deed, disagreeing, person
from benchmarks.drift.apis.names import FIRST, STREETS, SURNAMES
from benchmarks.drift.apis.play import Play
from benchmarks.drift.apis.things import DISTRICTS, THING, district_ways, goods_on_sale, goods_ways
from benchmarks.drift.template import Outcome, Rows, Template, Value, Values

__all__ = ("TEMPLATES",)


def _contact_truth(rows: Rows, taken: Taken) -> Outcome | None:
    if by(rows, "customers", taken["customer"])["contact"] == taken["channel"]:
        return None
    return changes(change("customers", taken["customer"], contact=taken["channel"]))


def _contact(play: Play, v: Mapping[str, Any]) -> None:
    play("customers", "set_contact", customer_id=finding.customer(play, v["customer"]), channel=v["channel"])


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
    product = finding.product(play, v["product"])
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
        choice("product", "entity", "product", "{value}", goods_on_sale, goods_ways, without=THING),
    ),
    ("About {product}: please {deed}.", "I have a request about {product}: {deed}, please."),
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
    first, second, _, scope = values["goods"].value
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
    yield Way("A2", f" somewhere in {street}", [each for each in _STREETS if each.endswith(street)])
    yield Way("P2", f"{number} Rope Lane", [f"{number} Rope Walk", f"{number} Tanner Lane", f"{number} Kiln Lane"],
              "There is no Rope Lane.")  # fmt: skip
    lives = {row["street"]: row["name"] for row in rows["customers"] if row["street"] in _STREETS}
    yield from disagreeing(
        values["street"].value,
        [street for street in lives if street != values["street"].value],
        lambda named, told: f"{named} (where {lives[told]} lives)" if told in lives else "",
    )


CREATE_CUSTOMER: Final = template(
    "create-customer",
    "apis-brisa",
    (
        choice("who", "value", "name and address", "{value}", _newcomers, without="somebody new"),
        choice("street", "value", "street and number", " at {value}", _STREETS, _street_ways),
        choice("district", "value", "district", " in {value}",
               DISTRICTS, district_ways),
    ),
    ("Open an account for {who}, who lives{street}{district}.",
     "Please enter {who} as a customer, who lives{street}{district}."),
    _create_truth,
    _create,
    kind="insert",
)  # fmt: skip


TEMPLATES: Final[tuple[Template, ...]] = (
    SET_CONTACT,
    GOODS_DEED,
    GOODS_PAIR,
    CREATE_CUSTOMER,
)
