"""Two edits of JSON text, `put` and `drop`, that leave every other byte where it was.

What is put in looks like its surroundings: line ending, indentation, on one line or on several, with a
trailing comma or without. Dropping what was put last gives the text from before, save that white space in
an empty object is not remembered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from harness.connect.jsontext import BOM, COMMENT, Member, Node, parse
from harness.connect.problem import ConnectProblem, NotJson

__all__ = ("drop", "put")

_NEWLINE = re.compile(r"\r\n|\n|\r")


def put(text: str, path: Sequence[str], value: Any, *, comments: bool) -> str:
    """The text with `value` at `path`; objects on the way are made. Blank text becomes an object.

    Raises `NotJson`, also where something other than an object is in the way.
    """
    if not text.removeprefix(BOM).strip(" \t\r\n"):
        newline = _newline(text)
        return text + _several(_nested(path, value), "  ", newline, "") + newline
    root = parse(text, comments=comments)
    node = _object(text, root, "the file")
    parents: list[Node] = []
    for depth, key in enumerate(path):
        found = _only(text, node, key)
        if found is None:
            edited = _insert(text, node, key, _nested(path[depth + 1 :], value), parents)
            break
        parents.append(node)
        if depth == len(path) - 1:
            if found.value.value == value:
                return text
            edited = _replace(text, found, value)
            break
        node = _object(text, found.value, repr(key))
    return _checked(edited, _with(root.value, path, value), comments)


def drop(text: str, path: Sequence[str], *, comments: bool) -> str:
    """The text without the member at `path`; the same text if there is none. Raises `NotJson`."""
    if not text.removeprefix(BOM).strip(" \t\r\n"):
        return text
    root = node = parse(text, comments=comments)
    for key in path[:-1]:
        found = _only(text, node, key)
        if found is None:
            return text
        node = found.value
    found = _only(text, node, path[-1])
    if found is None:
        return text
    return _checked(_cut(text, node, found), _without(root.value, path), comments)


def _only(text: str, node: Node, key: str) -> Member | None:
    found = node.named(key)
    if len(found) > 1:
        raise NotJson(text, found[1].start, f"the name {key!r} appears twice; keep one")
    return found[0] if found else None


def _object(text: str, node: Node, what: str) -> Node:
    if node.members is None:
        raise NotJson(text, node.start, f"{what} must be an object, {{...}}")
    return node


def _nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _insert(text: str, node: Node, key: str, value: Any, parents: Sequence[Node]) -> str:
    newline, unit = _newline(text), _unit(text, parents[0] if parents else node)
    members = node.members or ()
    if not members:
        return _fill(text, node, {key: value}, unit, newline, parents)
    last = members[-1]
    lead = _blank_before(text, last.start)
    comma = "," if last.comma is not None else ""
    if _NEWLINE.search(lead):
        at, indent = node.tail, _line_indent(text, last.start)
        item = f"{newline}{indent}{_named(key, _several(value, unit, newline, indent))}{comma}"
    else:
        at = last.value.end if last.comma is None else last.comma + 1
        item = f" {_named(key, json.dumps(value, ensure_ascii=False))}{comma}"
    text = text[:at] + item + text[at:]
    return text if last.comma is not None else text[: last.value.end] + "," + text[last.value.end :]


def _fill(text: str, node: Node, value: Any, unit: str, newline: str, parents: Sequence[Node]) -> str:
    """Put the first member into an empty object."""
    inner = text[node.start + 1 : node.end - 1]
    bare = not inner.strip(" \t\r\n")
    if bare and not _NEWLINE.search(inner) and any(not _NEWLINE.search(text[p.start : p.end]) for p in parents):
        return text[: node.start] + json.dumps(value, ensure_ascii=False) + text[node.end :]
    indent = _line_indent(text, node.start)
    block = _several(value, unit, newline, indent)
    if bare:
        return text[: node.start] + block + text[node.end :]
    rest = text[node.tail : node.end - 1]
    close = rest if _NEWLINE.search(rest) else newline + indent
    return text[: node.tail] + block[1:].removesuffix("}").rstrip(" \t\r\n") + close + text[node.end - 1 :]


def _replace(text: str, member: Member, value: Any) -> str:
    old = text[member.value.start : member.value.end]
    new = json.dumps(value, ensure_ascii=False)
    if _NEWLINE.search(old):
        indent = _line_indent(text, member.start)
        inner = re.search(r"[\r\n]([ \t]+)", old)
        unit = inner[1].removeprefix(indent) if inner else ""
        new = _several(value, unit or "  ", _newline(text), indent)
    return text[: member.value.start] + new + text[member.value.end :]


def _cut(text: str, node: Node, member: Member) -> str:
    members = node.members or ()
    index = members.index(member)
    comma = members[index - 1].comma if index else None
    since = node.start + 1 if comma is None else comma + 1
    start, end = member.start - len(_blank_before(text, member.start)), member.value.end
    cuts = [(start, end)]
    if member.comma is not None:
        cuts.append((member.comma, member.comma + 1))
    elif comma is not None:
        cuts.append((comma, comma + 1))
    if len(members) == 1 and not text[since:start].strip() and not text[end : node.end - 1].strip(" \t\r\n,"):
        cuts = [(since, node.end - 1)]
    elif (COMMENT.findall(text[since:start]) or [""])[-1].startswith("//"):
        after = text[end if member.comma is None else member.comma + 1 :]
        if not re.match(r"[ \t]*[\r\n]", after):
            cuts[0] = (member.start, end)  # else the comment would swallow what follows
    for start, end in sorted(cuts, reverse=True):
        text = text[:start] + text[end:]
    return text


def _checked(text: str, wanted: Any, comments: bool) -> str:
    """The edit, if it did what it should: files of people are not to be spoilt by a case nobody thought of."""
    if parse(text, comments=comments).value != wanted:
        raise ConnectProblem("this file is laid out in a way that cannot be edited safely; add the entry by hand")
    return text


def _with(tree: Any, path: Sequence[str], value: Any) -> Any:
    key, *rest = path
    return {**tree, key: _with(tree.get(key, {}), rest, value) if rest else value}


def _without(tree: Any, path: Sequence[str]) -> Any:
    key, *rest = path
    if rest:
        return {**tree, key: _without(tree[key], rest)}
    return {name: value for name, value in tree.items() if name != key}


def _named(key: str, value: str) -> str:
    return f"{json.dumps(key, ensure_ascii=False)}: {value}"


def _several(value: Any, unit: str, newline: str, indent: str) -> str:
    """JSON over several lines; the first is not indented."""
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", newline + indent)


def _newline(text: str) -> str:
    found = _NEWLINE.search(text)
    return found[0] if found else "\n"


def _unit(text: str, root: Node) -> str:
    """One step of indentation: that of the root's first member, else two spaces."""
    first = root.members[0].start if root.members else root.start
    step = _line_indent(text, first).removeprefix(_line_indent(text, root.start))
    return step or "  "


def _line_indent(text: str, at: int) -> str:
    line = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    found = re.match(r"[ \t]*", text[line:at].removeprefix(BOM))
    return found[0] if found else ""


def _blank_before(text: str, at: int) -> str:
    return text[len(text[:at].rstrip(" \t\r\n")) : at]
