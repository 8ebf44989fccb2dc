"""The skills: all of table 4, each sound by itself, none that gives a value or the suite away, offered by persona."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.pi.skills import OFFERED, rows, skills
from benchmarks.pi.suite import episodes
from benchmarks.pi.words import normal
from servers import catalog
from servers.skills import MAIN, app, front
from tests.apps.desk import desk

ROOT = Path(__file__).parents[2]
TABLE = (
    "Jargon Translator", "PubMed Search", "Local File Grounding", "PDF Reader", "JSON Translator",
    "Customer Requirement Analysis", "iFinD Finance Data Search", "China Tax Law", "Python Data Analysis",
    "Data Analysis", "Planning", "News Aggregator", "Defense Lawyer", "Corporate Lawyer", "Proactive Task Validator",
    "One-Page Credit Analysis", "Financial Analysis", "Web Browsing", "Local Web Search",
    "Medical Literature Reader Pro", "Law Exam Trainer",
)  # fmt: skip
"""Names of the paper's table 4, in its order."""

VALIDATOR = "proactive-task-validator"
RETRIEVAL = ("ifind-finance-data-search", "local-web-search", "news-aggregator", "pubmed-search", "web-browsing")

_CODE = re.compile(r"`([^`\n]+)`")
_TOLD = re.compile(r"\b(benchmark\w*|proactiv\w*|hidden|clarif\w*|unasked|pi-bench|ask(s|ed|ing)?)\b", re.I)

every_skill = pytest.mark.parametrize("name", sorted(skills()))


def every_text() -> Iterator[tuple[str, str, str]]:
    for name, files in skills().items():
        for path, text in files.items():
            yield name, path, text


def quoted(name: str) -> list[str]:
    """What stands between backquotes in the files of a skill."""
    return [found for text in skills()[name].values() for found in _CODE.findall(text)]


def test_there_is_a_skill_for_each_row_of_the_table_and_no_other() -> None:
    assert len(TABLE) == 21
    assert sorted(skills()) == sorted(name.lower().replace(" ", "-") for name in TABLE)


def test_skills_and_their_files_are_in_order() -> None:
    assert list(skills()) == sorted(skills())
    assert all(list(files) == sorted(files) for files in skills().values())


@every_skill
def test_the_front_matter_is_sound_and_has_the_folder_s_name(name: str) -> None:
    assert front(skills()[name][MAIN]).name == name


@every_skill
def test_a_description_is_one_sentence(name: str) -> None:
    description = front(skills()[name][MAIN]).description

    assert not re.search(r"[.!?;] ", description)
    assert len(description) <= 150


@every_skill
def test_instructions_can_be_read_in_one_sitting(name: str) -> None:
    body = skills()[name][MAIN].split("---\n", 2)[2].strip()

    assert 25 <= len(body.splitlines()) <= 70
    assert all(len(text) < 6_000 for text in skills()[name].values())


@every_skill
def test_files_of_a_skill_are_those_that_its_instructions_name(name: str) -> None:
    named = {found for found in _CODE.findall(skills()[name][MAIN]) if found.startswith(("references/", "scripts/"))}

    assert named == set(skills()[name]) - {MAIN}


def test_at_most_two_skills_have_more_than_their_instructions() -> None:
    assert [name for name in skills() if len(skills()[name]) > 1] == ["china-tax-law", "medical-literature-reader-pro"]


@every_skill
def test_each_tool_that_a_skill_names_exists(name: str) -> None:
    apps = {each.name: each.toolsets.get("pi", each.default) for each in catalog.apps().values()}
    named = [found.split(".") for found in quoted(name) if re.fullmatch(r"[a-z_]+\.[a-z_]+", found)]

    assert [f"{of}.{tool}" for of, tool in named if of not in apps or tool not in apps[of].tools] == []
    assert [each for each in quoted(name) if any(each in toolset.tools for toolset in apps.values())] == []


@pytest.mark.parametrize("name", RETRIEVAL)
def test_a_skill_that_retrieves_searches_the_web_and_reads_what_it_finds(name: str) -> None:
    assert {"web.search", "web.fetch"} <= set(quoted(name))


@pytest.mark.parametrize(("name", "path", "text"), [each for each in every_text() if each[0] != VALIDATOR])
def test_no_skill_tells_of_the_suite_or_of_asking(name: str, path: str, text: str) -> None:
    assert [found[0] for found in _TOLD.finditer(text)] == []


def test_the_validator_is_about_what_others_are_silent_on() -> None:
    assert _TOLD.search(skills()[VALIDATOR][MAIN])


def test_no_skill_holds_a_value_that_is_withheld() -> None:
    values = {
        f" {normal(value)} "
        for episode in episodes()
        for session in episode.sessions
        for intent in session.intents
        for value in intent.values
    }
    told = {(name, path): f" {normal(text)} " for name, path, text in every_text()}

    assert values
    assert [(*where, value) for where, text in told.items() for value in sorted(values) if value in text] == []


def test_no_skill_names_a_host_or_an_address() -> None:
    assert [name for name, _, text in every_text() if re.search(r"\.example\b|https?://|\w@\w", text)] == []


def test_the_five_personas_are_offered_every_skill_but_the_validator() -> None:
    assert list(OFFERED) == ["financier", "law-trainee", "marketer", "pharmacist", "researcher"]
    assert {name for names in OFFERED.values() for name in names} == set(skills()) - {VALIDATOR}


@pytest.mark.parametrize("persona", OFFERED)
def test_what_a_persona_is_offered_is_in_order_and_listed_by_the_app(persona: str) -> None:
    names = OFFERED[persona]
    assert all(one < other for one, other in pairwise(names))

    with desk(app, {"files": rows(names)}) as calls:
        state = calls.layer.state(app)
        listed = app.default.tool("list_skills").call(state, {}).data["items"]
        read = app.default.tool("read_skill").call(state, {"name": names[0]}).data["result"]

    assert [each["name"] for each in listed] == list(names)
    assert read == skills()[names[0]][MAIN]


def test_rows_are_numbered_through_and_have_every_file() -> None:
    found = rows(["pdf-reader", "china-tax-law"])

    assert [(each["id"], each["skill"], each["path"]) for each in found] == [
        ("F1", "pdf-reader", "SKILL.md"),
        ("F2", "china-tax-law", "SKILL.md"),
        ("F3", "china-tax-law", "references/outline.md"),
    ]


def test_a_skill_that_is_not_there_is_refused_with_those_there_are() -> None:
    with pytest.raises(KeyError, match="there is no skill 'pdf'; there are: china-tax-law, corporate-lawyer, "):
        rows(["pdf"])


def test_the_package_brings_every_file() -> None:
    found = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    folder = ROOT / "benchmarks" / "pi" / "skills"
    patterns = found["tool"]["setuptools"]["package-data"]["*"]
    files = [path for path in folder.rglob("*.*") if path.suffix not in (".py", ".pyc")]

    assert len(files) == len(list(every_text()))
    assert [path for path in files if not any(path.match(pattern) for pattern in patterns)] == []
    assert [path for path in folder.rglob("*") if path.is_dir() and "." in path.name] == []  # setuptools skips those
