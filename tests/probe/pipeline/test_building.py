"""`harness build probe` at the levels that a model makes: a set to be played, gone on with, or refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from typer import Exit

from benchmarks.probe import worlds
from benchmarks.probe.building import build
from benchmarks.probe.pouring import key_of
from harness.cli.problems import CallProblem
from harness.core.config import ConfigProblem
from harness.models.replies import ModelError
from harness.stub import Fault, Reply, StubServer
from harness.suite import SuiteError
from harness.wiring import suite
from tests.probe.pipeline.scripts import DOWN, Maker, Teller

MAKING = {"personas": 4, "per_persona": 2, "documents": 12, "words": [30, 60], "rounds": 0}
MODEL = {"level": "model", "making": MAKING, "number": 1}
BASE = "grammar-1-0013-easy"
REWRITE = {"level": "rewrite", "difficulties": ["easy"], "number": 1}


@contextmanager
def serving(script: Callable[[dict[str, Any]], Reply | Fault]) -> Iterator[dict[str, Any]]:
    """Settings of a model that answers by a script, priced at a dollar for a million tokens."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(StubServer(script)) as stub:
        price = {"prompt": 1.0, "completion": 1.0}
        yield {"model": "openai/stub", "api_base": stub.base_url, "retries": 0, "price": price}


def built(folder: Path, llm: dict[str, Any], fields: dict[str, Any], **options: Any) -> Path:
    """A set of these settings, built beside its config."""
    folder.mkdir(exist_ok=True)
    (folder / "set.yaml").write_text(json.dumps({"llm": llm, **fields}), encoding="utf-8")
    build(folder / "set.yaml", out=folder / "set", **options)
    return folder / "set"


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.suffix}


def index(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def retold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of one sample told anew."""
    with serving(Teller(worlds.sample(BASE))) as llm:
        return built(tmp_path_factory.mktemp("retold"), llm, REWRITE)


def test_a_sample_told_anew_is_a_suite_by_the_path_of_its_folder(retold: Path) -> None:
    (entry,) = index(retold)
    found = suite(str(retold))
    (task,) = found.tasks

    assert (task.id, entry["level"], entry["difficulty"]) == ("rewrite-1-0013-easy", "rewrite", "easy")
    assert found.load_world(task.world).digest != worlds.world(BASE).digest
    assert entry["key"] == key_of(worlds.sample(BASE))
    assert not found.programs


def test_the_table_of_sizes_closes_it_and_what_is_there_is_not_asked_for_again(
    retold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, model = files(retold), Teller(worlds.sample(BASE))
    with serving(model) as llm:
        built(retold.parent, llm, REWRITE)

    assert "paper mean" in capsys.readouterr().out
    assert sum(model.asked.values()) == 0
    assert files(retold) == before


def test_a_build_whose_model_went_goes_on_by_the_same_command(retold: Path, tmp_path: Path) -> None:
    gone = Teller(worlds.sample(BASE), lambda at, count, _: DOWN if (at, count) == ("rewrite", 5) else None)
    with serving(gone) as llm, pytest.raises(CallProblem, match="the same command resumes"):
        built(tmp_path, llm, REWRITE)
    with pytest.raises(SuiteError):
        suite(str(tmp_path / "set"))
    with serving(Teller(worlds.sample(BASE))) as llm:
        found = built(tmp_path, llm, REWRITE)

    assert {name: text for name, text in files(found).items() if "work" not in name} == {
        name: text for name, text in files(retold).items() if "work" not in name
    }


def test_money_that_is_spent_stops_a_build_and_more_of_it_goes_on(tmp_path: Path) -> None:
    with serving(Maker()) as llm:
        with pytest.raises(CallProblem, match=r"US dollars are spent; .* the same command resumes"):
            built(tmp_path, llm, {**MODEL, "max_cost": 0.0001})
        found = built(tmp_path, llm, {**MODEL, "max_cost": 100})

    assert [entry["name"] for entry in index(found)] == ["model-1-000-0-easy"]


def test_what_earlier_samples_took_counts_against_the_money_of_later_ones(tmp_path: Path) -> None:
    with serving(Maker()) as llm:
        built(tmp_path, llm, MODEL)
        with pytest.raises(CallProblem, match="US dollars are spent"):
            built(tmp_path, llm, {**MODEL, "number": 2, "max_cost": 0.0001})


def test_a_set_of_a_model_grows_and_is_played_by_its_path(tmp_path: Path) -> None:
    with serving(Maker()) as llm:
        first = index(built(tmp_path, llm, MODEL))
        found = built(tmp_path, llm, {**MODEL, "number": 2})

    assert index(found)[:1] == first
    assert [task.id for task in suite(str(found)).tasks] == ["model-1-000-0-easy", "model-1-001-0-medium"]
    assert {entry["level"] for entry in index(found)} == {"model"}


def test_samples_are_made_again_where_settings_of_making_change_and_asked_for_only_what_is_new(tmp_path: Path) -> None:
    first, again = Maker(), Maker()
    with serving(first) as llm:
        before = index(built(tmp_path, llm, MODEL))
    with serving(again) as llm:
        after = index(built(tmp_path, llm, {**MODEL, "making": {**MAKING, "words": [40, 70]}}))

    assert [entry["world"] for entry in before] != [entry["world"] for entry in after]
    assert (first.asked["persona"], again.asked["persona"]) == (1, 0)
    assert again.asked["evidence"] > 0


def test_a_sample_that_a_model_could_not_make_is_refused_with_its_phase(tmp_path: Path) -> None:
    with serving(Maker(lambda at, *_: Reply(text="no") if at == "plan" else None)) as llm, pytest.raises(Exit):
        built(tmp_path, llm, MODEL)

    logged = json.loads((tmp_path / "set" / "refused.jsonl").read_text(encoding="utf-8"))
    assert (logged["name"], logged["phase"]) == ("model-1-000-0-easy", "plan")


def test_a_folder_made_by_another_model_is_refused_and_says_what_differs(retold: Path) -> None:
    with serving(Maker()) as llm, pytest.raises(CallProblem, match=r'llm: \{.*"openai/stub".*\} then, .*openai/other'):
        built(retold.parent, {**llm, "model": "openai/other"}, REWRITE)


def test_a_recorded_build_is_replayed_without_a_model(tmp_path: Path) -> None:
    cassette = str(tmp_path / "replies.jsonl")
    with serving(Maker()) as llm:
        one = built(tmp_path / "one", llm, {**MODEL, "record": cassette})
    two = built(tmp_path / "two", {"model": "openai/stub", "retries": 0}, {**MODEL, "replay": cassette})

    assert files(one / "samples") == files(two / "samples")


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("level: rewrite", "set.yaml:1: level rewrite needs `llm`"),
        ("level: paper", "set.yaml:1: level: 'paper' is not allowed; write 'grammar', 'rewrite' or 'model'"),
        ("seed: 1\nwidth: 2", "set.yaml:2: width: `width` is of level rewrite and model, and level is grammar"),
        ("level: model\nllm: {model: x}\ndifficulties: [easy]", "set.yaml:3: difficulties: `difficulties` is of level"),
        ("level: rewrite\nllm: {model: x}\nmaking: {rounds: 1}", "set.yaml:3: making: `making` is of level model"),
        ("level: model\nllm: {model: x}\nmaking:\n  rounds: -1", "set.yaml:4: making.rounds: input should be greater"),
        ("level: model\nllm:\n  temperature: 1", "set.yaml:2: llm.model: is required and missing"),
        ("level: model\nllm:\n  model: x\n  colour: 1", "set.yaml:4: llm.colour: no such setting"),
        ("level: model\nllm: {model: x}\nmaking: {personas: 4}\nnumber: 3", "set.yaml:4: number: there are 0 samples"),
        ("level: model\nllm: {model: x}\nrecord: a\nreplay: b", "set.yaml:4: replay: record and replay"),
        (
            "level: model\nllm: {model: openai/x, api_base: 'http://127.0.0.1:9'}\nmax_cost: 1",
            "max_cost needs a price for openai/x",
        ),
    ],
)
def test_a_setting_that_cannot_be_is_told_by_file_and_line(lines: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "set.yaml").write_text(lines + "\n")
    with pytest.raises(ConfigProblem) as refused:
        build(tmp_path / "set.yaml", out=tmp_path / "set")

    assert why in str(refused.value)
    assert not (tmp_path / "set").exists()


def test_a_model_without_a_provider_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="LiteLLM knows no such provider"):
        built(tmp_path, {"model": "stub"}, REWRITE)

    assert not (tmp_path / "set").exists()


def test_several_processes_are_refused_where_one_waits_for_a_model(tmp_path: Path) -> None:
    with pytest.raises(CallProblem, match="`width` says how wide"):
        built(tmp_path, {"model": "openai/stub"}, MODEL, workers=2)
