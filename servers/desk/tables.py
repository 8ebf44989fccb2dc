"""What lies on the desk: the tables, and the app over them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from servers.kernel import App, Dated, Table

__all__ = ("Entry", "Message", "Repeat", "Subagent", "app")

Repeat = Literal["once", "day", "weekday", "week"]
"""How often: a weekday is Monday to Friday; a week later is the same day of the week."""


class Message(Table, name="messages", ids="M{}"):
    """What the assistant wrote to the person it works for. `title` is empty where it has none."""

    title: Dated = ""
    text: Dated
    written: datetime


class Entry(Table, name="entries", ids="E{}", noun="entry"):
    """What is to come back at `due`, and from then on at that time of day as often as `repeat` says."""

    what: Dated
    due: datetime
    repeat: Repeat = "once"
    made: datetime


class Subagent(Table, name="subagents", ids="S{}"):
    """What the assistant had somebody else do, and what they reported. `title` is empty where it has none."""

    title: Dated = ""
    task: Dated
    report: Dated
    started: datetime


app = App(
    "desk",
    "Write to the person you work for, and have tasks come back at a later time.",
    tables=(Message, Entry, Subagent),
    apart=True,
)
