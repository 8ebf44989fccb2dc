"""Emoji by their names."""

from __future__ import annotations

import re

from servers.kernel import Rejected, quoted

__all__ = ("emoji_name",)

_NAME = re.compile(r"[a-z0-9_+'-]{1,64}")
_SAME = {"+1": "thumbsup", "-1": "thumbsdown"}


def emoji_name(text: str, argument: str) -> str:
    """The name of an emoji, written with or without colons. Raises `Rejected` for what is none."""
    name = text.strip().strip(":").lower()
    if not _NAME.fullmatch(name):
        raise Rejected(
            f"{argument}: {quoted(text)} is not the name of an emoji; write it in letters, such as thumbsup."
        )
    return _SAME.get(name, name)
