"""docs/trial.md tells the way of a trial; what it names is where it says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "trial.md").read_text(encoding="utf-8")

STEPS = [
    "Config", "Suite", "Plan", "Jobs", "Stage", "Sandbox", "Session", "Calls", "Record", "Checks", "Disk", "Tables",
]  # fmt: skip

_PLACE = re.compile(r"`((?:harness|servers)/[\w/]+\.py)`(?:\s+\(((?:`[\w.]+`(?:, )?)+)\))?")
_CODE = re.compile(r"`([^`]+)`")


def places(text: str) -> list[tuple[str, str]]:
    """Every file that a text names, each with every name it is said to have; one without names has ''."""
    return [
        (path, name) for path, names in _PLACE.findall(" ".join(text.split())) for name in _CODE.findall(names) or [""]
    ]


@cache
def definitions(path: Path) -> set[str]:
    """What a module defines at its top, and in its classes as `Class.name`."""
    return set(_definitions(ast.parse(path.read_text(encoding="utf-8")).body))


def _definitions(body: list[ast.stmt], prefix: str = "") -> Iterator[str]:
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield prefix + name
            case ast.ClassDef(name=name, body=inner):
                yield prefix + name
                yield from _definitions(inner, f"{prefix}{name}.")
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield prefix + name


@pytest.mark.parametrize(("path", "name"), sorted(set(places(PAGE))))
def test_what_the_page_names_is_where_it_says(path: str, name: str) -> None:
    assert name, f"the page names nothing to look for in {path}"
    assert name in definitions(ROOT / path)


def test_all_else_that_the_page_sets_in_code_is_in_one_of_its_files_or_no_name() -> None:
    said, paths = set(_CODE.findall(" ".join(PAGE.split()))), {path for path, _ in places(PAGE)}
    known = paths.union(*(definitions(ROOT / path) for path in paths))

    assert said - known == {"harness eval configs/lhaw.yaml", "benchmarks/", "report.html"}


def test_the_page_tells_every_step_in_order() -> None:
    assert re.findall(r"^\d+\. \*\*(\w+)\.\*\*", PAGE, re.MULTILINE) == STEPS


def test_the_page_is_a_page() -> None:
    assert len(PAGE.splitlines()) <= 75


@pytest.mark.parametrize("name", ["play", "_Try", "Sandbox.show", "Played"])
def test_a_name_that_is_gone_is_seen(name: str) -> None:
    assert (name in definitions(ROOT / "harness" / "play" / "trial.py")) is (name in ("play", "_Try"))


def test_names_are_read_from_the_page_over_the_ends_of_lines() -> None:
    text = "opened by `harness/play/trial.py` (`play`,\n   `_Try.play`), then `harness/live.py`."

    assert places(text) == [
        ("harness/play/trial.py", "play"), ("harness/play/trial.py", "_Try.play"), ("harness/live.py", ""),
    ]  # fmt: skip
