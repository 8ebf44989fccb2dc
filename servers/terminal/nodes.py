"""Files, directories and links as rows, and the app over them."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from servers.kernel import App, State, Table
from servers.kernel.shell import Files, Limits, coded, key, misfit

__all__ = ("LIMITS", "Node", "app", "files")

LIMITS = Limits(nodes=2_000, file_bytes=2**20, tree_bytes=16 * 2**20)


class Node(Table, name="nodes", noun="file or directory"):
    """A file, a directory or a symbolic link below `/workspace`; its id is its path.

    A file holds `content`, or `data` if it is not UTF-8 text; the content of a link is what it points to. `mode` is
    octal, as in chmod. There are no times: every node looks as old as the sandbox.
    """

    path: str = Field(default_factory=lambda done: done["id"])
    kind: Literal["file", "directory", "link"] = "file"
    mode: str = Field(
        default_factory=lambda done: {"directory": "755", "link": "777"}.get(done.get("kind", ""), "644"),
        pattern="^[0-7]{3,4}$",
    )
    content: str = ""
    data: bytes | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if problem := misfit(self.path):
            raise ValueError(problem)
        if self.path != self.id:
            raise ValueError(f"the id of a node is its path, {self.path!r}, not {self.id!r}")
        if self.kind == "directory" and self.content:
            raise ValueError(f"{self.path}: a directory has no content")
        if self.kind == "link" and not self.content:
            raise ValueError(f"{self.path}: the content of a link is the path that it points to")
        if self.data is not None and (self.kind != "file" or self.content):
            raise ValueError(f"{self.path}: only a file has data, in place of content")
        return self


app = App("terminal", "Run bash scripts over the files of {owner}.", tables=(Node,), apart=True)


def files(state: State) -> Files:
    """The files of a sandbox, read from its rows."""
    nodes = {
        path: {"path": path, "kind": kind, "mode": mode, "content": content, "data": data and coded(data)}
        for path, kind, mode, content, data in state.query("SELECT path, kind, mode, content, data FROM nodes")
    }
    return Files(nodes, key(nodes))
