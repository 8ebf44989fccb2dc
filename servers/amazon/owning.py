"""Whose rows a tool may show, and whose name stands under what is written."""

from __future__ import annotations

from typing import Any, TypeVar

from servers.amazon.tables import Address, Card, CartItem, Order, Visit, WishItem
from servers.kernel import Account, NotFound, State, signed_in

__all__ = ("author", "mine", "own", "username")

T = TypeVar("T", Address, Card, CartItem, Order, Visit, WishItem)


def own(account: Account | None, column: str = "username") -> tuple[str, list[Any]]:
    """The rows of an account, and those of none, as a condition in SQL and its parameters; all where there is none."""
    return (f"{column} IN ('', ?)", [account.username]) if account else ("true", [])


def mine(state: State, table: type[T], id: str) -> T:
    """The row of that id. Raises `NotFound`, also for another account's, and `Rejected` without a login."""
    account = signed_in(state)
    row = state.get(table, id)
    if account and row.username not in ("", account.username):
        raise NotFound(table.noun, id)
    return row


def username(account: Account | None) -> str:
    """What a new row of that account has as its `username`."""
    return account.username if account else ""


def author(state: State, account: Account | None) -> str:
    """The name that others see."""
    name = account.name if account else state.owner.name if state.owner else ""
    return name or "A customer"
