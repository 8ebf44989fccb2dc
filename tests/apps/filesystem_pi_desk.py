"""A sandbox with a project and two homes, and the tools of pi-Bench by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from servers.filesystem import Entry, app
from servers.filesystem.paths import HOMES
from tests.apps.desk import Desk, desk
from tests.apps.filesystem_desk import NOTES, PLAN

__all__ = ("ACCOUNTS", "ROWS", "SKILLS", "Pi", "pi_files")

ACCOUNTS = [
    {"id": "A1", "username": "mira", "password": "kelp-77", "name": "Mira Holt"},
    {"id": "A2", "username": "tariq", "password": "sand", "name": "Tariq Lund"},
]
ROWS: Mapping[str, Mapping[str, Any]] = {
    "/workspace/notes.txt": {"text": NOTES},
    "/workspace/docs": {"kind": "directory"},
    "/workspace/docs/plan.md": {"text": PLAN},
    "/workspace/docs/logo.png": {"data": "iVBORw0KGgo="},
    "/workspace/docs/old": {"kind": "directory"},
    "/workspace/docs/old/plan.md": {"text": "Old.\r\nTotal (net): 12\r\n"},
    "/home/mira": {"kind": "directory"},
    f"{HOMES}/mira/diary.txt": {"text": "Nobody reads this.\n"},
    "/home/tariq": {"kind": "directory"},
    f"{HOMES}/tariq/list.txt": {"text": "Reads much.\n"},
}


SKILLS: Mapping[str, Mapping[str, Any]] = {
    "/workspace/skills": {"kind": "directory"},
    "/workspace/skills/fit": {"kind": "directory"},
    "/workspace/skills/fit/SKILL.md": {"text": "Fit a line.\n"},
    "/workspace/skills/fit/fit.sh": {"text": "#!/bin/bash\nwc -l < $1\n"},
}


class Pi(Desk):
    """Calls the tools of `pi_shell`, which has those of `pi`."""

    toolset = "pi_shell"

    def shell(self, command: str) -> str:
        """What `shell_exec` answers."""
        return str(self("shell_exec", command=command))

    def changes(self) -> dict[str, str]:
        """Path -> what became of it since the start: insert, update or delete."""
        return {change.id: change.op for change in self.layer.changes()}

    def paths(self, top: str) -> list[str]:
        """Every path below a directory, from there."""
        rows = self.layer.state(app).find(Entry, "starts_with(path, ?)", [f"{top}/"])
        return sorted(row.path.removeprefix(f"{top}/") for row in rows)

    def row(self, path: str) -> Entry:
        return self.layer.state(app).get(Entry, path)

    def enter(self) -> Pi:
        """Log in as Mira."""
        self("log_in", username="mira", password="kelp-77")
        return self


@contextmanager
def pi_files(rows: Mapping[str, Mapping[str, Any]] = ROWS, accounts: Any = ACCOUNTS) -> Iterator[Pi]:
    """A sandbox of its own with those entries, by path."""
    times = {"created": "2023-11-01T10:00:00", "modified": "2023-11-02T10:00:00"}
    entries = [{"id": path, **times, **values} for path, values in rows.items()]
    with desk(app, {"entries": entries, "accounts": accounts}, kind=Pi) as calls:
        yield calls
