"""Notes as they are written and taken back: nothing is lost, or removed, by a slip."""

from __future__ import annotations

from tests.view.browser.conftest import Open
from tests.view.browser.made import Made, key_of


def test_escape_leaves_the_text_of_a_note_and_closes_a_form_in_which_nothing_was_written(view: Open) -> None:
    page = view(Made(count=27, writable=True), f"t=workday-0.{key_of(0, 2)}")
    page.get_by_role("button", name="note").first.click()
    page.locator("textarea:focus").wait_for()
    page.keyboard.type("Hm.")
    page.keyboard.press("Escape")
    assert page.locator(".note-form textarea").input_value() == "Hm."
    assert page.evaluate("document.activeElement.tagName") != "TEXTAREA"
    page.locator(".note-form textarea").fill("")
    page.keyboard.press("Escape")
    page.locator(".note-form").wait_for(state="detached")
    assert page.evaluate("document.activeElement.textContent") == "note"


def test_a_draft_is_there_again_when_one_comes_back_to_its_trial_until_it_is_saved_or_cancelled(view: Open) -> None:
    made = Made(count=27, writable=True)
    page = view(made, f"t=workday-0.{key_of(0, 2)}")
    step = page.locator("[data-step='1']")
    step.get_by_role("button", name="note").click()
    page.locator("textarea:focus").wait_for()
    page.keyboard.type("Half a thought")
    page.get_by_role("link", name="Next trial of the list").click()
    page.locator("h1", has_text=made.row(0, 3)["task"]).wait_for()
    assert page.locator(".note-form").count() == 0
    page.get_by_role("link", name="Previous trial of the list").click()
    step.locator(".note-form").wait_for()
    assert step.locator("textarea").input_value() == "Half a thought"
    step.get_by_role("button", name="Cancel").click()
    page.get_by_role("link", name="Next trial of the list").click()
    page.get_by_role("link", name="Previous trial of the list").click()
    step.wait_for()
    assert page.locator(".note-form").count() == 0


def test_a_form_opened_at_the_bottom_of_the_window_has_its_buttons_in_sight(view: Open) -> None:
    page = view(Made(count=27, writable=True), f"t=workday-0.{key_of(0, 2)}", height=500)
    note = page.locator("[data-step='1']").get_by_role("button", name="note")
    note.evaluate("at => window.scrollBy(0, at.getBoundingClientRect().bottom - innerHeight + 4)")
    note.click()
    save = page.get_by_role("button", name="Save (as anna)")
    save.wait_for()
    page.locator("textarea:focus").wait_for()
    assert save.evaluate("at => at.getBoundingClientRect().bottom <= innerHeight")


def test_who_is_to_remove_an_annotation_is_asked_first_and_may_keep_it(view: Open) -> None:
    made = Made(count=27, writable=True)
    page = view(made, f"t=workday-0.{key_of(0, 2)}")
    page.get_by_role("button", name="Annotate").click()
    page.locator("textarea:focus").wait_for()
    page.keyboard.type("Worth a look.")
    page.get_by_role("button", name="Save (as anna)").click()
    for key in ("Enter", "Escape"):
        page.get_by_role("button", name="Remove this annotation").click()
        page.get_by_text("Remove it for good?").wait_for()
        assert page.evaluate("document.activeElement.textContent") == "Keep"
        page.keyboard.press(key)
        page.get_by_text("Remove it for good?").wait_for(state="detached")
    assert page.locator(".note").count() == 1
