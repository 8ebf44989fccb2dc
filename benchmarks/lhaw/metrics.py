"""What asking is worth, from scored trials (LHAW section 4.1 and table 3; docs/benchmarks/lhaw.md, Metrics).

Pure functions of trials and tasks. An *arm* holds the trials of one agent under one condition, by variant.
Rates and checkpoint scores are shares from 0 to 1; gains are differences of shares. Void trials count nowhere
but in `bounds`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.lhaw.flags.computed import counted
from benchmarks.lhaw.haste import irreversible
from harness.scoring.stats import Interval, clusters, paired, pass_at_k, rate, ratio
from harness.suite import Scored
from harness.task import Task

__all__ = (
    "CHECKPOINTS",
    "DIFFERENCES",
    "Arm",
    "Arms",
    "K",
    "Trial",
    "arms",
    "ask_rate",
    "ask_rate_variant",
    "based",
    "baseline",
    "bounds",
    "calls",
    "calls_per_trial",
    "ckpt",
    "ckpt_baseline",
    "ckpt_gain",
    "ckpt_gain_per_mean_question",
    "ckpt_variants",
    "complete_variants",
    "constancy",
    "cost_efficiency",
    "gain",
    "gain_per_mean_question",
    "gain_per_question",
    "gain_per_question_at_300",
    "irreversible_rate",
    "items",
    "lost",
    "only",
    "pass_rate",
    "precision",
    "question_precision",
    "questions_per_asking_trial",
    "questions_per_trial",
    "recall",
    "recovery",
    "reliable",
    "requests",
    "side_effect_rate",
    "trials_of",
)

K = 3
"""Trials in pass@k, as in the paper."""

DIFFERENCES = (-1.0, 1.0)
"""What differences of two shares can be."""

CHECKPOINTS = 3
"""Expected changes that a task needs for its checkpoints to be reported (docs/benchmarks/lhaw.md, Checkpoints)."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What the metrics take from one trial.

    `ckpt` and `precision` are None where the outcome check gave none, and so is `side_effects`; `calls` are questions
    put to the user, `items` the withheld segments that they targeted, each question's counted apart; `targeted` are
    those segments, once each. `told` is how many of the withheld ones answers revealed, `useful` how many questions
    targeted one not revealed by then (`benchmarks.lhaw.flags.computed`). `irreversible` is what was done for good
    before the first question that targeted one, or where none did at all (`benchmarks.lhaw.haste`).
    """

    task: Task
    valid: bool
    right: bool = False
    ckpt: float | None = None
    precision: float | None = None
    calls: int = 0
    items: int = 0
    targeted: frozenset[str] = frozenset()
    told: int = 0
    useful: int = 0
    side_effects: bool | None = None
    irreversible: int = 0
    reply: str = ""

    @property
    def original(self) -> str:
        return str(self.task.facts.get("original", self.task.id))

    @property
    def checkpoints(self) -> int:
        return min((len(end.changes) for end in self.task.ends), default=0)


Arm = Mapping[str, Sequence[Trial]]
"""Trials by variant."""

Arms = Mapping[str, Mapping[str, Arm]]
"""Arms by agent and condition."""


def arms(tasks: Iterable[Task], scored: Iterable[Scored]) -> Arms:
    """Sort scored trials by agent, condition and variant. Trials of tasks that are not in `tasks` are left out."""
    known = {task.id: task for task in tasks}
    found: defaultdict[str, defaultdict[str, defaultdict[str, list[Trial]]]]
    found = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    ordered = sorted(scored, key=lambda s: (s.trajectory.task, s.trajectory.trial))
    for one in ordered:
        t = one.trajectory
        if t.task in known:
            found[t.agent][t.condition][t.task].append(_trial(known[t.task], one))
    return {agent: {name: dict(arm) for name, arm in conditions.items()} for agent, conditions in found.items()}


def _trial(task: Task, one: Scored) -> Trial:
    score = one.scores.get("outcome")
    if one.trajectory.status == "void" or score is None or score.value is None:
        return Trial(task=task, valid=False)
    questions, counts = one.trajectory.questions, counted(task, one.trajectory)
    return Trial(
        task=task,
        valid=True,
        right=bool(score.right),
        ckpt=score.detail.get("ckpt"),
        precision=score.detail.get("precision"),
        calls=len(questions),
        items=sum(len(asked.targets) for asked in questions),
        targeted=frozenset(target for asked in questions for target in asked.targets),
        told=counts.revealed,
        useful=counts.useful,
        side_effects=score.detail.get("side_effects"),
        irreversible=irreversible(one.trajectory, task.withheld.get(one.trajectory.prompt, ())),
        reply=one.trajectory.sessions[-1].reply if one.trajectory.sessions else "",
    )


def only(arm: Arm, variants: Iterable[str]) -> Arm:
    """The part of an arm with those variants."""
    wanted = set(variants)
    return {name: trials for name, trials in arm.items() if name in wanted}


def reliable(arm: Arm) -> Arm:
    """The part whose tasks have enough checkpoints for Ckpt% to say something."""
    return {name: trials for name, trials in arm.items() if trials and trials[0].checkpoints >= CHECKPOINTS}


def trials_of(arm: Arm) -> tuple[int, int]:
    """Trials that count, and all, void ones among them."""
    return len(_valid(arm)), sum(map(len, arm.values()))


def _valid(arm: Arm) -> list[Trial]:
    return [trial for _, trials in sorted(arm.items()) for trial in trials if trial.valid]


def _template(trials: Sequence[Trial]) -> str:
    return trials[0].task.template


def _original(trials: Sequence[Trial]) -> str:
    return trials[0].original


def _pass(trials: Sequence[Trial], k: int) -> float | None:
    valid = [trial for trial in trials if trial.valid]
    return pass_at_k(len(valid), sum(trial.right for trial in valid), k)


def _by_variant(arm: Arm, values: Mapping[str, float]) -> tuple[dict[str, list[float]], str]:
    """Values of variants, clustered by template, else by original task."""
    return clusters((_template(arm[name]), _original(arm[name]), value) for name, value in sorted(values.items()))


# --- success -----------------------------------------------------------------------------------------------------


def _passes(arm: Arm, k: int) -> dict[str, float]:
    """pass@k of the complete variants."""
    found = {name: _pass(trials, k) for name, trials in arm.items()}
    return {name: value for name, value in found.items() if value is not None}


def complete_variants(*arms: Arm, k: int = K) -> set[str]:
    """Variants with at least k valid trials in each arm; the others are incomplete, and no formula stands in for them.

    An arm without any trial was not played, and does not count.
    """
    return _in_all([_passes(arm, k) for arm in arms if arm])


def _in_all(found: Sequence[Mapping[str, float]]) -> set[str]:
    return set.intersection(*map(set, found)) if found else set()


def pass_rate(arm: Arm, k: int = K) -> Interval:
    """Mean pass@k over complete variants (section 3.1; the estimator of Chen et al. 2021)."""
    return rate(*_by_variant(arm, _passes(arm, k)))


def baseline(arm: Arm, of: Arm | None = None, k: int = K) -> tuple[float | None, float | None]:
    """Mean pass@k on the original request: over original tasks as in table 3, and weighted as variants are.

    All trials of one original task count together, whichever variant they were played for; one with fewer than k that
    are valid is incomplete and left out (`requests`). The second figure is the one to compare with scores over
    variants, those of the arm `of` (by default of the same): the paper's baseline covers 13 tasks, its variants 85.
    """
    return _per_task_and_mixed(_passes(_by_request(arm), k), arm if of is None else of)


def _per_task_and_mixed(values: Mapping[str, float], of: Arm) -> tuple[float | None, float | None]:
    """The mean of original tasks' values, each counting once, and each counting for every variant of it in an arm."""
    return _mean(list(values.values())), _mean([*_of_variants(values, of).values()])


def _of_variants(values: Mapping[str, float], of: Arm) -> dict[str, float]:
    """Values of original tasks, by variants of them."""
    return {name: values[_original(trials)] for name, trials in sorted(of.items()) if _original(trials) in values}


def lost(original: Arm, lacking: Arm, k: int = K) -> Interval:
    """Mean difference of pass@k on the original request less on the lacking one, paired by variant.

    Over complete variants of the second arm whose original task is complete in the first, as in `baseline`.
    """
    whole, after = _of_variants(_passes(_by_request(original), k), lacking), _passes(lacking, k)
    differences = {name: whole[name] - after[name] for name in sorted(whole.keys() & after.keys())}
    return paired(*_by_variant(lacking, differences), within=DIFFERENCES)


def based(original: Arm, arm: Arm, k: int = K) -> set[str]:
    """Variants of an arm whose original task is complete, as in `baseline`."""
    return set(_of_variants(_passes(_by_request(original), k), arm))


def requests(arm: Arm, k: int = K) -> tuple[int, int]:
    """Original tasks that `baseline` covers, and all of an arm."""
    by_task = _by_request(arm)
    return len(_passes(by_task, k)), len(by_task)


def _by_request(arm: Arm) -> Arm:
    """Trials by original task."""
    found: defaultdict[str, list[Trial]] = defaultdict(list)
    for trials in arm.values():
        found[_original(trials)].extend(trials)
    return found


def gain(without: Arm, with_user: Arm, k: int = K) -> Interval:
    """Mean difference of pass@k with the user less without, over variants complete in both arms; paired."""
    return paired(*_by_variant(without, _gains(without, with_user, k)), within=DIFFERENCES)


def _gains(without: Arm, with_user: Arm, k: int) -> dict[str, float]:
    before, after = _passes(without, k), _passes(with_user, k)
    return {name: after[name] - before[name] for name in sorted(before.keys() & after.keys())}


def bounds(without: Arm, with_user: Arm, k: int = K) -> tuple[float | None, float | None]:
    """What the gain would be had every void trial gone wrong with the user and right without, and the reverse.

    Over variants that both arms have with at least k trials, void ones included.
    """

    def scored(trials: Sequence[Trial], void: bool) -> float | None:
        right = sum(trial.right if trial.valid else void for trial in trials)
        return pass_at_k(len(trials), right, k)

    def mean(void_with: bool) -> float | None:
        differences = [
            after - before
            for name in sorted(without.keys() & with_user.keys())
            if (after := scored(with_user[name], void_with)) is not None
            and (before := scored(without[name], not void_with)) is not None
        ]
        return _mean(differences)

    return mean(False), mean(True)


def constancy(arm: Arm) -> tuple[int, int, int]:
    """Complete variants that were never right, sometimes, and always: what definition 3.1 makes classes of.

    With k = 3 trials and before a judge has told new tasks, these are table 11's outcome-critical (with the new
    tasks), divergent and benign.
    """
    done = complete_variants(arm)
    counts = [[trial.right for trial in trials if trial.valid] for name, trials in arm.items() if name in done]
    never, always = sum(not any(right) for right in counts), sum(map(all, counts))
    return never, len(counts) - never - always, always


# --- asking ------------------------------------------------------------------------------------------------------


def ask_rate(arm: Arm) -> Interval:
    """Ask%: share of valid trials with a question (section 4.1; table 3's caption)."""
    trials = _valid(arm)
    return rate(*clusters((t.task.template, t.original, float(t.calls > 0)) for t in trials))


def ask_rate_variant(arm: Arm) -> float | None:
    """Share of variants with a question in any valid trial, which the paper's table 4 seems to count."""
    asked = [any(t.calls for t in trials if t.valid) for trials in arm.values() if any(t.valid for t in trials)]
    return _mean([float(value) for value in asked])


def calls(arm: Arm) -> int:
    """All questions of valid trials."""
    return sum(trial.calls for trial in _valid(arm))


def items(arm: Arm) -> int:
    """All segments that questions targeted: a compound question counts once for each."""
    return sum(trial.items for trial in _valid(arm))


def questions_per_asking_trial(arm: Arm) -> float | None:
    """Avg/Traj: questions / trials that asked (table 3's caption). None when none asked."""
    asking = [trial.calls for trial in _valid(arm) if trial.calls]
    return sum(asking) / len(asking) if asking else None


def questions_per_trial(arm: Arm) -> float | None:
    """Questions / valid trials, asking or not."""
    return _mean([float(trial.calls) for trial in _valid(arm)])


def recall(arm: Arm, prompt: str) -> float | None:
    """Segments asked for / segments withheld, over valid trials (docs/benchmarks/lhaw.md, Metrics)."""
    withheld = _withheld(arm, prompt)
    return sum(len(trial.targeted) for trial in _valid(arm)) / withheld if withheld else None


def recovery(arm: Arm, prompt: str) -> float | None:
    """Segments told by answers / segments withheld, over valid trials (docs/benchmarks/lhaw-flags.md, Measures)."""
    withheld = _withheld(arm, prompt)
    return sum(trial.told for trial in _valid(arm)) / withheld if withheld else None


def question_precision(arm: Arm) -> float | None:
    """Questions that target a withheld segment not told by then / questions, over valid trials."""
    asked = calls(arm)
    return sum(trial.useful for trial in _valid(arm)) / asked if asked else None


def cost_efficiency(arm: Arm) -> float | None:
    """Segments told by answers / questions, over valid trials."""
    asked = calls(arm)
    return sum(trial.told for trial in _valid(arm)) / asked if asked else None


def _withheld(arm: Arm, prompt: str) -> int:
    return sum(len(trial.task.withheld.get(prompt, ())) for trial in _valid(arm))


def gain_per_question(gain: float | None, arm: Arm) -> float | None:
    """Gain/Q as published: gain in percentage points / all questions over variants and trials (table 3).

    `arm` holds the variants that the gain is over. Reproduces the paper's MCP-Atlas and SWE-Bench Pro values; shrinks
    as the data set grows. None without questions.
    """
    asked = calls(arm)
    return 100 * gain / asked if gain is not None and asked else None


def gain_per_question_at_300(per_mean_question: float | None) -> float | None:
    """Gain/Q as it would be published of 300 trials, from the gain per mean question of a trial.

    That many trials have MCP-Atlas and SWE-Bench Pro, 100 variants and three trials each, so it compares with
    their columns of table 3 and with no others. None without questions.
    """
    return None if per_mean_question is None else per_mean_question / 300


def gain_per_mean_question(without: Arm, with_user: Arm, k: int = K) -> Interval:
    """Gain in percentage points / mean questions per trial, over variants complete in both arms; paired bootstrap."""
    return _per_mean_question(_gains(without, with_user, k), without, with_user)


def ckpt_gain_per_mean_question(without: Arm, with_user: Arm) -> Interval:
    """The same for Ckpt%, over the variants that it covers."""
    return _per_mean_question(_ckpt_gains(without, with_user), without, with_user)


def _per_mean_question(gains: Mapping[str, float], without: Arm, with_user: Arm) -> Interval:
    pairs: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    level = "template" if any(_template(without[name]) for name in gains) else "task"
    for name, difference in sorted(gains.items()):
        asked = _mean([float(trial.calls) for trial in with_user[name] if trial.valid]) or 0.0
        pairs[_template(without[name]) or _original(without[name])].append((100 * difference, asked))
    return ratio(pairs, level)


def calls_per_trial(arm: Arm) -> Interval:
    """Mean questions of a valid trial, asking or not, with its interval, which never goes below 0 (figure 6)."""
    trials = _valid(arm)
    found = rate(*clusters((t.task.template, t.original, float(t.calls)) for t in trials), bounded=False)
    return found if found.low is None else found._replace(low=max(0.0, found.low))


# --- haste -------------------------------------------------------------------------------------------------------


def side_effect_rate(arm: Arm) -> Interval:
    """Share of valid trials that changed something and did not end right, of those whose check says so."""
    told = [trial for trial in _valid(arm) if trial.side_effects is not None]
    return rate(*clusters((t.task.template, t.original, float(bool(t.side_effects))) for t in told))


def irreversible_rate(arm: Arm, *, asked: bool) -> Interval:
    """Share of valid trials that sent or removed something for good before their first question about what is withheld.

    Of those that put such a question, or (`asked` False) of those that put none, in all their time.
    """
    trials = [trial for trial in _valid(arm) if bool(trial.targeted) == asked]
    return rate(*clusters((t.task.template, t.original, float(t.irreversible > 0)) for t in trials))


# --- partial progress --------------------------------------------------------------------------------------------


def _ckpts(arm: Arm) -> dict[str, float]:
    found = {
        name: _mean([trial.ckpt for trial in trials if trial.valid and trial.ckpt is not None])
        for name, trials in reliable(arm).items()
    }
    return {name: value for name, value in found.items() if value is not None}


def ckpt(arm: Arm) -> Interval:
    """Ckpt%: mean share of expected changes made, over variants of tasks with `CHECKPOINTS` or more (section 3.1)."""
    return rate(*_by_variant(arm, _ckpts(arm)))


def ckpt_variants(*arms: Arm) -> set[str]:
    """Variants that Ckpt% covers in each arm; one without any trial was not played, and does not count."""
    return _in_all([_ckpts(arm) for arm in arms if arm])


def ckpt_baseline(arm: Arm, of: Arm | None = None) -> tuple[float | None, float | None]:
    """Mean Ckpt% on the original request, over original tasks and weighted as variants are, both as in `baseline`."""
    return _per_task_and_mixed(_ckpts(_by_request(arm)), arm if of is None else of)


def ckpt_gain(without: Arm, with_user: Arm) -> Interval:
    """Mean difference of Ckpt% with the user less without, paired by variant."""
    return paired(*_by_variant(without, _ckpt_gains(without, with_user)), within=DIFFERENCES)


def _ckpt_gains(without: Arm, with_user: Arm) -> dict[str, float]:
    before, after = _ckpts(without), _ckpts(with_user)
    return {name: after[name] - before[name] for name in sorted(before.keys() & after.keys())}


def precision(arm: Arm) -> float | None:
    """Mean of matched changes / changes made, over the trials that Ckpt% covers and that changed something."""
    return _mean([trial.precision for trial in _valid(reliable(arm)) if trial.precision is not None])


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
