"""Datastore: what one person has in mails, calendar and documents, to be searched and read, by SQL too.

It changes nothing. It is off unless somebody serves it: a task or a condition that wants it names it.
"""

from servers.datastore import default, paper
from servers.datastore.tables import Document, Email, Event, app

__all__ = ("Document", "Email", "Event", "app", "default", "paper")
