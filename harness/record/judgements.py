"""What judges said of a run's trials: `judgements/*.json`, a file for each verdict, and trials stay as they are.

A file is named after what was asked of whom: the judge's settings, its prompt, the query with its evidence, and the
number of the vote. Equal queries of two trials therefore share it, and one whose evidence has changed has none.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from harness.core.judgement import Answer, Query, Verdict
from harness.core.secrets import scrub
from harness.core.suite import Suite
from harness.core.trajectory import Usage
from harness.record.files import RunError, read_whole, write_whole
from harness.record.scores import scores
from harness.record.store import Run, TrialRecord
from servers.kernel import canonical, first_amiss

__all__ = ("FOLDER", "Judgement", "by_query", "judged", "judgements", "keep")

FOLDER = "judgements"
"""Within a run's folder."""


class Judgement(BaseModel):
    """One verdict on file.

    `judge` has `model` and the settings that its answers depend on, or `person`. `prompt` is the digest of what the
    judge was told beside the query, `about` the key of the query (`Query.key`), which `query` shows without secrets.
    `calls` are the requests to the model, whole (`harness.models.strict.StrictCall`); `problem` says why there is no
    answer where the model did not give one that can be read.
    """

    model_config = ConfigDict(extra="forbid")

    version: Literal[1] = 1
    judge: dict[str, Any]
    prompt: str
    about: str
    vote: int
    query: Query
    answer: Answer | None
    reason: str = ""
    problem: str = ""
    calls: list[dict[str, Any]] = []
    usage: Usage = Usage()

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.answer is not None and self.answer not in self.query.answers:
            raise ValueError(f"{self.answer!r} is not an answer to this query; it takes {self.query.answers}")
        return self

    @property
    def file(self) -> str:
        return file_of(self.judge, self.prompt, self.about, self.vote)

    @property
    def name(self) -> str:
        """Of the judge; others may have the same."""
        return str(self.judge.get("model") or self.judge.get("person"))


def file_of(judge: Mapping[str, Any], prompt: str, about: str, vote: int) -> str:
    """The name of the file that holds this vote."""
    return f"{hashlib.sha256(canonical([judge, prompt, about, vote])).hexdigest()[:40]}.json"


def keep(folder: Path, judgement: Judgement, *, also: tuple[str, ...] = ()) -> None:
    """Write a verdict of the run in a folder, whole, so that it is not asked for again. Raises `RunError`.

    `also` are secrets beside those of the environment.
    """
    shown = Judgement.model_validate(scrub(judgement.model_dump(mode="json"), also=also))
    write_whole(folder / FOLDER / judgement.file, shown.model_dump_json(), lasting=True)


def judgements(folder: Path) -> list[Judgement]:
    """All verdicts of the run in a folder. Raises `RunError` naming a file that is none."""
    return [_read(path) for path in sorted((folder / FOLDER).glob("*.json"))]


def judged(run: Run, suite: Suite, records: Iterable[TrialRecord]) -> list[TrialRecord]:
    """The records, each of which judges said something scored again with it; none is written.

    `suite` is the one that the run was played on. Raises `RunError` and `SuiteError`.
    """
    records = list(records)
    if suite.questions is None or not (found := judgements(run.folder)):
        return records
    said = by_query(found)
    return [_judged(record, suite, said) for record in records]


def _judged(record: TrialRecord, suite: Suite, said: Mapping[str, Sequence[Verdict]]) -> TrialRecord:
    task, trajectory = suite.task(record.trajectory.task), record.trajectory
    queries = suite.queries(task, trajectory, compared=True)
    verdicts = {query.id: said[query.key] for query in queries if query.key in said}
    if not verdicts:
        return record
    return TrialRecord.model_construct(trajectory=trajectory, scores=scores(suite.checks, task, trajectory, verdicts))


def by_query(found: Sequence[Judgement]) -> dict[str, list[Verdict]]:
    """Verdicts by the key of their query, ordered by judge and vote."""
    names = _names(found)
    verdicts: defaultdict[str, list[Verdict]] = defaultdict(list)
    for each in found:
        one = Verdict(judge=names[_who(each)], vote=each.vote, answer=each.answer, reason=each.reason or each.problem)
        verdicts[each.about].append(one)
    return {
        about: sorted(votes, key=lambda verdict: (verdict.judge, verdict.vote)) for about, votes in verdicts.items()
    }


def _names(found: Iterable[Judgement]) -> dict[bytes, str]:
    """A name for each judge; those of one name are told apart by what they are."""
    judges = {_who(each): each.name for each in found}
    names = list(judges.values())
    return {
        who: name if names.count(name) == 1 else f"{name} ({hashlib.sha256(who).hexdigest()[:6]})"
        for who, name in judges.items()
    }


def _who(judgement: Judgement) -> bytes:
    return canonical([judgement.judge, judgement.prompt])


def _read(path: Path) -> Judgement:
    try:
        found = Judgement.model_validate_json(read_whole(path))
    except (ValidationError, UnicodeDecodeError) as error:
        first = first_amiss(error) if isinstance(error, ValidationError) else str(error)
        raise RunError(f"{path} is not a verdict: {first}. Remove it, and it is asked for again") from None
    if path.name != found.file:
        remedy = "remove it, since a vote counts once" if path.with_name(found.file).exists() else "give it that name"
        raise RunError(f"{path} holds the verdict whose file is {found.file}: {remedy}")
    return found
