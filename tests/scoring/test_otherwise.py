"""What was made with another value than expected, in words."""

from __future__ import annotations

from typing import Any

from harness.core.suite import Told
from harness.scoring.matching import match
from harness.scoring.otherwise import otherwise
from harness.task import Compare, Expected
from servers.kernel import Change
from tests.scoring.scenes import added, changed, dropped, end, removed, want_change, want_new

EXACT = Compare()
OPEN: dict[str, Any] = {"status": "Open", "who": "Noor"}


def said(changes: list[Change], *wishes: Expected) -> list[str]:
    return otherwise(match(changes, end(*wishes), EXACT), EXACT)


def facts(*those: str) -> Any:
    """A suite's `told`: an expected text that begins with "says" wants all of these words."""

    def told(wanted: Any, text: Any) -> Told | None:
        if not str(wanted).startswith("says"):
            return None
        there = [(fact, fact in str(text).split()) for fact in those]
        return Told(there, all(found for _, found in there) and "swapped" not in str(text))

    return told


def test_the_same_difference_in_several_rows_is_told_once() -> None:
    changes = [changed("leads", n, OPEN, status="Lost") for n in "12"]
    assert said(changes, *(want_change("leads", n, status="Won") for n in "12")) == ["status Lost instead of Won"]


def test_a_new_row_is_held_against_the_one_most_like_it() -> None:
    changes = [added("events", "1", title="Lunch", minutes=60), added("events", "2", title="Review", minutes=60)]
    assert said(changes, want_new("events", title="Review", minutes=30)) == ["minutes 60 instead of 30"]


def test_values_of_several_words_are_quoted_and_long_ones_cut() -> None:
    made = added("mails", "1", body=f"{'y' * 50}", subject="Bye", to="noor@example.com")
    assert said([made], want_new("mails", body=f"Line one\n{'x' * 40}", subject="Hi there")) == [
        f'body {"y" * 39}… instead of "Line one {"x" * 30}…"',
        'subject Bye instead of "Hi there"',
        "to noor@example.com instead of nothing",
    ]


def test_long_values_that_begin_alike_are_shown_where_they_part() -> None:
    wanted = "The minutes of the board in March"

    assert said([added("mails", "1", body=f"{wanted} (draft)")], want_new("mails", body=wanted)) == [
        'body "…board in March (draft)" instead of "…board in March"'
    ]
    address = "samira.haddad.of.accounts@acme.example"
    assert said([added("mails", "1", to=f"{address} (draft)")], want_new("mails", to=address)) == [
        'to "…nts@acme.example (draft)" instead of …nts@acme.example'
    ]


def test_values_that_differ_in_kind_alone_are_told_so() -> None:
    assert said([added("mails", "1", body="41")], want_new("mails", body=41)) == ["body is another"]


def test_what_is_missing_or_unexpected_alone_is_no_difference_of_values() -> None:
    won = want_change("leads", "1", status="Won")
    assert said([], won) == []
    assert said([changed("leads", "2", OPEN, status="Lost")], won) == []
    assert said([changed("leads", "1", OPEN, status="Lost")], dropped("leads", "1")) == []
    assert said([removed("leads", "1", **OPEN)], won) == []


def test_of_a_text_that_has_to_say_some_facts_those_that_it_lacks_are_named() -> None:
    wish = want_new("mails", body="says", to="noor")
    for text, words in (("a b", "body lacks c d, d, e and 1 more"), ("swapped a b", None)):
        found = match([added("mails", "1", body=text, to="noor")], end(wish), EXACT)
        told = facts("a", "b", "c d", "d", "e", "f") if words else facts("a", "b")
        expected = words or "body has values beside the wrong names"
        assert otherwise(found, EXACT, {}, told) == [expected.replace("c d", '"c d"')]


def test_a_text_that_says_enough_is_no_difference_beside_another_value() -> None:
    found = match([added("mails", "1", body="b a", to="li")], end(want_new("mails", body="says", to="noor")), EXACT)
    assert otherwise(found, EXACT, {}, facts("a", "b")) == ["to li instead of noor"]
