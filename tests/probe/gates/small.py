"""Samples small enough to work out by hand what gates see of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.probe.gates.features import FEATURES
from benchmarks.probe.gates.learned import CHOICES, grams
from benchmarks.probe.gates.looks import Look
from benchmarks.probe.records import Action, Details, Difficulty, Document, Gold, Sample

__all__ = ("action", "document", "look", "mail", "sample")

ADA, BEN, EVA = "Ada Berg <ada@firm.example>", "Ben Dal <ben@firm.example>", "Eva Fox <eva@firm.example>"


def mail(id: str, body: str = "Nothing new.", **payload: Any) -> Document:
    known: dict[str, Any] = {
        "from": BEN,
        "to": [ADA],
        "cc": [],
        "subject": "Points",
        "date": "2026-03-02T09:30",
        "body": body,
    }
    return Document(id=id, type="email", payload={**known, **payload})


def document(id: str, content: str = "Nothing new.", **payload: Any) -> Document:
    known: dict[str, Any] = {"title": "Log", "author": EVA, "date": "2026-03-04", "content": content}
    return Document(id=id, type="document", payload={**known, **payload})


def action(id: str, description: str) -> Action:
    return Action(id=id, type="send_email", description=description)


def sample(*documents: Document, evidence: tuple[str, ...] = (), right: str | None = None, **fields: Any) -> Sample:
    nothing = Details(who_blocked=None, who_blocker=None, what_task=None, why_root_cause=None)
    known: dict[str, Any] = {
        "id": "S1",
        "persona_id": "P1",
        "difficulty": "easy",
        "world_model": {"persona": {"name": "Ada Berg", "email": "ada@firm.example"}, "about": "Eva Fox helps."},
        "actions": (action("a1", "Write to the owner."), action("a2", "Wait for a day.")),
    }
    gold = Gold(description="", details=nothing, action=right, true_positives=evidence)
    return Sample(**{**known, **fields}, documents=documents, gold=gold)


def look(
    number: int,
    *,
    difficulty: Difficulty = "easy",
    documents: int = 20,
    evidence: int = 4,
    actions: int = 5,
    **told: Any,
) -> Look:
    """What gates see of a sample of noise, of which no two share a persona; `told` are fields to replace."""
    draw = np.random.default_rng(number)
    marked = np.arange(documents) < evidence
    texts = [f"word{one} word{two}" for one, two in draw.integers(0, 30, size=(documents, 2))]
    chosen = [f"act{one}" for one in draw.integers(0, 9, size=actions)]
    known: dict[str, Any] = {
        "id": f"S{number}",
        "persona": f"P{number}",
        "difficulty": difficulty,
        "marked": marked,
        "features": np.stack([draw.permutation(documents).astype(float) for _ in FEATURES], axis=1),
        "drawn": np.arange(documents),
        "words": grams(texts, "word"),
        "characters": grams(texts, "char"),
        "right": int(draw.integers(actions)),
        "choices": draw.random((actions, len(CHOICES))),
        "told": grams(chosen, "word"),
    }
    return Look(**{**known, **told})
