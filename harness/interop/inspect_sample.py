"""One trial as a sample of Inspect's log: its conversation, its events, its scores."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from inspect_ai.log import EvalError, EvalSample, EvalSampleLimit
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, ModelOutput, ModelUsage

from harness.core.config import Limits
from harness.core.suite import Scored
from harness.core.task import Task
from harness.core.trajectory import CallRecord, HandOver, Request, Trajectory
from harness.interop.inspect_events import Transcript
from harness.interop.inspect_messages import chat, model_of, used
from harness.interop.inspect_scores import as_inspect, target

__all__ = ("id_of", "sample", "usages")

_LIMITS = {"turns": "turn", "tokens": "token", "cost_usd": "cost", "seconds": "time", "context window": "context"}
"""Ours, and Inspect's word for it; others have none."""


def id_of(*parts: object) -> str:
    """An id of the length of Inspect's own, the same for the same parts."""
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:22]


def sample(scored: Scored, task: Task, *, limits: Limits, run: str, ended: datetime) -> EvalSample:
    """The trial. `run` is the identity of its run; `ended` is when it was over, from which its events are dated."""
    t = scored.trajectory
    uuid = id_of(run, t.agent, t.condition, t.task, t.trial)
    began = ended.astimezone(UTC) - timedelta(seconds=t.seconds + t.waited)
    scores = {} if t.status == "void" else {name: as_inspect(name, scored) for name in scored.scores}
    said = conversation(t, uuid)
    asked: list[ChatMessage] = [
        ChatMessageUser(id=id_of(uuid, "input", number), content=session.request, source="input")
        for number, session in enumerate(t.sessions)
    ]
    found = EvalSample(
        id=t.task,
        epoch=t.trial + 1,
        input=asked if len(asked) > 1 else "".join(message.text for message in asked),
        target=target(task),
        messages=said,
        output=_output(t, said),
        scores=scores,
        metadata=_metadata(t, task),
        store=_store(t),
        model_usage=usages(t),
        role_usage=usages(t, by_role=True),
        started_at=began.isoformat(),
        completed_at=(began + timedelta(seconds=t.seconds + t.waited)).isoformat(),
        total_time=t.seconds + t.waited,
        working_time=t.seconds,
        uuid=uuid,
        error=EvalError(message=t.reason, traceback=t.reason, traceback_ansi=t.reason) if t.status == "void" else None,
        limit=_limit(t, task, limits) if t.status == "limit" else None,
        turn_count=sum(call.purpose == "agent" for call in t.model_calls),
    )
    found.events = Transcript(t, found, began).events()
    return found


def conversation(t: Trajectory, uuid: str) -> list[ChatMessage]:
    """What was said, session after session; of an agent without a model its calls, as if one had made them.

    What subagents said is no part of it.
    """
    found: list[ChatMessage] = []
    times: Counter[str] = Counter()
    talks = {message.session for message in t.messages if not message.subagent}

    def add(role: str, content: str, calls: Sequence[Mapping[str, Any]] = (), call_id: str = "", **more: Any) -> None:
        message = chat(uuid, role, content, calls, call_id, **more)
        times[message.id] += 1
        if times[message.id] > 1:
            message = message.model_copy(update={"id": id_of(message.id, times[message.id])})
        found.append(message)

    for event in t.events:
        if event.subagent:
            continue
        if event.session in talks:
            if event.kind == "message":
                add(event.role, event.content, event.calls, event.call_id)
        elif isinstance(event, Request):
            add("user", event.text)
        elif isinstance(event, CallRecord):
            name, id = f"{event.app}_{event.tool}" if event.app else event.tool, f"call_{event.n}"
            add("assistant", "", [{"id": id, "name": name, "arguments": json.dumps(event.arguments)}])
            add("tool", event.text, call_id=id, function=name, failed=event.status != "ok")
        elif isinstance(event, HandOver):
            add("assistant", event.text)
            for asked in event.asked:
                add("user", asked.answer)
    if t.sessions and len(t.sessions) - 1 not in talks and t.sessions[-1].reply:
        add("assistant", t.sessions[-1].reply)
    return found


def usages(t: Trajectory, *, by_role: bool = False) -> dict[str, ModelUsage]:
    """What each model took, or each role (`agent`, `user`), in all tries."""
    found: dict[str, ModelUsage] = {}
    for each in (*t.tries, t):
        for call in each.model_calls:
            name = call.purpose if by_role else model_of(call)
            found[name] = found[name] + used(call.usage) if name in found else used(call.usage)
    return dict(sorted(found.items()))


def _output(t: Trajectory, said: Iterable[ChatMessage]) -> ModelOutput:
    """What the agent said last."""
    last = next((each for each in reversed([*said]) if isinstance(each, ChatMessageAssistant)), None)
    asked = [call for call in t.model_calls if call.purpose == "agent"]
    found = ModelOutput.from_message(last) if last else ModelOutput()
    return found.model_copy(update={"model": model_of(asked[-1]) if asked else t.agent})


def _limit(t: Trajectory, task: Task, limits: Limits) -> EvalSampleLimit:
    name = t.reason.removeprefix("limit reached: ")
    ours = name.removesuffix(" of the session")
    whose: Any = limits if ours == name else task.sessions[len(t.sessions) - 1].limits
    value = getattr(whose, ours, None) or 0
    return EvalSampleLimit(type=_LIMITS.get(ours, "custom"), limit=value, reason=t.reason)


def _metadata(t: Trajectory, task: Task) -> dict[str, Any]:
    """What there is to know of it beside what Inspect has a place for."""
    found: dict[str, Any] = {
        "agent": t.agent, "condition": t.condition, "prompt": t.prompt, "trial": t.trial, "seed": t.seed,
        "template": task.template, "facts": dict(task.facts), "task_hash": t.task_hash, "status": t.status,
        "reason": t.reason, "digest": t.digest, "world": t.world, "tries": len(t.tries) + 1,
        "withheld": [*task.withheld.get(t.prompt, ())], "cost_usd": t.usage.cost_usd,
    }  # fmt: skip
    return found | ({"forked_from": t.parent.model_dump(mode="json")} if t.parent else {})


def _store(t: Trajectory) -> dict[str, Any]:
    """The rows that differ at the end, `{app: {table: {id: values}}}`; None for one that was removed."""
    found: dict[str, Any] = {}
    for change in t.changes:
        found.setdefault(change.app, {}).setdefault(change.table, {})[change.id] = change.after
    return found
