"""New apps and suites: a few files that work at once, to be changed from there.

In a checkout of this project they are a folder `servers/<name>` or `benchmarks/<name>`; anywhere else a
package of their own, which joins in through an entry point once it is installed.
"""

from __future__ import annotations

import importlib.util
import json
import keyword
import re
import shutil
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

import jinja2

from harness.core import task_files
from harness.core.writing import create
from harness.scaffold.surface import surface
from servers.kernel import App

__all__ = ("Kind", "ScaffoldProblem", "checkout", "scaffold")

Kind = Literal["app", "suite"]

LONGEST: Final = 30
"""Letters of a name: models see `<app>_<tool>`, which may have 64."""

_TAKEN: Final = {"app": ("kernel", "catalog", "user"), "suite": ()}
_SHAPE: Final = {
    "app": (
        re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*"),
        "lower-case letters, digits and single underscores: leave_requests",
    ),
    "suite": (
        re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*"),
        "lower-case letters, digits and single hyphens: leave-requests",
    ),
}
_ONE: Final = {"app": "an app", "suite": "a suite"}
_GROUP: Final = {"app": "workplace_harness.apps", "suite": "workplace_harness.suites"}


class ScaffoldProblem(Exception):
    """A folder that cannot be written as asked; the text says why, and what would be right."""


def scaffold(kind: Kind, name: str, into: Path) -> list[Path]:
    """Write a new app or suite and return its files, in order.

    In a checkout of this project (`into` or a folder above it) that is a folder there, elsewhere a package
    `into/<name>`. Raises `ScaffoldProblem`, and then nothing was written: for a name that cannot be one, and
    where something is in the way.
    """
    _check(kind, name)
    if not into.is_dir():
        raise ScaffoldProblem(f"{into} is not a folder")
    home = checkout(into)
    files = _in_checkout(kind, name, home) if home else _package(kind, name, into)
    folder = home / ("servers" if kind == "app" else "benchmarks") / _module(name) if home else into / name
    for place in (folder, *files):
        if place.exists() or place.is_symlink():
            raise ScaffoldProblem(f"{place} exists already; choose another name, or remove it")
    made: list[Path] = []
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            create(path, text)
            made.append(path)
    except OSError as error:
        for path in made:
            path.unlink()
        shutil.rmtree(folder, ignore_errors=True)
        raise ScaffoldProblem(f"{path} cannot be written: {error.strerror}") from None
    return list(files)


def checkout(place: Path) -> Path | None:
    """The checkout of this project that a folder lies in, if it does."""
    for folder in (place.resolve(), *place.resolve().parents):
        if (folder / "servers" / "kernel").is_dir() and (folder / "pyproject.toml").is_file():
            project: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
            if project.get("project", {}).get("name") == "workplace-harness":
                return folder
    return None


def _check(kind: Kind, name: str) -> None:
    shape, example = _SHAPE[kind]
    if not shape.fullmatch(name):
        raise ScaffoldProblem(f"{name!r} is not a valid name for {_ONE[kind]}: use {example}")
    if len(name) > LONGEST:
        raise ScaffoldProblem(f"{name!r} is too long a name for {_ONE[kind]}: {LONGEST} characters at most")
    if name in _TAKEN[kind] or keyword.iskeyword(name):
        raise ScaffoldProblem(f"{name!r} is reserved; choose another name for the {kind}")


def _in_checkout(kind: Kind, name: str, home: Path) -> dict[Path, str]:
    if kind == "app":
        text = _rendered("app.py.j2", _words(name))
        reviewed = home / "tests" / "contracts" / "surfaces" / f"{name}.json"
        return {home / "servers" / name / "__init__.py": text, reviewed: surface(_app(name, text))}
    module = _module(name)
    config = f"configs/{name}.yaml"
    values = _words(name) | {"module": f"benchmarks.{module}", "config": config}
    folder = home / "benchmarks" / module
    return {
        folder / "__init__.py": _rendered("suite_init.py.j2", values),
        folder / "suite.py": _rendered("suite.py.j2", values),
        folder / "README.md": _rendered("suite_readme.md.j2", values),
        home / config: _rendered("config.yaml.j2", values),
    }


def _package(kind: Kind, name: str, into: Path) -> dict[Path, str]:
    words = _words(name)
    module = f"{_module(name)}_{kind}"
    folder, inner = into / name, into / name / module
    values = words | {
        "module": module,
        "distribution": f"workplace-{kind}-{name.replace('_', '-')}",
        "description": f"The {kind} {name} for workplace-harness",
        "group": _GROUP[kind],
        "value": module if kind == "app" else f"{module}:suites",
        "config": f"{name}/{name}.yaml",
    }
    files = {folder / "pyproject.toml": "pyproject.toml.j2", folder / "README.md": f"{kind}_readme.md.j2"}
    if kind == "app":
        files |= {inner / "__init__.py": "app.py.j2"}
    else:
        files |= {inner / "__init__.py": "suite_init.py.j2", inner / "suite.py": "suite.py.j2"}
        files |= {folder / f"{name}.yaml": "config.yaml.j2"}
    files |= {folder / "tests" / f"test_{module}.py": f"{kind}_test.py.j2"}
    texts = {path: _rendered(template, values) for path, template in files.items()}
    if kind == "suite":
        texts[inner / task_files.TASK_SCHEMA] = json.dumps(task_files.schema(), indent=2) + "\n"
    return texts


def _module(name: str) -> str:
    return name.replace("-", "_")


def _words(name: str) -> dict[str, str]:
    words = re.sub("[-_]", " ", name)
    return {"name": name, "words": words, "title": words.capitalize()}


def _rendered(template: str, values: Mapping[str, str]) -> str:
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False, keep_trailing_newline=True)
    text = (Path(__file__).parent / template).read_text(encoding="utf-8")
    return environment.from_string(text).render(values)


def _app(name: str, text: str) -> App:
    """The app that a module of this text exposes."""
    spec = importlib.util.spec_from_loader(f"servers.{name}", loader=None)
    assert spec is not None, "a spec without a finder is always made"
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # pydantic looks there for the names that a table's annotations use
    try:
        exec(compile(text, f"servers/{name}/__init__.py", "exec"), module.__dict__)
    finally:
        del sys.modules[spec.name]
    found: App = module.__dict__["app"]
    return found
