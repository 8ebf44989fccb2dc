"""What a question asks for, as a model says that is shown no value which was not told yet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from servers.kernel import Question, first_amiss
from userssim.values import said
from userssim.voice import Voice, messages, rendered, whole
from userssim.wish import Known, Wish

__all__ = ("Heard", "Proposal", "listen", "masked", "named", "right")


class Proposal(BaseModel):
    """A value that a question has for a fact, in its words."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fact: str
    words: str


class Heard(BaseModel):
    """What a question asks for, as the model says. `sense` counts where all else is empty."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    asked: tuple[str, ...]
    proposed: tuple[Proposal, ...]
    leave: bool
    other: bool
    sense: Literal["clear", "unclear", "nothing"]


async def listen(
    voice: Voice,
    wish: Wish,
    question: Question,
    earlier: Sequence[tuple[str, str]],
    *,
    sent: str = "",
    noise: Sequence[Known] = (),
) -> Heard:
    """Ask the model which facts of the wish a question is about, after what was said `earlier`.

    With `sent` it sees the message as it reached the assistant, too, and the remarks in it that mean nothing. Raises
    `UserFault` where no reply can be used.
    """
    items = [*wish.withheld, *wish.stated]
    system = rendered("hear", message=masked(wish), items=items, sent=sent, noise=noise)
    known = {item.id for item in (*items, *noise)}
    asked = whole(question)

    def read(text: str) -> Heard:
        try:
            heard = Heard.model_validate_json(_bare(text))
        except ValidationError as error:
            raise ValueError(f"unreadable: {first_amiss(error, 'the reply')}") from None
        for fact in (*heard.asked, *(each.fact for each in heard.proposed)):
            if fact not in known:
                raise ValueError(f"unreadable: no fact is named {fact!r}")
        for each in heard.proposed:
            if not _places(each.words, asked):
                raise ValueError(f"unreadable: the question does not have the words {each.words!r}")
        return heard

    return await voice.checked(messages(system, question, earlier=earlier), read)


def masked(wish: Wish) -> str:
    """The request as meant, with the names of its items in place of their values, wherever and however it says them."""
    spans = sorted(
        (*span, item.id)
        for item in (*wish.withheld, *wish.stated)
        for span in {*said(wish.full, item), *_places(item.value, wish.full)}
    )
    text, ends = "", 0
    names: list[str] = []
    for start, end, name in spans:
        if names and start < ends:
            names += [name] * (name not in names)
        else:
            text += (f"[{', '.join(names)}]" if names else "") + wish.full[ends:start]
            names = [name]
        ends = max(ends, end)
    return text + (f"[{', '.join(names)}]" if names else "") + wish.full[ends:]


def right(text: str, words: str, item: Known) -> bool:
    """Whether a text says the item's value where it has these words."""
    values = said(text, item)
    return any(start < last and first < end for first, last in _places(words, text) for start, end in values)


def named(item: Known) -> str:
    """What sort of thing an item is, in words."""
    name = (item.kind or item.id).replace("_", " ")
    return f"{name} ({item.role})" if item.role else name


def _places(words: str, text: str) -> list[tuple[int, int]]:
    """Where a text has these words, in any letter case."""
    if not words.strip():
        return []
    return [found.span() for found in re.finditer(re.escape(words.strip()), text, re.IGNORECASE)]


def _bare(text: str) -> str:
    """JSON without the fence that models like to put around it."""
    text = text.strip()
    fenced = len(text) >= 6 and text.startswith("```") and text.endswith("```")
    return text[3:-3].removeprefix("json") if fenced else text
