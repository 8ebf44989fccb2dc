"""A YAML file as values, with the line of each; every problem names file and line.

YAML as version 1.2 has it: `off`, `no` and `12:30` are text, `true` and `false` the only booleans.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from harness.core.config import ConfigProblem
from harness.core.near import near

__all__ = ("MOST_VALUES", "TOO_MANY", "Tree", "Where", "begins", "dotted", "held", "parse", "parsed", "read_text")

Where = tuple[str | int, ...]

MOST_VALUES = 100_000
"""Values in a config and the files that it names; a few aliases of aliases stand for more than memory holds."""

TOO_MANY = f"more than {MOST_VALUES:,} values"


class _Loader(yaml.SafeLoader):
    """PyYAML's parser with the scalars of YAML 1.2."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 (as types-PyYAML declares it)


class _Quick(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The same by LibYAML, ten times as fast, where PyYAML has it."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012


_SCALARS: Sequence[tuple[str, str]] = (
    ("null", r"~|null|Null|NULL|"),
    ("bool", r"true|True|TRUE|false|False|FALSE"),
    ("int", r"[-+]?[0-9]+"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"),
)
for _tag, _pattern in _SCALARS:
    for _loader in (_Loader, _Quick):
        _loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"(?:{_pattern})\Z"), None)


class Tree(NamedTuple):
    """What a file holds, on which line each part stands, and how many values that are."""

    value: Any
    lines: dict[Where, int]
    size: int


def parsed(path: Path) -> Tree:
    """What a YAML file holds, with the line of each part. Raises `ConfigProblem`."""
    return parse(path, read_text(path))


def read_text(path: Path) -> str:
    """What a file says, in UTF-8. Raises `ConfigProblem`, with the line where it is something else."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        beside = [other.name for other in path.parent.glob("*.yaml")] if path.parent.is_dir() else []
        raise ConfigProblem(f"{path}: there is no such file.{near(path.name, beside)}") from None
    except OSError as error:
        raise ConfigProblem(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise ConfigProblem(f"{path}:{line}: not UTF-8 text (byte {error.start}); save the file as UTF-8") from None
    except ValueError:
        raise ConfigProblem(f"{str(path)!r}: no file can have such a name") from None


def parse(path: Path, text: str) -> Tree:
    """What a text of that file holds; the rest as `parsed`."""
    try:
        try:
            node = yaml.compose(text, _Quick)
        except yaml.YAMLError:  # told by the other, in the same words on every machine
            node = yaml.compose(text, _Loader)
        reader = _Reader(path)
        value = None if node is None else reader.read(node, ())
        return Tree(value, reader.lines, reader.size)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = ", ".join(part for part in (error.context, error.problem) if part)
        raise ConfigProblem(f"{path}:{mark.line + 1 if mark else 1}: not valid YAML: {problem}") from None
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        raise ConfigProblem(
            f"{path}:{line}: not valid YAML: the character {error.character!r} is not allowed"
        ) from None
    except RecursionError:
        raise ConfigProblem(f"{path}: nested too deeply to be a config") from None


class _Reader:
    """Turns nodes into values and notes where each one stands."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: dict[Where, int] = {}
        self._open: list[yaml.Node] = []
        self.size = 0

    def read(self, node: yaml.Node, where: Where) -> Any:
        self.size += 1
        if self.size > MOST_VALUES:
            raise self._problem(node, where, f"{TOO_MANY}, those that aliases repeat included")
        self.lines.setdefault(where, node.start_mark.line + 1)
        if any(node is outer for outer in self._open):
            raise self._problem(node, where, "an alias may not contain itself")
        self._open.append(node)
        try:
            if isinstance(node, yaml.MappingNode):
                return self._mapping(node, where)
            if isinstance(node, yaml.SequenceNode):
                return [self.read(item, (*where, place)) for place, item in enumerate(node.value)]
            return self._scalar(node, where)
        finally:
            self._open.pop()

    def _mapping(self, node: yaml.MappingNode, where: Where) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, item in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise self._problem(key, where, "a key is plain text, not a list or mapping")
            name = str(key.value)
            here = (*where, name)
            if name in found:
                raise self._problem(key, here, f"given twice; the first is on line {self.lines[here]}")
            self.lines[here] = key.start_mark.line + 1
            found[name] = self.read(item, here)
        return found

    def _scalar(self, node: yaml.Node, where: Where) -> Any:
        kind, text = node.tag.removeprefix("tag:yaml.org,2002:"), node.value
        match kind:
            case "null":
                return None
            case "bool":
                return text.lower() == "true"
            case "int" | "float":
                try:
                    return int(text) if kind == "int" else float(text)
                except ValueError:
                    raise self._problem(node, where, f"{text!r:.40} is not a usable number") from None
            case "str":
                return text
        raise self._problem(node, where, f"the tag {node.tag!r} is not supported; write the value plainly")

    def _problem(self, node: yaml.Node, where: Where, what: str) -> ConfigProblem:
        field = f" {dotted(where)}:" if where else ""
        return ConfigProblem(f"{self.path}:{node.start_mark.line + 1}:{field} {what}")


def begins(text: str, lines: Iterable[Where]) -> Where:
    """The narrowest place in a file that a text begins with the path of; () where it begins with none."""
    places = (where for where in lines if where and text.startswith((f"{dotted(where)}:", f"{dotted(where)}.")))
    return max(places, key=len, default=())


def dotted(where: Where) -> str:
    """A place as people write it: `conditions.asking.user`."""
    return ".".join(map(str, where))


def held(value: Any) -> str:
    """What a file holds that should hold a mapping."""
    return "nothing" if value is None else "a list" if isinstance(value, list) else "a single value"
