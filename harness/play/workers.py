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
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from harness.play.stopping import terminable
from harness.record.store import RunError

__all__ = ("Work", "spread")

Work = Callable[..., bool]
"""`work(report, stopped, *share)`: does a share, calls `report` with what can be pickled, starts nothing more once
`stopped()`; whether it was told to end before it was done."""

_GRACE = 30.0
"""Seconds that workers have to end in order."""

_LOST = "a worker process ended with status {} before its trials did; the same command plays them"


class _Done(NamedTuple):
    """The last word of a worker; `problem` is empty when all went well."""

    problem: str


def spread(work: Work, shares: Sequence[tuple[Any, ...]], heard: Callable[[Any], bool]) -> None:
    """Have each share done by a process of its own, until all are done or one fails.

    `heard` gets each report in order of arrival, and says whether no worker shall start anything more. Raises
    `RunError` when a worker could not do its share or was ended, `Terminated` on SIGTERM; the other workers are
    ended first.
    """
    context = multiprocessing.get_context("spawn")
    workers: dict[Connection, BaseProcess] = {}
    try:
        with terminable():
            for share in shares:
                ours, theirs = context.Pipe()
                workers[ours] = context.Process(target=_begin, args=(theirs, work, share))
                try:
                    workers[ours].start()
                except BrokenPipeError:  # ended already: nobody reads what it shall do
                    raise RunError(_LOST.format("unknown")) from None
                finally:
                    theirs.close()
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
                process = workers[link]
                process.join(_GRACE)
                raise RunError(_LOST.format(process.exitcode)) from None
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


def _begin(link: Connection, work: Work, share: tuple[Any, ...]) -> None:
    """One worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started us, who ends us
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
