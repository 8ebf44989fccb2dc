"""A model that decides for the user: what it is shown, what it may reply, and what is made of that."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import pytest
from anyio.from_thread import start_blocking_portal

from harness.core.config import LlmConfig
from harness.models.llm import Model, aclose
from harness.models.user_model import UserModel
from harness.stub import Reply, StubServer
from harness.trajectory import ModelCall
from servers.kernel import Answer, Called, Intent, Opening, Question, UserFault
from tests.pi.talking import BASIS, FACTS, INTENTS, NAMING, SEVERITY, did, ended, said, wrote
from userssim.intents.model import Judge, quoted, reworder
from userssim.intents.protocol import IntentUser, assigned

IDS = [intent.id for intent in INTENTS]
REQUEST = "Build the sterling curve."


class Speaker:
    """Replies as a function of the prompt says, and keeps all prompts with their settings."""

    def __init__(self, says: Callable[[str], str]) -> None:
        self._says = says
        self.requests: list[dict[str, Any]] = []

    def __call__(self, request: dict[str, Any]) -> Reply:
        self.requests.append(request)
        return Reply(text=self._says(self.prompts[-1]))

    @property
    def prompts(self) -> list[str]:
        """The first message of each request."""
        return [request["messages"][0]["content"] for request in self.requests]


@contextmanager
def speaking(says: Callable[[str], str], kept: list[ModelCall] | None = None) -> Iterator[tuple[UserModel, Speaker]]:
    speaker = Speaker(says)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(StubServer(speaker)) as stub:
        settings = {"kind": "llm", "model": "openai/stub", "api_base": stub.base_url, "temperature": 0}
        keep = kept.append if kept is not None else lambda call: None
        yield UserModel(Model(LlmConfig.model_validate(settings)), keep), speaker


def run(done: Callable[..., Awaitable[Any]], *given: Any) -> Any:
    """What it returns in a loop of its own, whose connections to models are closed."""

    async def main() -> Any:
        try:
            return await done(*given)
        finally:
            await aclose()

    return anyio.run(main)


def judged(
    says: Callable[[str], str],
    *questions: Question,
    intents: tuple[Intent, ...] = INTENTS,
    kept: list[ModelCall] | None = None,
) -> tuple[list[Answer], Speaker]:
    async def main(voice: UserModel) -> list[Answer]:
        user = IntentUser([intents], Judge(voice), facts=FACTS)
        await user.opens(Opening(number=0, now="2026-04-14T09:10:00", request=REQUEST))
        return [await user.answer(question) for question in questions]

    with speaking(says, kept) as (voice, speaker):
        return run(main, voice), speaker


def stage(prompt: str) -> str:
    return "completed" if "has acted on one requirement" in prompt else "asked"


def yes_to(*wanted: tuple[str, Intent]) -> Callable[[str], str]:
    """Says yes at a stage to the prompt that has that intent."""
    return lambda prompt: "YES" if any(stage(prompt) == at and each.text in prompt for at, each in wanted) else "NO"


def test_each_intent_is_judged_by_a_call_of_its_own_at_each_stage() -> None:
    (answer,), speaker = judged(yes_to(("completed", BASIS), ("asked", NAMING)), ended("Done. And the file?"))

    assert assigned(IDS, [answer]) == {"basis": "completed", "severity": "open", "naming": "inferred"}
    assert [stage(prompt) for prompt in speaker.prompts] == ["completed"] * 3 + ["asked"] * 3
    for prompt in speaker.prompts:
        assert sum(intent.text in prompt for intent in INTENTS) == 1


def test_temperature_is_nought() -> None:
    _, speaker = judged(yes_to(), ended("On it."))

    assert {request["temperature"] for request in speaker.requests} == {0}


def test_what_is_told_stays_verbatim() -> None:
    (answer,), _ = judged(yes_to(("asked", BASIS), ("asked", SEVERITY)), ended("Which?"))

    assert answer.text == f"{BASIS.says}\n{SEVERITY.says}"


def test_no_prompt_has_what_the_person_would_say_or_what_became_of_an_intent() -> None:
    _, speaker = judged(yes_to(("completed", BASIS)), ended("A."), ended("B."))

    for prompt in speaker.prompts:
        assert not any(intent.says in prompt for intent in INTENTS)
        assert not any(word in prompt for word in ("inferred", "provided"))


def test_a_settled_intent_is_not_judged_again_but_may_be_asked_for() -> None:
    _, speaker = judged(yes_to(("completed", BASIS)), ended("A."), ended("B."))
    about = [stage(prompt) for prompt in speaker.prompts if BASIS.text in prompt]

    assert about == ["completed", "asked", "asked"]


def test_the_first_stage_sees_request_calls_changes_and_statements_in_quotation() -> None:
    call = Called(app="filesystem", tool="write_file", arguments={"path": "curve.csv"}, status="ok")
    question = ended("Built it.\nIs it right?", wrote("7", text="YES\n- YES"), calls=(call,))
    _, speaker = judged(yes_to(), question, intents=(BASIS,))
    prompt = speaker.prompts[0]

    assert f"The request:\n\n> {REQUEST}\n" in prompt
    assert '> filesystem.write_file {"path": "curve.csv"} -> ok\n' in prompt
    assert '> filesystem.File 7: {"text": "YES\\n- YES"}\n' in prompt
    assert "\n> Built it.\n" in prompt
    assert "Is it right?" not in prompt


def test_the_second_stage_sees_the_message_alone() -> None:
    _, speaker = judged(yes_to(), ended("Built it.\nIs it right?", wrote("7", text="x")), intents=(BASIS,))
    prompt = speaker.prompts[1]

    assert "\n> Built it.\n> Is it right?\n" in prompt
    assert "filesystem" not in prompt


def test_where_nothing_was_said_or_done_the_model_is_not_asked() -> None:
    (answer,), speaker = judged(lambda prompt: "YES", ended(""))

    assert (said(answer), speaker.requests) == ([("given", "basis")], [])


def test_where_a_message_is_a_question_alone_it_is_no_evidence_of_acts() -> None:
    _, speaker = judged(yes_to(), ended("Which day count?"), intents=(BASIS,))

    assert [stage(prompt) for prompt in speaker.prompts] == ["asked"]


def test_an_empty_last_turn_is_judged_by_what_was_done() -> None:
    (answer,), _ = judged(yes_to(("completed", BASIS)), ended("", calls=(did("write"),)), intents=(BASIS,))

    assert (said(answer), answer.goes_on) == ([("confirmed", "basis")], False)


@pytest.mark.parametrize("reply", ["YES", "yes", " Yes.\n", "**YES**", '"Yes"'])
def test_a_yes_is_read_in_any_dress(reply: str) -> None:
    (answer,), _ = judged(lambda prompt: reply, ended("Done."), intents=(BASIS,))

    assert said(answer) == [("confirmed", "basis")]


@pytest.mark.parametrize("reply", ["", "YES, since it is done", "YES NO", "Maybe", "The answer is NO", "yesterday"])
def test_any_other_reply_is_asked_for_again_and_three_are_the_users_fault(reply: str) -> None:
    kept: list[ModelCall] = []
    with pytest.raises(UserFault, match=r"none of 3 replies .* the last one: unreadable: the reply is neither YES nor"):
        judged(lambda prompt: reply, ended("Done."), kept=kept)

    assert [call.problem.partition(":")[0] for call in kept] == ["unreadable"] * 3


def test_verdicts_are_on_record_in_one_order() -> None:
    runs = []
    for _ in range(2):
        kept: list[ModelCall] = []
        judged(yes_to(("asked", NAMING)), ended("Done. And the file?"), ended("Fine."), kept=kept)
        runs.append([(call.request["messages"], call.purpose) for call in kept])

    assert runs[0] == runs[1]
    assert {purpose for _, purpose in runs[0]} == {"user"}


def test_of_a_long_text_the_middle_is_left_out() -> None:
    text = quoted("a" * 30_000)

    assert len(text) < 20_100
    assert "\n> [10000 characters left out]\n> aaa" in text


def reworded(*replies: str, says: str = BASIS.says, values: tuple[str, ...] = BASIS.values) -> tuple[str, Speaker]:
    left = list(replies)
    with speaking(lambda prompt: left.pop(0) if len(left) > 1 else left[0]) as (voice, speaker):
        return run(reworder(voice, "You are in a hurry."), says, values), speaker


def test_a_reworded_text_keeps_its_values() -> None:
    text, speaker = reworded("Count days differently.", "Oh, and count days on ACT/365F please.")

    assert text == "Oh, and count days on ACT/365F please."
    assert "missing: it does not have 'ACT/365F', word for word" in speaker.requests[1]["messages"][-1]["content"]
    assert all(part in speaker.prompts[0] for part in (BASIS.says, "- ACT/365F", "You are in a hurry."))


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", "empty"),
        ("It is ACT/365F, by 14 May.", "outside the intent"),
        ("How can I help you with ACT/365F?", "speaking as the assistant"),
    ],
)
def test_a_reworded_text_adds_nothing(reply: str, problem: str) -> None:
    with pytest.raises(UserFault, match=problem):
        reworded(reply)


def test_a_user_with_another_voice_records_what_it_said() -> None:
    async def main(voice: UserModel) -> Answer:
        user = IntentUser([INTENTS], Judge(voice), reword=reworder(voice))
        await user.opens(Opening(number=0, now="", request=REQUEST))
        return await user.answer(ended("On it."))

    with speaking(lambda prompt: "It is ACT/365F for me." if "in your own words" in prompt else "NO") as (voice, _):
        answer = run(main, voice)

    assert (answer.text, answer.parts[0].text) == ("It is ACT/365F for me.", "It is ACT/365F for me.")
    assert assigned(IDS, [answer])["basis"] == "provided"
