"""The page as a whole: hostile records, a folder from disk, narrow and dark screens, what screen readers get."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.view.browser.conftest import Open, until
from tests.view.browser.made import Made, key_of
from tests.view.browser.payloads import PAYLOADS
from tests.view.browser.site import STATIC, folder

MADE = Made(count=270)
HOSTILE = Made(count=90, texts=PAYLOADS, writable=True)
PAGES = (
    "",
    f"t=workday-0.{key_of(0, 0)}",
    f"t=workday-0.{key_of(0, 11)}",
    f"t=workday-0.{key_of(0, 10)}&u=workday-0.{key_of(0, 33)}",
    "p=report&run=workday-0",
    "p=forks",
)


class Named(Made):
    """Runs of long names."""

    def _run(self, run: int) -> dict[str, Any]:
        return super()._run(run) | {"label": f"trials {run} of runs/workday-with-a-long-name-540047f2b1d3"}


NAMED = Named(count=54, runs=3)


def _provoke(page: Any) -> None:
    """Open what is folded, and point at and focus everything there is."""
    page.evaluate("""async () => {
        for (const one of document.querySelectorAll("details")) one.open = true;
        for (const one of document.querySelectorAll("button.tool, .more")) one.click();
        await new Promise((done) => setTimeout(done, 150));
        for (const one of document.querySelectorAll("main *")) {
            one.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
            if (one.focus) one.focus();
        }
        await new Promise((done) => setTimeout(done, 100));
    }""")


def test_thirty_hostile_texts_and_names_run_nothing_anywhere(view: Open) -> None:
    assert len(PAYLOADS) >= 30
    for hash in PAGES:
        page = view(HOSTILE, hash)
        dialogs: list[str] = []
        page.on("dialog", lambda dialog, seen=dialogs: (seen.append(dialog.message), dialog.dismiss()))
        page.locator("main :is(.row, .panel, .aligned)").first.wait_for()
        _provoke(page)
        assert page.evaluate("window.ran") is None
        assert not dialogs
        assert page.locator("main :is(script, iframe, object, embed, base, style, link, svg)").count() == 0
        links = page.evaluate("[...document.links].map((link) => link.getAttribute('href'))")
        assert all(re.match(r"#|raw/\d+/[0-9a-f]{16}\.json$", link) for link in links), links
        assert page.evaluate("Object.prototype.ran") is None


def test_every_hostile_text_of_the_list_is_shown_as_it_is(view: Open) -> None:
    page = view(HOSTILE, "c=task")
    page.locator("tr.row").first.wait_for()
    shown = set(page.locator("tr.row .row-link").all_text_contents())
    assert len(shown & set(PAYLOADS)) > 20


def test_in_a_folder_from_disk_hostile_texts_run_nothing(view: Open, tmp_path: Path) -> None:
    index = folder(HOSTILE, tmp_path / "folder", trials=12)
    for hash in ("", f"t=workday-0.{key_of(0, 11)}", "p=report&run=workday-0"):
        page = view(index.as_uri(), hash)
        page.locator("main :is(.row, .panel)").first.wait_for()
        _provoke(page)
        assert page.evaluate("window.ran") is None


def test_a_folder_opens_from_disk_with_list_trial_and_search(view: Open, tmp_path: Path) -> None:
    page = view(folder(MADE, tmp_path / "folder", trials=4).as_uri(), "text=lindqvist")
    page.get_by_text("of 270 hold").wait_for()
    page.goto(page.url.split("#")[0] + f"#t=workday-0.{key_of(0, 3)}&step=1")
    page.locator('[data-step="1"].is-marked').wait_for()
    assert page.get_by_text("Download the record").get_attribute("href") == f"raw/0-{key_of(0, 3)}.json"


@pytest.mark.parametrize("hash", PAGES)
@pytest.mark.parametrize("made", [MADE, NAMED], ids=["one-run", "runs-with-long-names"])
def test_at_390_pixels_the_page_never_scrolls_sideways(view: Open, made: Made, hash: str) -> None:
    page = view(made, hash, width=390, height=844)
    page.locator("main :is(.card, .panel, .aligned)").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_at_390_pixels_trials_are_cards_and_filters_fold(view: Open) -> None:
    page = view(MADE, "", width=390, height=844)
    page.locator(".card").first.wait_for()
    page.locator(".drawer > summary").click()
    page.locator(".facet label", has_text="failed").first.click()
    page.get_by_text("of 270").wait_for()
    page.locator(".drawer > summary").click()
    page.locator(".card a").first.click()
    page.locator(".trial-head").wait_for()


@pytest.mark.parametrize("hash", PAGES[:4])
def test_the_page_is_dark_where_that_is_preferred_and_can_be_read(view: Open, hash: str) -> None:
    page = view(MADE, hash, scheme="dark")
    page.locator("main :is(.row, .panel, .aligned)").first.wait_for()
    ground, ink = page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    )
    assert _light(ground) < 0.05
    assert (_light(ink) + 0.05) / (_light(ground) + 0.05) > 7


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_quiet_text_and_words_of_verdict_have_contrast_enough(view: Open, scheme: str) -> None:
    page = view(MADE, scheme=scheme)
    page.locator("tr.row").first.wait_for()
    style = "at => [getComputedStyle(at).color, getComputedStyle(at).backgroundColor]"
    for word in ("correct", "failed"):
        ink, ground = sorted(map(_light, page.locator(f".row .verdict.is-{word}").first.evaluate(style)), reverse=True)
        assert (ink + 0.05) / (ground + 0.05) >= 4.5
    said = page.evaluate(
        "['.totals dt', 'body'].map((name) => getComputedStyle(document.querySelector(name)))"
        ".map((style, n) => n ? style.backgroundColor : style.color)"
    )
    ink, ground = sorted(map(_light, said), reverse=True)
    assert (ink + 0.05) / (ground + 0.05) >= 4.5


def _light(colour: str) -> float:
    """Relative luminance of a colour as CSS prints it (WCAG 2)."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("hash", PAGES)
def test_every_field_and_button_has_a_name_and_the_page_landmarks_and_one_first_heading(view: Open, hash: str) -> None:
    page = view(MADE, hash)
    page.locator("main :is(.row, .panel, .aligned)").first.wait_for()
    nameless = page.evaluate("""[...document.querySelectorAll("button, input, select, textarea, a")]
        .filter((one) => !(one.textContent.trim() || one.getAttribute("aria-label") || one.labels?.length))
        .map((one) => one.outerHTML)""")
    assert nameless == []
    for landmark in ("main", "banner"):
        assert page.get_by_role(landmark).count() == 1
    assert page.get_by_role("heading", level=1).count() == 1


def test_keys_are_listed_by_a_question_mark_and_closed_by_escape(view: Open) -> None:
    page = view(MADE)
    page.locator("tr.row").first.wait_for()
    page.keyboard.press("?")
    page.get_by_role("heading", name="Keys").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="Keys").wait_for(state="hidden")


def test_vendored_files_are_those_of_the_list_and_nothing_else_is_there() -> None:
    vendor = STATIC / "vendor"
    rows = re.findall(
        r"^\| (\w+) \| [\d.]+ \| (\S+) \| \S+ \| ([0-9a-f]{64}) \| [^|]*(LICENSE-\S+) \|$",
        (vendor / "VENDOR.md").read_text(),
        re.MULTILINE,
    )
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in vendor.iterdir()}
    assert {file: digest for _, file, digest, _ in rows} == {
        name: found[name] for name in found if name.endswith((".js", ".css"))
    }
    assert {licence for *_, licence in rows} == {name for name in found if name.startswith("LICENSE")}


def test_the_page_names_each_of_its_scripts_once_and_has_no_inline_code() -> None:
    text = (STATIC / "index.html").read_text()
    named = re.findall(r'<script src="([^"]+)"></script>', text)
    there = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js")}
    later = {"vendor/uplot.js"}
    assert sorted(named) == sorted(there - later)
    assert all(f'"{name}"' in (STATIC / "js" / "chart.js").read_text() for name in later)
    assert text.count("<script") == len(named)
    assert not re.search(r"\sstyle=|\son\w+=", text)
    own = "\n".join(path.read_text() for path in (STATIC / "js").iterdir())
    assert not re.search(
        r"innerHTML|dangerouslySetInnerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", own
    )


def test_every_script_has_types_that_are_checked_and_is_short() -> None:
    for path in (STATIC / "js").iterdir():
        lines = path.read_text().splitlines()
        assert lines[0] == "// @ts-check", path.name
        assert len(lines) < 600
        assert max(map(len, lines)) <= 120, path.name


def test_what_is_made_up_has_the_columns_that_the_page_names() -> None:
    columns = MADE.index(0)["columns"]
    assert {len(values) for values in columns.values()} == {270}
    assert json.loads(json.dumps(MADE.value("runs")))["runs"][0]["groups"] == ["dimension"]


def test_a_list_that_is_wider_than_the_screen_shows_that_it_scrolls(view: Open) -> None:
    columns = "&".join(
        f"c={name}" for name in ("verdict", "agent", "condition", "template", "status", "reason", "flags")
    )
    page = view(Made(count=9), columns, width=900)
    page.locator("tr.row").first.wait_for()
    at = page.locator(".rows")
    assert at.evaluate("at => at.scrollWidth > at.clientWidth")
    assert at.evaluate("at => getComputedStyle(at).backgroundImage").count("linear-gradient") == 4


def test_on_a_narrow_screen_the_link_of_the_page_that_is_shown_is_in_sight(view: Open) -> None:
    page = view(Made(count=9, runs=2), "p=forks", width=390)
    link = page.locator(".top nav [aria-current]", has_text="Forks")
    link.wait_for()
    page.get_by_role("heading", name="Forks").wait_for()
    until(
        page,
        """() => {
        const [at, nav] = [document.querySelector(".top nav [aria-current]"), document.querySelector(".top nav")];
        return at.getBoundingClientRect().right <= nav.getBoundingClientRect().right + 1;
    }""",
    )
