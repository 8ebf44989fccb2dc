"""Tasks and trials as text for people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from harness.cli.typed import typed
from harness.core.counts import dollars
from harness.core.suite import Suite
from harness.core.task import Arrives, Expected, Session, Task
from harness.core.trajectory import (
    Arrival,
    Asked,
    CallRecord,
    HandOver,
    Landing,
    Message,
    Request,
    Trajectory,
    Write,
)
from harness.play.wording import event_text
from harness.record.store import TrialRecord
from harness.record.troubles import CUT_SHORT
from servers.kernel import Change

__all__ = ("of_change", "of_changes", "of_task", "of_trial")

_SHORT = 160
"""Characters of a result or a value before it is cut."""

_LAST_LINES = 20
_WIDEST = 300
"""Of a program's standard error: lines, and characters of each."""

_FEW = 5
"""Rows of a setup that are listed before the request; of more their number is told, so that the request is in sight."""

_DEEP = "\n       "
_INDENT = "\n    "
"""Between the lines of a request, or of what was said: none of them is taken for one of ours."""


def of_task(suite: Suite, task: Task) -> str:
    """A task: what is asked, what may be withheld, how it is done and what counts as done."""
    return "\n".join(_task(suite, task))


def of_trial(record: TrialRecord) -> str:
    """A trial step by step: messages, calls with what they wrote and revealed, final changes, scores."""
    return "\n".join(_trial(record))


def of_changes(changes: Iterable[Change]) -> str:
    """What differs from the start, one row a line."""
    return "\n".join(_indented(changes)) or "  none"


def of_change(change: Change) -> str:
    """A row that differs, as a line: of an update what each field was and is, else the row; long values cut."""
    before, after = change.before or {}, change.after or {}
    if change.op == "update":
        fields = [f"{name}: {_value(before.get(name))} -> {_value(value)}" for name, value in change.fields.items()]
    else:
        fields = [f"{name}: {_value(value)}" for name, value in (after or before).items() if value is not None]
    return f"{change.op} {change.app}.{change.table} {change.id}  {', '.join(fields)}"


def _indented(changes: Iterable[Change]) -> Iterator[str]:
    return (f"  {of_change(change)}" for change in changes)


def _value(value: Any) -> str:
    return _short(json.dumps(value, ensure_ascii=False), 80)


def _task(suite: Suite, task: Task) -> Iterator[str]:
    yield f"{task.id}, of {suite.name} (version {suite.version})"
    yield f"world {task.world}, apps {', '.join(task.apps)}, template {task.template or '-'}"
    hidden = suite.hidden(task) if suite.hidden else None
    for number, session in enumerate(task.sessions):
        yield from _session(number, session)
        if hidden:
            yield "  Held back, and how it is told:"
            yield from (
                f"    {each.id}: {each.text} {_short(json.dumps(each.says, ensure_ascii=False), 200)}"
                for each in hidden.sessions[number]
            )
        if hidden and hidden.items:
            yield "  Done when:"
            yield from (f"    {item}" for item in hidden.items[number])
    if task.setup:
        yield "\nBefore it starts:"
        yield from (f"  {e.op} {e.app}.{e.table} {e.id} {_short(e.values)}" for e in task.setup)
    if task.slots:
        yield "\nSlots:"
        for slot in task.slots:
            gone = [prompt for prompt, names in task.withheld.items() if slot.name in names]
            marks = f"criticality {slot.criticality:g}, guessability {slot.guessability:g}"
            what = f"{slot.dimension}/{slot.subdimension}; " if slot.dimension else ""
            withheld = f", withheld in {', '.join(gone)}" if gone else ""
            yield f"  {slot.name} = {slot.text!r} ({what}{marks}{withheld})"
    yield "\nReference calls:"
    yield from [f"  {_call(c.app, c.tool, c.arguments)}{' -> ' * bool(c.bind)}{c.bind}" for c in task.solution] or [
        "  none"
    ]
    for number, end in enumerate(task.ends, start=1):
        yield f"\nDone when{f' (accepted end {number})' if len(task.ends) > 1 else ''}:"
        yield from [f"  {_expected(change)}" for change in end.changes] or ["  nothing has changed"]
    touched = tuple(f"{change.app}.{change.table}." for end in task.ends for change in end.changes)
    for name, fields in (("compared as text", task.compare.text), ("not compared", task.compare.free)):
        if concerned := sorted(field for field in fields if field.startswith(touched)):
            yield f"  {name}: {', '.join(concerned)}"
    if task.facts:
        yield f"\nFacts: {_short(dict(task.facts), 1000)}"


def _session(number: int, session: Session) -> Iterator[str]:
    yield f"\nSession {number}{f', now {session.now.isoformat()}' if session.now else ''}:"
    if session.event:
        yield from ("  " + line for line in event_text(session.event).splitlines())
    for prompt, text in session.requests.items():
        yield f"  [{prompt}] {_block(text)}"
    for prompt, brief in session.briefs.items():
        withheld = ", ".join(f"{segment.id} {segment.value!r}" for segment in brief.withheld)
        yield f"  the user of [{prompt}] knows what is withheld: {withheld or 'nothing'}"
    for arrival in session.arrivals:
        yield f"  arrives {_moment(arrival)}, from a {arrival.source}{': ' * bool(arrival.text)}{_block(arrival.text)}"
        yield from (f"    {e.op} {e.app}.{e.table} {e.id} {_short(e.values)}" for e in arrival.edits)


def _moment(arrival: Arrives) -> str:
    if arrival.before:
        return "before it"
    if arrival.after_call is not None:
        return f"after call {arrival.after_call}"
    return f"after hand-over {arrival.after_hand_over}"


def _expected(change: Expected) -> str:
    name = f"as {change.name}" if change.name else ""
    values = _short(change.values, 400) if change.values else ""
    return " ".join(filter(None, (change.op, f"{change.app}.{change.table}", change.id, name, values)))


def _trial(record: TrialRecord) -> Iterator[str]:
    t = record.trajectory
    yield f"{t.agent} on {t.task} of {t.suite}, condition {t.condition} (prompt {t.prompt}), trial {t.trial}"
    yield f"{t.status}{': ' * bool(t.reason)}{_block(t.reason)}; {t.seconds:g} s over {t.transport}, seed {t.seed}"
    if t.parent:
        yield f"forked from {t.parent.run}, {t.parent.trial}, before call {t.parent.step}"
    for number, earlier in enumerate(t.tries, start=1):
        yield f"try {number} was given up: {earlier.status}{': ' * bool(earlier.reason)}{_block(earlier.reason)}"
    if t.start:
        arrived = any(isinstance(event, Arrival) for event in t.events)
        told = f"\nChanged before the start{', and arrived since' * arrived}:"
        if len(t.start) > _FEW:
            yield f"{told} {len(t.start)} rows (`{typed('show', f'{t.suite}:{t.task}')}` lists them)"
        else:
            yield told
            yield from _indented(t.start)
    for number, session in enumerate(t.sessions):
        yield f"\nSession {number}, now {session.now}"
        yield from _steps(t, number)
        if session.reply:
            yield f"  agent ends with: {_short(session.reply, 1000)}"
    if t.status == "crashed":
        yield from _last_words(t)
    yield "\nFinal changes:"
    yield of_changes(t.changes)
    yield f"  digest {t.digest[:12]}"
    yield "\nScores:"
    for name, score in record.scores.items():
        value = "unscored" if score.value is None else f"{score.value:g}"
        label = score.label if score.label != value else ""
        yield f"  {name}: {value}{', ' * bool(label)}{label}{': ' * bool(score.reason)}{_block(score.reason)}"
        yield from (f"    {key}: {_short(detail)}" for key, detail in score.detail.items())
        for each in score.criteria:
            found = "unscored" if each.value is None else f"{each.value:g}"
            yield f"    {each.name} (weight {each.weight:g}): {found}{': ' * bool(each.reason)}{_short(each.reason)}"
    if t.usage.prompt_tokens or t.usage.completion_tokens:
        cost = "unknown" if t.usage.cost_usd is None else dollars(t.usage.cost_usd)
        yield f"\n{t.usage.prompt_tokens} + {t.usage.completion_tokens} tokens, cost {cost}"


def _steps(t: Trajectory, session: int) -> Iterator[str]:
    """What was said and called in a session, in order; of a reply of a model what it said beside its calls."""
    for event in t.events:
        if event.session != session:
            continue
        match event:
            case Request():
                yield f"  {event.source or 'user'}: {_block(event.text)}"
            case Arrival():
                yield f"  arrives, from a {event.source}{': ' * bool(event.text)}{_short(event.text)}"
                yield from _written(event.writes)
            case Message(role="assistant"):
                who = f"subagent {event.subagent}" if event.subagent else "agent"
                if event.content and event.calls:
                    yield f"  {who}: {_short(event.content, 600)}"
                if event.ended:
                    yield f"  this reply of the {who} was {CUT_SHORT[event.ended]}"
            case CallRecord():
                yield from _called(event)
            case Landing():
                yield f"  late effect of call {event.step}: {event.status}: {_short(event.text)}"
                yield from _written(event.writes)
            case HandOver() if event.asked and event.asked[0].goes_on:
                yield f"  {event.n}. {_call('user', 'end_of_turn', {})}"
                yield f"     {_short(event.asked[0].answer)}"
                yield from _questions(event.asked)


def _last_words(t: Trajectory) -> Iterator[str]:
    """What a program said last on standard error, where the agent is one."""
    programs = [message.process for message in t.messages if message.process]
    if programs and (lines := programs[-1].stderr.rstrip().splitlines()):
        left_out = len(lines) - _LAST_LINES
        yield f"\nStandard error of the program{f', without its first {left_out} lines' if left_out > 0 else ''}:"
        yield from (f"  {line[:_WIDEST]}" for line in lines[-_LAST_LINES:])


def _called(call: CallRecord) -> Iterator[str]:
    whose = f"subagent {call.subagent}: " if call.subagent else ""
    yield f"  {call.n}. {whose}{_call(call.app, call.tool, call.arguments)}"
    status = f"{call.status} ({call.disturbance.kind})" if call.disturbance else call.status
    yield f"     {'' if status == 'ok' else status + ': '}{_short(call.text)}"
    yield from _questions(call.asked)
    yield from _written(call.writes)


def _written(writes: Iterable[Write]) -> Iterator[str]:
    for write in writes:
        what = "removed" if write.values is None else f"wrote {_short(write.values)}"
        yield f"     {write.app}.{write.table} {write.id}: {what}"


def _questions(questions: Iterable[Asked]) -> Iterator[str]:
    for asked in questions:
        yield f"     asked{f' ({asked.strategy})' if asked.strategy else ''}: {_block(asked.text, _DEEP)}"
        if asked.candidates:
            yield f"     offered: {_block('; '.join(asked.candidates), _DEEP)}"
        yield f"     answer: {_block(asked.answer, _DEEP)}"
        targets, revealed = (", ".join(ids) or "nothing" for ids in (asked.targets, asked.revealed))
        yield f"     targeted {targets}; revealed {revealed}"


def _call(app: str, tool: str, arguments: Mapping[str, Any]) -> str:
    given = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())
    return f"{app}.{tool}({given})" if app else f"{tool}({given})"


def _block(text: str, between: str = _INDENT) -> str:
    return between.join(text.splitlines())


def _short(value: Any, most: int = _SHORT) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"
