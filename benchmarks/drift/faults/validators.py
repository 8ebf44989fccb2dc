"""What a faulty request has to pass before it is played. Each is a function that raises `Fails` with its own name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from benchmarks.drift.drawn import Drawn, slot_of
from benchmarks.drift.faults.catalogue import NAMES
from benchmarks.drift.faults.literal import literally
from benchmarks.drift.faults.predicates import predicate
from benchmarks.drift.frames import Variant
from benchmarks.drift.need import ADDED, NEEDY, cost_of, ending, outcome_of
from benchmarks.drift.template import Fault, Mention, Slot
from benchmarks.lhaw.leaks import Leak, forms, found, plain

__all__ = ("VALIDATORS", "Fails", "validate")

_OPEN: Final[frozenset[Fault]] = frozenset({"A3", "E2"})
"""Their words hold the value beside another reading: that is the fault."""
_NEAR: Final[frozenset[Fault]] = frozenset({"P1", "P2", "P3", "P4", "E1", "E3"})
"""Their words stand near the value (a misspelt name, a surname): it counts as said where it is said whole."""


class Fails(Exception):
    """A faulty request that does not pass. The text names validator, fault and task."""

    def __init__(self, validator: str, fault: Fault, task: str, reason: str) -> None:
        self.validator, self.fault, self.reason = validator, fault, reason
        super().__init__(f"{validator}: {fault} ({NAMES[fault]}) of {task}: {reason}")


def validate(task: Drawn, variant: Variant, mention: Mention, slot: Slot | None) -> None:
    """Put a variant to all validators. Raises `Fails` of the first that refuses it."""
    for name, check in VALIDATORS.items():
        if reason := check(task, variant, mention, slot):
            raise Fails(name, mention.fault, task.id, reason)


def readable(task: Drawn, variant: Variant, mention: Mention, slot: Slot | None) -> str:
    """It differs from the request, begins with a capital or figure, ends like a sentence, and has no blanks."""
    text = variant.text
    if plain(text) == plain(task.text):
        return "it says the same as the request"
    if odd := re.search(r"[{}]|\s\s|\s[,.?!;]|[,;:]$|\bNone\b|\.\.|\b(\w+) \1\b(?<!that that)(?<!had had)", text):
        return f"it has {odd[0]!r} in it"
    if text[:1].islower() or text[-1:] not in ".?!)\"'":
        return "it does not begin and end like a sentence"
    return ""


def quoted(task: Drawn, variant: Variant, mention: Mention, slot: Slot | None) -> str:
    """The words that were added, or that took a value's place, stand in it."""
    words = variant.added or variant.mention
    return "" if _folded(words) in _folded(variant.text) else f"{words!r} does not stand in it"


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def others_verbatim(task: Drawn, variant: Variant, mention: Mention, slot: Slot | None) -> str:
    """The values of all other slots are there word for word."""
    gone = variant.strategy.slots
    lost = [
        f"{each.id} ({task.values[each.id].text!r})"
        for each in task.template.slots
        if each.id not in gone
        and task.values[each.id].text.casefold() in task.text.casefold()
        and task.values[each.id].text.casefold() not in variant.text.casefold()
    ]
    return f"it lost {', '.join(lost)}" if lost else ""


def hidden(task: Drawn, variant: Variant, mention: Mention, slot: Slot | None) -> str:
    """A value that it hides is nowhere in it, in whatever form."""
    if slot is None or not variant.hidden or mention.fault in _OPEN:
        return ""
    if slot.kind == "action" or mention.fault in _NEAR:
        leak = _whole(variant.text, task, slot)
    else:
        leak = found(variant.text, slot_of(task, slot), _now(task))
    return f"it gives {slot.id} away: {leak}" if leak else ""


def _whole(text: str, task: Drawn, slot: Slot) -> Leak | None:
    searched = plain(text)
    own = slot_of(task, slot)
    for form in (own.text, *(forms(own, _now(task)) if slot.kind in ("date", "quantity") else ())):
        shape = plain(form)
        if shape and re.search(rf"(?<![\w.:]){re.escape(shape)}(?![\w:]|\.\d)", searched):
            return Leak(form, shape)
    return None


def _now(task: Drawn) -> datetime:
    return task.place.world(task.template.world).now


def not_derivable(task: Drawn, variant: Variant, mention: Mention, slot: Slot | None) -> str:
    """What else it says leaves more than one value for a slot that it hides, and describes none of them alone."""
    if slot is None or not variant.hidden:
        return ""
    domain = [value.value for value in slot.domain(task.rows, task.values)]
    if len({repr(value) for value in domain}) < 2:
        return f"the other values leave one for {slot.id}"
    if mention.fault in _OPEN or variant.need not in NEEDY or slot.kind not in ("entity", "filter"):
        return ""
    told = predicate(task.rows, task.values[slot.id].value, domain, variant.text)
    return f"nothing but the {slot.id} has the {told}" if told else ""


def as_declared(task: Drawn, variant: Variant, mention: Mention, slot: Slot | None) -> str:
    """`k`, `luck` and need are what they come to when they are worked out again."""
    again = cost_of(task.template, task.rows, task.values, slot, mention)
    declared = (variant.k, variant.luck, variant.need)
    came = (again.k, again.luck, again.need)
    return f"it declares {declared}, and it comes to {came}" if declared != came else ""


def false_as_said(task: Drawn, variant: Variant, mention: Mention, slot: Slot | None) -> str:
    """Of a thing that is in that state already, something shows it to whoever does what is said to the letter.

    The tools refuse that, or it changes nothing, or the words claim a state that the thing is not in. Else whoever does
    it has done what was asked, and has no reason to think that anything else was meant.
    """
    if mention.fault != "P3" or slot is None:
        return ""
    if mention.said is None:
        return "it does not say which value its words name (`said`)"
    outcome = outcome_of(task.template, task.rows, task.values, slot.id, mention.said)
    could_be = [value.value for value in slot.domain(task.rows, task.values)]
    if outcome is not None and outcome.changes and mention.said in could_be:
        return f"{mention.said!r} is not in that state: what it says is a task like any other"
    if mention.state:
        return "" if _folded(mention.state) in _folded(variant.text) else f"it does not say {mention.state!r}"
    if literally(task, slot, mention.said) == "changes":
        return "it can be done as it is said, and neither the tools nor its words show that it was not meant"
    return ""


def adds_only(task: Drawn, variant: Variant, mention: Mention, slot: Slot | None) -> str:
    """Words that are only added leave the request as it is, and speak of none of its values."""
    if mention.fault not in ADDED:
        return ""
    if task.text not in variant.text:
        return "the request is not in it word for word"
    for each in task.template.slots:
        value = plain(task.values[each.id].text)
        if len(value) > 1 and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", plain(mention.text)):
            return f"what it adds speaks of {each.id}"
    return ""


def reaches(task: Drawn, variant: Variant, mention: Mention, slot: Slot | None) -> str:
    """Told what the user can tell, a reader comes to the outcome that was meant, and to no other."""
    for reveal in variant.strategy.reveals:
        own = task.template.slot(reveal.slot)
        told = {repr(v.value): v for v in own.domain(task.rows, task.values) if v.text == reveal.truth}
        told.update({repr(v.value): v for v in (*mention.fits, *mention.repairs) if v.text == reveal.truth})
        if not told and reveal.truth == task.values[own.id].text:
            told = {"": task.values[own.id]}
        comes = [outcome_of(task.template, task.rows, task.values, own.id, value.value) for value in told.values()]
        ends = {ending(outcome) if outcome else b"" for outcome in comes}
        if ends != {ending(task.outcome)}:
            return f"told {reveal.truth!r} for {own.id}, a reader comes to {len(ends)} outcomes, not to the one meant"
    missing = {each.slot for each in variant.hidden} - {reveal.slot for reveal in variant.strategy.reveals}
    return f"nothing that the user can say reveals {', '.join(sorted(missing))}" if missing else ""


_Check = Callable[[Drawn, Variant, Mention, "Slot | None"], str]

VALIDATORS: Final[Mapping[str, _Check]] = {
    each.__name__: each
    for each in (
        readable,
        quoted,
        others_verbatim,
        hidden,
        not_derivable,
        as_declared,
        false_as_said,
        adds_only,
        reaches,
    )
}
"""By name. Each gives the reason for which it refuses a variant, "" where it does not."""
