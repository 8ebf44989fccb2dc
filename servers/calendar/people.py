"""Who is in the calendar: whoever stands in its events, has a calendar, or is known to be busy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter

from servers.calendar.tables import Attendee, Calendar, Event
from servers.kernel import Person, Rejected, State, addressee, quoted, somebody, worded

__all__ = (
    "MOST",
    "anybody",
    "calendar",
    "calendars",
    "guests",
    "invited",
    "known",
    "mine",
    "one",
    "owner",
    "takes_part",
    "words",
)

MOST = 50
"""People that one call may name."""

MAIN = "main"

_ATTENDEES = TypeAdapter(list[Attendee])

_NAMES = r"""array_to_string(regexp_extract_all(attendees, '"(?:address|name)":"((?:[^"\\]|\\.)*)"', 1), ' ')"""


def owner(state: State) -> str:
    """The owner's address in lower case, "" where the world does not say."""
    return state.address.lower()


def known(state: State) -> list[Person]:
    """Everybody by address, under the name that an invitation gave them."""
    people = [Person(state.owner.name, owner(state))] if state.owner else []
    for (text,) in state.query("SELECT DISTINCT attendees FROM events WHERE attendees <> '[]'"):
        people += [Person(each.name, each.address) for each in _ATTENDEES.validate_json(text)]
    bare = state.query(
        "SELECT DISTINCT participant_email FROM events UNION SELECT DISTINCT organizer FROM events "
        "UNION SELECT DISTINCT owner FROM calendars UNION SELECT DISTINCT person FROM busy"
    )
    people += [Person("", address) for (address,) in bare if address]
    found: dict[str, Person] = {}
    for person in people:
        key = person.address.casefold()
        if key not in found or not found[key].name:
            found[key] = person
    return sorted(found.values())


def one(state: State, text: str, argument: str, among: Sequence[Person] | None = None) -> Person:
    """The person of the calendar that a text means. Raises `Rejected`."""
    return somebody(text, known(state) if among is None else among, argument)


def anybody(state: State, text: str, argument: str, among: Sequence[Person] | None = None) -> Person:
    """As `one`, and whoever has an e-mail address that the calendar does not know; `me` is the owner.

    Raises `Rejected`.
    """
    if state.owner and text.strip().casefold() == "me":
        return Person(state.owner.name, owner(state))
    return addressee(text, known(state) if among is None else among, argument)


def guests(state: State, texts: Sequence[str], argument: str) -> list[Attendee]:
    """Those people, as they are invited: once each, and not the owner. Raises `Rejected`."""
    if len(texts) > MOST:
        raise Rejected(f"{argument} has {len(texts)} people; it may have {MOST}.")
    among = known(state) if texts else []
    found: dict[str, Attendee] = {}
    for text in texts:
        person = anybody(state, text, argument, among)
        found.setdefault(person.address.lower(), Attendee(address=person.address.lower(), name=person.name))
    found.pop(owner(state), None)
    return [*found.values()]


def invited(event: Event) -> list[Attendee]:
    """Who takes part beside the owner. The one whom every surface shows stands first."""
    first, listed = event.participant_email, event.attendees
    if not listed or not first or any(each.address == first for each in listed):
        return listed or ([Attendee(address=first)] if first else [])
    return [Attendee(address=first), *listed[1:]]


def takes_part(address: str) -> tuple[str, list[Any]]:
    """What rows with a person fulfil, as SQL, and the parameters in it."""
    quoted = json.dumps(address, ensure_ascii=False)
    where = "(lower(participant_email) = lower(?) OR lower(organizer) = lower(?) OR contains(attendees, ?))"
    return where, [address, address, f'"address":{quoted}']


def words(query: str) -> tuple[str, list[str]]:
    """What rows with all of some words fulfil, as SQL, and the parameters in it. Raises `Rejected`."""
    return worded(query, "event_name", "location", "description", "participant_email", "organizer", _NAMES)


def calendars(state: State) -> list[Calendar]:
    """All calendars, the main one first."""
    return [Calendar(id=MAIN, name="Main"), *state.find(Calendar)]


def mine(state: State) -> list[str]:
    """Ids of the owner's calendars as events have them."""
    return ["" if each.id == MAIN else each.id for each in calendars(state) if each.owner.lower() in ("", owner(state))]


def calendar(state: State, text: str) -> Calendar:
    """The calendar of that id or name. Raises `NotFound`, and `Rejected` for a name that several have."""
    every = calendars(state)
    for each in every:
        if each.id == text:
            return each
    found = [each for each in every if each.name.casefold() == text.strip().casefold() != ""]
    if len(found) > 1:
        raise Rejected(f"calendar: {quoted(text)} may be {' or '.join(each.id for each in found)}; give the id.")
    return found[0] if found else state.get(Calendar, text)
