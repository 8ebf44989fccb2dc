"""A live, isolated, recorded view of a world: the apps served, and their changes kept apart."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from anyio.lowlevel import checkpoint_if_cancelled

from harness.core.raised import raised
from harness.core.secrets import Secrets
from harness.core.trajectory import (
    AnswerRecord,
    CallRecord,
    Disturbed,
    Event,
    HandOver,
    Landing,
    ModelCall,
    QuestionRecord,
    Request,
    SessionRecord,
    Usage,
    Write,
    answered,
)
from harness.serving.disturbing import CANCELS, Disturbing, due, told
from harness.serving.giving_up import UnderWay
from harness.serving.person import Caller, Person
from harness.serving.watchdog import WATCHDOG
from servers.kernel import (
    Answer,
    Called,
    Defect,
    Failure,
    Fault,
    Garbled,
    InvalidArguments,
    Layer,
    NoWorker,
    Owner,
    Picture,
    Question,
    Rejected,
    Resource,
    Result,
    Since,
    StateError,
    Tool,
    Toolset,
    UnknownTool,
    User,
    Worker,
    Written,
    as_shown,
    excerpt,
    misnamed,
    refused,
)

__all__ = ("Mark", "Sandbox", "since")


class Mark(NamedTuple):
    """How far a sandbox had come: its rows and what was on record; of a task its sessions, and arrivals of the last.

    Whoever has it closes its layer.
    """

    layer: Layer
    events: tuple[Event, ...]
    sessions: tuple[SessionRecord, ...] = ()
    arrived: int = 0


class Sandbox:
    """Serves toolsets over one layer and records every call on this side of the wire.

    `events` is the record: whoever else has to tell something appends to it. `session` and `turn` are stamped on
    records; the trial loop moves them. `user` answers questions,
    None while nobody does; `users` is what its model calls have taken. `listener` hears of each record before its
    answer leaves, and `after_step` is called then and after a hand-over; `coming` is called before a call, and lets in
    what comes by itself. `ready` is called before that, and raises `StateError` where the layer cannot be used for now.
    `name` is for people.
    `secrets` are taken out of arguments before a tool sees them, so that a record without them is still of what was
    done, and can be replayed. `disturbing` decides which calls are disturbed, None where none is; what takes effect
    late waits here for a call or for `land`. `rounds` are the questions with a strategy (`clarify`) that are answered
    in a session, None for any number; the record says how many have been, so that copies and replays count alike.
    `worker` works on tasks that are handed on (`delegates`), None while nobody does; `subagent` is the number of the
    one at work, 0 for none, and is stamped on records too: one at a time, and none starts another. `faults` are what
    broke, by the number of the call: a record tells an agent's side of it, these tell whoever wrote what broke where.

    Here is where calls enter, by whatever way. One that cannot be taken (`servers.kernel.bounds`) is on record as
    `garbled`: it counts, but has reached no app, and replays do not make it again.
    """

    name = ""
    secrets: Secrets | None = None
    disturbing: Disturbing | None = None
    after_step: Callable[[], None] | None = None
    coming: Callable[[Sandbox], None] | None = None
    ready: Callable[[], object] | None = None
    rounds: int | None = None
    worker: Worker | None = None
    subagent = 0

    def __init__(
        self,
        layer: Layer,
        toolsets: Mapping[str, Toolset],
        user: User | None = None,
        listener: Callable[[CallRecord], None] | None = None,
    ) -> None:
        self.layer, self.toolsets, self.user, self._listener = layer, toolsets, user, listener
        self.events: list[Event] = []
        self.faults: dict[int, Fault] = {}
        self.steps = 0
        self.session = 0
        self.turn = 0
        self._late: list[CallRecord] = []
        self.users = Usage()
        self._thoughts: list[ModelCall] = []
        self._waiting = UnderWay()
        self._began = time.perf_counter()

    @classmethod
    def of(cls, mark: Mark, toolsets: Mapping[str, Toolset]) -> Sandbox:
        """One of its own that goes on from a mark; nobody answers there yet."""
        made = cls(mark.layer.fork(), toolsets)
        made.rewind(mark.events)
        return made

    @property
    def calls(self) -> list[CallRecord]:
        """Every tool call so far."""
        return [event for event in self.events if isinstance(event, CallRecord)]

    def clock(self) -> float:
        """Seconds since this sandbox was made, to a tenth of a millisecond."""
        return round(time.perf_counter() - self._began, 4)

    def mark(self) -> Mark:
        """How far it has come, to go back to or on from."""
        return Mark(self.layer.fork(), tuple(self.events))

    def back_to(self, mark: Mark) -> None:
        """Go back to a mark; whoever answers has forgotten nothing."""
        self.layer.restore(mark.layer)
        self.rewind(mark.events)

    def rewind(self, events: Sequence[Event]) -> None:
        """Go back to an earlier record."""
        self.events[:] = events
        self.steps = sum(isinstance(event, CallRecord | HandOver) for event in events)
        self.faults = {step: fault for step, fault in self.faults.items() if step < self.steps}
        landed = {event.step for event in events if isinstance(event, Landing)}
        self._late = [call for call in self.calls if due(call) is not None and call.n not in landed]

    @property
    def owner(self) -> Owner | None:
        """Whose world it is."""
        return self.layer.base.world.owner

    async def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> CallRecord:
        """Run one tool call and record it. Never raises for what a tool or a user did; `GivenUp` as `give_up` does."""
        return (await self.show(app, tool, arguments))[0]

    async def show(
        self, app: str, tool: str, arguments: Mapping[str, Any], caller: Caller | None = None
    ) -> tuple[CallRecord, Picture | None]:
        """The same, with the picture that the tool offers; drawn later than now, it shows later rows.

        A `Person` is asked through `caller`, which may end the call, unrecorded, to be made again with an answer.
        """
        arguments = self.cleaned(arguments)
        if barred := self._barred():
            return self.untaken(tool, arguments) or self.record(app, tool, arguments, *barred), None
        self.land(self.steps)
        began = self.clock()
        picture: Picture | None = None
        heard: list[Event] = []
        mark = len(self.layer.written)
        data: dict[str, Any] | None = None
        met: Disturbed | None = None
        fault: Fault | None = None
        try:
            found = self.toolsets[app].tool(tool)
            state = self.layer.state(found.owner)
            if self.disturbing and found.kind in ("reads", "writes"):
                found.check(arguments)  # what does not fit is refused as ever
                met = self.disturbing(self.steps, app, found, arguments, self.events)
            if met and met.kind in CANCELS:
                text = told(met)
            elif found.kind == "asks":
                user = self.user.through(caller) if caller and isinstance(self.user, Person) else self.user
                asking = found.ask(state, _Heard(user, heard, self) if user else None, arguments)
                text, data, picture = await self._waited(asking)
            elif found.kind == "delegates":
                worker = _Numbered(self.worker, self) if self.worker or self.subagent else None
                text, data, picture = await self._waited(found.delegate(state, worker, arguments))
            else:
                text, data, picture = WATCHDOG.call(found, state, arguments, self.name)
                if met:
                    text, data, picture = told(met, text), None, None
            status = "disturbed" if met else "ok"
        except Garbled as error:
            return self.garbled(tool, arguments, error.problems[0]), None
        except InvalidArguments as error:
            status, text = "invalid", as_shown(self.toolsets[app], str(error))
        except UnknownTool as error:
            if record := self.untaken(tool, arguments):
                return record, None
            status, text = "unknown", str(error)
        except Failure as error:
            status, text = "failed", as_shown(self.toolsets[app], str(error))
        except Defect as error:
            status, text, fault = "defect", str(error), _placed(error, found)
        except Fault as error:
            status, text, fault = "fault", str(error), error
        record = self.record(
            app, tool, arguments, status, text, data=data, writes=self._written(mark), heard=heard, began=began, met=met
        )
        if fault:
            self.faults[record.n] = fault
        return record, picture

    def give_up(self) -> None:
        """End the calls that wait for a user or a worker, unrecorded."""
        self._waiting.give_up()

    async def _waited(self, call: Awaitable[Result]) -> Result:
        """What comes of a call that waits for somebody. Raises `GivenUp`."""
        with self._waiting.one():
            try:
                return await call
            finally:
                await checkpoint_if_cancelled()  # an answer that has come by then is not heard any more

    def _barred(self) -> tuple[Literal["failed", "fault"], str] | None:
        """With which status and text a call ends before it is made; if it does not, what comes by itself has come."""
        try:
            if self.ready:
                self.ready()
        except StateError as error:
            return "failed", f"This call did not happen, as the state cannot be opened for now: {error}."
        try:
            if self.coming:
                self.coming(self)
        except StateError as error:
            return "fault", str(error)
        return None

    def resources(self, app: str) -> dict[str, Resource]:
        """What an app has to be read as its rows are now, by URI. Reading is no call, and not on record.

        Raises `StateError` where they cannot be read for now.
        """
        owner = self.toolsets[app].app
        if owner.resources is None:
            return {}
        if self.ready:
            self.ready()
        state = self.layer.state(owner)
        with state.transaction(readonly=True):
            return {each.uri: each for each in owner.resources(state)}

    def land(self, before: int | None = None) -> None:
        """Let late effects come to be that are due before a call, by default all, as at the end of a session.

        A refusal is on record and goes no further: nobody is there to hear it.
        """
        for call in sorted(self._late, key=lambda call: due(call) or 0):
            if before is not None and (due(call) or 0) > before:
                return
            self._late.remove(call)
            began, found = self.clock(), self.toolsets[call.app].tool(call.tool)
            data: dict[str, Any] | None = None
            status: Literal["ok", "failed", "defect"] = "ok"
            mark = len(self.layer.written)
            try:
                text, data, _ = WATCHDOG.call(found, self.layer.state(found.owner), call.arguments, self.name)
            except Failure as error:
                status, text = "failed", str(error)
            except Fault as error:
                status, text = "defect", str(error)
                self.faults[call.n] = _placed(error, found) if isinstance(error, Defect) else error
            self.events.append(
                Landing(
                    session=self.session,
                    start=began,
                    duration=round(self.clock() - began, 4),
                    step=call.n,
                    status=status,
                    text=text,
                    data=data,
                    writes=self._written(mark),
                )
            )

    def _written(self, mark: int) -> list[Write]:
        """The rows written since, taken off the layer's list."""
        written = self.layer.written
        writes = [Write(app=a, table=t, id=i, values=v) for a, t, i, v in written[mark:]]
        del written[mark:]
        return writes

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
        *,
        data: dict[str, Any] | None = None,
        writes: list[Write] | None = None,
        heard: Sequence[Event] = (),
        began: float | None = None,
        met: Disturbed | None = None,
    ) -> CallRecord:
        """Put a call on record, also one that never reached a tool; `heard` is what was said while it ran.

        `met` is what came between where its status is `disturbed`.
        """
        self.land(self.steps)
        now = self.clock()
        start = now if began is None else began
        record = CallRecord.model_construct(
            n=self.steps,
            session=self.session,
            start=start,
            duration=round(now - start, 4),
            subagent=self.subagent,
            turn=self.turn,
            app=app,
            tool=tool,
            arguments=dict(arguments),
            status=status,
            text=text,
            data=data,
            writes=writes or [],
            disturbance=met if status == "disturbed" else None,
        )
        if due(record) is not None:
            self._late.append(record)
        answered(record, heard)
        self.events += [*heard, record]
        self.steps += 1
        if self._listener:
            self._listener(record)
        if self.after_step:
            self.after_step()
        return record

    def copied(self, record: CallRecord) -> None:
        """Put a call on record that another process has served."""
        update = {"n": self.steps, "session": self.session, "turn": self.turn}
        self.events.append(record.model_copy(update=update))
        self.steps += 1

    def thinks(self, call: ModelCall) -> None:
        """Hear of a model call of the user; it is on record with what comes of it."""
        start = round(max(self.clock() - call.duration, 0), 4)
        self._thoughts.append(
            call.model_copy(update={"session": self.session, "turn": self.turn, "start": start, "purpose": "user"})
        )
        self.users = self.users + call.usage

    def thoughts(self) -> list[ModelCall]:
        """The user's model calls that are not on record yet, to be put there."""
        taken, self._thoughts = self._thoughts, []
        return taken

    def hand_over(self, text: str, answer: Answer, began: float | None = None) -> HandOver:
        """Put on record what the agent said at the end of a turn, and what the user answered."""
        start = self.clock() if began is None else began
        step = HandOver(n=self.steps, session=self.session, turn=self.turn, start=start, text=text)
        said: list[Event] = [*self.thoughts(), _answer(self, start, answer)]
        answered(step, said)
        self.events += [step, *said]
        self.steps += 1
        if self.after_step:
            self.after_step()
        return step


def _placed(error: Defect, tool: Tool) -> Defect:
    """A defect that says where in the app it is."""
    cause = error.__cause__
    if cause is None:
        return error
    found = Defect(error.app, error.tool, raised(cause, tool.function, kept=True))
    found.__cause__ = cause
    return found


def since(events: Sequence[Event], session: int) -> Since:
    """What the agent called and wrote since the last hand-over among these events of a session."""
    calls: list[CallRecord] = []
    for event in reversed(events):
        if isinstance(event, HandOver | Request) or event.session != session:
            break
        if isinstance(event, CallRecord):
            calls.append(event)
    calls.reverse()
    rows = {(each.app, each.table, each.id): each.values for call in calls for each in call.writes}
    return Since(
        calls=tuple(
            Called(app=call.app, tool=call.tool, arguments=call.arguments, status=call.status) for call in calls
        ),
        changed=tuple(Written(app=app, table=table, id=id, values=values) for (app, table, id), values in rows.items()),
    )


class _Heard:
    """Passes questions on and writes down what was said."""

    def __init__(self, user: User, heard: list[Event], sandbox: Sandbox) -> None:
        self._user, self._heard, self._sandbox = user, heard, sandbox

    async def answer(self, question: Question) -> Answer:
        began = self._sandbox.clock()
        rounds = self._sandbox.rounds if question.strategy else None
        left = None if rounds is None else rounds - self._answered()
        if left == 0:
            asked = "one question" if rounds == 1 else f"{rounds} questions"
            raise Rejected(f"The user has answered {asked} and answers no more. Go on with what you know.")
        done = since(self._sandbox.events, self._sandbox.session)
        answer = await self._user.answer(question.model_copy(update={"since": done}))
        if left is not None:
            answer = answer.model_copy(update={"rounds_left": left - 1})
        self._heard += [
            QuestionRecord(
                session=self._sandbox.session,
                step=-1,
                start=began,
                text=question.text,
                context=question.context,
                strategy=question.strategy,
                candidates=question.candidates,
            ),
            *self._sandbox.thoughts(),
            _answer(self._sandbox, began, answer),
        ]
        return answer

    def _answered(self) -> int:
        """Questions with a strategy that were answered in this session."""
        events = self._sandbox.events
        asked = [each for each in events if isinstance(each, QuestionRecord) and each.session == self._sandbox.session]
        return sum(bool(each.strategy) for each in asked)


class _Numbered:
    """Passes tasks on, and says meanwhile which subagent is at work."""

    def __init__(self, worker: Worker | None, sandbox: Sandbox) -> None:
        self._worker, self._sandbox = worker, sandbox

    async def work(self, task: str) -> str:
        sandbox = self._sandbox
        if sandbox.subagent:
            raise Rejected("A subagent starts no subagents of its own. Nothing was changed; do it yourself.")
        if self._worker is None:
            raise NoWorker
        sandbox.subagent = 1 + max((event.subagent for event in sandbox.events), default=0)
        try:
            report = await self._worker.work(task)
            return str(sandbox.secrets.hidden(report)) if sandbox.secrets else report
        finally:
            sandbox.subagent = 0


def _answer(sandbox: Sandbox, began: float, answer: Answer) -> AnswerRecord:
    """An answer that is given now; its step is numbered when that has ended."""
    return AnswerRecord(
        session=sandbox.session,
        step=-1,
        start=began,
        duration=round(sandbox.clock() - began, 4),
        text=answer.text,
        targets=answer.targets,
        revealed=answer.revealed,
        parts=answer.parts,
        goes_on=answer.goes_on,
    )
