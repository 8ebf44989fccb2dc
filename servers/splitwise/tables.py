"""Shared expenses: who is in which group, what was paid for whom, and each person's share of it.

Money is in whole pence. Balances and totals are computed.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field

from servers.kernel import Account, App, Dated, Login, Ref, Table

__all__ = ("MOST", "Category", "Expense", "Group", "Member", "Share", "User", "app")

Category = Literal["food", "home", "travel", "fun", "gifts", "repayment", "other"]

MOST = 100_000_000
"""Pence that an expense can be."""


class User(Table, name="users", ids="U{}"):
    """Somebody who shares expenses. `username` is an e-mail address, also that of their account if they have one."""

    username: str
    name: str


class Group(Table, name="groups", ids="G{}"):
    """People who share expenses."""

    name: Dated
    description: Dated = ""
    created: datetime


class Member(Table, name="members", ids="M{}"):
    """That somebody is in a group."""

    group_id: Annotated[str, Ref(Group)]
    user_id: Annotated[str, Ref(User)]
    joined: datetime


class Expense(Table, name="expenses", ids="E{}"):
    """What one member of a group paid. `split` says how its shares were found, which sum to its amount."""

    group_id: Annotated[str, Ref(Group)]
    description: Dated
    category: Category = "other"
    amount: int = Field(ge=1, le=MOST)
    paid_by: Annotated[str, Ref(User)]
    split: Literal["equal", "unequal"] = "equal"
    day: date
    notes: Dated = ""
    recorded: datetime


class Share(Table, name="shares", ids="SH{}"):
    """What one person owes of an expense; 0 for somebody who was taken out of it."""

    expense_id: Annotated[str, Ref(Expense)]
    user_id: Annotated[str, Ref(User)]
    amount: int = Field(ge=0, le=MOST)


app = App(
    "splitwise",
    "Share expenses in groups: record what was paid and for whom, and see who owes what.",
    tables=(User, Group, Member, Expense, Share, Account, Login),
)
