"""Finding conversations by a query: its tree becomes SQL, and what was written becomes parameters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple, get_args

from dateutil.relativedelta import relativedelta

from servers.gmail.conversations import known_label, label_names
from servers.gmail.query import OPERATORS, Every, Node, Not, Some, Term, parsed
from servers.gmail.tables import Category
from servers.kernel import Rejected, State, containing, moment, quoted

__all__ = ("QUERY", "Hit", "search")

QUERY, _MOST_NAMED = 1_000, 20
_AGE = re.compile(r"([0-9]{1,4})([dwmy])")
_UNITS = {
    "d": relativedelta(days=1),
    "w": relativedelta(weeks=1),
    "m": relativedelta(months=1),
    "y": relativedelta(years=1),
}
_PERSON = re.compile(r"[^\s<>,;]+")


class Hit(NamedTuple):
    """A conversation that was found (a draft is one), the id of its latest mail that fits, and where that is kept."""

    conversation: str
    email: str
    kept: str  # "mail", "trash" or "draft"


class _SQL(NamedTuple):
    text: str
    params: tuple[Any, ...] = ()


_MAIL = """SELECT '{kept}' AS kept, r._ord AS place, r.id, coalesce(r.thread, r.id) AS began, r.folder, r.address,
    r.subject, r.body, r.sent_datetime AS sent, r.starred, r.cc, coalesce(e.sender_name, '') AS sender,
    coalesce(e."to", '[]') AS "to" FROM {table} r LEFT JOIN envelopes e ON e.id = r.id"""
_SOURCES = {
    "mail": _MAIL.format(kept="mail", table="emails"),
    "trash": _MAIL.format(kept="trash", table="trash"),
    "draft": """SELECT 'draft' AS kept, _ord AS place, id, id AS began, 'outbox' AS folder, address, subject, body,
    strftime(saved, '%Y-%m-%d %H:%M:%S') AS sent, false AS starred, cc, '' AS sender, "to" FROM drafts""",
}

_IN = {
    "inbox": "m.kept = 'mail' AND m.folder = 'inbox' AND NOT coalesce(t.archived, false)",
    "sent": "m.kept = 'mail' AND m.folder = 'outbox'",
    "archive": "m.kept = 'mail' AND coalesce(t.archived, false)",
    "trash": "m.kept = 'trash'",
    "drafts": "m.kept = 'draft'",
    "anywhere": "true",
}
_IS = {
    "unread": "NOT coalesce(t.read, true)",
    "read": "coalesce(t.read, true)",
    "starred": "(m.starred OR coalesce(t.starred, false))",
}
_ATTACHED = "EXISTS (SELECT 1 FROM attachments a WHERE a.email = m.id"
_HAS = {"attachment": f"{_ATTACHED})"}
_KEPT = {"trash": ("trash",), "drafts": ("draft",), "anywhere": ("trash", "draft")}
_CLOSED = {"in": _IN, "is": _IS, "has": _HAS}

_BOUNDS = ("after", "before")
# Addresses alone, out of their JSON: to parse it made a search take half as long again.
_ADDRESSED, _COPIED = (f"translate(m.{column}, '[]\",', '    ')" for column in ('"to"', "cc"))
_ANYWHERE = ("m.subject", "m.body", "m.address", "m.sender", _ADDRESSED, _COPIED)


def search(state: State, query: str) -> list[Hit]:
    """The conversations with a mail that a query fits, that with the newest such mail first.

    Mails in the trash and drafts fit only what says `in:trash`, `in:drafts` or `in:anywhere`. Raises `Rejected`.
    """
    tree = parsed(query)
    _in_order(tree)
    kept = ["mail", *dict.fromkeys(source for name in _places(tree) for source in _KEPT.get(name, ()))]
    where = _Writer(state).top(tree)
    newest = "m.sent || printf('%012d', m.place)"  # of two of one moment, the later row
    rows = state.query(
        f"SELECT m.began, arg_max(m.id, {newest}), m.kept FROM "
        f"({' UNION ALL '.join(_SOURCES[name] for name in kept)}) m LEFT JOIN threads t ON t.id = m.began "
        f"WHERE {where.text} GROUP BY m.began, m.kept ORDER BY max(m.sent) DESC, m.kept, max({newest}) DESC",
        where.params,
    )
    return [Hit(*row) for row in rows]


def _in_order(tree: Node) -> None:
    """Raises `Rejected` for a first day that is later than the last one, which nothing could fit."""
    parts = tree.parts if isinstance(tree, Every) else ()
    days = {part.operator: _day(*part) for part in parts if isinstance(part, Term) and part.operator in _BOUNDS}
    if len(days) == len(_BOUNDS) and days["after"] > days["before"]:
        raise Rejected(f"query: after:{days['after']} is later than before:{days['before']}.")


def _places(node: Node) -> list[str]:
    """The values of `in:`, wherever it stands."""
    if isinstance(node, Term):
        return [node.value.lower()] if node.operator == "in" else []
    return [name for part in ([node.part] if isinstance(node, Not) else node.parts) for name in _places(part)]


def _placed(node: Node) -> bool:
    """Whether whatever fits is so because `in:` says where it is."""
    if isinstance(node, (Term, Not)):
        return isinstance(node, Term) and node.operator == "in"
    some = any if isinstance(node, Every) else all
    return some(map(_placed, node.parts))


class _Writer:
    """Turns a tree into a condition on `m`, a mail, and `t`, the conversation it is in."""

    def __init__(self, state: State) -> None:
        self._state, self._owner = state, state.owner

    def top(self, node: Node) -> _SQL:
        """The condition for a whole query: what does not say where looks in the mailbox alone."""
        if _placed(node):
            return self._written(node)
        if isinstance(node, Some):
            return _joined(" OR ", map(self.top, node.parts))
        if isinstance(node, Every):
            for place, part in enumerate(node.parts):
                if isinstance(part, (Some, Every)) and _places(part):
                    others = (self._written(other) for other in (*node.parts[:place], *node.parts[place + 1 :]))
                    return _joined(" AND ", (self.top(part), *others))
        return _joined(" AND ", (_SQL("m.kept = 'mail'"), self._written(node)))

    def _written(self, node: Node) -> _SQL:
        if isinstance(node, Not):
            inner = self._written(node.part)
            return _SQL(f"(NOT {inner.text})", inner.params)
        if isinstance(node, (Every, Some)):
            return _joined(" AND " if isinstance(node, Every) else " OR ", map(self._written, node.parts))
        operator, value = node
        if operator in _CLOSED:
            return _SQL(f"({_one_of(operator, value, _CLOSED[operator])})")
        if operator == "category":
            names = {name: name for name in get_args(Category)}
            return _SQL("coalesce(t.category, 'primary') = ?", (_one_of(operator, value, names),))
        if operator in ("after", "before"):
            return _SQL(f"left(m.sent, 10) {'>=' if operator == 'after' else '<='} ?", (_day(operator, value),))
        if operator in ("newer_than", "older_than"):
            since = _ago(operator, value, self._state.now).isoformat(" ", "seconds")
            return _SQL(f"m.sent {'>=' if operator == 'newer_than' else '<'} ?", (since,))
        if operator in ("from", "to", "cc"):
            return self._person(operator, value)
        if operator == "label":
            return self._label(value)
        if operator == "filename":
            return _SQL(f"{_ATTACHED} AND {containing('a.name')})", (value,))
        return _contains(("m.subject",) if operator == "subject" else _ANYWHERE, value)

    def _label(self, value: str) -> _SQL:
        label = known_label(self._state, value)
        if label is None:
            known = ", ".join(label_names(self._state)[:_MOST_NAMED]) or "none"
            raise Rejected(f"query: there is no label {quoted(value)}; labels there are: {known}.")
        return _SQL("EXISTS (SELECT 1 FROM thread_labels l WHERE l.thread = m.began AND l.label = ?)", (label,))

    def _person(self, operator: str, value: str) -> _SQL:
        words = _PERSON.findall(value)
        if not words:
            raise Rejected(f"query: {operator}: {quoted(value)} names nobody; write {OPERATORS[operator]}.")
        me = value.strip().casefold() == "me"
        owner = f"{self._owner.name} {self._owner.address}".lower() if self._owner else ""
        mine = _SQL("true" if me or (owner and all(word.lower() in owner for word in words)) else "false")
        if me:
            words = [self._owner.address] if self._owner else []
        if operator == "from":
            by_others = _SQL("false") if me else _fits(("m.address", "m.sender"), words)
            return _by_folder(inbox=by_others, outbox=mine)
        others = [] if me else self._called(words)
        if operator == "cc":
            return _either((_COPIED,), words, others)
        received = _either((_ADDRESSED, _COPIED), words, others)  # as in Gmail, `to` is any recipient
        alone = _joined(" AND ", (_SQL("\"to\" = '[]'"), mine))
        return _by_folder(
            inbox=_joined(" OR ", (received, alone)), outbox=_either(("m.address", _ADDRESSED, _COPIED), words, others)
        )

    def _called(self, words: Sequence[str]) -> list[str]:
        """The addresses of those whose name, as mail from them shows it, has all the words."""
        fits = _fits(("m.sender",), words)
        rows = self._state.query(
            f"SELECT DISTINCT lower(m.address) FROM ({_SOURCES['mail']}) m "
            f"WHERE m.folder = 'inbox' AND {fits.text} ORDER BY 1 LIMIT {_MOST_NAMED}",
            fits.params,
        )
        return [address for (address,) in rows]


def _joined(by: str, parts: Any) -> _SQL:
    """Conditions joined, of which there may be none: then nothing is asked."""
    found = [*parts]
    if not found:
        return _SQL("true")
    return _SQL(f"({by.join(part.text for part in found)})", tuple(param for part in found for param in part.params))


def _contains(columns: Sequence[str], text: str) -> _SQL:
    some = " OR ".join(map(containing, columns))
    return _SQL(f"({some})", (text,) * len(columns))


def _fits(columns: Sequence[str], words: Sequence[str]) -> _SQL:
    """Every word in one of the columns; without words, false."""
    return _joined(" AND ", [_contains(columns, word) for word in words] or [_SQL("false")])


def _either(columns: Sequence[str], words: Sequence[str], addresses: Sequence[str]) -> _SQL:
    """Every word, or one of the addresses."""
    return _joined(" OR ", [_fits(columns, words), *(_contains(columns, address) for address in addresses)])


def _by_folder(*, inbox: _SQL, outbox: _SQL) -> _SQL:
    received = _joined(" AND ", (_SQL("m.folder = 'inbox'"), inbox))
    return _joined(" OR ", (received, _joined(" AND ", (_SQL("m.folder = 'outbox'"), outbox))))


def _one_of(operator: str, value: str, known: dict[str, str]) -> str:
    try:
        return known[value.lower()]
    except KeyError:
        raise Rejected(f"query: {operator}:{value} is unknown; {operator}: takes {', '.join(known)}.") from None


def _day(operator: str, value: str) -> str:
    if len(value) > 10 or (when := moment(value.replace("/", "-"))) is None:
        raise Rejected(f"query: {operator}:{value} is not a day; write {OPERATORS[operator]}.")
    return when.date().isoformat()


def _ago(operator: str, value: str, now: datetime) -> datetime:
    found = _AGE.fullmatch(value.lower())
    if not found:
        raise Rejected(
            f"query: {operator}:{value} is not an age; write a number of days, weeks, months or years, such as "
            f"{OPERATORS[operator]}, 3w or 1y."
        )
    try:
        return now - int(found[1]) * _UNITS[found[2]]
    except (OverflowError, ValueError):
        return datetime.min
