"""Looking for records: by words, owner, stage, amount, days, and what they go with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Literal, NamedTuple

from servers.crm.records import Kind, linked, look_up
from servers.crm.shown import Total, plain
from servers.kernel import Rejected, State, containing, in_order, quoted, words_of

__all__ = ("Day", "Wanted", "ids", "totals")

Day = Literal["last_contact", "follow_up", "close"]
"""Days of a kind that has several."""


class _Source(NamedTuple):
    """How one kind is looked for: `r` is its row, `joined` what words and days may look at beside it.

    `days` hold text; the first is what bounds are about by default.
    """

    table: str
    words: tuple[str, ...]
    owner: str
    days: Mapping[str, str]
    order: str
    stage: str = ""
    is_open: str = ""
    joined: str = ""

    def rows(self, wanted: Wanted) -> str:
        """What to select from; joined only where it is looked at, which takes half of the time of a list."""
        return f"{self.table} AS r {self.joined if wanted.query or wanted.day else ''}"


_AT_COMPANY = "LEFT JOIN companies AS c ON c.id = r.company_id"
_LAST_CONTACT = "left({}.last_contact_date, 10)"

_SOURCES: Mapping[Kind, _Source] = {
    "contact": _Source(
        table="customers",
        joined=_AT_COMPANY,
        words=(
            "r.customer_name", "r.customer_email", "r.customer_phone", "r.job_title", "r.product_interest", "r.notes",
            "c.name",
        ),
        owner="r.assigned_to_email",
        days={"last_contact": _LAST_CONTACT.format("r"), "follow_up": "left(r.follow_up_by, 10)"},
        order="lower(r.customer_name)",
        stage="r.status",
        is_open="r.status NOT IN ('Won', 'Lost')",
    ),
    "company": _Source(
        table="companies",
        words=("r.name", "r.domain", "r.industry", "r.phone", "r.description"),
        owner="r.owner",
        days={
            "last_contact": f"(SELECT max({_LAST_CONTACT.format('p')}) FROM customers AS p WHERE p.company_id = r.id)"
        },
        order="lower(r.name)",
    ),
    "deal": _Source(
        table="deals",
        joined=f"{_AT_COMPANY} LEFT JOIN customers AS p ON p.id = r.contact_id",
        words=("r.title", "r.description", "r.reason", "c.name", "p.customer_name"),
        owner="r.owner",
        days={
            "close": "CAST(coalesce(r.closed, r.close_date) AS VARCHAR)",
            "last_contact": _LAST_CONTACT.format("p"),
        },
        order="coalesce(r.closed, r.close_date) NULLS LAST",
        stage="r.stage",
        is_open="r.stage NOT IN ('Won', 'Lost')",
    ),
    "task": _Source(
        table="tasks",
        words=("r.title", "r.description"),
        owner="r.assignee",
        days={"due": "CAST(r.due AS VARCHAR)"},
        order="r.completed IS NOT NULL, r.due NULLS LAST",
        stage="CASE WHEN r.completed IS NULL THEN 'Open' ELSE 'Done' END",
        is_open="r.completed IS NULL",
    ),
    "note": _Source(
        table="notes",
        words=("r.text",),
        owner="r.author",
        days={"written": "CAST(r.day AS VARCHAR)"},
        order="r.day DESC, r._ord DESC",
    ),
}  # fmt: skip

_STAGES: Mapping[Kind, tuple[str, ...]] = {
    "contact": ("Open", "Lead", "Qualified", "Proposal", "Won", "Lost"),
    "deal": ("Open", "Lead", "Qualified", "Proposal", "Negotiation", "Won", "Lost"),
    "task": ("Open", "Done"),
}


class Wanted(NamedTuple):
    """What is looked for; `owner` is an address. Whatever is None or empty does not count."""

    kind: Kind
    query: str = ""
    owner: str = ""
    stage: str | None = None
    amount_min: float | None = None
    amount_max: float | None = None
    after: date | None = None
    before: date | None = None
    day: Day | None = None
    related_to: str = ""


def ids(state: State, wanted: Wanted) -> list[str]:
    """Ids of the records that fulfil all of it, in the order of a list. Raises `Rejected` and `NotFound`."""
    source, (where, params) = _SOURCES[wanted.kind], _conditions(state, wanted)
    order = source.order
    if wanted.day:
        order = f"{source.days[wanted.day]} {'DESC' if wanted.day == 'last_contact' else 'ASC'} NULLS LAST"
    rows = state.query(f"SELECT r.id FROM {source.rows(wanted)} WHERE {where} ORDER BY {order}, r._ord", params)
    return [id for (id,) in rows]


def totals(state: State, wanted: Wanted) -> list[Total]:
    """What the deals that are looked for come to, by stage and currency, in the order of stages."""
    where, params = _conditions(state, wanted)
    found = state.query(
        f"SELECT r.stage, r.currency, count(*), sum(CAST(coalesce(r.amount, 0) AS DECIMAL(18, 2))) "
        f"FROM {_SOURCES['deal'].rows(wanted)} WHERE {where} GROUP BY ALL",
        params,
    )
    found.sort(key=lambda row: (_STAGES["deal"].index(row[0]), row[1]))
    return [
        Total(stage=stage, currency=currency, deals=deals, amount=plain(amount))
        for stage, currency, deals, amount in found
    ]


def _conditions(state: State, wanted: Wanted) -> tuple[str, list[Any]]:
    """What rows have to fulfil, as SQL, and the parameters in it."""
    source = _SOURCES[wanted.kind]
    where, params = ["true"], list[Any]()

    def must(condition: str, *values: Any) -> None:
        where.append(condition)
        params.extend(values)

    for word in words_of(wanted.query):
        must(containing(f"concat_ws(chr(10), {', '.join(source.words)})"), word)
    if wanted.owner:
        must(f"lower({source.owner}) = lower(?)", wanted.owner)
    if wanted.stage:
        _stage(wanted, must)
    _amounts(wanted, must)
    _days(wanted, must)
    if wanted.related_to:
        beside = linked(state, look_up(state, wanted.related_to)[1], wanted.kind)[wanted.kind]
        must("r.id IN (SELECT unnest(?::VARCHAR[]))", [row.id for row, _ in beside])
    return " AND ".join(where), params


def _stage(wanted: Wanted, must: Callable[..., None]) -> None:
    source, known = _SOURCES[wanted.kind], _STAGES.get(wanted.kind, ())
    if wanted.stage not in known:
        hint = f"choose from {', '.join(known)}" if known else f"a {wanted.kind} has none: leave it out"
        raise Rejected(f"stage: {quoted(wanted.stage)} is not a stage of a {wanted.kind}; {hint}.")
    if wanted.stage == "Open":
        must(source.is_open)
    else:
        must(f"{source.stage} = ?", wanted.stage)


def _amounts(wanted: Wanted, must: Callable[..., None]) -> None:
    low, high = wanted.amount_min, wanted.amount_max
    for argument, bound, amount in (("amount_min", ">=", low), ("amount_max", "<=", high)):
        if amount is not None:
            if wanted.kind != "deal":
                raise Rejected(f"{argument}: a {wanted.kind} has no amount; leave it out, or look for kind deal.")
            must(f"r.amount {bound} ?", amount)
    if low is not None and high is not None and low > high:
        raise Rejected(f"amount_min: {plain(low)} is more than amount_max, {plain(high)}.")


def _days(wanted: Wanted, must: Callable[..., None]) -> None:
    days = _SOURCES[wanted.kind].days
    day: str = wanted.day or next(iter(days))
    if day not in days:
        raise Rejected(f"day: the days of a {wanted.kind} are {' and '.join(days)}, not {day}.")
    in_order(wanted.after, wanted.before)
    for bound, limit in ((">=", wanted.after), ("<=", wanted.before)):
        if limit:
            must(f"{days[day]} {bound} ?", limit.isoformat())
