"""What each severity makes of every wording, recorded for review: `python -m tests.lhaw.wordings` writes it anew.

Values are shown as the slot's name in capitals. Phrases of which one is drawn stand in
brackets, a dash where a deletion is excluded or no phrase fits. Requests of workflows are long: of these there are only
the sentences that differ, and a star where one is gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path

from benchmarks.lhaw.rewrite import SEVERITIES, Severity, Unnatural, ways
from benchmarks.workbench.synth.templates import TEMPLATES, Template
from benchmarks.workflows.flow import Flow
from benchmarks.workflows.suite import all_flows
from harness.task import Session, Slot, Task

__all__ = ("FILE", "WORKFLOWS", "lines", "shown", "workflow_lines")

FILE = Path(__file__).parent / "wordings.txt"
WORKFLOWS = Path(__file__).parent / "workflow_wordings.txt"


def lines() -> Iterator[str]:
    """One line per wording, slot and severity, below the wording itself."""
    for template in TEMPLATES:
        for wording in range(len(template.wordings)):
            task = shown(template, wording)
            full = task.sessions[0].requests["original"]
            yield f"## {template.name} {wording}: {full}"
            for slot in task.slots:
                for severity in SEVERITIES:
                    yield f"{slot.name} {severity}: {_left(full, slot, severity)}"


def shown(template: Template, wording: int) -> Task:
    """The template's task with names for values."""
    names = {name: name.upper() for name in template.slots}
    slots = tuple(
        Slot(
            name=name,
            kind=spec.kind,
            role=spec.role,
            text=names[name],
            value=names[name],
            dimension=spec.dimension,
            subdimension=spec.subdimension,
            guessability=spec.guessability,
            complete_without=spec.complete_without,
            checkpoint_refs=(0,),
        )
        for name, spec in template.slots.items()
    )
    request = template.wordings[wording].format(**names)
    return Task(
        id=f"{template.name}-{wording}",
        world="",
        apps=(),
        sessions=(Session(requests={"original": request}),),
        template=template.name,
        slots=slots,
    )


def workflow_lines() -> Iterator[str]:
    """The same for every task of `workflows`."""
    for flow in all_flows():
        for number, case in enumerate(flow.cases):
            full = case.wording.format(**{name: name.upper() for name in flow.slots})
            yield f"## {flow.name} {number}: {full}"
            for slot in _named(flow):
                for severity in SEVERITIES:
                    try:
                        found = sorted(way.request for way in ways(full, slot, severity, template=flow.name))
                    except Unnatural:
                        yield f"{slot.name} {severity}: -"
                    else:
                        yield f"{slot.name} {severity}: {_changed(full, _joined(found))}"


def _named(flow: Flow) -> Iterator[Slot]:
    """The flow's slots with names for values."""
    for name, spec in flow.slots.items():
        text = name.upper()
        yield Slot(name=name, kind=spec.kind, role=spec.role, text=text, value=text, guessability=spec.guessability)


def _changed(full: str, left: str) -> str:
    """The sentences of `left` that `full` has not."""
    before, after = [re.split(r'(?<=[.?!]) (?=[A-Z"#\[])', text) for text in (full, left)]
    start = _common([before, after])
    end = min(_common([before[::-1], after[::-1]]), min(len(before), len(after)) - start)
    return " ".join(after[start : len(after) - end]) or "*"


def _left(full: str, slot: Slot, severity: Severity) -> str:
    if severity == "delete" and slot.complete_without:
        return "-"
    try:
        found = sorted(way.request for way in ways(full, slot, severity))
    except Unnatural:
        return "-"
    return _joined(found)


def _joined(texts: Sequence[str]) -> str:
    """Sentences that differ in one place, as one: its alternatives stand in brackets."""
    rows = [text.split(" ") for text in texts]
    if len(rows) == 1:
        return texts[0]
    start = _common(rows)
    end = min(_common([row[::-1] for row in rows]), min(map(len, rows)) - start)
    ways = " | ".join(" ".join(row[start : len(row) - end]) for row in rows)
    return " ".join([*rows[0][:start], f"[{ways}]", *rows[0][len(rows[0]) - end :]])


def _common(rows: Sequence[Sequence[str]]) -> int:
    """How many words they begin with alike."""
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*rows, strict=False)))


if __name__ == "__main__":
    FILE.write_text("\n".join(lines()) + "\n", encoding="utf-8")
    WORKFLOWS.write_text("\n".join(workflow_lines()) + "\n", encoding="utf-8")
