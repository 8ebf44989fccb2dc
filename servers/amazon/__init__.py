"""An online shop, with the tools of pi-Bench's table (`pi`)."""

from servers.amazon import pi, pi_account, pi_buying, pi_saying
from servers.amazon.tables import app

__all__ = ("app", "pi", "pi_account", "pi_buying", "pi_saying")
