"""Two agents that work in different ways, three personas, told as in the paper's code; figures in `two_agents.txt`.

| | withheld | class | how | template; sets | expected changes |
|---|---|---|---|---|---|
| X | subject (input) | outcome-critical | vagified | forward-thread | 5 mails |
| Z | status (goal) | divergent | deleted | close-quiet; of a triple | 3 customers changed |
| V | metric (input), board (context) | outcome-critical | genericized | figure-task-for-best; of a pair | 1 task |
| Y | metric, owner (input) | outcome-critical | genericized | drop-leads | 9 customers removed |

Every value is needed by the reference's first call of 5, 3, 1 and 9, and bears on all changes. Metric in V matters by
0.5, all else by 1; the status can be guessed by 0.5, nothing else at all.

The story (steps: `folder.py`) in short: trials that ended right, r, wrong, w, or void, v. All conditions but the first
two let agents ask; there is no persona-free one, so the supervisor's, which comes first, is the main one.

| | original | underspecified | supervisor | standard | executive |
|---|---|---|---|---|---|
| t, X | r r r | w w w | r r w | r w w | w w w |
| t, Z | w r w | w r w | r r r | w w w | |
| t, V | r w w | w w w | w r r | | |
| t, Y | w w w | w w w | r w r | | |
| r, X | r r r | w w w | r r r | r r w | r w w |
| r, Z | w w w | r r r | w w w | r r r | |
| r, V | r r r | w w w | r r w | | |
| r, Y | w w w | w w w | w v w | | |
"""

from __future__ import annotations

from typing import Any, Final

__all__ = ("CONFIG", "STORY", "VARIANTS")

_MAY: Final = {"prompt": "underspecified", "ask": "ask_user", "notice": "may-be-missing"}

CONFIG: Final[dict[str, Any]] = {
    "suite": "lhaw-short",
    "trials": 3,
    "agents": [
        {"kind": "llm", "name": "t", "model": "local/m", "strategy": "tools"},
        {"kind": "llm", "name": "r", "model": "local/m", "strategy": "react"},
    ],
    "conditions": {
        "original": {"prompt": "original", "notice": "do-not-ask"},
        "underspecified": {"prompt": "underspecified", "notice": "do-not-ask"},
        "supervisor": {**_MAY, "persona": "supervisor"},
        "standard": {**_MAY, "persona": "standard"},
        "executive": {**_MAY, "persona": "executive"},
    },
}

VARIANTS: Final = {
    "X": "task-d7b517ba90",
    "Z": "task-72a831b1d9",
    "V": "task-65646127b7",
    "Y": "task-5418115b7e",
}

STORY: Final = """
t X original       rest                       | rest                                | rest
t Z original       make 0                     | rest                                | make 0
t V original       rest                       | look 1                              | look 1
t Y original       make 0-2                   | make 0-2                            | make 0-2
t X underspecified make 0-3, stray 1          | make 0-3                            | make 0-3
t Z underspecified make 0                     | rest                                | make 0
t V underspecified look 1                     | look 1                              | stray 1
t Y underspecified make 0-5                   | make 0-5                            | make 0-5
t X supervisor     look 1, ask subject, rest  | make 0, ask subject, rest           | make 0-3
t Z supervisor     ask status, rest           | rest                                | make 0, ask status, rest
t V supervisor     ask metric, stray 1        | ask board, ask metric, rest         | ask metric+board, look 1, rest
t Y supervisor     make 0, ask owner, rest
                 | whole, off topic, stated period, make 0-2
                 | put off metric, ask metric+owner, rest
t X standard       ask subject, rest          | make 0-3                            | make 0-3
t Z standard       make 0                     | make 0                              | make 0
t X executive      make 0-3                   | make 0-3                            | make 0-3

r X original       rest                       | rest                                | rest
r Z original       make 0-1                   | make 0-1                            | make 0-1
r V original       rest                       | rest                                | rest
r Y original       make 0-2                   | make 0-2                            | make 0-2
r X underspecified look 1                     | look 1                              | look 1
r Z underspecified rest                       | rest                                | rest
r V underspecified look 1                     | look 1                              | look 1
r Y underspecified make 0-2                   | make 0-2                            | make 0-2
r X supervisor     ask subject, rest          | ask subject, rest                   | ask subject, rest
r Z supervisor     make 0                     | make 0                              | make 0
r V supervisor     ask board, ask board, look 1, ask metric, rest | ask metric, rest    | look 1
r Y supervisor     make 0-2                   | void                                | make 0-2
r X standard       ask subject, rest          | ask subject, rest                   | ask subject, look 1
r Z standard       rest                       | rest                                | rest
r X executive      rest                       | look 1                              | look 1
"""
