"""Sets of levels `rewrite` and `model`, from settings to files: `samples/<id>.json`, `index.jsonl`, `dropped.jsonl`.

Everything that a model said lies in `work/` (`work.py`), so that a build that was interrupted anywhere ends with the
same files as one that was not.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import anyio
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchmarks.probe import pins, worlds
from benchmarks.probe.grammar.sizes import counted
from benchmarks.probe.pipeline import model
from benchmarks.probe.pipeline.adversary import Round, attack
from benchmarks.probe.pipeline.grounds import digest
from benchmarks.probe.pipeline.rewriting import named
from benchmarks.probe.pipeline.rewriting import rewrite as rewritten
from benchmarks.probe.pipeline.work import Client, Dropped, Work, written
from benchmarks.probe.records import Sample
from harness.core.config import ConfigProblem, LlmConfig, RunConfig
from harness.core.trajectory import Usage
from harness.record.store import write_whole

__all__ = ("Built", "Settings", "build", "made", "rewrite")


class Settings(BaseModel):
    """How a set is made. `llm` and `reader` are settings of a model, as an `llm` agent has them.

    `number` samples are made: for `rewrite` of the first ones of the suite's set, for `model` of personas by number,
    each with `making.per_persona` samples. At `max_cost` US dollars, over all that the folder holds, the build stops.
    `record` and `replay` name a cassette.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    llm: dict[str, Any]
    reader: dict[str, Any] | None = None
    seed: int = 1
    number: int = Field(default=20, ge=1)
    width: int = Field(default=8, ge=1)
    max_cost: float | None = Field(default=None, gt=0)
    record: Path | None = None
    replay: Path | None = None
    making: model.Making = model.Making()


class Built(NamedTuple):
    """What a build came to: ids of samples, (id, phase, problem) of those dropped, what all replies took.

    `clean` is whether the adversary's last round found nothing; None where it was not asked. Where it is False no
    sample was kept, and `adversary.json` names the artifacts.
    """

    samples: tuple[str, ...]
    dropped: tuple[tuple[str, str, str], ...]
    usage: Usage
    clean: bool | None = None


def build(level: Literal["rewrite", "model"], config: Mapping[str, Any], folder: Path) -> Built:
    """Make a set into a folder, or go on with it.

    Raises:
        ConfigProblem: a setting that cannot be, or a model without price under `max_cost`; nothing was asked then.
        ModelError, ModelFault: the model cannot be asked, or stopped answering; what it said is kept.
        PipelineError: the money is spent, or a file of the folder cannot be read.
    """
    settings = _settings(config)
    client = _client(settings)

    async def work() -> Built:
        from harness.models.llm import aclose

        try:
            if level == "rewrite":
                names = pins.chosen(settings.seed, settings.number)
                return await rewrite(map(worlds.sample, names), client, folder, seed=settings.seed)
            return await made(settings.number, client, folder, seed=settings.seed, making=settings.making)
        finally:
            await aclose()

    return anyio.run(work)


async def rewrite(samples: Iterable[Sample], client: Client, folder: Path, *, seed: int = 1) -> Built:
    """Samples of the grammar told anew, into a folder. Raises as `build` does."""
    work = Work(client, folder / "work", seed)
    jobs = ((named(each.id), partial(rewritten, each, work)) for each in samples)
    found, dropped = await _each(jobs, folder)
    return _finished(folder, found, dropped, work.usage)


async def made(number: int, client: Client, folder: Path, *, seed: int = 1,
               making: model.Making = model.Making()) -> Built:  # fmt: skip
    """Samples that a model makes whole, into a folder. Raises as `build` does."""
    work = Work(client, folder / "work", seed)
    rounds: list[Round] = []
    notes: tuple[str, ...] = ()
    at, clean = 0, None
    for _ in range(making.rounds):
        five = [model.named(seed, at + place, making) for place in range(min(model.ROUND, number))]
        tried, lost = await _each(
            ((name, partial(model.sample, seed, at + place, work, making, notes)) for place, name in enumerate(five)),
            None,
        )
        rounds.append(await attack([each for each, _ in tried], work, [name for name, *_ in lost]))
        written(folder / "adversary.json", [each.model_dump(mode="json") for each in rounds])
        clean = rounds[-1].clean
        if clean:
            break
        notes, at = (*notes, *rounds[-1].artifacts), at + len(five)
    if clean is False:
        return _finished(folder, [], [], work.usage, clean=False)
    jobs = (
        (model.named(seed, at + place, making), partial(model.sample, seed, at + place, work, making, notes))
        for place in range(number)
    )
    found, dropped = await _each(jobs, folder)
    return _finished(folder, found, dropped, work.usage, clean=clean)


_Job = tuple[str, Callable[[], Awaitable[Sample]]]


async def _each(jobs: Iterable[_Job], folder: Path | None
                ) -> tuple[list[tuple[Sample, str]], list[tuple[str, str, str]]]:  # fmt: skip
    """Samples with their digests, one after the other, each into a file if a folder is given; and those dropped."""
    found: list[tuple[Sample, str]] = []
    dropped: list[tuple[str, str, str]] = []
    for name, make in jobs:
        try:
            sample = await make()
        except Dropped as error:
            dropped.append((name, error.phase, error.problem))
            continue
        found.append((sample, digest(sample)))
        if folder is not None:
            written(folder / "samples" / f"{sample.id}.json", sample.model_dump(mode="json"))
    return found, dropped


def _finished(folder: Path, found: Sequence[tuple[Sample, str]], dropped: Sequence[tuple[str, str, str]], usage: Usage,
              *, clean: bool | None = None) -> Built:  # fmt: skip
    index = [
        {
            "id": each.id,
            "digest": its,
            "difficulty": each.difficulty,
            "template": each.template,
            "persona": each.persona_id,
            "tokens": counted(each),
            "documents": len(each.documents),
            "actions": len(each.actions),
        }
        for each, its in found
    ]
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "index.jsonl", _lines(index))
    write_whole(
        folder / "dropped.jsonl",
        _lines({"id": id, "phase": phase, "problem": problem} for id, phase, problem in dropped),
    )
    return Built(tuple(each.id for each, _ in found), tuple(dropped), usage, clean)


def _lines(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def _settings(config: Mapping[str, Any]) -> Settings:
    try:
        return Settings.model_validate(config)
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigProblem(f"{'.'.join(map(str, first['loc'])) or 'settings'}: {first['msg']}") from None


def _client(settings: Settings) -> Client:
    from harness.models.cassette import Cassette
    from harness.models.llm import check, price

    if settings.record and settings.replay:
        raise ConfigProblem("record and replay: a build does one or the other")
    writer = _model("llm", settings.llm)
    reader = None if settings.reader is None else _model("reader", settings.reader)
    for each in (writer, reader):
        if each is None or settings.replay:
            continue
        check(each)
        if settings.max_cost is not None and price(each) is None:
            raise ConfigProblem(f"max_cost needs a price for {each.model}, and none is known: give it a `price`")
    path = settings.record or settings.replay
    cassette = Cassette(path, "record" if settings.record else "replay") if path else None
    return Client(writer, reader, settings.width, settings.max_cost, cassette)


def _model(name: str, fields: Mapping[str, Any]) -> LlmConfig:
    try:
        config = LlmConfig.model_validate({"kind": "llm", **fields})
        RunConfig(suite="built", agents=(config,))
        return config
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigProblem(f"{name}.{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
