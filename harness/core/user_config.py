"""Settings of users, of our own kinds and of those that plugins bring."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError, ValidationInfo, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError, PydanticKnownError

from harness.core.agent_config import LlmConfig, Settings, read_text
from harness.core.users import BrokenUser, brought, plugins
from servers.kernel import canonical

__all__ = (
    "IntentUserConfig", "JudgedIntentUserConfig", "LlmUserConfig", "ModelUserSettings", "Persona", "PersonaUserConfig",
    "PlaceboUserConfig", "PlayedPersonaConfig", "UserConfig", "UserSettings", "as_user", "user_settings",
)  # fmt: skip


class UserSettings(Settings):
    """What every kind of user has: its kind. Those of plugins derive from it (docs/users.md)."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": True})

    kind: str

    @property
    def label(self) -> str:
        """What reports call such a user. Users of different labels are never pooled."""
        return self.kind


class UserConfig(UserSettings):
    """Who answers, of the kinds that come with the harness (docs/benchmarks/lhaw.md, The simulated user).

    `version` is that of the grounded user: 1 is kept so that what was measured with it can be measured again, and has
    no manners. `consent` `on` has version 1 let the agent go ahead where it ends its turn with a question; version 2
    always does.
    """

    model_config = ConfigDict(json_schema_extra={})

    kind: Literal["grounded", "scripted"] = "grounded"
    version: Literal[1, 2] = 2
    policy: Literal["segments", "original_prompt"] = "segments"
    deferral: Literal["best_judgment", "dont_know"] = "best_judgment"
    memory: Literal["off", "on"] = "off"
    probe: Literal["strict", "lenient"] = "strict"
    consent: Literal["off", "on"] = Field(default="off", exclude_if=lambda consent: consent == "off")
    manner: Literal["plain", "terse", "chatty", "one_at_a_time", "reluctant"] = Field(
        default="plain", exclude_if=lambda manner: manner == "plain"
    )
    script: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _has_manners(self) -> UserConfig:
        if self.version == 1 and self.manner != "plain":
            raise ValueError("`manner` needs version 2 of the grounded user; version 1 has no manners")
        return self

    @property
    def label(self) -> str:
        """With the version and manner of a grounded user: `grounded@2`, `grounded@2 (terse)`."""
        if self.kind != "grounded":
            return self.kind
        name = f"grounded@{self.version}"
        return name if self.manner == "plain" else f"{name} ({self.manner})"


def _persona(value: Any, info: ValidationInfo) -> Any:
    """A file's text in place of its path; what has a line end is the text already."""
    if not isinstance(value, str) or not value or "\n" in value:
        return value
    return read_text(value, Path((info.context or {}).get("folder", "")), "persona")


Persona = Annotated[str, BeforeValidator(_persona)]
"""Who a user is, in words: the path of a text file, relative to the config, whose text takes its place (as `Prompts`).

A text with a line end is taken as it stands.
"""


def _as_llm(value: Any) -> Any:
    """A model's name alone, or its settings as an `llm` agent has them."""
    if isinstance(value, str):
        return {"kind": "llm", "model": value}
    return {"kind": "llm", **value} if isinstance(value, dict) else value


class ModelUserSettings(UserSettings):
    """Settings of a user whom a model speaks for: which model, and who the user is."""

    model: Annotated[LlmConfig, BeforeValidator(_as_llm)]
    persona: Persona = ""

    @property
    def label(self) -> str:
        """With its model, which is another user than the next one: `patient (local/m)`."""
        return f"{self.kind} ({self.model.model})"

    @property
    def models(self) -> tuple[LlmConfig, ...]:
        """All models that may speak for it."""
        return (self.model,)

    def with_models(self, models: Sequence[LlmConfig]) -> Self:
        """The same with others in the place of `models`."""
        (model,) = models
        return self.model_copy(update={"model": model})

    def of_case(self, seed: int, task: str) -> Self:
        """The user of one task in a run of that seed, for whom one model speaks."""
        return self


_PUBLISHED = {"temperature": 0.7, "max_tokens": 500}
"""How the user of LHAW asks its model (appendix G.2)."""


class LlmUserConfig(ModelUserSettings):
    """A model tells what is asked for without knowing the values, then says them; needs a model.

    `profile` `paper` is LHAW's user instead: one call that sees original request, sent text and removed values, and
    remembers nothing. Where its model's settings do not say otherwise it has a temperature of 0.7 and 500 tokens.
    """

    model_config = ConfigDict(json_schema_extra={})

    kind: Literal["llm"] = "llm"
    profile: Literal["standard", "paper"] = "standard"

    @model_validator(mode="before")
    @classmethod
    def _as_published(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("profile") == "paper":
            model = _as_llm(data.get("model"))
            if isinstance(model, dict):
                return {**data, "model": {**_PUBLISHED, **model}}
        return data

    @model_validator(mode="after")
    def _has_a_persona(self) -> LlmUserConfig:
        if self.profile == "paper" and self.persona:
            raise ValueError("`persona` needs profile `standard`; the user of profile `paper` has none")
        return self


PersonaName = Literal["rational", "intuitive", "dependent", "avoidant", "spontaneous"]
"""A card of `userssim/personas`."""


_DIALS: Final[Mapping[PersonaName, str]] = {
    "rational": "1/1 all", "intuitive": "2/1 one", "dependent": "2/1 all", "avoidant": "3/2 one",
    "spontaneous": "1/1 first",
}  # fmt: skip
"""As the cards have them, which a config knows nothing of; a test holds the two together."""


class PersonaUserConfig(UserSettings):
    """Knows the whole request and tells it with the patience of a persona; needs no model.

    The numbers are ours and stand for no style that was measured in people, hence the label. With a `model` it is
    `PlayedPersonaConfig`.
    """

    model_config = ConfigDict(json_schema_extra={})

    kind: Literal["persona"]
    persona: PersonaName = "rational"

    @property
    def label(self) -> str:
        """By its numbers, since nothing else of the style is played: `patience dials 3/2 one`."""
        return f"patience dials {_DIALS[self.persona]}"


class PlayedPersonaConfig(ModelUserSettings):
    """The same persona in the words of a model; needs a model.

    With a `rotation` of further models each case has one of them all, chosen by a hash of the run's seed and the task,
    so that it is the same under every condition. `profile` `paper` is Drift-Bench's user (appendix H.3): one call that
    sees what was meant and what was asked, and leads the agent towards it.
    """

    model_config = ConfigDict(json_schema_extra={})

    kind: Literal["persona"]
    persona: PersonaName = "rational"
    profile: Literal["standard", "paper"] = "standard"
    rotation: tuple[Annotated[LlmConfig, BeforeValidator(_as_llm)], ...] = Field(
        default=(), exclude_if=lambda rotation: not rotation
    )

    @property
    def label(self) -> str:
        """With its models: `avoidant (local/m)`, `avoidant, profile paper (local/m, local/n)`."""
        profile = "" if self.profile == "standard" else f", profile {self.profile}"
        return f"{self.persona}{profile} ({', '.join(model.model for model in self.models)})"

    @property
    def models(self) -> tuple[LlmConfig, ...]:
        return (self.model, *self.rotation)

    def with_models(self, models: Sequence[LlmConfig]) -> Self:
        return self.model_copy(update={"model": models[0], "rotation": tuple(models[1:])})

    def of_case(self, seed: int, task: str) -> Self:
        drawn = hashlib.sha256(canonical([seed, task, "the user's model"])).digest()
        return self.with_models([self.models[int.from_bytes(drawn[:8]) % len(self.models)]])


class PlaceboUserConfig(UserSettings):
    """Answers every question and adds nothing; needs no model."""

    model_config = ConfigDict(json_schema_extra={})

    kind: Literal["placebo"]


class _Holding(UserSettings):
    """What both users with intents are set to."""

    fallback: Literal["listed", "shuffled"] = "listed"
    seed: int = Field(default=0, exclude_if=lambda seed: not seed)
    most: int | None = Field(default=None, ge=1, exclude_if=lambda most: most is None)


class IntentUserConfig(_Holding):
    """Tells what a session's request leaves out as it is asked for, and one thing whenever nothing is; no model.

    It is for suites whose sessions have intents (`Suite.hidden`). `fallback` is the order in which it tells what nobody
    asks for: as listed, or drawn for each session by `seed`. `most` is how many questions it answers at a hand-over; no
    limit where it is left out. With a `model` it is `JudgedIntentUserConfig`.
    """

    model_config = ConfigDict(json_schema_extra={})

    kind: Literal["intents"]

    @property
    def label(self) -> str:
        """With what it is set to otherwise than by default: `intents (shuffled, 3 answers)`."""
        told = ["shuffled"] * (self.fallback == "shuffled")
        told += [f"{self.most} answer{'s' * (self.most > 1)}"] if self.most else []
        return f"{self.kind} ({', '.join(told)})" if told else self.kind


class JudgedIntentUserConfig(_Holding, ModelUserSettings):
    """The same where a model decides what was acted on and asked for (pi-Bench appendix B), at temperature 0.

    What is told stays word for word unless `voice` is `llm`: then the model says it in words of its own.
    """

    model_config = ConfigDict(json_schema_extra={})

    kind: Literal["intents"]
    voice: Literal["verbatim", "llm"] = "verbatim"

    @model_validator(mode="before")
    @classmethod
    def _at_zero(cls, data: Any) -> Any:
        model = _as_llm(data.get("model")) if isinstance(data, dict) else None
        return {**data, "model": {"temperature": 0, **model}} if isinstance(model, dict) else data

    @model_validator(mode="after")
    def _has_a_persona(self) -> Self:
        if self.persona and self.voice == "verbatim":
            raise ValueError("`persona` needs voice `llm`: what is told word for word has no manner")
        return self


_OWN_USERS: dict[str, type[UserSettings]] = {
    "grounded": UserConfig,
    "scripted": UserConfig,
    "persona": PersonaUserConfig,
    "placebo": PlaceboUserConfig,
    "intents": IntentUserConfig,
    "llm": LlmUserConfig,
}


_WITH_MODEL: Final[Mapping[str, type[ModelUserSettings]]] = {
    "persona": PlayedPersonaConfig,
    "intents": JudgedIntentUserConfig,
}
"""Kinds that have other settings with a model."""


def user_settings(kind: str, given: Collection[str] = ()) -> type[UserSettings]:
    """What a kind of user has for settings, of which these are `given`: some kinds have others with a model.

    Raises `KeyError` for a kind that is not there, and `BrokenUser`.
    """
    if played := _WITH_MODEL.get(kind):
        alone = _OWN_USERS[kind].model_fields.keys()
        if not (played.model_fields.keys() - alone).isdisjoint(given):
            return played
    if kind in _OWN_USERS:
        return _OWN_USERS[kind]
    settings = brought(kind).config
    if not issubclass(settings, UserSettings):
        raise BrokenUser(f"plugins/{kind}: {settings.__name__} does not derive from `UserSettings`")
    return settings


def as_user(value: Any, info: ValidationInfo) -> Any:
    """Settings as their kind has them: one of ours, or a plugin's. A kind alone is that kind with its defaults."""
    if isinstance(value, UserSettings):
        return value
    if isinstance(value, str):
        value = {"kind": value}
    if not isinstance(value, dict):
        raise PydanticKnownError("dict_type")
    kind = value.get("kind", "grounded")
    try:
        settings = user_settings(str(kind), value)
    except KeyError:
        problem = PydanticCustomError("user_kind", "no such kind of user", {"known": (*_OWN_USERS, *plugins())})
    except BrokenUser as error:
        problem = PydanticCustomError("user_plugin", "{why}", {"why": str(error)})
    else:
        return settings.model_validate(value, context=info.context)
    details = InitErrorDetails(type=problem, loc=("kind",), input=kind)
    raise ValidationError.from_exception_data("UserSettings", [details])
