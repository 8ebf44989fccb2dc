"""Judging killed in the middle, and gone on with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event
from typing import Any

import anyio
import pytest
from anyio.from_thread import start_blocking_portal

from harness.record.judgements import judgements
from harness.stub import Fault, Reply, StubServer
from tests.judging.scene import fair, played, settings

ROOT = Path(__file__).parents[2]


class Pausing:
    """A judge that answers so many questions, and then none until it goes on."""

    def __init__(self, answers: int) -> None:
        self.asked, self._answers = 0, answers
        self.paused, self._going_on = Event(), anyio.Event()

    async def __call__(self, request: dict[str, Any]) -> Reply | Fault:
        self.asked += 1
        if self.asked > self._answers and not self._going_on.is_set():
            self.paused.set()
            await self._going_on.wait()
        return fair(request)

    async def go_on(self) -> None:
        self._going_on.set()


def judging(run: Path, its: Path) -> subprocess.Popen[str]:
    arguments = ["judge", str(run), "--model", "openai/fair", "--settings", str(its), "--concurrency", "2", "--json"]
    script = f"from tests.judging.scene import command; raise SystemExit(command(*{arguments!r}))"
    return subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX")
def test_judging_that_was_killed_goes_on_with_what_is_lacking(tmp_path: Path) -> None:
    run, judge = played(tmp_path / "run"), Pausing(answers=5)
    trials = {path.name: path.read_bytes() for path in (run / "trials").iterdir()}
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(StubServer(judge)) as stub:
        its = settings(tmp_path, api_base=stub.base_url)
        with judging(run, its) as killed:
            paused = judge.paused.wait(60)
            os.killpg(killed.pid, signal.SIGKILL)
        assert paused
        kept = {path.name: path.read_bytes() for path in (run / "judgements").glob("*.json")}
        (run / "judgements" / f".{'0' * 40}.json.{killed.pid}").write_text('{"half')
        portal.call(judge.go_on)
        asked = judge.asked
        with judging(run, its) as again:
            out, err = again.communicate(timeout=120)

    assert again.returncode == 0, err
    assert 4 <= len(kept) <= 5  # the last one answered may not have been written
    assert judge.asked - asked == 16 - len(kept)
    assert json.loads(out)["judging"]["before"] == len(kept)
    assert {name: (run / "judgements" / name).read_bytes() for name in kept} == kept
    assert len(judgements(run)) == 16
    assert list((run / "judgements").glob(".*")) == []
    assert {path.name: path.read_bytes() for path in (run / "trials").iterdir()} == trials
