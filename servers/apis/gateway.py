"""The surface with two tools: what a service has, and calls of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from servers.apis.answering import Response, answered, response
from servers.apis.services import SERVICES
from servers.apis.tables import app
from servers.kernel import State, quoted

__all__ = ("gateway",)

ServiceName = Literal[
    "appointments", "catalog", "customers", "flights", "hotels", "library", "orders", "parcels", "payments", "tickets",
    "vehicles", "weather",
]  # fmt: skip
Named = Annotated[ServiceName, Field(description="Which service.")]

gateway = app.toolset(
    "gateway",
    "Call the services of a town: appointments, catalog, customers, flights, hotels, library, orders, parcels, "
    "payments, tickets, vehicles, weather. `list_endpoints` says what a service offers, `call_endpoint` calls it; the "
    "answer to every call says what day it is.",
    structured=False,
)


class Listed(BaseModel):
    """An endpoint: its name, and by name what each parameter may be."""

    name: str
    parameters: dict[str, str]


@gateway.reads
def list_endpoints(state: State, service: Named) -> list[Listed]:
    """List the endpoints of a service, each with the names of its parameters and what these may be."""
    return [
        Listed(
            name=endpoint.name,
            parameters={p.name: f"{p.format}; optional" if p.optional else p.format for p in endpoint.parameters},
        )
        for endpoint in SERVICES[service].endpoints.values()
    ]


@gateway.writes(destructive=True)
def call_endpoint(
    state: State,
    service: Named,
    endpoint: Annotated[str, Field(description="Name of the endpoint, as returned by `list_endpoints`.")],
    arguments: Annotated[dict[str, Any], Field(description="Arguments by the names of its parameters.")],
) -> Response:
    """Call an endpoint of a service.

    Returns its HTTP status and today's date, with `body` or `error`. After a status of 400 or higher nothing has been
    changed.
    """
    found = SERVICES[service].endpoints.get(endpoint)
    if found is None:
        known = ", ".join(SERVICES[service].endpoints)
        return response(state, 404, error=f"{service} has no endpoint {quoted(endpoint)}, only {known}.")
    return answered(state, found, arguments)
