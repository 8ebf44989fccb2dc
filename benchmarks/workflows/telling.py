"""Whether a text that may be worded freely says what it has to, and each value of what it belongs to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from benchmarks.workflows.plan import Said

__all__ = ("found", "tells")


@dataclass(frozen=True, kw_only=True)
class _Mark:
    """A key or a value where it stands in a text. `of` are the pairs that it is part of, several for equal values."""

    start: int
    end: int
    key: bool
    of: frozenset[int]


_Run = list[_Mark]
"""Keys, or values, with none of the other sort between them."""


def tells(text: str, asked: Sequence[Said]) -> bool:
    """Whether all facts are found as whole words, with no value exchanged for that of another key.

    A list is read item by item, as far as each has keys and values of its own. What is laid out in any other way is
    wrong only where values of others alone stand beside a key.
    """
    text = _tidied(text)
    if not text or not all(found(text, asked)):
        return False
    marks = _marks(text, [fact for fact in asked if fact.key])
    keys = {number for mark in marks if mark.key for number in mark.of}
    for between in _BETWEEN:
        if items := _items(text, marks, between):
            return all(any(_together(text, *item, number) for item in items) for number in keys)
    runs = _runs(marks)
    said = Counter(number for run in runs for number in {each for mark in run if mark.key for each in mark.of})
    return not any(_astray(text, runs, said, number) for number in keys)


def found(text: str, asked: Sequence[Said]) -> list[bool]:
    """Of each fact whether it is in the text as whole words, with the key of its value where that has to be said."""
    text = _tidied(text)
    return [_found(text, fact.forms) and not (fact.key and fact.named and not _found(text, fact.key)) for fact in asked]


def _tidied(text: str) -> str:
    return "\n".join(line for line in map(" ".join, map(str.split, text.splitlines())) if line)


_BETWEEN: Final = tuple(map(re.compile, (r"\n", r"[\n;]", r"[\n;,]|[.!?](?=\s)|\band\b")))
"""What may stand between the items of a list: lines first, since in them there may be anything else."""


def _found(text: str, forms: Sequence[str]) -> bool:
    return any(_pattern(form).search(text) for form in forms)


@lru_cache(maxsize=4096)
def _pattern(fact: str) -> re.Pattern[str]:
    """The fact as whole words; a number is not found inside another one."""
    before = r"(?<![\w.,-])" if fact[:1].isdigit() else r"(?<!\w)"
    behind = r"(?![\w-]|[.,]\d)" if fact[-1:].isdigit() else r"(?!\w)"
    return re.compile(before + re.escape(fact).replace(r"\ ", r"\s") + behind, re.IGNORECASE)


def _marks(text: str, pairs: Sequence[Said]) -> list[_Mark]:
    """Keys and values in the order of the text; of two that overlap the one that begins first, or else is longer."""
    at: dict[tuple[int, int, bool], set[int]] = {}
    for number, pair in enumerate(pairs):
        for key, forms in ((True, pair.key), (False, pair.forms)):
            for form in forms:
                for hit in _pattern(form).finditer(text):
                    at.setdefault((hit.start(), -hit.end(), key), set()).add(number)
    marks: list[_Mark] = []
    for (start, end, key), of in sorted(at.items()):
        if not marks or start >= marks[-1].end:
            marks.append(_Mark(start=start, end=-end, key=key, of=frozenset(of)))
    return marks


def _items(text: str, marks: Sequence[_Mark], between: re.Pattern[str]) -> list[tuple[_Run, _Run]]:
    """Keys and values of each item; none where it is no such list, as prose is none that runs on over lines."""
    parts: list[list[_Mark]] = [[*marks[:1]]]
    for one, two in pairwise(marks):
        if between.search(text, one.end, two.start):
            parts.append([])
        parts[-1].append(two)
    items = []
    for runs in map(_runs, parts):
        if len(runs) == 2 and runs[0][0].key != runs[1][0].key:
            items.append((runs[0], runs[1]) if runs[0][0].key else (runs[1], runs[0]))
        elif len(runs) != 1 or not runs[0][0].key:
            return []
    listed = {number for keys, _ in items for mark in keys for number in mark.of}
    return items if all(mark.of <= listed for mark in marks if mark.key) else []


def _runs(marks: Sequence[_Mark]) -> list[_Run]:
    """Keys that stand together, and values; a key that comes once more begins another run, as after a heading."""
    runs: list[_Run] = []
    for mark in marks:
        last = runs[-1] if runs else []
        if last and last[-1].key == mark.key and not (mark.key and any(mark.of & each.of for each in last)):
            last.append(mark)
        else:
            runs.append([mark])
    return runs


def _astray(text: str, runs: Sequence[_Run], said: Mapping[int, int], number: int) -> bool:
    """Whether values stand beside the key, before or behind it, and nowhere its own.

    Beside is what no other value parts from it, whatever keys do, so that a day may be a heading over many names. In
    doubt it is not astray: where values are a sentence away, or keys are only announced, to be said again one by one.
    `said` counts the runs that have a key.
    """
    others = False
    for place, run in enumerate(runs):
        if not run[0].key or not any(number in each.of for each in run):
            continue
        announced = len(run) > 1 and any(said[each] > 1 for mark in run for each in mark.of)
        for near in (place - 1, place + 1):
            if not 0 <= near < len(runs) or runs[near][0].key:
                continue
            values = runs[near]
            if _together(text, run, values, number):
                return False
            first, second = (values, run) if near < place else (run, values)
            if not announced and not _STOP.search(text, first[-1].end, second[0].start + 1):
                others = True
    return others


def _together(text: str, keys: _Run, values: _Run, number: int) -> bool:
    own = any(number in key.of for key in keys) and any(number in value.of for value in values)
    return own and not _crossed(text, keys, values)


def _crossed(text: str, keys: _Run, values: _Run) -> bool:
    """Whether as many keys are listed as values, "Ann and Ben: 12 and 7", and the same values in another order."""
    return (
        len(keys) == len(values) > 1
        and _listed(text, keys)
        and _listed(text, values)
        and not all(key.of & value.of for key, value in zip(keys, values, strict=True))
        and all(any(key.of & value.of for value in values) for key in keys)
        and all(any(key.of & value.of for key in keys) for value in values)
    )


def _listed(text: str, run: _Run) -> bool:
    between = [text[one.end : two.start].casefold() for one, two in pairwise(run)]
    return all(not re.search("[()]", gap) and _BESIDE.issuperset(re.findall(r"\w+", gap)) for gap in between)


_BESIDE: Final = frozenset(("and", "eur", "h", "hours", "pieces"))
"""Words between the items of a list, and no others."""
_STOP: Final = re.compile(r"[.!?](?=\s)")
