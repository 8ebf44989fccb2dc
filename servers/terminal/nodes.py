"""Files, directories and links as rows, and the app over them."""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode
from typing import Any, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from servers.kernel import App, State, Table

__all__ = (
    "FILE_BYTES",
    "NODES",
    "ROOT",
    "TREE_BYTES",
    "Files",
    "Node",
    "app",
    "coded",
    "files",
    "key",
    "misfit",
)

ROOT = "/workspace"
"""Where everything is that lasts, and where a script begins. It has no row."""

NODES, FILE_BYTES, TREE_BYTES = 2_000, 2**20, 16 * 2**20
"""The most nodes, bytes of one file, and bytes of all files together."""

_PATH, _NAME = 1_000, 255
_UNKEPT = re.compile(r"[\x00-\x1f\x7f]")


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


def misfit(path: str) -> str:
    """Why nothing can be kept under that path, in a sentence without its full stop; "" where something can."""
    names = path.removeprefix(f"{ROOT}/").split("/")
    if not path.startswith(f"{ROOT}/"):
        return f"{path!r} is not below {ROOT}"
    if any(name in ("", ".", "..") for name in names):
        return f"{path!r} is not a plain path: it has an empty part, '.' or '..'"
    if _UNKEPT.search(path):
        return f"{path!r} has a control character, such as a line break or a tab, in a name"
    if len(path) > _PATH or any(len(name.encode()) > _NAME for name in names):
        return f"{path[:80]!r}... is too long: a path has at most {_PATH:,} characters, a name {_NAME} bytes"
    return ""


app = App("terminal", "Run bash scripts over the files of {owner}.", tables=(Node,), apart=True)


class Files(NamedTuple):
    """All nodes as the shell takes them, path -> node as JSON values, and a hash: where it is the same, so are they."""

    nodes: dict[str, dict[str, Any]]
    key: str


def files(state: State) -> Files:
    """The files of a sandbox, read from its rows."""
    nodes = {
        path: {"path": path, "kind": kind, "mode": mode, "content": content, "data": data and coded(data)}
        for path, kind, mode, content, data in state.query("SELECT path, kind, mode, content, data FROM nodes")
    }
    return Files(nodes, key(nodes))


def coded(data: bytes) -> str:
    """Bytes as rows have them in JSON."""
    return urlsafe_b64encode(data).decode()


def key(nodes: dict[str, dict[str, Any]]) -> str:
    """SHA-256 of nodes, whatever their order."""
    told = hashlib.sha256()
    for path in sorted(nodes):
        node = nodes[path]
        held = (node["content"] if node["data"] is None else node["data"]).encode()
        told.update(f"{path}\0{node['kind']}\0{node['mode']}\0{node['data'] is None}\0{len(held)}\0".encode() + held)
    return told.hexdigest()
