"""What others name of this project is there: modules, names and files, as docs, examples and templates have them."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name

import pytest

from harness import wiring
from harness.core import users
from servers import catalog

ROOT = Path(__file__).parents[1]

PUBLIC = (
    "harness", "harness.suite", "harness.task", "harness.task_files", "harness.score", "harness.trajectory",
    "harness.live", "harness.stub", "harness.service", "harness.contracts", "harness.audit", "harness.pytest_plugin",
    "harness.schemas", "harness.user",
)  # fmt: skip
"""Modules that others import from. Everything else in `harness/` may move."""

FOR_AUTHORS = (*PUBLIC, "servers.kernel")
"""Where what docs and templates show to authors of apps and suites is imported from."""

WRITTEN = sorted(
    path
    for pattern in (
        "README.md", "CONTRIBUTING.md", "Makefile", "pyproject.toml", "docs/**/*.md", "benchmarks/**/README.md",
        "configs/*.yaml", "examples/**/*", "harness/scaffold/*.j2", "bundle/*",
    )
    for path in ROOT.glob(pattern)
    if path.is_file() and path.suffix not in {".pyc", ".jsonl"} and "node_modules" not in path.parts
)  # fmt: skip

MADE_UP = {"docs/plan.md"}
"""Paths that docs tell of and that are no files of this project."""

_ROOMS = "harness|servers|benchmarks|userssim"
_DOTTED = re.compile(rf"\b(?:{_ROOMS}|tests)(?:\.[A-Za-z_]\w*)+(?::[A-Za-z_]\w*)?")
_IMPORT = re.compile(rf"^\s*from ((?:{_ROOMS})\b[\w.]*) import (\([^)]*\)|[^\n#]*)", re.MULTILINE)
_PATH = re.compile(rf"(?<![\w/.<-])(?:{_ROOMS}|tests|docs|configs|examples|bundle)/[\w./-]*")


def imported(text: str) -> list[tuple[str, str]]:
    """Module and name of each `from ... import ...` of this project in a text."""
    return [
        (module, name.partition(" as ")[0].strip())
        for module, names in _IMPORT.findall(text)
        for name in names.strip("()").split(",")
        if name.strip()
    ]


def named(text: str) -> list[str]:
    """Every module and every name in a module, as `a.b`, `a.b.C` or `a.b:c`."""
    return sorted({*_DOTTED.findall(text), *(f"{module}.{name}" for module, name in imported(text))})


def located(text: str) -> list[str]:
    """Every path of a file or folder, without those that stand for any."""
    found = {path.rstrip("./") for path in _PATH.findall(text)}
    return sorted(path for path in found - MADE_UP if "NAME" not in path)


def missing(name: str) -> bool:
    try:
        resolve_name(name)
    except (ImportError, AttributeError):
        return True
    return False


def lost(path: str, beside: Path) -> bool:
    """Whether it leads nowhere, be it read from the root or from the file that names it. `servers/catalog` is one."""
    return not any((folder / each).exists() for folder in (ROOT, beside) for each in (path, f"{path}.py"))


def titled(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("module", PUBLIC)
def test_a_public_module_has_all_that_it_offers(module: str) -> None:
    offered = import_module(module).__all__

    assert offered
    assert [name for name in offered if missing(f"{module}.{name}")] == []


@pytest.mark.parametrize("path", WRITTEN, ids=titled)
def test_every_name_that_is_written_down_resolves(path: Path) -> None:
    assert [name for name in named(path.read_text(encoding="utf-8")) if missing(name)] == []


@pytest.mark.parametrize("path", WRITTEN, ids=titled)
def test_every_path_that_is_written_down_leads_somewhere(path: Path) -> None:
    assert [each for each in located(path.read_text(encoding="utf-8")) if lost(each, path.parent)] == []


@pytest.mark.parametrize("path", WRITTEN, ids=titled)
def test_what_is_shown_to_authors_is_imported_from_public_modules(path: Path) -> None:
    modules = {module for module, _ in imported(path.read_text(encoding="utf-8"))}

    assert modules <= {*FOR_AUTHORS}


def test_much_is_written_down() -> None:
    texts = [path.read_text(encoding="utf-8") for path in WRITTEN]

    assert len({name for text in texts for name in named(text)}) >= 35
    assert len({path for text in texts for path in located(text)}) >= 40
    assert len({each for text in texts for each in imported(text)}) >= 20


def test_entry_points_lead_to_functions_and_modules() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    plugins = [target for group in project["entry-points"].values() for target in group.values()]

    assert project["scripts"]["harness"] == project["scripts"]["workplace-harness"] == "harness.cli:main"
    assert callable(resolve_name("harness.cli:main"))
    assert plugins == ["harness.pytest_plugin", "harness.interop.inspect_tasks"]
    assert [plugin for plugin in plugins if missing(plugin)] == []


def test_each_package_that_is_installed_is_marked_as_typed() -> None:
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    patterns = setup["packages"]["find"]["include"]
    packages = [each.parent for pattern in patterns for each in ROOT.glob(f"{pattern}/__init__.py")]

    assert len(packages) == len(patterns)
    assert "py.typed" in setup["package-data"]["*"]
    assert [each.name for each in packages if not (each / "py.typed").is_file()] == []


def test_the_entry_point_groups_that_are_written_down_are_those_that_are_read() -> None:
    texts = [*WRITTEN, ROOT / "harness" / "scaffold" / "__init__.py"]
    groups = {found for path in texts for found in re.findall(r"workplace_harness\.\w+", path.read_text("utf-8"))}

    assert groups == {catalog.GROUP, users.GROUP, wiring.GROUP}


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("see `harness.suite.Suite`", []),
        ("see `harness.suite.Sweet`.", ["harness.suite.Sweet"]),
        ("from harness.sweets import Suite", ["harness.sweets", "harness.sweets.Suite"]),
        ("    from harness.task import (\n    Task,\n    Tusk as T,\n)", ["harness.task.Tusk"]),
        ("`harness.cli:main` and harness.cli:mein", ["harness.cli:mein"]),
        ("python -m harness.skemas", ["harness.skemas"]),
    ],
)
def test_a_name_that_is_gone_is_seen(text: str, gone: list[str]) -> None:
    assert [name for name in named(text) if missing(name)] == gone


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("`servers/kernel/`, `servers/catalog` and [more](architecture.md).", []),
        ("`harness/core/tusk.py`, then (docs/nowhere.md)", ["docs/nowhere.md", "harness/core/tusk.py"]),
        ("`servers/NAME/__init__.py` and `benchmarks/<name>/`", []),
    ],
)
def test_a_path_that_is_gone_is_seen(text: str, gone: list[str]) -> None:
    assert [path for path in located(text) if lost(path, ROOT / "docs")] == gone
