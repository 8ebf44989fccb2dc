"""Kinds of users that plugins bring."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from harness.core.raised import place, raised

if TYPE_CHECKING:
    from pydantic import BaseModel

    from servers.kernel import Answer, Opening, Partner, Question, User

__all__ = ("GROUP", "BrokenUser", "UserEntry", "brought", "made", "plugins")

T = TypeVar("T")

GROUP = "workplace_harness.users"
"""Entry points of this group, each named as its kind, name a `UserEntry`."""


class BrokenUser(Exception):
    """A plugin's kind of user that cannot be had; the text says which and why."""


class UserEntry(NamedTuple):
    """A kind of user.

    `config` derives from `harness.core.config.UserSettings`, or from `ModelUserSettings` where a model speaks for the
    user. Its docstring tells what the kind is. `make(settings, brief)` makes one from what the first session's user
    knows (`harness.task.Brief`); with `ModelUserSettings` it is `make(settings, brief, model)`, where `model` is a
    `harness.models.replies.Completes` whose calls are recorded, paid for and fed again on replay.
    """

    config: type[BaseModel]
    make: Callable[..., User]


@cache
def plugins() -> Mapping[str, EntryPoint]:
    """What installed packages announce, by kind."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


@cache
def brought(kind: str) -> UserEntry:
    """The plugin's kind of that name, which is there. Raises `BrokenUser`."""
    point = plugins()[kind]
    try:
        entry: Any = point.load()
    except Exception as error:
        raise BrokenUser(
            f"plugins/{kind} ({point.value}) cannot be imported: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(entry, UserEntry):
        raise BrokenUser(f"plugins/{kind} ({point.value}) is not a `UserEntry`")
    return entry


def made(kind: str, *known: object) -> User:
    """A plugin's user, which tells of itself where it breaks. Raises `UserFault` where it cannot be made."""
    from servers.kernel import Fault, Partner, UserFault

    make = brought(kind).make
    try:
        user = make(*known)
    except Fault:
        raise
    except (Exception, SystemExit) as error:
        raise UserFault(f"user {kind!r} cannot be made: {raised(error, make, kept=True)}") from error
    if not callable(getattr(user, "answer", None)):
        where = place(make, kept=True)
        raise UserFault(f"user {kind!r} cannot be made: `make`{where} gives {user!r:.80}, which has no `answer`")
    return _BroughtPartner(kind, user) if isinstance(user, Partner) else _Brought(kind, user)


class _Brought:
    """A user that somebody else wrote: what goes wrong in it is its own fault, told with the kind and the place."""

    def __init__(self, kind: str, user: User) -> None:
        self._kind, self._user = kind, user

    async def answer(self, question: Question) -> Answer:
        from servers.kernel import Answer

        return await self._said("answer", self._user.answer, question, Answer, "a `servers.kernel.Answer`")

    async def _said(
        self, what: str, method: Callable[[Any], Awaitable[T]], heard: object, wanted: type[T], named: str
    ) -> T:
        """What a method gives. Raises `UserFault` for what it raises, and for what is not `wanted`."""
        from servers.kernel import Failure, Fault, UserFault

        name, where = f"user {self._kind!r}: `{what}`", place(method, kept=True)
        try:
            given: object = method(heard)
            if not isawaitable(given):
                raise UserFault(f"{name}{where} cannot be awaited: write it as `async def`")
            said = await given
        except (Failure, Fault):
            raise
        except (Exception, SystemExit) as error:
            raise UserFault(f"{name} raised {raised(error, method, kept=True)}") from error
        if not isinstance(said, wanted):
            raise UserFault(f"{name}{where} gives {said!r:.80}, not {named}")
        return said


class _BroughtPartner(_Brought):
    """One that is there for the whole trial."""

    _user: Partner

    async def opens(self, session: Opening) -> str:
        return await self._said("opens", self._user.opens, session, str, "a text")
