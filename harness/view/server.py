"""The page over HTTP, for this machine alone."""

from __future__ import annotations

import asyncio
import logging
import secrets
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final, TypeVar

import anyio
import uvicorn
from pydantic import ValidationError
from pydantic_core import from_json
from starlette import routing
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from harness.core.config import ConfigProblem
from harness.record.files import RunError
from harness.serving.guard import Guard, Refused, refuse
from harness.serving.receiving import Quiet, listen
from harness.view.annotations import AnnotationProblem
from harness.view.data import View
from harness.view.encoding import as_json
from harness.view.files import INDEX, KINDS, page, static
from harness.view.search import wanted
from servers.kernel import first_amiss

__all__ = ("HEADERS", "Pages", "serve", "serving")

T = TypeVar("T")

_log = logging.getLogger(__name__)

_BODY = 200_000
"""Bytes of what is posted."""

_LONGEST_PATH = 1_000
_LONGEST_QUERY = 500

_LOOKS_ONLY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
"""Of a page that is not ours: no scripts, no forms, no requests, and an origin of its own."""

_NO_TRIAL = "There is no such trial, or no such try of it, in these runs: it was removed, or the link is of other runs."

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}
"""Of every response."""


class Pages:
    """An ASGI application. Whoever writes brings `token`, which the page is told and no other site can read."""

    def __init__(self, view: View) -> None:
        self._view, self.token = view, secrets.token_urlsafe(24)
        self._guard = Guard()
        self._router = routing.Router(
            [
                routing.Route("/data/{name}.json", self._data),
                routing.Route("/raw/{run:int}/{key}.json", self._raw),
                routing.Route("/written/{run:int}.html", self._written),
                routing.Route("/search/{run:int}.json", self._search),
                routing.Route("/hits/{run:int}/{key}.json", self._hits),
                routing.Route("/annotations", self._annotate, methods=["POST"]),
                routing.Route("/annotations/{run:int}/{key}/{id}", self._remove, methods=["DELETE"]),
                routing.Route("/{path:path}", self._file),
            ],
            redirect_slashes=False,
        )

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        told = partial(_with_headers, send)
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            self._check(scope, headers)
            await self._router({**scope, "app": self}, receive, told)
        except Refused as refused:
            await refuse(refused, told)
        except HTTPException as error:
            known = "nothing is here" if error.status_code == 404 else "this cannot be asked so"
            await refuse(Refused(error.status_code, known, f"{known}: {scope['path'][:200]}"), told)
        except RunError as error:
            await refuse(Refused(409, str(error), str(error)), told)
        except Exception:  # noqa: BLE001 (the outermost door: the page says that something broke, the log what)
            _log.exception("%s %s failed", scope["method"], scope["path"])
            await refuse(Refused(500, "the server failed; its terminal says more", "a defect"), told)

    def _check(self, scope: Any, headers: Mapping[str, str]) -> None:
        if len(scope["path"]) > _LONGEST_PATH:  # a number among it may be one that Python reads no more
            raise Refused(414, "nothing is here: the address is too long", "nothing is here")
        try:
            self._guard.check(scope["path"], headers)
        except Refused as refused:
            if refused.status == 421:
                raise Refused(
                    421, "wrong_host", "this page is for this machine only, at 127.0.0.1 or localhost"
                ) from None
            raise
        if scope["method"] not in ("GET", "HEAD"):
            given = headers.get("x-harness-token", "")
            if not secrets.compare_digest(given.encode(), self.token.encode()):
                raise Refused(403, "wrong token", "X-Harness-Token is not the page's; load the page again")
            if self._view.read_only:
                raise Refused(403, "read only", "this view was started with --read-only")

    async def _data(self, request: Request) -> Response:
        name = request.path_params["name"]
        after = request.query_params.get("after", "0")
        number = int(after) if after.isdecimal() and len(after) < 10 else 0
        return await _in_thread(lambda: self._value(name, number))

    def _value(self, name: str, after: int) -> Response:
        value = self._view.value(name, after)
        if value is None:
            raise _no_trial() if name.startswith(("trial-", "events-", "try-")) else HTTPException(404)
        if name == "runs" and not self._view.read_only:
            value |= {"writable": True, "token": self.token, "author": self._view.author}
        return Response(as_json(value), media_type="application/json")

    async def _raw(self, request: Request) -> Response:
        run, key = request.path_params["run"], request.path_params["key"]
        path = await _in_thread(lambda: self._view.record(run, key))
        if path is None:
            raise _no_trial()
        try:
            body = await _in_thread(path.read_bytes)
        except OSError as error:
            raise RunError(f"{path} cannot be read any more: {error.strerror}") from None
        named = {"content-disposition": f'attachment; filename="trial-{run}-{key}.json"'}
        return Response(body, media_type="application/json", headers=named)

    async def _written(self, request: Request) -> Response:
        """The report in a run's folder. Whoever made that folder wrote it: it may look as it likes, and do nothing."""
        path = self._view.written(request.path_params["run"])
        if path is None:
            raise HTTPException(404)
        try:
            body = await _in_thread(path.read_bytes)
        except OSError as error:
            raise RunError(f"{path} cannot be read any more: {error.strerror}") from None
        return Response(body, media_type=KINDS[".html"], headers={"content-security-policy": _LOOKS_ONLY})

    async def _search(self, request: Request) -> Response:
        run, query = request.path_params["run"], _query(request)
        found = await _in_thread(lambda: self._view.search(run, query))
        if found is None:
            raise HTTPException(404)
        return Response(as_json(found), media_type="application/json")

    async def _hits(self, request: Request) -> Response:
        run, key, query = request.path_params["run"], request.path_params["key"], _query(request)
        found = await _in_thread(lambda: self._view.hits(run, key, query))
        if found is None:
            raise _no_trial()
        return Response(as_json(found), media_type="application/json")

    async def _annotate(self, request: Request) -> Response:
        body = await _body(request)
        try:
            given = from_json(body)
            if not isinstance(given, dict):
                raise ValueError("send a JSON object")
            made = await anyio.to_thread.run_sync(lambda: self._view.annotate(given))
        except ValidationError as error:
            return _wrong(first_amiss(error))
        except (AnnotationProblem, ValueError) as error:
            return _wrong(str(error))
        return Response(as_json(made), 201, media_type="application/json")

    async def _remove(self, request: Request) -> Response:
        run, key, id = (request.path_params[name] for name in ("run", "key", "id"))
        try:
            await anyio.to_thread.run_sync(lambda: self._view.take_back(run, key, id))
        except AnnotationProblem as error:
            return _wrong(str(error))
        return Response(None, 204)

    async def _file(self, request: Request) -> Response:
        """A file of the page, of those that there are: what was asked for is never made a path."""
        name = request.path_params["path"] or INDEX
        if name == INDEX:
            return Response(page("server"), media_type=KINDS[".html"])
        found = static().get(name)
        if found is None:
            raise HTTPException(404)
        return Response(found.read_bytes(), media_type=KINDS[found.suffix])


async def _in_thread(work: Callable[[], T]) -> T:
    """What takes a while and writes nothing, in a thread that the end of the process does not wait for."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(how: Callable[[Any], None], what: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: None if done.done() else how(what))

    def run() -> None:
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 (raised again where it is waited for)
            tell(done.set_exception, error)
        else:
            tell(done.set_result, result)

    threading.Thread(target=run, daemon=True).start()
    return await done


def _no_trial() -> Refused:
    return Refused(404, _NO_TRIAL, _NO_TRIAL)


def _query(request: Request) -> str:
    """What is searched for. Cut short it would find what was not asked for."""
    query = request.query_params.get("q", "")
    if len(query) > _LONGEST_QUERY:
        told = f"a search may have {_LONGEST_QUERY} characters, and this one has {len(query):,}"
        raise Refused(400, told, told)
    if not wanted(query):
        raise Refused(400, "there is no word to search for", "there is no word to search for")
    return query


async def _body(request: Request) -> bytes:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refused(415, "wrong type", "send JSON as `Content-Type: application/json`")
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > _BODY:
                raise Refused(413, "too large", f"an annotation may have at most {_BODY} bytes")
    except ClientDisconnect:
        raise Refused(400, "invalid", "the request ended before its body did") from None
    return bytes(body)


def _wrong(text: str) -> Response:
    return Response(as_json({"error": text}), 400, media_type="application/json")


async def _with_headers(send: Any, message: Any) -> None:
    if message["type"] == "http.response.start":
        own = {name.lower() for name, _ in message["headers"]}
        added = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in own]
        message = {**message, "headers": [*message["headers"], *added]}
    await send(message)


@asynccontextmanager
async def serving(view: View, port: int = 0) -> AsyncIterator[str]:
    """Serve the page while the block runs; gives its address. Port 0 takes a free one.

    Raises `ConfigProblem` where the port is taken.
    """
    with _listening(port) as listening:
        config = uvicorn.Config(
            # A defect is logged by `Pages`; that requests were cut off at the end is none.
            Pages(view), interface="asgi3", lifespan="off", log_level="critical", access_log=False, ws="none",
            timeout_graceful_shutdown=1,
        )  # fmt: skip
        web = Quiet(config)
        async with anyio.create_task_group() as group:
            group.start_soon(web.serve, [listening])
            try:
                yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
            finally:
                web.should_exit = True


def serve(view: View, port: int, ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM comes; `ready` gets the address. Raises `ConfigProblem`."""

    async def main() -> None:
        stop = anyio.Event()
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async with serving(view, port) as address, anyio.create_task_group() as group:
                group.start_soon(_until, signals, stop)
                # What takes a while is begun before anybody asks; nothing waits for it at the end.
                threading.Thread(target=view.heads, daemon=True).start()
                ready(address)
                await stop.wait()

    anyio.run(main)


async def _until(signals: Any, stop: anyio.Event) -> None:
    async for _ in signals:
        stop.set()
        return


def _listening(port: int) -> socket.socket:
    try:
        return listen("127.0.0.1", port)
    except OSError as error:
        raise ConfigProblem(
            f"port {port} cannot be used here: {error.strerror}. Give another with --port; 0 takes a free one"
        ) from None
