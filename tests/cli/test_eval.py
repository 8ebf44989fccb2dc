"""`harness eval`, `score`, `replay` and `report` on a small suite."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness import wiring
from harness.record.holding import alone
from harness.record.store import Run
from harness.score import outcome
from harness.suite import SuiteEntry
from tests.cli.conftest import Call, offer
from tests.command.programs import ROOT
from tests.harness import toy


def evaluated(call: Call, *arguments: object) -> dict[str, Any]:
    outcome = call("eval", *arguments, "--json")
    assert outcome.status == 0, outcome.err
    found: dict[str, Any] = json.loads(outcome.out)
    return found


def test_eval_prints_one_json_object_with_totals_cells_and_tables(call: Call, config: Path) -> None:
    found = evaluated(call, config)

    assert {key: found[key] for key in ("trials", "void", "correct", "failed", "side_effects")} == {
        "trials": 48, "void": 0, "correct": 24, "failed": 24, "side_effects": 0,
    }  # fmt: skip
    assert found["accuracy"]["note"] == "agents differ and are not pooled: see `conditions`"
    assert [
        (cell["agent"], cell["condition"], cell["correct"], cell["accuracy"]["value"]) for cell in found["conditions"]
    ] == [("oracle", "default", 24, 1.0), ("idle", "default", 0, 0.0)]
    assert list(found["tables"]) == [
        "Calibration: outcomes", "Calibration: by template", "Calibration: by template, agent and condition",
        "Calibration: effort",
    ]  # fmt: skip
    assert re.fullmatch(r"runs/toy-[0-9a-f]{12}", found["run"])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # LiteLLM's own
def test_eval_tells_how_many_replies_of_a_model_were_cut(call: Call, config: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text(json.dumps({"replies": [{"text": "First, I", "finish_reason": "length"}]}), encoding="utf-8")
    command = [sys.executable, "-m", "harness.stub", "--script", str(script), "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as stub:
        assert stub.stdout is not None
        agent = {
            "kind": "llm",
            "model": "hosted_vllm/stub",
            "api_base": stub.stdout.readline().strip(),
            "max_tokens": 3,
        }
        config.write_text(json.dumps({"suite": "toy", "tasks": ["toy-0", "toy-1"], "agents": [agent]}))
        outcome = call("eval", config)
        stub.terminate()

    told = "2 replies of hosted_vllm/stub were cut at its limit of tokens: raise `max_tokens`, which is 3"
    assert (outcome.status, told in outcome.err.splitlines()) == (0, True)


def test_eval_ends_with_one_table_one_sentence_and_where_the_rest_is(call: Call, config: Path) -> None:
    outcome = call("eval", config, "--output", "here")
    shown = outcome.out.splitlines()

    assert outcome.status == 0
    assert shown[0] == "Calibration: played by instruments of known behaviour, not by a model"
    assert [line.split()[0] for line in shown[2:6]] == ["agent", "─" * len(shown[3]), "oracle", "idle"]
    assert "oracle was right in 100% of its trials, idle in 0%." in shown
    assert shown[-3:-1] == [
        "every trial: harness view here",
        "all tables:  harness report here (figures: report.html there)",
    ]
    assert shown[-1].startswith("here: 48 trials; digest of all states ")
    assert max(map(len, shown)) <= 80
    assert "Calibration: outcomes" not in outcome.out
    assert outcome.err == "48/48 trials\n"


def test_all_tables_come_before_the_first_screen_where_they_are_asked_for(call: Call, config: Path) -> None:
    whole = call("eval", config, "--output", "here", "--full").out
    brief = call("eval", config, "--output", "here").out
    report = call("report", "here").out.partition("\n\n")[2]
    first = brief.partition("every trial:")[0]

    assert report.startswith(f"{first}Calibration: outcomes")
    tables = report.removeprefix(first)
    assert whole.splitlines()[:-1] == [*tables.splitlines(), *brief.splitlines()[:-1]]


@pytest.mark.filterwarnings("ignore")  # LiteLLM's own
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--api-base", "http://127.0.0.1:9/v1"),
            "says where a model is served, but no model plays; name one with --model",
        ),
        (("--model", "openai/m", "--api-base", "localhost:9"), "write a URL, such as http://127.0.0.1:8000/v1"),
        (("--rpm", 60), "--rpm: says how fast a model is asked, but no model plays; name one with --model"),
        (("--tpm", 60), "--tpm: says how fast a model is asked, but no model plays; name one with --model"),
        (("--model", "openai/m", "--api-base", "http://me:a/b@host/v1"), "--api-base: write a URL with a number for"),
        (("--rpm", 1, "--workers", 2), "--rpm 1 is divided among 2 workers: lower --workers to at most 1"),
    ],
)
def test_where_a_model_is_and_how_fast_it_is_asked_have_to_make_sense(
    call: Call, config: Path, arguments: tuple[object, ...], said: str
) -> None:
    outcome = call("eval", config, *arguments)

    assert (outcome.status, outcome.out) == (2, "")
    assert said in outcome.err


@pytest.mark.filterwarnings("ignore")  # LiteLLM's own
def test_where_a_model_is_served_is_part_of_a_run_and_how_fast_it_is_asked_is_not(call: Call, config: Path) -> None:
    model = ("--model", "openai/m", "--dry-run", "--json")
    here, fast, there = (
        json.loads(call("eval", config, *model, *more).out)["identity"]
        for more in (
            ("--api-base", "http://127.0.0.1:9/v1"),
            ("--api-base", "http://127.0.0.1:9/v1", "--rpm", 60, "--tpm", 1000),
            ("--api-base", "http://127.0.0.1:8/v1"),
        )
    )

    assert here == fast
    assert here != there


def test_processes_share_a_rate_out_evenly(call: Call, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, Any]] = []

    def noted(**options: Any) -> wiring.Wired:
        given.append(options)
        return make(**options)

    make = wiring.wiring
    monkeypatch.setattr(wiring, "wiring", noted)
    call("eval", config, "--model", "openai/m", "--rpm", 7, "--tpm", 1000, "--workers", 2, "--dry-run")

    assert [(options["rpm"], options["tpm"]) for options in given] == [(3, 500)]


@pytest.mark.filterwarnings("ignore")  # LiteLLM's own
def test_how_fast_the_model_of_a_user_is_asked_can_be_said_where_no_agent_has_one(call: Call, config: Path) -> None:
    config.write_text(
        "suite: toy\nagents: [{kind: oracle}]\n"
        "conditions: {asked: {ask: ask_user, user: {kind: llm, model: {model: openai/m, api_base: 'http://127.0.0.1:9/v1'}}}}\n"
    )
    outcome = call("eval", config, "--rpm", 60, "--dry-run")

    assert (outcome.status, outcome.err) == (0, "")


def test_where_a_model_is_served_is_said_of_one_model(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "two.yaml"
    path.write_text("suite: toy\nagents: [{kind: llm, model: openai/a}, {kind: llm, model: openai/b}]\n")
    outcome = call("eval", path, "--api-base", "http://127.0.0.1:9/v1", "--dry-run")

    assert (outcome.status, outcome.out) == (2, "")
    assert "--api-base: applies to one model, but openai/a, openai/b play; choose one with --agent" in outcome.err


def test_a_finished_run_is_shown_again_and_says_so(call: Call, config: Path) -> None:
    first = call("eval", config)
    again = call("eval", config)

    assert "48 trials, played earlier and shown again" in again.out
    assert first.out.splitlines()[:-1] == again.out.splitlines()[:-1]


def test_more_trials_extend_a_run(call: Call, config: Path) -> None:
    evaluated(call, config, "--trials", 1)
    outcome = call("eval", config, "--trials", 2)

    assert "48 trials, 24 of them played earlier" in outcome.out


def test_fresh_starts_over(call: Call, config: Path) -> None:
    evaluated(call, config, "--output", "here")
    outcome = call("eval", config, "--output", "here", "--agent", "idle", "--fresh")

    assert outcome.status == 0
    assert "here: 24 trials;" in outcome.out


def test_fresh_removes_nothing_that_is_no_run(call: Call, config: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    outcome = call("eval", config, "--output", "mine", "--fresh")

    assert outcome.status == 2
    assert "not empty and holds no run.json" in outcome.err
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years of work"


def test_a_run_that_was_stopped_before_it_had_a_head_is_begun_again(call: Call, config: Path, tmp_path: Path) -> None:
    (tmp_path / "here" / "trials").mkdir(parents=True)
    (tmp_path / "here" / ".run.json.0").write_text('{"version"')
    outcome = call("eval", config, "--output", "here")

    assert outcome.status == 0
    assert "here: 48 trials;" in outcome.out


def test_trials_without_a_head_are_those_of_nobody(call: Call, config: Path, tmp_path: Path) -> None:
    (tmp_path / "here" / "trials").mkdir(parents=True)
    (tmp_path / "here" / "trials" / "one.json").write_text("{}")
    outcome = call("eval", config, "--output", "here")

    assert outcome.status == 2
    assert "not empty and holds no run.json" in outcome.err


def test_fresh_removes_nothing_of_a_run_that_is_being_played(call: Call, config: Path, tmp_path: Path) -> None:
    evaluated(call, config, "--output", "here")
    before = sorted((tmp_path / "here").rglob("*"))
    with alone(Path("here")):
        outcome = call("eval", config, "--output", "here", "--fresh")

    assert outcome.status == 2
    assert "here is in use by another process: wait for it to end" in outcome.err
    assert sorted((tmp_path / "here").rglob("*")) == before


def test_fresh_removes_nothing_of_a_run_that_is_being_judged(call: Call, config: Path, tmp_path: Path) -> None:
    evaluated(call, config, "--output", "here")
    with alone(Path("here/judgements")):
        before = sorted((tmp_path / "here").rglob("*"))
        outcome = call("eval", config, "--output", "here", "--fresh")

    assert outcome.status == 2
    assert "here/judgements is in use by another process: wait for it to end" in outcome.err
    assert sorted((tmp_path / "here").rglob("*")) == before


@pytest.mark.filterwarnings("ignore")  # LiteLLM's own
def test_fresh_removes_nothing_where_a_price_is_missing(call: Call, config: Path, tmp_path: Path) -> None:
    evaluated(call, config, "--output", "here")
    before = sorted((tmp_path / "here").rglob("*"))
    model = ("--model", "hosted_vllm/unpriced", "--api-base", "http://127.0.0.1:9/v1")
    outcome = call("eval", config, "--output", "here", "--fresh", *model, "--max-cost", 1)

    assert outcome.status == 2
    assert "--max-cost needs a price for hosted_vllm/unpriced" in outcome.err
    assert sorted((tmp_path / "here").rglob("*")) == before


def test_fresh_removes_nothing_where_a_world_does_not_fit(
    call: Call, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated(call, config, "--output", "here")
    before = sorted((tmp_path / "here").rglob("*"))
    gone = replace(toy.suite(), worlds={"toy": toy.world().digest}, world=lambda _: toy.world().rows["gone"])  # type: ignore[arg-type, return-value]
    entries = (SuiteEntry("toy", "Jobs on a board.", lambda: gone),)
    offer(monkeypatch, *entries)
    outcome = call("eval", config, "--output", "here", "--fresh")

    assert outcome.status == 2
    assert "world 'toy' cannot be loaded: KeyError: 'gone'" in outcome.err
    assert sorted((tmp_path / "here").rglob("*")) == before


def test_fresh_removes_nothing_where_no_trials_can_be_put(call: Call, config: Path, tmp_path: Path) -> None:
    evaluated(call, config, "--output", "here")
    shutil.rmtree("here/trials")
    Path("here/trials").write_text("mine")
    before = sorted((tmp_path / "here").rglob("*"))
    outcome = call("eval", config, "--output", "here", "--fresh")

    assert outcome.status == 2
    assert "here/trials is a file, and a run is a folder" in outcome.err
    assert sorted((tmp_path / "here").rglob("*")) == before


def test_a_folder_of_another_run_is_refused(call: Call, config: Path) -> None:
    evaluated(call, config, "--output", "here")
    outcome = call("eval", config, "--output", "here", "--seed", 5)

    assert (outcome.status, outcome.out) == (2, "")
    assert "give another --output, or --fresh to start over" in outcome.err


def test_order_and_concurrency_change_no_result(call: Call, config: Path) -> None:
    first = evaluated(call, config, "--concurrency", 1, "--output", "one")
    second = evaluated(call, config, "--concurrency", 16, "--output", "two")

    assert {**first, "run": ""} == {**second, "run": ""}


def test_a_sample_leads_into_the_whole_run(call: Call, config: Path) -> None:
    few = evaluated(call, config, "--sample", 2, "--output", "one")
    whole = evaluated(call, config, "--output", "one")

    assert few["trials"] < whole["trials"]
    assert {**whole, "run": ""} == {**evaluated(call, config, "--output", "two"), "run": ""}


def test_a_limit_and_a_sample_exclude_each_other(call: Call, config: Path) -> None:
    outcome = call("eval", config, "--limit", 3, "--sample", 3)

    assert outcome.status == 2
    assert "--limit takes the first tasks, --sample some of each template: give only one of them" in outcome.err


def test_a_dry_run_plays_nothing(call: Call, config: Path, tmp_path: Path) -> None:
    outcome = call("eval", config, "--limit", 3, "--dry-run")

    assert outcome.status == 0
    assert "12 trials of toy would be played into runs/toy-" in outcome.out
    assert not (tmp_path / "runs").exists()


def test_a_dry_run_counts_apart_what_is_there_already(call: Call, config: Path) -> None:
    evaluated(call, config, "--limit", 1, "--output", "here")
    outcome = call("eval", config, "--limit", 3, "--output", "here", "--dry-run")
    anew = call("eval", config, "--limit", 3, "--output", "here", "--dry-run", "--fresh")

    assert outcome.out.endswith("8 trials of toy would be played into here; 4 more are there already\n")
    assert anew.out.endswith("12 trials of toy would be played into here\n")


def test_scoring_again_gives_the_same_and_needs_no_agent(
    call: Call, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = evaluated(call, config, "--output", "here")
    monkeypatch.delattr("harness.agents.instruments.OracleAgent")
    outcome = call("score", "here", "--json")

    assert outcome.status == 0
    assert json.loads(outcome.out) == played


def test_replaying_gives_equal_digests(call: Call, config: Path) -> None:
    evaluated(call, config, "--output", "here")
    outcome = call("replay", "here", "--json")

    assert outcome.status == 0
    assert json.loads(outcome.out) == {"run": "here", "trials": 48, "equal": 48, "differing": []}


def test_a_replay_that_ends_elsewhere_is_named(call: Call, config: Path, tmp_path: Path) -> None:
    evaluated(call, config, "--output", "here", "--agent", "oracle", "--trials", 1)
    run = Run.open(tmp_path / "here")
    record = next(run.records())
    record.trajectory.calls[0].arguments["new_value"] = "Backlog"
    run.write(record)
    run._write(run.folder / "run.json", run.head.model_copy(update={"package": "0.0.0"}), lasting=False)
    outcome = call("replay", "here", record.trajectory.task + ".0")

    assert outcome.status == 1
    assert "1 trial replayed, 0 digests equal\nhere: it was begun by version 0.0.0 of the harness, and" in outcome.out


def test_reports_come_as_text_markdown_and_json(call: Call, config: Path) -> None:
    played = evaluated(call, config, "--output", "here")
    text, markdown, data = (call("report", "here", *more) for more in ((), ("--format", "md"), ("--json",)))

    assert "Calibration: outcomes" in text.out
    assert "| oracle | default | 12 | 24 | 0 | 0 | 0 | 24 | 1 |" in markdown.out
    assert json.loads(data.out) == played


@pytest.mark.filterwarnings("ignore")  # LiteLLM's own
def test_void_trials_end_with_status_1_and_their_reason(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "dead.yaml"
    path.write_text(
        "suite: toy\nlimits: {seconds: 60}\nagents:\n"
        "  - {kind: llm, model: openai/stub, api_base: 'http://127.0.0.1:9/v1', retries: 0, timeout: 5}\n"
    )
    outcome = call("eval", path, "--limit", 1)

    assert outcome.status == 1
    assert "1 trial is void because: " in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.filterwarnings("ignore")  # LiteLLM's own
def test_a_dead_endpoint_stops_a_run_and_its_cause_is_on_screen(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "dead.yaml"
    path.write_text(
        "suite: toy\nlimits: {seconds: 60}\nagents:\n"
        "  - {kind: llm, model: openai/stub, api_base: 'http://127.0.0.1:9/v1', retries: 0, timeout: 5}\n"
    )
    outcome = call("eval", path, "--trials", 4, "--concurrency", 1, "--output", "here")
    (line,) = [line for line in outcome.err.splitlines() if "because: " in line]

    assert outcome.status == 1
    assert line.startswith("stopped after 8 void trials in a row, each because: model 'openai/stub' failed")
    assert line.endswith("; fix that, and the same command resumes here")
    played = len(list((tmp_path / "here" / "trials").iterdir()))
    assert played in (8, 9)  # one more may be under way when the eighth ends
    assert f"{48 - played} trials not started; the same command goes on" in outcome.err


def test_what_a_sum_holds_back_is_told_with_it_as_the_reason(call: Call, config: Path) -> None:
    evaluated(call, config, "--limit", 2, "--output", "here")
    outcome = call("eval", config, "--limit", 1, "--trials", 3, "--max-cost", 0, "--output", "here")

    assert outcome.status == 0
    assert "2 trials not started, at --max-cost; a higher one goes on" in outcome.err.splitlines()


def test_a_file_that_is_no_trial_of_the_run_is_named_before_anything_is_played(
    call: Call, config: Path, tmp_path: Path
) -> None:
    evaluated(call, config, "--limit", 1, "--output", "here")
    strange = tmp_path / "here" / "trials" / "notes.json"
    strange.write_text("{}")
    before = sorted((tmp_path / "here" / "trials").iterdir())
    outcome = call("eval", config, "--output", "here")

    assert outcome.status == 2
    assert f"{strange.relative_to(tmp_path)} does not fit the trial format" in outcome.err
    assert sorted((tmp_path / "here" / "trials").iterdir()) == before


def test_a_prompt_that_tasks_lack_is_a_wrong_config_also_in_a_dry_run(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "vague.yaml"
    path.write_text("suite: toy\nagents: [{kind: oracle}]\nconditions: {x: {prompt: underspecified}}\n")
    outcome = call("eval", path, "--dry-run")

    assert (outcome.status, outcome.out) == (2, "")
    assert "conditions.x.prompt: 12 of 12 tasks have no prompt 'underspecified': toy-0, toy-1, toy-2" in outcome.err


def test_a_stopped_run_goes_on_where_it_was(call: Call, config: Path, tmp_path: Path) -> None:
    whole = evaluated(call, config, "--output", "whole")
    evaluated(call, config, "--output", "torn")
    for path in sorted((tmp_path / "torn" / "trials").iterdir())[::3]:
        path.unlink()
    resumed = evaluated(call, config, "--output", "torn")

    assert {**resumed, "run": ""} == {**whole, "run": ""}


def test_an_interrupted_run_says_how_to_go_on(call: Call, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("harness.play.run.evaluate", interrupted)
    outcome = call("eval", config, "--output", "here")

    assert (outcome.status, outcome.out) == (130, "")
    assert "stopped; the same command resumes here" in outcome.err


def _suite_with(check: object, monkeypatch: pytest.MonkeyPatch) -> None:
    made = replace(toy.suite(), checks={"asking": check, "outcome": outcome})  # type: ignore[dict-item]
    entries = (SuiteEntry("toy", "Jobs on a board.", lambda: made),)
    offer(monkeypatch, *entries)


def test_a_check_that_raises_ends_the_run_with_one_line_and_score_goes_on_once_it_is_mended(
    call: Call, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _suite_with(lambda *_: 1 / 0, monkeypatch)
    broken = call("eval", config, "--output", "run")
    again = call("score", "run")
    _suite_with(outcome, monkeypatch)
    mended = call("score", "run")

    first, last = broken.err.splitlines()[-2:]
    assert broken.status == again.status == 1
    assert first.startswith("48 trials lack a score: check 'asking' raised ZeroDivisionError: division by zero (")
    assert last == "They are played and kept: mend the check, and `harness score run` scores them."
    assert again.err.splitlines() == [first, last]
    assert (mended.status, mended.err) == (0, "")
    assert {record.scores["asking"].value for record in Run.open(Path("run")).records()} == {0.0, 1.0}


def test_a_report_that_breaks_is_told_with_what_shows_the_run_once_it_is_mended(
    call: Call, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = replace(toy.suite(), report=lambda *_: {"a": 1}["b"])  # type: ignore[arg-type]
    entries = (SuiteEntry("toy", "Jobs on a board.", lambda: made),)
    offer(monkeypatch, *entries)
    outcome = call("eval", config, "--output", "run")

    assert outcome.status == 2
    assert "harness: suite toy: its `report` raised KeyError: 'b' (" in outcome.err
    assert outcome.err.endswith("What was played is kept: mend that, and `harness report run` shows it\n")


def test_an_edited_program_is_not_shown_with_what_it_did_before(call: Call, tmp_path: Path) -> None:
    script, config = tmp_path / "agent.py", tmp_path / "mine.yaml"
    script.write_text("print('done')")
    command = '["{python}", agent.py, "{mcp_config}"]'
    config.write_text(f"suite: toy\ntasks: [toy-0]\nagents: [{{kind: command, command: {command}}}]\n")
    first = evaluated(call, config)
    kept = call("eval", config, "--output", first["run"])
    script.write_text("raise SystemExit(3)")
    second = evaluated(call, config)
    refused = call("eval", config, "--output", first["run"])

    assert "1 trial, played earlier and shown again" in kept.out
    assert second["run"] != first["run"]
    assert {record.trajectory.status for record in Run.open(Path(second["run"])).records()} == {"crashed"}
    assert refused.status == 2
    assert f"{script} has changed since this run was begun: give another --output, or --fresh" in refused.err
