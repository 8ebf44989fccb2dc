"""Runs with a user for whom a model speaks: its calls are on record, paid for, on a cassette and in forks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from harness.core.config import Condition, ConfigProblem, LlmUserConfig, RunConfig, UserConfig, UserSettings
from harness.core.config_file import load
from harness.core.desk import Agent, Desk
from harness.models.cassette import Cassette
from harness.play.fork import go_on
from harness.play.replay import replay_run
from harness.play.run import evaluate
from harness.play.stage import Job
from harness.record.store import Run, identity
from harness.suite import Suite
from harness.task import Session
from harness.trajectory import ModelCall, Trajectory
from harness.wiring import Wired
from harness.wiring import users as listed
from tests.cli.conftest import Call
from tests.harness import toy
from tests.users.speaking import BRIEF, Speaker, heard, settings, speaking

PERSONAS = ("none", "supervisor", "standard", "executive")
ASKED = heard("list")


class Asker:
    """Asks for the list, once a session, and keeps what it was told to be."""

    def __init__(self) -> None:
        self.systems: list[str] = []

    async def turn(self, desk: Desk, message: str) -> str:
        self.systems.append(desk.system)
        await desk.call("ask_user_ask_user", {"question": "Which list does it go to?"})
        return ""


class Asking(Wired):
    """A toy task that does not say which list, over some sessions, and an agent that asks."""

    def __init__(self, sessions: int = 1, cassette: Cassette | None = None) -> None:
        super().__init__(cassette)
        self.task, self.player = toy.task(0, ask=True, sessions=sessions), Asker()

    def suite(self, name: str, scale: int = 1) -> Suite:
        return toy.suite([self.task])

    def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
        return self.player


def config(user: UserSettings, personas: Sequence[Any] = ("none",), **more: Any) -> RunConfig:
    conditions = {
        name: Condition(prompt="underspecified", ask="ask_user", persona=name, user=user) for name in personas
    }
    return RunConfig.model_validate({"suite": "toy", "agents": [{"kind": "idle"}], "conditions": conditions, **more})


def played(config: RunConfig, folder: Path, wiring: Asking | None = None) -> tuple[Run, Trajectory]:
    wiring = wiring or Asking()
    run = evaluate(config, wiring.suite("toy"), wiring, folder)
    return run, next(run.records()).trajectory


def said(trajectory: Trajectory) -> list[str]:
    return [asked.answer for asked in trajectory.questions]


def test_its_calls_are_on_record_before_the_answer_and_paid_for(tmp_path: Path) -> None:
    with speaking([ASKED], ["To In Progress, please."]) as speaker:
        _, then = played(config(settings(speaker)), tmp_path / "run")

    assert [event.kind for event in then.events] == [
        "request", "question", "model_call", "model_call", "answer", "call",
    ]  # fmt: skip
    assert (then.status, said(then)) == ("finished", ["To In Progress, please."])
    assert then.usage.cost_usd == sum(call.usage.cost_usd or 0 for call in then.model_calls) > 0
    assert {call.purpose for call in then.model_calls} == {"user"}


def test_a_record_without_retries_says_nothing_of_them(tmp_path: Path) -> None:
    with speaking([ASKED], ["To In Progress, please."]) as speaker:
        run, _ = played(config(settings(speaker)), tmp_path / "run")
    (path,) = (run.folder / "trials").glob("*.json")

    assert '"problem"' not in path.read_text()


def test_a_user_that_cannot_speak_voids_the_trial_and_each_try_is_on_record(tmp_path: Path) -> None:
    with speaking([ASKED], ["", "Up to you.", "Assistant: In Progress"]) as speaker:
        _, then = played(config(settings(speaker)), tmp_path / "run")

    assert then.status == "void"
    assert then.reason.startswith("none of 3 replies of the user's model could be used; the last one: speaking as the")
    assert [call.problem.partition(":")[0] for call in then.model_calls] == [
        "", "empty", "missing", "speaking as the assistant",
    ]  # fmt: skip


def test_replaying_asks_no_model_again(tmp_path: Path) -> None:
    with speaking([ASKED], ["To In Progress."]) as speaker:
        run, _ = played(config(settings(speaker)), tmp_path / "run")
        before = len(speaker.requests)

        assert [(one.equal, one.difference) for one in replay_run(run, Asking().suite("toy"), Asking())] == [(True, "")]
        assert len(speaker.requests) == before


def test_a_cassette_holds_what_was_said_in_each_session(tmp_path: Path) -> None:
    with speaking([ASKED], ["To In Progress.", "In Progress, as ever."]) as speaker:
        told = config(settings(speaker))
        recording = Asking(2, Cassette(tmp_path / "tape", "record"))
        _, then = played(told, tmp_path / "run", recording)
        asked = len(speaker.requests)
        _, again = played(told, tmp_path / "again", Asking(2, Cassette(tmp_path / "tape", "replay")))

        assert (said(then), len(speaker.requests)) == (["To In Progress.", "In Progress, as ever."], asked)
    assert said(again) == said(then)


@pytest.mark.parametrize("step", [1, 2])
def test_a_fork_goes_on_with_what_was_said_in_each_session(tmp_path: Path, step: int) -> None:
    with speaking([ASKED], ["To In Progress.", "In Progress, as ever."]) as speaker:
        told = config(settings(speaker))
        run, then = played(told, tmp_path / "run", Asking(2))
        before = len(speaker.requests)
        wiring = Asking(2)
        child = go_on(
            told, wiring.suite("toy"), wiring, run, next((run.folder / "trials").glob("*.json")).stem, step,
            tmp_path / "fork",
        )  # fmt: skip
        forked = next(child.records()).trajectory

        assert (said(forked), forked.status) == (said(then), "finished")
        assert len(speaker.requests) - before == 4 - 2 * step


def _asked(speaker: Speaker) -> list[Any]:
    return [request["messages"] for request in speaker.requests]


def test_personas_of_the_agent_change_nothing_of_what_a_model_answers(tmp_path: Path) -> None:
    answers, requests, systems = [], [], set()
    for persona in PERSONAS:
        wiring = Asking()
        with speaking([ASKED], ["To In Progress."]) as speaker:
            _, then = played(config(settings(speaker), (persona,)), tmp_path / persona, wiring)
            requests.append(_asked(speaker))
        answers.append([asked.model_dump() for asked in then.questions])
        systems |= set(wiring.player.systems)

    assert len(systems) == len(PERSONAS), "the agent is told of each"
    assert all(each == answers[0] for each in answers)
    assert all(each == requests[0] for each in requests)


def test_personas_of_the_agent_change_nothing_of_what_the_grounded_user_answers(tmp_path: Path) -> None:
    wiring = Asking()
    run = evaluate(config(UserConfig(version=1), PERSONAS), wiring.suite("toy"), wiring, tmp_path / "run")
    answers = [[asked.model_dump() for asked in record.trajectory.questions] for record in run.records()]

    assert len(set(wiring.player.systems)) == len(answers) == len(PERSONAS)
    assert answers[0][0]["revealed"] == ("list",)
    assert all(each == answers[0] for each in answers)


def test_it_opens_no_session(tmp_path: Path) -> None:
    wiring = Asking()
    wiring.task = toy.task(0).model_copy(update={"sessions": (Session(requests={"original": ""}),)})
    user = LlmUserConfig.model_validate({"kind": "llm", "model": "openai/stub"})
    opening = config(user).model_copy(update={"conditions": {"c": Condition(ask="ask_user", user=user)}})

    with pytest.raises(ConfigProblem, match="ours only answer"):
        evaluate(opening, wiring.suite("toy"), wiring, tmp_path / "run")


LEAST = "suite: toy\nagents: [{kind: idle}]\nconditions:\n  asking:\n    user:\n      "


@pytest.mark.parametrize(
    ("user", "expected"),
    [
        ("kind: llm", "5: {}.model: is required and missing"),
        ("kind: llm\n      model: m\n      profil: paper", "8: {}.profil: no such setting. Did you mean 'profile'?"),
        (
            "kind: llm\n      model: m\n      profile: papers",
            "8: {}.profile: 'papers' is not allowed; write 'standard' or",
        ),
        ("kind: llm\n      model: m\n      profile: paper\n      persona: |\n        Curt.", "`persona` needs profile"),
    ],
)
def test_a_problem_with_its_settings_is_told(tmp_path: Path, user: str, expected: str) -> None:
    path = tmp_path / "ask.yaml"
    path.write_text(f"{LEAST}{user}\n")

    with pytest.raises(ConfigProblem) as error:
        load(path)

    assert expected.format("conditions.asking.user") in str(error.value)


def test_its_settings_are_what_they_were_when_a_run_is_read_again(tmp_path: Path) -> None:
    path, persona = tmp_path / "ask.yaml", tmp_path / "curt.txt"
    persona.write_text("You are curt.")
    path.write_text(f"{LEAST}kind: llm\n      model: openai/m\n      persona: curt.txt\n")
    found = load(path)
    path.write_text(f"{LEAST}kind: llm\n      model: openai/m\n      profile: paper\n")
    paper = load(path)
    user = found.conditions["asking"].user

    assert isinstance(user, LlmUserConfig)
    assert (user.persona, user.profile, user.model.temperature) == ("You are curt.\n", "standard", 0)
    for each in (found, paper):
        assert RunConfig.model_validate_json(each.model_dump_json()) == each
    assert identity(found, "suite", "package") != identity(paper, "suite", "package")


def test_it_is_listed_with_our_own_users() -> None:
    assert "needs a model" in listed()[0]["llm"]


def tried(call: Call, folder: Path, speaker: Speaker) -> Any:
    items = {
        name: [
            {"id": each.id, "kind": each.slot.kind, "role": each.slot.role, "value": each.value}
            for each in getattr(BRIEF, name)
        ]
        for name in ("withheld", "stated")
    }
    line = {"intent": BRIEF.intent, "sent": BRIEF.sent, **items, "question": "Who gets the tasks?"}
    (folder / "asked.jsonl").write_text(json.dumps(line))
    user = {"kind": "llm", "model": {"model": "openai/stub", "api_base": speaker.base_url}}
    return call("users", "try", folder / "asked.jsonl", "--json", "--user", json.dumps(user))


def test_questions_of_ones_own_can_be_put_to_it(call: Call, tmp_path: Path) -> None:
    with speaking([heard("new_owner")], ["They go to Bjorn."]) as speaker:
        found = tried(call, tmp_path, speaker)

    assert json.loads(found.out) == {
        "question": "Who gets the tasks?",
        "answer": "They go to Bjorn.",
        "targets": ["new_owner"],
        "revealed": ["new_owner"],
        "parts": [{"kind": "given", "target": "new_owner"}],
        "status": {"new_owner": "given"},
    }


def test_a_question_that_it_cannot_answer_is_told_in_one_line(call: Call, tmp_path: Path) -> None:
    with speaking([heard("new_owner")], [""]) as speaker:
        found = tried(call, tmp_path, speaker)

    assert (found.status, found.out) == (2, "")
    assert (
        "'Who gets the tasks?': none of 3 replies of the user's model could be used; the last one: empty" in found.err
    )
