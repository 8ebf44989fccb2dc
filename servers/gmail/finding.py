"""How every surface looks for mail: by words and by the day it was sent."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from servers.kernel import Rejected, moment, quoted, worded

__all__ = ("Day", "Words", "conditions")

_SEARCHED = ("body", "subject", "address")

Words = Annotated[
    str | None,
    Field(
        description="Words to look for, separated by spaces, in any order and regardless of case. An email "
        "matches if every word occurs in its subject, body or address. Empty matches every email."
    ),
]
Day = Annotated[
    str | None,
    Field(description="YYYY-MM-DD; a time of day is ignored. That day is included. Leave out for no bound."),
]


def conditions(query: str | None, date_min: str | None, date_max: str | None) -> tuple[list[str], list[str]]:
    """What mail has to fulfil, as SQL, and the parameters in it. Raises `Rejected`."""
    has, words = worded(query or "", *_SEARCHED)
    where, params = [has], [*words]
    for name, day, bound in (("date_min", date_min, ">="), ("date_max", date_max, "<=")):
        if day:
            where.append(f"left(sent_datetime, 10) {bound} ?")
            params.append(_day(name, day))
    return where, params


def _day(name: str, text: str) -> str:
    if (when := moment(text)) is None:
        raise Rejected(f"{name} {quoted(text)} is not a date; write YYYY-MM-DD.")
    return when.date().isoformat()
