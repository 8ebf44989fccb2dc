"""Files of JSON Lines, as every reader of them takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from servers.kernel import amiss

__all__ = ("numbered", "read_lines")

L = TypeVar("L", bound=BaseModel)


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """Each line that is not blank, with its number; other line ends than a newline may stand within a JSON text."""
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def read_lines(path: Path, of: type[L], problem: Callable[[str], Exception], remedy: str = "") -> list[L]:
    """The lines of a file. Raises what `problem` makes of a text that names file, line and field, and the remedy."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise problem(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}{remedy}") from None
    found = []
    for number, line in numbered(text):
        try:
            found.append(of.model_validate_json(line))
        except ValidationError as error:
            raise problem(f"{path}:{number}: {amiss(error)}{remedy}") from None
    return found
