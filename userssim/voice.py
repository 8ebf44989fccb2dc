"""The model that speaks for a user, and the messages that it is sent: texts of `prompts/`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from servers.kernel import Question
from userssim.wording import listed

__all__ = ("Voice", "messages", "rendered", "whole")

T = TypeVar("T")

_PROMPTS: Final = Path(__file__).parent / "prompts"


class Voice(Protocol):
    """The model that speaks for a user."""

    async def checked(self, messages: Sequence[Mapping[str, Any]], read: Callable[[str], T]) -> T:
        """What `read` makes of the reply; where it raises `ValueError` the model is told why and asked again.

        Raises `UserFault` where no reply will do.
        """


def whole(question: Question) -> str:
    """What was asked, with candidates as if they were said with it."""
    return question.text + listed(question.candidates)


def messages(
    system: str,
    question: Question,
    *,
    earlier: Sequence[tuple[str, str]] = (),
    notes: Sequence[str] = (),
) -> list[dict[str, str]]:
    """A system prompt, and the question behind what was said `earlier`, with notes for the answer."""
    asked = rendered(
        "asked",
        earlier=earlier,
        context=question.context,
        end_of_turn=question.end_of_turn,
        question=whole(question),
        notes=notes,
    )
    return [{"role": "system", "content": system}, {"role": "user", "content": asked}]


def rendered(name: str, **known: Any) -> str:
    """A text of `prompts/`, filled in."""
    return _environment().get_template(f"{name}.j2").render(**known).strip()


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_PROMPTS),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
