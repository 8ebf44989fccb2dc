"""Models as judges: each question of each trial, once per vote, unless the verdict is there already."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import anyio
from pydantic import ValidationError, create_model

from harness.core.config import ConfigProblem, LlmConfig, RunConfig
from harness.core.credentials import held_back, stored
from harness.core.judgement import Answer, Query
from harness.core.near import near
from harness.core.secrets import scrub
from harness.core.trajectory import Usage
from harness.play.board import Board, Ended, Listener, Progress, check_priced
from harness.play.stopping import Terminated, cause, until_told
from harness.record.files import sweep
from harness.record.holding import alone
from harness.record.judgements import FOLDER, Judgement, file_of, judgements, keep
from harness.record.store import Run
from servers.kernel import first_amiss

if TYPE_CHECKING:
    from harness.models.cassette import Cassette
    from harness.models.llm import RequestLimiter

__all__ = ("Judged", "configured", "judge")

_STOPPED = "{times} questions in a row without an answer"
"""Something is down."""

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
        raise ConfigProblem(f"settings of a judge: {first_amiss(error)}") from None


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
    listener: Listener | None = None,
) -> Judged:
    """Ask for the verdicts that a run does not have yet, each on disk as soon as it is there.

    At `max_cost` US dollars, over all verdicts of the run, or after eight questions in a row that nobody answered, no
    further one is asked. One process at a time asks. Raises `ConfigProblem`, `RunError` and `ModelError` before the
    first question, `ModelError` where one cannot be put, and `Terminated` when SIGTERM came.
    """
    if max_cost is not None and not allow_unpriced:
        check_priced(judges, "give a `price` in --settings, or pass --allow-unpriced")
    folder = run.folder / FOLDER
    with alone(folder):
        sweep(folder)
        there = {each.file: each for each in judgements(run.folder)}
        wanted = {ask.file: ask for ask in _asks(queries, judges, votes)}
        missing = [ask for file, ask in wanted.items() if file not in there]
        before = [there[file] for file in wanted if file in there]
        progress = _stands(list(there.values()), before, len(wanted))
        board = Board(progress, max_cost, listener, stopped=_STOPPED)
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


def _stands(there: Sequence[Judgement], before: Sequence[Judgement], total: int) -> Progress:
    """Where a judging stands that begins: `before` are those of all that are there that it is about."""
    return Progress(
        len(before), total,
        failed=sum(bool(each.problem) for each in before),
        cost_usd=sum((each.usage for each in there), start=Usage()).cost_usd,
        spent_usd=sum(each.usage.cost_usd or 0.0 for each in there),
    )  # fmt: skip


def _ended(usage: Usage, *, unreadable: bool = False, problem: str = "") -> Ended:
    """One more question: answered, if not so that it could be read, or without an answer because of `problem`."""
    return Ended(void=problem, failed=unreadable, cost_usd=usage.cost_usd, spent_usd=usage.cost_usd or 0.0)


async def _ask_all(run: Run, asks: Sequence[_Ask], board: Board, concurrency: int, cassette: Cassette | None) -> None:
    from harness.models.llm import RequestLimiter, aclose

    limiter, waiting = RequestLimiter(), iter(asks)

    async def work() -> None:
        for ask in waiting:
            if board.over():
                return
            await _put(run, ask, board, limiter, cassette)

    try:
        async with anyio.create_task_group() as group:
            for _ in range(min(concurrency, len(asks))):
                group.start_soon(work)
    except BaseExceptionGroup as group:
        raise cause(group) from None
    finally:
        await aclose()


async def _put(run: Run, ask: _Ask, board: Board, limiter: RequestLimiter, cassette: Cassette | None) -> None:
    """Ask one question and keep what is said, be it nothing that can be read. Raises `ModelError` and `RunError`."""
    from harness.models.llm import Model
    from harness.models.replies import ContextWindow, ModelFault
    from harness.models.strict import Strict, StrictCall, Unparsable

    calls: list[StrictCall] = []
    take = cassette.take(f"judge/{ask.vote}") if cassette else None
    strict = Strict(Model(ask.config, limiter=limiter, take=take), "judge", calls.append)
    answer: Answer | None = None
    reason = problem = ""
    try:
        reply = await strict([{"role": "user", "content": _prompt(ask.query)}], _schema(ask.query.answers))
        answer, reason = reply.answer, reply.reason
    except (Unparsable, ContextWindow) as error:
        problem = str(error)
    except ModelFault as error:
        board.add(_ended(sum((call.usage for call in calls), start=Usage()), problem=str(error)))
        return
    usage = sum((call.usage for call in calls), start=Usage())
    judgement = Judgement(
        judge=dict(ask.settings), prompt=_prompt_digest(), about=ask.query.key, vote=ask.vote, query=ask.query,
        answer=answer, reason=reason, problem=problem, calls=[call.model_dump(mode="json") for call in calls],
        usage=usage,
    )  # fmt: skip
    keep(run.folder, judgement, also=held_back([ask.config]))
    board.add(_ended(usage, unreadable=bool(problem)))


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
