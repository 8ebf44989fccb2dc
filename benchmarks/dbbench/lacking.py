"""Which values a change writes that its description does not say: such a request cannot be carried out as it stands."""

from __future__ import annotations

from benchmarks.dbbench.mysql import written
from benchmarks.dbbench.published import Row

__all__ = ("lacking",)


def lacking(row: Row) -> tuple[str, ...]:
    """Values that the label writes and that do not stand in the description, letter case apart; none of a question.

    A value is judged sign by sign, as the rows will be: with a dash for a hyphen, or a line break for a blank, it does
    not stand there. What it takes to find the rows (after WHERE) can be looked up and does not count.
    """
    if row.kind == "read":
        return ()
    told = row.description.casefold()
    return tuple(value for value in dict.fromkeys(written(row.label[0])) if value.casefold() not in told)
