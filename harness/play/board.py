"""Where what is played or asked stands: what it has cost, and whether another one shall start."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from harness.core.agent_config import AgentConfig, LlmConfig
from harness.core.config import ConfigProblem
from harness.core.metering import cost, known_cost
from harness.record.store import TrialRecord
from harness.record.verdicts import verdict_of

__all__ = ("IN_A_ROW", "Board", "Ended", "Listener", "Progress", "check_priced", "standing")

T = TypeVar("T")

IN_A_ROW = 8
"""Void ones in a row after which no other starts: nobody wants to see more of them, and some cost money."""

_NUMBERED = re.compile(r"\S*\d\S*")
"""Words that differ from trial to trial though the cause is one: numbers, ids, addresses."""


class Ended(NamedTuple):
    """What is told of a trial that ended. `void` says why it is void, and is empty where it is not.

    `cost_usd` is None where it is unknown, `spent_usd` what is known of it all the same.
    """

    void: str
    failed: bool
    cost_usd: float | None
    spent_usd: float

    @classmethod
    def of(cls, record: TrialRecord) -> Ended:
        trajectory = record.trajectory
        void = (trajectory.reason or "no reason is given") if trajectory.status == "void" else ""
        failed = verdict_of(trajectory, record.scores) == "failed"
        return cls(void, failed, cost(trajectory), known_cost(trajectory))


@dataclass(frozen=True)
class Progress:
    """Where a run stands. `cost_usd` is None once a cost is unknown, `spent_usd` what is known to have been spent.

    Both count void trials of earlier calls too, which are played again, and trials that only other calls ask for: of
    these nothing else is counted. `stopped` says why no further trial starts though there is money left.
    """

    done: int
    total: int
    failed: int = 0
    void: int = 0
    cost_usd: float | None = 0.0
    stopped: str = ""
    spent_usd: float = 0.0

    def plus(self, ended: Ended) -> Progress:
        """One more trial."""
        return replace(
            self.paid(ended),
            done=self.done + 1,
            failed=self.failed + ended.failed,
            void=self.void + bool(ended.void),
        )

    def paid(self, ended: Ended) -> Progress:
        """The costs of a trial of which nothing else counts here."""
        cost = None if ended.cost_usd is None or self.cost_usd is None else self.cost_usd + ended.cost_usd
        return replace(self, cost_usd=cost, spent_usd=self.spent_usd + ended.spent_usd)


Listener = Callable[[Progress], None]


class Board:
    """Adds up what trials or questions report, in order of completion, and says when no other one shall start.

    That is at `max_cost` US dollars, or after `IN_A_ROW` void ones, `of_one_cause` if so it is said: `stopped` is the
    sentence then, with the number as `{times}` and what the last one was void for as `{why}`, which is `problem` too.
    """

    def __init__(
        self,
        progress: Progress,
        max_cost: float | None,
        listener: Listener | None,
        *,
        stopped: str,
        of_one_cause: bool = False,
    ) -> None:
        self.progress = progress
        self.problem = ""
        self._max_cost, self._listener = max_cost, listener
        self._stopped, self._of_one_cause = stopped, of_one_cause
        self._cause, self._times = "", 0
        if listener:
            listener(progress)

    def add(self, ended: Ended) -> bool:
        """One more; whether it was the last to start."""
        self.progress = self.progress.plus(ended)
        self.problem = ended.void or self.problem
        cause = ended.void and (_NUMBERED.sub("#", ended.void) if self._of_one_cause else "any")
        self._times = self._times + 1 if cause == self._cause else 1
        self._cause = cause
        if cause and self._times == IN_A_ROW and not self.progress.stopped:
            why = f"{' '.join(ended.void.split()):.300}"
            self.progress = replace(self.progress, stopped=self._stopped.format(times=IN_A_ROW, why=why))
        if self._listener:
            self._listener(self.progress)
        return self.over()

    def over(self) -> bool:
        return bool(self.progress.stopped) or (self._max_cost is not None and self.progress.spent_usd >= self._max_cost)


def standing(
    wanted: Sequence[T], found: Callable[[T], TrialRecord | None], ended: Callable[[T, TrialRecord], Ended]
) -> tuple[list[T], Progress]:
    """What is wanted of a run and not there, and where the run stands with what is; void ones are played again."""
    missing, progress = [], Progress(0, len(wanted))
    for each in wanted:
        record = found(each)
        if record is None:
            missing.append(each)
        elif record.trajectory.status == "void":
            missing.append(each)
            progress = progress.paid(ended(each, record))
        else:
            progress = progress.plus(ended(each, record))
    return missing, progress


def check_priced(models: Iterable[AgentConfig], remedy: str) -> None:
    """Refuse a limit of costs for a model whose price nobody knows. Raises `ConfigProblem`, ending in the remedy."""
    from harness.models.llm import price

    for each in models:
        if isinstance(each, LlmConfig) and price(each) is None:
            raise ConfigProblem(f"--max-cost needs a price for {each.model}, and none is known: {remedy}")
