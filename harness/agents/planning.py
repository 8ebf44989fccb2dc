"""The agent that writes a plan, has each step carried out, and looks at the plan anew after each.

Plan & Execute, as LHAW compares it (section 4.5, after Wang et al. 2023): planning is explicit, execution iterative.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from harness.agents.react import shown
from harness.agents.talking import Aside, Wire, consult, found, rendered, system_message, transcript
from harness.core.agent_config import PlanExecute, Prompts
from harness.core.desk import Agent, AgentFailed, Desk, LimitReached
from harness.core.trajectory import Message
from harness.models.replies import Completes

__all__ = ("Plan", "PlanExecuteAgent", "read_plan")


class Plan(NamedTuple):
    """The steps to come, what is said once there are none, and why a reply could not be read as that, if so."""

    steps: Sequence[str]
    answer: str = ""
    problem: str = ""


class PlanExecuteAgent:
    """Plans, has `worker` carry out the first step in a conversation of its own, plans anew, until no step is left.

    A worker knows the request, its step, and what earlier steps said at their end; the planner knows these too, and
    sees no result of a tool. A plan that cannot be read is told and asked for again; `patience` of these in a row are
    `AgentFailed`. More than `settings.steps` steps in a turn are `LimitReached`.
    """

    def __init__(
        self,
        model: Completes,
        worker: Agent,
        wire: Wire,
        settings: PlanExecute,
        *,
        patience: int = 5,
        prompts: Prompts | None = None,
    ) -> None:
        self._model, self._worker, self._wire, self._settings = model, worker, wire, settings
        self._patience, self._prompts = patience, prompts or Prompts()
        self._past: list[Message] = []

    async def turn(self, desk: Desk, message: str) -> str:
        if not desk.messages:
            self._past = []
        self._past.append(Message(session=desk.session, role="user", content=message))
        request = transcript(self._past, self._wire)
        instruction = system_message(desk, "steps.j2", self._prompts.steps, tools=shown(desk.tools)).content
        done: list[tuple[str, str]] = []
        while (plan := await self._plan(desk, instruction, request, done)).steps:
            if len(done) == self._settings.steps:
                raise LimitReached("steps of a plan")
            step = plan.steps[0]
            asked = rendered("step.j2", self._prompts.step, request=request, done=done, step=step)
            done.append((step, await self._worker.turn(Aside(desk), asked)))
        self._past.append(Message(session=desk.session, role="assistant", content=plan.answer))
        return plan.answer

    async def _plan(self, desk: Desk, instruction: str, request: str, done: Sequence[tuple[str, str]]) -> Plan:
        """The plan for what is left."""
        told = [f"{request}\n\nSteps carried out so far:"]
        told += [f"{number}. {step}\n{said or '(nothing was said)'}" for number, (step, said) in enumerate(done, 1)]
        material = "\n\n".join(told if done else [*told, "none"])
        problem = ""
        for _ in range(self._patience):
            reply = await consult(
                self._model, desk, instruction, f"{material}{problem}", lambda text: read_plan(text).problem
            )
            plan = read_plan(reply)
            if not plan.problem:
                return plan
            problem = f"\n\nYour last reply was not a plan: {desk.garbled('', reply, plan.problem).text}"
        raise AgentFailed(f"{self._patience} {'reply' if self._patience == 1 else 'replies in a row'} held no plan")


def read_plan(reply: str) -> Plan:
    """What a planner's reply says: a JSON object with `steps`, a list of texts, and `answer` where that is empty."""
    form = 'write one JSON object, {"steps": [texts], "answer": a text}'
    given = found(reply, "steps", "answer")
    if given is None:
        return Plan((), "", f"It holds no such object; {form}.")
    steps, answer = given.get("steps", []), given.get("answer", "")
    if not isinstance(steps, list) or not all(isinstance(step, str) and step.strip() for step in steps):
        return Plan((), "", f"`steps` must be a list of texts; {form}.")
    if not isinstance(answer, str):
        answer = json.dumps(answer, ensure_ascii=False)
    return Plan(tuple(steps), answer)
