"""The page as a folder: every value as a script, opened from disk, and never in place of something else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.record.files import RunError
from harness.record.store import Run
from harness.view.encoding import as_script
from harness.view.folder import MARK, write_folder
from harness.view.trials import PIECE
from tests.harness import toy
from tests.view import scene

pytestmark = pytest.mark.usefixtures("page")

HOSTILE = "</script><script>alert(1)</script><!-- \u2028 \u2029 -->"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return scene.played(tmp_path / "run")


def value(folder: Path, name: str) -> Any:
    """What a script of the folder hands over."""
    text = (folder / "data" / f"{name}.js").read_text(encoding="utf-8")
    found = re.fullmatch(r'harnessData\("([a-z0-9-]+)", (.*)\);\n', text, re.DOTALL)
    assert found is not None, text[:80]
    assert found[1] == name
    return json.loads(found[2])


def test_a_folder_has_the_values_that_a_server_has(run: Run, tmp_path: Path) -> None:
    view = scene.view(run.folder)

    files = write_folder(view, tmp_path / "out")

    out = tmp_path / "out"
    assert files == sum(path.is_file() for path in out.rglob("*"))
    (head,) = value(out, "runs")["runs"]
    path = "/".join(run.folder.resolve().parts[-2:])
    assert {**view.value("runs")["runs"][0], "texts": 1, "path": path, "folder": path} == head
    assert (value(out, "runs")["writable"], value(out, "runs")["token"], value(out, "runs")["author"]) == (
        False,
        "",
        "",
    )
    keys = value(out, "index-0")["columns"]["key"]
    for name in ("index-0", "report-0", *(f"trial-0-{key}" for key in keys)):
        assert value(out, name) == json.loads(json.dumps(view.value(name)))
    for key in keys:
        raw = json.loads((out / "raw" / f"0-{key}.json").read_text())
        assert raw["trajectory"]["suite"] == "toy"
    assert not (out / "data" / "compare.js").exists()
    assert not list(tmp_path.glob(".*"))


def test_the_page_is_in_it_and_knows_that_it_is_a_folder(run: Run, tmp_path: Path, page: Path) -> None:
    write_folder(scene.view(run.folder), tmp_path / "out")

    assert '<meta name="harness-source" content="folder">' in (tmp_path / "out" / "index.html").read_text()
    assert (tmp_path / "out" / "js" / "app.js").read_bytes() == (page / "js" / "app.js").read_bytes()
    assert (tmp_path / "out" / "vendor" / "LICENSE-x.txt").is_file()
    assert not (tmp_path / "out" / "vendor" / "thing.map").exists()


def test_several_runs_have_a_comparison(run: Run, tmp_path: Path) -> None:
    other = scene.played(tmp_path / "other", seed=1)

    write_folder(scene.view(run.folder, other.folder), tmp_path / "out")

    assert value(tmp_path / "out", "compare")["tables"]
    assert {path.name for path in (tmp_path / "out" / "raw").iterdir()} >= {
        f"1-{key}.json" for key in value(tmp_path / "out", "index-1")["columns"]["key"]
    }


def test_texts_to_search_are_as_a_server_searches(run: Run, tmp_path: Path) -> None:
    view = scene.view(run.folder)
    write_folder(view, tmp_path / "out")

    texts = value(tmp_path / "out", "text-0-0")["texts"]

    for words in ("in review", "template-3", "update_task", "move job 0"):
        found = view.search(0, f'"{words}"')
        assert found is not None
        held = [key for key, places in texts if any(words in place[3].casefold() for place in places)]
        assert held == found["keys"] != []


def test_nothing_in_a_record_ends_a_script(tmp_path: Path) -> None:
    evil = scene.TASKS[0].model_copy(update={"id": HOSTILE, "template": HOSTILE})
    run = scene.empty(tmp_path / "run")
    call = scene.call(0, arguments={HOSTILE: HOSTILE}) | {"text": HOSTILE}
    run.write(scene.record(evil, agent="oracle", reason=HOSTILE, events=[call]))
    view = scene.view(run.folder, load=lambda *_: toy.suite([evil]))

    write_folder(view, tmp_path / "out")

    for path in (tmp_path / "out" / "data").iterdir():
        assert re.fullmatch(r"[a-z0-9-]+\.js", path.name)
        text = path.read_text(encoding="utf-8")
        assert not set(text) & {"<", "\u2028", "\u2029"}
    key = value(tmp_path / "out", "index-0")["columns"]["key"][0]
    assert value(tmp_path / "out", f"trial-0-{key}")["first"][0]["arguments"] == {HOSTILE: HOSTILE}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "run", "static"]


def test_a_script_is_plain_json() -> None:
    assert (
        as_script("runs", {"a": [1, None, "<", float("nan")]})
        == b'harnessData("runs", {"a":[1,null,"\\u003c",null]});\n'
    )


def test_a_record_of_a_million_characters_and_one_of_many_events_are_in_it(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    run.write(scene.record(trial=0, events=[scene.call(0) | {"text": "word " * 300_000}]))
    run.write(scene.record(trial=1, events=[scene.call(n) for n in range(PIECE + 1)]))
    view = scene.view(run.folder)

    write_folder(view, tmp_path / "out")

    long, many = value(tmp_path / "out", "index-0")["columns"]["key"]
    assert value(tmp_path / "out", f"trial-0-{long}")["first"][0]["text"]["chars"] == 1_500_000
    assert len((tmp_path / "out" / "raw" / f"0-{long}.json").read_text()) > 1_500_000
    assert value(tmp_path / "out", f"events-0-{many}-1")["events"][0]["at"] == PIECE
    assert not (tmp_path / "out" / "data" / f"events-0-{many}-0.js").exists()


def test_torn_records_are_told_in_it(run: Run, tmp_path: Path) -> None:
    scene.files(run)[0].write_text("{")

    write_folder(scene.view(run.folder), tmp_path / "out")

    (problem,) = value(tmp_path / "out", "runs")["runs"][0]["problems"]
    assert problem["file"] == f"trials/{scene.files(run)[0].name}"
    assert len(value(tmp_path / "out", "index-0")["columns"]["key"]) == 3


def test_a_folder_of_ours_is_replaced_whole(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    write_folder(scene.view(run.folder), out)
    (out / "data" / "old.js").write_text("old")

    write_folder(scene.view(run.folder), out)

    assert (out / MARK).is_file()
    assert not (out / "data" / "old.js").exists()
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("what", ["file", "folder", "run"])
def test_something_else_is_never_overwritten(run: Run, tmp_path: Path, what: str) -> None:
    out = {"file": tmp_path / "out", "folder": tmp_path / "out", "run": run.folder}[what]
    if what == "file":
        out.write_text("mine")
    if what == "folder":
        out.mkdir()
        (out / "index.html").write_text("mine")
    before = sorted(out.rglob("*"))

    with pytest.raises(RunError, match="exists and holds something else"):
        write_folder(scene.view(run.folder), out)

    assert sorted(out.rglob("*")) == before
    assert not list(tmp_path.glob(".*"))


def test_where_it_cannot_be_written_the_former_one_stays(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    write_folder(scene.view(run.folder), out)
    view = scene.view(run.folder)

    def full(*_: object) -> bytes:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("harness.view.folder.as_script", full)
    with pytest.raises(RunError, match="cannot be written: No space left on device"):
        write_folder(view, out)

    assert value(out, "runs")["runs"]
    assert not list(tmp_path.glob(".*"))
