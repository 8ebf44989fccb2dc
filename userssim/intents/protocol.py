"""Who is told what, and when: pi-Bench's protocol (appendix B), which gives each intent its status."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from servers.kernel import (
    Answer,
    Called,
    Fact,
    Intent,
    Opening,
    Part,
    Question,
    Since,
    Turn,
    UserFault,
    Written,
    canonical,
)
from userssim.intents.asking import asks, statements
from userssim.intents.intent import Decider, Status
from userssim.voice import whole

__all__ = ("HAND_OVERS", "Fallback", "IntentUser", "Reword", "Told", "assigned")

HAND_OVERS: Final = 30
"""Of a session; at the last one nothing is told any more."""

Fallback = Literal["listed", "shuffled"]
"""In what order intents are told that nobody asks for: as listed, or in an order drawn for each session."""

Reword = Callable[[str, Sequence[str]], Awaitable[str]]
"""Says a text in other words that keep the values given."""

_NO_MORE: Final = "Nothing more from me, thank you."


class Told(Protocol):
    """An answer as it was given or as it is on record."""

    @property
    def targets(self) -> tuple[str, ...]: ...
    @property
    def parts(self) -> tuple[Part, ...]: ...


def assigned(intents: Iterable[str], answers: Iterable[Told]) -> dict[str, Status]:
    """The status of each of a session's intents, by the answers of that session alone.

    The first part about an intent tells it: `confirmed` (completed), `given` to a question about it (inferred), `given`
    otherwise (provided). Raises `ValueError` for an answer about what is no intent of the session.
    """
    found: dict[str, Status] = dict.fromkeys(intents, "open")
    for answer in answers:
        for part in answer.parts:
            if not part.target:
                continue
            if part.target not in found:
                raise ValueError(f"an answer is about {part.target!r}; the session's intents are {', '.join(found)}")
            if found[part.target] == "open":
                found[part.target] = _status(part, answer)
    return found


def _status(part: Part, answer: Told) -> Status:
    if part.kind == "confirmed":
        return "completed"
    return "inferred" if part.target in answer.targets else "provided"


@dataclass
class _Talk:
    """A session under way. `asked` and `heard` are the questions and the work since the last end of a turn."""

    number: int
    request: str
    intents: tuple[Intent, ...]
    order: tuple[Intent, ...]
    open: dict[str, Intent]
    hand_overs: int = 0
    asked: list[str] = field(default_factory=list)
    heard: Since = field(default_factory=Since)
    so_far: Since = field(default_factory=Since)

    def hear(self, question: Question) -> Turn:
        """What a hand-over shows; the record counts from the last end of a turn, this from the last hand-over."""
        self.hand_overs += 1
        message = whole(question)
        fresh = [call for call in question.since.calls[len(self.heard.calls) :] if not _puts(call, self.asked)]
        known = {(row.app, row.table, row.id): row.values for row in self.heard.changed}
        since = Since(calls=tuple(fresh), changed=_changed(question.since.changed, known))
        turn = Turn(
            session=self.number,
            request=self.request,
            message=message,
            stated=statements(f"{question.context}\n{question.text}".strip()),
            since=since,
            so_far=_joined(self.so_far, since),
        )
        self.so_far = turn.so_far
        self.heard = Since() if question.end_of_turn else question.since
        self.asked = [] if question.end_of_turn else [*self.asked, question.text]
        return turn


class IntentUser:
    """Tells intents of a session as they are asked for, and one whenever none is (docs/users.md).

    `sessions` are the intents of each session in the order in which they are told, `facts` what is answered besides.
    At each hand-over, an end of a turn or a question: intents that the agent acted on are completed, and where none
    is left the session ends. All that are asked for are told, in the order of the list: inferred. Where none is, the
    first that is left is told: provided. What is settled, or is no intent, is told again without a status. With `most`,
    that many questions are answered at a hand-over, those about open intents first.

    The agent sees `Answer.text`; the statuses stand in its parts and targets, from which `assigned` reads them.
    """

    def __init__(
        self,
        sessions: Sequence[Sequence[Intent]],
        decider: Decider,
        *,
        facts: Sequence[Fact] = (),
        fallback: Fallback = "listed",
        seed: int = 0,
        hand_overs: int = HAND_OVERS,
        most: int | None = None,
        reword: Reword | None = None,
    ) -> None:
        for number, intents in enumerate(sessions):
            ids = [intent.id for intent in intents]
            if twice := sorted({id for id in ids if ids.count(id) > 1}):
                raise ValueError(f"session {number} has two intents {twice[0]!r}; an id names one")
        self._sessions = tuple(map(tuple, sessions))
        self._decider, self._facts, self._reword = decider, tuple(facts), reword
        self._fallback, self._seed, self._hand_overs, self._most = fallback, seed, hand_overs, most
        self._talk: _Talk | None = None

    async def opens(self, session: Opening) -> str:
        """Nothing: what a session begins with is the task's. Raises `UserFault` for a session without a request."""
        if not 0 <= session.number < len(self._sessions):
            raise UserFault(f"session {session.number} has no intents; they are of {len(self._sessions)} sessions")
        if not session.request:
            raise UserFault(f"session {session.number} has no request, and a user with intents opens none")
        intents = self._sessions[session.number]
        order = intents if self._fallback == "listed" else self._shuffled(session.number, intents)
        before = self._talk.so_far if self._talk else Since()
        open_ones = {intent.id: intent for intent in intents}
        self._talk = _Talk(session.number, session.request, intents, order, open_ones, so_far=before)
        return ""

    async def answer(self, question: Question) -> Answer:
        """What is said to it. Raises `UserFault` where no session has begun, or the decider cannot say."""
        if (talk := self._talk) is None:
            raise UserFault("no session has begun: a user with intents is told of each (`opens`) before it answers")
        turn = talk.hear(question)
        if talk.hand_overs > self._hand_overs:
            return _ending(question)
        completed = [intent for intent in talk.open.values() if await self._decider.completed(intent, turn)]
        for intent in completed:
            del talk.open[intent.id]
        parts = [Part(kind="confirmed", target=intent.id) for intent in completed]
        if talk.hand_overs == self._hand_overs or (question.end_of_turn and not talk.open):
            return _ending(question, parts)

        wanted = [intent for intent in talk.intents if await self._decider.asked(intent, turn)]
        facts = [fact for fact in self._facts if asks(turn.message, fact.cues, fact.not_cues)]
        if self._most is not None:
            wanted = sorted(wanted, key=lambda intent: intent.id not in talk.open)[: self._most]
            facts = facts[: self._most - len(wanted)]
        told = [await self._part(intent) for intent in wanted]
        told += [Part(kind="given", text=fact.says) for fact in facts]
        if not any(intent.id in talk.open for intent in wanted) and talk.open:
            first = next(intent for intent in talk.order if intent.id in talk.open)
            told.append(await self._part(first))
        for part in told:
            talk.open.pop(part.target, None)
        return Answer(
            text="\n".join(part.text for part in told) or _NO_MORE,
            targets=tuple(intent.id for intent in wanted),
            revealed=tuple(part.target for part in told if part.target),
            parts=(*parts, *told),
            goes_on=True,
        )

    async def _part(self, intent: Intent) -> Part:
        text = await self._reword(intent.says, intent.values) if self._reword else intent.says
        return Part(kind="given", target=intent.id, text=text)

    def _shuffled(self, number: int, intents: Sequence[Intent]) -> tuple[Intent, ...]:
        def drawn(intent: Intent) -> bytes:
            return hashlib.sha256(canonical([self._seed, number, intent.id])).digest()

        return tuple(sorted(intents, key=drawn))


def _ending(question: Question, parts: Sequence[Part] = ()) -> Answer:
    """Nothing is told any more: at the end of a turn the session is over, a question gets no answer."""
    return Answer(text="" if question.end_of_turn else _NO_MORE, parts=tuple(parts), goes_on=not question.end_of_turn)


def _puts(call: Called, asked: Sequence[str]) -> bool:
    """Whether a call put one of these questions."""
    return any(value in asked for value in call.arguments.values())


def _changed(rows: Iterable[Written], known: Mapping[tuple[str, str, str], Any]) -> tuple[Written, ...]:
    """Rows that are not as they were known."""
    nothing = object()
    return tuple(row for row in rows if known.get((row.app, row.table, row.id), nothing) != row.values)


def _joined(before: Since, done: Since) -> Since:
    rows = {(row.app, row.table, row.id): row for row in (*before.changed, *done.changed)}
    return Since(calls=(*before.calls, *done.calls), changed=tuple(rows.values()))
