"""Three intents, and users who hold them back, as tests of the user need them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import anyio

from servers.kernel import Answer, Called, Fact, Intent, Opening, Question, Since, Turn, Written
from userssim.intents.protocol import IntentUser
from userssim.intents.rules import Rules

__all__ = ("BASIS", "FACTS", "INTENTS", "NAMING", "SEVERITY", "did", "ended", "said", "talk", "wrote")

BASIS = Intent(
    id="basis",
    text="The curve counts days as ACT/365F.",
    says="The curve is ACT/365F.",
    cues=(("day count",),),
    not_cues=(("euro",),),
    values=("ACT/365F",),
)
SEVERITY = Intent(
    id="severity",
    text="Findings carry a severity, the worst first.",
    says="Rate findings, worst first.",
    cues=(("severity",), ("rate", "findings")),
    values=("worst first",),
)
NAMING = Intent(
    id="naming",
    text="Files are named by date, topic and version.",
    says="Name files YYYY-MM-DD_topic_vN.",
    cues=(("file name",), ("name", "file")),
    values=("YYYY-MM-DD_topic_vN",),
)
INTENTS = (BASIS, SEVERITY, NAMING)
FACTS = (Fact(says="The committee meets on 28 April.", cues=(("when", "committee"),)),)


def done(intent: Intent, turn: Turn) -> bool:
    """Acted on is what a statement says with its value, or what was written under its id."""
    return any(value in turn.stated for value in intent.values) or any(
        row.id == intent.id and row.values is not None for row in turn.since.changed
    )


def talk(*questions: Question, intents: Sequence[Intent] = INTENTS, **settings: Any) -> list[Answer]:
    """The answers to hand-overs in order, in one session."""
    return anyio.run(_talk, questions, intents, settings)


async def _talk(questions: Sequence[Question], intents: Sequence[Intent], settings: Mapping[str, Any]) -> list[Answer]:
    rule: Callable[[Intent, Turn], bool] = settings.get("done", done)
    more = {name: value for name, value in settings.items() if name not in ("done", "decider")}
    user = IntentUser([intents], settings.get("decider") or Rules(rule), facts=FACTS, **more)
    await user.opens(Opening(number=0, now="2026-04-14T09:10:00", request="Build the curve."))
    return [await user.answer(question) for question in questions]


def ended(text: str, *rows: Written, calls: Sequence[Called] = ()) -> Question:
    """An end of a turn."""
    return Question(text=text, end_of_turn=True, since=Since(calls=tuple(calls), changed=rows))


def wrote(id: str, **values: Any) -> Written:
    return Written(app="filesystem", table="File", id=id, values=values)


def did(tool: str, **arguments: Any) -> Called:
    return Called(app="filesystem", tool=tool, arguments=arguments, status="ok")


def said(answer: Answer) -> list[tuple[str, str]]:
    """Its parts, as kind and target."""
    return [(part.kind, part.target) for part in answer.parts]
