"""Credentials in a config's URLs: the live process uses them, and nothing that is written, shown or hashed has them."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import unquote

from harness.core.config import AgentConfig, CommandConfig, ConfigProblem, LlmConfig, ModelUserSettings, RunConfig
from harness.core.each_text import each_text
from harness.core.secrets import HIDDEN, is_secret

__all__ = ("check_complete", "credentials", "held_back", "played_by", "stored", "without_credentials")

_USER = re.compile(r"""(?<=://)[^/?#\s"']+(?=@)""")
_QUERY = re.compile(r"(?<=[?&#;])([^=?&#;\s]+)=([^&#;\s]+)")
_QUERY_NAME = re.compile(r"(?i) key|token|secret|passw|pwd|credential|signature | \A (?:sig|code|auth|pass) \Z", re.X)


def stored(config: RunConfig) -> RunConfig:
    """The config as it is written, shown and hashed: without credentials in URLs. The live one has them."""
    agents = tuple(agent.model_copy(update=_without(agent, without_credentials)) for agent in config.agents)
    conditions = {
        name: condition.model_copy(update={"user": _stored_user(condition.user)})
        if isinstance(condition.user, ModelUserSettings)
        else condition
        for name, condition in config.conditions.items()
    }
    return config.model_copy(update={"agents": agents, "conditions": conditions})


def _stored_user(user: ModelUserSettings) -> ModelUserSettings:
    return user.with_models([model.model_copy(update=_without(model, without_credentials)) for model in user.models])


def played_by(config: RunConfig) -> tuple[AgentConfig, ...]:
    """Whose settings may hold credentials: the agents, and the models that speak for users."""
    users = [condition.user for condition in config.conditions.values()]
    return (*config.agents, *(model for user in users if isinstance(user, ModelUserSettings) for model in user.models))


def held_back(agents: Iterable[AgentConfig]) -> tuple[str, ...]:
    """What `stored` takes out of agents' settings, for no record may repeat it; nothing for those from disk."""
    found: dict[str, None] = {}
    for agent in agents:
        _without(agent, lambda text: found.update(dict.fromkeys(credentials(text))) or text)
    return tuple(found)


def check_complete(config: RunConfig, remedy: str) -> None:
    """Raises `ConfigProblem` where a config, as it was stored, lacks credentials that it was played with."""
    for agent in played_by(config):
        if HIDDEN in str(_without(agent, str)):
            held = "its settings hold credentials in a URL, which are not stored with a run"
            raise ConfigProblem(f"{agent.name}: {held}: {remedy}")


def without_credentials(text: str) -> str:
    """The text with what its URLs hold of `user:password@` and of queries like `?api_key=...` hidden."""
    if "://" not in text:
        return text
    return _QUERY.sub(_query, _USER.sub(HIDDEN, text))


def credentials(text: str) -> Iterator[str]:
    """What `without_credentials` takes out, in the forms that an error or an echo may give it in."""
    if "://" not in text or HIDDEN in text:
        return
    for user in _USER.findall(text):
        name, colon, password = user.partition(":")
        if colon:
            yield f"{user}@"
        if colon or is_secret(name):
            yield b64encode(unquote(user if colon else f"{user}:").encode()).decode()
        yield from filter(is_secret, (user, *_spelled(password if colon else name)))
    for name, value in _QUERY.findall(text):
        if _is_credential(name, value):
            yield f"{name}={value}"
            yield from filter(is_secret, _spelled(value))


def _query(found: re.Match[str]) -> str:
    return f"{found[1]}={HIDDEN}" if _is_credential(found[1], found[2]) else found[0]


def _is_credential(name: str, value: str) -> bool:
    return bool(_QUERY_NAME.search(name)) or is_secret(value)


def _spelled(value: str) -> tuple[str, str]:
    return value, unquote(value)


def _without(agent: AgentConfig, clean: Callable[[str], str]) -> dict[str, Any]:
    """The settings of an agent that may hold URLs, their texts cleaned."""
    if isinstance(agent, LlmConfig):
        return {"api_base": agent.api_base and _base(agent.api_base, clean), "extra": each_text(agent.extra, clean)}
    if isinstance(agent, CommandConfig):
        return {"command": each_text(agent.command, clean), "environment": each_text(agent.environment, clean)}
    return {}


def _base(url: str, clean: Callable[[str], str]) -> str:
    return clean(url) if "://" in url else clean(f"://{url}").removeprefix("://")
