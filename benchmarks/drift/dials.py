"""The reference agent's dials beside what a run shows of them: do the measures measure what they should?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.drift import metrics
from benchmarks.drift.arms import Conditions, played, role
from benchmarks.drift.environments import SERVICE
from benchmarks.drift.programs import Dials
from benchmarks.drift.trials import Arm, arm
from harness.core.config import ROUNDS
from harness.scoring.stats import Interval
from userssim.persona import card

__all__ = ("expected", "seen")


def seen(
    config: Mapping[str, Any], arms: Mapping[str, Arm], conditions: Conditions, environment: str
) -> Iterator[tuple[str, str, float, Interval, int]]:
    """(condition, what is measured, its true value by the dials, what was measured, in how many trials).

    Of one environment. Only of trials in which the user is needed: in the others the agent is right by construction.
    """
    for name, condition in conditions.items():
        needy = {k: v for k, v in arm(arms, name, environment).items() if v and v[0].needy}
        if not needy:
            continue
        valid = sum(trial.valid for trials in needy.values() for trial in trials)
        for what, true in expected(config, condition, needy, environment).items():
            found = metrics.success(needy) if what == "success" else metrics.execution_bias(needy)
            if found.value is not None:
                yield name, what, true, found, valid if what == "success" else found.n  # success is of variants


def expected(config: Mapping[str, Any], condition: Mapping[str, Any], needy: Arm, environment: str) -> dict[str, float]:
    """What success and execution bias come to over these needy variants, by the dials of docs/benchmarks/drift.md.

    Nothing of what only a run can say: success where it hangs on whether a user understands the questions.
    """
    kind = config.get("kind")
    what = role(condition)
    if kind == "idle":
        return {"success": 0.0, "bias": 0.0}
    if kind == "oracle" or (kind == "reference" and what in ("oracle", "oracle+clarify", "informed")):
        return {"success": 1.0}
    if kind != "reference" or what is None:
        return {}
    dials = Dials.model_validate(config.get("settings") or {})
    luck = [float(trials[0].task.facts["luck"]) for trials in needy.values()]
    guess = sum(luck) / len(luck) if dials.guess == "uniform" else 0.0
    if dials.ask == "never" or condition.get("ask") != "clarify":  # the one tool it asks with
        return {} if dials.ask == "after_write" else {"success": guess, "bias": float(dials.guess == "uniform")}
    if dials.ask == "after_write":
        return {"bias": 1.0}
    if what == "placebo":
        return {"success": guess, "bias": 0.0}
    user = condition.get("user") or {}
    if user.get("kind") != "persona" or played(condition):
        return {"bias": 0.0}
    if card(user.get("persona", "rational")).open > min(dials.limit, int(condition.get("rounds", ROUNDS))):
        return {"success": guess, "bias": 0.0}
    scrambled = dials.scramble if dials.everywhere or environment in SERVICE else 0.0
    return {"success": 1 - scrambled, "bias": 0.0}
