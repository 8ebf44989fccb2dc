"""A function in a process of its own: killed, lost and gone, it costs whoever asked nothing but the answer."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from servers.kernel import Child, ChildBroken, ChildLost

PROGRAM = "tests.kernel.program:answer"
FOREVER = 3_600

posix = pytest.mark.skipif(sys.platform == "win32", reason="the system has no such limits")
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds an address space to its bound")


@pytest.fixture
def child() -> Iterator[Child]:
    child = Child(PROGRAM)
    yield child
    child.end()


def test_a_process_is_started_by_the_first_request_and_kept_for_the_next(child: Child) -> None:
    before = child.pid

    assert (before, child.ask("count"), child.ask("count"), child.pid) == (None, 1, 2, child.ask("pid"))


def test_requests_and_answers_are_any_json(child: Child) -> None:
    request = {"text": 'é "\n\u2028', "numbers": [1, 1.5, 10**30, None, True]}

    assert child.ask(request) == request


def test_a_request_that_takes_too_long_is_ended_with_its_process(child: Child) -> None:
    process = psutil.Process(child.ask("pid"))
    with pytest.raises(ChildLost, match=r"stopped after 0\.2 seconds") as lost:
        child.ask({"busy": FOREVER, "then": ""}, seconds=0.2)

    assert (lost.value.timed_out, child.pid, process.is_running()) == (True, None, False)


def test_after_a_time_out_the_next_request_meets_a_new_process_that_knows_nothing(child: Child) -> None:
    child.ask("count")
    with pytest.raises(ChildLost):
        child.ask({"busy": FOREVER, "then": ""}, seconds=0.2)

    assert child.ask("count") == 1


def test_a_crash_is_told_with_its_status_and_the_next_request_starts_anew(child: Child) -> None:
    child.ask("count")
    with pytest.raises(ChildLost, match="ended with status 3") as lost:
        child.ask("crash")

    assert (lost.value.timed_out, child.ask("count")) == (False, 1)


@posix
def test_a_process_that_was_killed_between_requests_is_lost_at_the_next(child: Child) -> None:
    os.kill(child.ask("pid"), signal.SIGKILL)
    with pytest.raises(ChildLost, match="ended with status -9"):
        child.ask("count")

    assert child.ask("count") == 1


def test_a_process_that_ran_out_of_memory_is_lost_and_the_next_request_starts_anew(child: Child) -> None:
    child.ask("count")
    with pytest.raises(ChildLost, match="ran out of memory, of which it may have 1,024 MB") as lost:
        child.ask("need more memory")

    assert (lost.value.timed_out, lost.value.out_of_memory, child.ask("count")) == (False, True, 1)


def test_what_the_function_raises_is_nobodys_answer_and_the_process_lives_on(child: Child) -> None:
    child.ask("count")
    with pytest.raises(ChildBroken, match="LookupError: no such thing"):
        child.ask("raise")

    assert child.ask("count") == 2


def test_an_answer_that_json_cannot_say_is_the_functions_fault_and_the_process_lives_on(child: Child) -> None:
    child.ask("count")
    with pytest.raises(ChildBroken, match="TypeError: Object of type set is not JSON serializable"):
        child.ask("set")

    assert child.ask("count") == 2


@pytest.mark.parametrize("program", ["tests.kernel.no_such_module:answer", "tests.kernel.program:no_such_function"])
def test_a_program_that_cannot_be_started_says_what_is_missing(program: str) -> None:
    with pytest.raises(ChildBroken, match=rf"{program} cannot be started: .*no_such_"):
        Child(program).ask("count")


def test_what_the_module_settles_is_done_after_an_answer_and_before_the_next_request(child: Child) -> None:
    assert [child.ask("settled"), child.ask("settled")] == [0, 1]


def test_a_process_that_fails_at_settling_is_lost_at_the_next_request(child: Child) -> None:
    assert child.ask("settle no more") == "answered all the same"
    with pytest.raises(ChildLost):
        child.ask("count")

    assert child.ask("count") == 1


def test_what_a_library_prints_is_no_answer(child: Child) -> None:
    assert [child.ask("print"), child.ask("print")] == ["an answer", "an answer"]


def test_the_function_sees_neither_home_nor_environment_of_ours(child: Child, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "secret")

    assert not {"HOME", "SOME_KEY"} & set(child.ask("environment"))


def test_the_functions_time_zone_is_utc_wherever_the_machine_is(child: Child, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert child.ask("zone") == "UTC"


@posix
def test_the_function_can_write_to_no_file(child: Child, tmp_path: Path) -> None:
    told = child.ask({"write": str(tmp_path / "file")})

    assert told == "OSError"
    assert [path.stat().st_size for path in tmp_path.iterdir()] in ([], [0])


@linux
def test_the_function_gets_no_more_memory_than_its_bound() -> None:
    child = Child(PROGRAM, memory=1 << 30)
    asked = [child.ask({"bytes": size}) for size in (1 << 20, 1 << 31)]
    child.end()

    assert asked == [1 << 20, "MemoryError"]


def test_threads_wait_for_each_other_and_get_their_own_answers(child: Child) -> None:
    texts = [f"thread {number}" for number in range(8)]
    with ThreadPoolExecutor(len(texts)) as pool:
        told = list(pool.map(lambda text: child.ask({"busy": 0.01, "then": text}, seconds=30), texts))

    assert told == texts
    assert child.ask("count") == 1


def test_a_child_that_was_ended_is_started_again_when_next_asked(child: Child) -> None:
    first = child.ask("pid")
    child.end()
    child.end()

    assert child.ask("pid") != first


_PARENT = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from servers.kernel import Child
child = Child("tests.kernel.program:answer")
print(child.ask("pid"), flush=True)
if sys.argv[2] == "busy":
    child.ask({"busy": 3600, "then": ""}, seconds=0.5)
sys.stdin.read()
"""


@posix
@pytest.mark.parametrize("doing", ["idle", "busy"])
def test_a_child_ends_when_its_parent_was_killed_whatever_it_is_doing(doing: str) -> None:
    command = [sys.executable, "-c", _PARENT, json.dumps(sys.path), doing]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        orphan = psutil.Process(int(parent.stdout.readline()))
        idle = orphan.cpu_times().user
        while doing == "busy" and orphan.cpu_times().user < idle + 0.05:
            pass
        parent.kill()

    assert psutil.wait_procs([orphan], timeout=60)[1] == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_fork_leaves_the_process_to_its_parent_and_starts_one_of_its_own(child: Child) -> None:
    child.ask("count")
    reading, writing = os.pipe()
    if (forked := os.fork()) == 0:  # pragma: no cover
        try:
            os.write(writing, b"%d" % child.ask("count"))
            child.end()
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        counted = told.read()
    os.waitpid(forked, 0)

    assert (counted, child.ask("count")) == ("1", 2)
