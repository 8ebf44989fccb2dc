"""The viewer's page in a browser: how long it takes to show 10,000 trials, to filter them, to open a long one.

`python -m tests.bench.view_browser`, with the package `playwright` and a Chromium. Prints, asserts nothing.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console

from tests.view.browser.conftest import ARGUMENTS, executable, missing
from tests.view.browser.made import Made, key_of
from tests.view.browser.site import folder, served

TRIALS = 10_000
EVENTS = 20_000
ROUNDS = 5

_PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
_CHOICE = "[...document.querySelectorAll('.facet label')].find((one) => one.textContent.includes('failed'))"
_SORT = "[...document.querySelectorAll('th button')].find((one) => one.textContent.startsWith('Task'))"
_TOTAL = "document.querySelector('.totals dd').textContent"
_CHANGED = f"""async ([act, there]) => {{
    const begun = performance.now(), was = {_TOTAL};
    act === "filter" ? {_CHOICE}.click() : act === "sort" ? {_SORT}.click() : type(act);
    while (act !== "sort" && {_TOTAL} === was) await new Promise(requestAnimationFrame);
    await ({_PAINTED})();
    return performance.now() - begun;
    function type(text) {{
        const box = document.getElementById("quick");
        box.value = text === "nothing" ? "" : text;
        box.dispatchEvent(new Event("input", {{ bubbles: true }}));
    }}
}}"""


@dataclass(frozen=True)
class Took:
    """Milliseconds by the clock until it was painted, and those that the page's main thread worked."""

    clock: float
    work: float


class Watched:
    """A page whose work is counted."""

    def __init__(self, browser: Any) -> None:
        self.page = browser.new_context(viewport={"width": 1280, "height": 860}).new_page()
        self.page.set_default_timeout(120_000)
        self._session = self.page.context.new_cdp_session(self.page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def _work(self) -> float:
        found = {each["name"]: each["value"] for each in self._session.send("Performance.getMetrics")["metrics"]}
        return float(found["TaskDuration"] * 1000)

    def changed(self, act: str) -> Took:
        """Filter, sort, or type a text (`nothing` empties the box)."""
        before = self._work()
        return Took(self.page.evaluate(_CHANGED, [act, ""]), self._work() - before)

    def opened(self, address: str, selector: str) -> Took:
        """A fresh page until an element of it is painted."""
        self.page.goto("about:blank")
        before = self._work()
        self.page.goto(address)
        self.page.locator(selector).first.wait_for()
        self.page.evaluate(_PAINTED)
        return Took(self.page.evaluate("performance.now()"), self._work() - before)


def figures(browser: Any, address: str, key: str) -> Iterator[tuple[str, str, list[Took]]]:
    """What was measured, what it should be below, and every measurement."""
    at = Watched(browser)
    turns = range(ROUNDS)
    yield f"first paint of {TRIALS:,} trials", "1,000", [at.opened(f"{address}#", "tr.row") for _ in turns]
    there_and_back = [(at.changed("filter"), at.changed("filter")) for _ in turns]
    yield "a filter", "100", [there for there, _ in there_and_back]
    yield "a filter taken back", "100", [back for _, back in there_and_back]
    yield "a word into the instant filter", "100", [(at.changed("chase"), at.changed("nothing"))[0] for _ in turns]
    yield "sorting by task", "100", [at.changed("sort") for _ in turns]
    trial = f"{address}#t=workday-0.{key}"
    yield f"a trial of {EVENTS:,} events", "1,000", [at.opened(trial, "[data-piece='0'] .event") for _ in turns]
    yield "its step 5,000 by a link", "", [at.opened(f"{trial}&step=5000", ".is-marked") for _ in turns]
    at.page.context.close()


def _middle(values: list[float]) -> str:
    return f"{statistics.median(values):,.0f} ({min(values):,.0f} to {max(values):,.0f})"


def main() -> None:
    """Measure both ways to serve the page."""
    if reason := missing():
        sys.exit(reason)
    from playwright.sync_api import sync_playwright  # type: ignore[import-not-found,unused-ignore]

    console = Console()
    made = Made(count=TRIALS, long=EVENTS)
    key = key_of(0, 0)
    with sync_playwright() as playwright, served(made) as address, TemporaryDirectory() as scratch:
        browser = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        index = folder(made, Path(scratch) / "folder", trials=1, pieces=True).as_uri()
        for place, where in (("served", address), ("folder", index)):
            console.print(f"\n[bold]{place}: ms until painted; ms of the main thread: median of {ROUNDS}[/bold]")
            for what, aim, found in figures(browser, where, key):
                clock, work = _middle([one.clock for one in found]), _middle([one.work for one in found])
                console.print(f"  {what:<34} {clock:<26} {work:<20} {aim and f'aim {aim}'}", soft_wrap=True)
        browser.close()


if __name__ == "__main__":
    main()
