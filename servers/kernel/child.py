"""A function of ours in a process of its own, for what an agent writes and no library can bound: SQL, shell scripts.

The process is a cache. It can be killed at any moment, and whoever asks it can tell it again all that it has to know;
rows in `State` are the truth. It is started when it is first asked, answers one request at a time, and ends with the
process that started it, even if that is killed while a request runs.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, TypeVar

from servers.kernel.errors import Fault

__all__ = ("Child", "ChildBroken", "ChildLost", "insist", "serve")

T = TypeVar("T")

_START_SECONDS: Final = 60.0
_PIPE: Final = 4_000
"""Characters that every pipe takes at once."""

_GRACE: Final = 2.0
"""How much longer than its caller a child waits before its own alarm ends it: only where nobody else did."""

_ENTRANCE: Final = (
    "import sys, json; path, program, memory = json.loads(sys.argv[1]); sys.path[:] = path; "
    "from servers.kernel.child import serve; serve(program, memory)"
)


class ChildLost(Exception):
    """The process ended before it answered.

    `timed_out`: it was killed because the time was up. `out_of_memory`: its function raised `MemoryError`.
    """

    def __init__(self, why: str, *, timed_out: bool, out_of_memory: bool = False) -> None:
        self.timed_out, self.out_of_memory = timed_out, out_of_memory
        super().__init__(why)


class ChildBroken(Fault):
    """The process cannot be started, or its function raised what it should not have: not the agent's doing."""


class Child:
    """`program` ("package.module:function") in a process with at most `memory` bytes of address space (Linux).

    The function takes one request and gives one answer, both JSON. It has no home, no environment of ours and, where
    the system has such limits, can write to no file. Requests of several threads wait for each other. A function that
    raises `MemoryError` ends its process: what filled that would be in the way of every request to come.
    """

    def __init__(self, program: str, *, memory: int = 1 << 30) -> None:
        self._program, self._memory = program, memory
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        _alive.add(self)

    def ask(self, request: Any, *, seconds: float = 5.0) -> Any:
        """The function's answer. Starts the process where there is none.

        Raises `ChildLost`, after which the next request meets a new process that knows nothing, and `ChildBroken`.
        """
        with self._lock:
            process = self._process or self._start()
            reply = self._exchange(process, [seconds + _GRACE, request], seconds)
            if "full" in reply:
                self.end()
                raise ChildLost(
                    f"the process ran out of memory, of which it may have {self._memory >> 20:,} MB",
                    timed_out=False,
                    out_of_memory=True,
                )
        if "broken" in reply:
            raise ChildBroken(f"{self._program}: {reply['broken']}")
        return reply["answer"]

    @property
    def pid(self) -> int | None:
        """The process's id; None where there is none."""
        process = self._process
        return process.pid if process and process.poll() is None else None

    def end(self) -> None:
        """Kill the process, if there is one. It is started again when next asked."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):  # what was not sent to a dead process
                if stream:
                    stream.close()

    def _start(self) -> subprocess.Popen[str]:
        told = json.dumps([[os.path.abspath(place) for place in sys.path], self._program, self._memory])
        kept = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT")
        process = self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _ENTRANCE, told],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in kept if name in os.environ}
            | {"PYTHONHASHSEED": "0", "TZ": "UTC"},  # jq asks the machine where it is
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is for whoever started it
        )
        try:
            hello = self._exchange(process, None, _START_SECONDS)
        except ChildLost as error:
            raise ChildBroken(f"{self._program} cannot be started: {error}") from None
        if "broken" in hello:
            self.end()
            raise ChildBroken(f"{self._program} cannot be started: {hello['broken']}")
        return process

    def _exchange(self, process: subprocess.Popen[str], message: Any, seconds: float) -> dict[str, Any]:
        """Send a message, unless it is None, and wait for a line. The process is killed when the time is up."""
        assert process.stdin is not None
        assert process.stdout is not None
        late = False

        def stop() -> None:
            nonlocal late
            late = True
            process.kill()

        told = "" if message is None else json.dumps(message, ensure_ascii=True) + "\n"
        # Nothing is waited for but the first byte of the answer where the pipe takes the request as a whole: that needs
        # no thread, which costs more than the rest.
        timer = None
        if len(told) > _PIPE or not hasattr(select, "poll"):
            timer = threading.Timer(seconds, stop)
            timer.daemon = True
            timer.start()
        try:
            process.stdin.write(told)
            process.stdin.flush()
            if not timer and not _readable(process.stdout.fileno(), seconds):
                stop()
            line = process.stdout.readline()
        except OSError:
            line = ""
        except BaseException:  # an interrupt: what it would answer now is for nobody
            self.end()
            raise
        finally:
            if timer:
                timer.cancel()
        if line.endswith("\n") and not late:
            reply: dict[str, Any] = json.loads(line)
            return reply
        self.end()
        status = process.returncode
        if late:
            raise ChildLost(f"stopped after {seconds:g} seconds", timed_out=True)
        raise ChildLost(f"the process ended with status {status}", timed_out=False)


def _readable(stream: int, seconds: float) -> bool:
    waiting = select.poll()
    waiting.register(stream, select.POLLIN)
    return bool(waiting.poll(seconds * 1000))


def insist(ask: Callable[[], T], probe: Callable[[], object], broken: str) -> T:
    """What `ask` gives, whose requests are for one child: asked once more where that loses it.

    Raises `ChildLost` where the time was up, or where the child was lost twice though `probe` works in the next one:
    what was asked is at fault. Raises `ChildBroken`, beginning with `broken`, where that is lost too.
    """
    try:
        return ask()
    except ChildLost as lost:
        if lost.timed_out:
            raise
    try:
        return ask()
    except ChildLost as lost:
        if lost.timed_out:
            raise
        twice = lost
    try:
        probe()
    except ChildLost as lost:
        raise ChildBroken(f"{broken}: {lost}") from None
    raise twice


_alive: weakref.WeakSet[Child] = weakref.WeakSet()


def _let_go() -> None:
    """After a fork: the processes, and whoever was waiting for one, are the parent's."""
    for child in list(_alive):
        child._process, child._lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)


@atexit.register
def _end_all() -> None:
    for child in list(_alive):
        child.end()


def serve(program: str, memory: int) -> None:
    """What a child runs: read requests from standard input, and answer each with a line, until there are no more.

    If the program's module has a function `settle`, it runs after each answer was sent, while whoever asked goes on.
    """
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what a library prints is no answer

    def say(reply: str) -> None:
        answers.write(f"{reply}\n")
        answers.flush()

    try:
        module, _, name = program.partition(":")
        imported = importlib.import_module(module)
        function: Callable[[Any], Any] = getattr(imported, name)
        settle: Callable[[], None] = getattr(imported, "settle", lambda: None)
        _limit(memory)
    except Exception as error:  # noqa: BLE001
        say(_broken(error))
        return
    say(json.dumps({"answer": None}))
    for line in sys.stdin:
        seconds, request = json.loads(line)
        _alarm(seconds)
        try:
            reply = json.dumps({"answer": function(request)})
        except MemoryError:
            say('{"full": true}')
            return
        except Exception as error:  # noqa: BLE001
            reply = _broken(error)
        say(reply)
        settle()
        _alarm(0)


def _broken(error: Exception) -> str:
    return json.dumps({"broken": f"{type(error).__name__}: {error}"})


def _alarm(seconds: float) -> None:
    """Have the system end this process then, whatever it is doing, should whoever asks be gone; 0 for never."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _limit(memory: int) -> None:
    """Bounds that the system holds, where it has any."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
