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
        "3/10 trials, 0 failed, $0.03, 28 s left",
        "6/10 trials, 1 failed, $0.06, 16 s left",
        "9/10 trials, 1 failed, $0.09, 4 s left",
        "10/10 trials, 2 failed, $0.10",
    ]


def test_the_time_left_counts_only_trials_played_now() -> None:
    stream, clock = io.StringIO(), Clock()
    with Display(stream, clock) as display:
        display(Progress(900, 1000))
        clock.now = 5.0
        display(Progress(901, 1000))
        clock.now = 7200.0
        display(Progress(950, 1000, void=1, cost_usd=None))

    assert stream.getvalue() == "950/1,000 trials, 0 failed, 1 void, cost unknown, 2 h 0 min left\n"


def test_no_time_is_told_before_the_start_of_workers_can_be_told_from_the_time_of_a_trial() -> None:
    stream, clock = io.StringIO(), Clock()
    with Display(stream, clock) as display:
        display(Progress(0, 60))
        for done in range(1, 46):
            clock.now = 10.5 + done / 2
            display(Progress(done, 60))

    assert stream.getvalue().splitlines() == [
        "1/60 trials, 0 failed, $0.00",
        "21/60 trials, 0 failed, $0.00",
        "41/60 trials, 0 failed, $0.00, 14 s left",
    ]


def test_a_terminal_gets_a_live_line() -> None:
    stream = Terminal()
    with Display(stream, Clock()) as display:
        display(Progress(1, 2, failed=1))

    assert "1/2 trials" in stream.getvalue()


def test_of_a_calibration_it_says_how_far_it_is_and_nothing_of_failures_that_are_meant() -> None:
    stream, clock = io.StringIO(), Clock()
    with Display(stream, clock, calibrating=True) as display:
        display(Progress(0, 2340))
        clock.now = 1.0
        display(Progress(1, 2340))
        clock.now = 12.0
        display(Progress(1170, 2340, failed=833))
        clock.now = 90.0
        display(Progress(1200, 2340, failed=833, void=2))

    assert stream.getvalue().splitlines() == [
        "1,170/2,340 trials, 12 s left",
        "1,200/2,340 trials, 2 void, 1 min 26 s left",
    ]


def test_what_a_users_model_costs_is_told_of_a_calibration_too() -> None:
    stream = io.StringIO()
    with Display(stream, Clock(), calibrating=True) as display:
        display(Progress(2, 2, failed=1, cost_usd=0.25))

    assert stream.getvalue() == "2/2 trials, $0.25\n"
