"""The level `rewrite` without a model's interface: forms that people fill, or models elsewhere.

    python -m benchmarks.probe.pipeline.by_hand write 17 paragraphs.json --parts 4
    python -m benchmarks.probe.pipeline.by_hand read paragraphs-1.json reading-1.json
    python -m benchmarks.probe.pipeline.by_hand check paragraphs-*.json --read reading-*.json --store

`write` gives the paragraphs of a sample that state something, with their facts; whoever fills it puts the new text
into each `new`. `read` makes of it a form for somebody else, who sees the documents as they are then, one at a time,
and none of the facts. `check` says by document what does not agree, and keeps the sample once everything does.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from benchmarks.probe import naming, worlds
from benchmarks.probe.grammar.generate import NUMBER, difficulty_of
from benchmarks.probe.pipeline import stored
from benchmarks.probe.pipeline.grounds import Grounds, digest, fact_of, grounds, replaced
from benchmarks.probe.pipeline.rewriting import (
    Reading,
    Told,
    assembled,
    described,
    in_words,
    kinds,
    misread,
    mistold,
    shown,
)  # fmt: skip
from benchmarks.probe.pipeline.work import Dropped, PipelineError, written
from benchmarks.probe.records import Sample
from harness.suite import SuiteError
from servers.kernel import first_amiss

__all__ = ("checked", "main", "reading_form", "writing_form")

_WRITING = (
    "Write each paragraph anew into `new`, as a colleague would who tells the same things in passing, so that nobody "
    "could point at a sentence and say that it is of another make than its neighbours.",
    "Every fact of a paragraph stays in it and stays stated, none is added and none is taken back.",
    "Keep what `keep` lists, letter by letter, and use no other names for the same things. Where `alike` has two "
    "names, it has to stay plain that they mean one thing.",
    "A day stays the same day, however it is written; `spring fair+3` is the third working day after the spring fair, "
    "and a day told by an event, or a person by their office, stays told so.",
    "One paragraph stays one, without blank lines, of about its length.",
)
_READING = (
    "Read each document by itself, knowing nothing of the others, and list in `facts` each fact of these kinds that it "
    "states as its own news, as often as it is told, in the order of the text: {'kind': 'needs', 'task': '...', "
    "'input': '...'}. Only facts about the things in its `names` are wanted, about any desk, and about persons who "
    "cannot go on or are stood in for; other work is none of your concern.",
    "Give things, desks and persons as the document names them; where it has a name and a code of one thing, the code.",
    "What was owed in an earlier year is `due` with its day; that it was done then is no `settled`.",
    "Days are YYYY-MM-DD; one without a year is the one nearest to `now`. A `cause` is one of the ids in `causes`.",
    "A day told by an event is that event and a number of working days, `spring fair+3` or, of its own day, `spring "
    "fair+0`; a person told by an office is that office, `northern provost`, both without article.",
    "`same` has pairs of names that the document says mean one thing: ['PS-2041', 'Harbour survey'].",
)


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    base: str
    digest: str


class _Paragraph(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    new: str


class _Page(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    paragraphs: dict[int, _Paragraph]


class _Writing(_Form):
    documents: dict[str, _Page]


class _ReadPage(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    facts: tuple[dict[str, str], ...]
    same: tuple[tuple[str, ...], ...] = ()


class _Readings(_Form):
    documents: dict[str, _ReadPage]


F = TypeVar("F", bound=_Form)


def writing_form(base: Sample, ids: Iterable[str] | None = None) -> dict[str, Any]:
    """What whoever rewrites the sample gets, of all documents or of these."""
    ground = grounds(base)
    wanted = set(ground.passages if ids is None else ids)
    return {
        "base": base.id,
        "digest": digest(base),
        "rules": _WRITING,
        "documents": {
            each.id: {
                **described(each),
                "paragraphs": {
                    passage.place: {
                        "text": passage.text,
                        "facts": in_words(passage.shown),
                        "keep": passage.keep,
                        "alike": passage.alike,
                        "new": "",
                    }
                    for passage in ground.passages[each.id]
                },
            }
            for each in base.documents
            if each.id in wanted and ground.passages[each.id]
        },
    }


def reading_form(base: Sample, filled: Mapping[str, Any]) -> dict[str, Any]:
    """What whoever reads a filled form gets: its documents as they are then, and the kinds of facts.

    Raises:
        PipelineError: the form is not of this sample, or not filled.
    """
    writing = _form(filled, _Writing, base)
    ground = grounds(base)
    told = _told(ground, writing)
    texts = {each.id: shown(replaced(each, told[each.id])) for each in base.documents if each.id in told}
    return {
        "base": base.id,
        "digest": digest(base),
        "now": base.now,
        "rules": _READING,
        "kinds": dict(kinds()),
        "causes": dict(kinds(causes=True)),
        "documents": {
            id: {"text": text, "names": ground.named(text), "facts": [], "same": []} for id, text in texts.items()
        },
    }


def checked(base: Sample, filled: Sequence[Mapping[str, Any]], read: Sequence[Mapping[str, Any]]) -> dict[str, Told]:
    """What was told anew, once all documents were written and understood.

    Raises:
        PipelineError: what is missing, or was misread, document by document, a line each; or a proof that fails.
    """
    ground = grounds(base)
    paragraphs = {id: each for form in filled for id, each in _told(ground, _form(form, _Writing, base)).items()}
    readings = {id: each for form in read for id, each in _form(form, _Readings, base).documents.items()}
    wrong: list[str] = []
    found: dict[str, Told] = {}
    for id in (id for id, passages in ground.passages.items() if passages):
        if id not in paragraphs or id not in readings:
            wrong.append(f"{id}: not {'written' if id not in paragraphs else 'read'} yet")
            continue
        try:
            reading = Reading(facts=readings[id].facts, same=readings[id].same)
            for each in reading.facts:
                fact_of(each)
        except ValueError as error:
            wrong.append(f"{id}: {error}")
            continue
        facts, differences = misread(ground, id, reading)
        wrong += [f"{id}: {each}" for each in differences]
        found[id] = Told(paragraphs[id], facts)
    if wrong:
        raise PipelineError("\n".join(wrong))
    try:
        assembled(base, found)
    except Dropped as error:
        raise PipelineError(str(error)) from None
    return found


def _told(ground: Grounds, writing: _Writing) -> dict[str, dict[int, str]]:
    """New paragraphs by document and place. Raises `PipelineError` with all that is wrong with them."""
    wrong: list[str] = []
    for id, page in writing.documents.items():
        passages = {each.place: each for each in ground.passages.get(id, ())}
        if passages.keys() != page.paragraphs.keys():
            wrong.append(f"{id}: expected the paragraphs {', '.join(map(str, passages)) or 'of no such document'}")
            continue
        problems = ((place, mistold(passages[place], each.new)) for place, each in page.paragraphs.items())
        wrong += [f"{id}, paragraph {place}: {problem}" for place, problem in problems if problem]
    if wrong:
        raise PipelineError("\n".join(wrong))
    return {id: {place: each.new.strip() for place, each in page.paragraphs.items()}
            for id, page in writing.documents.items()}  # fmt: skip


def _form(data: Mapping[str, Any], kind: type[F], base: Sample) -> F:
    try:
        form = kind.model_validate(data)
    except ValidationError as error:
        raise PipelineError(first_amiss(error)) from None
    if (form.base, form.digest) != (base.id, digest(base)):
        raise PipelineError(f"the form is of {form.base} ({form.digest}), not of {base.id} ({digest(base)})")
    return form


def _parts(items: Sequence[str], count: int) -> Iterator[Sequence[str]]:
    size = -(-len(items) // count)
    yield from (items[at : at + size] for at in range(0, len(items), size))


def _opened(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PipelineError(f"{path}: {error}") from None
    if not isinstance(found, dict) or not isinstance(found.get("base"), str):
        raise PipelineError(f"{path}: it is no form, which has a field `base`")
    return found


def _write(options: argparse.Namespace) -> None:
    if not 0 <= options.number < NUMBER:
        raise PipelineError(f"samples have numbers 0 to {NUMBER - 1}, not {options.number}")
    base = worlds.sample(naming.named(options.seed, options.number, difficulty_of(options.number)))
    out: Path = options.out
    parts = [*_parts([each.id for each in base.documents], options.parts)]
    for place, ids in enumerate(parts, 1):
        path = out if len(parts) == 1 else out.with_name(f"{out.stem}-{place}{out.suffix}")
        written(path, writing_form(base, ids))
        sys.stdout.write(f"{path}\n")


def _read(options: argparse.Namespace) -> None:
    filled = _opened(options.file)
    written(options.out, reading_form(worlds.sample(filled["base"]), filled))
    sys.stdout.write(f"{options.out}\n")


def _check(options: argparse.Namespace) -> None:
    filled, read = ([_opened(path) for path in paths] for paths in (options.file, options.read))
    base = worlds.sample(filled[0]["base"])
    told = checked(base, filled, read)
    sys.stdout.write(f"{base.id}: {len(told)} documents say what they said\n")
    if options.store is not None:
        sys.stdout.write(f"{stored.store(base, told, options.store, by=options.by)}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 1 where something has to be mended, which is said on standard error."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.probe.pipeline.by_hand", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    verbs = parser.add_subparsers(required=True)
    write = verbs.add_parser("write", help="the paragraphs of a sample, to be written anew")
    write.add_argument("number", type=int)
    write.add_argument("out", type=Path)
    write.add_argument("--seed", type=int, default=1)
    write.add_argument("--parts", type=int, default=1, help="so many files, for people side by side")
    write.set_defaults(work=_write)
    read = verbs.add_parser("read", help="a filled form's documents, for a reader")
    read.add_argument("file", type=Path)
    read.add_argument("out", type=Path)
    read.set_defaults(work=_read)
    check = verbs.add_parser("check", help="does everything say what it said?")
    check.add_argument("file", type=Path, nargs="+")
    check.add_argument("--read", type=Path, nargs="+", required=True)
    check.add_argument("--store", type=Path, nargs="?", const=stored.FOLDER, help="keep it, by default here")
    check.add_argument("--by", default="", help="who wrote it")
    check.set_defaults(work=_check)
    options = parser.parse_args(arguments)
    try:
        options.work(options)
    except (PipelineError, SuiteError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
