"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("NOT_OFFERED", "OFFICIAL")

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "pi": {
        "add_address": "pi.add_address",
        "add_product_to_cart": "pi.add_product_to_cart",
        "add_product_to_wish_list": "pi.add_product_to_wish_list",
        "add_to_history": "pi.add_to_history",
        "clear_cart": "pi.clear_cart",
        "log_in": "pi.log_in",
        "log_out": "pi.log_out",
        "move_cart_item_to_wish_list": "pi.move_cart_item_to_wish_list",
        "move_wish_list_item_to_cart": "pi.move_wish_list_item_to_cart",
        "place_order": "pi.place_order",
        "post_product_question": "pi.post_product_question",
        "search_product_types": "pi.search_product_types",
        "search_products": "pi.search_products",
        "search_sellers": "pi.search_sellers",
        "update_cart_quantity": "pi.update_cart_quantity",
        "view_account": "pi.view_account",
        "view_addresses": "pi.view_addresses",
        "view_cart": "pi.view_cart",
        "view_last_purchase": "pi.view_last_purchase",
        "view_order": "pi.view_order",
        "view_orders": "pi.view_orders",
        "view_payment_card": "pi.view_payment_card",
        "view_payment_cards": "pi.view_payment_cards",
        "view_product": "pi.view_product",
        "view_product_options": "pi.view_product_options",
        "view_product_purchases": "pi.view_product_purchases",
        "view_product_qa": "pi.view_product_qa",
        "view_product_questions": "pi.view_product_questions",
        "view_product_reviews": "pi.view_product_reviews",
        "view_recommendations": "pi.view_recommendations",
        "view_seller": "pi.view_seller",
        "view_wish_list": "pi.view_wish_list",
        "write_product_review": "pi.write_product_review",
    },
}
"""Well-known server -> its tool -> ours, as toolset.tool."""

NOT_OFFERED: Mapping[str, str] = {}
"""Tools without one of ours, and why."""
