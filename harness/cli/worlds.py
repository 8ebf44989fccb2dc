"""Which world a state starts from, at what time, and what changes in it before the start, as a file says it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from servers.kernel import Edit, World

__all__ = ("edits_in", "local_time", "world_of")


def world_of(asked: str | None, state: Path | None) -> World:
    """The world that is asked for; else the one that a state folder began with; else what a person is served.

    A folder that begins notes which it is. Raises `SuiteError` and `StateError`.
    """
    from harness.service.keeping import made
    from harness.service.today import note_origin, origin
    from harness.wiring import DEFAULT, FORMER, world_named

    name = asked or (state and origin(state, FORMER)) or DEFAULT
    world = world_named(name)
    if state is not None:
        made(state)
        there = Path(name) / "world.json"
        note_origin(state, str(there.parent.resolve()) if there.exists() else name)
    return world


def local_time(text: str) -> datetime:
    """The time that `--now` gives, where it is no word. Raises `CallProblem`."""
    from datetime import datetime

    from harness.cli.problems import CallProblem
    from servers.kernel import untimely

    with suppress(ValueError):
        time = datetime.fromisoformat(text)
        if time.tzinfo is None:
            if why := untimely(time):
                raise CallProblem(f"--now {text} {why}")
            return time
    raise CallProblem(f"--now {text}: write today, world, or a local time such as 2025-03-13T09:00")


def edits_in(path: Path | None) -> list[Edit]:
    """The changes to make before the first call, as a file lists them. Raises `CallProblem`."""
    if path is None:
        return []
    from pydantic import TypeAdapter, ValidationError

    from harness.cli.problems import CallProblem
    from servers.kernel import Edit, first_amiss

    try:
        return TypeAdapter(list[Edit]).validate_json(path.read_bytes())
    except OSError as error:
        raise CallProblem(f"--setup {path} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        problem = first_amiss(error, "file")
        raise CallProblem(f"--setup {path}: {problem}; it is a list of op, app, table, id, values") from None
