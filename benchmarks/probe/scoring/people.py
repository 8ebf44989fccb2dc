"""Who there is in a sample: everybody whom its world model or a document names in a field for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.probe.records import Sample
from benchmarks.probe.scoring.matcher import Words, person_names, words
from benchmarks.probe.scoring.remembered import remembered

__all__ = ("aliases_of", "others", "parts", "people", "person")

_FIELDS = ("from", "sender", "to", "cc", "organizer", "attendees", "author")
_NAMES = ("name", "full_name", "persona_full_name", "reporting_to")
_ADDRESSES = ("email", "address", "mail")


@remembered
def people(sample: Sample) -> tuple[tuple[str, ...], ...]:
    """Each person of a sample as everything that they are called, in the order in which they come."""
    found: list[tuple[list[str], set[Words]]] = []
    for called in _named(sample):
        keys = {words(name) for name in called}
        same = [each for each in found if each[1] & keys]
        first = same[0] if same else ([], set())
        for more, their in [*same[1:], (called, keys)]:
            first[0].extend(name for name in more if words(name) not in first[1])
            first[1].update(their)
        found = [each for each in found if not any(each is one for one in same[1:])]
        if not same:
            found.append(first)
    return tuple(tuple(names) for names, _ in found)


def person(sample: Sample, aliases: Sequence[str]) -> tuple[str, ...]:
    """The aliases of a person, with what else the sample calls whoever has one of them."""
    own = {words(alias) for alias in aliases}
    more = [name for each in people(sample) if own & set(map(words, each)) for name in each]
    return tuple(dict.fromkeys([*aliases, *more]))


def others(sample: Sample, aliases: Sequence[str]) -> tuple[str, ...]:
    """What everybody is called but the person with those aliases."""
    own = {words(alias) for alias in aliases}
    return tuple(name for each in people(sample) if not own & set(map(words, each)) for name in each)


def parts(sample: Sample, aliases: Sequence[str]) -> tuple[str, ...]:
    """Words of a person's names that nobody else's name has: a surname alone may mean them, or be a word like Will."""
    own = {word for alias in aliases if "@" not in alias for word in words(alias)}
    shared = {word for name in others(sample, aliases) for word in words(name)}
    return tuple(sorted(word for word in own - shared if len(word) > 1))


def aliases_of(sample: Sample, value: str) -> tuple[str, ...]:
    """Every way to say a value of the key: its own, and those of a detail with the same value."""
    found = person_names([value])
    for _, detail in sample.gold.details:
        if detail is None:
            continue
        known = detail.value.get("object", "") if isinstance(detail.value, dict) else detail.value
        said = person_names([known, *detail.accept])
        if set(map(words, said)) & set(map(words, person_names([value]))):
            found += said
    return tuple(dict.fromkeys(found))


def _named(sample: Sample) -> Iterator[list[str]]:
    yield from _told(sample.world_model)
    values = [document.payload.get(field) for document in sample.documents for field in _FIELDS]
    said = [each for value in values for each in (value if isinstance(value, list) else [value])]
    for each in dict.fromkeys(one for one in said if isinstance(one, str) and one.strip()):
        yield person_names([each])


def _told(value: Any) -> Iterator[list[str]]:
    if isinstance(value, dict):
        called = [each for name, each in value.items() if name in _NAMES and isinstance(each, str)]
        mails = [each for name, each in value.items() if name in _ADDRESSES and isinstance(each, str) and "@" in each]
        if len(called) == 1:
            yield [*person_names(called), *mails]
        else:
            yield from ([name] for name in called)
        for each in value.values():
            yield from _told(each)
    elif isinstance(value, list):
        for each in value:
            yield from _told(each)
