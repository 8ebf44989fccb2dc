"""Go on from the middle of a recorded trial: in a sandbox of one's own, or with an agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import anyio

from harness.belonging import check_belongs
from harness.config import ConfigProblem, RunConfig
from harness.credentials import incomplete
from harness.links import open_links
from harness.mending import put
from harness.replay import replayed
from harness.run import plan
from harness.sandbox import Sandbox
from harness.session import END_OF_TURN, Prefix
from harness.stage import Job, Stage, Wiring
from harness.store import Run, RunError, TrialRecord
from harness.suite import Suite
from harness.task import Brief
from harness.trajectory import CallRecord, Parent, Trajectory
from harness.trial import play
from servers.kernel import Question, User

__all__ = ("go_on", "restored")


async def restored(stage: Stage, then: Trajectory, step: int) -> Sandbox:
    """A fresh sandbox as a trial had it before call `step`, whose layer the caller closes.

    Its session, time and user are those of that call. Raises `RunError` where there is no such step, the task
    has changed, or a call gives or writes something else than it did.
    """
    _check_step(then, step)
    sandbox, difference = await replayed(stage, then, step)
    if difference:
        sandbox.layer.close()
        raise RunError(f"{then.task} cannot be brought back to step {step}: {difference}")
    at = then.calls[min(step, len(then.calls) - 1)].session if then.calls else 0
    session, condition = stage.suite.task(then.task).sessions[at], stage.config.conditions[then.condition]
    sandbox.session = at
    sandbox.layer.now = session.now or sandbox.layer.base.world.now
    brief = session.briefs.get(then.prompt) or Brief(intent=session.requests[then.prompt])
    sandbox.user = None
    if condition.ask != "off":
        sandbox.user = stage.wiring.user(condition.user, brief)
        await _heard(sandbox.user, [call for call in then.calls[:step] if call.session == at])
    return sandbox


async def _heard(user: User, calls: Sequence[CallRecord]) -> None:
    """Ask what was asked in these calls, so that a user who remembers it, or reads a script, is as far as then."""
    for call in calls:
        for asked in call.asked:
            question = Question(
                text=asked.text,
                context=asked.context,
                strategy=asked.strategy,
                candidates=asked.candidates,
                end_of_turn=(call.app, call.tool) == END_OF_TURN,
            )
            await user.answer(question)


def go_on(config: RunConfig, suite: Suite, wiring: Wiring, parent: Run, name: str, step: int, folder: Path) -> Run:
    """Play one trial of a parent run from before call `step` on, into a run of its own.

    `config` names the one agent and the one condition that go on. The agent is led there by prefix replay: a model
    is given the recorded replies, and every request and call up to there has to be the recorded one, or the trial is
    void. Of a reply with several calls all are made, also those behind `step`. The record names its parent.
    Raises `ConfigProblem` for an agent that cannot be led, and `RunError`.
    """
    then = parent.read(parent.folder / "trials" / f"{name}.json").trajectory
    _check_step(then, step)
    check_belongs(then, parent.head.config, suite, parent.folder)
    task = suite.task(then.task)
    (agent,) = config.agents
    kind = {each.name: each.kind for each in parent.head.config.agents}[then.agent]
    if step and (agent.kind != kind or agent.kind == "command"):
        raise ConfigProblem(
            f"{agent.name} ({agent.kind}) cannot be led to step {step} of a trial of {then.agent} ({kind}): only a "
            "model or an instrument can follow the record of its own kind. Leave --agent, --model and --condition "
            "out to get the sandbox at that step, and connect whatever you like"
        )
    if incomplete(agent):
        raise ConfigProblem(
            f"{agent.name}: its settings hold credentials in a URL, which are not stored with a run. Play it anew "
            "from its config with `harness eval`, or go on with another agent"
        )
    planned = plan(config.model_copy(update={"tasks": (task.id,), "trials": 1}), suite)
    job = replace(planned.jobs[0], trial=then.trial)  # its number is part of its seed
    run = Run.create(folder, planned.head)
    if run.path(agent.name, job.condition, task.id, job.trial).exists():
        raise RunError(f"{folder} holds a fork of this trial already: give another --output")
    prefix = Prefix(then, step) if step else None
    record = anyio.run(_play, Stage(planned.head.config, suite, wiring), job, prefix)
    record.trajectory.parent = Parent(run=str(parent.folder), trial=name, step=step)
    put(run, record, task, suite.checks)
    return run


def _check_step(then: Trajectory, step: int) -> None:
    if not 0 <= step <= (last := len(then.calls)):
        there = f"from 0 to {last}" if last else "0 alone"
        raise RunError(f"{then.task} has no step {step}: its trial made {last} calls, so steps are {there}")


async def _play(stage: Stage, job: Job, prefix: Prefix | None) -> TrialRecord:
    toolsets = stage.toolsets(job.condition, job.task.apps)
    try:
        stage.suite.load_world(job.task.world)
        async with open_links(stage.config.transport, list(toolsets.values())) as links:
            return await play(stage, job, links, prefix)
    finally:
        stage.engine.close()
        await stage.wiring.aclose()
