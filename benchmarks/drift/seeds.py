"""How often the paradox is observed over many seeds, of agents that show it and of agents that do not.

    python -m benchmarks.drift.seeds               over 200 seeds and all released variants
    python -m benchmarks.drift.seeds --sample 60   over 60 variants of each environment a seed

Nothing is played. What the reference agent takes in a trial follows from the trial's seed alone, so it is drawn here as
it is there, by the same function (`programs.settled`); a test plays some of the trials and finds the same outcomes.
What is computed of them is what reports compute, `benchmarks.drift.paradox`.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple

from benchmarks.drift.drawn import Drawn
from benchmarks.drift.environments import SERVICE, STATE, Place, environments
from benchmarks.drift.need import Reading, ending
from benchmarks.drift.paradox import paradox
from benchmarks.drift.programs import Dials, drawn_again, settled
from benchmarks.drift.release import released
from benchmarks.drift.tasks import Faulty, readings
from benchmarks.drift.template import Value
from benchmarks.drift.trials import Arm, Trial
from harness.agents.reference import GiveUp
from harness.record.seeds import trial_seed
from servers.kernel import canonical

__all__ = ("CONTROLS", "SCRAMBLE", "Case", "Observed", "cases", "controls", "observed", "taken")

SEEDS: Final = 200
SCRAMBLE: Final = 0.8
"""As configs/drift.yaml has it."""

COMPARED = FAULTY, CLARIFY = "faulty", "rational"
"""The conditions that a gain is taken from, by the names that configs/drift.yaml gives them: seeds depend on them."""


@dataclass(frozen=True)
class Case:
    """A variant, and what its text can be read as."""

    faulty: Faulty
    drawn: Drawn

    @property
    def environment(self) -> str:
        return str(self.drawn.template.environment)

    @property
    def needy(self) -> bool:
        return self.faulty.variant.need in ("required", "blocked")

    @cached_property
    def options(self) -> tuple[Reading, ...]:
        return readings(self.drawn, self.faulty.variant)

    @cached_property
    def endings(self) -> Mapping[str, bytes]:
        """By value, what comes of each reading."""
        return {_key(each.value): ending(each.outcome) for each in self.options}


@dataclass(frozen=True)
class _Draws:
    """The draws of a trial's first session."""

    settings: Dials
    seed: int

    def random(self, decision: str, purpose: str) -> Random:
        return Random(hashlib.sha256(canonical([self.seed, 0, decision, purpose])).digest())


class Observed(NamedTuple):
    """Of so many seeds, those in which the paradox was observed, and mean gains of the two environments."""

    state: str
    service: str
    seeds: int
    times: int
    gain: float
    service_gain: float


def cases(places: Sequence[Place], faulty: Sequence[Faulty]) -> list[Case]:
    """These variants of the tasks of these environments."""
    by_template = {each.id: (place, each) for place in places for each in place.templates}
    return [Case(each, drawn_again(*by_template[each.task.template], each.variant.task)) for each in faulty]


def controls(of: Sequence[Case]) -> Mapping[str, Dials]:
    """Settings of the reference agent by name. Only the last but one shows the paradox.

    `everywhere, about even` loses by its scrambling what it wins by asking, which is where an interval is most likely
    to lie beside 0 by chance; `in services, about even` does so there alone, so that only one interval has to.
    """
    luck = fmean(each.faulty.variant.luck for each in of if each.needy and each.environment in SERVICE)
    return {
        "no scramble": Dials(guess="uniform"),
        "everywhere": Dials(guess="uniform", scramble=SCRAMBLE, everywhere=True),
        "everywhere, about even": Dials(guess="uniform", scramble=1 - luck, everywhere=True),
        "in services": Dials(guess="uniform", scramble=SCRAMBLE),
        "in services, about even": Dials(guess="uniform", scramble=1 - luck),
    }


CONTROLS: Final = ("no scramble", "everywhere", "everywhere, about even")
"""Those of `controls` that do not show the paradox in either environment: it may be observed in at most 5% of seeds."""


def taken(case: Case, dials: Dials, seed: int, condition: str) -> bool:
    """Whether the reference agent is right on a variant in a run of that seed."""
    variant = case.faulty.variant
    if not variant.hidden or variant.need == "discoverable":
        return True
    slot = variant.hidden[0].slot
    meant = case.drawn.values[slot]
    draws = _Draws(dials, trial_seed(seed, case.faulty.task.id, condition, 0))
    asks = condition == CLARIFY and dials.ask == "openly"
    try:
        value = settled(draws, case.drawn.template, slot, case.options, meant if asks else None)
    except GiveUp:
        return False
    return case.endings[repr(value)] == case.endings[_key(meant)]


def _key(value: Value | None) -> str:
    return repr(None if value is None else value.value)


def observed(of: Sequence[Case], dials: Dials, seeds: Sequence[int], sample: int = 0) -> Iterator[Observed]:
    """For each state-oriented environment beside the services: in how many seeds is the paradox observed?

    With `sample`, over so many variants of each environment, others for each seed.
    """
    runs = [
        {each: _arms(of, partial(taken, dials=dials, seed=seed, condition=each), seed, sample) for each in COMPARED}
        for seed in seeds
    ]
    there = {case.environment for case in of}
    for state in sorted(there & STATE):
        for service in sorted(there & SERVICE):
            both = [
                paradox(*([run[name].get(place, {}) for name in COMPARED] for place in (state, service)))
                for run in runs
            ]
            yield Observed(
                state,
                service,
                len(both),
                sum(each.observed is True for each in both),
                fmean(each.state.value or 0.0 for each in both),
                fmean(each.service.value or 0.0 for each in both),
            )


def _arms(of: Sequence[Case], right: Callable[[Case], bool], seed: int, sample: int) -> Mapping[str, Arm]:
    """One condition of a run, by environment."""
    arms: dict[str, dict[str, Sequence[Trial]]] = {}
    for case in _sampled(of, seed, sample) if sample else of:
        task = case.faulty.task
        arms.setdefault(case.environment, {})[task.id] = [Trial(task=task, valid=True, right=right(case))]
    return arms


def _sampled(of: Sequence[Case], seed: int, sample: int) -> Iterator[Case]:
    def key(case: Case) -> bytes:
        return hashlib.sha256(canonical([seed, case.faulty.task.id, "sample"])).digest()

    by_place: dict[str, list[Case]] = {}
    for case in of:
        by_place.setdefault(case.environment, []).append(case)
    for mine in by_place.values():
        yield from sorted(mine, key=key)[:sample]


def main(arguments: Sequence[str] | None = None) -> None:
    about = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drift.seeds", description=about)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="how many (200)")
    parser.add_argument("--sample", type=int, default=0, help="variants of each environment a seed (all of them)")
    options: Any = parser.parse_args(arguments)
    places = environments()
    of = cases(places, released(places).faulty)
    for name, dials in controls(of).items():
        for each in observed(of, dials, range(options.seeds), options.sample):
            sys.stdout.write(
                f"{name}: {each.state} and {each.service}: observed in {each.times} of {each.seeds} seeds, "
                f"mean gains {100 * each.gain:+.1f} and {100 * each.service_gain:+.1f}\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
