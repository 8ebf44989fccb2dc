"""Which conditions of a run are held against each other, found by what they are, never by their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, get_args

from harness.core.config import UserConfig
from userssim.patience import PersonaName, card

__all__ = (
    "ROLES", "USUAL", "Arms", "Conditions", "Role", "arms_of", "asked", "persona", "played", "role", "told_apart",
)  # fmt: skip

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
    """Names of conditions by role, one of each; "" where a run has none. `personas` are all that clarify."""

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
    """Which condition stands for which role, whatever their order.

    Of several it is the one whose persona the paper lists first (section 3.3: `rational`), then the first by name.
    """
    found: dict[Role, list[str]] = {name: [] for name in ROLES}
    for name, condition in conditions.items():
        if (what := role(condition)) is not None:
            found[what].append(name)
    first = {name: min(each, key=lambda it: (_place(conditions[it]), it), default="") for name, each in found.items()}
    return Arms(
        oracle=first["oracle"],
        oracle_clarify=first["oracle+clarify"],
        faulty=first["faulty"],
        clarify=first["faulty+clarify"],
        placebo=first["placebo"],
        informed=first["informed"],
        personas=tuple(found["faulty+clarify"]),
    )


def _place(condition: Mapping[str, Any]) -> int:
    """Where the paper lists the persona that answers there; behind all of them where somebody else does."""
    user, styles = condition.get("user") or {}, get_args(PersonaName)
    return styles.index(user.get("persona", "rational")) if user.get("kind") == "persona" else len(styles)


def asked(conditions: Conditions, arms: Arms) -> str:
    """Whom a gain of these arms is won from, as a note; "" where nobody is asked."""
    if not arms.clarify:
        return ""
    rule = ": of several, the one whose persona the paper lists first" if len(arms.personas) > 1 else ""
    return f"Asking is that of condition {arms.clarify} (user: {persona(conditions[arms.clarify])}){rule}."


def persona(condition: Mapping[str, Any]) -> str:
    """Who answers there, in the words of tables: a style by its name only where a model plays it."""
    user = condition.get("user") or {}
    kind, style = user.get("kind", "grounded"), user.get("persona", "rational")
    if kind in ("grounded", "scripted"):
        return UserConfig.model_validate(user).label
    if kind != "persona":
        return str(kind)
    if not played(condition):
        return f"patience dials {card(style).dials}"
    models = ", ".join(each["model"] for each in (user["model"], *user.get("rotation", ())))
    return f"{style}{', profile paper' if user.get('profile') == 'paper' else ''} ({models})"


def played(condition: Mapping[str, Any]) -> bool:
    """Whether a model plays a persona there."""
    user = condition.get("user") or {}
    return user.get("kind") == "persona" and bool(user.get("model"))


def told_apart(conditions: Conditions, arms: Arms) -> bool:
    """Whether the arms that a gain is read off are told different things of the request, as the paper's are."""

    def told(name: str) -> tuple[Any, ...]:
        condition = conditions.get(name, {})
        return tuple(
            condition.get(each) or usual for each, usual in (("notice", "none"), ("persona", "none"), ("overlays", {}))
        )

    return bool(arms.faulty and arms.clarify) and told(arms.faulty) != told(arms.clarify)
