"""Questions put to the person in the client that makes a call: MCP elicitation in form mode, in both protocol eras.

Up to 2025-11-25 a server asks while the call goes on. From 2026-07-28 it cannot: the call ends with what there is to
ask, and the client makes it again with the answers. The tool then runs again from its start.
"""

from __future__ import annotations

import hashlib
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import is_version_at_least
from pydantic import TypeAdapter, ValidationError

from harness.serving.person import DECLINED
from servers.kernel import Answer, Question, Rejected

__all__ = ("Asking", "Unanswered")

NONE = "None of these"
"""The choice beside the candidates of a question."""

_ROUNDS = "2026-07-28"
"""The first protocol version in which a call ends with its questions."""

_Answers = TypeAdapter(dict[str, types.ElicitResult])


class Unanswered(BaseException):
    """Ends a call until the client has asked; `result` is what it is told. Nothing is recorded of it.

    No `Exception`: like a cancellation it is none of the business of tools, and of whatever judges their errors.
    """

    def __init__(self, result: types.InputRequiredResult) -> None:
        self.result = result
        super().__init__("the question is with the client")


class Asking:
    """The client of one call, as the `Caller` that a person is reached through."""

    def __init__(self, context: Any, params: types.CallToolRequestParams) -> None:
        self._context, self._params = context, params

    async def put(self, question: Question) -> Answer | None:
        """What the person answers; None where their client shows no forms, or its connection carries no questions.

        Raises `Rejected` where they decline, close the form, or the answer cannot be read, and `Unanswered`.
        """
        if not _shows_forms(self._context.session.client_capabilities):
            return None
        form = types.ElicitRequestFormParams(message=_message(question), requested_schema=_schema(question))
        if is_version_at_least(self._context.protocol_version, _ROUNDS):
            return _answer(self._given(form))
        if not self._context.session.can_send_request:
            return None
        try:
            ask = self._context.session.elicit_form
            result = await ask(form.message, form.requested_schema, self._context.request_id)
        except (MCPError, ValidationError) as error:
            why = error.message if isinstance(error, MCPError) else "their client sent something that is not an answer"
            raise Rejected(f"The person could not be asked: {why}.") from None
        return _answer(result)

    def _given(self, form: types.ElicitRequestFormParams) -> types.ElicitResult:
        """The answer that the client brings along. Raises `Unanswered` where it was not asked this before.

        Answers of earlier rounds come back as the state of the request. They need no seal: whoever could forge them
        could as well give them.
        """
        key = hashlib.sha256(form.model_dump_json().encode()).hexdigest()[:16]
        try:
            answers = _Answers.validate_json(self._params.request_state or "{}")
        except ValidationError:
            answers = {}
        for name, response in (self._params.input_responses or {}).items():
            if isinstance(response, types.ElicitResult):
                answers[name] = response
        if key in answers:
            return answers[key]
        state = _Answers.dump_json(answers, by_alias=True, exclude_none=True).decode() if answers else None
        asked: types.InputRequests = {key: types.ElicitRequest(params=form)}
        raise Unanswered(types.InputRequiredResult(input_requests=asked, request_state=state))


def _shows_forms(capabilities: types.ClientCapabilities | None) -> bool:
    """An empty capability, the only shape before there were modes, means forms."""
    can = capabilities.elicitation if capabilities else None
    return can is not None and (can.form is not None or can.url is None)


def _message(question: Question) -> str:
    return f"{question.text}\n\n{question.context}" if question.context else question.text


def _schema(question: Question) -> dict[str, Any]:
    """The form: a choice where there are candidates, yes or no for a risk, else a line of text."""
    fields: dict[str, Any] = {"answer": {"type": "string", "title": "Answer"}}
    note = {"type": "string", "title": "Anything to add?"}
    if question.candidates:
        choices = [*dict.fromkeys((*question.candidates, NONE))]
        fields = {"answer": {"type": "string", "title": "Answer", "enum": choices}, "note": note}
    elif question.strategy == "confirm_risk":
        fields = {"answer": {"type": "boolean", "title": "Go ahead?"}, "note": note}
    return {"type": "object", "properties": fields, "required": ["answer"]}


def _answer(result: types.ElicitResult) -> Answer:
    """What the person sent, as they would have said it."""
    if result.action == "decline":
        raise Rejected(DECLINED)
    if result.action == "cancel":
        raise Rejected("The person closed the question without an answer. Go on without it, or say what you cannot do.")
    content = result.content or {}
    answer, note = content.get("answer"), content.get("note")
    if isinstance(answer, bool):
        answer = "Yes" if answer else "No"
    elif isinstance(answer, int | float):  # a form that takes what was typed for a number
        answer = str(answer)
    said = [part.strip() for part in (answer, note) if isinstance(part, str) and part.strip()]
    if not said:
        raise Rejected("The person sent an empty answer.")
    return Answer(text=". ".join(said))
