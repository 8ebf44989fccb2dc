"""The gates themselves: what is measured, between which limits it has to be, and whether it is.

All documents that are no true positives count as distractors, neutral ones too, as in tables 3 and 4: what an agent
has to part is evidence from all else, and of imported samples nobody knows which are neutral.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from benchmarks.probe.gates.features import FEATURES
from benchmarks.probe.gates.learned import Learner, judged, ranked
from benchmarks.probe.gates.looks import GatesError, Look, side_by_side
from benchmarks.probe.gates.within import Average, auc, averages, hits
from benchmarks.probe.records import Difficulty

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ("EXCEPTIONS", "GUESS", "LEARNED", "SINGLE", "Gate", "gates")

SINGLE = (0.43, 0.57)
"""Between which the AUC of a single feature has to be."""
EXCEPTIONS: dict[tuple[Difficulty, str], tuple[float, float]] = {("easy", "shared codes"): (0.40, 0.60)}
"""Easy chains stand in two documents, so that fewer of their codes are in others; said wherever results are."""
LEARNED = 0.60
"""Up to which the upper end of a learner's interval may reach."""
GUESS = 0.03
"""How much more often than by chance the right action may be guessed without a document."""


class Gate(NamedTuple):
    """One thing measured on the samples of one difficulty, with its 95% interval by persona.

    `kind` is `single` or `learned`, where `value` is an AUC within samples, or `guess`, where it is how often the right
    action was guessed. A single feature and a guess pass if the value is within the limits, a learner if the upper end
    of its interval is.
    """

    kind: Literal["single", "learned", "guess"]
    name: str
    difficulty: Difficulty
    value: float
    low: float
    high: float
    least: float
    most: float
    samples: int
    personas: int

    @property
    def passed(self) -> bool:
        if self.kind == "learned":
            return self.high <= self.most
        return self.least <= self.value <= self.most


class _Trial(NamedTuple):
    """What a learner is given: rows of all samples, and for each sample which of its rows are marked (bool)."""

    kind: Literal["learned", "guess"]
    name: str
    difficulty: Difficulty
    learner: Learner
    rows: Any
    marks: list[ndarray]
    personas: list[str]


def gates(looks: Sequence[Look], workers: int = 1) -> list[Gate]:
    """All gates over samples: single features, then learners, then guesses, each by difficulty.

    Raises:
        GatesError: of a difficulty there are not two personas with evidence among other documents, or, if any has an
            action, not two with one: from one persona nothing can be learned of another.
    """
    found: list[Gate] = []
    trials: list[_Trial] = []
    for difficulty in get_args(Difficulty):
        mine = [each for each in looks if each.difficulty == difficulty]
        if not mine:
            continue
        parted = _of_two([each for each in mine if each.marked.any() and not each.marked.all()], difficulty, "evidence")
        acting = _of_two([each for each in mine if each.right is not None], difficulty, "a right action")
        found += _singles(difficulty, parted)
        trials += _learners(difficulty, parted)
        trials += _guesses(difficulty, acting)
    if not found:
        raise GatesError("there is no sample to hold the gates against")
    found += [
        _judged(trial, scores) for trial, scores in zip(trials, side_by_side(_scores, trials, workers), strict=True)
    ]
    return sorted(found, key=lambda gate: ("single", "learned", "guess").index(gate.kind))


def _of_two(looks: list[Look], difficulty: Difficulty, what: str) -> list[Look]:
    if len(there := {each.persona for each in looks}) < 2:
        raise GatesError(f"{difficulty} samples with {what} are of too few personas ({len(there)}): it takes two")
    return looks


def _singles(difficulty: Difficulty, looks: Sequence[Look]) -> Iterator[Gate]:
    import numpy as np

    personas = [each.persona for each in looks]
    values = np.array([auc(each.features, each.marked) for each in looks])
    for name, average in zip(FEATURES, averages(values, personas), strict=True):
        limits = EXCEPTIONS.get((difficulty, name), SINGLE)
        yield Gate("single", name, difficulty, *average, *limits, len(looks), len(set(personas)))


def _learners(difficulty: Difficulty, looks: Sequence[Look]) -> Iterator[_Trial]:
    import numpy as np
    from scipy.sparse import vstack

    personas = [each.persona for each in looks]
    features = np.concatenate([ranked(each.features) for each in looks])
    drawn = [each.marked[each.drawn] for each in looks]
    whole = [each.marked for each in looks]
    words, characters = vstack([each.words for each in looks]), vstack([each.characters for each in looks])
    yield _Trial("learned", "boosting", difficulty, "boosting", features, whole, personas)
    yield _Trial("learned", "words, pairs of them", difficulty, "grams", words, drawn, personas)
    yield _Trial("learned", "runs of characters", difficulty, "grams", characters, drawn, personas)


def _guesses(difficulty: Difficulty, looks: Sequence[Look]) -> Iterator[_Trial]:
    import numpy as np
    from scipy.sparse import vstack

    personas = [each.persona for each in looks]
    right = [np.arange(len(each.choices)) == each.right for each in looks]
    features, words = np.concatenate([ranked(each.choices) for each in looks]), vstack([each.told for each in looks])
    yield _Trial("guess", "action by boosting", difficulty, "boosting", features, right, personas)
    yield _Trial("guess", "action by words", difficulty, "grams", words, right, personas)


def _scores(trial: _Trial) -> ndarray:
    import numpy as np

    of = [persona for persona, marked in zip(trial.personas, trial.marks, strict=True) for _ in marked]
    return judged(trial.learner, trial.rows, np.concatenate(trial.marks), of)


def _judged(trial: _Trial, scores: ndarray) -> Gate:
    import numpy as np

    ends = np.cumsum([len(each) for each in trial.marks])
    parts = np.split(scores, ends[:-1])
    there = len(trial.marks), len(set(trial.personas))
    pairs = [*zip(parts, trial.marks, strict=True)]
    if trial.kind == "learned":
        values = np.array([auc(part[:, None], marked) for part, marked in pairs])
        return Gate("learned", trial.name, trial.difficulty, *_only(values, trial), 0.0, LEARNED, *there)
    values = np.array([[hits(part, int(marked.argmax()))] for part, marked in pairs])
    chance = float(np.mean([1 / len(marked) for marked in trial.marks]))
    return Gate("guess", trial.name, trial.difficulty, *_only(values, trial), 0.0, chance + GUESS, *there)


def _only(values: ndarray, trial: _Trial) -> Average:
    (found,) = averages(values, trial.personas)
    return found
