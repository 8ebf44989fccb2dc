"""The engine against a model made of plain dicts, under random interleavings of many sandboxes."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from servers.kernel import Change, Edit, Engine, Layer, NotFound, Rejected, fold
from tests.kernel.desk import Paper, app, world

BASE = 4
TITLES = st.sampled_from(["paper 1", "paper 2", "", "é ß 語", "a'b--"])
IDS = st.sampled_from([f"{n:04d}" for n in range(BASE + 4)] + ["odd", "0100"])

Rows = dict[str, dict[str, Any]]


@dataclass
class Model:
    """What a sandbox should hold: rows in order, and the next id number."""

    rows: Rows
    number: int = BASE
    start: Rows = field(default_factory=dict)
    start_number: int = BASE

    def add(self, id: str, title: str) -> str | None:
        if id in self.rows:
            return None
        if not id:
            self.number += 1
            id = f"{self.number:04d}"
        else:
            self.number = max(self.number, int(id) if id.isdigit() else 0)
        self.rows[id] = {"tray_id": "1", "title": title, "pages": 1}
        return id

    def diff(self, before: Rows) -> list[Change]:
        changes = []
        for id in sorted({*before, *self.rows}):
            was, now = before.get(id), self.rows.get(id)
            if was != now:
                changes.append(Change(app="desk", table="papers", id=id, before=was, after=now))
        return changes


WORLD = world(BASE)
START: Rows = {row["id"]: {"tray_id": "1", "title": row["title"], "pages": 1} for row in WORLD.rows["desk"]["papers"]}


@dataclass
class Pair:
    layer: Layer
    model: Model


class Undo(Exception):
    pass


class Sandboxes(RuleBasedStateMachine):
    pairs = Bundle("pairs")

    @initialize()
    def open_engine(self) -> None:
        self.engine = Engine()
        self.base = self.engine.load(WORLD)
        self.live: list[Pair] = []

    def _track(self, layer: Layer, model: Model) -> Pair:
        self.live.append(Pair(layer, model))
        return self.live[-1]

    @rule(target=pairs)
    def open(self) -> Pair:
        return self._track(self.engine.layer(self.base), Model(deepcopy(START), start=deepcopy(START)))

    @rule(target=pairs, removed=st.sampled_from(["0001", "0002"]), added=IDS, title=TITLES)
    def open_with_setup(self, removed: str, added: str, title: str) -> Any:
        model = Model(deepcopy(START))
        del model.rows[removed]
        if model.add(added, title) is None:
            return multiple()
        model.rows["0003"]["title"] = title
        model.start, model.start_number = deepcopy(model.rows), model.number
        setup = (
            Edit(op="remove", app="desk", table="papers", id=removed),
            Edit(op="add", app="desk", table="papers", id=added, values={"tray_id": "1", "title": title}),
            Edit(op="change", app="desk", table="papers", id="0003", values={"title": title}),
        )
        return self._track(self.engine.layer(self.base, setup, (app,)), model)

    @rule(target=pairs, pair=pairs)
    def fork(self, pair: Pair) -> Pair:
        return self._track(pair.layer.fork(), deepcopy(pair.model))

    @rule(pair=consumes(pairs))
    def close(self, pair: Pair) -> None:
        pair.layer.close()
        self.live.remove(pair)

    @rule(pair=pairs)
    def reset(self, pair: Pair) -> None:
        pair.layer.reset()
        model = pair.model
        pair.model = replace(model, rows=deepcopy(model.start), number=model.start_number)

    @rule(pair=pairs, snapshot=pairs)
    def restore(self, pair: Pair, snapshot: Pair) -> None:
        pair.layer.restore(snapshot.layer)
        pair.model = replace(pair.model, rows=deepcopy(snapshot.model.rows), number=snapshot.model.number)

    @rule(pair=pairs, id=st.one_of(st.just(""), IDS), title=TITLES)
    def add(self, pair: Pair, id: str, title: str) -> None:
        self._add(pair, id, title)

    @rule(pair=pairs, id=IDS, title=TITLES)
    def save(self, pair: Pair, id: str, title: str) -> None:
        self._save(pair, id, title)

    @rule(pair=pairs, id=IDS)
    def delete(self, pair: Pair, id: str) -> None:
        self._delete(pair, id)

    @rule(pair=pairs, id=IDS, title=TITLES, search=st.booleans(), fails=st.booleans())
    def transaction(self, pair: Pair, id: str, title: str, search: bool, fails: bool) -> None:
        before, written = deepcopy(pair.model), list(pair.layer.written)
        try:
            with pair.layer.state(app).transaction():
                self._add(pair, "", title)
                self._delete(pair, id)
                if search:
                    self.finds(pair)
                self._add(pair, id, title)
                self._save(pair, "0001", title)
                if fails:
                    raise Undo
        except Undo:
            pair.model = before
            assert pair.layer.written == written

    @rule(pair=pairs, id=IDS)
    def get(self, pair: Pair, id: str) -> None:
        wanted = pair.model.rows.get(id)
        try:
            found = pair.layer.state(app).get(Paper, id)
        except NotFound:
            assert wanted is None
        else:
            assert found.model_dump(exclude={"id"}) == wanted

    @rule(pair=pairs, title=TITLES, limit=st.sampled_from([None, 0, 1, 3]))
    def search(self, pair: Pair, title: str, limit: int | None) -> None:
        wanted = [id for id, row in pair.model.rows.items() if row["title"] == title]
        found = pair.layer.state(app).find(Paper, "title = ?", [title], limit=limit)
        assert [paper.id for paper in found] == wanted[:limit]

    @rule(pair=pairs)
    def finds(self, pair: Pair) -> None:
        found = {p.id: p.model_dump(exclude={"id"}) for p in pair.layer.state(app).find(Paper)}
        assert list(found.items()) == list(pair.model.rows.items())

    @rule(pair=pairs)
    def query(self, pair: Pair) -> None:
        found = pair.layer.state(app).query("SELECT id, title FROM papers ORDER BY _ord")
        assert found == [(id, row["title"]) for id, row in pair.model.rows.items()]

    @rule(pair=pairs, other=pairs)
    def compare(self, pair: Pair, other: Pair) -> None:
        assert pair.layer.changes(other.layer) == pair.model.diff(other.model.rows)

    @rule()
    def checkpoint(self) -> None:
        self.engine.checkpoint()

    @invariant()
    def diffs_and_digests_agree(self) -> None:
        for pair in getattr(self, "live", []):
            changes = pair.model.diff(pair.model.start)
            start = replace(pair.model, rows=pair.model.start).diff(START)
            assert pair.layer.changes() == changes
            assert pair.layer.digest() == fold(WORLD.digest, start, changes)

    def teardown(self) -> None:
        for pair in self.live:
            self.finds(pair)
        self.engine.close()

    def _add(self, pair: Pair, id: str, title: str) -> None:
        wanted = pair.model.add(id, title)
        try:
            got = pair.layer.state(app).add(Paper(id=id, tray_id="1", title=title)).id
        except Rejected:
            assert wanted is None
        else:
            assert got == wanted

    def _save(self, pair: Pair, id: str, title: str) -> None:
        row = pair.model.rows.get(id)
        try:
            pair.layer.state(app).save(Paper(id=id, tray_id="1", title=title))
        except NotFound:
            assert row is None
        else:
            assert row is not None
            row["title"] = title

    def _delete(self, pair: Pair, id: str) -> None:
        present = pair.model.rows.pop(id, None)
        try:
            pair.layer.state(app).delete(Paper(id=id, tray_id="1", title=""))
        except NotFound:
            assert present is None
        else:
            assert present is not None


TestSandboxes = Sandboxes.TestCase
TestSandboxes.settings = settings(
    max_examples=40, stateful_step_count=40, deadline=None, derandomize=True, database=None
)
