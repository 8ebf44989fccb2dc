"""The page about apps, from the code: `python -m tests.contracts.page` writes it anew.

A change to an app's tables or tools, to what they cost or to the names of others that they stand for changes the page,
so it shows as a diff.
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from harness.serving.cost import BYTES_PER_TOKEN, CORE, Cost, core, cost
from servers import catalog
from servers.kernel import App, Table, Tool, Toolset, addressed
from tests.contracts.columns import default, kind
from tests.contracts.official import SERVERS, Official, official

__all__ = ("MOST_TOKENS", "MOST_TOOLS", "PAGE", "Entry", "generated", "page")

PAGE = Path(__file__).parents[2] / "docs" / "apps.md"

MOST_TOOLS, MOST_TOKENS = 70, 15_000
"""What the default toolsets of the core apps may have together."""

_TERMS = (
    ("app", "a workplace program: tables, and tools over them. Each is an MCP server of its own"),
    ("core apps", f"those that make an office together, as far as they are there: {', '.join(CORE)}"),
    (
        "table, row, column",
        "what an app keeps. A sandbox starts with the rows of a world, and a task is scored by how they end. Each row "
        "has an `id` beside the columns listed here",
    ),
    (
        "*needed*, *nothing*, *worked out*",
        "whoever writes rows must give this column; it may be without a value; it follows from others",
    ),
    (
        "*text with dates*",
        "text that is or holds days as `YYYY-MM-DD`. They move when a world is moved to today, as do a *day* and a "
        "*moment* (a day and a time of day)",
    ),
    (
        "toolset",
        "a set of an app's tools, which a client is offered as a whole. Several work on the same tables; the *default* "
        "is for whoever asks for none",
    ),
    (
        "*reads*, *writes*, *asks*, *delegates*",
        "a tool that never changes a row; one that does; one that waits for a person's answer; one that has somebody "
        "else do a task. *Destructive*: what was there may be gone afterwards",
    ),
    (
        "definitions",
        "names, descriptions and input schemas of the tools of a toolset, as a model reads them. "
        "Most clients put them into every conversation",
    ),
    (
        "bytes, tokens",
        f"the length of the JSON of these definitions, and that length divided by {BYTES_PER_TOKEN} and rounded up. No "
        "tokenizer is asked: they differ, by about a quarter either way on such text",
    ),
    (
        "*text alone*",
        "results without structured content beside their text, and definitions without schemas of results. Other "
        "toolsets have both",
    ),
    (
        "official names",
        "what tools are called by well-known servers of the same kind, or in the table of a paper, each with the "
        "`toolset.tool` of ours that does the work, or why none does",
    ),
)


class Entry(NamedTuple):
    """What the page tells of one app: `about` is what its package says of itself."""

    app: App
    about: str = ""
    official: Official = Official()


def generated() -> str:
    """The page for the apps of this project, without those that plugins bring."""
    return page(
        [
            Entry(catalog.app(name), import_module(f"servers.{name}").__doc__ or "", official(name))
            for name in catalog.folders()
        ]
    )


def page(entries: Sequence[Entry]) -> str:
    """The page for these apps."""
    parts = [
        "# Apps",
        "[workplace-harness](../README.md) \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} [docs](README.md)",
        "What each app is for, what it keeps, what its tools do and what they cost. What default toolsets have in "
        "common: [surfaces.md](surfaces.md).\nHow to write an app: [extending.md](extending.md). This page is "
        "generated from the code by `python -m tests.contracts.page`; a test holds it to what that writes.",
        "## Contents",
        "- [Terms](#terms)\n- [What definitions cost](#what-definitions-cost)\n"
        + "\n".join(
            f"- [{app.name}](#{app.name}): {_inline(addressed(app.instructions, None))}" for app, *_ in entries
        ),
        "## Terms",
        _table(("term", "meaning"), _TERMS),
        "## What definitions cost",
        *_costs([entry.app for entry in entries]),
    ]
    for entry in entries:
        parts += _app(entry)
    return "\n\n".join(parts) + "\n"


def _costs(apps: Sequence[App]) -> Iterator[str]:
    yield _table(
        ("app", "toolset", "default", "tools", "bytes", "tokens"),
        (
            (f"[{app.name}](#{app.name})", f"`{name}`", "yes" if toolset is app.default else "", *_figures(toolset))
            for app in apps
            for name, toolset in app.toolsets.items()
        ),
        numbers=3,
    )
    names = ", ".join(f"`{toolset.app.name}`" for toolset in core(apps))
    yield (
        f"The default toolsets of the core apps that there are ({names}) have {_sum(cost(*core(apps)))} together. "
        f"A test allows them {MOST_TOOLS} tools and {MOST_TOKENS:,} tokens. `harness list apps` shows the same."
    )


def _app(entry: Entry) -> Iterator[str]:
    app, about, said = entry
    yield f"## {app.name}"
    yield _inline(addressed(app.instructions, None))
    if about:
        yield _inline(inspect.cleandoc(about).split("\n\n")[0])
    if app.tables:
        yield "### Tables"
    for table in app.tables:
        yield from _rows(table)
    for toolset in app.toolsets.values():
        yield from _toolset(toolset)
    if said.names:
        yield "### Official names"
    for server, names in said.names.items():
        yield from _names(server, names, said.not_offered)


def _rows(table: type[Table]) -> Iterator[str]:
    example = f"; ids such as `{table.id_format.format(1)}`" if table.id_format != "{}" else ""
    yield f"**`{table.table_name}`**{example}"
    if about := inspect.cleandoc(table.__doc__ or ""):
        yield _prose(about)
    fields = {name: field for name, field in table.model_fields.items() if name != "id"}
    notes = any(field.description for field in fields.values())
    yield _table(
        ("column", "type", "unless given", *(["meaning"] if notes else [])),
        (
            (
                f"`{name}`",
                kind(field.rebuild_annotation()),
                default(table, name),
                *([_inline(field.description or "")] if notes else []),
            )
            for name, field in fields.items()
        ),
    )


def _toolset(toolset: Toolset) -> Iterator[str]:
    yield f"### Toolset `{toolset.name}`"
    kinds = Counter(tool.kind for tool in toolset.tools.values())
    words = ", ".join(
        f"{kinds[kind]} {kind if kinds[kind] == 1 else kind[:-1]}"
        for kind in ("reads", "writes", "asks", "delegates")
        if kinds[kind]
    )
    marks = ["the default"] * (toolset is toolset.app.default) + ["text alone"] * (not toolset.structured)
    yield f"{_sum(cost(toolset))} ({words}){''.join(f'; {mark}' for mark in marks)}."
    if toolset.instructions != toolset.app.instructions:
        yield _inline(addressed(toolset.instructions, None))
    yield _table(
        ("tool", "kind", "what it does"),
        ((f"`{tool.name}`", _kind(tool), _inline(tool.description.splitlines()[0])) for tool in toolset.tools.values()),
    )


def _kind(tool: Tool) -> str:
    return f"{tool.kind}, destructive" if tool.destructive else tool.kind


def _names(server: str, names: Mapping[str, str], not_offered: Mapping[str, str]) -> Iterator[str]:
    offered = sum(map(bool, names.values()))
    yield f"**{server}**, {SERVERS.get(server, 'a server of that name')}: {offered} of {len(names)} offered"
    yield _table(
        ("official name", "tool"),
        (
            (f"`{name}`", f"`{tool}`" if tool else f"not offered: {_inline(not_offered.get(name, ''))}")
            for name, tool in names.items()
        ),
    )


def _figures(toolset: Toolset) -> tuple[str, str, str]:
    found = cost(toolset)
    return str(found.tools), f"{found.bytes:,}", f"{found.tokens:,}"


def _sum(found: Cost) -> str:
    return f"{found.tools} tool{'s' * (found.tools != 1)}, {found.bytes:,} bytes, about {found.tokens:,} tokens"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: int = 0) -> str:
    """A table in Markdown, its last `numbers` columns set to the right."""
    rules = ["---"] * (len(head) - numbers) + ["---:"] * numbers
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in (head, rules, *rows)
    )


def _inline(text: str) -> str:
    """A text as one line of Markdown."""
    return _prose(" ".join(text.split()))


def _prose(text: str) -> str:
    """A text of ours as Markdown: what would be markup outside of code is none."""
    code = re.split(r"(`[^`]*`)", text)
    return "".join(part if number % 2 else re.sub(r"[<*]", r"\\\g<0>", part) for number, part in enumerate(code))


if __name__ == "__main__":
    PAGE.write_text(generated(), encoding="utf-8")
