"""Memory: short texts that an agent keeps for itself from one session to the next.

It is off unless somebody serves it: a task or a condition that wants it names it.
"""

from servers.memory import default
from servers.memory.tables import Memory, app

__all__ = ("Memory", "app", "default")
