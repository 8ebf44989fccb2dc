"""The page on paper: all that a screen scrolls or folds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from harness.core.suite import Table
from harness.report.page import Part
from harness.report.page import page as written
from tests.view.browser.conftest import Open, until
from tests.view.browser.made import Made, key_of

PAPER = 718
"""Pixels across a sheet of A4 within its margins."""

_COUNTED = """(selector) => {
    addEventListener("beforeprint", () => queueMicrotask(() => queueMicrotask(() => {
        window.printed = document.querySelectorAll(selector).length;
    })));
}"""

_FITS = """(paper) => document.documentElement.scrollWidth <= paper && [...document.querySelectorAll(".rows, .scroll")]
    .every((one) => one.scrollWidth <= one.clientWidth + 1)"""


def printed(page: Any, selector: str) -> int:
    """How many such elements there are while the page is printed."""
    page.evaluate(_COUNTED, selector)
    page.pdf(format="A4")
    return int(page.evaluate("window.printed"))


def on_paper(page: Any) -> None:
    """Show the page as it is printed."""
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPER, "height": 1000})


@pytest.fixture(autouse=True)
def screen(view: Open) -> Any:
    """A page is used by several tests."""
    shown: list[Any] = []
    yield shown
    for page in shown:
        page.emulate_media(media="screen")


def test_the_whole_list_is_printed(view: Open) -> None:
    page = view(Made(count=96))
    page.locator("tr.row").first.wait_for()
    assert page.locator("tr.row").count() < 96
    assert printed(page, "tr.row") == 96
    page.locator("tr.row").nth(50).wait_for(state="detached")


def test_of_a_longer_list_what_is_printed_says_of_how_many_trials_it_is(view: Open, screen: list[Any]) -> None:
    page = view(Made(count=2_100))
    page.locator("tr.row").first.wait_for()
    assert not page.get_by_text("The first 2,000 of 2,100 trials.").is_visible()
    assert printed(page, "tr.row") == 2_000
    screen.append(page)
    page.emulate_media(media="print")
    page.get_by_text("The first 2,000 of 2,100 trials.").wait_for()


@pytest.mark.parametrize("hash", ["", "p=report", "p=questions", f"t=workday-0.{key_of(0, 1)}"])
def test_nothing_lies_beyond_the_edge_of_the_paper(view: Open, screen: list[Any], hash: str) -> None:
    page = view(Made(count=54, texts=["a_name_without_any_blank_that_would_let_it_break" * 2]), hash)
    page.locator("main table, main .panel").first.wait_for()
    screen.append(page)
    on_paper(page)
    until(page, _FITS, PAPER)


def test_folded_tables_are_printed_open_and_folded_again(view: Open) -> None:
    page = view(Made(count=54), "p=report")
    page.locator("details").first.wait_for()
    assert page.locator("details table").count() == 0
    assert printed(page, "details[open] table") == 1
    page.locator("details table").wait_for(state="detached")


def _report() -> str:
    """A report of one file with a table that is folded."""
    columns = [f"a_column_of_some_length_{n}" for n in range(16)]
    rows = [dict.fromkeys(columns, f"a_value_of_some_length_{n}") for n in range(30)]
    return written("Toy", [Part("Toy", {}, [Table("Trials", columns, rows)])])


def test_a_report_of_one_file_is_printed_with_its_folded_tables_within_the_paper(
    view: Open, screen: list[Any], tmp_path: Path
) -> None:
    (tmp_path / "report.html").write_text(_report())
    page = view((tmp_path / "report.html").as_uri())
    assert not page.get_by_role("cell", name="a_value_of_some_length_29").first.is_visible()
    screen.append(page)
    on_paper(page)
    page.get_by_text("a_value_of_some_length_29").first.wait_for()
    until(page, _FITS, PAPER)
    assert not page.locator("summary").is_visible()


def test_a_browser_that_cannot_open_folded_tables_on_paper_prints_how_many_rows_they_have(
    view: Open, screen: list[Any], tmp_path: Path
) -> None:
    (tmp_path / "report.html").write_text(_report().replace("::details-content", "::none-of-that-name"))
    page = view((tmp_path / "report.html").as_uri())
    screen.append(page)
    on_paper(page)
    assert page.locator("summary").inner_text() == "30 rows"
    assert page.locator("summary").is_visible()


class Requested(Made):
    """Trials of which the index has the requests."""

    def index(self, run: int, after: int = 0) -> dict[str, Any]:
        index = super().index(run, after)
        asked = dict.fromkeys(index["columns"]["prompt"], "Please move the meeting with Priya to Thursday.")
        return {**index, "requests": dict.fromkeys(index["columns"]["task"], asked)}


def test_in_a_printed_list_verdicts_stay_whole_and_requests_are_as_small_as_the_rest(
    view: Open, screen: list[Any]
) -> None:
    page = view(Requested(count=54), "f.verdict=failed")
    page.locator("tr.row").first.wait_for()
    screen.append(page)
    on_paper(page)
    size = "at => getComputedStyle(at).fontSize"
    assert page.locator(".list .verdict").first.evaluate("at => getComputedStyle(at).whiteSpace") == "nowrap"
    assert page.locator(".request-line").first.evaluate(size) == page.locator("table.list").evaluate(size)
    until(page, _FITS, PAPER)


def test_of_a_text_that_is_folded_the_paper_says_how_much_of_it_is_there(view: Open, screen: list[Any]) -> None:
    page = view(Made(count=27, texts=["word " * 600]), f"t=workday-0.{key_of(0, 1)}")
    more = page.get_by_role("button", name="characters").first
    more.wait_for()
    part = page.locator(".text .printed-only").first
    assert not part.is_visible()
    screen.append(page)
    on_paper(page)
    assert re.fullmatch(r"\(the first [\d,]+ of 3,\d\d\d characters\)", part.inner_text().strip())
