"""What keys, focus and names reach, and what is seen of what cannot be seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.view.browser.conftest import Open
from tests.view.browser.made import Made, key_of
from tests.view.browser.site import folder

MADE = Made(count=54)
TRIAL = f"t=workday-0.{key_of(0, 1)}"
FOCUSED = "document.activeElement.className || document.activeElement.tagName"


@pytest.mark.parametrize("hash", ["", "p=report", TRIAL])
def test_tab_reaches_the_way_to_the_content_first(view: Open, hash: str) -> None:
    page = view(MADE, hash, width=390)
    page.locator("main table, main .cards, main .panel").first.wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "skip"


def test_a_trial_that_is_opened_by_a_key_has_the_focus_on_its_heading(view: Open) -> None:
    page = view(MADE)
    page.locator("tr.row").first.wait_for()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.locator("h1:focus").wait_for()
    before = page.url
    page.keyboard.press("n")
    page.wait_for_url(lambda url: url != before and "t=" in url)
    page.locator("h1:focus").wait_for()


@pytest.mark.parametrize("key", ["j", "k"])
def test_a_key_leads_to_the_first_event_of_a_stream_that_begins_far_below(view: Open, key: str) -> None:
    class Below(Made):
        """So many changes that no event is drawn."""

        def trial(self, run: int, key: str) -> dict[str, Any]:
            told = super().trial(run, key)
            return {**told, "counts": None, "task": None, "actual": told["actual"] * 60}

    page = view(Below(count=54), TRIAL)
    page.locator(".trial-head").wait_for()
    page.locator(".piece[data-ready='false']").wait_for()
    page.keyboard.press(key)
    page.locator("#e0.is-marked").wait_for()
    assert 0 < page.locator("#e0").bounding_box()["y"] < 200


def test_a_row_that_is_named_0_is_reached_by_tab_and_leads_to_its_trials_and_a_number_0_leads_nowhere(
    view: Open,
) -> None:
    class Numbered(Made):
        """A table of trials by how many actions they take."""

        def report(self, run: int) -> dict[str, Any]:
            table: dict[str, Any] = {
                "title": "Actions", "columns": ["trial", "tasks"], "rows": [{"trial": 0, "tasks": 0}], "notes": [],
                "numeric": [True, True], "folded": False, "plots": [], "links": [{"trial": 0}], "cells": [{}],
            }  # fmt: skip
            return {"trials": self.count, "tables": [table]}

    page = view(Numbered(count=54), "p=report&run=workday-0")
    page.locator("td").wait_for()
    assert page.locator("th[scope=row] a").inner_text() == "0"
    assert page.locator("th[scope=row] a").get_attribute("tabindex") is None
    assert page.locator("td a").count() == 0


def test_filter_groups_and_buttons_of_steps_have_names(view: Open) -> None:
    page = view(MADE)
    page.get_by_role("group", name="Verdict", exact=True).wait_for()
    page = view(Made(count=54, writable=True), TRIAL)
    page.get_by_role("button", name="json of step 0", exact=True).wait_for()
    page.get_by_role("button", name="note on step 0", exact=True).wait_for()


def test_a_line_of_the_model_has_its_buttons_on_a_phone(view: Open) -> None:
    page = view(MADE, TRIAL, width=390)
    page.locator(".is-model_call").first.get_by_role("button", name="json of event").click()
    page.locator(".is-model_call .raw").wait_for()


def test_a_void_trial_does_not_speak_of_its_score(view: Open) -> None:
    class Void(Made):
        def trial(self, run: int, key: str) -> dict[str, Any]:
            told = super().trial(run, key)
            return {**told, "row": {**told["row"], "verdict": "void"}, "counts": None}

    page = view(Void(count=54), TRIAL)
    assert page.locator("#changes small").inner_text().endswith("; a void trial has no score")


def test_the_record_in_a_folder_is_downloaded_under_its_own_name(view: Open, tmp_path: Path) -> None:
    page = view(folder(MADE, tmp_path / "out", trials=2).as_uri(), TRIAL)
    page.get_by_role("link", name="Download the record").wait_for()
    named = page.get_by_role("link", name="Download the record").get_attribute("download")
    assert named == MADE.trial(0, key_of(0, 1))["file"]


def test_a_note_keeps_its_lines_and_says_when_it_was_written_by_the_clock_of_the_reader(view: Open) -> None:
    note = {
        "id": "a0", "author": "ben", "at": "2026-11-22T23:30:00+00:00", "step": None, "kind": "note", "value": "",
        "text": "One line.\nAnd another.",
    }  # fmt: skip
    made = Made(count=54, notes={key_of(0, 1): [note]})
    page = view(made, TRIAL)
    clock = page.context.new_cdp_session(page)
    clock.send("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Kolkata"})
    page.reload()
    assert page.locator(".note-text").inner_text() == "One line.\nAnd another."
    assert "Mon, 23 Nov 2026, 05:00 GMT+5:30" in page.locator(".note-who").inner_text()
    clock.detach()


def test_characters_that_turn_the_direction_of_a_text_are_shown(view: Open) -> None:
    page = view(Made(count=54, texts=["pay \u202etxt.exe to me"]), "q=exe")
    page.locator("tr.row").first.wait_for()
    assert "pay [U+202E]txt.exe" in page.locator("tr.row").first.inner_text()
    page.locator("tr.row .row-link").first.click()
    page.locator(".event").first.wait_for()
    assert "\u202e" not in page.locator("#app").inner_text()


_TURNED = """() => {
    const turns = /[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]/;
    const nodes = document.createTreeWalker(document.querySelector("#app"), NodeFilter.SHOW_TEXT);
    const found = [];
    while (nodes.nextNode()) if (turns.test(nodes.currentNode.data)) found.push(nodes.currentNode.data);
    for (const one of document.querySelectorAll("#app *"))
        for (const name of ["title", "aria-label", "alt", "data-head"])
            if (turns.test(one.getAttribute(name) || "")) found.push(`${name}: ${one.getAttribute(name)}`);
    return found;
}"""


@pytest.mark.parametrize("hash", ["", "c=last_words", "p=report&run=workday-0", "p=compare", "p=questions", TRIAL])
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_that_is_shown_or_read_out_turns_the_direction_of_what_follows(
    view: Open, hash: str, width: int
) -> None:
    class Turning(Made):
        def row(self, run: int, n: int) -> dict[str, Any]:
            row = super().row(run, n)
            return {**row, "last_words": row["task"]}

    page = view(Turning(count=27, texts=["pay \u202etxt.exe to me"]), hash, width=width)
    page.get_by_text("[U+202E]").first.wait_for(state="attached")
    assert page.evaluate(_TURNED) == []


def test_a_number_that_leads_where_its_row_does_is_named_so(view: Open) -> None:
    class Judged(Made):
        """A table of criteria, whose numbers count no trials."""

        def report(self, run: int) -> dict[str, Any]:
            table: dict[str, Any] = {
                "title": "Criteria", "columns": ["agent", "unscored"], "notes": [], "numeric": [False, True],
                "rows": [{"agent": "atlas-small", "unscored": 9}], "folded": False, "plots": [],
                "links": [{"agent": "atlas-small"}], "cells": [{}],
            }  # fmt: skip
            return {"trials": self.count, "tables": [table]}

    page = view(Judged(count=54), "p=report&run=workday-0")
    page.get_by_role("link", name="unscored 9: all trials of the row").wait_for()
