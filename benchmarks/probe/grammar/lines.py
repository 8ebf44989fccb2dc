"""The format of our word files: `[section]`, then lines; `#` at the start of a line begins a remark."""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = ("entries", "sections")


@cache
def sections(name: str) -> dict[str, tuple[str, ...]]:
    """The lines of each section of a file beside this module.

    Raises:
        ValueError: a line before any section, or a section that occurs twice; it names file and line.
    """
    found: dict[str, list[str]] = {}
    section: list[str] | None = None
    for number, line in enumerate(Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if text.startswith("[") and text.endswith("]"):
            if text[1:-1] in found:
                raise ValueError(f"{name}:{number}: section {text} occurs twice")
            section = found[text[1:-1]] = []
        elif section is None:
            raise ValueError(f"{name}:{number}: expected a [section] first")
        else:
            section.append(text)
    return {title: tuple(lines) for title, lines in found.items()}


@cache
def entries(section: str) -> tuple[str, ...]:
    """The entries of a section of `words.txt`: parted by semicolons if it has any, else by commas, and by lines."""
    lines = sections("words.txt")[section]
    mark = ";" if any(";" in line for line in lines) else ","
    return tuple(entry.strip() for line in lines for entry in line.split(mark) if entry.strip())
