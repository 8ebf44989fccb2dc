"""Questions that strangers asked in a session, with the intents that each asks for: `ID.questions.jsonl` beside `ID.yaml`.

A person without a model hears by them (docs/users.md). A session needs none; cues alone hear it then.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.suite import SuiteError

__all__ = ("SUFFIX", "Asked", "read")

SUFFIX = ".questions.jsonl"


class Asked(BaseModel):
    """A message of somebody who works on the session, and the ids of the intents that it asks for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    message: str = Field(min_length=1)
    asked: frozenset[str]


def read(path: Path, intents: Collection[str]) -> tuple[Asked, ...]:
    """The questions in a file, in order; none where there is no file.

    Raises:
        SuiteError: with file and line of each that is not a question about these intents.
    """
    if not path.exists():
        return ()
    found: list[Asked] = []
    problems: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            asked = Asked.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            problems.append(f"{path}:{number}: {where + ': ' if where else ''}{first['msg']}")
            continue
        for id in sorted(asked.asked.difference(intents)):
            problems.append(f"{path}:{number}: unknown-intent: there is no intent {id!r}; there is {', '.join(intents)}")
        found.append(asked)
    if problems:
        raise SuiteError("\n".join(problems))
    return tuple(found)
