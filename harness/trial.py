"""One agent on one task under one condition, once."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, Protocol

import anyio
import jinja2

from harness.agents.desk import Agent, AgentFailed, LimitReached, Reply, ToolSpec
from harness.config import AgentConfig, Condition, ConfigProblem, Limits, LlmConfig, RunConfig, UserConfig
from harness.links import Link, apps_of
from harness.store import TrialRecord
from harness.suite import Suite
from harness.task import Brief, Task
from harness.trajectory import Asked, CallRecord, Message, ModelCall, SessionRecord, Trajectory, Usage
from servers import catalog
from servers.kernel import Base, Engine, Fault, Question, Toolset, User, canonical

__all__ = ("Diverged", "Job", "Prefix", "Stage", "Wiring", "play", "toolsets_for", "trial_seed")

ASK_APP = "ask_user"


class Wiring(Protocol):
    """What the command line puts together: suites, users and agents by name."""

    def suite(self, name: str) -> Suite: ...

    def user(self, config: UserConfig, brief: Brief) -> User: ...

    def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
        """A fresh agent for one trial; a model's first replies come from `recorded` where it is given."""

    async def aclose(self) -> None:
        """Give back connections, on the event loop that the trials ran on."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """One trial to play. `prompt` is the condition's prompt variant, `attempt` counts tries from 0."""

    agent: AgentConfig
    condition: str
    prompt: str
    task: Task
    trial: int
    attempt: int = 0


def trial_seed(run_seed: int, task: str, condition: str, trial: int) -> int:
    """The trial's seed: the agent is not part of it, so that comparisons between agents are paired."""
    body = canonical([run_seed, task, condition, trial])
    return int.from_bytes(hashlib.sha256(body).digest()[:8])


class Stage:
    """What the trials of one process share: the config, the suite, one engine, loaded worlds."""

    def __init__(self, config: RunConfig, suite: Suite, wiring: Wiring) -> None:
        self.config, self.suite, self.wiring = config, suite, wiring
        self.engine = Engine()
        self._bases: dict[str, Base] = {}
        self._toolsets: dict[tuple[str, tuple[str, ...]], dict[str, Toolset]] = {}

    def base(self, world: str) -> Base:
        if world not in self._bases:
            self._bases[world] = self.engine.load(self.suite.world(world))
        return self._bases[world]

    def toolsets(self, condition: str, apps: tuple[str, ...]) -> dict[str, Toolset]:
        """`toolsets_for`, worked out once per condition and set of apps."""
        if (condition, apps) not in self._toolsets:
            self._toolsets[condition, apps] = toolsets_for(self.suite, self.config.conditions[condition], apps)
        return self._toolsets[condition, apps]

    def offered(self, condition: str, task: Task) -> tuple[str, ...]:
        """The apps of a task that an agent gets under a condition, the one for asking left out."""
        if self.config.conditions[condition].tools == "all" or self.suite.required is None:
            return task.apps
        needed = self.suite.required(task)
        return tuple(app for app in task.apps if app in needed)


def toolsets_for(suite: Suite, condition: Condition, apps: Sequence[str]) -> dict[str, Toolset]:
    """The toolset of each app under a condition, the one for asking included.

    Raises `ConfigProblem` for one that an app does not have and for `tools: required` where the suite does
    not say what a task needs, `UnknownApp` for an app that is not there.
    """
    if condition.tools == "required" and suite.required is None:
        raise ConfigProblem(f"tools: suite {suite.name} does not say which apps a task needs; write `all`")
    found: dict[str, Toolset] = {}
    for name in (*apps, ASK_APP) if condition.ask == "ask_user" else apps:
        app = catalog.app(name)
        wanted = condition.toolsets.get(name) or suite.toolsets.get(name)
        if wanted and wanted not in app.toolsets:
            known = ", ".join(app.toolsets)
            raise ConfigProblem(f"toolsets.{name}: {name} has no toolset {wanted!r}; it has {known}")
        found[name] = app.toolsets[wanted] if wanted else app.default
    return found


@dataclass
class _Spent:
    """Budgets used so far, over all sessions of a try. `before` is what earlier tries took."""

    limits: Limits
    before: Usage = field(default_factory=Usage)
    turns: int = 0
    tool_calls: int = 0
    usage: Usage = field(default_factory=Usage)

    def turn(self, call: ModelCall) -> None:
        self.turns += 1
        self.usage = self.usage + call.usage
        self._check("turns", self.turns, self.limits.turns)
        total = self.before + self.usage
        self._check("tokens", total.prompt_tokens + total.completion_tokens, self.limits.tokens)
        self._check("cost_usd", total.cost_usd or 0, self.limits.cost_usd)

    def call(self) -> None:
        self.tool_calls += 1
        self._check("tool_calls", self.tool_calls, self.limits.tool_calls)

    @staticmethod
    def _check(name: str, used: float, limit: float | None) -> None:
        if limit is not None and used > limit:
            raise LimitReached(name)


@cache
def _specs(toolset: Toolset) -> tuple[ToolSpec, ...]:
    app = toolset.app.name
    return tuple(
        ToolSpec(f"{app}_{tool.name}", app, tool.name, tool.description, tool.input_schema)
        for tool in toolset.tools.values()
    )


@cache
def _system_template() -> jinja2.Template:
    path = Path(__file__).parent / "prompts" / "system.j2"
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)
    return environment.from_string(path.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Prefix:
    """A recorded trial to follow for its first `step` calls before going on live."""

    trajectory: Trajectory
    step: int

    @property
    def model_calls(self) -> list[ModelCall]:
        """The replies that led to those calls."""
        if not self.step:
            return []
        last = self.trajectory.calls[self.step - 1]
        return [c for c in self.trajectory.model_calls if (c.session, c.turn) <= (last.session, last.turn)]

    def check(self, record: CallRecord) -> None:
        """Raise `Diverged` unless the call, what it wrote and what it was told are the recorded ones."""
        recorded = self.trajectory.calls[record.n]
        if record != recorded:
            raise Diverged(
                f"call {record.n} was {recorded.app}.{recorded.tool}({recorded.arguments}), "
                f"now {record.app}.{record.tool}({record.arguments}) or another result"
            )


class Diverged(Fault):
    """A replay did something else than what was recorded."""


class _Desk:
    """The `Desk` of one session."""

    def __init__(
        self,
        link: Link,
        spent: _Spent,
        trajectory: Trajectory,
        prefix: Prefix | None,
        *,
        system: str,
        now: datetime,
    ) -> None:
        self._link, self._spent, self._trajectory, self._prefix = link, spent, trajectory, prefix
        self.session = link.sandbox.session
        self.system, self.now = system, now
        self.tools: Sequence[ToolSpec] = [spec for set_ in link.sandbox.toolsets.values() for spec in _specs(set_)]
        self.messages: list[Message] = []
        self._by_name = {spec.name: spec for spec in self.tools}

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        self._spent.call()
        spec = self._by_name.get(name)
        if spec is None:
            known = ", ".join(self._by_name)
            text = f"There is no tool {name!r}. Available: {known}."
            self._check(self._link.sandbox.record("", name, arguments, "unknown", text))
            return Reply(text, {}, True)
        reply = await self._link.call(spec.app, spec.tool, arguments)
        self._check(self._link.sandbox.calls[-1])
        return reply

    def garbled(self, name: str, raw: str, problem: str) -> Reply:
        self._spent.call()
        text = problem
        if name:
            text = f"The call to {name!r} could not be read: {problem}. Give the arguments as one JSON object."
        self._check(self._link.sandbox.record("", name, {"raw": raw}, "garbled", text))
        return Reply(text, {}, True)

    def spend(self, call: ModelCall) -> None:
        self._trajectory.model_calls.append(call)
        self._link.sandbox.turn += 1
        self._spent.turn(call)

    def _check(self, record: CallRecord) -> None:
        """Stop at a fault of ours, and where a replay leaves its record."""
        if record.status in ("defect", "fault"):
            raise Fault(record.text)
        if self._prefix and record.n < self._prefix.step:
            self._prefix.check(record)

    def random(self, decision: str, purpose: str) -> random.Random:
        key = canonical([self._trajectory.seed, self.session, decision, purpose])
        return random.Random(hashlib.sha256(key).digest())


async def play(stage: Stage, job: Job, links: Any, prefix: Prefix | None = None) -> TrialRecord:
    """Play one trial and score it. Never raises for what went wrong inside: the record says it.

    With a `prefix`, recorded model replies feed the agent first, and each call, with what it wrote and
    was told, must be the recorded one; anything else voids the trial.
    """
    began = time.perf_counter()
    tries = list(prefix.trajectory.tries) if prefix else []
    trajectory = await _try(stage, job, tries, links, prefix)
    while len(tries) < _resample(job.agent) and _unread(trajectory):
        tries.append(trajectory)
        trajectory = await _try(stage, job, tries, links)
    trajectory.tries = tries
    trajectory.usage = sum((each.usage for each in (*tries, trajectory)), start=Usage())
    trajectory.seconds = _since(began)
    scores = {name: check(job.task, trajectory) for name, check in stage.suite.checks.items()}
    return TrialRecord.model_construct(trajectory=trajectory, scores=scores)


def _resample(agent: AgentConfig) -> int:
    return agent.resample if isinstance(agent, LlmConfig) else 0


def _unread(trajectory: Trajectory) -> bool:
    """Whether a try failed because an action was missing or could not be read; what it changed has no say.

    A try repeated because it changed nothing would tell the agent that the task needs an action.
    """
    calls = trajectory.calls
    return trajectory.status == "crashed" and bool(calls) and calls[-1].status == "garbled"


def _since(began: float) -> float:
    return round(time.perf_counter() - began, 3)


async def _try(
    stage: Stage, job: Job, tries: Sequence[Trajectory], links: Any, prefix: Prefix | None = None
) -> Trajectory:
    """Play a trial in a fresh sandbox, after the `tries` given up already."""
    config, task = stage.config, job.task
    condition = config.conditions[job.condition]
    spent = _Spent(config.limits, sum((earlier.usage for earlier in tries), start=Usage()))
    seed = trial_seed(config.seed, task.id, job.condition, job.trial)
    trajectory = Trajectory(
        suite=stage.suite.name,
        task=task.id,
        task_hash=task.hash,
        agent=job.agent.name,
        condition=job.condition,
        trial=job.trial,
        seed=seed,
        prompt=condition.prompt,
        status="finished",
        transport=config.transport,
        package=_package(),
    )
    began = time.perf_counter()
    try:
        await _play(stage, replace(job, attempt=len(tries)), condition, trajectory, spent, links, prefix)
    except Exception as error:  # noqa: BLE001 - whatever the harness itself could not handle voids this one trial
        cause = _cause(error)
        trajectory.status, trajectory.reason = "void", f"{type(cause).__name__}: {cause}"
    trajectory.usage = spent.usage
    trajectory.seconds = _since(began)
    return trajectory


async def _play(
    stage: Stage,
    job: Job,
    condition: Condition,
    trajectory: Trajectory,
    spent: _Spent,
    links: Any,
    prefix: Prefix | None,
) -> None:
    task = job.task
    base = stage.base(task.world)
    toolsets = stage.toolsets(job.condition, task.apps)
    layer = stage.engine.layer(base, task.setup, apps_of(toolsets))
    trajectory.world = base.world.digest
    trajectory.start = layer.start.changes() if layer.start else []
    offered = stage.toolsets(job.condition, stage.offered(job.condition, task))
    try:
        async with links.link(layer, offered, task.setup) as link:
            recorded = prefix.model_calls if prefix else ()
            agent = stage.wiring.agent(job, stage.suite, recorded)
            for number in range(len(task.sessions)):
                link.sandbox.session, link.sandbox.turn = number, 0
                over = await _session(stage, job, condition, trajectory, link, spent, agent, number, prefix)
                if over or number == len(task.sessions) - 1:
                    break
            if prefix and trajectory.status != "void" and len(link.sandbox.calls) < prefix.step:
                raise Diverged(f"the agent made {len(link.sandbox.calls)} calls, not the {prefix.step} on record")
            trajectory.changes, trajectory.digest = await link.settle()
            trajectory.sessions[-1].changes = trajectory.changes
            trajectory.sessions[-1].digest = trajectory.digest
            trajectory.calls = link.sandbox.calls
    finally:
        layer.close()


async def _session(
    stage: Stage,
    job: Job,
    condition: Condition,
    trajectory: Trajectory,
    link: Link,
    spent: _Spent,
    agent: Agent,
    number: int,
    prefix: Prefix | None,
) -> bool:
    """Play one session; True when the trial is over early."""
    session = job.task.sessions[number]
    layer = link.sandbox.layer
    layer.now = session.now or layer.base.world.now
    request = session.requests.get(condition.prompt)
    if request is None:
        known = ", ".join(session.requests)
        raise ConfigProblem(f"task {job.task.id} has no prompt {condition.prompt!r}; it has {known}")
    listening = condition.ask != "off" or condition.end_of_turn == "user"
    brief = session.briefs.get(condition.prompt) or Brief(intent=request)
    user = stage.wiring.user(condition.user, brief) if listening else None
    link.sandbox.user = user
    system = _system_template().render(system=stage.suite.system, notice=condition.notice, persona=condition.persona)
    desk = _Desk(link, spent, trajectory, prefix, system=system, now=layer.now)
    record = SessionRecord(request=request, now=layer.now.isoformat())
    trajectory.sessions.append(record)
    status: Literal["finished", "limit", "crashed", "void"] = "finished"
    reason = ""
    try:
        with anyio.fail_after(stage.config.limits.seconds):
            await _converse(desk, agent, request, condition, user, record)
    except LimitReached as error:
        status, reason = "limit", str(error)
    except TimeoutError:
        status, reason = "limit", str(LimitReached("seconds"))
    except AgentFailed as error:
        status, reason = "crashed", str(error)
    except Fault as error:
        status, reason = "void", str(error)
    trajectory.messages += desk.messages
    trajectory.status, trajectory.reason = status, reason
    if number < len(job.task.sessions) - 1:
        record.changes, record.digest = layer.changes(), layer.digest()
    return status != "finished"


async def _converse(
    desk: _Desk, agent: Agent, request: str, condition: Condition, user: User | None, record: SessionRecord
) -> None:
    """Turns until the session ends: at once, or while what the agent says at the end of a turn asks for something."""
    message = request
    while True:
        record.reply = await agent.turn(desk, message)
        if condition.end_of_turn == "session" or user is None or not record.reply:
            return
        answer = await user.answer(Question(text=record.reply))
        if not answer.targets:
            return
        asked = Asked(text=record.reply, answer=answer.text, targets=answer.targets, revealed=answer.revealed)
        desk._spent.call()
        desk._link.sandbox.record("user", "end_of_turn", {}, "ok", answer.text, asked=[asked])
        message = answer.text


def _cause(error: BaseException) -> BaseException:
    """The first real exception inside groups, which task groups wrap theirs in."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


@cache
def _package() -> str:
    return version("workplace-harness")
