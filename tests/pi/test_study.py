"""The study of judgements, on a run of instruments, with judges that are scripted."""

from __future__ import annotations

import csv
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pi.study.__main__ import main
from benchmarks.pi.study.asking import INTENT, RUBRIC, RULE, asked
from benchmarks.pi.suite import load_episodes, units
from benchmarks.pi.view import of_trajectory
from harness.core.config import RunConfig
from harness.core.judgement import Query
from harness.judging.study.pairs import COLUMNS, Pair, Study, kept
from harness.play.run import evaluate
from harness.record.judgements import FOLDER, Judgement, keep
from harness.record.store import Run
from harness.wiring import Wired
from harness.wiring import suite as named

AGENTS = ("oracle", "passive", "literal")
INTENTS, RUBRICS, RULES = 21, 1, 26
"""Of the four sessions that an episode has."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An episode of each of three instruments."""
    config = RunConfig.model_validate(
        {
            "suite": "pi-synth",
            "seed": 7,
            "limits": {"turns": 120, "tool_calls": 400, "hand_overs": 120},
            "agents": [
                {"kind": "oracle"},
                *({"kind": "reference", "name": name, "settings": {"plays": name}} for name in AGENTS[1:]),
            ],
            "conditions": {"notes": {"ask": "ask_user", "end_of_turn": "user", "user": {"kind": "intents"}}},
        }
    )
    return evaluate(config, named("pi-synth"), Wired(), tmp_path_factory.mktemp("study") / "run").folder


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    """The same, to add verdicts to."""
    return Path(shutil.copytree(played, tmp_path / "run"))


Judge = Callable[[Pair, Query], str]


def echo(pair: Pair, query: Query) -> str:
    """Says what the run says."""
    return pair.known.get(query.id, "?")


def other(pair: Pair, query: Query) -> str:
    """Says something else."""
    return next(str(each) for each in query.answers if str(each) != pair.known.get(query.id))


def fill(folder: Path, name: str, judge: Judge) -> None:
    """Fill in a form as a judge would who sees what is on it."""
    known = {f"{pair.id}.{query.id}": (pair, query) for pair in kept(folder).pairs for query in pair.queries}
    path = folder / f"{name}.csv"
    with path.open(newline="", encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows({**row, "answer": judge(*known[row["key"]])} for row in rows)


def draw(folder: Path, run: Path, *raters: str, sessions: int = 12) -> int:
    return main(["draw", str(folder), str(run), "--raters", *(raters or ("anna",)), "--sessions", str(sessions)])


def agreed(folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[tuple[str, ...], list[str]]:
    """The lines of both tables by their first cells: source and about, or two sources and about."""
    capsys.readouterr()
    assert main(["agree", str(folder)]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    found: dict[tuple[str, ...], list[str]] = {}
    for cells in lines:
        at = next((n for n, cell in enumerate(cells) if cell in (INTENT, RUBRIC, RULE, "all")), None)
        if at and "answered" not in cells:
            found[tuple(cells[: at + 1])] = cells[at + 1 :]
    return found


def keyed(study: Study) -> list[Query]:
    return [query for pair in study.pairs for query in pair.queries]


def test_sessions_are_drawn_evenly_by_agent(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert draw(tmp_path / "study", run, sessions=6) == 0

    assert Counter(pair.agent for pair in kept(tmp_path / "study").pairs) == dict.fromkeys(AGENTS, 2)
    assert "Sessions by agent: literal 2, oracle 2, passive 2" in capsys.readouterr().out


def test_a_draw_depends_on_its_seed_alone(run: Path, tmp_path: Path) -> None:
    def drawn(name: str, *options: str) -> tuple[Pair, ...]:
        main(["draw", str(tmp_path / name), str(run), "--raters", "anna", "--sessions", "6", *options])
        return kept(tmp_path / name).pairs

    assert drawn("one") == drawn("same") != drawn("other", "--seed", "1")


def test_no_more_sessions_are_drawn_than_there_are(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert draw(tmp_path / "study", run, sessions=120) == 0

    assert capsys.readouterr().out.startswith("There are only 12 sessions to draw.\n")


def test_every_intent_and_every_item_is_asked_about(run: Path, tmp_path: Path) -> None:
    draw(tmp_path / "study", run)
    found = Counter(query.name for query in keyed(kept(tmp_path / "study")))

    assert found == {INTENT: 3 * INTENTS, RUBRIC: 3 * RUBRICS, RULE: 3 * RULES}


def test_a_form_does_not_say_whose_work_it_is_nor_what_the_run_says(run: Path, tmp_path: Path) -> None:
    draw(tmp_path / "study", run)
    with (tmp_path / "study" / "anna.csv").open(newline="", encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]

    assert {row["answer"] for row in rows} == {""}
    assert not [row for row in rows for name in (*AGENTS, str(run)) if name in row["key"] or name in row["evidence"]]


def test_the_reference_leaves_something_to_see_for_every_question(played: Path) -> None:
    (record,) = (each for each in Run.open(played).records() if each.trajectory.agent == "oracle")
    unit = units()[record.trajectory.task]
    views = of_trajectory(record.trajectory, load_episodes().load_world("financier"), len(unit.sessions))
    queries = [query for session, seen in zip(unit.sessions, views, strict=True) for query in asked(session, seen[-1])]

    assert [query.id for query in queries if not query.evidence] == []
    assert len({query.id for query in queries}) == len(queries)


def test_a_judge_who_says_what_the_run_says_never_disagrees(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draw(tmp_path / "study", run)
    fill(tmp_path / "study", "anna", echo)
    found = agreed(tmp_path / "study", capsys)

    assert found["anna", INTENT][:2] == [str(3 * INTENTS), "0.0"]
    assert found["anna", RULE][:2] == [str(3 * RULES), "0.0"]
    assert found["anna", RULE][-2:] == ["1.000", "-"]  # kappa, of which full agreement allows no interval
    assert ("anna", RUBRIC) not in found  # of which the run says nothing until a judge has been asked


def test_rules_and_readers_are_told_apart_from_intents(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def strict(pair: Pair, query: Query) -> str:
        return (other if query.name == RULE else echo)(pair, query)

    draw(tmp_path / "study", run)
    fill(tmp_path / "study", "anna", strict)
    found = agreed(tmp_path / "study", capsys)

    assert (found["anna", RULE][1], found["anna", INTENT][1]) == ("100.0", "0.0")
    assert found["anna", "all"][1] == f"{100 * RULES / (RULES + INTENTS):.1f}"


def test_disagreement_and_kappa_are_those_of_the_answers(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A judge who calls every item met: kappa is 0, and disagreement the share of items that the run calls not met."""

    def lenient(pair: Pair, query: Query) -> str:
        return "yes" if query.name == RULE else "?"

    draw(tmp_path / "study", run)
    fill(tmp_path / "study", "anna", lenient)
    study, found = kept(tmp_path / "study"), agreed(tmp_path / "study", capsys)
    said = [pair.known[query.id] for pair in study.pairs for query in pair.queries if query.name == RULE]
    row = found["anna", RULE]

    assert 0 < said.count("no") < len(said)
    assert row[:2] == [str(len(said)), f"{100 * said.count('no') / len(said):.1f}"]
    low, high = float(row[2]), float(row[4])
    assert low < float(row[1]) < high
    assert row[6] == "0.000"
    assert ("anna", INTENT) not in found


def test_judges_are_held_against_each_other_and_three_against_the_run_by_majority(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draw(tmp_path / "study", run, "anna", "ben", "model-x")
    for name, judge in (("anna", echo), ("ben", other), ("model-x", echo)):
        fill(tmp_path / "study", name, judge)
    found = agreed(tmp_path / "study", capsys)

    assert [found[name, RULE][1] for name in ("anna", "ben", "model-x", "together")] == ["0.0", "100.0", "0.0", "0.0"]
    assert (found["anna", "ben", RULE][1], found["anna", "model-x", RULE][1]) == ("100.0", "0.0")


def told(run: Path, model: str, answer: str) -> None:
    """A model is asked of every item with a rubric, and says so."""
    suite = load_episodes()
    (run / FOLDER).mkdir(exist_ok=True)
    for record in Run.open(run).records():
        for query in suite.queries(suite.task(record.trajectory.task), record.trajectory):
            judge = {"model": model}
            keep(run, Judgement(judge=judge, prompt="", about=query.key, vote=0, query=query, answer=answer))


def test_what_a_judge_of_the_run_said_is_what_the_run_says_of_rubrics(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told(run, "first", "yes")
    draw(tmp_path / "study", run)
    fill(tmp_path / "study", "anna", lambda pair, query: "no" if query.name == RUBRIC else "?")
    told(run, "second", "no")
    found = agreed(tmp_path / "study", capsys)

    assert found["anna", RUBRIC][:2] == ["3", "100.0"]
    assert found["first", RUBRIC][:2] == ["3", "0.0"]  # whom `harness judge` has asked are sources too
    assert found["second", RUBRIC][:2] == ["3", "100.0"]
    assert found["second", "anna", RUBRIC][:2] == ["3", "0.0"]


def test_what_was_filled_in_is_never_written_over(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draw(tmp_path / "study", run)
    fill(tmp_path / "study", "anna", echo)
    before = (tmp_path / "study" / "anna.csv").read_bytes()
    capsys.readouterr()
    (tmp_path / "study" / "study.json").unlink()

    assert draw(tmp_path / "study", run, "ben", "anna") == 2
    assert "anna.csv already exists, and somebody may have filled it in" in capsys.readouterr().err
    assert (tmp_path / "study" / "anna.csv").read_bytes() == before
    assert not (tmp_path / "study" / "ben.csv").exists()


def test_a_bad_form_is_reported_by_file_and_line(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draw(tmp_path / "study", run)
    fill(tmp_path / "study", "anna", lambda pair, query: "maybe")
    capsys.readouterr()

    assert main(["agree", str(tmp_path / "study")]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"study: {tmp_path / 'study' / 'anna.csv'}:2: answer takes ")
    assert told.endswith(", ?, not 'maybe'\n")


@pytest.mark.parametrize(
    ("raters", "why"),
    [
        (["run"], "'run' is what the tables call others: name this form after who fills it in"),
        (["Together"], "'together' is what the tables call others"),
        (["a/b"], "'a/b' is no name for a form"),
        (["anna", "Anna"], "two forms would have one name: anna, Anna"),
    ],
)
def test_names_that_are_none_for_a_form_are_refused(
    raters: list[str], why: str, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert draw(tmp_path / "study", run, *raters) == 2
    assert why in capsys.readouterr().err
    assert not (tmp_path / "study").exists()


def test_a_run_of_another_suite_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config: dict[str, Any] = {"suite": "workbench-synth", "tasks": ["wb-synth-01-0"], "agents": [{"kind": "idle"}]}
    folder = evaluate(RunConfig.model_validate(config), named("workbench-synth"), Wired(), tmp_path / "other").folder

    assert draw(tmp_path / "study", folder) == 2
    assert capsys.readouterr().err == (
        f"study: {folder} is a run of workbench-synth; this study is of runs of pi-synth and pi-units\n"
    )


def test_a_folder_without_a_study_and_a_draw_of_nothing_are_told_in_a_line(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["agree", str(tmp_path)]) == 2
    assert draw(tmp_path / "study", run, sessions=0) == 2

    err = capsys.readouterr().err.splitlines()
    assert err[0].endswith("study.json is not there: this is not a folder of a study")
    assert err[1] == "study: --sessions takes 1 or more, not 0"
