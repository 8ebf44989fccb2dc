"""What each severity makes of every wording, recorded for review: `python -m tests.lhaw.wordings` writes it anew.

Values are shown as the slot's name in capitals. A dash stands where a deletion is excluded or no phrase fits.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.lhaw.rewrite import SEVERITIES, Unnatural, rewrite
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


def _left(full: str, slot: Slot, severity: str) -> str:
    if severity == "delete" and slot.complete_without:
        return "-"
    try:
        return rewrite(full, [slot], severity)  # type: ignore[arg-type]
    except Unnatural:
        return "-"


if __name__ == "__main__":
    FILE.write_text("\n".join(lines()) + "\n", encoding="utf-8")
