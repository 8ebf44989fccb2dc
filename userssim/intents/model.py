"""A model that decides what an agent acted on and asked for, and one that says a person's words in others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from servers.kernel import Intent, Since, Turn
from userssim.intents.protocol import Reword
from userssim.speech import check_bearing, check_within
from userssim.voice import Voice, rendered
from userssim.wish import holds

__all__ = ("Judge", "quoted", "reworder")

_LONGEST: Final = 20_000
"""Characters of a text that a verdict is made from: of a longer one the begin and the end."""

_ENTRIES: Final = 200
"""Calls, and changed rows, that a verdict is made from: the last ones."""


class Judge:
    """Decides by a model, one call for each intent and stage, which replies YES or NO.

    It sees that intent, the session's request and the evidence: nothing of other intents, nor of what became of any.
    What the agent wrote is quoted, line by line. Where there is no evidence the answer is no, without a call. Raises
    `UserFault` where none of three replies can be read.
    """

    def __init__(self, voice: Voice) -> None:
        self._voice = voice

    async def completed(self, intent: Intent, turn: Turn) -> bool:
        if not (turn.stated or turn.since.calls or turn.since.changed):
            return False
        return await self._says(
            "completed",
            intent,
            turn,
            message=quoted(turn.stated),
            calls=list(_calls(turn.since)),
            changes=list(_changes(turn.since)),
        )

    async def asked(self, intent: Intent, turn: Turn) -> bool:
        if not turn.message.strip():
            return False
        return await self._says("asked", intent, turn, message=quoted(turn.message))

    async def _says(self, stage: str, intent: Intent, turn: Turn, **evidence: object) -> bool:
        prompt = rendered(f"intents/{stage}", request=quoted(turn.request), intent=intent.text, **evidence)
        return await self._voice.checked([{"role": "user", "content": prompt}], _verdict)


def reworder(voice: Voice, persona: str = "") -> Reword:
    """Has a model say what is told in its own words, which hold the intent's values and no figure or name besides.

    Raises `UserFault` where no reply will do.
    """

    async def reworded(says: str, values: Sequence[str]) -> str:
        prompt = rendered("intents/reword", says=says, values=values, persona=persona.strip())

        def read(text: str) -> str:
            text = text.strip()
            check_bearing(text, values)
            for value in values:
                if not holds(text, value):
                    raise ValueError(f"missing: it does not have {value!r}, word for word")
            check_within(text, says)
            return text

        return await voice.checked([{"role": "user", "content": prompt}], read)

    return reworded


def quoted(text: str) -> str:
    """A text as evidence: each line, whatever ends it, begins with ">"; the middle of a long text is left out."""
    text = text.strip()
    if left_out := max(len(text) - _LONGEST, 0):
        text = f"{text[: _LONGEST // 2]}\n[{left_out} characters left out]\n{text[-_LONGEST // 2 :]}"
    return "\n".join(f"> {line}" for line in text.splitlines())


def _verdict(text: str) -> bool:
    word = text.strip(" \t\r\n.*\"'`").upper()
    if word not in ("YES", "NO"):
        raise ValueError("unreadable: the reply is neither YES nor NO alone")
    return word == "YES"


def _calls(since: Since) -> Iterator[str]:
    for call in since.calls[-_ENTRIES:]:
        yield quoted(f"{call.app}.{call.tool} {_json(call.arguments)} -> {call.status}")


def _changes(since: Since) -> Iterator[str]:
    for row in since.changed[-_ENTRIES:]:
        values = "removed" if row.values is None else _json(row.values)
        yield quoted(f"{row.app}.{row.table} {row.id}: {values}")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
