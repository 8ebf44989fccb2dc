"""`harness judge` on trials of `lhaw-short`, with a scripted judge behind the stub."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lhaw.flags import COMPUTED, FLAGS
from benchmarks.lhaw.suite import short
from harness import wiring
from harness.core.config import Condition, IdleConfig, ReferenceConfig, RunConfig
from harness.play.run import evaluate
from harness.record.judgements import judgements
from harness.stub import Fault, Reply
from harness.suite import SuiteEntry
from tests.cli.conftest import ended, offer
from tests.judging.scene import Judges, said, served

MODES, EACH = "Calibration: failure modes of asking", "Calibration: failure flags"
JUDGED = [name for name in FLAGS if name not in COMPUTED]
TASKS = 4
"""Variants; the agent asks in each, and as often as in the others, since it is set to."""

Json = Callable[..., dict[str, Any]]


def judge(request: Mapping[str, Any]) -> Reply | Fault:
    """Finds every question vague and nothing else wrong, and says so about two flags in a way nobody can read."""
    prompt = request["messages"][0]["content"]
    if any(FLAGS[name].flaw in prompt for name in ("compound_questions", "closed_questions")):
        return Reply(text="It depends.")
    return said("yes" if FLAGS["vague_questions"].flaw in prompt else "no")


@pytest.fixture(autouse=True)
def _undone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An agent that asks for whatever it lacks and one that does nothing, a trial of each on four variants."""
    config = RunConfig(
        suite="lhaw-short",
        tasks=tuple(task.id for task in short().tasks if task.facts["segments"] == 1)[:TASKS],
        agents=(ReferenceConfig(kind="reference", explore=0.0, ask=1.0), IdleConfig(kind="idle")),
        conditions={"underspecified+ask": Condition(prompt="underspecified", ask="ask_user")},
    )
    folder = tmp_path_factory.mktemp("flags") / "run"
    evaluate(config, short(), wiring.wiring(), folder)
    return folder


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "run"))


@pytest.fixture
def judges(tmp_path: Path) -> Iterator[Judges]:
    with served(tmp_path, judge=judge) as found:
        yield found


@pytest.fixture
def found(capsys: pytest.CaptureFixture[str]) -> Json:
    """`found("judge", run, ...)` is what the command prints with --json."""

    def call(*arguments: object, status: int = 0) -> dict[str, Any]:
        entry = SuiteEntry("lhaw-short", "Office requests.", short)
        with pytest.MonkeyPatch.context() as patch:
            offer(patch, entry, where="benchmarks/lhaw")
            assert ended(*arguments, "--json") == status, capsys.readouterr().err
        printed: dict[str, Any] = json.loads(capsys.readouterr().out)
        return printed

    return call


def rows(printed: Mapping[str, Any], title: str) -> list[dict[str, Any]]:
    (name,) = [name for name in printed["tables"] if name.startswith(title) and "failed trials" not in name
               and "class" not in name and "judge and rule" not in name]  # fmt: skip
    return [row for row in printed["tables"][name] if row["agent"] == "reference"]


def judged(found: Json, run: Path, judges: Judges, *options: str) -> dict[str, Any]:
    """What `harness judge` prints; it ends with status 1, since some verdicts cannot be read."""
    return found("judge", run, "--model", "openai/judge", "--settings", judges.settings, *options, status=1)


def test_a_judged_run_has_verdicts_in_its_tables_and_unreadable_ones_are_unscored(
    run: Path, judges: Judges, found: Json
) -> None:
    printed = judged(found, run, judges)
    each = {row["flag"]: row for row in rows(printed, EACH)}
    modes = {row["category"]: row for row in rows(printed, MODES)}

    asked = each["vague_questions"]["yes"]
    assert asked == TASKS
    for name in ("compound_questions", "closed_questions"):
        assert (each[name]["no"], each[name]["unscored"], each[name]["share"]) == (0, TASKS, None)
    assert (each["literal_misunderstanding"]["no"], each["literal_misunderstanding"]["unscored"]) == (TASKS, 0)
    assert (modes["question quality"]["scored"], modes["question quality"]["share"]) == (0, None)
    assert (modes["response misinterpretation"]["scored"], modes["response misinterpretation"]["share"]) == (TASKS, 0.0)


def test_a_reply_that_cannot_be_read_is_asked_for_again_and_then_kept_as_unreadable(
    run: Path, judges: Judges, found: Json
) -> None:
    printed = judged(found, run, judges)
    kept = [each for each in judgements(run) if each.query.id == "compound_questions"]

    assert printed["judging"]["unreadable"] == 2 * TASKS
    assert {each.answer for each in kept} == {None}
    assert {len(each.calls) for each in kept} == {3}
    assert all(each.problem for each in kept)


def test_before_judging_what_takes_a_judge_is_unscored_and_what_does_not_stands(run: Path, found: Json) -> None:
    each = {row["flag"]: row for row in rows(found("score", run), EACH)}

    assert {each[name]["no"] for name in ("vague_questions", "closed_questions")} == {0}
    assert each["vague_questions"]["unscored"] == TASKS
    assert each["redundant_questions"]["unscored"] == 0
    assert (each["false_confidence"]["no"], each["false_confidence"]["unscored"]) == (TASKS, 0)


def test_nothing_is_asked_of_trials_without_questions(run: Path, judges: Judges, found: Json) -> None:
    """One question in each trial of the agent that asks, told in time: there is no order, and nothing to assume."""
    judged(found, run, judges)

    settled = {"inefficient_question_sequence", "false_confidence"}
    assert {each.query.id for each in judgements(run)} == set(JUDGED) - settled
    assert len(judgements(run)) == 9 * TASKS


def test_a_judge_asked_for_what_rules_decide_is_compared_with_them(run: Path, judges: Judges, found: Json) -> None:
    asked_before = judged(found, run, judges)
    printed = judged(found, run, judges, "--compare")
    (title,) = [name for name in printed["tables"] if "judge and rule" in name]
    agreed = {row["flag"]: row for row in printed["tables"][title]}

    assert agreed["unnecessary_questions"]["n"] == TASKS
    assert agreed["unnecessary_questions"]["judge"] == "openai/judge"
    assert set(agreed) <= {"(all)", *COMPUTED}
    assert printed["judging"]["wanted"] == asked_before["judging"]["wanted"] + len(COMPUTED) * TASKS
    assert found("score", run)["tables"] == printed["tables"]
    assert rows(printed, EACH) == rows(asked_before, EACH)  # the rules' word stands


def test_agreement_and_criteria_have_rules_where_they_decide(run: Path, judges: Judges, found: Json) -> None:
    tables = judged(found, run, judges, "--compare")["tables"]
    each = {row["flag"]: row for row in rows({"tables": tables}, EACH)}
    (title,) = [name for name in tables if ": criteria" in name]
    means = {row["criterion"]: row["mean"] for row in tables[title] if row["agent"] == "reference"}

    assert {row["criterion"] for row in tables["Agreement"] if row["and"] == "(rule)"} <= {"(all)", *COMPUTED}
    assert {name: means[name] for name in COMPUTED} == {name: 1 - each[name]["yes"] / TASKS for name in COMPUTED}


def test_criteria_say_that_trials_which_no_judge_was_asked_about_are_not_in_them(
    run: Path, judges: Judges, found: Json, capsys: pytest.CaptureFixture[str]
) -> None:
    def page(*options: str) -> str:
        judged(found, run, judges, *options)
        ended("report", run)
        return " ".join(capsys.readouterr().out.split())

    assert "neither unscored nor scored there, as where no judge was asked" in page("--sample", "2")
    assert "neither unscored nor scored there" not in page()


def test_judging_again_asks_nobody_and_scoring_gives_the_same_tables(run: Path, judges: Judges, found: Json) -> None:
    first = judged(found, run, judges)
    asked = judges.asked["judge"]

    assert judged(found, run, judges)["tables"] == first["tables"]
    assert found("score", run)["tables"] == first["tables"]
    assert judges.asked["judge"] == asked
