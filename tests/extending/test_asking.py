"""What `docs/asking.md` says of a slot's own words, without the programs that `test_page` starts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import anyio

from harness.audit.asking import findings, listen, withheld
from harness.cli.auditing import asked
from harness.task import Task
from tests.extending.page import ROOT, blocks
from tests.harness import toy


def task(**words: Any) -> Task:
    """The page's, with other words for its odd slot."""
    (text,) = (block.text for block in blocks("asking") if block.file.endswith("review.json"))
    found = {name: value for name, value in json.loads(text).items() if name != "$schema"}
    return Task.model_validate(_with(found, words))


def _with(found: Any, words: Mapping[str, Any]) -> Any:
    if isinstance(found, list):
        return [_with(each, words) for each in found]
    if not isinstance(found, dict):
        return found
    changed = {**found, **words} if found.get("name") == "length" else found
    return {key: _with(value, words) for key, value in changed.items()}


def problems(chosen: Task) -> list[str]:
    suite = replace(toy.suite(), tasks=(chosen,))
    return [found.text for found in findings(anyio.run(listen, withheld(suite, suite.tasks), asked))]


def test_every_slot_of_the_page_is_heard() -> None:
    assert problems(task()) == []


def test_without_its_words_the_odd_slot_is_named_as_the_page_says() -> None:
    page = " ".join((ROOT / "docs" / "asking.md").read_text(encoding="utf-8").split())
    (problem,) = problems(task(asks=()))

    assert problem in page


def test_under_a_plainer_kind_it_needs_no_words() -> None:
    assert problems(task(asks=(), kind="duration")) == []
