"""Answers to be judged by people: drawn from runs by score and agent, and put on forms that tell nothing of either."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from benchmarks.probe.study.forms import CANNOT_TELL, FormError, chosen, read_rows, write_rows
from harness.record.store import Run, TrialRecord, write_whole
from harness.score import Query
from harness.suite import Suite
from servers.kernel import amiss, canonical

__all__ = ("COLUMNS", "FILE", "Answers", "Pair", "Study", "candidates", "drawn", "kept", "read_answers", "write_forms")

COLUMNS = ("key", "question", "evidence", "answers", "answer", "reason")
FILE = "study.json"
"""Within a study's folder: what people do not get to see."""

Answers = dict[tuple[str, str], str]
"""By id of a pair and detail, what somebody said."""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Pair(_Data):
    """An answer with what judges are asked about it. `weight`: how many answers of its stratum it stands for."""

    id: str = ""
    run: str
    agent: str
    condition: str
    task: str
    trial: int
    score: str
    weight: float = 1.0
    queries: tuple[Query, ...]

    @property
    def stratum(self) -> tuple[str, str]:
        return self.agent, self.score


class Study(_Data):
    """What was drawn, in an order that tells nothing, and who judges it."""

    seed: int
    people: tuple[str, ...]
    pairs: tuple[Pair, ...]


def candidates(run: Run, suite: Suite, records: Iterable[TrialRecord]) -> list[Pair]:
    """All answers of a run of which judges are asked anything, by the score that they have now for identification."""
    found = []
    for record in records:
        t = record.trajectory
        if queries := tuple(suite.queries(suite.task(t.task), t)):
            value = record.scores["identification"].value if "identification" in record.scores else None
            score = "unscored" if value is None else f"{value:g}"
            found.append(
                Pair(
                    run=str(run.folder), agent=t.agent, condition=t.condition, task=t.task, trial=t.trial, score=score,
                    queries=queries,
                )
            )  # fmt: skip
    return found


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
    return hashlib.sha256(canonical(of)).hexdigest()


def write_forms(folder: Path, study: Study) -> list[Path]:
    """A form for each person, in an order of their own, and what they do not see beside. Raises `FormError`."""
    paths = [folder / f"{person}.csv" for person in study.people]
    if (there := folder / FILE).exists():
        raise FormError(f"{there} already exists: name another folder")
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
                found[pair.id, query.name] = said
    return found


def _key(pair: Pair, query: Query) -> str:
    return f"{pair.id}.{query.id}"


def _row(pair: Pair, query: Query) -> dict[str, str]:
    answers = ", ".join([*map(str, query.answers), CANNOT_TELL])
    cells = (_key(pair, query), query.text, query.evidence, answers, "", "")
    return dict(zip(COLUMNS, cells, strict=True))
