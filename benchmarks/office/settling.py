"""The owner, who holds a meeting, writes to nobody meanwhile: what they wrote is written before it or after it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace

from benchmarks.office.ledger import DAY, Chat, Ledger, Mail, Meeting, day_of
from benchmarks.office.people import OWNER

__all__ = ("in_meetings", "settle")

_LAST = 60
"""The day up to which series are looked at."""


def in_meetings(ledger: Ledger) -> dict[int, list[tuple[int, int]]]:
    """When the owner sits with others, by day: from which minute of the ledger until which."""
    meetings = list(ledger.of(Meeting))
    moved = {(each.series, each.original) for each in meetings if each.series}
    found: dict[int, list[tuple[int, int]]] = {}
    for each in meetings:
        others = each.people or each.sender != OWNER
        if each.all_day or each.cancelled or not others or (each.sender != OWNER and each.response != "accepted"):
            continue
        first, weeks = day_of(each.starts), int(each.recurrence.partition("INTERVAL=")[2] or 1)
        last = _LAST if each.until is None else each.until
        for day in range(first, last + 1, 7 * weeks) if each.recurrence else (first,):
            if day not in each.skipped and (each.id, day) not in moved:
                start = day * DAY + each.starts % DAY
                found.setdefault(day, []).append((start, start + each.minutes))
    return {day: sorted(times) for day, times in found.items()}


def settle(ledger: Ledger) -> None:
    """Moves what the owner writes out of their meetings: before them, or after them with what follows soon after it."""
    taken = in_meetings(ledger)
    talks: dict[tuple[str, ...], list[Mail | Chat]] = {}
    for event in ledger.events:
        if isinstance(event, Mail):
            talks.setdefault(("mail", event.thread or event.id), []).append(event)
        elif isinstance(event, Chat):
            talks.setdefault(("chat", event.story, event.channel), []).append(event)
    at: dict[str, int] = {}
    for events in talks.values():
        events.sort(key=lambda each: each.at)
        moments = [each.at for each in events]
        for place, event in enumerate(events):
            if event.sender == OWNER:
                attached = isinstance(event, Mail) and bool(event.files)
                _free(moments, place, taken.get(day_of(moments[place]), []), later_only=attached)
        at.update({each.id: moment for each, moment in zip(events, moments, strict=True) if each.at != moment})
    ledger.events[:] = [replace(each, at=at[each.id]) if each.id in at else each for each in ledger.events]


def _free(moments: list[int], place: int, taken: list[tuple[int, int]], *, later_only: bool) -> None:
    """Moves one moment of a conversation out of what is taken; later ones stay after it.

    What has files is written later only, since they are as they were then.
    """
    was = moments[place]
    before = after = was
    while span := _during(before, taken):
        before = span[0] - 2 - was % 7
    while span := _during(after, taken):
        after = span[1] + 1 + was % 7
    if before == was:
        return
    previous = moments[place - 1] if place else day_of(was) * DAY + 8 * 60
    if not later_only and before > previous + 2 and (place == 0 or before - previous < was - previous):
        moments[place] = before
        return
    moments[place] = after
    for later in range(place + 1, len(moments)):
        if moments[later] > moments[later - 1] + 1:
            break
        moments[later] = moments[later - 1] + 2 + was % 3


def _during(moment: int, taken: list[tuple[int, int]]) -> tuple[int, int] | None:
    found = bisect_right(taken, (moment, 10**9))
    return next((span for span in taken[:found] if span[0] <= moment < span[1]), None)
