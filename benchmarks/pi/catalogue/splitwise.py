"""What a persona shares with others: six groups, what was paid in them since they began, and who bears how much."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from benchmarks.pi.cast import Cast, Someone, keyed, password
from benchmarks.pi.catalogue._splitwise_words import GROUPS, STRANGERS, SURNAMES, Circle, Item
from servers.splitwise.sharing import equal

__all__ = ("rows",)

Row = dict[str, Any]

_HOST = "letterbox.example"
_SATURDAY = 5
_SPENDS = {"any day": (False, True), "weekend": (True,), "working days": (False,)}
"""Whether a day may be one of a weekend."""


def rows(seed: int, now: datetime, cast: Cast) -> dict[str, list[Row]]:
    """Rows of `splitwise` by table, all from before `now`; the persona has the one account, and is not logged in."""
    now = now.replace(second=0, microsecond=0)
    users = _users(seed, cast)
    ids = {row["username"]: row["id"] for row in users}
    found: dict[str, list[Row]] = {"users": users, "groups": [], "members": [], "expenses": [], "shares": []}
    for place, circle in enumerate(GROUPS):
        _group(found, keyed(seed, cast.key, "splitwise", circle.name), now, circle, _people(cast, ids, circle, place))
    found["accounts"] = [
        {
            "id": "A1",
            "username": cast.self.address,
            "password": password(seed, cast, "splitwise"),
            "name": cast.self.name,
        }
    ]
    return found


def _users(seed: int, cast: Cast) -> list[Row]:
    """The persona, the cast's people, strangers, and some with the first name of a friend; in no order of theirs."""
    known = [(each.name, each.address) for each in (cast.self, *cast.of("colleague", "friend", "family"))]
    alike = [
        f"{each.name.split()[0]} {surname}"
        for each, surname in zip(cast.of("friend", "colleague"), SURNAMES, strict=False)
    ]
    others = [(name, f"{name.lower().replace(' ', '.')}@{_HOST}") for name in (*STRANGERS, *alike)]
    every = [*known, *others]
    keyed(seed, cast.key, "splitwise", "users").shuffle(every)
    return [{"id": f"U{place}", "username": address, "name": name} for place, (name, address) in enumerate(every, 1)]


def _people(cast: Cast, ids: dict[str, str], circle: Circle, place: int) -> tuple[list[tuple[str, str]], str]:
    """Id and first name of each member, the persona first or second, and the first name of whom it is for."""
    friends = cast.of("friend")
    flatmates = [each for each in friends if "flatmate" in each.role] or [*friends[:1]]
    recipient, givers = _family(cast)
    chosen: dict[str, Sequence[Someone]] = {
        "flatmate": flatmates,
        "friends": [each for each in friends if each not in flatmates[:1]] + flatmates[:1],
        "colleagues": cast.of("colleague"),
        "family": givers,
    }
    known = [(ids[each.address], each.name.split()[0]) for each in chosen[circle.who][: circle.known]]
    strangers = [STRANGERS[(2 * place + each) % len(STRANGERS)] for each in range(circle.strangers)]
    others = [(ids[f"{name.lower().replace(' ', '.')}@{_HOST}"], name.split()[0]) for name in strangers]
    me = (ids[cast.self.address], cast.self.name.split()[0])
    return ([me, *known, *others] if place % 2 else [*known[:1], me, *known[1:], *others]), recipient


def _family(cast: Cast) -> tuple[str, list[Someone]]:
    """First name of who gets a present, a parent if there is one, and the relatives who give it."""
    family = [*cast.of("family")]
    if not family:
        return "Grandmother", []
    recipient = next((each for each in family if each.role in ("mother", "father")), family[-1])
    return recipient.name.split()[0], [each for each in family if each is not recipient]


def _group(
    found: dict[str, list[Row]],
    chance: random.Random,
    now: datetime,
    circle: Circle,
    people: tuple[list[tuple[str, str]], str],
) -> None:
    """Adds the rows of one group. Its repayments are what whoever owes most then owes whoever is owed most."""
    names, recipient = dict(people[0]), people[1]
    members = [*names]
    began = now - timedelta(days=circle.began, minutes=chance.randrange(600))
    group_id = f"G{len(found['groups']) + 1}"
    name, said = (text.format(recipient=recipient) for text in (circle.name, circle.description))
    found["groups"].append({"id": group_id, "name": name, "description": said, "created": began.isoformat()})
    for place, user_id in enumerate(members):
        joined = (began + timedelta(hours=5 * place)).isoformat()
        number = len(found["members"]) + 1
        found["members"].append({"id": f"M{number}", "group_id": group_id, "user_id": user_id, "joined": joined})
    balances = dict.fromkeys(members, 0)
    days = _days(chance, now, circle)
    for item, day in zip(circle.items, days, strict=True):
        if item.kind == "settle":
            payer, receiver = min(balances, key=balances.__getitem__), max(balances, key=balances.__getitem__)
            amount = min(-balances[payer], balances[receiver])
            if not amount:
                continue
            text, split = item.text.format(payer=names[payer], receiver=names[receiver]), {receiver: amount}
        else:
            payer, amount = chance.choice(members), _amount(chance, item)
            text, split = item.text.format(month=f"{day:%B}"), _split(chance, item, amount, members, payer)
        expense_id = f"E{len(found['expenses']) + 1}"
        recorded = datetime.combine(day, datetime.min.time()) + timedelta(hours=30, minutes=chance.randrange(900))
        found["expenses"].append(
            {
                "id": expense_id,
                "group_id": group_id,
                "description": text,
                "category": "repayment" if item.kind == "settle" else item.category,
                "amount": amount,
                "paid_by": payer,
                "split": "unequal" if item.kind in ("settle", "uneven") else "equal",
                "day": day.isoformat(),
                "notes": item.notes,
                "recorded": recorded.isoformat(),
            }
        )
        balances[payer] += amount
        for user_id, share in split.items():
            balances[user_id] -= share
            number = len(found["shares"]) + 1
            found["shares"].append({"id": f"SH{number}", "expense_id": expense_id, "user_id": user_id, "amount": share})


def _days(chance: random.Random, now: datetime, circle: Circle) -> Iterator[date]:
    """A day for each expense, one after the other, the last of them at least two days ago."""
    step = (circle.began - 1 - circle.ended) / len(circle.items)
    for place in range(len(circle.items)):
        ago = circle.began - 1 - step * (place + chance.random() * 0.8)
        day = now.date() - timedelta(days=round(ago))
        while (day.weekday() >= _SATURDAY) not in _SPENDS[circle.spends]:
            day += timedelta(days=1)
        yield min(day, now.date() - timedelta(days=2))


def _amount(chance: random.Random, item: Item) -> int:
    """Pence; where the amount varies, half of the amounts end in a round figure, as prices do."""
    if item.low == item.high:
        return 100 * item.low
    amount = chance.randint(100 * item.low, 100 * item.high)
    return amount if chance.random() < 0.5 else amount // 50 * 50 + chance.choice((0, 49))


def _split(chance: random.Random, item: Item, amount: int, members: Sequence[str], payer: str) -> dict[str, int]:
    """Pence by user id. Where some share, the payer and at least one other do."""
    if item.kind == "uneven":
        weights = [chance.randint(3, 9) for _ in members]
        parts = [amount * each // sum(weights) for each in weights]
        parts[chance.randrange(len(parts))] += amount - sum(parts)
        return dict(zip(members, parts, strict=True))
    if item.kind == "some" and len(members) > 2:
        others = [each for each in members if each != payer]
        kept = {payer, *chance.sample(others, chance.randint(1, len(others) - 1))}
        return equal(amount, [each for each in members if each in kept])
    return equal(amount, members)
