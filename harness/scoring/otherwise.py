"""What a trial did otherwise than it should have: expected changes that were made with another value, in words.

The outcome check counts such a change twice, as missing and as unexpected; to a reader it is one thing done wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from harness.core.suite import Told
from harness.core.task import Compare, Expected
from harness.scoring.matching import Match, nearest
from servers.kernel import Change

__all__ = ("otherwise",)

_LONGEST: Final = 40
"""Characters of a value: of two long ones the beginnings, so that a line has room for both."""

_LEAD: Final = 16
"""Characters that stand at most before the place where two long values part, so that one knows what it is."""

_LACKED: Final = 3
"""How many facts that a text lacks are named."""


def otherwise(
    of: Match,
    compare: Compare,
    defaults: Mapping[str, Mapping[str, Any]] = {},
    told: Callable[[Any, Any], Told | None] | None = None,
) -> list[str]:
    """Each difference once, such as `status Lost instead of Won`, in the order of what was expected.

    Which change is held against which is what `nearest` says. `told` is the suite's (`Suite.told`): of a text that has
    to say some facts, those that it lacks are named.
    """

    def said(wish: Expected, field: str, change: Change) -> Told | None:
        return told(wish.values.get(field), (change.after or {}).get(field)) if told else None

    def share(wish: Expected, field: str, change: Change) -> float | None:
        found = said(wish, field, change)
        return None if found is None else found.share

    differences: dict[str, None] = {}
    for near in nearest(of, compare, defaults, share):
        for field in near.fields:
            text = said(near.wish, field, near.change)
            made = (near.change.after or {}).get(field)
            words = _instead(made, near.wish.values.get(field)) if text is None else _lacks(text)
            differences[f"{field} {words}"] = None
    return list(differences)


def _instead(made: Any, wanted: Any) -> str:
    """Both in a sentence; of long ones that begin alike, what stands where they part."""
    one, other = _plain(made), _plain(wanted)
    alike = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    if alike > _LEAD and max(len(one), len(other)) > _LONGEST:
        begin = alike - _LEAD
        begin = one.find(" ", begin, alike - _LEAD // 2) + 1 or begin  # at a word, where one begins there
        one, other = (f"…{text[begin:]}" for text in (one, other))
    one, other = _short(one), _short(other)
    return f"{one} instead of {other}" if one != other else "is another"


def _lacks(text: Told) -> str:
    missing = [fact for fact, there in text.facts if not there]
    if not missing:
        return "has values beside the wrong names"
    rest = f" and {len(missing) - _LACKED} more" if len(missing) > _LACKED else ""
    return f"lacks {_listed(missing[:_LACKED])}{rest}"


def _listed(facts: Sequence[str]) -> str:
    return ", ".join(_in_words(each) for each in facts)


def _in_words(value: Any) -> str:
    """A value in a sentence, in quotes where it is several words."""
    return _short(_plain(value))


def _plain(value: Any) -> str:
    """A value as text in one line, "" where there is none."""
    if value is None:
        return ""
    return " ".join(value.split()) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _short(text: str) -> str:
    if not text:
        return "nothing"
    text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"
    return f'"{text}"' if " " in text else text
