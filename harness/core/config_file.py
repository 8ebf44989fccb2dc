"""Reads an experiment's YAML file; every problem names file, line and field, and what would be right.

YAML as version 1.2 has it: `off`, `no` and `12:30` are text, `true` and `false` the only booleans. An overlay may stand
in a file of its own that the config names; its content takes the place of its path, as if it had been written there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError

from harness.core.agent_config import no_url
from harness.core.config import (
    CommandConfig,
    ConfigProblem,
    FunctionConfig,
    IdleConfig,
    LlmConfig,
    OracleConfig,
    Overlay,
    ReferenceConfig,
    RunConfig,
    user_settings,
)
from harness.core.validation import unechoed

__all__ = (
    "KINDS", "Overrides", "Tree", "begins", "checked", "fitted", "load", "near", "overridden", "parsed",
    "read_text", "settings",
)  # fmt: skip

Where = tuple[str | int, ...]
Model = TypeVar("Model", bound=BaseModel)

_MOST_VALUES = 100_000
"""Values in a config and the files that it names; a few aliases of aliases stand for more than memory holds."""

_TOO_MANY = f"more than {_MOST_VALUES:,} values"

KINDS: Mapping[str, type[BaseModel]] = {
    "idle": IdleConfig,
    "oracle": OracleConfig,
    "reference": ReferenceConfig,
    "llm": LlmConfig,
    "command": CommandConfig,
    "function": FunctionConfig,
}


@dataclass(frozen=True, kw_only=True)
class Overrides:
    """What the command line changes in a config; None leaves it as the file has it.

    `agent` is the name of a configured agent or a kind. `model` plays a model instead: with the
    settings of the file's llm agent where it has exactly one. `api_base` is where the one model that plays is served.
    """

    agent: str | None = None
    model: str | None = None
    api_base: str | None = None
    trials: int | None = None
    seed: int | None = None
    scale: int | None = None
    transport: str | None = None


def load(
    path: Path, overrides: Overrides = Overrides(), agents: Sequence[Mapping[str, Any]] | None = None
) -> RunConfig:
    """The config in a file, named after it unless it names itself. Raises `ConfigProblem`.

    `agents` take the place of the file's, which then need not have any.
    """
    tree = parsed(path)
    data = tree.value
    if not isinstance(data, dict):
        raise ConfigProblem(
            f"{path}: a config is a mapping with at least `suite` and `agents`; this file holds {_held(data)}"
        )
    if data.get("tasks") == []:
        raise ConfigProblem(f"{path}:{tree.lines['tasks',]}: tasks: an empty list; leave it out to play all tasks")
    _read_overlays(path, tree)
    if agents is not None:
        data = {**data, "agents": [*agents]}
    named = {**data, "name": path.stem} if data.get("name") in (None, "") else data
    return overridden(path, _validate(RunConfig, path, named, tree.lines), overrides)


def checked(given: Mapping[str, Any], where: Path = Path("config")) -> RunConfig:
    """The config that values make; `where` is what a problem is told of. Raises `ConfigProblem`."""
    return fitted(RunConfig, given, where)


def fitted(model: type[Model], given: Mapping[str, Any], where: Path) -> Model:
    """The settings of any kind that values make; the rest as `checked`."""
    return _validate(model, where, dict(given), {})


def settings(path: Path, model: type[Model], given: Mapping[str, Any] = {}) -> Model:
    """Settings of another kind than a run's, from a YAML file; `given` on the command line comes before the file's.

    Raises `ConfigProblem`.
    """
    tree = parsed(path)
    if not isinstance(tree.value, dict):
        known = ", ".join(model.model_fields)
        raise ConfigProblem(f"{path}: it has to be a mapping with any of {known}; this file holds {_held(tree.value)}")
    return _validate(model, path, {**tree.value, **given}, tree.lines, given)


def overridden(path: Path, config: RunConfig, overrides: Overrides) -> RunConfig:
    """The config of that file as the command line changes it. Raises `ConfigProblem`."""
    changed = _override(config, overrides)
    return config if changed == {} else _validate(RunConfig, path, {**config.model_dump(), **changed}, {}, changed)


def near(word: str, known: Iterable[str]) -> str:
    """` Did you mean ...?`, or an empty string when nothing known is close."""
    found = get_close_matches(word, list(known), n=3, cutoff=0.6)
    return f" Did you mean {' or '.join(repr(match) for match in found)}?" if found else ""


# YAML to values, with a line for each.


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
    return _parsed(path, read_text(path))


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


def _parsed(path: Path, text: str) -> Tree:
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
        if self.size > _MOST_VALUES:
            raise self._problem(node, where, f"{_TOO_MANY}, those that aliases repeat included")
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
        field = f" {_dotted(where)}:" if where else ""
        return ConfigProblem(f"{self.path}:{node.start_mark.line + 1}:{field} {what}")


# Overlays from files of their own.


def _read_overlays(path: Path, tree: Tree) -> None:
    """Put the content of each file that a condition names for an app's overlay in the place of its path."""
    conditions, size = tree.value.get("conditions"), tree.size
    read: dict[str, Tree] = {}
    for name, condition in conditions.items() if isinstance(conditions, dict) else ():
        overlays = condition.get("overlays") if isinstance(condition, dict) else None
        here = ("conditions", name, "overlays")
        if isinstance(overlays, str):
            what = f"maps apps to overlays, or to their files; write `{{APP: {overlays}}}`"
            raise ConfigProblem(f"{_place(path, tree, here)}: {what}")
        if not isinstance(overlays, dict):
            continue
        for app, file in overlays.items():
            if not isinstance(file, str):
                continue
            if file not in read:
                read[file] = _overlay(path.parent / file, _place(path, tree, (*here, app)))
            size += read[file].size
            if size > _MOST_VALUES:
                raise ConfigProblem(f"{_place(path, tree, (*here, app))}: {_TOO_MANY}, those of {file} included")
            overlays[app] = read[file].value


def _overlay(path: Path, named: str) -> Tree:
    """One overlay in a file; `named` is the place in the config that names it. Raises `ConfigProblem`."""
    try:
        text = read_text(path)
    except ConfigProblem as problem:
        raise ConfigProblem(f"{named}: {problem}") from None
    tree = _parsed(path, text)
    if not isinstance(tree.value, dict):
        known = ", ".join(Overlay.model_fields)
        raise ConfigProblem(f"{path}: an overlay is a mapping with any of {known}; this file holds {_held(tree.value)}")
    _validate(Overlay, path, tree.value, tree.lines)
    return tree


def _place(path: Path, tree: Tree, where: Where) -> str:
    return f"{path}:{tree.lines[where]}: {_dotted(where)}"


# Values to a config.


def _held(value: Any) -> str:
    return "nothing" if value is None else "a list" if isinstance(value, list) else "a single value"


def _validate(
    model: type[Model], path: Path, data: dict[str, Any], lines: Mapping[Where, int], given: Iterable[str] = ()
) -> Model:
    try:
        return model.model_validate(data, context={"folder": path.parent})
    except ValidationError as error:
        problems = [_explain(model, path, data, lines, frozenset(given), each) for each in unechoed(error)]
        raise ConfigProblem("\n".join(problems)) from None


def _explain(
    model: type[BaseModel], path: Path, data: Any, lines: Mapping[Where, int], given: frozenset[str], error: Any
) -> str:
    where, loc, value = _where(data, error["loc"]), error["loc"], error["input"]
    line = next((lines[where[:n]] for n in range(len(where), -1, -1) if where[:n] in lines), None)
    source = f"--{where[0]}" if where and where[0] in given else f"{path}:{line}" if line else f"{path}"
    match error["type"]:
        case "extra_forbidden":
            fields = _fields(model, loc[:-1], data)
            what = f"no such setting.{near(str(loc[-1]), fields)} Known: {', '.join(fields)}."
        case "missing":
            where, what = (*where, str(loc[-1])), "is required and missing"
        case "union_tag_not_found" | "model_attributes_type":
            what = f"an agent is a mapping with a `kind`, one of {', '.join(KINDS)}"
        case "union_tag_invalid":
            kind = str(value["kind"])
            where, what = (
                (*where, "kind"),
                f"{kind!r} is not a kind of agent.{near(kind, KINDS)} Known: {', '.join(KINDS)}.",
            )
        case "user_kind":
            known = error["ctx"]["known"]
            what = f"{value!r:.60} is not a kind of user.{near(str(value), known)} Known: {', '.join(known)}."
        case "user_plugin":
            what = error["msg"]
        case "literal_error":
            expected = str(error["ctx"]["expected"])
            close = near(str(value), re.findall("'([^']*)'", expected))
            what = f"{value!r:.60} is not allowed; write {expected}.{close}"
        case "model_type" | "dict_type":
            what = f"must be a mapping, not {value!r:.60}"
        case "tuple_type":
            what = f"must be a list, not {value!r:.60}"
        case "too_short":
            what = "needs at least one"
        case "value_error":
            what = str(error["ctx"]["error"])
        case _:
            what = f"{error['msg'][:1].lower()}{error['msg'][1:]}, not {value!r:.60}"
    told = f"{_dotted(where)}: {what}" if where else what
    if error["type"] == "value_error":  # one about several settings begins with the one that it would have mended
        inner = f"{_dotted(where)}.{what}" if where else what
        place = begins(inner, lines)
        if len(place) > len(where):
            source, told = f"{path}:{lines[place]}", inner
    return f"{source}: {told}"


def begins(text: str, lines: Mapping[Where, int]) -> Where:
    """The narrowest place in a file that a text begins with the path of; () where it begins with none."""
    places = (where for where in lines if where and text.startswith((f"{_dotted(where)}:", f"{_dotted(where)}.")))
    return max(places, key=len, default=())


def _where(data: Any, loc: Sequence[str | int]) -> Where:
    """Pydantic's location as a path into the data: without the kind that it has after an agent, and what is missing."""
    where: Where = ()
    for step in (*loc[:2], *loc[3:]) if loc[:1] == ("agents",) else loc:  # `command` is a setting too
        inside = data if isinstance(data, dict) else dict(enumerate(data)) if isinstance(data, list) else {}
        if step in inside:
            where, data = (*where, step), inside[step]
    return where


def _fields(model: type[BaseModel], loc: Sequence[str | int], data: Any) -> list[str]:
    """What the model at pydantic's location `loc` in another has for settings."""
    at = 2 if loc[:1] == ("conditions",) else 0
    if loc[at : at + 1] == ("user",):
        of = data["conditions"][loc[1]] if at else data
        annotation: Any = user_settings(of["user"].get("kind", "grounded"), of["user"])
        loc = loc[at + 1 :]
    else:
        annotation = model
    for step in loc:
        models = list(_models(annotation))
        if len(models) > 1:
            annotation = KINDS[str(step)]
        elif models:
            annotation = models[0].model_fields[str(step)].annotation
        else:
            annotation = next(arg for arg in reversed(get_args(annotation)) if arg is not Ellipsis)
    return list(next(_models(annotation)).model_fields)


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """Models that a value of this annotation may be, looking into unions but not into containers."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif get_origin(annotation) not in (dict, tuple, list, Literal, None):
        for inner in get_args(annotation):
            yield from _models(inner)


def _dotted(where: Where) -> str:
    return ".".join(map(str, where))


# What the command line changes.


def _override(config: RunConfig, overrides: Overrides) -> dict[str, Any]:
    changed: dict[str, Any] = {
        name: value
        for name, value in (
            ("trials", overrides.trials), ("seed", overrides.seed), ("scale", overrides.scale),
            ("transport", overrides.transport),
        )
        if value is not None
    }  # fmt: skip
    if overrides.agent is not None or overrides.model is not None:
        changed["agents"] = _agents(config, overrides.agent, overrides.model)
    if overrides.api_base is not None:
        agents = changed.get("agents") or [each.model_dump() for each in config.agents]
        changed["agents"] = _served_at(overrides.api_base, agents)
    return changed


def _served_at(url: str, agents: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    models = [str(each["name"]) for each in agents if each["kind"] == "llm"]
    if problem := no_url(url):
        raise ConfigProblem(f"--api-base: {problem}")
    if not models:
        raise ConfigProblem("--api-base: says where a model is served, but no model plays; name one with --model")
    if len(models) > 1:
        raise ConfigProblem(f"--api-base: applies to one model, but {', '.join(models)} play; choose one with --agent")
    return [{**each, "api_base": url} if each["kind"] == "llm" else each for each in agents]


def _agents(config: RunConfig, agent: str | None, model: str | None) -> list[dict[str, Any]]:
    """The agents that play instead of the file's: those named, those of the kind, or one new of the kind."""
    every = [each.model_dump() for each in config.agents]
    if agent is None:
        chosen = [each for each in every if each["kind"] == "llm"]
    else:
        chosen = [each for each in every if each["name"] == agent] or [each for each in every if each["kind"] == agent]
        if not chosen and agent not in KINDS:
            known = list(dict.fromkeys([*(each["name"] for each in every), *KINDS]))
            raise ConfigProblem(
                f"--agent {agent}: no agent has that name or kind.{near(agent, known)} Known: {', '.join(known)}."
            )
    if model is None:
        if not chosen and agent == "llm":
            raise ConfigProblem(
                "--agent llm: say which model, with --model (as LiteLLM names it, such as openai/gpt-5)"
            )
        return chosen or [{"kind": agent}]
    if agent not in (None, "llm") and not any(each["kind"] == "llm" for each in chosen):
        raise ConfigProblem(
            f"--model {model}: goes with an llm agent, not with --agent {agent}; leave one of the two out"
        )
    settings = chosen[0] if len(chosen) == 1 else {"kind": "llm", "model": model}
    price = settings.get("price") if settings["model"] == model else None
    return [{**settings, "model": model, "name": model, "price": price}]
