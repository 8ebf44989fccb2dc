"""What comes at its moment to whoever works there: once, whole, never over what was made, and kept with its file."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from servers.kernel import Coming, Edit, Engine, Key, Layer, Like, StateError, World
from tests.kernel.desk import NOW, Paper, Scene, Tray, app, world

LATER = NOW + timedelta(hours=1)


def add(id: str = "0100", **values: Any) -> Edit:
    return Edit(op="add", app="desk", table="papers", id=id, values={"tray_id": "2", "title": "letter", **values})


def change(id: str = "0001", **values: Any) -> Edit:
    return Edit(op="change", app="desk", table="papers", id=id, values=values)


def remove(id: str, table: str = "papers") -> Edit:
    return Edit(op="remove", app="desk", table=table, id=id)


def coming(*edits: Edit, at: datetime = LATER, needs: tuple[str, ...] = ()) -> Coming:
    keys = tuple(Key(app="desk", table="papers", id=id) for id in needs)
    return Coming(at=at, text="from outside", edits=edits, needs=keys)


def skipped(layer: Layer, *due: Coming) -> list[str]:
    return [came.skipped for came, _ in layer.come(due, [app])]


def delete(layer: Layer, id: str, table: Any = Paper) -> None:
    state = layer.state(app)
    state.delete(state.get(table, id))


def titles(layer: Layer) -> dict[str, str]:
    return {paper.id: paper.title for paper in layer.state(app).find(Paper)}


def opened(path: Path) -> Layer:
    engine = Engine(path)
    return engine.resume(engine.load(world()), [app])


def test_what_comes_is_there_is_no_change_and_is_on_record() -> None:
    layer = Scene().layer
    ((came, written),) = layer.come([coming(add(), change(title="renamed"))], [app])

    assert (titles(layer)["0100"], titles(layer)["0001"]) == ("letter", "renamed")
    assert (layer.changes(), layer.written) == ([], [])
    assert [(table, id) for _, table, id, _ in written] == [("papers", "0100"), ("papers", "0001")]
    assert (came.at, came.text, came.skipped) == (LATER, "from outside", "")
    assert [key.id for key in came.rows] == ["0100", "0001"]
    assert layer.came == (came,)


def test_a_row_made_here_keeps_its_id_and_what_would_take_it_does_not_come() -> None:
    layer = Scene().layer
    layer.state(app).add(Paper(id="0100", tray_id="1", title="mine"))

    assert skipped(layer, coming(add(), change(title="theirs"))) == ["there is a paper 0100 here already"]
    assert (titles(layer)["0100"], titles(layer)["0001"]) == ("mine", "paper 1")
    assert [(each.op, each.id) for each in layer.changes()] == [("insert", "0100")]


def test_what_names_a_row_that_is_gone_does_not_come() -> None:
    layer = Scene().layer
    delete(layer, "2", Tray)

    assert skipped(layer, coming(add())) == ["its paper names trays 2, which is not there any more"]
    assert "0100" not in titles(layer)
    assert [(each.op, each.table) for each in layer.changes()] == [("delete", "trays")]


def test_what_needs_a_row_that_is_gone_does_not_come() -> None:
    layer = Scene().layer
    delete(layer, "0001")

    assert skipped(layer, coming(add(), needs=("0001",))) == ["it needs papers 0001, which is not there any more"]
    assert [(each.op, each.id) for each in layer.changes()] == [("delete", "0001")]


def test_what_is_not_to_stand_beside_a_row_does_not_come_where_there_is_one_like_it() -> None:
    like = Like(app="desk", table="papers", values={"tray_id": "1", "title": "the minutes"})
    one = coming(add()).model_copy(update={"unless": (like,)})
    free, taken = Scene().layer, Scene().layer
    taken.state(app).add(Paper(tray_id="1", title="the minutes"))

    assert skipped(free, one) == [""]
    assert skipped(taken, one) == ["there is already one of papers with tray_id 1, title the minutes"]
    assert [each.op for each in taken.changes()] == ["insert"]


def test_a_row_may_name_another_that_comes_with_it() -> None:
    layer = Scene().layer
    tray = Edit(op="add", app="desk", table="trays", id="9", values={"label": "new"})

    assert skipped(layer, coming(add(tray_id="9"), tray)) == [""]
    assert layer.state(app).get(Paper, "0100").tray_id == "9"


def test_a_row_removed_here_stays_gone_where_it_is_merely_changed() -> None:
    layer = Scene().layer
    delete(layer, "0001")

    assert skipped(layer, coming(change(title="theirs"), change("0002", title="two"))) == [
        "papers 0001 is not there any more"
    ]
    assert "0001" not in titles(layer)
    assert titles(layer)["0002"] == "two"
    assert [(each.op, each.id) for each in layer.changes()] == [("delete", "0001")]


def test_a_row_removed_here_is_back_where_rows_come_that_it_goes_with() -> None:
    layer = Scene().layer
    delete(layer, "0001")

    assert skipped(layer, coming(add(), change(title="theirs"))) == [""]
    assert titles(layer)["0001"] == "theirs"
    assert layer.changes() == []


def test_a_change_of_what_did_not_come_does_not_come_either() -> None:
    layer = Scene().layer
    layer.state(app).add(Paper(id="0101", tray_id="1", title="mine"))
    found = skipped(layer, coming(add("0101")), coming(change("0101", pages=4)), coming(remove("0102")))

    assert found == [
        "there is a paper 0101 here already",
        "No paper has the id '0101'.",
        "papers 0102 is not there any more",
    ]
    assert layer.state(app).get(Paper, "0101") == Paper(id="0101", tray_id="1", title="mine")


def test_fields_that_it_does_not_name_stay_as_they_were_made_here() -> None:
    layer = Scene().layer
    state = layer.state(app)
    state.save(state.get(Paper, "0001").model_copy(update={"title": "mine", "pages": 9}))
    layer.come([coming(change(title="theirs"))], [app])

    assert state.get(Paper, "0001") == Paper(id="0001", tray_id="1", title="theirs", pages=9)
    assert [each.fields for each in layer.changes()] == [{"pages": 9}]


def test_a_file_keeps_what_came_and_that_it_came(tmp_path: Path) -> None:
    layer = opened(tmp_path / "desk.duckdb")
    layer.state(app).add(Paper(tray_id="1", title="mine"))
    layer.come([coming(add(), change(title="renamed"))], [app])
    before = layer.digest(), layer.changes(), layer.came, titles(layer)
    layer.engine.close()
    again = opened(tmp_path / "desk.duckdb")

    assert (again.digest(), again.changes(), again.came, titles(again)) == before
    assert [each.op for each in again.changes()] == ["insert"]
    again.reset()
    assert (again.changes(), titles(again)["0100"]) == ([], "letter")
    again.engine.close()


def test_what_comes_to_a_file_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layer = opened(tmp_path / "desk.duckdb")
    layer.state(app).add(Paper(tray_id="1", title="mine"))
    before = layer.digest(), titles(layer)
    note = Engine._note

    def full(engine: Engine, key: str, value: str) -> None:
        if key == "came":
            raise duckdb.IOException("the disk is full")
        note(engine, key, value)

    monkeypatch.setattr(Engine, "_note", full)
    with pytest.raises(StateError, match="the disk is full"):
        layer.come([coming(add())], [app])
    assert (layer.digest(), titles(layer), layer.came) == (*before, ())
    monkeypatch.setattr(Engine, "_note", note)
    layer.engine.close()
    again = opened(tmp_path / "desk.duckdb")
    assert (again.digest(), titles(again), again.came) == (*before, ())
    again.come([coming(add())], [app])
    assert titles(again)["0100"] == "letter"
    again.engine.close()


def test_a_snapshot_from_before_has_not_seen_it_come() -> None:
    layer = Scene().layer
    before = layer.fork()
    layer.come([coming(add())], [app])
    layer.restore(before)

    assert (layer.came, layer.changes(), "0100" in titles(layer)) == ((), [], False)
    layer.come([coming(add())], [app])
    assert titles(layer)["0100"] == "letter"


def test_the_digest_is_the_same_whether_it_came_before_the_work_or_after() -> None:
    scene = Scene()
    early, late = scene.engine.layer(scene.base), scene.engine.layer(scene.base)
    early.come([coming(add(), change(title="theirs"))], [app])
    for layer in (early, late):
        state = layer.state(app)
        state.save(state.get(Paper, "0002").model_copy(update={"pages": 9}))
    late.come([coming(add(), change(title="theirs"))], [app])

    assert early.digest() == late.digest()


def test_a_moved_world_moves_what_comes_to_it() -> None:
    from servers import catalog

    values = {"task_name": "Call by 2024-05-07", "assigned_to_email": "a@b.example", "list_name": "Backlog"}
    edit = Edit(op="add", app="projects", table="tasks", id="9", values={**values, "due_date": "2024-05-08"})
    one = World("w", NOW, {"projects": {}}, arrivals=(Coming(at=LATER, edits=(edit, add())),))
    projects = catalog.app("projects")
    ((number, found),) = one.moved(7).coming([projects]).items()

    assert (number, found.at, len(found.edits)) == (0, LATER + timedelta(days=7), 1)
    assert found.edits[0].values["due_date"] == "2024-05-15"
    assert one.coming([projects])[0].edits == (edit,)
    assert one.digest == World("w", NOW, {"projects": {}}).digest
