from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from servers.kernel import Change, Edit, Engine, Layer, StateError
from tests.kernel.desk import NOW, Paper, Scene, Tray, app, world

SETUP = (
    Edit(op="change", app="desk", table="papers", id="0001", values={"title": "set up"}),
    Edit(op="add", app="desk", table="papers", id="0100", values={"tray_id": "2", "title": "extra"}),
    Edit(op="remove", app="desk", table="papers", id="0002"),
)


def rename(layer: Layer, id: str, title: str) -> None:
    state = layer.state(app)
    state.save(state.get(Paper, id).model_copy(update={"title": title}))


def test_what_is_changed_and_changed_back_is_no_change() -> None:
    scene = Scene()
    empty = scene.layer.digest()
    rename(scene.layer, "0001", "other")
    changed = scene.layer.digest()
    rename(scene.layer, "0001", "paper 1")

    assert scene.layer.changes() == []
    assert scene.layer.digest() == empty != changed


def test_what_only_sql_needs_is_not_made_before_sql_looks() -> None:
    def made() -> set[str]:
        sql = "SELECT table_name FROM information_schema.tables WHERE table_schema LIKE 'w0%'"
        return {name for (name,) in scene.engine.connection.execute(sql).fetchall()}

    scene = Scene()
    rename(scene.layer, "0001", "other")
    unseen = made()
    scene.state.find(Paper, "title = 'other'")
    searched = made()
    scene.state.query("SELECT count(*) FROM trays")

    assert unseen == {"_base_papers"}
    assert searched == {*unseen, "_delta_papers"}
    assert made() == {*searched, "papers", "_base_trays", "trays"}


def test_what_is_added_and_deleted_is_no_change() -> None:
    scene = Scene()
    scene.state.delete(scene.state.add(Tray(label="brief")))

    assert scene.layer.changes() == []
    assert scene.layer.digest() == scene.engine.layer(scene.base).digest()


def test_what_is_deleted_and_added_again_as_it_was_is_no_change() -> None:
    scene = Scene()
    row = scene.state.get(Paper, "0001")
    scene.state.delete(row)
    scene.state.add(row)

    assert scene.layer.changes() == []


def test_changes_hold_whole_rows_in_order_of_table_and_id() -> None:
    scene = Scene()
    scene.state.add(Tray(label="new"))
    rename(scene.layer, "0002", "b")
    scene.state.delete(scene.state.get(Paper, "0001"))
    was = {"tray_id": "1", "pages": 1}

    assert scene.layer.changes() == [
        Change(app="desk", table="papers", id="0001", before={**was, "title": "paper 1"}, after=None),
        Change(app="desk", table="papers", id="0002", before={**was, "title": "paper 2"}, after={**was, "title": "b"}),
        Change(app="desk", table="trays", id="3", before=None, after={"label": "new"}),
    ]
    assert [(c.op, c.fields) for c in scene.layer.changes()] == [
        ("delete", {}),
        ("update", {"title": "b"}),
        ("insert", {"label": "new"}),
    ]


def test_diffs_and_resets_are_relative_to_the_setup() -> None:
    scene = Scene()
    layer = scene.engine.layer(scene.base, SETUP, (app,))
    assert layer.changes() == []
    assert layer.written == []
    assert layer.start is not None
    assert [(c.id, c.op) for c in layer.start.changes()] == [("0001", "update"), ("0002", "delete"), ("0100", "insert")]
    begun = layer.digest()

    rename(layer, "0001", "paper 1")
    (change,) = layer.changes()
    layer.reset()

    assert (change.before or {})["title"] == "set up"
    assert layer.changes() == []
    assert layer.digest() == begun
    assert layer.state(app).add(Paper(tray_id="1", title="next")).id == "0101"


def test_a_digest_tells_a_setup_from_the_same_change_made_later() -> None:
    scene = Scene()
    prepared = scene.engine.layer(scene.base, SETUP[:1], (app,))
    rename(scene.layer, "0001", "set up")

    assert prepared.state(app).find(Paper) == scene.state.find(Paper)
    assert len({prepared.digest(), scene.layer.digest(), scene.engine.layer(scene.base).digest()}) == 3


def test_diffs_may_be_relative_to_any_snapshot() -> None:
    scene = Scene()
    rename(scene.layer, "0001", "one")
    snapshot = scene.layer.fork()
    rename(scene.layer, "0002", "two")

    assert [c.id for c in scene.layer.changes(snapshot)] == ["0002"]
    assert [c.fields for c in snapshot.changes(scene.layer)] == [{"title": "paper 2"}]
    assert scene.engine.layer(scene.base).changes(snapshot)[0].before == {
        "tray_id": "1", "title": "one", "pages": 1,
    }  # fmt: skip


def test_a_snapshot_outlives_what_it_was_taken_from() -> None:
    scene = Scene()
    layer = scene.engine.layer(scene.base, SETUP, (app,))
    digest, snapshot = layer.digest(), layer.fork()
    rename(layer, "0003", "x")
    layer.close()

    assert snapshot.digest() == digest
    assert [p.title for p in snapshot.state(app).find(Paper, limit=2)] == ["set up", "paper 3"]


def test_time_goes_back_with_the_state() -> None:
    scene = Scene()
    later = NOW.replace(year=2030)
    snapshot = scene.layer.fork()
    scene.layer.now = later
    late = scene.layer.fork()
    scene.layer.restore(snapshot)
    assert (scene.state.now, late.now) == (NOW, later)

    late.reset()
    assert late.now == NOW


def test_states_of_different_worlds_are_not_compared() -> None:
    scene = Scene()
    other = scene.engine.layer(scene.engine.load(world(2)))
    with pytest.raises(ValueError, match="different worlds"):
        scene.layer.changes(other)
    with pytest.raises(ValueError, match="another world"):
        scene.layer.restore(other)


def test_a_closed_sandbox_says_so() -> None:
    scene = Scene()
    scene.layer.close()
    scene.layer.close()
    for act in (
        lambda: scene.state.get(Paper, "0001"),
        lambda: scene.state.find(Paper),
        scene.layer.fork,
        scene.layer.changes,
        scene.layer.reset,
        lambda: scene.engine.layer(scene.base).restore(scene.layer),
    ):
        with pytest.raises(RuntimeError, match="closed"):
            act()


def test_many_sandboxes_never_see_each_others_rows() -> None:
    scene, dice = Scene(20), random.Random(5)
    layers = [scene.engine.layer(scene.base) for _ in range(40)]
    wanted = [{paper.id: paper.title for paper in scene.state.find(Paper)} for _ in layers]
    for step in range(1500):
        n = dice.randrange(len(layers))
        state, rows = layers[n].state(app), wanted[n]
        kind = dice.random()
        if kind < 0.3:
            added = state.add(Paper(tray_id="1", title=f"{n}:{step}"))
            rows[added.id] = added.title
        elif kind < 0.5:
            id = dice.choice(list(rows))
            rename(layers[n], id, f"{n}:{step}")
            rows[id] = f"{n}:{step}"
        elif kind < 0.6 and len(rows) > 3:
            state.delete(state.get(Paper, dice.choice(list(rows)[:3])))
            rows.clear()
            rows.update({paper.id: paper.title for paper in state.find(Paper)})
        elif kind < 0.65:
            layers[n].close()
            layers[n] = scene.engine.layer(scene.base)
            wanted[n] = {paper.id: paper.title for paper in scene.state.find(Paper)}
        else:
            assert {paper.id: paper.title for paper in state.find(Paper)} == rows
    assert all(title.split(":")[0] in (str(n), title) for n, rows in enumerate(wanted) for title in rows.values())
    for layer, rows in zip(layers, wanted, strict=True):
        found = layer.state(app).query("SELECT id, title FROM papers ORDER BY _ord")
        assert found == list(rows.items())


@pytest.mark.slow
def test_digests_are_the_same_in_every_process() -> None:
    program = """
from servers.kernel import Engine
from tests.kernel.desk import Paper, Tray, app, world
from tests.kernel.test_layers import SETUP
engine = Engine()
layer = engine.layer(engine.load(world()), SETUP, (app,))
state = layer.state(app)
for n in range(9):
    state.add(Tray(label=str(n)))
    state.add(Paper(tray_id="1", title=str(n)))
state.delete(state.get(Paper, "0003"))
print(layer.digest())
"""
    digests = set()
    for seed in ("0", "1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[2])}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        digests.add(done.stdout)

    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64


@pytest.mark.slow
def test_ten_thousand_sandboxes_give_their_memory_back() -> None:
    scene = Scene(500)
    others = [scene.engine.layer(scene.base) for _ in range(50)]
    for number, other in enumerate(others):
        rename(other, "0001", f"other {number}")
        other.state(app).find(Paper, limit=1)
    process = psutil.Process()
    early = 0

    for number in range(10_000):
        layer = scene.engine.layer(scene.base, SETUP[:1], (app,))
        rename(layer, f"{number % 400 + 10:04d}", "x" * 2_000)
        layer.state(app).add(Paper(tray_id="1", title="y" * 2_000))
        if number % 4 == 0:  # SQL looks at some of them, so that their rows go through the delta table
            assert len(layer.state(app).find(Paper, "length(title) = 2000")) == 2
        layer.close()
        if number == 999:
            early = process.memory_info().rss

    assert process.memory_info().rss < early * 1.2
    assert [other.state(app).get(Paper, "0001").title for other in others] == [f"other {n}" for n in range(50)]
    assert [p.title for p in others[7].state(app).find(Paper, "id = '0001'")] == ["other 7"]


def test_a_checkpoint_beside_an_open_transaction_harms_nothing() -> None:
    engine = Engine()
    layer, other = (engine.layer(engine.load(world())) for _ in range(2))
    rename(other, "0001", "kept")
    with layer.state(app).transaction():
        rename(layer, "0001", "mid")
        layer.state(app).find(Paper)
        engine.checkpoint()
        rename(layer, "0002", "mid")
        other.reset()
        engine.checkpoint()

    assert [p.title for p in layer.state(app).find(Paper, limit=2)] == ["mid", "mid"]
    assert other.changes() == []


def test_an_engine_forgets_one_world_and_keeps_the_others() -> None:
    engine = Engine()
    one, two = (engine.load(replace(world(), name=name)) for name in ("one", "two"))
    kept, gone = engine.layer(two), engine.layer(one)
    for layer in (kept, gone):
        rename(layer, "0001", "other")
        assert len(layer.state(app).find(Paper, "title = 'other'")) == 1
    gone.close()
    engine.forget(one)
    engine.checkpoint()
    again = engine.layer(engine.load(one.world))

    assert engine.load(one.world) is not one
    assert again.state(app).find(Paper, "title = 'other'") == []
    assert len(kept.state(app).find(Paper, "title = 'other'")) == 1


def test_forgetting_a_world_gives_its_tables_back() -> None:
    engine = Engine()

    def tables() -> int:
        ((count,),) = engine.connection.execute("SELECT count(*) FROM duckdb_tables()").fetchall()
        return int(count)

    for number in range(3):
        base = engine.load(replace(world(), name=f"world-{number}"))
        layer = engine.layer(base)
        rename(layer, "0001", "other")
        assert tables() > 0
        layer.close()
        engine.forget(base)
        assert tables() == 0


def test_a_file_keeps_its_world(tmp_path: Path) -> None:
    engine = Engine(tmp_path / "desk.duckdb")
    base = engine.load(world())

    with pytest.raises(StateError, match="keeps its world"):
        engine.forget(base)
    engine.close()
