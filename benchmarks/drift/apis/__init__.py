"""Tasks over twelve services of a town that can only be reached by calls, never looked at whole."""

from benchmarks.drift.apis import (
    flights,
    goods,
    hotels,
    library,
    orders,
    parcels,
    payments,
    tickets,
    town_hall,
    vehicles,
    weather,
)
from benchmarks.drift.apis.play import flat
from benchmarks.drift.apis.worlds import WORLDS, rows, world

__all__ = ("TEMPLATES", "WORLDS", "flat", "rows", "world")

TEMPLATES = tuple(
    template
    for service in (
        orders, parcels, payments, goods, hotels, flights, vehicles, weather, tickets, library, town_hall
    )
    for template in service.TEMPLATES
)  # fmt: skip
