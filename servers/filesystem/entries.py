"""Files and directories as rows, and how to find them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from servers.filesystem.near import nearest
from servers.filesystem.paths import HOMES, ROOT, TOPS, resolve
from servers.kernel import NotFound, Rejected, State, Table, quoted

__all__ = (
    "FILE_BYTES",
    "Entry",
    "Kind",
    "Listed",
    "NoSuchPath",
    "below",
    "file_at",
    "folder_at",
    "found",
    "no_such",
    "standing",
    "vacant",
)

FILE_BYTES = 4 * 2**20
"""The most that one file holds."""

_CONSIDERED = 1_000
"""Names looked at for one that may have been meant."""

Kind = Literal["file", "directory"]


class Entry(Table, name="entries", noun="file or directory"):
    """A file or a directory; its id is its path. The root has no row, every directory below it has one.

    So has every home below `/home`, which surfaces with accounts show.

    A file holds `text`, or `data` if it is not UTF-8 text. Times of a directory do not follow what is put into it.
    """

    path: str = Field(default_factory=lambda done: done["id"])
    kind: Kind = "file"
    text: str | None = None
    data: bytes | None = None
    created: datetime
    modified: datetime

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        try:
            plain = resolve(self.path, homes=True)
        except Rejected as refusal:
            raise ValueError(str(refusal)) from None
        if self.path != self.id or self.path != plain or plain in TOPS:
            raise ValueError(f"the id and the path of an entry are its path as in '{ROOT}/notes.txt', not {self.id!r}")
        if self.kind == "file" and self.path.rpartition("/")[0] == HOMES:
            raise ValueError(f"{self.path}: {HOMES} holds directories alone, one for each account")
        contents = (self.text is not None) + (self.data is not None)
        if contents != (self.kind == "file"):
            raise ValueError(f"{self.path}: a file has either text or data, a directory neither")
        if self.size > FILE_BYTES:
            raise Rejected(f"{self.path} would hold {self.size:,} bytes; a file holds at most {FILE_BYTES:,}.")
        return self

    @property
    def size(self) -> int:
        """In bytes; 0 of a directory."""
        return len(self.contents)

    @property
    def contents(self) -> bytes:
        """The bytes of a file."""
        return self.data if self.data is not None else (self.text or "").encode()


class Listed(NamedTuple):
    """What a listing needs to know of an entry, without its contents."""

    path: str
    kind: Kind
    size: int

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def marked(self) -> str:
        """Its name, and what it is."""
        return f"[{'FILE' if self.kind == 'file' else 'DIR'}] {self.name}"


class NoSuchPath(NotFound):
    """Nothing lies at that path; the text says how far it leads and what may have been meant."""

    def __init__(self, path: str, hint: str) -> None:
        self.noun, self.id = Entry.noun, path
        Exception.__init__(self, f"There is no {quoted(path)}. {hint}")


def below(state: State, folder: str, *, deep: bool = False, text: str = "") -> list[Listed]:
    """What lies in a directory, or anywhere below it if `deep`, by path; with `text` only files that hold it."""
    start = f"{folder}/"
    where = "starts_with(path, ?)" + ("" if deep else " AND NOT contains(substr(path, ?), '/')")
    size = "coalesce(strlen(text), octet_length(data), 0)"
    parameters: list[Any] = [start] if deep else [start, len(start) + 1]
    if text:
        where, parameters = f"{where} AND contains(lower(text), lower(?))", [*parameters, text]
    rows = state.query(f"SELECT path, kind, {size} FROM entries WHERE {where}", parameters)
    return sorted((Listed(*row) for row in rows), key=lambda entry: entry.path.replace("/", "\0"))


def found(state: State, given: str) -> Entry | None:
    """The entry at a path, None for the root. Raises `NoSuchPath` and `Rejected`."""
    return standing(state, resolve(given), given)


def standing(state: State, path: str, given: str) -> Entry | None:
    """The entry at a resolved path, None for a top directory; `given` is how it was written.

    Raises `NoSuchPath` and `Rejected`.
    """
    if path in TOPS:
        return None
    entry = state.there(Entry, path)
    if entry is None:
        raise no_such(state, path)
    if entry.kind == "file" and given.endswith("/"):
        raise Rejected(f"{quoted(path)} is a file; write its path without '/' at the end.")
    return entry


def file_at(state: State, given: str, path: str = "", *, other: str = "list_directory") -> Entry:
    """The file at a path, `path` once it is resolved; `other` is the tool for a directory.

    Raises `NoSuchPath` and `Rejected`.
    """
    path = path or resolve(given)
    entry = standing(state, path, given)
    if entry is None or entry.kind == "directory":
        raise Rejected(f"{quoted(path)} is a directory, not a file; use `{other}`.")
    return entry


def folder_at(state: State, given: str, path: str = "", *, other: str = "read_text_file") -> str:
    """The path of a directory, as `file_at`; `other` is the tool for a file."""
    path = path or resolve(given)
    entry = standing(state, path, given)
    if entry is not None and entry.kind == "file":
        raise Rejected(f"{quoted(path)} is a file, not a directory; use `{other}`.")
    return path


def vacant(state: State, path: str, *, leaving: str = "") -> None:
    """Check that something new may be put at a path: its directory exists, and no name there is too like it.

    `leaving` is the path of what is on its way there. Raises `NoSuchPath` and `Rejected`.
    """
    parent, _, name = path.rpartition("/")
    if parent not in TOPS:
        folder = state.there(Entry, parent)
        if folder is None:
            raise no_such(state, parent, "`create_directory` makes directories.")
        if folder.kind == "file":
            raise Rejected(f"{quoted(parent)} is a file, so nothing can be put below it.")
    for twin in _names(state, parent):
        if twin.casefold() == name.casefold() and f"{parent}/{twin}" != leaving:
            differs = (
                "" if twin == name else "; names that differ in case alone are refused, as some systems mix them up"
            )
            raise Rejected(f"{quoted(f'{parent}/{twin}')} exists already{differs}.")


def _names(state: State, folder: str) -> list[str]:
    start = f"{folder}/"
    where = "starts_with(path, ?) AND NOT contains(substr(path, ?), '/')"
    rows = state.query(f"SELECT path FROM entries WHERE {where} ORDER BY path", [start, len(start) + 1])
    return [path[len(start) :] for (path,) in rows]


def no_such(state: State, path: str, hint: str = "") -> NoSuchPath:
    """What to say where there is nothing.

    Names the last directory on the way there that exists, and what in it may have been meant.
    """
    parent, _, name = path.rpartition("/")
    while parent not in TOPS and (folder := state.there(Entry, parent)) is None:
        parent, _, name = parent.rpartition("/")
    if parent not in TOPS and folder and folder.kind == "file":
        return NoSuchPath(path, f"{quoted(parent)} is a file, so nothing lies below it.")
    folded = {other.casefold(): other for other in _names(state, parent)[:_CONSIDERED]}
    close = nearest(name.casefold(), folded)
    guess = f" Did you mean {quoted(f'{parent}/{folded[close]}')}?" if close else ""
    return NoSuchPath(path, f"{quoted(parent)} has no {quoted(name)}.{guess}{' ' if hint else ''}{hint}")
