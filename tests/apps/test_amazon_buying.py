"""Buying in the shop: the cart, the wish list and orders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.amazon import app
from tests.apps.desk import desk
from tests.apps.shop import Shop
from tests.contracts.rows_amazon import AMAZON

PAY = {"address_id": "AD1", "card_id": "C1"}


@pytest.fixture
def shop() -> Iterator[Shop]:
    """Ines is logged in."""
    with desk(app, AMAZON, kind=Shop) as calls:
        yield calls


def items(shop: Shop, tool: str = "view_cart") -> list[tuple[str, str | None, int]]:
    return [(each["product_id"], each.get("option_id"), each["quantity"]) for each in shop(tool)["items"]]


def test_the_cart_is_shown_with_its_total(shop: Shop) -> None:
    cart = shop("view_cart")

    assert items(shop) == [("P1", None, 2), ("P3", "white-m", 1)]
    assert [each["total"] for each in cart["items"]] == ["59.98", "35.00"]
    assert (cart["total"], cart["items"][1]["option"]) == ("94.98", "white, M")


def test_a_product_is_put_into_the_cart(shop: Shop) -> None:
    made = shop("add_product_to_cart", product_id="P3", option_id="blue-m", quantity=2)

    assert (made["unit_price"], made["total"], made["seller"]) == ("40.00", "80.00", "Loom & Co")
    assert shop.effects() == ["+cart_items"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"product_id": "P1"}, "in the cart already, as CI1 with quantity 2; `update_cart_quantity`"),
        ({"product_id": "P2", "quantity": 4}, "P2 (Clamp lamp): 3 are left, not 4."),
        ({"product_id": "P4"}, "P4 (Banker's lamp) is out of stock."),
        ({"product_id": "P3"}, "comes in options, and one is needed. There are: blue-m, blue-l, white-m."),
        ({"product_id": "P3", "option_id": "red"}, "has no option 'red'. There are: blue-m"),
        ({"product_id": "P3", "option_id": "blue-l"}, "P3 (Linen shirt, blue-l) is out of stock."),
        ({"product_id": "P2", "option_id": "red"}, "P2 has no options; leave option_id out."),
        ({"product_id": "P99"}, "No product has the id 'P99'."),
        ({"product_id": "P2", "quantity": 0}, "quantity"),
    ],
)
def test_what_cannot_be_put_into_the_cart_is_refused(shop: Shop, arguments: dict[str, Any], why: str) -> None:
    assert why in shop.refusal("add_product_to_cart", **arguments)


def test_a_quantity_is_changed_up_to_what_is_left(shop: Shop) -> None:
    assert shop("update_cart_quantity", cart_item_id="CI1", quantity=8)["total"] == "239.92"
    assert shop.effects() == ["~cart_items"]
    assert "8 are left, not 9" in shop.refusal("update_cart_quantity", cart_item_id="CI1", quantity=9)


def test_of_a_last_one_it_is_said_that_one_is_left(shop: Shop) -> None:
    shop("update_cart_quantity", cart_item_id="CI1", quantity=7)
    shop("place_order", address_id="AD1", card_id="C1")

    assert "1 is left, not 2" in shop.refusal("add_product_to_cart", product_id="P1", quantity=2)


def test_clearing_the_cart_leaves_that_of_others(shop: Shop) -> None:
    assert shop("clear_cart") == "Items taken out of the cart: 2."
    assert shop.effects() == ["-cart_items", "-cart_items"]
    assert shop("view_cart") == {"shown": "nothing found", "items": [], "total": "0.00"}


def test_what_is_out_of_stock_can_be_wished_for_once(shop: Shop) -> None:
    shop("add_product_to_wish_list", product_id="P3", option_id="blue-l")

    assert shop.effects() == ["+wish_items"]
    assert items(shop, "view_wish_list") == [("P2", None, 3), ("P4", None, 1), ("P3", "blue-l", 1)]
    assert "on the wish list already, as W2" in shop.refusal("add_product_to_wish_list", product_id="P4")


def test_an_item_goes_to_the_wish_list_and_back_with_its_option_and_quantity(shop: Shop) -> None:
    moved = shop("move_cart_item_to_wish_list", cart_item_id="CI1")
    assert shop.effects() == ["+wish_items", "-cart_items"]
    assert items(shop, "view_wish_list")[-1] == ("P1", None, 2)

    shop("move_wish_list_item_to_cart", wish_item_id=moved["id"])
    assert items(shop) == [("P3", "white-m", 1), ("P1", None, 2)]
    assert len(items(shop, "view_wish_list")) == 2


def test_an_item_that_is_on_the_other_list_too_is_moved_by_adding_up(shop: Shop) -> None:
    wish = shop("add_product_to_wish_list", product_id="P1", quantity=3)
    moved = shop("move_cart_item_to_wish_list", cart_item_id="CI1")
    assert (moved["id"], moved["quantity"]) == (wish["id"], 5)

    cart = shop("add_product_to_cart", product_id="P1", quantity=1)
    back = shop("move_wish_list_item_to_cart", wish_item_id=wish["id"])
    assert (back["id"], back["quantity"]) == (cart["id"], 6)
    assert "P1" not in [product for product, _, _ in items(shop, "view_wish_list")]


def test_items_do_not_add_up_to_more_than_there_are_or_may_be(shop: Shop) -> None:
    wish = shop("add_product_to_wish_list", product_id="P1", quantity=7)["id"]
    assert "8 are left, not 9" in shop.refusal("move_wish_list_item_to_cart", wish_item_id=wish)

    shop("add_product_to_wish_list", product_id="P3", option_id="white-m", quantity=999)
    refused = shop.refusal("move_cart_item_to_wish_list", cart_item_id="CI2")
    assert refused.endswith("would have quantity 1000 with these; it may have 999.")


def test_a_wish_that_is_out_of_stock_stays_one(shop: Shop) -> None:
    assert "out of stock" in shop.refusal("move_wish_list_item_to_cart", wish_item_id="W2")


def test_an_order_lowers_stock_and_empties_the_cart(shop: Shop) -> None:
    made = shop("place_order", **PAY)

    assert (made["total"], made["card"], made["placed"]) == ("94.98", "3333", "2023-11-30 08:15")
    assert made["ship_to"] == "Ines Okafor, Rua Nova 4, Lisbon 1100-001, Portugal"
    assert shop.effects() == sorted(
        ["+orders", *["+order_lines"] * 2, *["-cart_items"] * 2, *["~products"] * 2],
    )
    assert shop("view_product", product_id="P1")["stock"] == 6
    options = shop("view_product_options", product_id="P3")["items"]
    assert [each["stock"] for each in options] == [2, 0, 4]


def test_an_order_holds_lines_of_several_sellers_that_arrive_as_each_delivers(shop: Shop) -> None:
    lines = shop("place_order", **PAY)["lines"]

    assert [(each["seller"], each["arrives"], each["status"]) for each in lines] == [
        ("Brightside", "2023-12-03", "on its way"),
        ("Loom & Co", "2023-12-05", "on its way"),
    ]


def test_an_order_with_several_sellers_returned_to_the_cart(shop: Shop) -> None:
    order = shop("view_order", order_id=shop("place_order", **PAY)["id"])
    for line in order["lines"]:
        option = {"option_id": line["option_id"]} if "option_id" in line else {}
        shop("add_product_to_cart", product_id=line["product_id"], quantity=line["quantity"], **option)

    same = ("product_id", "option_id", "seller_id", "seller", "quantity", "unit_price", "total")
    cart = shop("view_cart")
    assert [[each.get(key) for key in same] for each in cart["items"]] == [
        [each.get(key) for key in same] for each in order["lines"]
    ]
    assert {each["seller_id"] for each in cart["items"]} == {"S1", "S2"}
    assert cart["total"] == order["total"]


def test_an_expired_card_is_refused(shop: Shop) -> None:
    assert "Card C2, ending in 7777, expired in 2023-10" in shop.refusal("place_order", address_id="AD1", card_id="C2")


def test_an_empty_cart_cannot_be_ordered(shop: Shop) -> None:
    shop("clear_cart")
    assert "cart is empty" in shop.refusal("place_order", **PAY)


def test_what_others_have_bought_meanwhile_cannot_be_ordered() -> None:
    cart = [{**row, "quantity": 9} if row["id"] == "CI1" else row for row in AMAZON["cart_items"]]
    with desk(app, {**AMAZON, "cart_items": cart}, kind=Shop) as calls:
        assert "8 are left, not 9" in calls.refusal("place_order", **PAY)


def test_an_order_keeps_the_price_that_was_paid(shop: Shop) -> None:
    shown = shop("view_order", order_id="O1")

    assert (shown["total"], shown["card"], shown["lines"][0]["status"]) == ("25.99", "7777", "delivered")


def test_orders_are_listed_newest_first_and_found_by_what_was_bought(shop: Shop) -> None:
    assert [each["id"] for each in shop("view_orders")["items"]] == ["O2", "O1"]
    assert [each["id"] for each in shop("view_orders", query="desk lamp")["items"]] == ["O1"]


def test_the_last_purchase_is_the_newest_order_or_that_of_a_product(shop: Shop) -> None:
    assert shop("view_last_purchase")["id"] == "O2"
    assert shop("view_last_purchase", query="LAMP")["id"] == "O1"
    assert "No order has a product with the words 'kettle'" in shop.refusal("view_last_purchase", query="kettle")


def test_purchases_of_one_moment_are_listed_last_first(shop: Shop) -> None:
    shop("clear_cart")
    for quantity in (1, 2):
        shop("add_product_to_cart", product_id="P1", quantity=quantity)
        shop("place_order", address_id="AD1", card_id="C1")

    assert [each["quantity"] for each in shop("view_product_purchases", product_id="P1")["items"]] == [2, 1, 1]


def test_purchases_of_a_product_are_ones_own(shop: Shop) -> None:
    (bought,) = shop("view_product_purchases", product_id="P1")["items"]

    assert (bought["order_id"], bought["placed"], bought["unit_price"]) == ("O1", "2023-10-10 10:00", "25.99")
    assert shop("view_product_purchases", product_id="P2")["items"] == []
