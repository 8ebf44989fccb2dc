"""The rows of pi-Bench's table of tools that log in and look; `pi_writing` has those that write.

Where there are accounts, somebody has to log in, and sees the groups that they are in.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from servers.kernel import Day, Page, Ref, Skip, State, between, enter, in_order, paged, worded
from servers.splitwise.sharing import (
    group_of_mine,
    groups_of_mine,
    me,
    members,
    owes,
    payments,
    pounds,
    spent,
    sums,
)
from servers.splitwise.shown import Grouped, Person, Spending, Whole, expense, grouped, person, whole
from servers.splitwise.tables import Category, Expense, Group, User, app

__all__ = ("GroupId", "UserId", "pi")

pi = app.toolset(
    "pi",
    "Expenses that {owner} ({address}) shares with others. Amounts are in pounds; a positive balance is owed to its "
    "person, a negative one is owed by them. If a tool says so, `log_in` first; `view_groups` and `search_users` "
    "return ids. A repayment is an expense of category repayment, paid by one with the whole share on the other.",
    structured=False,
)

GroupId = Annotated[str, Ref(Group), Field(description="Id of a group (G2), as returned by `view_groups`.")]
UserId = Annotated[str, Ref(User), Field(description="Id of a user (U3), as returned by `search_users`.")]
Query = Annotated[str, Field(description="Words that all occur, in any order, case-insensitive; empty for all.")]


class Transfer(BaseModel):
    """A payment that would help to settle a group."""

    payer: str
    receiver: str
    amount: str


class GroupBalance(BaseModel):
    """How a group stands. `your_*` are the user's; after `settled_by` everybody's balance would be 0.00."""

    group_id: str
    name: str
    spent: str
    your_paid: str | None
    your_share: str | None
    your_balance: str | None
    settled_by: list[Transfer]


class MemberBalance(BaseModel):
    """What a member paid, what was paid for them, and the difference."""

    user_id: str
    name: str
    paid: str
    share: str
    balance: str


class Standing(BaseModel):
    """How a person stands in one group; `owes_you` is what they owe the user there, negative the other way."""

    group_id: str
    name: str
    balance: str
    owes_you: str | None


class PersonBalance(BaseModel):
    """How a person stands over all groups that they share with the user."""

    user_id: str
    name: str
    balance: str
    owes_you: str | None
    groups: list[Standing]


pi.writes(name="log_in", idempotent=True)(enter)


@pi.reads
def search_users(state: State, query: Query = "", skip: Skip = 0) -> Page[Person]:
    """Find people by name or username, which is an e-mail address."""
    me(state)
    where, params = worded(query, "name", "username")
    return paged(state.find(User, where, params, order="name"), skip, person)


@pi.reads
def view_groups(state: State, query: Query = "", skip: Skip = 0) -> Page[Grouped]:
    """List the user's groups, newest first, by words in name, description or the names of members."""
    where, params = worded(query, "g.name", "g.description", "coalesce(m.names, '')")
    rows = state.query(
        "SELECT g.id FROM groups g LEFT JOIN (SELECT group_id, string_agg(u.name, ' ') AS names FROM members "
        f"JOIN users u ON u.id = user_id GROUP BY 1) m ON m.group_id = g.id WHERE {where}",
        params,
    )
    fitting = {id for (id,) in rows}
    found = [row for row in groups_of_mine(state) if row.id in fitting]
    return paged(found, skip, lambda row: grouped(state, row))


@pi.reads
def view_group(state: State, group_id: GroupId) -> Whole:
    """Show a group with its members."""
    return whole(state, group_of_mine(state, group_id))


@pi.reads
def view_group_expenses(
    state: State,
    group_id: GroupId,
    query: Annotated[
        str, Field(description="Words that all occur in description or notes, case-insensitive; empty for all.")
    ] = "",
    paid_by: Annotated[
        str | None, Ref(User), Field(description="Only what this user (U3, from `view_group`) paid.")
    ] = None,
    category: Annotated[Category | None, Field(description="Only of this category.")] = None,
    after: Annotated[Day | None, Field(description="Only from this day on, as YYYY-MM-DD.")] = None,
    before: Annotated[Day | None, Field(description="Only up to this day, as YYYY-MM-DD.")] = None,
    skip: Skip = 0,
) -> Page[Spending]:
    """List the expenses of a group with everybody's shares, newest first."""
    group = group_of_mine(state, group_id)
    if paid_by is not None:
        state.get(User, paid_by)
    in_order(after, before)
    where, params = worded(query, "description", "notes")
    found = [
        row
        for row in state.find(
            Expense, f"group_id = ? AND {where}", [group.id, *params], order="day DESC, recorded DESC, _ord DESC"
        )
        if paid_by in (None, row.paid_by) and category in (None, row.category) and between(row.day, after, before)
    ]
    return paged(found, skip, lambda row: expense(state, row))


@pi.reads
def view_group_balance(state: State, group_id: GroupId) -> GroupBalance:
    """Show what a group spent, how the user stands in it, and which payments would settle it for all members."""
    group = group_of_mine(state, group_id)
    user, found = me(state), sums(state, group)
    own = found[user.id] if user else None

    def name(id: str) -> str:
        return state.get(User, id).name

    return GroupBalance(
        group_id=group.id,
        name=group.name,
        spent=pounds(spent(state.find(Expense, "group_id = ?", [group.id]))),
        your_paid=pounds(own.paid) if own else None,
        your_share=pounds(own.share) if own else None,
        your_balance=pounds(own.balance) if own else None,
        settled_by=[
            Transfer(payer=name(each.payer), receiver=name(each.receiver), amount=pounds(each.amount))
            for each in payments(found)
        ],
    )


@pi.reads
def view_member_balances(state: State, group_id: GroupId, skip: Skip = 0) -> Page[MemberBalance]:
    """List what each member of a group paid and owes; their balances sum to 0.00."""
    group = group_of_mine(state, group_id)
    found = sums(state, group)
    return paged(
        [*members(state, group).values()],
        skip,
        lambda row: MemberBalance(
            user_id=row.id,
            name=row.name,
            paid=pounds(found[row.id].paid),
            share=pounds(found[row.id].share),
            balance=pounds(found[row.id].balance),
        ),
    )


@pi.reads
def view_person_balance(state: State, user_id: UserId) -> PersonBalance:
    """Show how a person stands in the groups they share with the user, and what they owe the user.

    `owes_you` is of what these two paid for each other alone, so it differs from payments that settle a whole group.
    """
    user, row = me(state), state.get(User, user_id)
    other = user.id if user and user.id != row.id else None
    balance = debt = 0
    standings: list[Standing] = []
    for group in groups_of_mine(state):
        found = sums(state, group)
        if row.id not in found:
            continue
        owed = owes(state, group, row.id, other) if other else 0
        balance += found[row.id].balance
        debt += owed
        standings.append(
            Standing(
                group_id=group.id,
                name=group.name,
                balance=pounds(found[row.id].balance),
                owes_you=pounds(owed) if other else None,
            )
        )
    return PersonBalance(
        user_id=row.id,
        name=row.name,
        balance=pounds(balance),
        owes_you=pounds(debt) if other else None,
        groups=standings,
    )
