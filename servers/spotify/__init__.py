"""Music to find, keep and hear, with the tools of pi-Bench (`pi`)."""

from servers.spotify import pi, pi_keeping, pi_playing
from servers.spotify.tables import app

__all__ = ("app", "pi", "pi_keeping", "pi_playing")
