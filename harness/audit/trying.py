"""One task's mutants, played and judged against its reference."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple

from harness.audit.mutants import MUTATIONS, Case, Mutant, Mutation
from harness.audit.play import Played, Player
from harness.audit.probes import Probe, probe
from harness.audit.workplace import Workplaces
from harness.core.suite import Suite, SuiteError
from harness.core.task import End, Task
from harness.scoring.matching import match

__all__ = ("Finding", "Outcome", "Result", "TaskAudit", "audit_task", "keyed")

Outcome = Literal["caught", "survived", "passed", "rejected", "equivalent", "open", "unplayed", "void"]
"""What became of a mutant.

`caught`, `survived`: it must fail, and did or did not. `passed`, `rejected`: it must pass, and did or did not.
The others are counted apart, as neither:

- `equivalent`: it must fail, yet leaves the very state that the reference leaves (a dropped call that
  changed nothing, a second update to the same value), so that there is nothing to catch;
- `open`: its end differs only where the task itself leaves it open: in a field that `compare` frees, in letter
  case or white space of one that it folds, or in being another of the ends that the task lists;
- `unplayed`: no draw was what the mutation is about. The app refused the changed call, so that a dropped call
  is all it came to; or work meant to be right ended elsewhere (text whose case counts, calls that depend on
  each other through something other than a row or a name);
- `void`: a tool or the check itself broke, or the check gave no verdict.
"""

_RANK: Mapping[Outcome, int] = {"unplayed": 0, "equivalent": 1}
"""Another draw of the same site is tried while the outcome is one of these."""


class Result(NamedTuple):
    """What became of one mutant, and why."""

    task: str
    mutation: str
    site: str
    what: str
    outcome: Outcome
    reason: str
    told_apart: Mapping[str, bool | None] = {}
    """Of wrong work that was caught or survived: check -> whether it gives another value than for the reference; None
    where it gives none for either."""


class Finding(NamedTuple):
    """Something about a task apart from its mutants; a `problem` fails the audit, a `note` does not."""

    task: str
    check: str
    level: Literal["problem", "note"]
    text: str


class TaskAudit(NamedTuple):
    """Everything that was found about one task."""

    task: str
    results: Sequence[Result]
    findings: Sequence[Finding]
    oracle: bool
    idle: bool
    probes: Sequence[Probe] = ()
    """What its checks make of other ends; none where they refuse the reference's own."""


def keyed(seed: int, task: str, mutation: str) -> Random:
    """A generator for one mutation of one task, whatever else is drawn."""
    return Random(hashlib.sha256(f"{seed}|{task}|{mutation}".encode()).digest())


async def audit_task(player: Player, places: Workplaces, task: Task, seed: int) -> TaskAudit:
    """Play the reference, nothing, and every mutant of the reference.

    Raises `SuiteError` where the check that decides waits for a judge.
    """
    case = Case(task, places.of(task), await player.play(task, task.solution))
    _need_no_judge(player.suite, case.reference)
    idle = await player.play(task, ())
    findings = [*_oracle(case), *_idle(case, idle)]
    results: list[Result] = []
    for mutation in MUTATIONS:
        results += await _tried(player, case, mutation, keyed(seed, task.id, mutation.name))
    findings += _teeth(task, results)
    oracle = _right(case.reference)
    probes = list(probe(case, keyed(seed, task.id, "unchecked"))) if oracle else ()
    return TaskAudit(task.id, results, findings, oracle, _right(idle), probes)


def _need_no_judge(suite: Suite, reference: Played) -> None:
    """Raises `SuiteError` where the check that decides cannot say anything without a judge's verdicts."""
    try:
        waits = reference.verdict == "unscored" and bool(suite.queries(reference.task, reference.trajectory))
    except SuiteError:
        raise
    except Exception:  # noqa: BLE001 - a check that breaks is a finding
        return
    if waits:
        raise SuiteError(
            f"suite {suite.name}: its check leaves the reference of task {reference.task.id} unscored until a judge "
            "has spoken, and an audit asks no judge; only what rules decide can be audited: give the suite a check of "
            "that, `ruled`"
        )


async def _tried(player: Player, case: Case, mutation: Mutation, rng: Random) -> list[Result]:
    settled: dict[str, Result] = {}
    for mutant in mutation.operator(case, rng):
        held = settled.get(mutant.site)
        if held and held.outcome not in _RANK:
            continue
        played = await player.play(case.task, mutant.calls)
        outcome, reason = judge(case, mutation, mutant, played)
        if held is None or _RANK.get(outcome, 2) > _RANK[held.outcome]:
            apart = _told_apart(case, played) if outcome in ("caught", "survived") else {}
            result = Result(case.task.id, mutation.name, mutant.site, mutant.what, outcome, reason, apart)
            settled[mutant.site] = result
    return list(settled.values())


def _told_apart(case: Case, played: Played) -> dict[str, bool | None]:
    """What every check makes of wrong work that was judged, beside a reference that is right."""
    if not _right(case.reference):
        return {}
    right = case.reference.scored.scores
    wrong = {name: score.value for name, score in played.scored.scores.items()}
    return {
        name: None if wrong.get(name) is None and score.value is None else wrong.get(name) != score.value
        for name, score in right.items()
    }


def judge(case: Case, mutation: Mutation, mutant: Mutant, played: Played) -> tuple[Outcome, str]:
    """What became of a mutant, and why."""
    if played.broken:
        return "void", played.broken
    effects = list(played.effects)
    if mutant.at >= 0 and (effect := effects.pop(mutant.at)) not in mutation.wants:
        record = played.records[mutant.at]
        return "unplayed", record.text if record and effect == "failed" else f"the changed call came to {effect!r}"
    reference = case.reference
    if mutation.must == "pass":
        if {"failed", "unmade"} & set(effects):
            return "unplayed", "a call of the reference is refused then"
        if not mutation.moves_on and played.seen != reference.seen:
            return "unplayed", "it leaves another end than the reference"
    elif played.end == reference.end:
        return "equivalent", "it leaves the same end as the reference"
    elif played.seen == reference.seen:
        return "open", "it differs from the reference only in what the task does not compare"
    elif _also_listed(case, played):
        return "open", "it leaves another of the ends that the task accepts"
    try:
        verdict, said = played.verdict, played.reason
    except Exception as error:  # noqa: BLE001 - a check that breaks is what an audit is to report
        return "void", f"the check raised {type(error).__name__}: {error}"
    if verdict in ("void", "unscored"):
        return "void", f"the check says {verdict}: {said}"
    if mutation.must == "pass":
        return ("passed" if verdict == "correct" else "rejected"), said
    if verdict == "correct" and played.checked == reference.checked:
        return "open", "it differs from the reference only in rows that, as the suite says, nothing checks"
    return ("survived" if verdict == "correct" else "caught"), said


def _also_listed(case: Case, played: Played) -> bool:
    task = case.task
    others = [end for end in task.ends if not _fits(case.reference, end)]
    return len(task.ends) > 1 and any(_fits(played, end) for end in others)


def _fits(played: Played, end: End) -> bool:
    return match(played.trajectory.changes, end, played.task.compare, played.trajectory.defaults).right


def _right(played: Played) -> bool:
    try:
        return played.verdict == "correct"
    except Exception:  # noqa: BLE001 - reported as a finding by whoever looks at the same verdict
        return False


def _oracle(case: Case) -> list[Finding]:
    """The reference, played: every call does, the end is right, nothing else was touched."""
    task, played = case.task, case.reference
    found: list[Finding] = []
    for n, (call, effect) in enumerate(zip(task.solution, played.effects, strict=True), start=1):
        if effect in ("failed", "unmade"):
            record = played.records[n - 1]
            why = record.text if record else "it needs an id that no earlier call produced"
            found.append(Finding(task.id, "oracle", "problem", f"call {n}, {call.app}.{call.tool}: {why}"))
    try:
        if played.verdict != "correct":
            found.append(Finding(task.id, "oracle", "problem", f"the reference is not right: {played.reason}"))
        elif played.side_effects:
            found.append(Finding(task.id, "oracle", "problem", "the reference has side effects"))
    except Exception as error:  # noqa: BLE001 - a check that breaks is what an audit is to report
        found.append(Finding(task.id, "oracle", "problem", f"the check raised {type(error).__name__}: {error}"))
    if task.solution and not played.seen:
        found.append(Finding(task.id, "needless", "note", "the reference calls tools and leaves everything as it was"))
    return found


def _idle(case: Case, idle: Played) -> list[Finding]:
    """Doing nothing is right exactly where an accepted end is the start.

    Not where all that the reference leaves are rows that nothing checks as rows: an answer, handed in.
    """
    task, reference = case.task, case.reference
    if not task.ends:
        return []  # its checks hold the trial against no state
    answers = bool(reference.seen) and not reference.checked
    start = any(not end.changes for end in task.ends)
    nothing = not answers and (not reference.seen or start)
    if _right(idle) == nothing or (nothing and not start and not _right(reference)):
        return []  # where ends want changes that the reference does not make, it is the reference that is wrong
    due = "an answer is due" if answers else "something has to change"
    why = "nothing has to change" if start else "the reference changes nothing that is compared"
    said = f"is refused, and {why}" if nothing else f"is accepted, and {due}"
    return [Finding(task.id, "idle", "problem", f"doing nothing {said}")]


def _teeth(task: Task, results: Sequence[Result]) -> list[Finding]:
    """A task of which no wrong work at all was caught proves nothing."""
    if any(result.outcome == "caught" for result in results):
        return []
    return [Finding(task.id, "teeth", "problem", "none of its wrong work was caught")]
