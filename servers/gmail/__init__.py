"""Mail: one mailbox, as models at work use it (`default`), as a benchmark shows it (`workbench`), and `threads`."""

from servers.gmail import default, keeping, threads, workbench
from servers.gmail.tables import Email, app

__all__ = ("Email", "app", "default", "keeping", "threads", "workbench")
