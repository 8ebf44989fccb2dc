"""`harness build drift`: from slots and by models, stopped in every phase, refused where something is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.drift.build import building
from benchmarks.drift.build.context import PHASES, Context, Phase
from benchmarks.drift.build.writing import texts
from benchmarks.drift.drawn import Drawn
from benchmarks.drift.faults import VALIDATORS
from benchmarks.drift.faults.catalogue import category
from benchmarks.drift.frames import Variant, read
from benchmarks.drift.release import read_released
from benchmarks.drift.tasks import built as directly
from harness.cli.problems import CallProblem
from harness.core.config import ConfigProblem
from harness.suite import SuiteError
from harness.wiring import suite
from tests.drift.build.scenes import COUNTS, GREETING, Model, built, left_in, lines, serving, tasks
from tests.drift.place import PLACE

ASKED = ("frames", "strategies", "texts", "readings")
"""Phases in which a model is asked."""


@pytest.fixture(scope="module")
def from_slots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("slots"))


@pytest.fixture(scope="module")
def by_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with serving(Model()) as llm:
        return built(tmp_path_factory.mktemp("model"), llm=llm)


def test_a_build_from_slots_leaves_a_file_for_each_phase(from_slots: Path) -> None:
    assert {f"{phase}.jsonl" for phase in PHASES} | {"refused.jsonl", "released/sql-tasks.jsonl"} <= left_in(
        from_slots
    ).keys()


def test_the_pool_is_half_as_large_again_as_what_is_released(from_slots: Path) -> None:
    sources = lines(from_slots / "tasks.jsonl")

    assert [each["released"] for each in sources] == [True] * 4 + [False] * 2
    assert {each["task"] for each in lines(from_slots / "variants.jsonl")} == {each["task"] for each in sources}
    assert len(lines(from_slots / "released" / "sql-tasks.jsonl")) == COUNTS["sql"]


def test_what_is_released_from_slots_is_what_is_made_without_a_build(from_slots: Path) -> None:
    made, found = directly([PLACE], COUNTS), read_released("sql", from_slots / "released")

    assert [task.hash for task in found.clean] == [task.hash for task in made.clean]
    assert [each.variant for each in found.faulty] == [each.variant for each in made.faulty]


def test_every_variant_has_its_frame_its_strategy_and_its_readings(from_slots: Path, by_model: Path) -> None:
    for folder in (from_slots, by_model):
        variants = read(folder / "variants.jsonl", Variant)
        framed = {each["task"] for each in lines(folder / "frames.jsonl")}
        planned = {(each["task"], each["category"]): each for each in lines(folder / "strategies.jsonl")}
        read_as = {each["id"]: each for each in lines(folder / "readings.jsonl")}

        assert variants
        for each in variants:
            plan = planned[each.task, each.category]
            assert each.task in framed
            assert plan["strategy"] == each.strategy.model_dump(mode="json")
            assert (plan["k"], plan["luck"], plan["need"]) == (each.k, each.luck, each.need)
            assert set(read_as[each.id]["values"]) >= set(each.strategy.slots)


def test_what_is_refused_says_in_which_phase_of_which_fault_and_why(from_slots: Path) -> None:
    refused = lines(from_slots / "refused.jsonl")

    assert refused
    assert all(each["phase"] == "strategies" and each["task"] and each["reason"] for each in refused)
    assert all(each["reason"].startswith((each["fault"], each["validator"] or each["fault"])) for each in refused)


@pytest.mark.parametrize("route", ["slots", "model"])
def test_the_same_config_builds_the_same_bytes(from_slots: Path, by_model: Path, tmp_path: Path, route: str) -> None:
    with serving(Model()) as llm:
        again = left_in(built(tmp_path, llm=llm if route == "model" else None))

    assert again == left_in(from_slots if route == "slots" else by_model)


def test_a_second_run_changes_nothing_and_asks_nobody(by_model: Path) -> None:
    before, model = left_in(by_model), Model(fails="frames")
    with serving(model) as llm:
        built(by_model.parent, llm=llm)

    assert left_in(by_model) == before
    assert not model.asked


def test_a_folder_that_was_built_is_a_suite(by_model: Path) -> None:
    found = suite(str(by_model))

    assert found.name == "drift-set"
    assert len(found.aside) == COUNTS["sql"]
    faulty = [task for task in found.tasks if task.id not in found.aside]
    assert faulty
    assert all(task.sessions[0].requests["faulty"].startswith(GREETING) for task in faulty)


def test_a_model_words_the_requests_and_says_so(by_model: Path) -> None:
    variants = read(by_model / "variants.jsonl", Variant)

    assert {each.route for each in variants} == {"model"}
    assert {each.category for each in variants} == {"intention", "premise", "parameter", "expression"}
    assert all(each.text.startswith(GREETING) for each in variants)
    assert all(category(each.strategy.id) == each.category for each in variants)


def test_the_writer_is_asked_once_for_each_phase_and_another_model_reads(tmp_path: Path) -> None:
    model = Model()
    with serving(model) as llm:
        folder = built(tmp_path, llm=llm)

    worded = len(lines(folder / "texts.jsonl"))
    assert model.by == {
        ("frames", "llm"): len(tasks()), ("strategies", "llm"): len(tasks()), ("texts", "llm"): worded,
        ("readings", "reader"): worded,
    }  # fmt: skip


def test_whether_a_prerequisite_holds_is_looked_up_and_not_believed(by_model: Path) -> None:
    found = [each for frame in lines(by_model / "frames.jsonl") for each in frame["prerequisites"]]

    assert found
    assert all(each["holds"] for each in found)


# Stopped.


class Cut(Exception):
    """The power is gone."""


@pytest.mark.parametrize("route", ["slots", "model"])
@pytest.mark.parametrize("phase", PHASES)
def test_a_build_that_is_stopped_in_a_phase_goes_on_to_the_same_files(
    from_slots: Path, by_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, phase: str, route: str
) -> None:
    ours = building._MAKERS[phase]

    def cut(context: Context) -> Phase:
        ours(context)
        raise Cut

    with serving(Model()) as served:
        llm = served if route == "model" else None
        with monkeypatch.context() as patch:
            patch.setattr(building, "_MAKERS", {**building._MAKERS, phase: cut})
            with pytest.raises(RuntimeError, match="Cut"):
                built(tmp_path, llm=llm)
        assert not (tmp_path / "set" / f"{phase}.jsonl").exists()

        folder = built(tmp_path, llm=llm)

    assert left_in(folder) == left_in(by_model if route == "model" else from_slots)


@pytest.mark.parametrize("phase", ASKED)
def test_a_model_that_stops_answering_stops_the_build_and_what_was_said_is_kept(
    by_model: Path, tmp_path: Path, phase: str
) -> None:
    model = Model(fails=phase)
    with serving(model) as llm:
        with pytest.raises(CallProblem, match=f"{phase}: .*the same command resumes"):
            built(tmp_path, llm=llm)
        before = {name: model.asked[name] for name in ASKED[: ASKED.index(phase)]}
        model.fails = ""
        folder = built(tmp_path, llm=llm)

    assert left_in(folder) == left_in(by_model)
    assert {name: model.asked[name] for name in before} == before


# What does not hold.


def _readable(each: Variant, task: Drawn) -> Variant | None:
    if each.category != "intention":
        return None
    return each.model_copy(update={"text": f"{each.text} {{task}}."})


def _quoted(each: Variant, task: Drawn) -> Variant | None:
    return each.model_copy(update={"mention": "the green one"}) if each.mention else None


def _others_verbatim(each: Variant, task: Drawn) -> Variant | None:
    lost = each.text.replace(task.values["list"].text, f"the one of {each.id}")
    return each.model_copy(update={"text": lost}) if each.strategy.slots in (("task",), ("person",)) else None


def _hidden(each: Variant, task: Drawn) -> Variant | None:
    if not each.hidden or each.strategy.id == "A3":
        return None
    return each.model_copy(update={"text": f"{each.text} It is {each.hidden[0].text}."})


def _not_derivable(each: Variant, task: Drawn) -> Variant | None:
    if each.strategy.slots != ("task",) or each.strategy.id == "A3":
        return None
    row = next(row for row in task.rows["tasks"] if row["id"] == each.hidden[0].value)
    described = f"{each.text} It is of {row['assigned_to_email']}, due {row['due_date']}, in {row['list_name']}."
    return each.model_copy(update={"text": described})


def _as_declared(each: Variant, task: Drawn) -> Variant | None:
    return each.model_copy(update={"k": each.k + 1}) if each.hidden else None


def _adds_only(each: Variant, task: Drawn) -> Variant | None:
    return each.model_copy(update={"text": f"{each.added} So, {task.text}"[:-1] + ", then."}) if each.added else None


def _reaches(each: Variant, task: Drawn) -> Variant | None:
    if not each.strategy.reveals:
        return None
    wrong = each.strategy.reveals[0].model_copy(update={"truth": "Somewhere else"})
    return each.model_copy(update={"strategy": each.strategy.model_copy(update={"reveals": (wrong,)})})


PLANTED: Mapping[str, Callable[[Variant, Drawn], Variant | None]] = {
    "readable": _readable,
    "quoted": _quoted,
    "others_verbatim": _others_verbatim,
    "hidden": _hidden,
    "not_derivable": _not_derivable,
    "as_declared": _as_declared,
    "adds_only": _adds_only,
    "reaches": _reaches,
}
"""Validator -> what makes of a good variant one that it has to refuse, where it can be made one."""


def test_something_is_planted_for_every_validator() -> None:
    elsewhere = {"false_as_said"}  # in tests/drift/test_conflicts.py: nothing on the small board has a state

    assert PLANTED.keys() == VALIDATORS.keys() - elsewhere


@pytest.mark.parametrize("validator", PLANTED)
def test_what_a_validator_refuses_is_left_out_of_the_set_and_told_with_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, validator: str
) -> None:
    planted: set[str] = set()

    def spoiling(context: Context) -> Phase:
        phase = texts(context)
        found = []
        for each in phase.records:
            assert isinstance(each, Variant)
            bad = PLANTED[validator](each, context.tasks[each.task])
            planted.update([each.id] if bad else [])
            found.append(bad or each)
        return phase._replace(records=found)

    monkeypatch.setattr(building, "_MAKERS", {**building._MAKERS, "texts": spoiling})
    folder = built(tmp_path, {"counts": {"sql": 12}})

    refused = lines(folder / "refused" / "variants.jsonl")
    assert len(refused) == len(planted) > 0
    assert {each["validator"] for each in refused} == {validator}
    assert all(each["reason"].startswith(f"{validator}: {each['fault']} ") for each in refused)
    assert not planted & {each["id"] for each in lines(folder / "variants.jsonl")}


def test_a_text_that_two_tasks_have_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def twice(context: Context) -> Phase:
        phase = texts(context)
        first, *others = [each for each in phase.records if isinstance(each, Variant)]
        second = others[-1].model_copy(update={"text": first.text})
        return phase._replace(records=[first, *others[:-1], second])

    monkeypatch.setattr(building, "_MAKERS", {**building._MAKERS, "texts": twice})
    (refused,) = lines(built(tmp_path) / "refused" / "variants.jsonl")

    assert refused["validator"] == "unique"


def _one(reply: dict[str, Any]) -> dict[str, Any]:
    first, *others = reply["readings"]
    other = 2 if first["values"] == [1] else 1
    return {"readings": [{**first, "values": [other]}, *others]}


def test_what_the_reader_takes_for_something_else_is_dropped_and_told(tmp_path: Path) -> None:
    with serving(Model(bends={"readings": _one})) as llm, pytest.raises(CallProblem, match="no variant is left"):
        built(tmp_path, llm=llm)

    refused = lines(tmp_path / "set" / "refused" / "readings.jsonl")
    assert len(refused) == len(lines(tmp_path / "set" / "texts.jsonl"))
    assert all(each["validator"] == "readings" and "the reader takes" in each["reason"] for each in refused)


def test_a_reply_that_will_not_do_is_asked_for_again(tmp_path: Path) -> None:
    stray = json.dumps({"action": "move", "slots": [], "expected_output": "It is moved."})
    model = Model(spoils={"frames": ["Here you are:", stray]})
    with serving(model) as llm:
        folder = built(tmp_path, {"width": 1}, llm=llm)

    assert len(lines(folder / "frames.jsonl")) == len(tasks())
    assert model.asked["frames"] == len(tasks()) + 2


def _with(**changes: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda reply: {**reply, **changes}


def _first(key: str, **changes: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda reply: {**reply, key: [{**reply[key][0], **changes}, *reply[key][1:]]}


@pytest.mark.parametrize(
    ("phase", "bend", "said"),
    [
        ("frames", _first("slots", span="nowhere"), "'nowhere' does not stand in the request; copy it word for word"),
        ("frames", _first("slots", value="something"), "does not hold the whole value"),
        ("frames", _first("slots", id="colour"), "slots: one entry for each of"),
        ("frames", _first("prerequisites", slot="colour"), "there is no slot 'colour'; there are list"),
        ("strategies", _with(chosen=[]), "choose one strategy at least"),
        ("strategies", _first("chosen", number=99), "there is no strategy 99; there are 1 to"),
        ("strategies", lambda reply: {"chosen": [reply["chosen"][0]] * 2}, "2 strategies are of the kind intention"),
        ("texts", _with(text="Do {it}."), "readable: it has '{' in it"),
        ("texts", _with(text="Please do something nice."), "quoted: "),
        ("readings", _first("readings", values=[99]), "there is no value 99; there are 1 to"),
        ("readings", _first("readings", slot="colour"), "readings: one entry for each of"),
    ],
)
def test_replies_that_do_not_fit_are_refused_after_three_tries_with_the_reason(
    tmp_path: Path, phase: str, bend: Callable[[dict[str, Any]], dict[str, Any]], said: str
) -> None:
    model = Model(bends={phase: bend})
    with serving(model) as llm, pytest.raises(CallProblem, match="no variant is left"):
        built(tmp_path, {"counts": {"sql": 1}, "pool": 1}, llm=llm)

    refused = lines(tmp_path / "set" / "refused" / f"{phase}.jsonl")
    assert any(said in each["reason"] for each in refused), refused
    assert model.asked[phase] % 3 == 0


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"counts": {"sql": 0}}, "sql: 0 tasks; give 1 or more"),
        ({"counts": {"shell": 3}}, "counts"),
        ({"counts": {}}, "counts"),
        ({"pool": 0.5}, "pool"),
        ({"route": "hand"}, "route"),
        ({"route": "model"}, "route: model needs `llm`, which words requests, and `reader`"),
        ({"route": "model", "llm": {"model": "openai/x"}, "reader": {"model": "openai/x"}}, "it is `llm` once more"),
        ({"record": "a", "replay": "b"}, "a build does one or the other"),
        ({"suite": "x"}, "suite"),
    ],
)
def test_a_config_that_is_wrong_is_refused_with_field_and_remedy(
    tmp_path: Path, fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigProblem, match=said):
        built(tmp_path, fields)


def test_an_environment_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CallProblem, match="there is no environment apis; there are sql"):
        built(tmp_path, {"counts": {"apis": 3}})


def test_a_folder_made_from_something_else_is_left_alone(tmp_path: Path) -> None:
    before = left_in(built(tmp_path))

    with pytest.raises(CallProblem, match="was made from something else"):
        built(tmp_path, {"seed": 2})
    assert left_in(tmp_path / "set") == before


def test_a_folder_whose_file_says_something_else_is_no_suite(tmp_path: Path) -> None:
    folder = built(tmp_path)
    (folder / "suite.json").write_text('{"benchmark": "drift", "name": "mine"}', encoding="utf-8")

    with pytest.raises(SuiteError, match=r"suite.json: environments: Field required"):
        suite(str(folder))
