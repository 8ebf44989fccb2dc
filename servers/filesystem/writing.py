"""What every surface does when directories are made, and files and directories moved or copied."""

from __future__ import annotations

from servers.filesystem.entries import Entry, below, vacant
from servers.filesystem.paths import ROOT, TOPS, parts_below, resolve, top_of
from servers.kernel import Rejected, State, quoted

__all__ = ("COPIED_BYTES", "MOVED", "copied", "made", "moved")

MOVED = 2_000
"""Entries below a directory that is moved or copied: each costs a millisecond, in which nothing else is served."""

COPIED_BYTES = 64 * 2**20
"""The most that one copy of a directory holds."""


def made(state: State, path: str, reader: str) -> int:
    """Make the directory at a resolved path, and those above it as needed; gives how many were made.

    `reader` is the tool that reads what is there if that is a file.
    """
    top, count = top_of(path), 0
    names = parts_below(path, top) if path != top else ()
    for depth in range(1, len(names) + 1):
        folder = "/".join((top, *names[:depth]))
        if not count and (there := state.there(Entry, folder)):
            if there.kind == "file":
                raise Rejected(f"{quoted(folder)} is a file, not a directory; `{reader}` reads it.")
        else:
            if not count:  # below a new directory every name is free
                vacant(state, folder)
            state.add(Entry(id=folder, kind="directory", created=state.now, modified=state.now))
            count += 1
    return count


def moved(state: State, entry: Entry, target: str) -> str:
    """Move a file, or a directory with all below it, to a resolved path; says what was moved. Raises `Rejected`."""
    _outside_itself(entry.path, target, "moved")
    vacant(state, target, leaving=entry.path if entry.path != target else "")
    inner = below(state, entry.path, deep=True) if entry.kind == "directory" else []
    if len(inner) > MOVED:
        raise Rejected(
            f"{quoted(entry.path)} has {len(inner):,} entries below it; at most {MOVED:,} are moved at once. "
            "Create the new directory and move what lies in this one piece by piece."
        )
    moving = [entry, *state.find(Entry, "starts_with(path, ?)", [f"{entry.path}/"])] if inner else [entry]
    for each in moving:
        path = resolve(target + each.path[len(entry.path) :], homes=True)
        state.delete(each)
        state.add(each.model_copy(update={"id": path, "path": path}))
    inside = f" with {len(moving) - 1} entries below it" if len(moving) > 1 else ""
    return f"Moved {entry.path}{inside} to {target}."


def copied(state: State, source: str, target: str) -> str:
    """Copy what lies at a resolved path, with all below it, to another; says what was copied. Raises `Rejected`.

    What is copied is as new as any other new file.
    """
    _outside_itself(source, target, "copied")
    vacant(state, target)
    entry = state.there(Entry, source)
    inner = below(state, source, deep=True) if entry is None or entry.kind == "directory" else []
    size = sum(each.size for each in inner)
    if len(inner) > MOVED or size > COPIED_BYTES:
        raise Rejected(
            f"{quoted(source)} has {len(inner):,} entries and {size:,} bytes below it; at most {MOVED:,} and "
            f"{COPIED_BYTES:,} are copied at once. Copy the directories in it one by one."
        )
    new = {"created": state.now, "modified": state.now}
    first = entry or Entry(id=target, kind="directory", created=state.now, modified=state.now)  # of a top directory
    state.add(first.model_copy(update={"id": target, "path": target, **new}))
    for each in state.find(Entry, "starts_with(path, ?)", [f"{source}/"]) if inner else []:
        path = resolve(target + each.path[len(source) :], homes=True)
        state.add(each.model_copy(update={"id": path, "path": path, **new}))
    return f"Copied {source}{f' with {len(inner)} entries below it' if inner else ''} to {target}."


def _outside_itself(source: str, target: str, done: str) -> None:
    if target.startswith(f"{source}/"):
        raise Rejected(f"{quoted(source)} cannot be {done} into itself.")
    if target in TOPS:
        raise Rejected(f"{target} exists already; give the new path, such as {ROOT}/{source.rpartition('/')[2]}.")
