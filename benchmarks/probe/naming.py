"""What samples are called, and the world and task of each: `grammar-1-0017-hard`, and likewise those made from it."""

from __future__ import annotations

import re
from typing import get_args

from benchmarks.probe.grammar.generate import NUMBER
from benchmarks.probe.records import Difficulty
from harness.suite import SuiteError

__all__ = ("base_of", "control_of", "days_of", "named", "parsed", "rewrite_of")

_NAME = re.compile(rf"(grammar|control|days|rewrite)-(\d{{1,9}})-(\d{{4}})-({'|'.join(get_args(Difficulty))})")
_DERIVED = re.compile(r"\A(?:control|rewrite|days)-")


def named(seed: int, number: int, difficulty: Difficulty) -> str:
    """What the sample of this number is called, and its world and task with it."""
    return f"grammar-{seed}-{number:04d}-{difficulty}"


def control_of(name: str) -> str:
    """The name of a sample's control, and of its world and task."""
    return name.replace("grammar-", "control-", 1)


def days_of(name: str) -> str:
    """The name of a sample one of whose documents arrives during the week, and of its world and task."""
    return name.replace("grammar-", "days-", 1)


def rewrite_of(name: str) -> str:
    """The name of a sample told anew, and of its world and task."""
    return name.replace("grammar-", "rewrite-", 1)


def base_of(name: str) -> str:
    """The name of the sample that one of this name is made from: for a control, one with days or one told anew."""
    return _DERIVED.sub("grammar-", name)


def parsed(name: str) -> tuple[int, int, Difficulty]:
    """Seed, number and difficulty of the sample of that name, also of one made from it. Raises `SuiteError`."""
    found = _NAME.fullmatch(name)
    if found is None or int(found[3]) >= NUMBER:
        raise SuiteError(f"no sample is called {name!r}; names look like {named(1, 17, 'hard')}, up to {NUMBER - 1}")
    level: Difficulty = found[4]  # type: ignore[assignment]
    return int(found[2]), int(found[3]), level
