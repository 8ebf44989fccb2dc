"""What the requests say."""

from __future__ import annotations

import re

import pytest

from benchmarks.probe import suite as first
from benchmarks.probe.suite import load
from benchmarks.probe.workplace import suite as poured
from harness.suite import Suite


def counts(request: str) -> str:
    """The paragraph that says when work counts as blocked."""
    return next(each for each in request.split("\n\n") if each.startswith("A piece of work is blocked if"))


def test_what_counts_as_blocked_is_the_same_under_every_prompt() -> None:
    (task,) = load(total=1, controls=0).tasks
    requests = task.sessions[0].requests

    assert counts(requests["one"]) == counts(requests["any"])


def test_a_request_says_whose_work_counts() -> None:
    for task in load(total=3, controls=0).tasks:
        assert f"{task.slots[0].text} or one of their direct reports owes it" in " ".join(
            counts(task.sessions[0].requests["any"]).split()
        )


def test_only_one_prompt_gives_away_that_there_is_a_bottleneck() -> None:
    (task,) = load(total=1, controls=0).tasks
    requests = task.sessions[0].requests

    assert "There is exactly one such bottleneck" in requests["one"]
    assert "exactly one" not in requests["any"]
    assert "If there is none, take no action" in requests["any"]


@pytest.mark.parametrize("suite", [first.load(total=4, controls=1), poured.load(total=2)], ids=["workplace", "inbox"])
def test_a_request_says_what_day_it_is_unless_it_is_of_several(suite: Suite) -> None:
    for task in suite.tasks:
        now = suite.world(task.world).now
        said = [re.findall(r"Today is (.*?)\.", text) for each in task.sessions for text in each.requests.values()]

        assert all(
            each == ([] if task.id.startswith("days-") else [f"{now:%A}, {now.day} {now:%B %Y}"]) for each in said
        )
