"""An instrument with dials on a set of three rows, two of which trials have classified; figures in `instrument.txt`.

| | withheld | designed, empirical class | how | template | expected changes |
|---|---|---|---|---|---|
| D | duration (constraint), which exploring finds | divergent, benign by d itself | deleted | book-meeting | 1 event |
| T | time (constraint) | outcome-critical, the same by another model | deleted | silent-sender | 1 event |
| S | status (goal) | divergent, none | vagified | close-quiet | 3 customers changed |

All matter by 1; duration and status can be guessed by 0.5. No set is matched, and the whole request is never played.

The story (steps: `folder.py`) in short: trials that ended right, r, or wrong, w. plain, terse and told let d ask; terse
differs from plain in the user's manner alone, told in that d is told that something may be missing.

| | underspecified | plain | terse | told |
|---|---|---|---|---|
| D | r w r | r r r | r r r | r r r |
| T | w w w | r r w | w w w | |
| S | w w w | r w w | r r r | |
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from benchmarks.lhaw.suite import RELEASED

__all__ = ("CONFIG", "STORY", "VARIANTS", "leave_set")

_ASK: Final = {"prompt": "underspecified", "ask": "ask_user"}

CONFIG: Final[dict[str, Any]] = {
    "trials": 3,
    "agents": [{"kind": "reference", "name": "d", "explore": 0.8, "ask": 0.7, "guess": 0.3}],
    "conditions": {
        "underspecified": {"prompt": "underspecified"},
        "plain": _ASK,
        "terse": {**_ASK, "user": {"manner": "terse"}},
        "told": {**_ASK, "notice": "may-be-missing"},
    },
}

VARIANTS: Final = {"D": "task-1b613e1bdb", "T": "task-08569337f7", "S": "task-835e72c767"}

_CLASSIFIED: Final = {"D": ("benign", "d"), "T": ("outcome-critical", "local/other")}

STORY: Final = """
d D underspecified rest                  | look 1, give up       | rest
d T underspecified give up               | give up               | look 1
d S underspecified make 0                | make 0-1              | give up
d D plain          rest                  | ask duration, rest    | rest
d T plain          ask time, rest        | ask time, rest        | look 1
d S plain          ask status, rest      | make 0                | make 0
d D terse          rest                  | rest                  | rest
d T terse          ask time, look 1      | ask time, look 1      | look 1
d S terse          ask status, rest      | ask status, rest      | ask status, rest
d D told           ask duration, rest    | ask duration, rest    | ask duration, rest
"""


def leave_set(folder: Path) -> None:
    """Leave a set there as `harness build lhaw` does: rows that were released, two with a class that was observed."""
    rows = map(json.loads, (RELEASED / "short.jsonl").read_text(encoding="utf-8").splitlines())
    names = {task: name for name, task in VARIANTS.items()}
    chosen = [row for row in rows if row["variant_id"] in names]
    for row in chosen:
        if found := _CLASSIFIED.get(names[row["variant_id"]]):
            row["empirical_class"] = found[0]
            row["classified_by"] = {"agent": found[1], "n": 3, "seeds": [1, 2, 3]}
    folder.mkdir()
    whose = {"benchmark": "lhaw", "name": "lhaw-three", "source": "workbench-synth"}
    (folder / "suite.json").write_text(json.dumps(whose), encoding="utf-8")
    (folder / "variants.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in chosen), encoding="utf-8")
