"""Where a model is judged by one of its own family, the table says so."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.pi.kin import families, kin
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
        ("openai/gpt-5", {"openai", "gpt"}), ("openrouter/openai/gpt-5", {"openai", "gpt"}), ("gpt-5-mini", {"gpt"}),
        ("bedrock/anthropic.claude-opus", {"bedrock", "anthropic"}),
    ],
)  # fmt: skip
def test_a_model_is_of_its_maker_and_of_its_name(model: str, whose: set[str]) -> None:
    assert families(model) == whose


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("gemini/gemini-2.5-pro", "openrouter/google/gemini-2.5-flash"),
        ("azure/gpt-5", "openai/gpt-5-mini"),
        ("anthropic/claude-opus", "bedrock/anthropic.claude-haiku"),
    ],
)
def test_a_family_is_known_whoever_serves_it(one: str, other: str) -> None:
    assert (
        kin({"a": {"kind": "llm", "model": one}}, {}, [played("a", other)])
        == f"Of one family: a and the judge {other}."
    )


def test_an_agent_whose_user_or_judge_is_of_its_family_is_named() -> None:
    found = kin(AGENTS, asking("openrouter/openai/gpt-4o"), [played("a", "openai/gpt-5-mini", "anthropic/claude")])

    assert found == "Of one family: a and the user under notes; a and the judge openai/gpt-5-mini."


def test_of_another_family_and_of_instruments_nothing_is_said() -> None:
    assert kin(AGENTS, asking("anthropic/claude"), [played("a"), played("able", "openai/gpt-5")]) == ""
    assert kin(AGENTS, {"notes": {"user": {"kind": "intents"}}}, [played("a")]) == ""
