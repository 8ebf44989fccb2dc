"""What a check says of a trial."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from harness.core.judgement import Answer

__all__ = ("Criterion", "Opinion", "Score")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Opinion(_Part):
    """What one judge says of a criterion: its votes, None where it could not say, and what they come to.

    `value` is what `answer` is worth, from 0 to 1. Both are None where its votes do not settle it.
    """

    judge: str
    votes: tuple[Answer | None, ...]
    answer: Answer | None
    value: float | None


class Criterion(_Part):
    """One thing that a score is made of. `value` is from 0 to 1; None is *unscored*: no judge was asked or could say.

    `evidence` is what it rests on. `opinions` are those of judges, `about` the key of the query that they were asked
    (`Query.key`), which equal queries of several trials share; `rule` is what a rule says of the same thing, where
    there is one beside judges: it is compared with them.
    """

    name: str
    value: float | None
    weight: float = Field(default=1.0, ge=0)
    evidence: str = ""
    reason: str = ""
    opinions: tuple[Opinion, ...] = ()
    about: str = Field(default="", exclude_if=lambda about: not about)
    rule: float | None = None


class Score(_Part):
    """What a check says of a trial.

    `value` is a number, which means are made of (1.0 and 0.0 for right and wrong, or between), or None for *unscored*:
    void, or a judge that was not asked or could not say. `correct` is what rates are made of; where it is left out, a
    value of 1.0 is correct. `label` is a short class, `reason` one sentence. `criteria` are what a graded value is
    made of. `detail` holds what tables are made of; `outcome` says what it puts there.
    """

    value: float | None
    label: str = ""
    reason: str = ""
    detail: dict[str, Any] = {}
    correct: bool | None = Field(default=None, exclude_if=lambda value: value is None)
    criteria: tuple[Criterion, ...] = Field(default=(), exclude_if=lambda value: not value)

    @property
    def right(self) -> bool | None:
        """Whether it counts as correct; None where it is unscored."""
        if self.value is None:
            return None
        if self.correct is not None:
            return self.correct
        return bool(self.detail.get("correct", self.value == 1.0))  # there in records of before the field
