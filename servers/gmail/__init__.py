"""Mail: one mailbox, with a surface for models at work (`default`) and those of two papers (`workbench`, `pi`).

`threads` is a small surface with stars and conversations.
"""

from servers.gmail import default, keeping, pi, pi_acting, threads, workbench
from servers.gmail.tables import Email, app

__all__ = ("Email", "app", "default", "keeping", "pi", "pi_acting", "threads", "workbench")
