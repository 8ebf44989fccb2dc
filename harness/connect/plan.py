"""One `harness connect`: what it would add, what it did, and what a person should know."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from harness.connect import apps as ours_
from harness.connect import files
from harness.connect.clients import Client, Machine
from harness.connect.lookalikes import lookalikes
from harness.connect.merge import PREFIX, added, ours, removed, servers
from harness.connect.problem import ConnectProblem, NotJson

__all__ = ("Outcome", "show", "take_out", "write")


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What was shown or done. `servers` are entries by name; those taken out, after a removal."""

    client: Client
    file: Path
    did: Literal["shown", "written", "unchanged", "removed"]
    servers: dict[str, Any]
    state: Path | None = None
    tokens: dict[str, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    backup: Path | None = None


def show(client: Client, apps: Sequence[str], *, machine: Machine, file: Path | None, state: Path | None) -> Outcome:
    """What `write` would add; touches nothing."""
    path = _real(client, machine, file)
    kept = state or ours_.data_folder() / client.name
    return Outcome(
        client=client,
        file=path,
        did="shown",
        servers=ours_.entries(client, apps, kept),
        state=kept,
        tokens={app: ours_.tokens(app) for app in apps},
        warnings=_warnings(client, apps, machine, path),
    )


def write(client: Client, apps: Sequence[str], *, machine: Machine, file: Path | None, state: Path | None) -> Outcome:
    """Add or update the entries. Raises `ConnectProblem`, and then nothing was written."""
    shown = show(client, apps, machine=machine, file=file, state=state)
    with files.locked(_lock()):
        before = files.read(shown.file)
        after = _named(shown.file, lambda: added(before or "", client, shown.servers))
        if after == before:
            return _with(shown, "unchanged", None)
        return _with(shown, "written", files.write(shown.file, before, after))


def take_out(client: Client, apps: Sequence[str], *, machine: Machine, file: Path | None) -> Outcome:
    """Take out the entries of these apps, or all that are ours. Raises as `write` does."""
    path = _real(client, machine, file)
    with files.locked(_lock()):
        before = files.read(path)
        held = _named(path, lambda: servers(before or "", (client.key,), comments=client.comments))
        wanted = {PREFIX + app for app in apps} or set(held)
        taken = {name: entry for name, entry in held.items() if name in wanted and ours(name, entry)}
        if not taken or before is None:
            return Outcome(client=client, file=path, did="unchanged", servers={})
        earlier = (each.read_bytes().decode("utf-8", "replace") for each in files.backups(path))
        after = _named(path, lambda: removed(before, client, taken, earlier))
        backup = files.remove(path, before) if after is None else files.write(path, before, after)
    return Outcome(client=client, file=path, did="removed", servers=taken, backup=backup)


def _real(client: Client, machine: Machine, file: Path | None) -> Path:
    """The file itself where the client's is a link to it, so that the link stays."""
    return Path(os.path.realpath(file.expanduser() if file else client.file(machine)))


def _lock() -> Path:
    return ours_.data_folder() / "connect.lock"


def _named(path: Path, edit: Any) -> Any:
    """Do an edit whose problems shall name the file."""
    try:
        return edit()
    except NotJson as error:
        raise error.of(path) from None
    except ConnectProblem as error:
        raise ConnectProblem(f"{path}: {error}") from None


def _with(shown: Outcome, did: Literal["written", "unchanged"], backup: Path | None) -> Outcome:
    return Outcome(**{**vars(shown), "did": did, "backup": backup})


def _warnings(client: Client, apps: Sequence[str], machine: Machine, target: Path) -> list[str]:
    found = []
    places = {Path(os.path.realpath(place.file)): place.keys for place in client.places(machine)}
    for path, every in {target: ((client.key,),), **places}.items():
        for keys in every:
            try:
                held = servers(files.read(path) or "", keys, comments=client.comments)
            except ConnectProblem as error:
                problem = error.of(path) if isinstance(error, NotJson) else error
                found.append(f"Servers in this file were not looked at: {problem}")
                break
            found += [
                f"{_readable(name)} in {path} may be a real {' or '.join(alike)}: turn it off while you use "
                f"{' and '.join(PREFIX + app for app in alike)}, or a model may act on the real account."
                for name, alike in lookalikes(apps, held).items()
            ]
    return found


def _readable(name: str) -> str:
    return repr(name.encode("utf-8", "replace").decode())
