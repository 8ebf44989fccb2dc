"""Answers to be labelled: drawn from the reference agent's dials, from perturbed truths, and from what somebody wrote.

An item is whole without its sample: it has the answer key's details and those people of the sample whom a matcher
could take for somebody in the answer. So labelled items stay valid when the grammar changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from benchmarks.probe import worlds
from benchmarks.probe.grammar.proofs import facts_of
from benchmarks.probe.matching.perturbing import perturbed
from benchmarks.probe.records import Details, Document, Gold, Sample
from benchmarks.probe.reference import by_grammar, confused, told
from benchmarks.probe.scoring.answers import DetailName, Structured
from benchmarks.probe.scoring.matcher import words
from benchmarks.probe.scoring.people import people
from harness.core.lines import read_lines
from servers.kernel import canonical

__all__ = (
    "ASKED",
    "Item",
    "MatchingError",
    "Source",
    "answers",
    "drawn",
    "half",
    "numbered",
    "read",
    "read_written",
    "sheet",
    "written",
)

ASKED: tuple[DetailName, ...] = (
    "who_blocked", "who_blocker", "what_task", "why_root_cause", "when_deadline", "where_system", "how_mechanism",
)  # fmt: skip
"""The details that the grammar's samples have; a line of labels has a letter for each, in this order."""

Source: TypeAlias = Literal["dials", "perturbed", "written"]
_CONFUSED = 0.4
_PROSE: Mapping[Source, float] = {"dials": 0.5, "perturbed": 0.25}
"""How many of a source are put into prose; whoever writes answers chooses for themselves."""


class MatchingError(Exception):
    """Items or labels that cannot be read; the text names file and line or item, and what would be right."""


class Item(BaseModel):
    """An answer, and what is needed to score it: the key's details, and people as the sample calls each of them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = ""
    source: Source
    sample: str
    details: Details
    people: tuple[tuple[str, ...], ...]
    answer: str | Structured

    @cached_property
    def as_sample(self) -> Sample:
        """A sample with this answer key and these people, and no documents but one that names them."""
        model = {"people": [{"name": each[0], "email": mail} for each in self.people for mail in _mails(each)]}
        called: dict[str, Any] = {"to": [name for each in self.people for name in each]}
        return Sample(
            id=self.sample,
            persona_id="",
            difficulty="hard",
            world_model=model,  # type: ignore[arg-type]
            documents=(Document(id="d01", type="email", payload=called),),
            actions=(),
            gold=Gold(description="", details=self.details, action="any"),
        )


def answers(work: tuple[str, tuple[str, ...], int]) -> list[Item]:
    """One answer of each source to a sample, given its name, what somebody wrote, and the seed of the draws."""
    name, said, seed = work
    sample = worlds.sample(name)
    return [drawn(sample, "dials", seed), drawn(sample, "perturbed", seed), written(sample, said)]


def drawn(sample: Sample, source: Literal["dials", "perturbed"], seed: int) -> Item:
    """An answer to a sample: the inverse grammar's with at most one confusion, or with each field said differently."""
    draw = _draw(seed, source, sample.id)
    truth = by_grammar(sample)
    if truth is None or not isinstance(truth.bottleneck, Structured):
        raise MatchingError(f"{sample.id}: the inverse grammar finds no answer")
    facts = list(dict.fromkeys(fact for each in facts_of(sample).values() for fact in each))
    parts = truth.bottleneck
    if source == "perturbed":
        names = [each[0] for each in people(sample)]
        parts = perturbed(draw, sample.gold.details, parts, facts, names)
    elif draw.random() < _CONFUSED:
        parts = confused(draw, parts, facts)
    return _item(sample, source, told(parts) if draw.random() < _PROSE[source] else parts)


def written(sample: Sample, said: Sequence[str]) -> Item:
    """An answer that somebody wrote: one text, or one for each detail that is asked."""
    return _item(sample, "written", said[0] if len(said) == 1 else Structured(**dict(zip(ASKED, said, strict=True))))


def read_written(path: Path) -> dict[int, tuple[str, ...]]:
    """Answers by number of their sample, as `tests/probe/scoring/matched/written.txt` says. Raises `MatchingError`."""
    found: dict[int, tuple[str, ...]] = {}
    for number, line in enumerate(_text(path).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        sample, *said = (part.strip() for part in line.split(" | "))
        if not sample.isdigit() or len(said) not in (1, len(ASKED)):
            raise MatchingError(
                f"{path}:{number}: expected the number of a sample and 1 or {len(ASKED)} fields, parted by ' | '"
            )
        if int(sample) in found:
            raise MatchingError(f"{path}:{number}: sample {sample} has an answer already")
        found[int(sample)] = tuple(said)
    return found


def numbered(items: Iterable[Item], seed: int) -> list[Item]:
    """The items in an order that tells nothing of their source or sample, and with ids in that order."""
    ordered = sorted(items, key=lambda each: _hash(seed, "order", each.source, each.sample))
    return [each.model_copy(update={"id": f"m{number:03d}"}) for number, each in enumerate(ordered, 1)]


def half(item: Item) -> Literal["tuned", "held out"]:
    """Which half an item belongs to: the matcher may be mended by what it got wrong in the first, never in the second.

    The answers to one sample are in one half.
    """
    return "tuned" if _hash("half", item.sample) < "8" else "held out"


def sheet(item: Item) -> dict[str, Any]:
    """What a labeller sees of an item: the key, people who share a name with somebody in it, and the answer."""
    key: dict[str, Any] = {}
    for name in ASKED:
        detail = getattr(item.details, name)
        right = dict(detail.value) if isinstance(detail.value, dict) else detail.value
        own = right["object"] if isinstance(right, dict) else right
        key[name] = {"right": right, "also": [each for each in detail.accept if each != own]}
    own = {item.details.who_blocked and item.details.who_blocked.value, item.details.who_blocker and
           item.details.who_blocker.value}  # fmt: skip
    answer = item.answer if isinstance(item.answer, str) else item.answer.model_dump(exclude_defaults=True)
    return {"id": item.id, "key": key, "other_people": [each[0] for each in item.people if each[0] not in own],
            "answer": answer}  # fmt: skip


def read(path: Path) -> list[Item]:
    """The items in a file, a line each. Raises `MatchingError`."""
    return read_lines(path, Item, MatchingError)


def _item(sample: Sample, source: Source, answer: str | Structured) -> Item:
    return Item(
        source=source,
        sample=sample.id,
        details=sample.gold.details,
        people=tuple(_near(sample, answer)),
        answer=answer,
    )


def _near(sample: Sample, answer: str | Structured) -> Iterator[tuple[str, ...]]:
    """Everybody of a sample who shares a word of a name with the answer or with somebody in the key."""
    said = answer if isinstance(answer, str) else " ".join(answer.model_dump().values())
    details = sample.gold.details
    keyed = [str(each.value) for each in (details.who_blocked, details.who_blocker) if each is not None]
    known = set(words(" ".join([said, *keyed])))
    return (each for each in people(sample) if any(known & set(words(name.partition("@")[0])) for name in each))


def _mails(called: Sequence[str]) -> list[str]:
    return [name for name in called if "@" in name]


def _draw(*of: Any) -> Random:
    return Random(int(_hash(*of), 16))


def _hash(*of: Any) -> str:
    return hashlib.sha256(canonical([*of])).hexdigest()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MatchingError(f"{path} cannot be read: {error}") from None
