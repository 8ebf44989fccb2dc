"""A phone, with the tools of pi-Bench's table (`pi`): contacts, text messages, alarms, and the time."""

from servers.phone import pi, pi_alarms
from servers.phone.tables import Alarm, Contact, Line, Message, app

__all__ = ("Alarm", "Contact", "Line", "Message", "app", "pi", "pi_alarms")
