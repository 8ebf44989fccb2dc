"""One sandbox's state: what it changed, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from servers.kernel.base import Base, Shelf
from servers.kernel.changes import Came, Change, Coming, Edit, Key, Like, fold
from servers.kernel.errors import NotFound, Rejected, StateError
from servers.kernel.plain import canonical
from servers.kernel.rows import Rows, Shelved, Wrote
from servers.kernel.state import State
from servers.kernel.table import Table, Tables, refs
from servers.kernel.world import amiss

__all__ = ("Layer",)


class Layer(Rows):
    """One sandbox's state: the rows it changed, over a base.

    `start` is the state that diffs and digests are relative to: None for the bare world. What arrives moves it; `came`
    is what did so at its moment.
    """

    def __init__(self, base: Base, start: Layer | None = None) -> None:
        super().__init__(base)
        self.start = start
        self.came: tuple[Came, ...] = ()
        self._states: dict[str, State] = {}
        self._sharers = 1
        self._kin = object()  # one for a layer and all its forks

    def state(self, app: Tables) -> State:
        """The app's own view of this layer."""
        if app.name not in self._states:
            self._states[app.name] = State(self, app)
        return self._states[app.name]

    def changes(self, since: Layer | None = None) -> list[Change]:
        """What differs from `since` (default: the start), by app, table and id; no-ops dropped.

        Costs what the two states touched, whatever the world's size, and asks the database nothing.
        """
        self._open()
        since = since or self.start
        theirs = since._touched if since else {}
        if since and since.base is not self.base:
            raise ValueError("the two states stand on different worlds")
        found: list[Change] = []
        for shelf in {**self._touched, **theirs}:
            ours = self._touched[shelf].rows if shelf in self._touched else {}
            others = theirs[shelf].rows if shelf in theirs else {}
            for id in {**ours, **others}:
                mine, other = ours.get(id), others.get(id)
                before = other.values if other else mine.base if mine else None
                after = mine.values if mine else other.base if other else None
                if before != after and (change := _change(shelf, id, before, after)):
                    found.append(change)
        found.sort(key=lambda change: (change.app, change.table, change.id))
        return found

    def digest(self) -> str:
        """SHA-256 of world, starting changes and changes since: equal iff the states are."""
        start = self.start.changes() if self.start else []
        return fold(self.base.world.digest, start, self.changes())

    def fork(self) -> Layer:
        """A copy with a life of its own: a snapshot, if left alone."""
        self._open()
        copy = Layer(self.base, self.start)
        if self.start:
            self.start._sharers += 1
        copy.clock, copy._kin, copy.came = self.clock, self._kin, self.came
        copy._become(self)
        return copy

    def arrive(self, edits: Iterable[Edit], apps: Iterable[Tables]) -> list[Wrote]:
        """Take in rows that come from outside: they are part of the start from now on, and none of the changes.

        The edits have to fit the start, or nothing arrives and `StateError` is raised. They fit whatever was done
        here since: a row that they name is as they say, a field that they do not name stays as it is here, and a row
        that is gone here stays gone if they change it. Gives the rows written here.
        """
        self._open()
        if self._undo is not None:
            raise RuntimeError("a transaction is open")
        if self._kept:
            raise StateError("nothing arrives in a state that is kept on a file")
        edits, known = tuple(edits), {app.name: app for app in apps}
        start = self.start.fork() if self.start else Layer(self.base)
        try:
            left = start._edit_all(edits, known, "step")
        except StateError:
            start.close()
            raise
        start.written.clear()
        mark = len(self.written)
        for edit, row in zip(edits, left, strict=True):
            self._take(known[edit.app], edit, row)
        self._leave_start()
        self.start = start
        written = self.written[mark:]
        del self.written[mark:]
        return written

    def come(self, due: Sequence[Coming], apps: Iterable[Tables]) -> list[tuple[Came, list[Wrote]]]:
        """Take in what comes at its moment, in order: as with `arrive` the start moves, but here what was done decides.

        What would take the id of a row made here, or refers to one that is gone, does not come. A row that was removed
        here stays so where it is merely changed, and is back where rows come that it goes with. All of it is in the
        file, with the record in `came`, or none. Gives what came, with the rows written here.
        """
        self._open()
        known = {app.name: app for app in apps}
        start = self.start.fork() if self.start else Layer(self.base)
        found: list[tuple[Came, list[Wrote]]] = []
        before, mark = self.came, len(self.written)
        try:
            with self.transaction():
                for coming in due:
                    skipped = self._land(coming, start, known)
                    written = self.written[mark:]
                    del self.written[mark:]
                    rows = tuple(Key(app=app, table=table, id=id) for app, table, id, _ in written)
                    found.append((Came(at=coming.at, text=coming.text, rows=rows, skipped=skipped), written))
                self.came += tuple(came for came, _ in found)
                if self._kept:
                    self._arriving = _fresh(start, self.start), _record(self.came)
        except BaseException:
            self.came = before
            start.close()
            raise
        finally:
            self._arriving = None
        self._leave_start()
        self.start = start
        return found

    def reserve(self, other: Layer) -> None:
        """Give new rows only ids that come after those of `other`, a layer over the same world."""
        for shelf, theirs in other._touched.items():
            ours = self._writable(shelf)
            ours.number = max(ours.number, theirs.number)

    def restore(self, snapshot: Layer) -> None:
        """Become what `snapshot` is, time and ids to come included; of a fork of this layer, the start too."""
        snapshot._open()
        if snapshot.base is not self.base:
            raise ValueError("the snapshot stands on another world")
        self._become(snapshot)
        if snapshot._kin is self._kin and snapshot.start is not self.start and not self._kept:
            self._leave_start()
            self.start, self.came = snapshot.start, snapshot.came
            if self.start:
                self.start._sharers += 1

    def reset(self) -> None:
        """Back to the start."""
        self._become(self.start)

    def close(self) -> None:
        """Give everything back; a file keeps what it has. The layer cannot be used again."""
        if self._closed:
            return
        self._closed = True
        self._retire()
        self._touched.clear()
        if self._kept:
            self.engine._in_use = False
        self._leave_start()

    # Inside.

    def _leave_start(self) -> None:
        """Give up this layer's share of its start; whoever was last closes it."""
        if self.start:
            self.start._sharers -= 1
            if not self.start._sharers:
                self.start.close()

    def _become(self, other: Layer | None) -> None:
        self._open()
        if self._undo is not None:
            raise RuntimeError("a transaction is open")
        taken = {shelf: touched.copy() for shelf, touched in other._touched.items()} if other else {}
        if self._kept:
            for shelf in {**self._touched, **taken}:
                old = self._touched[shelf].rows if shelf in self._touched else {}
                new = taken[shelf].rows if shelf in taken else {}
                self._unkept[shelf] = {id: new.get(id) for id in {**old, **new} if old.get(id) is not new.get(id)}
            try:
                self._keep()
            except BaseException:
                self._unkept.clear()  # or the next call would write them
                raise
        self._retire()
        self._touched = taken
        self._known.clear()
        self.now = other.now if other else self.base.world.now
        self.written.clear()

    def _apply(self, setup: Sequence[Edit], apps: Mapping[str, Tables]) -> None:
        """Make the edits, and what they lead to the start."""
        self._edit_all(setup, apps, "setup step")
        self.written.clear()
        self.start = self.fork()

    def _edit_all(self, edits: Sequence[Edit], apps: Mapping[str, Tables], what: str) -> list[Table | None]:
        """Make the edits; gives the row that each leaves, None if it removes one. `what` names one in an error."""
        left = []
        for step, edit in enumerate(edits):
            try:
                left.append(self._edit(edit, apps))
            except (LookupError, ValueError, NotFound, Rejected) as error:
                problem = amiss(error) if isinstance(error, ValidationError) else error
                raise StateError(
                    f"{what} {step} ({edit.op} {edit.app}.{edit.table} {edit.id}) does not fit: {problem}"
                ) from None
        return left

    def _edit(self, edit: Edit, apps: Mapping[str, Tables]) -> Table | None:
        if edit.app not in apps:
            raise ValueError(f"there is no app {edit.app!r} here, only {', '.join(apps) or 'none'}")
        app = apps[edit.app]
        table = app.table(edit.table)
        if edit.op == "add":
            return self.add(app, table.from_json({**edit.values, "id": edit.id}))
        row = self.get(app, table, edit.id)
        if edit.op == "remove":
            self.delete(app, row)
            return None
        return self.save(app, table.from_json({**row.to_json(), **edit.values, "id": edit.id}))

    def _land(self, coming: Coming, start: Layer, apps: Mapping[str, Tables]) -> str:
        """Let something come here and in the start that will be; says what did not come, and why."""
        edits = [edit for edit in coming.edits if edit.app in apps]
        adds = {Key(app=edit.app, table=edit.table, id=edit.id) for edit in edits if edit.op == "add"}
        left: list[Edit] = []
        gone: list[Edit] = []
        try:
            for edit in edits:
                app = apps[edit.app]
                table = app.table(edit.table)
                here = self._has(app, table, edit.id)
                if edit.op != "add":
                    back = bool(adds) and start._has(app, table, edit.id)
                    (left if here or back else gone).append(edit)
                    continue
                if here:
                    return f"there is a {table.noun} {edit.id} here already"
                needs = _references(app.name, table.from_json({**edit.values, "id": edit.id}))
                if missing := next((key for key in needs if key not in adds and not self._holds(key, apps)), None):
                    return f"its {table.noun} names {missing.table} {missing.id}, which is not there any more"
                left.append(edit)
            if missing := next((key for key in coming.needs if key not in adds and not self._holds(key, apps)), None):
                return f"it needs {missing.table} {missing.id}, which is not there any more"
            if like := next((like for like in coming.unless if like.app in apps and self._like(like, apps)), None):
                values = ", ".join(f"{name} {value}" for name, value in like.values.items())
                return f"there is already one of {like.table} with {values}"
            with start.transaction():
                rows = [start._edit(edit, apps) for edit in left]
        except (LookupError, ValueError, NotFound, Rejected) as error:
            return amiss(error) if isinstance(error, ValidationError) else str(error)
        for edit, row in zip(left, rows, strict=True):
            app = apps[edit.app]
            if row and not self._has(app, type(row), edit.id):
                self.add(app, row)
            else:
                self._take(app, edit, row)
        return "; ".join(f"{edit.table} {edit.id} is not there any more" for edit in gone)

    def _has(self, app: Tables, table: type[Table], id: str) -> bool:
        held = self._held(self._shelf(app, table), id)
        return held is not None and held.values is not None

    def _holds(self, key: Key, apps: Mapping[str, Tables]) -> bool:
        """Whether a row is there; of other apps nothing is known here."""
        return key.app not in apps or self._has(apps[key.app], apps[key.app].table(key.table), key.id)

    def _like(self, like: Like, apps: Mapping[str, Tables]) -> bool:
        app = apps[like.app]
        rows = (row.to_json() for row in self.find(app, app.table(like.table), "", (), "", None))
        return any(all(row[name] == value for name, value in like.values.items()) for row in rows)

    def _take(self, app: Tables, edit: Edit, row: Table | None) -> None:
        """Make here an edit that left `row` in the start."""
        table = app.table(edit.table)
        held = self._held(self._shelf(app, table), edit.id)
        if held is None or held.values is None:
            if row and edit.op == "add":
                self.add(app, row)
            return
        here = table.restored(held.values)
        if row is None:
            self.delete(app, here)
        elif edit.op == "add":
            self.save(app, row)
        else:
            try:
                self.save(app, table.from_json({**here.to_json(), **edit.values, "id": edit.id}))
            except (ValueError, Rejected):  # what the row was made into here does not go with what arrives
                self.save(app, row)


def _fresh(start: Layer, before: Layer | None) -> Shelved:
    """What a start has that the one before it had not."""
    old = {shelf: touched.rows for shelf, touched in before._touched.items()} if before else {}
    return {
        shelf: {id: held for id, held in touched.rows.items() if old.get(shelf, {}).get(id) is not held}
        for shelf, touched in start._touched.items()
    }


def _record(came: Sequence[Came]) -> str:
    return canonical([each.model_dump(mode="json", exclude_defaults=True) for each in came]).decode()


def _references(app: str, row: Table) -> Iterator[Key]:
    """The rows that a row names, by the marks on its columns."""
    for name, table in refs(type(row)).items():
        value = getattr(row, name)
        for id in value if isinstance(value, list) else [value]:
            if id:
                yield Key(app=app, table=table.table_name, id=id)


def _change(shelf: Shelf, id: str, before: tuple[Any, ...] | None, after: tuple[Any, ...] | None) -> Change | None:
    was, is_ = (None if values is None else shelf.table.restored(values).to_json() for values in (before, after))
    if canonical(was) == canonical(is_):  # JSON columns may differ in the order of keys alone
        return None
    return Change(app=shelf.app.name, table=shelf.table.table_name, id=id, before=was, after=is_)
