"""Shared expenses, with the tools of pi-Bench's table (`pi`)."""

from servers.splitwise import pi, pi_writing
from servers.splitwise.tables import app

__all__ = ("app", "pi", "pi_writing")
