"""One agent on one task under one condition, once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from pathlib import Path

import jinja2

from harness.agents.desk import Agent, AgentFailed, LimitReached
from harness.config import AgentConfig, ConfigProblem, LlmConfig
from harness.defaults import defaults_of
from harness.links import Link, Links, apps_of
from harness.session import Diverged, Prefix, SessionDesk, Spent
from harness.stage import Job, Stage, trial_seed
from harness.store import TrialRecord
from harness.task import Brief
from harness.trajectory import SessionRecord, Trajectory, Usage
from servers.kernel import Fault, User, whole

__all__ = ("play",)


async def play(stage: Stage, job: Job, links: Links, prefix: Prefix | None = None) -> TrialRecord:
    """Play one trial and score it. Never raises for what went wrong inside: the record says it.

    With a `prefix`, recorded model replies feed the agent first, and each call, with what it wrote and
    was told, must be the recorded one; anything else voids the trial.
    """
    began = time.perf_counter()
    tries = list(prefix.trajectory.tries) if prefix else []
    trajectory = await _Try(stage, job, tries, prefix).play(links)
    while len(tries) < _resample(job.agent) and _unread(trajectory):
        tries.append(trajectory)
        trajectory = await _Try(stage, job, tries).play(links)
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


class _Try:
    """A trial played in a fresh sandbox, after the `tries` given up already."""

    def __init__(self, stage: Stage, job: Job, tries: Sequence[Trajectory], prefix: Prefix | None = None) -> None:
        config, task = stage.config, job.task
        self.stage, self.prefix = stage, prefix
        self.job = replace(job, attempt=len(tries))
        self.condition = config.conditions[job.condition]
        self.spent = Spent(config.limits, sum((earlier.usage for earlier in tries), start=Usage()))
        self.trajectory = Trajectory(
            suite=stage.suite.name,
            task=task.id,
            task_hash=task.hash,
            agent=job.agent.name,
            condition=job.condition,
            trial=job.trial,
            seed=trial_seed(config.seed, task.id, job.condition, job.trial),
            prompt=job.prompt,
            status="finished",
            transport=config.transport,
            package=_package(),
        )

    async def play(self, links: Links) -> Trajectory:
        began = time.perf_counter()
        try:
            await self._sandbox(links)
        except Exception as error:  # noqa: BLE001 - whatever the harness itself could not handle voids this one trial
            cause = _cause(error)
            self.trajectory.status, self.trajectory.reason = "void", f"{type(cause).__name__}: {cause}"
        self.trajectory.usage = self.spent.usage
        self.trajectory.seconds = _since(began)
        return self.trajectory

    async def _sandbox(self, links: Links) -> None:
        """All sessions, in one sandbox."""
        stage, job, task, trajectory = self.stage, self.job, self.job.task, self.trajectory
        base = stage.base(task.world)
        layer = stage.engine.layer(base, task.setup, apps_of(stage.toolsets(job.condition, task.apps)))
        trajectory.world = base.world.digest
        trajectory.start = layer.start.changes() if layer.start else []
        offered = stage.toolsets(job.condition, stage.offered(job.condition, task))
        try:
            async with links.link(layer, offered, task.setup) as link:
                trajectory.calls = link.sandbox.calls
                link.sandbox.secrets = stage.secrets
                link.sandbox.name = f"trial {job.trial} of {task.id} ({job.agent.name}, {job.condition})"
                agent = stage.wiring.agent(job, stage.suite, self.prefix.model_calls if self.prefix else ())
                for number in range(len(task.sessions)):
                    await self._session(number, link, agent)
                    if trajectory.status != "finished":
                        break
                    if number < len(task.sessions) - 1:
                        trajectory.sessions[-1].changes = layer.changes()
                        trajectory.sessions[-1].digest = layer.digest()
                if self.prefix and trajectory.status != "void" and len(trajectory.calls) < self.prefix.step:
                    raise Diverged(
                        f"the agent made {len(trajectory.calls)} calls, not the {self.prefix.step} on record"
                    )
                trajectory.changes, trajectory.digest = await link.settle()
                trajectory.defaults = defaults_of(trajectory.changes, offered)
                trajectory.sessions[-1].changes = trajectory.changes
                trajectory.sessions[-1].digest = trajectory.digest
        finally:
            layer.close()

    async def _session(self, number: int, link: Link, agent: Agent) -> None:
        """One session: its own time, request and user, and an empty conversation."""
        stage, condition, trajectory, sandbox = self.stage, self.condition, self.trajectory, link.sandbox
        session = self.job.task.sessions[number]
        request = session.requests.get(condition.prompt)
        if request is None:
            known = ", ".join(session.requests)
            raise ConfigProblem(f"task {self.job.task.id} has no prompt {condition.prompt!r}; it has {known}")
        listening = condition.ask != "off" or condition.end_of_turn == "user"
        brief = session.briefs.get(condition.prompt) or Brief(intent=request)
        sandbox.session, sandbox.turn = number, 0
        if listening:
            sandbox.user = stage.wiring.user(condition.user, brief)
        now = sandbox.layer.now = session.now or sandbox.layer.base.world.now
        system = _system_template().render(
            system=stage.suite.system, notice=condition.notice, persona=condition.persona
        )
        desk = SessionDesk(link, self.spent, trajectory, self.prefix, system=system, now=now)
        record = SessionRecord(request=request, now=now.isoformat())
        trajectory.sessions.append(record)
        try:
            with self.spent.session(session.limits):
                await self._converse(desk, agent, record, sandbox.user)
        except LimitReached as error:
            trajectory.status, trajectory.reason = "limit", str(error)
        except AgentFailed as error:
            trajectory.status, trajectory.reason = "crashed", str(error)
        except Fault as error:
            trajectory.status, trajectory.reason = "void", str(error)
        trajectory.messages += desk.messages

    async def _converse(self, desk: SessionDesk, agent: Agent, record: SessionRecord, user: User | None) -> None:
        """Turns until the session ends: at once, or as soon as the user has no more to say at the end of one."""
        message = record.request
        while True:
            record.reply = whole(await agent.turn(desk, message))
            if self.condition.end_of_turn == "session" or user is None or not record.reply:
                return
            answer = await desk.hand_over(record.reply, user)
            if not answer.goes_on:
                return
            message = answer.text


def _cause(error: BaseException) -> BaseException:
    """The first real exception inside groups, which task groups wrap theirs in."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


@cache
def _system_template() -> jinja2.Template:
    path = Path(__file__).parent / "prompts" / "system.j2"
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)
    return environment.from_string(path.read_text(encoding="utf-8"))


@cache
def _package() -> str:
    return version("workplace-harness")
