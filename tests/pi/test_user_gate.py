"""The gate counts what it should, and the rule passes it on the questions that it was tuned on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from scipy.stats import beta

from servers.kernel import Intent, Turn
from tests.pi.gate import DEVELOPMENT, Rate, figures, intents, measured, read
from tests.pi.talking import done
from userssim.intents.rules import Rules, asked

GATE = DEVELOPMENT.parent
FIGURES: dict[str, dict[str, int]] = json.loads((GATE / "figures.json").read_text(encoding="utf-8"))
"""File -> what `Figures.summed` gives; docs/users.md has them as shares."""
TWO = [
    {"id": "basis", "text": "", "says": "It is ACT/365F.", "cues": [["day count"]], "values": ["ACT/365F"]},
    {"id": "naming", "text": "", "says": "As in v1 of ACT/365F.", "cues": [["file name"]], "values": ["v1"]},
]


def file(folder: Path, *lines: dict[str, Any]) -> Path:
    path = folder / "lines.jsonl"
    path.write_text("".join(json.dumps({"intents": TWO, **line}) + "\n" for line in lines), encoding="utf-8")
    return path


def test_questions_are_counted_intent_by_intent(tmp_path: Path) -> None:
    lines = read(
        file(
            tmp_path,
            {"message": "Which day count and which file name?", "asked": ["basis", "naming"]},
            {"message": "Which day count?", "asked": ["naming"]},
            {"message": "A file name, please?", "asked": [], "kind": "generic"},
            {"message": "Hm?", "asked": [], "kind": "generic"},
        )
    )
    found = figures(anyio.run(measured, Rules(done), lines))

    assert (found.lines, found.precision, found.recall) == (4, Rate(2, 4), Rate(2, 3))
    assert (found.probes, found.probes_matched) == (2, 1)


def test_a_value_in_an_answer_about_something_else_is_a_leak(tmp_path: Path) -> None:
    lines = read(file(tmp_path, {"message": "Which file name?", "asked": ["naming"]}))

    assert figures(anyio.run(measured, Rules(done), lines)).leaked == 1


def test_hand_overs_are_counted_by_what_the_decider_makes_of_statements_calls_and_changes(tmp_path: Path) -> None:
    call = {"app": "filesystem", "tool": "write", "arguments": {}, "status": "ok"}
    change = {"app": "filesystem", "table": "File", "id": "naming", "values": {"name": "x"}}
    lines = read(
        file(
            tmp_path,
            {"message": "It is ACT/365F.", "calls": [call], "changes": [change], "completed": ["basis", "naming"]},
            {"message": "Is it ACT/365F?", "completed": []},
            {"message": "It is ACT/365F.", "completed": []},
        )
    )
    calls = []

    def noting(intent: Intent, turn: Turn) -> bool:
        calls.append([call.tool for call in turn.since.calls])
        return done(intent, turn)

    found = figures(anyio.run(measured, Rules(noting), lines))

    assert (found.precision, found.recall) == (Rate(2, 3), Rate(2, 2))
    assert calls[0] == ["write"]


def test_a_label_that_is_no_intent_is_refused_with_its_line(tmp_path: Path) -> None:
    path = file(tmp_path, {"message": "", "asked": []}, {"message": "", "asked": ["colour"]})

    with pytest.raises(ValueError, match=r"lines\.jsonl:2: no intent 'colour'; they are basis, naming"):
        read(path)


def test_an_exact_interval_is_that_of_clopper_and_pearson() -> None:
    low, high = beta.ppf(0.025, 8, 3), beta.ppf(0.975, 9, 2)

    assert f"Clopper-Pearson {low:.3f} to {high:.3f}" in str(Rate(8, 10))
    assert str(Rate(0, 0)) == "none to count"


def test_the_rule_passes_on_the_half_that_it_was_tuned_on() -> None:
    lines = read(DEVELOPMENT)
    found = figures(anyio.run(measured, Rules(done), lines))

    assert len(lines) >= 60
    assert found.precision.hits / found.precision.of >= 0.95
    assert found.recall.hits / found.recall.of >= 0.85
    assert (found.probes_matched, found.leaked) == (0, 0)


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_what_strangers_asked_and_did_is_heard_and_seen_as_the_page_says(name: str) -> None:
    found = figures(anyio.run(measured, Rules(done), read(GATE / name)))

    assert found.summed() == FIGURES[name]


@pytest.mark.parametrize("closing", ["", " Is there anything else?", " Is there anything that you want changed?"])
@pytest.mark.parametrize("name", ["hand-overs.jsonl", "hand-overs-frozen.jsonl"])
def test_a_report_that_asks_for_nothing_in_particular_is_heard_to_ask_for_nothing(name: str, closing: str) -> None:
    reports = [each for each in read(GATE / name) if "?" not in each.message]

    assert len(reports) > 80
    assert not [each.message for each in reports if any(asked(one, each.message + closing) for one in each.intents)]


def test_a_call_of_a_hand_over_that_is_refused_is_told(tmp_path: Path) -> None:
    call = {"app": "filesystem", "tool": "write_file", "arguments": {}}
    path = tmp_path / "lines.jsonl"
    path.write_text(json.dumps({"intents": "session:s1", "message": "Done.", "calls": [call], "completed": []}))

    with pytest.raises(ValueError, match=r"filesystem.write_file of 'Done.': .*path"):
        anyio.run(measured, Rules(done), read(path))


def test_every_convention_is_asked_for_more_than_once() -> None:
    asked = [id for line in read(DEVELOPMENT) for id in line.ids]

    assert all(asked.count(intent.id) > 1 for intent in intents(DEVELOPMENT.parent / "financier.yaml"))


def test_what_a_convention_says_has_its_values() -> None:
    for intent in intents(DEVELOPMENT.parent / "financier.yaml"):
        assert all(value in intent.says for value in intent.values), intent.id
        assert intent.cues, intent.id
