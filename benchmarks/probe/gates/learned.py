"""Learners that have seen other personas' samples: what they make of a sample's documents, and of its actions.

They are scikit-learn's. Each row is judged by a learner that was shown no sample of its persona (five parts).
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from benchmarks.probe.gates.parts import plain_words
from benchmarks.probe.records import Sample

if TYPE_CHECKING:
    from numpy import ndarray
    from scipy.sparse import csr_matrix

__all__ = ("CHOICES", "Learner", "choices", "grams", "judged", "ranked")

Learner = Literal["boosting", "grams"]
"""`boosting` for ranked features, `grams` for counts of words or characters."""

_PARTS = 5
_WIDTH = 2**17

CHOICES = (
    "place", "id", "description length", "words", "constraints", "parameters", "of its type", "words nowhere else",
    "like world model", "like other actions",
)  # fmt: skip
"""Columns of `choices`."""


def judged(learner: Learner, rows: Any, marked: ndarray, personas: Sequence[str]) -> ndarray:
    """For each row how far it looks like a marked one (bool), by a learner that knows nothing of its persona.

    There have to be two personas: of one alone nobody is left to learn from.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from threadpoolctl import threadpool_limits

    parts = min(_PARTS, len(set(personas)))
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of few samples; the interval says how little that is
        found: ndarray = cross_val_predict(
            _made(learner), rows, marked, groups=personas, cv=GroupKFold(parts), method="predict_proba"
        )
    return found[:, 1]


def _made(learner: Learner) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    if learner == "boosting":
        return HistGradientBoostingClassifier(
            max_iter=60,
            max_leaf_nodes=15,
            min_samples_leaf=10,
            early_stopping=False,
            class_weight="balanced",
            random_state=0,
        )
    return make_pipeline(
        TfidfTransformer(sublinear_tf=True),
        LogisticRegression(C=10.0, class_weight="balanced", solver="liblinear", random_state=0),
    )


def ranked(values: ndarray) -> ndarray:
    """Each column as ranks between 0 and 1, so that columns of different samples can be compared."""
    from scipy.stats import rankdata

    found: ndarray = (rankdata(values, axis=0) - 0.5) / len(values)
    return found


def grams(texts: Sequence[str], of: Literal["word", "char"]) -> csr_matrix:
    """How often each text has words and pairs of them, or runs of three and four characters; columns are hashed."""
    import numpy as np
    from sklearn.feature_extraction.text import HashingVectorizer

    analyzer, length = ("word", (1, 2)) if of == "word" else ("char_wb", (3, 4))
    return HashingVectorizer(
        n_features=_WIDTH, analyzer=analyzer, ngram_range=length, norm=None, alternate_sign=False, dtype=np.float32
    ).transform(texts)


def choices(sample: Sample) -> ndarray:
    """What can be told of an action without a document: a row for each, with a column for each of `CHOICES`."""
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    actions = sample.actions
    texts = [" ".join((each.description, *each.constraints)) for each in actions]
    words = [set(plain_words(text.lower())) for text in texts]
    vectors = TfidfVectorizer().fit_transform([*texts, json.dumps(sample.world_model, ensure_ascii=False)])
    own, world = vectors[: len(actions)], vectors[-1]
    alike = (own @ own.T).toarray()
    ids = sorted(each.id for each in actions)
    types = [each.type for each in actions]
    columns = (
        range(len(actions)),
        [ids.index(each.id) for each in actions],
        [len(each.description) for each in actions],
        [len(each) for each in words],
        [len(each.constraints) for each in actions],
        [len(each.params_schema.properties) for each in actions],
        [types.count(each) for each in types],
        [sum(not any(word in other for other in words if other is not mine) for word in mine) for mine in words],
        (own @ world.T).toarray()[:, 0],
        (alike.sum(axis=1) - alike.diagonal()) / max(1, len(actions) - 1),
    )
    return np.array(columns, dtype=float).T
