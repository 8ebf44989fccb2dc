from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, create_model

from servers.kernel import (
    App,
    Edit,
    Engine,
    Former,
    Layer,
    Owner,
    Rejected,
    StateError,
    StateInUse,
    Table,
    World,
    WorldMismatch,
)
from servers.kernel.base import Shelf
from tests.kernel.desk import NOW, Paper, Tray, app, world

SETUP = (Edit(op="change", app="desk", table="papers", id="0001", values={"title": "set up"}),)


@contextmanager
def opened(path: Path, setup: tuple[Edit, ...] = ()) -> Iterator[Layer]:
    engine = Engine(path)
    try:
        yield engine.resume(engine.load(world()), [app], setup)
    finally:
        engine.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "it's desk.duckdb"


def paper(title: str, id: str = "") -> Paper:
    return Paper(id=id, tray_id="1", title=title)


def test_a_file_gives_back_rows_order_ids_time_and_digest(path: Path) -> None:
    with opened(path) as layer:
        state = layer.state(app)
        state.save(state.get(Paper, "0002").model_copy(update={"title": "changed"}))
        state.delete(state.get(Paper, "0001"))
        state.delete(state.add(paper("brief")))
        state.add(paper("back again", "0001"))
        state.add(paper("new"))
        layer.now = datetime(2031, 2, 3)
        rows, changes, digest = state.find(Paper), layer.changes(), layer.digest()

    with opened(path) as layer:
        state = layer.state(app)
        assert state.find(Paper) == rows
        assert [row.id for row in rows] == ["0002", "0003", "0004", "0005", "0006", "0001", "0008"]
        assert (layer.changes(), layer.digest(), layer.now) == (changes, digest, datetime(2031, 2, 3))
        assert state.add(paper("next")).id == "0009"
        assert state.query("SELECT id FROM papers ORDER BY _ord DESC LIMIT 2") == [("0009",), ("0008",)]


def test_a_reset_that_cannot_be_written_is_not_written_with_the_next_call(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(shelf: Shelf, *rows: Any) -> None:
        raise StateError("the disk is full")

    with opened(path) as layer:
        layer.state(app).add(paper("brief"))
        changes = layer.changes()
        with monkeypatch.context() as patch:
            patch.setattr(Shelf, "erase", full)
            with pytest.raises(StateError, match="the disk is full"):
                layer.reset()
        with layer.transaction():
            layer.state(app).find(Paper)

        assert layer.changes() == changes
    with opened(path) as layer:
        assert layer.changes() == changes


def test_a_file_and_memory_give_the_same_digest(path: Path) -> None:
    engine = Engine()
    layers = [engine.layer(engine.load(world()), SETUP, (app,))]
    with opened(path, SETUP) as kept:
        for layer in (*layers, kept):
            layer.state(app).add(paper("new"))
        digest = kept.digest()
        assert digest == layers[0].digest()
    with opened(path) as kept:
        assert kept.digest() == digest


def test_a_file_remembers_its_setup(path: Path) -> None:
    with opened(path, SETUP) as layer:
        layer.state(app).delete(layer.state(app).get(Paper, "0002"))
        digest = layer.digest()

    for setup in (SETUP, ()):
        with opened(path, setup) as layer:
            assert layer.start is not None
            assert [c.id for c in layer.start.changes()] == ["0001"]
            assert [c.id for c in layer.changes()] == ["0002"]
            assert layer.digest() == digest
    with opened(path) as layer:
        layer.reset()
    with opened(path) as layer:
        assert layer.changes() == []
        assert layer.state(app).get(Paper, "0001").title == "set up"


def test_another_setup_is_refused(path: Path) -> None:
    with opened(path, SETUP):
        pass
    other = (Edit(op="remove", app="desk", table="papers", id="0001"),)
    with (
        pytest.raises(StateError, match=r"desk\.duckdb was started from another task\. Give another folder"),
        opened(path, other),
    ):
        pass


def test_a_setup_that_does_not_fit_leaves_the_file_unstarted(path: Path) -> None:
    with (
        pytest.raises(StateError, match="setup step 0"),
        opened(path, (Edit(op="remove", app="desk", table="papers", id="9"),)),
    ):
        pass
    with opened(path, SETUP) as layer:
        assert layer.state(app).get(Paper, "0001").title == "set up"


def test_restoring_a_snapshot_reaches_the_file(path: Path) -> None:
    with opened(path) as layer:
        state = layer.state(app)
        state.add(paper("first"))
        snapshot = layer.fork()
        state.delete(state.get(Paper, "0007"))
        state.add(paper("second"))
        state.delete(state.get(Paper, "0001"))
        layer.restore(snapshot)
        wanted = state.find(Paper)

    with opened(path) as layer:
        state = layer.state(app)
        assert state.find(Paper) == wanted
        assert state.add(paper("third")).id == "0008"


def test_forks_and_failed_calls_leave_no_trace_in_a_file(path: Path) -> None:
    with opened(path) as layer:
        state, fork = layer.state(app), layer.fork()
        fork.state(app).add(paper("elsewhere"))
        fork.state(app).find(Paper)
        with pytest.raises(Rejected):
            app.default.tool("file_many").call(state, {"titles": ["half done", ""]})
        digest = layer.digest()

    with opened(path) as layer:
        assert layer.changes() == []
        assert layer.digest() == digest
        assert len(layer.state(app).find(Paper)) == 6
        assert layer.state(app).add(paper("next")).id == "0007"


def test_closing_the_layer_keeps_the_file(path: Path) -> None:
    with closing(Engine(path)) as engine:
        layer = engine.resume(engine.load(world()), [app])
        layer.state(app).add(paper("new"))
        layer.close()
        again = engine.resume(layer.base, [app])
        assert [c.id for c in again.changes()] == ["0007"]


def test_one_engine_resumes_its_file_once(path: Path) -> None:
    with closing(Engine(path)) as engine:
        layer = engine.resume(engine.load(world()), [app])
        with pytest.raises(StateError, match="in use already"):
            engine.resume(layer.base, [app])


def test_another_world_is_refused(path: Path) -> None:
    with opened(path):
        pass
    engine = Engine(path)
    with pytest.raises(WorldMismatch) as caught:
        engine.load(replace(world(), name="other"))
    engine.close()

    assert caught.value.found == f"desk@{world().digest[:12]}"
    assert str(path) in str(caught.value)
    assert "--state" in str(caught.value)


def test_a_file_goes_on_with_its_own_rows_where_its_world_has_others_by_now(path: Path) -> None:
    with opened(path) as layer:
        layer.state(app).add(paper("new"))
        rows, changes, digest = layer.state(app).find(Paper), layer.changes(), layer.digest()
    engine = Engine(path)
    later = replace(world(3), now=NOW + timedelta(days=9), owner=Owner(name="Mei", address="mei@desk.example"))
    layer = engine.resume(engine.load(later), [app])

    assert (layer.state(app).find(Paper), layer.changes(), layer.digest()) == (rows, changes, digest)
    assert (isinstance(layer.base.world, Former), layer.now, layer.base.world.owner) == (True, NOW, world().owner)
    layer.reset()
    assert (layer.changes(), layer.now) == ([], NOW)
    engine.close()


def test_a_table_that_a_later_version_has_rows_for_is_empty_in_a_file_from_before(path: Path) -> None:
    with opened(path):
        pass
    shelf = create_model("Shelf", __base__=Table, __cls_kwargs__={"name": "shelves"}, name=(str, ...))
    grown = App("desk", "Papers in trays, on shelves.", tables=(*app.tables, shelf))
    later = replace(world(), rows={"desk": {**world().rows["desk"], "shelves": [{"id": "1", "name": "top"}]}})
    engine = Engine(path)
    layer = engine.resume(engine.load(later), [grown])

    assert (layer.state(grown).find(shelf), len(layer.state(grown).find(Paper))) == (
        [],
        len(world().rows["desk"]["papers"]),
    )
    engine.close()


class Painted(Table, name="papers"):
    """What `desk` keeps in its papers, and more."""

    tray_id: str
    title: str
    pages: int = 1
    colour: str = "white"
    stamps: list[str] = Field(default=[])
    seen: date | None = None


def test_a_file_whose_tables_have_grown_since_keeps_opening(path: Path) -> None:
    with opened(path) as layer:
        before = layer.state(app).find(Paper)
        layer.state(app).add(Paper(tray_id="1", title="added"))
    desk = App("desk", "", tables=(Painted, Tray))
    for _ in range(2):
        engine = Engine(path)
        state = engine.resume(engine.load(world()), [desk]).state(desk)
        found = state.find(Painted)
        engine.close()

    assert [(row.id, row.title) for row in found] == [*((row.id, row.title) for row in before), (found[-1].id, "added")]
    assert {(row.colour, tuple(row.stamps), row.seen) for row in found} == {("white", (), None)}


def test_rows_are_written_into_a_table_that_has_grown(path: Path) -> None:
    with opened(path):
        pass
    desk = App("desk", "", tables=(Painted, Tray))
    engine = Engine(path)
    layer = engine.resume(engine.load(world()), [desk])
    layer.state(desk).add(Painted(tray_id="1", title="new", colour="red", stamps=["paid"]))
    engine.close()
    engine = Engine(path)
    found = engine.resume(engine.load(world()), [desk]).state(desk).find(Painted)[-1]
    engine.close()

    assert (found.title, found.colour, found.stamps) == ("new", "red", ["paid"])


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"colour": (str, ...)}, "colour, which it lacks"),
        ({"pages": (str, "")}, "pages, which is BIGINT there and VARCHAR now"),
    ],
)
def test_a_file_of_another_version_of_the_app_is_refused(path: Path, fields: dict[str, Any], problem: str) -> None:
    with opened(path):
        pass

    with pytest.raises(StateError, match=f"made by another version of desk: its papers have other fields: {problem}. "):
        resumed(path, other(**fields))


def test_a_file_with_a_field_that_the_app_has_no_more_is_refused(path: Path) -> None:
    with opened(path):
        pass
    plain = create_model("Paper", __base__=Table, __cls_kwargs__={"name": "papers"}, tray_id=str, title=(str, ""))

    with pytest.raises(StateError, match=r"other fields: pages, which is none any more\. "):
        resumed(path, plain)


class Place(StrEnum):
    TOP = "1"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"title": (Literal["a", "b"], "a")}, "title is 'scribbled': Input should be 'a' or 'b'"),
        ({"title": (Annotated[str, Field(pattern="^paper")], "")}, "title is 'scribbled': String should match pattern"),
        ({"pages": (Annotated[int, Field(le=9)], 1)}, "pages is 12: Input should be less than or equal to 9"),
        ({"tray_id": (Place, Place.TOP)}, "tray_id is '2': Input should be '1'"),
        ({"tags": (list[Literal["b"]], [])}, "tags.1 is 'a': Input should be 'b'"),
    ],
    ids=str,
)
@pytest.mark.parametrize("base", [True, False], ids=["of the world", "written since"])
def test_a_row_on_a_file_that_fits_no_more_is_told(
    path: Path, fields: dict[str, Any], problem: str, base: bool
) -> None:
    wide = other(tags=(list[str], []))
    row = {"tray_id": "2", "title": "scribbled", "pages": 12, "tags": ["b", "a"]}
    there = World("desk", NOW, {"desk": {"papers": [{"id": "0007", **row}] if base else [], "trays": []}})
    engine = Engine(path)
    state = engine.resume(engine.load(there), [desk_of(wide)]).state(desk_of(wide))
    if not base:
        state.add(wide(id="0007", **row))
    engine.close()

    said = f"{path}: desk.papers 0007 does not fit the app as it is now: {problem}"
    with pytest.raises(StateError, match=f"^{re.escape(said)}.* give another folder with --state"):
        resumed(path, other(**{"tags": (list[str], []), **fields}), there)


def test_a_version_that_is_refused_leaves_the_file_to_the_one_before(path: Path) -> None:
    class Narrow(Table, name="trays"):
        label: Literal["none"]

    with opened(path):
        pass
    engine = Engine(path)
    with pytest.raises(StateError, match=r"desk\.trays .* does not fit the app as it is now: label is "):
        engine.resume(engine.load(world()), [App("desk", "", tables=(Painted, Narrow))])
    engine.close()

    with opened(path) as layer:
        assert layer.state(app).get(Paper, "0001").title == "paper 1"


def other(**fields: Any) -> type[Table]:
    """Papers as another version of the app has them."""
    return create_model("Paper", __base__=Paper, __cls_kwargs__={"name": "papers"}, **fields)


def desk_of(papers: type[Table]) -> App:
    return App("desk", "", tables=(papers, Tray))


def resumed(path: Path, papers: type[Table], there: World | None = None) -> None:
    """Open a file with these papers."""
    engine = Engine(path)
    try:
        engine.resume(engine.load(there or world()), [desk_of(papers)])
    finally:
        engine.close()


def test_a_second_engine_in_this_process_is_refused(path: Path) -> None:
    with opened(path), pytest.raises(StateInUse):
        Engine(path)


@pytest.mark.parametrize("content", [b"hello", b"hello" * 9_999, None])
def test_what_is_no_database_is_named(path: Path, content: bytes | None) -> None:
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(StateError, match=r"desk\.duckdb cannot be used as a state file"):
        Engine(path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="nowhere"):
        Engine(tmp_path / "nowhere" / "desk.duckdb")


@pytest.mark.parametrize(("name", "why"), [("why?", "its path has a `?`"), ("caf\udce9", "its name is not UTF-8")])
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_folder_whose_name_no_file_can_be_kept_under_is_refused_and_left_empty(
    tmp_path: Path, name: str, why: str
) -> None:
    folder = tmp_path / name
    folder.mkdir()
    with pytest.raises(StateError, match=rf"cannot hold a state: .*{re.escape(why)}; choose another$"):
        Engine(folder / "desk.duckdb")

    assert list(folder.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such names")
def test_a_link_to_a_folder_that_no_file_can_be_kept_in_is_refused(tmp_path: Path) -> None:
    (tmp_path / "why?").mkdir()
    (tmp_path / "link").symlink_to("why?", target_is_directory=True)
    with pytest.raises(StateError, match=r"its path has a `\?`"):
        Engine(tmp_path / "link" / "desk.duckdb")


def test_state_on_a_file_cannot_reach_other_files(path: Path) -> None:
    with opened(path) as layer:
        for sql in (f"SELECT * FROM read_text('{Path(__file__)}')", "SELECT * FROM glob('/*')"):
            with pytest.raises(Exception, match="disabled"):
                layer.state(app).query(sql)


def child(program: str, path: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    head = "import sys; from pathlib import Path; from servers.kernel import *; from tests.kernel.desk import *\n"
    return subprocess.Popen(
        [sys.executable, "-c", head + program, str(path)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_a_second_process_is_told_which_file_and_what_to_do(path: Path) -> None:
    program = """
try:
    Engine(Path(sys.argv[1]))
except StateInUse as error:
    print(error)
"""
    with opened(path):
        said = child(program, path).communicate(timeout=240)[0].strip()

    assert said == (
        f"{path} is in use by another process. Stop that server, or give this one another folder with --state."
    )


@pytest.mark.slow
def test_a_process_killed_mid_call_leaves_only_what_was_committed(path: Path) -> None:
    program = """
engine = Engine(Path(sys.argv[1]))
layer = engine.resume(engine.load(world()), [app])
state = layer.state(app)
with state.transaction():
    state.add(Paper(tray_id="1", title="committed"))
    state.delete(state.get(Paper, "0001"))
fork = layer.fork()
fork.state(app).add(Paper(tray_id="1", title="in a fork"))
fork.state(app).find(Paper)
with state.transaction():
    state.add(Paper(tray_id="1", title="lost"))
    state.delete(state.get(Paper, "0002"))
    state.find(Paper)
    print("ready", flush=True)
    sys.stdin.read()
"""
    process = child(program, path)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=240)

    assert process.returncode == -signal.SIGKILL
    with opened(path) as layer:
        assert [(c.id, c.op) for c in layer.changes()] == [("0001", "delete"), ("0007", "insert")]
        assert layer.state(app).add(paper("next")).id == "0008"
        assert layer.now == NOW


@pytest.mark.slow
def test_a_process_killed_while_loading_leaves_a_file_that_loads(path: Path) -> None:
    program = """
class Rows(list):
    def __iter__(self):
        yield from list.__iter__(self)
        print("ready", flush=True)
        sys.stdin.read()

whole = world()
digest = whole.digest
rows = {"desk": {"trays": Rows(whole.rows["desk"]["trays"]), "papers": whole.rows["desk"]["papers"]}}
half = World(whole.name, whole.now, rows)
half.__dict__["digest"] = digest
engine = Engine(Path(sys.argv[1]))
engine.resume(engine.load(half), [app])
"""
    process = child(program, path)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.kill()
    process.communicate(timeout=240)

    with opened(path) as layer:
        assert len(layer.state(app).find(Paper)) == 6
