"""A small suite over the project board, with agents that misbehave on purpose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import anyio

from harness.core.config import Condition, OracleConfig, RunConfig, UserSettings
from harness.core.desk import Agent, AgentFailed, Desk
from harness.core.hidden import Hidden
from harness.play.stage import Job, Talk
from harness.record.store import Run
from harness.score import outcome
from harness.suite import Suite
from harness.task import Brief, Call, End, Expected, Segment, Session, Slot, Task
from harness.trajectory import ModelCall
from servers.kernel import Answer, Edit, Question, User, UserFault, World

NOW = datetime(2025, 3, 13)
BOARD = {"list_name": "Backlog", "board": "Design", "assigned_to_email": "ines@example.test"}


def world() -> World:
    rows = [{"id": f"{n:08d}", "task_name": f"Job {n}", "due_date": f"2025-03-{n + 10}", **BOARD} for n in range(12)]
    return World("toy", NOW, {"projects": {"tasks": rows}})


def task(number: int, *, ask: bool = False, setup: tuple[Edit, ...] = (), sessions: int = 1) -> Task:
    """Move one job to a list; with `ask`, the underspecified prompt does not say which list."""
    id, to = f"{number:08d}", ("In Progress", "In Review", "Completed")[number % 3]
    slot = Slot(name="list", kind="list", text=to, value=to, dimension="goal", subdimension="target")
    full = f"Move job {number} to {to}."
    brief = Brief(intent=full, sent=f"Move job {number}.", withheld=(Segment(id="list", slot=slot),))
    return Task(
        id=f"toy-{number}",
        world="toy",
        apps=("projects",),
        sessions=tuple(
            Session(
                requests={"original": full, "underspecified": f"Move job {number}."} if ask else {"original": full},
                briefs={"underspecified": brief} if ask else {},
            )
            for _ in range(sessions)
        ),
        ends=(End(changes=(Expected(op="update", app="projects", table="tasks", id=id, values={"list_name": to}),)),),
        solution=(
            Call(
                app="projects",
                tool="update_task",
                arguments={"task_id": id, "field": "list_name", "new_value": to},
            ),
        ),
        template=f"template-{number % 4}",
        setup=setup,
        slots=(slot,) if ask else (),
        withheld={"underspecified": ("list",)} if ask else {},
    )


def suite(tasks: Sequence[Task] = ()) -> Suite:
    return Suite(
        name="toy",
        version="1",
        description="Jobs on a board.",
        tasks=tasks or [task(n) for n in range(12)],
        world=lambda _: world(),
        checks={"outcome": outcome},
        system="Today is Thursday.",
        toolsets={"projects": "workbench"},
    )


class Scripted:
    """Plays given calls, then says something."""

    def __init__(self, calls: Sequence[tuple[str, Mapping[str, Any]]], reply: str = "Done.") -> None:
        self._calls, self._reply = calls, reply
        self.heard: list[str] = []

    async def turn(self, desk: Desk, message: str) -> str:
        self.heard.append(message)
        for name, arguments in self._calls:
            await desk.call(name, arguments)
        return self._reply


class Hung:
    async def turn(self, desk: Desk, message: str) -> str:
        await anyio.sleep_forever()
        raise AssertionError("unreachable")


class Broken:
    async def turn(self, desk: Desk, message: str) -> str:
        raise AgentFailed("it never made a call that parses")


class TalkingUser:
    """Tells the list when asked for it."""

    async def answer(self, question: Question) -> Answer:
        if "list" in question.text:
            return Answer(text="In Progress", targets=("list",), revealed=("list",))
        return Answer(text="As you see fit.")


class BrokenUser:
    async def answer(self, question: Question) -> Answer:
        raise UserFault("the simulator is down")


class Wiring:
    """Hands out the suite above; `make` builds agents other than the oracle."""

    def __init__(
        self, tasks: Sequence[Task] = (), make: Callable[[Task], Agent] | None = None, user: User | None = None
    ) -> None:
        self._suite, self._make, self._user = suite(tasks), make, user or TalkingUser()

    def suite(self, name: str, scale: int = 1) -> Suite:
        return self._suite

    def user(self, config: UserSettings, brief: Brief, talk: Talk | None = None, hidden: Hidden | None = None) -> User:
        return self._user

    def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
        if self._make:
            return self._make(suite.task(job.task))
        return Scripted([(f"{call.app}_{call.tool}", call.arguments) for call in suite.task(job.task).solution])

    async def aclose(self) -> None:
        pass


def wiring() -> Wiring:
    """What worker processes call."""
    return Wiring()


ASKING = {"conditions": {"asking": Condition(ask="ask_user")}}
"""Changes to a config under which the agents of `dead` have somebody to ask."""


def dead(*sound: str) -> Wiring:
    """Agents that ask a user who is broken, which voids their trials, save on the tasks named."""

    def agent(task: Task) -> Agent:
        return Scripted([] if task.id in sound else [("ask_user_ask_user", {"question": f"Which list, {task.id}?"})])

    return Wiring(make=agent, user=BrokenUser())


def config(**changes: Any) -> RunConfig:
    return RunConfig(suite="toy", agents=(OracleConfig(kind="oracle"),), **changes)


def digests(run: Run) -> dict[tuple[str, str, int], str]:
    return {(r.trajectory.condition, r.trajectory.task, r.trajectory.trial): r.trajectory.digest for r in run.records()}
