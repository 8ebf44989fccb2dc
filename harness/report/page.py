"""One self-contained HTML page: tables and figures, no network, no script."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.core.suite import Scored, Suite, Table
from harness.core.visible import visible
from harness.report import plots
from harness.report.figures import Figure
from harness.report.headline import headline
from harness.report.order import digest, labelled
from harness.report.templates import Worst
from harness.report.texts import texts
from harness.report.users import labels, titled
from harness.report.verdicts import verdict

if TYPE_CHECKING:
    from jinja2 import Template

    from harness.record.store import Run, RunHead

__all__ = ("NAME", "Part", "Shown", "leave", "page", "part", "shown", "write")

NAME = "report.html"
"""Of the page that a run's folder has, for a browser."""

NO_PLOTS = "Plots are left out: they need Matplotlib, which `pip install 'workplace-harness[plots]'` brings."


class Part(NamedTuple):
    """One part of a page: a run, or a comparison. `facts` stand under its heading, and a `sentence` that sums up.

    `ending` is what its heading ends with; where titles do too, its contents leave that out.
    """

    heading: str
    facts: Mapping[str, str]
    tables: Sequence[Table]
    sentence: str = ""
    ending: str = ""


def part(head: RunHead, suite: Suite, trials: Sequence[Scored], tables: Sequence[Table]) -> Part:
    """A run as a part of a page, which begins with what its first screen says (`harness.report.headline`)."""
    config = head.config
    kinds = [agent.name if agent.name == agent.kind else f"{agent.name} ({agent.kind})" for agent in config.agents]
    users = labels(config)
    ending = titled("", users.values())
    void = sum(verdict(scored) == "void" for scored in trials)
    facts = {
        "suite": labelled(suite),
        "agents": ", ".join(kinds),
        "conditions": ", ".join(f"{name} ({user})" if user else name for name, user in users.items()),
        "trials": f"{len(trials)}, {void} void" if void else str(len(trials)),
        "seed": str(config.seed),
        "run": head.identity,
        "states": digest(trials)[:12],
        "package": head.package,
    }
    name = config.name or head.identity
    heading = (labelled(suite) if name == suite.name else f"{name}: {labelled(suite)}") + ending
    if not trials:
        return Part(heading, facts, tables, ending=ending)
    first = headline(config, suite, trials)
    return Part(heading, facts, [first.table, *tables], first.sentence, ending)


class Shown(NamedTuple):
    """A table as a page takes it: rows as text, columns of numbers marked."""

    anchor: str
    table: Table
    rows: Sequence[Sequence[str]]
    numeric: Sequence[bool]
    drawings: Mapping[str, str]
    folded: bool


def page(title: str, parts: Sequence[Part]) -> str:
    """The page as HTML."""
    drawing = plots.available()
    found = [
        (part, [shown(table, f"t{n}-{m}", drawing) for m, table in enumerate(part.tables)])
        for n, part in enumerate(parts)
    ]
    missing = not drawing and any(isinstance(table, Figure) for part in parts for table in part.tables)
    return visible(_template().render(title=title, parts=found, problem=NO_PLOTS if missing else ""))


def leave(run: Run, suite: Suite, trials: Sequence[Scored], tables: Sequence[Table]) -> Path:
    """Write the page of a run into its folder."""
    own = part(run.head, suite, trials, tables)
    write(run.folder / NAME, page(own.heading, [own]))
    return run.folder / NAME


def write(path: Path, text: str) -> None:
    """Write the page whole: a kill leaves either the old file or the new one. Raises `RunError`."""
    from harness.record.files import write_whole

    write_whole(path, text)


def shown(table: Table, anchor: str, drawing: bool) -> Shown:
    """A table ready to be shown; with `drawing` also drawn, where it is a figure."""
    table = table.shown if isinstance(table, Worst) else table
    columns = [[row.get(name) for row in table.rows] for name in table.columns]
    drawings: Mapping[str, str] = {}
    if drawing and isinstance(table, Figure):
        drawings = plots.draw(table, anchor)
    return Shown(
        anchor,
        table,
        list(zip(*map(texts, columns, table.columns), strict=True)),
        [not any(isinstance(value, str) for value in column) for column in columns],
        drawings,
        len(table.rows) > 24 or (isinstance(table, Figure) and table.folded and bool(drawings)),
    )


@cache
def _template() -> Template:
    from jinja2 import Environment

    source = Path(__file__).with_name("page.html.j2").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["code"] = _code
    return environment.from_string(source)


def _code(text: str) -> Any:
    """Text with `backquoted` words as code."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))
