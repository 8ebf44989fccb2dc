"""Long conversations, gone on with from a summary of them."""

from __future__ import annotations

from harness.agents.talking import Aside, Wire, consult, rendered, transcript
from harness.core.desk import AgentFailed, Desk
from harness.core.trajectory import Message
from harness.models.replies import Completes

__all__ = ("Summary",)


class Summary:
    """Where a conversation takes more than `above` tokens, has the model sum it up, and goes on from that.

    Kept beside the summary are the system prompt and the message that is being worked on. None as `above` never does.
    The summary's request is on record as any, and costs a turn. `template` takes the place of `prompts/summary.j2`.
    """

    def __init__(self, model: Completes, above: int | None = None, template: str = "") -> None:
        self._model, self._above, self._template = model, above, template
        self._own: Aside | None = None

    def desk(self, desk: Desk) -> Desk:
        """The desk to work at, the same one for all turns of a session."""
        if self._above is None or isinstance(desk, Aside):
            return desk
        if self._own is None or self._own.behind is not desk:
            self._own = Aside(desk)
        return self._own

    async def shorten(self, desk: Desk, asked: Message, wire: Wire) -> None:
        """Sum the conversation up if it is too long; `asked` is kept. Raises `AgentFailed` for an empty summary."""
        if self._above is None or not isinstance(desk, Aside) or desk.tokens <= self._above:
            return
        system, *rest = desk.messages
        if len(rest) < 2:  # the message alone, or with a summary already
            return
        text = await consult(self._model, desk.behind, rendered("summary.j2", self._template), transcript(rest, wire))
        if not text.strip():
            raise AgentFailed("the summary of the conversation is empty")
        content = f"{asked.content}\n\nWhat you have found and done so far, as you summed it up:\n\n{text.strip()}"
        so_far = Message(session=desk.session, role="user", content=content)
        desk.behind.say(so_far)
        desk.shorten([system, so_far])
