"""Who records belong to: colleagues, by address, name or a part of it."""

from __future__ import annotations

from servers.crm.tables import Colleague
from servers.kernel import Person, Rejected, State, addressee, somebody

__all__ = ("assigned", "everybody", "me", "meant")

_ADDRESSES = """
    SELECT assigned_to_email FROM customers UNION SELECT owner FROM companies
    UNION SELECT owner FROM deals UNION SELECT assignee FROM tasks UNION SELECT author FROM notes
"""


def me(state: State) -> str:
    """The address of whose CRM it is; empty where the world does not say."""
    return state.owner.address.lower() if state.owner else ""


def everybody(state: State) -> list[Person]:
    """Whoever owns a record or may, each once, by address; with names where the CRM or the world has them."""
    found = {address.casefold(): Person("", address) for (address,) in state.query(_ADDRESSES) if address}
    found |= {person.address.casefold(): person for person in _listed(state)}
    return sorted(found.values(), key=lambda person: person.address.casefold())


def meant(state: State, text: str, argument: str) -> str:
    """The address of whom a filter means. Raises `Rejected`."""
    return _listed_address(state, text) or somebody(text, everybody(state), argument).address


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
    return _listed_address(state, text) or find(text, everybody(state), argument).address.lower()


def _listed(state: State) -> list[Person]:
    """Those whom the CRM lists, and whose CRM it is."""
    own = [Person(state.owner.name, state.owner.address)] if state.owner else []
    return own + [Person(colleague.name, colleague.address) for colleague in state.find(Colleague)]


def _listed_address(state: State, text: str) -> str:
    """The text in lower case where it is the address of one of those; spares asking who owns what."""
    wanted = text.strip().lower()
    return wanted if any(person.address.lower() == wanted for person in _listed(state)) else ""
