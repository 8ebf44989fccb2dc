"""A Chromium of this machine, driven by the package `playwright`; without one, tests say so and are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest

from tests.view.browser.made import Made
from tests.view.browser.site import Site, served, serving

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--in-process-gpu", "--disable-background-networking", "--no-first-run"]
"""Drawing in a process of its own would cost a seventh more."""

Open = Callable[..., Any]


_UNTIL = """async ([arg, milliseconds]) => {
    const until = performance.now() + milliseconds;
    while (!(%s)(arg)) {
        if (performance.now() > until) throw new Error("it does not come true");
        await new Promise(requestAnimationFrame);
    }
}"""


def until(page: Any, holds: str, arg: Any = None) -> None:
    """Wait until a function of JavaScript is true.

    Playwright's own `wait_for_function` evaluates text in the page again and again, which the page's policy forbids but
    for the first time: it fails where that comes too early.
    """
    page.evaluate(_UNTIL % holds, [arg, 20_000])


def missing() -> str:
    """Why there is no browser to test in; empty where there is one."""
    try:
        import playwright.sync_api  # type: ignore[import-not-found,unused-ignore]  # noqa: F401
    except ImportError:
        return "NOT RUN, the package playwright is not there: `pip install playwright` brings it"
    if not executable():
        return "NOT RUN, there is no Chromium: HARNESS_CHROMIUM names one"
    return ""


def executable() -> str:
    return os.environ.get("HARNESS_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or ""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """For one file: while it is there, an event loop runs in this thread, and no other can."""
    if reason := missing():
        pytest.skip(reason)
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        start = partial(playwright.chromium.launch, executable_path=executable(), args=ARGUMENTS)
        try:
            chromium = start()
        except Error:  # now and then it crashes before it has begun, which says nothing about any page
            chromium = start()
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def tabs(browser: Any) -> list[Any]:
    """Pages that tests are done with. A new one costs more than twice what another address in an old one does; nothing
    is left in it but the page's own files, as a page stores nothing."""
    return []


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """What serves the runs of each test in turn."""
    with serving(kept=True) as site:
        yield site


@pytest.fixture
def view(browser: Any, tabs: list[Any], site: Site) -> Iterator[Open]:
    """Open a page: `view(made, "hash", width=…)`. Anything that the page says of an error fails the test."""
    said: list[str] = []
    with ExitStack() as stack:
        sites: dict[int, str] = {}

        def opened(
            made: Made | str, hash: str = "", width: int = 1280, height: int = 860, scheme: str = "light"
        ) -> Any:
            if isinstance(made, Made):
                if id(made) not in sites:
                    sites[id(made)] = stack.enter_context(served(made)) if sites else site.show(made)
                address = sites[id(made)]
            else:
                address = made
            page = tabs.pop() if tabs else browser.new_context().new_page()
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)
            page.set_default_timeout(20_000)

            def failed(error: Any) -> None:
                said.append(str(error))

            def spoke(message: Any) -> None:
                if message.type == "error":
                    said.append(message.text)

            def left() -> None:
                page.remove_listener("pageerror", failed)
                page.remove_listener("console", spoke)
                page.context.clear_permissions()
                page.goto("about:blank")
                tabs.append(page)

            page.on("pageerror", failed)
            page.on("console", spoke)
            stack.callback(left)
            page.goto(f"{address}#{hash}")
            return page

        yield opened
    assert not said, said
