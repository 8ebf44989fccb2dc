"""A phone: whose line it is, who is in its contacts, what was texted, and when it rings."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from pydantic import Field

from servers.kernel import Account, App, Dated, Login, Table

__all__ = ("WEEKDAYS", "Alarm", "Contact", "Line", "Message", "Weekday", "app")

Weekday = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

WEEKDAYS: tuple[Weekday, ...] = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""In the order of Python's `weekday`."""


class Line(Table, name="lines", ids="N{}"):
    """A number and whose it is: the e-mail address that is also the username of their account, if there are any."""

    username: str
    number: str


class Contact(Table, name="contacts", ids="C{}"):
    """Somebody in the contacts of a line's owner. Two contacts of one owner never have the same number."""

    username: str
    name: str
    number: str
    email: str = ""
    relation: str = ""
    note: Dated = ""


class Message(Table, name="messages", ids="T{}", noun="text message"):
    """A text from one number to another. The texts between two numbers are a thread."""

    sender: str
    recipient: str
    text: Dated
    sent: datetime


class Alarm(Table, name="alarms", ids="A{}"):
    """When a phone rings: at `time`, HH:MM, on `days` of the week or once on `day`. `snooze`: minutes; 0 for none."""

    username: str
    time: str = Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")
    label: Dated = ""
    days: list[Weekday] = Field(default=[])
    day: date | None = None
    on: bool = True
    snooze: int = Field(default=10, ge=0, le=60)


app = App(
    "phone",
    "Contacts, text messages and alarms of a phone, and the time there.",
    tables=(Line, Contact, Message, Alarm, Account, Login),
)
