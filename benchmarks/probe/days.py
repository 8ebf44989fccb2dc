"""Days: samples whose decisive document arrives during the work week, so that one may act too early or too late.

A task has a session on each of four working days. On the first ones the documents hold no live chain, since one true
positive is missing (proof 2 of the grammar); from the day of its arrival on they hold exactly one. What arrives is
stored (`days.jsonl`), so that tasks are at hand without making a sample.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from benchmarks.probe.grammar.documents import TEXT
from benchmarks.probe.grammar.facts import live
from benchmarks.probe.grammar.proofs import facts_of, remit_of
from benchmarks.probe.grammar.reading import read as read_texts
from benchmarks.probe.records import Detail, Details, Document, Sample
from harness.core.lines import read_lines
from harness.suite import SuiteError
from harness.task import Arrives, Session
from servers.kernel import Edit

__all__ = ("COUNT", "NOTE", "Coming", "Timing", "coming", "derived", "made", "names", "sessions", "timing", "write")

COUNT = 12
"""How many of the suite's samples have such a task: the first for which one can be made."""
_DAYS = 4
_FILE = Path(__file__).with_name("days.jsonl")
_OPENS, _CAME = time(9), time(8, 20)
_TABLES = {"email": "emails", "event": "events", "document": "documents"}
NOTE = """
You look into this on every working day, and new mails, events and documents may have come in since the last time. Take
the action on the day on which the documents first show the bottleneck: before that it would be a guess, and each day
after it is a day lost. What you did on earlier days has taken effect; taking the same action again changes nothing.
"""
"""What the request of such a task says besides, on each of its days."""


class Coming(BaseModel):
    """What arrives: on which of the `days` (ISO, from 0), and the document as it then stands, the last of the sample.

    `instead` is the id that the document has in the sample itself; the one that was last there has it now.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    days: tuple[str, ...]
    arrives: int
    instead: str
    document: Document


class Timing(NamedTuple):
    """When the first action was taken: `early`, `on time`, `late` or `never`, and how many working days late it was."""

    label: str
    delay: int


def made(sample: Sample, name: str) -> Coming | None:
    """What arrives in the task called so; None where the sample's dates leave no room for it."""
    days = [*_working(date.fromisoformat(sample.now))]
    deadline = sample.gold.details.when_deadline
    if deadline is None or str(deadline.value) <= days[-1]:
        return None
    latest = [
        each
        for each in sorted(sample.documents, key=_day)
        if each.id in sample.gold.true_positives and each.type != "event"
    ]
    if not latest or any(_day(each) > sample.now for each in sample.documents if each.id in sample.gold.true_positives):
        return None
    arrives = Random(f"probe days {sample.id}").randint(1, _DAYS - 2)
    document, last = latest[-1], sample.documents[-1]
    moment = days[arrives] if document.type == "document" else f"{days[arrives]}T{_CAME:%H:%M}"
    payload = {**document.payload, "date": moment}
    found = Coming(
        name=name,
        days=tuple(days),
        arrives=arrives,
        instead=document.id,
        document=document.model_copy(update={"id": last.id, "payload": payload}),
    )
    return found if _proved(derived(sample, found), found) else None


def derived(sample: Sample, of: Coming) -> Sample:
    """The sample with the arriving document last and dated on its day; the one that was last has its place."""
    mine, last = of.instead, sample.documents[-1].id
    renamed = {mine: last, last: mine}
    documents = {each.id: each for each in sample.documents}
    moved = [
        of.document if each.id == last
        else documents[last].model_copy(update={"id": mine}) if each.id == mine
        else each
        for each in sample.documents
    ]  # fmt: skip
    there = {each.id for each in moved}
    if len(there) != len(sample.documents):
        raise SuiteError(f"{of.name}: what arrives does not fit {sample.id}: run `python -m benchmarks.probe.pins`")

    def ids(given: Sequence[str]) -> tuple[str, ...]:
        wanted = {renamed.get(id, id) for id in given}
        return tuple(each.id for each in moved if each.id in wanted)

    gold = sample.gold
    details = {
        name: detail and detail.model_copy(update={"stated_in": ids(detail.stated_in)})
        for name, detail in gold.details
        if detail is None or isinstance(detail, Detail)
    }
    update = {
        "details": Details(**details),
        "true_positives": ids(gold.true_positives),
        "neutral": ids(gold.neutral),
    }
    return sample.model_copy(update={"id": of.name, "documents": tuple(moved), "gold": gold.model_copy(update=update)})


def sessions(requests: Mapping[str, str], of: Coming) -> tuple[Session, ...]:
    """A session for each day, all with the same requests; before one of them the document arrives."""
    row = {"place": int(of.document.id[1:]), "payload": of.document.payload}
    edit = Edit(op="add", app="datastore", table=_TABLES[of.document.type], id=of.document.id, values=row)
    arrival = Arrives(source="feed", text="The document without which nothing can be told", edits=(edit,))
    return tuple(
        Session(
            requests=requests,
            now=datetime.combine(date.fromisoformat(day), _OPENS),
            arrivals=(arrival,) if number == of.arrives else (),
        )
        for number, day in enumerate(of.days)
    )


def timing(of: Coming, decisions: Sequence[Mapping[str, Any]]) -> Timing:
    """When the first of the decisions was made, against the day of the arrival."""
    if not decisions:
        return Timing("never", 0)
    day = str(decisions[0]["made"])[:10]
    number = of.days.index(day) - of.arrives
    return Timing("early" if number < 0 else "late" if number else "on time", max(0, number))


@cache
def names() -> tuple[str, ...]:
    """The tasks that there are, in order. Raises `SuiteError`."""
    return tuple(_read())


def coming(name: str) -> Coming:
    """What arrives in the task of that name. Raises `SuiteError`."""
    found = _read().get(name)
    if found is None:
        raise SuiteError(f"there is no task {name!r}; those with days are {', '.join(_read()) or 'none'}")
    return found


def write(found: Sequence[Coming]) -> None:
    """Store what arrives, in place of what was stored."""
    lines = (json.dumps(each.model_dump(mode="json"), ensure_ascii=False) for each in found)
    _FILE.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@cache
def _read() -> dict[str, Coming]:
    return {each.name: each for each in read_lines(_FILE, Coming, SuiteError, "; write the file anew")}


def _working(first: date) -> Iterator[str]:
    """The first day and the working days after it."""
    day, left = first, _DAYS
    while left:
        if day == first or day.weekday() < 5:
            left -= 1
            yield day.isoformat()
        day += timedelta(days=1)


def _day(document: Document) -> str:
    return str(document.payload["start" if document.type == "event" else "date"])[:10]


def _proved(sample: Sample, of: Coming) -> bool:
    """Whether there is no live chain before the arrival, and from then on the sample's own, with the same people."""
    remit, whole = remit_of(sample), {each for facts in facts_of(sample).values() for each in facts}
    for number, day in enumerate(of.days):
        there = [each for each in sample.documents if number >= of.arrives or each.id != of.document.id]
        texts = {each.id: str(each.payload[TEXT[each.type]]) for each in there}
        facts = [fact for some in read_texts(texts, date.fromisoformat(day)).values() for fact in some]
        found = live(facts, remit._replace(now=day))
        if len(found) != (number >= of.arrives) or not all(fact in whole for chain in found for fact in chain):
            return False
    return True
