"""Looking for files and lines, and cells of notebooks, with the tools of pi-Bench."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from tests.apps.filesystem_pi_desk import Pi, pi_files
from tests.apps.test_filesystem_paths import ATTACKS, named

BOOK = {
    "cells": [
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["# Sums"]},
        {
            "cell_type": "code",
            "execution_count": 3,
            "id": "cell-1",
            "metadata": {"tags": ["x"]},
            "outputs": [{"output_type": "stream", "text": "2"}],
            "source": ["1 + 1"],
        },
    ],
    "metadata": {"language_info": {"name": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture
def pi() -> Iterator[Pi]:
    with pi_files() as calls:
        yield calls


@cache
def noise() -> str:
    return "".join(random.Random(1).choices("ab", k=3_000_000))


def notebook(text: str = json.dumps(BOOK)) -> dict[str, dict[str, Any]]:
    return {"/workspace/sums.ipynb": {"text": text}}


def cells(pi: Pi) -> list[dict[str, Any]]:
    book = json.loads(pi.row("/workspace/sums.ipynb").text or "")
    assert {name: book[name] for name in BOOK if name != "cells"} == {
        name: value for name, value in BOOK.items() if name != "cells"
    }
    found: list[dict[str, Any]] = book["cells"]
    return found


# Paths.


@pytest.fixture(scope="module")
def attacked() -> Iterator[Pi]:
    with pi_files(accounts=[]) as calls:
        yield calls


@pytest.mark.parametrize("attack", [a for a in ATTACKS if a["expect"] == "refused"], ids=named)
def test_an_attack_is_refused_whatever_the_tool_does_with_the_path(attacked: Pi, attack: dict[str, str]) -> None:
    says = {"outside /workspace": "lies outside", "home directory": "home directory"}.get(
        attack["says"], attack["says"]
    )
    for tool in ("read_file", "create_file", "create_directory", "list_directory"):
        assert says in attacked.refusal(tool, path=attack["path"]), tool


def test_paths_are_found_by_pattern_and_cut_with_the_next_step_named() -> None:
    with pi_files({f"/workspace/{number:04d}.txt": {"text": ""} for number in range(450)}) as pi:
        first = pi("glob_search", pattern="*.txt").splitlines()
        last = pi("glob_search", pattern="*.txt", skip=400).splitlines()
        beyond = pi("glob_search", pattern="*.txt", skip=450)

    assert first[-1] == "[Cut off: 1 to 200 of 450 are shown. Continue with skip=200, or narrow the pattern.]"
    assert (first[0], last[-1], len(last)) == ("/workspace/0000.txt", "/workspace/0449.txt", 50)
    assert beyond == "No more matches."


def test_a_pattern_of_one_name_looks_in_its_directory_alone(pi: Pi) -> None:
    assert pi("glob_search", pattern="*.md", path="docs") == "/workspace/docs/plan.md"
    assert pi("glob_search", pattern="**/*.md").splitlines() == [
        "/workspace/docs/old/plan.md",
        "/workspace/docs/plan.md",
    ]
    assert pi("glob_search", pattern="*.md") == "No matches. To look below /workspace too, write **/*.md."


def test_a_pattern_that_ends_with_a_slash_is_of_directories_alone(pi: Pi) -> None:
    assert pi("glob_search", pattern="*/", path="docs") == "/workspace/docs/old"
    assert pi("glob_search", pattern="**/").splitlines() == ["/workspace/docs", "/workspace/docs/old"]


def test_lines_of_one_file_are_found_where_its_name_matches_too(pi: Pi) -> None:
    assert pi("grep_search", pattern="two", path="notes.txt", glob="*.txt") == "/workspace/notes.txt:2: two"
    assert pi("grep_search", pattern="two", path="notes.txt", glob="*.md") == "No matches."


# Lines.


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        ({"pattern": "book"}, ["docs/plan.md:5:     book a room"]),
        ({"pattern": "BOOK"}, []),
        ({"pattern": "BOOK", "ignore_case": True}, ["docs/plan.md:5:     book a room"]),
        ({"pattern": "^B.*m$", "ignore_case": True}, []),
        ({"pattern": "^t"}, ["notes.txt:2: two", "notes.txt:3: three"]),
        ({"pattern": "12$"}, ["docs/old/plan.md:2: Total (net): 12"]),
        ({"pattern": "\\(net\\)"}, ["docs/old/plan.md:2: Total (net): 12"]),
        ({"pattern": "four|end"}, ["docs/plan.md:6: end", "notes.txt:4: four"]),
        ({"pattern": "e", "path": "notes.txt"}, ["notes.txt:1: one", "notes.txt:3: three", "notes.txt:5: five"]),
        ({"pattern": "o", "path": "docs/old"}, ["docs/old/plan.md:2: Total (net): 12"]),
        ({"pattern": "o", "glob": "*.txt"}, ["notes.txt:1: one", "notes.txt:2: two", "notes.txt:4: four"]),
        ({"pattern": "[oO]", "glob": "docs/*.md"}, ["docs/plan.md:5:     book a room"]),
        ({"pattern": "o", "glob": "*.csv"}, []),
        ({"pattern": "^$"}, ["docs/plan.md:2: "]),
        ({"pattern": "%_"}, []),
    ],
)
def test_lines_are_found_by_pattern(pi: Pi, given: dict[str, Any], lines: list[str]) -> None:
    shown = pi("grep_search", **given)

    assert ([] if shown == "No matches." else shown.splitlines()) == [f"/workspace/{line}" for line in lines]


def test_a_search_over_many_files_is_cut_with_the_next_step_named() -> None:
    rows = {f"/workspace/{number:03d}.log": {"text": "start\nfailed: 1\nfailed: 2\nend\n"} for number in range(130)}
    with pi_files(rows) as pi:
        found: list[str] = []
        while True:
            *lines, last = pi("grep_search", pattern="failed: [0-9]", skip=len(found)).splitlines()
            if not last.startswith("["):
                found += [*lines, last]
                break
            found += lines
            assert last == (
                f"[Cut off: {len(found) - 99} to {len(found)} of 260 are shown. Continue with skip={len(found)}, "
                "or narrow it with path or glob.]"
            )

    assert found == [f"/workspace/{number:03d}.log:{at}: failed: {at - 1}" for number in range(130) for at in (2, 3)]


def test_of_a_long_line_what_was_found_is_shown() -> None:
    with pi_files({"/workspace/a": {"text": "x" * 5_000 + "needle" + "y" * 5_000}}) as pi:
        for pattern in ("needle", "ne+dle"):
            shown = pi("grep_search", pattern=pattern)
            assert shown == f"/workspace/a:1: ... {'x' * 80}needle{'y' * 154} ..."


@pytest.mark.parametrize(
    "pattern",
    [
        "[ab]*a[ab]{500}[^ab]",
        "(.{0,30}a.{0,30}){10}[^ab]",
        "(?:[ab]*(?P<n>a[ab]{90})){5}x|y",
        "(?i)[[:alpha:]]*a([[:alpha:]]{50}){9}0",
        "(a|b)*a(a|b){20}$x",
    ],
)
def test_a_pattern_made_to_take_for_ever_is_refused_or_quick(pattern: str) -> None:
    with pi_files({"/workspace/a": {"text": noise()}, "/workspace/b": {"text": "ab\n"}}) as pi:
        began = time.process_time()
        try:
            said = pi("grep_search", pattern=pattern)
        except Exception as refusal:  # noqa: BLE001
            said = str(refusal)
            assert "is too much work in 3,000,003 bytes of text" in said
        assert time.process_time() - began < 6
        assert pi("grep_search", pattern=pattern, glob="b") == "No matches."


# Notebooks.


def test_a_cell_is_edited_and_loses_its_outputs() -> None:
    with pi_files(notebook()) as pi:
        said = pi("edit_notebook", path="sums.ipynb", cell=2, source="total = 1 + 2\ntotal")

        assert said == "Replaced cell 2 of 2."
        assert cells(pi) == [
            BOOK["cells"][0],  # type: ignore[index]
            {
                "cell_type": "code",
                "execution_count": None,
                "id": "cell-1",
                "metadata": {"tags": ["x"]},
                "outputs": [],
                "source": ["total = 1 + 2\n", "total"],
            },
        ]
        assert pi("grep_search", pattern="total = ").startswith("/workspace/sums.ipynb:")


def test_a_cell_is_inserted_with_an_id_of_its_own() -> None:
    with pi_files(notebook()) as pi:
        assert pi("edit_notebook", path="sums.ipynb", cell=0, mode="insert", source="import math") == (
            "Inserted cell 1 of 3."
        )
        pi("edit_notebook", path="sums.ipynb", cell=3, mode="insert", source="Done.", cell_type="markdown")

        first, *_, last = cells(pi)
        assert (first["id"], first["source"], first["outputs"]) == ("cell-2", ["import math"], [])
        assert last == {"cell_type": "markdown", "id": "cell-3", "metadata": {}, "source": ["Done."]}


def test_a_cell_becomes_text_and_another_goes() -> None:
    with pi_files(notebook()) as pi:
        pi("edit_notebook", path="sums.ipynb", cell=2, source="Two.", cell_type="markdown")
        assert pi("edit_notebook", path="sums.ipynb", cell=1, mode="delete") == "Deleted cell 1; 1 are left."

        assert cells(pi) == [{"cell_type": "markdown", "id": "cell-1", "metadata": {"tags": ["x"]}, "source": ["Two."]}]


def test_half_of_a_pair_in_a_notebook_stays_an_escape() -> None:
    text = '{"cells": [{"cell_type": "raw", "source": "\\ud83d"}, {"cell_type": "raw"}]}'
    with pi_files(notebook(text)) as pi:
        pi("edit_notebook", path="sums.ipynb", cell=2, source="é")

        assert "\\ud83d" in (pi.row("/workspace/sums.ipynb").text or "")


@pytest.mark.parametrize(
    ("text", "given", "problem"),
    [
        ("", {"cell": 3, "source": "x"}, "cell is 3; the notebook has 2 cells: give 1 to 2"),
        ("", {"cell": 0, "source": "x"}, "give 1 to 2"),
        ("", {"cell": 1}, "Give source, what the cell is to hold"),
        ("", {"cell": 1, "mode": "delete", "source": "x"}, "Leave out source where mode is delete"),
        ("", {"cell": 1, "mode": "move"}, "'mode'"),
        ('{"cells": []}', {"cell": 1, "source": "x"}, "the notebook has 0 cells: give 0, to insert one"),
        ("[1]", {"cell": 1, "source": "x"}, "is not a notebook"),
        ("{", {"cell": 1, "source": "x"}, "is not a notebook"),
        ('{"cells": {}}', {"cell": 0, "mode": "insert", "source": "x"}, "is not a notebook"),
        ('{"cells": [1]}', {"cell": 1, "source": "x"}, "is not a notebook"),
        ("[" * 100_000, {"cell": 1, "source": "x"}, "is not a notebook"),
        ('{"cells": [], "n": NaN}', {"cell": 0, "mode": "insert", "source": "x"}, "a number that JSON has not"),
    ],
)
def test_what_is_no_cell_of_a_notebook_is_refused(text: str, given: dict[str, Any], problem: str) -> None:
    with pi_files(notebook(text or json.dumps(BOOK))) as pi:
        assert problem in pi.refusal("edit_notebook", path="sums.ipynb", **given)
