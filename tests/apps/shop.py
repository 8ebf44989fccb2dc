"""Calls of the shop's tools."""

from __future__ import annotations

from typing import Any

from tests.apps.desk import Desk

__all__ = ("Shop",)

_SIGNS = {"insert": "+", "update": "~", "delete": "-"}


class Shop(Desk):
    """Calls the tools of `pi`."""

    toolset = "pi"

    def found(self, **arguments: Any) -> list[str]:
        """Ids of the products that a search finds."""
        return [item["id"] for item in self("search_products", **arguments)["items"]]

    def effects(self) -> list[str]:
        """What has changed since the start, as the table of tools writes it: +orders, ~products."""
        return sorted(_SIGNS[change.op] + change.table for change in self.layer.changes())
