"""How a function that plays may end, and what it reports of its models."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest

from harness import Session, evaluate_async, wiring
from harness.record.store import Run
from servers.kernel import Answer, Question, UserFault
from tests.front.playing import FIRST, TOY, Agent, mover, played, record
from tests.users.speaking import heard, settings, speaking

pytestmark = pytest.mark.usefixtures("only_board")


def test_an_exception_is_a_crash_of_the_agent() -> None:
    async def broken(session: Session) -> str:
        raise ValueError("no idea")

    found = played(broken)

    assert (found.trials["status"], found.trials["verdict"]) == (["crashed"], ["failed"])
    (reason,) = found.trials["reason"]
    assert reason.startswith("ValueError: no idea (test_function.py:")


def test_a_refused_call_that_nobody_catches_is_a_crash_that_says_what_was_wrong() -> None:
    async def wrong(session: Session) -> None:
        await session.call("projects", "update_tasks", {})

    (reason,) = played(wrong).trials["reason"]

    assert "UnknownTool: there is no tool 'projects.update_tasks' here. Did you mean 'projects.update_task'" in reason


def test_words_that_are_no_text_are_a_crash() -> None:
    async def number(session: Session) -> Any:
        return 7

    assert played(number).trials["reason"] == ["the function returned 7: its last words are text, or None"]


def test_a_budget_ends_a_function_whatever_it_catches() -> None:
    async def stubborn(session: Session) -> None:
        while True:
            with suppress(Exception):
                await session.call("projects", "search_tasks", {"task_name": "Job"})

    found = played(stubborn, {**FIRST, "limits": {"tool_calls": 3}})

    assert (found.trials["status"], found.trials["reason"]) == (["limit"], ["limit reached: tool_calls"])
    assert found.trials["tool_calls"] == [3]


def test_a_function_that_hangs_runs_out_of_time() -> None:
    async def hung(session: Session) -> None:
        await anyio.sleep_forever()

    assert played(hung, {**FIRST, "limits": {"seconds": 0.05}}).trials["reason"] == ["limit reached: seconds"]


async def _holds_everything_up(session: Session) -> str:
    said = await mover(session)
    while anyio.current_time() <= anyio.current_effective_deadline():
        pass
    return said


async def _takes_no_end(session: Session) -> str:
    said = await mover(session)
    with suppress(asyncio.CancelledError):
        await anyio.sleep_forever()
    return said


async def _calls_it_something_else(session: Session) -> None:
    try:
        await anyio.sleep_forever()
    except asyncio.CancelledError:
        raise ValueError("the model does not answer") from None


@pytest.mark.parametrize("agent", [_holds_everything_up, _takes_no_end, _calls_it_something_else])
def test_a_function_is_out_of_time_whatever_it_makes_of_that(agent: Agent) -> None:
    found = played(agent, {**FIRST, "limits": {"seconds": 0.2}})

    assert (found.trials["reason"], found.trials["verdict"]) == (["limit reached: seconds"], ["failed"])


def test_what_a_function_reports_of_its_models_is_on_record() -> None:
    async def spending(session: Session) -> str:
        session.spend(prompt_tokens=10, completion_tokens=2, cost_usd=0.25, request={"model": "m"})
        session.spend(prompt_tokens=5, cost_usd=0.5)
        return await mover(session)

    found = played(spending)
    calls = record(found).trajectory.model_calls

    assert [(call.turn, call.usage.prompt_tokens) for call in calls] == [(1, 10), (2, 5)]
    assert calls[0].request == {"model": "m"}
    assert (found.trials["prompt_tokens"], found.trials["cost_usd"]) == ([15], [0.75])


def test_numbers_of_numpy_are_taken_for_what_they_are() -> None:
    async def spending(session: Session) -> None:
        session.spend(prompt_tokens=np.int64(3), completion_tokens=np.uint8(2), cost_usd=np.float32(0.5))

    found = played(spending).trials

    assert [found[name] for name in ("prompt_tokens", "completion_tokens", "cost_usd")] == [[3], [2], [0.5]]


def test_a_request_is_on_record_as_it_was_when_it_was_told() -> None:
    async def talking(session: Session) -> None:
        messages = ["first"]
        session.spend(prompt_tokens=1, request={"messages": messages})
        messages.append("second")

    assert record(played(talking)).trajectory.model_calls[0].request == {"messages": ["first"]}


def test_a_cost_that_is_not_told_is_unknown() -> None:
    async def spending(session: Session) -> None:
        session.spend(prompt_tokens=10)

    assert played(spending).trials["cost_usd"] == [None]


def test_reported_calls_are_turns_of_the_trial() -> None:
    async def talking(session: Session) -> None:
        for _ in range(3):
            session.spend(prompt_tokens=1, cost_usd=0.0)

    whole, cut = played(talking), played(talking, {**FIRST, "limits": {"turns": 2}})

    assert (whole.trials["status"], whole.trials["model_turns"]) == (["finished"], [3])
    assert (cut.trials["reason"], cut.trials["model_turns"]) == (["limit reached: turns"], [3])


async def _crashing(session: Session) -> None:
    raise ValueError("no idea")


@pytest.mark.parametrize("agent", [mover, _crashing])
def test_what_a_function_took_that_reports_nothing_is_unknown_however_it_ends(agent: Agent) -> None:
    found = played(agent).trials

    assert [found[name] for name in ("model_turns", "prompt_tokens", "cost_usd")] == [[None]] * 3


def test_what_a_model_took_that_speaks_for_the_user_is_no_report_of_the_function() -> None:

    async def asking(session: Session) -> None:
        await session.call("ask_user", "ask_user", {"question": "Which list?"})

    with speaking([heard("list")], ["To In Progress, please."]) as speaker:
        spoken = {"prompt": "underspecified", "ask": "ask_user", "user": settings(speaker)}
        found = played(asking, {"suite": "toy", "tasks": ["toy-2"], "conditions": {"spoken": spoken}})

    assert {call.purpose for call in record(found).trajectory.model_calls} == {"user"}
    assert [found.trials[name] for name in ("model_turns", "prompt_tokens", "cost_usd")] == [[None]] * 3


def test_a_reported_call_of_unknown_size_is_a_turn_all_the_same() -> None:
    async def talking(session: Session) -> str:
        session.spend()
        return "Done."

    found = played(talking).trials

    assert (found["model_turns"], found["cost_usd"]) == ([1], [None])


def test_tokens_of_a_trial_with_a_call_that_did_not_tell_them_are_unknown() -> None:
    async def talking(session: Session) -> None:
        session.spend(prompt_tokens=10, completion_tokens=2, cost_usd=0.25)
        session.spend(cost_usd=0.5)

    found = played(talking).trials

    assert [found[name] for name in ("prompt_tokens", "completion_tokens", "cost_usd")] == [[None], [None], [0.75]]


def test_what_breaks_on_our_side_voids_the_trial_though_the_function_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        async def answer(self, question: Question) -> Answer:
            raise UserFault("the simulator is down")

    async def asking(session: Session) -> str:
        with suppress(Exception):
            await session.call("ask_user", "ask_user", {"question": "Which list?"})
        return "Done."

    monkeypatch.setattr(wiring.Wired, "user", lambda *_, **__: Gone())
    found = played(asking, {**FIRST, "conditions": {"asking": {"ask": "ask_user"}}})

    assert (found.void, found.accuracy, found.trials["reason"]) == (1, None, ["the simulator is down"])
    assert "1 void" in repr(found)


@pytest.mark.parametrize(
    "interrupt", [KeyboardInterrupt(), BaseExceptionGroup("both", [KeyboardInterrupt(), ValueError()])]
)
def test_an_interrupt_that_comes_out_of_a_function_ends_the_run(interrupt: BaseException) -> None:
    async def interrupted(session: Session) -> None:
        raise interrupt

    with pytest.raises(KeyboardInterrupt):
        played(interrupted)


async def _cancels_itself(session: Session) -> None:
    task = asyncio.current_task()
    assert task
    task.cancel()
    try:
        await anyio.sleep_forever()
    finally:
        task.cancel()


def test_a_function_that_cancels_its_own_task_crashes_and_the_next_trial_is_played() -> None:
    found = played(_cancels_itself, TOY, concurrency=1)

    assert (found.left, found.trials["status"]) == (0, ["crashed"] * 4)
    assert found.trials["reason"][0].startswith("CancelledError (")


def test_a_function_that_cancels_its_own_task_as_it_returns_has_returned() -> None:
    async def last(session: Session) -> str:
        said = await mover(session)
        task = asyncio.current_task()
        assert task
        task.cancel()
        return said

    found = played(last, TOY, concurrency=1)

    assert (found.left, found.trials["verdict"]) == (0, ["correct"] * 4)


def test_a_budget_that_is_spent_is_told_of_a_function_that_cancels_its_own_task_too() -> None:
    async def both(session: Session) -> None:
        with suppress(Exception):
            session.spend()
            session.spend()
        await _cancels_itself(session)

    assert played(both, {**FIRST, "limits": {"turns": 1}}).trials["reason"] == ["limit reached: turns"]


@pytest.mark.parametrize("run_first", [True, False])
def test_where_every_task_is_cancelled_no_trial_is_taken_for_a_crash(run_first: bool) -> None:
    async def program() -> None:
        hanging = asyncio.Event()

        async def hung(session: Session) -> None:
            hanging.set()
            await anyio.sleep_forever()

        before = asyncio.all_tasks()
        run = asyncio.create_task(evaluate_async(FIRST, hung, name="mine", version="1", folder="run"))
        await hanging.wait()
        for task in sorted(asyncio.all_tasks() - before, key=lambda task: (task is run) != run_first):
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run

    asyncio.run(program())

    assert [*Run.open(Path("run")).records()] == []


class _Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (SystemExit(3), "SystemExit: 3 ("),
        (GeneratorExit(), "GeneratorExit ("),
        (pytest.fail.Exception("no mail"), "Failed: no mail ("),
        (BaseExceptionGroup("two", [GeneratorExit("first"), ValueError()]), "GeneratorExit: first"),
        (asyncio.CancelledError(), "CancelledError ("),
        (ValueError("one\n  line"), "ValueError: one line ("),
        (_Mute(), "_Mute: its text cannot be had ("),
    ],
)
def test_whatever_a_function_raises_is_its_crash_in_one_line(raised: BaseException, told: str) -> None:
    async def raising(session: Session) -> None:
        raise raised

    found = played(raising)

    assert found.trials["status"] == ["crashed"]
    assert found.trials["reason"][0].startswith(told)


@pytest.mark.parametrize(
    ("spent", "told"),
    [
        ({"prompt_tokens": -1}, "`prompt_tokens` is -1: give a whole number, 0 or more"),
        ({"completion_tokens": 1.5}, "`completion_tokens` is 1.5: give a whole number, 0 or more"),
        ({"prompt_tokens": None}, "`prompt_tokens` is None: give a whole number, 0 or more"),
        ({"cost_usd": float("nan")}, "`cost_usd` is nan: give a number, 0 or more"),
        ({"cost_usd": "1"}, "`cost_usd` is '1': give a number, 0 or more"),
        ({"request": "hello"}, "`request` is 'hello': give a mapping"),
        ({"response": {"a": object()}}, "`response` cannot be put on record: Unable to serialize unknown type"),
        ({"request": {"a": "\ud800"}}, "`request` cannot be put on record: "),
    ],
)
def test_what_cannot_have_been_spent_says_what_would_be_right(spent: dict[str, Any], told: str) -> None:
    async def spending(session: Session) -> None:
        session.spend(**spent)

    assert told in played(spending).trials["reason"][0]
