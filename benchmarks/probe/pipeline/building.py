"""Samples of levels `rewrite` and `model`, made one after the other by name (`benchmarks.probe.building`).

Everything that a model said lies in `work/` of the set's folder (`work.py`), so that a build that was interrupted
anywhere ends with the same files as one that was not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Literal

from anyio.from_thread import start_blocking_portal

from benchmarks.probe import naming, worlds
from benchmarks.probe.pipeline import model
from benchmarks.probe.pipeline.adversary import Round, attack
from benchmarks.probe.pipeline.rewriting import rewrite
from benchmarks.probe.pipeline.work import Client, Dropped, Work, written
from benchmarks.probe.records import Sample
from harness.core.config import ConfigProblem, LlmConfig

__all__ = ("Whole", "asked", "maker")

_ADVERSARY = "adversary.json"


def asked(writer: LlmConfig, reader: LlmConfig | None, width: int, max_cost: float | None,
          record: Path | None, replay: Path | None) -> Client:  # fmt: skip
    """Whom a build asks. At `max_cost` US dollars, over all that its folder holds, it stops; nothing is asked here.

    Raises:
        ConfigProblem: a model without price under `max_cost`.
        ModelError: a model that cannot be asked.
    """
    from harness.models.cassette import Cassette
    from harness.models.llm import check, price

    for each in (writer, reader):
        if each is None or replay:
            continue
        check(each)
        if max_cost is not None and price(each) is None:
            raise ConfigProblem(f"max_cost needs a price for {each.model}, and none is known: give it a `price`")
    path = record or replay
    cassette = Cassette(path, "record" if record else "replay") if path else None
    return Client(writer, reader, width, max_cost, cassette)


@contextmanager
def maker(level: Literal["rewrite", "model"], client: Client, folder: Path, seed: int,
          making: model.Making = model.Making()) -> Iterator[Callable[[str], Sample]]:  # fmt: skip
    """What makes the sample of a name, with an event loop of its own until the block ends.

    The maker raises:
        Dropped: some phase of the sample failed as often as it may.
        ProofFailed: a sample of the grammar that is to be rewritten does not hold.
        ModelError, ModelFault: the model cannot be asked, or stopped answering; what it said is kept.
        PipelineError: the money is spent, or a file of the folder cannot be read.
    """
    from harness.models.llm import aclose

    with start_blocking_portal() as portal:

        @cache
        def work() -> Work:  # not before there is something to be made
            return portal.call(Work, client, folder / "work", seed)

        @cache
        def whole() -> Whole:
            return Whole(work(), folder, seed, making)

        def make(name: str) -> Sample:
            if level == "rewrite":
                return portal.call(rewrite, worlds.sample(naming.base_of(name)), work())
            return portal.call(whole(), name)

        try:
            yield make
        finally:
            portal.call(aclose)


class Whole:
    """Samples that a model makes whole. Before the first one an adversary has its rounds, over samples of their own.

    These are the last numbers of a set, so that a set may grow; `adversary.json` says what was found in them.
    """

    def __init__(self, work: Work, folder: Path, seed: int, making: model.Making) -> None:
        self._work, self._folder, self._seed, self._making = work, folder, seed, making
        self._numbers = {model.named(seed, number, making): number for number in range(making.total)}
        self._notes: tuple[str, ...] | None = None
        self._clean = not making.rounds

    async def __call__(self, name: str) -> Sample:
        """The sample of that name. Raises `Dropped`, also where the last round still found something."""
        if self._notes is None:
            self._notes = await self._rounds()
        if not self._clean:
            raise Dropped("adversary", f"after {self._making.rounds} rounds it still finds evidence: see {_ADVERSARY}")
        return await self._sample(self._numbers[name], self._notes)

    async def _sample(self, number: int, notes: tuple[str, ...]) -> Sample:
        return await model.sample(self._seed, number, self._work, self._making, notes)

    async def _rounds(self) -> tuple[str, ...]:
        """Notes for writers: patterns that gave evidence away in earlier rounds."""
        rounds: list[Round] = []
        notes: tuple[str, ...] = ()
        for place in range(1, self._making.rounds + 1):
            start = self._making.total - model.ROUND * place
            tried: list[Sample] = []
            dropped: list[str] = []
            for number in range(start, start + model.ROUND):
                try:
                    tried.append(await self._sample(number, notes))
                except Dropped:
                    dropped.append(model.named(self._seed, number, self._making))
            rounds.append(await attack(tried, self._work, dropped))
            written(self._folder / _ADVERSARY, [each.model_dump(mode="json") for each in rounds])
            self._clean = rounds[-1].clean
            if self._clean:
                break
            notes = (*notes, *rounds[-1].artifacts)
        return notes
