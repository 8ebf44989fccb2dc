"""Which conditions of a run are held against each other, found by what they are, never by their names.

docs/benchmarks/lhaw-tables.md, Arms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from servers.kernel import canonical

if TYPE_CHECKING:
    from harness.core.config import RunConfig

__all__ = ("LACKING", "ORIGINAL", "USUAL", "Condition", "Conditions", "Pairing", "asks", "conditions_of", "described",
           "pairings", "untold")  # fmt: skip

ORIGINAL, LACKING = "original", "underspecified"
"""The prompts."""

Condition = Mapping[str, Any]
"""As JSON has it (`harness.core.config.Condition`); what is left out is as by default."""

Conditions = Mapping[str, Condition]
"""By name, in the config's order."""

USUAL: Final[Conditions] = {
    "original": {"prompt": ORIGINAL},
    "original+ask": {"prompt": ORIGINAL, "ask": "ask_user"},
    "underspecified": {"prompt": LACKING},
    "underspecified+ask": {"prompt": LACKING, "ask": "ask_user"},
}
"""The conditions of a report that is not told which a run has."""

_ASKING = ("ask", "rounds", "end_of_turn", "notice", "persona", "user")
"""Settings that say whether agents may ask, how, and whom, and what they are told of it."""

_BY_APP = ("toolsets", "overlays")
"""Settings by app; those of the app that agents ask with are of asking too, and are refused where nobody is asked."""

_NOTICES = ("none", "may-be-missing", "do-not-ask", "may-be-faulty")


class Pairing(NamedTuple):
    """Names of the four conditions that go together; "" where a run has none."""

    original: str
    original_ask: str
    lacking: str
    lacking_ask: str

    @property
    def main(self) -> tuple[str, str, str]:
        """Those that what a user is worth is read off."""
        return self.original, self.lacking, self.lacking_ask

    def published(self, conditions: Conditions) -> bool:
        """Whether the arms are told different things, as in the paper's code (docs/benchmarks/lhaw-tables.md)."""
        told = [_notice(conditions.get(name, {})) for name in (self.lacking, self.lacking_ask)]
        return told == ["do-not-ask", "may-be-missing"]


def conditions_of(config: RunConfig) -> Conditions:
    """A run's conditions."""
    return {name: each.model_dump(mode="json") for name, each in config.conditions.items()}


def asks(condition: Condition) -> bool:
    """Whether there is somebody to ask."""
    return bool(condition.get("ask", "off") != "off" or condition.get("end_of_turn", "session") == "user")


def pairings(conditions: Conditions) -> list[Pairing]:
    """One for each condition in which somebody can be asked for what the request lacks, the main one first; never none.

    Beside it stand the conditions that differ from it in prompt and asking alone. Where none has its notice and
    persona, those that come closest: the notice `do-not-ask` goes with `may-be-missing`, as in the paper's code, and
    no persona goes with any, since it speaks of somebody to ask. The main one has no persona, else the plainest notice,
    else the plainest manner, else comes first.
    """
    order = {name: n for n, name in enumerate(conditions)}

    def closest(to: Condition, prompt: str, asking: bool) -> str:
        found = [
            name
            for name, each in conditions.items()
            if each.get("prompt", ORIGINAL) == prompt and asks(each) == asking and _rest(each) == _rest(to)
        ]
        return min(found, key=lambda name: (*_distance(conditions[name], to), order[name]), default="")

    lacking = [name for name, each in conditions.items() if each.get("prompt", ORIGINAL) == LACKING]
    asking = sorted((name for name in lacking if asks(conditions[name])), key=lambda n: _plainness(conditions[n]))
    found = [
        Pairing(
            original=closest(conditions[name], ORIGINAL, False),
            original_ask=closest(conditions[name], ORIGINAL, True),
            lacking=closest(conditions[name], LACKING, False),
            lacking_ask=name,
        )
        for name in asking
    ]
    if found:
        return found
    plain = conditions[lacking[0]] if lacking else next(iter(conditions.values()), {})
    return [Pairing(*(closest(plain, prompt, able) for prompt in (ORIGINAL, LACKING) for able in (False, True)))]


def untold(conditions: Conditions) -> list[str]:
    """What a run of these conditions cannot tell for want of the original request, a line for each arm of it."""
    main, lines = pairings(conditions)[0], []
    if not main.original:
        lines.append(
            "No condition has the original request without a user (`prompt: original`): there is no baseline, and what "
            "withholding costs cannot be told."
        )
    if not main.original_ask:
        lines.append(
            "No condition has the original request with somebody to ask (`prompt: original, ask: ask_user`): whether "
            "agents ask where nothing is missing cannot be told."
        )
    return lines


def described(name: str, conditions: Conditions) -> str:
    """A condition in words, by what it is; with its name where another is described alike."""
    words = {each: _worded(condition) for each, condition in conditions.items()}
    alike = sum(text == words[name] for text in words.values()) > 1
    return f"{words[name]} ({name})" if alike else words[name]


def _worded(condition: Condition) -> str:
    user = condition.get("user") or {}
    parts = [
        str(condition.get("prompt", ORIGINAL)),
        "may ask" if asks(condition) else "",
        "" if condition.get("persona", "none") == "none" else str(condition["persona"]),
        "" if _notice(condition) == "none" else _notice(condition),
        str(user.get("manner", "")) if asks(condition) else "",
    ]
    return ", ".join(part for part in parts if part)


def _notice(condition: Condition) -> str:
    return str(condition.get("notice", "none"))


def _rest(condition: Condition) -> bytes:
    """What has nothing to do with prompt and asking: tools and what comes between."""
    rest = {name: value for name, value in condition.items() if name not in ("prompt", *_ASKING)}
    for name in _BY_APP:
        rest[name] = {app: value for app, value in (rest.get(name) or {}).items() if app != condition.get("ask")}
    return canonical({name: value for name, value in rest.items() if value and (name, value) != ("tools", "all")})


def _way(condition: Condition) -> list[Any]:
    """How agents ask."""
    by_app = [(condition.get(name) or {}).get(condition.get("ask", "off")) for name in _BY_APP]
    return [*(condition.get(name) for name in ("ask", "rounds", "end_of_turn")), *by_app]


def _distance(one: Condition, to: Condition) -> tuple[Any, ...]:
    """How far two conditions are apart in what agents are told, and by whom they are answered."""
    persona, wanted = one.get("persona", "none"), to.get("persona", "none")
    notice = _notice(one)
    together = {notice, _notice(to)} == {"do-not-ask", "may-be-missing"}
    user = asks(one) and canonical(one.get("user") or {}) != canonical(to.get("user") or {})
    ways = asks(one) and _way(one) != _way(to)
    return (
        (persona != wanted, persona != "none"),
        0 if notice == _notice(to) else 1 if together else 2 + _NOTICES.index(notice),
        user,
        ways,
    )


def _plainness(condition: Condition) -> tuple[Any, ...]:
    manner = (condition.get("user") or {}).get("manner", "plain")
    return condition.get("persona", "none") != "none", _NOTICES.index(_notice(condition)), manner != "plain"
