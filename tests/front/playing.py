"""Functions that play, for tests of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from harness import Evaluation, Session, evaluate
from harness.record.store import TrialRecord

Agent = Callable[[Session], Awaitable[str | None]]
TOY = {"suite": "toy"}
FIRST = {"suite": "toy", "tasks": ["toy-0"]}


async def mover(session: Session) -> str:
    """Does what the request says."""
    number, _, to = session.request.removeprefix("Move job ").rstrip(".").partition(" to ")
    return str(
        await session.call(
            "projects", "update_task", {"task_id": f"{int(number):08d}", "field": "list_name", "new_value": to}
        )
    )


def played(agent: Agent | None, config: Any = FIRST, **more: Any) -> Evaluation:
    return evaluate(config, agent, **{"name": "mine", "version": "1", **more})


def record(evaluation: Evaluation) -> TrialRecord:
    (found,) = evaluation.run.records()
    return found
