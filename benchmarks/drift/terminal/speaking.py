"""Mentions of the sorts that most slots have, kept only where they are what their fault says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from benchmarks.drift.need import outcome_of, sifted
from benchmarks.drift.template import Draw, Fault, Mention, Rows, Template, Value, Values, conflicts, nearest
from benchmarks.drift.terminal.files import day

__all__ = ("alike", "any_of", "days", "disagreeing", "false", "near", "settled", "unlike")


def any_of(
    fault: Fault, text: str, fits: Iterable[Value], own: Value, request: str = "", *, found: bool = False
) -> Iterator[Mention]:
    """A mention that fits several values, the task's own among them; nothing where it does not, or fits it alone.

    With `found`, looking it up leaves the task's own.
    """
    fitting = {repr(value.value): value for value in fits}
    if repr(own.value) in fitting and (len(fitting) > 1 or fault == "E1"):
        yield Mention(fault, text, fits=tuple(fitting.values()), found=(own,) if found else None, request=request)


def disagreeing(
    own: Value,
    others: Iterable[Value],
    words: Callable[[Value, Value], str],
    like: Callable[[Value], Sequence[Value]] | None = None,
) -> Iterator[Mention]:
    """Two mentions that contradict each other (A3), as `conflicts` has them."""
    for text, fits, second in conflicts(own, others, words, like):
        for mention in any_of("A3", text, fits, own):
            yield mention._replace(second=second)


def false(
    fault: Fault, text: str, claim: str, repairs: Iterable[Value], own: Value, said: Any = None, state: str = ""
) -> Iterator[Mention]:
    """A mention that nothing fits; what might be meant are these and the task's own, two others at most.

    `said` is the value that it names all the same, and `state` what it says of that (P3).
    """
    others = [value for value in repairs if value.value != own.value][:2]
    if others:
        yield Mention(fault, text, repairs=(own, *others), claim=claim, said=said, state=state)


def unlike(values: Sequence[Value], own: Value, number: int = 0) -> Value:
    """Another of the values, always the same one. Raises IndexError where there is none."""
    others = [value for value in values if value.value != own.value]
    return others[number % len(others)]


def alike(names: Sequence[str], own: str, between: str) -> list[str]:
    """Names that begin with the same word as `own`; words are parted by `between`."""
    return [name for name in names if name.split(between)[0] == own.split(between)[0]]


def near(own: str, between: str) -> str:
    """A name like `own` that nobody has; "" for a name of one word, which would be in it."""
    first, _, rest = own.partition(between)
    return f"{first}{between}2" if rest else ""


def settled(template: Template) -> Template:
    """The template with those draws alone that have an outcome, and those mentions alone that their faults allow."""

    def draw(rows: Rows, draw: Draw) -> Values | None:
        values = template.draw(rows, draw)
        return values if values is not None and outcome_of(template, rows, values) is not None else None

    return sifted(replace(template, draw=draw))


def days(own: Value, there: Sequence[Value], lead: str, what: str) -> Iterator[Mention]:
    """Ways to speak of a day among those that there are; `what` is what is missing on others ("log")."""
    when = date.fromisoformat(own.value)
    month = [value for value in there if value.value[:7] == own.value[:7]]
    yield from any_of("A2", f"{lead}some day in {when:%B}", month, own)
    close = [other for other in there if nearest(date.fromisoformat(other.value), when)]
    yield from disagreeing(own, close, lambda named, told: f"{lead}{date.fromisoformat(told.value):%A}, {named.text}")
    yield from any_of("E4", f"{lead}the other day", there[-4:], own)
    if own.value == there[-1].value:
        yield from any_of("A2", f"{lead}the last day that has one", there, own, found=True)
    late = date.fromisoformat(there[-1].value) + timedelta(days=9)
    yield from false("P1", f"{lead}{day(str(late)).text}", f"There is no {what} of that day.", there[-3:], own)
    yield from false("P4", f"{lead}31 April 2025", "April has no 31st day.", there[-3:], own)
    yield from any_of("A1", f"{lead}that day", there, own)
