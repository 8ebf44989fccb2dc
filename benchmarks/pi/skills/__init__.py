"""The skills of pi-Bench's table 4, in words of our own: a folder each, and which persona is offered which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

__all__ = ("OFFERED", "rows", "skills")

_FOLDER: Final = Path(__file__).parent

OFFERED: Final[Mapping[str, tuple[str, ...]]] = {
    "financier": (
        "customer-requirement-analysis",
        "data-analysis",
        "financial-analysis",
        "ifind-finance-data-search",
        "local-file-grounding",
        "news-aggregator",
        "one-page-credit-analysis",
        "pdf-reader",
        "python-data-analysis",
    ),
    "law-trainee": (
        "china-tax-law",
        "corporate-lawyer",
        "defense-lawyer",
        "jargon-translator",
        "law-exam-trainer",
        "local-file-grounding",
        "pdf-reader",
        "planning",
        "web-browsing",
    ),
    "marketer": (
        "customer-requirement-analysis",
        "data-analysis",
        "jargon-translator",
        "json-translator",
        "local-file-grounding",
        "local-web-search",
        "news-aggregator",
        "planning",
        "web-browsing",
    ),
    "pharmacist": (
        "data-analysis",
        "json-translator",
        "local-file-grounding",
        "local-web-search",
        "medical-literature-reader-pro",
        "pdf-reader",
        "planning",
        "pubmed-search",
    ),
    "researcher": (
        "json-translator",
        "local-file-grounding",
        "news-aggregator",
        "pdf-reader",
        "planning",
        "python-data-analysis",
        "web-browsing",
    ),
}
"""Persona -> names of skills, both sorted. Nobody gets `proactive-task-validator`: it would give the suite away."""


@cache
def skills() -> Mapping[str, Mapping[str, str]]:
    """Name of a skill -> path within its folder -> text, both sorted."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted(_FOLDER.glob("*/**/*.md"), key=lambda path: path.relative_to(_FOLDER).parts):
        name, *inner = path.relative_to(_FOLDER).parts
        found.setdefault(name, {})["/".join(inner)] = path.read_text(encoding="utf-8")
    return found


def rows(names: Iterable[str]) -> list[dict[str, Any]]:
    """Rows for the table `files` of the app `skills`: those skills, in order. Raises `KeyError`, with what there is."""
    found: list[dict[str, Any]] = []
    for name in names:
        if name not in skills():
            raise KeyError(f"there is no skill {name!r}; there are: {', '.join(skills())}")
        for path, text in skills()[name].items():
            found.append({"id": f"F{len(found) + 1}", "skill": name, "path": path, "text": text})
    return found
