"""What a run of each suite ends with, at every width: played, then told as of instruments and as of models."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from harness import report, wiring
from harness.cli import render
from harness.core.config import LlmConfig, RunConfig
from harness.core.suite import Scored, Suite, SuiteEntry, SuiteError, Table
from harness.record.store import Run
from harness.report.headline import headline
from harness.report.verdicts import verdict
from tests.cli.conftest import Call, ended, offer
from tests.judging.scene import MOVED, suite
from tests.sampling import sampled

ROOT = Path(__file__).parents[2]
PLAYED = {
    "lhaw-workplace": "lhaw",
    "lhaw-short": "lhaw-short",
    "workbench-synth": "workbench-synth",
    "probe-workplace": "probe-controls",
    "probe-inbox": "probe-inbox",
    "workflows": "workflows",
    "drift-workplace": "drift",
    "drift-short": "drift-composed",
    "drift-long": "drift-composed-long",
    "pi-synth": "pi",
    "pi-units": "pi-units",
}
"""Suites, and the configs that they are played by."""

IMPORTED = {"dbbench", "workbench-official@v1", "workbench-official@v2"}
"""Not to be had here; their first screen is that of `workbench-synth`."""

WIDTHS = (60, 80, 100, 120, 160, 200)
LONG = "openrouter/meta-llama/llama-4-maverick-17b-instruct"


class Played(NamedTuple):
    config: RunConfig
    suite: Suite
    trials: Sequence[Scored]


loaded = cache(wiring.suite)
"""As `harness eval` loads a suite, once for all tests here."""


@pytest.fixture(scope="module", params=PLAYED)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("run") / "run"
    path = ROOT / "configs" / f"{PLAYED[request.param]}.yaml"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "suite", lambda name, scale: loaded(name))  # none here is scaled
        assert ended("eval", path, "--sample", "2", "--output", folder) == 0
    run = Run.open(folder)
    suite = loaded(run.head.config.suite)
    return Played(run.head.config, suite, report.ordered(run.records(), run.head.config, suite))


def by_models(played: Played) -> Played:
    """The same as if models had played, with names as long as there are."""
    names = {agent.name: f"{LONG}-{n}" for n, agent in enumerate(played.config.agents)}
    agents = tuple(LlmConfig(kind="llm", model=name) for name in names.values())
    trials = [
        each._replace(trajectory=each.trajectory.model_copy(update={"agent": names[each.trajectory.agent]}))
        for each in played.trials
    ]
    return played._replace(config=played.config.model_copy(update={"agents": agents}), trials=trials)


def words(table: Table) -> list[str]:
    return [word for name in table.columns for word in re.findall(r"[^\s/+_-]+", name)]


def judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy suite is one that asks a judge."""
    offer(monkeypatch, SuiteEntry("toy", "Jobs on a board.", suite))


def answer_all(form: Path) -> None:
    rows = [json.loads(line) for line in form.read_text(encoding="utf-8").splitlines()]
    filled = [row | {"answer": "yes" if row["question"] == MOVED else 5} for row in rows]
    form.write_text("".join(json.dumps(row) + "\n" for row in filled), encoding="utf-8")


def test_a_run_scored_again_ends_as_it_did_when_it_was_played(call: Call, config: Path) -> None:
    played = call("eval", config, "--output", "here").out.splitlines()
    again = call("score", "here").out.splitlines()

    assert played[0].startswith("Calibration: played by instruments")
    assert again[:-1] == played[:-1]
    assert again[-1].startswith("here: 48 trials scored again; ")


def test_commands_that_are_printed_can_be_copied_where_a_folder_has_spaces_in_its_name(
    call: Call, config: Path
) -> None:
    ended = call("eval", config, "--output", "my runs").out
    listed = call("show", "my runs").out

    assert "every trial: harness view 'my runs'\nall tables:  harness report 'my runs' (" in ended
    assert "one, step by step:  harness show 'my runs' " in listed
    assert "all, with filters:  harness view 'my runs'\n" in listed


def test_a_run_that_was_judged_ends_with_what_the_verdicts_make_of_it(
    call: Call, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(monkeypatch)
    call("eval", config, "--output", "here")
    call("judge", "here", "--person", "anna.jsonl")
    answer_all(Path("anna.jsonl"))
    printed = call("judge", "here", "--person", "anna.jsonl").out

    assert printed.startswith("Calibration: played by instruments")
    assert re.search(r"^oracle +1\.00", printed, re.MULTILINE)
    assert "all tables:  harness report here" in printed
    assert printed.endswith("answers read\n")


@pytest.mark.parametrize("command", [("score", "here"), ("judge", "here", "--person", "anna.jsonl")])
def test_with_full_every_table_comes_before_the_first_screen(
    call: Call, config: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    judged(monkeypatch)
    call("eval", config, "--output", "here")
    call("judge", "here", "--person", "anna.jsonl")
    answer_all(Path("anna.jsonl"))
    call("judge", "here", "--person", "anna.jsonl")
    whole = call(*command, "--full").out
    short = call(*command).out

    assert "\nJudges\n" in whole
    assert "\nJudges\n" not in short
    assert whole.endswith(short)


@pytest.mark.slow
def test_every_suite_with_tasks_is_played_here_or_cannot_be_had() -> None:
    having = set()
    for name in wiring.catalog().suites:
        try:
            suite = loaded(name)
        except SuiteError:
            assert name in IMPORTED
            continue
        if suite.tasks:
            having.add(name)

    assert having - IMPORTED == set(PLAYED)


@pytest.mark.slow
def test_a_suite_ends_with_one_table_and_one_sentence_in_eighty_columns(played: Played) -> None:
    for each in (played, by_models(played)):
        table, sentence = found = headline(*each)
        assert len(table.rows) == len({(t.trajectory.agent, t.trajectory.condition) for t in each.trials})
        assert re.fullmatch(r"[A-Za-z].*\.", sentence)
        assert "\n" not in sentence
        for width in WIDTHS:
            text = render.first(found, width)
            assert max(map(len, text.splitlines())) <= min(width, 80)
            assert [word for word in words(table) if word not in text] == []


@pytest.mark.slow
def test_a_note_about_brackets_stands_where_there_are_brackets_and_nowhere_else(played: Played) -> None:
    for each in (played, by_models(played)):
        table, sentence = headline(*each)
        cells = [str(row[name]) for row in table.rows for name in table.columns if name not in ("agent", "condition")]
        bracketed = any(cell.endswith(")") for cell in cells) or re.search(r"\(-?\d+ to -?\d+\)", sentence) is not None
        assert any(note.startswith("In brackets: 95% interval, by ") for note in table.notes) == bracketed


@pytest.mark.slow
def test_no_table_of_a_suite_is_wider_than_the_terminal_and_no_header_breaks_within_a_word(played: Played) -> None:
    """At the least width, and at another of each table under either title: what is too wide at one mostly is at its
    neighbours."""
    for each in (played, by_models(played)):
        for table in report.tables(*each):
            others = sampled([(table.title, width) for width in WIDTHS[1:]], 1)
            for width in (WIDTHS[0], *(width for _, width in others)):
                text = render.text([table], width)
                assert max(map(len, text.splitlines())) <= width, (table.title, width)
                assert [word for word in words(table) if word not in text] == [], (table.title, width)


@pytest.mark.slow
def test_a_suite_without_words_of_its_own_says_how_accurate(played: Played) -> None:
    config, suite, trials = played
    table, sentence = headline(config, replace(suite, headline=None), trials)

    waiting = all(verdict(each) == "unscored" for each in trials)  # a judge has the last word on each
    assert {"agent", "accuracy"} <= set(table.columns)
    assert ("no trial has been scored yet" if waiting else "right") in sentence.lower()


@pytest.mark.slow
def test_a_model_goes_before_instruments_which_are_named_below(played: Played) -> None:
    config, suite, trials = by_models(played)
    instruments = played.config.agents
    both = config.model_copy(update={"agents": (*instruments, *config.agents)})
    table, _ = headline(both, suite, [*played.trials, *trials])

    assert table.title.startswith("Results: ")
    assert {row["agent"] for row in table.rows} == {agent.name for agent in config.agents}
    assert any(note.endswith(f": {', '.join(agent.name for agent in instruments)}.") for note in table.notes)
