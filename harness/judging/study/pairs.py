"""What is to be judged once more: drawn from runs by score and agent, and put on forms that tell nothing of either."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from harness.core.judgement import Query
from harness.judging.form import COLUMNS
from harness.judging.forms import CANNOT_TELL, FormError, chosen, read_rows, write_rows
from harness.record.files import write_whole
from servers.kernel import amiss, canonical

__all__ = ("COLUMNS", "FILE", "Answers", "Pair", "Study", "drawn", "kept", "read_answers", "write_forms")

FILE = "study.json"
"""Within a study's folder: what people do not get to see."""

_NAME = re.compile(r"[\w-][\w.-]*")

Answers = dict[tuple[str, str], str]
"""By id of a pair and of a query, what somebody said."""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Pair(_Data):
    """An answer, or another part of a trial, with what is asked about it.

    `part` says which, where a trial has several. `weight`: how many of its stratum it stands for. `known` is what the
    run itself says, by id of a query.
    """

    id: str = ""
    run: str
    agent: str
    condition: str
    task: str
    trial: int
    part: str = ""
    score: str = ""
    weight: float = 1.0
    queries: tuple[Query, ...]
    known: dict[str, str] = {}

    @property
    def stratum(self) -> tuple[str, str]:
        return self.agent, self.score


class Study(_Data):
    """What was drawn, in an order that tells nothing, and who judges it: people, or models that are asked elsewhere."""

    seed: int
    people: tuple[str, ...]
    pairs: tuple[Pair, ...]


def drawn(pairs: Sequence[Pair], count: int, seed: int) -> list[Pair]:
    """So many pairs, as evenly from all strata of score and agent as these allow; all of them if there are no more."""
    strata: defaultdict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in sorted(pairs, key=lambda pair: _place(seed, "draw", pair)):
        strata[pair.stratum].append(pair)
    taken: Counter[tuple[str, str]] = Counter()
    while (left := count - taken.total()) > 0 and (
        open_ := [each for each in sorted(strata) if taken[each] < len(strata[each])]
    ):
        taken.update(open_[:left])
    some = [
        pair.model_copy(update={"weight": len(strata[each]) / taken[each]})
        for each in strata
        for pair in strata[each][: taken[each]]
    ]
    some.sort(key=lambda pair: _place(seed, "order", pair))
    return [pair.model_copy(update={"id": f"p{number:03d}"}) for number, pair in enumerate(some, 1)]


def _place(seed: int, what: str, pair: Pair) -> str:
    """Where an answer stands in a draw, whatever other answers there are."""
    of = [seed, what, pair.run, pair.agent, pair.condition, pair.task, pair.trial]
    of += [pair.part] if pair.part else []
    return hashlib.sha256(canonical(of)).hexdigest()


def write_forms(folder: Path, study: Study) -> list[Path]:
    """A form for each person, in an order of their own, and what they do not see beside. Raises `FormError`."""
    if unfit := [name for name in study.people if not _NAME.fullmatch(name)]:
        raise FormError(
            f"{unfit[0]!r:.60} is no name for a form: letters, digits, '.', '-' and '_', with no '.' at first"
        )
    if len({name.casefold() for name in study.people}) < len(study.people):
        raise FormError(f"two forms would have one name: {', '.join(study.people)}")
    there, paths = folder / FILE, [folder / f"{person}.csv" for person in study.people]
    for path in (there, *paths):  # before any is written
        if path.exists():
            raise FormError(f"{path} already exists, and somebody may have filled it in: name another folder")
    for path, person in zip(paths, study.people, strict=True):
        ordered = sorted(study.pairs, key=lambda pair: _place(study.seed, f"form {person}", pair))
        write_rows(path, COLUMNS, [_row(pair, query) for pair in ordered for query in pair.queries])
    write_whole(there, study.model_dump_json(indent=1))
    return paths


def kept(folder: Path) -> Study:
    """The study in a folder. Raises `FormError`."""
    try:
        return Study.model_validate_json((folder / FILE).read_text(encoding="utf-8"))
    except OSError:
        raise FormError(f"{folder / FILE} is not there: this is not a folder of a study") from None
    except ValidationError as error:
        raise FormError(f"{folder / FILE}: {amiss(error)}") from None


def read_answers(path: Path, study: Study) -> Answers:
    """What a person put down; rows left open, or of which they cannot tell, are not in it. Raises `FormError`."""
    queries = {_key(pair, query): (pair, query) for pair in study.pairs for query in pair.queries}
    found: Answers = {}
    seen: dict[str, str] = {}
    for where, row in read_rows(path, COLUMNS):
        if row["key"] not in queries:
            raise FormError(f"{where}: {row['key']!r:.60} is not a key of this study: keep those of the form")
        if row["key"] in seen:
            raise FormError(f"{where}: {row['key']} was answered at {seen[row['key']]} already")
        seen[row["key"]] = where
        pair, query = queries[row["key"]]
        if row["answer"]:
            said = chosen(where, "answer", row["answer"], [*map(str, query.answers), CANNOT_TELL])
            if said != CANNOT_TELL:
                found[pair.id, query.id] = said
    return found


def _key(pair: Pair, query: Query) -> str:
    return f"{pair.id}.{query.id}"


def _row(pair: Pair, query: Query) -> dict[str, str]:
    answers = ", ".join([*map(str, query.answers), CANNOT_TELL])
    cells = (_key(pair, query), query.text, query.evidence, answers, "", "")
    return dict(zip(COLUMNS, cells, strict=True))
