"""What is to be built, as a YAML file holds it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from benchmarks.lhaw.build.records import CLASSES
from benchmarks.lhaw.rewrite import SEVERITIES, Severity
from benchmarks.lhaw.variants import DesignedClass
from benchmarks.probe.pipeline.work import matters
from harness.core.agent_config import AgentConfig, LlmConfig, OracleConfig, ReferenceConfig, Settings
from harness.core.config import INSTRUMENTS, Limits

__all__ = ("BaselineConfig", "BuildConfig", "EmpiricalConfig")


class BaselineConfig(Settings):
    """Who has to be able to do a source as it is written (section 3.1), and in how many trials."""

    agents: tuple[AgentConfig, ...] = Field(
        default=(OracleConfig(kind="oracle"), ReferenceConfig(kind="reference")), min_length=1
    )
    trials: int = Field(default=3, ge=1)
    limits: Limits = Limits(turns=None, tool_calls=None, seconds=None)


class EmpiricalConfig(Settings):
    """Whose trials without a user give variants a class: `n` of each, with seeds that no score shares.

    `number`: so many variants, spread over those that would be released; None: every candidate, and the mix counts
    these classes. `definition`: `ours` is a partition, `paper` is definition 3.1 to the letter.
    """

    agent: AgentConfig
    n: int = Field(default=3, ge=1)
    seed: int = 271_828
    number: int | None = Field(default=None, ge=1)
    definition: Literal["ours", "paper"] = "ours"
    limits: Limits = Limits()

    @field_validator("agent")
    @classmethod
    def _no_instrument(cls, agent: AgentConfig) -> AgentConfig:
        if agent.kind in INSTRUMENTS:
            raise ValueError(
                f"{agent.kind} is an instrument, whose trials say nothing of a model: name a model, or leave "
                "`empirical` out (variants have a designed class in any case)"
            )
        return agent


class BuildConfig(Settings):
    """A set of variants: of which suite, found how, and how many of which class.

    `route`: segments are the suite's slots, or found by a model (`llm`), which then also writes the requests. `tasks`
    and `per_template` say which tasks are sources; `per_task`, how many segments of each take part, by priority. `mix`
    are shares of the `number` variants by class; `triples`, how many sets of the same segments under all three
    strategies are wanted among them, kept whole; `keep`, variants that are taken before any other, as something names
    them. `llm` also judges whether variants have become new tasks. `classified` is the `classes.jsonl` of a build that
    played some of these variants, which are not played again.
    """

    suite: str
    route: Literal["slots", "model"] = "slots"
    seed: int = Field(default=1, ge=0, le=999_999_999)
    tasks: tuple[str, ...] = ()
    per_template: int | None = Field(default=None, ge=1)
    baseline: BaselineConfig = BaselineConfig()
    strategies: tuple[Severity, ...] = Field(default=SEVERITIES, min_length=1)
    max_segments: int = Field(default=2, ge=1, le=2)
    per_task: int = Field(default=8, ge=1)
    empirical: EmpiricalConfig | None = None
    classified: Path | None = None
    number: int = Field(default=300, ge=1)
    mix: Mapping[DesignedClass, float] = Field(default={"outcome-critical": 40, "divergent": 30, "benign": 30})
    triples: int = Field(default=0, ge=0)
    keep: tuple[str, ...] = ()
    llm: LlmConfig | None = None
    width: int = Field(default=8, ge=1)
    max_cost: float | None = Field(default=None, gt=0)
    record: Path | None = None
    replay: Path | None = None

    @field_validator("llm", mode="before")
    @classmethod
    def _a_model(cls, value: Any) -> Any:
        return {"kind": "llm", **value} if isinstance(value, dict) else value

    @field_validator("strategies")
    @classmethod
    def _once(cls, strategies: tuple[Severity, ...]) -> tuple[Severity, ...]:
        if len(set(strategies)) < len(strategies):
            raise ValueError("a strategy is listed twice; list each once")
        return strategies

    @field_validator("classified")
    @classmethod
    def _not_both(cls, classified: Path | None, given: ValidationInfo) -> Path | None:
        if classified and given.data.get("empirical"):
            raise ValueError(
                "empirical plays variants, classified reads how they were played: a build does one of both"
            )
        return classified

    @field_validator("mix")
    @classmethod
    def _shares(cls, mix: Mapping[Any, float]) -> Mapping[Any, float]:
        if any(share < 0 for share in mix.values()) or not sum(mix.values()):
            raise ValueError("shares are 0 or more, and one of them more than 0: {outcome-critical: 40, benign: 30}")
        return {name: mix.get(name, 0) for name in CLASSES}

    @field_validator("triples")
    @classmethod
    def _fit(cls, triples: int, given: ValidationInfo) -> int:
        number, strategies = given.data.get("number", triples * 3), given.data.get("strategies", SEVERITIES)
        if triples and set(strategies) != set(SEVERITIES):
            raise ValueError(f"a triple needs all of {', '.join(SEVERITIES)}; `strategies` has fewer")
        if triples * 3 > number:
            raise ValueError(f"{triples} triples are {3 * triples} variants, and `number` is {number}")
        return triples

    @field_validator("replay")
    @classmethod
    def _one_of_both(cls, replay: Path | None, given: ValidationInfo) -> Path | None:
        if replay and given.data.get("record"):
            raise ValueError("record and replay: a build does one or the other")
        return replay

    @property
    def quotas(self) -> dict[DesignedClass, int]:
        """How many variants of each class, by largest remainders of `mix`."""
        whole = sum(self.mix.values())
        exact = {name: self.number * self.mix.get(name, 0) / whole for name in CLASSES}
        found = {name: int(share) for name, share in exact.items()}
        left = sorted(CLASSES, key=lambda name: (found[name] - exact[name], CLASSES.index(name)))
        for name in left[: self.number - sum(found.values())]:
            found[name] += 1
        return found

    @property
    def asked(self) -> dict[str, Any] | None:
        """The model, by what its replies depend on."""
        return None if self.llm is None else matters(self.llm)
