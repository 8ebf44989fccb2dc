"""One agent on one task under one condition, once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from anyio.lowlevel import checkpoint_if_cancelled

from harness.core.config import AgentConfig, CommandConfig, LlmConfig
from harness.core.desk import Agent, AgentFailed, LimitReached
from harness.core.trajectory import SessionRecord, Trajectory, Usage
from harness.models.rate_limit import counting
from harness.play.arriving import starting
from harness.play.opening import OpenTask, begun
from harness.play.session import Diverged, Prefix, SessionDesk, Spent
from harness.play.stage import Job, Stage
from harness.play.stopping import cause
from harness.play.wording import template
from harness.record.scores import scores
from harness.record.store import TrialRecord
from harness.serving.disturbing import following
from harness.serving.links import Link, Links
from harness.serving.sandbox import Sandbox
from servers.kernel import Fault, whole

__all__ = ("play",)


async def play(stage: Stage, job: Job, links: Links, prefix: Prefix | None = None) -> TrialRecord:
    """Play one trial and score it. Never raises for what went wrong inside: the record says it.

    Of one that is cancelled there is no record, however far it had come.

    With a `prefix`, recorded model replies feed the agent first, and each call, with what it wrote and
    was told, must be the recorded one; anything else voids the trial.
    """
    began = time.perf_counter()
    tries = list(prefix.trajectory.tries) if prefix else []
    with counting() as waits:
        trajectory = await _Try(stage, job, tries, prefix).play(links)
        while len(tries) < _resample(job.agent) and _unread(trajectory):
            tries.append(trajectory)
            trajectory = await _Try(stage, job, tries).play(links)
    trajectory.tries = tries
    trajectory.usage = sum((each.usage for each in (*tries, trajectory)), start=Usage())
    trajectory.seconds, trajectory.waited = _since(began, waits.seconds), round(waits.seconds, 3)
    found = scores(stage.suite.checks, stage.suite.task(job.task), trajectory)
    return TrialRecord.model_construct(trajectory=trajectory, scores=found)


def _resample(agent: AgentConfig) -> int:
    return agent.resample if isinstance(agent, LlmConfig) else 0


def _unread(trajectory: Trajectory) -> bool:
    """Whether a try failed because an action was missing or could not be read; what it changed has no say.

    A try repeated because it changed nothing would tell the agent that the task needs an action.
    """
    calls = trajectory.calls
    return trajectory.status == "crashed" and bool(calls) and calls[-1].status == "garbled"


def _since(began: float, waited: float) -> float:
    return round(max(time.perf_counter() - began - waited, 0), 3)


class _Try:
    """A trial played in a fresh sandbox, after the `tries` given up already."""

    def __init__(self, stage: Stage, job: Job, tries: Sequence[Trajectory], prefix: Prefix | None = None) -> None:
        config, task = stage.config, stage.suite.task(job.task)
        self.stage, self.prefix, self.task = stage, prefix, task
        self.job = replace(job, attempt=len(tries))
        self.condition = config.conditions[job.condition]
        self.spent = Spent(config.limits, sum((earlier.usage for earlier in tries), start=Usage()))
        self.trajectory = begun(
            stage.suite.name,
            task,
            prompt=job.prompt,
            agent=job.agent.name,
            condition=job.condition,
            trial=job.trial,
            run_seed=config.seed,
        )
        self.trajectory.transport = config.transport

    async def play(self, links: Links) -> Trajectory:
        began, before = time.perf_counter(), self.spent.waits.seconds
        try:
            await self._sandbox(links)
        except Exception as error:  # noqa: BLE001 - whatever the harness itself could not handle voids this one trial
            first = cause(error)
            self.trajectory.status, self.trajectory.reason = "void", f"{type(first).__name__}: {first}"
        # A run that is told to stop takes its connections away, and an agent may meet that before it is told itself.
        await checkpoint_if_cancelled()
        self.trajectory.usage = self.spent.usage + self.spent.users
        waited = self.spent.waits.seconds - before
        self.trajectory.seconds, self.trajectory.waited = _since(began, waited), round(waited, 3)
        return self.trajectory

    async def _sandbox(self, links: Links) -> None:
        """All sessions, in one sandbox."""
        stage, job, task, trajectory = self.stage, self.job, self.task, self.trajectory
        recorded = self.prefix.user_calls if self.prefix else ()
        opened = stage.open(task, trajectory, attempt=job.attempt, recorded=recorded)
        try:
            async with links.link(opened.sandbox, starting(task)) as link:
                if self.prefix:
                    opened.sandbox.disturbing = following(self.prefix.steps, opened.sandbox.disturbing)
                opened.sandbox.secrets = stage.secrets
                opened.sandbox.name = f"trial {job.trial} of {task.id} ({job.agent.name}, {job.condition})"
                recorded = self.prefix.model_calls if self.prefix else ()
                own = [call for call in recorded if not call.subagent]
                agent = stage.wiring.agent(job, stage.suite, own)
                for _ in task.sessions:
                    opened.advance()
                    await self._session(opened, link, agent)
                    if trajectory.status != "finished":
                        break
                if self.prefix and trajectory.status != "void" and (made := opened.sandbox.steps) < self.prefix.step:
                    raise Diverged(f"the agent made {made} steps, not the {self.prefix.step} on record")
                opened.sandbox.land()
                if trajectory.status != "void" and (broken := opened.broken):
                    trajectory.status, trajectory.reason = "void", broken
                opened.settle(*await link.settle())
        finally:
            self.spent.users = opened.sandbox.users
            opened.close()

    async def _session(self, opened: OpenTask, link: Link, agent: Agent) -> None:
        """The session under way, with an empty conversation."""
        stage, condition, trajectory = self.stage, self.condition, self.trajectory
        own = self.task.sessions[opened.session].limits
        words = partial(template("system").render, system=stage.suite.system, calls=self.spent.calls_of(own))
        desk = SessionDesk(
            link,
            self.spent,
            trajectory,
            self.prefix,
            system=words(notice=condition.notice, persona=condition.persona),
            now=opened.layer.now,
            plain=words(notice="none", persona="none"),
            again=partial(self._again, agent),
        )
        try:
            with self.spent.session(own):
                await opened.greet()
                await self._converse(desk, agent, trajectory.sessions[-1], opened.sandbox)
        except LimitReached as error:
            trajectory.status, trajectory.reason = "limit", str(error)
        except AgentFailed as error:
            trajectory.status, trajectory.reason = "crashed", str(error)
        except Fault as error:
            trajectory.status, trajectory.reason = "void", str(error)

    def _again(self, agent: Agent, number: int) -> Agent | None:
        """The agent once more, as a subagent; None for a program, or where the agent is one that there is only once."""
        if isinstance(self.job.agent, CommandConfig):
            return None
        recorded = self.prefix.model_calls if self.prefix else ()
        own = [call for call in recorded if call.subagent == number]
        other = self.stage.wiring.agent(replace(self.job, subagent=number), self.stage.suite, own)
        return None if other is agent else other

    async def _converse(self, desk: SessionDesk, agent: Agent, record: SessionRecord, sandbox: Sandbox) -> None:
        """Turns until the session ends: at once, or as soon as agent or user has no more to say at the end of one."""
        message, user = record.request, sandbox.user
        while True:
            try:
                record.reply = whole(await agent.turn(desk, message))
            finally:
                sandbox.give_up()  # a call over the wire may not have heard yet that nobody waits for it
            if self.condition.end_of_turn == "session" or user is None or not record.reply:
                return
            answer = await desk.hand_over(record.reply, user)
            if not answer.goes_on:
                return
            message = answer.text
