"""Why somebody cannot go on, and the one kind of action that ends it: the templates of `causes.txt`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from benchmarks.probe.grammar.lines import sections
from benchmarks.probe.records import CATEGORIES, Difficulty

__all__ = ("Cause", "causes")


@dataclass(frozen=True)
class Cause:
    """One template. `descriptions` are of the action that ends it, by difficulty; `why` has clauses with `{object}`."""

    id: str
    action: str
    nouns: tuple[str, ...]
    why: tuple[str, ...]
    descriptions: Mapping[Difficulty, str]
    held_out: bool

    @property
    def type(self) -> str:
        """What is wrong, `lapsed_access`: several templates may share it."""
        return self.id.split("/")[0]


@cache
def causes() -> Mapping[str, Cause]:
    """All templates, by id.

    Raises:
        ValueError: a template with an unknown field or category, or without one of its fields.
    """
    return {name: _cause(name, lines) for name, lines in sections("causes.txt").items()}


def _cause(name: str, lines: tuple[str, ...]) -> Cause:
    fields: dict[str, list[str]] = {
        each: [] for each in ("action", "nouns", "why", "easy", "medium", "hard", "held out")
    }
    for line in lines:
        field, _, text = line.partition(": ")
        if field not in fields:
            raise ValueError(f"causes.txt [{name}]: unknown field {field!r}, expected one of {', '.join(fields)}")
        fields[field].append(text)
    missing = [field for field, texts in fields.items() if field != "held out" and not texts]
    if missing:
        raise ValueError(f"causes.txt [{name}]: lacks {', '.join(missing)}")
    action = fields["action"][0]
    if action not in CATEGORIES:
        raise ValueError(f"causes.txt [{name}]: {action!r} is not a category of actions ({', '.join(CATEGORIES)})")
    return Cause(
        id=name,
        action=action,
        nouns=tuple(noun.strip() for noun in fields["nouns"][0].split(",")),
        why=tuple(fields["why"]),
        descriptions={"easy": fields["easy"][0], "medium": fields["medium"][0], "hard": fields["hard"][0]},
        held_out=fields["held out"] == ["yes"],
    )
