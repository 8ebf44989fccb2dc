"""Models as judges: each question of each trial, once per vote, unless the verdict is there already."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import anyio
from pydantic import ValidationError, create_model

from harness.core.config import ConfigProblem, LlmConfig, RunConfig
from harness.core.config_file import near
from harness.core.credentials import held_back, stored
from harness.core.judgement import Answer, Query
from harness.core.secrets import scrub
from harness.core.trajectory import Usage
from harness.play.run import Ended, Progress
from harness.play.stopping import Terminated, cause, until_told
from harness.record.files import sweep
from harness.record.holding import alone
from harness.record.judgements import FOLDER, Judgement, file_of, judgements, keep
from harness.record.store import Run

if TYPE_CHECKING:
    from harness.models.cassette import Cassette
    from harness.models.llm import Lanes

__all__ = ("Judged", "configured", "judge")

_IN_A_ROW = 8
"""Questions in a row that no judge answered, after which no more are asked: something is down."""

_MATTERS = ("model", "api_base", "temperature", "max_tokens", "extra")
"""Settings that an answer depends on."""


class Judged(NamedTuple):
    """How a judging went. Of `wanted` verdicts so many were there `before`, and so many are `unreadable` now.

    `unanswered` got none, the last because of `problem`; `left` were not asked for, since `stopped` says so or the
    money was spent. `cost_usd` is of all verdicts of the run, None where it is unknown.
    """

    wanted: int
    before: int
    unreadable: int
    unanswered: int
    left: int
    problem: str
    stopped: str
    cost_usd: float | None


def configured(models: Sequence[str], settings: Mapping[str, Any] = {}) -> tuple[LlmConfig, ...]:
    """Judges by the names of their models, with the same settings: fields of an `llm` agent. Raises `ConfigProblem`."""
    known = set(_MATTERS) - {"model"} | {"timeout", "retries", "price"}
    if strange := [name for name in settings if name not in known]:
        raise ConfigProblem(
            f"a judge has no setting {strange[0]!r}.{near(strange[0], known)} It has {', '.join(sorted(known))}"
        )
    try:
        judges = tuple(LlmConfig(kind="llm", **{**settings, "model": model}) for model in dict.fromkeys(models))
        RunConfig(suite="judged", agents=judges)  # which has a say about names
        return judges
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigProblem(f"settings of a judge: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None


@dataclass(frozen=True)
class _Ask:
    """One vote to be had."""

    config: LlmConfig
    settings: Mapping[str, Any]
    query: Query
    vote: int

    @property
    def file(self) -> str:
        return file_of(self.settings, _prompt_digest(), self.query.key, self.vote)


def judge(
    run: Run,
    queries: Iterable[Query],
    judges: Sequence[LlmConfig],
    *,
    votes: int = 1,
    concurrency: int = 8,
    max_cost: float | None = None,
    allow_unpriced: bool = False,
    cassette: Cassette | None = None,
    listener: Callable[[Progress], None] | None = None,
) -> Judged:
    """Ask for the verdicts that a run does not have yet, each on disk as soon as it is there.

    At `max_cost` US dollars, over all verdicts of the run, or after eight questions in a row that nobody answered, no
    further one is asked. One process at a time asks. Raises `ConfigProblem`, `RunError` and `ModelError` before the
    first question, `ModelError` where one cannot be put, and `Terminated` when SIGTERM came.
    """
    if max_cost is not None and not allow_unpriced:
        _refuse_unpriced(judges)
    folder = run.folder / FOLDER
    with alone(folder):
        sweep(folder)
        there = {each.file: each for each in judgements(run.folder)}
        wanted = {ask.file: ask for ask in _asks(queries, judges, votes)}
        missing = [ask for file, ask in wanted.items() if file not in there]
        before = [there[file] for file in wanted if file in there]
        board = _Board(list(there.values()), before, len(wanted), max_cost, listener)
        work = partial(_ask_all, run, missing, board, concurrency, cassette)
        if missing and not board.over() and anyio.run(until_told, work):
            raise Terminated
    end = board.progress
    return Judged(
        wanted=len(wanted), before=len(before), unreadable=end.failed, unanswered=end.void,
        left=len(wanted) - end.done, problem=board.problem, stopped=end.stopped, cost_usd=end.cost_usd,
    )  # fmt: skip


def _asks(queries: Iterable[Query], judges: Sequence[LlmConfig], votes: int) -> Iterator[_Ask]:
    """In the order of trials, so that what a limit of cost leaves out are the last ones."""
    written = stored(RunConfig(suite="judged", agents=judges)).agents  # type: ignore[arg-type]
    settings = [scrub(agent.model_dump(mode="json", include=set(_MATTERS))) for agent in written]
    for query in queries:
        for config, its in zip(judges, settings, strict=True):
            yield from (_Ask(config, its, query, vote) for vote in range(votes))


class _Board:
    """Adds up what came of each question, and says when no other one shall be asked."""

    def __init__(
        self,
        there: Sequence[Judgement],
        before: Sequence[Judgement],
        total: int,
        max_cost: float | None,
        listener: Callable[[Progress], None] | None,
    ) -> None:
        cost = sum((each.usage for each in there), start=Usage()).cost_usd
        unreadable = sum(bool(each.problem) for each in before)
        known = sum(each.usage.cost_usd or 0.0 for each in there)
        self.progress = Progress(len(before), total, failed=unreadable, cost_usd=cost, spent_usd=known)
        self.problem = ""
        self._max_cost, self._listener, self._silent = max_cost, listener, 0
        if listener:
            listener(self.progress)

    def add(self, usage: Usage, *, unreadable: bool = False, problem: str = "") -> None:
        """One more question: answered, if not so that it could be read, or without an answer because of `problem`."""
        ended = Ended(void=problem, failed=unreadable, cost_usd=usage.cost_usd, spent_usd=usage.cost_usd or 0.0)
        self.progress = self.progress.plus(ended)
        self._silent = self._silent + 1 if problem else 0
        self.problem = problem or self.problem
        if self._silent == _IN_A_ROW:
            self.progress = replace(self.progress, stopped=f"{_IN_A_ROW} questions in a row without an answer")
        if self._listener:
            self._listener(self.progress)

    def over(self) -> bool:
        return bool(self.progress.stopped) or (self._max_cost is not None and self.progress.spent_usd >= self._max_cost)


async def _ask_all(run: Run, asks: Sequence[_Ask], board: _Board, concurrency: int, cassette: Cassette | None) -> None:
    from harness.models.llm import Lanes, aclose

    lanes, waiting = Lanes(), iter(asks)

    async def work() -> None:
        for ask in waiting:
            if board.over():
                return
            await _put(run, ask, board, lanes, cassette)

    try:
        async with anyio.create_task_group() as group:
            for _ in range(min(concurrency, len(asks))):
                group.start_soon(work)
    except BaseExceptionGroup as group:
        raise cause(group) from None
    finally:
        await aclose()


async def _put(run: Run, ask: _Ask, board: _Board, lanes: Lanes, cassette: Cassette | None) -> None:
    """Ask one question and keep what is said, be it nothing that can be read. Raises `ModelError` and `RunError`."""
    from harness.models.llm import Model
    from harness.models.replies import ContextWindow, ModelFault
    from harness.models.strict import Strict, StrictCall, Unparsable

    calls: list[StrictCall] = []
    take = cassette.take(f"judge/{ask.vote}") if cassette else None
    strict = Strict(Model(ask.config, lanes=lanes, take=take), "judge", calls.append)
    answer: Answer | None = None
    reason = problem = ""
    try:
        reply = await strict([{"role": "user", "content": _prompt(ask.query)}], _schema(ask.query.answers))
        answer, reason = reply.answer, reply.reason
    except (Unparsable, ContextWindow) as error:
        problem = str(error)
    except ModelFault as error:
        board.add(sum((call.usage for call in calls), start=Usage()), problem=str(error))
        return
    usage = sum((call.usage for call in calls), start=Usage())
    judgement = Judgement(
        judge=dict(ask.settings), prompt=_prompt_digest(), about=ask.query.key, vote=ask.vote, query=ask.query,
        answer=answer, reason=reason, problem=problem, calls=[call.model_dump(mode="json") for call in calls],
        usage=usage,
    )  # fmt: skip
    keep(run.folder, judgement, also=held_back([ask.config]))
    board.add(usage, unreadable=bool(problem))


@cache
def _schema(answers: tuple[Answer, ...]) -> Any:
    """What a judge has to reply."""
    answer: Any = Literal[answers]
    return create_model("Reply", reason=(str, ""), answer=(answer | None, ...))


@cache
def _source() -> str:
    return (Path(__file__).parent / "prompts" / "judge.j2").read_text(encoding="utf-8")


@cache
def _prompt_digest() -> str:
    return hashlib.sha256(_source().encode()).hexdigest()[:16]


def _prompt(query: Query) -> str:
    """What a judge reads. The mark around the evidence is nothing that its author could have known."""
    text: str = _template().render(query=query, mark=query.key[:12])
    return text.strip()


@cache
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)
    return environment.from_string(_source())


def _refuse_unpriced(judges: Sequence[LlmConfig]) -> None:
    from harness.models.llm import price

    for config in judges:
        if price(config) is None:
            raise ConfigProblem(
                f"--max-cost needs a price for {config.model}, and none is known: "
                "give a `price` in --settings, or pass --allow-unpriced"
            )
