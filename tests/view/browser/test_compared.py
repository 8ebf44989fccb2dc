"""Questions and conditions in the page: what may be misunderstood, who gains by asking, and the way between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_plus

from tests.view.browser.conftest import Open
from tests.view.browser.made import Made, key_of

MADE = Made(count=270)
ASKED = list(MADE.questions(0))
LOST = [one for one in ASKED if one["doubts"]]


def verdict(one: dict[str, Any]) -> str:
    return str(MADE.row(0, MADE.numbers[0][one["key"]])["verdict"])


def count(page: Any) -> str:
    return " ".join(page.get_by_role("status").first.inner_text().split())


def test_what_may_be_misunderstood_stands_first_and_one_tick_leaves_it_alone(view: Open) -> None:
    page = view(MADE, "p=questions")
    page.locator(".questions tbody tr").first.wait_for()
    assert 0 < len(LOST) < len(ASKED)
    assert page.locator("tr.doubted").count() == len(LOST)
    assert page.locator(f"tr.doubted:nth-child(-n + {len(LOST)})").count() == len(LOST)
    page.get_by_label("any sign of one").check()
    page.get_by_text(f"{len(LOST)} questions of {len(ASKED)}").wait_for()
    assert page.locator(".questions tbody tr").count() == len(LOST)


def test_ticks_of_several_groups_narrow_and_of_one_group_widen(view: Open) -> None:
    page = view(MADE, "p=questions")
    page.get_by_label("any sign of one").check()
    page.get_by_label("failed").check()
    failed = [one for one in LOST if verdict(one) == "failed"]
    page.get_by_text(f"{len(failed)} question").wait_for()
    page.get_by_label("correct").check()
    both = [one for one in LOST if verdict(one) in ("failed", "correct")]
    page.get_by_text(f"{len(both)} question").wait_for()
    assert 0 < len(failed) < len(both)


def test_groups_and_choices_stay_where_they_are_whatever_is_ticked(view: Open) -> None:
    page = view(MADE, "p=questions")
    page.locator(".questions tbody tr").first.wait_for()
    said = page.locator(".choices legend, .choices label > span")
    before = [text.rstrip("0123456789 ") for text in said.all_inner_texts()]
    page.get_by_label("any sign of one").check()
    page.get_by_text(f"{len(LOST)} questions of {len(ASKED)}").wait_for()
    assert [text.rstrip("0123456789 ") for text in said.all_inner_texts()] == before


def test_what_the_answer_did_and_its_sign_are_said_once_where_they_are_the_same(view: Open) -> None:
    page = view(MADE, "p=questions&f.became=not_understood")
    page.get_by_text(f"{len(LOST)} questions of {len(ASKED)}").wait_for()
    row = page.locator(".questions tbody tr").first
    assert row.get_by_text("not understood", exact=True).count() == 1


def test_next_on_a_trial_that_a_question_opened_leads_to_the_next_question(view: Open) -> None:
    page = view(MADE, "p=questions&f.doubt=any")
    page.locator(".questions tbody a").first.click()
    page.get_by_text(f"Question 1 of {len(LOST)}").wait_for()
    assert f"t=workday-0.{LOST[0]['key']}" in page.url
    page.get_by_role("link", name="Next question of the list").click()
    page.get_by_text(f"Question 2 of {len(LOST)}").wait_for()
    assert f"t=workday-0.{LOST[1]['key']}&at={LOST[1]['at']}" in page.url
    page.locator(f"#e{LOST[1]['at']}.is-marked").wait_for()
    page.keyboard.press("p")
    page.get_by_text(f"Question 1 of {len(LOST)}").wait_for()


def test_who_looks_around_in_the_trial_goes_on_from_its_question(view: Open) -> None:
    page = view(MADE, "p=questions&f.doubt=any")
    page.locator(".questions tbody a").first.click()
    page.get_by_text(f"Question 1 of {len(LOST)}").wait_for()
    page.locator(".outline a").first.click()
    page.locator("#e0.is-marked").wait_for()
    page.keyboard.press("n")
    page.get_by_text(f"Question 2 of {len(LOST)}").wait_for()


def test_a_filter_that_the_page_does_not_have_is_said_to_be_ignored(view: Open) -> None:
    for page_of in ("", "p=questions&"):
        page = view(MADE, f"{page_of}f.colour=blue")
        notice = page.locator(".notice", has_text="colour=blue")
        notice.wait_for()
        notice.get_by_role("button", name="Take back").click()
        notice.wait_for(state="detached")
        assert "colour" not in page.url


def test_who_gains_by_asking_is_counted_per_agent_and_leads_to_the_trials_and_to_two_side_by_side(view: Open) -> None:
    page = view(MADE, "p=compare")
    table = page.get_by_role("region", name="Who gains by asking")
    row = table.locator("tbody tr", has_text="atlas-small")
    row.wait_for()
    assert row.locator("td").all_inner_texts()[:2] == ["underspecified", "underspecified+ask"]
    gained = row.locator("td.number a").first
    number = int(gained.inner_text())
    gained.click()
    page.locator("tr.row").first.wait_for()
    assert "f.shifted=" in page.url
    assert 0 < len(set(page.locator("tr.row .row-link").all_text_contents())) <= number
    page.go_back()
    page.locator("summary", has_text="atlas-small, underspecified to underspecified+ask").click()
    page.locator("details[open] .shifts a").first.click()
    heads = page.locator(".pair-heads")
    heads.wait_for()
    assert [text.split(",")[0] for text in heads.locator(".who").all_inner_texts()] == [
        "underspecified", "underspecified+ask",
    ]  # fmt: skip


@dataclass(frozen=True)
class Agreed(Made):
    """Trials of which half the tasks are failed by everybody, and the others by nobody."""

    def row(self, run: int, n: int) -> dict[str, Any]:
        row = super().row(run, n)
        return row | {"verdict": ("correct", "failed")[self._task(n) % 2]}


AGREED = Agreed(count=270)


def test_tasks_on_which_both_were_right_are_told_from_those_on_which_both_failed(view: Open) -> None:
    for region in ("Agents, two by two", "Who gains by asking"):
        for column, verdict, other in ((7, "correct", "failed"), (8, "failed", "correct")):
            page = view(AGREED, "p=compare")
            table = page.get_by_role("region", name=region)
            table.locator(f"tbody td:nth-child({column}) a").first.wait_for()
            tasks, *parts = [int(text) for text in table.locator("tr").nth(1).locator("td.number").all_inner_texts()]
            assert sum(parts) == tasks
            table.locator(f"tbody td:nth-child({column}) a").first.click()
            page.locator("tr.row").first.wait_for()
            assert page.locator("tr.row .verdict.is-" + verdict).count()
            assert not page.locator("tr.row .verdict.is-" + other).count()


def test_tasks_that_two_agents_decide_differently_are_named_and_lead_to_two_trials_side_by_side(view: Open) -> None:
    page = view(MADE, "p=compare")
    panel = page.locator("section[aria-labelledby=pairs-title]")
    panel.locator("summary").first.click()
    line = panel.locator("details[open] .shifts li").first
    line.wait_for()
    assert line.locator(".part").inner_text().startswith("atlas-")
    line.locator("a").click()
    page.locator(".pair-heads").wait_for()
    assert len(set(page.locator(".pair-head h2 a").all_inner_texts())) == 2


def test_agents_and_conditions_that_decide_differently_are_filters_of_the_list(view: Open) -> None:
    page = view(MADE)
    for title in ("Agents decide differently", "Conditions decide differently"):
        page.locator(".facet summary", has_text=title).wait_for()


def offered(page: Any) -> dict[str, Any]:
    """The trial that a page offers first for a comparison."""
    run, key = page.locator("#sibling").input_value().split(".")
    return MADE.row(int(run), MADE.numbers[int(run)][key])


def test_a_trial_with_the_other_verdict_is_offered_first_and_where_conditions_part_one_of_the_same_agent(
    view: Open,
) -> None:
    shifted = "underspecified+ask rather than underspecified"
    rows = [MADE.row(0, n) for n in range(MADE.count)]
    n, own = next(
        (n, row)
        for n, row in enumerate(rows)
        if row["verdict"] == "failed" and row["condition"] == "underspecified"
        and any(
            (each["agent"], each["condition"], each["verdict"]) == (row["agent"], "underspecified+ask", "correct")
            for each in MADE.trial(0, key_of(0, n))["siblings"]
        )
    )  # fmt: skip
    page = view(MADE, f"t=workday-0.{key_of(0, n)}")
    page.locator("#sibling").wait_for()
    assert offered(page)["verdict"] == "correct"
    assert offered(page)["agent"] != own["agent"]
    page = view(MADE, f"t=workday-0.{key_of(0, n)}&f.shifted={quote_plus(shifted)}")
    page.locator("#sibling").wait_for()
    found = offered(page)
    assert (found["agent"], found["condition"], found["verdict"]) == (own["agent"], "underspecified+ask", "correct")


@dataclass(frozen=True)
class Worded(Made):
    """Trials whose request is another one by its prompt."""

    def trial(self, run: int, key: str) -> dict[str, Any]:
        whole = super().trial(run, key)
        first = [
            {**event, "text": f"As {whole['row']['prompt']}."} if event["kind"] == "request" else event
            for event in whole["first"]
        ]
        return whole | {"first": first}


def test_of_trials_with_different_requests_this_is_said_first(view: Open) -> None:
    made = Worded(count=270)
    rows = [made.row(0, n) for n in range(made.count)]
    told = {row["prompt"]: n for n, row in reversed([*enumerate(rows)]) if row["task"] == rows[0]["task"]}
    assert len(told) > 1, told
    first, second = [*told.values()][:2]
    page = view(made, f"t=workday-0.{key_of(0, first)}&u=workday-0.{key_of(0, second)}")
    page.locator(".pair-heads").wait_for()
    assert page.locator("h1 + .parting-note").inner_text().startswith("The two requests differ")


def test_the_tools_of_a_comparison_stay_in_sight(view: Open) -> None:
    page = view(MADE, f"t=workday-0.{key_of(0, 0)}&u=workday-0.{key_of(0, 1)}")
    page.locator(".aligned-line").first.wait_for()
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    box = page.get_by_label("Only changes and questions").bounding_box()
    assert box
    assert 0 < box["y"] < 200


def test_the_list_says_first_what_was_made_with_another_value(view: Open) -> None:
    page = view(MADE, "f.verdict=failed&q=lost+instead")
    page.locator("tr.row").first.wait_for()
    assert page.locator("tr.row .why-cell strong").first.inner_text() == "status Lost instead of Won"


@dataclass(frozen=True)
class Silent(Made):
    """Trials of an agent without a model: its last words stand on its last event."""

    def trial(self, run: int, key: str) -> dict[str, Any]:
        whole = super().trial(run, key)
        *rest, last = whole["first"]
        place = {"at": last["at"], "kind": "last_words", "session": 0, "label": "It is done."}
        return whole | {
            "first": [*rest, last | {"last_words": "It is done."}], "outline": [*whole["outline"], place],
        }  # fmt: skip


def test_last_words_of_an_agent_without_a_model_are_in_the_stream(view: Open) -> None:
    made = Silent(count=27)
    page = view(made, f"t=workday-0.{key_of(0, 1)}")
    page.locator(".stream .event", has_text="The agent's last words").get_by_text("It is done.").wait_for()
    page.locator(".outline a", has_text="Last words").click()
    page.locator(f"#e{len(made.events(0, 1)) - 1}.is-marked").wait_for()


def test_a_comparison_that_compare_opened_leads_back_to_it(view: Open) -> None:
    page = view(MADE, "p=compare")
    page.locator("summary", has_text="atlas-small, underspecified to underspecified+ask").click()
    page.locator("details[open] .shifts a").first.click()
    page.get_by_role("link", name="← Compare").click()
    page.get_by_role("region", name="Who gains by asking").first.wait_for()


def test_on_a_narrow_screen_no_number_of_a_comparison_lies_beyond_the_edge(view: Open) -> None:
    page = view(MADE, "p=compare", width=390, height=844)
    numbers = page.locator(".plain-table td.number")
    numbers.first.wait_for()
    assert all(box["x"] + box["width"] <= 390 for box in (one.bounding_box() for one in numbers.all()))
    assert numbers.first.get_attribute("data-head") == "Tasks"


class Unasked(Made):
    """Trials of agents that never ask."""

    def row(self, run: int, n: int) -> dict[str, Any]:
        return super().row(run, n) | {"questions": 0}


def test_of_agents_that_asked_nothing_the_page_says_so(view: Open) -> None:
    page = view(Unasked(count=270), "p=compare")
    page.get_by_text("asked nothing although there was a user").wait_for()


class Prompted(Made):
    """Conditions that differ in the request alone."""

    def _run(self, run: int) -> dict[str, Any]:
        told = super()._run(run)
        return told | {"conditions": [one for one in told["conditions"] if one["ask"] == "off"]}


def test_conditions_are_explained_where_none_of_them_has_a_user(view: Open) -> None:
    page = view(Prompted(count=270), "p=compare")
    panel = page.get_by_role("region", name="Conditions, two by two").first
    panel.wait_for()
    assert page.get_by_text("Who gains by asking").count() == 0
    page.get_by_text("Tasks that an agent played under both conditions").wait_for()
