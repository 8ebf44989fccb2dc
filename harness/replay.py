"""Play recorded calls again, without any agent, and compare what they leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import anyio

from harness.belonging import check_belongs
from harness.links import apps_of
from harness.sandbox import Sandbox
from harness.stage import Stage, Wiring
from harness.store import Run, RunError
from harness.suite import Suite
from harness.trajectory import CallRecord, Trajectory
from servers.kernel import Answer, Question, UserFault

__all__ = ("Replayed", "replay_run", "replayed")


class Replayed(NamedTuple):
    """One trial played again: the digest then and now, and the first call that went otherwise."""

    agent: str
    condition: str
    task: str
    trial: int
    expected: str
    digest: str
    difference: str = ""

    @property
    def equal(self) -> bool:
        return self.expected == self.digest and not self.difference


class _RecordedUser:
    """Says what was said then."""

    def __init__(self, calls: Sequence[CallRecord]) -> None:
        self._answers = iter([asked for call in calls for asked in call.asked])

    async def answer(self, question: Question) -> Answer:
        asked = next(self._answers, None)
        if asked is None or asked.text != question.text:
            raise UserFault(f"nobody asked {question.text!r} then")
        return Answer(text=asked.answer, targets=asked.targets, revealed=asked.revealed)


def replay_run(run: Run, suite: Suite, wiring: Wiring, trial: str | None = None) -> list[Replayed]:
    """Replay every trial of a run, or the one whose file name starts with `trial`.

    Raises `RunError` when a task has changed since, or no trial is of that name.
    """
    return anyio.run(_replay, run, suite, wiring, trial)


async def _replay(run: Run, suite: Suite, wiring: Wiring, trial: str | None) -> list[Replayed]:
    stage = Stage(run.head.config, suite, wiring)
    paths = sorted((run.folder / "trials").glob("*.json"))
    try:
        chosen = [path for path in paths if trial is None or path.name.startswith(trial)]
        found = [await _replay_one(stage, run.read(path).trajectory) for path in chosen]
    finally:
        stage.engine.close()
    if trial is not None and not found:
        raise RunError(f"{run.folder} has no trial {trial!r}")
    return found


async def replayed(stage: Stage, then: Trajectory, step: int | None = None) -> tuple[Sandbox, str]:
    """Play the calls of a trial before `step` again (None: all) in a fresh sandbox, whose layer the caller closes.

    The text says how the first call that went otherwise did; it is empty where all went as they had. Raises
    `RunError` when the task has changed since.
    """
    check_belongs(then, stage.config, stage.suite)
    task = stage.suite.task(then.task)
    toolsets = stage.toolsets(then.condition, task.apps)
    layer = stage.engine.layer(stage.base(task.world), task.setup, apps_of(toolsets))
    difference = ""
    try:
        sandbox = Sandbox(layer, toolsets, _RecordedUser(then.calls))
        for call in then.calls[:step]:
            sandbox.session, sandbox.turn = call.session, call.turn
            layer.now = task.sessions[call.session].now or layer.base.world.now
            if call.app in toolsets:
                now = await sandbox.call(call.app, call.tool, call.arguments)
            else:
                now = sandbox.record(call.app, call.tool, call.arguments, call.status, call.text, asked=call.asked)
            if now != call and not difference:
                difference = f"call {call.n}, {call.app}.{call.tool}, went otherwise: {now.text[:200]!r}"
    except BaseException:
        layer.close()
        raise
    return sandbox, difference


async def _replay_one(stage: Stage, then: Trajectory) -> Replayed:
    sandbox, difference = await replayed(stage, then)
    try:
        digest = sandbox.layer.digest()
    finally:
        sandbox.layer.close()
    return Replayed(then.agent, then.condition, then.task, then.trial, then.digest, digest, difference)
