"""Search as tools show it: what was found, with excerpts."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from servers.datastore.ranking import excerpt, index, words
from servers.kernel import Rejected, State

__all__ = ("Found", "Hit", "Offset", "Query", "TopK", "found")

_QUERY = 1_000

Query = Annotated[str, Field(max_length=_QUERY, description="What to look for, in words the document would use.")]
TopK = Annotated[int, Field(ge=1, le=20, description="How many documents to return.")]
Offset = Annotated[
    int, Field(ge=0, le=1_000_000, description="How many documents to skip, as given by next_offset in a result.")
]


class Hit(BaseModel):
    """A document, and where it is about the query."""

    id: str
    type: str
    title: str
    excerpt: str


class Found(BaseModel):
    """The best documents; `next_offset` goes on behind them, None where there is no more."""

    items: list[Hit]
    next_offset: int | None = None


def found(state: State, query: str, top_k: int, offset: int) -> Found:
    """The documents from `offset` on, best first. Raises `Rejected` for a query without words."""
    wanted = words(query)
    if not wanted:
        raise Rejected("query has no words; say what to look for, such as: approval of the price list")
    there = state.derived(index)
    ranked = there.ranked(query)
    worth = {word: there.worth[word] for word in wanted if word in there.worth}
    hits = [
        Hit(id=item.id, type=item.kind, title=item.title(), excerpt=excerpt(item.text(), worth))
        for number in ranked[offset : offset + top_k]
        for item in (there.items[number],)
    ]
    until = offset + top_k
    return Found(items=hits, next_offset=until if until < len(ranked) else None)
