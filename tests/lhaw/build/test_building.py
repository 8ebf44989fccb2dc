"""`harness build lhaw`: from slots and by a model, stopped in every phase, refused where something is wrong."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lhaw.build import building
from benchmarks.lhaw.build.baseline import by_domain
from benchmarks.lhaw.build.building import build
from benchmarks.lhaw.build.context import PHASES, Context, Phase
from benchmarks.lhaw.build.records import Baseline
from benchmarks.lhaw.leaks import found as leak_in
from harness.cli.problems import CallProblem
from harness.core.config import ConfigProblem
from harness.suite import Suite, SuiteError
from harness.wiring import suite
from servers.kernel import World
from tests.lhaw.build.scenes import TASKS, Model, built, left_in, lines, serving, sources
from tests.lhaw.scenes import NOW, source

EMPIRICAL = {"agent": {"kind": "llm", "name": "stub", "model": "openai/stub", "retries": 0}, "n": 2, "number": 4}


def empirical(llm: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**EMPIRICAL, "agent": {**EMPIRICAL["agent"], **llm}, **fields}  # type: ignore[dict-item]


@pytest.fixture(scope="module")
def from_slots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("slots"))


@pytest.fixture(scope="module")
def by_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything that a model can do: segments, requests, trials, and whether they became new tasks."""
    with serving(Model()) as llm:
        fields = {"route": "model", "max_segments": 1, "empirical": empirical(llm)}
        return built(tmp_path_factory.mktemp("model"), fields, llm=llm)


def test_a_build_from_slots_leaves_a_file_for_each_phase(from_slots: Path) -> None:
    assert {f"{phase}.jsonl" for phase in PHASES} | {"refused.jsonl", "distribution.json"} <= left_in(from_slots).keys()
    assert len(lines(from_slots / "variants.jsonl")) == 11
    assert lines(from_slots / "classes.jsonl") == []


def test_a_variant_is_a_row_in_the_fields_of_the_paper(from_slots: Path) -> None:
    for row in lines(from_slots / "variants.jsonl"):
        (task,) = [each for each in sources() if each.id == row["original_task"]]
        assert row["original_prompt"] == task.sessions[0].requests["original"]
        assert row["underspecified_prompt"] != row["original_prompt"]
        assert [each["segment_id"] for each in row["expected_questions"]] == [
            each["id"] for each in row["removed_segments"]
        ]
        assert (row["source"], row["route"], row["new_task"], row["empirical_class"]) == (
            "workbench-synth@v1", "slots", "unjudged", None,
        )  # fmt: skip


def test_what_is_refused_says_in_which_phase_and_why(from_slots: Path) -> None:
    refused = lines(from_slots / "refused.jsonl")

    assert [each["phase"] for each in refused] == sorted((each["phase"] for each in refused), key=PHASES.index)
    assert {each["phase"] for each in refused} >= {"candidates"}
    assert all(each["reason"] and each["task"] in TASKS for each in refused)


def test_a_folder_that_was_built_is_a_suite(from_slots: Path) -> None:
    found = suite(str(from_slots))

    assert len(found.tasks) == 11
    assert found.programs == suite("workbench-synth").programs
    assert found.system == suite("workbench-synth").system


def test_the_same_config_builds_the_same_bytes(from_slots: Path, tmp_path: Path) -> None:
    again = left_in(built(tmp_path))

    for name, content in left_in(from_slots).items():
        assert name == "suite.json" or again[name] == content, name


def test_a_second_run_changes_nothing_and_asks_nobody(by_model: Path) -> None:
    before, model = left_in(by_model), Model(fails="candidates")
    config = json.loads((by_model.parent / "set.yaml").read_text(encoding="utf-8"))
    with serving(model) as llm:
        built(by_model.parent, {**config, "empirical": config["empirical"]}, llm={**llm, **config["llm"]})

    assert left_in(by_model) == before
    assert not model.asked


def test_a_model_finds_segments_and_withholds_them(by_model: Path) -> None:
    found = [segment for source in lines(by_model / "segments.jsonl") for segment in source["segments"]]
    rows = lines(by_model / "variants.jsonl")

    assert {segment["value"] for segment in found} == {slot.text for task in sources() for slot in task.slots}
    assert rows
    assert all(row["removed_segments"][0]["value"] not in row["underspecified_prompt"] for row in rows)


def test_a_set_by_a_model_is_a_suite_whose_user_knows_the_segments(by_model: Path) -> None:
    for task in suite(str(by_model)).tasks:
        brief = task.sessions[0].briefs["underspecified"]
        assert [segment.id for segment in brief.withheld] == list(task.withheld["underspecified"])
        assert all(segment.value in brief.intent and segment.value not in brief.sent for segment in brief.withheld)


def test_trials_give_variants_an_empirical_class_and_say_by_whom(by_model: Path) -> None:
    classed = [row for row in lines(by_model / "variants.jsonl") if row["empirical_class"]]

    assert len(classed) == len(lines(by_model / "classes.jsonl")) == 4
    assert {row["empirical_class"] for row in classed} == {"outcome-critical"}
    assert {row["new_task"] for row in classed} == {"no"}
    for row in classed:
        assert [row["classified_by"][name] for name in ("agent", "model", "n")] == ["stub", "openai/stub", 2]
        assert len(set(row["classified_by"]["seeds"])) == 2
    facts = [task.facts for task in suite(str(by_model)).tasks if "empirical_class" in task.facts]
    assert len(facts) == 4
    assert facts[0]["classified_by"]["model"] == "openai/stub"


def test_classes_that_one_build_found_are_told_by_another_that_plays_nothing(tmp_path: Path) -> None:
    with serving(Model()) as llm:
        played = built(tmp_path / "played", {"empirical": empirical(llm)}, llm=llm)
    (tmp_path / "told").mkdir()
    copy = shutil.copy(played / "classes.jsonl", tmp_path / "told" / "kept.jsonl")
    told = built(tmp_path / "told", {"classified": "kept.jsonl"})

    assert (told / "classes.jsonl").read_bytes() == Path(copy).read_bytes()
    assert (told / "variants.jsonl").read_bytes() == (played / "variants.jsonl").read_bytes()
    assert not list((told / "runs").glob("classes-*"))


def test_a_class_of_a_task_that_has_changed_since_is_not_told_and_of_one_that_is_not_there_refused(
    tmp_path: Path,
) -> None:
    with serving(Model()) as llm:
        rows = lines(built(tmp_path / "played", {"empirical": empirical(llm)}) / "classes.jsonl")
    (tmp_path / "told").mkdir()
    kept = tmp_path / "told" / "kept.jsonl"
    kept.write_text("".join(json.dumps(row) + "\n" for row in [{**rows[0], "task_hash": "other"}, rows[1]]))
    told = built(tmp_path / "told", {"classified": "kept.jsonl"})
    (refused,) = [row for row in lines(told / "refused.jsonl") if row["phase"] == "classes"]

    assert [row["variant_id"] for row in lines(told / "classes.jsonl")] == [rows[1]["variant_id"]]
    assert refused["reason"].endswith("is not told: the task was another one when it was played")
    assert [row["variant_id"] for row in lines(told / "variants.jsonl") if row["empirical_class"]] == [
        rows[1]["variant_id"]
    ]
    kept.write_text(json.dumps(rows[0]) + "\n")
    told = built(tmp_path / "told", {"classified": "kept.jsonl"})
    assert [row["variant_id"] for row in lines(told / "variants.jsonl") if row["empirical_class"]] == [
        rows[0]["variant_id"]
    ]
    kept.write_text(json.dumps({**rows[0], "variant_id": "task-none"}) + "\n")
    with pytest.raises(SuiteError, match=r"kept.jsonl: 'task-none' is not one of the \d+ candidates of this build"):
        built(tmp_path / "told", {"classified": "kept.jsonl"})


def test_what_the_judge_calls_a_new_task_is_refused(tmp_path: Path) -> None:
    with serving(Model(completed=True)) as llm:
        folder = built(tmp_path, {"empirical": empirical(llm, number=3)}, llm=llm)

    tried = {row["variant_id"] for row in lines(folder / "classes.jsonl")}
    refused = [row for row in lines(folder / "refused.jsonl") if row["phase"] == "classes"]
    assert len(tried) == len(refused) == 3
    assert not tried & {row["variant_id"] for row in lines(folder / "variants.jsonl")}
    assert all(row["reason"] == "a new task: It was done as it stands." for row in refused)


def test_where_every_candidate_was_tried_the_mix_counts_empirical_classes(tmp_path: Path) -> None:
    fields = {"tasks": TASKS[:1], "max_segments": 1, "number": 2, "mix": {"outcome-critical": 1}}
    with serving(Model()) as llm:
        folder = built(tmp_path, {**fields, "empirical": empirical(llm, number=None, n=1)})

    assert len(lines(folder / "classes.jsonl")) == len(lines(folder / "candidates.jsonl"))
    assert json.loads((folder / "distribution.json").read_text(encoding="utf-8"))["mix"]["by"] == "empirical"
    assert [row["empirical_class"] for row in lines(folder / "variants.jsonl")] == ["outcome-critical"] * 2


def test_trials_that_are_void_give_no_class(tmp_path: Path) -> None:
    with serving(Model(fails="agent")) as llm:
        folder = built(tmp_path, {"empirical": empirical(llm, number=2)})

    assert {tuple(row["classes"]) for row in lines(folder / "classes.jsonl")} == {("void",)}
    assert {row["empirical_class"] for row in lines(folder / "variants.jsonl")} == {None}


def test_a_provider_that_has_gone_stops_the_trials_and_the_build_says_how_to_go_on(tmp_path: Path) -> None:
    with serving(Model(fails="agent")) as llm, pytest.raises(CallProblem, match="the same command resumes"):
        built(tmp_path, {"empirical": empirical(llm, number=12)})

    assert not (tmp_path / "set" / "classes.jsonl").exists()


def test_without_a_model_nobody_judges_whether_a_task_is_new(tmp_path: Path) -> None:
    with serving(Model(completed=True)) as llm:
        folder = built(tmp_path, {"empirical": empirical(llm, number=2)})

    assert {row["new_task"] for row in lines(folder / "classes.jsonl")} == {"unjudged"}
    assert {tuple(row["classes"]) for row in lines(folder / "classes.jsonl")} == {("outcome-critical",)}


def test_a_judge_who_cannot_be_read_leaves_a_variant_unjudged(tmp_path: Path) -> None:
    model = Model(completed=True, spoils={"new_task": ["yes!"] * 3})
    with serving(model) as llm:
        folder = built(tmp_path, {"empirical": empirical(llm, number=1)}, llm=llm)

    (row,) = lines(folder / "classes.jsonl")
    assert (row["new_task"], row["classes"], model.asked["new_task"]) == ("unjudged", ["outcome-critical"], 3)


def test_a_reply_that_will_not_do_is_asked_for_again(tmp_path: Path) -> None:
    stray = json.dumps({"segments": [{"text": "nowhere", "value": "nowhere"}]})
    model = Model(spoils={"segments": ["Here you are:", stray]})
    with serving(model) as llm:
        folder = built(tmp_path, {"route": "model", "tasks": TASKS[:1], "max_segments": 1}, llm={**llm})

    assert len(lines(folder / "segments.jsonl")) == 1
    assert model.asked["segments"] == 3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"value": "nowhere", "text": "nowhere"}, "does not stand in the request"),
        ({"value": "software", "text": "Lost"}, "is no part of `text`"),
        ({"criticality": 0.7}, "is no score: 0, 0.5 or 1"),
        ({"dimension": "input", "subdimension": "format"}, "of input there are source"),
        ({"checkpoint_refs": ["CP99"]}, "there is no CP99"),
    ],
)
def test_segments_that_do_not_fit_are_refused_with_the_reason(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    model = Model()
    model._segments = spoiled(model._segments, change)  # type: ignore[method-assign, assignment]
    with serving(model) as llm, pytest.raises(CallProblem, match="no variant is left"):
        built(tmp_path, {"route": "model", "tasks": TASKS[:1]}, llm=llm)

    (refused,) = lines(tmp_path / "set" / "refused" / "segments.jsonl")
    assert said in refused["reason"]


def spoiled(good: Callable[[str], dict[str, Any]], change: dict[str, Any]) -> Callable[[str], dict[str, Any]]:
    def segments(text: str) -> dict[str, Any]:
        first, *others = good(text)["segments"]
        return {"segments": [{**first, **change}, *others]}

    return segments


def test_a_request_of_a_model_that_leaks_is_refused_with_the_place(tmp_path: Path) -> None:
    def leaking(text: str) -> dict[str, Any]:
        return {**good(text), "underspecified_prompt": text.split("-----")[1].strip() + " Please."}

    model = Model()
    good, model._candidates = model._candidates, leaking  # type: ignore[method-assign]
    with serving(model) as llm, pytest.raises(CallProblem, match="no variant is left"):
        built(tmp_path, {"route": "model", "tasks": TASKS[:1], "max_segments": 1, "strategies": ["delete"]}, llm=llm)

    refused = lines(tmp_path / "set" / "refused" / "candidates.jsonl")
    assert len(refused) == 3
    assert all("leaks the value of S" in each["reason"] for each in refused)
    assert any("'software' is said" in each["reason"] for each in refused)


def test_no_candidate_of_any_route_leaks(from_slots: Path, by_model: Path) -> None:
    for folder in (from_slots, by_model):
        for task in suite(str(folder)).tasks:
            now = suite("workbench-synth").load_world(task.world).now
            for segment in task.sessions[0].briefs["underspecified"].withheld:
                assert leak_in(task.sessions[0].requests["underspecified"], segment.slot, now) is None


# Stopped.


class Cut(Exception):
    """The power is gone."""


@pytest.mark.parametrize("phase", PHASES)
def test_a_build_that_is_stopped_in_a_phase_goes_on_to_the_same_files(
    by_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, phase: str
) -> None:
    ours = building._MAKERS[phase]

    def cut(context: Context) -> Phase:
        ours(context)
        raise Cut

    config = json.loads((by_model.parent / "set.yaml").read_text(encoding="utf-8"))
    with serving(Model()) as llm:
        fields = {**config, "empirical": empirical(llm)}
        with monkeypatch.context() as patch:
            patch.setattr(building, "_MAKERS", {**building._MAKERS, phase: cut})
            with pytest.raises(RuntimeError, match="Cut"):
                built(tmp_path, fields, llm=llm)
        assert not (tmp_path / "set" / f"{phase}.jsonl").exists()

        built(tmp_path, fields, llm=llm)

    ends, whole = left_in(tmp_path / "set"), left_in(by_model)
    for name in (*(f"{each}.jsonl" for each in PHASES), "refused.jsonl", "distribution.json"):
        assert ends[name] == whole[name], name


def test_a_model_that_stops_answering_stops_the_build_and_what_it_said_is_kept(by_model: Path, tmp_path: Path) -> None:
    model = Model(fails="candidates")
    fields = {"route": "model", "max_segments": 1}
    with serving(model) as llm:
        with pytest.raises(CallProblem, match="the same command resumes"):
            built(tmp_path, fields, llm=llm)
        model.fails = ""
        folder = built(tmp_path, fields, llm=llm)

    assert model.asked["segments"] == len(TASKS)
    assert (folder / "candidates.jsonl").read_bytes() == (by_model / "candidates.jsonl").read_bytes()


def test_a_set_is_chosen_anew_without_playing_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built(tmp_path)
    monkeypatch.setattr(Context, "play", None)

    assert len(lines(built(tmp_path, {"number": 5}) / "variants.jsonl")) == 5


# Refused.


def test_a_suite_without_slots_needs_slots_or_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = suite("workbench-synth")
    tasks = [task.model_copy(update={"slots": ()}) for task in bare.tasks if task.id in TASKS]
    without = Suite(name="bare", version="1", description="", tasks=tasks, world=bare.world, checks=bare.checks)
    monkeypatch.setattr("harness.wiring.suite", lambda name, scale=1: without)

    with pytest.raises(CallProblem, match=r"suite bare has no slots: give its tasks slots .* or write `route: model`"):
        built(tmp_path)


def test_the_model_route_needs_a_model(tmp_path: Path) -> None:
    with pytest.raises(CallProblem, match="route: model needs `llm`"):
        built(tmp_path, {"route": "model"})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"number": 0}, "number"),
        ({"strategies": ["remove"]}, "strategies"),
        ({"strategies": ["delete", "delete"]}, "a strategy is listed twice"),
        ({"mix": {"hard": 3}}, "mix"),
        ({"mix": {"benign": 0}}, "one of them more than 0"),
        ({"triples": 5}, "5 triples are 15 variants, and `number` is 12"),
        ({"triples": 1, "strategies": ["delete"]}, "a triple needs all of delete, vagify, genericize"),
        ({"max_segments": 3}, "max_segments"),
        ({"suites": "x"}, "suites"),
        ({"empirical": {"agent": {"kind": "oracle"}}}, "oracle is an instrument"),
        ({"empirical": {"agent": {"kind": "idle"}}}, "idle is an instrument"),
        ({"empirical": {"agent": {"kind": "reference"}}}, "reference is an instrument"),
        ({"empirical": EMPIRICAL, "classified": "classes.jsonl"}, "a build does one of both"),
    ],
)
def test_a_config_that_is_wrong_is_refused_with_field_and_remedy(
    tmp_path: Path, fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigProblem, match=said):
        built(tmp_path, fields)


def test_a_task_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="has no task 'wb-synth-0-0'"):
        built(tmp_path, {"tasks": ["wb-synth-0-0"]})


def test_a_folder_made_from_something_else_is_left_alone(tmp_path: Path) -> None:
    before = left_in(built(tmp_path))

    with pytest.raises(CallProblem, match="was made from something else"):
        built(tmp_path, {"seed": 2})
    assert left_in(tmp_path / "set") == before


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "notes.txt").write_text("mine", encoding="utf-8")

    with pytest.raises(CallProblem, match="was not made by a build"):
        built(tmp_path)
    assert (tmp_path / "set" / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_a_source_that_fails_the_baseline_yields_nothing(tmp_path: Path) -> None:
    with pytest.raises(CallProblem, match="no variant is left"):
        built(tmp_path, {"baseline": {"agents": [{"kind": "idle"}], "trials": 1}})

    rows = lines(tmp_path / "set" / "baseline.jsonl")
    refused = lines(tmp_path / "set" / "refused" / "baseline.jsonl")
    assert [(row["solved"], row["ckpt"], row["kept"]) for row in rows] == [({"idle": 0}, 0.0, False)] * len(TASKS)
    assert [each["reason"] for each in refused] == ["as written right: idle 0/1; mean Ckpt 0%"] * len(TASKS)


def test_a_build_without_a_variant_names_files_that_say_why(tmp_path: Path) -> None:
    with pytest.raises(CallProblem, match=r"no variant is left to release: the files in (.*) say why") as problem:
        built(tmp_path, {"baseline": {"agents": [{"kind": "idle"}], "trials": 1}})

    folder = Path(re.findall(r"the files in (.*) say why", str(problem.value))[0])
    refused = [each for file in folder.glob("*.jsonl") for each in lines(file)]
    assert [each["phase"] for each in refused] == ["baseline"] * len(TASKS)


def test_a_build_ends_with_the_sources_kept_by_domain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agents = [{"kind": "idle"}, {"kind": "oracle"}]
    built(tmp_path, {"baseline": {"agents": agents, "trials": 1}})
    shown = capsys.readouterr().out
    build(tmp_path / "set.yaml", out=tmp_path / "set", json=True)
    told = json.loads(capsys.readouterr().out)
    domains = sorted(", ".join(task.facts["domains"]) for task in sources())

    assert "Sources kept (as table 15 of the paper)" in shown
    assert [(row["domain"], row["tasks"]) for row in told["sources"]] == [
        *((name, 1) for name in domains),
        ("total", 2),
    ]
    assert {(row["mean ckpt %"], row["solvable"] / row["tasks"]) for row in told["sources"]} == {(50.0, 1.0)}


def test_sources_kept_for_their_checkpoints_alone_are_not_solvable_and_those_refused_count_nowhere() -> None:
    about = {"a": {"domain": "hr"}, "b": {"domain": "hr"}, "c": {}, "d": {"domain": "hr"}}
    tasks = [source(id).model_copy(update={"facts": facts}) for id, facts in about.items()]
    toy = Suite(
        name="toy", version="1", description="", tasks=tasks, world=lambda name: World(name, NOW, {}), checks={}
    )
    found = [
        Baseline(task=id, template="send", solved={"m": right}, trials=3, ckpt=ckpt, kept=kept)
        for id, right, ckpt, kept in [
            ("a", 3, 1.0, True),
            ("b", 0, 0.5, True),
            ("c", 1, None, True),
            ("d", 0, 0, False),
        ]
    ]

    assert by_domain(found, toy).rows == [
        {"domain": "hr", "tasks": 2, "mean ckpt %": 75.0, "solvable": 1},
        {"domain": "send", "tasks": 1, "mean ckpt %": None, "solvable": 1},
        {"domain": "total", "tasks": 3, "mean ckpt %": 75.0, "solvable": 2},
    ]


def test_half_of_the_checkpoints_on_average_keep_a_source(tmp_path: Path) -> None:
    agents = [{"kind": "idle"}, {"kind": "oracle"}]
    folder = built(tmp_path, {"baseline": {"agents": agents, "trials": 1}})

    assert [(row["ckpt"], row["kept"]) for row in lines(folder / "baseline.jsonl")] == [(0.5, True)] * len(TASKS)
