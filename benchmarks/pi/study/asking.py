"""What is asked of a session once more: what became of each intent, and whether each item is met.

The run has decided all of it, intents and most items by rule, some items by a judge; whoever fills in a form reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks.pi.playing import Unit
from benchmarks.pi.predicates import File, Mail, Predicate, Row, Said, Seen, Was, parts
from benchmarks.pi.scoring import STATUSES, evidence, query
from benchmarks.pi.session import Intent, Item, Session
from benchmarks.pi.view import TrialView, message, of_trajectory
from harness.judging.study.pairs import Pair
from harness.record.store import Run, TrialRecord
from harness.score import Query
from harness.suite import Suite
from harness.trajectory import AnswerRecord, CallRecord, HandOver, QuestionRecord, Request

__all__ = ("INTENT", "RUBRIC", "RULE", "asked", "candidates")

INTENT: Final = "intent"
RUBRIC: Final = "rubric"
RULE: Final = "rule"
"""What a question is about: an intent, an item that a judge decides, or one that a rule decides."""

_BECAME: Final = {
    "completed": "the assistant had acted on it before the person said it",
    "inferred": "the person said it because the assistant asked for it",
    "provided": "the person said it, and the assistant had not asked for it",
    "open": "the person never said it, and the assistant had not acted on it",
}


def candidates(run: Run, suite: Suite, units: Mapping[str, Unit], records: Iterable[TrialRecord]) -> list[Pair]:
    """Every session of a run's trials that are not void, with what the run says of it; that of a judge once it has."""
    found = []
    for record in records:
        t = record.trajectory
        if t.status == "void":
            continue
        unit = units[t.task]
        views = of_trajectory(t, suite.load_world(suite.task(t.task).world), len(unit.sessions))
        criteria = {each.name: each.value for each in record.scores["outcome"].criteria}
        statuses = record.scores["proc"].detail["statuses"]
        for session, seen, became in zip(unit.sessions, views, statuses, strict=True):
            known = {_of(session, name): status for name, status in became.items()}
            known |= {
                id: "yes" if value >= 0.5 else "no"
                for item in session.checklist
                for id in [f"{session.id}.{item.id}"]
                if (value := criteria[id]) is not None
            }
            found.append(
                Pair(
                    run=str(run.folder), agent=t.agent, condition=t.condition, task=t.task, trial=t.trial,
                    part=session.id, queries=tuple(asked(session, seen[-1])), known=known,
                )
            )  # fmt: skip
    return found


def asked(session: Session, view: TrialView) -> Iterator[Query]:
    """A question for each intent and each item of a session that has ended."""
    story = "\n\n".join(_told(view.events))
    for intent in session.intents:
        yield _intent(session, intent, story)
    for item in session.checklist:
        yield _item(session, item, view)


def _of(session: Session, intent: str) -> str:
    """An intent may be called as an item is."""
    return f"{session.id}.intent-{intent}"


def _intent(session: Session, intent: Intent, story: str) -> Query:
    choice = "\n".join(f"{status}: {_BECAME[status]}." for status in STATUSES)
    text = f"The person had this in mind and did not say it at first: {intent.text}\nWhat became of it?\n{choice}"
    worth = {status: float(status in ("completed", "inferred")) for status in STATUSES}
    return Query(
        id=_of(session, intent.id), criterion=INTENT, text=text, evidence=story, kind="label", labels=worth
    )  # fmt: skip


def _item(session: Session, item: Item, view: TrialView) -> Query:
    if item.rubric:
        return query(session, item, item.rubric, view).model_copy(update={"criterion": RUBRIC})
    checked = parts(item.check) if item.check else ()
    shown = dict.fromkeys(part for each in checked for part in _shown(each, view))
    text = f"{item.text}\nYes: it is so at the end of the session.\nNo: it is not, or only in part."
    return Query(id=f"{session.id}.{item.id}", criterion=RULE, text=text, evidence="\n\n".join(shown))


def _shown(predicate: Predicate, view: TrialView) -> Iterator[str]:
    """What a rule looks at: messages, files, and the rows that the session changed or that fit anyway."""
    match predicate:
        case Said():
            yield from evidence("said", view)
        case File():
            yield from evidence(f"file:{predicate.path}", view)
        case Mail():
            yield from _rows("gmail", "emails", view)
            yield from (_call(each) for each in _wrote(view.events) if each.app == "gmail")
        case Row():
            yield from _rows(predicate.app, predicate.table, view, predicate)
        case Was():
            yield from _rows(predicate.app, predicate.table, view)
            yield from _calls(view.events)
        case Seen():
            yield from _calls(view.events)


def _rows(app: str, table: str, view: TrialView, wanted: Row | None = None) -> Iterator[str]:
    before, after = view.began.get((app, table), {}), view.ended.get((app, table), {})
    changed = False
    for id, row in after.items():
        if before.get(id) != row:
            changed = True
            yield f"{app}.{table} {id}, {'changed' if id in before else 'new'}: {_json(row)}"
        elif wanted and wanted.fits(row):
            yield f"{app}.{table} {id}, as it was before the session: {_json(row)}"
    for id in sorted(before.keys() - after.keys()):
        changed = True
        yield f"{app}.{table} {id}, removed; it was: {_json(before[id])}"
    if not changed:
        yield f"The session changed nothing in {app}.{table}."


def _told(events: Sequence[object]) -> Iterator[str]:
    """The session as it went: what was said, and each call that wrote."""
    for event in events:
        match event:
            case Request():
                yield f"{event.source.capitalize() if event.source else 'The person'}: {event.text}"
            case HandOver() | QuestionRecord():
                yield f"The assistant: {message(event)}"
            case AnswerRecord():
                yield f"The person: {event.text}"
            case CallRecord() if event.writes and event.tool != "log_in":
                yield _call(event)


def _wrote(events: Sequence[object]) -> Iterator[CallRecord]:
    yield from (event for event in events if isinstance(event, CallRecord) and event.writes)


def _calls(events: Sequence[object]) -> Iterator[str]:
    """Every call that went through, in order."""
    yield from (
        f"{_call(event)}\nIt returned: {event.text}"
        for event in events
        if isinstance(event, CallRecord) and event.status == "ok"
    )


def _call(call: CallRecord) -> str:
    return f"The assistant used {call.app}.{call.tool}: {_json(call.arguments)}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
