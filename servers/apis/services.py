"""All services by name."""

from __future__ import annotations

from collections.abc import Mapping

from servers.apis import town, trade, travel
from servers.apis.endpoint import Service

__all__ = ("SERVICES",)

SERVICES: Mapping[str, Service] = {
    service.name: service
    for service in sorted((*trade.SERVICES, *travel.SERVICES, *town.SERVICES), key=lambda service: service.name)
}
