"""Which branches tell what the questions of a run were worth: all of them, or a random sample that fits a budget."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TypeVar

from harness.core.config import INSTRUMENTS, AgentConfig, Condition, ConfigProblem, LlmConfig, RunConfig
from harness.core.credentials import check_complete
from harness.core.suite import Suite
from harness.core.task import Task
from harness.core.trajectory import AnswerRecord, Asked, CallRecord, HandOver, ModelCall, Parent, Trajectory, Usage
from harness.play.branching.terms import Deferred, Kind, Terms, native
from harness.play.session import Prefix
from harness.play.stage import Job
from harness.record.belonging import check_belongs
from harness.record.seeds import PLACES
from harness.record.store import Run, RunHead, TrialRecord, trial_name

__all__ = (
    "CONTINUATIONS",
    "FEWEST_TOLD",
    "MOST_SEGMENTS",
    "Branch",
    "Case",
    "Inquiry",
    "Planned",
    "deferred_already",
    "plan_branches",
)

CONTINUATIONS = 8
"""Per branch, where nothing else is said; fewer allow no claim about a single question (docs/voi.md)."""

FEWEST_TOLD = 2
"""Continuations that a regret takes: the subset is chosen on half of them and judged on the others."""

MOST_SEGMENTS = 4
"""Withheld values of a task over whose subsets a regret is taken: each doubles the number of subsets."""

Unit = TypeVar("Unit", "Inquiry", "Case")


@dataclass(frozen=True, kw_only=True)
class Branch:
    """One trial to play on terms of its own.

    `job` is what it is opened as: the trial that it forks, whose seed it has. `condition` and `number` are what its
    record is filed under; `parent` is None where it has no record to follow.
    """

    kind: Kind
    job: Job
    condition: str
    number: int
    prefix: Prefix | None = None
    parent: Parent | None = None
    of: str = ""
    answers: int = 0
    question: str = ""
    deferred: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    asking: str = ""

    def terms(self) -> Terms:
        """Its terms, at its beginning."""
        return Terms(
            self.kind,
            step=self.prefix.step if self.prefix else 0,
            number=self.answers,
            question=self.question,
            deferred=self.deferred,
            told=self.told,
            asking=self.asking,
            native=native(self.job.agent),
        )

    @property
    def key(self) -> tuple[str, str, str, int]:
        """Agent, condition, task and trial number of its record."""
        return self.job.agent.name, self.condition, self.job.task, self.number

    def paid(self, record: TrialRecord) -> float | None:
        """US dollars that it took beyond what is repeated from its parent; None where a price is unknown."""
        return _beyond(record.trajectory.usage, self.prefix)


def _beyond(usage: Usage, prefix: Prefix | None) -> float | None:
    if prefix is None or usage.cost_usd is None:
        return usage.cost_usd
    before = [each.usage for each in prefix.trajectory.tries]
    before += [each.usage for each in (*prefix.model_calls, *prefix.user_calls)]
    known = sum(before, start=Usage()).cost_usd
    return None if known is None else max(usage.cost_usd - known, 0.0)


@dataclass(frozen=True, kw_only=True)
class Inquiry:
    """One question of a recorded trial, number `number` of that trial (from 0), put in step `step.n`."""

    trial: str
    then: Trajectory
    agent: AgentConfig
    number: int
    step: CallRecord | HandOver
    branches: tuple[Branch, ...]

    @property
    def asked(self) -> Asked:
        """What was asked, and what came back."""
        return self.step.asked[0]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A task as one agent found it under one condition; `segments` is what it was not told.

    `branches` give it subsets of them with the request: those of `subsets`, in that order, each several times.
    """

    agent: AgentConfig
    condition: str
    task: str
    segments: tuple[str, ...]
    trials: tuple[str, ...]
    branches: tuple[Branch, ...]

    @property
    def subsets(self) -> list[tuple[str, ...]]:
        return _subsets(self.segments)


@dataclass(frozen=True, kw_only=True)
class Planned:
    """What is to be played, in the order in which it is: a sample of questions and cases, each drawn with equal chance.

    `questions` of all `questions_there` are valued, and `cases` of `cases_there` have a regret, none with fewer
    continuations than `FEWEST_TOLD`; `too_many` cases have none since more than `MOST_SEGMENTS` values were withheld.
    """

    parent: Run
    head: RunHead
    records: Mapping[str, TrialRecord]
    questions: Sequence[Inquiry]
    questions_there: int
    cases: Sequence[Case]
    cases_there: int
    too_many: int
    continuations: int

    @property
    def agents(self) -> tuple[AgentConfig, ...]:
        """Those that play."""
        names = {record.trajectory.agent for record in self.records.values()}
        return tuple(agent for agent in self.parent.head.config.agents if agent.name in names)

    @cached_property
    def branches(self) -> list[Branch]:
        """Questions and cases by turns, as their numbers allow: wherever it stops, what was played is a sample."""
        units: list[tuple[float, int, Inquiry | Case]] = []
        units += [((n + 0.5) / len(self.questions), 0, each) for n, each in enumerate(self.questions)]
        units += [((n + 0.5) / len(self.cases), 1, each) for n, each in enumerate(self.cases)]
        return [branch for *_, unit in sorted(units, key=lambda each: each[:2]) for branch in unit.branches]

    def estimate(self, branches: Iterable[Branch]) -> float | None:
        """US dollars that branches will take: what the parent's trials took from there on; None where unknown."""
        cases = {(each.agent.name, each.condition, each.task): each.trials for each in self.cases}
        total = 0.0
        for branch in branches:
            job = branch.job
            names = [branch.of] if branch.of else cases[job.agent.name, job.condition, job.task]
            costs = [_beyond(self.records[name].trajectory.usage, branch.prefix) for name in names]
            known = [cost for cost in costs if cost is not None]
            if len(known) < len(costs):
                return None
            total += sum(known) / len(known)
        return total


def plan_branches(
    parent: Run,
    suite: Suite,
    records: Iterable[TrialRecord],
    *,
    continuations: int = CONTINUATIONS,
    agent: str = "",
    trials: str = "",
    max_trials: int | None = None,
    seed: int = 0,
) -> Planned:
    """Lay out the branches of a run's questions.

    `records` are its trials, scored. `agent` names the one agent that is looked at, `trials` is part of the names of
    the trials that are. Agents of kind `INSTRUMENTS` do the same each time from a trial's seed: each branch of a
    question is played once. What is told from the start is played `continuations` times by every agent, each time with
    another seed, and not at all with fewer than `FEWEST_TOLD`. With `max_trials` questions and cases are drawn at
    random, each with the same chance, so that no more branches are played. Raises `ConfigProblem` for an agent that
    cannot be branched and for a run without questions, and `RunError`.
    """
    config = parent.head.config
    if not 1 <= continuations < PLACES:
        raise ConfigProblem(f"--continuations {continuations}: give a number from 1 to {PLACES - 1}")
    found = _looked_at(parent, suite, records, agent, trials)
    seen = {record.trajectory.agent for record in found.values()}
    agents = {each.name: _branching(each, config) for each in config.agents if each.name in seen}
    questions: list[Inquiry] = []
    by_case: dict[tuple[str, str, str], list[str]] = {}
    for name, record in found.items():
        then = record.trajectory
        by_case.setdefault((then.agent, then.condition, then.task), []).append(name)
        of_agent = agents[then.agent]
        many = 1 if of_agent.kind in INSTRUMENTS else continuations
        questions += _inquiries(parent, name, then, of_agent, config.conditions[then.condition], many)
    if not questions:
        raise ConfigProblem(f"{parent.folder}: nobody was asked anything in the trials looked at, so nothing is valued")
    cases: list[Case] = []
    for (who, condition, task), names in by_case.items():
        prompt = found[names[0]].trajectory.prompt
        segments = _segments(suite.task(task), prompt)
        if len(segments) <= MOST_SEGMENTS:
            asking = config.conditions[condition].ask
            cases.append(_case(agents[who], condition, prompt, task, segments, names, asking, continuations))
    kept, kept_cases = _drawn(questions, cases if continuations >= FEWEST_TOLD else [], max_trials, seed)
    return Planned(
        parent=parent,
        head=RunHead.of(_config(config, suite), suite),
        records=found,
        questions=kept,
        questions_there=len(questions),
        cases=kept_cases,
        cases_there=len(cases),
        too_many=len(by_case) - len(cases),
        continuations=continuations,
    )


def _looked_at(
    parent: Run, suite: Suite, records: Iterable[TrialRecord], agent: str, trials: str
) -> dict[str, TrialRecord]:
    """The trials by name that can have been asked in, save void ones."""
    config = parent.head.config
    if agent and agent not in [each.name for each in config.agents]:
        known = ", ".join(each.name for each in config.agents)
        raise ConfigProblem(f"--agent {agent}: the run has no such agent; it has {known}")
    found = {}
    for record in records:
        then = record.trajectory
        name = trial_name(then.agent, then.condition, then.task, then.trial).removesuffix(".json")
        if then.status == "void" or (agent and then.agent != agent) or trials not in name:
            continue
        check_belongs(then, config, suite, parent.folder)
        if config.conditions[then.condition].asks:
            found[name] = record
    return dict(sorted(found.items()))


def _branching(agent: AgentConfig, config: RunConfig) -> AgentConfig:
    """The agent as it plays branches: a reply that cannot be read ends one, and no other is tried from the start."""
    if agent.kind in ("command", "function"):
        raise ConfigProblem(
            f"{agent.name} ({agent.kind}) cannot be branched: only a model or an instrument can follow its own record "
            "up to a question; name another agent of the run with --agent"
        )
    own = config.model_copy(update={"agents": (agent,)})
    check_complete(own, "give them by the environment, and play it again")
    return agent.model_copy(update={"resample": 0}) if isinstance(agent, LlmConfig) else agent


def _inquiries(
    parent: Run, name: str, then: Trajectory, agent: AgentConfig, condition: Condition, many: int
) -> Iterator[Inquiry]:
    put = [step for step in then.steps if step.questions]
    job = Job(agent=agent, condition=then.condition, prompt=then.prompt, task=then.task, trial=then.trial)
    for number, step in enumerate(put[:PLACES]):
        asked = step.asked[0]
        before = Branch(
            kind="answered",
            job=job,
            condition="",
            number=0,
            of=name,
            answers=sum(isinstance(each, AnswerRecord) and each.step < step.n for each in then.events),
            question=asked.text,
            deferred=frozenset((*asked.targets, *asked.revealed)),
            asking=condition.ask,
        )
        prefixes: dict[Kind, tuple[int, Prefix]] = {
            "answered": (step.n + 1, Prefix(then, step.n + 1)),
            "deferred": (step.n, Deferred(then, step.n + 1)),
            "not asked": (_turn_of(then, step), Prefix(then, _turn_of(then, step))),
        }
        if deferred_already(asked):
            del prefixes["deferred"]  # it would be the same branch
        branches = tuple(
            replace(
                before,
                kind=kind,
                condition=_label(then.condition, kind),
                number=(then.trial * PLACES + number) * PLACES + k,
                prefix=prefix,
                parent=Parent(run=str(parent.folder), trial=name, step=shared),
            )
            for kind, (shared, prefix) in prefixes.items()
            for k in range(many)
        )
        yield Inquiry(trial=name, then=then, agent=agent, number=number, step=step, branches=branches)


def deferred_already(asked: Asked) -> bool:
    """Whether the user deferred on a question in the trial itself, so that its answer is worth nothing."""
    return bool(asked.parts) and all(part.kind == "no_preference" for part in asked.parts)


def _turn_of(then: Trajectory, step: CallRecord | HandOver) -> int:
    """Where the reply that put a question began to be carried out: a model's turn is sampled again as a whole."""
    first = step.n
    for event in reversed(then.events[: next(at for at, each in enumerate(then.events) if each is step)]):
        if isinstance(event, ModelCall) and event.purpose == "agent" and event.subagent == step.subagent:
            return first
        if isinstance(event, CallRecord | HandOver):
            first = event.n
    return step.n


def _segments(task: Task, prompt: str) -> tuple[str, ...]:
    """Ids of what a prompt variant withholds and its users know."""
    briefs = [session.briefs[prompt] for session in task.sessions if prompt in session.briefs]
    return tuple(dict.fromkeys(segment.id for brief in briefs for segment in brief.withheld))


def _case(
    agent: AgentConfig,
    condition: str,
    prompt: str,
    task: str,
    segments: tuple[str, ...],
    names: Sequence[str],
    asking: str,
    many: int,
) -> Case:
    branches = tuple(
        Branch(
            kind="told",
            job=Job(agent=agent, condition=condition, prompt=prompt, task=task, trial=k),
            condition=_label(condition, "told", [segments.index(each) for each in subset]),
            number=k,
            told=frozenset(subset),
            asking=asking,
        )
        for subset in _subsets(segments)
        for k in range(many)
    )
    return Case(agent=agent, condition=condition, task=task, segments=segments, trials=tuple(names), branches=branches)


def _subsets(segments: Sequence[str]) -> list[tuple[str, ...]]:
    """Smaller ones first."""
    return [subset for size in range(len(segments) + 1) for subset in combinations(segments, size)]


def _label(condition: str, kind: Kind, told: Sequence[int] = ()) -> str:
    """What the condition of a branch is called; segments are counted from 1, in the order of the task."""
    if kind != "told":
        return f"{condition}, {kind}"
    return f"{condition}, told {' and '.join(str(place + 1) for place in told) or 'nothing'}"


def _config(config: RunConfig, suite: Suite) -> RunConfig:
    """That of the run of branches: the parent's, with a condition for each kind of branch."""
    conditions: dict[str, Condition] = {}
    for name, condition in config.conditions.items():
        if not condition.asks:
            continue
        for kind in ("answered", "deferred", "not asked"):
            conditions[_label(name, kind)] = condition  # asked in or not, the record before the question was
        counts = [len(_segments(task, condition.prompt)) for task in suite.tasks]
        most = max((count for count in counts if count <= MOST_SEGMENTS), default=0)
        nobody = condition.model_copy(update={"ask": "off", "end_of_turn": "session"})
        for told in _subsets([str(n) for n in range(most)]):
            conditions[_label(name, "told", [int(place) for place in told])] = nobody
    return config.model_copy(update={"name": f"voi-{config.name}" if config.name else "voi", "conditions": conditions})


def _drawn(
    questions: Sequence[Inquiry], cases: Sequence[Case], most: int | None, seed: int
) -> tuple[list[Inquiry], list[Case]]:
    """Questions and cases in random order, as many as fit: each kind has its share of the budget.

    A larger sample of the same seed begins with every smaller one.
    """
    draw = random.Random(f"voi {seed}")
    found, of_cases = draw.sample([*questions], len(questions)), draw.sample([*cases], len(cases))
    if most is None:
        return found, of_cases
    sizes = [sum(len(each.branches) for each in found), sum(len(each.branches) for each in of_cases)]
    budget = most * sizes[0] // max(sum(sizes), 1)
    return _first(found, budget), _first(of_cases, most - budget)


def _first(units: Sequence[Unit], budget: int) -> list[Unit]:
    """As many as fit whatever their size, so that large and small ones have the same chance."""
    largest = max((len(each.branches) for each in units), default=1)
    return list(units[: budget // largest])
