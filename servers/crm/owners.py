"""Who records belong to: colleagues, by address, name or a part of it."""

from __future__ import annotations

from collections.abc import Callable

from servers.crm.tables import Colleague
from servers.kernel import Nobody, Person, Rejected, State, addressee, few_of, quoted, somebody

__all__ = ("assigned", "everybody", "me", "meant")

_SHOWN = 10
_ADDRESSES = """
    SELECT assigned_to_email FROM customers UNION SELECT owner FROM companies
    UNION SELECT owner FROM deals UNION SELECT assignee FROM tasks UNION SELECT author FROM notes
"""


def me(state: State) -> str:
    """The address of whose CRM it is; empty where the world does not say."""
    return state.address.lower()


def everybody(state: State) -> list[Person]:
    """Whoever owns a record or may, each once, by address; with names where the CRM or the world has them."""
    found = {address.casefold(): Person("", address) for (address,) in state.query(_ADDRESSES) if address}
    found |= {person.address.casefold(): person for person in _listed(state)}
    return sorted(found.values(), key=lambda person: person.address.casefold())


def meant(state: State, text: str, argument: str) -> str:
    """The address of whom a filter means; `me` is the owner of the CRM. Raises `Rejected`."""
    return _listed_address(state, text) or _one(state, text, argument, somebody).address


def assigned(state: State, text: str, argument: str) -> str:
    """The address of who is to have a record, in lower case: without a text, the owner of the CRM.

    Where the CRM lists its owners it is one of those, or who owns a record already; else anybody with an address.
    Raises `Rejected`.
    """
    if not text:
        if not me(state):
            raise Rejected(f"{argument}: say who, by e-mail address.")
        return me(state)
    find = somebody if state.find(Colleague, limit=1) else addressee
    return _listed_address(state, text) or _one(state, text, argument, find).address.lower()


def _one(state: State, text: str, argument: str, find: Callable[..., Person]) -> Person:
    """As `find` does. Raises `Rejected`, which says who owns records where nobody fits."""
    people = everybody(state)
    try:
        return find(text, people, argument)
    except Nobody as error:
        shown = few_of(map(str, people), _SHOWN) or "nobody"
        more = ", whom `find_records` with kind=owner lists" if len(people) > _SHOWN else ""
        stranger = "" if find is somebody else "; or give an e-mail address"
        raise Rejected(
            f"{argument}: {quoted(error.text)} is nobody known here. Owners are {shown}{more}{stranger}."
        ) from None


def _listed(state: State) -> list[Person]:
    """Those whom the CRM lists, and whose CRM it is."""
    own = [Person(state.owner.name, state.owner.address)] if state.owner else []
    return own + [Person(colleague.name, colleague.address) for colleague in state.find(Colleague)]


def _listed_address(state: State, text: str) -> str:
    """The text in lower case where it is the address of one of those, or `me`; spares asking who owns what."""
    wanted = text.strip().lower()
    if wanted == "me" and me(state):
        return me(state)
    return wanted if any(person.address.lower() == wanted for person in _listed(state)) else ""
