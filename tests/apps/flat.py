"""Calls of the tools of shared expenses."""

from __future__ import annotations

from typing import Any

from tests.apps.shop import Shop

__all__ = ("Flat", "shares")


class Flat(Shop):
    """Calls the tools of `pi`, and reads what they show of balances."""

    def balances(self, group_id: str = "G1") -> dict[str, str]:
        """Of each member of a group."""
        return {row["user_id"]: row["balance"] for row in self("view_member_balances", group_id=group_id)["items"]}

    def expense(self, id: str, group_id: str = "G1") -> dict[str, Any]:
        """One as a list shows it."""
        (found,) = [row for row in self("view_group_expenses", group_id=group_id)["items"] if row["id"] == id]
        return dict(found)


def shares(shown: dict[str, Any]) -> dict[str, str]:
    """What each person owes of an expense."""
    return {row["user_id"]: row["amount"] for row in shown["shares"]}
