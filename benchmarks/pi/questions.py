"""Questions that strangers asked in a session, by which a person without a model hears others (docs/users.md).

They stand in the session's file or, if there are many, in `ID.questions.jsonl` beside it. A session needs none: then
its person hears by cues alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.core.config import ConfigProblem
from harness.core.lines import numbered
from harness.core.yaml_file import read_text
from harness.suite import SuiteError
from servers.kernel import amiss

__all__ = ("SUFFIX", "Asked", "read", "unknown")

SUFFIX = ".questions.jsonl"


class Asked(BaseModel):
    """A message of somebody who works on the session, and the ids of the intents that it asks for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    message: str = Field(min_length=1)
    asked: tuple[str, ...]


def read(path: Path, intents: Collection[str]) -> tuple[Asked, ...]:
    """The questions in a file, in order; none where there is no file.

    Raises:
        SuiteError: with file and line of each that is not a question about these intents, or for a file that cannot be
            read.
    """
    if not path.exists():
        return ()
    try:
        text = read_text(path)
    except ConfigProblem as problem:
        raise SuiteError(str(problem)) from None
    found: list[Asked] = []
    problems: list[str] = []
    for number, line in numbered(text):
        try:
            asked = Asked.model_validate_json(line)
        except ValidationError as error:
            problems.append(f"{path}:{number}: {amiss(error)}")
        else:
            found.append(asked)
            problems += [f"{path}:{number}: {problem}" for problem in unknown(asked, intents)]
    if problems:
        raise SuiteError("\n".join(problems))
    return tuple(found)


def unknown(asked: Asked, intents: Collection[str]) -> Iterator[str]:
    """What is wrong with the ids of a question, in words."""
    for id in asked.asked:
        if id not in intents:
            yield f"unknown-intent: there is no intent {id!r}; there is {', '.join(intents)}"
