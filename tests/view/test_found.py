"""Found words: an excerpt of each trial, and the places that hold one, wherever they stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.suite import Suite
from harness.task import End, Expected
from harness.view import View
from harness.view.search import Place, places, wanted
from harness.view.search import hits as hits_of
from tests.harness import toy
from tests.view import scene
from tests.view.test_data import V1

LONG = "word " * 5_000


def call(n: int = 0, **more: Any) -> dict[str, Any]:
    return scene.call(n, **more)


def shown(tmp_path: Path, **record: Any) -> tuple[View, str]:
    run = scene.empty(tmp_path / "run")
    run.write(scene.record(**record))
    view = scene.view(run.folder, author="anna")
    return view, scene.only(view)


def hits(view: View, key: str, query: str) -> list[dict[str, Any]]:
    found = view.hits(0, key, query)
    assert found is not None
    return list(found["hits"])


def test_each_trial_that_is_found_has_an_excerpt_with_the_words_as_every_second_part(tmp_path: Path) -> None:
    view, _ = shown(tmp_path, events=[call(text="All of it went well, and so said Søren\nBerg, and   then he left.")])

    found = view.search(0, '"søren berg" LEFT')

    assert found is not None
    assert found["excerpts"] == [["text", ["…t well, and so said ", "Søren Berg", ", and then he ", "left", "."]]]


def test_an_excerpt_is_of_the_place_that_holds_most_words(tmp_path: Path) -> None:
    view, _ = shown(tmp_path, events=[call(0, text="red"), call(1, text="blue"), call(2, text="blue and red")])

    found = view.search(0, "red blue")

    assert found is not None
    assert found["excerpts"] == [["text", ["", "blue", " and ", "red", ""]]]


@pytest.mark.parametrize("word", ["projects.update_task", "Projects_Update_Task", "jects.update", "update_task"])
def test_a_tool_is_found_by_its_app_and_name_as_one_word(tmp_path: Path, word: str) -> None:
    view, key = shown(tmp_path, events=[call(app="projects", tool="update_task", text="Done.")])

    found = view.search(0, word)

    assert found is not None
    assert found["keys"] == [key]
    assert [(hit["at"], hit["fields"][0][0]) for hit in hits(view, key, word)] == [(0, "tool")]


def test_an_excerpt_is_of_what_a_call_was_given_rather_than_of_what_was_asked_for(tmp_path: Path) -> None:
    request = {"kind": "request", "session": 0, "now": "2026-01-01T00:00:00", "text": "Write to Turnip."}
    view, _ = shown(tmp_path, events=[request, call(arguments={"to": "turnip@acme.example"})])

    found = view.search(0, "turnip")

    assert found is not None
    assert found["excerpts"] == [["arguments.to", ["", "turnip", "@acme.example"]]]


def test_an_excerpt_of_what_no_record_holds_is_of_the_task_or_of_an_annotation(tmp_path: Path) -> None:
    view, key = shown(tmp_path)
    view.annotate({"run": 0, "key": key, "kind": "note", "value": "", "text": "Look at the turnip."})

    task, note = view.search(0, "template-0"), view.search(0, "turnip")

    assert task is not None
    assert note is not None
    assert task["excerpts"] == [["task.template", ["", "template-0", ""]]]
    assert note["excerpts"] == [["annotations.0.text", ["Look at the ", "turnip", "."]]]


def test_hits_are_the_events_that_hold_a_word_with_their_fields_and_then_the_rest(tmp_path: Path) -> None:
    events = [call(0), call(1, arguments={"to": ["a turnip"]}, text="A Turnip!"), call(2, text="turnip")]
    view, key = shown(tmp_path, events=events, reason="turnip soup")

    found = hits(view, key, "turnip")

    assert [(each["attempt"], each["at"]) for each in found] == [(0, 1), (0, 2), (0, -1)]
    assert found[0]["fields"] == [["arguments.to.0", ["a ", "turnip", ""]], ["text", ["A ", "Turnip", "!"]]]
    assert found[2]["fields"] == [["reason", ["", "turnip", " soup"]]]


def test_a_word_in_what_is_cut_is_found(tmp_path: Path) -> None:
    view, key = shown(tmp_path, events=[call(text=f"{LONG}turnip {LONG}")])

    (found,) = hits(view, key, "turnip")

    assert found["at"] == 0
    assert found["fields"][0][1][1] == "turnip"
    assert len("".join(found["fields"][0][1])) < 250


def test_what_a_model_was_sent_is_found_once_and_not_where_it_repeats_an_event(tmp_path: Path) -> None:
    def asked(turn: int, *texts: str) -> dict[str, Any]:
        messages = [{"role": "user", "content": text} for text in texts]
        request = {"messages": messages}
        return {
            "kind": "model_call",
            "session": 0,
            "turn": turn,
            "purpose": "agent",
            "request": request,
            "response": {},
        }

    events = [asked(0, "turnip rules"), call(0, text="a turnip"), asked(1, "turnip rules", "a turnip")]
    view, key = shown(tmp_path, events=events)

    found = hits(view, key, "turnip")

    assert [(each["at"], [field for field, _ in each["fields"]]) for each in found] == [
        (0, ["request.messages.0.content"]),
        (1, ["text"]),
    ]


def test_hits_in_an_earlier_try_say_which(tmp_path: Path) -> None:
    earlier = scene.record(events=[call(0), call(1, text="turnip")], status="crashed").trajectory
    view, key = shown(tmp_path, events=[call(0, text="none")], tries=[earlier])

    assert [(each["attempt"], each["at"]) for each in hits(view, key, "turnip")] == [(1, 1)]


def test_hits_in_a_run_of_version_1_name_events() -> None:
    view = scene.view(V1 / "plain", read_only=True)
    row = scene.rows(view)[0]

    assert [each["at"] for each in hits(view, row["key"], "update_task") if each["at"] >= 0] == [1]


def test_many_hits_are_counted_and_the_first_ones_told() -> None:
    there = [Place(0, at, "text", "turnip") for at in range(2_500)]

    found = hits_of(wanted("turnip"), there)

    assert (found["total"], len(found["hits"]), found["hits"][-1]["at"]) == (2_500, 2_000, 1_999)


@pytest.mark.parametrize("record", [{}, {"trajectory": None}, {"trajectory": {"events": [3, {"text": 4}], "tries": 5}}])
def test_a_record_of_another_shape_has_no_places(record: dict[str, Any]) -> None:
    assert places(record) == []


def test_of_a_trial_that_there_is_not_there_are_no_hits(tmp_path: Path) -> None:
    view, key = shown(tmp_path)

    assert view.hits(1, key, "a") is None
    assert view.hits(0, "0" * 16, "a") is None


def test_what_a_task_expects_is_found_although_no_record_says_it(tmp_path: Path) -> None:
    view, key = shown(tmp_path, scores=False)

    found = view.search(0, "projects.tasks")

    assert found is not None
    assert found["keys"] == [key]
    assert found["excerpts"][0][0] == "task.expected.0.0.row"


def removal() -> Suite:
    """A suite whose one task is to remove a row of the board."""
    wish = Expected(app="projects", table="tasks", id="00000001", op="delete", values={})
    return toy.suite([scene.TASKS[0].model_copy(update={"ends": (End(changes=(wish,)),)})])


def test_a_row_that_was_to_go_is_found_as_it_began_although_nobody_touched_it(tmp_path: Path) -> None:
    suite = removal()
    (task,) = suite.tasks
    run = scene.empty(tmp_path / "run", suite)
    run.write(scene.record(task))
    view = scene.view(run.folder, load=lambda *_: suite)
    key = scene.only(view)
    name = scene.row("00000001")["task_name"]
    assert view.value(f"trial-0-{key}")["expected"][0]["before"]["task_name"] == name

    found = view.search(0, f'"{name}"')

    assert found is not None
    assert found["keys"] == [key]
    assert found["excerpts"] == [["task.expected.0.0.before.task_name", ["", name, ""]]]
    assert [hit["at"] for hit in hits(view, key, f'"{name}"')] == [-1]


def test_what_a_row_said_before_that_was_to_say_something_else_is_not_looked_up(tmp_path: Path) -> None:
    view, _ = shown(tmp_path)

    fields = [field for _, _, field, _ in view.runs[0].places(view.runs[0].files()[0])]

    assert any(field.startswith("task.expected.0.0.values.") for field in fields)
    assert not [field for field in fields if ".before." in field and field.startswith("task.")]


def test_a_word_is_marked_where_folding_makes_one_character_two(tmp_path: Path) -> None:
    view, key = shown(tmp_path, events=[call(text="Zur Straße, bitte.")])

    (hit,) = hits(view, key, "strasse")

    assert hit["fields"] == [["text", ["Zur ", "Straße", ", bitte."]]]
