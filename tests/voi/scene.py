"""Tasks that withhold two values, agents whose rules are known, and their runs valued."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from harness.core.config import Condition, LlmConfig, OracleConfig, RunConfig
from harness.core.desk import Agent, Desk
from harness.play.branching.plan import Planned, plan_branches
from harness.play.branching.play import play_branches
from harness.play.run import evaluate
from harness.play.stage import Job
from harness.record.store import Run
from harness.report.voi import Valuation, valued
from harness.report.voi_estimates import Outcome
from harness.suite import Suite
from harness.task import Brief, End, Expected, Segment, Session, Slot, Task
from harness.trajectory import ModelCall
from tests.harness import toy
from tests.harness.wired import Over

__all__ = (
    "ASKS", "BOTH", "EITHER", "IGNORED", "LIST", "OWNER", "Asker", "Scene", "config", "lucky", "planned_of", "suite",
    "task", "valuation",
)  # fmt: skip

LIST, OWNER = "Completed", "Kofi"
ASKS = ("What is the list?", "Who is the owner?")

Rule = Callable[[frozenset[str]], bool]
BOTH: Rule = lambda known: known == {LIST, OWNER}  # noqa: E731
EITHER: Rule = bool
IGNORED: Rule = lambda known: False  # noqa: E731


def task(number: int, template: str = "") -> Task:
    """A job to be moved; the underspecified request lacks where to and whose it is."""
    slots = (
        Slot(name="list", kind="list", text=LIST, value=LIST),
        Slot(name="owner", kind="person", text=OWNER, value=OWNER, role="owner"),
    )
    full, sent = f"Move job {number}, which is {OWNER}'s, to {LIST}.", f"Move job {number}."
    withheld = tuple(Segment(id=slot.name, slot=slot) for slot in slots)
    change = Expected(op="update", app="projects", table="tasks", id=f"{number:08d}", values={"list_name": LIST})
    return Task(
        id=f"job-{number}",
        world="toy",
        apps=("projects",),
        sessions=(
            Session(
                requests={"original": full, "underspecified": sent},
                briefs={"underspecified": Brief(intent=full, sent=sent, withheld=withheld)},
            ),
        ),
        ends=(End(changes=(change,)),),
        template=template,
        slots=slots,
        withheld={"underspecified": ("list", "owner")},
    )


def suite(tasks: int = 2, template: str = "") -> Suite:
    return toy.suite([task(n, template) for n in range(tasks)])


class Asker:
    """Asks, and moves the job if `rule` says of what it then knows that it may."""

    def __init__(self, rule: Rule, asks: Sequence[str] = ASKS) -> None:
        self._rule, self._asks = rule, asks
        self.heard: list[str] = []

    async def turn(self, desk: Desk, message: str) -> str:
        known = {value for value in (LIST, OWNER) if value in message}
        for question in self._asks:
            if any(tool.app == "ask_user" for tool in desk.tools):
                reply = await desk.call("ask_user_ask_user", {"question": question})
                self.heard.append(reply.text)
                known |= {value for value in (LIST, OWNER) if value in reply.text}
        if self._rule(frozenset(known)):
            number = int(message.split()[2].rstrip(".,"))
            arguments = {"task_id": f"{number:08d}", "field": "list_name", "new_value": LIST}
            await desk.call("projects_update_task", arguments)
        return "Done."


class Scene(Over):
    """The real users and worlds, and an agent of a known rule, made by `make` for each trial."""

    def __init__(self, suite: Suite, make: Callable[[], Agent]) -> None:
        super().__init__(suite)
        self._make = make

    def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
        return self._make()


def config(*, model: bool = False, **condition: Any) -> RunConfig:
    """One agent, which counts as deterministic unless it is a `model`."""
    agent = LlmConfig(kind="llm", model="stub/none") if model else OracleConfig(kind="oracle")
    asking = Condition(**{"prompt": "underspecified", "ask": "ask_user", **condition})
    return RunConfig(suite="toy", name="toy", agents=(agent,), conditions={"asking": asking})


def valuation(
    make: Callable[[], Agent],
    folder: Path,
    tasks: Suite | None = None,
    *,
    model: bool = False,
    outcome: Outcome = "success",
    cost: float = 0.05,
    **plan: Any,
) -> Valuation:
    """Play the tasks, branch the run, and value its questions."""
    over = tasks or suite()
    wiring = Scene(over, make)
    parent = evaluate(config(model=model), over, wiring, folder / "parent", concurrency=1)
    planned = planned_of(parent, over, **plan)
    run = play_branches(planned, over, wiring, folder / "voi", concurrency=1)
    return valued(planned, over, run.records(), outcome, cost)


def planned_of(parent: Run, over: Suite, **plan: Any) -> Planned:
    return plan_branches(parent, over, parent.records(), **{"continuations": 2, **plan})


def lucky(seed: int, with_answer: float, without: float) -> Callable[[], Agent]:
    """Agents that ask for the list alone and are right so often with its value, and so often without it."""
    draw = Random(seed)

    def make() -> Agent:
        chance = draw.random()
        return Asker(lambda known: chance < (with_answer if LIST in known else without), ASKS[:1])

    return make
