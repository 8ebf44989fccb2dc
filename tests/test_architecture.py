"""The rules of the house, read from syntax trees: who imports whom, and what a file may be."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("servers", "harness", "benchmarks", "userssim")
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
HARNESS = [path for path in MODULES if path.is_relative_to(ROOT / "harness")]
EVERY = MODULES + sorted((ROOT / "tests").rglob("*.py"))

ONE_HOME = {
    "bashkit": {"servers/kernel/shell/bash.py", "servers/kernel/shell/calls.py"},
    # The second one runs in a child process, where what an agent writes in SQL cannot reach the engine.
    "duckdb": {"servers/kernel/database.py", "servers/sql/database.py"},
    "inspect_ai": {
        f"harness/interop/inspect_{name}.py"
        for name in ("events", "log", "messages", "options", "play", "sample", "scores", "tasks", "tools")
    },
    "litellm": {"harness/models/llm.py"},
    "pydantic_monty": {"harness/agents/codeact.py"},
    "mcp": {"harness/serving/serve.py", "harness/serving/host.py", "harness/serving/elicitation.py"},
    "mcp_types": {"harness/serving/serve.py", "harness/serving/links.py", "harness/serving/elicitation.py"},
    "starlette": {"harness/service/api.py", "harness/view/server.py"},
}
"""Libraries that only the named modules import; everything else goes through those."""

COMPOSITION = "harness/wiring/"
"""The one room that knows suites, users and agents at once."""


INSIDE = (
    "core", "record", "scoring", "models", "isolation", "serving", "play", "agents", "judging", "report", "view",
    "audit", "service", "connect", "contracts", "scaffold", "schemas", "wiring", "doctor", "capture", "front",
    "pytest_plugin", "interop", "cli", "__main__",
)  # fmt: skip
"""What `harness/` is made of. Each imports only what stands before it, at whatever moment."""

DOORS = ("__init__", "live", "score", "stub", "suite", "task", "task_files", "trajectory", "user")
"""Modules of `harness/` for others: they hold names of inner ones, which inside are imported where they are."""


class Import(NamedTuple):
    """One imported name: `at_start` if importing the module imports it too."""

    name: str
    line: int
    at_start: bool


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> tuple[Import, ...]:
    return tuple(_imports(parsed(path), path, at_start=True))


def _imports(node: ast.AST, path: Path, *, at_start: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, child.lineno, at_start) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            parents = path.relative_to(ROOT).parts[: -child.level] if child.level else ()
            module = ".".join([*parents, *([child.module] if child.module else [])])
            yield from (Import(f"{module}.{alias.name}", child.lineno, at_start) for alias in child.names)
        elif not isinstance(child, ast.expr):  # which holds no statement
            typing_only = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from _imports(child, path, at_start=at_start and not typing_only and not inside)


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def allowed(path: Path) -> tuple[str, ...]:
    """What a module may import from this project, as prefixes of module names."""
    room, *inner = path.relative_to(ROOT).parts
    if room == "servers":
        if inner[0] == "kernel":
            return ("servers.kernel",)
        own = () if len(inner) == 1 else (f"servers.{inner[0]}",)
        return ("servers.kernel", *own)
    if room == "userssim":
        return ("servers.kernel", "userssim")
    if room == "harness":
        return ROOMS if named(path).startswith(COMPOSITION) else ("servers", "harness")
    if inner[0] == "__init__.py":
        return ()
    return ("servers", "harness", f"benchmarks.{inner[0]}", *LEANS_ON.get(inner[0], ()))


def rises(path: Path, name: str) -> bool:
    """Whether an import leads to what stands behind the importing module in `INSIDE`, or to a door from inside."""
    room, inner = path.relative_to(ROOT).with_suffix("").parts[:2]
    target = [*name.split("."), ""][1]
    if room != "harness" or not name.startswith("harness.") or target == inner:
        return False
    return target in DOORS or (inner not in DOORS and INSIDE.index(target) > INSIDE.index(inner))


def leads_to(name: str) -> str:
    """The file that an import of this name reads; "" where it is none of the project's."""
    parts = name.split(".")
    while parts:
        whole = ROOT.joinpath(*parts)
        for path in (whole.with_suffix(".py"), whole / "__init__.py"):
            if path in _THERE:
                return named(path)
        parts.pop()
    return ""


_THERE = frozenset(MODULES)


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """Files of which each imports the one before it, the first at the end again; none where there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


LEANS_ON = {
    "composed": ("benchmarks.drift", "benchmarks.lhaw.leaks", "benchmarks.lhaw.rewrite"),
    "dbbench": ("benchmarks.drift.answers",),
    "drift": ("benchmarks.lhaw.leaks", "benchmarks.probe.pipeline", "userssim"),
    "lhaw": ("benchmarks.probe.pipeline", "benchmarks.workbench", "benchmarks.workflows", "userssim"),
    "pi": ("userssim",),
    "workflows": ("benchmarks.office",),
}
"""Benchmarks that build on others: composed makes Drift-Bench's faults over other suites and words them as LHAW does,
DBBench finds answers in a trial as Drift-Bench does, Drift-Bench looks for values
that are still there as LHAW does, keeps what models reply as PROBE's pipeline does and measures the user it plays with,
LHAW makes variants of WorkBench tasks and of workflows, keeps what models reply as PROBE's pipeline does and measures
the user it plays with, and workflows happen in the office."""


def test_imports_point_one_way() -> None:
    wrong = [
        f"{named(path)}:{each.line} imports {each.name}"
        for path in MODULES
        for each in imports(path)
        if each.name.partition(".")[0] in (*ROOMS, "tests")
        if not any(f"{each.name}.".startswith(f"{prefix}.") for prefix in allowed(path))
    ]

    assert wrong == []


def test_inside_the_harness_imports_point_one_way_too() -> None:
    wrong = [
        f"{named(path)}:{each.line} imports {each.name}"
        for path in HARNESS
        for each in imports(path)
        if rises(path, each.name)
    ]

    assert wrong == []


def test_everything_inside_the_harness_has_its_place() -> None:
    there = {path.relative_to(ROOT / "harness").with_suffix("").parts[0] for path in MODULES if "harness" in path.parts}

    assert there == {*INSIDE, *DOORS}


@pytest.mark.parametrize(
    ("module", "name", "wrong"),
    [
        ("harness/core/task.py", "harness.record.store.Run", True),
        ("harness/record/store.py", "harness.core.task.Task", False),
        ("harness/record/store.py", "harness.record.said.hidden", False),
        ("harness/service/routes.py", "harness.cli.main", True),
        ("harness/play/run.py", "harness.suite.Suite", True),
        ("harness/suite.py", "harness.core.suite.Suite", False),
        ("harness/play/run.py", "servers.kernel.State", False),
    ],
)
def test_an_arrow_the_other_way_is_seen(module: str, name: str, wrong: bool) -> None:
    assert rises(ROOT / module, name) is wrong


def test_no_files_import_each_other_in_a_circle() -> None:
    """Imports in functions and for types alone count too: they would hide a circle, and leave it there."""
    graph = {named(path): {leads_to(each.name) for each in imports(path)} - {"", named(path)} for path in MODULES}

    assert circle(graph) == []


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("harness.record.store.Run", "harness/record/store.py"),
        ("servers.kernel.State", "servers/kernel/__init__.py"),
        ("servers.catalog", "servers/catalog.py"),
        ("pydantic.BaseModel", ""),
    ],
)
def test_an_import_is_laid_to_the_file_that_it_reads(name: str, file: str) -> None:
    assert leads_to(name) == file


def test_a_circle_is_seen() -> None:
    assert circle({"one": {"two"}, "two": {"three"}, "three": {"one"}, "four": {"one"}}) == [
        "one",
        "three",
        "two",
        "one",
    ]
    assert circle({"one": {"two", "three"}, "two": {"three"}}) == []


BENCHMARKS = {path.parent.name for path in (ROOT / "benchmarks").glob("*/__init__.py")} - {"probe"}


def mentions(text: str) -> list[str]:
    """Benchmarks that a text of code names."""
    # An audit has probes, and a user's setting is called so: of that benchmark counts what can mean nothing else.
    probe = re.findall(r"benchmarks\.probe\b|\bprobe-\w+|\bprobe_workplace\w*", text)
    return [word for word in re.findall(r"\w+", text) if word in BENCHMARKS] + probe


def test_the_harness_names_no_benchmark_but_those_that_it_serves_first() -> None:
    found = []
    for path in HARNESS:
        tree = parsed(path)
        for node in ast.walk(tree):  # docstrings may cite papers and pages
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                node.body = [each for each in node.body if not (isinstance(each, ast.Expr) and _is_text(each.value))]
        found += [(named(path), line) for line in ast.unparse(tree).splitlines() if mentions(line)]
    for path in (ROOT / "harness").rglob("*.j2"):
        found += [(named(path), line) for line in path.read_text(encoding="utf-8").splitlines() if mentions(line)]

    served = f"{COMPOSITION}suites.py"
    assert found == [(served, "DEFAULT = 'office'"), (served, "FORMER = 'workbench-synth'")]


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@pytest.mark.parametrize("library", ONE_HOME)
def test_a_wrapped_library_is_imported_where_it_is_wrapped(library: str) -> None:
    users = {named(path) for path in MODULES if any(_is(each, library) for each in imports(path))}

    assert users == ONE_HOME[library], f"{library} belongs in {', '.join(sorted(ONE_HOME[library]))}"


def test_the_command_line_starts_light() -> None:
    heavy = ("litellm", "mcp", "mcp_types", "duckdb", "scipy", "numpy", "rich", "anyio")
    commands = [path for path in HARNESS if path.is_relative_to(ROOT / "harness" / "cli")]

    assert at_start(commands, heavy) == []


def test_importing_a_module_loads_no_slow_library() -> None:
    assert at_start(MODULES, ("litellm", "scipy", "numpy", "matplotlib")) == []


def at_start(paths: Sequence[Path], libraries: Sequence[str]) -> list[str]:
    """Where importing a module imports one of these libraries."""
    return [
        f"{named(path)}:{each.line} imports {each.name}"
        for path in paths
        for each in imports(path)
        if each.at_start and _is(each, *libraries)
    ]


def test_a_file_is_one_idea() -> None:
    assert [named(path) for path in EVERY if len(path.read_text(encoding="utf-8").splitlines()) > 600] == []


def test_a_module_says_what_it_is_and_what_it_offers() -> None:
    wrong = [f"{named(path)}: {what}" for path in MODULES for what in _unsaid(path, parsed(path))]

    assert wrong == []


def _unsaid(path: Path, tree: ast.Module) -> Iterator[str]:
    defined = {name for node in tree.body for name in _defines(node)}
    if "__getattr__" in defined:  # a door that imports what it offers when asked for it
        typed = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
        defined |= {name for block in typed for node in block.body for name in _defines(node)}

    if not ast.get_docstring(tree) and not (path.name == "__init__.py" and not tree.body):
        yield "it has no docstring"
    offered = _offered(tree)
    if offered is None and path.name != "__main__.py" and defined:
        yield "`__all__` is missing"
    if lacking := set(offered or ()) - defined:
        yield f"`__all__` names what it does not have: {', '.join(sorted(lacking))}"


def test_no_expression_gives_a_group_no_way_back() -> None:
    """Python before 3.11.5 matches `(...)*+` and `(?>...)` wrongly; `(?=(...))` and a reference do the same in all."""
    files = [path for room in ROOMS for end in ("py", "yaml", "json") for path in (ROOT / room).rglob(f"*.{end}")]
    wrong = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+|\(\?>")

    assert [named(path) for path in files if wrong.search(path.read_text(encoding="utf-8"))] == []


def test_what_make_quick_runs_is_there() -> None:
    """Of arguments of which one is not there pytest runs none."""
    listed = (ROOT / "tests" / "quick.txt").read_text(encoding="utf-8").split()

    assert [name for name in listed if not (ROOT / name.partition("::")[0]).is_file()] == []


def test_no_folder_with_tests_is_passed_over(pytestconfig: pytest.Config) -> None:
    folders = {folder for path in (ROOT / "tests").rglob("test_*.py") for folder in path.relative_to(ROOT).parents}
    passed_over = [
        str(folder)
        for folder in folders
        if any(fnmatch(folder.name, each) for each in pytestconfig.getini("norecursedirs"))
    ]

    assert sorted(passed_over) == []


def test_no_file_names_the_machine_it_was_made_on() -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if tracked.returncode:
        pytest.skip("not a git checkout: which files belong to the project is unknown")
    paths = [ROOT / name for name in tracked.stdout.split("\0") if name]
    private = re.compile(rb"/(?:home|Users)/[\w.-]+/|/root/|/work/|file:///|\.internal\b|index-url")
    texts = {named(path): path.read_bytes() for path in paths if path.is_file() and path != Path(__file__)}
    found = [name for name, text in texts.items() if private.search(text)]

    assert found == []


def _is(each: Import, *libraries: str) -> bool:
    return each.name.partition(".")[0] in libraries


def _offered(tree: ast.Module) -> tuple[str, ...] | None:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            offered: tuple[str, ...] = ast.literal_eval(node.value)
            return offered
    return None


def _defines(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Assign() | ast.AnnAssign():
            yield from (name.id for name in ast.walk(node) if isinstance(name, ast.Name))
        case ast.Import() | ast.ImportFrom():
            yield from (alias.asname or alias.name for alias in node.names)
