"""What each severity makes of every wording, recorded for review: `python -m tests.lhaw.wordings` writes it anew.

Values are shown as the slot's name in capitals. Phrases of which one is drawn stand in
brackets, a dash where a deletion is excluded or no phrase fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path

from benchmarks.lhaw.rewrite import SEVERITIES, Severity, Unnatural, ways
from benchmarks.workbench.synth.templates import TEMPLATES, Template
from harness.task import Session, Slot, Task

__all__ = ("FILE", "lines", "shown")

FILE = Path(__file__).parent / "wordings.txt"


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
