"""Sessions begun by an event, and rows that arrive from outside, through everything that opens a task."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

from harness.audit.play import Player
from harness.audit.run import audit
from harness.cli import stories
from harness.core.config import Condition, ConfigProblem, OracleConfig, RunConfig
from harness.core.desk import Desk
from harness.live import Workplace
from harness.play.fork import go_on, restored
from harness.play.replay import replay_run
from harness.play.run import evaluate, plan
from harness.play.stage import Stage
from harness.record.store import Run
from harness.score import outcome
from harness.suite import Suite, SuiteEntry, SuiteError
from harness.task import Arrives, Call, End, Expected, Session, Task, Trigger
from harness.trajectory import Arrival, Trajectory
from servers.kernel import Answer, Edit, Question
from tests.cli.conftest import offer
from tests.harness import toy
from tests.harness.wired import Over
from tests.service.scenes import service

EVENT = Trigger(
    source="webhook", name="jobs.overdue", text="Start what is overdue.", data={"b": ["00000000"], "a": {"too": 500}}
)


def job(id: str, **values: Any) -> Edit:
    return Edit(op="change", app="projects", table="tasks", id=id, values=values)


def new_job(id: str, name: str) -> Edit:
    values = {"task_name": name, "due_date": "2025-03-14", **toy.BOARD}
    return Edit(op="add", app="projects", table="tasks", id=id, values=values)


def started(id: str) -> Expected:
    return Expected(op="update", app="projects", table="tasks", id=id, values={"list_name": "In Progress"})


def start(id: str, session: int = 0) -> Call:
    arguments = {"task_id": id, "field": "list_name", "new_value": "In Progress"}
    return Call(app="projects", tool="update_task", arguments=arguments, session=session)


EARLY = Arrives(source="feed", edits=(job("00000001", task_name="Job one"),), text="A title is put right.")
URGENT = Arrives(source="webhook", edits=(new_job("00000500", "Urgent job"),), after_call=0)
RENAMED = Arrives(source="feed", edits=(job("00000000", task_name="Job nought"),), after_call=1)
LATE = Arrives(source="schedule", edits=(new_job("00000600", "Late job"),), after_call=9)
WEEKLY = Arrives(source="schedule", edits=(new_job("00000700", "Weekly job"),))

TASK = Task(
    id="watch",
    world="toy",
    apps=("projects",),
    sessions=(
        Session(event=EVENT, arrivals=(EARLY, URGENT, RENAMED, LATE)),
        Session(requests={"original": "Start the weekly job."}, arrivals=(WEEKLY,)),
    ),
    ends=(End(changes=tuple(map(started, ("00000000", "00000500", "00000700")))),),
    solution=(start("00000000"), start("00000500"), start("00000700", 1)),
)
"""Jobs arrive while the agent works: before a session, after a call, and as a session ends."""


def suite() -> Suite:
    return toy.suite([TASK])


@pytest.fixture
def run(tmp_path: Path) -> Run:
    config = RunConfig(suite="toy", agents=(OracleConfig(kind="oracle"),))
    return evaluate(config, suite(), Over(suite()), tmp_path / "run")


@pytest.fixture
def then(run: Run) -> Trajectory:
    return next(run.records()).trajectory


def arrived(then: Trajectory) -> list[tuple[int, int, str]]:
    """Session, steps made by then, and the row of each arrival."""
    return [(e.session, e.step, e.writes[0].id) for e in then.events if isinstance(e, Arrival)]


ORDER = [(0, 0, "00000001"), (0, 1, "00000500"), (0, 2, "00000000"), (0, 2, "00000600"), (1, 2, "00000700")]


def test_a_session_may_begin_with_an_event_that_no_person_wrote(then: Trajectory) -> None:
    assert then.sessions[0].request == (
        "An event has started this session. No person wrote what follows.\n\n"
        "Source: webhook\nEvent: jobs.overdue\n\nStart what is overdue.\n\n"
        '{\n  "a": {\n    "too": 500\n  },\n  "b": [\n    "00000000"\n  ]\n}'
    )
    assert [event.source for event in then.events if event.kind == "request"] == ["webhook", ""]


def test_rows_arrive_before_a_session_after_its_calls_and_as_it_ends(then: Trajectory) -> None:
    assert arrived(then) == ORDER


def test_what_arrived_is_no_change_of_the_agents(then: Trajectory) -> None:
    assert [(change.op, change.id, change.fields) for change in then.changes] == [
        ("update", id, {"list_name": "In Progress"}) for id in ("00000000", "00000500", "00000700")
    ]
    assert {change.id for change in then.start} == {id for _, _, id in ORDER}


def test_the_outcome_check_ignores_what_arrived(then: Trajectory) -> None:
    score = outcome(TASK, then)

    assert (score.value, score.detail["unexpected"]) == (1, 0)


def test_an_agent_that_does_nothing_has_changed_nothing(tmp_path: Path) -> None:
    wired = toy.Wiring([TASK], lambda _: toy.Scripted([]))
    (record,) = evaluate(toy.config(), wired.suite("toy"), wired, tmp_path / "run").records()

    assert record.trajectory.changes == []
    assert record.scores["outcome"].label == "nothing_done"


def test_what_has_not_arrived_when_another_session_follows_arrives_then(tmp_path: Path) -> None:
    wired = toy.Wiring([TASK], lambda _: toy.Scripted([]))
    (record,) = evaluate(toy.config(), wired.suite("toy"), wired, tmp_path / "run").records()

    assert [id for _, _, id in arrived(record.trajectory)] == [id for _, _, id in ORDER]


class Looks:
    """Searches twice for a job that arrives after the first search."""

    def __init__(self) -> None:
        self.found: list[str] = []

    async def turn(self, desk: Desk, message: str) -> str:
        for _ in range(2):
            self.found.append((await desk.call("projects_search_tasks", {"task_name": "Urgent"})).text)
        return "Done."


@pytest.mark.parametrize("transport", ["memory", "http"])
def test_what_arrives_after_a_call_is_found_by_the_next(transport: Any, tmp_path: Path) -> None:
    task, looks = TASK.model_copy(update={"sessions": (Session(event=EVENT, arrivals=(URGENT,)),)}), Looks()
    wired = toy.Wiring([task], lambda _: looks)
    (record,) = evaluate(toy.config(transport=transport), wired.suite("toy"), wired, tmp_path / "run").records()

    assert ["Urgent job" in text for text in looks.found] == [False, True]
    assert [call.text for call in record.trajectory.calls] == looks.found
    assert record.trajectory.changes == []


class Listens:
    """Has more to say once."""

    def __init__(self) -> None:
        self.answers = iter((Answer(text="Go on.", goes_on=True), Answer(text="", goes_on=False)))

    async def answer(self, question: Question) -> Answer:
        return next(self.answers)


def test_rows_arrive_after_a_hand_over(tmp_path: Path) -> None:
    arrival = URGENT.model_copy(update={"after_call": None, "after_hand_over": 0})
    task, looks = TASK.model_copy(update={"sessions": (Session(event=EVENT, arrivals=(arrival,)),)}), Looks()
    wired = toy.Wiring([task], lambda _: looks, user=Listens())
    config = toy.config(conditions={"talks": Condition(end_of_turn="user")})
    run = evaluate(config, wired.suite("toy"), wired, tmp_path / "run")

    assert ["Urgent job" in text for text in looks.found] == [False, False, True, True]
    assert arrived(next(run.records()).trajectory) == [(0, 3, "00000500")]
    assert [(one.difference, one.equal) for one in replay_run(run, wired.suite("toy"), wired)] == [("", True)]


def test_of_a_row_that_the_agent_changed_its_own_fields_stay_its_changes(then: Trajectory) -> None:
    (write,) = next(event for event in then.events if isinstance(event, Arrival) and event.step == 2).writes

    assert write.values is not None
    assert (write.values["task_name"], write.values["list_name"]) == ("Job nought", "In Progress")


def test_a_new_row_of_the_agents_takes_no_id_that_is_to_arrive(tmp_path: Path) -> None:
    made = {"task_name": "Mine", "assigned_to_email": "ines@example.test", "list_name": "Backlog"}
    made |= {"due_date": "2025-03-20", "board": "Design"}
    wired = toy.Wiring([TASK], lambda _: toy.Scripted([("projects_create_task", made)]))
    (record,) = evaluate(toy.config(), wired.suite("toy"), wired, tmp_path / "run").records()

    assert [change.id for change in record.trajectory.changes] == ["00000701", "00000702"]


def test_equal_trials_have_equal_digests_whatever_the_transport(then: Trajectory, tmp_path: Path) -> None:
    config = RunConfig(suite="toy", agents=(OracleConfig(kind="oracle"),), transport="http")
    (record,) = evaluate(config, suite(), Over(suite()), tmp_path / "http").records()

    assert record.trajectory.digest == then.digest
    assert record.trajectory.events == then.events


def test_a_replay_gives_the_digest_again(run: Run) -> None:
    assert [(one.difference, one.equal) for one in replay_run(run, suite(), Over(suite()))] == [("", True)]


def noticed(run: Run, tampered: Trajectory) -> str:
    """In what a replay finds a record to differ, once it is that one."""
    (record,) = run.records()
    run.write(record.model_copy(update={"trajectory": tampered}))
    (again,) = replay_run(run, suite(), Over(suite()))
    return again.difference


def test_a_replay_notices_that_other_rows_arrived(run: Run, then: Trajectory) -> None:
    next(event for event in then.events if isinstance(event, Arrival) and event.step == 2).writes = []

    assert noticed(run, then).startswith("what arrived in session 0 after 2 steps went differently: writes: '[]' then")


def test_a_replay_notices_an_arrival_that_is_not_on_record(run: Run, then: Trajectory) -> None:
    then.events = [event for event in then.events if not (isinstance(event, Arrival) and event.step == 2)]

    assert noticed(run, then).startswith("what arrived in session ")


def test_a_replay_notices_another_start(run: Run, then: Trajectory) -> None:
    then.start = []

    assert noticed(run, then) == "its record has another start than its task and what arrived make"


def test_a_replay_has_what_arrived_where_the_agent_did_nothing(tmp_path: Path) -> None:
    wired = toy.Wiring([TASK], lambda _: toy.Scripted([]))
    run = evaluate(toy.config(), wired.suite("toy"), wired, tmp_path / "run")

    assert [one.equal for one in replay_run(run, wired.suite("toy"), wired)] == [True]


def test_a_fork_at_each_step_ends_as_the_trial_did(run: Run, then: Trajectory, tmp_path: Path) -> None:
    name = next((run.folder / "trials").glob("*.json")).stem

    for step in range(4):
        (record,) = go_on(run.head.config, suite(), Over(suite()), run, name, step, tmp_path / str(step)).records()
        assert (record.trajectory.digest, arrived(record.trajectory)) == (then.digest, ORDER)


def test_a_restored_sandbox_has_what_had_arrived_before_its_step(run: Run, then: Trajectory) -> None:
    async def main() -> list[list[str]]:
        stage = Stage(run.head.config, suite(), Over(suite()))
        found = []
        for step in range(4):
            opened = await restored(stage, then, step)
            found.append([id for _, _, id in arrived(opened.told())])
            opened.close()
        stage.engine.close()
        return found

    rows = [id for _, _, id in ORDER]
    assert anyio.run(main) == [rows[:1], rows[:2], rows, rows]


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = (SuiteEntry("arrivals", "Jobs that arrive.", suite),)
    offer(monkeypatch, *entries, where="benchmarks/arrivals")


@pytest.mark.usefixtures("offered")
def test_live_rows_arrive_as_in_a_trial(then: Trajectory) -> None:
    with Workplace() as workplace:
        task = workplace.task("arrivals", "watch")
        sandbox, portal = task.sandbox._sandbox, task.sandbox._portal
        assert task.request == then.sessions[0].request
        for call in TASK.solution:
            if call.session > task.session:
                task.advance()
            portal.call(sandbox.call, call.app, call.tool, call.arguments)

        assert portal.call(sandbox.layer.digest) == then.digest
        assert task.score().value == 1


def test_the_service_has_rows_arrive_as_in_a_trial(then: Trajectory) -> None:
    async def main() -> None:
        async with service([TASK]) as scene:
            box = await scene.client.create(suite="toy", task="watch")
            for number, call in enumerate(TASK.solution):
                if number == 2:
                    await box.advance()
                await scene.move(box.urls["projects"], **call.arguments)

            diff = await box.diff()
            assert diff.digest == then.digest
            assert [change.id for change in diff.changes] == [change.id for change in then.changes]
            assert (await box.score()).scores["outcome"].value == 1

    anyio.run(main)


def test_the_service_goes_back_and_forks_with_what_had_arrived(then: Trajectory) -> None:
    async def main() -> None:
        async with service([TASK]) as scene:
            box = await scene.client.create(suite="toy", task="watch")
            await scene.move(box.urls["projects"], **TASK.solution[0].arguments)
            await box.snapshot("one")
            await scene.move(box.urls["projects"], **TASK.solution[1].arguments)
            await box.advance()
            fork = await box.fork("one")
            await box.restore("one")
            for each in (box, fork):
                assert "00000600" not in (await scene.move(each.urls["projects"], **TASK.solution[1].arguments))
                await each.advance()
                await scene.move(each.urls["projects"], **TASK.solution[2].arguments)
                assert (await each.diff()).digest == then.digest
                assert (await each.score()).scores["outcome"].value == 1

    anyio.run(main)


def test_the_audit_plays_what_arrives_as_a_trial_does(then: Trajectory) -> None:
    player = Player(suite())
    try:
        played = anyio.run(player.play, TASK, TASK.solution)
    finally:
        player.close()

    assert (played.verdict, played.trajectory.digest) == ("correct", then.digest)
    assert played.effects == ["update"] * 3


def test_the_audit_finds_no_fault_in_the_task() -> None:
    assert audit(suite()).sound


def test_show_tells_what_arrives_in_a_task_and_a_trial(run: Run) -> None:
    task, trial = stories.of_task(suite(), TASK), stories.of_trial(next(run.records()))

    assert "  Event: jobs.overdue\n" in task
    assert "  arrives before it, from a feed: A title is put right.\n" in task
    assert "  arrives after call 0, from a webhook\n" in task
    assert "  webhook: An event has started this session." in trial
    place = trial.index("  arrives, from a webhook\n     projects.tasks 00000500: wrote ")
    assert trial.index("  0. projects.update_task") < place < trial.index("  1. projects.update_task")


def _refused(*sessions: Session, **config: Any) -> str:
    tasks = [TASK.model_copy(update={"sessions": sessions})]
    with pytest.raises((ConfigProblem, SuiteError)) as problem:
        plan(toy.config(**config), toy.suite(tasks))
    return str(problem.value)


def _with(*arrivals: Arrives) -> Session:
    return Session(event=EVENT, arrivals=arrivals)


def _moved(**moment: Any) -> Arrives:
    return Arrives(source="feed", edits=WEEKLY.edits, **moment)


@pytest.mark.parametrize(
    ("sessions", "problem"),
    [
        ([Session()], "task watch: session 0 has neither requests nor an event; it begins with one of them"),
        (
            [Session(requests={"original": "Go."}, event=EVENT)],
            "task watch: session 0 has both requests and an event; it begins with one of them",
        ),
        (
            [_with(_moved(after_call=-1))],
            "conditions.default: task watch: session 0, arrival 0, has after_call: -1; they are numbered from 0",
        ),
        (
            [_with(), _with(WEEKLY, _moved(after_hand_over=0))],
            "conditions.default: task watch: session 1, arrival 1, comes after a hand-over, and there is none without "
            "`end_of_turn: user`",
        ),
        (
            [_with(_moved(after_call=0, after_hand_over=0))],
            "conditions.default: task watch: session 0, arrival 0, has both after_call and after_hand_over; give one "
            "of them",
        ),
        (
            [_with(URGENT, WEEKLY)],
            "conditions.default: task watch: session 0, arrival 1, comes before the session; list it before those "
            "that come later",
        ),
        (
            [_with(Arrives(source="feed", edits=(Edit(op="remove", app="projects", table="jobs", id="1"),)))],
            "task watch: session 0, arrival 0, step 0 (remove projects.jobs 1) does not fit: ",
        ),
        (
            [_with(Arrives(source="feed", edits=(job("00000001", colour="red"),)))],
            "task watch: session 0, arrival 0, step 0 (change projects.tasks 00000001) does not fit: tasks has no "
            "field colour",
        ),
    ],
)
def test_what_cannot_begin_or_come_is_refused_when_a_run_is_planned(sessions: Sequence[Session], problem: str) -> None:
    said = _refused(*sessions)

    assert said.startswith(problem)
    assert "\n" not in said


def test_over_stdio_what_comes_after_a_call_is_refused_when_a_run_is_planned() -> None:
    assert _refused(_with(EARLY, URGENT), transport="stdio") == (
        "conditions.default: task watch: session 0, arrival 1, comes while the session goes on, which nothing can "
        "over stdio; use transport memory or http"
    )


def test_over_stdio_an_event_and_what_is_there_before_it_give_the_digest_of_memory(tmp_path: Path) -> None:
    task = TASK.model_copy(update={"sessions": (_with(EARLY, WEEKLY),), "solution": (start("00000700"),)})
    found = []
    for transport in ("memory", "stdio"):
        wired = toy.Wiring([task])
        run = evaluate(toy.config(transport=transport), wired.suite("toy"), wired, tmp_path / transport)
        (record,) = run.records()
        found.append((record.trajectory.status, record.trajectory.digest, len(record.trajectory.changes)))

    assert found[0] == found[1] == ("finished", found[0][1], 1)


def test_an_arrival_that_does_not_fit_its_world_ends_a_run_before_a_trial(tmp_path: Path) -> None:
    wired = toy.Wiring([TASK.model_copy(update={"sessions": (_with(WEEKLY), _with(WEEKLY))})])

    with pytest.raises(SuiteError, match=r"^task watch: session 1, arrival 0, step 0 \(add projects.tasks 00000700\)"):
        evaluate(toy.config(), wired.suite("toy"), wired, tmp_path / "run")
    assert not list((tmp_path / "run" / "trials").glob("*.json"))


def test_a_task_without_them_has_the_hash_it_had() -> None:
    told = toy.task(0).model_dump(mode="json")["sessions"][0]

    assert sorted(told) == ["briefs", "limits", "now", "requests"]
