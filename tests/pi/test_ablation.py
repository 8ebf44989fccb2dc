"""The last session of a group with its leads and alone, as `harness eval configs/pi-ablation.yaml` plays it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.pi.suite import load

ROOT = Path(__file__).parents[2]


def test_alone_a_session_loses_what_its_leads_tell_and_nothing_else(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "harness", "eval", "configs/pi-ablation.yaml", "--output", str(tmp_path / "run")]
    done = subprocess.run([*command, "--json"], cwd=ROOT, capture_output=True, text=True, check=True)
    (table,) = [rows for title, rows in json.loads(done.stdout)["tables"].items() if "ablation" in title]
    rows = {row["agent"]: row for row in table}

    assert rows["able"] == {
        "agent": "able", "condition": "notes", "session": "s3",
        "Proc": 100, "Proc alone": 42.9, "Comp": 100, "Comp alone": 100, "lost": "i2, i3, i4, i5",
    }  # fmt: skip
    assert (rows["forgetful"]["Proc"], rows["forgetful"]["lost"]) == (42.9, "")


def test_sessions_alone_are_played_only_where_they_are_named() -> None:
    found = load()

    assert found.aside == {"financier-s1", "financier-s2", "financier-s3"}
    assert [len(found.task(id).sessions) for id in ("financier-g1", "financier-s3")] == [3, 1]
