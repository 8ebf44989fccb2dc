"""The service's OpenAPI 3.1 description, made from the table of routes and the models they name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pydantic.json_schema import models_json_schema

from harness.core.distribution import package_version
from harness.service.models import Problem

if TYPE_CHECKING:
    from harness.service.routes import Route

__all__ = ("describe",)

_ABOUT = """\
Sandboxed workplaces for programs: create one, hand its MCP URLs to an agent, then look at what the agent did.
Every operation on a sandbox needs the control token that its creation returned; agents never see it."""


def describe(routes: Sequence[Route]) -> dict[str, Any]:
    """The whole document. What goes in is described as it is validated, what comes out as it is written."""
    asked = [(route.body, "validation") for route in routes if route.body]
    told = [(route.answer, "serialization") for route in routes if route.answer]
    pairs: Any = [*dict.fromkeys([*asked, *told, (Problem, "serialization")])]
    refs, definitions = models_json_schema(pairs, ref_template="#/components/schemas/{model}")
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, refs)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Workplace sandboxes", "version": package_version(), "description": _ABOUT},
        "paths": paths,
        "components": {
            "schemas": definitions["$defs"],
            "securitySchemes": {
                "control": {"type": "apiKey", "in": "header", "name": "Control-Token"},
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "Where the server was started with a token; always beyond loopback.",
                },
            },
        },
    }


def _operation(route: Route, refs: Any) -> dict[str, Any]:
    of_sandbox = "{id}" in route.path
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "query", "description": text, "schema": {"type": "string", "default": default}}
        for name, default, text in route.query
    ]
    if of_sandbox:
        id = {"type": "string", "pattern": "^[0-9a-f]{32}$"}
        parameters.append({"name": "id", "in": "path", "required": True, "schema": id})
    found: dict[str, Any] = {"operationId": route.name, "summary": route.summary, "parameters": parameters}
    if route.body:
        found["requestBody"] = {"content": _json(refs[route.body, "validation"])}
    answer = {"content": _json(refs[route.answer, "serialization"])} if route.answer else {}
    problem = _json(refs[Problem, "serialization"])
    found["responses"] = {
        str(route.status): {"description": route.summary, **answer},
        "default": {"description": "What was wrong, and what would be right", "content": problem},
    }
    found["security"] = [{"control": []}, {"control": [], "bearer": []}] if of_sandbox else [{}, {"bearer": []}]
    return found


def _json(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
