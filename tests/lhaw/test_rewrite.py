from __future__ import annotations

from typing import Any

import pytest

from benchmarks.lhaw.rewrite import SEVERITIES, Severity, Unnatural, rewrite
from harness.task import Slot
from tests.lhaw.scenes import DAY, RECIPIENT, REQUEST, TITLE


def slot(kind: str, text: str, **record: Any) -> Slot:
    return Slot(name=kind, kind=kind, text=text, dimension="goal", subdimension="target", **record)


@pytest.mark.parametrize(
    ("severity", "left"),
    [
        ("delete", 'Send a mail with the subject "Budget freeze" on March 20.'),
        ("vagify", 'Send a mail to somebody with the subject "Budget freeze" on March 20.'),
        ("genericize", 'Send a mail to the relevant colleague with the subject "Budget freeze" on March 20.'),
    ],
)
def test_each_severity_leaves_its_own_kind_of_gap(severity: Severity, left: str) -> None:
    assert rewrite(REQUEST, [RECIPIENT], severity) == left


def test_a_quoted_value_goes_with_its_quotation_marks_and_what_governs_it() -> None:
    assert rewrite(REQUEST, [TITLE], "delete") == "Send a mail to Priya on March 20."


def test_two_values_go_one_after_the_other() -> None:
    assert rewrite(REQUEST, [RECIPIENT, DAY], "delete") == 'Send a mail with the subject "Budget freeze".'


@pytest.mark.parametrize(
    ("request_", "gap", "left"),
    [
        ("Book an 80-minute meeting.", slot("duration", "80-minute"), "Book a meeting."),
        ("Draw a histogram of it.", slot("plot_type", "histogram"), "Draw a plot of it."),
        ('Answer it with "Thanks."', slot("body", "Thanks."), "Answer it."),
        ('Call it "Sync", and book a room.', slot("event_name", "Sync"), "Book a room."),
    ],
)
def test_what_is_left_is_a_sound_sentence(request_: str, gap: Slot, left: str) -> None:
    assert rewrite(request_, [gap], "delete") == left


@pytest.mark.parametrize("request_", ["Is Priya in?", "Send it to Priya; Priya waits."])
def test_a_value_that_cannot_go_is_refused(request_: str) -> None:
    with pytest.raises(Unnatural, match="Priya"):
        rewrite(request_, [RECIPIENT], "delete")


def test_a_value_inside_a_longer_word_is_not_the_value() -> None:
    with pytest.raises(Unnatural, match="exactly once"):
        rewrite("Send it to Priyanka.", [RECIPIENT], "vagify")


@pytest.mark.parametrize("severity", SEVERITIES)
def test_what_is_left_does_not_depend_on_the_value(severity: Severity) -> None:
    other = RECIPIENT.model_copy(update={"text": "Aurelio", "value": "aurelio"})

    assert rewrite(REQUEST, [RECIPIENT], severity) == rewrite(REQUEST.replace("Priya", "Aurelio"), [other], severity)


def test_a_kind_without_phrases_is_taken_out_with_its_preposition() -> None:
    assert rewrite("Ship it by sea freight.", [slot("carrier", "sea freight")], "delete") == "Ship it."
    assert rewrite("Ship it by sea freight.", [slot("carrier", "sea freight")], "vagify") == "Ship it by something."
