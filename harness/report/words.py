"""Words of ours that newcomers do not know, explained where they first stand."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Final

__all__ = ("CALIBRATION", "COLUMNS", "instruments", "of", "users")

CALIBRATION: Final = "Calibration: played by instruments of known behaviour, not by a model"

COLUMNS: Final = {
    "void": "Void: ended by a fault that is not the agent's; counted nowhere.",
    "unscored": "Unscored: no judge has said yet (`harness judge`); counted nowhere.",
    "cost": "Cost: US dollars for all trials of the row; - where unknown.",
}
"""By the word, which is the name of a column or a verdict."""

_USERS = {
    "grounded": "a simulated user without a model, which knows what the request lacks and tells what it is asked for; "
    "behind @ its version",
}

_INSTRUMENTS = {
    "idle": "idle does nothing",
    "oracle": "oracle plays the known solution",
    "reference": "reference is a program with dials: how often it looks, asks and guesses",
}


def of(words: Container[str]) -> list[str]:
    """What each of these words means that is known here."""
    return [text for word, text in COLUMNS.items() if word in words]


def users(labels: Iterable[str]) -> list[str]:
    """Who answers under these labels, a line for each kind that has to be explained."""
    found: dict[str, list[str]] = {}
    for label in labels:
        found.setdefault(label.partition("@")[0], []).append(label)
    return [f"{', '.join(dict.fromkeys(found[kind]))}: {text}." for kind, text in _USERS.items() if kind in found]


def instruments(kinds: Iterable[str]) -> list[str]:
    """What instruments of these kinds are, in one line; nothing where there are none."""
    played = set(kinds)
    told = [text for kind, text in _INSTRUMENTS.items() if kind in played]
    return [f"{'; '.join(told)}."] if told else []
