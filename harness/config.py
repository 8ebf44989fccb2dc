"""What a run is made of: agents x conditions x tasks x trials, and its limits."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

__all__ = (
    "AgentConfig",
    "Condition",
    "ConfigProblem",
    "IdleConfig",
    "Limits",
    "LlmConfig",
    "OracleConfig",
    "Price",
    "ReferenceConfig",
    "RunConfig",
    "UserConfig",
)


class ConfigProblem(Exception):
    """A config that cannot be run; the text names file, line and field where there are any, and the remedy."""


class _Config(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Limits(_Config):
    """Budgets of one trial; None is unlimited. A trial that hits one has failed, it is not void."""

    turns: int | None = Field(default=30, ge=1)
    tool_calls: int | None = Field(default=100, ge=1)
    seconds: float | None = Field(default=600, gt=0)
    tokens: int | None = Field(default=None, ge=1)
    cost_usd: float | None = Field(default=None, gt=0)


class IdleConfig(_Config):
    """Does nothing: the floor that every table shows."""

    kind: Literal["idle"]
    name: str = "idle"


class OracleConfig(_Config):
    """Plays the reference solution: the ceiling, and the proof that a suite can be solved."""

    kind: Literal["oracle"]
    name: str = "oracle"


class ReferenceConfig(_Config):
    """A seeded policy with a program over a task's slots; each dial is a probability."""

    kind: Literal["reference"]
    name: str = "reference"
    explore: float = Field(default=1.0, ge=0, le=1)
    ask: float = Field(default=1.0, ge=0, le=1)
    guess: float = Field(default=0.0, ge=0, le=1)


class Price(_Config):
    """US dollars per million tokens, for a model that LiteLLM has no price of."""

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)


class LlmConfig(_Config):
    """A model through LiteLLM, with native tool calling."""

    kind: Literal["llm"]
    name: str = ""
    model: str
    api_base: str | None = None
    temperature: float | None = 0.0
    max_tokens: int | None = None
    timeout: float = Field(default=120, gt=0)
    retries: int = Field(default=4, ge=0)
    price: Price | None = None
    extra: dict[str, Any] = {}

    @model_validator(mode="before")
    @classmethod
    def _named(cls, data: Any) -> Any:
        if isinstance(data, dict) and not data.get("name") and isinstance(data.get("model"), str):
            return {**data, "name": data["model"]}
        return data


AgentConfig = Annotated[IdleConfig | OracleConfig | ReferenceConfig | LlmConfig, Field(discriminator="kind")]


class UserConfig(_Config):
    """Who answers (specs/lhaw.md, The simulated user)."""

    kind: Literal["grounded", "scripted"] = "grounded"
    policy: Literal["segments", "original_prompt"] = "segments"
    deferral: Literal["best_judgment", "dont_know"] = "best_judgment"
    memory: Literal["off", "on"] = "off"
    probe: Literal["strict", "lenient"] = "strict"
    script: tuple[str, ...] = ()


class Condition(_Config):
    """One cell of an experiment.

    `end_of_turn` says where the end of an agent's turn goes: `session` ends the session, `user`
    hands what it said to the user, whose answer starts its next turn.
    """

    prompt: str = "original"
    ask: Literal["off", "ask_user"] = "off"
    notice: Literal["none", "may-be-missing", "do-not-ask"] = "none"
    persona: Literal["none", "supervisor", "standard", "executive"] = "none"
    end_of_turn: Literal["session", "user"] = "session"
    toolsets: dict[str, str] = {}
    user: UserConfig = UserConfig()


class RunConfig(_Config):
    """A whole experiment, as one YAML file holds it (DESIGN section 11)."""

    suite: str
    name: str = ""
    trials: int = Field(default=1, ge=1)
    seed: int = 0
    limits: Limits = Limits()
    transport: Literal["memory", "http", "stdio"] = "memory"
    agents: tuple[AgentConfig, ...] = Field(min_length=1)
    conditions: dict[str, Condition] = Field(default={"default": Condition()}, min_length=1)
    tasks: tuple[str, ...] = ()

    @field_validator("agents")
    @classmethod
    def _distinct(cls, agents: tuple[AgentConfig, ...]) -> tuple[AgentConfig, ...]:
        names = [agent.name for agent in agents]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two agents are named {name!r}; give each its own `name`")
        return agents
