"""The published rows: one JSON object a line, as in `data/dbbench/standard.jsonl` of AgentBench (Apache-2.0).

The file is not part of the package. Fields that are not named here are ignored.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator, model_validator

from servers.kernel import amiss
from servers.sql.allowed import Refused
from servers.sql.bounds import plain

__all__ = ("MUTATIONS", "PUBLISHED_SHA256", "Broken", "Kind", "Published", "PublishedError", "Row", "read")

PUBLISHED_SHA256: Final = "cf8dec6fb8051f46e6171136824aaa8b8707c3affbb3185c0bad2b39bc6b71e2"
"""Digest of `standard.jsonl` at revision 578c5e9f706fc2dd96188ca6c8cf9095ca0c6528 of THUDM/AgentBench."""

Kind: TypeAlias = Literal["read", "insert", "update", "delete"]

MUTATIONS: Final = frozenset({"INSERT", "UPDATE", "DELETE"})
"""Types of rows that are judged by the table that is left; all other types ask for an answer."""

_MD5: Final = re.compile(r"[0-9a-f]{32}")


class PublishedError(ValueError):
    """A file that cannot be read at all; the text says why."""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Column(_Data):
    name: str


class _Info(_Data):
    columns: tuple[_Column, ...] = Field(min_length=1)
    rows: tuple[tuple[JsonValue, ...], ...]


class _Table(_Data):
    table_name: str
    table_info: _Info


class _Sql(_Data):
    query: str = ""


class Row(_Data):
    """One published task.

    `label` is the gold answer of a question (its values), or the reference statement of a change, in MySQL's dialect.
    `answer_md5` is the published hash of the table after a change ("" where there is none). `sql.query` of a question
    is a hint: a statement of the publishers' that need not give the label.
    """

    description: str
    add_description: str = ""
    table: _Table
    type: tuple[str, ...] = Field(min_length=1)
    label: tuple[str, ...] = Field(min_length=1)
    answer_md5: str = ""
    sql: _Sql = _Sql()

    @field_validator("label", mode="before")
    @classmethod
    def _texts(cls, value: Any) -> Any:
        return [each if isinstance(each, str) else str(each) for each in value] if isinstance(value, list) else value

    @field_validator("answer_md5")
    @classmethod
    def _hash(cls, value: str) -> str:
        """The hash alone; published are results of MySQL's client: [('b4f1...',)]."""
        found = _MD5.findall(value)
        if value and len(found) != 1:
            raise ValueError(f"should hold one MD5 in hexadecimal digits, such as [('0123...',)]; it is {value[:60]!r}")
        return found[0] if found else ""

    @model_validator(mode="after")
    def _fits(self) -> Row:
        """Whether the app `sql` has room for the table, and the row has what its type needs."""
        names = [each.casefold() for each in self.columns]
        if twice := next((each for each in names if names.count(each) > 1), ""):
            raise ValueError(f"table.table_info.columns: {twice!r} stands twice, and case makes no difference in names")
        try:
            plain(self.relation, [(each, "VARCHAR") for each in self.columns])
        except Refused as refused:
            raise ValueError(f"table: {refused}") from None
        for number, cells in enumerate(self.table.table_info.rows):
            if len(cells) != len(names):
                raise ValueError(f"table.table_info.rows[{number}] has {len(cells)} cells for {len(names)} columns")
        if self.kind != "read" and len(self.label) != 1:
            raise ValueError(f"label: should be one statement, since type is {self.type[0]}; it has {len(self.label)}")
        return self

    @property
    def kind(self) -> Kind:
        """By the first of its types: what is to be done with the table."""
        kinds: dict[str, Kind] = {"INSERT": "insert", "UPDATE": "update", "DELETE": "delete"}
        return kinds.get(self.type[0], "read")

    @property
    def relation(self) -> str:
        """The name of its table."""
        return self.table.table_name

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, all of type TEXT whatever is published of them."""
        return tuple(each.name for each in self.table.table_info.columns)

    @cached_property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """The rows of the table; every cell is a text, a missing one too (AgentBench inserts `str(cell)`)."""
        return tuple(tuple(map(str, cells)) for cells in self.table.table_info.rows)


class Broken(NamedTuple):
    """A line that cannot be used: file, number of the line from 1, and what would be right."""

    file: Path
    line: int
    why: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.why}"


class Published(NamedTuple):
    """What a file holds. Rows keep their number, from 0, by which they are called: that of their line less one."""

    rows: dict[int, Row]
    broken: Sequence[Broken]
    sha256: str

    @property
    def official(self) -> bool:
        """Whether it is the published file, to the byte."""
        return self.sha256 == PUBLISHED_SHA256


def read(path: Path) -> Published:
    """The rows of a file. Raises `PublishedError` where it cannot be read, or nothing in it can."""
    try:
        content = path.read_bytes()
        lines = content.decode().split("\n")
    except OSError as error:
        raise PublishedError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise PublishedError(f"{path}: is not text in UTF-8 (byte {error.start}): is it standard.jsonl?") from None
    rows: dict[int, Row] = {}
    broken: list[Broken] = []
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            rows[number] = Row.model_validate(json.loads(line))
        except json.JSONDecodeError as error:
            broken.append(Broken(path, number + 1, f"is not one JSON object: {error.msg} at column {error.colno}"))
        except ValidationError as error:
            broken.append(Broken(path, number + 1, amiss(error)))
    if not rows:
        first = f"; the first: {broken[0]}" if broken else ""
        raise PublishedError(f"{path}: holds no row of DBBench, one JSON object a line{first}")
    return Published(rows, broken, hashlib.sha256(content).hexdigest())
