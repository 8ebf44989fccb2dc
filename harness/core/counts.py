"""Numbers of things, and sums of money, as they are told."""

from __future__ import annotations

from decimal import Decimal

__all__ = ("counted", "dollars")


def counted(number: int, what: str) -> str:
    """So many of something: `1 trial`, `2 trials`, `1,200 trials`."""
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"


def dollars(amount: float) -> str:
    """US dollars: in whole cents, `$1.50`; of less than a cent the first two digits, `$0.0014`."""
    return f"${Decimal(f'{amount:.1e}'):f}" if 0 < amount < 0.01 else f"${amount:.2f}"
