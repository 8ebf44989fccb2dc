"""Does a text still give a value away: in any shape that a reader would recognise, or worked out from what it says?

Shapes are compared as words. What can be worked out (`benchmarks.lhaw.derived`) is a day or an hour counted from
another one, a length between two hours, a number made of others.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple

from benchmarks.lhaw.derived import derived
from harness.task import Slot
from servers.kernel import ordinal
from userssim.values import words

__all__ = ("Leak", "forms", "found", "leaks", "plain")

_COUNTED = frozenset({"duration", "period", "threshold", "count"})
_DATED = frozenset({"date", "due_date"})
_NAMED = frozenset({"person", "customer"})
_PRONOUNS = frozenset({"it", "us"})
"""Departments that are also words: they count in capitals alone."""
_JOINED = 8
"""Letters that a value needs to be looked for in other words than as words: `budgetfreeze.docx`."""
_FILLERS = frozenset({"the", "a", "an", "of", "for", "and", "our", "your", "we", "to", "in", "on", "with", "us", "is"})
_SPREAD = 3
"""How many words may stand between those of a value that is told in another order."""


class Leak(NamedTuple):
    """A value that is still there: as which form, and the words of the text that give it away."""

    form: str
    place: str

    def __str__(self) -> str:
        return f"{self.place!r} gives away {self.form!r}" if self.place != self.form else f"{self.place!r} is said"


def plain(text: str) -> str:
    """Case folded, marks and accents dropped, white space collapsed; digits keep their points and colons."""
    bare = unicodedata.normalize("NFKD", text)
    if not bare.isascii():
        bare = "".join(each for each in bare if unicodedata.category(each) not in ("Mn", "Cf"))
    folded = re.sub(r"(?<=\d)[,' ](?=\d{3}\b)", "", bare.casefold().replace("_", " "))
    folded = re.sub(r"[^\w\s@.:%]|(?<!\d)[.:]|[.:](?!\d)", " ", folded)
    return re.sub(r"\s+", " ", re.sub(r"\b(hundred|thousand) and\b", r"\1", folded)).strip()


def leaks(text: str, slot: Slot, now: datetime) -> str:
    """The first shape of the slot's value that `text` holds, "" if none.

    `now` is the task's time: "tomorrow" gives a date away.
    """
    leak = found(text, slot, now)
    return leak.form if leak else ""


def found(text: str, slot: Slot, now: datetime) -> Leak | None:
    """What gives the slot's value away, and where; None where nothing does. `now` is the task's time."""
    searched = plain(text)
    for form in forms(slot, now):
        shape = plain(form)
        if not shape:
            continue
        if shape in _PRONOUNS:
            if re.search(rf"\b{shape.upper()}\b", text):
                return Leak(form, shape.upper())
        elif place := re.search(rf"(?<![\w.:]){re.escape(shape)}(?![\w:]|\.\d)", searched):
            return Leak(form, place[0])
    apart = _joined(text, slot) or _reordered(searched, slot) or _misspelt(searched, slot)
    return apart or _worked_out(text, slot, now)


def forms(slot: Slot, now: datetime) -> Iterator[str]:
    """Shapes in which the value may be said: as text, as data, as a name or address, a date, a number in words."""
    yield slot.text
    value = slot.value
    if isinstance(value, str):
        yield value
    if slot.kind in _NAMED:
        yield from _names(slot)
    if slot.kind in _DATED or _days(slot):
        yield from (form for day in _days(slot) for form in _said(day, now.date()))
    if slot.kind == "time" or re.fullmatch(r"\d{1,2}:\d\d(:\d\d)?", slot.text):
        yield from _clock(slot)
    if slot.kind in _COUNTED or _is_number(value):
        yield from _counted(slot)
    if slot.kind in ("board", "list", "status", "product", "traffic_source", "metric", "plot_type"):
        yield from (text.removesuffix("s") for text in (slot.text, str(value)))
        yield from (f"{text}s" for text in (slot.text, str(value)))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _names(slot: Slot) -> Iterator[str]:
    """A name leaks through any part of it, also inside an address; what only stands for the person leaks whole."""
    said = _parts(slot.text)
    yield from said
    value = str(slot.value)
    if "@" in value or {part.casefold() for part in said} & {part.casefold() for part in _parts(value)}:
        yield from _parts(value.partition("@")[0])
    if len(said) == 2:
        first, last = said
        yield from (f"{first[0]}{last}", f"{first}{last[0]}", f"{first}{last}")


def _parts(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{2,}", text.partition("@")[0])


def _days(slot: Slot) -> list[date]:
    days = []
    for text in (str(slot.value), slot.text):
        for shown in re.findall(r"\b\d{4}-\d\d-\d\d\b", text):
            try:
                days.append(date.fromisoformat(shown))
            except ValueError:
                continue
    return days


def _said(day: date, today: date) -> Iterator[str]:
    nth = ordinal(day.day)
    yield day.isoformat()
    for month in (f"{day:%B}", f"{day:%b}"):
        for number in (str(day.day), f"{day.day:02d}", nth):
            yield from (f"{month} {number}", f"{number} {month}", f"{number} of {month}", f"{month} the {number}")
    yield from (
        f"the {nth}",
        f"{day.month}/{day.day}",
        f"{day.day}/{day.month}",
        f"{day:%m/%d}",
        f"{day:%d/%m}",
        f"{day.day}.{day.month}.",
        f"{day:%d.%m}.",
        f"{day:%d/%m/%Y}",
        f"{day:%Y%m%d}",
    )
    away = (day - today).days
    yield from {
        -2: ["the day before yesterday"], -1: ["yesterday"], 0: ["today", "tonight"], 1: ["tomorrow"],
        2: ["the day after tomorrow"],
    }.get(away, [])  # fmt: skip
    if abs(away) <= 7:
        yield f"{day:%A}"
    if 1 <= away - (6 - today.weekday()) <= 7:  # within the week after this one
        yield from (f"next {day:%A}", f"{day:%A} next week", f"{day:%A} of next week", f"{day:%A} week")
    if 7 < away <= 14:
        yield from (f"{day:%A} week", f"a week on {day:%A}", f"{day:%A} in two weeks", f"{day:%A} after next")
    if abs(away) == 7:
        yield "a week from now" if away > 0 else "a week ago"
    yield from _ends(day)


def _ends(day: date) -> Iterator[str]:
    """Days that have a name by their place: the first or last of a month or quarter."""
    following = day + timedelta(days=1)
    if following.day == 1:
        names = ["month", *(["quarter"] if day.month % 3 == 0 else []), *(["year"] if day.month == 12 else [])]
        for of in (*names, f"{day:%B}"):
            yield from (f"end of the {of}", f"end of {of}", f"last day of the {of}", f"last day of {of}", f"{of}'s end")
        yield "month end"
    if day.day == 1:
        for of in ("the month", "next month", f"{day:%B}"):
            yield from (f"start of {of}", f"beginning of {of}", f"first of {of}", f"first day of {of}")


def _clock(slot: Slot) -> Iterator[str]:
    for shown_hour, minute in re.findall(r"\b(\d{1,2}):(\d\d)", str(slot.value) if slot.value else slot.text):
        hour = int(shown_hour)
        half = "am" if hour < 12 else "pm"
        for shown in dict.fromkeys((hour, hour % 12 or 12)):
            yield from (f"{shown}:{minute}", f"{shown:02d}:{minute}", f"{shown}:{minute}{half}", f"{shown}.{minute}")
            yield from (f"{shown}h{minute}", f"{shown}.{minute}{half}", f"{words(shown)} {words(int(minute))}")
            if minute == "00":
                yield from (f"{shown}{half}", f"{shown} {half}", f"{shown}h")
                behind = (half, "o'clock", "in the", "sharp")
                yield from (f"{said} {each}" for said in (shown, words(shown)) for each in behind)
            past = {"15": "quarter past", "30": "half past", "10": "ten past", "20": "twenty past"}.get(minute)
            if past:
                yield from (f"{past} {shown}", f"{past} {words(shown)}")
            to = {"45": "quarter to", "40": "twenty to", "50": "ten to"}.get(minute)
            if to:
                yield from (f"{to} {shown % 12 + 1}", f"{to} {words(shown % 12 + 1)}")
        if hour >= 10:
            yield f"{hour}{minute} hours"
        yield from {(12, "00"): ["noon", "midday"], (0, "00"): ["midnight"]}.get((hour, minute), [])


def _counted(slot: Slot) -> Iterator[str]:
    """The number in digits and in words; lengths also in other units, shares as parts of a whole."""
    number = slot.value if _is_number(slot.value) else None
    if number is None:
        shown = re.search(r"\d+(\.\d+)?", plain(slot.text))
        number = float(shown[0]) if shown else None
    if number is None:
        return
    if number != int(number):
        yield from (f"{number:g}", f"{number:.2f}")
        return
    count = int(number)
    if slot.kind == "duration":
        yield from (
            f"{shown} {unit}" for shown in (count, words(count)) for unit in ("minute", "minutes", "min", "mins")
        )
        if count % 60 == 0:
            hours = count // 60
            yield from (f"{shown} {unit}" for shown in (hours, words(hours)) for unit in ("hour", "hours", "h"))
        elif count % 30 == 0:
            yield from (f"{count / 60:g} hours", f"{count / 60:g}h")
        yield f"{count // 60}h{count % 60:02d}"
        yield from {
            15: ["quarter of an hour", "quarter hour"], 30: ["half an hour", "half hour"],
            45: ["three quarters of an hour"], 60: ["an hour"], 90: ["an hour and a half"], 120: ["a couple of hours"],
        }.get(count, [])  # fmt: skip
    elif slot.kind == "period":
        yield from (f"{count} days", f"{words(count)} days", f"{count} day")
        if count % 7 == 0:
            weeks = count // 7
            yield from (f"{weeks} weeks", f"{words(weeks)} weeks", f"{weeks} week")
        if count % 30 == 0:
            yield from (f"{count // 30} months", f"{words(count // 30)} months")
        yield from {
            7: ["a week", "last week", "past week"], 14: ["a fortnight"], 30: ["a month"], 90: ["a quarter"],
            180: ["half a year"], 365: ["a year", "twelve months"],
        }.get(count, [])  # fmt: skip
    else:
        yield from (f"{count}", f"{count}%", f"{count} percent", words(count), f"{count}.00")
        yield from {12: ["a dozen"], 24: ["two dozen"], 36: ["three dozen"], 100: ["a hundred"]}.get(count, [])
        if count >= 1000 and count % 100 == 0:
            yield from (f"{count / 1000:g}k", f"{count / 1000:g} k", f"{count / 1000:g} thousand")
            if count % 1000 == 0:
                yield f"{words(count // 1000)} thousand"
        elif count >= 100 and count % 100 == 0:
            yield f"{words(count // 100)} hundred"
        if "percent" in slot.text or "%" in slot.text or slot.role == "percentage":
            yield from (f"{count / 100:g}", f"{count / 100:.2f}")
            yield from (f"{count} in a hundred", f"{words(count)} in a hundred")
            yield from {
                5: ["a twentieth", "one in twenty"], 10: ["a tenth", "one in ten"], 20: ["a fifth", "one in five"],
                25: ["a quarter", "one in four"], 50: ["half", "one in two"], 75: ["three quarters"],
            }.get(count, [])  # fmt: skip


# Shapes that are found in other ways than as words.


def _joined(text: str, slot: Slot) -> Leak | None:
    """A text run together, or cut up by marks: a file's name, a tag."""
    for value in dict.fromkeys((slot.text, str(slot.value))):
        sought = re.sub(r"[\W_]+", "", plain(value))
        if len(sought) >= _JOINED and not sought.isdigit():
            for word in text.split():
                if sought in re.sub(r"[\W_]+", "", plain(word)):
                    return Leak(value, word)
    return None


def _reordered(searched: str, slot: Slot) -> Leak | None:
    """All words of a text that count, close together in any order: "the freeze of the budget"."""
    if slot.kind in _COUNTED | _DATED | {"time"}:
        return None
    wanted = {word for word in plain(slot.text).split() if word not in _FILLERS and not word.isdigit()}
    if len(wanted) < 2:
        return None
    said = searched.split()
    width = len(wanted) + _SPREAD
    for start in range(len(said)):
        if said[start] in wanted and wanted <= set(said[start : start + width]):
            return Leak(slot.text, " ".join(said[start : start + width]))
    return None


def _misspelt(searched: str, slot: Slot) -> Leak | None:
    """A name with two letters changed about, or one left out, doubled or wrong."""
    if slot.kind not in _NAMED:
        return None
    for name in (part for part in _parts(slot.text) if len(part) >= 5):
        sought = plain(name)
        for word in searched.split():
            if word[:1] == sought[0] and word != sought and _one_off(word, sought):
                return Leak(name, word)
    return None


def _one_off(word: str, name: str) -> bool:
    if len(word) == len(name):
        wrong = [place for place in range(len(name)) if word[place] != name[place]]
        swapped = len(wrong) == 2 and wrong[1] == wrong[0] + 1 and sorted(word) == sorted(name)
        return len(wrong) == 1 or swapped
    longer, shorter = (word, name) if len(word) > len(name) else (name, word)
    one = len(longer) == len(shorter) + 1
    return one and any(longer[:place] + longer[place + 1 :] == shorter for place in range(len(longer)))


def _worked_out(text: str, slot: Slot, now: datetime) -> Leak | None:
    days = _days(slot) if slot.kind in _DATED or _days(slot) else []
    times = [int(h) * 60 + int(m) for h, m in re.findall(r"\b(\d{1,2}):(\d\d)", str(slot.value))][:1]
    number = slot.value if _is_number(slot.value) else None
    place = derived(text, now, days=days, minute=times[0] if times else None, number=number, kind=slot.kind)
    return Leak(slot.text, place) if place else None
