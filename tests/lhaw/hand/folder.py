"""Writes a run folder from a story: a line for each agent, variant and condition, with what was done in its trials.

    agent  variant  condition  trial | trial | trial

A line that begins with `|` goes on with the one before. A trial is a list of steps with commas between them, or `-`
where it was not played:

| step | |
|---|---|
| `look 4` | four calls that only look |
| `ask limit+approver` | one question about these withheld segments, all of which are told |
| `put off limit` | the same for one of them, but the user wants to be asked again |
| `stated due` | a question about a value that the request states |
| `whole` | whether anything is missing: about nothing in particular |
| `off topic` | a question about what is no part of the full request |
| `make 0-5`, `make 14` | the expected changes of these numbers, a call for each |
| `rest` | all expected changes that were not made before: without a stray one, the trial is right |
| `stray 2` | two new rows that nobody asked for |
| `remove` | a row removed that should have stayed |
| `give up` | the last words of a reference agent that lacks a value, for "Done." |
| `void` | the provider broke |

No trial is played. Scores are those of the suite's own checks, and files are written as a run writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from harness.agents.reference import GAVE_UP
from harness.core.config import RunConfig
from harness.core.suite import Suite
from harness.core.task import Expected, Task
from harness.core.trajectory import Asked, CallRecord, Request, SessionRecord, Trajectory, Write, asking
from harness.play.opening import begun
from harness.record.mending import put
from harness.record.scores import scores
from harness.record.store import Run, RunHead, TrialRecord
from servers.kernel import Change, Part, fold

__all__ = ("write",)


def write(folder: Path, suite: Suite, config: RunConfig, variants: Mapping[str, str], story: str) -> None:
    """Make the folder. `variants` are the names that the story has for tasks of the suite."""
    run = Run.create(folder, RunHead.of(config, suite))
    for agent, variant, condition, trials in _lines(story):
        task = suite.task(variants[variant])
        for number, steps in enumerate(trials):
            if steps != ["-"]:
                prompt = config.conditions[condition].prompt
                trajectory = begun(
                    suite.name, task, prompt=prompt, agent=agent, condition=condition, trial=number,
                    run_seed=config.seed,
                )  # fmt: skip
                _Telling(task, trajectory).tell(steps)
                trajectory.world = suite.world_digests[task.world]
                trajectory.digest = fold(trajectory.world, [], trajectory.changes)
                record = TrialRecord(trajectory=trajectory, scores=scores(suite.checks, task, trajectory))
                put(run, record, task, suite.checks)


def _lines(story: str) -> Iterator[tuple[str, str, str, list[list[str]]]]:
    for line in filter(None, map(str.strip, re.sub(r"\n\s*\|", " |", story).splitlines())):
        agent, variant, condition, trials = line.split(maxsplit=3)
        yield agent, variant, condition, [re.split(r",\s*", each.strip()) for each in trials.split("|")]


class _Telling:
    """Fills in the record of one trial, step by step."""

    def __init__(self, task: Task, trajectory: Trajectory) -> None:
        self.task, self.trajectory = task, trajectory
        self.expected = task.ends[0].changes
        self.made: set[int] = set()
        self.calls = self.others = 0

    def tell(self, steps: Sequence[str]) -> None:
        session = self.task.sessions[0]
        request = Request(session=0, now="2025-03-13T08:00:00", text=session.requests[self.trajectory.prompt])
        self.trajectory.events = [request]
        self.trajectory.sessions = [SessionRecord(reply="Done.")]
        for step in steps:
            self._step(step)

    def _step(self, step: str) -> None:
        what, _, rest = step.partition(" ")
        if what == "look":
            for _ in range(int(rest)):
                self._call("gmail", "search_emails")
        elif what == "ask":
            self._ask(tuple(rest.split("+")), "given")
        elif step.startswith("put off "):
            self._ask((step.removeprefix("put off "),), "put_off")
        elif what == "stated":
            stands = Part(kind="given", target=rest)
            self._asked(Asked(text=f"What about {rest}?", answer="That's in what I wrote.", parts=(stands,)))
        elif step == "whole":
            self._asked(Asked(text="Is anything missing?", answer="No.", parts=(Part(kind="not_understood"),)))
        elif step == "off topic":
            self._asked(Asked(text="Which font?", answer="As you like.", parts=(Part(kind="no_preference"),)))
        elif what == "make":
            first, _, last = rest.partition("-")
            self._make(range(int(first), int(last or first) + 1))
        elif step == "rest":
            self._make(range(len(self.expected)))
        elif what == "stray":
            for _ in range(int(rest)):
                self._other(Change(app="crm", table="notes", id="", before=None, after={"text": "Nobody asked."}))
        elif step == "remove":
            self._other(Change(app="calendar", table="events", id="", before={"event_name": "Review"}, after=None))
        elif step == "give up":
            self.trajectory.sessions[0].reply = f"{GAVE_UP}I do not know the value."
        elif step == "void":
            self.trajectory.status, self.trajectory.reason = "void", "the provider broke"
        else:
            raise ValueError(f"a story has no step {step!r}")

    def _ask(self, segments: tuple[str, ...], kind: Literal["given", "put_off"]) -> None:
        withheld = self.task.withheld[self.trajectory.prompt]
        assert set(segments) <= set(withheld), f"{self.task.id} withholds {withheld}, not {segments}"
        self._asked(
            Asked(
                text=f"What is the {' and the '.join(segments)}?",
                answer="It is so and so." if kind == "given" else "Do you need me for that?",
                targets=segments,
                revealed=segments if kind == "given" else (),
                parts=tuple(Part(kind=kind, target=segment) for segment in segments),
            )
        )

    def _asked(self, asked: Asked) -> None:
        self._call("ask_user", "ask_user", asked=[asked])

    def _make(self, numbers: range) -> None:
        for number in numbers:
            if number not in self.made:
                self.made.add(number)
                self._change(_done(self.expected[number], number))

    def _other(self, change: Change) -> None:
        self.others += 1
        self._change(change.model_copy(update={"id": f"other-{self.others}"}))

    def _change(self, change: Change) -> None:
        self.trajectory.changes.append(change)
        write = Write(app=change.app, table=change.table, id=change.id, values=change.after)
        self._call(change.app, f"{change.op}_{change.table}", writes=[write])

    def _call(self, app: str, tool: str, *, asked: Sequence[Asked] = (), writes: Sequence[Write] = ()) -> None:
        call = CallRecord(
            session=0, n=self.calls, turn=self.calls, app=app, tool=tool, arguments={"number": self.calls},
            status="ok", text="Done.", asked=list(asked), writes=list(writes),
        )  # fmt: skip
        self.calls += 1
        self.trajectory.events += [*asking(call), call]


def _done(wanted: Expected, number: int) -> Change:
    """The change that was expected, made."""
    assert not wanted.name, "rows that others refer to by name are not told of in stories"
    if wanted.op == "insert":
        return Change(app=wanted.app, table=wanted.table, id=f"new-{number}", before=None, after=dict(wanted.values))
    before = dict.fromkeys(wanted.values)
    after = dict(wanted.values) if wanted.op == "update" else None
    return Change(app=wanted.app, table=wanted.table, id=wanted.id, before=before, after=after)
