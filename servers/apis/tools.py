"""The surface with one tool an endpoint, of the same names and types."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from servers.apis.answering import Response, answered
from servers.apis.endpoint import Endpoint, Kind, Parameter, integral, textual
from servers.apis.services import SERVICES
from servers.apis.tables import app
from servers.kernel import State

__all__ = ("flat",)

flat = app.toolset(
    "flat",
    "Call the services of a town, each tool one endpoint of one of them. A result has an HTTP status and today's date, "
    "with `body` or `error`; after a status of 400 or higher nothing has been changed.",
    structured=False,
)

_TYPES: Mapping[Kind, Any] = {"string": Annotated[str, textual], "integer": Annotated[int, integral], "date": str}
"""What a tool takes for a parameter. A date is taken as text, as the gateway takes it, and so is a choice."""


def _offer(endpoint: Endpoint) -> None:
    """Add the tool of an endpoint: `<service>_<endpoint>`. It says no more than the gateway does.

    That a call is counted is a change of rows, also where the endpoint reads, so every tool `writes`; and all are
    called destructive alike, since which ones are is what an agent has to think about.
    """

    def call(state: State, **arguments: Any) -> Response:
        given = {name: value for name, value in arguments.items() if value is not None}
        return answered(state, endpoint, given)

    hints = {parameter.name: _hint(parameter) for parameter in endpoint.parameters}
    first = inspect.Parameter("state", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=State)
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            first,
            *(
                inspect.Parameter(
                    parameter.name,
                    inspect.Parameter.KEYWORD_ONLY,
                    annotation=hints[parameter.name],
                    default=None if parameter.optional else inspect.Parameter.empty,
                )
                for parameter in endpoint.parameters
            ),
        ]
    )
    call.__annotations__ = {"state": State, **hints, "return": Response}
    call.__doc__ = f"Call `{endpoint.name}` of the service {endpoint.service}."
    flat.writes(name=f"{endpoint.service}_{endpoint.name}", destructive=True)(call)


def _hint(parameter: Parameter) -> Any:
    kind = _TYPES[parameter.kind]
    said = {"string": "Text.", "integer": "A whole number."}.get(parameter.format, f"{_begun(parameter.format)}.")
    return Annotated[kind | None if parameter.optional else kind, Field(description=said)]


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


for _service in SERVICES.values():
    for _endpoint in _service.endpoints.values():
        _offer(_endpoint)
