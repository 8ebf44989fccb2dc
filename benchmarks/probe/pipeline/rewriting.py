"""Samples of level `rewrite`: what the grammar states, in a model's prose, and read back by a reader who knows neither.

The paragraphs that state something are rewritten document by document. A reader then gets each document alone, with the
kinds of facts that there are and nothing of the sample, and has to find exactly what the document states; else the
document is rewritten again, at most three times in all, and then its sample is dropped. The proofs are run on what the
reader found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from benchmarks.probe.grammar.causes import causes as templates
from benchmarks.probe.grammar.documents import TEXT
from benchmarks.probe.grammar.facts import ARGUMENTS, Fact
from benchmarks.probe.grammar.proofs import ProofFailed, prove
from benchmarks.probe.pipeline.grounds import (
    Grounds,
    Passage,
    differing,
    fact_of,
    grounds,
    replaced,
    retold,
    silent,
    stands,
    told,
)
from benchmarks.probe.pipeline.work import Dropped, Work, prompt
from benchmarks.probe.records import Document, Sample

__all__ = (
    "TRIES",
    "Reading",
    "Told",
    "assembled",
    "described",
    "in_words",
    "kinds",
    "misread",
    "mistold",
    "rewrite",
    "shown",
)  # fmt: skip

TRIES = 3
_LENGTH = (0.5, 2.2)
"""How long a paragraph may become, against what it was."""


class Retold(BaseModel):
    """What a writer replies: paragraphs by their place."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    paragraphs: dict[str, str]


class Reading(BaseModel):
    """What a reader found in a document: facts as `kind` and arguments, and pairs of names that it says are one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    facts: tuple[dict[str, str], ...]
    same: tuple[tuple[str, ...], ...] = ()


class Told(NamedTuple):
    """A document told anew: paragraphs by place, and the facts that a reader found in it."""

    paragraphs: Mapping[int, str]
    facts: tuple[Fact, ...]


async def rewrite(sample: Sample, work: Work) -> Sample:
    """A sample of the grammar, told anew.

    Raises:
        Dropped: a document was not understood as often as it may, or a proof does not hold on what was.
    """
    ground = grounds(sample)
    documents = [each for each in sample.documents if ground.passages[each.id]]
    told = await work.all([partial(_document, sample, each, ground, work) for each in documents])
    return assembled(sample, {each.id: it for each, it in zip(documents, told, strict=True)})


def assembled(sample: Sample, told: Mapping[str, Told]) -> Sample:
    """The sample with what was told anew, proved on what was read. Raises `Dropped`."""
    found = retold(sample, {id: each.paragraphs for id, each in told.items()})
    try:
        prove(found, {each.id: told[each.id].facts if each.id in told else () for each in found.documents})
    except ProofFailed as error:
        raise Dropped("proofs", str(error)) from None
    return found


async def _document(sample: Sample, document: Document, ground: Grounds, work: Work) -> Told:
    passages = ground.passages[document.id]
    wrong: list[str] = []
    for attempt in range(1, TRIES + 1):
        of = {"sample": sample.id, "document": document.id, "attempt": attempt}
        reply = await work.item(
            "rewrite", of, _asked(document, passages, wrong), Retold,
            check=partial(_told, passages),
        )  # fmt: skip
        paragraphs = {int(place): text for place, text in reply.paragraphs.items()}
        text = shown(replaced(document, paragraphs))
        asked = prompt(
            "extract", text=text, now=sample.now, kinds=kinds(), causes=kinds(causes=True), names=ground.named(text)
        )
        reading = await work.item("extract", of, asked, Reading, check=_read, reads=True)
        facts, wrong = misread(ground, document.id, reading)
        if not wrong:
            return Told(paragraphs, facts)
    raise Dropped("extract", f"document {document.id} was misread {TRIES} times; of the last: {'; '.join(wrong)}")


def _asked(document: Document, passages: Sequence[Passage], wrong: Sequence[str]) -> str:
    told = [{"place": each.place, "facts": in_words(each.shown), "keep": each.keep} for each in passages]
    blocks = str(document.payload[TEXT[document.type]]).split("\n\n")
    return prompt("rewrite", **described(document), blocks=blocks, passages=told, wrong=wrong)


def mistold(passage: Passage, text: str) -> str:
    """What is wrong with a paragraph that stands for this one, without a reader; empty if nothing is."""
    lacking = [each for each in passage.keep if not stands(each, text)]
    if lacking:
        return f"it lacks {', '.join(map(repr, lacking))}"
    if "\n\n" in text.strip() or not text.strip():
        return "it is to be one paragraph, without blank lines"
    low, high = (round(part * len(passage.text.split())) for part in _LENGTH)
    if not low <= (words := len(text.split())) <= high:
        return f"it has {words} words, expected {low} to {high}"
    return ""


def misread(ground: Grounds, id: str, reading: Reading) -> tuple[tuple[Fact, ...], list[str]]:
    """The facts of a document as a reader found them, with what it merely names, and how they differ from its own.

    What a reader says of work that none of the sample's facts is about does not count: nothing can follow from it.
    """
    wanted = ground.facts(id)
    found = tuple(ground.resolved(each, wanted) for each in map(fact_of, reading.facts) if ground.concerns(each))
    missing, invented = differing(wanted, found)
    wrong = [f"not found: {_line(each)}" for each in missing]
    wrong += [f"found, but not there: {_line(each)}" for each in invented]
    groups = [*reading.same, *((value,) for each in reading.facts for value in each.values())]
    for passage in ground.passages[id]:
        for one, other in passage.alike:
            if not any(all(any(stands(it, way) for way in group) for it in (one, other)) for group in groups):
                wrong.append(f"not found: that {one} and {other} are one thing")
    return (*found, *ground.mentions(id)), wrong


def shown(document: Document) -> str:
    """A document as a reader sees it: what its header says, and its text."""
    field = TEXT[document.type]
    head = [f"{name}: {_listed(value)}" for name, value in document.payload.items() if name != field]
    return "\n".join(head) + f"\n\n{document.payload[field]}"


@cache
def kinds(*, causes: bool = False) -> tuple[tuple[str, str], ...]:
    """The kinds of facts, or of causes, each with what it says.

    Raises:
        ValueError: a kind of the grammar has no gloss, or one that names other arguments.
    """
    if causes:
        return tuple((each.id, each.why[0].format(object="{object}")) for each in templates().values())
    found: dict[str, str] = {}
    for line in Path(__file__).with_name("kinds.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, _, gloss = line.partition(": ")
            found[kind] = gloss
    wanted = {kind: arguments for kind, arguments in ARGUMENTS.items() if not silent(kind)}
    for kind, arguments in wanted.items():
        if any(f"{{{name}}}" not in found.get(kind, "") for name in arguments):
            raise ValueError(f"kinds.txt: expected a line on {kind!r} with {', '.join(f'{{{n}}}' for n in arguments)}")
    return tuple((kind, found[kind]) for kind in wanted)


def described(document: Document) -> dict[str, str]:
    """What a writer is told of a document: its kind, title, writer and day."""
    payload = document.payload
    return {
        "kind": document.type,
        "title": str(payload.get("subject") or payload.get("title") or ""),
        "writer": str(payload.get("from") or payload.get("author") or ""),
        "day": str(payload.get("date") or payload.get("start") or "")[:10],
    }


def in_words(facts: Sequence[Fact]) -> list[str]:
    """Facts in words, but for mentions."""
    return [_line(each) for each in facts if not silent(each.kind)]


def _line(fact: Fact) -> str:
    """A fact in words: the gloss of its kind with its values."""
    given = told(fact)
    if "cause" in given:
        like = templates()[given["cause"]].why[0].format(object=given["object"])
        given["cause"] = f"that is told (such as {like!r})"  # a cause has several wordings, told apart by nobody
    return dict(kinds())[fact.kind].format(**given)


def _told(passages: Iterable[Passage], reply: Retold) -> None:
    wanted = {str(each.place): each for each in passages}
    if reply.paragraphs.keys() != wanted.keys():
        raise ValueError(f"expected the paragraphs {', '.join(wanted)}")
    wrong = [f"paragraph {place}: {problem}" for place, each in wanted.items()
             if (problem := mistold(each, reply.paragraphs[place]))]  # fmt: skip
    if wrong:
        raise ValueError("; ".join(wrong))


def _read(reading: Reading) -> None:
    for each in reading.facts:
        fact_of(each)


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
