"""What agents may write where a name, a day or a reference is wanted."""

from __future__ import annotations

import json
from typing import Any

from harness.record.scores import scores
from harness.suite import Suite
from harness.task import Task
from harness.trajectory import Trajectory

__all__ = ("FORMS", "TEXTS", "VALUES", "assert_scored")

TEXTS = {
    "a long s in a month": "12 \u017fep 2025",
    "other letters for those of months": "12 APR\u0130L, apr\u0131l 12, \uff2a\uff35\uff2e 12, 12 augu\u017ft",
    "digits of another script": "\u0663\u0661 December, \u0662\u0660\u0662\u0665-\u0661\u0662-\u0663\u0661, RQ-\u0667",
    "digits that are none": "²² May ², ½, Ⅻ 2025-⑫-01",
    "more digits than a number may have": "9" * 5_000,
    "a sign with such a number": f"Draft {'9' * 4_500}: thing, {'9' * 4_500}, Name",
    "days out of range": "0000-00-00, 9999-99-99, 31.02.0000, 29 February 2025, 99 May 9999",
    "numbers out of range": "1e999 -1e999 1.7e308 NaN Infinity -0",
    "half a character": "\ud83d",
    "control characters": "\x00\x1b\u202e\ufeff\u2028",
    "accents without letters": "\u0301" * 2_000,
    "a letter with many accents": "a" + "\u0301" * 9_000,
    "one character that becomes many": "ﷺ" * 500,
    "the last character": "\U0010ffff",
    "brackets": "[" * 3_000,
    "addresses of nobody": "<@> <a@> a@b@c <<a@b>> " * 50,
    "nothing but spaces": " \t\n\u00a0\u3000",
    "nothing": "",
    "very long": "lorem ipsum Berg " * 550,
    "one long word": "x" * 10_000,
}
"""By what is odd about them."""

VALUES: dict[str, Any] = {
    "null": None,
    "a truth value": True,
    "zero": 0,
    "a number below zero": -1.5e-300,
    "a number beyond all floats": 10**400,
    "the largest number": 1.7e308,
    "not a number": float("nan"),
    "infinity": float("inf"),
    "an empty list": [],
    "an empty object": {},
    "a list of everything": [None, True, 7, "x", ["y", {"z": []}], {"\ud83d": "12 \u017fep"}],
    "an object": {"value": "Name", "": None},
    "lists in lists": json.loads("[" * 300 + "]" * 300),
    "objects in objects": json.loads('{"a":' * 300 + "1" + "}" * 300),
    "many values": ["Name"] * 3_000,
}
"""And what is no text."""

FORMS = {
    "nothing": "",
    "no JSON": "who_blocked: Ada",
    "a byte order mark": '\ufeff{"who_blocked": "Ada"}',
    "brackets": "[" * 3_000,
    "braces": '{"who_blocked":' * 3_000,
    "lists in lists": '{"who_blocked":' + "[" * 900 + "]" * 900 + ', "evidence":' + "[" * 900 + "]" * 900 + "}",
    "more digits than a number may have": '{"who_blocked": ' + "9" * 5_000 + "}",
    "a name that is half a character": '{"\\ud83d": "Ada"}',
    "null": "null",
    "a list": '["Ada"]',
    "a text": '"Ada"',
    "not a number": "NaN",
}
"""What a file may hold in place of a form."""


def assert_scored(suite: Suite, task: Task, trial: Trajectory) -> None:
    """Every check has a score that a record can keep, none of them void, and every question can be asked."""
    said = scores(suite.checks, task, trial)

    assert {*said} == {*suite.checks}
    assert all(score.model_dump_json() and score.label != "void" for score in said.values())
    assert said["search_f1"].value is not None
    assert all(len(query.key) == 64 for query in suite.queries(task, trial))
