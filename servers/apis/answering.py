"""One call of an endpoint: checked, counted, perhaps met by an outage or a spent quota, and answered.

Whatever a service says to it is a result with an HTTP status, also a no. A tool that failed would be undone by the
engine as a whole, and the call with it that has to be counted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from servers.apis.endpoint import Body, Endpoint, Refused
from servers.apis.tables import Limit, Usage
from servers.kernel import NotFound, State

__all__ = ("Response", "answered", "down", "response")


class Response(BaseModel):
    """What a service answers: an HTTP status, the day, and with them what was asked for, or what is wrong."""

    status: int
    date: str
    body: Body | None = None
    error: str | None = None


def response(state: State, status: int, body: Body | None = None, error: str | None = None) -> Response:
    """A response of today. As in HTTP its date has the weekday: "Thu, 02 Apr 2026"."""
    return Response(status=status, date=f"{state.now:%a, %d %b %Y}", body=body, error=error)


def answered(state: State, endpoint: Endpoint, arguments: Mapping[str, Any]) -> Response:
    """What the endpoint answers. Of a call that it turns down nothing stays, but that the call was made.

    400 names the parameter at fault, and like 429 (the quota is used up) is not counted: such a call does not reach the
    service. 503 passes when the call is made again. 404, 409 (not as things stand) and 422 (against a rule) do not.
    """
    try:
        given = endpoint.checked(arguments)
        _count(state, endpoint)
        return response(state, 201 if endpoint.writes else 200, body=endpoint.function(state, **given))
    except Refused as refused:
        return response(state, refused.status, error=str(refused))
    except NotFound as missing:
        return response(state, 404, error=str(missing))


def _count(state: State, endpoint: Endpoint) -> None:
    """Count a call. Raises `Refused` where the service does not take it."""
    limit, before = state.there(Limit, endpoint.service), state.there(Usage, endpoint.service)
    today = state.now.date()
    used = before.used if before and before.day == today else 0
    if limit and used >= limit.quota:
        raise Refused(429, f"{endpoint.service} takes {limit.quota} calls a day, and they are used up.")
    numbers = before.numbers if before else {}
    number = numbers.get(endpoint.name, 0) + 1
    counted = Usage(id=endpoint.service, day=today, used=used + 1, numbers={**numbers, endpoint.name: number})
    if before:
        state.save(counted)
    else:
        state.add(counted)
    if limit and down(limit.seed, limit.outages, endpoint, number):
        raise Refused(503, f"{endpoint.service} is not available at the moment. Try again.")


def down(seed: int, outages: int, endpoint: Endpoint, number: int) -> bool:
    """Whether a service is down at the call of that number, from 1, of `outages` in a thousand.

    It is never so twice in a row, so that whoever tries again gets through.
    """
    return _unlucky(seed, outages, endpoint, number) and not _unlucky(seed, outages, endpoint, number - 1)


def _unlucky(seed: int, outages: int, endpoint: Endpoint, number: int) -> bool:
    if number < 1:
        return False
    key = f"{seed}\x1f{endpoint.service}\x1f{endpoint.name}\x1f{number}"
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % 1000 < outages
