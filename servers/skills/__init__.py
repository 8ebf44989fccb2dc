"""Skills: folders of instructions for kinds of work, listed by what they are for and read file by file.

It is off unless somebody serves it: people's own clients have skills of their own.
"""

from servers.skills import default
from servers.skills.front import Front, front
from servers.skills.tables import MAIN, File, app

__all__ = ("MAIN", "File", "Front", "app", "default", "front")
