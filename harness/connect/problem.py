"""What can go wrong with a client's file."""

from __future__ import annotations

from pathlib import Path

__all__ = ("ConnectProblem", "NotJson")


class ConnectProblem(Exception):
    """A client's file cannot be used as asked; nothing was written. The text says what would be right."""


class NotJson(ConnectProblem):
    """Text that is not the JSON that the client reads, with its place: lines and columns count from 1."""

    def __init__(self, text: str, at: int, problem: str, path: Path | None = None) -> None:
        self.text, self.at, self.problem = text, at, problem
        before = text[:at].replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
        self.line, self.column = before.count("\n") + 1, len(before) - before.rfind("\n")
        where = f"{path}, line" if path else "Line"
        super().__init__(f"{where} {self.line}, column {self.column}: {problem}. The file was left as it is.")

    def of(self, path: Path) -> NotJson:
        """The same, naming the file."""
        return NotJson(self.text, self.at, self.problem, path)
