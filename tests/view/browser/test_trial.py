"""A trial, two side by side, the report and forks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.view.browser.conftest import Open
from tests.view.browser.made import Made, key_of

MADE = Made(count=270)


class Taskless(Made):
    """Trials whose suite is not there."""

    def trial(self, run: int, key: str) -> dict[str, Any]:
        return super().trial(run, key) | {
            "task": None, "expected": [], "pairs": [], "near": [], "paired": False, "counts": None,
        }  # fmt: skip


@dataclass(frozen=True)
class Forked(Made):
    """Trials that all went on from the first; `asked` are those that were loaded."""

    asked: list[str] = field(default_factory=list)

    def row(self, run: int, n: int) -> dict[str, Any]:
        parent = {"run": 0, "folder": "runs/workday-0", "key": key_of(0, 0), "step": n % 3}
        return super().row(run, n) | {"parent": parent if n else None}

    def trial(self, run: int, key: str) -> dict[str, Any]:
        self.asked.append(key)
        return super().trial(run, key)


def _number(verdict: str, asked: int = 0) -> int:
    rows = ((n, MADE.row(0, n)) for n in range(1, MADE.count))
    return next(n for n, row in rows if row["verdict"] == verdict and row["questions"] >= asked)


def _in_sight(page: Any, selector: str) -> bool:
    """Whether an element comes to stand in the window, and stays there for ten frames, within 600 frames."""
    return bool(
        page.evaluate(
            """async (selector) => {
            for (let frame = 0, still = 0; frame < 600; frame += 1) {
                const box = document.querySelector(selector)?.getBoundingClientRect();
                still = box && box.top >= 0 && box.top < innerHeight ? still + 1 : 0;
                if (still > 10) return true;
                await new Promise(requestAnimationFrame);
            }
            return false;
        }""",
            selector,
        )
    )


def test_a_trial_says_what_was_missing_what_changed_and_what_an_answer_revealed(view: Open) -> None:
    page = view(MADE, f"t=workday-0.{key_of(0, _number('failed', asked=3))}")
    page.locator(".is-near .word-near").wait_for()
    assert page.locator(".is-near .word-near").inner_text() == "made with another value"
    assert "2026-03-05T11:30:00" in page.locator(".is-near .expected").inner_text()
    assert "2026-03-05T10:00:00" in page.locator(".is-near .actual").inner_text()
    assert page.locator(".part-not_understood").count() == 1
    assert "segment-2" in page.locator(".is-answer").first.inner_text()
    assert page.locator(".changed del").first.inner_text() == "2026-03-04T10:00:00"


def test_what_changed_is_no_side_effect_where_nobody_knows_what_was_expected(view: Open) -> None:
    page = view(Taskless(count=27), f"t=workday-0.{key_of(0, 1)}")
    page.get_by_text("What was expected is not known here").wait_for()
    assert page.locator("#changes small").inner_text() == "2 changed rows"
    assert page.locator("#changes").get_by_text("unexpected").count() == 0


def test_a_trial_says_in_a_line_what_it_was_about(view: Open) -> None:
    page = view(MADE, f"t=workday-0.{key_of(0, 1)}")
    line = page.locator(".asked-for")
    line.wait_for()
    assert "Please move my meeting with" in line.inner_text()


def test_a_link_to_a_step_of_a_long_trial_loads_its_piece_and_survives_a_reload(view: Open) -> None:
    page = view(Made(count=27, long=20_000), f"t=workday-0.{key_of(0, 0)}&step=5000")
    for _ in range(2):
        page.locator('[data-step="5000"].is-marked').wait_for(timeout=60_000)
        assert _in_sight(page, '[data-step="5000"]')
        assert page.locator('[data-step="5000"]').evaluate("at => at === document.activeElement")
        assert page.locator(".event").count() < 2500
        page.reload()


def test_sessions_are_headings_and_arrivals_stand_between_them(view: Open) -> None:
    n = next(n for n in range(1, MADE.count) if MADE.row(0, n)["sessions"] == 2)
    page = view(MADE, f"t=workday-0.{key_of(0, n)}")
    page.get_by_role("heading", name="Session 2").wait_for()
    assert page.locator(".is-arrival").count() == 1


def test_two_trials_part_at_the_first_step_that_differs(view: Open) -> None:
    failed = _number("failed")
    siblings = MADE.trial(0, key_of(0, failed))["siblings"]
    own = [one["key"] for one in siblings if one["verdict"] == "correct" and not one["condition"].endswith("ask")]
    page = view(MADE, f"t=workday-0.{key_of(0, failed)}&u=workday-0.{own[0]}")
    page.get_by_text("Here they part, in what was changed").wait_for()
    assert page.evaluate("window.scrollY") == 0
    page.get_by_role("button", name="To where they part").click()
    parting = page.locator(".parts")
    assert "calendar.update_event" in parting.inner_text()
    assert parting.locator(".values > .differs").count() == 2
    assert _in_sight(page, ".parts")
    assert page.locator(".aligned-line.same").count() >= 2


def test_another_trial_of_the_task_is_chosen_by_keys_and_set_beside(view: Open) -> None:
    page = view(MADE, f"t=workday-0.{key_of(0, 1)}")
    page.locator("#sibling").wait_for()
    offered = page.locator("#sibling option").evaluate_all("all => all.map((one) => one.value)")
    first = offered.index(page.locator("#sibling").input_value())
    page.keyboard.press("c")
    page.keyboard.press("ArrowUp" if first else "ArrowDown")
    assert "u=" not in page.url
    page.keyboard.press("Enter")
    page.locator(".pair-heads").wait_for()
    assert f"u=workday-{offered[first - 1 if first else 1]}" in page.url
    page.go_back()
    page.locator(".trial-head").wait_for()


def test_raw_json_of_an_event_opens_in_its_place_and_the_record_is_a_download(view: Open) -> None:
    page = view(MADE, f"t=workday-0.{key_of(0, 1)}")
    call = page.locator('[data-step="0"]')
    call.get_by_role("button", name="json").click()
    assert '"tool": "search_events"' in call.locator(".raw").inner_text()
    assert page.get_by_text("Download the record").get_attribute("href") == f"raw/0/{key_of(0, 1)}.json"


def test_a_row_of_the_report_leads_to_its_trials(view: Open) -> None:
    page = view(MADE, "p=report&run=workday-0")
    page.locator("tr", has_text="atlas-smallunderspecified+ask").first.get_by_role("link", name="atlas-small").click()
    page.get_by_text("of 270").wait_for()
    assert page.locator(".totals dd").first.inner_text().split()[0] == "30"


def test_a_small_number_of_a_report_is_never_rounded_to_none(view: Open) -> None:
    page = view(MADE, "p=report&run=workday-0")
    page.get_by_text("< 0.001").first.wait_for()
    assert page.locator("td", has_text="0.250").count() > 0


def test_forks_hang_below_the_trial_that_they_went_on_from(view: Open) -> None:
    page = view(MADE, "p=forks")
    page.locator(".tree > li > ul > li").nth(2).wait_for()
    assert page.locator(".tree > li").count() == 1
    page.locator(".tree").get_by_role("link", name="Compare").first.click()
    page.locator(".pair-heads").wait_for()
    assert f"t=workday-0.{key_of(0, 0)}" in page.url


def test_a_person_writes_a_note_on_a_step_and_reads_it_with_their_name(view: Open) -> None:
    made = Made(count=27, writable=True)
    page = view(made, f"t=workday-0.{key_of(0, 2)}")
    step = page.locator('[data-step="1"]')
    step.get_by_role("button", name="note").click()
    step.locator("textarea").fill("Here it should ask <b>first</b>.")
    step.get_by_role("button", name="Save (as anna)").click()
    step.get_by_text("Here it should ask <b>first</b>.").wait_for()
    assert "anna" in step.locator(".note-who").inner_text()
    assert made.notes[key_of(0, 2)][0]["step"] == 1


def test_a_note_on_a_trial_gives_no_verdict_unless_one_is_chosen(view: Open) -> None:
    made = Made(count=27, writable=True)
    page = view(made, f"t=workday-0.{key_of(0, 2)}")
    page.get_by_role("button", name="Annotate").click()
    page.locator("textarea:focus").wait_for()
    page.keyboard.type("Worth a second look.")
    page.get_by_role("button", name="Save (as anna)").click()
    page.locator(".note", has_text="Worth a second look.").wait_for()
    (note,) = made.notes[key_of(0, 2)]
    assert (note["step"], note["kind"], note["value"]) == (None, "note", "")


def test_where_nothing_may_be_written_notes_are_only_read(view: Open) -> None:
    note = {
        "id": "a",
        "author": "ben",
        "at": "2026-11-21T10:00:00",
        "step": None,
        "kind": "verdict",
        "value": "failed",
        "text": "Late.",
    }
    page = view(Made(count=27, notes={key_of(0, 2): [note]}), f"t=workday-0.{key_of(0, 2)}")
    page.get_by_text("Late.").wait_for()
    assert page.get_by_role("button", name="Annotate").count() == 0


def test_a_trial_that_is_not_there_is_told_and_nothing_outside_the_data_is_asked_for(view: Open) -> None:
    page = view(MADE, "t=workday-0../../../etc/passwd")
    page.locator("tr.row").first.wait_for()


def test_the_chart_of_a_long_trial_has_all_its_turns_and_a_click_leads_to_the_call(view: Open) -> None:
    made = Made(count=27, long=2_000)
    turns = made.trial(0, key_of(0, 0))["turns"]["at"]
    page = view(made, f"t=workday-0.{key_of(0, 0)}")
    page.get_by_text("Tokens and time, call by call").click()
    page.get_by_text(f"{len(turns)} model calls:").wait_for()
    page.locator(".chart .u-over").scroll_into_view_if_needed()
    box = page.locator(".chart .u-over").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 20)
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + 20)
    page.locator(".is-model_call.is-marked").wait_for()
    assert int(page.url.split("&at=")[1]) in turns[-20:]


def test_an_earlier_try_is_opened_headed_as_one_and_left_again(view: Open) -> None:
    n = next(n for n in range(MADE.count) if "tries" in MADE.row(0, n)["flags"])
    page = view(MADE, f"t=workday-0.{key_of(0, n)}")
    page.get_by_text("an action could not be read").wait_for()
    page.get_by_role("link", name="Try 1").click()
    page.get_by_text("Earlier try 1 of 1.").wait_for()
    assert page.get_by_role("heading", name="What happened in earlier try 1").count() == 1
    assert page.locator(".event.is-bad").count() == 1
    page.locator(".event.is-bad").get_by_role("link", name="Link to step").click()
    assert "try=1" in page.url
    assert "step=" in page.url
    page.reload()
    page.locator(".event.is-bad.is-marked").wait_for()
    page.get_by_role("link", name="The trial itself").click()
    page.locator("#tries").wait_for()


def test_a_number_of_the_report_leads_to_the_trials_that_it_counts(view: Open) -> None:
    page = view(MADE, "p=report&run=workday-0")
    row = page.locator("tr", has_text="atlas-smallunderspecified").first
    cell = row.get_by_role("link", name="side effects")
    number = cell.inner_text()
    assert int(number) > 0
    cell.click()
    page.get_by_text("of 270").wait_for()
    assert page.locator(".totals dd").first.inner_text().split()[0] == number


def test_ten_thousand_forks_are_told_by_the_index_alone(view: Open) -> None:
    made = Forked(count=10_000)
    page = view(made, "p=forks")
    page.get_by_role("button", name="All 9,999").wait_for()
    assert page.locator(".tree > li > ul > li").count() == 101
    assert made.asked == []


def test_tokens_are_drawn_call_by_call_where_one_asks_for_it(view: Open) -> None:
    page = view(MADE, f"t=workday-0.{key_of(0, 1)}")
    page.get_by_text("Tokens and time, call by call").click()
    page.locator(".chart canvas").wait_for()
    assert page.locator(".chart").bounding_box()["height"] > 100


def test_keys_move_the_outlined_step_of_a_trial_that_a_link_opened(view: Open) -> None:
    page = view(MADE, f"t=workday-0.{key_of(0, 1)}&step=0")
    page.locator('[data-step="0"].is-marked').wait_for()
    page.keyboard.press("j")
    page.locator('.event.is-marked:not([data-step="0"])').wait_for()
    assert page.locator(".event.is-marked").count() == 1
    page.keyboard.press("k")
    page.locator('[data-step="0"].is-marked').wait_for()


def test_what_was_withheld_stands_in_the_head_and_is_marked_in_the_original(view: Open) -> None:
    n = next(n for n in range(1, MADE.count) if MADE.row(0, n)["prompt"] == "underspecified")
    page = view(MADE, f"t=workday-0.{key_of(0, n)}")
    page.locator(".trial-head .withheld").wait_for()
    assert page.locator(".trial-head .withheld").inner_text() == "Withheld: person = Priya"
    page.locator("summary", has_text="Task office").click()
    assert page.locator(".panel .lacked").inner_text().strip() == "with Priya"


class Cleared(Made):
    """Trials in which six rows were removed, of seven that were to go."""

    def trial(self, run: int, key: str) -> dict[str, Any]:
        rows: list[dict[str, Any]] = [
            {
                "app": "gmail", "table": "emails", "id": f"m{n}", "op": "delete", "fields": [], "after": None,
                "before": {"subject": f"Offer {n}"},
            }
            for n in range(7)
        ]  # fmt: skip
        counts = {"expected": 7, "matched": 6, "unexpected": 0}
        return super().trial(run, key) | {
            "expected": rows, "actual": rows[:6], "pairs": [[n, n] for n in range(6)], "near": [], "counts": counts,
        }  # fmt: skip


def test_matched_changes_above_five_are_folded_and_a_missing_deletion_shows_its_row(view: Open) -> None:
    page = view(Cleared(count=27), f"t=workday-0.{key_of(0, 1)}")
    page.locator(".is-missing").wait_for()
    assert "Offer 6" in page.locator(".is-missing").inner_text()
    assert page.locator(".is-met").count() == 0
    page.get_by_text("6 changes as expected").click()
    page.locator(".is-met").nth(5).wait_for()
    assert "Offer 0" not in page.locator(".is-met .expected").first.inner_text()


def test_a_note_on_a_question_is_kept_on_its_step_and_the_trial_is_found_by_it(view: Open) -> None:
    made = Made(count=27, writable=True)
    n = next(n for n in range(1, 27) if made.row(0, n)["questions"])
    page = view(made, f"t=workday-0.{key_of(0, n)}")
    question = page.locator(".is-question").first
    question.get_by_role("button", name="note").click()
    question.locator("textarea:focus").wait_for()
    page.keyboard.type("Too vague.")
    question.get_by_role("button", name="Save (as anna)").click()
    question.get_by_text("Too vague.").wait_for()
    assert made.notes[key_of(0, n)][0]["step"] == 1
    page.get_by_role("link", name="step 1", exact=True).click()
    page.locator('[data-step="1"].is-marked').wait_for()
    page.keyboard.press("u")
    page.locator("label", has_text="has notes").click()
    page.get_by_text("of 27").wait_for()
    assert page.locator("tr.row").count() == 1
    assert page.locator("tr.row .note-sign").count() == 1


def test_questions_of_a_run_are_listed_filtered_by_what_became_of_them_and_lead_to_their_place(view: Open) -> None:
    page = view(MADE, "p=questions")
    page.locator(".questions tbody tr").first.wait_for()
    lost = [one for one in MADE.questions(0) if "not_understood" in one["became"]]
    page.get_by_role("group", name="What the answer did").get_by_label("not understood").check()
    page.get_by_role("status").get_by_text(f"{len(lost)} question").wait_for()
    page.locator(".questions tbody a").first.click()
    page.locator(".is-question.is-marked").wait_for()
    assert f"t=workday-0.{lost[0]['key']}" in page.url


def test_agents_of_one_run_are_paired_and_a_number_leads_to_the_tasks_that_they_decide_differently(view: Open) -> None:
    page = view(MADE, "p=compare")
    link = page.locator("#pairs-title + .scroll a").first
    number = int(link.inner_text())
    link.click()
    page.locator("tr.row").first.wait_for()
    assert "f.decided=" in page.url
    tasks = set(page.locator("tr.row .row-link").all_text_contents())
    assert 0 < len(tasks) <= number


def test_the_address_of_a_step_is_copied_and_said_to_be(view: Open) -> None:
    page = view(MADE, f"t=workday-0.{key_of(0, 1)}")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator('[data-step="0"]').get_by_role("link", name="Link to step 0").click()
    page.locator('[data-step="0"] .copied').wait_for()
    assert page.evaluate("navigator.clipboard.readText()").endswith(f"#t=workday-0.{key_of(0, 1)}&step=0")


@dataclass(frozen=True)
class Waiting(Made):
    """Trials with ten questions to a judge without a verdict, of agents whose tokens nobody reported."""

    def row(self, run: int, n: int) -> dict[str, Any]:
        return super().row(run, n) | dict.fromkeys(("turns", "prompt_tokens", "completion_tokens", "cost"))

    def trial(self, run: int, key: str) -> dict[str, Any]:
        whole = super().trial(run, key)
        asked = [whole["judgements"][0] | {"query": f"q-{n}", "verdicts": []} for n in range(10)]
        return whole | {"judgements": [*whole["judgements"], *asked], "replies": ["It is done. " * 40 + "The end."]}


WAITING = Waiting(count=27)


def test_a_change_that_was_made_with_another_value_is_told_as_one_mistake(view: Open) -> None:
    page = view(MADE, f"t=workday-0.{key_of(0, _number('failed'))}")
    said = page.locator(".why-other")
    said.wait_for()
    assert said.inner_text() == (
        "1 of 2 expected changes was made with another value: start 2026-03-05T10:00:00 instead of 2026-03-05T11:30:00."
    )
    assert page.locator("#changes small").inner_text() == (
        "1 of 2 expected changes made, 1 with another value, no other unexpected changes"
    )


class Saying(Made):
    """Failed trials in which a mail lacks one of the facts that it has to say."""

    def trial(self, run: int, key: str) -> dict[str, Any]:
        whole = super().trial(run, key)
        told = {"subject": {"said": ["Anna: 12", "Ben: 7", "EUR"], "missing": ["1,240.50"], "enough": False}}
        near = [{"expected": 1, "actual": 1, "fields": ["subject"], "told": told}]
        return whole | {"pairs": [[0, 0]], "near": near, "counts": {"expected": 2, "matched": 1, "unexpected": 1}}


def test_of_a_text_that_has_to_say_facts_the_page_tells_which_are_missing(view: Open) -> None:
    page = view(Saying(count=27), f"t=workday-0.{key_of(0, 1)}")
    said = page.locator(".why-other")
    said.wait_for()
    facts = "says 3 of 4 facts; missing: 1,240.50"
    assert said.inner_text() == f"1 of 2 expected changes was made with another value: subject {facts}."
    assert page.locator(".is-near .actual .tells").inner_text() == f"subject {facts}"


class Uncounted(Made):
    """Trials whose score counts no changes, or says no more of them than `counts` and what is met."""

    def trial(self, run: int, key: str) -> dict[str, Any]:
        whole = super().trial(run, key)
        unknown = {"pairs": [], "near": [], "paired": False, "counts": None}
        return whole | unknown | {"expected": [each | {"met": None} for each in whole["expected"]]}


class Endless(Uncounted):
    """Trials of tasks without an accepted end."""

    def trial(self, run: int, key: str) -> dict[str, Any]:
        return super().trial(run, key) | {"expected": []}


def test_where_a_task_has_no_accepted_end_its_changes_are_held_against_nothing(view: Open) -> None:
    page = view(Endless(count=27), f"t=workday-0.{key_of(0, _number('failed'))}")
    page.locator("#changes").wait_for()
    assert page.locator("#changes").inner_text().startswith("Changes")
    assert page.locator("#changes small").inner_text() == "2 changed rows; the score does not count changes"
    assert page.locator("section[aria-labelledby=changes] .change").count() == 2
    assert page.locator(".pairs").count() == 0


class ToldByScore(Uncounted):
    def trial(self, run: int, key: str) -> dict[str, Any]:
        whole = super().trial(run, key)
        met = [each | {"met": n == 0} for n, each in enumerate(whole["expected"])]
        return whole | {"expected": met, "counts": {"expected": 2, "matched": 1, "unexpected": 3}}


def test_where_a_score_counts_no_changes_none_is_called_missing_or_unexpected(view: Open) -> None:
    page = view(Uncounted(count=27), f"t=workday-0.{key_of(0, _number('failed'))}")
    page.locator(".is-unpaired").wait_for()
    assert page.locator("#changes small").inner_text() == "2 changed rows; the score does not count changes"
    panel = page.locator("section[aria-labelledby=changes]").inner_text()
    assert "2026-03-05T10:00:00" in panel
    assert not any(word in panel.casefold() for word in ("missing", "unexpected", "as expected"))


def test_what_only_the_score_counts_is_told_as_the_score_has_it(view: Open) -> None:
    page = view(ToldByScore(count=27), f"t=workday-0.{key_of(0, _number('failed'))}")
    page.locator(".is-unpaired").wait_for()
    assert page.locator("#changes small").inner_text() == "1 of 2 expected changes made, 3 unexpected changes"
    assert page.locator(".is-unpaired .met-word").all_inner_texts() == ["made as expected", "missing"]


@dataclass(frozen=True)
class Counting(Made):
    """Trials of which the check counts changes: one was made with another value, or `extra` were not expected."""

    extra: int = 1

    def trial(self, run: int, key: str) -> dict[str, Any]:
        whole = super().trial(run, key)
        found = f"{self.extra} unexpected {'change' if self.extra == 1 else 'changes'}"
        reason = f"1 of 2 expected changes was made, and {found}."
        return whole | {"row": whole["row"] | {"reason": reason}}


def test_a_reason_is_left_out_where_the_mistake_itself_explains_all_that_it_counts(view: Open) -> None:
    page = view(Counting(), f"t=workday-0.{key_of(0, _number('failed'))}")
    page.locator(".why-other").wait_for()
    assert page.locator(".why").count() == 1
    page = view(Counting(extra=2), f"t=workday-0.{key_of(0, _number('failed'))}")
    page.locator(".why-other").wait_for()
    assert page.locator(".why").first.inner_text() == "1 of 2 expected changes was made, and 2 unexpected changes."


def test_questions_that_no_judge_has_answered_are_one_line_that_opens(view: Open) -> None:
    page = view(WAITING, f"t=workday-0.{key_of(0, 1)}")
    line = page.get_by_text("10 questions wait for a judge")
    line.wait_for()
    assert page.locator(".judgement").count() == 1
    line.click()
    page.locator(".judgement").nth(10).wait_for()


def test_tokens_that_nobody_reported_are_not_said_to_be_none(view: Open) -> None:
    page = view(WAITING, f"t=workday-0.{key_of(0, 1)}")
    fact = page.locator(".facts-list div", has_text="Tokens")
    fact.wait_for()
    assert fact.inner_text().split("\n")[-1] == "not reported"


def test_the_last_words_of_the_agent_stand_below_the_verdict_and_open(view: Open) -> None:
    page = view(WAITING, f"t=workday-0.{key_of(0, 1)}")
    words = page.locator(".last-words")
    words.wait_for()
    assert "The end." not in words.inner_text()
    words.get_by_role("button", name="more").click()
    assert "The end." in words.inner_text()


def test_a_long_request_is_shown_in_four_lines_and_whole_when_asked(view: Open) -> None:
    page = view(Made(count=27, texts=["a long request " * 120 + "but only on Fridays"]), f"t=workday-0.{key_of(0, 1)}")
    more = page.locator(".asked-for").get_by_role("button", name="more")
    more.wait_for()
    assert page.locator(".asked-for p").bounding_box()["height"] < 100
    more.click()
    assert page.locator(".asked-for p").bounding_box()["height"] > 200


def test_a_line_that_one_jumps_to_stands_right_below_the_names(view: Open) -> None:
    page = view(MADE, f"t=workday-0.{key_of(0, _number('failed'))}&u=workday-0.{key_of(0, _number('correct'))}")
    page.set_viewport_size({"width": 1200, "height": 420})
    page.locator(".aligned-line").first.wait_for()
    page.get_by_role("button", name="First difference that matters", exact=True).click()
    page.locator(".aligned-line:focus").wait_for()
    gap = page.evaluate(
        """() => document.activeElement.getBoundingClientRect().top
            - document.querySelector(".pair-bar").getBoundingClientRect().bottom"""
    )
    assert 0 <= gap < 40


def test_two_trials_stand_under_their_names_wherever_one_reads(view: Open) -> None:
    page = view(MADE, f"t=workday-0.{key_of(0, 0)}&u=workday-0.{key_of(0, 1)}")
    page.locator(".aligned-line").first.wait_for()
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    assert _in_sight(page, ".side-heads")
    assert [name.split()[-2] for name in page.locator(".side-heads p").all_inner_texts()] == [
        "atlas-large", "atlas-small",
    ]  # fmt: skip


def test_steps_that_changed_something_are_walked_through_and_shown_alone(view: Open) -> None:
    page = view(MADE, f"t=workday-0.{key_of(0, _number('failed'))}&u=workday-0.{key_of(0, _number('correct'))}")
    page.locator(".aligned-line").first.wait_for()
    before = page.locator(".aligned-line").count()
    page.get_by_role("button", name="First difference that matters", exact=True).click()
    page.locator(":focus .changed").first.wait_for(state="attached")
    page.get_by_label("Only changes and questions").check()
    lines = page.locator(".aligned-line")
    assert 0 < lines.count() < before


def test_from_a_trial_that_a_question_opened_one_comes_back_to_the_questions_as_they_were_filtered(view: Open) -> None:
    page = view(MADE, "p=questions&f.became=not_understood")
    page.locator(".questions tbody a").first.click()
    page.locator(".is-question.is-marked").wait_for()
    page.get_by_role("link", name="← Questions").click()
    page.locator(".questions").wait_for()
    assert page.get_by_role("group", name="What the answer did").get_by_label("not understood").is_checked()


@dataclass(frozen=True)
class Spoken(Made):
    """Trials whose last event is what the agent said last."""

    def trial(self, run: int, key: str) -> dict[str, Any]:
        whole = super().trial(run, key)
        at = whole["events"]
        said = {"at": at, "kind": "message", "session": 0, "role": "assistant", "content": "Done.", "calls": []}
        place = {"at": at, "kind": "last_words", "session": 0, "label": "Done."}
        first, outline = [*whole["first"], {**said, "process": None}], [*whole["outline"], place]
        return whole | {"events": at + 1, "first": first, "outline": outline}


def test_last_words_are_in_the_outline_and_a_note_on_them_is_one_on_the_trial(view: Open) -> None:
    made = Spoken(count=27, writable=True)
    page = view(made, f"t=workday-0.{key_of(0, 1)}")
    page.locator(".outline a", has_text="Last words").click()
    card = page.locator(".event.is-marked")
    card.get_by_role("button", name="note").click()
    card.locator("textarea").fill("This says why.")
    card.get_by_role("button", name="Save (as anna)").click()
    page.locator(".panel .note", has_text="This says why.").wait_for()
    assert made.notes[key_of(0, 1)][0]["step"] is None
