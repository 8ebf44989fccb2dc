"""`harness view` and `report --format html --output FOLDER`, as they are typed."""

from __future__ import annotations

import csv
import io
import os
import socket
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

import pytest

from harness.cli import viewing
from harness.view import files
from tests.cli.conftest import Call

ROOT = Path(__file__).parents[2]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What would be served, in place of serving it."""
    seen: list[object] = []

    def serve(view: object, port: int, ready: object) -> None:
        seen.extend([view, port])
        ready("http://127.0.0.1:1/")  # type: ignore[operator]

    monkeypatch.setattr("harness.view.server.serve", serve)
    monkeypatch.setattr(viewing, "_open", lambda address: seen.append(address))
    return seen


def test_without_a_run_it_is_said_what_to_do(call: Call) -> None:
    outcome = call("view")

    assert outcome.status == 2
    assert "there is no run below runs: name a run's folder" in outcome.err


def test_without_a_name_the_newest_runs_are_shown(
    call: Call,
    config: Path,
    shown: list[object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for n, name in enumerate(("old", "new", "newest")):
        call("eval", config, "--output", f"runs/{name}", "--seed", n)
        os.utime(f"runs/{name}/trials", (n, n))
    monkeypatch.setattr(viewing, "_MOST", 2)

    outcome = call("view", "--author", "anna", "--read-only")

    assert outcome.out == "http://127.0.0.1:1/ shows 2 runs; Ctrl-C ends it\n"
    assert outcome.err == "the newest 2 of 3 runs below runs; name others to see them\n"
    view, port, opened = shown
    assert [run.folder.name for run in view.runs] == ["newest", "new"]  # type: ignore[attr-defined]
    assert (view.author, view.read_only, port) == ("anna", True, 0)  # type: ignore[attr-defined]
    assert opened == "http://127.0.0.1:1/"


def test_of_the_newest_runs_one_that_cannot_be_read_hides_no_other(
    call: Call, config: Path, shown: list[object]
) -> None:
    call("eval", config, "--output", "runs/whole")
    Path("runs/torn").mkdir()
    Path("runs/torn/run.json").write_text("{")

    outcome = call("view")

    assert outcome.out == "http://127.0.0.1:1/ shows 1 run; Ctrl-C ends it\n"
    assert outcome.err.startswith("not shown: runs/torn/run.json does not fit the run format")


def test_no_browser_opens_unless_wanted(call: Call, config: Path, shown: list[object]) -> None:
    call("eval", config, "--output", "run")

    assert call("view", "run", "--no-open").status == 0
    assert len(shown) == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nowhere",), "nowhere is not a run"),
        (("run", "run"), "the same run is given twice"),
        (("run", "--author", " "), "--author: give a name"),
    ],
)
def test_a_wrong_call_is_one_line(call: Call, config: Path, arguments: tuple[str, ...], told: str) -> None:
    call("eval", config, "--output", "run")

    outcome = call("view", *arguments)

    assert outcome.status == 2
    assert told in outcome.err
    assert len(outcome.err.splitlines()) == 1


@pytest.mark.slow
def test_it_is_served_until_it_is_told_to_stop(call: Call, config: Path, page: Path) -> None:
    call("eval", config, "--output", "run")
    code = (
        "import sys; from pathlib import Path; from harness import wiring; from harness.view import files\n"
        "from tests.cli.conftest import toy_suites\n"
        f"files.STATIC = Path({str(page)!r}); wiring.suites._sources = lambda: iter([('benchmarks/toy', toy_suites)])\n"
        "from harness.cli import main; sys.argv = ['harness', 'view', 'run', '--no-open']; main()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        address = process.stdout.readline().split()[0]
        with urllib.request.urlopen(f"{address}data/runs.json") as response:
            assert b'"toy"' in response.read()
        process.terminate()
        _, errors = process.communicate()

    assert (process.returncode, errors) == (0, "")


@pytest.mark.slow
def test_it_ends_at_once_and_in_silence_while_somebody_waits_for_a_page(call: Call, config: Path, page: Path) -> None:
    call("eval", config, "--output", "run")
    code = (
        "import sys, time; from pathlib import Path; from harness import wiring; from harness.view import data, files\n"
        "from tests.cli.conftest import toy_suites\n"
        f"files.STATIC = Path({str(page)!r}); wiring.suites._sources = lambda: iter([('benchmarks/toy', toy_suites)])\n"
        "data.View._report = lambda *_: (print('asked', flush=True), time.sleep(600))\n"
        "from harness.cli import main; sys.argv = ['harness', 'view', 'run', '--no-open']; main()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        host, port = process.stdout.readline().split()[0].removeprefix("http://").rstrip("/").split(":")
        with socket.create_connection((host, int(port))) as client:
            client.sendall(b"GET /data/report-0.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert process.stdout.readline() == "asked\n"
            process.terminate()
            _, errors = process.communicate(timeout=120)

    assert (process.returncode, errors) == (0, "")


def test_a_report_as_a_folder_has_every_trial(call: Call, config: Path, page: Path) -> None:
    call("eval", config, "--output", "run")
    Path("run/trials/torn.json").write_text("{")

    outcome = call("report", "run", "--format", "html", "--output", "out")

    assert outcome.status == 0
    assert outcome.out.startswith("out/index.html: every trial, for a browser; ")
    assert "run: left out: trials/torn.json: does not fit the trial format" in outcome.err
    assert len(list(Path("out/raw").iterdir())) == 48
    refused = call("report", "run", "--format", "html", "--output", "run")
    assert (refused.status, refused.out) == (2, "")


def test_a_report_into_a_file_is_one_page_as_before(call: Call, config: Path) -> None:
    call("eval", config, "--output", "run")

    assert call("report", "run", "--format", "html", "--output", "page.html").status == 0
    assert Path("page.html").read_bytes() == Path("run/report.html").read_bytes()


def test_what_a_person_said_of_a_trial_is_a_column_of_the_csv(call: Call, config: Path) -> None:
    from harness.view import View
    from harness.wiring import suite

    call("eval", config, "--output", "run")
    view = View([Path("run")], suite, author="anna")
    key = view.value("index-0")["columns"]["key"][0]
    for said in ("correct", "failed"):
        view.annotate({"run": 0, "key": key, "kind": "verdict", "value": said})

    rows = list(csv.DictReader(io.StringIO(call("report", "run", "--format", "csv").out)))

    assert [row["human"] for row in rows] == ["failed", *[""] * 47]


def test_the_package_brings_the_page() -> None:
    found = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = found["tool"]["setuptools"]["package-data"]["harness.view"]
    here = ROOT / "harness" / "view"
    packed = {path for pattern in patterns for path in here.glob(pattern) if path.is_file()}

    assert {path.resolve() for path in files.static().values()} <= {path.resolve() for path in packed}
    assert patterns == ["static/**/*"]
