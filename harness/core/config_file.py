"""Reads an experiment's YAML file; every problem names file, line and field, and what would be right.

An overlay may stand in a file of its own that the config names; its content takes the place of its path, as if it had
been written there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from harness.core.config import ConfigProblem, Overlay, RunConfig
from harness.core.config_problems import validated
from harness.core.overrides import Overrides, overridden
from harness.core.yaml_file import MOST_VALUES, TOO_MANY, Tree, Where, dotted, held, parse, parsed, read_text

__all__ = ("checked", "fitted", "load", "settings")

Model = TypeVar("Model", bound=BaseModel)


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
            f"{path}: a config is a mapping with at least `suite` and `agents`; this file holds {held(data)}"
        )
    if data.get("tasks") == []:
        raise ConfigProblem(f"{path}:{tree.lines['tasks',]}: tasks: an empty list; leave it out to play all tasks")
    _read_overlays(path, tree)
    if agents is not None:
        data = {**data, "agents": [*agents]}
    named = {**data, "name": path.stem} if data.get("name") in (None, "") else data
    return overridden(path, validated(RunConfig, path, named, tree.lines), overrides)


def checked(given: Mapping[str, Any], where: Path = Path("config")) -> RunConfig:
    """The config that values make; `where` is what a problem is told of. Raises `ConfigProblem`."""
    return fitted(RunConfig, given, where)


def fitted(model: type[Model], given: Mapping[str, Any], where: Path) -> Model:
    """The settings of any kind that values make; the rest as `checked`."""
    return validated(model, where, dict(given), {})


def settings(path: Path, model: type[Model], given: Mapping[str, Any] = {}) -> Model:
    """Settings of another kind than a run's, from a YAML file; `given` on the command line comes before the file's.

    Raises `ConfigProblem`.
    """
    tree = parsed(path)
    if not isinstance(tree.value, dict):
        known = ", ".join(model.model_fields)
        raise ConfigProblem(f"{path}: it has to be a mapping with any of {known}; this file holds {held(tree.value)}")
    return validated(model, path, {**tree.value, **given}, tree.lines, given)


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
            if size > MOST_VALUES:
                raise ConfigProblem(f"{_place(path, tree, (*here, app))}: {TOO_MANY}, those of {file} included")
            overlays[app] = read[file].value


def _overlay(path: Path, named: str) -> Tree:
    """One overlay in a file; `named` is the place in the config that names it. Raises `ConfigProblem`."""
    try:
        text = read_text(path)
    except ConfigProblem as problem:
        raise ConfigProblem(f"{named}: {problem}") from None
    tree = parse(path, text)
    if not isinstance(tree.value, dict):
        known = ", ".join(Overlay.model_fields)
        raise ConfigProblem(f"{path}: an overlay is a mapping with any of {known}; this file holds {held(tree.value)}")
    validated(Overlay, path, tree.value, tree.lines)
    return tree


def _place(path: Path, tree: Tree, where: Where) -> str:
    return f"{path}:{tree.lines[where]}: {dotted(where)}"
