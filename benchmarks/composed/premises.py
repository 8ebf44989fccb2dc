"""Faults that take for granted what is not so (P1 to P4): no value fits the words, and the user says what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any, Final

from benchmarks.composed.days import shape, shown
from benchmarks.composed.ways import Way, instead, leaves
from benchmarks.composed.words import words
from benchmarks.composed.world import Spot, folded
from benchmarks.drift.need import Refused
from benchmarks.drift.template import Draw, Fault, Value

__all__ = ("broken_rule", "false_presupposition", "ghost_entity", "wrong_state")

PEOPLE: Final = frozenset({"customer", "person"})
"""Kinds of slots whose values are people."""

NAMED: Final = PEOPLE | {"board", "event_name", "list", "project", "subject", "task_name", "title"}
"""Kinds whose values are names, of one word or several."""


def false_presupposition(spot: Spot) -> Iterator[Way]:
    """P1: the name of something that there is not. Raises `Refused`."""
    known = words("absent").get(spot.slot.kind)
    if known is None:
        raise Refused("P1", spot.where, f"there is no list of {spot.slot.kind} names that nothing has")
    _refers("P1", spot)
    need = leaves("P1", spot, spot.rivals)
    absent = [each for each in known["words"] if not spot.place.says(each, spot.setup + spot.request)]
    choice = Draw(spot.where, "P1")
    for word in sorted(absent, key=lambda each: choice.number(each, 1 << 30)):
        claim = str(known["claim"]).replace("{said}", word)
        yield Way("P1", spot, instead("P1", spot, word), word, need, spot.rivals, claim)


def ghost_entity(spot: Spot) -> Iterator[Way]:
    """P2: a name made of two that there are: each of them is one word away. Raises `Refused`."""
    _refers("P2", spot)
    leaves("P2", spot, spot.alike)
    mine = spot.own.text.split()
    if spot.slot.kind not in NAMED:
        raise Refused(
            "P2", spot.where, f"a {spot.slot.kind.replace('_', ' ')} is not called by a name of several words"
        )
    if len(mine) < 2:
        raise Refused("P2", spot.where, f"{spot.own.text!r} is one word, and two names are to be mixed")
    for other in spot.alike[1:]:
        theirs = other.text.split()
        if len(theirs) != len(mine) or [a == b for a, b in zip(mine, theirs, strict=True)][-2:] != [False, False]:
            continue
        if mine[:-2] != theirs[:-2]:
            continue
        ghost = " ".join([*mine[:-1], theirs[-1]])
        near = tuple(each for each in spot.alike if _one_word_off(each.text, ghost))
        if spot.place.says(ghost, spot.setup) or other not in near:
            continue
        need = leaves("P2", spot, near)
        whom = f"nobody is called {ghost}" if spot.slot.kind in PEOPLE else f'nothing is called "{ghost}"'
        claim = f"{whom}, I mixed up two names"
        yield Way("P2", spot, instead("P2", spot, ghost), ghost, need, near, claim)


def wrong_state(spot: Spot) -> Iterator[Way]:
    """P3: the state that the rows are in already. Raises `Refused`."""
    now = _state(spot)
    if folded(now.text) in folded(spot.request):
        raise Refused("P3", spot.where, f"the request says {now.text!r} of something else")
    left = tuple(each for each in spot.rivals if each.text != now.text)
    need = leaves("P3", spot, left)
    claim = f"it is {now.text} already, I looked at the wrong line"
    yield Way("P3", spot, instead("P3", spot, now.text), now.text, need, left, claim)


def broken_rule(spot: Spot) -> Iterator[Way]:
    """P4: a day that is over, of something that is yet to be. Raises `Refused`."""
    own, today = shape(spot.own), spot.now.date()
    if own is None:
        raise Refused("P4", spot.where, f"{spot.own.text!r} is not a day, and of days alone a rule is known")
    changes = [change for end in spot.task.ends for change in end.changes]
    about = [changes[n] for n in spot.slot.checkpoint_refs if n < len(changes)]
    if own.day <= today or not about or not all(_on(change.values, str(spot.own.value)) for change in about):
        raise Refused("P4", spot.where, "it is not the day on which something is yet to be")
    weeks = (own.day - today).days // 7 + 1
    over = own.day - timedelta(days=7 * weeks)
    said = shown(over, own.order)
    ahead = tuple(each for each in spot.rivals if (day := shape(each)) and day.day > today)
    need = leaves("P4", spot, ahead)
    claim = f"{said} is over, I was in the wrong week"
    yield Way("P4", spot, instead("P4", spot, said), said, need, ahead, claim)


def _refers(fault: Fault, spot: Spot) -> None:
    if not spot.refers:
        raise Refused(fault, spot.where, f"{spot.own.text!r} need not be there already, so nobody can miss it")


def _one_word_off(text: str, other: str) -> bool:
    one, two = text.split(), other.split()
    return len(one) == len(two) and sum(a != b for a, b in zip(one, two, strict=True)) == 1


def _state(spot: Spot) -> Value:
    """What the rows that the slot changes have now, all the same. Raises `Refused`."""
    ends = spot.task.ends
    if len(ends) != 1 or not spot.slot.checkpoint_refs:
        raise Refused("P3", spot.where, "no one change hangs on it")
    found: list[Any] = []
    for n in spot.slot.checkpoint_refs:
        change = ends[0].changes[n]
        fields = [field for field, value in change.values.items() if _is(spot.own, value)]
        if change.op != "update" or len(fields) != 1:
            raise Refused("P3", spot.where, "it is not the state that rows are brought into")
        row = dict(spot.place.row(change.app, change.table, change.id))
        for edit in spot.task.setup:
            if (edit.app, edit.table, edit.id) == (change.app, change.table, change.id):
                row.update(edit.values)
        found.append(row.get(fields[0]))
    if len({repr(each) for each in found}) != 1 or found[0] in (None, ""):
        raise Refused("P3", spot.where, f"the rows are in {len({repr(each) for each in found})} states now")
    known = [each for each in spot.alike if _is(each, found[0])]
    if not known and spot.own.text == spot.own.value and isinstance(found[0], str):
        known = [Value(found[0], found[0])]
    if not known or known[0] == spot.own:
        raise Refused("P3", spot.where, f"nobody says {found[0]!r} in such a request")
    return known[0]


def _is(value: Value, cell: Any) -> bool:
    """Whether a cell holds the value: as it is, or as the address of whoever it names."""
    said, own = folded(str(cell)), folded(str(value.value))
    return said in (own, folded(value.text)) or ("@" in said and said.startswith(f"{own}."))


def _on(values: Any, day: str) -> bool:
    cells: Sequence[Any] = list(values.values())
    return any(isinstance(cell, str) and cell.startswith(day) for cell in cells)
