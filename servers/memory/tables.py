"""What is remembered: the table, and the app over it."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from servers.kernel import App, Dated, Table

__all__ = ("Memory", "app")


class Memory(Table, name="memories", ids="M{}", noun="memory"):
    """Something worth remembering. `changed` is when it was last put in other words, at first when it was kept."""

    text: Dated
    kept: datetime
    changed: datetime = Field(default_factory=lambda row: row["kept"])


app = App("memory", "Keep notes to yourself from one session to the next.", tables=(Memory,), apart=True)
