"""Plays lists of calls in fresh sandboxes, without a model and without a wire, and scores them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple

from harness.audit.ends import Left, Normal, normal
from harness.audit.steps import Place, Steps, called
from harness.audit.workplace import toolsets
from harness.core.judgement import NO_VERDICTS
from harness.core.suite import Scored, Suite
from harness.core.task import Call, Task, filled, made_id
from harness.core.trajectory import Arrival, CallRecord, Request, Trajectory, Write
from harness.play.opening import OpenTask, begun
from harness.record.defaults import defaults_of
from harness.report import TrialVerdict, primary, verdict
from servers.kernel import Answer, Base, Change, Engine, Toolset, canonical, fold

__all__ = ("Effect", "Played", "Player", "alike")

Effect = Literal["insert", "update", "delete", "none", "failed", "unmade"]
"""What one call did to the rows; `unmade` if it needs an id that nothing produced."""


_REPLY = "Done."


def _go_on(opened: OpenTask, number: int) -> None:
    """Go on to a session, and say at the end of each before it what a reference says there."""
    while opened.session < min(number, len(opened.task.sessions) - 1):
        _close(opened)
        opened.advance()


def _close(opened: OpenTask) -> None:
    if closing := opened.task.sessions[opened.session].closing:
        opened.sandbox.hand_over(closing, Answer(text="", goes_on=False))
        opened.trajectory.sessions[-1].reply = closing


class Played:
    """What a list of calls did: one record and one effect per call, the state left, and the suite's verdict."""

    def __init__(
        self,
        suite: Suite,
        task: Task,
        told: Trajectory,
        left: Left,
        records: Sequence[CallRecord | None],
        in_world: Callable[[str, str, str], bool],
    ) -> None:
        """`told` is the record but for what is left."""
        last = told.sessions[-1].model_copy(update={"changes": left.changes, "digest": left.digest})
        more = {"changes": left.changes, "digest": left.digest, "sessions": [*told.sessions[:-1], last]}
        self.task, self.trajectory, self.records = task, told.model_copy(update=more), records
        self._left = left
        self._suite, self._in_world = suite, in_world

    @cached_property
    def effects(self) -> list[Effect]:
        """One per call, in order. A call that does several things counts as the last of them."""
        known = {(c.app, c.table, c.id): c.after is not None for c in self.trajectory.start}
        found: list[Effect] = []
        for record in self.records:
            effect: Effect = "unmade" if record is None else "none" if record.status == "ok" else "failed"
            for write in record.writes if record else ():
                place = write.app, write.table, write.id
                there = known[place] if place in known else self._in_world(*place)
                effect = "delete" if write.values is None else "update" if there else "insert"
                known[place] = write.values is not None
            found.append(effect)
        return found

    @property
    def end(self) -> Normal:
        """The state left, relative to the start, whatever ids new rows have."""
        return self._left.normal

    @cached_property
    def seen(self) -> Normal:
        """The same as far as the task's comparison sees it."""
        return normal(self.trajectory.changes, self.task.compare)

    @cached_property
    def checked(self) -> Normal:
        """`seen` without the tables of which the suite says that nothing checks their rows."""
        apart = self._suite.unchecked
        changes = [change for change in self.trajectory.changes if f"{change.app}.{change.table}" not in apart]
        return normal(changes, self.task.compare)

    @cached_property
    def scored(self) -> Scored:
        """The suite's own checks on it, `ruled` in place of `outcome`. Raises whatever a check raises."""
        checks = {**self._suite.checks, **({"outcome": self._suite.ruled} if self._suite.ruled else {})}
        said = {name: check(self.task, self.trajectory, NO_VERDICTS) for name, check in checks.items()}
        return Scored(self.trajectory, said)

    def leaving(self, changes: Sequence[Change]) -> Played:
        """The same work, but for what it takes to leave these changes instead.

        The call that wrote a row last was given the other values and wrote them; a row that none wrote takes one
        call more.
        """
        told = self.trajectory
        digest = fold(told.world, told.start, changes)
        known = {(c.app, c.table, c.id): c.before for c in told.changes}
        left = known | {(c.app, c.table, c.id): c.after for c in changes}
        calls: list[CallRecord] = []
        for call in reversed(told.calls):
            for write in reversed(call.writes):
                row = write.app, write.table, write.id
                if (values := left.pop(row, write.values)) != write.values:
                    call = _instead(call, write, values)
            calls.insert(0, call)
        for (app, table, id), values in left.items():
            if (app, table, id) not in known:
                write = Write(app=app, table=table, id=id, values=values)
                calls.append(_one_more(len(calls), write))
        begun = (event for event in told.events if isinstance(event, Request | Arrival))
        told = told.model_copy(update={"events": [*begun, *calls]})
        return Played(self._suite, self.task, told, Left(changes, digest), self.records, self._in_world)

    @property
    def verdict(self) -> TrialVerdict:
        return verdict(self.scored)

    @property
    def side_effects(self) -> bool:
        score = primary(self.scored.scores)
        return score is not None and bool(score.detail.get("side_effects"))

    @property
    def reason(self) -> str:
        """What the check that decides says."""
        score = primary(self.scored.scores)
        return score.reason if score else "the suite has no check"

    @property
    def broken(self) -> str:
        """The text of the first call that broke a tool; empty if none did."""
        return next((r.text for r in self.records if r and r.status in ("defect", "fault")), "")


def _instead(call: CallRecord, write: Write, values: dict[str, Any] | None) -> CallRecord:
    """The call as it would have written these values: with arguments that give them."""
    was, now = write.values or {}, values or {}
    given = dict(call.arguments)
    for field in (name for name in {**was, **now} if was.get(name) != now.get(name)):
        names = [name for name, value in given.items() if value == was.get(field)] or [field]
        given |= dict.fromkeys(names, now.get(field))
    writes = [each.model_copy(update={"values": values}) if each is write else each for each in call.writes]
    return call.model_copy(update={"arguments": given, "writes": writes})


def _one_more(n: int, write: Write) -> CallRecord:
    """A call that did nothing but write this, by no tool of the app's."""
    arguments = {"id": write.id, **(write.values or {})}
    return CallRecord(
        n=n, session=0, turn=0, app=write.app, tool="audit", arguments=arguments, status="ok", text="", writes=[write]
    )


class _Start(NamedTuple):
    """Where a task starts: its record up to there, and the steps that were made from there.

    Tasks of the same `key` have the same steps.
    """

    task: Task
    key: bytes
    begun: Trajectory
    steps: Steps


class Player:
    """One engine, its worlds loaded once, a sandbox per play.

    A call that was made before from the same start, and in the same state of its app, is not made again: what it
    came to is known. `anew` makes every call for all that; what is played is the same.
    """

    def __init__(self, suite: Suite, *, anew: bool = False) -> None:
        self.suite = suite
        self._anew = anew
        self._engine = Engine()
        self._bases: dict[str, Base] = {}
        self._toolsets: dict[tuple[tuple[str, ...], tuple[tuple[str, str], ...]], dict[str, Toolset]] = {}
        self._ids: dict[tuple[str, str, str], frozenset[str]] = {}
        self._start: _Start | None = None  # that was played from last

    async def play(self, task: Task, calls: Sequence[Call]) -> Played:
        """Make the calls in order, each in its session or, where that is over, in the one under way.

        One that fails stops nothing.
        """
        told_at_ends = any(session.closing for session in task.sessions)
        if self._anew or len(task.sessions) > 1 or task.arrivals or told_at_ends:  # arrivals depend on all calls before
            return await self._made(task, calls)
        start, place, made = self._started(task), Place(), list[CallRecord]()

        async def known(app: str, tool: str, arguments: Mapping[str, Any]) -> CallRecord:
            record = await start.steps.make(place, app, tool, arguments)
            made.append(record if record.n == len(made) else record.model_copy(update={"n": len(made)}))
            return made[-1]

        bound: dict[str, Any] = {}
        records = [await _bound(call, bound, known) for call in calls]
        left = start.steps.left(place)
        defaults = defaults_of(left.changes, self._served(task))
        told = start.begun.model_copy(update={"events": [*start.begun.events, *made], "defaults": defaults})
        return self._played(task, told, left, records)

    async def _made(self, task: Task, calls: Sequence[Call]) -> Played:
        """Every call made, whatever has been made before."""
        opened = self._begun(task)
        told, bound, records = opened.trajectory, dict[str, Any](), list[CallRecord | None]()
        try:
            for call in calls:
                _go_on(opened, call.session)
                records.append(await _bound(call, bound, partial(called, opened.sandbox)))
            _go_on(opened, len(task.sessions) - 1)
            _close(opened)
            changes = opened.layer.changes()
            opened.settle(changes, fold(told.world, told.start, changes))
        finally:
            opened.close()
        told.sessions[-1].reply = told.sessions[-1].reply or _REPLY
        return self._played(task, told, Left(changes, told.digest), records)

    def close(self) -> None:
        if self._start:
            self._start.steps.close()
        self._engine.close()

    def _played(self, task: Task, told: Trajectory, left: Left, records: Sequence[CallRecord | None]) -> Played:
        return Played(self.suite, task, told, left, records, partial(self._in_world, task))

    def _started(self, task: Task) -> _Start:
        """Where the task starts; steps are let go of when another start comes, since variants follow each other."""
        if self._start is None or self._start.task is not task:
            key, old = alike(task), self._start
            if old and old.key != key:
                old.steps.close()
                self._start = old = None
            opened = self._begun(task)
            try:
                steps = old.steps if old else Steps(opened.layer, self._served(task))
            finally:
                opened.close()
            opened.trajectory.sessions[-1].reply = _REPLY
            self._start = _Start(task, key, opened.trajectory, steps)
        return self._start

    def _begun(self, task: Task) -> OpenTask:
        """The task in its first session."""
        prompt = next((name for session in task.sessions for name in session.requests), "original")
        record = begun(self.suite.name, task, prompt=prompt, agent="audit", condition="audit")
        opened = OpenTask(self._engine, self._base(task), task, record, self._served(task))
        try:
            opened.begin()
        except BaseException:
            opened.close()
            raise
        return opened

    def _in_world(self, task: Task, app: str, table: str, id: str) -> bool:
        key = task.world, app, table
        if key not in self._ids:
            rows = self._base(task).world.rows.get(app, {}).get(table, ())
            self._ids[key] = frozenset(row["id"] for row in rows)
        return id in self._ids[key]

    def _base(self, task: Task) -> Base:
        if task.world not in self._bases:
            self._bases[task.world] = self._engine.load(self.suite.load_world(task.world))
        return self._bases[task.world]

    def _served(self, task: Task) -> dict[str, Toolset]:
        key = task.apps, task.needed
        if key not in self._toolsets:
            self._toolsets[key] = toolsets(self.suite, task.apps, task.toolsets)
        return self._toolsets[key]


def alike(task: Task) -> bytes:
    """What tasks share that start from the same rows and have the same solution, as variants of one request do."""
    setup = [edit.model_dump(mode="json") for edit in task.setup]
    calls = [call.model_dump(mode="json") for call in task.solution]
    return canonical([task.world, task.apps, task.toolsets, str(task.sessions[0].now), setup, calls])


async def _bound(
    call: Call, bound: dict[str, Any], make: Callable[[str, str, Mapping[str, Any]], Awaitable[CallRecord]]
) -> CallRecord | None:
    """The call made, with ids that calls before it gave; None where one of those is missing."""
    try:
        arguments = filled(call.arguments, bound)
    except KeyError:
        return None
    record = await make(call.app, call.tool, arguments)
    if call.bind and record.status == "ok" and (made := made_id(record.data)):
        bound[call.bind] = made
    return record
