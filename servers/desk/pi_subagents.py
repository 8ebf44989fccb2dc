"""The desk with the row of pi-Bench's table that needs a second agent; it is served to those alone who name it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from servers.desk.pi import pi
from servers.desk.tables import Subagent, app
from servers.kernel import State, Worker, one_line, required

__all__ = ("pi_subagents",)

_TITLE, _TASK = 200, 20_000

pi_subagents = app.toolset(
    "pi_subagents",
    f"{pi.instructions} `spawn_subagent` has a subagent work on a part of the task that stands alone.",
    structured=False,
)
pi_subagents.tools.update(pi.tools)


@pi_subagents.delegates
async def spawn_subagent(
    state: State,
    worker: Worker,
    task: Annotated[
        str,
        Field(
            max_length=_TASK,
            description="What is to be done, so that it makes sense alone, and what to report at the end.",
        ),
    ],
    title: Annotated[str, Field(max_length=_TITLE, description="What it is about, in one line; may be left out.")] = "",
) -> str:
    """Have a subagent work on an independent task, and wait for its report.

    It has your tools and sees what you see, but knows nothing of your conversation, can ask nobody and starts no
    subagents of its own. What it does counts as yours. Returns its report.
    """
    required(task=task.strip())
    one_line(title=title)
    started = state.now
    report = await worker.work(task)
    state.add(Subagent(title=title, task=task, report=report, started=started))
    return report
