"""Whose groups a tool may show, how an amount is split, and who owes what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from servers.kernel import NotFound, Rejected, State, signed_in
from servers.splitwise.tables import MOST, Expense, Group, Member, User

__all__ = (
    "Payment",
    "Sums",
    "equal",
    "expense_of_mine",
    "group_of_mine",
    "groups_of_mine",
    "me",
    "members",
    "owes",
    "payments",
    "pence",
    "pounds",
    "spent",
    "sums",
)


class Sums(NamedTuple):
    """Pence that somebody paid, and that were paid for them."""

    paid: int = 0
    share: int = 0

    @property
    def balance(self) -> int:
        """What they are owed; negative where they owe."""
        return self.paid - self.share


class Payment(NamedTuple):
    """Pence that one person would pay another, by their ids."""

    payer: str
    receiver: str
    amount: int


def me(state: State) -> User | None:
    """The user whose groups these are; None where it is nobody's world. Raises `Rejected` without a login."""
    account = signed_in(state)
    address = account.username if account else state.address
    found = state.find(User, "lower(username) = lower(?)", [address]) if address else []
    if account and not found:
        raise Rejected(f"{account.username} is not among the users, so is in no group and cannot open one.")
    return found[0] if found else None


def groups_of_mine(state: State) -> list[Group]:
    """Those that the user is in, newest first; all where it is nobody's world."""
    user = me(state)
    groups = state.find(Group, order="created DESC, _ord DESC")
    if user is None:
        return groups
    ids = {row.group_id for row in state.find(Member, "user_id = ?", [user.id])}
    return [group for group in groups if group.id in ids]


def group_of_mine(state: State, id: str) -> Group:
    """The group of that id. Raises `NotFound`, also for one that the user is not in."""
    user, group = me(state), state.get(Group, id)
    if user and not state.find(Member, "group_id = ? AND user_id = ?", [id, user.id]):
        raise NotFound(Group.noun, id)
    return group


def expense_of_mine(state: State, id: str) -> Expense:
    """The expense of that id. Raises `NotFound`, also for one of a group that the user is not in."""
    me(state)
    row = state.get(Expense, id)
    try:
        group_of_mine(state, row.group_id)
    except NotFound:
        raise NotFound(Expense.noun, id) from None
    return row


def members(state: State, group: Group) -> dict[str, User]:
    """Users by id, in the order in which they joined."""
    rows = state.find(Member, "group_id = ?", [group.id], order="joined")
    return {row.user_id: state.get(User, row.user_id) for row in rows}


def pounds(amount: int) -> str:
    """Pence as pounds, such as -12.90."""
    return f"{'-' if amount < 0 else ''}{abs(amount) // 100}.{abs(amount) % 100:02d}"


def pence(name: str, amount: float) -> int:
    """Pounds as pence. Raises `Rejected` for a fraction of a penny, and for less than a penny or too much."""
    exact = Decimal(repr(amount)) * 100
    if not 1 <= exact <= MOST or exact != int(exact):
        most = pounds(MOST)
        raise Rejected(f"{name}: {amount:.10g} is not from 0.01 to {most} in whole pence, such as 12.90.")
    return int(exact)


def equal(amount: int, among: Sequence[str]) -> dict[str, int]:
    """An amount in equal shares, the first of `among` having a penny more where there are pennies left over."""
    if amount < len(among):
        raise Rejected(f"{pounds(amount)} cannot be split among {len(among)}: each share is at least a penny.")
    each, left = divmod(amount, len(among))
    return {user_id: each + (place < left) for place, user_id in enumerate(among)}


def sums(state: State, group: Group) -> dict[str, Sums]:
    """By user id, what each member paid and owes; the balances of a group sum to 0."""
    found = {user_id: Sums() for user_id in members(state, group)}
    for expense in state.find(Expense, "group_id = ?", [group.id]):
        before = found.get(expense.paid_by, Sums())
        found[expense.paid_by] = before._replace(paid=before.paid + expense.amount)
    for _, user_id, amount in _debts(state, group):
        before = found.get(user_id, Sums())
        found[user_id] = before._replace(share=before.share + amount)
    return found


def owes(state: State, group: Group, debtor: str, creditor: str) -> int:
    """Pence that one member of a group owes another, of what these two paid for each other; negative the other way."""
    debts = _debts(state, group)
    return sum(amount for payer, user_id, amount in debts if (user_id, payer) == (debtor, creditor)) - sum(
        amount for payer, user_id, amount in debts if (user_id, payer) == (creditor, debtor)
    )


def payments(found: dict[str, Sums]) -> list[Payment]:
    """Payments after which everybody's balance is 0: whoever owes most pays whoever is owed most, again and again."""
    left = {user_id: each.balance for user_id, each in found.items()}
    made: list[Payment] = []
    while any(left.values()):
        payer, receiver = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        amount = min(-left[payer], left[receiver])
        made.append(Payment(payer, receiver, amount))
        left[payer] += amount
        left[receiver] -= amount
    return made


def spent(expenses: Iterable[Expense]) -> int:
    """Pence of all expenses but repayments, which only move money between members."""
    return sum(row.amount for row in expenses if row.category != "repayment")


def _debts(state: State, group: Group) -> list[tuple[str, str, int]]:
    """Of each share in a group: who paid, whose share it is, and the pence."""
    return [
        (payer, user_id, amount)
        for payer, user_id, amount in state.query(
            "SELECT e.paid_by, s.user_id, s.amount FROM shares s JOIN expenses e ON e.id = s.expense_id "
            "WHERE e.group_id = ? ORDER BY s._ord",
            [group.id],
        )
    ]
