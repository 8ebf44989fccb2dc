"""The events of a trial as Inspect's transcript has them: model calls, tool calls, and the rows that they changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.event import (
    ErrorEvent,
    Event,
    InfoEvent,
    ModelEvent,
    SampleInitEvent,
    SampleLimitEvent,
    ScoreEvent,
    SpanBeginEvent,
    SpanEndEvent,
    StoreEvent,
    ToolEvent,
)
from inspect_ai.log import EvalSample
from inspect_ai.model import GenerateConfig
from inspect_ai.tool import ToolCallError

from harness.core.trajectory import (
    AnswerRecord,
    Arrival,
    CallRecord,
    HandOver,
    Landing,
    Message,
    ModelCall,
    QuestionRecord,
    Request,
    Trajectory,
    Write,
)
from harness.interop.inspect_messages import model_of, offered, reply, sent, used

__all__ = ("Transcript",)

_UNREAD = ("invalid", "unknown", "garbled")


class Transcript:
    """Makes the events of one trial. `sample` is its sample, but for them; `began` is when it began."""

    def __init__(self, t: Trajectory, sample: EvalSample, began: datetime) -> None:
        self._t, self._sample, self._began = t, sample, began
        self._over = t.seconds + t.waited
        self._trial = str(sample.uuid)
        self._events: list[Event] = []
        self._ids = count()
        self._within: list[str] = []
        self._rows = {(each.app, each.table, each.id): each.before for each in t.changes}
        self._calls: dict[int, list[Mapping[str, Any]]] = {}
        self._at_work = 0
        self._tools: dict[int, Any] = {}

    def events(self) -> list[Event]:
        """All of them, in spans: a session each, and in them the calls."""
        t, sample = self._t, self._sample
        self._add(
            SampleInitEvent, 0,
            sample=Sample(id=sample.id, input=sample.input, target=sample.target, metadata=sample.metadata),
        )  # fmt: skip
        for number, earlier in enumerate(t.tries, start=1):
            self._info(0, f"try {number}", f"given up: {earlier.status}: {earlier.reason}")
        self._begin("solvers", "solvers", 0)
        for number, _ in enumerate(t.sessions):
            own = [event for event in t.events if event.session == number]
            start = own[0].start if own else 0
            self._begin(f"session {number + 1}", "agent", start)
            self._calls = {}
            for event in own:
                self._changed_over(event)
                self._told(event)
            if self._at_work:  # a call that broke off is not on record
                self._end(own[-1].start + own[-1].duration)
                self._at_work = 0
            self._end(own[-1].start + own[-1].duration if own else start)
        self._end(self._over)
        self._outcome()
        return self._events

    def _changed_over(self, event: Any) -> None:
        """What a subagent does is in a span of its own; rows arrive meanwhile, too."""
        if event.subagent != self._at_work and not isinstance(event, Arrival | Landing):
            if self._at_work:
                self._end(event.start)
            if event.subagent:
                self._begin(f"subagent {event.subagent}", "agent", event.start)
            self._at_work = event.subagent

    def _told(self, event: Any) -> None:
        at = event.start
        match event:
            case Request():
                self._info(at, event.source or "request", {"now": event.now, "text": event.text})
            case Message(role="assistant"):
                self._calls[event.subagent] = [*event.calls]
            case ModelCall():
                self._model(event)
            case QuestionRecord():
                said: dict[str, Any] = {"question": event.text, "context": event.context, "strategy": event.strategy}
                self._info(at, "question", {**_there(said), **_there({"candidates": [*event.candidates]})})
            case AnswerRecord():
                what = {"targets": [*event.targets], "revealed": [*event.revealed], "goes_on": event.goes_on}
                self._info(at, "answer", {"answer": event.text, **what})
            case HandOver():
                self._info(at, "end of turn", event.text)
            case CallRecord():
                self._call(event)
            case Landing():
                self._info(at, "late effect", {"of call": event.step, "status": event.status, "result": event.text})
                self._rows_written(at, event.writes)
            case Arrival():
                self._info(at, f"arrival from a {event.source}", event.text)
                self._rows_written(at, event.writes)

    def _model(self, call: ModelCall) -> None:
        model, tools = model_of(call), call.request.get("tools")
        if id(tools) not in self._tools:
            self._tools[id(tools)] = offered(tools)
        output = reply(self._trial, model, call.response)
        output.usage = used(call.usage)
        output.time = call.duration
        self._add(
            ModelEvent, call.start,
            model=model, role=None if call.purpose == "agent" else call.purpose,
            input=sent(self._trial, call.request.get("messages")), tools=self._tools[id(tools)], tool_choice="auto",
            config=GenerateConfig(), output=output, retries=call.attempts - 1 or None, error=call.problem or None,
            completed=self._time(call.start + call.duration), working_time=call.duration,
        )  # fmt: skip

    def _call(self, call: CallRecord) -> None:
        """A call in a span of its own, with the rows that it wrote."""
        own = f"{call.app}_{call.tool}" if call.app else call.tool
        calls = self._calls.get(call.subagent)
        given = calls.pop(0) if calls else {}
        name, failed = str(given.get("name") or own), call.status not in ("ok", "disturbed")
        error = ToolCallError("parsing" if call.status in _UNREAD else "unknown", call.text) if failed else None
        about: dict[str, Any] = {"n": call.n, "app": call.app, "tool": call.tool, "status": call.status}
        if call.disturbance:
            about["disturbance"] = call.disturbance.model_dump(mode="json")
        self._begin(name, "tool", call.start)
        self._add(
            ToolEvent, call.start,
            id=str(given.get("id") or f"call_{call.n}"), function=name, arguments=call.arguments, result=call.text,
            error=error, completed=self._time(call.start + call.duration), working_time=call.duration,
            failed=True if call.status in ("defect", "fault") else None, metadata=about,
        )  # fmt: skip
        self._rows_written(call.start + call.duration, call.writes)
        self._end(call.start + call.duration)

    def _rows_written(self, at: float, writes: Iterable[Write]) -> None:
        """Rows as parts of the sample's store, `/app/table/id`; what one was before is told where the record says."""
        changes = []
        for write in writes:
            key = (write.app, write.table, write.id)
            known = key in self._rows
            before, self._rows[key] = self._rows.get(key), write.values
            op = "remove" if write.values is None else "add" if known and before is None else "replace"
            path = "/" + "/".join(part.replace("~", "~0").replace("/", "~1") for part in key)
            changes.append({"op": op, "path": path, "value": write.values, "replaced": before})
        if changes:
            self._add(StoreEvent, at, changes=changes)

    def _outcome(self) -> None:
        t, sample = self._t, self._sample
        if sample.limit:
            kind = "custom" if sample.limit.type == "context" else sample.limit.type
            self._add(SampleLimitEvent, self._over, type=kind, message=t.reason, limit=sample.limit.limit)
        if sample.error:
            self._add(ErrorEvent, self._over, error=sample.error)
        elif t.status == "crashed":
            self._info(self._over, "crashed", t.reason)
        self._begin("scorers", "scorers", self._over)
        for name, score in (sample.scores or {}).items():
            self._begin(name, "scorer", self._over)
            self._add(ScoreEvent, self._over, score=score, target=sample.target, scorer=name)
            self._end(self._over)
        self._end(self._over)

    def _begin(self, name: str, kind: str, at: float) -> None:
        id, parent = self._id(), self._within[-1] if self._within else None
        self._within.append(id)
        self._add(SpanBeginEvent, at, id=id, parent_id=parent, type=kind, name=name)

    def _end(self, at: float) -> None:
        self._add(SpanEndEvent, at, id=self._within[-1])
        self._within.pop()

    def _info(self, at: float, source: str, data: Any) -> None:
        self._add(InfoEvent, at, source=source, data=data)

    def _add(self, kind: Any, at: float, **fields: Any) -> None:
        within = self._within[-1] if self._within else None
        self._events.append(
            kind(uuid=self._id(), span_id=within, timestamp=self._time(at), working_start=max(at, 0.0), **fields)
        )

    def _id(self) -> str:
        return hashlib.sha256(f"{self._trial} {next(self._ids)}".encode()).hexdigest()[:22]

    def _time(self, seconds: float) -> datetime:
        return self._began + timedelta(seconds=seconds)


def _there(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value}
