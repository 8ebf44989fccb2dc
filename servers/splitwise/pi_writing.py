"""The rows of the table that write: groups with their members, and expenses with their shares."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import date
from typing import Annotated

from pydantic import BaseModel, Field

from servers.kernel import Day, Ref, Rejected, State, required
from servers.splitwise.pi import GroupId, UserId, pi
from servers.splitwise.sharing import (
    equal,
    expense_of_mine,
    group_of_mine,
    groups_of_mine,
    me,
    members,
    pence,
    pounds,
)
from servers.splitwise.shown import Spending, Whole, expense, whole
from servers.splitwise.tables import MOST, Category, Expense, Group, Member, Share, User

__all__ = ()

_NAME, _TEXT = 200, 2_000
_MEMBERS = 50


class Split(BaseModel):
    """What one person owes of an expense, in pounds."""

    user_id: str = Field(description="Id of a member (U3), from `view_group`.")
    amount: float = Field(gt=0, le=MOST / 100, description="Their share in pounds.")


ExpenseId = Annotated[str, Ref(Expense), Field(description="Id of an expense (E5), from `view_group_expenses`.")]
Amount = Annotated[float, Field(gt=0, le=MOST / 100, description="Amount in pounds, such as 12.90.")]
Shares = Annotated[
    list[Split] | None,
    Field(max_length=_MEMBERS, description="Unequal shares that sum to the amount; not with `split_among`."),
]


@pi.writes
def create_group(
    state: State,
    name: Annotated[str, Field(max_length=_NAME, description="Name of the group.")],
    description: Annotated[str, Field(max_length=_TEXT, description="What it is for.")] = "",
    member_ids: Annotated[
        list[str],
        Ref(User),
        Field(max_length=_MEMBERS - 1, description="Users (U3) to be in it besides the user, from `search_users`."),
    ] = [],  # noqa: B006
) -> Whole:
    """Open a group in which the user and others share expenses."""
    name, description = name.strip(), description.strip()
    required(name=name)
    user = me(state)
    ids = list(dict.fromkeys([*([user.id] if user else []), *(state.get(User, id).id for id in member_ids)]))
    if not ids:
        raise Rejected("member_ids: a group needs somebody to be in it.")
    for group in groups_of_mine(state):
        if group.name.casefold() == name.casefold():
            raise Rejected(f"There is a group called {group.name!r} already, {group.id}; choose another name.")
    group = state.add(Group(name=name, description=description, created=state.now))
    for id in ids:
        state.add(Member(group_id=group.id, user_id=id, joined=state.now))
    return whole(state, group)


@pi.writes
def add_group_member(state: State, group_id: GroupId, user_id: UserId) -> Whole:
    """Add somebody to a group. Earlier expenses stay as they are."""
    group, user = group_of_mine(state, group_id), state.get(User, user_id)
    there = members(state, group)
    if user.id in there:
        raise Rejected(f"{user.name} is in {group.name} already.")
    if len(there) >= _MEMBERS:
        raise Rejected(f"{group.name} has {len(there)} members, and no room for more.")
    state.add(Member(group_id=group.id, user_id=user.id, joined=state.now))
    return whole(state, group)


@pi.writes
def record_expense(
    state: State,
    group_id: GroupId,
    description: Annotated[str, Field(max_length=_NAME, description="What was paid for.")],
    amount: Amount,
    paid_by: Annotated[
        str | None, Ref(User), Field(description="Member who paid (U3, from `view_group`); leave out for the user.")
    ] = None,
    split_among: Annotated[
        list[str] | None,
        Ref(User),
        Field(
            max_length=_MEMBERS,
            description="Members (U3, from `view_group`) who share it equally; leave out for all.",
        ),
    ] = None,
    shares: Shares = None,
    day: Annotated[Day | None, Field(description="When it was paid, as YYYY-MM-DD; leave out for today.")] = None,
    category: Annotated[
        Category, Field(description="What kind of expense it is; a repayment is split among whoever was repaid.")
    ] = "other",
    notes: Annotated[str, Field(max_length=_TEXT, description="More about it.")] = "",
) -> Spending:
    """Record what a member paid for the group or some of it.

    Each share is a penny at least; pennies left over go to members who joined first. No two expenses of a group have
    description, amount, payer and day in common.
    """
    group, user = group_of_mine(state, group_id), me(state)
    there = members(state, group)
    payer = paid_by if paid_by is not None else user.id if user else ""
    if not payer:
        raise Rejected("paid_by: say which member paid.")
    _belongs(state, "paid_by", [payer], there, group.name)
    total = pence("amount", amount)
    split = _split(state, total, split_among, shares, there, group.name)
    if category == "repayment":
        _repays(payer, split or there, there)
    split = split or equal(total, [*there])
    row = Expense(
        group_id=group.id,
        description=_text("description", description),
        category=category,
        amount=total,
        paid_by=payer,
        split="equal" if shares is None else "unequal",
        day=_past(state, day or state.now.date()),
        notes=_notes(notes),
        recorded=state.now,
    )
    _alone(state, row)
    row = state.add(row)
    for user_id, share in split.items():
        state.add(Share(expense_id=row.id, user_id=user_id, amount=share))
    return expense(state, row)


@pi.writes(destructive=True, idempotent=True)
def update_expense(
    state: State,
    expense_id: ExpenseId,
    description: Annotated[str | None, Field(max_length=_NAME, description="What was paid for.")] = None,
    amount: Annotated[
        float | None,
        Field(
            gt=0, le=MOST / 100, description="New amount in pounds; equal shares follow, unequal ones have to be given."
        ),
    ] = None,
    paid_by: Annotated[str | None, Ref(User), Field(description="Member who paid (U3), from `view_group`.")] = None,
    split_among: Annotated[
        list[str] | None,
        Ref(User),
        Field(
            max_length=_MEMBERS,
            description="Those of its first sharers (U3, from `view_group`) who share it equally; others bear nothing.",
        ),
    ] = None,
    shares: Shares = None,
    day: Annotated[Day | None, Field(description="When it was paid, as YYYY-MM-DD.")] = None,
    category: Annotated[Category | None, Field(description="What kind of expense it is.")] = None,
    notes: Annotated[str | None, Field(max_length=_TEXT, description="More about it, replacing what is there.")] = None,
) -> Spending:
    """Change an expense; omitted fields keep their value. Only those it was recorded for can bear a share."""
    row = expense_of_mine(state, expense_id)
    group = state.get(Group, row.group_id)
    there = members(state, group)
    if all(each is None for each in (description, amount, paid_by, split_among, shares, day, category, notes)):
        raise Rejected("Say what to change: description, amount, paid_by, split_among, shares, day, category or notes.")
    given = {
        "description": None if description is None else _text("description", description),
        "amount": None if amount is None else pence("amount", amount),
        "paid_by": paid_by,
        "split": "equal" if split_among is not None else "unequal" if shares is not None else None,
        "day": None if day is None else _past(state, day),
        "category": category,
        "notes": None if notes is None else _notes(notes),
    }
    if paid_by is not None:
        _belongs(state, "paid_by", [paid_by], there, group.name)
    after = row.model_copy(update={name: value for name, value in given.items() if value is not None})
    kept = {each.user_id: each for each in state.find(Share, "expense_id = ?", [row.id])}
    split = _split(state, after.amount, split_among, shares, there, group.name)
    if added := [there[id].name for id in split if id not in kept]:
        raise Rejected(
            f"{row.id} was recorded without {', '.join(added)}: nobody can be added. Delete it and record it anew."
        )
    if after.category == "repayment" and (category or paid_by is not None or split):
        _repays(after.paid_by, split or [id for id, each in kept.items() if each.amount], kept)
    if not split and after.amount != row.amount:
        if row.split == "unequal":
            raise Rejected(f"{row.id} has unequal shares: give shares that sum to {pounds(after.amount)}.")
        split = equal(after.amount, [id for id, each in kept.items() if each.amount])
    if after != row:
        _alone(state, after)
        state.save(after)
    for user_id, share in kept.items() if split else ():
        if share.amount != split.get(user_id, 0):
            state.save(share.model_copy(update={"amount": split.get(user_id, 0)}))
    return expense(state, after)


@pi.writes(destructive=True)
def delete_expense(state: State, expense_id: ExpenseId) -> str:
    """Delete an expense with its shares, for good."""
    row = expense_of_mine(state, expense_id)
    for share in state.find(Share, "expense_id = ?", [row.id]):
        state.delete(share)
    state.delete(row)
    return f"Deleted {row.id}, {row.description!r} of {row.day}: {pounds(row.amount)}."


def _split(
    state: State,
    total: int,
    among: Sequence[str] | None,
    shares: Sequence[Split] | None,
    there: Mapping[str, User],
    group: str,
) -> dict[str, int]:
    """Pence by user id as the caller wants it, empty where they do not say. Raises `Rejected`."""
    if among is not None and shares is not None:
        raise Rejected("Give split_among for equal shares or shares for unequal ones, not both.")
    if among is not None:
        if not among:
            raise Rejected("split_among: name at least one member.")
        _belongs(state, "split_among", among, there, group)
        return equal(total, [id for id in there if id in among])
    if shares is None:
        return {}
    ids = [each.user_id for each in shares]
    _belongs(state, "shares", ids, there, group)
    if twice := sorted({id for id in ids if ids.count(id) > 1}):
        raise Rejected(f"shares: {', '.join(twice)} is there more than once; give each person one share.")
    split = {each.user_id: pence(f"shares: that of {each.user_id}", each.amount) for each in shares}
    if sum(split.values()) != total:
        raise Rejected(f"shares: they sum to {pounds(sum(split.values()))}, and the amount is {pounds(total)}.")
    return {id: split[id] for id in there if id in split}


def _belongs(state: State, argument: str, ids: Sequence[str], there: Mapping[str, User], group: str) -> None:
    """Raises `NotFound` for an id of nobody, and `Rejected` for that of somebody who is no member."""
    if strangers := [state.get(User, id).id for id in dict.fromkeys(ids) if id not in there]:
        names = ", ".join(f"{user.id} ({user.name})" for user in there.values())
        are = "are" if strangers[1:] else "is"
        raise Rejected(f"{argument}: {', '.join(strangers)} {are} not in {group}. Its members: {names}.")


def _repays(payer: str, sharers: Container[str], could: Iterable[str]) -> None:
    """Raises `Rejected` for a repayment of which whoever paid it bears a share; those who could are told by example."""
    if payer in sharers:
        other = next((id for id in could if id != payer), "")
        such = f", such as split_among=[{other!r}]" if other else ""
        raise Rejected(f"split_among: say who was repaid{such}; a repayment is not for {payer}, who paid it.")


def _text(name: str, given: str) -> str:
    text = given.strip()
    required(**{name: text})
    return text


def _notes(given: str) -> str:
    return given.strip()


def _past(state: State, day: date) -> date:
    if day > state.now.date():
        raise Rejected(f"day: {day} is yet to come; today is {state.now.date()}.")
    return day


def _alone(state: State, row: Expense) -> None:
    """Raises `Rejected` where another expense has the description, amount, payer and day, whoever shares it."""
    same = "group_id = ? AND lower(description) = lower(?) AND amount = ? AND paid_by = ? AND day = ? AND id != ?"
    values = [row.group_id, row.description, row.amount, row.paid_by, row.day, row.id]
    if there := state.find(Expense, same, values):
        raise Rejected(
            f"An expense with this description, amount, payer and day is recorded already, as {there[0].id}. "
            "If this is another, give each a description of its own."
        )
