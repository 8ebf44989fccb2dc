"""Where a model is judged by one of its own family, the table says so."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.pi.kin import family, kin
from harness.score import Criterion, Opinion

AGENTS = {"a": {"kind": "llm", "model": "openai/gpt-5"}, "able": {"kind": "reference"}}


def played(agent: str, *judges: str) -> Any:
    opinions = tuple(Opinion(judge=judge, votes=("yes",), answer="yes", value=1.0) for judge in judges)
    outcome = SimpleNamespace(criteria=[Criterion(name="s1.c1", value=1.0, opinions=opinions)])
    return SimpleNamespace(
        trajectory=SimpleNamespace(agent=agent, condition="notes"), scores={"outcome": outcome}
    )  # fmt: skip


def asking(model: str) -> dict[str, Any]:
    return {"notes": {"user": {"kind": "intents", "model": {"model": model, "temperature": 0}}}}


@pytest.mark.parametrize(
    ("model", "whose"),
    [
        ("openai/gpt-5", "openai"), ("openrouter/openai/gpt-5", "openai"), ("anthropic/claude-opus", "anthropic"),
        ("gpt-5-mini", "gpt"),
    ],
)  # fmt: skip
def test_a_model_is_of_whoever_made_it(model: str, whose: str) -> None:
    assert family(model) == whose


def test_an_agent_whose_user_or_judge_is_of_its_family_is_named() -> None:
    found = kin(AGENTS, asking("openrouter/openai/gpt-4o"), [played("a", "openai/gpt-5-mini", "anthropic/claude")])

    assert found == "Of one family: a and the user under notes; a and the judge openai/gpt-5-mini."


def test_of_another_family_and_of_instruments_nothing_is_said() -> None:
    assert kin(AGENTS, asking("anthropic/claude"), [played("a"), played("able", "openai/gpt-5")]) == ""
    assert kin(AGENTS, {"notes": {"user": {"kind": "intents"}}}, [played("a")]) == ""
