"""The page over what the Python side makes of real records, served and as a folder."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from anyio.from_thread import start_blocking_portal

from harness.core.config_file import load
from harness.play.run import evaluate
from harness.record.store import Run
from harness.view import View, reports
from harness.view.folder import write_folder
from harness.view.server import serving
from harness.wiring import suite, wiring
from tests.harness import toy
from tests.view import scene
from tests.view.browser.conftest import Open
from tests.view.browser.payloads import PAYLOADS

CONFIGS = Path(__file__).parents[3] / "configs"


def _said(text: str, n: int) -> list[dict[str, Any]]:
    """A message, a call and a question that all say a text, as they would stand in a record."""
    times: dict[str, Any] = {"session": 0, "start": 0.1, "duration": 0.1}
    return [
        {"kind": "message", "role": "assistant", "content": text, **times},
        {"kind": "question", "step": n, "text": text, **times},
        {"kind": "answer", "step": n, "text": text, **times},
        {"kind": "call", "turn": 0, **scene.call(n, text=text, arguments={"name": text, "list": [text]}), **times},
    ]


def _played(folder: Path) -> Run:
    """A run, played in a thread of its own: in this one, the browser's event loop runs."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(scene.played, folder).result()


def test_a_played_run_is_shown_annotated_and_shown_again(view: Open, tmp_path: Path) -> None:
    run = _played(tmp_path / "run")
    shown = scene.view(run.folder, author="anna")
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(serving(shown)) as address:
        page = view(address)
        page.locator("tr.row .row-link").first.click()
        page.locator(".is-call").first.wait_for()
        assert page.locator(".pairs").count() + page.get_by_text("Nothing was to be changed").count() == 1
        page.get_by_role("button", name="Annotate").click()
        page.locator("textarea").fill("As it should be.")
        page.get_by_role("button", name="Save (as anna)").click()
        page.locator(".note", has_text="As it should be.").wait_for()
        page.reload()
        page.locator(".note", has_text="As it should be.").wait_for()
        page.get_by_role("button", name="Remove this annotation").click()
        page.get_by_role("button", name="Yes, remove").click()
        page.locator(".note").wait_for(state="detached")
        page.get_by_role("link", name="Report").click()
        page.locator(".plain-table tbody a").first.click()
        page.locator("tr.row").first.wait_for()
        assert page.locator(".totals dd").first.inner_text().startswith("4")


def _come_back(page: Any) -> None:
    """As if one had looked elsewhere meanwhile."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_a_run_that_is_gone_on_with_grows_on_a_page_that_is_open(view: Open, tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    run.write(scene.record(scene.TASKS[0], status="void"))
    shown = scene.view(run.folder)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(serving(shown)) as address:
        page = view(address)
        page.locator("tr.row .is-void").wait_for()
        run.write(scene.record(scene.TASKS[0], status="finished", reason="played again"))
        run.write(scene.record(scene.TASKS[1]))
        _come_back(page)
        page.locator(".totals dd", has_text="2").first.wait_for()
        assert page.locator("tr.row").count() == 2
        assert page.locator("tr.row .is-void").count() == 0


def test_a_run_that_is_played_anew_takes_the_place_of_the_one_that_was_shown(view: Open, tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    run.write(scene.record(scene.TASKS[0]))
    run.write(scene.record(scene.TASKS[1]))
    shown = scene.view(run.folder)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(serving(shown)) as address:
        page = view(address)
        page.locator("tr.row").nth(1).wait_for()
        shutil.rmtree(run.folder)
        other = scene.empty(run.folder, name="another", seed=7)
        other.write(scene.record(scene.TASKS[2], run_seed=7))
        _come_back(page)
        page.locator(".top-run", has_text="another").wait_for()
        assert [row.inner_text() for row in page.locator("tr.row .row-link").all()] == ["toy-2"]


def test_trials_of_a_run_that_took_the_place_of_another_are_those_of_the_new_one(view: Open, tmp_path: Path) -> None:
    runs = [scene.empty(tmp_path / name) for name in ("one", "two")]
    for run in runs:
        run.write(scene.record(scene.TASKS[0], status="void"))
    shown = scene.view(*(run.folder for run in runs))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(serving(shown)) as address:
        page = view(address, "f.run=two")
        page.locator("tr.row .row-link").click()
        page.locator(".trial-head .is-void").wait_for()
        page.go_back()
        shutil.rmtree(runs[1].folder)
        other = scene.empty(runs[1].folder, name="another", seed=7)
        other.write(scene.record(scene.TASKS[0], run_seed=7))
        page.locator(".row").first.wait_for()
        _come_back(page)
        page.locator("tr.row", has_text="another").locator(".row-link").click()
        page.locator(".trial-head .who", has_text="of another").wait_for()
        assert page.locator(".trial-head .is-void").count() == 0


def test_the_tables_of_a_run_that_is_played_anew_are_those_of_the_new_one(view: Open, tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    run.write(scene.record(scene.TASKS[0]))
    shown = scene.view(run.folder)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(serving(shown)) as address:
        page = view(address, "p=report")
        page.locator("h1", has_text="1 trial").wait_for()
        shutil.rmtree(run.folder)
        other = scene.empty(run.folder, name="another", seed=7)
        other.write(scene.record(scene.TASKS[1], run_seed=7))
        other.write(scene.record(scene.TASKS[2], run_seed=7))
        _come_back(page)
        page.locator("h1", has_text="another: toy@1, 2 trials").wait_for()
        page.locator(".plain-table td[data-head=trials]", has_text="2").first.wait_for()


def test_tables_say_that_trials_were_played_again_since_and_are_made_again(view: Open, tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    run.write(scene.record(scene.TASKS[0], status="void"))
    shown = scene.view(run.folder)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(serving(shown)) as address:
        page = view(address, "p=report")
        page.locator(".plain-table").first.wait_for()
        assert page.get_by_text("tables were made at").count() == 0
        run.write(scene.record(scene.TASKS[0], reason="played again"))
        _come_back(page)
        notice = page.get_by_text("tables were made at")
        notice.wait_for()
        assert "made at 1 of 1 trial, of which some were played again since." in notice.inner_text()
        page.get_by_role("button", name="Make them again").click()
        notice.wait_for(state="detached")
        page.locator(".plain-table").first.wait_for()


def test_a_folder_that_is_gone_is_told_of_on_a_page_that_is_open(view: Open, tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    run.write(scene.record(scene.TASKS[0]))
    shown = scene.view(run.folder)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(serving(shown)) as address:
        page = view(address)
        page.locator("tr.row").wait_for()
        shutil.rmtree(run.folder)
        _come_back(page)
        page.get_by_text("is not there any more").wait_for()
        assert page.locator("tr.row").count() == 0
        page.get_by_text("No trial can be shown; what is missing is named above.").wait_for()


_COUNTED = """([run, links]) => {
    const all = filterable(window.rows, facetsOf(window.runs, window.rows));
    return links.map((link) => filtered(all, linkedList(link, run), null).rows.length);
}"""
_READ = """async () => {
    window.runs = await load("runs");
    window.rows = indexRows(await load("index-0"), window.runs.runs[0]);
}"""


def test_the_page_lists_as_many_trials_as_each_number_of_the_report_says(view: Open, tmp_path: Path) -> None:
    config, wired = load(CONFIGS / "lhaw-short.yaml"), wiring()
    folder = tmp_path / "run"
    with ThreadPoolExecutor(1) as thread:
        thread.submit(evaluate, config, wired.suite(config.suite), wired, folder, sample=20).result()
    shown = View([folder], suite, read_only=True)
    report = shown.value("report-0")["tables"]
    links = [link for table in report for cells in table["cells"] for link in cells.values()]
    rows = scene.rows(shown)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(serving(shown)) as address:
        page = view(address)
        page.locator("tr.row").first.wait_for()
        page.evaluate(_READ)
        counted = page.evaluate(_COUNTED, [0, links])

    assert len(links) > 30
    assert counted == [sum(reports.passes(row, link) for row in rows) for link in links]


def test_a_folder_of_a_played_run_opens_from_disk(view: Open, tmp_path: Path) -> None:
    run = _played(tmp_path / "run")
    write_folder(scene.view(run.folder), tmp_path / "out")
    page = view((tmp_path / "out" / "index.html").as_uri())
    page.locator("tr.row .row-link").first.click()
    page.locator(".is-call").first.wait_for()
    raw = page.get_by_text("Download the record").get_attribute("href")
    assert (tmp_path / "out" / raw).is_file()
    page.get_by_role("link", name="Report").click()
    page.locator(".plain-table").first.wait_for()


def test_hostile_texts_in_a_record_run_nothing(view: Open, tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    events = [event for n, text in enumerate(PAYLOADS) for event in _said(text, n)]
    run.write(scene.record(events=events, reason=PAYLOADS[0]))
    with start_blocking_portal() as portal:
        shown = scene.view(run.folder)
        with portal.wrap_async_context_manager(serving(shown)) as address:
            page = view(address, f"t={run.folder.name}.{scene.only(shown)}")
            page.locator(".is-call").nth(len(PAYLOADS) - 1).wait_for()
            assert page.evaluate("window.ran") is None
            texts = "\n".join(page.locator(".is-question .text").all_text_contents())
            assert sum(text.replace("\u202e", "[U+202E]") in texts for text in PAYLOADS) == len(PAYLOADS)


def test_a_run_of_an_older_suite_says_what_is_left_and_leads_to_the_report_of_its_time(
    view: Open, tmp_path: Path
) -> None:
    run = _played(tmp_path / "run")
    (run.folder / "report.html").write_text("<p>Tables of then.</p><script>document.title = 'ran'</script>")
    shown = scene.view(run.folder, load=lambda *_: toy.suite(scene.TASKS[:3]))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(serving(shown)) as address:
        page = view(address, f"p=report&run={run.folder.name}")
        page.get_by_text("Tasks or checks of toy have changed since it was played").wait_for()
        assert "All else on this page works" in page.locator(".changed-run").inner_text()
        with page.expect_popup() as opened:
            page.get_by_role("link", name="The report that was written").click()
        opened.value.get_by_text("Tables of then.").wait_for()
        assert opened.value.title() != "ran"
        page.get_by_role("link", name="Trials").click()
        page.get_by_text("What this means").click()
        page.locator(".notices .changed-run").get_by_role("link").wait_for()


def test_a_folder_of_a_run_of_an_older_suite_names_no_place_of_the_machine(view: Open, tmp_path: Path) -> None:
    run = _played(tmp_path / "run")
    (run.folder / "report.html").write_text("<p>Tables of then.</p>")
    write_folder(scene.view(run.folder, load=lambda *_: toy.suite(scene.TASKS[:3])), tmp_path / "out")
    assert str(tmp_path) not in (tmp_path / "out" / "data" / "runs.js").read_text()
    page = view((tmp_path / "out" / "index.html").as_uri(), f"p=report&run={run.folder.name}")
    page.locator(".changed-run").get_by_text("lies in its folder, as report.html").wait_for()
