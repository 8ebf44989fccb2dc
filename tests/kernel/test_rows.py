from __future__ import annotations

from typing import Any

import pytest

from servers.kernel import Edit, Engine, NotFound, Rejected, StateError, Table, World
from tests.kernel.desk import NOW, Paper, Scene, Tray, app, world


@pytest.fixture
def scene() -> Scene:
    return Scene()


def paper(title: str, id: str = "") -> Paper:
    return Paper(id=id, tray_id="1", title=title)


def test_rows_come_in_base_order_then_as_added(scene: Scene) -> None:
    scene.state.add(paper("late"))
    first = scene.state.get(Paper, "0001")
    first.title = "changed"
    scene.state.save(first)
    scene.state.add(paper("later"))

    assert scene.titles() == ["changed", "paper 2", "paper 3", "paper 4", "paper 5", "paper 6", "late", "later"]


def test_readding_a_removed_row_appends_it(scene: Scene) -> None:
    scene.state.delete(scene.state.get(Paper, "0002"))
    scene.state.add(paper("second life", "0002"))

    assert scene.ids() == ["0001", "0003", "0004", "0005", "0006", "0002"]
    assert scene.state.get(Paper, "0002").title == "second life"


def test_a_row_that_is_there_is_found_by_its_id_and_one_that_is_gone_or_never_was_is_none(scene: Scene) -> None:
    scene.state.delete(scene.state.get(Paper, "0002"))
    scene.state.add(paper("late"))

    assert scene.state.there(Paper, "0001") == scene.state.get(Paper, "0001")
    assert scene.state.there(Paper, "0007") == scene.state.get(Paper, "0007")
    assert scene.state.there(Paper, "0002") is None
    assert scene.state.there(Paper, "9999") is None


def test_an_order_of_ones_own_leaves_ties_in_row_order(scene: Scene) -> None:
    scene.state.save(scene.state.get(Paper, "0001").model_copy(update={"pages": 9}))

    assert [p.id for p in scene.state.find(Paper, order="pages DESC", limit=3)] == ["0001", "0002", "0003"]


def test_limits_count_rows_as_the_sandbox_sees_them(scene: Scene) -> None:
    scene.state.delete(scene.state.get(Paper, "0001"))
    scene.state.add(paper("new"))

    assert [p.id for p in scene.state.find(Paper, limit=2)] == ["0002", "0003"]
    assert scene.state.find(Paper, limit=0) == []


def test_given_ids_follow_the_highest_ever_used(scene: Scene) -> None:
    added = [scene.state.add(paper("a")).id, scene.state.add(paper("b", "0050")).id, scene.state.add(paper("c")).id]

    assert added == ["0007", "0050", "0051"]


def test_a_deleted_id_is_never_given_again(scene: Scene) -> None:
    last = scene.state.add(paper("gone soon"))
    scene.state.delete(last)
    scene.state.delete(scene.state.get(Paper, "0006"))

    assert scene.state.add(paper("next")).id == "0008"


def test_ids_continue_as_at_the_snapshot(scene: Scene) -> None:
    scene.state.add(paper("a"))
    snapshot = scene.layer.fork()
    scene.state.add(paper("b"))
    scene.layer.restore(snapshot)

    assert scene.state.add(paper("c")).id == "0008"


def test_an_id_in_use_is_refused(scene: Scene) -> None:
    scene.state.add(paper("mine", "x"))
    for id in ("0001", "x"):
        with pytest.raises(Rejected, match=f"already a paper with the id '{id}'"):
            scene.state.add(paper("again", id))


@pytest.mark.parametrize("id", ["9999", "", "' OR 1=1 --", "0001 "])
def test_an_unknown_id_is_named(scene: Scene, id: str) -> None:
    for act in (
        lambda: scene.state.get(Paper, id),
        lambda: scene.state.save(paper("x", id)),
        lambda: scene.state.delete(paper("x", id)),
    ):
        with pytest.raises(NotFound) as caught:
            act()
        assert str(caught.value) == f"No paper has the id {id!r}."


def test_a_row_that_is_gone_cannot_be_read_changed_or_removed(scene: Scene) -> None:
    for row in (scene.state.get(Paper, "0001"), scene.state.add(paper("x"))):
        scene.state.delete(row)
        for act in (scene.state.save, scene.state.delete, lambda row: scene.state.get(Paper, row.id)):
            with pytest.raises(NotFound):
                act(row)


def test_a_row_handed_out_is_a_copy(scene: Scene) -> None:
    for id in ("0001", scene.state.add(paper("mine")).id):
        scene.state.get(Paper, id).title = "scribbled"

        assert scene.state.get(Paper, id).title != "scribbled"


def test_what_escapes_a_models_validation_is_checked_on_its_way_in(scene: Scene) -> None:
    with pytest.raises(ValueError, match="pages"):
        scene.state.save(scene.state.get(Paper, "0001").model_copy(update={"pages": "many"}))
    assert scene.layer.changes() == []


def test_a_table_of_another_app_is_refused(scene: Scene) -> None:
    class Stray(Table, name="strays"):
        pass

    with pytest.raises(TypeError, match="Stray is not a table of desk"):
        scene.state.find(Stray)


def test_a_query_sees_this_sandbox_alone(scene: Scene) -> None:
    other = scene.engine.layer(scene.base).state(app)
    scene.state.add(paper("mine"))
    other.delete(other.get(Paper, "0001"))
    count = "SELECT count(*), max(title) FROM papers JOIN trays ON trays.id = tray_id WHERE label = ?"

    assert scene.state.query(count, ["in"]) == [(7, "paper 6")]
    assert other.query(count, ["in"]) == [(5, "paper 6")]
    assert scene.state.query("SELECT id FROM papers ORDER BY _ord DESC LIMIT 1") == [("0007",)]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM papers",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP VIEW papers",
        "SET VARIABLE layer = 3",
        "EXPLAIN ANALYZE SELECT 1",
        "CHECKPOINT",
        "",
    ],
)
def test_a_query_is_one_select(scene: Scene, sql: str) -> None:
    with pytest.raises(ValueError, match="one SELECT statement"):
        scene.state.query(sql)


def test_a_select_that_writes_is_refused_and_the_next_query_works(scene: Scene) -> None:
    scene.state.add(paper("mine"))
    insert = f"INSERT INTO {scene.base.shelf(app, Paper).base} SELECT * FROM papers RETURNING id"
    with pytest.raises(Exception, match="read-only"):
        scene.state.query(f"WITH added AS ({insert}) SELECT * FROM added")

    assert scene.state.query("SELECT count(*) FROM papers") == [(7,)]


def test_state_in_memory_cannot_reach_files(scene: Scene) -> None:
    with pytest.raises(Exception, match="disabled"):
        scene.state.query("SELECT * FROM read_csv('/etc/hostname')")


def test_a_base_row_that_does_not_fit_is_named() -> None:
    for bad, problem in (
        ({"id": "2", "label": 7}, "row 1, does not fit"),
        ({"id": "1", "label": "x"}, "row 1, has an empty or repeated id: '1'"),
        ({"id": "", "label": "x"}, "row 1, has an empty or repeated id: ''"),
    ):
        engine = Engine()
        broken = World("broken", NOW, {"desk": {"trays": [{"id": "1", "label": "in"}, bad]}})
        with pytest.raises(StateError, match=f"world 'broken': desk.trays, {problem}"):
            engine.layer(engine.load(broken)).state(app).get(Tray, "1")


def test_rows_for_a_table_that_the_app_has_not_are_refused() -> None:
    engine = Engine()
    with pytest.raises(StateError, match="world 'odd' has rows for pens, which desk has no table for"):
        engine.layer(engine.load(World("odd", NOW, {"desk": {"pens": []}}))).state(app).find(Paper)


def test_two_worlds_in_one_engine_stay_apart() -> None:
    engine = Engine()
    small, large = (engine.layer(engine.load(world(n))).state(app) for n in (2, 3))
    small.add(paper("mine"))

    assert [len(s.find(Paper)) for s in (small, large)] == [3, 3]
    assert [len(s.query("SELECT id FROM papers")) for s in (small, large)] == [3, 3]
    assert large.get(Paper, "0003").title == "paper 3"


@pytest.mark.parametrize(
    ("edit", "problem"),
    [
        (Edit(op="change", app="mail", table="papers", id="1"), "there is no app 'mail' here, only desk"),
        (Edit(op="change", app="desk", table="pens", id="1"), "desk has no table 'pens', only trays, papers"),
        (Edit(op="remove", app="desk", table="papers", id="9"), "No paper has the id '9'"),
        (Edit(op="change", app="desk", table="papers", id="0001", values={"colour": "red"}), "colour"),
        (Edit(op="add", app="desk", table="papers", id="0001", values={"tray_id": "1", "title": "x"}), "already"),
        (Edit(op="add", app="desk", table="papers", id="7", values={"title": "x"}), "tray_id"),
        (Edit(op="change", app="desk", table="papers", id="0001", values={"pages": 2**63}), "64 bits"),
    ],
)
def test_a_setup_step_that_does_not_fit_names_itself(edit: Edit, problem: str) -> None:
    scene = Scene()
    fine = Edit(op="remove", app="desk", table="papers", id="0006")
    with pytest.raises(StateError) as caught:
        scene.engine.layer(scene.base, (fine, edit), (app,))

    assert f"setup step 1 ({edit.op} {edit.app}.{edit.table} {edit.id}) does not fit" in str(caught.value)
    assert problem in str(caught.value)


class Counting:
    """A connection that counts what it is asked."""

    def __init__(self, connection: Any) -> None:
        self._connection, self.asked = connection, 0

    def execute(self, *statement: Any) -> Any:
        self.asked += 1
        return self._connection.execute(*statement)


def test_a_small_table_costs_the_database_nothing_after_the_first_row(scene: Scene) -> None:
    scene.state.get(Paper, "0001")
    scene.engine.connection = counting = Counting(scene.engine.connection)
    with pytest.raises(NotFound):
        scene.state.get(Paper, "nowhere")

    assert scene.state.get(Paper, "0002").title == "paper 2"
    assert counting.asked == 0


def test_ids_that_are_not_there_cost_the_database_nothing_after_the_first(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("servers.kernel.base._SMALL", 0)
    with pytest.raises(NotFound):
        scene.state.get(Paper, "nowhere")
    scene.engine.connection = counting = Counting(scene.engine.connection)
    other = scene.engine.layer(scene.base).state(app)
    for id in ("0100", "0101", "nowhere"):
        other.add(paper("new", id))
        with pytest.raises(NotFound):
            scene.state.get(Paper, id)

    assert counting.asked == 0
    assert other.get(Paper, "0100").title == "new"
    assert other.get(Paper, "0001").title == "paper 1"
    assert counting.asked == 1
