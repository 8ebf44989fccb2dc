"""The suite `office`: worlds in three sizes, and no tasks so far."""

from __future__ import annotations

import re

from benchmarks.office.world import SEED, SIZES, world
from harness.score import outcome
from harness.suite import Suite, SuiteError
from servers.kernel import World

__all__ = ("load",)

_NAME = re.compile(r"(?:office-)?(?:(?P<size>[a-z]+)(?:-(?P<seed>\d{1,9}))?|(?P<only>\d{1,9}))")
"""`medium`, `medium-7`, `7`, and what worlds call themselves: `office-medium-7`, `office-7`."""


def load() -> Suite:
    """The suite, made from code and seed."""
    return Suite(
        name="office",
        version="v0",
        description="A lifelike office to serve and to look at; it has no tasks yet",
        tasks=(),
        world=_named,
        checks={"outcome": outcome},
    )


def _named(name: str) -> World:
    found = _NAME.fullmatch(name or "small")
    size = (found["size"] or "small") if found else ""
    if not found or size not in SIZES:
        sizes = ", ".join(f"{size} ({each.mails:,} mails)" for size, each in SIZES.items())
        raise SuiteError(
            f"suite office has no world {name!r}; it has {sizes}, each for any seed: `office:medium`, `office:medium-7`"
        )
    return world(int(found["seed"] or found["only"] or SEED), size)
