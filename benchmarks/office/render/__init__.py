"""From a ledger to the rows of a world."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from benchmarks.office.ledger import Ledger
from benchmarks.office.render import apps
from benchmarks.office.render.mailbox import mailbox
from benchmarks.office.render.texts import Texts

__all__ = ("Texts", "rendered")


def rendered(ledger: Ledger, today: date) -> dict[str, Mapping[str, list[dict[str, Any]]]]:
    """App -> table -> rows, where `now` is that day."""
    texts = Texts(ledger, today)
    return {
        "gmail": mailbox(texts),
        "calendar": apps.calendar(texts),
        "chat": apps.chat(texts),
        "todoist": apps.todoist(texts),
        "crm": apps.crm(texts),
        "filesystem": apps.filesystem(texts),
        "simple_note": apps.simple_note(texts),
        "directory": apps.directory(texts),
    }
