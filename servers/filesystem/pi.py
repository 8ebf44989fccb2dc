"""The files of pi-Bench: seven rows of its table of apps, and seven of the eight General ones, over the same entries.

`/workspace` is open to whoever calls, and read-only below `/workspace/skills`. `/home/ACCOUNT` is the home of an
account: where there are accounts, it is open to whoever is logged in as that one. A file that is moved is a removed and
an added row, as its id is its path. The eighth General row, a shell, is in the surface `pi_shell`.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from servers.filesystem.edits import replaced, unified
from servers.filesystem.entries import Entry, Listed, below, file_at, folder_at, standing, vacant
from servers.filesystem.globs import Glob
from servers.filesystem.notebooks import Mode, Sort, with_cell
from servers.filesystem.paths import HOMES, ROOT, TOPS, parts_below, resolve, top_of, writable
from servers.filesystem.searching import PATTERN, grep
from servers.filesystem.shown import lines_from, listing, page
from servers.filesystem.tables import app
from servers.filesystem.writing import copied, made, moved
from servers.kernel import RESULT, Rejected, Skip, State, log_in, quoted, signed_in

__all__ = ("pi",)

_FOUND = 200
"""Paths that one result shows."""

pi = app.toolset(
    "pi",
    f"Files of {{owner}} ({{address}}). {ROOT} holds the project; {HOMES}/ACCOUNT is the home of an account, for which "
    "`log_in` is needed. A path is absolute or relative to /workspace, and case matters.",
    structured=False,
)

FilePath = Annotated[str, Field(description="Path of a file, such as notes.txt or /workspace/docs/plan.md.")]
FolderPath = Annotated[str, Field(description="Path of a directory; '.' is /workspace.")]
Target = Annotated[str, Field(description="New path, where nothing may exist yet, in an existing directory.")]
Content = Annotated[str, Field(description="The whole text of the file.")]


@pi.writes(name="log_in", idempotent=True)
def enter(
    state: State,
    username: Annotated[str, Field(description="Username of an account.")],
    password: Annotated[str, Field(description="Its password.")],
) -> str:
    """Log in, replacing any current login; opens the home of that account."""
    account = log_in(state, username, password)
    return f"Logged in as {account.username}. Your home is {HOMES}/{account.username}."


@pi.reads
def read_file(
    state: State,
    path: FilePath,
    first_line: Annotated[int, Field(ge=1, description="Line to start at.")] = 1,
    lines: Annotated[int | None, Field(ge=1, description="How many lines; leave out for all.")] = None,
    skip: Annotated[int, Field(ge=0, description="Characters of the first line to pass over.")] = 0,
) -> str:
    """Read a text file, or some of its lines. If it is cut off, the end says so and how to continue."""
    return lines_from(_text(_file(state, path)), first_line, lines, skip, RESULT) or "The file is empty."


@pi.writes(destructive=True, idempotent=True)
def write_file(state: State, path: FilePath, content: Content) -> str:
    """Write a text file: create it, or overwrite it if it exists."""
    whole = writable(_at(state, path))
    if state.there(Entry, whole) or whole in TOPS:
        entry = _file(state, path)
        state.save(entry.model_copy(update={"text": content, "data": None, "modified": state.now}))
        return f"Overwrote {whole}."
    return _new(state, path, content)


@pi.writes
def create_file(state: State, path: FilePath, content: Content = "") -> str:
    """Create a text file where there is none; `write_file` overwrites one."""
    return _new(state, path, content)


@pi.writes(destructive=True)
def edit_file(
    state: State,
    path: FilePath,
    old_text: Annotated[
        str,
        Field(
            min_length=1,
            description="Text to replace, exactly as in the file, with enough context to be unique. "
            "If there is none, whole lines are matched ignoring white space at their ends.",
        ),
    ],
    new_text: Annotated[str, Field(description="What to put in its place.")],
    every: Annotated[bool, Field(description="Replace it wherever it occurs.")] = False,
) -> str:
    """Replace a piece of a text file and return the change as a unified diff."""
    entry = _changing(state, path)
    before = _text(entry)
    after = replaced(before, old_text, new_text, every=every)
    if after == before:
        return "The edit leaves the file as it is."
    state.save(entry.model_copy(update={"text": after, "modified": state.now}))
    return listing(unified(before, after, entry.path).split("\n"), "Read the file to see them.", most=RESULT)


@pi.writes(destructive=True)
def edit_notebook(
    state: State,
    path: Annotated[str, Field(description="Path of a notebook, such as report.ipynb.")],
    cell: Annotated[
        int, Field(ge=0, description="Number of the cell, from 1; with insert, the cell before the new one, or 0.")
    ],
    source: Annotated[str | None, Field(description="New contents of the cell; not with delete.")] = None,
    mode: Annotated[Mode, Field(description="What to do.")] = "replace",
    cell_type: Annotated[Sort | None, Field(description="Leave out to keep it, or for a new code cell.")] = None,
) -> str:
    """Replace, insert or delete a cell of a Jupyter notebook. A code cell that changes loses its outputs."""
    entry = _changing(state, path)
    text, said = with_cell(_text(entry), mode, cell, source, cell_type)
    state.save(entry.model_copy(update={"text": text, "modified": state.now}))
    return said


@pi.writes(idempotent=True)
def create_directory(state: State, path: FolderPath) -> str:
    """Create a directory, and its parents as needed. One that exists is left as it is."""
    whole = writable(_at(state, path))
    return f"Created {whole}." if made(state, whole, "read_file") else f"{whole} exists already."


@pi.reads
def list_directory(state: State, path: FolderPath = ".") -> str:
    """List the direct contents of a directory, by name, each marked [FILE] or [DIR]."""
    folder = _folder(state, path)
    entries = _seen(state, folder, below(state, folder))
    lines = [entry.marked for entry in entries]
    return listing(lines, "`glob_search` shows some of them.", most=RESULT) or "The directory is empty."


@pi.reads
def glob_search(
    state: State,
    pattern: Annotated[
        str,
        Field(
            description="Pattern for paths relative to that directory: *.md only in it, **/*.md also below. "
            "*, ?, [abc] and {a,b} match within a name, ** any directories."
        ),
    ],
    path: FolderPath = ".",
    skip: Skip = 0,
) -> str:
    """Find files and directories by path. Returns full paths. `grep_search` searches file contents."""
    folder, glob = _folder(state, path), Glob(pattern)
    entries = _seen(state, folder, below(state, folder, deep=True))
    hits = [entry.path for entry in entries if glob.matches(parts_below(entry.path, folder), entry.kind)]
    shown = page(hits[skip : skip + _FOUND], skip, len(hits), "narrow the pattern")
    hint = f" To look below {folder} too, write **/{pattern}." if glob.anywhere and pattern != "**" else ""
    return shown or ("No more matches." if hits else f"No matches.{hint}")


@pi.reads
def grep_search(
    state: State,
    pattern: Annotated[
        str,
        Field(
            min_length=1,
            max_length=PATTERN,
            description="Regular expression that part of a line must match, such as total|sum.",
        ),
    ],
    path: Annotated[str, Field(description="Path of a file, or of a directory to look below.")] = ".",
    glob: Annotated[
        str,
        Field(
            description="Only files whose name matches, such as *.csv, or whose path from there does, such as "
            "docs/**/*.md."
        ),
    ] = "",
    ignore_case: Annotated[bool, Field(description="Ignore case.")] = False,
    skip: Skip = 0,
) -> str:
    """Find lines in text files. Returns path, line number and line; `read_file` shows more of a file."""
    whole = _at(state, path)
    entry = standing(state, whole, path)
    only = None
    if glob:
        files, folder = Glob(glob), entry is None or entry.kind == "directory"
        inner = [(each.path, parts_below(each.path, whole)) for each in below(state, whole, deep=True)]
        inner = inner if folder else [(whole, (whole.rpartition("/")[2],))]
        only = [path for path, parts in inner if files.matches(parts[-1:] if files.anywhere else parts)]
    found = grep(state, _own(state, whole), pattern, only, skip, anycase=ignore_case)
    shown = page(found.lines, skip, found.total, "narrow it with path or glob")
    return shown or ("No more matches." if skip else "No matches.")


@pi.writes
def copy_file(state: State, source: Annotated[str, Field(description="Path of a file.")], destination: Target) -> str:
    """Copy a file. Nothing is ever overwritten."""
    entry = _file(state, source, "copy_directory")
    return copied(state, entry.path, _target(state, destination, file=True))


@pi.writes
def copy_directory(state: State, source: FolderPath, destination: Target) -> str:
    """Copy a directory with everything below it. Nothing is ever overwritten."""
    folder = _folder(state, source, "copy_file")
    if folder == HOMES:
        raise Rejected(f"{HOMES} itself cannot be copied; copy a home, such as {HOMES}/ACCOUNT.")
    return copied(state, folder, _target(state, destination))


@pi.writes
def move_file(state: State, source: Annotated[str, Field(description="Path of a file.")], destination: Target) -> str:
    """Move or rename a file. Nothing is ever overwritten."""
    entry = _changing(state, source, "move_directory")
    return moved(state, entry, _target(state, destination, file=True))


@pi.writes
def move_directory(state: State, source: FolderPath, destination: Target) -> str:
    """Move or rename a directory with everything below it. Nothing is ever overwritten."""
    folder = _folder(state, source, "move_file")
    if folder in TOPS or folder.rpartition("/")[0] == HOMES:
        raise Rejected(f"{folder} itself cannot be moved; move what lies in it.")
    return moved(state, state.get(Entry, writable(folder)), _target(state, destination))


def _at(state: State, given: str) -> str:
    """The one spelling of a path to which whoever calls may go. Raises `Rejected`."""
    path = resolve(given, homes=True)
    if top_of(path) == HOMES and path != HOMES and (account := signed_in(state)):
        home = f"{HOMES}/{account.username}"
        if path != home and not path.startswith(f"{home}/"):
            raise Rejected(
                f"{quoted(path)} is not in your home, {home}; `log_in` as the account that it belongs to first."
            )
    return path


def _own(state: State, folder: str) -> str:
    """Where to look when somebody looks below a directory: among all homes, at their own."""
    account = signed_in(state) if folder == HOMES else None
    return f"{HOMES}/{account.username}" if account else folder


def _seen(state: State, folder: str, entries: list[Listed]) -> list[Listed]:
    own = _own(state, folder)
    if own == folder:
        return entries
    return [entry for entry in entries if entry.path == own or entry.path.startswith(f"{own}/")]


def _file(state: State, given: str, other: str = "list_directory") -> Entry:
    return file_at(state, given, _at(state, given), other=other)


def _changing(state: State, given: str, other: str = "list_directory") -> Entry:
    """As `_file` does, for one that is to be changed."""
    entry = _file(state, given, other)
    writable(entry.path)
    return entry


def _folder(state: State, given: str, other: str = "read_file") -> str:
    return folder_at(state, given, _at(state, given), other=other)


def _target(state: State, given: str, *, file: bool = False) -> str:
    """The path of something new. Raises `Rejected`."""
    path = writable(_at(state, given))
    if path.rpartition("/")[0] == HOMES:
        raise Rejected(f"{quoted(path)} is the home of an account; give a path in it, such as {path}/notes.txt.")
    if file and given.endswith("/"):
        raise Rejected(f"{quoted(given)} ends with '/', as a directory does; give the path of a file.")
    return path


def _new(state: State, given: str, content: str) -> str:
    path = _target(state, given, file=True)
    if path in TOPS:
        raise Rejected(f"{path} exists already; give the path of a file, such as {ROOT}/notes.txt.")
    vacant(state, path)
    state.add(Entry(id=path, text=content, created=state.now, modified=state.now))
    return f"Created {path}."


def _text(entry: Entry) -> str:
    if entry.text is None:
        raise Rejected(f"{quoted(entry.path)} is not a text file, and only text can be read here.")
    return entry.text
