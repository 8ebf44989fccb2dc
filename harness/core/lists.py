"""Records that have three lists, of messages, calls and model calls, made into one list of events as they are read.

Records of version 1 were written so, and `--json` prints records so to this day (`harness.record.shape`). In which
order things happened follows from who waits for whom: a reply of a model comes before its calls, a result of a call
behind it, and a user's next message behind the hand-over that it answers. When a thing happened is not in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

__all__ = ("with_events",)

_LISTS = ("messages", "calls", "model_calls")


def with_events(record: Mapping[str, Any]) -> dict[str, Any]:
    """A trajectory of lists as one of version 2; what does not fit stays as it was, to be refused by name."""
    kept = {name: value for name, value in record.items() if name not in _LISTS}
    sessions = _dicts(record, "sessions")
    told = {name: _dicts(record, name) for name in _LISTS}
    events = [event for number, session in enumerate(sessions) for event in _session(number, session, told)]
    gone = [each for name in _LISTS for each in told[name] if each.get("session") not in range(len(sessions))]
    rest = [{k: v for k, v in session.items() if k not in ("request", "now")} for session in sessions]
    return {**kept, "version": 2, "sessions": rest, "events": [*events, *map(_event, gone)]}


def _dicts(record: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    return [dict(each) for each in record.get(name) or () if isinstance(each, Mapping)]


def _session(
    number: int, session: Mapping[str, Any], told: Mapping[str, list[dict[str, Any]]]
) -> Iterator[dict[str, Any]]:
    messages, steps, replies = ([each for each in told[name] if each.get("session") == number] for name in _LISTS)
    if "request" in session:
        yield {"kind": "request", "session": number, "now": session.get("now", ""), "text": session["request"]}
    turn, began = 0, False

    def made(most: float) -> Iterator[dict[str, Any]]:
        while steps and steps[0].get("turn", 0) <= most:
            yield _event(steps.pop(0))

    for message in messages:
        role = message.get("role")
        if role == "tool":
            yield from islice(made(turn), 1)
        elif role == "assistant":
            yield from made(float("inf") if message.get("process") else turn)
        elif role == "user" and began:
            yield from made(turn)
        began = began or role == "user"
        yield _event(message)
        if role == "assistant":
            turn += 1
            while replies and replies[0].get("turn", 0) <= turn:
                yield _event(replies.pop(0))
    yield from map(_event, [*replies, *steps])


def _event(each: Mapping[str, Any]) -> dict[str, Any]:
    """A message, call or model call as an event."""
    if "role" in each:
        return {"kind": "message", **each}
    if "purpose" in each:
        return {"kind": "model_call", **each}
    if (each.get("app"), each.get("tool")) == ("user", "end_of_turn"):
        asked = each.get("asked") or [{}]
        kept = {name: each[name] for name in ("n", "session", "turn") if name in each}
        return {"kind": "hand_over", **kept, "text": asked[0].get("text", ""), "asked": each.get("asked", [])}
    return {"kind": "call", **each}
