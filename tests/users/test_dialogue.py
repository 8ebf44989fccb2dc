"""A user for a whole trial, brought by a plugin: it opens sessions, remembers, and its model calls are on record."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.from_thread import start_blocking_portal

from harness.core import users
from harness.core.config import Condition, ConfigProblem, Limits, ModelUserSettings, RunConfig, UserConfig
from harness.core.config_file import load
from harness.core.desk import Agent, Desk
from harness.live import Workplace
from harness.play.fork import go_on, restored
from harness.play.replay import replay_run
from harness.play.run import evaluate
from harness.play.stage import Job, Stage
from harness.record.store import Run, identity
from harness.stub import Reply, StubServer
from harness.suite import Suite, SuiteEntry
from harness.task import Session
from harness.trajectory import AnswerRecord, HandOver, ModelCall, Trajectory
from harness.wiring import Wired
from harness.wiring import users as listed
from servers.kernel import Answer, Question
from tests.cli.conftest import offer
from tests.extending.install import install
from tests.harness import toy
from userssim.first.grounded import GroundedUser as First
from userssim.wish import Wish

WANTS = ("job 0", "job 1", "job 2", "job 3")


class Mover:
    """Moves the job that it is told of, says so, and asks nothing."""

    async def turn(self, desk: Desk, message: str) -> str:
        (job,) = re.findall(r"wants job (\d)", message)
        where = {"task_id": f"0000000{job}", "field": "list_name", "new_value": "Completed"}
        await desk.call("projects_update_task", where)
        return f"Moved {job}."


class Planned(Wired):
    """The toy suite's first task, its requests left to the user, and an agent that moves jobs."""

    def __init__(self, sessions: int = 1, agent: type[Any] = Mover) -> None:
        super().__init__()
        session = Session(requests={"original": ""})
        self.task = toy.task(0).model_copy(update={"sessions": (session,) * sessions})
        self._player = agent

    def suite(self, name: str, scale: int = 1) -> Suite:
        return toy.suite([self.task])

    def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
        agent: Agent = self._player()
        return agent


def remembering(request: dict[str, Any]) -> Reply:
    """Says how much it has heard so far, and the last of it."""
    messages = request["messages"]
    return Reply(text=f"({len(messages)}) {messages[-1]['content']}")


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The test's own kind of user, installed as `pip install` does it."""
    site = tmp_path / "site"
    site.mkdir()
    install(Path(__file__).parent / "planner", site)
    monkeypatch.syspath_prepend(site)
    _forget()
    yield
    _forget()


def _forget() -> None:
    users.plugins.cache_clear()
    users.brought.cache_clear()
    sys.modules.pop("planner_user", None)


@pytest.fixture
def stub() -> Iterator[StubServer]:
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(StubServer(remembering)) as stub:
        yield stub


def config(stub: StubServer, **changes: Any) -> RunConfig:
    model = {
        "model": "openai/stub",
        "api_base": stub.base_url,
        "price": {"prompt": 1_000_000, "completion": 1_000_000},
    }
    user = {"kind": "planner", "model": model, "wants": WANTS, "persona": "You are in a hurry.\n"}
    talking = {"talking": {"end_of_turn": "user", "ask": "ask_user", "user": user}}
    return RunConfig.model_validate({"suite": "toy", "agents": [{"kind": "idle"}], "conditions": talking, **changes})


def told(run: Run) -> Trajectory:
    return next(run.records()).trajectory


@pytest.fixture
def played(plugin: None, stub: StubServer, tmp_path: Path) -> tuple[Run, Planned]:
    wiring = Planned(sessions=2)
    return evaluate(config(stub), wiring.suite("toy"), wiring, tmp_path / "run"), wiring


def test_a_user_opens_sessions_hears_what_was_done_and_remembers(played: tuple[Run, Planned]) -> None:
    then = told(played[0])

    assert (then.status, then.reason) == ("finished", "")
    assert [session.request for session in then.sessions] == [
        "(2) session 0 begins, wants job 0", "(8) session 1 begins, wants job 2",
    ]  # fmt: skip
    assert [event.text for event in then.events if isinstance(event, AnswerRecord)] == [
        "(4) heard Moved 0. did projects.update_task ok now 00000000 in Completed, wants job 1",
        "(6) heard Moved 1. did projects.update_task ok now 00000001 in Completed",
        "(10) heard Moved 2. did projects.update_task ok now 00000002 in Completed, wants job 3",
        "(12) heard Moved 3. did projects.update_task ok now 00000003 in Completed",
    ]


def test_what_a_users_model_said_stands_before_what_came_of_it(played: tuple[Run, Planned]) -> None:
    then = told(played[0])

    one = [
        "model_call",
        "request",
        "call",
        "hand_over",
        "model_call",
        "answer",
        "call",
        "hand_over",
        "model_call",
        "answer",
    ]
    assert [event.kind for event in then.events] == [*one, *one]
    assert {call.purpose for call in then.model_calls} == {"user"}
    assert [event.goes_on for event in then.events if isinstance(event, AnswerRecord)] == [True, False, True, False]
    assert Trajectory.model_validate_json(then.model_dump_json()) == then


def test_a_users_model_calls_are_part_of_what_a_trial_costs(played: tuple[Run, Planned]) -> None:
    then = told(played[0])

    spent = sum(call.usage.cost_usd or 0 for call in then.model_calls)
    assert then.usage.cost_usd == pytest.approx(spent)
    assert spent > 0


def test_replaying_asks_no_user_again(played: tuple[Run, Planned], stub: StubServer) -> None:
    run, wiring = played
    before = stub.requests

    assert [(one.equal, one.difference) for one in replay_run(run, wiring.suite("toy"), wiring)] == [(True, "")]
    assert stub.requests == before


def test_a_trial_goes_on_from_every_step_with_what_the_user_said_until_then(
    played: tuple[Run, Planned], stub: StubServer, tmp_path: Path
) -> None:
    run, wiring = played
    name = next((run.folder / "trials").glob("*.json")).stem
    then = told(run)
    steps = len(then.steps)

    asked = []
    for step in (1, 2, 4, 5, steps):
        before = stub.requests
        live = config(stub, seed=run.head.config.seed)
        child = go_on(live, wiring.suite("toy"), wiring, run, name, step, tmp_path / str(step))
        asked.append(stub.requests - before)
        assert [event.kind for event in told(child).events] == [event.kind for event in then.events]
        assert told(child).steps == then.steps

    assert asked == [5, 4, 2, 2, 0], "the model is asked for nothing that is on record before the step"


def test_a_restored_sandbox_has_a_user_who_remembers(played: tuple[Run, Planned], stub: StubServer) -> None:
    run, wiring = played
    then = told(run)

    async def main() -> Answer:
        stage = Stage(config(stub), wiring.suite("toy"), wiring)
        opened = await restored(stage, then, 4)
        before = stub.requests
        assert opened.sandbox.user
        answer = await opened.sandbox.user.answer(Question(text="why?"))
        assert (opened.request, stub.requests - before) == (then.sessions[1].request, 1)
        opened.close()
        stage.engine.close()
        await wiring.aclose()
        return answer

    assert anyio.run(main).text == "(10) asked why?"


def test_hand_overs_are_limited(plugin: None, stub: StubServer, tmp_path: Path) -> None:
    wiring = Planned(sessions=2)
    limited = config(stub, limits={"hand_overs": 1})
    then = told(evaluate(limited, wiring.suite("toy"), wiring, tmp_path / "run"))

    assert (then.status, then.reason) == ("limit", "limit reached: hand_overs")
    assert [step.session for step in then.steps if isinstance(step, HandOver)] == [0, 0]
    assert sum(call.purpose == "user" for call in then.model_calls) == 5, "what was paid for is on record"


class Silent:
    async def turn(self, desk: Desk, message: str) -> str:
        return ""


def test_an_agent_that_says_nothing_ends_the_session_and_no_user_hears_of_it(
    plugin: None, stub: StubServer, tmp_path: Path
) -> None:
    wiring = Planned(agent=Silent)
    then = told(evaluate(config(stub), wiring.suite("toy"), wiring, tmp_path / "run"))

    assert (then.status, [event.kind for event in then.events]) == ("finished", ["model_call", "request"])


def test_what_a_task_asks_for_stays_where_a_user_opens_the_session(
    plugin: None, stub: StubServer, tmp_path: Path
) -> None:
    wiring = Planned(agent=Silent)
    wiring.task = toy.task(0)
    then = told(evaluate(config(stub), wiring.suite("toy"), wiring, tmp_path / "run"))

    assert then.sessions[0].request == "Move job 0 to In Progress."


@pytest.mark.parametrize("condition", [Condition(), Condition(end_of_turn="user"), Condition(ask="ask_user")])
def test_an_empty_request_is_refused_where_no_user_opens_the_session(tmp_path: Path, condition: Condition) -> None:
    wiring = Planned()

    with pytest.raises(ConfigProblem, match=r"conditions\.c: task toy-0: session 0 has an empty prompt 'original'"):
        evaluate(toy.config(conditions={"c": condition}), wiring.suite("toy"), wiring, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_user_who_does_not_open_a_session_without_a_request_voids_the_trial(
    plugin: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiring = Planned()
    monkeypatch.setattr(wiring, "user", lambda *_: First(Wish(full="")))
    user = {"kind": "planner", "model": "m", "wants": []}
    talking = RunConfig.model_validate(
        {"suite": "toy", "agents": [{"kind": "idle"}], "conditions": {"c": {"end_of_turn": "user", "user": user}}}
    )
    then = told(evaluate(talking, wiring.suite("toy"), wiring, tmp_path / "run"))

    assert (then.status, then.reason) == (
        "void", "the session has no request, and its user does not open sessions",
    )  # fmt: skip


def test_live_a_plugins_user_opens_each_session(
    plugin: None, stub: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = (SuiteEntry("toy", "A user's.", lambda: Planned(sessions=2).suite("toy")),)
    offer(monkeypatch, *entries)
    with Workplace() as workplace:
        user = config(stub).conditions["talking"].user
        task = workplace.task("toy", "toy-0", ask="ask_user", user=user)

        assert task.request == "(2) session 0 begins, wants job 0"
        assert task.advance() == "(4) session 1 begins, wants job 1"


LEAST = "suite: toy\nagents: [{kind: idle}]\nconditions:\n  talking:\n    user:\n      "
PLANNER = "kind: planner\n      wants: []\n      "


@pytest.mark.parametrize(
    ("user", "expected"),
    [
        (
            "kind: planer",
            "6: {}.kind: 'planer' is not a kind of user. Did you mean 'planner' or 'placebo'? Known: grounded, ",
        ),
        (f"{PLANNER}model: m\n      persna: x", "9: {}.persna: no such setting. Did you mean 'persona'? Known: kind, "),
        ("kind: planner\n      model: m", "5: {}.wants: is required and missing"),
        (f"{PLANNER}model: m\n      persona: nobody.md", "9: {}.persona: the persona "),
        (f"{PLANNER}model: {{model: m, pric: 1}}", "8: {}.model.pric: no such setting. Did you mean 'price'?"),
        ("5", "5: {}: must be a mapping, not 5"),
    ],
)
def test_a_problem_with_a_plugins_user_is_one_line_that_names_its_place(
    plugin: None, tmp_path: Path, user: str, expected: str
) -> None:
    path = tmp_path / "talk.yaml"
    path.write_text(f"{LEAST}{user}\n")

    with pytest.raises(ConfigProblem) as error:
        load(path)

    assert f"{path}:{expected.format('conditions.talking.user')}" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_persona_is_a_files_text_and_part_of_a_runs_identity(plugin: None, tmp_path: Path) -> None:
    path, persona = tmp_path / "talk.yaml", tmp_path / "hurried.md"
    path.write_text(f"{LEAST}{PLANNER}model: m\n      persona: hurried.md\n")
    ids = []
    for text in ("In a hurry.", "At leisure."):
        persona.write_text(text)
        found = load(path)
        user = found.conditions["talking"].user
        assert isinstance(user, ModelUserSettings)
        assert user.persona == f"{text}\n"
        assert RunConfig.model_validate_json(found.model_dump_json()) == found
        ids.append(identity(found, "suite", "package"))

    assert ids[0] != ids[1]


def test_plugins_users_are_listed(plugin: None) -> None:
    found, broken = listed()

    assert (list(found), broken) == (["grounded", "scripted", "persona", "placebo", "intents", "llm", "planner"], [])
    assert found["planner"] == "Asks for one thing after the other."


def test_a_plugin_that_cannot_be_imported_is_told_and_hides_no_other(
    plugin: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken"
    (broken / "planner_user").mkdir(parents=True)
    (broken / "planner_user" / "__init__.py").write_text("raise RuntimeError('no luck')\n")
    monkeypatch.syspath_prepend(broken)
    _forget()
    found, problems = listed()
    path = tmp_path / "talk.yaml"
    path.write_text(f"{LEAST}kind: planner\n")

    with pytest.raises(ConfigProblem, match="RuntimeError: no luck"):
        load(path)
    assert (list(found), len(problems)) == (["grounded", "scripted", "persona", "placebo", "intents", "llm"], 1)


def test_the_dump_of_a_user_without_new_settings_is_what_it_was() -> None:
    assert Condition().model_dump(mode="json")["user"] == {
        "kind": "grounded", "version": 2, "policy": "segments", "deferral": "best_judgment", "memory": "off",
        "probe": "strict", "script": [],
    }  # fmt: skip
    assert "hand_overs" not in Limits().model_dump()


CONSENT = {
    "I can delete both lists. Shall I go ahead?": ("Yes, please go ahead.", "confirmed"),
    "There are two ways to do that. Which colour do you prefer?": (None, "no_preference"),
}


@pytest.mark.parametrize("said", CONSENT)
def test_a_session_does_not_end_while_the_agent_awaits_consent(said: str) -> None:
    user = First(Wish(full="Delete both lists."), consent="on")
    answer = anyio.run(user.answer, Question(text=said, end_of_turn=True))

    text, kind = CONSENT[said]
    assert answer.goes_on
    assert [part.kind for part in answer.parts] == [kind]
    assert text in (None, answer.text)


@pytest.mark.parametrize(
    "said", ["Both lists are gone.", "Shall I? I did.", "Done. Is there anything else I can help you with?"]
)
def test_a_closing_statement_awaits_no_consent(said: str) -> None:
    user = First(Wish(full="Delete both lists."), consent="on")

    assert not anyio.run(user.answer, Question(text=said, end_of_turn=True)).goes_on


def test_consent_is_off_unless_it_is_asked_for() -> None:
    user = First(Wish(full="Delete both lists."))

    assert not anyio.run(user.answer, Question(text="Shall I go ahead?", end_of_turn=True)).goes_on


class Cautious:
    """Asks for leave before it moves the job."""

    def __init__(self) -> None:
        self._may = False

    async def turn(self, desk: Desk, message: str) -> str:
        if not self._may:
            self._may = True
            return "This moves job 0. Shall I go ahead?"
        (call,) = toy.task(0).solution
        await desk.call("projects_update_task", call.arguments)
        return "Job 0 is in progress."


def test_an_agent_that_asks_for_leave_gets_to_do_the_work(tmp_path: Path) -> None:
    wiring = Planned(agent=Cautious)
    wiring.task = toy.task(0)
    condition = Condition(end_of_turn="user", user=UserConfig())
    run = evaluate(toy.config(conditions={"careful": condition}), wiring.suite("toy"), wiring, tmp_path / "run")
    (record,) = run.records()

    assert record.scores["outcome"].value == 1
    assert [part.kind for asked in record.trajectory.questions for part in asked.parts] == ["confirmed"]
