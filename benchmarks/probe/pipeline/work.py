"""Replies of a model, kept by what was asked: a build that was interrupted goes on where it stopped.

Each item is one file, `<phase>/<key>.json`, written whole and renamed into place. Its key is a hash of the phase, what
the item is of, the prompt as put, model, settings and seed, so that whatever changes is asked for anew and the rest is
not. An item that failed is kept as well: its sample is dropped again without paying for it twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import anyio
from anyio.from_thread import start_blocking_portal
from pydantic import AfterValidator, BaseModel, ConfigDict, JsonValue, TypeAdapter, ValidationError

from harness.core.config import LlmConfig
from harness.core.secrets import scrub
from harness.core.trajectory import Usage
from harness.play.stopping import cause
from harness.record.files import sweep, write_whole
from servers.kernel import Fault, canonical

if TYPE_CHECKING:
    from harness.models.cassette import Cassette

__all__ = ("Client", "Dropped", "PipelineError", "Spent", "Work", "ask", "matters", "prompt", "prompts", "written")

T = TypeVar("T")
V = TypeVar("V")

_MATTERS = {"model", "temperature", "max_tokens", "extra"}


class PipelineError(Exception):
    """A build that cannot go on until somebody mends something; the text says what, and where."""


class Spent(PipelineError):
    """The money given is spent. What was paid for is kept, and a build with more of it goes on."""

    def __init__(self, spent: float, limit: float) -> None:
        super().__init__(f"{spent:.2f} of {limit:.2f} US dollars are spent; what was made is kept")


class Dropped(Exception):
    """An item that failed as often as it may: its sample is given up. `phase` and `problem` go into the log."""

    def __init__(self, phase: str, problem: str) -> None:
        super().__init__(f"{phase}: {problem}")
        self.phase, self.problem = phase, problem


@dataclass(frozen=True)
class Client:
    """Which model writes, and which reads what was written (None: the same), at most `width` requests at a time.

    At `max_cost` US dollars, over all that the folder holds, no further request is made.
    """

    writer: LlmConfig
    reader: LlmConfig | None = None
    width: int = 8
    max_cost: float | None = None
    cassette: Cassette | None = None


class _Item(BaseModel):
    """What is kept of one item: what came of it, or why nothing did; `calls` have requests and replies whole."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    phase: str
    of: dict[str, JsonValue]
    settings: dict[str, JsonValue]
    value: JsonValue = None
    problem: str = ""
    usage: Usage = Usage()
    calls: tuple[dict[str, JsonValue], ...] = ()


class Work:
    """The items of one folder, asked for where they are not there yet.

    `usage` adds up what all of them took, asked for now or not. Raises `PipelineError` where one cannot be read.
    """

    def __init__(self, client: Client, folder: Path, seed: int) -> None:
        from harness.models.llm import Lanes

        self.folder, self.usage = folder, Usage()
        self._client, self._seed, self._limit = client, seed, client.max_cost
        self._lanes = Lanes(client.width)
        self._gate = anyio.CapacityLimiter(client.width)
        self._counted: set[Path] = set()
        self._spent = 0.0
        self._broken: Exception | None = None
        for phase in (each for each in folder.glob("*") if each.is_dir()):
            sweep(phase)
            for path in phase.glob("*.json"):
                if kept := _load(path):
                    self._count(path, kept.usage)

    async def item(self, phase: str, of: dict[str, Any], text: str, schema: type[V], *,
                   check: Callable[[V], object] | None = None, reads: bool = False) -> V:  # fmt: skip
        """What a model replies to a prompt, read by a schema. `of` says what the item is of, in this phase.

        A reply that cannot be read, or of which `check` raises `ValueError`, is asked for again, three times in all.
        `reads`: the reader is asked, not the writer.

        Raises:
            Dropped: none of three would do, or the prompt does not fit the model.
            Spent: there is no money for it.
            ModelError, ModelFault: the model cannot be asked.
            PipelineError: what is kept of it cannot be read.
        """
        config = self._client.reader if reads and self._client.reader else self._client.writer
        settings = matters(config)
        key = hashlib.sha256(canonical([phase, of, text, settings, self._seed])).hexdigest()[:32]
        path = self.folder / phase / f"{key}.json"
        adapter: TypeAdapter[V] = TypeAdapter(Annotated[schema, AfterValidator(_checking(check))])  # type: ignore[arg-type]
        kept = _load(path)
        if kept is None:
            async with self._gate:
                if self._broken:
                    raise self._broken
                if self._limit is not None and self._spent >= self._limit:
                    raise Spent(self._spent, self._limit)
                kept = await self._asked(_Item(phase=phase, of=of, settings=settings), config, key, text, adapter)
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, kept.model_dump_json(indent=1))
                self._count(path, kept.usage)
        self._count(path, kept.usage)
        if kept.problem:
            raise Dropped(phase, kept.problem)
        try:
            return adapter.validate_python(kept.value)
        except ValidationError as error:
            raise PipelineError(f"{path}: {error.errors()[0]['msg']}; remove the file to have it made again") from None

    async def all(self, jobs: Sequence[Callable[[], Awaitable[T]]]) -> list[T]:
        """What all jobs yield, in their order.

        Where one cannot go on, nothing more is asked, and what is being answered is waited for: it is paid for.

        Raises:
            Dropped: the first in that order that did, once all have ended, so that the log depends on no timing.
            Spent, PipelineError, ModelError, ModelFault: a job raised it.
        """
        found: list[T | Dropped | None] = [None] * len(jobs)

        async def one(place: int) -> None:
            try:
                found[place] = await jobs[place]()
            except Dropped as error:
                found[place] = error
            except (Fault, PipelineError) as error:
                self._broken = self._broken or error

        try:
            async with anyio.create_task_group() as group:
                for place in range(len(jobs)):
                    group.start_soon(one, place)
        except BaseExceptionGroup as error:
            raise cause(error) from None
        if self._broken:
            raise self._broken
        for each in found:
            if isinstance(each, Dropped):
                raise each
        return found  # type: ignore[return-value]

    async def _asked(self, item: _Item, config: LlmConfig, key: str, text: str, adapter: TypeAdapter[V]) -> _Item:
        from harness.models.llm import Model
        from harness.models.replies import ContextWindow
        from harness.models.strict import Strict, StrictCall, Unparsable

        calls: list[StrictCall] = []
        take = self._client.cassette.take(f"{item.phase}/{key}") if self._client.cassette else None
        strict = Strict(Model(config, lanes=self._lanes, take=take), item.phase, calls.append)
        value: JsonValue = None
        problem = ""
        try:
            reply = await strict([{"role": "user", "content": text}], adapter)
            value = adapter.dump_python(reply, mode="json")
        except (Unparsable, ContextWindow) as error:
            problem = str(error)
        usage = sum((call.usage for call in calls), start=Usage())
        told = tuple(call.model_dump(mode="json") for call in calls)
        return item.model_copy(update={"value": value, "problem": problem, "usage": usage, "calls": told})

    def _count(self, path: Path, usage: Usage) -> None:
        if path not in self._counted:
            self._counted.add(path)
            self.usage += usage
            self._spent += usage.cost_usd or 0.0


def matters(config: LlmConfig) -> dict[str, Any]:
    """The settings of a model that its replies depend on; not where it is served."""
    found: dict[str, Any] = scrub(config.model_dump(mode="json", include=_MATTERS))
    return found


def ask(
    client: Client, folder: Path, seed: int, jobs: Callable[[Work], Sequence[Callable[[], Awaitable[T]]]]
) -> list[T]:
    """What all jobs yield, in their order, in an event loop of their own; replies are kept in `folder`.

    Raises what `Work.all` does.
    """
    from harness.models.llm import aclose

    async def asked() -> list[T]:
        try:
            work = Work(client, folder, seed)
            return await work.all(jobs(work))
        finally:
            await aclose()

    with start_blocking_portal() as portal:
        return portal.call(asked)


def prompts(folder: Path) -> Callable[..., str]:
    """What fills a prompt of that folder, by its name and fields."""

    @cache
    def templates() -> Any:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        return Environment(
            loader=FileSystemLoader(folder),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,
        )

    def prompt(name: str, /, **fields: Any) -> str:
        text: str = templates().get_template(f"{name}.j2").render(**fields)
        return text.strip()

    return prompt


prompt = prompts(Path(__file__).with_name("prompts"))
"""A prompt of `prompts/`, filled."""


def _checking(check: Callable[[V], object] | None) -> Callable[[V], V]:
    """A value that the check lets pass.

    A function, since pydantic puts a type into words, and with a partial in it all that this holds: a whole suite.
    """

    def checked(value: V) -> V:
        if check is not None:
            check(value)
        return value

    return checked


def _load(path: Path) -> _Item | None:
    """What is kept of an item, if anything. Raises `PipelineError`."""
    try:
        return _Item.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        first = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
        raise PipelineError(f"{path} cannot be read: {first}; remove it to have it made again") from None


def written(path: Path, value: Any) -> None:
    """JSON into a file, whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")
