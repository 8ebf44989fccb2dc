"""The list of trials: filters with counts, the hash, search, keys, and a run that grows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.view.browser.conftest import Open
from tests.view.browser.made import Made, key_of

MADE = Made(count=540)
ROWS = [MADE.row(0, n) for n in range(MADE.count)]


class Once(Made):
    """Trials of which each task has one."""

    def row(self, run: int, n: int) -> dict[str, Any]:
        return super().row(run, n) | {"trial": 0}


def _total(page: Any) -> str:
    return str(page.locator(".totals dd").first.inner_text()).split()[0]


def _choice(page: Any, facet: str, name: str) -> Any:
    return page.locator(".facet", has=page.locator("summary", has_text=facet)).locator("label", has_text=name).first


def _counts(page: Any, facet: str, name: str) -> int:
    """Of a facet in sight or not: a browser lays out none that is out of sight, nor any before its first frame, and
    its `innerText` is empty until then."""
    return int(str(_choice(page, facet, name).locator(".count").text_content()).replace(",", ""))


def test_a_filter_leaves_its_trials_and_counts_what_other_choices_would(view: Open) -> None:
    page = view(MADE)
    _choice(page, "Agent", "atlas-small").click()
    page.get_by_text("of 540").wait_for()
    own = [row for row in ROWS if row["agent"] == "atlas-small"]
    assert _total(page) == str(len(own))
    assert _counts(page, "Verdict", "failed") == sum(row["verdict"] == "failed" for row in own)
    assert _counts(page, "Agent", "reference") == 180
    assert "f.agent=atlas-small" in page.url


def test_trials_are_filtered_by_what_was_called_and_what_was_changed(view: Open) -> None:
    page = view(MADE, "f.tools=calendar.search_events")
    page.get_by_text("of 540").wait_for()
    assert _total(page) == str(sum("calendar.search_events" in row["tools"] for row in ROWS))
    page = view(MADE, "f.tables=gmail.messages")
    page.locator(".pill").first.wait_for()
    assert _counts(page, "Changed", "calendar.events") == sum("calendar.events" in row["tables"] for row in ROWS)


def test_totals_say_accuracy_without_void_trials(view: Open) -> None:
    condition = ROWS[0]["condition"]
    page = view(MADE, f"f.condition={condition}")
    page.get_by_text("of 540").wait_for()
    scored = [row for row in ROWS if row["condition"] == condition and row["verdict"] in ("correct", "failed")]
    share = sum(row["verdict"] == "correct" for row in scored) / len(scored)
    assert page.locator(".totals div", has_text="Accuracy").locator("dd").inner_text() == f"{share * 100:.1f}%"


class Calibrated(Made):
    """Two models and an instrument."""

    def _run(self, run: int) -> dict[str, Any]:
        told = super()._run(run)
        return {**told, "agents": [{**one, "instrument": one["name"] == "reference"} for one in told["agents"]]}


def test_totals_of_models_and_instruments_together_have_no_accuracy(view: Open) -> None:
    page = view(Calibrated(count=270), "f.condition=original")
    page.get_by_text("of 270").wait_for()
    assert page.locator(".totals div", has_text="Accuracy").count() == 0
    _choice(page, "Agent", "reference").click()
    page.locator(".totals div", has_text="Accuracy").wait_for()


def test_totals_of_several_conditions_have_no_accuracy(view: Open) -> None:
    page = view(MADE)
    page.locator(".totals").wait_for()
    assert len({row["condition"] for row in ROWS}) > 1
    assert page.locator(".totals dt").all_inner_texts() == ["Trials", "Correct", "Unexpected", "Cost"]


def test_a_tick_of_a_filter_looks_nothing_up_in_the_rows_anew(view: Open) -> None:
    page = view(MADE)
    page.locator("tr.row").first.wait_for()
    page.evaluate("looked = 0; askedBand = (was => row => (looked += 1, was(row)))(askedBand); 0")
    _choice(page, "Verdict", "failed").click()
    page.get_by_text("of 540").wait_for()
    assert _total(page) == str(sum(row["verdict"] == "failed" for row in ROWS))
    assert page.evaluate("looked") == 0


def test_a_link_restores_filters_sorting_and_both_boxes(view: Open) -> None:
    page = view(MADE, "f.verdict=failed&f.side_effects=yes&sort=-cost&q=chase")
    page.get_by_text("of 540").wait_for()
    own = [row for row in ROWS if row["verdict"] == "failed" and row["side_effects"] and "chase" in row["task"]]
    assert _total(page) == str(len(own))
    first = max(own, key=lambda row: row["cost"] or 0)
    assert first["key"] in page.locator("tr.row .row-link").first.get_attribute("href")
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("Cost")
    page.reload()
    page.get_by_text("of 540").wait_for()
    assert _total(page) == str(len(own))
    assert page.locator("#quick").input_value() == "chase"


def test_a_search_finds_what_no_row_shows(view: Open) -> None:
    page = view(MADE)
    page.locator("tr.row").first.wait_for()
    page.keyboard.press("/")
    page.keyboard.type("Grace Lindqvist to Thursday")
    page.keyboard.press("Enter")
    page.get_by_text("of 540 hold").wait_for()
    own = [n for n in range(MADE.count) if "grace lindqvist to thursday" in MADE.text(0, n)]
    assert 0 < len(own) < 540
    assert _total(page) == str(len(own))


def test_ten_thousand_rows_stand_in_few_elements_and_the_last_is_reached_by_key(view: Open) -> None:
    made = Made(count=10_000)
    page = view(made)
    page.locator("tr.row").first.wait_for()
    page.keyboard.press("End")
    page.locator('tr.row[aria-rowindex="10001"]').wait_for()
    assert page.locator("tr.row").count() < 120
    assert page.locator("table.list").get_attribute("aria-rowcount") == "10001"


def test_keys_move_open_walk_and_come_back_to_the_place(view: Open) -> None:
    page = view(MADE, "f.verdict=failed")
    page.locator("tr.row").first.wait_for()
    failed = [row["key"] for row in ROWS if row["verdict"] == "failed"]
    for _ in range(40):
        page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.locator(".trial-head").wait_for()
    assert f"t=workday-0.{failed[39]}" in page.url
    page.keyboard.press("n")
    page.get_by_text(f"41 of {len(failed)}").wait_for()
    page.keyboard.press("p")
    page.get_by_text(f"40 of {len(failed)}").wait_for()
    page.keyboard.press("u")
    row = page.locator("tr.row.at")
    row.wait_for()
    assert failed[39] in row.locator(".row-link").get_attribute("href")
    assert row.is_visible()


def test_back_returns_to_where_the_list_was_left(view: Open) -> None:
    page = view(MADE)
    page.locator("tr.row").first.wait_for()
    page.locator(".rows").evaluate("box => { box.scrollTop = 5000 }")
    row = page.locator('tr.row[aria-rowindex="115"] .row-link')
    row.click()
    page.locator(".trial-head").wait_for()
    page.go_back()
    page.locator('tr.row[aria-rowindex="115"]').wait_for()
    assert page.locator(".rows").evaluate("box => box.scrollTop") == 5000


def test_columns_are_chosen_and_kept_in_the_link(view: Open) -> None:
    page = view(MADE)
    page.locator("summary", has_text="Columns").click()
    page.locator(".chooser-box label", has_text="Tokens in").click()
    page.locator("th", has_text="Tokens in").wait_for()
    page.reload()
    page.locator("th", has_text="Tokens in").wait_for()


def test_on_a_narrow_screen_trials_are_sorted_and_their_fields_chosen(view: Open) -> None:
    page = view(MADE, width=390)
    page.locator(".card").first.wait_for()
    page.get_by_label("Sort by").select_option(label="Cost")
    dearest = max(row["cost"] or 0 for row in ROWS)
    key = next(row["key"] for row in ROWS if row["cost"] == dearest)
    page.locator(f'.card >> nth=0 >> a[href*="{key}"]').wait_for()
    page.get_by_role("button", name="Descending").click()
    page.locator(f'.card >> nth=0 >> a[href*="{key}"]').wait_for(state="detached")
    assert "sort=cost" in page.url
    page.locator("summary", has_text="Fields").click()
    page.locator(".chooser-box label", has_text="Tokens in").click()
    field = page.locator(".card").first.locator(".card-fields > span", has_text="Tokens in")
    field.wait_for()
    page.reload()
    field.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_card_is_as_high_as_its_fields_need(view: Open) -> None:
    page = view(MADE, "c=task&c=agent&c=turns&c=seconds&c=reason&text=Priya", width=390)
    page.locator(".card mark").first.wait_for()
    boxes = [page.locator(".card").nth(n).bounding_box() for n in range(3)]
    inner = (
        page.locator(".card")
        .first.locator(".row-link > span")
        .evaluate_all("all => all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])")
    )
    assert boxes[1]["y"] - boxes[0]["y"] == boxes[2]["y"] - boxes[1]["y"]
    assert inner[0][0] >= boxes[0]["y"]
    assert inner[-1][1] <= boxes[1]["y"]


def test_a_run_under_way_adds_its_rows_without_losing_the_place(view: Open) -> None:
    made = Made(count=540, under_way=400)
    page = view(made, "sort=task")
    page.get_by_text("is under way").wait_for()
    page.locator(".rows").evaluate("box => { box.scrollTop = 6000 }")
    page.locator('tr.row[aria-rowindex="140"]').wait_for()
    top = """box => {
        const { x, y } = box.getBoundingClientRect();
        return document.elementFromPoint(x + 400, y + 60).closest("tr").querySelector("a").href;
    }"""
    before = page.locator(".rows").evaluate(top)
    page.locator(".totals dd").first.get_by_text("406").wait_for()
    assert page.locator(".rows").evaluate(top) == before
    assert made.grown[:3] == [0, 400, 403]


def test_records_that_cannot_be_read_are_told_beside_the_rest(view: Open) -> None:
    page = view(MADE)
    page.get_by_text("1 file could not be read").click()
    page.get_by_text("trials/torn.json").wait_for()


def test_several_runs_stand_in_one_list(view: Open) -> None:
    page = view(Made(count=90, runs=2))
    page.get_by_text("Compare runs").wait_for()
    _choice(page, "Run", "workday-1").click()
    page.get_by_text("of 180").wait_for()
    assert _total(page) == "90"
    assert key_of(1, 0) in page.locator("tr.row .row-link").first.get_attribute("href")


def test_list_filter_totals_and_page_say_one_thing_of_unexpected_changes(view: Open) -> None:
    n, row = next((n, row) for n, row in enumerate(ROWS) if row["side_effects"] and not row["unexpected"])
    page = view(MADE)
    with_them = sum(bool(row["unexpected"]) for row in ROWS)
    assert _counts(page, "Unexpected changes", "yes") == with_them
    assert page.locator(".totals div", has_text="Unexpected").locator("dd").inner_text() == str(with_them)
    page = view(MADE, f"q={row['key']}")
    page.get_by_text("of 540").wait_for()
    assert page.locator("tr.row").count() == 1
    assert page.locator("tr.row .bad").count() == 0
    page.goto(f"{page.url.split('#')[0]}#t=workday-0.{key_of(0, n)}")
    page.locator(".facts-list dd", has_text="changed something, and not as wanted").first.wait_for()


def test_escape_and_a_click_elsewhere_close_the_columns(view: Open) -> None:
    page = view(MADE)
    ways: tuple[Callable[[], None], ...] = (
        lambda: page.keyboard.press("Escape"),
        lambda: page.locator(".totals").click(),
    )
    for leave in ways:
        page.locator("summary", has_text="Columns").click()
        page.locator(".chooser-box").wait_for()
        leave()
        page.locator(".chooser-box").wait_for(state="hidden")


def test_an_empty_result_says_which_filter_leaves_nothing_and_takes_it_back(view: Open) -> None:
    page = view(MADE, "f.verdict=correct&q=nobody-wrote-this")
    cause = page.locator(".empty li", has_text="nobody-wrote-this")
    cause.wait_for()
    assert "leaves none" in cause.inner_text()
    assert "leaves none" not in page.locator(".empty li", has_text="Verdict").inner_text()
    assert _choice(page, "Verdict", "correct").is_visible()
    cause.get_by_role("button").click()
    page.locator("tr.row").first.wait_for()


def test_troubles_of_the_dialogue_can_be_chosen_for_right_trials_too(view: Open) -> None:
    page = view(MADE)
    page.locator("tr.row").first.wait_for()
    for name in ("asked twice", "contradiction", "not understood", "no preference"):
        assert _counts(page, "Dialogue", name) == sum(name.replace(" ", "_") in row["flags"] for row in ROWS)


def test_a_link_of_a_report_to_a_trouble_ticks_it_in_the_dialogue(view: Open) -> None:
    page = view(MADE, "f.flags=not_understood&f.flags=limit")
    page.get_by_text("of 540").wait_for()
    assert _choice(page, "Dialogue", "not understood").locator("input").is_checked()
    assert _choice(page, "Remarks", "limit").locator("input").is_checked()


def test_a_group_of_filters_that_was_ticked_stays_open_and_where_it_is(view: Open) -> None:
    page = view(MADE)
    page.locator("tr.row").first.wait_for()
    titles = page.locator(".facet summary")
    before = [title.rstrip("1 \n") for title in titles.all_text_contents()]
    page.locator(".facet summary", has_text="Template").click()
    choice = _choice(page, "Template", "move_deal")
    choice.click()
    page.get_by_text("of 540").wait_for()
    assert [title.rstrip("1 \n") for title in titles.all_text_contents()] == before
    choice.click()
    page.get_by_text("of 540").wait_for(state="detached")
    assert choice.is_visible()


def test_where_a_verdict_is_ticked_the_template_with_most_such_trials_comes_first(view: Open) -> None:
    page = view(MADE, "f.verdict=failed&f.template=nosuch")
    counts = page.locator(".facet", has=page.locator("summary", has_text="Template")).locator(".count")
    counts.first.wait_for()
    numbers = [int(text.split(" of ")[0]) for text in counts.all_text_contents()]
    assert len(set(numbers)) > 2
    assert numbers == sorted(numbers, reverse=True)


def test_where_a_verdict_is_ticked_a_template_says_of_how_many_trials(view: Open) -> None:
    page = view(MADE, "f.verdict=failed")
    box = page.locator(".facet", has=page.locator("summary", has_text="Template"))
    box.locator("summary").click()
    choice = box.locator("label").first
    name = choice.locator(".name").text_content()
    told = choice.locator(".count").text_content()
    rows = [row for row in (MADE.row(0, n) for n in range(MADE.count)) if row["template"] == name]
    assert told == f"{sum(row['verdict'] == 'failed' for row in rows)} of {len(rows)}"


def test_choices_stay_in_their_order_where_a_ticked_one_leaves_nothing(view: Open) -> None:
    page = view(MADE, "f.verdict=failed&q=nosuchword")
    page.locator(".empty").wait_for()
    box = page.locator(".facet", has=page.locator("summary", has_text="Verdict"))
    assert box.locator(".name").all_inner_texts() == ["correct", "failed", "void"]


class Addressed(Made):
    """Trials in which a long address was changed to another one."""

    def row(self, run: int, n: int) -> dict[str, Any]:
        told = {"verdict": "failed", "mistake": f"address_line {WRONG} instead of {RIGHT}"}
        return {**super().row(run, n), **told}


WRONG, RIGHT = (f"{number} Long Street of the Founders, Rear Building, Third Floor" for number in (12, 21))


def test_of_two_long_values_both_are_in_sight_and_whole_where_one_points(view: Open) -> None:
    page = view(Addressed(count=54))
    cell = page.locator("td.why").first
    cell.wait_for()
    assert cell.inner_text().startswith("address_line 12 Long Street o… instead of 21 Long Street of the Founder…")
    cell.hover()
    assert cell.inner_text().startswith(f"address_line {WRONG} instead of {RIGHT}")


def test_repeats_of_a_task_are_told_apart_by_their_trial(view: Open) -> None:
    page = view(MADE)
    page.locator("th", has_text="Trial").wait_for()
    page = view(Once(count=27))
    page.locator("tr.row").first.wait_for()
    assert page.locator("th", has_text="Trial").count() == 0


def test_columns_of_a_link_that_are_not_there_leave_the_usual_ones(view: Open) -> None:
    page = view(MADE, "c=nosuch&c=__proto__")
    page.locator("tr.row").first.wait_for()
    assert page.locator("th", has_text="Verdict").count() == 1


class Changed(Made):
    """Runs without tables, for two reasons."""

    def _run(self, run: int) -> dict[str, Any]:
        why = ("tasks have changed", "its suite cannot be loaded here: there is none.")[run]
        return super()._run(run) | {"changed": why}


def test_why_a_run_has_no_tables_ends_in_one_full_stop(view: Open) -> None:
    page = view(Changed(count=9, runs=2))
    page.locator(".notice summary").nth(1).wait_for()
    assert page.locator(".notices summary", has_text="What this means").all_inner_texts() == [
        "workday-0: tasks have changed. What this means",
        "workday-1: its suite cannot be loaded here: there is none. What this means",
    ]


class Cheap(Made):
    """Trials that cost less than a cent."""

    def row(self, run: int, n: int) -> dict[str, Any]:
        return super().row(run, n) | {"cost": 0.0044}


def test_a_cost_below_a_cent_is_not_cut(view: Open) -> None:
    page = view(Cheap(count=54), "c=task&c=reason&c=cost")
    cell = page.locator("tr.row td.number").first
    cell.wait_for()
    assert cell.inner_text() == "$0.0044"
    assert cell.evaluate("cell => cell.scrollWidth <= cell.clientWidth")


class Stray(Made):
    """Trials with an agent of a long name that changed something, where nothing was to change."""

    def row(self, run: int, n: int) -> dict[str, Any]:
        told = {"verdict": "failed", "mistake": "", "unexpected": 1, "agent": "an-agent-whose-name-is-long"}
        return super().row(run, n) | told | {"reason": "Nothing was to change, but one change was made."}


def test_a_card_sets_its_unexpected_changes_off_from_the_reason(view: Open) -> None:
    page = view(Stray(count=27), width=390)
    why = page.locator(".card-why").first
    why.wait_for()
    assert why.inner_text() == "1 unexpected change · Nothing was to change, but one change was made."


def test_the_facts_of_a_card_wrap_within_it(view: Open) -> None:
    page = view(Stray(count=54, runs=2), "sort=-cost", width=390)
    card = page.locator(".card").nth(1)
    facts = card.locator(".card-facts")
    facts.wait_for()
    assert facts.evaluate("at => at.scrollWidth <= at.clientWidth && at.scrollHeight <= at.clientHeight + 1")
    inner, outer = card.locator(".card-why").bounding_box(), card.bounding_box()
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]
