"""Rows of a few skills for the contract tests."""

from __future__ import annotations

from typing import Any

__all__ = ("SKILLS",)

SKILLS: dict[str, list[dict[str, Any]]] = {
    "files": [
        {
            "id": "F1",
            "skill": "tea-tasting",
            "path": "SKILL.md",
            "text": "---\nname: tea-tasting\ndescription: Tastes teas side by side (très finely).\n---\n\n"
            "# Tea tasting\n\nScales are in `references/scales.md`.\n",
        },
        {"id": "F2", "skill": "tea-tasting", "path": "references/scales.md", "text": "From 0% to 100%.\n"},
        {
            "id": "F3",
            "skill": "knots",
            "path": "SKILL.md",
            "text": "---\nname: knots\ndescription: Picks the knot for a rope and a load.\n---\n\nA bowline holds.\n",
        },
        {"id": "F4", "skill": "unfinished", "path": "notes.md", "text": "A folder without instructions is no skill.\n"},
    ]
}
"""Rows by table."""
