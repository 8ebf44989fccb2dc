"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("OFFICIAL",)

_PI = (
    "add_group_member", "create_group", "delete_expense", "log_in", "record_expense", "search_users", "update_expense",
    "view_group", "view_group_balance", "view_group_expenses", "view_groups", "view_member_balances",
    "view_person_balance",
)  # fmt: skip

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "pi": {name: f"pi.{name}" for name in _PI},
}
"""Well-known server -> its tool -> ours, as toolset.tool."""
