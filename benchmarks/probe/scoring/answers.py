"""What an agent hands in, what is asked of a judge about it, and what a judge may say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, JsonValue

__all__ = ("DETAILS", "Answer", "DetailName", "Grade", "Question", "Structured", "answered", "wrong_acts")

Grade = Literal["correct", "incorrect", "missing", "n/a"]
"""Of one detail or parameter (appendix B.6). `n/a`: there is nothing to know."""

DetailName = Literal[
    "who_blocked", "who_blocker", "what_task", "why_root_cause", "when_deadline", "where_system", "how_mechanism",
    "impact_scope",
]  # fmt: skip

DETAILS: tuple[DetailName, ...] = (
    "who_blocked", "who_blocker", "what_task", "why_root_cause", "when_deadline", "where_system", "how_mechanism",
    "impact_scope",
)  # fmt: skip


_TEXT, _LIST = 10_000, 200
"""Characters of a text, and values of a list, that are read: what `choose_action` takes of a bottleneck and evidence.

Elsewhere an agent may write megabytes, and reading takes time.
"""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Structured(_Data):
    """A bottleneck in its eight parts, each empty where the agent says nothing of it."""

    who_blocked: str = ""
    who_blocker: str = ""
    what_task: str = ""
    why_root_cause: str = ""
    when_deadline: str = ""
    where_system: str = ""
    how_mechanism: str = ""
    impact_scope: str = ""


class Answer(_Data):
    """The output of section 2.2: documents retrieved, the bottleneck in prose or in parts, an action, its parameters.

    `action` is None where none was taken.
    """

    retrieved: tuple[str, ...] = ()
    bottleneck: str | Structured = ""
    action: str | None = None
    parameters: dict[str, JsonValue] = {}


class Question(_Data):
    """What no program can tell: whether `said` is right for `about`, a detail or `parameter.NAME`, given `gold`.

    `gold` is None where the key has only a description of the whole; then the judge may also say `n/a`.
    """

    about: str
    gold: JsonValue
    accept: tuple[str, ...] = ()
    said: str


def answered(decisions: Sequence[Mapping[str, Any]]) -> Answer | None:
    """The answer in the rows of `decisions`, in order: the first counts. None where there is none."""
    if not decisions:
        return None
    first = decisions[0]
    details = {name: _start(text) for name, text in first["details"].items()}
    return Answer(
        retrieved=tuple(first["evidence"]),
        bottleneck=Structured(**details) if details else _start(first["bottleneck"]),
        action=first["action"],
        parameters={name: _start(value) for name, value in first["parameters"].items()},
    )


def _start(value: Any) -> Any:
    """What is read of a value that somebody wrote, with the texts in it: its start, where it is very long."""
    if isinstance(value, str):
        return value[:_TEXT]
    return [_start(each) for each in value[:_LIST]] if isinstance(value, list) else value


def wrong_acts(decisions: Sequence[Mapping[str, Any]], right: str | None) -> int:
    """How many of the decisions took another action than the right one: each is a side effect."""
    return sum(decision["action"] != right for decision in decisions)
