"""What is said while a run goes on."""

from __future__ import annotations

import io

from harness.cli.progress import Display
from harness.play.run import Progress


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_plain_lines_come_now_and_then_and_at_the_end() -> None:
    stream, clock = io.StringIO(), Clock()
    with Display(stream, clock) as display:
        for done in range(11):
            clock.now = done * 4.0
            display(Progress(done, 10, failed=done // 5, cost_usd=done / 100))

    assert stream.getvalue().splitlines() == [
        "3/10 trials · 0 failed · 0 void · $0.03 · 0:28 left",
        "6/10 trials · 1 failed · 0 void · $0.06 · 0:16 left",
        "9/10 trials · 1 failed · 0 void · $0.09 · 0:04 left",
        "10/10 trials · 2 failed · 0 void · $0.10",
    ]


def test_the_time_left_counts_only_trials_played_now() -> None:
    stream, clock = io.StringIO(), Clock()
    with Display(stream, clock) as display:
        display(Progress(900, 1000))
        clock.now = 7200.0
        display(Progress(950, 1000, void=1, cost_usd=None))

    assert stream.getvalue() == "950/1000 trials · 0 failed · 1 void · cost unknown · 2:00:00 left\n"


def test_a_terminal_gets_a_live_line() -> None:
    stream = Terminal()
    with Display(stream, Clock()) as display:
        display(Progress(1, 2, failed=1))

    assert "1/2 trials" in stream.getvalue()
