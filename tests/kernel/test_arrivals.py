"""Rows that arrive from outside: part of the start, never of the changes, whatever was done before they came."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

import pytest
from pydantic import model_validator

from servers.kernel import App, Edit, Engine, Layer, NotFound, StateError, Table, World, fold
from tests.kernel.desk import NOW, Paper, Scene, app, world


class Meeting(Table, name="meetings"):
    begins: int
    ends: int

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.ends < self.begins:
            raise ValueError("a meeting ends after it begins")
        return self


agenda = App("agenda", "Meetings.", tables=(Meeting,))

LETTER = Edit(op="add", app="desk", table="papers", id="0100", values={"tray_id": "2", "title": "letter"})


def change(id: str = "0001", **values: Any) -> Edit:
    return Edit(op="change", app="desk", table="papers", id=id, values=values)


def remove(id: str = "0001") -> Edit:
    return Edit(op="remove", app="desk", table="papers", id=id)


def save(layer: Layer, id: str = "0001", **values: Any) -> None:
    state = layer.state(app)
    state.save(state.get(Paper, id).model_copy(update=values))


def delete(layer: Layer, id: str = "0001") -> None:
    state = layer.state(app)
    state.delete(state.get(Paper, id))


def titles(layer: Layer) -> list[str]:
    return [paper.title for paper in layer.state(app).find(Paper)]


def fields(layer: Layer) -> list[tuple[str, str, dict[str, Any]]]:
    return [(change.op, change.id, change.fields) for change in layer.changes()]


def test_what_arrives_is_found_and_is_no_change() -> None:
    layer = Scene().layer
    before = titles(layer)
    written = layer.arrive([LETTER, change(title="renamed")], [app])

    assert titles(layer) == ["renamed", *before[1:], "letter"]
    assert [(table, id) for _, table, id, _ in written] == [("papers", "0100"), ("papers", "0001")]
    assert layer.changes() == [] == layer.written


def test_what_is_done_to_a_row_that_arrived_is_a_change_of_it() -> None:
    layer = Scene().layer
    layer.arrive([LETTER], [app])
    save(layer, "0100", pages=7)

    assert fields(layer) == [("update", "0100", {"pages": 7})]


def test_a_digest_names_what_has_arrived() -> None:
    scene = Scene()
    one, other = scene.engine.layer(scene.base), scene.engine.layer(scene.base)
    one.arrive([LETTER], [app])
    state = other.state(app)
    state.add(Paper(id="0100", tray_id="2", title="letter"))

    assert one.start is not None
    assert one.digest() == fold(scene.base.world.digest, one.start.changes(), [])
    assert len({one.digest(), other.digest(), scene.layer.digest()}) == 3


def test_the_digest_is_the_same_whenever_rows_arrived() -> None:
    scene = Scene()
    early, late = scene.engine.layer(scene.base), scene.engine.layer(scene.base)
    early.arrive([LETTER], [app])
    for layer in (early, late):
        save(layer, pages=9)
    late.arrive([LETTER], [app])

    assert early.digest() == late.digest()
    assert fields(late) == [("update", "0001", {"pages": 9})]


def test_fields_of_a_changed_row_that_an_arrival_does_not_name_stay_changed() -> None:
    layer = Scene().layer
    save(layer, title="mine", pages=9)
    layer.arrive([change(title="theirs")], [app])

    assert layer.state(app).get(Paper, "0001").title == "theirs"
    assert fields(layer) == [("update", "0001", {"pages": 9})]


def test_a_row_removed_here_stays_gone_when_a_change_of_it_arrives() -> None:
    layer = Scene().layer
    delete(layer)
    written = layer.arrive([change(title="theirs")], [app])

    assert written == []
    assert [(c.op, c.before and c.before["title"]) for c in layer.changes()] == [("delete", "theirs")]


def test_a_changed_row_whose_removal_arrives_is_gone_and_no_change() -> None:
    layer = Scene().layer
    save(layer, title="mine")
    layer.arrive([remove()], [app])

    with pytest.raises(NotFound):
        layer.state(app).get(Paper, "0001")
    assert layer.changes() == []


def test_a_row_that_arrives_takes_the_place_of_one_made_here_under_its_id() -> None:
    layer = Scene().layer
    layer.state(app).add(Paper(id="0100", tray_id="1", title="mine"))
    layer.arrive([LETTER], [app])

    assert layer.state(app).get(Paper, "0100").title == "letter"
    assert layer.changes() == []


def test_what_was_made_here_that_does_not_go_with_what_arrives_gives_way() -> None:
    rows = {"agenda": {"meetings": [{"id": "1", "begins": 9, "ends": 12}]}}
    engine = Engine()
    layer = engine.layer(engine.load(World("agenda", NOW, rows)))
    state = layer.state(agenda)
    state.save(Meeting(id="1", begins=9, ends=10))
    layer.arrive([Edit(op="change", app="agenda", table="meetings", id="1", values={"begins": 11})], [agenda])

    assert state.get(Meeting, "1") == Meeting(id="1", begins=11, ends=12)
    assert layer.changes() == []


def test_an_arrival_that_does_not_fit_the_start_leaves_everything_as_it_was() -> None:
    layer = Scene().layer
    save(layer, title="mine")
    before = layer.digest()

    with pytest.raises(StateError, match=r"step 1 \(change desk.papers 9999\) does not fit"):
        layer.arrive([LETTER, change("9999", title="x")], [app])
    assert (layer.digest(), layer.start) == (before, None)


def test_what_is_done_here_makes_no_arrival_unfit() -> None:
    layer = Scene().layer
    delete(layer)
    delete(layer, "0002")
    layer.arrive([change(title="theirs"), remove("0002"), LETTER], [app])

    assert fields(layer) == [("delete", "0001", {})]


def test_new_rows_get_no_id_that_is_to_arrive() -> None:
    scene = Scene()
    trial = scene.layer.fork()
    trial.arrive([LETTER], [app])
    scene.layer.reserve(trial)

    assert scene.state.add(Paper(tray_id="1", title="new")).id == "0101"


def test_ids_are_drawn_alike_before_and_after_an_arrival() -> None:
    scene = Scene()
    trial = scene.layer.fork()
    trial.arrive([LETTER], [app])
    scene.layer.reserve(trial)
    scene.layer.arrive([LETTER], [app])

    assert scene.state.add(Paper(tray_id="1", title="new")).id == "0101"


def test_an_arrival_comes_on_top_of_a_setup() -> None:
    scene = Scene()
    layer = scene.engine.layer(scene.base, [change(title="set up")], [app])
    layer.arrive([change(pages=3)], [app])

    assert layer.start is not None
    assert [change.fields for change in layer.start.changes()] == [{"title": "set up", "pages": 3}]
    assert layer.changes() == []


def test_a_snapshot_from_before_an_arrival_brings_its_start_back() -> None:
    layer = Scene().layer
    save(layer, pages=9)
    before, digest = layer.fork(), layer.digest()
    layer.arrive([LETTER], [app])
    after, there = layer.fork(), layer.digest()

    layer.restore(before)
    assert (layer.digest(), "letter" in titles(layer)) == (digest, False)
    layer.restore(after)
    assert (layer.digest(), fields(layer)) == (there, [("update", "0001", {"pages": 9})])
    for each in (before, after, layer):
        each.close()


def test_a_snapshot_outlives_what_arrives_in_its_original() -> None:
    scene = Scene()
    layer = scene.engine.layer(scene.base, [change(title="set up")], [app])
    kept = layer.fork()
    digest = kept.digest()
    layer.arrive([LETTER], [app])
    layer.close()

    assert kept.digest() == digest


def test_the_time_stays_when_rows_arrive() -> None:
    layer = Scene().layer
    layer.now = layer.now.replace(year=2030)
    layer.arrive([LETTER], [app])

    assert layer.now.year == 2030


def test_nothing_arrives_in_a_state_on_a_file(tmp_path: Path) -> None:
    engine = Engine(tmp_path / "desk.duckdb")
    layer = engine.resume(engine.load(world()), [app])

    with pytest.raises(StateError, match="kept on a file"):
        layer.arrive([LETTER], [app])
    engine.close()
