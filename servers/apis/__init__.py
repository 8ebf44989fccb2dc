"""Apis: twelve services of one town with six endpoints each, reached through a gateway or one tool an endpoint.

What a service answers is a function of rows that nobody sees whole. Agents learn the names of endpoints and of their
parameters and what these may be, and nothing else: what a call does they find out by calling, as people do with an API
that nobody documented. It is off unless somebody serves it: a task or a condition that wants it names it.
"""

from servers.apis import gateway, tools  # in this order: the first toolset is the one that is served by default
from servers.apis.answering import down
from servers.apis.calls import Called, called, flattened
from servers.apis.services import SERVICES
from servers.apis.tables import COUNTED, app

__all__ = ("COUNTED", "SERVICES", "Called", "app", "called", "down", "flattened", "gateway", "tools")
