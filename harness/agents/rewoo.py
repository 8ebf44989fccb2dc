"""The agent that plans all its look-ups beforehand, makes them without looking, and solves from what they gave.

After Xu et al. (2023), as PROBE has it (appendix A.3). A plan is lines such as `#E2 = gmail_search_emails[{"query":
"#E1"}]`; what a step gives takes the place of its name in later ones. Steps use tools that change nothing, or the model
itself, `LLM[...]`. One last reply, the solver's, says what is done and answered, and that is carried out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from harness.agents.holding import Held, carry_out, changes
from harness.agents.react import arguments_of
from harness.agents.talking import Aside, ask, complete, consult, found, keep, rendered, system_message, transcript
from harness.agents.text import sent, shown
from harness.core.agent_config import Prompts, Rewoo
from harness.core.desk import AgentFailed, Desk, ToolSpec
from harness.core.each_text import each_text
from harness.core.trajectory import Message
from harness.models.replies import Completes, ToolCall

__all__ = ("RewooAgent", "Solution", "Step", "planned", "solved")


class Step(NamedTuple):
    """A step of a plan: its number, the tool, what stood in the brackets, and why it cannot be read, if so."""

    number: int
    tool: str
    given: str
    problem: str = ""


class Solution(NamedTuple):
    """What a solver's reply says: calls to be made, and what is answered; or why it cannot be read."""

    calls: Sequence[Held]
    answer: str
    problem: str = ""


class RewooAgent:
    """Plans, works, solves: three stages, and none is gone back to.

    A step that cannot be read or made, that names an unknown tool, an unknown `#E`, or a tool that would change
    something, is on record with what is wrong, and that text is what it gives. A plan without steps that does not say
    that there is nothing to look up, and a solver's reply that cannot be read, are `AgentFailed`. The solver's calls
    are made in their order, up to the first that is refused.
    """

    def __init__(self, model: Completes, settings: Rewoo | None = None, prompts: Prompts | None = None) -> None:
        self._model, self._settings, self._prompts = model, settings or Rewoo(), prompts or Prompts()
        self._past: list[Message] = []

    async def turn(self, desk: Desk, message: str) -> str:
        if not desk.messages:
            self._past = []
        planner = Aside(desk, self._past)
        lookups = [tool for tool in desk.tools if not changes(desk, tool)]
        deeds = [tool for tool in desk.tools if changes(desk, tool)]
        if not planner.messages:
            planner.say(system_message(desk, "plan.j2", self._prompts.plan, tools=shown(lookups)))
        planner.say(Message(session=desk.session, role="user", content=message))
        talk = [*planner.messages]
        plan = await self._plan(planner)
        evidence = await self._work(desk, plan, {tool.name: tool for tool in lookups})
        told = "\n\n".join([transcript(talk, sent), "Plan and what its steps gave:", *evidence])
        said = await self._solve(desk, told, deeds)
        self._past = [*talk, Message(session=desk.session, role="assistant", content=said)]
        return said

    async def _plan(self, desk: Desk) -> list[Step]:
        completion = await ask(self._model, desk, sent)
        steps, is_plan = planned(completion.text)
        calls = [ToolCall(f"E{step.number}", step.tool, step.given) for step in steps]
        keep(desk, completion, completion.text, calls)
        if not is_plan:
            desk.garbled("", completion.text, "There is no plan in this reply: no line `#E1 = tool[arguments]`.")
            raise AgentFailed("the plan held no step that could be read")
        return steps

    async def _work(self, desk: Desk, plan: Sequence[Step], tools: Mapping[str, ToolSpec]) -> list[str]:
        """What each step gave, in words."""
        results: dict[str, str] = {}
        told = []
        for step in plan:
            name = f"#E{step.number}"
            text = await self._step(desk, step, results, tools)
            desk.say(Message(session=desk.session, role="tool", content=text, call_id=f"E{step.number}"))
            results.setdefault(name, text)
            told.append(f"{name} = {step.tool}[{step.given}]\n{text}")
        return told

    async def _step(self, desk: Desk, step: Step, results: Mapping[str, str], tools: Mapping[str, ToolSpec]) -> str:
        problem = step.problem or _unknown(step, results)
        if not problem and step.tool == "LLM":
            return await consult(
                self._model, desk, rendered("work.j2", self._prompts.work), _filled(step.given, results)
            )
        tool = tools.get(step.tool)
        if not problem and tool is None and any(each.name == step.tool for each in desk.tools):
            problem = f"{step.tool} may change something: steps only look things up, what is done is said in the end"
        arguments, unread = _arguments(step.given, tool, results)
        if problem or unread:
            return desk.garbled(step.tool, step.given, problem or unread).text
        return (await desk.call(step.tool, {**self._settings.defaults.get(step.tool, {}), **arguments})).text

    async def _solve(self, desk: Desk, told: str, tools: Sequence[ToolSpec]) -> str:
        instruction = system_message(desk, "solve.j2", self._prompts.solve, tools=shown(tools))
        request = [{"role": "system", "content": instruction.content}, {"role": "user", "content": told}]
        completion = await complete(self._model, request)
        solution = solved(completion.text)
        ids = [f"solved_{number}" for number in range(1, len(solution.calls) + 1)]
        calls = [
            ToolCall(id, call.name, json.dumps(call.arguments, ensure_ascii=False))
            for id, call in zip(ids, solution.calls, strict=True)
        ]
        desk.say(instruction)
        keep(desk, completion, completion.text, calls)
        if solution.problem:
            desk.garbled("", completion.text, solution.problem)
            raise AgentFailed(f"the solver's reply cannot be read: {solution.problem}")
        for id, reply in zip(ids, await carry_out(desk, solution.calls), strict=False):
            desk.say(Message(session=desk.session, role="tool", content=reply.text, call_id=id))
        return solution.answer


_HEAD = re.compile(r"^[ \t>*-]*#E(\d{1,6})[ \t]*=[ \t]*", re.MULTILINE)
_PLAN = re.compile(r"^[ \t>*#-]*plan[ \t*]*:", re.IGNORECASE | re.MULTILINE)
_CALL = re.compile(r"([\w.-]+)[ \t]*\[(.*)\]", re.DOTALL)
_NAME = re.compile(r"#E\d+")


def planned(reply: str) -> tuple[list[Step], bool]:
    """The steps of a plan in their order, and whether the reply is a plan at all: one may say that none are needed.

    A step ends where the next one or a line `Plan:` begins, with the last bracket before it.
    """
    heads = [*_HEAD.finditer(reply)]
    steps: list[Step] = []
    numbers: set[int] = set()
    for n, head in enumerate(heads):
        number, end = int(head[1]), heads[n + 1].start() if n + 1 < len(heads) else len(reply)
        aside = _PLAN.search(reply, head.end(), end)
        text = reply[head.end() : aside.start() if aside else end].strip()
        call = _CALL.match(text)
        problem = "" if call else f"The step #E{number} cannot be read: write #E{number} = tool[arguments]."
        if number in numbers:
            problem = f"There is a step #E{number} already: number them anew."
        numbers.add(number)
        steps.append(Step(number, call[1], call[2].strip(), problem) if call else Step(number, "", text, problem))
    return steps, bool(steps or _PLAN.search(reply))


def solved(reply: str) -> Solution:
    """What a solver's reply says: a JSON object with `actions`, a list, and `answer`, a text."""
    form = 'write one JSON object, {"actions": [{"action": a tool, "action_input": its arguments}], "answer": a text}'
    given = found(reply, "actions", "answer")
    if given is None:
        return Solution((), "", f"It holds no solution; {form}.")
    actions, answer = given.get("actions", []), given.get("answer", "")
    if not isinstance(actions, list) or not isinstance(answer, str):
        return Solution((), "", f"`actions` must be a list and `answer` a text; {form}.")
    calls: list[Held] = []
    for action in actions:
        name, arguments = (action.get("action"), action.get("action_input")) if isinstance(action, dict) else ("", None)
        if not isinstance(name, str) or not name or not isinstance(arguments, dict | None):
            return Solution(
                (), "", f"Action {len(calls) + 1} names no tool, or its input is not a JSON object; {form}."
            )
        calls.append(Held(name, arguments or {}))
    return Solution(calls, answer)


def _unknown(step: Step, results: Mapping[str, str]) -> str:
    """What is wrong with the names that a step uses."""
    missing = [name for name in dict.fromkeys(_NAME.findall(step.given)) if name not in results]
    if not missing:
        return ""
    return f"{', '.join(missing)} stands for no earlier step; there are {', '.join(results) or 'none'}."


def _arguments(given: str, tool: ToolSpec | None, results: Mapping[str, str]) -> tuple[dict[str, Any], str]:
    """A step's arguments with the names in them replaced, and ""; or {} and what is wrong."""
    if not given.startswith("{"):
        return arguments_of(_filled(given, results), tool)
    try:
        read = json.loads(given, strict=False)
    except (ValueError, RecursionError) as error:
        return {}, f"The arguments are not valid JSON ({error}); give them as one JSON object."
    return _filled(read, results), ""


def _filled(value: Any, results: Mapping[str, str]) -> Any:
    """A value in whose texts every name of a step is replaced by what that step gave."""
    return each_text(value, lambda text: _NAME.sub(lambda name: results.get(name[0], name[0]), text))
