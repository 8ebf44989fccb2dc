"""What tools show of groups and expenses. Amounts are in pounds, such as "12.90"."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import BaseModel

from servers.kernel import State, to_minute
from servers.splitwise.sharing import me, members, pounds, spent, sums
from servers.splitwise.tables import Category, Expense, Group, Share, User

__all__ = ("Grouped", "Person", "Portion", "Spending", "Whole", "expense", "grouped", "person", "whole")


class Person(BaseModel):
    """A user; `user_id` is what other tools want."""

    user_id: str
    name: str
    username: str


class Grouped(BaseModel):
    """A group in a list. `your_balance` is what the user is owed in it, negative where they owe."""

    id: str
    name: str
    description: str | None
    members: int
    expenses: int
    your_balance: str | None


class Whole(BaseModel):
    """A group, with its members in the order in which they joined; `spent` is without repayments."""

    id: str
    name: str
    description: str | None
    created: str
    members: list[Person]
    expenses: int
    spent: str


class Portion(BaseModel):
    """What one person owes of an expense."""

    user_id: str
    name: str
    amount: str


class Spending(BaseModel):
    """An expense, with who paid and for whom."""

    id: str
    group_id: str
    description: str
    category: Category
    day: date
    amount: str
    paid_by: str
    payer: str
    split: Literal["equal", "unequal"]
    shares: list[Portion]
    notes: str | None


def person(row: User) -> Person:
    """A user as they are shown."""
    return Person(user_id=row.id, name=row.name, username=row.username)


def grouped(state: State, row: Group) -> Grouped:
    """A group as a list shows it."""
    user, found = me(state), sums(state, row)
    return Grouped(
        id=row.id,
        name=row.name,
        description=row.description or None,
        members=len(members(state, row)),
        expenses=len(state.find(Expense, "group_id = ?", [row.id])),
        your_balance=pounds(found[user.id].balance) if user else None,
    )


def whole(state: State, row: Group) -> Whole:
    """A group in full."""
    expenses = state.find(Expense, "group_id = ?", [row.id])
    return Whole(
        id=row.id,
        name=row.name,
        description=row.description or None,
        created=to_minute(row.created),
        members=[person(each) for each in members(state, row).values()],
        expenses=len(expenses),
        spent=pounds(spent(expenses)),
    )


def expense(state: State, row: Expense) -> Spending:
    """An expense with its shares, but for those of nothing."""
    shares = state.find(Share, "expense_id = ? AND amount > 0", [row.id])
    return Spending(
        id=row.id,
        group_id=row.group_id,
        description=row.description,
        category=row.category,
        day=row.day,
        amount=pounds(row.amount),
        paid_by=row.paid_by,
        payer=state.get(User, row.paid_by).name,
        split=row.split,
        shares=[
            Portion(user_id=each.user_id, name=state.get(User, each.user_id).name, amount=pounds(each.amount))
            for each in shares
        ],
        notes=row.notes or None,
    )
