"""The sandbox service over HTTP: JSON in, JSON out, and errors that name what was wrong."""

from __future__ import annotations

import json
import logging
import re
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

from pydantic import BaseModel, ValidationError

from harness.config import ConfigProblem
from harness.service.guard import Refused, refuse
from harness.service.openapi import describe
from harness.service.routes import ROUTES, Asked, Route
from harness.service.sandboxes import Sandboxes
from harness.suite import SuiteError
from servers.catalog import BrokenApp, UnknownApp
from servers.kernel import StateError

__all__ = ("Api",)

_log = logging.getLogger(__name__)
_CALLER = (ConfigProblem, SuiteError, UnknownApp, BrokenApp, StateError)
"""What naming things wrongly raises; the text says what would be right."""

OPENAPI = "/v1/openapi.json"


class Api:
    """An ASGI application for what lies under `/v1/`."""

    def __init__(self, sandboxes: Sandboxes, *, body_limit: int) -> None:
        self._sandboxes, self._limit = sandboxes, body_limit

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            status, body = await self._answer(scope, receive)
        except Refused as refused:
            await refuse(refused, send)
            return
        except _CALLER as error:
            await refuse(Refused(422, "invalid", str(error)), send)
            return
        except Exception:  # noqa: BLE001 (the outermost door: a caller learns that it was not them, the log why)
            _log.exception("%s %s failed", scope["method"], scope["path"])
            await refuse(Refused(500, "defect", "the service failed; its log says more"), send)
            return
        headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _answer(self, scope: Any, receive: Any) -> tuple[int, bytes]:
        if scope["path"] == OPENAPI and scope["method"] == "GET":
            return 200, _description()
        route, id = _route(scope["method"], scope["path"])
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        live: Any = self._sandboxes.find(id, headers.get("control-token", "")) if id else None
        body = _parsed(route.body, headers, await self._body(receive)) if route.body else None
        address = f"{scope.get('scheme', 'http')}://{headers['host']}"
        answer = await route.handler(Asked(self._sandboxes, live, body, _query(route, scope), address))
        return route.status, answer.model_dump_json().encode() if answer is not None else b""

    async def _body(self, receive: Any) -> bytes:
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise Refused(400, "invalid", "the request ended before its body did")
            body += message.get("body", b"")
            if len(body) > self._limit:
                raise Refused(413, "too_large", f"a body may have {self._limit} bytes")
            if not message.get("more_body", False):
                return bytes(body)


@cache
def _description() -> bytes:
    return json.dumps(describe(ROUTES), ensure_ascii=False).encode()


@cache
def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.escape(path).replace(re.escape("{id}"), "(?P<id>[0-9a-f]{32})"))


def _route(method: str, path: str) -> tuple[Route, str]:
    """The operation, and the id of the sandbox that the path names, if any. Raises `Refused`."""
    found = [(route, match) for route in ROUTES if (match := _pattern(route.path).fullmatch(path))]
    for route, match in found:
        if route.method == method:
            return route, match.groupdict().get("id", "")
    if found:
        allowed = ", ".join(route.method for route, _ in found)
        raise Refused(405, "wrong_method", f"{path[:200]} takes {allowed}, not {method}", {"Allow": allowed})
    raise Refused(404, "not_found", f"nothing is at {path[:200]}; {OPENAPI} lists what there is")


def _parsed(model: type[BaseModel], headers: dict[str, str], body: bytes) -> BaseModel:
    """A body as its model; no body is an empty object. Raises `Refused` naming each field that does not fit."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and kind != "application/json":
        raise Refused(415, "wrong_type", f"send JSON as `Content-Type: application/json`, not {kind or 'nothing'!r}")
    try:
        return model.model_validate_json(body or b"{}")
    except ValidationError as error:
        raise Refused(422, "invalid", "; ".join(_problem(each, model) for each in error.errors())) from None


def _problem(error: Any, model: type[BaseModel]) -> str:
    where = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        return f"unknown field {where!r}; there are {', '.join(model.model_fields)}"
    text = error["msg"].removeprefix("Value error, ")
    return f"{where}: {text}" if where else text


def _query(route: Route, scope: Any) -> dict[str, str]:
    given = dict(parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True))
    known = {name: default for name, default, _ in route.query}
    if strange := [name for name in given if name not in known]:
        raise Refused(422, "invalid", f"unknown parameter {strange[0]!r}; there is {', '.join(known) or 'none'}")
    return {**known, **given}
