"""People by whatever a person would call them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from servers.kernel.errors import Nobody, Several
from servers.kernel.texts import caseless

__all__ = ("Person", "addressee", "is_address", "somebody")

_ADDRESS = re.compile(r"[^@\s,;<>\"]+@[^@\s,;<>\"]+\.[^@\s,;<>\".]+")
_NAMED = re.compile(r"\s*(?P<name>[^<>]*?)\s*<(?P<address>[^<>\s]+)>\s*")
_WORDS = re.compile(r"[\w']+")


class Person(NamedTuple):
    """Somebody, by the address that stands for them."""

    name: str
    address: str

    def __str__(self) -> str:
        return f"{self.name} <{self.address}>" if self.name else self.address


def is_address(text: str) -> bool:
    """Whether a text is an e-mail address, as far as its form tells."""
    return bool(_ADDRESS.fullmatch(text))


def somebody(text: str, people: Iterable[Person], argument: str) -> Person:
    """The one of `people` that a text means: an address, a full name, or a part of either that only one has.

    Case, and how accents are encoded, do not matter. Raises `Nobody` where nobody fits, and `Several` with the
    candidates where several do; both name the argument.
    """
    known = {person.address.casefold(): person for person in people}
    if named := _NAMED.fullmatch(text):
        text = named["address"]
    wanted = caseless(text.strip())
    if wanted in known:
        return known[wanted]
    same = [person for person in known.values() if caseless(person.name) == wanted]
    words = _WORDS.findall(wanted)
    fitting = same or [person for person in known.values() if words and _fits(words, person)]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        raise Nobody(argument, text, addressed=is_address(text.strip()))
    raise Several(argument, text, sorted(fitting))


def addressee(text: str, people: Iterable[Person], argument: str) -> Person:
    """As `somebody`, and any e-mail address at all, in lower case: who writes may write to strangers."""
    named = _NAMED.fullmatch(text)
    address = named["address"] if named else text.strip()
    if not is_address(address):
        return somebody(text, people, argument)
    known = {person.address.casefold(): person for person in people}
    return known.get(address.casefold(), Person(named["name"] if named else "", address.lower()))


def _fits(words: list[str], person: Person) -> bool:
    """Whether each word begins a word of the name, or all of them one of the address."""
    has = _WORDS.findall(caseless(person.name))
    if all(any(own.startswith(word) for own in has) for word in words):
        return True
    local = _WORDS.findall(person.address.casefold().partition("@")[0].replace("_", " "))
    return all(any(own.startswith(word) for own in local) for word in words)
