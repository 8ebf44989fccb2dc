"""What the shop of a persona holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import pytest

from benchmarks.pi.cast import FINANCIER, password
from benchmarks.pi.catalogue.amazon import rows
from servers.amazon import app
from servers.kernel import Engine, Ref, World
from tests.apps.shop import Shop

NOW = datetime(2026, 4, 14, 9, 10)
ROWS = rows(7, NOW, FINANCIER)


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    engine = Engine()
    world = World("shop", NOW, {"amazon": ROWS}, owner=FINANCIER.owner)
    layer = engine.layer(engine.load(world))
    calls = Shop(app, layer)
    calls("log_in", username=FINANCIER.self.address, password=password(7, FINANCIER, "amazon"))
    yield calls
    layer.close()
    engine.close()


def test_equal_arguments_give_equal_rows_and_another_seed_others() -> None:
    assert rows(7, NOW, FINANCIER) == ROWS
    assert rows(8, NOW, FINANCIER)["products"] != ROWS["products"]


def test_every_table_but_the_login_has_rows() -> None:
    assert {table.table_name for table in app.tables} - {name for name, some in ROWS.items() if some} == {"logins"}


def test_there_is_enough_to_choose_from() -> None:
    assert (len(ROWS["products"]), len(ROWS["product_types"]), len(ROWS["sellers"])) == (150, 20, 18)
    assert min(Counter(row["type_id"] for row in ROWS["products"]).values()) >= 7


@pytest.mark.parametrize("seed", [1, 7, 99])
def test_references_hold(seed: int) -> None:
    made = rows(seed, NOW, FINANCIER)
    ids = {name: {row["id"] for row in some} for name, some in made.items()}
    for table in app.tables:
        for name, field in table.model_fields.items():
            for ref in [each for each in field.metadata if isinstance(each, Ref)]:
                missing = {row[name] for row in made.get(table.table_name, ())} - ids[ref.table.table_name]
                assert not missing, (table.table_name, name)


def test_options_that_rows_name_are_there() -> None:
    options = {row["id"]: {each["id"] for each in row["options"]} or {""} for row in ROWS["products"]}

    for table in ("cart_items", "wish_items", "order_lines"):
        assert all(row["option_id"] in options[row["product_id"]] for row in ROWS[table]), table


def test_clothes_were_bought_in_one_size() -> None:
    sizes = {
        each["size"]
        for row in ROWS["order_lines"]
        for item in ROWS["products"]
        for each in item["options"]
        if item["id"] == row["product_id"] and each["id"] == row["option_id"] and each["size"]
    }

    assert len(sizes & {"S", "M", "L", "XL"}) == 1
    assert len(sizes) <= 2


def test_every_seller_has_something_to_sell() -> None:
    assert {row["seller_id"] for row in ROWS["products"]} == {row["id"] for row in ROWS["sellers"]}


def test_ids_are_unique() -> None:
    for name, some in ROWS.items():
        assert len({row["id"] for row in some}) == len(some), name


@pytest.mark.parametrize("seed", [1, 7, 99])
def test_all_that_happened_is_before_now(seed: int) -> None:
    made = rows(seed, NOW, FINANCIER)
    moments = [
        row[name] for some in made.values() for row in some for name in ("written", "asked", "answered", "placed", "at")
        if name in row
    ]  # fmt: skip

    assert max(map(datetime.fromisoformat, moments)) < NOW


def test_no_order_was_paid_with_a_card_that_had_expired() -> None:
    ends = {row["id"]: date.fromisoformat(row["expires"]) for row in ROWS["payment_cards"]}

    assert all(datetime.fromisoformat(row["placed"]).date() <= ends[row["card_id"]] for row in ROWS["orders"])
    assert {row["card_id"] for row in ROWS["orders"]} == {"C1", "C2"}


def test_titles_and_reviews_are_all_different() -> None:
    for texts in ([row["title"] for row in ROWS["products"]], [row["text"] for row in ROWS["reviews"]]):
        assert len(set(texts)) == len(texts)


def test_nobody_is_logged_in_at_first() -> None:
    assert "logins" not in ROWS


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_product_types", {"query": "kitchen"}),
        ("search_products", {"query": "kettle steel"}),
        ("search_products", {"query": "desk lamp", "max_price": 60, "in_stock": True}),
        ("search_products", {"min_rating": 4, "sort": "cheapest"}),
        ("search_sellers", {"query": "climbing"}),
        ("view_recommendations", {}),
        ("view_orders", {"query": "coffee"}),
        ("view_addresses", {}),
        ("view_payment_cards", {}),
        ("view_wish_list", {}),
    ],
)
def test_what_is_looked_for_is_found(shop: Shop, tool: str, arguments: dict[str, Any]) -> None:
    assert shop(tool, **arguments)["items"]


def test_the_home_address_is_split_into_its_parts(shop: Shop) -> None:
    home = shop("view_addresses")["items"][0]

    assert (home["street"], home["city"], home["postcode"]) == ("Flat 4, 19 Lantern Row", "London", "E1 9QX")


def test_orders_hold_lines_of_several_sellers(shop: Shop) -> None:
    orders = shop("view_orders")["items"]

    assert any(len({line["seller_id"] for line in order["lines"]}) > 1 for order in orders)


def test_the_cart_can_be_ordered_with_the_card_in_use_and_not_with_the_expired_one(shop: Shop) -> None:
    assert "expired" in shop.refusal("place_order", address_id="AD1", card_id="C1")
    assert shop("place_order", address_id="AD1", card_id="C2")["id"] == "O11"
