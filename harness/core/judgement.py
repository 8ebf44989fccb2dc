"""What a judge is asked about a trial, and what it said."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from servers.kernel import canonical

__all__ = ("NO_VERDICTS", "Answer", "Query", "Verdict", "Verdicts")

Answer = int | str
"""`yes` or `no`, a point of a scale, or a label."""

MOST_POINTS = 100
"""Of a scale; nobody tells more apart."""


class Query(BaseModel):
    """One question to a judge about a trial.

    `text` is the question, `evidence` all that may be considered in answering it. `id` is unique within the trial,
    `criterion` names what the answer counts for (by default the id). `kind` says what may be answered: `yes_no`;
    `scale`, a whole number from `low` to `high`; `label`, one of `labels`, each with what it is worth, from 0 to 1.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    text: str
    evidence: str = ""
    criterion: str = ""
    kind: Literal["yes_no", "scale", "label"] = "yes_no"
    low: int = 1
    high: int = 5
    labels: dict[str, float] = {}

    @model_validator(mode="after")
    def _answerable(self) -> Self:
        if self.kind == "scale" and not 0 < self.high - self.low < MOST_POINTS:
            raise ValueError(
                f"query {self.id!r}: a scale goes from `low` up to `high`, in at most {MOST_POINTS} points"
            )
        if self.kind == "label" and len(self.labels) < 2:
            raise ValueError(f"query {self.id!r}: a choice takes two labels or more")
        if any(not 0 <= worth <= 1 for worth in self.labels.values()):
            raise ValueError(f"query {self.id!r}: what a label is worth lies between 0 and 1")
        return self

    @property
    def name(self) -> str:
        """The criterion that it belongs to."""
        return self.criterion or self.id

    @property
    def answers(self) -> tuple[Answer, ...]:
        """All that may be answered."""
        match self.kind:
            case "yes_no":
                return ("yes", "no")
            case "scale":
                return tuple(range(self.low, self.high + 1))
            case "label":
                return tuple(self.labels)

    def worth(self, answer: Answer) -> float:
        """What one of `answers` is worth, from 0 to 1."""
        if self.kind == "yes_no":
            return float(answer == "yes")
        if self.kind == "scale":
            return (int(answer) - self.low) / (self.high - self.low)
        return self.labels[str(answer)]

    @property
    def key(self) -> str:
        """SHA-256 of what a judge gets to know: equal queries of several trials share their verdicts."""
        return hashlib.sha256(canonical([self.kind, list(self.answers), self.text, self.evidence])).hexdigest()


class Verdict(BaseModel):
    """What a judge answered to a query, once. `answer` is None where it could not say, or could not be read.

    `judge` is a model or a person, told apart from others by name; `vote` counts its answers to the query from 0.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    judge: str
    vote: int = 0
    answer: Answer | None
    reason: str = ""


Verdicts = Mapping[str, Sequence[Verdict]]
"""The id of a trial's query -> what judges said, ordered by judge and vote; nothing where no judge was asked."""

NO_VERDICTS: Final[Verdicts] = MappingProxyType({})
"""Of a trial that no judge has seen."""
