"""What an agent keeps for itself: found by any word, corrected, forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.memory import Memory, app
from servers.memory.official import NOT_OFFERED, OFFICIAL
from tests.apps.desk import Desk, desk

MEMORIES = [
    {"id": "M1", "text": "Reports go out on Fridays, as PDF.", "kept": "2023-10-06T09:00:00"},
    {"id": "M2", "text": "Mei wants amounts in euros.", "kept": "2023-10-07T09:00:00"},
    {
        "id": "M3",
        "text": "Reports for Mei have a summary first.",
        "kept": "2023-09-01T09:00:00",
        "changed": "2023-10-08T09:00:00",
    },
]


class Memories(Desk):
    """Calls the tools of `default`."""

    toolset = "default"

    def found(self, query: str = "") -> list[str]:
        return [item["id"] for item in self("find_memories", query=query)["items"]]


@pytest.fixture
def memory() -> Iterator[Memories]:
    with desk(app, {"memories": MEMORIES}, kind=Memories) as calls:
        yield calls


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("", ["M3", "M2", "M1"]),
        ("reports", ["M3", "M1"]),
        ("reports for mei", ["M3", "M2", "M1"]),
        ("PDF euros", ["M2", "M1"]),
        ("nothing like it", []),
    ],
)
def test_memories_with_the_most_of_the_words_come_first(memory: Memories, query: str, ids: list[str]) -> None:
    assert memory.found(query) == ids


def test_a_memory_is_shown_whole_with_its_day(memory: Memories) -> None:
    assert memory("find_memories", query="summary") == {
        "shown": "1 to 1 of 1",
        "items": [{"id": "M3", "text": "Reports for Mei have a summary first.", "changed": "2023-10-08"}],
    }
    assert memory("find_memories", skip=3) == {"shown": "none of 3", "items": []}


def test_something_is_remembered_once(memory: Memories) -> None:
    first = memory("remember", text=" The printer is on floor 3. ")
    again = memory("remember", text="The printer is on floor 3.")

    assert first == again == {"id": "M4", "text": "The printer is on floor 3.", "changed": "2023-11-30"}
    assert memory.found("printer") == ["M4"]


def test_a_memory_is_put_in_other_words_and_keeps_when_it_was_made(memory: Memories) -> None:
    memory("remember", text="Reports go out on Mondays.", memory_id="M1")

    row = memory.layer.state(app).get(Memory, "M1")
    assert (row.text, str(row.kept), row.changed) == ("Reports go out on Mondays.", "2023-10-06 09:00:00", row.changed)
    assert row.changed == memory.layer.now
    assert (memory.found("fridays"), memory.found()[0]) == ([], "M1")


def test_the_same_words_again_change_nothing(memory: Memories) -> None:
    memory("remember", text="Mei wants amounts in euros.", memory_id="M2")

    assert memory.layer.changes() == []


def test_what_is_forgotten_is_gone(memory: Memories) -> None:
    assert memory("forget", memory_id="M2") == "Forgot M2."
    assert memory.found("euros") == []


@pytest.mark.parametrize(
    ("tool", "arguments", "problem"),
    [
        ("find_memories", {"query": " ".join(map(str, range(33)))}, "query has 33 different words"),
        ("remember", {"text": " \n"}, "text must not be empty"),
        ("remember", {"text": "x" * 2_001}, "text has 2,001 characters; it may have 2,000"),
        ("remember", {"text": "x", "memory_id": "M9"}, "No memory has the id 'M9'"),
        ("remember", {"text": MEMORIES[0]["text"], "memory_id": "M2"}, "M1 says that already; `forget` M2"),
        ("forget", {"memory_id": "M9"}, "No memory has the id 'M9'"),
        ("forget", {}, "'memory_id' is required"),
    ],
)
def test_what_makes_no_sense_is_refused(memory: Memories, tool: str, arguments: dict[str, Any], problem: str) -> None:
    assert problem in memory.refusal(tool, **arguments)


def test_a_tool_of_the_reference_server_has_one_of_ours_or_a_reason() -> None:
    named = OFFICIAL["reference"]

    assert {name for name, ours in named.items() if not ours} == set(NOT_OFFERED)
    assert {ours for ours in named.values() if ours} == {f"default.{name}" for name in app.default.tools}


def test_how_accents_are_encoded_makes_no_difference(memory: Memories) -> None:
    composed, decomposed = "The caf\u00e9 opens at 8.", "The cafe\u0301 opens at 8."
    memory("remember", text=composed)

    assert memory("remember", text=decomposed)["id"] == "M4"
    assert memory.found("CAFE\u0301") == ["M4"]
