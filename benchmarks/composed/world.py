"""A source suite as faults need it: its worlds as words, and of each slot the values that others of its kind have."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from benchmarks.drift.template import Value
from harness.suite import Suite
from harness.task import Slot, Task
from servers.kernel import World

__all__ = ("ORIGINAL", "Place", "Source", "Spot", "folded", "unfit")

ORIGINAL: Final = "original"
"""The prompt that says everything."""

_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def folded(text: str) -> str:
    """Letter case and white space as they do not matter."""
    return " ".join(text.split()).casefold()


class Place:
    """A world as words: what its cells say, and which columns a text stands in as a whole cell."""

    def __init__(self, world: World) -> None:
        self.now: datetime = world.now
        self.rows: Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]] = world.rows
        self._columns: defaultdict[str, set[str]] = defaultdict(set)
        texts: list[str] = []
        for app, tables in world.rows.items():
            for table, rows in tables.items():
                for row in rows:
                    for field, cell in row.items():
                        if isinstance(cell, str) and cell:
                            self._columns[folded(cell)].add(f"{app}.{table}.{field}")
                            texts.append(cell)
                for field in rows[0] if rows else ():
                    self._columns[folded(field)].add(f"{app}.{table}")
        self._text = folded("\n".join(texts))

    def says(self, words: str, more: str = "") -> bool:
        """Whether the words stand anywhere in the world, or in `more`."""
        sought = folded(words)
        return any(
            sought in text and bool(re.search(rf"(?<!\w){re.escape(sought)}(?!\w)", text))
            for text in (self._text, folded(more))
        )

    def column(self, texts: Iterable[str]) -> str:
        """A column (or a table's columns by their names) that has every one of them as a cell, "" where none has."""
        found = [self._columns.get(folded(text), set()) for text in texts]
        return min(set.intersection(*found), default="") if found else ""

    def address(self, first_name: str) -> str:
        """The one e-mail address that begins with this name, "" where there are none or several."""
        own = {each for each in self._addresses if each.startswith(f"{folded(first_name)}.")}
        return own.pop() if len(own) == 1 else ""

    @cached_property
    def _addresses(self) -> frozenset[str]:
        return frozenset(_ADDRESS.findall(self._text))

    def row(self, app: str, table: str, id: str) -> Mapping[str, Any]:
        """The row of that id, empty where there is none."""
        return next((row for row in self.rows.get(app, {}).get(table, ()) if row.get("id") == id), {})


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A slot in its request.

    `rivals` are the values that the same slot has in tasks made alike, its own first; `alike` those of all slots of its
    kind and role in the same world.
    """

    task: Task
    slot: Slot
    request: str
    place: Place
    rivals: tuple[Value, ...]
    alike: tuple[Value, ...]

    @property
    def own(self) -> Value:
        return self.rivals[0]

    @property
    def where(self) -> str:
        """What a refusal calls it."""
        return f"{self.task.id}.{self.slot.name}"

    @property
    def now(self) -> datetime:
        return self.task.sessions[0].now or self.place.now

    @property
    def setup(self) -> str:
        """What the task adds to its world, as one text."""
        return "\n".join(cell for edit in self.task.setup for cell in edit.values.values() if isinstance(cell, str))

    @cached_property
    def refers(self) -> bool:
        """Whether the slot names something that is there: every value that it can have is, in one column."""
        if self.slot.kind == "person":
            return bool(self.place.address(self.own.text.split()[0]))
        named = [[each.text, str(each.value)] for each in self.rivals]
        return any(self.place.column(texts) for texts in zip(*named, strict=True))


def unfit(task: Task) -> str:
    """Why no faulty request can be made of a task, "" where there is no reason."""
    if len(task.sessions) != 1:
        return f"it has {len(task.sessions)} sessions, and a fault is of one request"
    if ORIGINAL not in task.sessions[0].requests:
        return f"it has no prompt {ORIGINAL!r}"
    if not task.slots:
        return "it has no slots"
    if not all(end.changes for end in task.ends):
        return "nothing is to change in it, so that doing nothing would be right"
    return ""


class Source:
    """The tasks of a suite that faults can be made of, and what is known of each slot."""

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        self.tasks = tuple(task for task in suite.tasks if not unfit(task))
        self._places: dict[str, Place] = {}
        self._same: defaultdict[tuple[str, ...], list[Value]] = defaultdict(list)
        self._alike: defaultdict[tuple[str, ...], list[Value]] = defaultdict(list)
        for task in self.tasks:
            for slot in task.slots:
                _add(self._same[_same(task, slot)], Value(slot.text, slot.value))
                _add(self._alike[task.world, slot.kind, slot.role], Value(slot.text, slot.value))

    def place(self, world: str) -> Place:
        """A world, read once."""
        if world not in self._places:
            self._places[world] = Place(self.suite.load_world(world))
        return self._places[world]

    def spots(self, task: Task) -> Iterator[Spot]:
        """The slots of a task that stand in its request once, each with what is known of it."""
        request = task.sessions[0].requests[ORIGINAL]
        for slot in task.slots:
            own = Value(slot.text, slot.value)
            taken = [other for other in task.slots if other.kind == slot.kind and other.name != slot.name]
            fits = [each for each in self._same[_same(task, slot)] if each != own and _fits(each, slot, taken)]
            alike = [each for each in self._alike[task.world, slot.kind, slot.role] if each != own]
            yield Spot(
                task=task,
                slot=slot,
                request=request,
                place=self.place(task.world),
                rivals=(own, *fits),
                alike=(own, *alike),
            )


def _same(task: Task, slot: Slot) -> tuple[str, ...]:
    """What slots share whose values could stand in each other's place.

    That is template and name; without a template, kind and role.
    """
    return (task.world, task.template, slot.name) if task.template else (task.world, slot.kind, slot.role)


def _add(known: list[Value], value: Value) -> None:
    """Two texts of one value, or two values of one text, would not tell readings apart."""
    if all(each.text != value.text and each.value != value.value for each in known):
        known.append(value)


_ORDER: Final = {"first date": 0, "start date": 0, "second date": 1, "end date": 1}


def _fits(value: Value, slot: Slot, beside: Sequence[Slot]) -> bool:
    """Whether a value makes sense beside those of the other slots of its kind: another one, and dates in order."""
    for other in beside:
        if value.value == other.value:
            return False
        if slot.role in _ORDER and other.role in _ORDER and _ORDER[slot.role] != _ORDER[other.role]:
            first, second = (value.value, other.value) if not _ORDER[slot.role] else (other.value, value.value)
            if str(first) >= str(second):
                return False
    return True
