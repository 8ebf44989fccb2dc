"""Notes for models at work: found by words, written, added to, deleted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.kernel import RESULT
from servers.simple_note import Note, app
from tests.apps.desk import Desk, desk

NOTES: list[dict[str, Any]] = [
    {"id": "N1", "title": "Groceries", "text": "oat milk\nbread", "tags": ["Home"], "created": "2023-11-02T18:00:00"},
    {
        "id": "N2",
        "title": "Trip to Bergen",
        "text": "Ferry at 07:40.\n" + "Pack warm things. " * 20 + "\nHotel: ask Ingrid about the attic room.",
        "tags": ["travel", "Été"],
        "pinned": True,
        "created": "2023-10-01T09:00:00",
        "changed": "2023-11-20T21:15:00",
    },
    {"id": "N3", "title": "Milk prices", "text": "100% up_ [again]", "created": "2023-11-10T12:00:00"},
]


class Notes(Desk):
    """Calls the tools of `default`."""

    toolset = "default"

    def found(self, **arguments: Any) -> list[str]:
        return [item["id"] for item in self("find_notes", **arguments)["items"]]

    def row(self, note_id: str) -> Note:
        return self.layer.state(app).get(Note, note_id)


@pytest.fixture
def notes() -> Iterator[Notes]:
    with desk(app, {"notes": NOTES}, kind=Notes) as calls:
        yield calls


# Finding.


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        ({}, ["N2", "N3", "N1"]),
        ({"query": "MILK"}, ["N3", "N1"]),
        ({"query": "milk home"}, ["N1"]),
        ({"query": "% _ ["}, ["N3"]),
        ({"query": "nowhere"}, []),
        ({"tag": "home"}, ["N1"]),
        ({"tag": "été"}, ["N2"]),
        ({"tag": "hom"}, []),
        ({"pinned": True}, ["N2"]),
        ({"pinned": False}, ["N3", "N1"]),
        ({"after": "2023-11-10"}, ["N2", "N3"]),
        ({"before": "2023-11-10"}, ["N3", "N1"]),
        ({"after": "2023-11-03", "before": "2023-11-10"}, ["N3"]),
        ({"before": "9999-12-31"}, ["N2", "N3", "N1"]),
    ],
)
def test_notes_are_found_by_what_they_hold_last_changed_first(
    notes: Notes, given: dict[str, Any], ids: list[str]
) -> None:
    assert notes.found(**given) == ids


def test_a_list_shows_where_the_words_stand_and_a_note_shows_everything(notes: Notes) -> None:
    (item,) = notes("find_notes", query="ingrid")["items"]

    assert item == {
        "id": "N2",
        "title": "Trip to Bergen",
        "tags": ["travel", "Été"],
        "pinned": True,
        "changed": "2023-11-20 21:15",
        "snippet": "... Hotel: ask Ingrid about the attic room.",
    }
    assert notes("get_note", note_id="N1") == {
        "id": "N1",
        "title": "Groceries",
        "tags": ["Home"],
        "created": "2023-11-02 18:00",
        "changed": "2023-11-02 18:00",
        "text": "oat milk\nbread",
    }


def test_detailed_shows_more_of_the_text_and_when_it_was_made(notes: Notes) -> None:
    (short,) = notes("find_notes", query="bergen")["items"]
    (long,) = notes("find_notes", query="bergen", detail="detailed")["items"]

    assert short["snippet"].endswith(" ...")
    assert long["snippet"].endswith("attic room.")
    assert (long["created"], "created" in short) == ("2023-10-01 09:00", False)


def test_notes_come_twenty_at_a_time() -> None:
    rows = [{"id": f"N{number}", "title": "a", "created": "2023-11-01T10:00:00"} for number in range(1, 46)]
    with desk(app, {"notes": rows}, kind=Notes) as notes:
        first, last = notes("find_notes"), notes("find_notes", skip=40)

    assert (first["shown"], first["next"], first["items"][0]["id"]) == ("1 to 20 of 45", "skip=20", "N45")
    assert (last["shown"], "next" in last, len(last["items"])) == ("41 to 45 of 45", False, 5)


def test_a_long_note_is_read_in_parts(notes: Notes) -> None:
    text = "".join(f"line {number}\n" for number in range(6_000))
    made = notes("create_note", title="Log", text=text)
    read, skip = "", 0
    while True:
        shown = notes("get_note", note_id=made["id"], skip=skip)
        assert len(shown["text"]) < RESULT
        read += shown["text"]
        if "next" not in shown:
            break
        skip = int(shown["next"].rpartition("skip=")[2])

    assert read == text


# Writing.


def test_a_new_note_has_the_time_of_the_sandbox(notes: Notes) -> None:
    made = notes("create_note", title="  Ideas ", text="one", tags=["Work", "work", " play "], pinned=True)

    assert made == {"id": "N4", "title": "Ideas", "tags": ["Work", "play"], "pinned": True, "characters": 3}
    row = notes.row("N4")
    assert row.created == row.changed == notes.layer.now
    assert notes.found()[0] == "N4"


def test_a_note_that_was_added_to_is_found_by_its_new_words(notes: Notes) -> None:
    assert notes.found(query="cinnamon") == []

    notes("update_note", note_id="N1", append="cinnamon\nsugar")

    assert notes.found(query="cinnamon") == ["N1"]
    assert notes.row("N1").text == "oat milk\nbread\ncinnamon\nsugar"
    assert notes.found()[0] == "N1"


def test_a_line_is_not_broken_twice_by_what_is_added(notes: Notes) -> None:
    for text, whole in (("a\n", "a\nb"), ("", "b"), ("a", "a\nb")):
        notes("update_note", note_id="N1", text=text)
        notes("update_note", note_id="N1", append="b")
        assert notes.row("N1").text == whole


def test_what_is_left_out_of_a_change_stays(notes: Notes) -> None:
    notes("update_note", note_id="N2", title="Bergen", tags=[], pinned=False)

    (change,) = notes.layer.changes()
    assert {name: value for name, value in change.fields.items() if name != "changed"} == {
        "title": "Bergen",
        "tags": [],
        "pinned": False,
    }


def test_a_note_that_stays_as_it_is_was_not_changed(notes: Notes) -> None:
    notes("update_note", note_id="N2", title="Trip to Bergen", pinned=True)

    assert notes.layer.changes() == []


def test_a_deleted_note_is_gone(notes: Notes) -> None:
    assert notes("delete_note", note_id="N3") == "Deleted N3, 'Milk prices'."
    assert notes.found(query="milk") == ["N1"]
    assert notes.refusal("get_note", note_id="N3") == "No note has the id 'N3'."


@pytest.mark.parametrize(
    ("tool", "arguments", "problem"),
    [
        ("find_notes", {"query": " ".join(map(str, range(33)))}, "query has 33 different words; it may have 32"),
        (
            "find_notes",
            {"after": "2023-11-11", "before": "2023-11-10"},
            "after, 2023-11-11, is later than before, 2023-11-10.",
        ),
        ("find_notes", {"after": "yesterday"}, "write YYYY-MM-DD, such as 2026-03-12"),
        ("find_notes", {"detail": "all"}, "'detail'"),
        ("find_notes", {"skip": -1}, "'skip'"),
        ("get_note", {"note_id": "n1"}, "No note has the id 'n1'"),
        ("get_note", {}, "'note_id' is required"),
        ("create_note", {"title": " "}, "title must not be empty"),
        ("create_note", {"title": "a\nb"}, "title has a line break; write it in one line"),
        ("create_note", {"title": "x" * 201}, "'title': string should have at most 200 characters"),
        ("create_note", {"title": "x", "text": "x" * 100_001}, "'text': string should have at most 100000 characters"),
        ("create_note", {"title": "x", "tags": [""]}, "tags: each has 1 to 50 characters, such as 'travel'"),
        ("create_note", {"title": "x", "tags": ["a\nb"]}, "tags has a line break"),
        ("create_note", {"title": "x", "tags": ["y" * 51]}, "tags: each has 1 to 50 characters"),
        ("create_note", {"title": "x", "tags": [f"t{n}" for n in range(21)]}, "tags: a note has at most 20, not 21"),
        ("create_note", {"title": "x", "tags": "travel"}, "'tags'"),
        ("update_note", {"note_id": "N1"}, "Say what to change: title, text, append, tags or pinned"),
        ("update_note", {"note_id": "N1", "text": "a", "append": "b"}, "not both"),
        ("update_note", {"note_id": "N1", "append": ""}, "append must not be empty"),
        ("update_note", {"note_id": "N1", "append": "x" * 100_000}, "it may have 100,000"),
        ("update_note", {"note_id": "N1", "title": "a\r\nb"}, "title has a line break; write it in one line"),
        ("update_note", {"note_id": "N1", "title": ""}, "title must not be empty"),
        ("update_note", {"note_id": "N9", "title": "x"}, "No note has the id 'N9'"),
        ("delete_note", {"note_id": ""}, "No note has the id ''"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_would_be_right(
    notes: Notes, tool: str, arguments: dict[str, Any], problem: str
) -> None:
    assert problem in notes.refusal(tool, **arguments)


def test_notes_of_every_account_are_the_owners() -> None:
    rows = [{**NOTES[0], "username": "mira"}, NOTES[2]]
    accounts = [{"id": "A1", "username": "mira", "password": "p"}]
    with desk(app, {"notes": rows, "accounts": accounts}, kind=Notes) as calls:
        assert calls.found() == ["N3", "N1"]


@pytest.mark.parametrize(("query", "found"), [("x\\y", ["N1"]), ('5"', ["N1"]), ("[", []), ("aged rum", ["N1"])])
def test_words_are_found_in_tags_as_they_were_written(notes: Notes, query: str, found: list[str]) -> None:
    notes("update_note", note_id="N1", tags=["x\\y", '5"', "rum", "aged"])
    notes("update_note", note_id="N3", text="cheap")

    assert notes.found(query=query) == found
