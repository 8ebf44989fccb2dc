"""What can go wrong inside a sandbox, and whose fault it is.

Failure                 the tool said no on purpose; its text goes back to the agent
├── NotFound            no row has that id
├── Rejected            the request makes no sense as given
│   ├── Nobody          it means a person, and nobody fits
│   └── Several         it means a person, and several fit
├── InvalidArguments    arguments do not fit the tool's signature
│   └── Garbled         or are nothing that a record could hold
├── UnknownTool         no such tool
├── NoUser              nobody is there to answer
└── NoWorker            nobody is there to work on a task
Fault                   not the agent's doing: the trial is void
├── Defect              a tool raised what it should not have, or broke its promise
└── UserFault           the simulated user broke down
StateError              the caller's or operator's mistake, or a full disk: no tool is to blame
├── StateInUse          another process holds the state file
└── WorldMismatch       a state file was made from another world
BrokenTool              its author's mistake: nobody can be told what it takes or gives, or it gives sets
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from servers.kernel.bounds import quoted
from servers.kernel.few import few_of

__all__ = (
    "BrokenTool",
    "Defect",
    "Failure",
    "Fault",
    "Garbled",
    "InvalidArguments",
    "NoUser",
    "NoWorker",
    "Nobody",
    "NotFound",
    "Rejected",
    "Several",
    "StateError",
    "StateInUse",
    "UnknownTool",
    "UserFault",
    "WorldMismatch",
)

_SHOWN = 10
"""Candidates that an error lists."""


class Failure(Exception):
    """A deliberate refusal. Its text is what the agent reads, so it should help it recover."""


class NotFound(Failure):
    """No row has that id."""

    def __init__(self, noun: str, id: str) -> None:
        self.noun, self.id = noun, id
        super().__init__(f"No {noun} has the id {quoted(id)}.")


class Rejected(Failure):
    """The request was understood and refused."""


class Nobody(Rejected):
    """A text means somebody, and nobody fits. `addressed` says that it is an e-mail address, and not a name."""

    def __init__(self, argument: str, text: str, *, addressed: bool = False) -> None:
        self.argument, self.text, self.addressed = argument, text, addressed
        said = quoted(text)
        super().__init__(
            f"{argument}: nobody known here has the address {said}; give one that is known, or a name as it is shown."
            if addressed
            else f"{argument}: {said} is nobody known here; give an e-mail address, or a name as it is shown."
        )


class Several(Rejected):
    """A text means somebody, and several fit: `candidates`, in order. `who` has them in words, of many the first."""

    def __init__(self, argument: str, text: str, candidates: Iterable[Any]) -> None:
        self.argument, self.text, self.candidates = argument, text, tuple(candidates)
        self.who = few_of(map(str, self.candidates), _SHOWN)
        super().__init__(f"{argument}: {quoted(text)} may be {self.who}; say which, best by the address.")


class InvalidArguments(Failure):
    """Arguments that are missing, unknown or of the wrong type."""

    def __init__(self, tool: str, problems: Iterable[str]) -> None:
        self.tool, self.problems = tool, tuple(problems)
        super().__init__(f"Invalid arguments for {tool}: " + "; ".join(self.problems) + ".")


class Garbled(InvalidArguments):
    """Arguments that cannot be taken, whatever the tool: JSON does not have them, or no record could hold them."""


class UnknownTool(Failure):
    """A tool that is not on offer."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name, self.known = name, tuple(known)
        super().__init__(f"There is no tool {name!r}. Available: " + ", ".join(self.known) + ".")


class NoUser(Failure):
    """A question was asked and nobody can be reached to answer it."""

    def __init__(self, why: str = "Nobody is available to answer questions in this session.") -> None:
        super().__init__(why)


class NoWorker(Failure):
    """A task was handed on and nobody is there to take it."""

    def __init__(self) -> None:
        super().__init__("Nobody is there to take the task on. Nothing was changed; do it yourself.")


class Fault(Exception):
    """Something broke that is not the agent's doing."""


class Defect(Fault):
    """A bug in a tool: an exception that escaped it, or a promise it broke."""

    def __init__(self, app: str, tool: str, cause: str) -> None:
        self.app, self.tool, self.cause = app, tool, cause
        super().__init__(f"{app}.{tool} is defective: {cause}")


class UserFault(Fault):
    """Whoever simulates the user failed; never to be taken for an answer."""


class BrokenTool(TypeError):
    """A type in a tool's signature that clients cannot be told of, or whose values differ between processes."""

    def __init__(self, app: str, tool: str, problem: str) -> None:
        super().__init__(f"{app}.{tool}: {problem}")


class StateError(Exception):
    """State cannot be opened or used the way it was asked for."""


class StateInUse(StateError):
    """A second process wants a state file that one process holds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(
            f"{path} is in use by another process. Stop that server, or give this one another folder with --state."
        )


class WorldMismatch(StateError):
    """A state file holds another world than the one asked for."""

    def __init__(self, path: Path, found: str, wanted: str) -> None:
        self.path, self.found, self.wanted = path, found, wanted
        super().__init__(
            f"{path} was made from world {found}, not {wanted}. Give another folder with --state, or remove that file."
        )
