"""The sandbox service over HTTP: JSON in, JSON out, and errors that name what was wrong."""

from __future__ import annotations

import json
import logging
from functools import cache, partial
from typing import Any

from pydantic import BaseModel, ValidationError
from starlette import routing
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from harness.core.config import ConfigProblem
from harness.core.suite import SuiteError
from harness.service.models import problems
from harness.service.openapi import describe
from harness.service.routes import ROUTES, Asked, Route
from harness.service.sandboxes import Sandboxes
from harness.serving.guard import Refused, refuse
from servers.catalog import BrokenApp, UnknownApp
from servers.kernel import StateError, quoted

__all__ = ("Api",)

_log = logging.getLogger(__name__)
_CALLER = (ConfigProblem, SuiteError, UnknownApp, BrokenApp, StateError)
"""What naming things wrongly raises; the text says what would be right."""

OPENAPI = "/v1/openapi.json"


class Api:
    """An ASGI application for what lies under `/v1/`."""

    def __init__(self, sandboxes: Sandboxes, *, body_limit: int) -> None:
        self._sandboxes, self._limit = sandboxes, body_limit
        served = [routing.Route(each.path, partial(self._answer, each), methods=[each.method]) for each in ROUTES]
        self._router = routing.Router([routing.Route(OPENAPI, _description), *served], redirect_slashes=False)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        scope = {**scope, "app": self}  # else the router would answer itself where nothing fits
        try:
            await self._router(scope, receive, send)
        except HTTPException:
            await refuse(_nothing(scope), send)
        except Refused as refused:
            await refuse(refused, send)
        except _CALLER as error:
            await refuse(Refused(422, "invalid", str(error)), send)
        except Exception:  # noqa: BLE001 (the outermost door: a caller learns that it was not them, the log why)
            _log.exception("%s %s failed", scope["method"], scope["path"])
            await refuse(Refused(500, "defect", "the service failed; its log says more"), send)

    async def _answer(self, route: Route, request: Request) -> Response:
        id = request.path_params.get("id")
        live: Any = self._sandboxes.find(id, request.headers.get("control-token", "")) if id else None
        body = _parsed(route.body, request, await self._body(request)) if route.body else None
        address = str(request.base_url).rstrip("/")
        answer = await route.handler(Asked(self._sandboxes, live, body, _query(route, request), address))
        return _json(answer.model_dump_json() if answer is not None else "", route.status)

    async def _body(self, request: Request) -> bytes:
        body = bytearray()
        try:
            async for part in request.stream():
                body += part
                if len(body) > self._limit:
                    raise Refused(413, "too_large", f"a body may have at most {self._limit} bytes")
        except ClientDisconnect:
            raise Refused(400, "invalid", "the request ended before its body did") from None
        return bytes(body)


async def _description(request: Request) -> Response:
    return _json(_document())


@cache
def _document() -> str:
    return json.dumps(describe(ROUTES), ensure_ascii=False)


def _json(text: str, status: int = 200) -> Response:
    return Response(text, status, {"Cache-Control": "no-store"}, "application/json")


def _nothing(scope: Any) -> Refused:
    """Why no operation fits: not with this method, where the path is one, else there is no such path."""
    path, method = scope["path"][:200], scope["method"]
    if "route" in scope:
        allowed = ", ".join(each.method for each in ROUTES if each.path == scope["route"].path) or "GET"
        return Refused(405, "wrong_method", f"{path} takes {allowed}, not {method}", {"Allow": allowed})
    return Refused(404, "not_found", f"nothing is at {path}; {OPENAPI} lists what there is")


def _parsed(model: type[BaseModel], request: Request, body: bytes) -> BaseModel:
    """A body as its model; no body is an empty object. Raises `Refused` naming each field that does not fit."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and kind != "application/json":
        raise Refused(415, "wrong_type", f"send JSON as `Content-Type: application/json`, not {kind or 'nothing'!r}")
    try:
        return model.model_validate_json(body or b"{}")
    except ValidationError as error:
        raise Refused(422, "invalid", problems(error, model)) from None


def _query(route: Route, request: Request) -> dict[str, str]:
    known = {name: default for name, default, _ in route.query}
    if strange := [name for name in request.query_params if name not in known]:
        raise Refused(422, "invalid", f"unknown parameter {quoted(strange[0])}; there is {', '.join(known) or 'none'}")
    return {**known, **request.query_params}
