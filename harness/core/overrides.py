"""What the command line changes in a config."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.core.agent_config import KINDS, no_url
from harness.core.config import ConfigProblem, RunConfig
from harness.core.config_problems import validated
from harness.core.near import near

__all__ = ("Overrides", "overridden")


@dataclass(frozen=True, kw_only=True)
class Overrides:
    """What the command line changes in a config; None leaves it as the file has it.

    `agent` is the name of a configured agent or a kind. `model` plays a model instead: with the
    settings of the file's llm agent where it has exactly one. `api_base` is where the one model that plays is served.
    """

    agent: str | None = None
    model: str | None = None
    api_base: str | None = None
    trials: int | None = None
    seed: int | None = None
    scale: int | None = None
    transport: str | None = None


def overridden(path: Path, config: RunConfig, overrides: Overrides) -> RunConfig:
    """The config of that file as the command line changes it. Raises `ConfigProblem`."""
    changed = _override(config, overrides)
    return config if changed == {} else validated(RunConfig, path, {**config.model_dump(), **changed}, {}, changed)


def _override(config: RunConfig, overrides: Overrides) -> dict[str, Any]:
    changed: dict[str, Any] = {
        name: value
        for name in ("trials", "seed", "scale", "transport")
        if (value := getattr(overrides, name)) is not None
    }
    if overrides.agent is not None or overrides.model is not None:
        changed["agents"] = _agents(config, overrides.agent, overrides.model)
    if overrides.api_base is not None:
        agents = changed.get("agents") or [each.model_dump() for each in config.agents]
        changed["agents"] = _served_at(overrides.api_base, agents)
    return changed


def _served_at(url: str, agents: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    models = [str(each["name"]) for each in agents if each["kind"] == "llm"]
    if problem := no_url(url):
        raise ConfigProblem(f"--api-base: {problem}")
    if not models:
        raise ConfigProblem("--api-base: says where a model is served, but no model plays; name one with --model")
    if len(models) > 1:
        raise ConfigProblem(f"--api-base: applies to one model, but {', '.join(models)} play; choose one with --agent")
    return [{**each, "api_base": url} if each["kind"] == "llm" else each for each in agents]


def _agents(config: RunConfig, agent: str | None, model: str | None) -> list[dict[str, Any]]:
    """The agents that play instead of the file's: those named, those of the kind, or one new of the kind."""
    every = [each.model_dump() for each in config.agents]
    if agent is None:
        chosen = [each for each in every if each["kind"] == "llm"]
    else:
        chosen = [each for each in every if each["name"] == agent] or [each for each in every if each["kind"] == agent]
        if not chosen and agent not in KINDS:
            known = list(dict.fromkeys([*(each["name"] for each in every), *KINDS]))
            raise ConfigProblem(
                f"--agent {agent}: no agent has that name or kind.{near(agent, known)} Known: {', '.join(known)}."
            )
    if model is None:
        if not chosen and agent == "llm":
            raise ConfigProblem(
                "--agent llm: say which model, with --model (as LiteLLM names it, such as openai/gpt-5)"
            )
        return chosen or [{"kind": agent}]
    if agent not in (None, "llm") and not any(each["kind"] == "llm" for each in chosen):
        raise ConfigProblem(
            f"--model {model}: goes with an llm agent, not with --agent {agent}; leave one of the two out"
        )
    settings = chosen[0] if len(chosen) == 1 else {"kind": "llm", "model": model}
    price = settings.get("price") if settings["model"] == model else None
    return [{**settings, "model": model, "name": model, "price": price}]
