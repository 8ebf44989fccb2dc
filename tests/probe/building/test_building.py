"""`harness build probe`: proved samples in a folder, a file each, and the suite that they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.probe import building, naming, pins, worlds
from benchmarks.probe.building import sizes
from benchmarks.probe.grammar.generate import generate
from benchmarks.probe.grammar.proofs import ProofFailed, prove
from benchmarks.probe.published import imported, pairs, read
from benchmarks.probe.records import Sample
from harness.suite import SuiteError
from harness.wiring import suite, world_named
from tests.cli.conftest import Call

TWO = "seed: 1\ndifficulties: [easy, medium]\nnumber: 2\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of two samples."""
    there = tmp_path_factory.mktemp("built")
    (there / "two.yaml").write_text(TWO)
    building.build(there / "two.yaml", out=there / "two")
    return there / "two"


def samples(folder: Path) -> list[Sample]:
    return [Sample.model_validate_json(path.read_bytes()) for path in sorted((folder / "samples").glob("*.json"))]


def test_a_built_sample_is_the_one_of_its_name_and_proved(folder: Path) -> None:
    found = samples(folder)

    assert [each.id for each in found] == sorted(pins.chosen(1, 2, ("easy", "medium")))
    for each in found:
        assert each == worlds.sample(each.id)
        assert prove(each)


def test_the_index_says_what_a_sample_is(folder: Path) -> None:
    for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        sample = worlds.sample(entry["name"])

        assert (entry["documents"], entry["actions"]) == (len(sample.documents), len(sample.actions))
        assert (entry["difficulty"], entry["template"]) == (sample.difficulty, sample.template)
        assert 96_000 < entry["tokens"] < 123_000
        assert (entry["action"], entry["ungrounded"]) == (sample.gold.action, [])


def test_a_set_is_a_suite_by_its_path(folder: Path) -> None:
    found = suite(str(folder))
    ours = suite("probe-workplace")

    assert (found.name, [task.id for task in found.tasks]) == ("probe-two", pins.chosen(1, 2, ("easy", "medium")))
    for task in found.tasks:
        assert found.load_world(task.world).digest == found.worlds[task.world] == ours.worlds[task.world]
        assert task.hash == ours.task(task.id).hash
    name = found.tasks[0].world
    assert world_named(f"{folder}:{name}").digest == ours.worlds[name]


def test_a_changed_file_is_refused_by_its_name(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    (copy / "samples").mkdir(parents=True)
    for path in [each for each in folder.rglob("*") if each.is_file()]:
        (copy / path.relative_to(folder)).write_bytes(path.read_bytes())
    found = suite(str(copy))
    name = found.tasks[0].world
    path = copy / "samples" / f"{name}.json"
    path.write_text(path.read_text(encoding="utf-8").replace("the", "teh", 1), encoding="utf-8")

    with pytest.raises(SuiteError, match=rf"samples/{name}.json is not as it was left"):
        found.load_world(name)


def test_a_set_whose_world_model_holds_another_line_end_is_opened(folder: Path, tmp_path: Path) -> None:
    entry, other = (folder / "index.jsonl").read_text(encoding="utf-8").rstrip().split("\n")
    told = {**json.loads(entry), "world_model": {**json.loads(entry)["world_model"], "note": "one\u2028two"}}
    (tmp_path / "suite.json").write_bytes((folder / "suite.json").read_bytes())
    lines = f"{json.dumps(told, ensure_ascii=False)}\n{other}\n"
    (tmp_path / "index.jsonl").write_text(lines, encoding="utf-8")

    assert len(suite(str(tmp_path)).tasks) == 2


@pytest.mark.parametrize(
    ("harm", "problem"),
    [
        (lambda folder: (folder / "suite.json").write_text("{"), "suite.json cannot be read"),
        (lambda folder: (folder / "suite.json").write_text('{"benchmark": "moon"}'), "'moon' opens no folders"),
        (
            lambda folder: (folder / "suite.json").write_text('{"benchmark": "probe"}'),
            "suite.json is not as it was left",
        ),
        (lambda folder: (folder / "index.jsonl").unlink(), "index.jsonl cannot be read"),
        (lambda folder: (folder / "index.jsonl").write_text(""), "index.jsonl has no samples"),
        (
            lambda folder: (folder / "index.jsonl").write_text('{"name": 1}\n'),
            "index.jsonl:1: .*; build or import it anew",
        ),
        (lambda folder: (folder / "suite.json").unlink(), "no suite is named"),
    ],
)
def test_a_folder_that_is_no_suite_any_more_says_what_is_wrong(
    folder: Path, tmp_path: Path, harm: object, problem: str
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("suite.json", "index.jsonl"):
        (copy / name).write_bytes((folder / name).read_bytes())
    harm(copy)  # type: ignore[operator]

    with pytest.raises(SuiteError, match=problem):
        suite(str(copy))


def test_the_table_stands_beside_the_papers_and_fits_a_terminal(call: Call, tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("number: 1\n")
    status, out, err = call("build", "probe", "one.yaml")

    assert (status, err) == (0, "1/1 made, 0 refused\n")
    assert "paper mean" in out
    assert "107640.5" in out
    assert "`suite: sets/one` in a config plays them" in out
    assert max(map(len, out.splitlines())) <= 80


def test_sizes_are_means_and_deviations_of_the_index() -> None:
    entries = [
        {"tokens": tokens, "actions": 25, "documents": 80, "difficulty": "hard", "template": "a"}
        for tokens in (100_000, 104_000, 111_000)
    ]
    rows = sizes(entries).rows

    assert [row[""] for row in rows] == ["Tokens", "Actions", "Docs"]
    assert [rows[0][name] for name in ("min", "max", "mean", "std")] == [100_000, 111_000, 105_000, 5567.76]


@pytest.mark.parametrize("format", ["ours", "published"])
def test_any_number_of_processes_and_stops_leave_the_same_bytes(call: Call, tmp_path: Path, format: str) -> None:
    (tmp_path / "a.yaml").write_text(f"seed: 3\nnumber: 3\nformat: {format}\n")

    assert call("build", "probe", "a.yaml", "--out", "one").status == 0
    assert call("build", "probe", "a.yaml", "--out", "many", "--number", 1).status == 0
    assert call("build", "probe", "a.yaml", "--out", "many", "--workers", 2, "--json").status == 0
    one, many = (
        {path.relative_to(there).as_posix(): path.read_bytes() for path in there.rglob("*") if path.suffix}
        for there in (tmp_path / "one", tmp_path / "many")
    )
    assert {name: text for name, text in one.items() if name != "suite.json"} == {
        name: text for name, text in many.items() if name != "suite.json"
    }


def test_a_sample_that_fails_a_proof_is_named_with_proof_and_document(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "two.yaml").write_text(TWO)
    first, second = pins.chosen(1, 2, ("easy", "medium"))

    def faulty(seed: int, number: int, **settings: object) -> Sample:
        if naming.parsed(second)[:2] == (seed, number):
            raise ProofFailed(2, "a live chain is left without it", "d17")
        return generate(seed, number, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(building, "generate", faulty)
    status, out, err = call("build", "probe", "two.yaml")

    assert status == 1
    assert "sets/two: 1 samples" in out
    assert f"1 refused, see sets/two/refused.jsonl:\n  {second}: proof 2, document d17: a live chain is left" in err
    logged = json.loads((tmp_path / "sets" / "two" / "refused.jsonl").read_text(encoding="utf-8"))
    assert (logged["name"], logged["proof"], logged["document"]) == (second, 2, "d17")
    monkeypatch.setattr(building, "generate", generate)

    assert call("build", "probe", "two.yaml").status == 0
    assert not (tmp_path / "sets" / "two" / "refused.jsonl").exists()
    assert [task.id for task in suite("sets/two").tasks] == [first, second]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("seed: 1\nsed: 2\n", "bad.yaml:2: sed: no such setting. Did you mean 'seed'?"),
        ("number: 3\ndifficulties: [easy, mild]\n", "bad.yaml:2: difficulties.1: 'mild' is not allowed; write 'easy'"),
        ("difficulties: [easy]\nnumber: 201\n", "bad.yaml:2: number: a set has 1 to 200 samples, not 201"),
        ("number: none\n", "bad.yaml:1: number: input should be a valid integer"),
        ("format: theirs\n", "bad.yaml:1: format: 'theirs' is not allowed; write 'ours' or 'published'"),
        ("- 1\n", "bad.yaml: it has to be a mapping"),
        ("seed: [\n", "bad.yaml:2: not valid YAML"),
    ],
)
def test_a_wrong_config_is_told_by_file_line_and_field(call: Call, tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "bad.yaml").write_text(text)
    status, out, err = call("build", "probe", "bad.yaml")

    assert (status, out) == (2, "")
    assert err.startswith(f"harness: {problem}")
    assert not (tmp_path / "sets").exists()


def test_of_a_wrong_setting_is_told_nothing_but_its_problem(call: Call, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("difficulties: [eazy]\n")

    assert len(call("build", "probe", "bad.yaml").err.splitlines()) == 1


def test_a_wrong_number_on_the_command_line_is_told_as_such(call: Call, tmp_path: Path) -> None:
    (tmp_path / "two.yaml").write_text(TWO)

    assert call("build", "probe", "two.yaml", "--number", 501).err.startswith(
        "harness: --number: number: a set has 1 to"
    )


def test_the_published_layout_reads_back_as_the_sample(call: Call, tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("number: 1\nformat: published\n")
    status, out, _ = call("build", "probe", "one.yaml")
    ((id, given, key),) = pairs(tmp_path / "sets" / "one")
    back = imported(read(given, key), 4)
    ours = worlds.sample(id)

    assert (status, "in a config plays them" in out) == (0, False)
    assert sorted(
        json.dumps(each.payload["subject"]) for each in back.sample.documents if each.type == "email"
    ) == sorted(json.dumps(each.payload["subject"]) for each in ours.documents if each.type == "email")
    assert {back.ids[each] for each in back.sample.gold.true_positives} == set(ours.gold.true_positives)
