"""Play recorded calls again, without any agent, and compare what they leave."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import anyio

from harness.core.suite import Suite
from harness.core.trajectory import Arrival, Asked, CallRecord, HandOver, Landing, Request, SessionRecord, Trajectory
from harness.play.differing import otherwise
from harness.play.opening import OpenTask, begun
from harness.play.stage import Stage, Wiring
from harness.record.belonging import check_belongs
from harness.record.files import RunError
from harness.record.store import Run
from harness.serving.disturbing import following
from servers.kernel import Answer, Question, Rejected, UserFault

__all__ = ("Replayed", "replay_run", "replayed")


class Replayed(NamedTuple):
    """One trial played again: the digest then and now, and in what it first differs from its record, if in anything."""

    agent: str
    condition: str
    task: str
    trial: int
    expected: str
    digest: str
    difference: str = ""

    @property
    def equal(self) -> bool:
        return not self.difference


class _RecordedWorker:
    """Reports what was reported in one call then, or comes to no end as then."""

    def __init__(self, step: CallRecord) -> None:
        self._step = step

    async def work(self, task: str) -> str:
        if self._step.status != "ok":
            raise Rejected(self._step.text)
        return self._step.text


class _RecordedUser:
    """Says what was said in one call then."""

    def __init__(self, step: CallRecord) -> None:
        self._answers = iter(step.asked)

    async def answer(self, question: Question) -> Answer:
        asked = next(self._answers, None)
        if asked is None or asked.text != question.text:
            raise UserFault(f"nobody asked {question.text!r} then")
        return _answer(asked)


def replay_run(run: Run, suite: Suite, wiring: Wiring, trial: str | None = None) -> list[Replayed]:
    """Replay every trial of a run, or the one whose file name starts with `trial`.

    Raises `RunError` when a task has changed since, or no trial is of that name.
    """
    return anyio.run(_replay, run, suite, wiring, trial)


async def _replay(run: Run, suite: Suite, wiring: Wiring, trial: str | None) -> list[Replayed]:
    stage = Stage(run.head.config, suite, wiring)
    paths = run.files()
    try:
        chosen = [path for path in paths if trial is None or path.name.startswith(trial)]
        found = [await _replay_one(stage, run, path) for path in chosen]
    finally:
        stage.engine.close()
    if trial is not None and not found:
        raise RunError(f"{run.folder} has no trial {trial!r}")
    return found


async def replayed(
    stage: Stage, then: Trajectory, step: int | None = None, *, answering: bool = False
) -> tuple[OpenTask, str]:
    """Take the steps of a trial before `step` again (None: all) in a fresh sandbox, which the caller closes.

    The trial is one of the stage's run (`check_belongs`). The sandbox is in the session of that step then, `answering`
    with the user of the trial. The text says which call was the first to go differently, and how; it is empty where
    all went as they had.
    """
    task = stage.suite.task(then.task)
    record = begun(
        then.suite,
        task,
        prompt=then.prompt,
        agent=then.agent,
        condition=then.condition,
        trial=then.trial,
        run_seed=stage.config.seed,
    )
    steps, difference = then.steps, ""
    recorded = then.user_calls(len(steps) if step is None else step)
    opened = stage.open(task, record, answering=answering, recorded=recorded)
    sandbox = opened.sandbox
    sandbox.disturbing = following(steps[:step], sandbox.disturbing)
    try:
        opened.begin()
        for call in steps[:step]:
            _words(opened, then)
            opened.advance(call.session)
            sandbox.turn, sandbox.subagent = call.turn, call.subagent
            if isinstance(call, HandOver):
                sandbox.hand_over(call.text, _answer(call.asked[0]))
                continue
            user, sandbox.user, sandbox.worker = sandbox.user, _RecordedUser(call), _RecordedWorker(call)
            if call.app in sandbox.toolsets:
                now = await sandbox.call(call.app, call.tool, call.arguments)
            else:
                now = sandbox.record(call.app, call.tool, call.arguments, call.status, call.text)
            sandbox.user, sandbox.worker = user, None
            if now != call and not difference:
                difference = f"call {call.n}, {call.app}.{call.tool}, went differently: {otherwise(call, now)}"
        sandbox.subagent = 0  # whoever goes on here is none
        _words(opened, then)
        opened.advance(steps[step].session if step is not None and step < len(steps) else len(then.sessions) - 1)
        if step is None:
            sandbox.land()
        _words(opened, then)
    except BaseException:
        opened.close()
        raise
    return opened, difference


def _words(opened: OpenTask, then: Trajectory) -> None:
    """Put on record what sessions began and ended with: a user may have said it, and an agent has."""
    for session, was in zip(opened.trajectory.sessions, then.sessions, strict=False):
        session.request, session.reply = was.request, was.reply


def _left_otherwise(then: Trajectory, now: Trajectory) -> str:
    """What of a record, beside its steps, is not as they give it again: the first of it; empty if all is."""
    if difference := next(filter(None, (_came_otherwise(then, now, kind) for kind in (Landing, Arrival, Request))), ""):
        return difference
    if len(then.sessions) != len(now.sessions):
        return f"its record has {len(then.sessions)} sessions, where these calls are of {len(now.sessions)}"
    ends: list[tuple[str, Trajectory | SessionRecord, Trajectory | SessionRecord]] = [("", then, now)]
    ends += [(f"session {n}: ", *pair) for n, pair in enumerate(zip(then.sessions, now.sessions, strict=True))]
    for place, was, is_ in ends:
        if was.digest != is_.digest:
            return f"{place}digest {is_.digest[:12]}, not {was.digest[:12]}"
        if was.changes != is_.changes:
            return f"{place}its record has other changes, which are what is scored, than these calls make"
    if then.start != now.start:
        return "its record has another start than its task and what arrived make"
    if then.defaults != now.defaults:
        return "its record has other defaults than the tables of its new rows"
    return ""


def _came_otherwise(then: Trajectory, now: Trajectory, kind: type[Landing | Arrival | Request]) -> str:
    """How the first event of a kind that came otherwise did; empty if all came as they had."""
    was, are = ([event for event in each.events if isinstance(event, kind)] for each in (then, now))
    for is_, was_ in zip_longest(are, was):
        if isinstance(is_, Request) and was_ and not is_.text:  # a user's words, which are as recorded
            is_ = is_.model_copy(update={"text": was_.text})
        if is_ != was_:
            what = f"{_named(is_ or was_)} went differently: "
            return what + (otherwise(was_, is_) if is_ and was_ else "it came then" if was_ else "none came then")
    return ""


def _named(event: Landing | Arrival | Request) -> str:
    if isinstance(event, Landing):
        return f"the late effect of call {event.step}"
    if isinstance(event, Arrival):
        return f"what arrived in session {event.session} after {event.step} steps"
    return f"the beginning of session {event.session}"


def _answer(asked: Asked) -> Answer:
    """What was answered then, as a user gives it."""
    return Answer(
        text=asked.answer, targets=asked.targets, revealed=asked.revealed, parts=asked.parts, goes_on=asked.goes_on
    )


async def _replay_one(stage: Stage, run: Run, path: Path) -> Replayed:
    then = run.read(path).trajectory
    check_belongs(then, stage.config, stage.suite, run.folder)
    opened, difference = await replayed(stage, then)
    try:
        opened.settle(opened.layer.changes(), opened.layer.digest())
    finally:
        opened.close()
    now = opened.trajectory
    difference = difference or _left_otherwise(then, now)
    return Replayed(then.agent, then.condition, then.task, then.trial, then.digest, now.digest, difference)
