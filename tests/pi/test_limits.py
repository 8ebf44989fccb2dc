"""What is said of trials that a limit ended: of two units, with six hand-overs for each."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

ROOT = Path(__file__).parents[2]


class Said(NamedTuple):
    """What `harness eval` prints at its end, and the rows of its tables by title."""

    screen: str
    tables: dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Said:
    folder = tmp_path_factory.mktemp("limited")
    config = yaml.safe_load((ROOT / "configs" / "pi-units.yaml").read_text(encoding="utf-8"))
    config["limits"]["hand_overs"] = 6
    config["agents"] += [{"kind": "reference", "name": "forgetful", "settings": {"plays": "forgetful"}}]
    (folder / "short.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    command = [sys.executable, "-m", "harness", "eval", str(folder / "short.yaml"), "--output", str(folder / "run")]
    screen, tables = (
        subprocess.run([*command, *more], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for more in ([], ["--json"])
    )
    return Said(" ".join(screen.split()), json.loads(tables)["tables"])


def rows(said: Said, title: str) -> dict[str, dict[str, Any]]:
    """By agent."""
    (found,) = [table for name, table in said.tables.items() if name.startswith(f"Calibration: {title}")]
    return {row["agent"]: row for row in found}


def test_instruments_that_a_limit_ended_are_held_against_nothing_and_named(said: Said) -> None:
    assert "All 2 figures of instruments that are known beforehand come out as they must." in said.screen
    assert "Not compared, as limits ended trials: idle, forgetful." in said.screen
    assert "NOT calibrated" not in said.screen


def test_what_nobody_told_is_not_counted_as_what_the_user_had_to_say(said: Said) -> None:
    statuses, found = rows(said, "what became of intents"), rows(said, "failures")

    assert (statuses["idle"]["open"], statuses["oracle"]["open"]) == (47.6, 0.0)  # the last session never began
    assert (found["idle"]["prior context"], found["oracle"]["prior context"]) == (None, "0 of 4")
    assert found["forgetful"]["prior context"] == "1 of 1"  # the limit came before the user said the other three
    assert (found["idle"]["no question"], found["oracle"]["no question"]) == ("2 of 2", "0 of 3")


def test_a_session_that_never_began_does_not_count_among_those_with_hidden_requirements(said: Said) -> None:
    found = rows(said, "failures")

    assert (found["idle"]["hidden requirements"], found["oracle"]["hidden requirements"]) == ("0 of 3", "0 of 4")
