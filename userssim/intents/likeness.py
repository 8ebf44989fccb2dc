"""How like a question is to those that ask for an intent: least squares over labelled questions, without a model.

A text is the words in it and pairs of them, and the runs of three to five letters in its words, each weighted by how
rare it is (tf-idf). An intent is worth 1 in the questions that ask for it and 0 in the others; what it is worth in a
new one follows by regularised least squares, which is the mean of a Gaussian process with the product of two texts as
its covariance (Rasmussen and Williams 2006, equation 2.25). Nothing is trained beforehand: the weights are worked out
when the first question is put, in a quarter of a second for a session with some 340 questions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from userssim.intents.asking import particular, questions, stems

if TYPE_CHECKING:
    import numpy

__all__ = ("likeness",)

_NOISE: Final = 1.0
"""Variance of a label beside that of a text, whose product with itself is 2."""

_SEEN: Final = 2
"""Questions in which a word or a run of letters has to stand before it counts."""

_RUNS: Final = (3, 4, 5)

_WHOLE: Final = 90
"""Words up to which a message that asks is read as a whole, too: of a longer one only the questions."""

_LONGEST: Final = 4_000
"""Characters that are read of one question."""


def likeness(message: str, asking: tuple[str, ...], beside: tuple[str, ...]) -> float:
    """What an intent is worth in a message: about 1 if it is like those `asking` for it, about 0 if like others.

    The most that any question in it is worth, each read with what stands before it, and a short message as a whole. A
    report that asks for nothing in particular is worth 0, whatever it names.
    """
    weights = _weights(asking, beside)
    # Rounded: what another processor adds up in another order shall not tell.
    return round(max((_worth(text, weights) for text in _texts(message)), default=0.0), 4)


@lru_cache(maxsize=1024)
def _texts(message: str) -> tuple[str, ...]:
    """What is read of a message, the same for every intent."""
    whole = particular(message) if len(message.split()) <= _WHOLE else ""
    return (whole, *questions(message)) if whole else questions(message)


def _worth(text: str, weights: _Weights) -> float:
    return sum(share * weights.of[name] for name, share in _vector(text, weights.rarity).items())


class _Weights(NamedTuple):
    of: Mapping[str, float]
    rarity: Mapping[str, float]


class _Space(NamedTuple):
    """Labelled questions as rows, over named features, and the inverse of their covariance with noise."""

    rows: Any
    rarity: Mapping[str, float]
    inverse: numpy.ndarray


@lru_cache(maxsize=256)
def _weights(asking: tuple[str, ...], beside: tuple[str, ...]) -> _Weights:
    import numpy as np

    texts = tuple(sorted({*asking, *beside}))
    space = _space(texts)
    wanted = frozenset(asking)
    labels = np.array([float(text in wanted) for text in texts])
    found = space.rows.T @ (space.inverse @ labels)
    return _Weights(dict(zip(space.rarity, found.tolist(), strict=True)), space.rarity)


@lru_cache(maxsize=64)
def _space(texts: tuple[str, ...]) -> _Space:
    import numpy as np
    from scipy.sparse import csr_array
    from threadpoolctl import threadpool_limits

    counted = [_features(text) for text in texts]
    seen = Counter(name for parts in counted for part in parts for name in part)
    rarity = {
        name: 1 + math.log((1 + len(texts)) / (1 + times)) for name, times in sorted(seen.items()) if times >= _SEEN
    }
    place = {name: number for number, name in enumerate(rarity)}
    vectors = [_vector(text, rarity) for text in texts]
    rows = csr_array(
        (
            [share for vector in vectors for share in vector.values()],
            [place[name] for vector in vectors for name in vector],
            np.cumsum([0, *map(len, vectors)]),
        ),
        shape=(len(texts), len(place)),
    )
    with threadpool_limits(1, "blas"):
        return _Space(rows, rarity, np.linalg.inv((rows @ rows.T).toarray() + _NOISE * np.eye(len(texts))))


def _vector(text: str, rarity: Mapping[str, float]) -> dict[str, float]:
    """The shares of words and of letters, each part of length 1."""
    found: dict[str, float] = {}
    for part in _features(text):
        shares = {name: (1 + math.log(times)) * rarity[name] for name, times in part.items() if name in rarity}
        length = math.hypot(*shares.values()) or 1.0
        found |= {name: share / length for name, share in shares.items()}
    return found


@lru_cache(maxsize=4096)
def _features(text: str) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Words and pairs of them; runs of letters, with a space where a word begins or ends."""
    words = stems(text[:_LONGEST])
    pairs = [f"{one} {other}" for one, other in pairwise(words)]
    runs = (run for word in words for run in _runs(f" {word} "))
    return Counter([*words, *pairs]), Counter(runs)


def _runs(word: str) -> Sequence[str]:
    return [f"~{word[at : at + size]}" for size in _RUNS for at in range(len(word) - size + 1)]
