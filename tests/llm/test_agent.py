"""The llm agent, over real HTTP against the stub."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from harness.agents.llm import LlmAgent, Recorded
from harness.core.desk import AgentFailed, LimitReached
from harness.models.replies import ModelFault
from harness.stub import Fault, Reply, Script, StubServer, ToolCall
from servers.kernel import Fault as VoidTrial
from tests.llm.support import FakeDesk, model, run

SEARCH = ToolCall(name="gmail_search", arguments={"query": "budget"})
SEND = ToolCall(name="gmail_send", arguments={"query": "done"})
SPOILED = ["bad_arguments", "cut_arguments", "unknown_tool"]


def work(replies: Sequence[Reply | Fault] | Callable[[dict[str, Any]], Reply], desk: FakeDesk, **fields: Any) -> str:
    script: Script = replies if callable(replies) else {"find it": replies}

    async def scene() -> str:
        async with StubServer(script) as stub:
            return await LlmAgent(model(stub, **fields)).turn(desk, "find it")

    return run(scene)


def outline(desk: FakeDesk) -> list[str]:
    return [message.role for message in desk.messages]


def test_calls_run_in_listed_order_until_a_reply_has_none() -> None:
    desk = FakeDesk()
    said = work([Reply(text="Looking.", calls=(SEARCH, SEND)), Reply(calls=(SEND,)), Reply(text="Done.")], desk)

    assert said == "Done."
    assert desk.made == [
        ("gmail_search", {"query": "budget"}),
        ("gmail_send", {"query": "done"}),
        ("gmail_send", {"query": "done"}),
    ]
    assert outline(desk) == ["system", "user", "assistant", "tool", "tool", "assistant", "tool", "assistant"]
    assert desk.messages[3].content == "gmail_search got {'query': 'budget'}"
    assert [call["id"] for call in desk.messages[2].calls] == [m.call_id for m in desk.messages[3:5]]


def test_every_model_call_is_spent_whole_and_numbered() -> None:
    desk = FakeDesk()
    work([Reply(calls=(SEARCH,)), Reply(text="Done.")], desk)

    assert [(call.turn, call.purpose, call.attempts) for call in desk.spent] == [(1, "agent", 1), (2, "agent", 1)]
    assert [len(call.request["messages"]) for call in desk.spent] == [2, 4]
    assert [tool["function"]["name"] for tool in desk.spent[0].request["tools"]] == ["gmail_search", "gmail_send"]
    assert all(call.usage.prompt_tokens and call.usage.completion_tokens for call in desk.spent)


def test_the_system_message_holds_the_desks_own_and_the_time() -> None:
    desk = FakeDesk()
    work([Reply(text="Done.")], desk)

    assert desk.messages[0].content.startswith("Work for Ada.\n\nIt is Thursday, 2023-11-30, 09:05, ")


def test_a_further_message_of_the_user_goes_on_with_the_conversation() -> None:
    desk = FakeDesk()

    async def scene() -> tuple[str, str]:
        async with StubServer({"find it": [Reply(text="Which one?"), Reply(text="Found.")]}) as stub:
            agent = LlmAgent(model(stub))
            return await agent.turn(desk, "find it"), await agent.turn(desk, "the second")

    assert run(scene) == ("Which one?", "Found.")
    assert outline(desk) == ["system", "user", "assistant", "user", "assistant"]


@pytest.mark.parametrize("fault", SPOILED)
def test_a_model_recovers_from_calls_that_cannot_be_made(fault: Any) -> None:
    desk = FakeDesk()
    said = work([Fault(fault=fault, times=4, then=Reply(calls=(SEARCH,))), Reply(text="Done.")], desk)

    assert said == "Done."
    assert desk.made == [("gmail_search", {"query": "budget"})]
    assert outline(desk).count("tool") == 5
    assert len(desk.unreadable) == (0 if fault == "unknown_tool" else 4)


@pytest.mark.parametrize("fault", SPOILED)
def test_a_model_that_never_recovers_has_failed(fault: Any) -> None:
    desk = FakeDesk()

    with pytest.raises(AgentFailed, match="5 replies in a row"):
        work([Fault(fault=fault, times=None, then=Reply(calls=(SEARCH,)))], desk)

    assert len(desk.spent) == 5


def test_one_good_call_among_bad_ones_is_a_recovery() -> None:
    bad = ToolCall(name="gmail_search", arguments="{")
    desk = FakeDesk()
    work([*[Reply(calls=(bad, SEARCH))] * 6, Reply(text="Done.")], desk)

    assert len(desk.made) == len(desk.unreadable) == 6


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ('{"query": ', "not valid JSON"),
        ("[1]", "must be a JSON object, not list"),
        ('"x"', "must be a JSON object, not str"),
        ('{"query": NaN}', "NaN is not JSON"),
    ],
)
def test_unreadable_arguments_are_told_to_the_model_with_the_reason(raw: str, problem: str) -> None:
    desk = FakeDesk()
    work([Reply(calls=(ToolCall(name="gmail_search", arguments=raw),)), Reply(text="Sorry.")], desk)

    assert desk.unreadable == [("gmail_search", raw)]
    assert problem in desk.messages[3].content


def test_no_arguments_at_all_are_none() -> None:
    desk = FakeDesk()
    work([Reply(calls=(ToolCall(name="gmail_search", arguments=""),)), Reply(text="Done.")], desk)

    assert desk.made == [("gmail_search", {})]


def test_what_goes_back_in_the_history_parses_whatever_the_model_gave() -> None:
    sent: list[dict[str, Any]] = []
    bad = Reply(calls=(ToolCall(name="gmail:search me", arguments="{oops"), ToolCall(name="", arguments="")))

    def script(request: dict[str, Any]) -> Reply:
        sent.append(request)
        return bad if len(sent) == 1 else Reply(text="Sorry.")

    desk = FakeDesk()
    work(script, desk)

    functions = [call["function"] for call in sent[1]["messages"][2]["tool_calls"]]
    assert [function["name"] for function in functions] == ["gmail_search_me", "unnamed"]
    assert [json.loads(function["arguments"]) for function in functions] == [{"unparsed": "{oops"}, {}]
    assert [call["arguments"] for call in desk.messages[2].calls] == ["{oops", ""]


def test_missing_and_doubled_call_ids_are_told_apart() -> None:
    same = SEARCH.model_copy(update={"id": "same"})
    desk = FakeDesk()
    work([Reply(calls=(same, same)), Reply(text="Done.")], desk)

    assert [message.call_id for message in desk.messages[3:5]] == ["same", "call_2_1"]


def test_the_reply_that_breaks_a_budget_is_still_in_the_conversation() -> None:
    desk = FakeDesk(turns=1)

    with pytest.raises(LimitReached, match="turns"):
        work([Reply(calls=(SEARCH,)), Reply(text="Too late.")], desk)

    assert desk.messages[-1].content == "Too late."


def test_an_outgrown_context_window_is_a_limit() -> None:
    with pytest.raises(LimitReached, match="context window"):
        work([Fault(fault="context")], FakeDesk())


def test_a_provider_that_stays_down_is_no_doing_of_the_agent() -> None:
    with pytest.raises(VoidTrial) as caught:
        work([Fault(fault=503, times=None)], FakeDesk())

    assert isinstance(caught.value, ModelFault)


def replay(first: FakeDesk, desk: FakeDesk, request: str, live: Callable[[StubServer], Any] | None = None) -> str:
    """Feed the first of a desk's replies to a fresh agent."""

    async def scene() -> str:
        async with StubServer({"find it": [Reply(calls=(SEARCH,)), Reply(text="Live.")]}) as stub:
            then = live(stub) if live else None
            return await LlmAgent(Recorded(first.spent[:1], then)).turn(desk, request)

    return run(scene)


def recorded() -> FakeDesk:
    desk = FakeDesk()
    work([Reply(calls=(SEARCH,)), Reply(text="Done.")], desk)
    return desk


def test_recorded_replies_are_played_again_and_a_live_model_goes_on() -> None:
    first, again = recorded(), FakeDesk()

    assert replay(first, again, "find it", model) == "Live."
    assert again.spent[0] == first.spent[0]
    assert again.messages[:4] == first.messages[:4]


def test_a_recording_that_ends_says_so() -> None:
    with pytest.raises(VoidTrial, match="ends after 1 replies"):
        replay(recorded(), FakeDesk(), "find it")


def test_a_replay_off_its_track_stops_at_the_message_that_differs() -> None:
    with pytest.raises(VoidTrial, match="request 1 differs from the recording at message 2"):
        replay(recorded(), FakeDesk(), "find something else", model)
