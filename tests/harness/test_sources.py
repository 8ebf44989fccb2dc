"""Files of programs and code of plug-ins are part of what a run is; what ships with the harness is not."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from harness import wiring
from harness.core.config import RunConfig
from harness.core.config_file import load
from harness.play.run import evaluate, plan
from harness.record.files import RunError
from harness.record.sources import sources
from harness.record.store import Run, RunHead
from harness.score import outcome
from harness.suite import Suite
from tests.harness import toy

ROOT = Path(__file__).parents[2]
CHECK = "from harness.score import Score\n\ndef check(task, trajectory, verdicts):\n    return Score(value={})\n"


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A package with a module `checks` of that text, imported as what was installed under a name is."""

    def make(name: str, **files: str) -> Any:
        for file, text in files.items():
            path = tmp_path / name / f"{file}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        (tmp_path / name / "__init__.py").touch()
        return import_module(f"{name}.checks")

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return make


def checked(check: Any) -> Suite:
    return replace(toy.suite([toy.task(0)]), checks={"own": check})


def program(script: Path, *more: str) -> RunConfig:
    command = {"kind": "command", "command": ["{python}", str(script), *more, "{mcp_config}"]}
    return RunConfig.model_validate({"suite": "toy", "agents": [command]})


@pytest.mark.parametrize("config", ["workbench-synth.yaml", "workflows.yaml"])
def test_what_ships_with_the_harness_is_no_part_of_it(config: str) -> None:
    chosen = load(ROOT / "configs" / config)

    assert sources(chosen, wiring.suite(chosen.suite)) == {}


def test_each_file_that_a_command_names_counts_by_what_is_in_it(tmp_path: Path) -> None:
    script, words = tmp_path / "agent.py", tmp_path / "words.txt"
    script.write_text("1")
    words.write_text("one")
    config = program(script, str(words), str(tmp_path), "text")
    before = RunHead.of(config, toy.suite())
    words.write_text("two")
    after = RunHead.of(config, toy.suite())

    assert [name for name in before.sources if name.startswith("/")] == [str(script), str(words)]
    assert [name for name in after.sources if after.sources[name] != before.sources[name]] == [str(words)]
    assert after.identity != before.identity


def test_the_python_files_of_the_package_that_a_check_comes_from_count(made: Callable[..., Any]) -> None:
    ones = sources(toy.config(), checked(made("acme_ones", checks=CHECK.format(1), rest="A = 1").check))
    others = sources(toy.config(), checked(made("acme_others", checks=CHECK.format(1), rest="A = 2").check))
    alike = sources(toy.config(), checked(made("acme_alike", checks=CHECK.format(1), rest="A = 1").check))

    assert ones["acme_ones"] == alike["acme_alike"] != others["acme_others"]


def test_a_check_that_is_made_of_another_function_counts_with_both(made: Callable[..., Any]) -> None:
    inner, outer = made("acme_inner", checks=CHECK.format(1)), made("acme_outer", checks=CHECK.format(1))

    assert {"acme_inner", "acme_outer"} < sources(toy.config(), checked(partial(outer.check, inner.check))).keys()


def test_what_a_check_that_compares_ends_is_made_of_counts_where_ends_are_settled(made: Callable[..., Any]) -> None:
    tells = made("acme_tells", checks=CHECK.format(1))
    check = partial(outcome, told=tells.check)
    suite = replace(toy.suite(), checks={"outcome": check}, settled=lambda task, trajectory: (task, trajectory))

    assert "acme_tells" in sources(toy.config(), suite)


def test_a_run_whose_program_has_changed_is_refused_with_what_changed_and_the_way_on(tmp_path: Path) -> None:
    script = tmp_path / "agent.py"
    script.write_text("1")
    suite, folder = toy.suite(), tmp_path / "run"
    Run.create(folder, RunHead.of(program(script), suite))
    script.write_text("2")

    with pytest.raises(RunError, match=rf": {script} has changed since this run was begun: give another --output"):
        Run.create(folder, RunHead.of(program(script), suite))


def test_a_run_that_was_begun_with_other_settings_is_refused_with_their_names(tmp_path: Path) -> None:
    Run.create(tmp_path / "run", RunHead.of(toy.config(), toy.suite()))

    with pytest.raises(RunError, match="the config's `seed`, `transport` differ from those that this run was begun"):
        Run.create(tmp_path / "run", RunHead.of(toy.config(seed=3, transport="http"), toy.suite()))


def test_a_run_from_before_sources_were_kept_reads_and_is_not_gone_on_with(tmp_path: Path) -> None:
    run = evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "run")
    head = json.loads((run.folder / "run.json").read_text())
    del head["sources"]
    (run.folder / "run.json").write_text(json.dumps(head | {"identity": "0" * 12}))

    assert Run.open(run.folder).head.sources == {}
    assert len(list(Run.open(run.folder).records())) == 12
    with pytest.raises(RunError, match="it does not say with which tests it was played: give another --output"):
        evaluate(toy.config(), toy.suite(), toy.Wiring(), run.folder)


def test_a_run_of_what_ships_with_the_harness_does_not_mention_sources() -> None:
    config = RunConfig.model_validate({"suite": "office", "agents": [{"kind": "idle"}]})
    head = plan(config, wiring.suite("office")).head

    assert "sources" not in json.loads(head.model_dump_json())
