"""What an app makes of its rows is made once for all sandboxes that have the same, and anew where they differ."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

import pytest

from servers.kernel import App, Base, Edit, Engine, Layer, State, Table, World


class Word(Table, name="words", ids="W{}"):
    text: str


app = App("words", "Words.", tables=(Word,))
other = App("others", "Words too.", tables=(Word,))
made: list[list[str]] = []

TWO: tuple[str, ...] = ("one", "two")
THREE: tuple[str, ...] = ("one", "two", "three")


def listed(state: State) -> tuple[str, ...]:
    made.append([word.text for word in state.find(Word)])
    return tuple(made[-1])


def shouted(state: State) -> tuple[str, ...]:
    return tuple(word.text.upper() for word in state.find(Word))


class Words(NamedTuple):
    """A world of two words."""

    engine: Engine
    base: Base

    def layer(self, *edits: Edit) -> Layer:
        return self.engine.layer(self.base, edits, [app])


@pytest.fixture
def words() -> Iterator[Words]:
    made.clear()
    rows = {"words": [{"id": "W1", "text": "one"}, {"id": "W2", "text": "two"}]}
    engine = Engine()
    yield Words(engine, engine.load(World("w", datetime(2025, 3, 5), {"words": rows})))
    engine.close()


def change(text: str, id: str = "W1") -> Edit:
    return Edit(op="change", app="words", table="words", id=id, values={"text": text})


def test_sandboxes_of_one_world_share_what_was_made(words: Words) -> None:
    first, second = (words.layer().state(app) for _ in range(2))

    assert first.derived(listed) is second.derived(listed)
    assert made == [["one", "two"]]


def test_functions_do_not_share(words: Words) -> None:
    state = words.layer().state(app)

    assert (state.derived(listed), state.derived(shouted)) == (("one", "two"), ("ONE", "TWO"))


def test_another_app_does_not_share(words: Words) -> None:
    layer = words.layer()

    assert (layer.state(app).derived(listed), layer.state(other).derived(listed)) == (("one", "two"), ())


def test_other_rows_lead_to_another(words: Words) -> None:
    plain, edited = words.layer().state(app), words.layer(change("three")).state(app)

    assert (plain.derived(listed), edited.derived(listed)) == (("one", "two"), ("three", "two"))


def test_two_sandboxes_with_the_same_changes_share(words: Words) -> None:
    layers = [
        words.layer(*edits)
        for edits in ([change("three"), change("four", "W2")], [change("four", "W2"), change("three")])
    ]

    assert len({id(layer.state(app).derived(listed)) for layer in layers}) == 1


def test_a_write_is_seen_and_what_is_undone_is_as_before(words: Words) -> None:
    layer = words.layer()
    state = layer.state(app)
    before = state.derived(listed)
    with state.transaction():
        state.add(Word(text="three"))
        during = state.derived(listed)
    layer.reset()

    assert (during, state.derived(listed) is before) == (("one", "two", "three"), True)


def test_a_row_that_is_changed_and_changed_back_makes_no_difference(words: Words) -> None:
    layer = words.layer(change("three"), change("one"))

    assert layer.state(app).derived(listed) is words.layer().state(app).derived(listed)


def test_a_removed_row_is_gone(words: Words) -> None:
    layer = words.layer(Edit(op="remove", app="words", table="words", id="W1"))

    assert layer.state(app).derived(listed) == ("two",)


def test_only_what_was_asked_for_last_is_kept(words: Words) -> None:
    layers = [words.layer(change(f"{number}")) for number in range(20)]
    for layer in layers:
        layer.state(app).derived(listed)
    layers[-1].state(app).derived(listed)
    kept = len(made)
    layers[0].state(app).derived(listed)

    assert (kept, len(made), len(words.base._derived)) == (20, 21, 16)


def test_what_is_known_is_not_made_again(words: Words) -> None:
    state = words.layer(change("three")).state(app)
    state.derived(listed, known=THREE)

    assert (state.derived(listed), made) == (THREE, [])


def test_what_was_known_is_forgotten_with_the_next_change(words: Words) -> None:
    layer = words.layer()
    state = layer.state(app)
    state.derived(listed, known=TWO)
    state.add(Word(text="three"))

    assert state.derived(listed) == ("one", "two", "three")


def test_what_was_known_of_a_change_that_is_undone_is_forgotten(words: Words) -> None:
    layer = words.layer()
    state = layer.state(app)

    def add_and_fail() -> None:
        with state.transaction():
            state.add(Word(text="three"))
            state.derived(listed, known=THREE)
            raise ValueError("never mind")

    with pytest.raises(ValueError, match="never mind"):
        add_and_fail()

    assert state.derived(listed) == ("one", "two")


def test_what_was_known_is_forgotten_by_a_sandbox_that_becomes_another_state(words: Words) -> None:
    layer = words.layer()
    snapshot = layer.fork()
    state = layer.state(app)
    state.add(Word(text="three"))
    state.derived(listed, known=THREE)
    layer.restore(snapshot)

    assert state.derived(listed) == ("one", "two")
