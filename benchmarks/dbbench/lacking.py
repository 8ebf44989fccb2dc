"""Which values a change needs and its description does not say: such a request cannot be carried out as it stands."""

from __future__ import annotations

import re
import unicodedata

from benchmarks.dbbench.mysql import literals
from benchmarks.dbbench.published import Row

__all__ = ("lacking",)


def lacking(row: Row) -> tuple[str, ...]:
    """Values of the label, in its order, that do not stand in the description; none of a question.

    A value stands there where its words do, letter case, white space and the commas of numbers apart. An empty text
    needs no words.
    """
    if row.kind == "read":
        return ()
    told = _plain(row.description)
    values = dict.fromkeys(value for value in literals(row.label[0]) if value.strip())
    return tuple(value for value in values if not _stands(_plain(value), told))


def _stands(value: str, told: str) -> bool:
    """As whole words: 2 does not stand in 2015."""
    first = r"(?<!\w)" if value[:1].isalnum() else ""
    last = r"(?!\w)" if value[-1:].isalnum() else ""
    return re.search(f"{first}{re.escape(value)}{last}", told) is not None


def _plain(text: str) -> str:
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", folded)
