"""The published list of path attacks, against every tool that takes a path."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.contracts.ground import QUIET, play
from servers.filesystem import Entry, app
from servers.filesystem.paths import TOPS
from tests.apps.filesystem_desk import Files, files
from tests.contracts.subjects import ground

ATTACKS = json.loads((Path(__file__).parent / "path_attacks.json").read_text(encoding="utf-8"))["attacks"]
REST: dict[str, dict[str, Any]] = {
    "read_text_file": {},
    "read_media_file": {},
    "write_file": {"content": "owned"},
    "edit_file": {"edits": [{"oldText": "one", "newText": "owned"}]},
    "create_directory": {},
    "list_directory": {},
    "list_directory_with_sizes": {},
    "directory_tree": {},
    "search_files": {"pattern": "**"},
    "get_file_info": {},
}
"""Tools with a `path`, and what else they need."""


def named(attack: dict[str, str]) -> str:
    return ascii(f"{attack['kind']}: {attack['path'][:40]}").strip("'\"")


@pytest.fixture(scope="module")
def desk() -> Iterator[Files]:
    with files() as calls:
        yield calls


def calls(path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from ((tool, {"path": path, **rest}) for tool, rest in REST.items())
    yield "move_file", {"source": path, "destination": "moved"}
    yield "move_file", {"source": "docs2", "destination": path}


def test_every_tool_that_takes_a_path_is_attacked() -> None:
    taking = {tool.name for tool in app.default.tools.values() if "path" in tool.input_schema["properties"]}

    assert taking == set(REST)
    assert set(app.default.tools) - taking == {"move_file", "read_multiple_files", "list_allowed_directories"}


def test_no_attack_is_listed_twice_and_each_says_what_to_expect() -> None:
    assert [path for path, count in Counter(attack["path"] for attack in ATTACKS).items() if count > 1] == []
    assert {attack["expect"] for attack in ATTACKS} == {"refused", "inside"}
    assert len(ATTACKS) > 120


@pytest.mark.parametrize("attack", [a for a in ATTACKS if a["expect"] == "refused"], ids=named)
def test_an_attack_is_refused_by_every_tool_and_changes_nothing(desk: Files, attack: dict[str, str]) -> None:
    for tool, arguments in calls(attack["path"]):
        assert attack["says"] in desk.refusal(tool, **arguments), tool
    if "unpaired surrogate" in attack["says"]:  # the list cannot be taken at all
        assert attack["says"] in desk.refusal("read_multiple_files", paths=[attack["path"]])
    else:
        (reading,) = desk("read_multiple_files", paths=[attack["path"]])
        assert "content" not in reading
        assert attack["says"] in reading["error"]
    assert desk.layer.changes() == []


@pytest.mark.parametrize("attack", [a for a in ATTACKS if a["expect"] == "inside"], ids=named)
def test_what_only_looks_like_an_attack_is_an_ordinary_name(attack: dict[str, str]) -> None:
    with files() as desk:
        desk("write_file", path=attack["path"], content="mine")

        assert [change.id for change in desk.layer.changes()] == [attack["at"]]
        assert desk("read_text_file", path=attack["path"]) == "mine"
        assert desk("get_file_info", path=attack["at"])["path"] == attack["at"]


@pytest.mark.parametrize("pattern", ["../*", "/etc/*", "**/../*", "a//b", "", " ", "x" * 1_001, "a/" * 65 + "b"])
def test_a_pattern_that_could_match_nothing_is_refused(desk: Files, pattern: str) -> None:
    assert "The pattern" in desk.refusal("search_files", path=".", pattern=pattern)
    assert "The pattern" in desk.refusal("search_files", path=".", pattern="*", excludePatterns=[pattern])
    assert "The pattern" in desk.refusal("directory_tree", path=".", excludePatterns=[pattern])


def test_braces_that_stand_for_very_many_patterns_are_refused(desk: Files) -> None:
    assert "more than 100" in desk.refusal("search_files", path=".", pattern="{a,b}" * 20)


def test_a_pattern_made_to_take_for_ever_does_not() -> None:
    with files({"a" * 250: {"text": ""}}) as desk:
        assert desk("search_files", path=".", pattern="*a" * 120 + "b").startswith("No matches.")
        assert desk("search_files", path=".", pattern="**/" * 60 + "b") == "No matches."


@QUIET
@given(data=st.data())
def test_whatever_is_called_every_entry_lies_in_a_directory_under_a_name_of_its_own(data: st.DataObject) -> None:
    layer = ground().layer()
    for step in data.draw(ground().steps(app.default, most=12)):
        play(layer, step)

    tops = dict.fromkeys(TOPS, "directory")
    kinds = tops | {row.path: row.kind for row in layer.state(app).find(Entry)}
    assert {kinds.get(path.rpartition("/")[0]) for path in kinds if path not in TOPS} == {"directory"}
    assert len({path.casefold() for path in kinds}) == len(kinds)
    layer.close()
