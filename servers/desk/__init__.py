"""The assistant's desk: what it wrote to the person it works for, and what is to come back to it at a later time.

It is off unless somebody serves it: whoever has a client of their own reads there what is written to them.
"""

from servers.desk import pi
from servers.desk.tables import Entry, Message, app
from servers.desk.times import due

__all__ = ("Entry", "Message", "app", "due", "pi")
