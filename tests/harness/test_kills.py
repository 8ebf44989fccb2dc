"""A run that is killed at any moment leaves nothing behind and goes on; one that is told to stop does so."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import anyio
import psutil
import pytest

from harness.core.desk import AgentFailed, Desk
from harness.isolation import guardian
from harness.play.run import evaluate
from harness.play.stopping import Terminated
from harness.record.store import Run
from tests import kills
from tests.harness import toy
from tests.sampling import sampled

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="no signals to send to another process"),
]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> kills.Digests:
    return kills.digests(kills.play(tmp_path_factory.mktemp("unbroken")))


def _named(planned: tuple[kills.Cell, kills.Moment]) -> str:
    (target, concurrency, workers), (trials, amid) = planned
    return f"{target}-{concurrency}-{workers}-at-{trials}{'-amid' if amid else ''}"


@pytest.mark.parametrize("planned", sampled(kills.plan(12, seed=7), 6), ids=_named)
def test_a_killed_run_leaves_nothing_and_goes_on_to_every_trial_once(
    planned: tuple[kills.Cell, kills.Moment], unbroken: kills.Digests, tmp_path: Path
) -> None:
    """Half of twelve: every target, one worker and two; `python -m tests.kills` kills more."""
    found = kills.kill(*planned, tmp_path, unbroken)

    assert found.hit or not planned[1].amid
    assert found.harmless, found


SCRIPT = """
import os, signal, sys
from pathlib import Path
from harness.play.run import evaluate
from harness.play.stopping import Terminated
from tests.harness import toy
if sys.argv[3] == "ignored":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
def stop(progress):
    if progress.done == 3:
        os.kill(os.getpid(), getattr(signal, sys.argv[2]))
try:
    evaluate(toy.config(trials=10), toy.suite(), toy.Wiring(), Path(sys.argv[1]), listener=stop,
             workers=int(sys.argv[4]), wiring_factory="tests.harness.toy:wiring")
except Terminated:
    sys.exit(143)
"""


def told(run: Path, signal_name: str, interrupt: str, workers: int) -> int:
    """The exit status of a run that gets a signal after three trials, with SIGINT as it is or ignored."""
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, str(run), signal_name, interrupt, str(workers)],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=240, check=False,
    ).returncode  # fmt: skip


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("interrupt", ["heard", "ignored"])
def test_a_run_that_is_terminated_ends_in_order_also_where_ctrl_c_is_ignored(
    tmp_path: Path, interrupt: str, workers: int
) -> None:
    assert told(tmp_path / "run", "SIGTERM", interrupt, workers) == 143
    assert 3 <= len(list(Run.open(tmp_path / "run").records())) < 120
    assert not list((tmp_path / "run").rglob(".*"))


@pytest.mark.parametrize("met", [ConnectionError("closed"), AgentFailed("closed"), None])
def test_a_trial_that_is_told_to_stop_leaves_no_record_whatever_it_meets_first(
    tmp_path: Path, met: Exception | None
) -> None:
    class Told:
        async def turn(self, desk: Desk, message: str) -> str:
            os.kill(os.getpid(), signal.SIGTERM)
            with suppress(asyncio.CancelledError):
                await anyio.sleep_forever()
            if met:
                raise met
            return "Done."

    wiring = toy.Wiring(make=lambda task: Told())
    with pytest.raises(Terminated):
        evaluate(toy.config(), toy.suite(), wiring, tmp_path / "run", concurrency=1)

    assert not list(Run.open(tmp_path / "run").records())


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_stays_ignored_where_it_is(tmp_path: Path, workers: int) -> None:
    assert told(tmp_path / "run", "SIGINT", "ignored", workers) == 0
    assert len(list(Run.open(tmp_path / "run").records())) == 120


LOSING = """
import os, signal, sys
from pathlib import Path
import psutil
from harness.play.run import evaluate
from tests.harness import toy
def stop(progress):
    if progress.done == 3:
        workers = [each for each in psutil.Process().children() if any("spawn_main" in part for part in each.cmdline())]
        workers[0].send_signal(getattr(signal, sys.argv[2]))
evaluate(toy.config(trials=10), toy.suite(), toy.Wiring(), Path(sys.argv[1]), listener=stop,
         workers=2, wiring_factory="tests.harness.toy:wiring")
"""


@pytest.mark.parametrize(("name", "status"), [("SIGKILL", -9), ("SIGTERM", 0)])
def test_a_run_that_loses_a_worker_ends_and_says_so(tmp_path: Path, name: str, status: int) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LOSING, str(tmp_path / "run"), name], cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True, timeout=120, check=False,
    )  # fmt: skip

    assert f"RunError: a worker process ended with status {status} before its work was done; give" in ended.stderr
    assert len(list(Run.open(tmp_path / "run").records())) < 120


def test_what_a_killed_process_had_begun_to_write_is_swept_and_nobody_elses(tmp_path: Path) -> None:
    run = toy_run(tmp_path / "run")
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    living, reused = (run / "trials" / f".{name}.json.{os.getppid()}" for name in "ab")
    theirs = [run / "trials" / f".a.json.{ended.pid}", run / f".run.json.{ended.pid}", run / f".key.txt.{ended.pid}"]
    for scratch in (*theirs, living, reused, run / ".keep"):
        scratch.write_text("{", encoding="utf-8")
    os.utime(reused, (1, 1))  # written long before the process that has this id now
    toy_run(run)

    assert sorted(path.name for path in run.rglob(".*")) == sorted([living.name, ".keep"])


def test_what_a_killed_process_had_begun_to_write_is_swept_before_its_parent_has_asked_for_it(tmp_path: Path) -> None:
    run = toy_run(tmp_path / "run")
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as ended:
        assert ended.stdout
        while psutil.Process(ended.pid).status() != psutil.STATUS_ZOMBIE:  # its pipe ends a moment before
            ended.stdout.read()
        scratch = run / "trials" / f".a.json.{ended.pid}"
        scratch.write_text("{", encoding="utf-8")
        toy_run(run)

    assert not scratch.exists()


def toy_run(folder: Path) -> Path:
    return evaluate(toy.config(tasks=("toy-0",)), toy.suite(), toy.Wiring(), folder).folder


def test_what_is_left_of_a_dead_harness_and_its_guardian_is_removed_at_the_next_start(
    tmp_path: Path, unbroken: kills.Digests
) -> None:
    """As after a power cut, save that a program is still there; what the living have is left alone."""
    temporary = tmp_path / "tmp"
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    gone = temporary / f"agent-{ended.pid}-{guardian.mark().partition('-')[2]}-gone"
    ours = temporary / f"agent-{guardian.mark()}-ours"
    elsewhere = temporary / "agent-1-1-1-elsewhere"
    for folder in (gone, ours, elsewhere):
        (folder / "home").mkdir(parents=True)
    with subprocess.Popen(["sleep", "300"], env={"HOME": str(gone / "home"), "PATH": os.environ["PATH"]}) as left:
        (tmp_path / "place").mkdir()
        script = f"from pathlib import Path; from tests.kills import play; play(Path({str(tmp_path / 'place')!r}))"
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
        subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=environment, check=True, timeout=120)
        assert left.wait(10) == -signal.SIGKILL

    assert sorted(temporary.iterdir()) == sorted([ours, elsewhere])
