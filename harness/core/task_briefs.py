"""Where slots, withheld values, briefs or ends of a task contradict each other, so that nothing could be measured."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from harness.core.near import near
from harness.core.task import Brief, Segment, Slot, Task, referred

__all__ = ("contradictions", "unknown_names", "wordings")


def contradictions(task: Task) -> Iterator[str]:
    """What no task can mean, one message each, which begins with the field: names of nothing, briefs of other words.

    `unknown_names` says the same of ends. Reading a task file refuses both; `wordings` are left to the audit.
    """
    slots = [slot.name for slot in task.slots]
    variants = sorted({name for session in task.sessions for name in session.requests})
    for variant, names in task.withheld.items():
        field = f"withheld.{variant}"
        for name in names:
            if name not in slots:
                yield f"{field}: {_no('slot', name, slots)}"
        if variant not in variants:
            yield f"{field}: {_no('request', variant, variants)}"
            continue
        briefs = {n: session.briefs[variant] for n, session in enumerate(task.sessions) if variant in session.briefs}
        if names and not briefs:
            yield f"sessions.0.briefs.{variant}: there is none, so nobody could tell what is withheld: {_listed(names)}"
        told = {segment.id for brief in briefs.values() for segment in brief.withheld}
        if briefs and (silent := [name for name in names if name not in told and name in slots]):
            yield (
                f"sessions.{min(briefs)}.briefs.{variant}.withheld: it lacks {_listed(silent)}, which {field} names; "
                f"take it up there with its slot, or out of {field}"
            )
    for n, session in enumerate(task.sessions):
        for variant, brief in session.briefs.items():
            yield from _brief(task, f"sessions.{n}.briefs.{variant}", variant, brief, session.requests)


def _brief(task: Task, field: str, variant: str, brief: Brief, requests: Mapping[str, str]) -> Iterator[str]:
    if variant not in requests:
        yield f"{field}: {_no('request', variant, sorted(requests))}"
    elif brief.sent != requests[variant]:
        yield f"{field}.sent: it is not the request {variant!r}; repeat that word for word: {requests[variant]!r}"
    if "original" in requests and brief.intent != requests["original"]:
        text = requests["original"]
        yield f"{field}.intent: it is not the request 'original'; repeat that word for word: {text!r}"
    if extra := [segment.id for segment in brief.withheld if segment.id not in task.withheld.get(variant, ())]:
        yield f"{field}.withheld: it has {_listed(extra)}, which withheld.{variant} does not name; name it there too"
    for part in ("withheld", "stated"):
        segments: Sequence[Segment] = getattr(brief, part)
        for m, segment in enumerate(segments):
            if segment.slot.name != segment.id:
                said = f"its slot is called {segment.slot.name!r} and its id is {segment.id!r}; they are the same name"
                yield f"{field}.{part}.{m}: {said}"
    ids = [segment.id for segment in (*brief.withheld, *brief.stated)]
    if twice := sorted({id for id in ids if ids.count(id) > 1}):
        yield f"{field}: it lists {_listed(twice)} twice; a value is withheld or stated, once"


def unknown_names(task: Task) -> Iterator[str]:
    """Names of new rows in accepted ends that no expected insert of the end has: such an end cannot be compared."""
    ends = [(f"ends.{n}", end) for n, end in enumerate(task.ends)]
    ends += [
        (f"sessions.{m}.ends.{n}", end) for m, session in enumerate(task.sessions) for n, end in enumerate(session.ends)
    ]
    for field, end in ends:
        names = [change.name for change in end.changes if change.op == "insert" and change.name]
        for n, change in enumerate(end.changes):
            for column, value in change.values.items():
                for name in referred(value):
                    if name not in names:
                        known = f"the end names {', '.join(names)}" if names else "the end gives no insert a `name`"
                        yield (
                            f"{field}.changes.{n}.values.{column}: no expected insert is named {name!r}."
                            f"{near(name, names)} To be referred to, an insert has a `name`; {known}"
                        )
        if twice := sorted({name for name in names if names.count(name) > 1}):
            yield f"{field}: two expected inserts are named {twice[0]!r}; give each a name of its own"


def wordings(task: Task) -> Iterator[str]:
    """What is wrong with the words of slots and requests, as `contradictions` has it.

    Letter case, white space and line breaks do not count. A slot with `others` may be withheld by a request that has
    its words: that says something else with them.
    """
    slots = {slot.name: slot for slot in task.slots}
    if task.withheld or any(session.briefs for session in task.sessions):
        requests = [session.requests["original"] for session in task.sessions if "original" in session.requests]
        for n, slot in enumerate(task.slots):
            if requests and not any(_has(text, slot.text) for text in requests):
                said = "does not stand word for word in the request 'original'"
                yield f"slots.{n}.text: {slot.text!r} ({slot.name}) {said}"
    for n, session in enumerate(task.sessions):
        for variant, brief in session.briefs.items():
            field = f"sessions.{n}.briefs.{variant}"
            for part in ("withheld", "stated"):
                segments: Sequence[Segment] = getattr(brief, part)
                for m, segment in enumerate(segments):
                    own = slots.get(segment.id)
                    yield from (f"{field}.{part}.{m}: {said}" for said in _segment(brief, segment.slot, own, part))


def _segment(brief: Brief, slot: Slot, own: Slot | None, part: str) -> Iterator[str]:
    if own is None:
        # What is no value of the request, as a remark beside it, is stated at most.
        if not _has(brief.sent, slot.text):
            yield f"no slot is named {slot.name!r}, and {slot.text!r} does not stand in `sent`; add it to `slots`"
        return
    if not _has(brief.intent, slot.text):
        yield f"{slot.text!r} ({slot.name}) does not stand word for word in `intent`"
    if not (_has(own.text, slot.text) or _has(slot.text, own.text)):
        yield f"{slot.name} is {slot.text!r} here and {own.text!r} in `slots`; write the same words"
    if slot.value != own.value:
        yield f"the value of {slot.name} is {slot.value!r} here and {own.value!r} in `slots`; write the same"
    if part == "withheld" and not slot.others and _has(brief.sent, slot.text):
        said = "is withheld and still stands in `sent`; take it out of the request, or state it"
        yield f"{slot.text!r} ({slot.name}) {said}"


def _has(text: str, words: str) -> bool:
    """Whether the words stand in a text, as words of their own."""
    text, words = (" ".join(each.casefold().split()) for each in (text, words))
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def _no(kind: str, name: str, known: Sequence[str]) -> str:
    return f"no {kind} is named {name!r}.{near(name, known)} There is {', '.join(known) or 'none'}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))
