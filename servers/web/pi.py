"""The two rows of pi-Bench's table of tools that are about the web. Pages that come out later than now do not exist."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

from pydantic import BaseModel, Field

from servers.kernel import Day, Page, Rejected, Skip, State, between, in_order, paged, part, quoted
from servers.web.ranking import Counted, counted, ranked, snippet, words, worth
from servers.web.tables import WebPage, app

__all__ = ("pi",)

_QUERY, _HITS = 500, 10

pi = app.toolset(
    "pi",
    "The web. `search` finds pages by words and returns their addresses, `fetch` reads one.",
    structured=False,
)


class Hit(BaseModel):
    """A page that was found, and where it is about the query."""

    title: str
    url: str
    published: date
    snippet: str


class Text(BaseModel):
    """A page. `next` says how to read on, where the text was too long for one result."""

    title: str
    url: str
    published: date
    text: str
    next: str | None


@pi.reads
def search(
    state: State,
    query: Annotated[str, Field(max_length=_QUERY, description="What to look for, in words the page would use.")],
    site: Annotated[
        str, Field(description="Only pages of this host, such as news.example, and of hosts below it.")
    ] = "",
    after: Annotated[Day | None, Field(description="Only pages of this day or later, as YYYY-MM-DD.")] = None,
    before: Annotated[Day | None, Field(description="Only pages of this day or earlier, as YYYY-MM-DD.")] = None,
    skip: Skip = 0,
) -> Page[Hit]:
    """Search the web; those that fit best first, ten at a time. `fetch` shows a page in full."""
    if not words(query):
        raise Rejected("query has no words; say what to look for, such as: bank holidays 2026")
    in_order(after, before)
    there = _there(state)
    host = _host(_plain(site))
    values = worth(there, query)
    found = [
        page
        for page in ranked(there, query)
        if (not host or f".{_host(_plain(page.address))}".endswith(f".{host}"))
        and between(page.published, after, before)
    ]
    return paged(found, skip, lambda page: _hit(page, snippet(page.text, values)), size=_HITS)


@pi.reads
def fetch(
    state: State,
    url: Annotated[str, Field(description="Address of a page, as returned by `search` or linked to on a page.")],
    skip: Annotated[
        int, Field(ge=0, description="Characters of a long text to skip, as given by `next` in a result.")
    ] = 0,
) -> Text:
    """Read a page of the web, as it is today."""
    wanted = _plain(url)
    for page, _ in _there(state):
        if _plain(page.address) == wanted:
            text, rest = part(page.text, skip)
            return Text(title=page.title, url=page.address, published=page.published, text=text, next=rest)
    raise Rejected(f"There is no page at {quoted(url)}; `search` finds the addresses of those there are.")


def _there(state: State) -> list[Counted]:
    """The pages that are out by now, each in its last version, in row order of the first."""
    last: dict[str, Counted] = {}
    for each in state.derived(counted):
        address, published = _plain(each.page.address), each.page.published
        if published <= state.now.date() and (address not in last or last[address].page.published <= published):
            last[address] = each
    return list(last.values())


def _hit(page: WebPage, around: str) -> Hit:
    return Hit(title=page.title, url=page.address, published=page.published, snippet=around)


def _plain(address: str) -> str:
    """An address without what makes no difference: scheme, a slash at the end, what follows #, capitals in a host."""
    rest = re.sub(r"^https?://", "", address.strip().partition("#")[0], flags=re.IGNORECASE)
    host, slash, path = rest.partition("/")
    return f"{host.lower()}{slash}{path}".rstrip("/")


def _host(plain: str) -> str:
    return plain.partition("/")[0]
