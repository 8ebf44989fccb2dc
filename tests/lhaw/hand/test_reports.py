"""What `harness report` says of hand-made run folders, cell by cell (docs/benchmarks/lhaw-tables.md, lhaw-flags.md).

What happened stands in `one_agent.py`, `two_agents.py` and `instrument.py`, the figures in the text files beside them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from benchmarks.lhaw.flags import COMPUTED
from harness.core.config import RunConfig
from harness.core.scores import Score
from harness.record.store import Run
from harness.wiring import suite
from tests.cli.conftest import ended
from tests.lhaw.hand import instrument, one_agent, two_agents
from tests.lhaw.hand.figures import differing, expected
from tests.lhaw.hand.folder import write

STORIES: Final = {"one_agent": one_agent, "two_agents": two_agents, "instrument": instrument}
FIGURES: Final = {name: expected(Path(__file__).with_name(f"{name}.txt")) for name in STORIES}
DOCS: Final = Path(__file__).parents[3] / "docs" / "benchmarks"

ELSEWHERE: Final = frozenset(
    {
        "outcomes",
        "by template",
        "by template, agent and condition",
        "effort",
        "failed trials with trouble in the dialogue",
        "range over manners",
        "the simulated user on questions that players put",
    }
)
"""Tables that a report on any suite has, and that of figures which are of no run."""

OF_PAGES: Final[Mapping[str, Sequence[str]]] = {
    "*Clarification*": [""],
    "what the user is worth": ["what the user is worth"],
    "..., in pass@3": ["what the user is worth, in pass@3"],
    "..., in checkpoints": ["what the user is worth, in checkpoints"],
    "dials": ["dials"],
    "asking": ["asking"],
    "by designed class, by empirical class": ["by designed class", "by empirical class"],
    "outcome-critical variants": ["outcome-critical variants, designed", "outcome-critical variants, empirical"],
    "by dimension": ["by dimension"],
    "by subdimension": ["by subdimension"],
    "by segments": ["by segments"],
    "by removal strategy": ["by removal strategy"],
    "by strategy and class": ["by strategy and designed class"],
    "by persona": ["by persona"],
    "by condition": ["by condition"],
    "questions by class and persona": [
        "questions by designed class and persona",
        "questions by empirical class and persona",
    ],
    "before the first question": ["before the first question"],
    "the value of information": ["the value of information"],
    "mean over agents": ["mean over agents"],
    "what the user is worth, over manners": ["what the user is worth, over manners"],
    "what its variants are": ["what its variants are"],
    "failure modes of asking": ["failure modes of asking"],
    "..., failed trials": ["failure modes of asking, failed trials"],
    "failure flags": ["failure flags"],
    "failure flags by designed class, by empirical class": [
        "failure flags by designed class",
        "failure flags by empirical class",
    ],
    "failure flags, judge and rule": [],  # takes verdicts: tests/lhaw/flags
}
"""The tables that the two pages list, by the names that they have in titles."""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The run folders, each written once."""
    base = tmp_path_factory.mktemp("hand")
    instrument.leave_set(base / "set")
    for name, story in STORIES.items():
        config = RunConfig.model_validate({"suite": str(base / "set"), **story.CONFIG})
        write(base / name, suite(config.suite), config, story.VARIANTS, story.STORY)
    return {name: base / name for name in STORIES}


@pytest.fixture(scope="module")
def reports(folders: Mapping[str, Path]) -> Any:
    """What the command says of a folder, table by table."""

    @cache
    def tables(name: str) -> Any:
        return json.loads(reported(folders[name], "--json"))["tables"]

    return tables


def reported(folder: Path, *how: str) -> str:
    """What `harness report` writes of a folder."""
    written = folder.with_name(f"{folder.name}.report")
    assert ended("report", folder, *how, "--output", written) == 0
    return written.read_text(encoding="utf-8")


def named(title: str) -> str:
    """A title without the group and the users."""
    bare = re.sub(r", users? grounded@2.*", "", title)
    return re.sub(r"^(Clarification|Calibration|Results|Suite)(: )?", "", bare)


def listed(page: str, heading: str) -> list[str]:
    """The first column of the table below a heading of a page."""
    section = (DOCS / page).read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("|")]
    return rows[2:]


@pytest.mark.parametrize(("name", "title"), [(name, title) for name, tables in FIGURES.items() for title in tables])
def test_every_cell_is_as_worked_out_by_hand(reports: Any, name: str, title: str) -> None:
    assert differing(reports(name)[title], FIGURES[name][title]) == []


@pytest.mark.parametrize("name", STORIES)
def test_a_report_has_no_table_of_lhaw_that_was_not_worked_out(reports: Any, name: str) -> None:
    others = [title for title in reports(name) if title not in FIGURES[name]]

    assert {named(title) for title in others} <= ELSEWHERE


def test_every_table_that_the_pages_list_was_worked_out_in_some_folder() -> None:
    pages = [*listed("lhaw-tables.md", "Which there are"), *listed("lhaw-flags.md", "Tables")]
    found = {named(title) for tables in FIGURES.values() for title in tables}

    assert sorted(pages) == sorted(OF_PAGES)
    assert found == {name for names in OF_PAGES.values() for name in names}


def test_every_computed_flag_of_the_page_is_yes_no_and_not_applicable_somewhere() -> None:
    page = {name.replace(" ", "_") for name in listed("lhaw-flags.md", "Computed")}
    counts: Counter[tuple[str, str]] = Counter()
    for tables in FIGURES.values():
        for rows in (rows for title, rows in tables.items() if named(title) == "failure flags"):
            for row in rows:
                counts.update({(row["flag"], value): int(row[value]) for value in ("yes", "no", "n/a")})
    missing = {(flag, value) for flag in COMPUTED for value in ("yes", "no", "n/a") if not counts[flag, value]}

    assert page == set(COMPUTED)
    assert missing == {("unnecessary_questions", "n/a")}  # which it never is


@pytest.mark.parametrize("name", STORIES)
def test_trials_end_as_the_story_says_in_short(folders: Mapping[str, Path], name: str) -> None:
    ended = {}
    for record in Run.open(folders[name]).records():
        t = record.trajectory
        ended[t.agent, t.task, t.condition, t.trial] = letter(record.scores["outcome"])

    assert ended == dict(in_short(STORIES[name]))


def letter(outcome: Score) -> str:
    return "v" if outcome.value is None else "r" if outcome.right else "w"


def in_short(story: Any) -> Iterator[tuple[tuple[str, str, str, int], str]]:
    """How trials ended, from the last table of a story's docstring."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in story.__doc__.splitlines() if "|" in line]
    start = max(n for n, row in enumerate(rows) if not row[0])
    for first, *cells in rows[start + 2 :]:
        agent, _, variant = first.rpartition(", ")
        for condition, trials in zip(rows[start][1:], cells, strict=True):
            for number, ending in enumerate(trials.split()):
                if ending != "-":
                    name = agent or story.CONFIG["agents"][0]["name"]
                    yield (name, story.VARIANTS[variant], condition, number), ending


def test_markdown_has_the_same_cells(folders: Mapping[str, Path]) -> None:
    parts = reported(folders["instrument"], "--format", "md").split("\n## ")[1:]
    found = {part.partition("\n")[0]: as_figures(part) for part in parts}

    for title, rows in FIGURES["instrument"].items():
        assert differing(found[title], rows, near=0.0005) == [], title  # it has three decimals


def as_figures(part: str) -> list[dict[str, Any]]:
    """The rows of a Markdown table: numbers, words, and None for a dash."""
    names, _, *rows = (line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("|"))
    return [{name: as_figure(cell) for name, cell in zip(names, cells, strict=True)} for cells in rows]


def as_figure(cell: str) -> float | str | None:
    if cell == "-":
        return None
    with suppress(ValueError):
        return float(cell)
    return cell
