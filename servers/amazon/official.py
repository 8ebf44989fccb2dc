"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("OFFICIAL",)

_PI = (
    "add_address", "add_product_to_cart", "add_product_to_wish_list", "add_to_history", "clear_cart", "log_in",
    "log_out", "move_cart_item_to_wish_list", "move_wish_list_item_to_cart", "place_order", "post_product_question",
    "search_product_types", "search_products", "search_sellers", "update_cart_quantity", "view_account",
    "view_addresses", "view_cart", "view_last_purchase", "view_order", "view_orders", "view_payment_card",
    "view_payment_cards", "view_product", "view_product_options", "view_product_purchases", "view_product_qa",
    "view_product_questions", "view_product_reviews", "view_recommendations", "view_seller", "view_wish_list",
    "write_product_review",
)  # fmt: skip

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "pi": {name: f"pi.{name}" for name in _PI},
}
"""Well-known server -> its tool -> ours, as toolset.tool."""
