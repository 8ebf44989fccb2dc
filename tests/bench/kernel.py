"""The kernel alone: tools called on a sandbox's state, no protocol between."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from time import perf_counter

from servers.gmail import app
from servers.kernel import Engine, Layer, NotFound, State, World
from tests.bench.mailbox import WORDS, mail_id, mailbox
from tests.bench.timing import Figure, Timed, timed

__all__ = ("figures",)

_CHANGED = ", 2 rows changed"

TOOLS = app.toolset("workbench").tools


def read(state: State, number: int) -> None:
    TOOLS["get_email_information_by_id"].call(state, {"email_id": mail_id(number), "field": "subject"})


def miss(state: State, number: int) -> None:
    with suppress(NotFound):
        state.get(app.tables[0], f"nobody's {number}")


def delete(state: State, number: int) -> None:
    TOOLS["delete_email"].call(state, {"email_id": mail_id(number)})


def send(state: State, number: int = 0) -> None:
    TOOLS["send_email"].call(state, {"recipient": "a@example.test", "subject": f"hello {number}", "body": "hi"})


def search(state: State, number: int = 0) -> None:
    TOOLS["search_emails"].call(state, {"query": WORDS[number % len(WORDS)]})


def _worked(layer: Layer) -> Layer:
    """A layer as a trial leaves it: rows changed, added and removed, and SQL has seen them."""
    state = layer.state(app)
    delete(state, 3)
    send(state)
    search(state)
    return layer


def _stirred(layer: Layer) -> None:
    send(layer.state(app))
    search(layer.state(app))


def figures() -> Iterator[Figure]:
    """A small mailbox and a large one, in memory, and one on a file."""
    for mails in (500, 50_000):
        yield from _in_memory(mails)
        yield from _against_copies(mails)
    yield from _on_a_file()


def _in_memory(mails: int) -> Iterator[Figure]:
    """One world of that many mails, in memory."""
    engine, where = Engine(), f"{mails:,} mails, kernel only"
    base = engine.load(mailbox(mails))
    layer = engine.layer(base)
    state = layer.state(app)
    read(state, 0)

    def life(n: int) -> None:
        one = engine.layer(base)
        read(one.state(app), 100 + n)
        send(one.state(app))
        search(one.state(app), n)
        one.changes()
        one.digest()
        one.close()

    yield timed(lambda _: engine.layer(base).state(app), times=500).figure("new sandbox", where, "0.5 ms")
    yield timed(lambda n: read(state, n + 1)).figure("keyed read, row not read before", where, "1.1 ms")
    yield timed(lambda n: read(state, n + 1)).figure("keyed read, row read before", where, "1.1 ms")
    start = perf_counter()
    miss(state, 0)
    first = (perf_counter() - start) * 1000
    yield Figure("an id that no row has, the first", where, first, "ms")
    yield timed(lambda n: miss(state, n)).figure("an id that no row has, another", where)
    first_time = timed(lambda n: search(state, n), before=lambda _: base.answers.clear(), times=60)
    yield first_time.figure("search, table untouched", where)
    yield timed(lambda n: search(state, n), times=60).figure("search, table untouched, asked before", where)
    yield timed(lambda n: delete(state, 200 + n)).figure("delete a row not read before", where, "1.1 ms")
    layer.reset()
    yield timed(lambda n: send(state, n)).figure("add a row", where, "1.1 ms")
    layer.reset()
    after = timed(lambda n: search(state, n), before=lambda n: send(state, n), times=60)
    yield after.figure("search right after an added row", where)
    layer.reset()
    after = timed(lambda n: search(state, n), before=lambda n: delete(state, 200 + n), times=60)
    yield after.figure("search right after a deleted row", where)
    layer.reset()

    _worked(layer)
    yield timed(lambda _: layer.changes()).figure("diff", where + _CHANGED, "1 ms")
    yield timed(lambda _: layer.digest()).figure("digest", where + _CHANGED)
    yield timed(lambda _: layer.fork()).figure("snapshot", where + _CHANGED, "1 ms")
    snapshot = layer.fork()
    layer.reset()
    reset = timed(lambda _: layer.reset(), before=lambda _: _worked(layer), times=60)
    restore = timed(lambda _: layer.restore(snapshot), before=lambda _: _stirred(layer), times=60)
    yield reset.figure("reset", where + _CHANGED, "1 ms")
    yield restore.figure("restore", where + _CHANGED, "1 ms")
    yield _closing(engine, layer).figure("close", where + _CHANGED)
    yield timed(life).figure("open, read, add, search, diff, digest, close", where)
    engine.close()


def _closing(engine: Engine, layer: Layer) -> Timed:
    layers = [_worked(engine.layer(layer.base)) for _ in range(300)]
    return timed(lambda n: layers[n].close(), times=300)


def _on_a_file() -> Iterator[Figure]:
    """Standing alone: each call that writes is on disk before it returns."""
    where = "500 mails, kernel only, on a file"
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(Path(folder) / "gmail.duckdb")
        state = engine.resume(engine.load(mailbox(500)), [app]).state(app)
        read(state, 0)
        yield timed(lambda n: read(state, n + 1)).figure("keyed read, row not read before", where)
        yield timed(lambda n: send(state, n), times=100).figure("add a row", where)
        engine.close()


def _against_copies(mails: int) -> Iterator[Figure]:
    """The obvious other way, in the same run: a database copied for every sandbox."""
    world = mailbox(mails)
    engine = Engine()
    base = engine.load(world)
    copying = Copies(engine, world)
    engine.layer(base).state(app).find(app.tables[0], limit=1)
    ours = timed(lambda _: engine.layer(base).state(app))
    theirs = timed(lambda _: copying.copy(), times=10, after=lambda _: copying.drop())
    where = f"{mails:,} mails, kernel only"
    yield theirs.figure("copying a database instead", where)
    yield Figure("  that, over a new sandbox", where, theirs.median / ours.median, "times")
    engine.close()


class Copies:
    """One table of mails as a database of its own, and copies of it."""

    def __init__(self, engine: Engine, world: World) -> None:
        self.con = engine.connection
        self.con.execute("ATTACH ':memory:' AS template")
        columns = list(world.rows["gmail"]["emails"][0])
        self.con.execute(f"CREATE TABLE template.emails ({', '.join(f'{name} VARCHAR' for name in columns)})")
        appender = self.con.appender("template.main.emails")
        appender.append_rows([tuple(row[name] for name in columns) for row in world.rows["gmail"]["emails"]])
        appender.flush()
        self.con.execute("CREATE UNIQUE INDEX key ON template.emails (id)")
        self._names = count()
        self._last = ""

    def copy(self) -> None:
        self._last = f"copy_{next(self._names)}"
        self.con.execute(f"ATTACH ':memory:' AS {self._last}")
        self.con.execute(f"COPY FROM DATABASE template TO {self._last}")

    def drop(self) -> None:
        self.con.execute(f"DETACH {self._last}")
