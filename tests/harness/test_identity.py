"""What makes a run another run, and what may change while it stays the same."""

from __future__ import annotations

from typing import Any

import pytest

from harness.core.config import Condition, IdleConfig, Limits, OracleConfig, RunConfig
from harness.record.store import identity
from tests.harness import toy

OTHER: dict[str, tuple[bool, Any]] = {
    "suite": (True, "another"),
    "name": (False, "mine"),
    "trials": (False, 5),
    "seed": (True, 1),
    "scale": (False, 2),  # the worlds are others then, and they are part of the suite's digest
    "limits": (True, Limits(turns=29)),
    "transport": (True, "http"),
    "agents": (True, (OracleConfig(kind="oracle"), IdleConfig(kind="idle"))),
    "conditions": (True, {"default": Condition(notice="do-not-ask")}),
    "tasks": (True, ("toy-0",)),
}
"""For every field of a config: whether it is part of a run's identity, and another value."""


def of(config: RunConfig) -> str:
    return identity(config, "0" * 64, "0.1.0")


def test_of_every_field_it_is_decided_whether_it_is_part_of_the_identity() -> None:
    assert set(OTHER) == set(RunConfig.model_fields)


@pytest.mark.parametrize("field", OTHER)
def test_another_value_is_another_run_only_where_it_changes_what_is_played(field: str) -> None:
    counts, value = OTHER[field]
    config = toy.config()
    changed = config.model_copy(update={field: value})

    assert getattr(changed, field) != getattr(config, field)
    assert (of(changed) != of(config)) is counts


@pytest.mark.parametrize("limit", Limits.model_fields)
def test_every_limit_is_part_of_the_identity(limit: str) -> None:
    limits = Limits().model_copy(update={limit: 7})

    assert of(toy.config(limits=limits)) != of(toy.config())


def test_another_suite_or_package_is_another_run() -> None:
    found = {identity(toy.config(), suite, package) for suite in ("0" * 64, "1" * 64) for package in ("0.1.0", "0.2.0")}

    assert len(found) == 4
