"""Places in a config's file of what is found out only once its suite is there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness.core.config import ConfigProblem
from harness.core.overrides import Overrides
from harness.core.suite import SuiteError
from harness.core.yaml_file import Tree, begins, parsed
from servers.kernel import Fault

__all__ = ("placed",)


@contextmanager
def placed(path: Path, overrides: Overrides = Overrides()) -> Iterator[None]:
    """Has an error about a config that was read from a file say where in it, as those found by reading do.

    One about an option of the command line names that; one about nothing in the file stays as it is.
    """
    try:
        yield
    except (ConfigProblem, SuiteError, Fault) as error:  # a fault: a model that cannot be asked
        text = str(error)
        if getattr(overrides, text.partition(":")[0], None) is not None:
            error.args = (f"--{text}",)
        elif path.is_file():  # a pipe cannot be read again
            told = _told(text, parsed(path), str(getattr(error, "model", "")))
            error.args = (f"{path}:{told}" if told else text,)
        raise


def _told(text: str, tree: Tree, model: str) -> str | None:
    """The line and what is said there, None where nothing in the file is meant."""
    if where := begins(text, tree.lines):
        return f"{tree.lines[where]}: {text}"
    config: Mapping[str, Any] = tree.value
    for number, agent in enumerate(config.get("agents") or ()):
        name = agent.get("name") or agent.get("model") or agent["kind"]
        if text.startswith(f"agent {name}: "):
            return f"{tree.lines['agents', number]}: {text}"
    for where in tree.lines:
        if model and where[-1:] == ("model",) and _at(config, where) == model:
            return f"{tree.lines[where[:-1]]}: {'.'.join(map(str, where[:-1]))}: {text}"
    for number, task in enumerate(config.get("tasks") or ()):
        if f"no task {task!r}" in text:
            return f"{tree.lines['tasks', number]}: tasks.{number}: {text}"
    return f"{tree.lines['suite',]}: suite: {text}" if f"suite is named {config['suite']!r}" in text else None


def _at(value: Any, where: tuple[str | int, ...]) -> Any:
    for step in where:
        value = value[step]
    return value
