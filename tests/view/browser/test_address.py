"""What an address names, wherever it stands among what is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.view.browser.conftest import Open
from tests.view.browser.made import Made, key_of
from tests.view.browser.site import folder

KEY = key_of(1, 4)


class Placed(Made):
    """Runs in folders of these names."""

    names: tuple[str, ...] = ("spring/a", "autumn/a")

    def _run(self, run: int) -> dict[str, Any]:
        name = self.names[run]
        return {**super()._run(run), "name": name, "folder": name.split("/")[-1], "path": f"/srv/runs/{name}"}


class Turned(Placed):
    """The same, in the other order."""

    names = ("autumn/a", "spring/a")


class Alone(Placed):
    names = ("a",)

    def _run(self, run: int) -> dict[str, Any]:
        return {**super()._run(run), "path": "/srv/runs/spring/a"}


class Told(Placed):
    """Two runs, of which the names say which they are."""

    identities: tuple[str, ...] = ("aaaaaa123456", "bbbbbb123456")

    def _run(self, run: int) -> dict[str, Any]:
        told, identity = super()._run(run), self.identities[run]
        return {**told, "name": f"{told['name']}.{identity[:6]}", "identity": identity}


TWO, TURNED, ALONE = Placed(count=27, runs=2), Turned(count=27, runs=2), Alone(count=27)
TOLD = Told(count=27, runs=2)


def test_a_link_leads_to_its_run_in_whatever_order_runs_are_shown(view: Open) -> None:
    page = view(TURNED, f"t=spring%2Fa.{KEY}")
    assert "of workday-1" in page.locator(".trial-head .who").inner_text()

    page = view(TURNED, "p=report&run=autumn%2Fa")
    page.locator(".report-head select").wait_for()
    assert page.locator(".report-head select").input_value() == "0"

    page = view(TURNED, "f.run=spring%2Fa")
    page.locator("tr.row").first.wait_for()
    ticked = page.locator(".facet:has(summary:text-is('Run')) label:has(:checked)")
    assert ticked.text_content().strip().startswith("workday-1")
    page.locator("tr.row .row-link").first.click()
    page.locator(".trial-head").wait_for()
    assert f"t=spring%2Fa.{key_of(1, 0)}" in page.url


def test_a_link_made_among_other_runs_is_understood_where_it_can_mean_only_one(view: Open) -> None:
    page = view(ALONE, f"t=spring%2Fa.{key_of(0, 4)}")
    page.locator(".trial-head").wait_for()

    page = view(TWO, f"t=a.{KEY}")
    assert "run a. The runs shown are spring/a, autumn/a." in page.locator("main .notice.warn").first.inner_text()


@pytest.mark.parametrize("name", ["a.bbbbbb", "autumn/a", "runs/autumn/a.bbbbbb", "autumn/a.bbbbbb"])
def test_a_link_that_says_which_run_it_was_leads_there_and_one_made_before_links_did_still_does(
    view: Open, name: str
) -> None:
    page = view(TOLD, f"t={name}.{KEY}")
    assert "of workday-1" in page.locator(".trial-head .who").inner_text()


def test_a_link_to_a_run_in_whose_folder_another_one_is_says_that_it_is_not_here(view: Open) -> None:
    page = view(TOLD, f"t=autumn%2Fa.cccccc.{KEY}")
    said = page.locator("main > .notice").inner_text()
    assert "run autumn/a.cccccc. The runs shown are spring/a.aaaaaa, autumn/a.bbbbbb." in said


@pytest.mark.parametrize(
    ("hash", "said"),
    [
        ("p=foo", "page foo"),
        ("p=report&run=77", "run 77. The runs shown are spring/a, autumn/a."),
        ("t=spring%2Fa.zzzz", "trial spring/a.zzzz"),
        (f"t=0.{KEY}", "run 0"),
        ("f.run=77", "run 77"),
        (f"t=spring%2Fa.{key_of(0, 1)}&u=summer.{KEY}", "run summer"),
    ],
)
def test_what_names_nothing_that_is_there_is_said_and_taken_back(view: Open, hash: str, said: str) -> None:
    page = view(TWO, hash)
    notice = page.locator("main > .notice")
    assert said in notice.inner_text()
    notice.get_by_role("button").click()
    notice.wait_for(state="detached")


def test_of_many_runs_the_first_are_named_where_one_is_asked_for_that_is_not_there(view: Open) -> None:
    page = view(Made(count=1, runs=24), "t=summer.0123456789abcdef")
    said = page.locator("main > .notice").inner_text()
    assert "workday-8, workday-9 and 14 more." in said
    assert "workday-10" not in said


def test_the_report_of_no_run_that_is_there_is_that_of_none(view: Open) -> None:
    page = view(TWO, "p=report&run=77")
    assert page.locator(".report-head select").evaluate("one => one.selectedOptions[0].text") == "choose one"
    assert page.locator("table").count() == 0
    page.locator(".report-head select").select_option("1")
    page.locator("table").first.wait_for()
    assert page.url.endswith("#p=report&run=autumn%2Fa")


def test_numbers_of_a_report_in_a_folder_name_its_run(view: Open, tmp_path: Path) -> None:
    page = view(folder(TURNED, tmp_path / "out", trials=1).as_uri(), "p=report&run=spring%2Fa")
    page.locator("table a").first.wait_for()
    assert "f.run=spring%2Fa" in page.locator("table a").first.get_attribute("href")
