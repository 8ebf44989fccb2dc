"""The assistant's desk: what it wrote to its person, what is to come back to it later, and what subagents did for it.

It is off unless somebody serves it: whoever has a client of their own reads there what is written to them.
"""

from servers.desk import pi, pi_subagents
from servers.desk.tables import Entry, Message, Subagent, app
from servers.desk.times import due

__all__ = ("Entry", "Message", "Subagent", "app", "due", "pi", "pi_subagents")
