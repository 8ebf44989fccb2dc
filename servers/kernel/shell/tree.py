"""Files as a shell takes them and leaves them: nodes, and what there may be of them."""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, NamedTuple

from servers.kernel.app import Needs
from servers.kernel.bounds import quoted

__all__ = ("BASHKIT", "ROOT", "Files", "Limits", "Nodes", "coded", "decoded", "key", "misfit", "usual_mode")

BASHKIT = Needs("bashkit", "workplace-harness[drift]")
"""What runs the scripts."""

ROOT = "/workspace"
"""Where everything is that lasts, and where a script begins. It has no node."""

_PATH, _NAME = 1_000, 255
_UNKEPT = re.compile(r"[\x00-\x1f\x7f]")

Nodes = dict[str, dict[str, Any]]
"""Path -> node as JSON values: `path`, `kind` (file, directory or link), `mode` in octal, `content`, `data` or None.

A file has its text as `content`, or bytes that are no UTF-8 as `data` (`coded`). The content of a link is its target.
"""


class Limits(NamedTuple):
    """The most nodes, bytes of one file, and bytes of all files together.

    What is `plain` has no links and no permissions but the usual ones: those of `usual_mode`, whatever a script gave.
    """

    nodes: int
    file_bytes: int
    tree_bytes: int
    plain: bool = False


class Files(NamedTuple):
    """All files and directories, and a text: where it is the same, so are they."""

    nodes: Nodes
    key: str


def usual_mode(kind: str, content: str) -> str:
    """The mode of what has none of its own: whatever begins as a script does can be run."""
    return "755" if kind == "directory" or content.startswith("#!") else "644"


def misfit(path: str) -> str:
    """Why nothing can be kept under that path, in a sentence without its full stop; "" where something can."""
    names = path.removeprefix(f"{ROOT}/").split("/")
    if not path.startswith(f"{ROOT}/"):
        return f"{quoted(path)} is not below {ROOT}"
    if any(name in ("", ".", "..") for name in names):
        return f"{quoted(path)} is not a plain path: it has an empty part, '.' or '..'"
    if _UNKEPT.search(path):
        return f"{quoted(path)} has a control character, such as a line break or a tab, in a name"
    if len(path) > _PATH or any(len(name.encode()) > _NAME for name in names):
        return f"{quoted(path)} is too long: a path has at most {_PATH:,} characters, a name {_NAME} bytes"
    return ""


def coded(data: bytes) -> str:
    """Bytes as rows have them in JSON."""
    return urlsafe_b64encode(data).decode()


def decoded(data: str) -> bytes:
    """The bytes that were `coded`."""
    return urlsafe_b64decode(data)


def key(nodes: Nodes) -> str:
    """SHA-256 of nodes, whatever their order."""
    told = hashlib.sha256()
    for path in sorted(nodes):
        node = nodes[path]
        held = (node["content"] if node["data"] is None else node["data"]).encode()
        told.update(f"{path}\0{node['kind']}\0{node['mode']}\0{node['data'] is None}\0{len(held)}\0".encode() + held)
    return told.hexdigest()
