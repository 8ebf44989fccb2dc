"""Whose phone it is, and whom a number or a name means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from servers.kernel import Rejected, State, quoted, signed_in
from servers.phone.tables import Contact, Line, Message

__all__ = ("EXAMPLE", "contacts", "digits", "mine", "names", "party", "texts", "whole")

EXAMPLE = "+44 7700 900982"
"""Kept for drama by Ofcom, and nobody's in any world: a test says so."""

_FEWEST, _MOST = 3, 15
"""Digits of a number; the most are those of ITU-T E.164."""


def mine(state: State) -> Line:
    """The line of whoever is logged in, or of the owner where there are no accounts; without a number if it has none.

    Raises `Rejected` where somebody has to log in first.
    """
    account = signed_in(state)
    for line in state.find(Line):
        if account is None or line.username == account.username:
            return line
    return Line(id="N1", username=account.username if account else state.address, number="")


def contacts(state: State, line: Line) -> list[Contact]:
    """The contacts of a line's owner, by name."""
    return sorted(state.find(Contact, "username = ?", [line.username]), key=lambda each: (each.name.lower(), each.id))


def digits(number: str) -> str:
    """What is the same of a number however it is written; "(0)" is dialled only without the code of the country."""
    return re.sub(r"[^0-9]", "", number.replace("(0)", "") if number.lstrip().startswith("+") else number)


def whole(number: str) -> str:
    """A number as it is kept, in international form. Raises `Rejected`."""
    tidy = " ".join(number.split())
    if not re.fullmatch(r"\+[0-9 ().-]+", tidy) or not _FEWEST <= len(digits(tidy)) <= _MOST:
        raise Rejected(f"{quoted(number)} is not a number in international form, such as {EXAMPLE}.")
    return " ".join(tidy.replace("(0)", " ").split())


def party(state: State, line: Line, other: str) -> str:
    """The number of somebody else that is meant by a number, or by the name of one contact. Raises `Rejected`."""
    number = _meant(contacts(state, line), other)
    if digits(number) == digits(line.number):
        raise Rejected("That is the phone's own number; give somebody else's.")
    return number


def _meant(known: Sequence[Contact], other: str) -> str:
    wanted = other.strip().lower()
    named = [each for each in known if each.name.lower() == wanted]  # one may be called 24/7
    if len(named) == 1:
        return named[0].number
    if not named and digits(other) and not re.search(r"[^\W\d_]", other):
        return next((each.number for each in known if digits(each.number) == digits(other)), "") or whole(other)
    if named:
        told = "; ".join(f"{each.name} ({each.relation or 'no relation'}): {each.number}" for each in named)
        raise Rejected(f"Several contacts are called {quoted(other)}; write the number. There are {told}.")
    alike = [each for each in known if wanted and wanted in each.name.lower()]
    alike = alike or [each for each in known if each.name in get_close_matches(other, [c.name for c in known])]
    near = f" Did you mean {', '.join(f'{each.name} ({each.number})' for each in alike[:5])}?" if alike else ""
    raise Rejected(f"No contact is called {quoted(other)}; write the whole name, or a number.{near}")


def names(state: State, line: Line) -> dict[str, str]:
    """What numbers are called, by their digits: as in the contacts, "you" the line's own."""
    return {digits(each.number): each.name for each in reversed(contacts(state, line))} | {digits(line.number): "you"}


def texts(state: State, line: Line, other: str | None = None) -> list[Message]:
    """The texts of a line, newest first; with one other number alone, if it is given."""
    own = digits(line.number)
    found = []
    for message in state.find(Message):
        ends = {digits(message.sender), digits(message.recipient)}
        if own in ends and (other is None or digits(other) in ends):
            found.append(message)
    return sorted(found, key=lambda each: (each.sent, Message.id_number(each.id)))[::-1]
