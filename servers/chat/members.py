"""Who is meant: the owner, people by name or handle, and those that a text mentions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from servers.chat.tables import Member
from servers.kernel import Nobody, Person, Rejected, Several, State, quoted, somebody

__all__ = ("called", "everybody", "me", "mention", "myself", "person", "resolved")

_GROUPS = ("channel", "here", "everyone")
"""Handles that mean everybody in the channel."""

_MOST = 50
"""Mentions in a text: each is looked for among all members."""

_CODE = re.compile(r"(`[^`]*`)")
_AT = re.compile(r"(?<![A-Za-z0-9_@./-])@(?=\w)")
_WORD = re.compile(r"[\w.+-]*\w(?:@[\w.-]*\w)?")


def everybody(state: State) -> list[Member]:
    return state.find(Member)


def me(state: State) -> Member | None:
    """The member whose chat this is; None where the owner is not in the workspace."""
    if state.owner is None:
        found = state.find(Member, limit=1)
    else:
        found = state.find(Member, "lower(address) = lower(?)", [state.owner.address], limit=1)
    return found[0] if found else None


def myself(state: State) -> Member:
    """As `me`. Raises `Rejected` where nobody is."""
    if (found := me(state)) is None:
        raise Rejected(
            f"{state.address or 'the user'} is not a member of this workspace, so nothing can be changed in it."
        )
    return found


def called(member: Member) -> str:
    """How results name somebody."""
    return f"{member.name} (@{member.handle})"


def person(text: str, members: Sequence[Member], own: Member | None, argument: str) -> Member:
    """The member that a text means: an id, a handle, an address, a name or a part of one, or `me`.

    Whoever left is meant only where nobody else fits. Raises `Nobody`, and `Rejected` with the candidates of several:
    a handle without its @ may be the name of others.
    """
    given = text.strip()
    wanted = given.removeprefix("@")
    if own and wanted.casefold() == "me":
        return own
    for member in members:
        if member.id == wanted:
            return member
        if member.handle.casefold() == wanted.casefold():
            others = _named(wanted, member, members) if given == wanted else []
            if not others:
                return member
            if member.active:
                who = ", ".join(map(called, [member, *others]))
                raise Rejected(f"{argument}: {quoted(text)} may be {who}; say which, best by the handle with its @.")
    try:
        return _somebody(wanted, [member for member in members if member.active], argument)
    except Nobody:
        return _somebody(wanted, members, argument)


def _named(word: str, besides: Member, members: Iterable[Member]) -> list[Member]:
    """Others who are called so, by one of their names."""
    return [
        member
        for member in members
        if member.active and member != besides and word.casefold() in member.name.casefold().split()
    ]


def _somebody(text: str, members: Iterable[Member], argument: str) -> Member:
    by_address = {member.address.casefold(): member for member in members}
    found = somebody(text, [Person(member.name, member.address) for member in by_address.values()], argument)
    return by_address[found.address.casefold()]


def resolved(text: str, members: Sequence[Member]) -> tuple[str, list[Member]]:
    """The text with each mention as the handle of whom it means, and who they are; code in backticks stays.

    Raises `Rejected` for a mention that several or nobody fit.
    """
    parts = _CODE.split(text)
    mentioned: list[Member | None] = []
    for place in range(0, len(parts), 2):
        done, rest = "", parts[place]
        while at := _AT.search(rest):
            handle, length, found = _mentioned(rest[at.end() :], members)
            done += rest[: at.end()] + handle
            rest = rest[at.end() + length :]
            mentioned.append(found)
            if len(mentioned) > _MOST:
                raise Rejected(f"text has more than {_MOST} mentions; @channel mentions everybody.")
        parts[place] = done + rest
    return "".join(parts), list({member.id: member for member in mentioned if member}.values())


def _mentioned(text: str, members: Sequence[Member]) -> tuple[str, int, Member | None]:
    """The handle that a text begins with, how much of the text it takes, and whose it is; of a group, nobody's."""
    match = _WORD.match(text)
    assert match is not None  # a letter follows the @
    word = match[0]
    if word.casefold() in _GROUPS:
        return word.lower(), len(word), None
    fitting = [member for member in members if member.active and _begins(text, member.name)]
    longest = max((len(member.name) for member in fitting), default=0)
    named = [member for member in fitting if len(member.name) == longest]
    if named:
        word = text[:longest]
    if len(named) == 1:
        return named[0].handle, len(word), named[0]
    if not named:
        for member in members:
            if word.casefold() in (member.handle.casefold(), member.address.casefold()):
                return member.handle, len(word), member
    how = "A mention is @ and a handle, such as @maya.chen; an @ in backticks mentions nobody."
    try:
        found = _somebody(word, [member for member in members if member.active], "text")
    except Nobody:
        raise Rejected(
            f"text: {quoted(word)} is nobody known here; `find_channels` with kind=person lists people. {how}"
        ) from None
    except Several as error:
        raise Rejected(f"text: {quoted(word)} may be {error.who}. {how}") from None
    return found.handle, len(word), found


def _begins(text: str, name: str) -> bool:
    """Whether a text begins with a whole name, one of several words."""
    return " " in name and text[: len(name)].lower() == name.lower() and not text[len(name) : len(name) + 1].isalnum()


def mention(member: Member) -> tuple[str, list[str]]:
    """SQL that says whether the message `m` mentions somebody, and its parameters. One's own do not count."""
    spoken = "regexp_replace(lower(m.text), '`[^`]*`', ' ', 'g')"
    within = "m.channel_id IN (SELECT channel_id FROM channel_members WHERE member_id = ?)"
    sql = (
        f"(m.author_id <> ? AND contains(m.text, '@') AND (regexp_matches({spoken}, ?) "
        f"OR ({within} AND regexp_matches({spoken}, ?))))"
    )
    return sql, [member.id, _pattern([member.handle]), member.id, _pattern(_GROUPS)]


def _pattern(handles: Iterable[str]) -> str:
    """As `resolved` reads mentions, for the database: an @ that no word leads to, and the end of a handle."""
    names = "|".join(re.escape(handle.lower()) for handle in handles)
    return rf"(^|[^a-z0-9_@./-])@({names})($|[^a-z0-9_.@-]|[.-]+($|[^a-z0-9_.@-]))"
