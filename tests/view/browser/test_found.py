"""Words of a search in the page: excerpts in the list, marks in a trial, and the way from hit to hit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.view.search import Place, hits, wanted
from tests.view.browser.conftest import Open
from tests.view.browser.made import PIECE, Made, key_of
from tests.view.browser.payloads import PAYLOADS
from tests.view.browser.site import folder

MADE = Made(count=270)


class Long(Made):
    """A trial whose first result is cut, and which says a word in what is cut and far below."""

    def events(self, run: int, n: int) -> list[dict[str, Any]]:
        events = [dict(event) for event in super().events(run, n)]
        events[3]["text"] = {"cut": True, "chars": 30_000, "start": "Nothing of it here."}
        events[-1]["text"] = "x " * 2_000 + "and a turnip"
        return events

    def places(self, run: int, n: int) -> Any:
        whole = super().places(run, n)
        return [*whole, type(whole[0])(0, 3, "text", "far in what is cut a turnip grows")]


LONG = Long(count=27, long=600)


def _status(page: Any) -> str:
    return " ".join(page.locator(".hit-status").inner_text().split())


def test_the_list_shows_of_each_trial_where_the_words_stand(view: Open) -> None:
    page = view(MADE, 'text="lena fischer"')
    page.locator("tr.row mark").first.wait_for()
    rows = page.locator("tr.row")
    assert page.locator("th", has_text="Found").count() == 1
    assert [mark.inner_text() for mark in page.locator("tr.row mark").all()[:3]] == ["Lena Fischer"] * 3
    assert page.locator("tr.row:has(mark)").count() == rows.count()


class Apart(Made):
    """Trials with two words of a search far apart in one text, behind other words."""

    def events(self, run: int, n: int) -> list[dict[str, Any]]:
        events = [dict(event) for event in super().events(run, n)]
        events[3]["arguments"] = {"body": f"Of all that is grown here the turnip {'is the best, and ' * 5}the parsnip."}
        return events


def test_the_found_words_stand_first_and_all_of_them_in_sight_with_their_place_below(view: Open) -> None:
    page = view(Apart(count=27), "text=turnip parsnip")
    cell = page.locator("tr.row td:has(> .excerpt)").first
    cell.locator("mark").first.wait_for()
    assert cell.inner_text().splitlines()[-1].strip() == "argument: body"
    right = cell.bounding_box()["x"] + cell.bounding_box()["width"]
    marks = [mark for mark in cell.locator("mark").all() if mark.is_visible()]
    assert [mark.inner_text() for mark in marks] == ["turnip", "parsnip"]
    ends = [mark.bounding_box()["x"] + mark.bounding_box()["width"] for mark in marks]
    assert max(ends) <= right, (ends, cell.bounding_box(), cell.inner_text())


def test_who_points_at_found_words_sees_all_of_the_excerpt(view: Open) -> None:
    page = view(Apart(count=27), "text=turnip parsnip")
    cell = page.locator("tr.row td:has(> .excerpt)").first
    assert "is the best, and is the best" not in cell.inner_text()
    cell.hover()
    cell.locator(".is-whole").wait_for()
    assert "is the best, and is the best" in cell.inner_text()


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("task.expected.0.3.values.body", "expected change: body"),
        ("task.expected.0.3.before.to.0", "expected change: to before"),
        ("task.expected.0.3.row", "expected change"),
        ("task.prompts.original", "original request"),
        ("arguments.to.0", "argument: to"),
        ("changes.4.before.subject", "change: subject before"),
        ("response.choices.0.message", "answer of the model: choices \u203a message"),
        ("text", ""),
        ("constructor.0", "constructor"),
    ],
)
def test_places_are_named_in_a_few_words(view: Open, path: str, name: str) -> None:
    assert view(MADE).evaluate("path => fieldName(path)", path) == name


def test_a_trial_opened_from_a_search_marks_the_words_and_walks_from_hit_to_hit_by_keys(view: Open) -> None:
    page = view(MADE, "text=thursday")
    page.locator("tr.row .row-link").first.click()
    page.locator(".event mark").first.wait_for()
    key = page.url.split("t=workday-0.")[1][:16]
    hits = MADE.hits(0, key, "thursday")["hits"]
    assert _status(page) == f"{len(hits)} places"
    page.keyboard.press(".")
    page.locator(f"#e{hits[0]['at']}.is-marked").wait_for()
    assert _status(page).startswith(f"1 of {len(hits)}, event {hits[0]['at']} ")
    page.keyboard.press(".")
    page.locator(f"#e{hits[1]['at']}.is-marked").wait_for()
    assert page.locator(f"#e{hits[1]['at']}").evaluate("at => at === document.activeElement")
    page.keyboard.press(",")
    page.keyboard.press(",")
    page.locator(f"#e{hits[-1]['at']}.is-marked").wait_for()
    assert _status(page).startswith(f"{len(hits)} of {len(hits)}")


def test_buttons_walk_too_and_their_place_survives_a_reload(view: Open) -> None:
    page = view(MADE, f"t=workday-0.{key_of(0, 1)}&text=review")
    page.get_by_role("button", name="Next hit").click()
    marked = page.locator(".event.is-marked")
    marked.wait_for()
    at = marked.get_attribute("id")
    assert MADE.trial(0, key_of(0, 1))["steps"][0] == int(str(at).removeprefix("e"))
    assert ", step 0 " in _status(page)
    assert page.locator(".hit-status").get_attribute("aria-live") == "polite"
    page.reload()
    page.locator(f"#{at}.is-marked mark").first.wait_for()
    page.get_by_role("link", name="Stop marking").click()
    page.locator("mark").first.wait_for(state="detached")


def test_a_hit_in_what_is_cut_or_far_below_is_reached_and_shown(view: Open) -> None:
    page = view(LONG, f"t=workday-0.{key_of(0, 0)}&text=turnip")
    page.get_by_text("2 places").wait_for()
    page.keyboard.press(".")
    page.locator("#e3 .hidden-hits mark").wait_for()
    page.keyboard.press(".")
    last = page.locator(f"#e{len(LONG.events(0, 0)) - 1}.is-marked")
    last.locator(".text mark").wait_for()
    assert len(LONG.events(0, 0)) > 2 * PIECE


def test_folds_that_hold_a_word_are_open_and_others_are_not(view: Open) -> None:
    n = next(n for n in range(1, MADE.count) if MADE.row(0, n)["questions"])
    page = view(MADE, f"t=workday-0.{key_of(0, n)}&text=segment-2")
    page.locator(".event mark").first.wait_for()
    assert page.locator("details.fold[open]").count() == 0
    page = view(MADE, f"t=workday-0.{key_of(0, n)}&text=wednesday")
    page.locator("details.fold[open] mark").first.wait_for()
    assert page.locator("details.fold:not([open])").count() > 0


def test_a_hit_in_an_earlier_try_leads_there(view: Open) -> None:
    n = next(n for n in range(MADE.count) if "tries" in MADE.row(0, n)["flags"])
    page = view(MADE, f"t=workday-0.{key_of(0, n)}&text=turnip")
    page.get_by_text("1 place").wait_for()
    page.keyboard.press(".")
    page.get_by_text("Earlier try 1 of 1.").wait_for()
    page.locator("#e3.is-marked mark").wait_for()
    assert "earlier try 1" in _status(page)


def test_a_folder_finds_and_marks_as_a_server_does(view: Open, tmp_path: Path) -> None:
    index = folder(LONG, tmp_path / "out", 2, pieces=True)
    page = view(index.as_uri(), "text=turnip")
    page.locator("tr.row mark").first.wait_for()
    assert int(page.locator(".totals dd").first.inner_text().split()[0]) == len(LONG.search(0, "turnip")["keys"])
    page.goto(f"{index.as_uri()}#t=workday-0.{key_of(0, 0)}&text=turnip")
    page.get_by_text("2 places").wait_for()
    page.keyboard.press(".")
    page.locator("#e3 .hidden-hits mark").wait_for()


@pytest.mark.parametrize("words", ["script", "onerror", "<img", "(.*)+[", "\\"])
def test_marks_are_text_whatever_a_record_or_a_search_says(view: Open, words: str) -> None:
    made = Made(count=27, texts=PAYLOADS)
    page = view(made, f"text={words}")
    page.get_by_text("of 27 hold").wait_for()
    page.goto(f"{page.url.split('#')[0]}#t=workday-0.{key_of(0, 1)}&text={words}")
    page.locator(".hit-status").wait_for()
    assert page.evaluate("window.ran") is None
    assert page.locator("mark *").count() == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Die Straße, groß und STRASSE.", "strasse"),
        ("Die Straße, groß und STRASSE.", "stras"),
        ("Die Straße", "ß"),
        ("GROẞ und groß", "gross"),
        ("İstanbul, \u0131s\u0131, Istanbul", "istanbul"),
        ("İstanbul", "i"),
        ("ﬁne and fine", "fine"),
        ("ΟΔΟΣ οδος οδοσ", "οδος"),
        ("cafe\u0301 and café", "café"),
        ("😀 ß 😀 x", "x"),
        ("שלום עולם", "עולם"),
        ("a(b[c\\d", "(b["),
        ("ss ß s", "s ss"),
    ],
)
def test_the_page_marks_what_the_server_finds(view: Open, text: str, words: str) -> None:
    page = view(MADE)
    place = Place(0, 0, "text", text)
    found = page.evaluate("([all, words]) => hitsOf(all, searched(words), marksOf(words))", [[list(place)], words])
    assert found == hits(wanted(words), [place])


@pytest.mark.parametrize(("words", "told"), [('""', "There is no word to search for."), ("a" * 501, "has 501.")])
def test_a_search_that_cannot_be_made_is_told_and_finds_nothing(view: Open, words: str, told: str) -> None:
    page = view(MADE, f"text={words}")
    page.locator(".failure", has_text=told).wait_for()
    assert page.locator("th", has_text="Found").count() == 0


def test_what_is_found_is_counted_from_where_one_jumped_to(view: Open) -> None:
    page = view(MADE, f"t=workday-0.{key_of(0, 1)}&text=review")
    page.get_by_role("button", name="Next hit").click()
    page.locator(".event.is-marked").wait_for()
    assert _status(page).startswith("1 of ")
    page.locator(".outline a").first.click()
    page.locator("#e0.is-marked").wait_for()
    assert "of" not in _status(page).split()
    page.keyboard.press(".")
    page.locator(".event.is-marked:not(#e0)").wait_for()
    assert _status(page).startswith("1 of ")
