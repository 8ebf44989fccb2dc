"""Mail: one mailbox, as the benchmark of the paper shows it (`workbench`), and with threads (`threads`)."""

from servers.gmail import threads, workbench
from servers.gmail.tables import Email, app

__all__ = ("Email", "app", "threads", "workbench")
