"""The surface with two tools: what a service has, and calls of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from servers.apis.answering import Response, answered
from servers.apis.services import SERVICES
from servers.apis.tables import app
from servers.kernel import State

__all__ = ("gateway",)

ServiceName = Literal[
    "appointments", "catalog", "customers", "flights", "hotels", "library", "orders", "parcels", "payments", "tickets",
    "vehicles", "weather",
]  # fmt: skip
Named = Annotated[ServiceName, Field(description="Which service.")]

gateway = app.toolset(
    "gateway",
    "Call the services of a town: appointments, catalog, customers, flights, hotels, library, orders, parcels, "
    "payments, tickets, vehicles, weather. `list_endpoints` says what a service offers, `call_endpoint` calls it.",
    structured=False,
)


class Listed(BaseModel):
    """An endpoint: its name, and the type of each parameter by name."""

    name: str
    parameters: dict[str, str]


@gateway.reads
def list_endpoints(state: State, service: Named) -> list[Listed]:
    """List the endpoints of a service, each with the names and types of its parameters.

    A date is text, YYYY-MM-DD.
    """
    return [
        Listed(
            name=endpoint.name,
            parameters={p.name: f"{p.kind}, optional" if p.optional else p.kind for p in endpoint.parameters},
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

    Returns its HTTP status, with `body` or `error`. After a status of 400 or higher nothing has been changed.
    """
    found = SERVICES[service].endpoints.get(endpoint)
    if found is None:
        known = ", ".join(SERVICES[service].endpoints)
        return Response(status=404, error=f"{service} has no endpoint {endpoint[:100]!r}, only {known}.")
    return answered(state, found, arguments)
