"""On what terms a trial goes on from its record: with a user who defers on a question, or with nobody to ask.

Everything is wrapped from outside, the wiring, the user, the agent and its desk, so that a branch is played as any
trial is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from harness.core.config import AgentConfig, LlmConfig, Reflexion, UserSettings
from harness.core.desk import Agent, Desk, Reply, ToolSpec
from harness.core.hidden import Hidden
from harness.core.suite import Suite
from harness.core.task import Brief, Segment, Task
from harness.core.trajectory import CallRecord, HandOver, Message, ModelCall
from harness.play.session import Diverged, Prefix
from harness.play.stage import Job, Talk, Wiring
from servers.kernel import Answer, Opening, Owner, Part, Partner, Question, Toolset, User

__all__ = ("DEFERRALS", "Deferred", "Kind", "OnTerms", "Terms", "native", "told_by")

Kind = Literal["answered", "deferred", "not asked", "told"]
"""What becomes of a question: answered as it was, deferred, never put; `told`: segments are given with the request, and
nobody can be asked."""

DEFERRALS: Final = {"best_judgment": "I leave that to you; use your best judgment.", "dont_know": "I don't know."}
"""What a user says who defers, by the setting of that name; of users without one, the first."""


@dataclass
class Terms:
    """The terms of one branch, and how far it has come.

    The branch leaves its record after `step` steps. `number` counts the answers before the question. `deferred` are
    the segments that the user defers on, `question` the words that asked for them; `told` are the segments that come
    with the request. `asking` is the app that asks. `native`: the agent's model is sent its tools apart from the
    conversation, so that the record can be followed without those for asking.
    """

    kind: Kind
    step: int = 0
    number: int = 0
    question: str = ""
    deferred: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    asking: str = ""
    native: bool = False
    deferral: str = DEFERRALS["best_judgment"]
    steps: int = field(default=0, init=False)
    answers: int = field(default=0, init=False)

    @property
    def silent(self) -> bool:
        """Whether nobody can be asked now."""
        return self.kind in ("not asked", "told") and self.steps >= self.step


@dataclass(frozen=True)
class Deferred(Prefix):
    """A prefix whose last step has another answer than on record: the same question, and what follows is live."""

    @property
    def user_calls(self) -> list[ModelCall]:
        return self.trajectory.user_calls(self.step - 1)

    def check(self, step: CallRecord | HandOver) -> None:
        if step.n < self.step - 1:
            super().check(step)
        elif _put(step) != _put(self.steps[step.n]):
            raise Diverged(f"step {step.n} does not put the question that is on record")


def _put(step: CallRecord | HandOver) -> object:
    return step.text if isinstance(step, HandOver) else (step.app, step.tool, step.arguments)


class OnTerms:
    """A `Wiring` that hands out agents and users on the terms of one branch; `behind` makes and closes them."""

    def __init__(self, behind: Wiring, terms: Terms) -> None:
        self._behind, self._terms = behind, terms

    def suite(self, name: str, scale: int = 1) -> Suite:
        return self._behind.suite(name, scale)

    def user(self, config: UserSettings, brief: Brief, talk: Talk | None = None, hidden: Hidden | None = None) -> User:
        self._terms.deferral = DEFERRALS.get(getattr(config, "deferral", ""), DEFERRALS["best_judgment"])
        inner = self._behind.user(config, brief, talk, hidden)

        def unaware() -> User:
            """The same user who does not know what is deferred."""
            rest = tuple(each for each in brief.withheld if each.id not in self._terms.deferred)
            apart = replace(talk, scope=f"{talk.scope}/unaware", recorded=()) if talk else None
            return self._behind.user(config, brief.model_copy(update={"withheld": rest}), apart, hidden)

        kind = _Partner if isinstance(inner, Partner) else _User
        return kind(inner, unaware, brief, self._terms)

    def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
        task = suite.task(job.task)
        if self._terms.told:
            known = {**task.withheld, job.prompt: _left(task.withheld.get(job.prompt, ()), self._terms.told)}
            suite = replace(suite, tasks=[task.model_copy(update={"withheld": known})])
        told = not job.subagent  # one is told its task and no more
        return _Agent(self._behind.agent(job, suite, recorded), task, job.prompt, self._terms, told=told)

    async def aclose(self) -> None:
        """Nothing: what is behind goes on for other branches."""


def _left(names: Sequence[str], told: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in told)


def native(agent: AgentConfig) -> bool:
    """Whether a model is sent its tools apart from the conversation all the time, and told of them nowhere else."""
    if not isinstance(agent, LlmConfig):
        return False
    by = (agent.reflexion or Reflexion()).by if agent.strategy == "reflexion" else agent.strategy
    return by == "tools"


def told_by(segments: Sequence[Segment]) -> str:
    """Segments as they are given with a request: nothing for none."""
    if not segments:
        return ""
    return "\n\nWhat this leaves open:\n" + "\n".join(f"- {_said(each)}" for each in segments)


def _said(segment: Segment) -> str:
    slot = segment.slot
    said = slot.says.replace("{value}", segment.value) if slot.says else segment.value
    return f"{(slot.role or slot.kind).replace('_', ' ')}: {said}"


class _Agent:
    """An agent at a desk on the branch's terms."""

    def __init__(self, inner: Agent, task: Task, prompt: str, terms: Terms, *, told: bool) -> None:
        self._inner, self._task, self._prompt, self._terms = inner, task, prompt, terms
        self._begun: set[int] = set() if told else {*range(len(task.sessions))}

    async def turn(self, desk: Desk, message: str) -> str:
        if desk.session not in self._begun:
            self._begun.add(desk.session)
            brief = self._task.sessions[desk.session].briefs.get(self._prompt, Brief(intent=""))
            message += told_by([each for each in brief.withheld if each.id in self._terms.told])
        return await self._inner.turn(_Desk(desk, self._terms), message)


class _Desk:
    """A desk from which the tools for asking are taken away when the branch leaves its record.

    A model that is told of its tools in the conversation (`Terms.native` is false) has been told of these; calls to
    them are refused then.
    """

    def __init__(self, behind: Desk, terms: Terms) -> None:
        self._behind, self._terms = behind, terms
        self.session, self.system, self.now = behind.session, behind.system, behind.now
        self.toolsets: Mapping[str, Toolset] = behind.toolsets
        self.owner: Owner | None = behind.owner
        self.tools: Sequence[ToolSpec] = self._offered()

    def _offered(self) -> Sequence[ToolSpec]:
        never = self._terms.native and self._terms.kind == "not asked"
        hidden = self._terms.asking if never or self._terms.silent else None
        return [tool for tool in self._behind.tools if tool.app != hidden]

    @property
    def messages(self) -> Sequence[Message]:
        return self._behind.messages

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        asks = any(tool.name == name and tool.app == self._terms.asking for tool in self._behind.tools)
        if asks and self._terms.silent:
            return self.garbled(name, "", "there is no such tool")
        reply = await self._behind.call(name, arguments)
        self._stepped()
        return reply

    def garbled(self, name: str, raw: str, problem: str) -> Reply:
        reply = self._behind.garbled(name, raw, problem)
        self._stepped()
        return reply

    def _stepped(self) -> None:
        self._terms.steps += 1
        self.tools = self._offered()

    def say(self, message: Message) -> None:
        self._behind.say(message)

    def spend(self, call: ModelCall) -> None:
        self._behind.spend(call)

    def random(self, decision: str, purpose: str) -> random.Random:
        return self._behind.random(decision, purpose)


class _User:
    """Answers as the user behind it does, save where the branch has it defer or nobody there."""

    def __init__(self, behind: User, unaware: Callable[[], User], brief: Brief, terms: Terms) -> None:
        self._behind, self._unaware, self._brief, self._terms = behind, unaware, brief, terms

    async def answer(self, question: Question) -> Answer:
        terms, number = self._terms, self._terms.answers
        silent = terms.silent
        terms.answers += 1
        terms.steps += question.end_of_turn
        if silent:
            return Answer(text="" if question.end_of_turn else terms.deferral, goes_on=not question.end_of_turn)
        if terms.kind != "deferred" or number < terms.number:
            return await self._behind.answer(question)
        if number == terms.number or question.text == terms.question:
            return self._deferral(terms.deferred)
        heard = await self._behind.answer(question)
        named = {*heard.targets, *heard.revealed}
        if not named & terms.deferred:
            return heard
        return await self._on_others(question, named) if named - terms.deferred else self._deferral(named)

    async def _on_others(self, question: Question, named: set[str]) -> Answer:
        """What the question asks for besides, and a deferral for the rest."""
        rest = await self._unaware().answer(question)
        values = [each.value for each in self._brief.withheld if each.id in self._terms.deferred]
        if any(value.casefold() in rest.text.casefold() for value in values):
            return self._deferral(named)
        put_off = self._deferral(named & self._terms.deferred)
        return Answer(
            text=f"{rest.text} As for the rest: {put_off.text}",
            targets=(*rest.targets, *put_off.targets),
            revealed=rest.revealed,
            parts=(*rest.parts, *put_off.parts),
            goes_on=True,
        )

    def _deferral(self, named: frozenset[str] | set[str]) -> Answer:
        text, targets = self._terms.deferral, tuple(sorted(named))
        parts = tuple(Part(kind="no_preference", target=target, text=text) for target in targets or ("",))
        return Answer(text=text, targets=targets, parts=parts, goes_on=True)


class _Partner(_User):
    """The same of a user who is there for the whole trial."""

    async def opens(self, session: Opening) -> str:
        behind = self._behind
        return await behind.opens(session) if isinstance(behind, Partner) else ""
