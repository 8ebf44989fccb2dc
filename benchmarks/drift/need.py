"""What a fault costs, computed: which values a request lets its reader take, and what comes of each.

`fillings` are the values that the text licenses; where it licenses none (premises, P1 to P4), its *repairs*: the false
claim dropped, or replaced by what might be meant instead. `k` is the number of their distinct outcomes, `luck` the
share of fillings with the outcome that was meant. The four needs follow from these (docs/benchmarks/drift.md, Need):

- `robust`: one outcome, whatever the reader takes;
- `discoverable`: whoever looks it up with the tools has one outcome left;
- `required`: several are left, so only the user can tell;
- `blocked`: the text licenses nothing as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from benchmarks.drift.template import Fault, Mention, Outcome, Rows, Slot, SlotKind, Template, Value, Values
from servers.kernel import canonical

__all__ = (
    "ADDED", "KINDS", "MOST_LUCK", "NEEDS", "NEEDY", "Cost", "Need", "Reading", "Refused", "added", "cost", "cost_of",
    "ending", "outcome_of", "severity", "sifted",
)  # fmt: skip

Need: TypeAlias = Literal["robust", "discoverable", "required", "blocked"]

NEEDS: Final[tuple[Need, ...]] = get_args(Need)
NEEDY: Final[frozenset[Need]] = frozenset({"required", "blocked"})
"""The needs in which asking is the only way that is better than a guess."""

MOST_LUCK: Final = 0.5
"""What a guess may be worth at most where a request counts as needy."""

ADDED: Final[frozenset[Fault]] = frozenset({"I1", "I3", "A4"})
"""Faults that add words and touch no slot: robust by construction."""

KINDS: Final[Mapping[str, frozenset[SlotKind]]] = {
    "I2": frozenset({"action"}),
    "I4": frozenset({"action"}),
    "P1": frozenset({"filter", "entity", "value", "date"}),
    "P2": frozenset({"entity", "value", "filter"}),
    "P3": frozenset({"entity", "action", "value"}),
    "P4": frozenset({"date", "quantity", "value"}),
    "A1": frozenset({"entity", "filter", "field", "value", "quantity", "date"}),
    "A2": frozenset({"date", "entity", "value", "quantity", "filter"}),
    "A3": frozenset({"entity", "date", "value", "quantity", "filter"}),
    "E1": frozenset({"field", "value", "filter", "entity", "quantity"}),
    "E2": frozenset({"filter", "field", "value", "quantity"}),
    "E3": frozenset({"entity", "value", "filter"}),
    "E4": frozenset({"quantity", "date", "value", "filter", "entity"}),
}
"""The kinds of slots that a fault can be put on. Wider than the table of docs/benchmarks/drift.md where templates name
the same thing by another kind: a category to filter by is a `filter` here and a `value` there."""


class Refused(Exception):
    """A fault whose precondition fails. The text names the fault, the template, the slot and the reason."""

    def __init__(self, fault: Fault, where: str, reason: str) -> None:
        self.fault, self.reason = fault, reason
        super().__init__(f"{fault} on {where}: {reason}")


class Reading(NamedTuple):
    """A value that a reader may take for the slot, and what comes of it. `value` is None where the claim is dropped."""

    value: Value | None
    outcome: Outcome


class Cost(NamedTuple):
    """What a fault costs: the readings, numbers of distinct outcomes, the worth of a guess from 0 to 1, the need."""

    readings: tuple[Reading, ...]
    k: int
    luck: float
    need: Need


def outcome_of(template: Template, rows: Rows, values: Values, slot: str = "", to: Any = None) -> Outcome | None:
    """What comes of the task's values, or of them with another one for `slot`."""
    taken = {name: value.value for name, value in values.items()}
    if slot:
        taken[slot] = to
    return template.truth(rows, taken)


def added(fault: Fault, template: Template, rows: Rows, values: Values) -> Cost:
    """The cost of words that are only added: none. Raises `Refused` for a fault that needs a slot."""
    if fault not in ADDED:
        raise Refused(fault, template.id, f"it needs a slot; only {', '.join(sorted(ADDED))} are added without one")
    return Cost((Reading(None, _meant(fault, template, rows, values)),), 1, 1.0, "robust")


def cost_of(template: Template, rows: Rows, values: Values, slot: Slot | None, mention: Mention) -> Cost:
    """The cost of a mention in the slot's place, or of one that is only added. Raises `Refused`."""
    if slot is None:
        return added(mention.fault, template, rows, values)
    return cost(template, rows, values, slot, mention)


def cost(template: Template, rows: Rows, values: Values, slot: Slot, mention: Mention) -> Cost:
    """The cost of a mention in the slot's place. Raises `Refused` where a precondition of its fault fails."""
    where = f"{template.id}.{slot.id}"

    def refused(reason: str) -> Refused:
        return Refused(mention.fault, where, reason)

    _fits(template, values, slot, mention)
    meant = _meant(mention.fault, template, rows, values)

    def read(these: Sequence[Value | None]) -> tuple[Reading, ...]:
        found: dict[str, Reading] = {}
        for value in these:
            outcome = outcome_of(template, rows, values, slot.id, None if value is None else value.value)
            if outcome is not None:
                found.setdefault(repr(None if value is None else value.value), Reading(value, outcome))
        return tuple(found.values())

    premise = mention.fault.startswith("P")
    if premise:
        _no_dropping(template, rows, values, slot, mention, meant)
        readings = read([*([None] if slot.drops else []), *mention.repairs])
        if not any(reading.outcome == meant for reading in readings):
            readings = (*readings, Reading(values[slot.id], meant))
    else:
        readings = read(mention.fits)
    k = len(_ends(readings))
    luck = sum(reading.outcome == meant for reading in readings) / len(readings)
    if not premise and mention.fault != "E1" and k < 2:
        raise refused(f"whatever fits {mention.text!r} has the same outcome, and it needs two at least")
    if k == 1 and not premise:
        return Cost(readings, k, luck, "robust")
    if mention.found is not None and _ends(read(mention.found)) == {ending(meant)}:
        return Cost(readings, k, luck, "discoverable")
    if luck > MOST_LUCK:
        raise refused(
            f"a guess is right {luck:.0%} of the time, and where the user is needed it may be {MOST_LUCK:.0%}"
        )
    return Cost(readings, k, luck, "blocked" if premise else "required")


def sifted(template: Template) -> Template:
    """The template with those mentions alone that their faults allow, beside each task's values: what `cost` takes."""

    def kept(slot: Slot) -> Slot:
        def mentions(rows: Rows, values: Values) -> Iterator[Mention]:
            for mention in slot.mentions(rows, values):
                try:
                    cost(template, rows, values, slot, mention)
                except Refused:
                    continue
                yield mention

        return replace(slot, mentions=mentions)

    return replace(template, slots=tuple(map(kept, template.slots)))


def severity(cost: Cost) -> int:
    """How bad it is, from 0 (robust) to 3: by the number of outcomes, and whether the text licenses any."""
    if cost.need == "robust":
        return 0
    if cost.need == "blocked":
        return 3
    return 1 if cost.k == 2 else 2 if cost.k <= 5 else 3


def ending(outcome: Outcome) -> bytes:
    """What tells outcomes apart: equal exactly where they are."""
    changes = [change.model_dump(mode="json") for change in outcome.changes]
    return canonical([outcome.answers, outcome.kind, outcome.ranked, changes])


def _ends(readings: Sequence[Reading]) -> set[bytes]:
    return {ending(reading.outcome) for reading in readings}


def _meant(fault: Fault, template: Template, rows: Rows, values: Values) -> Outcome:
    meant = outcome_of(template, rows, values)
    if meant is None:
        raise Refused(fault, template.id, "the task itself cannot be carried out")
    return meant


def _fits(template: Template, values: Values, slot: Slot, mention: Mention) -> None:
    """What a mention says of itself has to hold. Raises `Refused`."""
    fault = mention.fault

    def refused(reason: str) -> Refused:
        return Refused(fault, f"{template.id}.{slot.id}", reason)

    if fault in ADDED:
        raise refused("it only adds words; a slot has nothing to do with it")
    if slot.kind not in KINDS[fault]:
        raise refused(f"a slot of kind {slot.kind} cannot have it; {', '.join(sorted(KINDS[fault]))} can")
    own = values[slot.id].value
    if fault.startswith("P"):
        if mention.fits:
            raise refused(f"{mention.text!r} fits {len(mention.fits)} values, and a false premise fits none")
        if not mention.claim:
            raise refused("it does not say what is wrong with the premise (`claim`)")
        if fault == "P2" and template.kind == "insert" and slot.kind == "value":
            raise refused("a new row may hold any value there, so nobody can notice that it was another")
        return
    if own not in [value.value for value in mention.fits]:
        raise refused(f"{mention.text!r} does not fit the task's own value {values[slot.id].text!r}")
    if mention.found is not None and own not in [value.value for value in mention.found]:
        raise refused(f"looking it up does not find the task's own value {values[slot.id].text!r}")
    if fault == "A1" and slot.drops and not mention.text.strip() and not mention.request:
        raise refused("what is left is a complete request for something else")


def _no_dropping(template: Template, rows: Rows, values: Values, slot: Slot, mention: Mention, meant: Outcome) -> None:
    """A premise is no obstacle where leaving it out gives what was meant. Raises `Refused`."""
    if slot.drops and outcome_of(template, rows, values, slot.id, None) == meant:
        raise Refused(mention.fault, f"{template.id}.{slot.id}", "dropping the false claim gives what was meant")
