"""Why a trial failed, by what is known of it: which change is missing, and whether anybody could be asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tests.view.browser.conftest import Open
from tests.view.browser.made import Made, key_of

FAILED = next(n for n in range(27) if Made(count=27).row(0, n)["verdict"] == "failed")


class Lacking(Made):
    """Failed trials in which one change is missing, and nothing like it was made."""

    def trial(self, run: int, key: str) -> dict[str, Any]:
        return super().trial(run, key) | {"near": [], "pairs": [[1, 1]]}


def test_the_head_says_which_expected_change_is_missing(view: Open) -> None:
    page = view(Lacking(count=27), f"t=workday-0.{key_of(0, FAILED)}")
    said = page.locator(".trial-head .why", has_text="Missing:")
    said.wait_for()
    assert "calendar.events" in said.inner_text()
    assert "2026-03-05T11:30:00" in said.inner_text() or "2026-03-05T10:00:00" in said.inner_text()


class Nothing(Made):
    """Failed trials in which the one change is missing that was expected."""

    def trial(self, run: int, key: str) -> dict[str, Any]:
        whole = super().trial(run, key)
        reason = "The one expected change is missing, and nothing else changed."
        return whole | {
            "row": whole["row"] | {"reason": reason}, "expected": whole["expected"][:1], "actual": [], "near": [],
            "pairs": [],
        }  # fmt: skip


def test_where_all_is_missing_this_is_said_once_with_what_it_is(view: Open) -> None:
    page = view(Nothing(count=27), f"t=workday-0.{key_of(0, FAILED)}")
    page.locator(".trial-head .why").first.wait_for()
    (said,) = page.locator(".trial-head .why").all_inner_texts()
    assert said.startswith("The one expected change is missing: calendar.events")
    assert said.endswith(". Nothing else changed.")


@dataclass(frozen=True)
class Flagged(Made):
    """Trials that are flagged although nothing was asked."""

    user: str = ""

    def trial(self, run: int, key: str) -> dict[str, Any]:
        whole = super().trial(run, key)
        reason = "Nothing was asked; if nobody could be asked, the agent is not to blame. Flagged: false_confidence."
        score = whole["scores"][0] | {"check": "flags", "reason": reason, "means": {"false_confidence": "It guessed."}}
        return whole | {"scores": [score], "facts": whole["facts"] | {"user": self.user}}


@pytest.mark.parametrize(
    ("user", "told"), [("", "nobody could be asked, so the agent is not to blame"), ("grounded@2", "there was a user")]
)
def test_flags_say_whether_there_was_a_user_and_are_explained(view: Open, user: str, told: str) -> None:
    page = view(Flagged(count=27, user=user), f"t=workday-0.{key_of(0, FAILED)}")
    score = page.locator(".score")
    score.wait_for()
    assert f"Nothing was asked; {told}" in score.inner_text()
    assert score.locator("abbr", has_text="false_confidence").get_attribute("title") == "It guessed."
