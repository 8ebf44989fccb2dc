"""Small tasks and scored trials to make variants and tables of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from harness.score import Score
from harness.suite import Scored
from harness.task import Brief, Call, End, Expected, Session, Slot, Task
from harness.trajectory import Asked, CallRecord, SessionRecord, Trajectory

NOW = datetime(2025, 3, 13, 8)

RECIPIENT = Slot(
    name="recipient", kind="person", role="recipient", text="Priya", value="priya", dimension="goal",
    subdimension="target", checkpoint_refs=(0,),
)  # fmt: skip
TITLE = Slot(
    name="title", kind="subject", text="Budget freeze", value="Budget freeze", dimension="goal",
    subdimension="content", checkpoint_refs=(0,), guessability=0.5,
)  # fmt: skip
DAY = Slot(
    name="day", kind="date", text="March 20", value="2025-03-20", dimension="constraint",
    subdimension="temporal", checkpoint_refs=(0,), criticality=0.5,
)  # fmt: skip
ASSIGNEE = RECIPIENT.model_copy(update={"role": "assignee"})
LENGTH = Slot(
    name="length", kind="duration", text="30-minute", value=30, dimension="goal", subdimension="content",
    checkpoint_refs=(0,),
)  # fmt: skip
HANDOVER = "Reassign the task to Priya and book a 30-minute meeting."
REQUEST = 'Send a mail to Priya with the subject "Budget freeze" on March 20.'


def source(id: str = "source-1", *, request: str = REQUEST, slots: Sequence[Slot] = (), changes: int = 1) -> Task:
    """A fully specified task."""
    expected = tuple(
        Expected(op="insert", app="gmail", table="emails", values={"address": f"priya{n}@example.test"})
        for n in range(changes)
    )
    return Task(
        id=id,
        world="toy",
        apps=("gmail",),
        sessions=(Session(requests={"original": request}, briefs={"original": Brief(intent=request, sent=request)}),),
        ends=(End(changes=expected),),
        solution=(Call(app="gmail", tool="send_email", arguments={"recipient": "priya@example.test"}),),
        template="send",
        slots=tuple(slots) or (RECIPIENT, TITLE, DAY),
    )


def variant(id: str, *, template: str = "t", original: str = "", changes: int = 1, **facts: Any) -> Task:
    """A variant with one segment withheld, for metrics."""
    known = {"severity": "delete", "segments": 1, "dimensions": ["goal"], "designed_class": "outcome-critical"}
    task = source(id, changes=changes)
    return task.model_copy(
        update={
            "template": template,
            "withheld": {"underspecified": ("recipient",)},
            "facts": {"original": original or f"of {id}", **known, **facts},
        }
    )


def trial(
    task: str,
    condition: str,
    number: int,
    right: bool,
    *,
    questions: Sequence[Sequence[str]] = (),
    ckpt: float | None = None,
    precision: float | None = None,
    void: bool = False,
    agent: str = "reference",
) -> Scored:
    """One scored trial; `questions` lists what each one targeted."""
    asked = [Asked(text="?", answer="!", targets=tuple(targets), revealed=tuple(targets)) for targets in questions]
    call = CallRecord(
        n=0, session=0, turn=0, app="ask_user", tool="ask_user", arguments={}, status="ok", text="!", asked=asked
    )
    trajectory = Trajectory(
        suite="toy",
        task=task,
        task_hash="",
        agent=agent,
        condition=condition,
        trial=number,
        seed=0,
        prompt=condition.partition("+")[0],
        status="void" if void else "finished",
        events=[call] if asked else [],
        sessions=[SessionRecord(request="", now="", reply="Done.")],
    )
    detail = {} if void else {"ckpt": float(right) if ckpt is None else ckpt, "precision": precision}
    return Scored(trajectory, {"outcome": Score(value=None if void else float(right), detail=detail)})
