"""What rows answered is known to the next who asks the same of the same rows, and to nobody who has others."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from servers.kernel.base import Answers
from tests.kernel.desk import Paper, Scene, Tray, app
from tests.kernel.test_layers import rename

TITLES = "SELECT title FROM papers"
FILED = "SELECT label, title FROM papers JOIN trays ON trays.id = tray_id ORDER BY papers._ord"


@pytest.fixture
def scene() -> Scene:
    return Scene()


def asked(answers: Answers, question: str, *rows: tuple[Any, ...]) -> bool:
    """Whether the question had to be asked."""
    calls: list[str] = []

    def ask() -> list[tuple[Any, ...]]:
        calls.append(question)
        return [*rows]

    assert answers.to(question, ask) == [*rows]
    return bool(calls)


def test_a_question_is_asked_once() -> None:
    answers = Answers()

    assert [asked(answers, "a", (1,)), asked(answers, "b", (1,)), asked(answers, "a", (1,))] == [True, True, False]


def test_no_answer_is_an_answer_too() -> None:
    answers = Answers()

    assert [asked(answers, "a"), asked(answers, "a")] == [True, False]


def test_the_answer_that_was_wanted_longest_ago_goes_first() -> None:
    answers, text = Answers(most=16_000), "x" * 1_000
    for question in "abcdefghijkl":
        asked(answers, question, (text,))
    asked(answers, "a", (text,))
    asked(answers, "m", (text,))

    assert [asked(answers, question, (text,)) for question in "ab"] == [False, True]


@pytest.mark.parametrize("large", [[(number,) for number in range(20)], [("x" * 2_000,)], [(b"x" * 2_000,)]])
def test_a_large_answer_is_not_kept(large: list[tuple[Any, ...]]) -> None:
    answers = Answers(most=16_000)

    assert [asked(answers, "a", *large), asked(answers, "a", *large)] == [True, True]


def test_an_answer_that_somebody_could_change_is_not_kept() -> None:
    answers = Answers()

    assert [asked(answers, "a", (["x"],)), asked(answers, "a", (["x"],))] == [True, True]


def test_what_is_done_to_an_answer_does_not_reach_the_next_who_asks(scene: Scene) -> None:
    other = scene.engine.layer(scene.base).state(app)
    whole = other.query(TITLES)
    scene.state.query(TITLES).clear()
    scene.state.find(Paper)[0].title = "scribbled"

    assert other.query(TITLES) == whole
    assert [(row.title,) for row in other.find(Paper)] == whole


def test_equal_values_of_other_types_are_other_questions(scene: Scene) -> None:
    assert [scene.state.query("SELECT typeof(?)", [value]) for value in (1, True, "1")] == [
        [("INTEGER",)], [("BOOLEAN",)], [("VARCHAR",)],
    ]  # fmt: skip


def test_a_query_sees_what_was_written_since_it_was_last_asked_and_not_what_was_undone(scene: Scene) -> None:
    before = scene.state.query(TITLES)
    with suppress(ZeroDivisionError), scene.layer.transaction():
        rename(scene.layer, "0001", "undone")
        meanwhile = scene.state.query(TITLES)
        raise ZeroDivisionError

    assert ("undone",) in meanwhile
    assert scene.state.query(TITLES) == before
    rename(scene.layer, "0001", "kept")
    assert ("kept",) in scene.state.query(TITLES)
    scene.layer.reset()
    assert scene.state.query(TITLES) == before


def test_a_query_joins_a_table_that_was_written_with_one_that_was_not(scene: Scene) -> None:
    untouched = scene.state.query(FILED)
    tray = scene.state.get(Tray, "1")
    scene.state.save(tray.model_copy(update={"label": "renamed"}))
    fork = scene.layer.fork()
    rename(fork, "0001", "renamed too")

    renamed = [("renamed" if label == tray.label else label, title) for label, title in untouched]
    assert scene.state.query(FILED) == renamed
    assert fork.state(app).query(FILED) == [
        (label, "renamed too" if title == "paper 1" else title) for label, title in renamed
    ]
    assert scene.engine.layer(scene.base).state(app).query(FILED) == untouched


def test_a_query_finds_tables_however_their_names_are_written(scene: Scene) -> None:
    scene.state.query('SELECT count(*) FROM "PAPERS"')
    scene.state.delete(scene.state.get(Paper, "0001"))

    assert scene.state.query('SELECT count(*) FROM "PAPERS"') == scene.state.query("SELECT count(*) FROM papers")


def test_a_query_of_what_nobody_wrote_comes_in_row_order(scene: Scene) -> None:
    scene.state.delete(scene.state.get(Tray, "1"))

    assert scene.state.query("SELECT id FROM papers") == [(row.id,) for row in scene.state.find(Paper)]


def test_sandboxes_in_which_the_same_was_done_ask_once(scene: Scene) -> None:
    layers = [scene.engine.layer(scene.base) for _ in range(2)]
    for layer in layers:
        rename(layer, "0001", "renamed")
    first = [layers[0].state(app).query(TITLES), layers[0].state(app).find(Paper, "title LIKE ?", ["re%"])]

    assert not layers[1]._mark  # no row of it was ever brought to the database
    assert [layers[1].state(app).query(TITLES), layers[1].state(app).find(Paper, "title LIKE ?", ["re%"])] == first
    assert not layers[1]._mark


@pytest.mark.parametrize("pair", [("a", "b"), ("1", "1 "), ("", "-1"), ("-1", "-2"), ("x'", 'x"')])
def test_sandboxes_in_which_other_things_were_done_each_ask(scene: Scene, pair: tuple[str, str]) -> None:
    layers = [scene.engine.layer(scene.base) for _ in range(2)]
    for layer, title in zip(layers, pair, strict=True):
        rename(layer, "0001", title)

    assert [(title,) in layer.state(app).query(TITLES) for layer in layers for title in pair] == [
        True, False, False, True,
    ]  # fmt: skip


def test_rows_that_were_added_in_another_order_are_other_rows(scene: Scene) -> None:
    layers = [scene.engine.layer(scene.base) for _ in range(2)]
    for layer, titles in zip(layers, (("x", "y"), ("y", "x")), strict=True):
        for title in titles:
            layer.state(app).add(Paper(title=title, tray_id="1"))

    assert [layer.state(app).query(TITLES)[-2:] for layer in layers] == [[("x",), ("y",)], [("y",), ("x",)]]


def test_what_was_undone_and_done_otherwise_is_asked_anew(scene: Scene) -> None:
    state = scene.state
    for title in ("first", "second"):
        with suppress(ZeroDivisionError), scene.layer.transaction():
            rename(scene.layer, "0001", title)
            assert (title,) in state.query(TITLES)
            raise ZeroDivisionError
    rename(scene.layer, "0001", "third")

    assert [(title,) in state.query(TITLES) for title in ("first", "second", "third")] == [False, False, True]


def test_rows_lie_in_row_order_whenever_they_were_looked_at(scene: Scene) -> None:
    numbers = ["0003", "0001", "0004", "0002"]
    layers = [scene.engine.layer(scene.base) for _ in range(2)]
    found: list[list[tuple[str]]] = []
    for layer in layers:
        for number in numbers:
            rename(layer, number, f"renamed {number}")
            layer.state(app).add(Paper(title=f"after {number}", tray_id="1"))
            if layer is layers[0]:
                layer.state(app).query(TITLES)
        layer.state(app).delete(layer.state(app).get(Paper, "0004"))
        found.append(layer.state(app).query(f"SELECT title AS asked_{len(found)} FROM papers"))

    assert found[0] == found[1]
    assert [title for (title,) in found[0] if title.startswith("renamed")] == [
        f"renamed {number}" for number in ("0001", "0002", "0003")
    ]
