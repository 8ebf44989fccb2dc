"""Terminal: bash scripts over the files of one person, in a shell that touches nothing else.

It is off unless somebody serves it: a task or a condition that wants it names it. It needs the extra `drift`.
No time passes in a script: `sleep` ends at once, and so `timeout` stops no `sleep`.
"""

from servers.terminal import default
from servers.terminal.nodes import Node, app

__all__ = ("Node", "app", "default")
