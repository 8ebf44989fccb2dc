"""What changes in a world before the start, as a file says it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from servers.kernel import Edit

__all__ = ("edits_in",)


def edits_in(path: Path | None) -> list[Edit]:
    """The changes to make before the first call, as a file lists them. Raises `CallProblem`."""
    if path is None:
        return []
    from pydantic import TypeAdapter, ValidationError

    from harness.cli.problems import CallProblem
    from servers.kernel import Edit

    try:
        return TypeAdapter(list[Edit]).validate_json(path.read_bytes())
    except OSError as error:
        raise CallProblem(f"--setup {path} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(map(str, problem["loc"])) or "file"
        raise CallProblem(
            f"--setup {path}: {where}: {problem['msg']}; it is a list of op, app, table, id, values"
        ) from None
