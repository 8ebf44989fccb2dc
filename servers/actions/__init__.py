"""Actions: what a person could do, each with parameters of its own, and what an agent decided to do for them.

It is off unless somebody serves it: a task or a condition that wants it names it.
"""

from servers.actions import prose, structured
from servers.actions.tables import Action, Decision, app

__all__ = ("Action", "Decision", "app", "prose", "structured")
