"""A mailbox of any size, made from a seed: what every figure is measured on."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from servers.kernel import World

__all__ = ("NOW", "WORDS", "mail_id", "mailbox")

NOW = datetime(2024, 3, 1, 9, 0)
_WORDS = (
    "anchor basket candle drawer engine forest garden harbour island jacket kettle ladder meadow needle "
    "orchard pepper quarry ribbon saddle timber umbrella valley window yellow zipper budget report review draft"
)
WORDS = _WORDS.split()


def mail_id(number: int) -> str:
    return f"{number:08d}"


def mailbox(mails: int) -> World:
    """That many mails of about 300 characters, from 80 addresses, one every ten minutes."""
    dice = random.Random(mails)
    addresses = [f"{first}.{last}@example.test" for first in WORDS[:10] for last in WORDS[10:18]]
    rows = [
        {
            "id": mail_id(number),
            "folder": "inbox" if number % 3 else "outbox",
            "address": dice.choice(addresses),
            "subject": " ".join(dice.choices(WORDS, k=3)),
            "sent_datetime": (NOW - timedelta(minutes=10 * (mails - number))).isoformat(sep=" "),
            "body": " ".join(dice.choices(WORDS, k=38)),
        }
        for number in range(mails)
    ]
    return World(f"mailbox-{mails}", NOW, {"gmail": {"emails": rows}})
