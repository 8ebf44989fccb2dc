"""A task, opened: the one way from a task to a sandbox in which it can be done, session by session."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from datetime import datetime
from typing import Any

from harness.core.config import ROUNDS, ConfigProblem, Disturbance
from harness.core.distribution import package_version
from harness.core.task import Arrives, Brief, Session, Source, Task
from harness.core.trajectory import (
    Arrival,
    CallRecord,
    HandOver,
    Landing,
    Request,
    SessionRecord,
    Trajectory,
    Write,
)
from harness.play.arriving import laid_out
from harness.play.remembering import scheduled, transcript
from harness.play.wording import event_text
from harness.record.defaults import defaults_of
from harness.record.seeds import trial_seed
from harness.serving.disturbing import drawing
from harness.serving.sandbox import Mark, Sandbox
from harness.serving.toolsets import apps_of
from servers.kernel import (
    Account,
    Base,
    Change,
    Edit,
    Engine,
    Login,
    Opening,
    Partner,
    Toolset,
    User,
    UserFault,
    quoted,
    whole,
)

__all__ = ("OpenTask", "begun")


def begun(
    suite: str, task: Task, *, prompt: str, agent: str, condition: str, trial: int = 0, run_seed: int = 0
) -> Trajectory:
    """The record of a trial of which nothing has happened yet."""
    return Trajectory(
        suite=suite,
        task=task.id,
        task_hash=task.hash,
        agent=agent,
        condition=condition,
        trial=trial,
        seed=trial_seed(run_seed, task.id, condition, trial),
        prompt=prompt,
        status="finished",
        package=package_version(),
    )


class OpenTask:
    """A task in a sandbox of its own. Whoever opens it begins its sessions in order, and closes it.

    `toolsets` are of all apps of the task, `offered` those that the agent gets, all of them if it is left out. `user`
    makes whoever answers in a session from what they know, a `Partner` once; without it nobody is simulated. `now`
    takes the place of every session's own time; `disturbances` come between calls and tools; `rounds` are the
    questions of `clarify` that are answered in a session; with `transcripts`, what was said in a session lies in files
    of the app `filesystem` for those after it. Logins end with a session; with `logged_in` the first account of each
    app that has any is logged in from the start, and stays so. `trajectory` is the record: filled in as it goes,
    complete once `settle` was called. Rows that arrive do so by themselves, as the steps are made that they come after.
    Raises `StateError` where the task's setup or an arrival does not fit.
    """

    def __init__(
        self,
        engine: Engine,
        base: Base,
        task: Task,
        trajectory: Trajectory,
        toolsets: Mapping[str, Toolset],
        *,
        offered: Mapping[str, Toolset] | None = None,
        user: Callable[[Brief], User] | None = None,
        now: datetime | None = None,
        disturbances: Sequence[Disturbance] = (),
        rounds: int = ROUNDS,
        transcripts: bool = False,
        logged_in: bool = False,
    ) -> None:
        self.task, self.trajectory = task, trajectory
        self._user, self._now, self._rounds = user, now, rounds
        self._transcripts, self._logged_in = transcripts, logged_in
        self._apps = apps_of(toolsets)
        layer = laid_out(engine, base, task, self._apps)
        self._serve(Sandbox(layer, toolsets if offered is None else offered))
        if disturbances:
            self.sandbox.disturbing = drawing(trajectory.seed, disturbances)
        trajectory.world = base.world.digest
        trajectory.events = self.sandbox.events
        self._count_from_start()

    @property
    def session(self) -> int:
        """The number of the session under way; -1 before the first."""
        return len(self.trajectory.sessions) - 1

    @property
    def sessions_left(self) -> int:
        return len(self.task.sessions) - len(self.trajectory.sessions)

    @property
    def request(self) -> str:
        """What the session under way began with."""
        return self.trajectory.sessions[-1].request

    def begin(self) -> SessionRecord:
        """Begin the next session: its time, its user, its request.

        Raises `ConfigProblem` where it has no such prompt.
        """
        number = self.session + 1
        session, prompt = self.task.sessions[number], self.trajectory.prompt
        request = requested(self.task, session, prompt)
        self.sandbox.session, self.sandbox.turn, self._arrived = number, 0, 0
        if self._user and not isinstance(self.sandbox.user, Partner):
            self.sandbox.user = self._user(self._brief(number))
        now = self.layer.now = self._now or session.now or self.layer.base.world.now
        if request and self.trajectory.sessions:
            request += self._due(datetime.fromisoformat(self.trajectory.sessions[-1].now), now)
        record = SessionRecord(request=request, now=now.isoformat())
        self.trajectory.sessions.append(record)
        self._settle_logins(number)
        self._keep(number - 1)
        self._let_in()
        start, source = self.sandbox.clock(), session.event.source if session.event else ""
        self.sandbox.events.append(Request(session=number, start=start, now=record.now, text=request, source=source))
        return record

    async def greet(self) -> None:
        """Tell a user who is there for the whole trial that the session under way has begun.

        Where it has no request, the user's words are its request. Raises `UserFault` where there is nobody to say any.
        """
        if not isinstance(user := self.sandbox.user, Partner):
            if not self.request:
                raise UserFault("the session has no request, and its user does not open sessions")
            return
        said = await user.opens(self.opening(self.session))
        events = self.sandbox.events
        place = next(n for n in reversed(range(len(events))) if isinstance(events[n], Request))
        request = events[place]
        if isinstance(request, Request) and not request.text:
            request.text = self.trajectory.sessions[-1].request = whole(said)
        events[place:place] = self.sandbox.thoughts()

    def opening(self, number: int) -> Opening:
        """A session that has begun, as its user sees it."""
        brief, prompt = self._brief(number), self.trajectory.prompt
        return Opening(
            number=number,
            now=self.trajectory.sessions[number].now,
            request=requested(self.task, self.task.sessions[number], prompt),
            intent=brief.intent,
            withheld={segment.id: segment.value for segment in brief.withheld},
        )

    def _brief(self, number: int) -> Brief:
        session, prompt = self.task.sessions[number], self.trajectory.prompt
        return session.briefs.get(prompt) or Brief(intent=requested(self.task, session, prompt))

    def end(self) -> None:
        """Put on record what the session under way leaves, where another one follows; what is yet to come does."""
        self.sandbox.land()
        record = self.trajectory.sessions[-1]
        record.changes, record.digest = self.layer.changes(), self.layer.digest()
        self._let_in(everything=True)

    def advance(self, number: int | None = None) -> None:
        """End sessions and begin others, up to that number, by default the next; no further than the last."""
        last = min(self.session + 1 if number is None else number, len(self.task.sessions) - 1)
        while self.session < last:
            if self.trajectory.sessions:
                self.end()
            self.begin()

    def settle(self, changes: Sequence[Change], digest: str) -> None:
        """Put on record what the whole leaves."""
        trajectory = self.trajectory
        self.sandbox.events += self.sandbox.thoughts()
        trajectory.changes, trajectory.digest = list(changes), digest
        trajectory.defaults = defaults_of(trajectory.changes, self.sandbox.toolsets)
        if trajectory.sessions:
            trajectory.sessions[-1].changes, trajectory.sessions[-1].digest = trajectory.changes, digest

    @property
    def broken(self) -> str:
        """What of ours broke first, in a call or in a late effect; empty if nothing did."""
        steps = (event for event in self.sandbox.events if isinstance(event, CallRecord | Landing))
        broke = next((step for step in steps if step.status in ("defect", "fault")), None)
        if broke is None:
            return ""
        number = broke.n if isinstance(broke, CallRecord) else broke.step
        return str(self.sandbox.faults.get(number, broke.text))

    def told(self) -> Trajectory:
        """What has happened so far, for checks; void once something of ours broke here."""
        self.settle(self.layer.changes(), self.layer.digest())
        update = {"status": "void", "reason": broken} if (broken := self.broken) else {}
        return self.trajectory.model_copy(update={**update, "events": list(self.sandbox.events)})

    def mark(self) -> Mark:
        """How far it has come, to go back to or on from."""
        sessions = tuple(record.model_copy() for record in self.trajectory.sessions)
        return self.sandbox.mark()._replace(sessions=sessions, arrived=self._arrived)

    def back_to(self, mark: Mark) -> None:
        """Go back to a mark; whoever answers has forgotten nothing."""
        self.sandbox.back_to(mark)
        self.trajectory.sessions[:] = [record.model_copy() for record in mark.sessions]
        self.sandbox.session, self._arrived = self.session, mark.arrived
        self._count_from_start()

    def copy(self, mark: Mark) -> OpenTask:
        """Another sandbox that goes on from a mark, with a user of its own, to whom nothing was said yet."""
        other = copy(self)
        other._serve(Sandbox.of(mark, self.sandbox.toolsets))
        other.sandbox.disturbing = self.sandbox.disturbing
        sessions = [record.model_copy() for record in mark.sessions]
        update = {"events": other.sandbox.events, "sessions": sessions}
        other.trajectory = self.trajectory.model_copy(update=update)
        other.sandbox.session, other._arrived = other.session, mark.arrived
        other._count_from_start()
        if self._user:
            other.sandbox.user = self._user(other._brief(other.session))
        return other

    def close(self) -> None:
        self.layer.close()

    def _serve(self, sandbox: Sandbox) -> None:
        self.sandbox, self.layer, self._arrived = sandbox, sandbox.layer, 0
        self.sandbox.rounds = self._rounds
        if self.task.arrivals:
            self.sandbox.after_step = self._let_in

    def _count_from_start(self) -> None:
        """Put on record what changes count from, which is what the digest names."""
        self.trajectory.start = self.layer.start.changes() if self.layer.start else []

    def _let_in(self, *, everything: bool = False) -> None:
        """Let arrive what has to by now, or all that is left of the session under way, in the order of the task."""
        queue = self.task.sessions[self.session].arrivals if self.session >= 0 else ()
        while self._arrived < len(queue) and (everything or self._has_come(queue[self._arrived])):
            arrival = queue[self._arrived]
            self._arrived += 1
            self._arrive(arrival.edits, arrival.source, arrival.text)

    def _due(self, after: datetime, until: datetime) -> str:
        """What the agent has put off until a time since the session before, told behind what a session begins with."""
        return "".join(scheduled(self.layer.state(app), after, until) for app in self._apps if app.name == "desk")

    def _settle_logins(self, number: int) -> None:
        """Before a session: nobody is logged in any more, or everybody has been from the start."""
        wanted = [app for app in self._apps if Login in app.tables]
        if self._logged_in and number == 0:
            first = {app.name: self.layer.state(app).find(Account, limit=1) for app in wanted}
            edits = [
                Edit(op="add", app=name, table="logins", id="L1", values={"username": account.username})
                for name, found in first.items()
                for account in found
            ]
            if edits:
                self._arrive(edits, "schedule", "logged in from the start")
        elif not self._logged_in and number > 0:
            begun = len(self.layer.written)
            for state in map(self.layer.state, wanted):
                for login in state.find(Login):
                    state.delete(login)
            ended = self.layer.written[begun:]
            del self.layer.written[begun:]
            if ended:
                self._record("schedule", "logins end with a session", ended)

    def _keep(self, number: int) -> None:
        """Let a session that is over lie in a file, where that is wanted."""
        if self._transcripts and number >= 0 and any(app.name == "filesystem" for app in self._apps):
            then, now = self.trajectory.sessions[number], self.trajectory.sessions[-1].now
            self._arrive(transcript(number, then, self.sandbox.events, now), "schedule", "what was said before")

    def _arrive(self, edits: Sequence[Edit], source: Source, text: str) -> None:
        written = self.layer.arrive(edits, self._apps)
        self._count_from_start()
        self._record(source, text, written)

    def _record(
        self, source: Source, text: str, written: Iterable[tuple[str, str, str, dict[str, Any] | None]]
    ) -> None:
        self.sandbox.events.append(
            Arrival(
                session=self.session,
                start=self.sandbox.clock(),
                step=self.sandbox.steps,
                source=source,
                text=text,
                writes=[Write(app=a, table=t, id=i, values=v) for a, t, i, v in written],
            )
        )

    def _has_come(self, arrival: Arrives) -> bool:
        """Whether the step was made that it comes after."""
        if arrival.before:
            return True
        kind, number = (
            (CallRecord, arrival.after_call) if arrival.after_hand_over is None else (HandOver, arrival.after_hand_over)
        )
        made = sum(isinstance(event, kind) and event.session == self.session for event in self.sandbox.events)
        return number is not None and made > number


def requested(task: Task, session: Session, prompt: str) -> str:
    """What a session asks for under a prompt variant, or the event that it begins with.

    Raises `ConfigProblem` naming the variants there are.
    """
    if session.event:
        return event_text(session.event)
    if prompt not in session.requests:
        raise ConfigProblem(f"task {task.id} has no prompt {quoted(prompt)}; it has {', '.join(session.requests)}")
    return session.requests[prompt]
