"""What an agent sees of one session, and what an agent is."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from harness.core.trajectory import Message, ModelCall
from servers.kernel import Owner, Toolset

__all__ = ("Agent", "AgentFailed", "Desk", "LimitReached", "Reply", "ToolSpec", "on_offer")


class LimitReached(Exception):
    """A budget of the trial is spent; `limit` names it. The trial counts as failed."""

    def __init__(self, limit: str) -> None:
        self.limit = limit
        super().__init__(f"limit reached: {limit}")


class AgentFailed(Exception):
    """The agent cannot go on, and it is its own doing. The trial counts as failed."""


class ToolSpec(NamedTuple):
    """A tool on offer. `name` is `<app>_<tool>`, unique across the session; an overlay may show it as `<app>_<other>`.

    `tool` is its own name, which records have.
    """

    name: str
    app: str
    tool: str
    description: str
    input_schema: dict[str, Any]


class Reply(NamedTuple):
    """What a call gave back. `data` is the structured result, {} on an error."""

    text: str
    data: dict[str, Any]
    is_error: bool

    @property
    def value(self) -> Any:
        """The structured result, unwrapped: `{"result": x}` gives x."""
        return self.data["result"] if self.data.keys() == {"result"} else self.data


class Desk(Protocol):
    """One session, as the agent has it: a request, tools, a conversation that starts empty.

    `toolsets` are what the tools belong to, by app, for whoever serves them on; `owner` is whose world it is.
    Methods that spend a budget raise `LimitReached`, which the trial loop handles; agents let it pass.
    """

    session: int
    system: str
    now: datetime
    tools: Sequence[ToolSpec]
    toolsets: Mapping[str, Toolset]
    owner: Owner | None

    @property
    def messages(self) -> Sequence[Message]:
        """The conversation so far."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Call a tool by its full name. An unknown name gives an error reply, never an exception."""

    def garbled(self, name: str, raw: str, problem: str) -> Reply:
        """Record a tool call that does not parse; the reply tells the agent what was wrong."""

    def say(self, message: Message) -> None:
        """Add to the conversation: what a model is sent, and what it said."""

    def spend(self, call: ModelCall) -> None:
        """Record a model call and take its tokens, cost and turn off the budgets."""

    def random(self, decision: str, purpose: str) -> random.Random:
        """A generator keyed by (trial seed, decision, purpose), so that order of use changes nothing."""


def on_offer(desk: Desk, app: str, tool: str) -> str:
    """What a tool has to be called at a desk that is known by its own name; a name on nobody's list where it is not."""
    for spec in desk.tools:
        if (spec.app, spec.tool) == (app, tool):
            return spec.name
    name = f"{app}_{tool}"
    return f"{app}.{tool}" if any(spec.name == name for spec in desk.tools) else name


class Agent(Protocol):
    """Anything that can work at a desk. One instance plays one trial."""

    async def turn(self, desk: Desk, message: str) -> str:
        """Work on a message of the user (the request first) until there is something to say, and say it."""
