"""Tools that ask reach the person in their own client, in both protocol eras; the agent gets their words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from harness.service.standalone import Apps
from harness.serving.person import DECLINED, NOWHERE, Person
from servers.kernel import App, Question, State, User
from tests.cli.conftest import Call
from tests.person.scenes import EMPTY, ERAS, Behind, Served, does, http, over_http, says, stdio, text_of, toolsets

WHICH = {"strategy": "disambiguate", "content": "Which Ann?", "candidates": ["Ann Lee", "Ann Low"]}
RISK = {"strategy": "confirm_risk", "content": "Delete all 40 mails?"}


async def asked(served: Served, behind: Behind | None, era: str, tool: str, arguments: Any) -> types.CallToolResult:
    app = tool if "_" not in tool or tool == "ask_user" else tool.split("_")[0]
    with anyio.fail_after(30):
        async with served.connect(app, behind, era) as client:
            return await client.call_tool(tool, arguments)


def over(behind: Behind | None, era: str, tool: str, arguments: Any) -> tuple[types.CallToolResult, list[Any]]:
    async def main() -> tuple[types.CallToolResult, list[Any]]:
        async with http("ask_user", "clarify") as served:
            return await asked(served, behind, era, tool, arguments), served.records()

    return anyio.run(main)


@pytest.mark.parametrize("era", ERAS)
def test_a_question_becomes_a_form_and_its_answer_the_result_of_one_call(era: str) -> None:
    behind = says(answer="On Friday.")
    result, records = over(behind, era, "ask_user", {"question": "When?", "context": "It is for the Oslo office."})

    assert text_of(result) == "On Friday."
    assert result.structured_content == {"result": "On Friday."}
    (form,) = behind.forms
    assert form.message == "When?\n\nIt is for the Oslo office."
    assert form.requested_schema["properties"] == {"answer": {"type": "string", "title": "Answer"}}
    (record,) = records
    assert [(each.text, each.answer) for each in record.asked] == [("When?", "On Friday.")]


@pytest.mark.parametrize("era", ERAS)
def test_candidates_are_choices_with_a_way_out(era: str) -> None:
    behind = says(answer="None of these", note="Ann Holt")
    result, (record,) = over(behind, era, "clarify", WHICH)

    assert text_of(result) == "None of these. Ann Holt"
    assert behind.forms[0].requested_schema["properties"]["answer"]["enum"] == ["Ann Lee", "Ann Low", "None of these"]
    assert (record.asked[0].strategy, record.asked[0].candidates) == ("disambiguate", ("Ann Lee", "Ann Low"))


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("content", "words"), [({"answer": True}, "Yes"), ({"answer": False, "note": "Ask Bo"}, "No. Ask Bo")]
)
def test_a_risk_is_a_yes_or_a_no(era: str, content: dict[str, Any], words: str) -> None:
    behind = says(**content)
    result, _ = over(behind, era, "clarify", RISK)

    assert text_of(result) == words
    assert behind.forms[0].requested_schema["properties"]["answer"]["type"] == "boolean"


@pytest.mark.parametrize("era", ERAS)
def test_a_number_that_a_form_made_of_an_answer_is_its_text(era: str) -> None:
    result, _ = over(says(answer=5, note="or 6"), era, "ask_user", {"question": "How many?"})

    assert text_of(result) == "5. or 6"


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("behind", "words"),
    [
        (does("decline"), DECLINED),
        (does("cancel"), "The person closed the question without an answer"),
        (does("accept"), "The person sent an empty answer."),
        (says(answer="  "), "The person sent an empty answer."),
    ],
)
def test_no_answer_is_a_failure_that_says_so(era: str, behind: Behind, words: str) -> None:
    result, (record,) = over(behind, era, "clarify", RISK)

    assert result.is_error
    assert text_of(result).startswith(words)
    assert (record.status, record.asked) == ("failed", [])


def test_a_client_that_fails_to_ask_ends_the_call_with_its_reason() -> None:
    broken = Behind(lambda _: types.ErrorData(code=-32603, message="no window"))
    result, _ = over(broken, "legacy", "clarify", RISK)

    assert text_of(result) == "The person could not be asked: no window."


@pytest.mark.parametrize("era", ERAS)
def test_a_client_without_forms_is_told_what_to_do_instead(era: str) -> None:
    result, (record,) = over(None, era, "ask_user", {"question": "When?"})

    assert result.is_error
    assert text_of(result) == NOWHERE
    assert record.status == "failed"


@pytest.mark.parametrize("era", ERAS)
def test_arguments_that_do_not_fit_never_reach_the_person(era: str) -> None:
    behind = says(answer="Yes")
    result, _ = over(behind, era, "clarify", {**RISK, "candidates": ["Yes", "No"]})

    assert "candidates go with disambiguate only" in text_of(result)
    assert behind.forms == []


@pytest.mark.parametrize("era", ERAS)
def test_a_tool_may_ask_twice_and_hears_both_answers(era: str) -> None:
    pair = App("pair", "Asks twice.")

    @pair.asks
    async def two(state: State, user: User) -> list[str]:
        """Ask for two things."""
        return [(await user.answer(Question(text=text))).text for text in ("First?", "Second?")]

    answers = {"First?": "one", "Second?": "two"}
    behind = Behind(lambda form: types.ElicitResult(action="accept", content={"answer": answers[form.message]}))

    async def main() -> None:
        async with http(pair) as served, served.connect("pair", behind, era) as client:
            result = await client.call_tool("two", {})
            assert result.structured_content == {"result": ["one", "two"]}
            (record,) = served.records()
            assert [each.answer for each in record.asked] == ["one", "two"]

    anyio.run(main)
    assert [form.message for form in behind.forms] == ["First?", "Second?"]


def test_an_answer_to_another_question_is_not_taken_for_an_answer_to_this_one() -> None:
    async def main() -> None:
        async with http("ask_user") as served, served.connect("ask_user", says(answer="x"), ERAS[0]) as client:
            first = await client.session.call_tool("ask_user", {"question": "When?"}, allow_input_required=True)
            assert isinstance(first, types.InputRequiredResult)
            assert first.input_requests
            (key,) = first.input_requests
            again = await client.session.call_tool(
                "ask_user",
                {"question": "Who?"},
                input_responses={key: types.ElicitResult(action="accept", content={"answer": "On Friday."})},
                request_state="{not ours",
                allow_input_required=True,
            )
            assert isinstance(again, types.InputRequiredResult)
            assert again.input_requests
            assert key not in again.input_requests
            assert served.records() == []

    anyio.run(main)


@pytest.mark.parametrize("era", ERAS)
def test_an_agent_under_test_is_never_asked_and_not_told_that_it_is_in_a_sandbox(era: str) -> None:
    behind = says(answer="Yes")

    async def main() -> None:
        async with (
            over_http(toolsets("ask_user"), None, person=False) as (served, _),
            served.connect("ask_user", behind, era) as client,
        ):
            result = await client.call_tool("ask_user", {"question": "When?"})
            assert text_of(result) == "Nobody is available to answer questions in this session."
            assert "sandbox" not in f"{client.server_info} {client.instructions}".lower()

    anyio.run(main)
    assert behind.forms == []


@pytest.mark.parametrize("era", ERAS)
def test_others_are_served_while_a_person_thinks(era: str) -> None:
    async def main() -> None:
        async with over_http(toolsets("ask_user", "directory"), Person()) as (served, _):
            seen, thought = anyio.Event(), anyio.Event()

            async def think(_: Any, params: Any) -> types.ElicitResult:
                seen.set()
                await thought.wait()
                return types.ElicitResult(action="accept", content={"answer": "Now."})

            async def ask(client: Client) -> None:
                assert text_of(await client.call_tool("ask_user", {"question": "When?"})) == "Now."

            async with served.connect("ask_user", think, era) as asking, anyio.create_task_group() as group:  # type: ignore[arg-type]
                group.start_soon(ask, asking)
                await seen.wait()
                async with served.connect("directory", None, era) as other:
                    assert not (await other.call_tool("find_email_address", {"name": "x"})).is_error
                thought.set()
            assert [record.app for record in served.records()] == ["directory", "ask_user"]

    anyio.run(main)


@pytest.mark.parametrize("era", ERAS)
def test_a_server_that_stops_does_not_wait_for_the_person(era: str) -> None:
    shown = anyio.Event()

    class Unattended:
        async def put(self, question: str) -> str:
            shown.set()
            await anyio.sleep_forever()
            raise AssertionError("unreachable")

    async def ask(served: Served) -> None:
        async with served.connect("ask_user", None, era) as client:
            with pytest.raises(MCPError, match="The server stopped before the call was answered"):
                await client.call_tool("ask_user", {"question": "When?"})

    async def main() -> None:
        with anyio.fail_after(30):
            async with (
                anyio.create_task_group() as group,
                over_http(toolsets("ask_user"), Person(Unattended())) as (served, _),
            ):
                group.start_soon(ask, served)
                await shown.wait()

    anyio.run(main)


@pytest.mark.slow
@pytest.mark.parametrize("era", ERAS)
def test_over_stdio_the_person_is_reached_the_same_way(era: str, tmp_path: Path) -> None:
    behind = says(answer="Ann Low")
    served = stdio(tmp_path, "clarify")
    result = anyio.run(asked, served, behind, era, "clarify", WHICH)

    assert text_of(result) == "Ann Low"
    (record,) = served.records()
    assert record.asked[0].answer == "Ann Low"


@pytest.mark.slow
def test_several_apps_behind_one_server_reach_the_person_too(tmp_path: Path) -> None:
    served = stdio(tmp_path, "clarify", "ask_user")
    result = anyio.run(asked, served, says(answer="Yes, do."), ERAS[0], "ask_user_ask_user", {"question": "Sure?"})

    assert text_of(result) == "Yes, do."


@pytest.mark.slow
def test_over_stdio_a_client_without_forms_gets_the_error_and_no_terminal(tmp_path: Path) -> None:
    result = anyio.run(asked, stdio(tmp_path, "ask_user"), None, "legacy", "ask_user", {"question": "When?"})

    assert text_of(result) == NOWHERE


@pytest.mark.parametrize(
    ("arguments", "person"), [(["directory"], True), (["directory", "--setup", "none.json"], False)]
)
def test_only_a_server_that_no_run_started_takes_its_client_for_a_persons(
    call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[str], person: bool
) -> None:
    EMPTY.write(tmp_path / "world")
    (tmp_path / "none.json").write_text("[]")
    served: list[Apps] = []
    monkeypatch.setattr("harness.service.standalone.serve_stdio_apps", served.append)

    assert call("serve", *arguments, "--world", tmp_path / "world").status == 0
    assert isinstance(served[0].user, Person) == person
