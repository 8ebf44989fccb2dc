"""The web: dated pages, found by words and read by address, with the tools of pi-Bench's table (`pi`).

It is off unless somebody serves it: nobody is to take its pages for those of the web outside.
"""

from servers.web import pi
from servers.web.tables import WebPage, app

__all__ = ("WebPage", "app", "pi")
