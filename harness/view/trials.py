"""One trial as the page shows it: its head, an outline, and its events in pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, Final

from harness.core.judgement import Verdict
from harness.core.scores import Score
from harness.core.suite import Suite
from harness.core.task import Task
from harness.core.trajectory import (
    AnswerRecord,
    Arrival,
    CallRecord,
    Event,
    HandOver,
    Landing,
    Message,
    ModelCall,
    QuestionRecord,
    Request,
    Trajectory,
)
from harness.record.scores import scores
from harness.record.verdicts import primary
from harness.report.words import FLAGS
from harness.view.changes import Began, Written, compared, written
from harness.view.doubts import doubts

__all__ = ("PIECE", "Trial", "cut", "judged", "prompts", "withheld")

PIECE: Final = 200
"""Events that come at once."""

_LONGEST = 20_000
_START = 4_000
_DATA = 200_000
_OUTLINE = 2_000
_EXACT = 2**53
"""Whole numbers from here on a browser would change."""


class Trial:
    """A trial that was read. `task` is the one that was played, None where it is not there any more.

    `answers`: its user is one who may tell something (`harness.view.doubts`).
    """

    def __init__(
        self,
        t: Trajectory,
        scores: Mapping[str, Score],
        task: Task | None,
        began: Began = lambda *_: None,
        *,
        answers: bool = True,
    ) -> None:
        self.t, self.scores, self.task, self.began, self.answers = t, scores, task, began, answers

    @property
    def pieces(self) -> int:
        return max(1, -(-len(self.t.events) // PIECE))

    def piece(self, number: int) -> dict[str, Any] | None:
        """Events of that piece, None where there is no such piece."""
        if not 0 <= number < self.pieces:
            return None
        return {"piece": number, "events": self._events(number)}

    def earlier(self, number: int) -> Trial | None:
        """An earlier try, from 1, None where there is no such try."""
        if not 0 < number <= len(self.t.tries):
            return None
        return Trial(self.t.tries[number - 1], {}, self.task, self.began, answers=self.answers)

    def head(self, suite: Suite | None) -> dict[str, Any]:
        """All of a trial but its events and what others say of it."""
        t = self.t
        return {
            "facts": {
                "seed": str(t.seed),
                "prompt": t.prompt,
                "package": t.package,
                "transport": t.transport,
                "digest": t.digest,
                "world": t.world,
                "suite": t.suite,
            },
            "system": suite.system if suite else "",
            "task": self._task(suite),
            "scores": [_score(name, score) for name, score in self.scores.items()],
            **cut(compared(t, self.task, suite, self._detail(suite), self.began)),
            "outline": list(islice(self._outline(), _OUTLINE)),
            "steps": [at for at, event in enumerate(t.events) if isinstance(event, CallRecord | HandOver)],
            "replies": [cut(session.reply) for session in t.sessions],
            "reason": cut(t.reason),
            "turns": self._turns(),
            "tries": [_try(n, each) for n, each in enumerate(t.tries, 1)],
            "events": len(t.events),
            "piece": PIECE,
            "first": self._events(0),
        }

    def _detail(self, suite: Suite | None) -> Mapping[str, Any] | None:
        """What the score that decides says in detail; of an earlier try, which was not scored, what it would say."""
        known = self.scores or (scores(suite.checks, self.task, self.t) if suite and self.task else {})
        score = primary(known)
        return score.detail if score else None

    def _task(self, suite: Suite | None) -> dict[str, Any] | None:
        if suite is None:
            return None
        sessions = [{"now": each.now, "text": cut(each.request)} for each in self.t.sessions]
        told: dict[str, Any] = {"id": self.t.task, "sessions": sessions, "changed": self.task is None}
        if self.task is None:
            return {**told, "template": "", "prompts": {}, "facts": {}, "withheld": []}
        shown = {name: cut(value) for name, value in self.task.facts.items()}
        return {
            **told, "template": self.task.template, "prompts": prompts(self.task), "facts": shown,
            "withheld": withheld(self.task, self.t.prompt),
        }  # fmt: skip

    @cached_property
    def _written(self) -> Mapping[int, Sequence[Written]]:
        return written(self.t)

    @cached_property
    def _closing(self) -> Mapping[int, str]:
        """What was said last in sessions whose agent sends no messages, by the last event of the session."""
        spoken = {event.session for event in self.t.events if _is_said(event)}
        last = {event.session: at for at, event in enumerate(self.t.events)}
        return {
            last[n]: session.reply
            for n, session in enumerate(self.t.sessions)
            if n in last
            and n not in spoken
            and session.reply.strip()
            and not isinstance(self.t.events[last[n]], HandOver)
        }

    @cached_property
    def _doubts(self) -> Mapping[int, Sequence[dict[str, Any]]]:
        """By answer, why the user may have misunderstood the question."""
        return {
            each.answered_at: [one._asdict() for one in found]
            for each, found in doubts(self.t, self.task, answers=self.answers)
            if each.answered_at is not None
        }

    def _events(self, piece: int) -> list[dict[str, Any]]:
        first = piece * PIECE
        return [self._event(at, event) for at, event in enumerate(self.t.events[first : first + PIECE], first)]

    def _event(self, at: int, event: Event) -> dict[str, Any]:
        if isinstance(event, ModelCall):
            found = event.model_dump(mode="json", exclude={"request", "response"})
            found["model"] = str(event.response.get("model") or event.request.get("model") or "")
            found["request"], found["response"] = _left_out(event.request), _left_out(event.response)
        else:
            found = event.model_dump(mode="json")
        if isinstance(event, CallRecord | Landing) and event.data is not None and (size := _size(event.data)) > _DATA:
            found["data"] = {"cut": True, "chars": size, "start": ""}
        if at in self._closing:
            found["last_words"] = self._closing[at]
        if isinstance(event, AnswerRecord):
            found["doubts"] = self._doubts.get(at, [])
        if changed := self._written.get(at):
            found["changed"] = [each.shown() for each in changed]
        elif isinstance(event, CallRecord):
            found["changed"] = []
        return {"at": at, **cut(found)}

    def _turns(self) -> dict[str, list[Any]]:
        """The calls of the agent's model, over all events: the step that follows each, tokens, seconds."""
        steps = 0
        made: dict[str, list[Any]] = {"at": [], "step": [], "tokens_in": [], "tokens_out": [], "seconds": []}
        for at, event in enumerate(self.t.events):
            if isinstance(event, CallRecord | HandOver):
                steps += 1
            elif isinstance(event, ModelCall) and event.purpose == "agent":
                used = event.usage
                values = at, steps, used.prompt_tokens, used.completion_tokens, event.duration
                for column, value in zip(made.values(), values, strict=True):
                    column.append(value)
        return made

    def _outline(self) -> Iterator[dict[str, Any]]:
        last = {event.session: at for at, event in enumerate(self.t.events) if _is_said(event)}
        for at, event in enumerate(self.t.events):
            if last.get(event.session) == at and isinstance(event, Message):
                yield {"at": at, "kind": "last_words", "session": event.session, "label": _short(event.content)}
            if label := _label(event):
                kind, text = label
                yield {"at": at, "kind": kind, "session": event.session, "label": _short(text)}
            if said := self._closing.get(at):
                yield {"at": at, "kind": "last_words", "session": event.session, "label": _short(said)}


def _is_said(event: Event) -> bool:
    """Whether it is words of the agent itself, of which a session's last are its last words."""
    if not isinstance(event, Message) or event.subagent:
        return False
    return event.role == "assistant" and bool(event.content.strip())


def _try(number: int, t: Trajectory) -> dict[str, Any]:
    """What an earlier try came to, and why."""
    return {
        "number": number, "status": t.status, "reason": cut(t.reason), "calls": len(t.calls), "events": len(t.events),
        "prompt_tokens": t.usage.prompt_tokens, "completion_tokens": t.usage.completion_tokens,
        "cost": t.usage.cost_usd, "seconds": t.seconds, "changes": len(t.changes),
    }  # fmt: skip


def prompts(task: Task) -> dict[str, Any]:
    """What each prompt variant says, of several sessions in their order."""
    names = dict.fromkeys(name for session in task.sessions for name in session.requests)
    return {
        name: cut("\n\n".join(session.requests[name] for session in task.sessions if name in session.requests))
        for name in names
    }


def withheld(task: Task, prompt: str) -> list[dict[str, Any]]:
    """What a prompt variant does not say that the original does: names with the words for their values."""
    gone = task.withheld.get(prompt, ())
    found = {slot.name: slot.text for slot in task.slots if slot.name in gone}
    for session in task.sessions:
        if brief := session.briefs.get(prompt):
            found |= {segment.id: segment.value for segment in brief.withheld}
    return [{"name": name, "text": cut(text)} for name, text in found.items()]


def judged(suite: Suite | None, task: Task | None, t: Trajectory, said: Mapping[str, Sequence[Verdict]]) -> list[Any]:
    """The questions that a suite asks of a trial, and what was answered to each."""
    if suite is None or task is None:
        return []
    return [
        {
            "query": query.id,
            "text": cut(query.text),
            "evidence": cut(query.evidence),
            "kind": query.kind,
            "answers": list(query.answers),
            "verdicts": [
                {"judge": each.judge, "answer": each.answer, "reason": cut(each.reason)}
                for each in said.get(query.key, ())
            ],
        }
        for query in suite.queries(task, t)
    ]


def cut(value: Any) -> Any:
    """The same with what is too much for a page cut short, wherever it stands: the record has it whole."""
    if isinstance(value, str):
        return {"cut": True, "chars": len(value), "start": value[:_START]} if len(value) > _LONGEST else value
    if isinstance(value, Mapping):
        return {str(name): cut(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [cut(each) for each in value]
    if isinstance(value, int) and abs(value) >= _EXACT:
        return str(value)
    return value


def _size(value: Any) -> int:
    """Characters, near enough, without writing it down."""
    if isinstance(value, str):
        return len(value) + 2
    if isinstance(value, Mapping):
        return sum(len(str(name)) + 4 + _size(each) for name, each in value.items())
    if isinstance(value, list | tuple):
        return sum(2 + _size(each) for each in value)
    return 6


def _left_out(value: Mapping[str, Any]) -> dict[str, Any]:
    return {"cut": True, "chars": _size(value), "start": ""}


def _score(name: str, score: Score) -> dict[str, Any]:
    return {
        "check": name,
        "value": score.value,
        "correct": score.right,
        "reason": cut(score.reason),
        "label": score.label,
        "means": {flag: means for flag, means in FLAGS.items() if flag in score.reason},
        "criteria": [
            {
                "name": each.name, "value": each.value, "weight": each.weight,
                "reason": cut(each.reason), "evidence": cut(each.evidence),
            }
            for each in score.criteria
        ],
        "detail": cut(score.detail),
    }  # fmt: skip


def _label(event: Event) -> tuple[str, str] | None:
    """What an event is called in an outline, None for one that is not in it."""
    match event:
        case Request():
            return "request", event.text
        case HandOver():
            return "hand_over", event.text
        case QuestionRecord():
            return "question", event.text
        case Arrival():
            return "arrival", event.text or event.source
        case Landing():
            return "landing", f"{event.status}: {event.text}"
        case CallRecord() if event.status != "ok":
            kind = event.status if event.status in ("unknown", "garbled") else "failed"
            return kind, ": ".join(filter(None, (".".join(filter(None, (event.app, event.tool))), event.text)))
        case CallRecord() if event.writes:
            return "write", f"{event.app}.{event.tool}"
        case Message() if event.process:
            return "process", f"exit status {event.process.exit}"
        case _:
            return None


def _short(text: str) -> str:
    line = " ".join(text[:400].split())
    return line if len(line) <= 100 else f"{line[:99]}…"
