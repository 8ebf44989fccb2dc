"""Text of others as it can be shown: what would steer a terminal or turn the direction of a line is seen instead."""

from __future__ import annotations

import re

__all__ = ("visible", "visible_json")

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters of control but for the tab and the end of a line, further ends of lines, and marks of direction."""


def visible(text: str) -> str:
    """A text with such characters spelled out, as `[U+001B]`; `harness view` shows marks of direction so, too."""
    return _STEERING.sub(lambda one: f"[U+{ord(one[0]):04X}]", text.replace("\r\n", "\n"))


def visible_json(text: str) -> str:
    """JSON with such characters as escapes: they stand in strings alone, where JSON has not escaped them already."""
    return _STEERING.sub(lambda one: f"\\u{ord(one[0]):04x}", text)
