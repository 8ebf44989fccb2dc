"""Figures beside another checkout's: what is kept, what the ratios say, and whose packages are measured."""

from __future__ import annotations

import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bench import compare
from tests.bench.__main__ import main
from tests.bench.compare import ROOT, Kept, Line, compared, keep, kept, read, run_with, take_turns
from tests.bench.timing import Figure


def ms(*values: float) -> Kept:
    return Kept("ms", values)


def test_a_ratio_is_that_of_the_medians_with_the_ratios_run_by_run_beside_it() -> None:
    (line,) = compared({"a": ms(1.0, 9.0, 3.0)}, {"a": ms(2.0, 2.0, 4.0)})

    assert line == Line("a", "ms", 3.0, 2.0, 1.5, 0.5, 4.5)


def test_where_more_is_better_the_ratio_is_turned_so_that_above_one_is_worse() -> None:
    (line,) = compared({"a": Kept("a second", (20.0,))}, {"a": Kept("a second", (40.0,))})

    assert (line.ratio, line.slower) == (2.0, True)


@pytest.mark.parametrize(("value", "marked"), [(1.1, False), (1.11, True), (0.5, False)])
def test_a_line_above_a_tenth_more_is_marked(value: float, marked: bool) -> None:
    (line,) = compared({"a": ms(value)}, {"a": ms(1.0)})

    assert (line.slower, str(line).startswith("!")) == (marked, marked)


def test_figures_that_one_side_lacks_are_listed_without_a_ratio() -> None:
    lines = compared({"both": ms(1.0), "new": ms(2.0)}, {"gone": ms(3.0), "both": ms(1.0)})

    assert [(line.name, line.here, line.there, line.ratio) for line in lines] == [
        ("both", 1.0, 1.0, 1.0),
        ("new", 2.0, None, None),
        ("gone", None, 3.0, None),
    ]
    assert str(lines[1]) == "  new: 2.000 ms here, - there"


def test_figures_in_another_unit_or_of_nothing_have_no_ratio() -> None:
    lines = compared({"a": Kept("s", (1.0,)), "b": ms(1.0)}, {"a": ms(900.0), "b": ms(0.0)})

    assert [line.ratio for line in lines] == [None, None]


def test_a_file_gathers_the_runs_that_are_kept_in_it(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    keep(file, kept([Figure("add", "500 mails", 1.0, "ms"), Figure("  memory", "500 mails", 9.0, "MB")]))
    keep(file, kept([Figure("add", "500 mails", 2.0, "ms"), Figure("find", "500 mails", 3.0, "ms")]))

    assert read(file) == {
        "500 mails: add": ms(1.0, 2.0),
        "500 mails: memory": Kept("MB", (9.0,)),
        "500 mails: find": ms(3.0),
    }


def test_two_figures_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two figures have the name '500 mails: add'"):
        kept([Figure("add", "500 mails", 1.0, "ms"), Figure("  add", "500 mails", 2.0, "ms")])


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1}', '{"a": {"unit": "ms"}}'])
def test_a_file_of_another_kind_is_refused_by_name(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(text)

    with pytest.raises(ValueError, match=r"other\.json is not what `python -m tests\.bench --json FILE` writes"):
        read(file)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Another revision, which has next to nothing."""
    for package in ("harness", "servers", "tests"):
        (tmp_path / "other" / package).mkdir(parents=True)
        (tmp_path / "other" / package / "__init__.py").write_text("")
    return tmp_path / "other"


def test_the_other_checkout_s_packages_are_measured_by_this_one_s_bench(checkout: Path) -> None:
    told = "import os, harness, tests.bench.timing as t; print(harness.__file__, os.path.realpath(t.__file__))"
    bench = ROOT / "tests" / "bench" / "timing.py"

    for packages in (checkout, ROOT):
        done = run_with(packages, "-c", told)
        assert done.stdout.split() == [str(packages / "harness" / "__init__.py"), str(bench)]


def test_a_group_that_needs_what_the_other_checkout_lacks_ends_with_the_reason(checkout: Path) -> None:
    done = run_with(checkout, "-m", "tests.bench", "--only", "wire", "--json", "figures.json")

    assert done.returncode == 1
    assert "No module named 'harness.serving" in done.stderr.splitlines()[-1]


def test_sides_take_turns_at_going_first_and_what_one_cannot_measure_is_told(
    monkeypatch: pytest.MonkeyPatch, checkout: Path
) -> None:
    said: list[str] = []

    def run(packages: Path, *arguments: str, tests: Path = ROOT) -> subprocess.CompletedProcess[str]:
        if packages != ROOT and ("crowd" in arguments or ("memory" in arguments and tests == ROOT)):
            return subprocess.CompletedProcess(arguments, 1, "", "Traceback\nKeyError: 'crowd'\n")
        keep(Path(arguments[-1]), {arguments[3]: ms(float(len(said)))})
        return subprocess.CompletedProcess(arguments, 0, "", "")

    monkeypatch.setattr(compare, "run_with", run)
    here, there = take_turns(checkout, ["wire", "crowd", "memory"], 2, said.append)

    assert {name: len(kept.values) for name, kept in here.items()} == {"wire": 2, "crowd": 2, "memory": 2}
    assert {name: len(kept.values) for name, kept in there.items()} == {"wire": 2, "memory": 2}
    assert said[:9] == [
        "round 1 of 2: wire, here",
        "round 1 of 2: wire, there",
        "round 1 of 2: crowd, here",
        "round 1 of 2: crowd, there",
        "  by its own tests, since with these: KeyError: 'crowd'",
        "  crowd has no figures there: KeyError: 'crowd'",
        "round 1 of 2: memory, here",
        "round 1 of 2: memory, there",
        "  by its own tests, since with these: KeyError: 'crowd'",
    ]
    assert said[9:11] == ["round 2 of 2: wire, there", "round 2 of 2: wire, here"]
    assert (here["wire"], there["wire"]) == (ms(1.0, 11.0), ms(2.0, 10.0))


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """`python -m tests.bench --only wire ...`, where wire has but one figure; gives what it printed."""
    figures = types.SimpleNamespace(figures=lambda: iter([Figure("add", "500 mails", 3.0, "ms")]))
    monkeypatch.setitem(sys.modules, "tests.bench.wire", figures)

    def run(*arguments: object) -> str:
        monkeypatch.setattr(sys, "argv", ["bench", "--only", "wire", *map(str, arguments)])
        main()
        return capsys.readouterr().out

    return run


def test_the_command_compares_with_the_medians_of_a_file(command: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "there.json"
    for value in (1.0, 2.0, 9.0):
        keep(file, {"500 mails: add": ms(value)})

    out = command("--compare", file)

    assert "!  1.50 (3.00 to 3.00)  500 mails: add: 3.000 ms here, 2.000 ms there" in out
    assert out.endswith("1 of 1 figures above 1.1\n")


def test_the_command_adds_its_run_to_a_file(command: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "here.json"
    command("--json", file)
    command("--json", file)

    assert read(file) == {"500 mails: add": ms(3.0, 3.0)}


@pytest.mark.parametrize("option", ["--compare", "--against"])
def test_what_cannot_be_compared_with_is_named_before_anything_is_measured(
    command: Callable[..., str], tmp_path: Path, option: str
) -> None:
    with pytest.raises(SystemExit, match=f"tests.bench: {tmp_path} "):
        command(option, tmp_path)
