from __future__ import annotations

from datetime import datetime

import pytest

from servers.kernel import Rejected, bounded, moment, required


def test_empty_texts_are_named_all_at_once() -> None:
    with pytest.raises(Rejected, match=r"^title and body must not be empty\.$"):
        required(title="", recipient="ada@x.example", body="")


def test_texts_that_are_all_there_pass() -> None:
    required(title="Hello", body=" ")


def test_a_text_that_is_too_long_is_named_with_what_would_do() -> None:
    bounded(4, title="abcd", body="")

    with pytest.raises(Rejected, match=r"^body has 1,001 characters; it may have 1,000\.$"):
        bounded(1_000, title="abcd", body="x" * 1_001)


@pytest.mark.parametrize("text", ["2025-03-13 09:30:00", "2025-03-13T09:30:00", "2025-03-13 09:30"])
def test_a_moment_may_be_written_in_several_ways(text: str) -> None:
    assert moment(text) == datetime(2025, 3, 13, 9, 30)


def test_a_date_is_its_midnight() -> None:
    assert moment("2025-03-13") == datetime(2025, 3, 13)


@pytest.mark.parametrize("text", ["", "tomorrow", "2025-02-30", "13.03.2025", "2025-03-13 09:30:00+01:00"])
def test_what_is_not_a_time_is_no_moment(text: str) -> None:
    assert moment(text) is None
