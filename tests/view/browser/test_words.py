"""What is read: requests beside ids, reasons and last words, signs explained, and two trials from their top."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle, pairwise
from typing import Any

from harness.report.texts import rounded
from tests.view.browser.conftest import Open
from tests.view.browser.made import Made, key_of

REASON = "the invitation is at 10:00 and not at 11:30, " * 6 + "and nobody was told"


@dataclass(frozen=True)
class Worded(Made):
    """Trials of which the index has the requests, long reasons, and what agents said last."""

    def row(self, run: int, n: int) -> dict[str, Any]:
        row = super().row(run, n)
        said = "" if n % 3 == 2 else f"All done for number {n}."
        ended = {"status": "limit"} if "limit" in row["flags"] and row["status"] == "finished" else {}
        return {**row, **ended, "last_words": said, "reason": row["reason"] and REASON}

    def index(self, run: int, after: int = 0) -> dict[str, Any]:
        index = super().index(run, after)
        columns = index["columns"]
        requests: dict[str, dict[str, str]] = {}
        for task, prompt in zip(columns["task"], columns["prompt"], strict=True):
            requests.setdefault(task, {})[prompt] = f"Please move the {prompt} meeting of {task.split('-')[1]}"
        return {**index, "requests": requests}

    def report(self, run: int) -> dict[str, Any]:
        flags: dict[str, Any] = {
            "title": "Failure flags", "columns": ["flag", "trials"], "notes": [], "folded": False, "plots": [],
            "rows": [{"flag": "redundant_questions", "trials": 2}], "numeric": [False, True], "links": [None],
            "cells": [{}], "means": {"redundant_questions": "Asked the same more than once."},
        }  # fmt: skip
        return {"tables": [*super().report(run)["tables"], flags]}

    def questions(self, run: int) -> Any:
        more = ("told_again", "asked_twice", "not_understood")
        for each in super().questions(run):
            signs = [{"kind": kind, "about": []} for kind in more] if each["doubts"] else []
            yield {**each, "doubts": signs}


MADE = Worded(count=270)
ROWS = [MADE.row(0, n) for n in range(MADE.count)]
FAILED = next(n for n, row in enumerate(ROWS) if row["reason"])


def test_the_first_words_of_the_request_stand_below_the_id_of_its_task(view: Open) -> None:
    page = view(MADE)
    row = page.locator("tr.row").first
    row.wait_for()
    assert row.locator(".row-link").inner_text() == ROWS[0]["task"]
    assert row.locator(".request-line").inner_text() == "Please move the original meeting of 0000"
    page = view(MADE, "c=request")
    page.locator("th", has_text="Request, in words").wait_for()
    assert page.locator(".request-line").count() == 0


def test_tasks_are_named_by_their_request_in_comparisons_and_questions_too(view: Open) -> None:
    page = view(MADE, "p=compare")
    page.locator("section[aria-labelledby=pairs-title] summary").first.click()
    line = page.locator("details[open] .shifts li").first
    assert line.locator(".request-line").inner_text().startswith("Please move the ")
    page = view(MADE, "p=questions")
    page.locator(".questions .request-line").first.wait_for()
    page.get_by_placeholder("question, answer, task").fill("meeting of 0003")
    page.get_by_text("questions of").wait_for()
    tasks = {text.split("\n")[1] for text in page.locator(".questions td:last-child").all_inner_texts()}
    assert tasks == {row["task"] for row in ROWS if row["task"].startswith("office-0003")}


def test_a_reason_that_is_cut_is_whole_where_one_points_or_goes_by_keys(view: Open) -> None:
    page = view(MADE, "f.verdict=failed&c=reason")
    cell = page.locator("tr.row .why-cell").nth(1)
    cell.wait_for()
    cut = "at => at.scrollHeight > at.clientHeight + 2"
    assert cell.evaluate(cut)
    cell.hover()
    assert not cell.evaluate(cut)
    page.mouse.move(5, 5)
    assert cell.evaluate(cut)
    page.locator("tr.row .row-link").nth(1).focus()
    assert not cell.evaluate(cut)
    assert cell.inner_text().endswith("nobody was told")


def test_rows_stay_as_high_as_they_are_while_a_reason_is_read(view: Open) -> None:
    page = view(MADE, "f.verdict=failed&c=reason")
    page.locator("tr.row").nth(4).wait_for()
    tops = "() => [...document.querySelectorAll('tr.row')].map((row) => row.getBoundingClientRect().top)"
    before = page.evaluate(tops)
    assert {round(b - a) for a, b in pairwise(before)} == {46}
    page.locator("tr.row .why-cell").nth(1).hover()
    assert page.evaluate(tops) == before


def test_a_card_shows_the_request_and_two_lines_of_the_reason(view: Open) -> None:
    page = view(MADE, "f.verdict=failed", width=390)
    card = page.locator(".card").first
    card.wait_for()
    assert card.locator(".request-line").inner_text().startswith("Please move the ")
    assert 36 < card.locator(".card-why").bounding_box()["height"] < 46
    assert card.locator(".card-why").bounding_box()["y"] + 36 < card.bounding_box()["y"] + card.bounding_box()["height"]


class Lacking(Made):
    """Failed trials that lack one change, told by the row before the value."""

    def row(self, run: int, n: int) -> dict[str, Any]:
        row = super().row(run, n)
        mistake = 'missing: crm.customers 7: status="Won"' if row["verdict"] == "failed" else ""
        return row | {"mistake": mistake}


def test_the_value_that_is_missing_is_said_before_its_row_in_the_list_and_on_a_card(view: Open) -> None:
    for width, place in ((1280, "tr.row .why-cell strong"), (390, ".card-why strong.bad")):
        page = view(Lacking(count=27), "f.verdict=failed", width=width)
        found = page.locator(place).first
        found.wait_for()
        assert found.inner_text() == 'missing: status="Won", of crm.customers 7'


class Twice(Made):
    """Failed trials with two mistakes, of which the second is told in words."""

    def row(self, run: int, n: int) -> dict[str, Any]:
        row = super().row(run, n)
        mistake = f"note {'a' * 40} instead of Won; note says 3 of 4 facts" if row["verdict"] == "failed" else ""
        return row | {"mistake": mistake}


def test_of_two_mistakes_the_first_cuts_nothing_off_the_second(view: Open) -> None:
    page = view(Twice(count=27), "f.verdict=failed&c=reason")
    cell = page.locator("tr.row .why-cell .is-brief").first
    cell.wait_for()
    assert cell.inner_text() == f"note {'a' * 24}… instead of Won; note says 3 of 4 facts"


class Named(Made):
    """Two runs, each of one agent that no other run has."""

    def row(self, run: int, n: int) -> dict[str, Any]:
        return super().row(run, n) | {"agent": f"model-{run}"}


def test_the_run_is_no_column_of_its_own_where_its_agent_says_which_it_is(view: Open) -> None:
    for made, there in ((Named(count=27, runs=2), 0), (Made(count=27, runs=2), 1)):
        page = view(made)
        page.locator("tr.row").first.wait_for()
        assert page.get_by_role("columnheader", name="Run").count() == there


def test_last_words_are_a_column_that_the_rows_are_filtered_by(view: Open) -> None:
    page = view(MADE, "c=last_words&q=done+for+number+256.")
    page.get_by_text("of 270").wait_for()
    assert page.locator("tr.row").count() == 1
    assert page.locator("tr.row .two-lines").inner_text() == "All done for number 256."


def test_how_trials_ended_is_a_filter(view: Open) -> None:
    page = view(MADE, "f.ended=said+nothing+last")
    page.get_by_text("of 270").wait_for()
    silent = [row for row in ROWS if row["status"] == "finished" and not row["last_words"]]
    assert page.locator(".totals dd").first.inner_text().split()[0] == str(len(silent))
    limits = page.locator(".facet label", has_text="ended by a limit").locator(".count")
    assert limits.inner_text() == str(sum(row["status"] == "limit" for row in ROWS))


def test_of_several_signs_the_strongest_stands_in_the_row_and_the_others_behind_it(view: Open) -> None:
    page = view(MADE, "p=questions&f.doubt=any")
    row = page.locator("tr.doubted").first
    row.wait_for()
    assert row.locator(".part-doubt").all_inner_texts() == ["not understood"]
    row.get_by_text("and 2 more signs").click()
    row.locator(".part-doubt").nth(2).wait_for()
    assert row.locator(".part-doubt").all_inner_texts() == ["not understood", "told again", "asked twice"]


class Mixed(Made):
    """Questions with a weak sign, a strong one and none by turns."""

    def questions(self, run: int) -> Any:
        kinds = cycle(["asked_twice", "not_understood", ""])
        for each, kind in zip(super().questions(run), kinds, strict=False):
            yield {**each, "doubts": [{"kind": kind, "about": []}] if kind else []}


def test_questions_with_a_strong_sign_stand_before_those_with_a_weak_one_and_those_without(view: Open) -> None:
    page = view(Mixed(count=27), "p=questions")
    rows = page.locator(".questions tbody tr")
    rows.first.wait_for()
    strength = ["not understood", "asked twice", ""]
    first = [(row.locator(".part-doubt").all_inner_texts() or [""])[0] for row in rows.all()]
    assert first == sorted(first, key=strength.index)
    assert set(first) == {*strength}


def test_remarks_signs_and_flags_are_three_words_and_each_is_explained(view: Open) -> None:
    page = view(MADE)
    page.locator("tr.row").first.wait_for()
    page.keyboard.press("?")
    words = page.locator(".glossary dt").all_inner_texts()
    assert {"remark", "sign", "flag"} <= set(words)
    page.keyboard.press("Escape")
    choice = page.locator(".facet", has_text="Remarks").locator("label", has_text="garbled")
    assert choice.get_attribute("title") == "garbled: sent calls that could not be read"


def test_a_failure_flag_in_a_table_is_explained_by_pointing_and_by_keys(view: Open) -> None:
    page = view(MADE, "p=report&run=workday-0")
    flag = page.locator("abbr", has_text="redundant_questions")
    flag.wait_for()
    assert flag.get_attribute("title") == "Asked the same more than once."
    flag.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    shown = flag.evaluate("at => getComputedStyle(at, '::after').content")
    assert shown == '"Asked the same more than once."'


def test_the_folds_of_a_comparison_are_as_they_were_left_when_one_comes_back(view: Open) -> None:
    page = view(MADE, "p=compare")
    fold = page.locator("section[aria-labelledby=pairs-title] details").first
    fold.locator("summary").click()
    fold.locator(".shifts a").first.click()
    page.locator(".pair-heads").wait_for()
    page.go_back()
    page.locator("section[aria-labelledby=pairs-title] details[open] .shifts").wait_for()
    assert page.locator("section[aria-labelledby=pairs-title] details[open]").count() == 1


def test_the_folds_of_a_trial_and_the_open_filters_are_as_they_were_left(view: Open) -> None:
    page = view(MADE)
    page.locator(".facet summary", has_text="Template").click()
    page.locator(".facet", has_text="Template").locator("label").first.wait_for()
    page.locator("tr.row .row-link").nth(1).click()
    page.locator("summary", has_text="Task office").click()
    page.get_by_role("button", name="Compare").click()
    page.locator(".pair-heads").wait_for()
    page.get_by_role("link", name="← Trial").click()
    page.locator("details[open] > summary", has_text="Task office").wait_for()
    page.get_by_role("link", name="← List").click()
    page.locator(".facet", has_text="Template").locator("label").first.wait_for()
    page.locator("tr.row .row-link").nth(2).click()
    page.locator("summary", has_text="Task office").wait_for()
    assert page.locator("details[open] > summary", has_text="Task office").count() == 0


@dataclass(frozen=True)
class Sparse(Made):
    """Trials whose new row has three fields that hold nothing."""

    def _events(self, row: dict[str, Any], n: int) -> Any:
        for event in super()._events(row, n):
            for changed in event.get("changed", ()):
                if changed["op"] == "insert":
                    changed["fields"] |= {"cc": [None, ""], "labels": [None, []], "thread": [None, None]}
            yield event


def test_fields_of_a_new_row_that_hold_nothing_are_folded(view: Open) -> None:
    page = view(Sparse(count=27), f"t=workday-0.{key_of(0, 1)}")
    change = page.locator(".stream .change", has_text="gmail.messages").first
    change.wait_for()
    assert change.locator("dt").all_inner_texts() == ["to", "subject"]
    change.get_by_text("and 3 empty fields").click()
    change.locator("dt", has_text="thread").wait_for()
    assert change.locator("dt").all_inner_texts() == ["to", "subject", "cc", "labels", "thread"]


def _pair(left: int, right: int) -> str:
    return f"t=workday-0.{key_of(0, left)}&u=workday-0.{key_of(0, right)}"


@dataclass(frozen=True)
class Wandering(Made):
    """Two trials that look for a meeting in other words, and then do the same."""

    def _events(self, row: dict[str, Any], n: int) -> Any:
        for event in super()._events(row, n):
            if event["kind"] == "call" and event["tool"] == "search_events":
                event["arguments"] = {**event["arguments"], "query": f"meeting {n}"}
            yield event


def _numbers(made: Made, **wanted: Any) -> list[int]:
    rows = [(n, made.row(0, n)) for n in range(made.count)]
    return [n for n, row in rows if all(row[name] == value for name, value in wanted.items())]


def test_a_comparison_begins_with_what_was_asked_withheld_and_said_last(view: Open) -> None:
    page = view(MADE, _pair(3, 4))
    page.locator(".pair-heads").wait_for()
    assert "Please move my meeting" in page.locator(".pair-asked .asked-for").inner_text()
    assert page.locator(".pair-asked .withheld").inner_text() == "Withheld: person = Priya"
    assert page.locator(".pair-head .last-words").count() == 2
    assert page.locator(".pair-head .why").count() >= 1


def test_two_sides_with_other_requests_have_each_its_own(view: Open) -> None:
    page = view(MADE, _pair(0, 3))
    page.locator(".pair-heads").wait_for()
    assert page.locator(".pair-asked").count() == 0
    assert page.locator(".pair-head").nth(0).locator(".withheld").count() == 0
    assert page.locator(".pair-head").nth(1).locator(".withheld").count() == 1


def test_two_searches_are_where_they_part_and_the_jump_leads_to_what_was_changed(view: Open) -> None:
    made = Wandering(count=270)
    plain = {"prompt": "original", "questions": 0, "failed_calls": 0, "sessions": 1}
    failed, correct = (_numbers(made, verdict=verdict, **plain)[0] for verdict in ("failed", "correct"))
    page = view(made, _pair(failed, correct))
    parts = page.locator(".aligned-line.parts")
    parts.wait_for()
    assert "calendar.search_events" in parts.inner_text()
    assert parts.locator(".parts-word").inner_text() == "Here they part"
    page.get_by_role("button", name="To the first difference that matters").click()
    page.locator(":focus", has_text="update_event").wait_for()
    there = page.locator(".aligned-line:focus .parts-word")
    assert there.inner_text() == "First difference that matters, in what was changed"


def test_a_question_that_only_one_side_asked_is_a_difference_that_matters(view: Open) -> None:
    made = Wandering(count=270)
    asking = next(n for n in range(made.count) if made.row(0, n)["questions"] and made.row(0, n)["sessions"] == 1)
    page = view(made, _pair(asking - 3, asking))
    page.get_by_role("button", name="First difference that matters", exact=True).click()
    there = page.locator(".aligned-line:focus")
    there.wait_for()
    assert there.locator(".parts-word").inner_text() == "First difference that matters, in what was asked and answered"


def test_where_only_searches_differ_the_page_says_that_none_of_it_matters(view: Open) -> None:
    made = Wandering(count=270)
    plain = {"prompt": "original", "questions": 0, "failed_calls": 0, "sessions": 1, "verdict": "correct"}
    one = _numbers(made, **plain)[0]
    same = next(n for n in _numbers(made, **plain)[1:] if made._task(n) == made._task(one))
    page = view(made, _pair(one, same))
    page.get_by_text("None of it matters").wait_for()
    assert page.get_by_role("button", name="First difference that matters", exact=True).is_disabled()


def test_numbers_are_rounded_as_in_all_reports(view: Open) -> None:
    page = view(MADE)
    page.locator("tr.row").first.wait_for()
    shares = [n / of for of in (3, 16, 40, 200, 400) for n in range(of + 1)]
    found = page.evaluate("(shares) => shares.map((each) => [1, 2, 3].map((places) => fixed(each, places)))", shares)
    assert found == [[f"{rounded(each, places):.{places}f}" for places in (1, 2, 3)] for each in shares]

    shown = page.evaluate("[0, 1, 0.0035, 0.0575, 0.1, 0.3335, 1 / 3].map(percent)")
    assert shown == ["0%", "100%", "0.4%", "5.8%", "10%", "33.4%", "33.3%"]
