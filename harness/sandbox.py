"""A live, isolated, recorded view of a world: the apps served, and their changes kept apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness.person import Caller, Person
from harness.secrets import Secrets
from harness.trajectory import Asked, CallRecord, Write
from harness.watchdog import WATCHDOG
from servers.kernel import (
    Answer,
    Defect,
    Failure,
    Fault,
    Garbled,
    InvalidArguments,
    Layer,
    Picture,
    Question,
    Toolset,
    UnknownTool,
    User,
    excerpt,
    misnamed,
    refused,
)

__all__ = ("Sandbox",)


class Sandbox:
    """Serves toolsets over one layer and records every call on this side of the wire.

    `session` and `turn` are stamped on records; the trial loop moves them. `user` answers questions,
    None while nobody does. `listener` hears of each record before its answer leaves. `name` is for people.
    `secrets` are taken out of arguments before a tool sees them, so that a record without them is still of what was
    done, and can be replayed.

    Here is where calls enter, by whatever way. One that cannot be taken (`servers.kernel.bounds`) is on record as
    `garbled`: it counts, but has reached no app, and replays do not make it again.
    """

    name = ""
    secrets: Secrets | None = None

    def __init__(
        self,
        layer: Layer,
        toolsets: Mapping[str, Toolset],
        user: User | None = None,
        listener: Callable[[CallRecord], None] | None = None,
    ) -> None:
        self.layer, self.toolsets, self.user, self._listener = layer, toolsets, user, listener
        self.calls: list[CallRecord] = []
        self.session = 0
        self.turn = 0

    async def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> CallRecord:
        """Run one tool call and record it. Never raises for what a tool or a user did."""
        return (await self.show(app, tool, arguments))[0]

    async def show(
        self, app: str, tool: str, arguments: Mapping[str, Any], caller: Caller | None = None
    ) -> tuple[CallRecord, Picture | None]:
        """The same, with the picture that the tool offers; drawn later than now, it shows later rows.

        A `Person` is asked through `caller`, which may end the call, unrecorded, to be made again with an answer.
        """
        arguments = self.cleaned(arguments)
        picture: Picture | None = None
        asked: list[Asked] = []
        written = self.layer.written
        mark = len(written)
        data: dict[str, Any] | None = None
        try:
            found = self.toolsets[app].tool(tool)
            state = self.layer.state(found.owner)
            if found.kind == "asks":
                user = self.user.through(caller) if caller and isinstance(self.user, Person) else self.user
                text, data, picture = await found.ask(state, _Heard(user, asked) if user else None, arguments)
            else:
                text, data, picture = WATCHDOG.call(found, state, arguments, self.name)
            status = "ok"
        except Garbled as error:
            return self.garbled(tool, arguments, error.problems[0]), None
        except InvalidArguments as error:
            status, text = "invalid", str(error)
        except UnknownTool as error:
            if record := self.untaken(tool, arguments):
                return record, None
            status, text = "unknown", str(error)
        except Failure as error:
            status, text = "failed", str(error)
        except Defect as error:
            status, text = "defect", str(error)
        except Fault as error:
            status, text = "fault", str(error)
        writes = [Write(app=a, table=t, id=i, values=v) for a, t, i, v in written[mark:]]
        del written[mark:]
        return self.record(app, tool, arguments, status, text, data, writes, asked), picture

    def cleaned(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """The arguments without secrets; as they are where they cannot be taken, for only their start is kept then."""
        return self.secrets.hidden(arguments) if self.secrets and not refused(arguments) else arguments

    def untaken(self, tool: str, arguments: Mapping[str, Any]) -> CallRecord | None:
        """Put a call on record that cannot be taken, for whoever has to know before they pass it on; None if it can."""
        problem = f"its name {why}" if (why := misnamed(tool)) else refused(arguments)
        return self.garbled(tool, arguments, problem) if problem else None

    def garbled(self, tool: str, given: object, problem: str) -> CallRecord:
        """Put on record what was given in place of a call that can be taken: its start, and what is wrong with it."""
        name = excerpt(tool, 60)
        text = f"The call to {name!r} could not be taken: {problem}." if name else problem
        return self.record("", name, {"raw": excerpt(given)}, "garbled", text)

    def record(
        self,
        app: str,
        tool: str,
        arguments: Mapping[str, Any],
        status: Any,
        text: str,
        data: dict[str, Any] | None = None,
        writes: list[Write] | None = None,
        asked: list[Asked] | None = None,
    ) -> CallRecord:
        """Put a call on record, also one that never reached a tool."""
        record = CallRecord.model_construct(
            n=len(self.calls),
            session=self.session,
            turn=self.turn,
            app=app,
            tool=tool,
            arguments=dict(arguments),
            status=status,
            text=text,
            data=data,
            writes=writes or [],
            asked=asked or [],
        )
        self.calls.append(record)
        if self._listener:
            self._listener(record)
        return record


class _Heard:
    """Passes questions on and writes down what was said."""

    def __init__(self, user: User, asked: list[Asked]) -> None:
        self._user, self._asked = user, asked

    async def answer(self, question: Question) -> Answer:
        answer = await self._user.answer(question)
        self._asked.append(
            Asked(
                text=question.text,
                context=question.context,
                answer=answer.text,
                targets=answer.targets,
                revealed=answer.revealed,
                strategy=question.strategy,
                candidates=question.candidates,
            )
        )
        return answer
