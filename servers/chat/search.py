"""Searching messages, with the operators that people know from Slack. All of it becomes parameters of one SELECT."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from servers.chat.emoji import emoji_name
from servers.chat.members import everybody, mention, person
from servers.chat.places import JOINED, VISIBLE, place
from servers.chat.tables import Member
from servers.kernel import Rejected, State, containing, day_of

__all__ = ("QUERY", "UNREAD", "Term", "found", "terms")

_MOST, QUERY = 32, 1_000
_OR = "OR"
_TOKEN = re.compile(r'(?P<no>-?)(?:(?P<name>[A-Za-z]+):)?(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]*))')

UNREAD = "(j.channel_id IS NOT NULL AND m.author_id <> ? AND (j.last_read IS NULL OR m.sent > j.last_read))"
"""What the owner, whose id it takes, has not read of what others wrote where they both are."""

_ANSWERED = "m.id IN (SELECT thread FROM messages WHERE thread IS NOT NULL)"
_HAS = {
    "link": "regexp_matches(m.text, 'https?://', 'i')",
    "reaction": "m.id IN (SELECT message_id FROM reactions)",
    "thread": _ANSWERED,
}
_IS = {"thread": f"(m.thread IS NOT NULL OR {_ANSWERED})", "dm": "c.kind = 'direct'"}
_DAYS = {"after": ">=", "before": "<=", "on": "="}
_EXAMPLES = {
    "from": "from:maya or from:me",
    "to": "to:me",
    "in": "in:#general or in:@maya",
    "has": "has:link, has:reaction, has:thread or has::eyes:",
    "is": "is:thread or is:dm",
    "after": "after:2026-03-12",
    "before": "before:2026-03-12",
    "on": "on:2026-03-12",
}


class Term(NamedTuple):
    """What messages have to fulfil: SQL over `m`, `c` and `j`, and its parameters."""

    sql: str
    params: list[Any]


def found(state: State, own: Member | None, wanted: list[Term]) -> list[str]:
    """Ids of messages that the owner may see and that fulfil all terms, newest first."""
    where = " AND ".join([VISIBLE, *(term.sql for term in wanted)])
    rows = state.query(
        f"SELECT m.id FROM messages AS m JOIN channels AS c ON c.id = m.channel_id "
        f"LEFT JOIN {JOINED} ON j.channel_id = c.id WHERE {where} ORDER BY m.sent DESC, m._ord DESC",
        [own.id if own else "", *(value for term in wanted for value in term.params)],
    )
    return [id for (id,) in rows]


def terms(state: State, own: Member | None, query: str) -> list[Term]:
    """What a query asks for. Raises `Rejected`, which names the operator and gives an example."""
    tokens = list(islice(_tokens(query), _MOST + 1))
    if len(tokens) > _MOST:
        raise Rejected(f"query has more than {_MOST} words and operators; write fewer.")
    wanted: list[Term] = []
    either = False
    for number, (no, name, value) in enumerate(tokens, start=1):
        if name == _OR:
            if either or not wanted or number == len(tokens):
                raise Rejected("query: OR needs something on both sides; write lift OR dock.")
            either = True
            continue
        if not name:
            term = Term(containing("m.text"), [value])
        elif not value:
            raise Rejected(f"query: {name}: is followed by nothing; write {_EXAMPLES[name]}, without a space.")
        else:
            term = _operator(state, own, name, value)
        if no:
            term = Term(f"NOT ({term.sql})", term.params)
        if either:
            before = wanted.pop()
            term = Term(f"({before.sql} OR {term.sql})", [*before.params, *term.params])
            either = False
        wanted.append(term)
    _in_order(tokens)
    return wanted


def _in_order(tokens: list[tuple[bool, str, str]]) -> None:
    """Raises `Rejected` for a first day that is later than the last one, which nothing could fit."""
    days = {name: value for no, name, value in tokens if name in ("after", "before") and not no}
    if len(days) == 2 and not any(name == _OR for _, name, _ in tokens) and days["after"] > days["before"]:
        raise Rejected(f"query: after:{days['after']} is later than before:{days['before']}.")


def _tokens(query: str) -> Iterator[tuple[bool, str, str]]:
    """Of each word or operator: whether it is excluded, the operator's name ("" for a word), and its value.

    What joins its two neighbours has the name `OR`.
    """
    text = query.replace("\u201c", '"').replace("\u201d", '"').strip()
    if text.count('"') % 2:
        raise Rejected('query: a quotation mark is left open; write "two words" for a phrase.')
    for match in _TOKEN.finditer(text):
        name, word = (match["name"] or "").lower(), match["word"] or ""
        if name and name not in _EXAMPLES:
            if not word.startswith("//"):
                raise Rejected(
                    f"query: {name}: is not an operator; there are {', '.join(f'{known}:' for known in _EXAMPLES)}. "
                    'Put text with a colon in quotes, such as "re: budget".'
                )
            name, word = "", f"{match['name']}:{word}"
        value = word if match["phrase"] is None else match["phrase"]
        if match[0] == _OR:
            name = _OR
        if name or value:
            yield bool(match["no"]), name, value


def _operator(state: State, own: Member | None, name: str, value: str) -> Term:
    if name in _DAYS:
        day = day_of(value)
        if day is None:
            raise Rejected(f"query: {name}:{value} needs a day; write {name}:2026-03-12.")
        return Term(f"CAST(m.sent AS DATE) {_DAYS[name]} ?", [day])
    if name == "in":
        return Term("m.channel_id = ?", [place(state, own, value, "in: of query").id])
    if name in ("from", "to"):
        who = person(value, everybody(state), own, f"{name}: of query")
        return Term("m.author_id = ?", [who.id]) if name == "from" else _to(who)
    known = _HAS if name == "has" else _IS
    if value.lower() in known:
        return Term(known[value.lower()], [])
    if name == "has" and len(value) > 2 and value.startswith(":") and value.endswith(":"):
        emoji = emoji_name(value, "has: of query")
        return Term("m.id IN (SELECT message_id FROM reactions WHERE emoji = ?)", [emoji])
    raise Rejected(f"query: {name}:{value} is not known; write {_EXAMPLES[name]}.")


def _to(who: Member) -> Term:
    """Said to somebody: in a direct conversation, or by a mention."""
    mentioned, params = mention(who)
    written = (
        "(c.kind = 'direct' AND m.author_id <> ? "
        "AND m.channel_id IN (SELECT channel_id FROM channel_members WHERE member_id = ?))"
    )
    return Term(f"({written} OR {mentioned})", [who.id, who.id, *params])
