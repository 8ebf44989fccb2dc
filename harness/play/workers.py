"""Work shared out to processes that know when they are alone: no worker outlives whoever started it.

One pipe per worker carries reports one way and the word to start nothing more the other way. Only the two processes
hold its ends, so when one of them ends, however it does, the other reads the end of the pipe.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing import spawn
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

from harness.play.stopping import terminable
from harness.record.files import RunError

__all__ = ("Work", "leave_to_parent", "spread")

Work = Callable[..., bool]
"""`work(report, stopped, *share)`: does a share, calls `report` with what can be pickled, starts nothing more once
`stopped()`; whether it was told to end before it was done."""

_GRACE = 30.0
"""Seconds that workers have to end in order."""

_STARTING = "a worker that reads the program"
"""The name of a worker's process until it is told what to do."""

_READ_AGAIN = 117
"""Status of a worker that ended since the program it read would have started workers of its own."""

_GUARD = (
    "a worker process reads the program that starts it once more, as a module, and it would start workers again: "
    'put that under `if __name__ == "__main__":`'
)


def leave_to_parent() -> None:
    """End this process if it is a worker that only reads the program of whoever started it, which hears why."""
    if multiprocessing.current_process().name == _STARTING:
        os._exit(_READ_AGAIN)


class _Done(NamedTuple):
    """The last word of a worker; `problem` is empty when all went well."""

    problem: str


def spread(work: Work, shares: Sequence[tuple[Any, ...]], heard: Callable[[Any], bool]) -> None:
    """Have each share done by a process of its own, until all are done or one fails.

    `heard` gets each report in order of arrival, and says whether no worker shall start anything more. Raises
    `RunError` when a worker could not do its share or was ended, `Terminated` on SIGTERM; the other workers are
    ended first.
    """
    program = spawn.get_preparation_data(_STARTING).get("init_main_from_path")
    if program and not Path(program).is_file():
        raise RunError(
            f"a worker process reads the program that starts it once more, and there is no file {program}: write the "
            'program into a file, with what starts workers under `if __name__ == "__main__":`, or do without workers'
        )
    context = multiprocessing.get_context("spawn")
    workers: dict[Connection, BaseProcess] = {}
    try:
        with terminable():
            for _ in shares:
                ours, theirs = context.Pipe()
                workers[ours] = context.Process(target=_begin, args=(theirs,), name=_STARTING)
                try:
                    workers[ours].start()
                finally:
                    theirs.close()
            for link, share in zip(workers, shares, strict=True):
                try:
                    link.send((work, share))
                except OSError:
                    raise _lost(workers[link]) from None
            _hear(dict(workers), heard)
    finally:
        _end(workers)


def _hear(workers: dict[Connection, BaseProcess], heard: Callable[[Any], bool]) -> None:
    problem, stopping = "", False
    while workers:
        for link in wait(list(workers)):
            assert isinstance(link, Connection)
            try:
                said = link.recv()
            except (EOFError, OSError):
                raise _lost(workers[link]) from None
            if isinstance(said, _Done):
                del workers[link]
                problem = problem or said.problem
                last = bool(problem)  # what others have begun they may finish
            else:
                last = heard(said)
            if last and not stopping:
                stopping = True
                for each in workers:
                    _tell(each)
    if problem:
        raise RunError(problem)


def _lost(worker: BaseProcess) -> RunError:
    worker.join(_GRACE)
    if worker.exitcode == _READ_AGAIN:
        return RunError(_GUARD)
    return RunError(
        f"a worker process ended with status {worker.exitcode} before its work was done; give the same command again"
    )


def _tell(worker: Connection) -> None:
    try:
        worker.send(None)
    except OSError:
        return  # it has ended; reading from it says so


def _end(workers: dict[Connection, BaseProcess]) -> None:
    """End those that still run, in order if they manage."""
    started = [process for process in workers.values() if process.pid is not None]
    for process in started:
        process.terminate()
    deadline = time.monotonic() + _GRACE
    for process in started:
        process.join(max(deadline - time.monotonic(), 0))
        if process.is_alive():
            process.kill()
            process.join()
    for link in workers:
        link.close()


def _begin(link: Connection) -> None:
    """One worker process, which is told what to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started us, who ends us
    multiprocessing.current_process().name = "a worker"
    try:
        work, share = link.recv()
    except (EOFError, OSError):
        return  # nobody is there any more to say so
    stopped = threading.Event()
    threading.Thread(target=_listen, args=(link, stopped), daemon=True).start()
    problem = ""
    try:
        if work(link.send, stopped.is_set, *share):
            return
    except Exception as error:  # noqa: BLE001 - the parent reports it; here there is nobody to read a traceback
        problem = f"a worker process failed: {type(error).__name__}: {error}"
    link.send(_Done(problem))


def _listen(link: Connection, stopped: threading.Event) -> None:
    """Hear when to stop; end at once, whatever goes on, when nobody is there to say so any more."""
    while True:
        try:
            link.recv()
        except (EOFError, OSError):
            os._exit(1)
        stopped.set()
