"""Hand-made variants and trials: what was withheld, and what the agent did, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from harness.score import Score
from harness.suite import Scored, Suite
from harness.task import Brief, Call, End, Expected, Segment, Session, Slot, Task
from harness.trajectory import Asked, CallRecord, HandOver, Landing, SessionRecord, Trajectory, Write
from servers.kernel import Part, World
from tests.lhaw.scenes import NOW

FULL = "Mail Priya the invoice list on March 20, with a room for six."

TO = Slot(name="to", kind="person", text="Priya", dimension="goal", criticality=1, guessability=0, checkpoint_refs=(0,))
DAY = Slot(
    name="day", kind="date", text="March 20", dimension="constraint", criticality=1, guessability=0.5,
    checkpoint_refs=(1,), first_use_pct=0.2,
)  # fmt: skip
LIST = Slot(name="list", kind="list", text="invoice list", dimension="input", criticality=0.5, guessability=1)
ROOM = Slot(name="room", kind="room", text="a room for six", dimension="constraint", first_use_pct=0.8)
SLOTS = (TO, DAY, LIST, ROOM)

MAIL, EVENT = ("gmail", "emails"), ("calendar", "events")

Step = CallRecord | HandOver | Landing


def variant(*withheld: Slot, id: str = "task-1", template: str = "t", reference: int = 5, **facts: Any) -> Task:
    """A task whose underspecified request lacks these slots: a mail (checkpoint 0) and an event (checkpoint 1)."""
    sent = "Mail it, with a room."
    names = tuple(slot.name for slot in withheld)
    segments = tuple(Segment(id=slot.name, slot=slot) for slot in withheld)
    other = tuple(slot for slot in SLOTS if slot.name not in names)
    return Task(
        id=id,
        world="toy",
        apps=("gmail", "calendar"),
        sessions=(
            Session(
                requests={"original": FULL, "underspecified": sent},
                briefs={"underspecified": Brief(intent=FULL, sent=sent, withheld=segments)},
            ),
        ),
        ends=(End(changes=tuple(Expected(op="insert", app=app, table=table) for app, table in (MAIL, EVENT))),),
        solution=tuple(Call(app="gmail", tool="send_email") for _ in range(reference)),
        template=template,
        slots=(*withheld, *other),
        withheld={"underspecified": names} if names else {},
        facts={"original": f"of {id}", "designed_class": "outcome-critical", **facts},
    )


def ask(
    *targets: str,
    text: str = "What is it?",
    told: Sequence[str] | None = None,
    kind: Literal["given", "confirmed", "corrected", "no_preference", "not_understood", "put_off"] = "given",
    parts: Sequence[Part] | None = None,
) -> Asked:
    """A question about these segments; all are told unless `told` says otherwise."""
    revealed = tuple(targets if told is None else told)
    if parts is None:
        parts = [Part(kind=kind, target=target) for target in targets] or [Part(kind=kind)]
    return Asked(text=text, answer="So and so.", targets=tuple(targets), revealed=revealed, parts=tuple(parts))


def played(*steps: Asked | tuple[str, str] | int, prompt: str = "underspecified", **fields: Any) -> Trajectory:
    """A trial of these steps: a question, a table that a call writes to, or a number of calls that only look."""
    events: list[Any] = []
    for step in steps:
        for each in [None] * step if isinstance(step, int) else [step]:
            events.append(_call(len(events), each))
    body: dict[str, Any] = {
        "suite": "flags", "task": "task-1", "task_hash": "", "agent": "model", "condition": "underspecified+ask",
        "trial": 0, "seed": 0, "prompt": prompt, "status": "finished", "events": events,
        "sessions": [SessionRecord(reply="Done.")],
    }  # fmt: skip
    return Trajectory(**(body | fields))


def _call(n: int, what: Asked | tuple[str, str] | None) -> CallRecord:
    app, tool = ("ask_user", "ask_user") if isinstance(what, Asked) else ("gmail", "send_email" if what else "search")
    return CallRecord(
        n=n, session=0, turn=n, app=app, tool=tool, arguments={"query": f"number {n}"}, status="ok", text="Done so.",
        asked=[what] if isinstance(what, Asked) else [],
        writes=[Write(app=what[0], table=what[1], id="1", values={})] if isinstance(what, tuple) else [],
    )  # fmt: skip


def scored(trajectory: Trajectory, right: bool = True, **scores: Score) -> Scored:
    return Scored(trajectory, {"outcome": Score(value=float(right)), **scores})


def suite(*tasks: Task) -> Suite:
    return Suite(
        name="flags", version="1", description="", tasks=tasks, world=lambda _: World("toy", NOW, {}), checks={}
    )
