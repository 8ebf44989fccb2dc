"""What is asked of a model in vain is no time of the trial's: one that never answers voids it, a slow one does not."""

from __future__ import annotations

from collections.abc import Sequence

import anyio
from anyio.lowlevel import checkpoint

from harness.agents.llm import LlmAgent
from harness.core.config import Limits, LlmConfig, RunConfig
from harness.core.desk import Agent
from harness.models.llm import Model, RequestLimiter, check
from harness.play.stage import Job, Stage
from harness.play.trial import play
from harness.serving.links import MemoryLinks
from harness.stub import Fault, Reply, StubServer
from harness.suite import Suite
from harness.trajectory import ModelCall, Trajectory
from tests.harness import toy
from tests.llm.support import config, run
from tests.llm.test_rate_limit import Clock


class Asking(toy.Wiring):
    """The llm agent on a stub; what deadline there is while it waits for another attempt."""

    def __init__(self, model: LlmConfig, clock: Clock | None) -> None:
        super().__init__()
        self.model, self._clock = model, clock
        self.deadlines: set[float] = set()
        self._limiter = RequestLimiter(clock=clock) if clock else RequestLimiter()

    async def _asleep(self, seconds: float) -> None:
        self.deadlines.add(anyio.current_effective_deadline())
        if self._clock:
            await self._clock.sleep(seconds)

    def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
        return LlmAgent(Model(self.model, limiter=self._limiter, sleep=self._asleep))


async def trial(model: LlmConfig, limits: Limits, clock: Clock | None = None) -> tuple[Trajectory, set[float]]:
    """One trial of the toy suite, and the deadlines that there were between attempts."""
    check(model)  # imports LiteLLM, which takes longer than these trials may
    wiring = Asking(model, clock)
    stage = Stage(RunConfig(suite="toy", agents=(model,), limits=limits), wiring.suite("toy"), wiring)
    try:
        job = Job(agent=model, condition="default", prompt="original", task="toy-0", trial=0)
        return (await play(stage, job, MemoryLinks())).trajectory, wiring.deadlines
    finally:
        stage.engine.close()


async def tenth() -> None:
    """Let a tenth of a second pass, which is as long as some of these trials may take."""
    came = anyio.current_time()
    while anyio.current_time() < came + 0.1:
        await checkpoint()


def test_an_endpoint_that_only_fails_voids_its_trial_however_little_time_that_has() -> None:
    async def slowly(_: object) -> Fault:
        await tenth()
        return Fault(fault=500, times=None, message="no model is up")

    async def scene() -> Trajectory:
        async with StubServer(slowly) as stub:
            return (await trial(config(stub), Limits(seconds=0.1)))[0]

    found = run(scene)

    assert found.status == "void"
    assert found.reason.startswith("model 'openai/stub' failed in 3 attempts: ")
    assert "no model is up" in found.reason


def test_a_trial_is_not_charged_for_failed_attempts_and_the_waits_after_them_but_for_the_one_that_was_answered() -> (
    None
):
    clock = Clock()

    def reply(_: object) -> Fault:
        clock.now += 120
        return Fault(fault=500, times=2, then=Reply(text="Nothing to do."))

    async def scene() -> Trajectory:
        async with StubServer(reply) as stub:
            found, deadlines = await trial(config(stub), Limits(seconds=50), clock)
        assert deadlines == {anyio.current_effective_deadline()}  # that of this test
        return found

    found = run(scene)

    assert found.status == "finished"
    assert (found.waited, [(call.attempts, call.waited) for call in found.model_calls]) == (243, [(3, 243)])


def test_a_model_that_answers_too_late_is_the_agents_limit_though_it_was_asked_in_vain_before() -> None:
    async def slowly(_: object) -> Fault:
        await tenth()
        return Fault(fault=429, retry_after=0, then=Reply(text="at last"))

    async def scene() -> Trajectory:
        async with StubServer(slowly) as stub:
            return (await trial(config(stub), Limits(seconds=0.1)))[0]

    found = run(scene)

    assert (found.status, found.reason, found.model_calls) == ("limit", "limit reached: seconds", [])
