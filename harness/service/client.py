"""A typed client of the sandbox service.

It is asynchronous, and only that: whoever creates a sandbox goes on to talk MCP to it, and MCP
clients in Python are asynchronous; a second, blocking copy of every method would serve nobody else. A
script wraps its work in one `asyncio.run`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2
from pydantic import BaseModel, ValidationError

from harness.core.config import ROUNDS, Ask, UserConfig
from harness.core.trajectory import CallRecord
from harness.service.models import (
    START,
    Calls,
    Created,
    Diff,
    Fork,
    Listing,
    NewSandbox,
    NewSnapshot,
    Restore,
    SandboxInfo,
    Scores,
    ServedUser,
    Snapshot,
    Summary,
    problems,
)

__all__ = ("Client", "RemoteSandbox", "ServiceError")

M = TypeVar("M", bound=BaseModel)


class ServiceError(Exception):
    """The service said no: HTTP `status`, a short class `error`, and what would be right.

    What it would not take is refused in its words before it is sent.
    """

    def __init__(self, status: int, error: str, message: str) -> None:
        self.status, self.error = status, error
        super().__init__(message)


class Client:
    """A connection to a sandbox service: `async with Client("http://127.0.0.1:8000") as client`.

    `token` is the server's bearer token, where it has one. Raises `ServiceError` for what the
    service refuses, and httpx2's errors where it cannot be reached.
    """

    def __init__(self, address: str, *, token: str = "", timeout: float = 60) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx2.AsyncClient(base_url=address, headers=headers, timeout=timeout)

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.__aexit__(kind, error, trace)

    async def create(
        self,
        *,
        world: str = "",
        suite: str = "",
        task: str = "",
        prompt: str = "original",
        ask: Ask = "off",
        user: ServedUser | None = None,
        rounds: int = ROUNDS,
        apps: tuple[str, ...] | None = None,
        toolsets: Mapping[str, str] | None = None,
        now: datetime | None = None,
    ) -> RemoteSandbox:
        """Create a sandbox over a world, or for a task of a suite; see `NewSandbox`."""
        wanted = _body(
            NewSandbox,
            world=world,
            suite=suite,
            task=task,
            prompt=prompt,
            ask=ask,
            user=user or UserConfig(),
            rounds=rounds,
            apps=apps,
            toolsets=toolsets or {},
            now=now,
        )
        return RemoteSandbox(self, await self.send("POST", "", Created, wanted))

    async def list(self) -> list[Summary]:
        """The sandboxes there are, without what it takes to reach them."""
        return (await self.send("GET", "", Listing)).sandboxes

    async def send(
        self,
        method: str,
        path: str,
        answer: type[M],
        body: BaseModel | None = None,
        *,
        control: str = "",
        query: Any = None,
    ) -> M:
        """One request under `/v1/sandboxes`, and its answer as a model."""
        return answer.model_validate_json(await self._send(method, path, body, control, query))

    async def _send(self, method: str, path: str, body: BaseModel | None, control: str, query: Any = None) -> bytes:
        headers = {"Control-Token": control} if control else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        content = body.model_dump_json() if body is not None else None
        response = await self._http.request(
            method, f"/v1/sandboxes{path}", content=content, headers=headers, params=query
        )
        if response.is_error:
            raise _error(response)
        return response.content


class RemoteSandbox:
    """A sandbox on the service. `info` is what its creation or last `advance` returned, with the control token."""

    def __init__(self, client: Client, info: Created) -> None:
        self._client, self.info = client, info

    @property
    def urls(self) -> dict[str, str]:
        """App to the URL of its MCP server: this, and nothing else, is for the agent."""
        return self.info.urls

    @property
    def request(self) -> str:
        """What to tell the agent in the session under way, where the sandbox was made for a task."""
        return self.info.request

    async def show(self) -> SandboxInfo:
        return await self._ask("GET", "", SandboxInfo)

    async def snapshot(self, name: str = "") -> Snapshot:
        """Keep the state under a name, by default the next free number."""
        return await self._ask("POST", "/snapshots", Snapshot, _body(NewSnapshot, name=name))

    async def restore(self, snapshot: str = START) -> Snapshot:
        """Go back to a snapshot; by default, to the start."""
        return await self._ask("POST", "/restore", Snapshot, _body(Restore, snapshot=snapshot))

    async def advance(self) -> str:
        """End the session and begin the task's next, with its own time and request, which is returned."""
        self.info = self.info.model_copy(update=dict(await self._ask("POST", "/advance", SandboxInfo)))
        return self.request

    async def fork(self, snapshot: str = "") -> RemoteSandbox:
        """A copy with URLs and a token of its own, from a snapshot or the state as it is."""
        return RemoteSandbox(self._client, await self._ask("POST", "/fork", Created, _body(Fork, snapshot=snapshot)))

    async def diff(self, since: str = START) -> Diff:
        """What changed since a snapshot."""
        return await self._ask("GET", "/diff", Diff, query={"since": since})

    async def calls(self) -> list[CallRecord]:
        """Every tool call, as the server saw it."""
        found = await self._ask("GET", "/calls", Calls)
        return [CallRecord.model_validate(call) for call in found.calls]

    async def score(self) -> Scores:
        """What the checks of the task's suite say."""
        return await self._ask("GET", "/score", Scores)

    async def delete(self) -> None:
        """Give the sandbox back; its URLs answer 404 from now on."""
        await self._client._send("DELETE", self._path, None, self.info.control_token)

    @property
    def _path(self) -> str:
        return f"/{self.info.id}"

    async def _ask(
        self, method: str, path: str, answer: type[M], body: BaseModel | None = None, query: Any = None
    ) -> M:
        control = self.info.control_token
        return await self._client.send(method, f"{self._path}{path}", answer, body, control=control, query=query)


def _body(model: type[M], **given: Any) -> M:
    """What to send. Raises `ServiceError` for what the service would refuse."""
    try:
        return model(**given)
    except ValidationError as error:
        raise ServiceError(422, "invalid", problems(error, model)) from None


def _error(response: httpx2.Response) -> ServiceError:
    try:
        problem = response.json()
        return ServiceError(response.status_code, problem["error"], problem["message"])
    except (ValueError, KeyError, TypeError):
        return ServiceError(response.status_code, "unknown", response.text[:500])
