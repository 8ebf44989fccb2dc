"""Requests and tokens a minute: how many get through when, by a clock that nobody waits for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anyio
import pytest
from anyio.lowlevel import checkpoint

from harness.agents.llm import LlmAgent
from harness.core.config import Limits, LlmConfig, RunConfig
from harness.core.desk import Agent
from harness.models.llm import Model, RequestLimiter
from harness.models.rate_limit import RateLimit, Waits
from harness.play.stage import Job, Stage
from harness.play.trial import play
from harness.serving.links import MemoryLinks
from harness.stub import Fault, Reply, StubServer
from harness.suite import Suite
from harness.trajectory import ModelCall, Trajectory
from harness.wiring import wiring
from tests.harness import toy
from tests.llm.support import HELLO, config, run
from tests.llm.support import Waits as Slept


class Clock:
    """Seconds that pass only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await checkpoint()


def told(request: dict[str, Any]) -> str:
    return str(request["messages"][-1]["content"])


def asked(number: int, rates: dict[str, int], models: Sequence[str] = ("openai/stub",)) -> dict[float, list[str]]:
    """Ask each model so many things, one after the other: what the provider heard, by the second in which it did."""
    clock = Clock()
    heard: dict[float, list[str]] = {}

    def reply(request: dict[str, Any]) -> Reply:
        heard.setdefault(clock.now, []).append(f"{request['model']} {told(request)}")
        return Reply(text="ok")

    async def scene() -> None:
        async with StubServer(reply) as stub:
            limiter = RequestLimiter(clock=clock, sleep=clock.sleep, **rates)
            for n in range(number):
                for name in models:
                    await Model(config(stub, model=name), limiter=limiter).complete(
                        [{"role": "user", "content": str(n)}]
                    )

    run(scene)
    return heard


def test_no_more_requests_than_allowed_get_through_in_any_minute() -> None:
    assert asked(7, {"rpm": 3}) == {
        0.0: ["stub 0", "stub 1", "stub 2"],
        60.0: ["stub 3", "stub 4", "stub 5"],
        120.0: ["stub 6"],
    }


def test_each_model_has_a_minute_of_its_own() -> None:
    assert asked(2, {"rpm": 1}, ["openai/one", "openai/two"]) == {
        0.0: ["one 0", "two 0"],
        60.0: ["one 1", "two 1"],
    }


def test_a_reply_that_took_less_than_was_thought_leaves_room_for_the_next() -> None:
    """Each is thought to take some 500 tokens and takes 2, so that all fit where two would not."""
    assert list(asked(8, {"tpm": 600})) == [0.0]


def test_a_request_that_failed_counts_as_one_and_so_does_its_retry() -> None:
    clock, times = Clock(), list[float]()

    def reply(_: dict[str, Any]) -> Fault:
        times.append(clock.now)
        return Fault(fault=429, times=2, then=Reply(text="at last"))

    async def scene() -> int:
        async with StubServer(reply) as stub:
            limiter = RequestLimiter(rpm=1, clock=clock, sleep=clock.sleep)
            return (await Model(config(stub), limiter=limiter, sleep=Slept()).complete(HELLO)).attempts

    assert run(scene) == 3
    assert times == [0.0, 60.0, 120.0]


def test_a_whole_crowd_is_served_in_the_order_in_which_it_came() -> None:
    clock, passed = Clock(), list[tuple[float, int]]()

    async def one(limit: RateLimit, slots: anyio.CapacityLimiter, number: int) -> None:
        async with limit.turn(slots, 1):
            passed.append((clock.now, number))

    async def scene() -> None:
        limit, slots = RateLimit(4, clock=clock, sleep=clock.sleep), anyio.CapacityLimiter(2)
        async with anyio.create_task_group() as group:
            for number in range(10):
                group.start_soon(one, limit, slots, number)
                await checkpoint()

    run(scene)

    assert passed == [(60.0 * (number // 4), number) for number in range(10)]


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ([40, 40, 40], [0.0, 0.0, 60.0]),
        ([100, 1], [0.0, 60.0]),
        ([250, 1, 250], [0.0, 60.0, 120.0]),
        ([30, 30, 30, 100], [0.0, 0.0, 0.0, 60.0]),
    ],
    ids=["two fit", "full", "more than a minute's", "waits for all"],
)
def test_tokens_of_the_last_minute_stay_below_the_limit(tokens: Sequence[int], expected: Sequence[float]) -> None:
    clock = Clock()

    async def scene() -> list[float]:
        limit, slots = RateLimit(tokens=100, clock=clock, sleep=clock.sleep), anyio.CapacityLimiter(1)
        times = []
        for each in tokens:
            async with limit.turn(slots, each) as turn:
                times.append(turn.at)
        return times

    assert run(scene) == expected


def test_who_waits_for_tokens_goes_on_as_soon_as_a_reply_has_come_cheaper() -> None:
    clock = Clock()

    async def scene() -> float:
        async def asleep(seconds: float) -> None:
            await clock.sleep(seconds)
            if clock.now >= 3:
                first.tokens = 10  # what the provider says when its reply has come

        limit = RateLimit(tokens=100, clock=clock, sleep=asleep)
        async with (
            limit.turn(anyio.CapacityLimiter(1), 90) as first,
            limit.turn(anyio.CapacityLimiter(1), 90) as second,
        ):
            return second.at

    assert run(scene) == 3.0


def test_a_lane_is_free_for_others_while_one_model_waits_its_minute() -> None:
    async def scene() -> int:
        slots, waiting = anyio.CapacityLimiter(1), anyio.Event()

        async def forever(_: float) -> None:
            waiting.set()
            await anyio.sleep_forever()

        async def wait() -> None:
            async with slow.turn(slots, 1):
                raise AssertionError("there was no room")

        slow, fast = RateLimit(1, clock=Clock(), sleep=forever), RateLimit(1, clock=Clock(), sleep=forever)
        async with slow.turn(slots, 1):
            pass
        async with anyio.create_task_group() as group:
            group.start_soon(wait)
            await waiting.wait()
            async with fast.turn(slots, 1):
                borrowed = slots.borrowed_tokens
            group.cancel_scope.cancel()
        return int(borrowed)

    assert run(scene) == 1


def test_the_rates_of_a_run_reach_its_models(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[dict[str, Any]] = []

    class Noted(RequestLimiter):
        def __init__(self, **settings: Any) -> None:
            made.append(settings)
            super().__init__(**settings)

    monkeypatch.setattr("harness.models.llm.RequestLimiter", Noted)
    agent = LlmConfig(kind="llm", model="openai/stub", api_base="http://127.0.0.1:9/v1")
    wired = wiring(rpm=6, tpm=600)
    for trial in range(2):
        job = Job(agent=agent, condition="default", prompt="original", task="toy-0", trial=trial)
        wired.agent(job, toy.suite())

    assert made == [{"rpm": 6, "tpm": 600}]


class Waiting(toy.Wiring):
    """The llm agent on a stub, at one request a minute; what deadline there is while it waits."""

    def __init__(self, stub: StubServer) -> None:
        super().__init__([toy.task(0, sessions=2)])
        self.clock, self._stub = Clock(), stub
        self.deadlines: list[float] = []
        self._limiter = RequestLimiter(rpm=1, clock=self.clock, sleep=self._asleep)

    async def _asleep(self, seconds: float) -> None:
        self.deadlines.append(anyio.current_effective_deadline())
        await self.clock.sleep(seconds)

    def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
        return LlmAgent(Model(config(self._stub), limiter=self._limiter))


def test_a_trial_is_not_charged_for_the_time_in_which_there_was_no_room() -> None:
    async def scene() -> Trajectory:
        async with StubServer(lambda _: Reply(text="Nothing to do.")) as stub:
            wiring = Waiting(stub)
            limits = Limits(seconds=50)  # less than one wait
            setting = RunConfig(suite="toy", agents=(config(stub),), limits=limits)
            stage = Stage(setting, wiring.suite("toy"), wiring)
            try:
                for trial in range(2):
                    job = Job(
                        agent=setting.agents[0], condition="default", prompt="original", task="toy-0", trial=trial
                    )
                    record = await play(stage, job, MemoryLinks())
            finally:
                stage.engine.close()
            assert set(wiring.deadlines) == {anyio.current_effective_deadline()}  # that of this test
            return record.trajectory

    second = run(scene)

    assert second.status == "finished"
    assert (second.waited, [call.waited for call in second.model_calls]) == (120, [60, 60])
    assert (second.seconds, [call.duration for call in second.model_calls]) == (0, [0, 0])  # by this clock
    assert Trajectory.model_validate_json(second.model_dump_json()).waited == 120


def test_a_deadline_goes_on_where_it_stopped_when_the_wait_is_over() -> None:
    clock = Clock()

    async def scene() -> tuple[float, float]:
        waits = Waits()
        with anyio.CancelScope(deadline=anyio.current_time() + 100) as scope, waits.deadline(scope):
            before = scope.deadline
            with waits.waiting(clock), waits.waiting(clock):
                await clock.sleep(7)
            moved = scope.deadline - before
        return moved, waits.seconds

    moved, counted = run(scene)

    assert moved == pytest.approx(7)
    assert counted == 7


def test_what_is_over_before_its_block_is_does_not_count_to_the_end() -> None:
    clock = Clock()

    async def scene() -> float:
        waits = Waits()
        with waits.waiting(clock) as wait:
            await clock.sleep(9)
            wait.until = 7
        return waits.seconds

    assert run(scene) == 7


def test_a_trial_without_a_rate_has_nothing_of_it_on_record() -> None:
    record = Trajectory.model_validate(
        {"suite": "", "task": "", "task_hash": "", "agent": "", "condition": "", "trial": 0, "seed": 0, "prompt": "",
         "status": "void"}
    )  # fmt: skip

    assert "waited" not in record.model_dump()
