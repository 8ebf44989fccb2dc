"""The agent without tool calling: what it reads in a reply, and its episodes over real HTTP against the stub."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from harness.agents.react import ReactAgent, arguments_of, read
from harness.agents.text import Final, Step, Unread
from harness.core.desk import AgentFailed, LimitReached, ToolSpec
from harness.stub import Fault, Reply, Script, StubServer
from servers import catalog
from tests.llm.support import FakeDesk, model, run


def act(name: str, given: Any, thought: str = "Let me see.") -> str:
    """A reply as the prompt asks for it."""
    blob = json.dumps({"action": name, "action_input": given})
    return f"Thought: {thought}\nAction:\n```json\n{blob}\n```"


SEARCH = act("gmail_search", {"query": "budget"})
SEND = act("gmail_send", {"query": "done"})
DONE = act("Final Answer", "All done.")


def work(
    replies: Sequence[str | Fault] | Callable[[dict[str, Any]], Reply], desk: FakeDesk, patience: int = 5, **fields: Any
) -> str:
    script: Script = replies if callable(replies) else {"find it": [_reply(each) for each in replies]}

    async def scene() -> str:
        async with StubServer(script) as stub:
            return await ReactAgent(model(stub), patience=patience, **fields).turn(desk, "find it")

    return run(scene)


def _reply(said: str | Fault) -> Reply | Fault:
    return said if isinstance(said, Fault) else Reply(text=said)


# What is read in a reply.


@pytest.mark.parametrize(
    "reply",
    [
        SEARCH,
        'Action: {"action": "gmail_search", "action_input": {"query": "budget"}}',
        '{"action_input": {"query": "budget"}, "action": "gmail_search"}',
        '**Action:**\n```\n{"thought": "hm", "action": " gmail_search ",\n "action_input": {"query": "budget"}}\n```',
        'I saw {"id": 3} and {this}.\nACTION:\n[{"action": "gmail_search", "action_input": {"query": "budget"}}]',
        'Not {"action": "gmail_send"} yet.\nAction: {"action": "gmail_search", "action_input": {"query": "budget"}}',
        SEARCH + "\nObservation: nothing\n" + SEND + "\n" + DONE,
    ],
)
def test_the_first_action_is_found_in_whatever_surrounds_it(reply: str) -> None:
    step = read(reply)

    assert isinstance(step, Step)
    assert (step.name, step.given) == ("gmail_search", {"query": "budget"})


def test_what_follows_an_action_is_not_part_of_what_was_said() -> None:
    step = read(SEARCH + "\nObservation: found 3\n" + DONE)

    assert isinstance(step, Step)
    assert step.said == SEARCH


def test_line_breaks_inside_of_a_text_are_allowed() -> None:
    step = read('Action:\n{"action": "gmail_send", "action_input": {"body": "Hello\nAction: none\n{x}"}}')

    assert isinstance(step, Step)
    assert step.given == {"body": "Hello\nAction: none\n{x}"}


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (DONE, "All done."),
        ('{"action": "final_answer", "action_input": {"sent": 2}}', '{"sent": 2}'),
        ('{"action": "Final Answer"}', ""),
        ("Thought: that was all.\nFinal Answer: Sent two mails.\nBoth today.", "Sent two mails.\nBoth today."),
    ],
)
def test_a_final_answer_is_an_action_or_a_line(reply: str, answer: str) -> None:
    assert read(reply) == Final(answer)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", "no action in this reply"),
        ("I have sent the mail.", "no action in this reply"),
        ('Action: gmail_search\nAction Input: {"query": "budget"}', "no action in this reply"),
        ('Action:\n{"action": "gmail_search", "action_input": {"query": "bud', "not valid JSON"),
        ('Action:\n{"action": "gmail_search", "action_input": {"action": "gmail_send"}', "not valid JSON"),
        ("Action:\n{'action': 'gmail_search'}", "no action in this reply"),
        ('{"action": "gmail_search", "action_input": {"query": NaN}}', "NaN is not JSON"),
        ('{"action": "gmail_search", "action_input": {"query": "\\ud800"}}', "an unpaired surrogate"),
        ('{"action": "x", "action_input": {"a": ' + "[" * 70 + "]" * 70 + "}}", "more than 64 levels deep"),
        ('{"action": "x", "action_input": {"a": 1e999}}', "a number that JSON does not have"),
        ('{"action": ["gmail_search"]}', "must be the name of a tool"),
        ('{"action": "x", "action_input": ' + '{"a": ' * 50_000, "nested too deeply"),
    ],
)
def test_a_reply_without_an_action_is_told_what_is_wrong(reply: str, problem: str) -> None:
    step = read(reply)

    assert isinstance(step, Unread)
    assert problem in step.problem


TOOL = ToolSpec("t", "a", "t", "", {"properties": {"first": {"type": "string"}, "second": {"type": "string"}}})


@pytest.mark.parametrize(
    ("given", "arguments"),
    [({"second": 1}, {"second": 1}), (None, {}), ("", {}), ("text", {"first": "text"})],
)
def test_a_bare_text_is_the_first_argument_and_nothing_is_none(given: Any, arguments: dict[str, Any]) -> None:
    assert arguments_of(given, TOOL) == (arguments, "")


def test_anything_else_is_no_arguments() -> None:
    assert arguments_of(["a"], TOOL) == ({}, "`action_input` must be a JSON object, not list")
    assert arguments_of("a", TOOL._replace(input_schema={}))[1]


# Episodes.


def test_actions_are_carried_out_until_a_final_answer() -> None:
    desk = FakeDesk()
    said = work([SEARCH, SEND, DONE], desk)

    assert said == "All done."
    assert desk.made == [("gmail_search", {"query": "budget"}), ("gmail_send", {"query": "done"})]
    assert [m.role for m in desk.messages] == ["system", "user", *["assistant", "tool"] * 2, "assistant"]
    assert [call["name"] for m in desk.messages for call in m.calls] == ["gmail_search", "gmail_send"]
    assert [(call.turn, call.purpose) for call in desk.spent] == [(1, "agent"), (2, "agent"), (3, "agent")]


def test_the_model_sees_plain_text_alone() -> None:
    sent: list[dict[str, Any]] = []

    def script(request: dict[str, Any]) -> Reply:
        sent.append(request)
        return Reply(text=SEARCH + "\nObservation: made up" if len(sent) == 1 else DONE)

    work(script, FakeDesk())

    assert "tools" not in sent[0]
    assert [m["role"] for m in sent[1]["messages"]] == ["system", "user", "assistant", "user"]
    assert [m["content"] for m in sent[1]["messages"][1:]] == [
        "find it",
        SEARCH,
        "Observation: gmail_search got {'query': 'budget'}",
    ]


def test_the_prompt_holds_the_desks_words_the_time_and_every_tool() -> None:
    desk = FakeDesk()
    app = catalog.app("calendar")
    tools = app.toolsets["workbench"].tools.values()
    desk.tools = [ToolSpec(f"calendar_{t.name}", "calendar", t.name, t.description, t.input_schema) for t in tools]
    work([DONE], desk)

    prompt = desk.messages[0].content
    assert prompt.startswith("Work for Ada.\n\nIt is Thursday, 2023-11-30, 09:05, ")
    for tool in desk.tools:
        assert f"\n{tool.name}\n" in prompt
        for name, schema in tool.input_schema["properties"].items():
            assert f"  - {name} (" in prompt
            assert schema["description"] in prompt
    assert "  - time_min (text; optional): YYYY-MM-DD" in prompt
    assert '  - field (one of "event_name", "participant_email", "event_start", "duration"): Which' in prompt


def test_the_prompt_shows_what_an_arguments_schema_refers_to() -> None:
    desk = FakeDesk()
    tree = {"type": "object", "properties": {"name": {"type": "string"}, "inner": {"$ref": "#/$defs/Tree"}}}
    schema = {"$defs": {"Tree": tree}, "properties": {"tree": {"$ref": "#/$defs/Tree", "description": "All of it."}}}
    desk.tools = [ToolSpec("a_b", "a", "b", "Does b.", schema)]
    work([DONE], desk)

    prompt = desk.messages[0].content
    assert '"name": {"type": "string"}, "inner": {}}' in prompt
    assert "; optional): All of it." in prompt
    assert "$ref" not in prompt


def test_an_action_that_does_not_parse_is_told_and_recovered_from() -> None:
    desk = FakeDesk()
    said = work(["I will search now.", SEARCH[:-12], act("gmail_search", ["budget"]), SEARCH, DONE], desk)

    assert said == "All done."
    assert desk.made == [("gmail_search", {"query": "budget"})]
    assert [name for name, _ in desk.unreadable] == ["", "", "gmail_search"]
    assert "There is no action in this reply" in desk.messages[3].content
    assert "not valid JSON" in desk.messages[5].content


def test_a_tool_that_does_not_exist_is_an_error_to_learn_from_however_often() -> None:
    desk = FakeDesk()

    assert work([*[act("email.search", {"query": "x"})] * 6, DONE], desk) == "All done."


@pytest.mark.parametrize("patience", [1, 3])
def test_a_model_that_makes_no_action_has_failed_when_patience_ends(patience: int) -> None:
    desk = FakeDesk()

    with pytest.raises(AgentFailed, match="held no readable action"):
        work(["Done, I think."] * patience, desk, patience)

    assert desk.unreadable == [("", "Done, I think.")] * patience


def test_patience_is_for_replies_in_a_row() -> None:
    desk = FakeDesk()

    assert work(["Hm.", SEARCH, "Hm.", SEARCH, DONE], desk, 2) == "All done."


def test_an_empty_reply_goes_back_as_something() -> None:
    sent: list[dict[str, Any]] = []

    def script(request: dict[str, Any]) -> Reply:
        sent.append(request)
        return Reply(text="" if len(sent) == 1 else DONE)

    work(script, FakeDesk())

    assert all(message["content"] for message in sent[1]["messages"])


def test_limits_and_the_context_window_end_it_as_any_agent() -> None:
    with pytest.raises(LimitReached, match="turns"):
        work([SEARCH, SEARCH], FakeDesk(turns=1))
    with pytest.raises(LimitReached, match="context window"):
        work([Fault(fault="context")], FakeDesk())


def test_a_template_of_ones_own_takes_the_place_of_the_prompt() -> None:
    desk = FakeDesk()
    work([DONE], desk, template="{{ system }} {% for tool in tools %}[{{ tool.name }}]{% endfor %}\n")

    assert desk.messages[0].content == "Work for Ada. [gmail_search][gmail_send]"
