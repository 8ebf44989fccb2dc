"""The surface of the MCP reference server, for models at work."""

from __future__ import annotations

import base64
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from servers.filesystem.edits import Edit, edited, unified
from servers.filesystem.entries import Entry, Kind, below, file_at, folder_at, found, vacant
from servers.filesystem.globs import Glob, Hidden
from servers.filesystem.media import media_type
from servers.filesystem.paths import ROOT, parts_below, resolve
from servers.filesystem.shown import MEDIA_BYTES, TEXT_CHARACTERS, Directory, excerpt, listing, tree
from servers.filesystem.tables import app
from servers.filesystem.writing import made, moved
from servers.kernel import Failure, Rejected, State, quoted

__all__ = ("default",)

default = app.toolset(
    "default",
    f"Files of {{owner}} ({{address}}). Everything is in {ROOT}; a path is absolute or relative to it, and case "
    "matters. Begin with `list_directory` or `search_files`.",
    structured=False,
)

FilePath = Annotated[str, Field(description="Path of a file, such as notes.txt or /workspace/docs/plan.md.")]
FolderPath = Annotated[str, Field(description="Path of a directory; '.' is the top.")]
Left = Annotated[
    tuple[str, ...],
    Field(
        max_length=100,
        description="What to leave out, with everything below it: a name or pattern at any depth, "
        "such as *.log, or a pattern for a whole path, such as docs/*/old.",
    ),
]


class Media(BaseModel):
    """A file whole: `data` is base64, `size` in bytes."""

    path: str
    mimeType: str
    size: int
    data: str


class Reading(BaseModel):
    """One of several files: its text, or why there is none."""

    path: str
    content: str | None = None
    error: str | None = None


class Info(BaseModel):
    """What is known of a file or directory. `size` in bytes; the top directory has no times."""

    path: str
    type: Kind
    isFile: bool
    isDirectory: bool
    size: int
    created: datetime | None
    modified: datetime | None
    mimeType: str | None


@default.reads
def read_text_file(
    state: State,
    path: FilePath,
    head: Annotated[int | None, Field(ge=1, description="Read only the first lines, this many.")] = None,
    tail: Annotated[int | None, Field(ge=1, description="Read only the last lines, this many.")] = None,
    skip: Annotated[int, Field(ge=0, description="Characters to skip, where a result that was cut off says so.")] = 0,
) -> str:
    """Read a text file: all of it, or its first or last lines.

    A long result ends with a line in brackets that says what was cut off and how to continue.
    """
    if head is not None and tail is not None:
        raise Rejected("Give head or tail, not both.")
    return excerpt(_text(file_at(state, path)), head, tail, skip)


@default.reads
def read_media_file(state: State, path: FilePath) -> Media:
    """Read a file of any kind, such as an image, as base64 with its media type."""
    entry = file_at(state, path)
    if entry.size > MEDIA_BYTES:
        way = "" if entry.text is None else " `read_text_file` reads it in parts."
        raise Rejected(f"{quoted(entry.path)} has {entry.size:,} bytes; at most {MEDIA_BYTES:,} can be given.{way}")
    data = base64.b64encode(entry.contents).decode()
    return Media(path=entry.path, mimeType=_media_type(entry), size=entry.size, data=data)


@default.reads
def read_multiple_files(
    state: State,
    paths: Annotated[list[str], Field(min_length=1, max_length=100, description="Paths of text files.")],
) -> list[Reading]:
    """Read several text files at once; one that cannot be read does not affect the others."""
    readings, room = [], TEXT_CHARACTERS
    for path in paths:
        try:
            text = _text(file_at(state, path))
        except Failure as failure:
            readings.append(Reading(path=path, error=str(failure)))
            continue
        if text and not room:
            readings.append(Reading(path=path, error="Cut off: the result is full. Read it with read_text_file."))
        else:
            readings.append(Reading(path=path, content=excerpt(text, None, None, most=room)))
            room = max(0, room - len(text))
    return readings


@default.writes(destructive=True, idempotent=True)
def write_file(
    state: State,
    path: FilePath,
    content: Annotated[str, Field(description="The whole text of the file.")],
) -> str:
    """Write a text file: create it, or overwrite it if it exists."""
    whole = resolve(path)
    if path.endswith("/"):
        raise Rejected(f"{quoted(path)} ends with '/', as a directory does; give the path of a file.")
    if whole == ROOT or state.there(Entry, whole):
        entry = file_at(state, whole)
        state.save(entry.model_copy(update={"text": content, "data": None, "modified": state.now}))
        return f"Overwrote {whole}."
    vacant(state, whole)
    state.add(Entry(id=whole, text=content, created=state.now, modified=state.now))
    return f"Wrote {whole}."


@default.writes(destructive=True)
def edit_file(
    state: State,
    path: FilePath,
    edits: Annotated[list[Edit], Field(min_length=1, max_length=100, description="Replacements, made in this order.")],
    dryRun: Annotated[bool, Field(description="Only show what would change.")] = False,
) -> str:
    """Replace pieces of a text file and return the change as a unified diff.

    Either all edits are made or none. Use `dryRun` for a preview.
    """
    entry = file_at(state, path)
    before = _text(entry)
    after = edited(before, edits)
    changed = entry.model_copy(update={"text": after, "modified": state.now}).checked()
    if after == before:
        return "The edits leave the file as it is."
    if not dryRun:
        state.save(changed)
    return listing(unified(before, after, entry.path).split("\n"), "Read the file to see them.")


@default.writes(idempotent=True)
def create_directory(state: State, path: FolderPath) -> str:
    """Create a directory, and its parents as needed. One that exists is left as it is."""
    whole = resolve(path)
    return f"Created {whole}." if made(state, whole, "read_text_file") else f"{whole} exists already."


@default.reads
def list_directory(state: State, path: FolderPath) -> str:
    """List the direct contents of a directory, by name, each marked [FILE] or [DIR]."""
    entries = below(state, folder_at(state, path))
    return listing([entry.marked for entry in entries], _NARROWER) or "The directory is empty."


@default.reads
def list_directory_with_sizes(
    state: State,
    path: FolderPath,
    sortBy: Annotated[Literal["name", "size"], Field(description="By name, or largest first.")] = "name",
) -> str:
    """List the direct contents of a directory with the size of each file in bytes, and totals."""
    entries = below(state, folder_at(state, path))
    if sortBy == "size":
        entries.sort(key=lambda entry: -entry.size)
    lines = [entry.marked + (f" {entry.size}" if entry.kind == "file" else "") for entry in entries]
    files = sum(entry.kind == "file" for entry in entries)
    total = f"Files: {files}, directories: {len(entries) - files}, bytes: {sum(entry.size for entry in entries)}."
    return listing(lines, _NARROWER, end=total)


@default.reads
def directory_tree(state: State, path: FolderPath, excludePatterns: Left = ()) -> Directory:
    """Show a directory and everything below it as a tree of names.

    In a very large tree the entries nearest to the top are shown, and `notShown` counts those cut off.
    """
    folder, hidden = folder_at(state, path), Hidden(excludePatterns)
    entries = below(state, folder, deep=True)
    return tree(folder, [entry for entry in entries if not hidden(parts_below(entry.path, folder))])


@default.writes
def move_file(
    state: State,
    source: Annotated[str, Field(description="Path of a file or directory that exists.")],
    destination: Annotated[str, Field(description="Its new path, where nothing may exist yet.")],
) -> str:
    """Move or rename a file, or a directory with everything below it. Nothing is ever overwritten."""
    entry, target = found(state, source), resolve(destination)
    if entry is None:
        raise Rejected(f"{ROOT} itself cannot be moved.")
    if destination.endswith("/") and entry.kind == "file":
        raise Rejected(f"{quoted(destination)} ends with '/', as a directory does; give the new path of the file.")
    return moved(state, entry, target)


@default.reads
def search_files(
    state: State,
    path: FolderPath,
    pattern: Annotated[
        str,
        Field(
            description="Pattern for paths relative to that directory: *.md only in it, **/*.md also below. "
            "*, ?, [abc] and {a,b} match within a name, ** any directories."
        ),
    ],
    excludePatterns: Left = (),
    text: Annotated[
        str, Field(max_length=200, description="Only files that contain this text, case-insensitive.")
    ] = "",
) -> str:
    """Find files and directories by path, and files by a text in them. Returns full paths, one per line."""
    folder, glob, hidden = folder_at(state, path), Glob(pattern), Hidden(excludePatterns)
    hits = []
    for entry in below(state, folder, deep=True, text=text):
        parts = parts_below(entry.path, folder)
        if glob.matches(parts, entry.kind) and not hidden(parts):
            hits.append(entry.path)
    hint = f" To look below {folder} too, write **/{pattern}." if glob.anywhere and pattern != "**" else ""
    return listing(hits, "Narrow the pattern.") or f"No matches.{hint}"


@default.reads
def get_file_info(
    state: State, path: Annotated[str, Field(description="Path of a file or directory; '.' is the top.")]
) -> Info:
    """Look up kind, size and times of a file or directory."""
    entry = found(state, path)
    kind: Kind = entry.kind if entry else "directory"
    return Info(
        path=entry.path if entry else ROOT,
        type=kind,
        isFile=kind == "file",
        isDirectory=kind == "directory",
        size=entry.size if entry else 0,
        created=entry.created if entry else None,
        modified=entry.modified if entry else None,
        mimeType=_media_type(entry) if entry and kind == "file" else None,
    )


@default.reads
def list_allowed_directories(state: State) -> list[str]:
    """List the directories that the tools may use, including everything below them."""
    return [ROOT]


_NARROWER = "`search_files` with a pattern shows some of them."


def _text(entry: Entry) -> str:
    if entry.text is None:
        raise Rejected(f"{quoted(entry.path)} is not a text file; `read_media_file` gives its bytes.")
    return entry.text


def _media_type(entry: Entry) -> str:
    return media_type(entry.path, is_text=entry.text is not None)
