"""Notes with titles and tags, for models at work (`default`) and as in the table of pi-Bench (`pi`)."""

from servers.simple_note import default, pi
from servers.simple_note.tables import Note, app

__all__ = ("Note", "app", "default", "pi")
