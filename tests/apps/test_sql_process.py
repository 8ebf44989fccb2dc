"""The process that runs the statements of `sql`: killed, full, broken, shared."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from servers.kernel import Child, ChildBroken
from servers.sql import running
from tests.apps.sql_desk import Database, database

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds an address space to its bound")


@pytest.fixture
def rooms() -> Iterator[Database]:
    with database() as there:
        yield there


def test_a_process_that_was_killed_is_made_anew_and_the_statement_tried_again(rooms: Database) -> None:
    rooms("DELETE FROM rooms WHERE number = 1")
    assert running._child.pid
    os.kill(running._child.pid, signal.SIGKILL)

    assert rooms("DELETE FROM rooms WHERE number = 2") == "1 row deleted."
    assert rooms.rows("SELECT number FROM rooms") == ["[4]"]


def fill() -> int:
    """Let the process have no more memory than it has now; its id."""
    import resource

    assert running._child.pid
    has = psutil.Process(running._child.pid).memory_info().vms
    resource.prlimit(running._child.pid, resource.RLIMIT_AS, (has, has))
    return running._child.pid


@linux
def test_a_statement_that_a_full_process_cannot_run_is_answered_by_a_new_one(rooms: Database) -> None:
    rooms("DELETE FROM rooms WHERE number = 1")
    full = fill()

    assert rooms.rows("SELECT length(repeat('a', 40000000)), count(*) FROM rooms GROUP BY ALL") == ["[40000000, 2]"]
    assert running._child.pid != full


@linux
def test_rows_that_a_full_process_cannot_take_are_taken_by_a_new_one(rooms: Database) -> None:
    running._child.end()
    rooms("SELECT 1")
    full = fill()
    with database({"more": ({"text": "VARCHAR"}, [["a" * 9_000] for _ in range(400)])}) as more:
        assert more.rows("SELECT count(*) FROM more") == ["[400]"]
    assert running._child.pid != full


class Dying(Child):
    """A child that is killed while it runs a statement with some word in it, as one that crashes it would."""

    word = "label"

    def ask(self, request: Any, *, seconds: float = 5.0) -> Any:
        if self.word in json_of(request):
            super().ask({"do": "probe"}, seconds=60)
            assert self.pid
            os.kill(self.pid, signal.SIGKILL)
        return super().ask(request, seconds=seconds)


def json_of(request: Any) -> str:
    return str(request.get("statement", request["do"]))


def test_a_statement_that_ends_the_process_twice_is_refused(rooms: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    child = Dying("servers.sql.database:answer")
    monkeypatch.setattr(running, "_child", child)

    assert "broke down over this statement, twice" in rooms.refusal("SELECT label FROM rooms")
    assert rooms.rows("SELECT number FROM rooms LIMIT 1") == ["[1]"]
    child.end()


def test_a_process_that_dies_whatever_is_asked_voids_the_trial(
    rooms: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = Child("tests.kernel.program:answer")
    monkeypatch.setattr(running, "_child", child)
    monkeypatch.setattr(child, "ask", lambda request, seconds=5.0: Child.ask(child, "crash", seconds=seconds))

    with pytest.raises(ChildBroken, match="does not work: the process ended with status 3"):
        rooms("SELECT 1")
    child.end()


def test_threads_may_share_the_process() -> None:
    told: list[str] = []

    def work(number: int) -> None:
        with database() as own:
            own(f"UPDATE rooms SET label = '{number}'")
            told.extend(own.rows("SELECT DISTINCT label FROM rooms"))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(told) == [f'["{number}"]' for number in range(4)]
