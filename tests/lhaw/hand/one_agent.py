"""One agent on seven variants of long work, in four conditions; what it comes to is in `one_agent.txt`.

| | withheld | class | how | template, task; sets |
|---|---|---|---|---|
| L1 | limit (constraint) | outcome-critical | deleted | claims, flow-02-2; pair with LA, triple with L2 and L3 |
| L2 | limit | outcome-critical | vagified | claims, flow-02-2 |
| L3 | limit | outcome-critical | genericized | claims, flow-02-2 |
| LA | limit, approver (input) | outcome-critical | deleted | claims, flow-02-2; pair with L1 |
| R | reader (goal) | divergent | deleted | budget, flow-01-1; pair with RS |
| S | subject (context) | benign | deleted | budget, flow-01-1 |
| RS | reader, subject | divergent | deleted | budget, flow-01-1; pair with R |

All have 15 expected changes. In claims 3 to 6 and 13 are mails, 11 and 12 tasks, 14 is an event; in budget 6 to 11 are
mails, 14 is a chat message. The limit bears on change 12, the approver on 11, 12 and 14, reader and subject on 10. All
matter by 1; limit and approver cannot be guessed, the reader can by 0.5 and the subject by 1. None is needed early.

The story (steps: `folder.py`) in short: trials that ended right, r, wrong, w, void, v, or were not played, -.

| | original | original+ask | underspecified | underspecified+ask |
|---|---|---|---|---|
| L1 | r w w | r r r | w w w | r r r |
| L2 | r w w | w r w | r w w | w r r |
| L3 | w w w | w w r | r r r | w w w |
| LA | w r w | r r w | w w w | r r w |
| R | r r r | r r r | w r w | r r r |
| S | r r w | w w r | r r r | w v w |
| RS | w r w | w r - | w w w | w w r |
"""

from __future__ import annotations

from typing import Any, Final

__all__ = ("CONFIG", "STORY", "VARIANTS")

CONFIG: Final[dict[str, Any]] = {
    "suite": "lhaw-workplace",
    "trials": 3,
    "agents": [{"kind": "llm", "name": "m", "model": "local/m"}],
    "conditions": {
        "original": {"prompt": "original"},
        "original+ask": {"prompt": "original", "ask": "ask_user"},
        "underspecified": {"prompt": "underspecified"},
        "underspecified+ask": {"prompt": "underspecified", "ask": "ask_user"},
    },
}

VARIANTS: Final = {
    "L1": "task-1ca8ae7bf8",
    "L2": "task-290a25155b",
    "L3": "task-4b9404ab4b",
    "LA": "task-331fd1aa4e",
    "R": "task-78f408b7ed",
    "S": "task-fc1b6cb8e0",
    "RS": "task-c36a7d2eaf",
}

STORY: Final = """
m L1 original rest                 | make 0-8                  | make 0-8
m L2 original rest                 | make 0-8                  | make 0-8
m L3 original make 0-5             | make 0-5                  | make 0-5
m LA original make 0-8             | rest                      | make 0-8
m R  original rest                 | rest                      | rest
m S  original rest                 | rest                      | make 0-8
m RS original make 0-8             | rest                      | make 0-8

m L1 original+ask stated due, rest | rest                      | rest
m L2 original+ask make 0-8         | rest                      | make 0-8
m L3 original+ask make 0-5         | make 0-5                  | rest
m LA original+ask rest             | rest                      | make 0-8
m R  original+ask whole, rest      | off topic, stated limit, rest | rest
m S  original+ask make 0-8         | make 0-8                  | rest
m RS original+ask make 0-8         | rest                      | -

m L1 underspecified make 0-11      | make 0-11, stray 4        | make 0-11
m L2 underspecified rest           | make 0-11                 | make 0-11
m L3 underspecified rest           | rest                      | rest
m LA underspecified make 0-8       | make 0-8                  | make 0-8
m R  underspecified make 0-5, stray 2 | rest                   | make 0-5
m S  underspecified rest           | rest                      | rest
m RS underspecified make 0-2, stray 1 | make 0-5               | make 0-8

m L1 underspecified+ask look 4, ask limit, rest
                      | whole, ask limit, rest
                      | ask limit, ask limit, ask limit, rest
m L2 underspecified+ask look 2, make 0-11
                      | make 3, ask limit, rest
                      | off topic, ask limit, rest
m L3 underspecified+ask look 3
                      | whole, make 0-2, remove
                      | stated due, whole, off topic, make 0-5
m LA underspecified+ask look 1, ask limit+approver, rest
                      | make 14, ask limit, ask approver, rest
                      | make 0-2, whole, make 3-5
m R  underspecified+ask rest
                      | ask reader, rest
                      | put off reader, ask reader, rest
m S  underspecified+ask ask subject, make 0-8
                      | void
                      | make 0-8
m RS underspecified+ask stated limit, make 0-2
                      | ask subject, make 0-2
                      | ask reader+subject, rest
"""
