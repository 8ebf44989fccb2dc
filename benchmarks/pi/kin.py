"""Models of one family: a judge may take to what a model of its own family does (specs, section 4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from harness.suite import Scored

__all__ = ("families", "kin")


def families(model: str) -> frozenset[str]:
    """Whose a model may be, by its maker and by its name: `openai` and `gpt` of `openrouter/openai/gpt-4o`.

    One model has several addresses (`gemini/gemini-2.5-pro`, `openrouter/google/gemini-2.5-pro`), of which some name no
    maker. A host stands for one there: better marked in vain than not.
    """
    found = (re.match(r"[a-z]+", part) for part in model.lower().split("/")[-2:])
    return frozenset(word[0] for word in found if word)


def kin(
    agents: Mapping[str, Mapping[str, Any]], conditions: Mapping[str, Mapping[str, Any]], scored: Iterable[Scored]
) -> str:
    """Which agents were judged by a model of their own family, that of their user or of a judge; empty where none was.

    `agents` and `conditions` are configs by name.
    """
    found: dict[str, None] = {}
    for each in scored:
        agent, condition = each.trajectory.agent, each.trajectory.condition
        if own := _model(agents.get(agent, {})):
            deciding = {f"the user under {condition}": _model(conditions.get(condition, {}).get("user") or {})}
            deciding |= {f"the judge {judge}": judge for judge in _judges(each)}
            found |= {f"{agent} and {who}": None for who, model in deciding.items() if model and _alike(own, model)}
    return f"Of one family: {'; '.join(found)}." if found else ""


def _alike(one: str, other: str) -> bool:
    return not families(one).isdisjoint(families(other))


def _judges(scored: Scored) -> Iterator[str]:
    for item in scored.scores["outcome"].criteria:
        yield from (opinion.judge for opinion in item.opinions)


def _model(config: Mapping[str, Any]) -> str:
    """The model that a config names, by itself or among its settings."""
    held = config.get("model")
    return str(held.get("model") or "") if isinstance(held, Mapping) else str(held or "")
