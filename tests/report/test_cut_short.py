"""What is told of replies that were cut short."""

from __future__ import annotations

from collections.abc import Sequence

from harness import report
from harness.cli import stories
from harness.core.config import LlmConfig, RunConfig
from harness.core.trajectory import CutShort
from harness.record.store import TrialRecord
from harness.trajectory import Message
from tests.report.records import IDS, by_title, config, delete, record, suite, task

TASK = task("t", delete(IDS[0]))


def played(*ended: CutShort) -> TrialRecord:
    found = record(TASK, False)
    found.trajectory.events += [Message(session=0, role="assistant", content="", ended=each) for each in ended]
    return found


def of(max_tokens: int | None = None) -> RunConfig:
    agent = LlmConfig(kind="llm", name="m", model="openai/stub", max_tokens=max_tokens)
    return config().model_copy(update={"agents": (agent,)})


def notes(chosen: RunConfig, records: Sequence[TrialRecord]) -> list[str]:
    of_suite = suite([TASK])
    tables = report.tables(chosen, of_suite, report.ordered(records, chosen, of_suite))
    return [note for note in by_title(tables, "Results: effort").notes if "repl" in note]


def test_a_report_counts_replies_that_were_cut_short_and_says_what_helps() -> None:
    assert notes(of(256), [played("length", "length", "empty")]) == [
        "2 replies of m were cut at its limit of tokens: raise `max_tokens`, which is 256",
        "1 reply of m was empty",
    ]
    assert notes(of(), [played("length", "content_filter")]) == [
        "1 reply of m was cut at its limit of tokens: set `max_tokens`, or the provider does",
        "1 reply of m was cut by its provider's filter of content",
    ]


def test_a_report_says_nothing_of_replies_that_came_to_an_ordinary_end() -> None:
    assert notes(of(256), [record(TASK, False)]) == []


def test_replies_of_tries_that_were_given_up_count() -> None:
    found = played("length")
    found.trajectory.tries = [played("length").trajectory]

    assert notes(of(256), [found])[0].startswith("2 replies")


def test_the_story_of_a_trial_tells_of_a_reply_that_was_cut_short() -> None:
    told = stories.of_trial(played("length")).splitlines()

    assert "  this reply of the agent was cut at its limit of tokens" in told
