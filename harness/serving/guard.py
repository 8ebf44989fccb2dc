"""Who may talk to an HTTP server of ours at all: checked on every request, before anything else looks at it."""

from __future__ import annotations

import ipaddress
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ("SERVICE", "Guard", "Refused", "is_loopback", "refuse")

SERVICE = "/v1/"
"""Paths of the sandbox service; all others are for agents."""


class Refused(Exception):
    """A request that is not served: HTTP status, a short class, and what would be right."""

    def __init__(self, status: int, error: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        self.status, self.error, self.message, self.headers = status, error, message, dict(headers or {})
        super().__init__(message)


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches the address."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, kw_only=True)
class Guard:
    """Names that a request may call this server by, and the bearer tokens that it must bring.

    A page in a browser can make its own name lead to loopback (DNS rebinding); the `Host` that it
    then sends, or its `Origin`, gives it away. `token` is for every request; `service_token`, where
    given, takes its place for the service, so that an agent that has the one cannot use the other.
    """

    hosts: Iterable[str] = ("127.0.0.1", "localhost", "[::1]")
    token: str = ""
    service_token: str = ""

    def check(self, path: str, headers: Mapping[str, str]) -> None:
        """Raise `Refused` with status 421, 403 or 401."""
        host = headers.get("host", "")
        if _name(host) not in self.hosts:
            raise Refused(
                421,
                "wrong_host",
                f"this server does not answer to {host!r}; `harness serve --allow-host NAME` adds a name",
            )
        origin = headers.get("origin", "")
        if origin and (not origin.startswith("http://") or _name(origin.removeprefix("http://")) not in self.hosts):
            raise Refused(403, "wrong_origin", f"pages of {origin!r} may not use this server")
        wanted = self.service_token or self.token if path.startswith(SERVICE) else self.token
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if wanted and (
            scheme.lower() != "bearer" or not secrets.compare_digest(given.strip().encode(), wanted.encode())
        ):
            which = "--service-token" if path.startswith(SERVICE) and self.service_token else "--token"
            raise Refused(
                401,
                "unauthorized",
                f"send `Authorization: Bearer ...` with the token that the server was given as {which}",
                {"WWW-Authenticate": "Bearer"},
            )


def _name(host: str) -> str:
    """A `Host` without its port."""
    name, colon, port = host.rpartition(":")
    return name.lower() if colon and port.isdigit() else host.lower()


async def refuse(refused: Refused, send: Any) -> None:
    """Answer a request with a `Problem`."""
    body = json.dumps({"error": refused.error, "message": refused.message}, ensure_ascii=False).encode()
    headers = {"content-type": "application/json", "content-length": str(len(body)), **refused.headers}
    raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refused.status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
