"""Who answers questions: users by their settings, and what they are told of a task."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.core.config import IntentUserConfig, JudgedIntentUserConfig, LlmConfig, UserSettings
    from harness.core.hidden import Hidden
    from harness.core.task import Brief, Segment
    from harness.models.user_model import UserModel
    from servers.kernel import User
    from userssim.voice import Voice
    from userssim.wish import Known, Wish

__all__ = ("brief_of", "slot_kinds", "user", "users")

_USERS = {
    "grounded": "Knows the whole request and reveals exactly what is asked for; needs no model.",
    "scripted": "Reads out the answers of its script, in order.",
    "persona": "Knows the whole request and tells it with the patience of a persona; a model may play it.",
    "placebo": "Answers every question and adds nothing; needs no model.",
    "intents": "Wants what a session's request leaves out, and tells it as it is asked for; a model may judge.",
    "llm": "A model tells what is asked for without knowing the values, then says them; needs a model.",
}


def users() -> tuple[dict[str, str], list[str]]:
    """Who can answer questions, by kind and what it is, plugins included; and a message for each that is broken."""
    from harness.core.users import BrokenUser, brought, plugins

    found, broken = dict(_USERS), []
    for kind in plugins():
        try:
            words = (brought(kind).config.__doc__ or "").strip()
            found.setdefault(kind, words.partition("\n")[0])
        except BrokenUser as error:
            broken.append(str(error))
    return found, broken


def slot_kinds() -> frozenset[str]:
    """Kinds of a slot that the grounded user has rules for."""
    from userssim.values import KINDS

    return KINDS


def user(config: UserSettings, brief: Brief, hidden: Hidden | None, voice: Callable[[LlmConfig], UserModel]) -> User:
    """Whoever answers, as `Wired.user` has it; `voice` gives the model that speaks for a user."""
    from harness.core.config import (
        IntentUserConfig,
        JudgedIntentUserConfig,
        LlmUserConfig,
        ModelUserSettings,
        PersonaUserConfig,
        PlaceboUserConfig,
        PlayedPersonaConfig,
        UserConfig,
    )
    from harness.core.users import made

    if isinstance(config, LlmUserConfig):
        from userssim import llm

        if config.profile == "paper":
            return llm.PaperUser(_wish(brief), voice(config.model))
        return llm.LlmUser(_wish(brief), voice(config.model), persona=config.persona)
    if isinstance(config, PlayedPersonaConfig):
        from userssim import played

        persona = played.PaperPersona if config.profile == "paper" else played.PlayedPersona
        return persona(_wish(brief), voice(config.model), config.persona)
    if isinstance(config, JudgedIntentUserConfig):
        return _intent_user(config, hidden, voice(config.model))
    if isinstance(config, IntentUserConfig):
        return _intent_user(config, hidden)
    if isinstance(config, ModelUserSettings):
        return made(config.kind, config, brief, voice(config.model))
    if isinstance(config, PersonaUserConfig):
        from userssim.persona import PersonaUser

        return PersonaUser(_wish(brief), config.persona)
    if isinstance(config, PlaceboUserConfig):
        from userssim.persona import PlaceboUser

        return PlaceboUser(_wish(brief))
    if not isinstance(config, UserConfig):
        return made(config.kind, config, brief)
    if config.kind == "scripted":
        from userssim.scripted import ScriptedUser

        return ScriptedUser(config.script)
    wish = _wish(brief)
    settings: dict[str, Any] = config.model_dump(include={"policy", "deferral", "memory", "probe"})
    if config.version == 1:
        from userssim.first.grounded import GroundedUser as First

        return First(wish, consent=config.consent, **settings)
    from userssim.grounded import GroundedUser

    return GroundedUser(wish, manner=config.manner, **settings)


def _intent_user(
    config: IntentUserConfig | JudgedIntentUserConfig, hidden: Hidden | None, voice: Voice | None = None
) -> User:
    """Who wants what a suite says, by its own rules or judged by a model. Raises `UserFault` without any of it."""
    from harness.core.config import JudgedIntentUserConfig
    from servers.kernel import UserFault
    from userssim.intents import model, protocol, rules

    if hidden is None:
        raise UserFault("a user of kind intents is for suites whose sessions have intents, and this one has none")
    reword = None
    if voice and isinstance(config, JudgedIntentUserConfig) and config.voice == "llm":
        reword = model.reworder(voice, config.persona)
    return protocol.IntentUser(
        hidden.sessions,
        model.Judge(voice) if voice else rules.Rules(hidden.completed),
        facts=hidden.facts,
        fallback=config.fallback,
        most=config.most,
        seed=config.seed,
        reword=reword,
    )


def _wish(brief: Brief) -> Wish:
    from userssim.wish import Wish

    return Wish(
        full=brief.intent,
        sent=brief.sent,
        withheld=tuple(map(_known, brief.withheld)),
        stated=tuple(map(_known, brief.stated)),
    )


def brief_of(wish: Wish) -> Brief:
    from harness.core.task import Brief, Segment, Slot

    withheld, stated = (
        tuple(
            Segment(
                id=item.id,
                slot=Slot(
                    name=item.id, kind=item.kind, text=item.value, value=item.day or item.key or None, role=item.role,
                    dimension=item.dimension, subdimension=item.subdimension, asks=item.asks, says=item.says,
                    others=item.others,
                ),
            )
            for item in items
        )
        for items in (wish.withheld, wish.stated)
    )  # fmt: skip
    return Brief(intent=wish.full, sent=wish.sent, withheld=withheld, stated=stated)


def _known(segment: Segment) -> Known:
    from userssim.wish import Known

    slot = segment.slot
    return Known(
        id=segment.id, kind=slot.kind, value=segment.value, role=slot.role,
        dimension=slot.dimension, subdimension=slot.subdimension, asks=slot.asks, says=slot.says, day=_date(slot.value),
        key=_key(slot.value, segment.value), others=slot.others,
    )  # fmt: skip


def _date(value: Any) -> str:
    """The date that a slot's value is or begins with, "" where it is none."""
    found = re.match(r"\d{4}-\d\d-\d\d(?!\d)", value) if isinstance(value, str) else None
    return found[0] if found else ""


def _key(value: Any, text: str) -> str:
    """What tools call a value: an id, or a word of theirs; "" where the request calls it the same, or it is a date."""
    key = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    return "" if _date(key) or key.casefold() == text.strip().casefold() else key
