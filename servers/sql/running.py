"""A statement on its way to the child process and back. The process may be lost at any moment; the rows are here."""

from __future__ import annotations

import threading
from typing import Any, Final

from servers.kernel import Child, ChildBroken, ChildLost, Rejected, insist
from servers.sql.contents import Contents
from servers.sql.shown import MEMORY

__all__ = ("SECONDS", "STOPPED", "run")

SECONDS: Final = 5.0
"""For a statement."""

STOPPED: Final = f"The statement was stopped after {SECONDS:g} seconds"
"""How an error begins that depends on how fast the machine is."""

_LOADING: Final = 60.0

_PROGRAM: Final = "servers.sql.database:answer"

_child = Child(_PROGRAM)
"""One for all sandboxes of this process, started when first needed. It holds nothing that is not in their rows."""

_turn = threading.Lock()
"""Held by the thread that has its database made, until its statement was run there: another's may change it."""


def run(contents: Contents, statement: str, now: str) -> dict[str, Any]:
    """The text of the result and what changed.

    Raises `Rejected` where the statement is refused, takes too long, or ends the process whenever it is tried, and
    `ChildBroken` where the process fails whatever is asked of it.
    """
    request = {"do": "run", "key": contents.key, "now": now, "statement": statement}
    try:
        answer = insist(
            lambda: _asked(contents, request),
            lambda: _child.ask({"do": "probe"}, seconds=_LOADING),
            f"{_PROGRAM} does not work",
        )
    except ChildLost as lost:
        if lost.timed_out:
            raise Rejected(
                f"{STOPPED}. Nothing was changed. Read fewer rows, and join tables on a condition."
            ) from None
        if lost.out_of_memory:
            raise Rejected(MEMORY) from None
        raise Rejected(
            "The database broke down over this statement, twice, and was made anew. Nothing was changed. Write the "
            "statement in another way."
        ) from None
    if "refused" in answer:
        raise Rejected(answer["refused"])
    return answer


def _asked(contents: Contents, request: dict[str, Any]) -> dict[str, Any]:
    with _turn:
        answer: dict[str, Any] = _child.ask(request, seconds=SECONDS)
        if "unknown" not in answer:
            return answer
        _load(contents)
        answer = _child.ask(request, seconds=SECONDS)
        if "unknown" in answer:
            raise ChildBroken(f"{_PROGRAM} does not know what it was told")
        return answer


def _load(contents: Contents) -> None:
    """Have the database made; once more in a new process where the first was lost, which may have been full."""
    request = {"do": "load", "key": contents.key, "relations": contents.relations}
    for again in (True, False):
        try:
            _child.ask(request, seconds=_LOADING)
            return
        except ChildLost as lost:
            if lost.timed_out or not again:
                raise ChildBroken(f"{_PROGRAM} cannot take the rows that there are: {lost}") from None
