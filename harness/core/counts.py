"""Numbers of things, as they are told."""

from __future__ import annotations

__all__ = ("counted",)


def counted(number: int, what: str) -> str:
    """So many of something: `1 trial`, `2 trials`, `1,200 trials`."""
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"
