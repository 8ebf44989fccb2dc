"""Go on from the middle of a recorded trial: in a sandbox of one's own, or with an agent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import anyio

from harness.core.config import ConfigProblem, RunConfig
from harness.core.credentials import check_complete
from harness.core.suite import Suite
from harness.core.trajectory import CallRecord, HandOver, Parent, QuestionRecord, Request, Trajectory
from harness.play.opening import OpenTask
from harness.play.replay import replayed
from harness.play.run import plan
from harness.play.session import Prefix
from harness.play.stage import Job, Stage, Wiring
from harness.play.trial import play
from harness.record.belonging import check_belongs
from harness.record.files import RunError
from harness.record.holding import alone
from harness.record.mending import put
from harness.record.store import Run, RunHead, TrialRecord
from harness.serving.links import open_links
from harness.serving.sandbox import Mark, since
from servers.kernel import Partner, Question

__all__ = ("copied", "go_on", "restored")


async def restored(stage: Stage, then: Trajectory, step: int, changed: str = "") -> OpenTask:
    """A fresh sandbox as a trial had it before step `step`, which the caller closes.

    The trial is one of the stage's run (`check_belongs`). The session, time and user are those of that call. Raises
    `RunError` where there is no such step, or a call gives or writes something else than it did: for the reason, it may
    be, that `changed` gives.
    """
    _check_step(then, step)
    opened, difference = await replayed(stage, then, step, answering=True)
    if difference:
        opened.close()
        why = f" ({changed})" if changed else ""
        raise RunError(f"{then.task} cannot be brought back to step {step}: {difference}{why}")
    await _heard(opened, then, step)
    return opened


async def copied(opened: OpenTask, mark: Mark) -> OpenTask:
    """Another sandbox that goes on from a mark, with a user of its own who has heard what was said until then."""
    other = opened.copy(mark)
    await _heard(other, other.trajectory, other.sandbox.steps)
    return other


async def _heard(opened: OpenTask, then: Trajectory, step: int) -> None:
    """Say what was said before a step, so that a user who remembers it, or reads a script, is as far as then.

    One who is there for the whole trial hears of its earlier sessions too.
    """
    if (user := opened.sandbox.user) is None:
        return
    first = 0 if isinstance(user, Partner) else opened.session
    for place, event in enumerate(then.events):
        if isinstance(event, CallRecord | HandOver) and event.n == step:
            break
        if event.session < first:
            continue
        if isinstance(event, Request) and isinstance(user, Partner):
            await user.opens(opened.opening(event.session))
        elif isinstance(event, QuestionRecord) and event.step < step:
            told = event.model_dump(include={"text", "context", "strategy", "candidates"})
            await user.answer(Question(**told, since=since(then.events[:place], event.session)))
        elif isinstance(event, HandOver):
            done = since(then.events[:place], event.session)
            await user.answer(Question(text=event.text, end_of_turn=True, since=done))
    opened.sandbox.thoughts()  # they are on record there already


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
    if step and (agent.kind != kind or agent.kind in ("command", "function")):
        raise ConfigProblem(
            f"{agent.name} ({agent.kind}) cannot be led to step {step} of a trial of {then.agent} ({kind}): only a "
            "model or an instrument can follow the record of its own kind. Leave --agent, --model and --condition "
            "out to get the sandbox at that step, and connect whatever you like"
        )
    check_complete(config, "play it again from its config with `harness eval`, or go on with another agent")
    planned = plan(config.model_copy(update={"tasks": (task.id,), "trials": 1}), suite)
    job = replace(planned.jobs[0], trial=then.trial)  # its number is part of its seed
    with alone(folder):
        run = Run.create(folder, RunHead.of(planned.head.config, suite, forks=parent.head.identity))
        if run.path(agent.name, job.condition, task.id, job.trial).exists():
            raise RunError(f"{folder} holds a fork of this trial already: give another --output")
        prefix = Prefix(then, step) if step else None
        record = anyio.run(_play, Stage(planned.head.config, suite, wiring), job, prefix)
        record.trajectory.parent = Parent(run=str(parent.folder), trial=name, step=step)
        put(run, record, task, suite.checks)
    return run


def _check_step(then: Trajectory, step: int) -> None:
    if not 0 <= step <= (last := len(then.steps)):
        there = f"from 0 to {last}" if last else "0 alone"
        raise RunError(f"{then.task} has no step {step}: its trial made {last} calls, so steps are {there}")


async def _play(stage: Stage, job: Job, prefix: Prefix | None) -> TrialRecord:
    toolsets = stage.toolsets(job.condition, stage.suite.task(job.task))
    try:
        stage.suite.load_world(stage.suite.task(job.task).world)
        async with open_links(stage.config.transport, list(toolsets.values())) as links:
            return await play(stage, job, links, prefix)
    finally:
        stage.engine.close()
        await stage.wiring.aclose()
