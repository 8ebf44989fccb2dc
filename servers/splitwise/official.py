"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("NOT_OFFERED", "OFFICIAL")

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "pi": {
        "add_group_member": "pi.add_group_member",
        "create_group": "pi.create_group",
        "delete_expense": "pi.delete_expense",
        "log_in": "pi.log_in",
        "record_expense": "pi.record_expense",
        "search_users": "pi.search_users",
        "update_expense": "pi.update_expense",
        "view_group": "pi.view_group",
        "view_group_balance": "pi.view_group_balance",
        "view_group_expenses": "pi.view_group_expenses",
        "view_groups": "pi.view_groups",
        "view_member_balances": "pi.view_member_balances",
        "view_person_balance": "pi.view_person_balance",
    },
}
"""Well-known server -> its tool -> ours, as toolset.tool."""

NOT_OFFERED: Mapping[str, str] = {}
"""Tools without one of ours, and why."""
