"""Which conditions of a run are held against each other, found by what they are, never by their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, get_args

__all__ = ("ROLES", "USUAL", "Arms", "Conditions", "Role", "arms_of", "persona", "role")

Role = Literal["oracle", "oracle+clarify", "faulty", "faulty+clarify", "placebo", "informed"]

ROLES: Final[tuple[Role, ...]] = get_args(Role)

Conditions = Mapping[str, Mapping[str, Any]]
"""By name, in the config's order; each as JSON has it."""

USUAL: Final[Conditions] = {
    "oracle": {"prompt": "original"},
    "oracle+clarify": {"prompt": "original", "ask": "clarify"},
    "faulty": {"prompt": "faulty"},
    "faulty+clarify": {"prompt": "faulty", "ask": "clarify", "user": {"kind": "persona", "persona": "rational"}},
}
"""The conditions of a report that is not told which a run has."""


class Arms(NamedTuple):
    """Names of conditions by role, the first of each; "" where a run has none. `personas` are all that clarify."""

    oracle: str
    oracle_clarify: str
    faulty: str
    clarify: str
    placebo: str
    informed: str
    personas: tuple[str, ...]


def role(condition: Mapping[str, Any]) -> Role | None:
    """What a condition is for; None for one that has no place among them."""
    prompt = condition.get("prompt", "original")
    asks = condition.get("ask", "off") != "off" or condition.get("end_of_turn", "session") == "user"
    if prompt == "informed":
        return None if asks else "informed"
    if prompt == "original":
        return "oracle+clarify" if asks else "oracle"
    if prompt != "faulty":
        return None
    if not asks:
        return "faulty"
    return "placebo" if (condition.get("user") or {}).get("kind") == "placebo" else "faulty+clarify"


def arms_of(conditions: Conditions) -> Arms:
    """Which condition stands for which role; the first of those that have it."""
    found: dict[Role, list[str]] = {name: [] for name in ROLES}
    for name, condition in conditions.items():
        if (what := role(condition)) is not None:
            found[what].append(name)
    first = {name: next(iter(each), "") for name, each in found.items()}
    return Arms(
        oracle=first["oracle"],
        oracle_clarify=first["oracle+clarify"],
        faulty=first["faulty"],
        clarify=first["faulty+clarify"],
        placebo=first["placebo"],
        informed=first["informed"],
        personas=tuple(found["faulty+clarify"]),
    )


def persona(condition: Mapping[str, Any]) -> str:
    """Who answers there, in the words of tables."""
    user = condition.get("user") or {}
    kind = user.get("kind", "grounded")
    return f"patience dials ({user.get('persona', 'rational')})" if kind == "persona" else str(kind)
