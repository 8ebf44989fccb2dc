"""What there is to judge in a run."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from harness.core.judgement import Query
from harness.core.suite import Scored, Suite, SuiteError
from harness.record.store import trial_name
from servers.kernel import canonical

__all__ = ("queries",)


def queries(
    suite: Suite, trials: Sequence[Scored], *, sample: int | None = None, seed: int = 0, compared: bool = False
) -> list[Query]:
    """What judges are to say of those trials, in their order; with `compared` also what rules say of them.

    With `sample` of that many trials only, which the seed draws from those with questions; a larger sample holds a
    smaller one. Raises `SuiteError`, also where the suite asks nothing of judges, or has nothing to compare.
    """
    if suite.questions is None:
        raise SuiteError(f"suite {suite.name} has no questions to a judge: its checks score every trial without one")
    if compared and suite.compared is None:
        raise SuiteError(f"suite {suite.name} has nothing that rules decide and a judge could: leave out --compare")
    found = [
        (each, suite.queries(suite.task(each.trajectory.task), each.trajectory, compared=compared)) for each in trials
    ]
    asked = [(_place(each, seed), about) for each, about in found if about]
    drawn = {place for place, _ in sorted(asked, key=lambda pair: pair[0])[:sample]}
    return [query for place, about in asked if place in drawn for query in about]


def _place(scored: Scored, seed: int) -> str:
    """Where a trial stands in the draw, whatever other trials there are."""
    t = scored.trajectory
    return hashlib.sha256(canonical([seed, trial_name(t.agent, t.condition, t.task, t.trial)])).hexdigest()
