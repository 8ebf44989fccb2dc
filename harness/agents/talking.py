"""What agents of kind `llm` have in common: asking the model, and keeping on record what was asked and said."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.core.desk import Desk, LimitReached, Reply
from harness.core.trajectory import Message, ModelCall
from harness.models.replies import Completes, Completion, ContextWindow, ToolCall

if TYPE_CHECKING:
    from harness.core.templates import Templates

__all__ = ("Aside", "Wire", "ask", "complete", "consult", "found", "keep", "rendered", "system_message", "transcript")

Wire = Callable[[Message], Mapping[str, Any]]
"""How a message is sent to a model."""

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")  # strftime would use the locale
_CHARACTERS = 3.9  # of a token of English, where a provider does not count


async def ask(
    model: Completes,
    desk: Desk,
    wire: Wire,
    tools: Sequence[Mapping[str, Any]] = (),
) -> Completion:
    """The model's next reply to a desk's conversation, each message as `wire` sends it.

    Raises `LimitReached` where the conversation has outgrown the model.
    """
    return await complete(model, [wire(message) for message in desk.messages], tools)


async def complete(
    model: Completes, sent: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()
) -> Completion:
    """The model's reply to messages in the shape of chat completions. Raises `LimitReached` where they do not fit."""
    began = time.perf_counter()
    try:
        completion = await model.complete(sent, tools)
        seconds = max(time.perf_counter() - began - completion.waited, 0)
        return completion.model_copy(update={"seconds": round(seconds, 4)})
    except ContextWindow:
        raise LimitReached("context window") from None


async def consult(
    model: Completes, desk: Desk, instruction: str, material: str, unread: Callable[[str], str] = lambda _: ""
) -> str:
    """The model's answer to a question beside the conversation.

    On record are the instruction and the answer as messages, and the whole request, the material with it, in the model
    call. `unread` says of an answer why it cannot be read, which goes on record too; "" where it can.
    """
    sent = [{"role": "system", "content": instruction}, {"role": "user", "content": material or "(nothing)"}]
    completion = await complete(model, sent)
    desk.say(Message(session=desk.session, role="system", content=instruction))
    keep(desk, completion, completion.text, (), unread(completion.text))
    return completion.text


def keep(desk: Desk, completion: Completion, content: str, calls: Sequence[ToolCall], problem: str = "") -> None:
    """Put a reply into the conversation, then pay for it: the reply that breaks a budget is still told."""
    turn = 1 + sum(message.role == "assistant" for message in desk.messages)
    given = [call._asdict() for call in calls]
    said = Message(session=desk.session, role="assistant", content=content, calls=given, ended=completion.ended)
    desk.say(said)
    desk.spend(
        ModelCall(
            session=desk.session,
            turn=turn,
            purpose="agent",
            request=completion.request,
            response=completion.response,
            usage=completion.usage,
            attempts=completion.attempts,
            duration=completion.seconds,
            waited=completion.waited,
            problem=problem,
        )
    )


def system_message(desk: Desk, name: str, template: str = "", **more: Any) -> Message:
    """The first message of a conversation: from `template`, or else from our prompt of that name."""
    text = rendered(name, template, system=desk.system.strip(), now=desk.now, day=_DAYS[desk.now.weekday()], **more)
    return Message(session=desk.session, role="system", content=text)


def rendered(name: str, template: str = "", **values: Any) -> str:
    """A prompt: from `template`, or else ours of that name."""
    return _templates().rendered(_template(name, template), values).strip()


def transcript(messages: Sequence[Message], wire: Wire) -> str:
    """A conversation as one text, without its system prompt: for a model that is asked about it."""
    told = []
    for message in messages:
        if message.role != "system":
            sent = wire(message)
            calls = [
                f"{each['function']['name']}({each['function']['arguments']})" for each in sent.get("tool_calls", ())
            ]
            told.append("\n".join([f"[{sent['role']}]", *filter(None, [sent.get("content")]), *calls]))
    return "\n\n".join(told)


def found(reply: str, *keys: str) -> dict[str, Any] | None:
    """The first JSON object of a reply that has one of the keys, whatever surrounds it; None where there is none.

    Behind very many braces that open nothing, none is looked for.
    """
    decoder = json.JSONDecoder(strict=False)
    at, tries, looks = 0, 500, 20 * (len(reply) + 1)
    while tries and looks > 0 and (at := reply.find("{", at)) >= 0:
        try:
            blob, end = decoder.raw_decode(reply, at)
        except RecursionError:
            return None
        except json.JSONDecodeError as error:
            tries -= 1
            looks -= error.pos - at
            at += 1
            continue
        if any(key in blob for key in keys):
            return dict(blob)
        at = end
    return None


class Aside:
    """A desk with a conversation of its own, which is all that its model is sent; on record it is the desk's behind it.

    `tokens` is what the conversation takes: as the provider counted it last, and what came since estimated.
    """

    def __init__(self, behind: Desk, past: Sequence[Message] = ()) -> None:
        self.behind = behind
        self.session, self.system, self.now = behind.session, behind.system, behind.now
        self.tools, self.toolsets, self.owner = behind.tools, behind.toolsets, behind.owner
        self.messages: list[Message] = [*past]
        self.tokens = _estimated(self.messages)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        return await self.behind.call(name, arguments)

    def garbled(self, name: str, raw: str, problem: str) -> Reply:
        return self.behind.garbled(name, raw, problem)

    def say(self, message: Message) -> None:
        self.behind.say(message)
        self.messages.append(message)
        self.tokens += _estimated([message])

    def spend(self, call: ModelCall) -> None:
        call.turn = sum(message.role == "assistant" for message in self.behind.messages)
        self.tokens = call.usage.prompt_tokens + call.usage.completion_tokens or self.tokens
        self.behind.spend(call)

    def random(self, decision: str, purpose: str) -> random.Random:
        return self.behind.random(decision, purpose)

    def shorten(self, to: Sequence[Message]) -> None:
        """Go on with these messages in place of all so far, which stay on record."""
        self.messages[:] = to
        self.tokens = _estimated(to)


def _estimated(messages: Sequence[Message]) -> int:
    return int(sum(len(message.content) for message in messages) / _CHARACTERS)


@lru_cache(maxsize=32)
def _template(name: str, own: str) -> Any:
    return _templates().from_string(own) if own else _templates().get_template(name)


@cache
def _templates() -> Templates:
    """Those of a config may include ours."""
    from jinja2 import FileSystemLoader, StrictUndefined

    from harness.core.templates import Templates

    return Templates(
        loader=FileSystemLoader(Path(__file__).parent / "prompts"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
