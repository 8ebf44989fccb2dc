"""What a template is: wordings, slots, an outcome function, and a program that does the work through tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates.steps import Step
from harness.agents.reference import Explore, Words, Worker

__all__ = ("SlotSpec", "Template", "Values")

Values = Mapping[str, Any]
"""Slot name -> value, as `harness.agents.parse` types values by kind."""


@dataclass(frozen=True, kw_only=True)
class SlotSpec:
    """A value that a template fills in, with its LHAW record (docs/benchmarks/lhaw.md, Segments).

    `domain` lists the values it may have in a world, `text` says one in a request. `guessability`
    is declared: 0 cannot be guessed, 0.5 can often be found or supposed, 1 is a matter of course; `why`
    gives the reason. `complete_without`: a request that lacks it still reads as a whole one.
    For the reference agent, `explore` infers the value from the workplace and `words` tells what
    people call each value there may be. `asks` as in `Slot`.
    """

    kind: str
    dimension: str
    subdimension: str
    domain: Callable[[Office], Sequence[Any]]
    text: Callable[[Any], str]
    why: str
    role: str = ""
    guessability: float = 0.0
    complete_without: bool = False
    explore: Explore | None = None
    words: Words | None = None
    asks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Template:
    """Ten tasks in the making.

    `wordings` name slots in braces. `outcome` gives the reference writes, each with the change it
    leaves, from a world's rows and slot values alone; `program` does the same work through tools.
    `idle` is how many of ten tasks need nothing done. `valid` rules out values that make no sense
    together.
    """

    name: str
    domains: tuple[str, ...]
    wordings: tuple[str, str, str]
    slots: Mapping[str, SlotSpec]
    outcome: Callable[[Office, Values], Sequence[Step]]
    program: Callable[[Worker], Awaitable[None]]
    idle: int = 0
    valid: Callable[[Values], bool] = lambda values: True

    def __post_init__(self) -> None:
        for wording in self.wordings:
            used = [name for _, name, _, _ in Formatter().parse(wording) if name is not None]
            if sorted(used) != sorted(self.slots):
                raise ValueError(f"template {self.name!r}: {wording!r} should name each of {sorted(self.slots)} once")

    def request(self, wording: int, values: Values) -> str:
        """The request in one of its wordings."""
        return self.wordings[wording].format(**{name: spec.text(values[name]) for name, spec in self.slots.items()})

    async def play(self, worker: Worker) -> None:
        """The program, with each slot's own ways of finding its value."""
        await self.program(_Informed(worker, self.slots))


class _Informed:
    """A worker that knows how the slots of a template may be inferred and understood."""

    def __init__(self, worker: Worker, slots: Mapping[str, SlotSpec]) -> None:
        self.now, self.session, self.request = worker.now, worker.session, worker.request
        self.settings, self.random, self.whole = worker.settings, worker.random, worker.whole
        self.takes = worker.takes
        self._worker, self._slots = worker, slots

    async def call(self, app: str, tool: str, **arguments: Any) -> Any:
        return await self._worker.call(app, tool, **arguments)

    async def slot(self, name: str, *, explore: Explore | None = None, words: Words | None = None) -> Any:
        spec = self._slots[name]
        return await self._worker.slot(name, explore=explore or self._way(spec), words=words or spec.words)

    def _way(self, spec: SlotSpec) -> Explore | None:
        """The slot's way of exploring, itself informed about the other slots."""
        explore = spec.explore
        return None if explore is None else lambda _: explore(self)
