"""The encoder: a small transformer whose weights come with the package, in NumPy.

Weights are `weights.npz`, one byte each: rows of integers with a scale a row. They were trained by
`tests/users/train.py` from all-MiniLM-L6-v2 (Apache-2.0; Reimers and Gurevych 2019, arXiv 1908.10084), with its most
frequent word pieces.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from userssim.hearing.marks import Marked

if TYPE_CHECKING:
    import numpy

__all__ = ("HEADS", "WEIGHTS", "Read", "read", "vocabulary")

WEIGHTS: Final = Path(__file__).with_name("weights.npz")
HEADS: Final = 12


class Read(NamedTuple):
    """What the encoder makes of a question, as probabilities.

    `items`: of each item, that the question does not speak of it, asks for its value, has the right value for it, or
    has a wrong one. `other`: what is no part of the
    wish is asked for; `leave`: leave to act; `generic`: whether anything is missing; `off_topic`: something else
    altogether; `nothing`: no item is spoken of.
    """

    items: Mapping[str, tuple[float, float, float, float]]
    other: float
    leave: float
    generic: float
    off_topic: float
    nothing: float


@cache
def _arrays() -> dict[str, Any]:
    """Weights by name, as 32-bit floats.

    From then on this process does linear algebra in one thread: products here are too small to be worth handing over,
    and other processes want the other cores.
    """
    import numpy as np
    from threadpoolctl import threadpool_limits

    threadpool_limits(1, "blas")
    with np.load(WEIGHTS, allow_pickle=False) as stored:
        found = dict(stored)
    for name in [name.removesuffix("/scale") for name in found if name.endswith("/scale")]:
        found[name] = found[name].astype(np.float32) * found.pop(f"{name}/scale")[:, None]
    return found


@cache
def vocabulary() -> Mapping[str, int]:
    """Word pieces and their ids."""
    return {piece: id for id, piece in enumerate(bytes(_arrays()["pieces"]).decode().split("\n")) if piece}


def read(text: Marked) -> Read:
    """Run the encoder over one question and wish: some tens of milliseconds."""
    import numpy as np

    weights = _arrays()
    ids = np.array(text.ids)
    found = weights["words"][ids] + weights["positions"][: len(ids)] + weights["texts"][np.array(text.texts)]
    found = _normal(found, weights, "first")
    layers = int(weights["layers"])
    for layer in range(layers - 1):
        found = _layer(found, weights, f"{layer}/", slice(None))
    # Of the last layer only what is read off: the first token, which stands for the whole, and the items' places.
    found = _layer(found, weights, f"{layers - 1}/", [0, *text.places.values()])
    items = _linear(found[1:], weights, "item").astype(np.float64)
    items = np.exp(items - items.max(axis=-1, keepdims=True))
    items /= items.sum(axis=-1, keepdims=True)
    whole = 1 / (1 + np.exp(-_linear(found[:1], weights, "whole")[0].astype(np.float64)))
    # Rounded: what another processor adds up in another order shall not tell.
    shares = [tuple(round(float(share), 4) for share in row) for row in items]
    rounded = [round(float(share), 4) for share in whole]
    return Read({id: (row[0], row[1], row[2], row[3]) for id, row in zip(text.places, shares, strict=True)}, *rounded)


def _layer(found: numpy.ndarray, weights: Mapping[str, Any], name: str, wanted: slice | list[int]) -> numpy.ndarray:
    """Attention among tokens, then each by itself; of the `wanted` ones."""
    import numpy as np

    tokens, size = found.shape
    mixed = _linear(found, weights, name + "qkv").reshape(tokens, 3, HEADS, size // HEADS)
    asking, asked, told = mixed.transpose(1, 2, 0, 3)
    found, asking = found[wanted], asking[:, wanted]
    scores = asking @ asked.transpose(0, 2, 1) / np.float32(np.sqrt(size // HEADS))
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    scores /= scores.sum(axis=-1, keepdims=True)
    seen = (scores @ told).transpose(1, 0, 2).reshape(len(found), size)
    found = _normal(found + _linear(seen, weights, name + "out"), weights, name + "middle")
    wide = _linear(found, weights, name + "wide")
    bent = 0.5 * wide * (1 + np.tanh(np.float32(np.sqrt(2 / np.pi)) * (wide + 0.044715 * wide * wide * wide)))
    return _normal(found + _linear(bent, weights, name + "narrow"), weights, name + "last")


def _linear(found: numpy.ndarray, weights: Mapping[str, Any], name: str) -> numpy.ndarray:
    done: numpy.ndarray = found @ weights[name].T + weights[name + "/bias"]
    return done


def _normal(found: numpy.ndarray, weights: Mapping[str, Any], name: str) -> numpy.ndarray:
    centred = found - found.mean(axis=-1, keepdims=True)
    spread = (centred * centred).mean(axis=-1, keepdims=True)
    done: numpy.ndarray = centred / (spread + 1e-12) ** 0.5 * weights[name + "/gain"] + weights[name + "/bias"]
    return done
