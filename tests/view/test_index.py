"""The index of a run: written as trials end, believed where it fits, made again where it does not."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path
from typing import Any

import pytest

from harness.core.trajectory import CutShort, Message
from harness.play.run import evaluate, score_run
from harness.record.holding import alone, under_way
from harness.record.index import Index
from harness.record.rows import NAME, Row, append, begun, row_of
from harness.record.store import Run, RunHead, TrialRecord
from tests.harness import toy
from tests.view import scene


def told(record: TrialRecord) -> Row:
    return row_of(record.trajectory, record.scores)


def note(folder: Path, path: Path, record: TrialRecord) -> None:
    append(folder, path, record.trajectory, record.scores)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return scene.played(tmp_path / "run")


def read(run: Run, **settings: bool) -> Index:
    index = Index(Run.open(run.folder), **settings)
    index.refresh()
    return index


def untouched(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on no record is read."""

    def read(self: Run, path: Path) -> TrialRecord:
        raise AssertionError(f"{path} was read")

    monkeypatch.setattr(Run, "read", read)


def test_a_list_of_what_was_played_opens_no_record(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = {path.name: told(run.read(path)) for path in scene.files(run)}
    untouched(monkeypatch)

    index = read(run)

    assert index.rows == expected
    assert index.planned == 4
    assert {row.verdict for row in index.rows.values()} == {"correct"}


def test_an_index_that_is_gone_is_made_from_the_records_and_kept(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    before = read(run).rows
    (run.folder / NAME).unlink()

    assert read(run).rows == before

    untouched(monkeypatch)
    assert read(run).rows == before


def test_who_may_not_write_reads_the_same(run: Run) -> None:
    before = read(run).rows
    (run.folder / NAME).unlink()

    assert read(run, keep=False).rows == before
    assert not (run.folder / NAME).exists()


@pytest.mark.parametrize(
    "line",
    [
        '{"version":3,"file":"half',
        "[]",
        "null",
        "\x00\xff",
        '{"version":9,"file":"x.json","size":1,"mtime_ns":1,"row":{}}',
        '{"planned":"many"}',
        '{"version":3,"file":"../../run.json","size":1,"mtime_ns":1,"row":{}}',
        "[" * 100_000,
    ],
)
def test_a_line_that_is_none_costs_nothing_but_itself(run: Run, line: str) -> None:
    before = read(run).rows
    there = run.folder / NAME
    there.write_bytes(line.encode("latin-1") + b"\n" + there.read_bytes())

    index = read(run)

    assert index.rows == before
    assert index.unread == []


def test_lines_of_an_earlier_version_are_made_again_from_the_records(run: Run) -> None:
    there = run.folder / NAME
    whole = there.read_text(encoding="utf-8")
    old = whole.replace('"version":8', '"version":7')
    assert old != whole
    there.write_text(old.replace('"turns":0', '"turns":99'), encoding="utf-8")

    assert {row.turns for row in read(run).rows.values()} == {0}
    assert whole.splitlines()[1:] == there.read_text(encoding="utf-8").splitlines()[-len(read(run).rows) :]


def test_a_line_that_was_torn_by_a_kill_takes_the_next_one_along_and_the_record_says_both(run: Run) -> None:
    before = read(run).rows
    there = run.folder / NAME
    whole = there.read_bytes().splitlines(keepends=True)
    there.write_bytes(whole[0] + whole[1][:40] + b"".join(whole[2:]))

    assert read(run).rows == before


def test_a_record_that_is_another_one_by_now_is_read_again(run: Run) -> None:
    index = read(run)
    first = scene.files(run)[0]
    record = run.read(first)
    record.trajectory.status = "crashed"
    first.write_text(record.model_dump_json(), encoding="utf-8")

    assert index.refresh() == [first.name]
    assert index.rows[first.name].verdict == "failed"
    assert "crashed" in index.rows[first.name].flags


def test_of_a_trial_that_was_played_again_the_last_line_counts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    record = run.read(scene.files(run)[0])
    record.trajectory.status = "limit"
    run.write(record)
    untouched(monkeypatch)

    assert read(run).rows[scene.files(run)[0].name].status == "limit"


def test_a_record_that_is_gone_has_no_row(run: Run) -> None:
    index = read(run)
    first = scene.files(run)[0]
    first.unlink()
    index.refresh()

    assert first.name not in index.rows
    assert len(index.rows) == 3


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "does not fit the trial format"),
        (b'{"trajectory": {', "If a power cut left it so"),
        (b"\xff\xfe", "does not fit the trial format"),
        (b"[" * 200_000, "does not fit the trial format"),
        (b'{"trajectory": {"version": 9}}', "it is of version 9"),
        (b"null", "does not fit the trial format"),
    ],
)
def test_a_record_that_cannot_be_read_is_told_and_hides_no_other(run: Run, content: bytes, told: str) -> None:
    first = scene.files(run)[0]
    first.write_bytes(content)

    index = read(run)

    (unread,) = index.unread
    assert unread.file == first.name
    assert told in unread.text
    assert str(run.folder) not in unread.text
    assert len(index.rows) == 3


@pytest.mark.skipif(os.name != "posix", reason="pipes with a name are of POSIX")
def test_what_is_no_file_is_told_and_not_opened(run: Run) -> None:
    os.mkfifo(run.folder / "trials" / "pipe.json")
    (run.folder / "trials" / "folder.json").mkdir()

    index = read(run)

    assert [each.file for each in index.unread] == ["folder.json", "pipe.json"]
    assert len(index.rows) == 4


@pytest.mark.skipif(os.name != "posix", reason="pipes with a name are of POSIX")
def test_an_index_that_is_a_pipe_is_not_waited_for(run: Run) -> None:
    expected = read(run).rows
    (run.folder / NAME).unlink()
    os.mkfifo(run.folder / NAME)

    assert read(run).rows == expected

    note(run.folder, scene.files(run)[0], next(run.records()))


@pytest.mark.skipif(os.name != "posix", reason="links take rights elsewhere")
def test_an_index_that_is_a_link_is_neither_read_nor_written_through(run: Run, tmp_path: Path) -> None:
    expected = read(run).rows
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b'{"planned":77}\n')
    (run.folder / NAME).unlink()
    (run.folder / NAME).symlink_to(elsewhere)

    index = read(run)
    note(run.folder, scene.files(run)[0], next(run.records()))
    begun(run.folder, 5)

    assert (index.rows, index.planned) == (expected, None)
    assert elsewhere.read_bytes() == b'{"planned":77}\n'


def test_a_record_that_was_mended_has_its_row(run: Run) -> None:
    first = scene.files(run)[0]
    whole = first.read_bytes()
    first.write_bytes(whole[:100])
    index = read(run)
    first.write_bytes(whole)

    assert index.refresh() == [first.name]
    assert index.unread == []


def _append(folder: Path, name: str, times: int) -> None:
    """What a worker process does."""
    path = folder / "trials" / name
    for n in range(times):
        record = scene.record(trial=n, reason=f"{name} " * 200)
        note(folder, path, record)


def test_lines_of_two_processes_do_not_mix(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    names = ["a.json", "b.json"]
    for name in names:
        (run.folder / "trials" / name).write_text("{}")
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_append, args=(run.folder, name, 300)) for name in names]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    written = scene.lines(run)

    assert sorted((line["file"], line["row"]["trial"]) for line in written) == [
        (name, n) for name in names for n in range(300)
    ]


def test_worker_processes_write_one_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {"workers": 2, "wiring_factory": "tests.harness.toy:wiring"}
    run = evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "run", **settings)  # type: ignore[arg-type]
    untouched(monkeypatch)

    assert len(read(run).rows) == 12


def test_an_index_that_cannot_be_written_stops_no_run(tmp_path: Path) -> None:
    (tmp_path / "run" / NAME).mkdir(parents=True)
    (tmp_path / "run" / "run.json").write_text(RunHead.of(scene.config(), scene.suite()).model_dump_json())

    run = scene.played(tmp_path / "run")

    assert len(read(run).rows) == 4


def test_a_run_is_under_way_while_it_is_played_and_not_after(run: Run) -> None:
    assert not under_way(run.folder)
    with alone(run.folder):
        assert under_way(run.folder)
        assert under_way(run.folder)
    assert not under_way(run.folder)


def test_an_index_tells_how_many_trials_there_are_to_be(run: Run) -> None:
    begun(run.folder, 7)

    assert read(run).planned == 7


def test_an_index_says_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "vK3-92hfQ_zz81mPPd")
    run = scene.empty(tmp_path / "run")
    run.write(scene.record(status="crashed", reason="it said vK3-92hfQ_zz81mPPd"))

    assert "vK3-92hfQ" not in (run.folder / NAME).read_text()
    assert "[hidden]" in next(iter(read(run).rows.values())).reason


def test_lines_that_count_no_more_are_taken_out_when_they_are_many(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.record.index._DEAD", 10)
    before = read(run).rows
    for _ in range(8):
        score_run(run, scene.suite())
    begun(run.folder, 4)
    with alone(run.folder):
        assert read(run).rows.keys() == before.keys()
        assert len(scene.lines(run)) > 30

    index = read(run)

    assert len(scene.lines(run)) == 5
    untouched(monkeypatch)
    index.refresh()
    assert (index.rows, index.planned) == (before, 4)
    assert read(run).rows == before


def test_a_row_says_what_somebody_may_look_for(tmp_path: Path) -> None:
    row = told(
        scene.record(
            status="limit", canary=True, tries=[scene.record().trajectory], events=[scene.call(0, status="garbled")],
            parent={"run": "runs/a", "trial": "b", "step": 1},
        )
    )  # fmt: skip

    assert row.flags == ("canary", "fork", "garbled", "limit", "tries")
    assert (row.calls, row.failed_calls, row.missing, row.unexpected) == (1, 1, 1, 0)
    assert row.parent is not None
    assert told(scene.record()).flags == ("no_call",)


def test_a_row_remarks_on_replies_that_were_cut_filtered_or_empty() -> None:
    ended: tuple[CutShort, ...] = ("length", "length", "content_filter", "empty")
    said = [Message(session=0, role="assistant", content="So", ended=each) for each in ended]

    assert told(scene.record(events=[*said, scene.call(0)])).flags == ("reply_cut", "reply_empty", "reply_filtered")


def test_a_row_says_which_tools_were_called_and_where_rows_changed(tmp_path: Path) -> None:
    row = told(
        scene.record(
            events=[scene.call(0), scene.call(1, status="failed"), scene.call(2, status="unknown", tool="nothing")],
            changes=[scene.change("00000002", None)],
        )
    )

    assert row.tools == ("projects.update_task",)
    assert row.tables == ("projects.tasks",)


def test_a_row_says_which_one_or_two_changes_are_missing() -> None:
    record = scene.record()

    assert record.scores["outcome"].detail["missing"]
    assert told(record).mistake.startswith("missing: projects.tasks ")
    others: list[dict[str, Any]] = [{"missing": ["insert a.b"] * 3}, {"missing": []}, {"missing": "insert a.b"}]
    for detail in others:
        score = record.scores["outcome"].model_copy(update={"detail": detail})
        assert told(record.model_copy(update={"scores": {"outcome": score}})).mistake == ""


def test_a_row_says_first_what_was_made_otherwise() -> None:
    record = scene.record()
    detail = {"missing": ["insert a.b: c=1"], "otherwise": ["c 2 instead of 1"]}
    score = record.scores["outcome"].model_copy(update={"detail": detail})

    assert told(record.model_copy(update={"scores": {"outcome": score}})).mistake == "c 2 instead of 1"


@pytest.mark.parametrize(
    ("used", "found"), [({}, (None, None, None)), ({"prompt_tokens": 9, "cost_usd": 0.5}, (1, 9, 0.5))]
)
def test_a_row_has_what_a_model_took_only_where_somebody_reported_it(used: dict[str, Any], found: object) -> None:
    said = {"kind": "message", "session": 0, "role": "assistant", "content": "Done."}
    row = told(scene.record(events=[said], usage=used))

    assert (row.turns, row.prompt_tokens, row.cost) == found


def test_starting_over_removes_the_index(tmp_path: Path) -> None:
    from harness.cli.evaluating import _clear

    run = scene.played(tmp_path / "run")
    view = scene.view(run.folder, author="anna")
    view.annotate({"run": 0, "key": scene.rows(view)[0]["key"], "kind": "tag", "value": "later"})
    _clear(run.folder)

    assert [path.name for path in run.folder.iterdir()] == []


def test_rows_written_and_rows_made_are_the_same_bytes(run: Run) -> None:
    written = {line["file"]: line for line in scene.lines(run) if "file" in line}
    (run.folder / NAME).unlink()
    read(run)

    assert {line["file"]: line for line in scene.lines(run)} == written
