"""What uvicorn leaves open: how to listen, how long a request may take, from how many, and whose signals are."""

from __future__ import annotations

import json
import os
import socket
from contextlib import nullcontext
from typing import Any, NamedTuple

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ("CONNECTIONS", "Limited", "Limits", "Quiet", "listen")

CONNECTIONS = 1_000
"""Clients connected at the same time; each open connection costs memory and a file descriptor."""

_RECEIVING = 60.0
_PARTING = 2.0


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises `OSError`."""
    family, _, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    # asyncio turns Nagle's algorithm off only for sockets that name TCP; with it a call takes 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere it would let two servers have one port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(where)
        listening.listen(2048)
    except OSError:
        listening.close()
        raise
    return listening


class Quiet(uvicorn.Server):
    """Leaves signals to whoever runs the event loop."""

    def capture_signals(self) -> Any:
        return nullcontext()


class Limits(NamedTuple):
    """`receiving`: seconds in which head and body of a request must have come, the first counted from connecting.

    How long an answer takes has no limit: a tool may be waiting for a person. `parting`: seconds in which what a
    refused client still sends is read and dropped, since it would not see the answer were its connection cut at once.
    """

    connections: int = CONNECTIONS
    receiving: float = _RECEIVING
    parting: float = _PARTING


class Limited(H11Protocol):
    """A connection under `Limits`. One that was answered before all of its request had come is closed."""

    def __init__(self, *args: Any, limits: Limits, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._limits = limits
        self._late: Any = None
        self._parting = False
        self._serve, self.app = self.app, self._announced

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > self._limits.connections:
            text = f"{self._limits.connections} clients are connected, and no more are served. Try again later"
            self._part(_answer("503 Service Unavailable", "too_many", text))
        else:
            self._expect()

    def data_received(self, data: bytes) -> None:
        if self._parting:
            return
        super().data_received(data)
        if self._parting or self.transport.is_closing():
            return
        # Nearly always a request comes whole, and no clock is set.
        if self.conn.their_state is h11.SEND_BODY or (self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]):
            self._expect()
        else:
            self._expect_nothing()

    async def _announced(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a request. One that is answered before it has come whole is told that the connection ends with it."""

        async def told(message: Any) -> None:
            if message["type"] == "http.response.start" and self.conn.their_state is h11.SEND_BODY:
                message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
                held: Any = _Held(self.transport)
                self.cycle.transport = held
            await send(message)

        await self._serve(scope, receive, told)

    def on_response_complete(self) -> None:
        if self.conn.their_state is h11.SEND_BODY and not self.transport.is_closing():
            self.server_state.total_requests += 1
            self._part(b"")
        else:
            super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_nothing()
        super().connection_lost(exc)

    def _expect(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(self._limits.receiving, self._too_late)

    def _expect_nothing(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _too_late(self) -> None:
        self._late = None
        begun = self.conn.their_state is h11.SEND_BODY or self.conn.trailing_data[0]
        answering = self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete
        text = f"the request did not arrive in full within {self._limits.receiving:g} seconds"
        self._part(_answer("408 Request Timeout", "too_slow", text) if begun and not answering else b"")

    def _part(self, answer: bytes) -> None:
        """Send a last answer, keep nothing of what still comes, and close."""
        self._expect_nothing()
        self._unset_keepalive_if_required()
        self._parting = True
        if self.cycle is not None:
            self.cycle.body = bytearray()
            if not self.cycle.response_complete:  # whoever waits for the rest of the body hears that there is none
                self.cycle.disconnected = True
                self.cycle.message_event.set()
        self.transport.write(answer)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.flow.resume_reading()
        self.loop.call_later(self._limits.parting, self.transport.close)


class _Held:
    """A connection that an answer does not close, as what the client still sends is to be read first."""

    def __init__(self, transport: Any) -> None:
        self.write = transport.write

    def close(self) -> None:
        pass


def _answer(status: str, error: str, message: str) -> bytes:
    """A whole response with a `Problem`, outside of any request."""
    body = json.dumps({"error": error, "message": message}).encode()
    head = (
        f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\nconnection: close\r\n"
    )
    return f"{head}\r\n".encode() + body
