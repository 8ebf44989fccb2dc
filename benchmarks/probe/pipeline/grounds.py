"""What a sample of the grammar states, by paragraph, and in which words: what has to stay when it is told anew."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.documents import TEXT
from benchmarks.probe.grammar.entities import desk_forms
from benchmarks.probe.grammar.facts import ARGUMENTS, Fact
from benchmarks.probe.grammar.proofs import shown_of
from benchmarks.probe.naming import rewrite_of
from benchmarks.probe.records import ESSENTIAL, OTHER, Detail, Document, Sample
from servers.kernel import canonical

__all__ = (
    "Grounds",
    "Passage",
    "differing",
    "digest",
    "fact_of",
    "grounds",
    "replaced",
    "retold",
    "silent",
    "stands",
    "told",
)

_INITIAL = re.compile(r"[A-Z]\. ")
_THINGS = ("task", "input", "desk", "object", "event", "office")
"""Arguments that name what a statement is about; where there is none, it is about a person."""


@dataclass(frozen=True)
class Passage:
    """A paragraph that states something: its place among those of its document, and what of it has to stay.

    `keep` are names, codes and references as they stand there; `alike` are two names of one thing in it, by which
    other documents are understood. `shown` has the facts as the document alone tells them, `facts` as all together do.
    """

    place: int
    text: str
    facts: tuple[Fact, ...]
    shown: tuple[Fact, ...]
    keep: tuple[str, ...]
    alike: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Grounds:
    """The passages of a sample's documents, and what each name stands for: plain name -> values as facts have them."""

    passages: Mapping[str, tuple[Passage, ...]]
    names: Mapping[str, frozenset[str]]
    things: tuple[str, ...]
    """All that documents call the things of which facts tell. Other things have names of the same make."""

    def facts(self, id: str) -> tuple[Fact, ...]:
        """All that a document states, but for mentions, which say nothing that could be read out of a text."""
        return tuple(fact for fact in self._all(id) if not silent(fact.kind))

    def mentions(self, id: str) -> tuple[Fact, ...]:
        """What a document merely names."""
        return tuple(fact for fact in self._all(id) if silent(fact.kind))

    def _all(self, id: str) -> Iterator[Fact]:
        return (fact for passage in self.passages.get(id, ()) for fact in passage.facts)

    def resolved(self, fact: Fact, expected: Iterable[Fact]) -> Fact:
        """A fact in somebody's words as one of those expected, if its words can mean that; else with its own values."""
        for other in expected:
            if other.kind == fact.kind and all(
                (name == "cause" and mine == its) or its in self._meant(mine)
                for name, mine, its in zip(ARGUMENTS[fact.kind], fact.values, other.values, strict=True)
            ):
                return other
        return fact

    def concerns(self, fact: Fact) -> bool:
        """Whether a fact in somebody's words is about anything of which the sample's facts tell."""
        things = [value for name, value in zip(ARGUMENTS[fact.kind], fact.values, strict=True) if name in _THINGS]
        return any(self._known(each) for each in things or fact.values)

    def named(self, text: str) -> tuple[str, ...]:
        """The names in a text of things of which the sample's facts tell, there or elsewhere."""
        folded = text.casefold()  # most of a thousand names are not there, which this tells fast
        return tuple(form for form, small in self._all_forms if small in folded and stands(form, text))

    @cached_property
    def _all_forms(self) -> tuple[tuple[str, str], ...]:
        """The names of all things as texts have them, each also folded."""
        return tuple((form, form.casefold()) for each in self.things for form in _forms(each))

    def _meant(self, words: str) -> frozenset[str]:
        """What a name may stand for: itself, or what it is known to be a name of."""
        return frozenset({words.strip()}) | self._known(words)

    def _known(self, words: str) -> frozenset[str]:
        """What a name is a name of, or what a part of it is (`the survey (PS-2041)`)."""
        parts = (words, *re.split(r"[()]", words))
        return frozenset().union(*(self.names.get(_plain(part), frozenset()) for part in parts))


def silent(kind: str) -> bool:
    """Whether statements of a kind say nothing of what they name."""
    return kind.startswith("mention")


def grounds(sample: Sample) -> Grounds:
    """Where and in which words a sample states its facts. Takes a quarter of a second.

    Raises:
        ValueError: a fact that cannot be laid to one paragraph.
    """
    stated = shown_of(sample)
    alone = {each.id: shown_of(sample.model_copy(update={"documents": (each,)}))[each.id] for each in sample.documents}
    ways = _ways(sample, stated, alone)
    short = {way for each in ways.values() for way in each if not _INITIAL.match(way)}
    names: dict[str, set[str]] = {}
    for value, each in ways.items():
        for way in (value, *each):
            names.setdefault(_plain(way), set()).add(value)
    passages = {
        each.id: tuple(_passages(sample, each, (stated[each.id], alone[each.id]), (ways, short)))
        for each in sample.documents
    }
    things = {
        value
        for facts in stated.values()
        for fact in facts
        for name, value in zip(ARGUMENTS[fact.kind], fact.values, strict=True)
        if name in _THINGS
    }
    return Grounds(
        passages,
        {name: frozenset(values) for name, values in names.items()},
        tuple(sorted({way for each in things for way in (each, *ways[each])})),
    )


def digest(sample: Sample) -> str:
    """A short digest of all that a sample is."""
    return hashlib.sha256(canonical(sample.model_dump(mode="json"))).hexdigest()[:16]


def replaced(document: Document, paragraphs: Mapping[int, str]) -> Document:
    """The document with other paragraphs at these places."""
    field = TEXT[document.type]
    blocks = _blocks(document)
    for place, text in paragraphs.items():
        blocks[place] = text
    return document.model_copy(update={"payload": {**document.payload, field: "\n\n".join(blocks)}})


def retold(base: Sample, paragraphs: Mapping[str, Mapping[int, str]]) -> Sample:
    """The sample with other paragraphs: document -> place -> text."""
    documents = tuple(replaced(each, paragraphs.get(each.id, {})) for each in base.documents)
    return base.model_copy(update={"id": rewrite_of(base.id), "level": "rewrite", "documents": documents})


def told(fact: Fact) -> dict[str, str]:
    """A fact with the names of its values."""
    return {"kind": fact.kind, **dict(zip(ARGUMENTS[fact.kind], fact.values, strict=True))}


def fact_of(told: Mapping[str, str]) -> Fact:
    """The inverse of `told`. Raises `ValueError`, which says what is wrong and what would be right."""
    kind = told.get("kind", "")
    known = [each for each in ARGUMENTS if not silent(each)]
    if kind not in known:
        raise ValueError(f"there is no kind of fact {kind!r}; kinds are {', '.join(known)}")
    wanted = ARGUMENTS[kind]
    if sorted(told) != sorted(("kind", *wanted)):
        raise ValueError(f"a fact {kind!r} has {', '.join(wanted)}, not {', '.join(set(told) - {'kind'}) or 'nothing'}")
    if "cause" in wanted and told["cause"] not in causes():
        raise ValueError(f"there is no cause {told['cause']!r}")
    return Fact(kind, tuple(told[name].strip() for name in wanted))


def differing(wanted: Sequence[Fact], found: Sequence[Fact]) -> tuple[list[Fact], list[Fact]]:
    """(facts that were not found, facts that should not be there)."""
    there, here = Counter(wanted), Counter(found)
    return list((there - here).elements()), list((here - there).elements())


def _ways(sample: Sample, stated: Mapping[str, Sequence[Fact]], alone: Mapping[str, Sequence[Fact]]
          ) -> dict[str, tuple[str, ...]]:  # fmt: skip
    """What each value is called in some document or other, by value."""
    found: dict[str, dict[str, None]] = {}
    for id, facts in stated.items():
        for fact in facts:
            for name, value in zip(ARGUMENTS[fact.kind], fact.values, strict=True):
                if name != "cause":
                    found.setdefault(value, {value: None})
        if [each.kind for each in facts] != [each.kind for each in alone[id]]:
            continue  # the document cannot be understood without others
        for fact, own in zip(facts, alone[id], strict=True):
            for name, value, way in zip(ARGUMENTS[fact.kind], fact.values, own.values, strict=True):
                if name != "cause":
                    found[value].setdefault(way)
    for name in (*ESSENTIAL, *OTHER):
        detail: Detail | None = getattr(sample.gold.details, name)
        if detail is not None and detail.kind != "text":
            value = detail.value if isinstance(detail.value, str) else detail.value["object"]
            for way in detail.accept:
                found.setdefault(value, {value: None}).setdefault(_bare(way))
    return {value: tuple(ways) for value, ways in found.items()}


def _passages(sample: Sample, document: Document, facts: tuple[Sequence[Fact], Sequence[Fact]],
              known: tuple[Mapping[str, tuple[str, ...]], set[str]]) -> Iterable[Passage]:  # fmt: skip
    """The paragraphs that state something, each with its share of the facts, which come in the order of the text."""
    stated, alone = facts
    ways, short = known
    taken = 0
    for place, text in enumerate(_blocks(document)):
        part = document.model_copy(update={"payload": {**document.payload, TEXT[document.type]: text}})
        kinds = [each.kind for each in shown_of(sample.model_copy(update={"documents": (part,)}))[document.id]]
        if not kinds:
            continue
        here = tuple(stated[taken : taken + len(kinds)])
        if [each.kind for each in here] != kinds:
            break
        shown = tuple(alone[taken : taken + len(kinds)]) if len(alone) == len(stated) else here
        taken += len(kinds)
        there = {
            value: [way for way in ways[value] if stands(way, text)]
            for fact in here
            for name, value in zip(ARGUMENTS[fact.kind], fact.values, strict=True)
            if name != "cause"
        }
        alike = tuple(
            (value, way) for value, found in there.items() for way in found if way != value and value in found
            if way in short
        )  # fmt: skip
        yield Passage(
            place, text, here, shown, tuple(dict.fromkeys(w for found in there.values() for w in found)), alike
        )
    if taken != len(stated):
        raise ValueError(f"sample {sample.id}, document {document.id}: {len(stated) - taken} facts in no paragraph")


def _blocks(document: Document) -> list[str]:
    return str(document.payload[TEXT[document.type]]).split("\n\n")


def stands(name: str, text: str) -> bool:
    """Whether a name stands in a text as a word or words of its own, whatever the case of its first letter."""
    return _whole(name).search(text) is not None


@lru_cache(4096)
def _whole(name: str) -> re.Pattern[str]:
    """Kept, as a sample has more names than `re` keeps patterns."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)


def _forms(name: str) -> tuple[str, ...]:
    """A name as texts have it: a desk stands behind its place or before it."""
    return tuple(map(_bare, desk_forms(name))) if name.endswith(" desk") and name.count(" ") == 2 else (name,)


def _bare(name: str) -> str:
    return name[4:] if name[:4].lower() == "the " else name


def _plain(name: str) -> str:
    """A name as it is compared: its words whatever their order and case, so that a `pump desk at Rye` is a Rye one."""
    return " ".join(sorted(word for word in re.findall(r"[\w/-]+", name.casefold()) if word not in ("the", "at", "of")))
