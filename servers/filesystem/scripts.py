"""A script run over the entries below `/workspace`: what it changed becomes rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from servers.filesystem.entries import FILE_BYTES, Entry
from servers.filesystem.paths import ROOT, resolve, writable
from servers.kernel import Rejected, State, quoted, shell
from servers.kernel.shell import Files, Limits, coded, decoded, key, usual_mode

__all__ = ("LIMITS", "files", "run")

LIMITS = Limits(nodes=2_000, file_bytes=FILE_BYTES, tree_bytes=16 * 2**20, plain=True)
"""A row holds no permissions and there is none of a link, so files are plain."""


def run(state: State, command: str) -> str:
    """What a bash script prints. Its changes to files are in the rows, all of them.

    Raises `Rejected`, with nothing changed, where it was stopped, left what no row can hold or changed what is
    read-only, `ChildBroken` where there is no shell.
    """
    found = state.derived(files)
    ran = shell.run(found, command, state.now, LIMITS, called="command")
    _check(ran.changed, found.nodes, ran.files.nodes)
    for path in sorted(ran.changed):  # a directory before what is in it
        _apply(state, path, ran.changed[path])
    if ran.changed:
        state.derived(files, known=ran.files)  # to read them again would cost more than the script
    return ran.shown


def files(state: State) -> Files:
    """The files of a sandbox as the shell takes them, read from its rows. Raises `Rejected` for more than it takes."""
    size = "coalesce(sum(coalesce(strlen(text), octet_length(data), 0)), 0)"
    below = [f"{ROOT}/"]
    ((count, total),) = state.query(f"SELECT count(*), {size} FROM entries WHERE starts_with(path, ?)", below)
    if count > LIMITS.nodes or total > LIMITS.tree_bytes:
        raise Rejected(
            f"{ROOT} holds {count:,} files and directories of {total:,} bytes together, and a shell takes at most "
            f"{LIMITS.nodes:,} of {LIMITS.tree_bytes:,}. Use the other tools."
        )
    rows = state.query("SELECT path, kind, text, data FROM entries WHERE starts_with(path, ?)", below)
    nodes = {path: _node(path, kind, text, data) for path, kind, text, data in rows}
    return Files(nodes, key(nodes))


def _node(path: str, kind: str, text: str | None, data: bytes | None) -> dict[str, Any]:
    """As the shell has it: all that is UTF-8 is text, whatever the row calls it."""
    held = None
    if data is not None:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            held = coded(data)
    content = text or ""
    return {"path": path, "kind": kind, "mode": usual_mode(kind, content), "content": content, "data": held}


def _check(changed: Iterable[str], before: Iterable[str], after: Iterable[str]) -> None:
    """Raises `Rejected` for a path that may not be changed, or that no other tool could make."""
    for path in changed:
        try:
            plain = resolve(writable(path))
        except Rejected as refusal:
            raise Rejected(f"{refusal} Nothing was changed.") from None
        if plain != path:
            raise Rejected(f"The script leaves {quoted(path)}, whose name is not in Unicode NFC. Nothing was changed.")
    names: dict[tuple[str, str], str] = {}
    for path in after if set(changed) - set(before) else ():
        folder, _, name = path.rpartition("/")
        if (twin := names.setdefault((folder, name.casefold()), path)) != path:
            raise Rejected(
                f"The script leaves {quoted(twin)} and {quoted(path)}; names that differ in case alone are refused, as "
                "some systems mix them up. Nothing was changed."
            )


def _apply(state: State, path: str, node: dict[str, Any] | None) -> None:
    there = state.there(Entry, path)  # a directory above a file may have no row
    if node is None:
        if there:
            state.delete(there)
        return
    text, data = _held(node)
    if there and there.kind == node["kind"]:
        state.save(there.model_copy(update={"text": text, "data": data, "modified": state.now}))
        return
    row = Entry(id=path, kind=node["kind"], text=text, data=data, created=state.now, modified=state.now)
    (state.save if there else state.add)(row)


def _held(node: dict[str, Any]) -> tuple[str | None, bytes | None]:
    """What a row has as text and as data; a text with a NUL is none, as where folders are imported."""
    content = node["content"]
    if node["kind"] == "directory":
        return None, None
    if node["data"] is not None:
        return None, decoded(node["data"])
    return (None, content.encode()) if "\0" in content else (content, None)
