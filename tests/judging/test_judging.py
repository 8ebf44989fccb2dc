"""`harness judge` over HTTP: verdicts on file, scores with them, agreement; and scoring again without a call."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.record.holding import alone
from harness.record.judgements import Judgement, judgements
from harness.score import Query, Score, Verdicts, graded, outcome, settled
from harness.stub import Fault, Reply
from harness.suite import Suite
from harness.task import Task
from harness.trajectory import Trajectory
from tests.harness import toy
from tests.judging.scene import (
    MOVED,
    Judges,
    command,
    fair,
    played,
    questions,
    said,
    served,
    settings,
    stern,
    suite,
)  # fmt: skip

Json = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def _undone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return played(tmp_path / "run")


@pytest.fixture
def judges(tmp_path: Path) -> Iterator[Judges]:
    with served(tmp_path, fair=fair, stern=stern, mumbling=lambda _: Reply(text="Well, hm.")) as found:
        yield found


@pytest.fixture
def found(capsys: pytest.CaptureFixture[str]) -> Json:
    """`found("judge", run, ...)` is what the command prints with --json."""

    def call(*arguments: object, status: int = 0, of: Callable[[], Suite] = suite) -> dict[str, Any]:
        assert command(*arguments, "--json", of=of) == status, capsys.readouterr().err
        printed: dict[str, Any] = json.loads(capsys.readouterr().out)
        return printed

    return call


def trials(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (run / "trials").iterdir()}


def asking(judges: Judges, *names: str) -> list[object]:
    return [*(part for name in names for part in ("--model", f"openai/{name}")), "--settings", judges.settings]


def test_without_a_judge_the_trials_are_unscored_and_counted(run: Path, found: Json) -> None:
    score = found("score", run)

    assert (score["trials"], score["unscored"], score["correct"], score["failed"]) == (8, 8, 0, 0)
    assert score["accuracy"]["value"] is None
    (row, _) = score["tables"]["Calibration: graded"]
    assert (row["trials"], row["unscored"], row["scored"], row["mean"], row["rate"]) == (4, 4, 0, None, None)


def test_a_graded_mean_stands_beside_a_rate(run: Path, judges: Judges, found: Json) -> None:
    judged = found("judge", run, *asking(judges, "fair"))

    oracle, idle = judged["tables"]["Calibration: graded"]
    assert (oracle["mean"], oracle["rate"], oracle["unscored"]) == (0.9375, 1.0, 0)  # (3 * 1 + 1 * 0.75) / 4
    assert (idle["mean"], idle["rate"]) == (0.0, 0.0)
    assert (judged["correct"], judged["failed"], judged["unscored"]) == (4, 4, 0)


def test_verdicts_are_files_of_their_own_and_trials_stay_as_they_are(run: Path, judges: Judges, found: Json) -> None:
    before = trials(run)
    found("judge", run, *asking(judges, "fair"))
    kept = judgements(run)

    assert trials(run) == before
    assert len(kept) == 16
    assert {(each.name, each.vote, each.reason) for each in kept} == {("openai/fair", 0, "So it seems.")}
    assert {each.calls[0]["request"]["model"] for each in kept} == {"openai/fair"}
    assert {(each.query.text == MOVED, each.answer) for each in kept} == {
        (True, "yes"), (True, "no"), (False, 4), (False, 1),
    }  # fmt: skip


def test_what_somebody_judges_now_nobody_else_pays_for(
    run: Path, judges: Judges, found: Json, capsys: pytest.CaptureFixture[str]
) -> None:
    with alone(run / "judgements"):
        assert command("judge", run, *asking(judges, "fair")) == 2

    assert f"{run / 'judgements'} is in use by another process: wait for it to end" in capsys.readouterr().err
    assert judgements(run) == []


@pytest.mark.parametrize("again", ["judge", "score"])
def test_a_run_s_page_shows_what_judges_have_said(run: Path, judges: Judges, found: Json, again: str) -> None:
    judged = found("judge", run, *asking(judges, "fair"))
    page = run / "report.html"
    if again == "score":
        page.write_text("as it was before")
        found("score", run)

    assert judged["tables"]["Calibration: graded"][0]["mean"] == 0.9375
    assert "0.938" in page.read_text(encoding="utf-8")


def test_a_suite_whose_check_waits_for_a_judge_is_not_audited(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("audit", "toy") == 2
    assert (
        "its check leaves the reference of task toy-0 unscored until a judge has spoken, and an audit asks no judge"
    ) in " ".join(capsys.readouterr().err.split())


def test_a_suite_that_says_what_rules_decide_is_audited_by_that(capsys: pytest.CaptureFixture[str]) -> None:
    def ruled() -> Suite:
        return replace(suite(), ruled=outcome)

    assert command("audit", "toy", "--limit", 1, "--json", of=ruled) in (0, 1)
    found = json.loads(capsys.readouterr().out)
    assert (found["caught"] > 0, found["survived"]) == (True, 0)


def test_a_second_run_asks_nobody_and_gives_the_same(run: Path, judges: Judges, found: Json) -> None:
    first = found("judge", run, *asking(judges, "fair"))
    asked = judges.asked["fair"]
    again = found("judge", run, *asking(judges, "fair"))

    assert (asked, judges.asked["fair"]) == (16, 16)
    assert (first["judging"]["before"], again["judging"]["before"]) == (0, 16)
    assert again["tables"] == first["tables"]


def test_scoring_again_and_reports_use_the_verdicts_without_a_call(run: Path, judges: Judges, found: Json) -> None:
    judged = found("judge", run, *asking(judges, "fair", "stern"))
    asked = dict(judges.asked)

    assert found("score", run)["tables"] == found("report", run)["tables"] == judged["tables"]
    assert judges.asked == asked


def test_a_trial_is_shown_with_what_judges_said(
    run: Path, judges: Judges, found: Json, capsys: pytest.CaptureFixture[str]
) -> None:
    found("judge", run, *asking(judges, "fair"))
    command("show", run, "oracle.default.toy-1")
    shown = capsys.readouterr().out

    assert "quality: 0.9375, correct: Not fully met: care." in shown
    assert "moved (weight 3): 1: openai/fair: yes. So it seems." in shown


def test_agreement_of_two_judges_and_of_judge_and_rule_is_printed(run: Path, judges: Judges, found: Json) -> None:
    tables = found("judge", run, *asking(judges, "fair", "stern"))["tables"]

    rows = {(row["judge"], row["and"], row["criterion"]): row for row in tables["Agreement"]}
    both = rows["openai/fair", "openai/stern", "moved"]
    assert (both["n"], both["agree"]) == (8, 0.875)  # all but task 0 of the oracle
    assert both["kappa"] == pytest.approx(0.75)  # (7/8 - 1/2) / (1 - 1/2): 4 and 3 of 8 say yes
    assert rows["openai/fair", "(rule)", "moved"]["kappa"] == 1.0
    assert rows["openai/stern", "(rule)", "moved"]["agree"] == 0.875
    assert ("openai/fair", "openai/stern", "care") not in rows  # of which one of them cannot say anything
    assert {row["judge"]: row["said nothing"] for row in tables["Judges"]} == {"openai/fair": 0, "openai/stern": 8}


def test_a_question_that_trials_share_counts_once_as_it_was_asked(tmp_path: Path, judges: Judges, found: Json) -> None:
    shared = replace(suite(), questions=shared_questions, checks={"quality": shared_check})
    run = played(tmp_path / "shared", shared)
    tables = found("judge", run, *asking(judges, "fair", "stern"), of=lambda: shared)["tables"]
    both = {(row["judge"], row["and"], row["criterion"]): row["n"] for row in tables["Agreement"]}

    assert judges.asked == {"fair": 2, "stern": 2, "mumbling": 0}
    assert [(row["questions"], row["votes"]) for row in tables["Judges"]] == [(2, 2), (2, 2)]
    assert both == {
        ("openai/fair", "(rule)", "moved"): 2, ("openai/fair", "openai/stern", "moved"): 2,
        ("openai/stern", "(rule)", "moved"): 2,
    }  # fmt: skip


def shared_questions(task: Task, trajectory: Trajectory) -> Sequence[Query]:
    """What is asked of a trial depends on whether anything was done alone."""
    return (Query(id="moved", text=MOVED, evidence=f"Seen: {len(trajectory.changes)} changes"),)


def shared_check(task: Task, trajectory: Trajectory, verdicts: Verdicts) -> Score:
    (moved,) = shared_questions(task, trajectory)
    return graded([settled(moved, verdicts, rule=outcome(task, trajectory).value)])


def test_judges_who_contradict_each_other_leave_a_trial_unscored(run: Path, judges: Judges, found: Json) -> None:
    judged = found("judge", run, *asking(judges, "fair", "stern"))

    assert (judged["unscored"], judged["correct"], judged["failed"]) == (1, 3, 4)


def test_what_cannot_be_read_in_three_tries_is_unscored_and_never_no(
    run: Path, judges: Judges, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("judge", run, *asking(judges, "mumbling")) == 1
    told = capsys.readouterr().err

    assert judges.asked["mumbling"] == 48
    assert "16 of 16 verdicts could not be read in three tries: unscored" in told
    assert {(each.answer, len(each.calls), bool(each.problem)) for each in judgements(run)} == {(None, 3, True)}


def test_a_judge_that_cannot_be_read_leaves_the_say_to_the_other(run: Path, judges: Judges, found: Json) -> None:
    judged = found("judge", run, *asking(judges, "fair", "mumbling"), status=1)

    assert (judged["judging"]["unreadable"], judged["unscored"], judged["correct"]) == (16, 0, 4)


def test_more_votes_ask_only_for_those_that_are_lacking(tmp_path: Path, run: Path, found: Json) -> None:
    wavering = iter(("yes", "no", "yes") * 100)

    def judge(request: Any) -> Reply | Fault:
        return said(next(wavering)) if MOVED in request["messages"][0]["content"] else fair(request)

    with served(tmp_path, wavering=judge) as judges:
        found("judge", run, *asking(judges, "wavering"), "--concurrency", 1)
        judged = found("judge", run, *asking(judges, "wavering"), "--votes", 3, "--concurrency", 1)

        assert judges.asked["wavering"] == 48
    (row,) = judged["tables"]["Judges"]
    assert (row["questions"], row["votes"]) == (16, 48)
    assert row["same votes"] < 1


def test_a_sample_is_of_trials_and_the_same_each_time(run: Path, judges: Judges, found: Json) -> None:
    found("judge", run, *asking(judges, "fair"), "--sample", 2)
    first = {each.about for each in judgements(run)}
    found("judge", run, *asking(judges, "fair"), "--sample", 3)

    assert (len(first), judges.asked["fair"]) == (4, 6)
    assert first < {each.about for each in judgements(run)}


def test_no_question_is_asked_past_the_cost(
    run: Path, judges: Judges, found: Json, capsys: pytest.CaptureFixture[str]
) -> None:
    one = found("judge", run, *asking(judges, "fair"), "--sample", 1)["judging"]["cost_usd"] / 2
    limited = [*asking(judges, "fair"), "--max-cost", one * 4.5, "--concurrency", 1]
    judged = found("judge", run, *limited)["judging"]
    asked = judges.asked["fair"]
    assert command("judge", run, *limited) == 0

    assert 4 <= asked <= 6
    assert judged["left"] == 16 - asked
    assert f"{16 - asked} questions not asked, at --max-cost; a higher one goes on\n" in capsys.readouterr().err
    assert judges.asked["fair"] == asked


def test_equal_questions_of_two_trials_are_asked_once(tmp_path: Path, judges: Judges, found: Json) -> None:
    config = tmp_path / "two.yaml"
    config.write_text("suite: toy\nagents: [{kind: idle}, {kind: idle, name: lazy}]\n")
    found("eval", config, "--output", "idle")
    found("judge", "idle", *asking(judges, "fair"))

    assert judges.asked["fair"] == 8


def test_a_judge_of_other_settings_is_another_judge(tmp_path: Path, run: Path, judges: Judges, found: Json) -> None:
    found("judge", run, *asking(judges, "fair"))
    warm = json.loads(judges.settings.read_text()) | {"temperature": 0.7}
    judged = found("judge", run, "--model", "openai/fair", "--settings", settings(tmp_path, **warm))

    names = [row["judge"] for row in judged["tables"]["Judges"]]
    assert (judges.asked["fair"], len(names)) == (32, 2)
    assert all(name.startswith("openai/fair (") for name in names)


def test_replies_on_a_cassette_give_the_same_verdicts_without_network(
    tmp_path: Path, run: Path, judges: Judges, found: Json
) -> None:
    first = found("judge", run, *asking(judges, "fair"), "--record", "judge.jsonl")
    for path in (run / "judgements").iterdir():
        path.unlink()
    again = found("judge", run, *asking(judges, "fair"), "--replay", "judge.jsonl")

    assert judges.asked["fair"] == 16
    assert again["tables"] == first["tables"]


def test_a_key_in_evidence_or_settings_is_in_no_verdict(
    run: Path, judges: Judges, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    key = "sk-4f9e2a7c1b8d3e6f"
    monkeypatch.setenv("SOME_API_KEY", key)
    judges.settings.write_text(json.dumps(json.loads(judges.settings.read_text()) | {"extra": {"user": key}}))

    def leaking() -> Suite:
        return replace(
            suite(),
            questions=lambda *both: [q.model_copy(update={"evidence": q.evidence + key}) for q in questions(*both)],
        )

    statuses = [command("judge", run, *asking(judges, "fair"), of=leaking) for _ in range(2)]

    kept = [path.read_text() for path in (run / "judgements").iterdir()]
    assert (statuses, len(kept), judges.asked["fair"]) == ([0, 0], 16, 16)
    assert not any(key in text for text in kept)
    assert key not in capsys.readouterr().out


def test_a_verdict_under_another_name_is_refused(
    run: Path, judges: Judges, found: Json, capsys: pytest.CaptureFixture[str]
) -> None:
    found("judge", run, *asking(judges, "fair"))
    path = next((run / "judgements").iterdir())
    other = path.with_name(f"{'0' * 40}.json")
    other.write_bytes(path.read_bytes())
    twice = command("score", run), capsys.readouterr().err
    path.unlink()
    renamed = command("score", run), capsys.readouterr().err

    assert (twice[0], renamed[0]) == (2, 2)
    assert f"whose file is {path.name}: remove it, since a vote counts once" in twice[1]
    assert f"whose file is {path.name}: give it that name" in renamed[1]


def test_an_answer_that_a_question_does_not_take_is_no_verdict(run: Path, judges: Judges, found: Json) -> None:
    found("judge", run, *asking(judges, "fair"))
    one = judgements(run)[0]

    with pytest.raises(ValueError, match="is not an answer to this query"):
        Judgement.model_validate(one.model_dump() | {"answer": "perhaps"})


# Bad input.


def test_a_model_that_is_not_configured_is_named_before_anything_is_asked(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    assert command("judge", run, "--model", "openai/gpt-4o") == 2
    assert capsys.readouterr().err == "harness: model 'openai/gpt-4o': set OPENAI_API_KEY in the environment\n"
    assert not (run / "judgements").exists()


def test_a_dead_endpoint_leaves_questions_unanswered_to_be_asked_again(
    tmp_path: Path, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dead = settings(tmp_path, api_base="http://127.0.0.1:9/v1")

    assert command("judge", run, "--model", "openai/dead", "--settings", dead, "--concurrency", 1) == 1
    told = capsys.readouterr().err.splitlines()
    assert told[-2].startswith("8 questions got no answer, and the same command asks again: model 'openai/dead'")
    assert told[-1].startswith("8 questions not asked, after 8 questions in a row without an answer")
    assert judgements(run) == []


def test_a_model_that_the_provider_refuses_ends_it_with_one_line(
    tmp_path: Path, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(tmp_path, gone=lambda _: Fault(fault=404, times=None)) as judges:
        assert command("judge", run, *asking(judges, "gone")) == 2

    assert "check the model's name and `api_base`" in capsys.readouterr().err.splitlines()[-1]


def test_a_suite_without_questions_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def plain() -> Any:
        return toy.suite([toy.task(0)])

    run = played(tmp_path / "plain", plain())

    assert command("judge", run, "--model", "openai/fair", of=plain) == 2
    assert "suite toy has no questions to a judge" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "who judges? Give --model M"),
        (["--model", "openai/x", "--person", "anna.csv"], "who judges? Give --model M"),
        (["--model", "openai/x", "--settings", "none.yaml"], "none.yaml: there is no such file"),
        (["--model", "openai/x", "--settings", "odd.yaml"], "a judge has no setting 'temprature'. Did you mean"),
        (["--model", "openai/x", "--settings", "twice.yaml"], "twice.yaml:2: timeout: given twice; the first is"),
        (["--model", "openai/x", "--settings", "wrong.yaml"], "settings of a judge: temperature: Input should be"),
        (["--model", ""], "the name of an agent may not be empty"),
        (["--model", "nowhere"], "LiteLLM knows no such provider"),
        (["--model", "openai/x", "--record", "a", "--replay", "b"], "--record and --replay cannot be used together"),
        (["--model", "openai/x", "--compare"], "has nothing that rules decide and a judge could: leave out --compare"),
        (["--person", "anna.xlsx"], "a form is a .csv or a .jsonl file"),
    ],
)
def test_a_wrong_call_is_told_what_would_be_right(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    (tmp_path / "odd.yaml").write_text("temprature: 1")
    (tmp_path / "twice.yaml").write_text("timeout: 1\ntimeout: 2")
    (tmp_path / "wrong.yaml").write_text("temperature: warm")

    assert command("judge", run, *arguments) == 2
    assert told in capsys.readouterr().err
