"""The shop: what can be found, whose data is shown, and what is written about products."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.amazon import app
from tests.apps.desk import NOW, desk
from tests.apps.shop import Shop
from tests.contracts.rows_amazon import AMAZON, INES, MEI


@pytest.fixture
def shop() -> Iterator[Shop]:
    """Ines is logged in."""
    with desk(app, AMAZON, kind=Shop) as calls:
        yield calls


@pytest.fixture
def locked() -> Iterator[Shop]:
    with desk(app, {**AMAZON, "logins": []}, kind=Shop) as calls:
        yield calls


@pytest.fixture
def open_shop() -> Iterator[Shop]:
    """Nobody has an account."""
    rows = {table: [row for row in rows if row.get("username") != MEI] for table, rows in AMAZON.items()}
    with desk(app, {**rows, "logins": [], "accounts": []}, kind=Shop) as calls:
        yield calls


PERSONAL: list[tuple[str, dict[str, Any]]] = [
    ("view_account", {}),
    ("view_addresses", {}),
    ("add_address", {"recipient": "x", "street": "x", "city": "x", "postcode": "x", "country": "x"}),
    ("view_payment_cards", {}),
    ("view_payment_card", {"card_id": "C1"}),
    ("add_to_history", {"product_id": "P1"}),
    ("view_recommendations", {}),
    ("view_orders", {}),
    ("view_order", {"order_id": "O1"}),
    ("view_last_purchase", {}),
    ("view_product_purchases", {"product_id": "P1"}),
    ("post_product_question", {"product_id": "P1", "question": "x"}),
    ("write_product_review", {"product_id": "P1", "stars": 3, "title": "x"}),
    ("view_cart", {}),
    ("add_product_to_cart", {"product_id": "P5"}),
    ("update_cart_quantity", {"cart_item_id": "CI1", "quantity": 1}),
    ("clear_cart", {}),
    ("view_wish_list", {}),
    ("add_product_to_wish_list", {"product_id": "P5"}),
    ("move_cart_item_to_wish_list", {"cart_item_id": "CI1"}),
    ("move_wish_list_item_to_cart", {"wish_item_id": "W1"}),
    ("place_order", {"address_id": "AD1", "card_id": "C1"}),
]

CATALOGUE: list[tuple[str, dict[str, Any]]] = [
    ("search_product_types", {}),
    ("search_products", {}),
    ("search_sellers", {}),
    ("view_seller", {"seller_id": "S1"}),
    ("view_product", {"product_id": "P1"}),
    ("view_product_options", {"product_id": "P3"}),
    ("view_product_reviews", {"product_id": "P1"}),
    ("view_product_questions", {"product_id": "P1"}),
    ("view_product_qa", {"product_id": "P1"}),
]


@pytest.mark.parametrize(("tool", "arguments"), PERSONAL)
def test_personal_data_wants_a_login_where_there_are_accounts(
    locked: Shop, tool: str, arguments: dict[str, Any]
) -> None:
    assert "use `log_in`" in locked.refusal(tool, **arguments)


@pytest.mark.parametrize(("tool", "arguments"), CATALOGUE)
def test_the_catalogue_is_open_to_all(locked: Shop, tool: str, arguments: dict[str, Any]) -> None:
    assert locked(tool, **arguments)


@pytest.mark.parametrize(("tool", "arguments"), PERSONAL)
def test_without_accounts_no_login_is_wanted(open_shop: Shop, tool: str, arguments: dict[str, Any]) -> None:
    assert open_shop(tool, **arguments)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [*CATALOGUE, *(case for case in PERSONAL if case[0].startswith("view_"))],
)
def test_what_shows_changes_nothing(shop: Shop, tool: str, arguments: dict[str, Any]) -> None:
    shop(tool, **arguments)

    assert not shop.layer.changes()


def test_logging_in_and_out_keeps_one_login(locked: Shop) -> None:
    assert locked("log_in", username="INES.okafor@harbor.example", password="kelp-77") == f"Logged in as {INES}."
    assert locked.effects() == ["+logins"]
    assert locked("log_out") == "Logged out."
    assert locked.refusal("log_out") == "Nobody is logged in."


def test_a_wrong_password_logs_nobody_in(locked: Shop) -> None:
    assert "No account has that" in locked.refusal("log_in", username=INES, password="tin-drum")


def test_an_account_is_shown_with_what_is_in_it(shop: Shop) -> None:
    assert shop("view_account") == {
        "username": INES,
        "name": "Ines Okafor",
        "addresses": 1,
        "cards": 2,
        "in_cart": 2,
        "on_wish_list": 2,
        "orders": 2,
    }


def test_types_are_found_by_name_or_department(shop: Shop) -> None:
    (found,) = shop("search_product_types", query="LIGHT")["items"]
    assert found == {"id": "PT1", "name": "Desk lamps", "department": "Lighting", "products": 3}


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        ({"query": "LAMP lumo"}, ["P1", "P2"]),
        ({"query": "usb"}, ["P1"]),
        ({"query": "shirts"}, ["P3", "P5"]),
        ({"query": "desk"}, ["P1", "P2", "P4"]),
        ({"product_type_id": "PT2"}, ["P3", "P5"]),
        ({"seller_id": "S2"}, ["P2", "P3", "P5"]),
        ({"min_price": 29.99, "max_price": 35}, ["P1", "P3", "P5"]),
        ({"max_price": 29.98}, ["P2"]),
        ({"min_rating": 3.5}, ["P1", "P2"]),
        ({"product_type_id": "PT1", "in_stock": True}, ["P1", "P2"]),
        ({"sort": "cheapest"}, ["P2", "P1", "P3", "P5", "P4"]),
        ({"sort": "dearest"}, ["P4", "P3", "P5", "P1", "P2"]),
        ({"sort": "rating"}, ["P2", "P1", "P3", "P4", "P5"]),
        ({"sort": "reviews"}, ["P1", "P2", "P3", "P4", "P5"]),
        ({"query": "lamp", "skip": 2}, ["P4"]),
        ({"query": "kettle"}, []),
    ],
)
def test_products_are_found(shop: Shop, arguments: dict[str, Any], ids: list[str]) -> None:
    assert shop.found(**arguments) == ids


def test_conditions_on_price_and_stock_are_met_by_one_and_the_same_option(shop: Shop) -> None:
    assert shop.found(min_price=42, max_price=43) == ["P3"]
    assert shop.found(min_price=42, max_price=43, in_stock=True) == []

    (found,) = shop("search_products", query="linen", min_price=36, in_stock=True)["items"]
    assert (found["price"], found["stock"], found["options"]) == ("40.00", 2, 3)


def test_a_listed_product_has_the_ids_that_searches_take(shop: Shop) -> None:
    (found,) = shop("search_products", query="linen")["items"]

    assert (found["product_type_id"], found["seller_id"]) == ("PT2", "S2")


def test_a_word_in_the_title_counts_more_than_one_elsewhere(shop: Shop) -> None:
    assert shop.found(query="desk")[0] == "P1"


def test_words_are_not_looked_for_in_how_features_are_kept(shop: Shop) -> None:
    assert shop.found(query="[") == []


def test_prices_the_wrong_way_round_are_refused(shop: Shop) -> None:
    assert shop.refusal("search_products", min_price=9, max_price=8.5) == "min_price, 9, is above max_price, 8.5."


def test_sellers_are_found_with_the_rating_of_what_they_sell(shop: Shop) -> None:
    (found,) = shop("search_sellers", query="porto")["items"]
    assert (found["id"], found["products"], found["rating"], found["reviews"]) == ("S1", 2, 3.5, 2)
    assert shop("view_seller", seller_id="S1")["about"] == "Lamps since 2012."


def test_a_product_is_shown_with_its_rating_and_how_many_are_left(shop: Shop) -> None:
    shown = shop("view_product", product_id="P1")

    assert (shown["price"], shown["rating"], shown["reviews"], shown["stock"]) == ("29.99", 3.5, 2, 8)
    assert (shown["seller_id"], shown["product_type_id"], shown["questions"]) == ("S1", "PT1", 2)


def test_a_product_with_options_is_shown_at_the_price_of_the_cheapest(shop: Shop) -> None:
    shown = shop("view_product", product_id="P3")

    assert (shown["price"], shown["stock"], shown["options"]) == ("35.00", 7, 3)
    assert "rating" not in shown


def test_each_option_has_its_own_price_and_stock(shop: Shop) -> None:
    options = shop("view_product_options", product_id="P3")["items"]

    assert [(each["option_id"], each["price"], each["stock"]) for each in options] == [
        ("blue-m", "40.00", 2),
        ("blue-l", "42.50", 0),
        ("white-m", "35.00", 5),
    ]
    assert len(shop("view_product_options", product_id="P3", in_stock=True)["items"]) == 2
    assert shop("view_product_options", product_id="P1")["items"] == []


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        ({}, ["R2", "R1"]),
        ({"sort": "best"}, ["R1", "R2"]),
        ({"sort": "worst"}, ["R2", "R1"]),
        ({"stars": 5}, ["R1"]),
        ({"query": "100%"}, ["R1"]),
    ],
)
def test_reviews_are_listed(shop: Shop, arguments: dict[str, Any], ids: list[str]) -> None:
    assert [each["id"] for each in shop("view_product_reviews", product_id="P1", **arguments)["items"]] == ids


def test_reviews_of_one_moment_are_listed_last_written_first(shop: Shop) -> None:
    shop("write_product_review", product_id="P5", stars=4, title="Soft")
    shop("log_in", username=MEI, password="tin-drum")
    shop("write_product_review", product_id="P5", stars=4, title="Warm")

    for sort in ("newest", "best", "worst"):
        listed = shop("view_product_reviews", product_id="P5", sort=sort)["items"]
        assert [each["title"] for each in listed] == ["Warm", "Soft"]


@pytest.mark.parametrize("tool", ["view_product_questions", "view_product_qa"])
def test_questions_of_one_moment_are_listed_last_asked_first(shop: Shop, tool: str) -> None:
    for question in ("How wide?", "How high?"):
        shop("post_product_question", product_id="P5", question=question)

    assert [each["text"] for each in shop(tool, product_id="P5")["items"]] == ["How high?", "How wide?"]


def test_questions_are_listed_newest_first_with_how_many_answers(shop: Shop) -> None:
    listed = shop("view_product_questions", product_id="P1")["items"]

    assert [(each["id"], each["answers"]) for each in listed] == [("Q2", 0), ("Q1", 2)]


def test_questions_and_answers_are_found_by_words_of_either(shop: Shop) -> None:
    (found,) = shop("view_product_qa", product_id="P1", query="LED bulb")["items"]

    assert [(each["author"], each["by_seller"]) for each in found["answers"]] == [
        ("Brightside", True),
        ("Tariq Lund", False),
    ]


def test_a_question_is_posted_in_the_name_of_who_asks(shop: Shop) -> None:
    made = shop("post_product_question", product_id="P2", question=" How wide? ")

    assert (made["text"], made["author"], made["asked"]) == ("How wide?", "Ines Okafor", "2023-11-30 08:15")
    assert shop.effects() == ["+questions"]
    assert "asked about P2 already, as Q3" in shop.refusal(
        "post_product_question", product_id="P2", question="how WIDE?"
    )


def test_a_review_counts_in_the_rating_at_once_and_is_written_once(shop: Shop) -> None:
    shop("write_product_review", product_id="P1", stars=5, title="Fine")

    assert shop.effects() == ["+reviews"]
    assert shop("view_product", product_id="P1")["rating"] == 4.0
    refused = shop.refusal("write_product_review", product_id="P1", stars=1, title="No")
    assert refused == "You have reviewed P1 already, in R4."


def test_an_empty_title_or_question_is_refused(shop: Shop) -> None:
    assert shop.refusal("write_product_review", product_id="P1", stars=1, title=" ") == "title must not be empty."
    assert "title has a line break" in shop.refusal("write_product_review", product_id="P1", stars=1, title="a\nb")
    assert shop.refusal("post_product_question", product_id="P1", question=" ") == "question must not be empty."


def test_an_address_is_added_once(shop: Shop) -> None:
    place = {"recipient": "Ines Okafor", "street": "Pier 9", "city": "Porto", "postcode": "4000", "country": "Portugal"}
    made = shop("add_address", label="office", **place)

    assert shop.effects() == ["+addresses"]
    assert [each["id"] for each in shop("view_addresses")["items"]] == ["AD1", made["id"]]
    assert "kept already" in shop.refusal("add_address", **{**place, "city": "PORTO"})
    assert shop.refusal("add_address", **{**place, "street": " "}) == "street must not be empty."
    assert "street has a line break" in shop.refusal("add_address", **{**place, "street": "Pier\n9"})


def test_of_a_card_only_the_last_four_digits_are_shown(shop: Shop) -> None:
    first, second = shop("view_payment_cards")["items"]

    assert (first["last_four"], first["expires"], first["expired"]) == ("3333", "2028-05", False)
    assert (second["last_four"], second["expired"]) == ("7777", True)
    assert "40001111" not in str(shop("view_payment_card", card_id="C1"))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("view_payment_card", {"card_id": "C3"}),
        ("view_order", {"order_id": "O3"}),
        ("update_cart_quantity", {"cart_item_id": "CI3", "quantity": 1}),
        ("move_cart_item_to_wish_list", {"cart_item_id": "CI3"}),
        ("move_wish_list_item_to_cart", {"wish_item_id": "W3"}),
        ("place_order", {"address_id": "AD2", "card_id": "C1"}),
        ("place_order", {"address_id": "AD1", "card_id": "C3"}),
    ],
)
def test_what_is_in_another_account_is_not_there(shop: Shop, tool: str, arguments: dict[str, Any]) -> None:
    assert "has the id" in shop.refusal(tool, **arguments)


def test_a_visit_is_added_as_of_now(shop: Shop) -> None:
    made = shop("add_to_history", product_id="P5")

    assert (made["product_id"], made["at"]) == ("P5", "2023-11-30 08:15")
    (change,) = shop.layer.changes()
    assert (change.table, change.fields["username"], change.fields["at"]) == ("visits", INES, NOW.isoformat())


def test_recommended_are_unbought_products_of_the_types_bought_and_visited(shop: Shop) -> None:
    """Lamps: a purchase and a visit, 4. Shirts: a purchase, 3. The lamp P4 is out of stock, P1 and P3 were bought."""
    assert [each["id"] for each in shop("view_recommendations")["items"]] == ["P2", "P5"]

    shop("add_to_history", product_id="P5")
    shop("add_to_history", product_id="P5")
    assert [each["id"] for each in shop("view_recommendations")["items"]] == ["P5", "P2"]


def test_recommendations_are_of_ones_own_purchases(shop: Shop) -> None:
    shop("log_in", username=MEI, password="tin-drum")
    assert [each["id"] for each in shop("view_recommendations")["items"]] == ["P2", "P3", "P5"]
