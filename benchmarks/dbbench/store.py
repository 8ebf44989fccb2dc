"""What an import leaves: one file of JSON lines, a head and then a line for each row with what is known of it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import platformdirs
from pydantic import BaseModel, ConfigDict, ValidationError

from benchmarks.dbbench.published import Row
from benchmarks.dbbench.truth import Truth
from harness.core.lines import numbered
from harness.core.writing import replace
from harness.suite import SuiteError
from servers.kernel import amiss

__all__ = ("Head", "Imported", "Known", "home", "read", "write")


class Head(BaseModel):
    """The first line: which file it was, and whether that is the published one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    sha256: str
    official: bool


class Known(BaseModel):
    """A row, by its number from 0, the digest of its world, and what is known of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    world: str
    row: Row
    truth: Truth


class Imported(NamedTuple):
    """An import, with its rows by number."""

    head: Head
    rows: Mapping[int, Known]


def home() -> Path:
    """Where the import lies: in `HARNESS_DATA` if set, else in the platform's folder for user data."""
    given = os.environ.get("HARNESS_DATA")
    return (Path(given) if given else platformdirs.user_data_path("workplace-harness")) / "dbbench.jsonl"


def write(imported: Imported) -> Path:
    """Put the file in its place, whole, and give its path."""
    path = home()
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [imported.head.model_dump(), *(each.model_dump(mode="json") for each in imported.rows.values())]
    replace(path, "".join(f"{json.dumps(line)}\n" for line in lines), newline="\n")
    return path


def read() -> Imported:
    """The import. Raises `SuiteError` where there is none, or it is not as it was left; both say how to get one."""
    path = home()
    again = "run `harness import dbbench FILE`, FILE being AgentBench's data/dbbench/standard.jsonl"
    try:
        first, *lines = (line for _, line in numbered(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise SuiteError(f"dbbench is not imported (looked for {path}); {again}") from None
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise SuiteError(f"{path} cannot be read: {error}; {again}") from None
    try:
        head = Head.model_validate_json(first)
        rows = [Known.model_validate_json(line) for line in lines]
    except ValidationError as error:
        raise SuiteError(f"{path} is not as it was left: {amiss(error)}; {again}") from None
    return Imported(head, {each.number: each for each in rows})
