"""What keeps an installation from working is found and a remedy named."""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import typer

from harness import doctor
from harness.cli import doctoring
from harness.core.distribution import PACKAGES
from harness.suite import Suite, SuiteEntry, SuiteError
from servers import catalog
from tests.cli.conftest import offer
from tests.harness import toy


def executable(folder: Path) -> Path:
    folder.mkdir()
    path = folder / "harness"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_packages_of_this_installation_are_fine() -> None:
    home = Path(doctor.__file__).parents[1]

    assert {finding.state for finding in doctor.packages(home, PACKAGES)} == {"ok"}


def test_a_folder_earlier_on_the_import_path_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shadowed").mkdir()
    (tmp_path / "shadowed" / "__init__.py").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    (finding,) = doctor.packages(tmp_path / "ours", ["shadowed"])

    assert finding.state == "problem"
    assert finding.text == f"resolves to {tmp_path / 'shadowed'}, not to {tmp_path / 'ours' / 'shadowed'}"
    assert finding.remedy.startswith(f"{tmp_path} comes first on the import path")


def test_a_distribution_that_brings_the_same_package_is_named(tmp_path: Path) -> None:
    (finding,) = doctor.packages(tmp_path, ["duckdb"])

    assert finding.remedy.startswith("duckdb brings a package of that name: pip uninstall duckdb")


def test_a_package_that_is_nowhere_is_to_be_installed(tmp_path: Path) -> None:
    (finding,) = doctor.packages(tmp_path, ["no_such_package_here"])

    assert (finding.state, finding.remedy) == ("problem", f"install this package again: pip install -e {tmp_path}")


def test_another_harness_command_first_on_path_is_named(tmp_path: Path) -> None:
    other, own = executable(tmp_path / "other"), executable(tmp_path / "own")
    (finding,) = doctor.commands([str(other.parent), str(own.parent)], own)

    assert (finding.state, finding.text) == ("problem", f"{other} precedes {own} on PATH")
    assert "workplace-harness" in finding.remedy
    assert f"put {own.parent} first on PATH" in finding.remedy


def test_our_command_first_on_path_is_fine_and_none_at_all_is_missing(tmp_path: Path) -> None:
    other, own = executable(tmp_path / "other"), executable(tmp_path / "own")
    states = [
        next(doctor.commands(path, own)).state for path in ([str(own.parent), str(other.parent)], [str(tmp_path)])
    ]

    assert states == ["ok", "missing"]


def test_a_data_folder_that_is_a_file_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("HARNESS_DATA", str(tmp_path / "file"))
    broken = doctor.data_folder()
    monkeypatch.setenv("HARNESS_DATA", str(tmp_path / "new"))

    assert (broken.state, broken.remedy) == ("problem", "set HARNESS_DATA to a folder that can be written to")
    assert doctor.data_folder().state == "ok"


def test_versions_name_python_and_what_we_stand_on() -> None:
    found = {finding.name: finding.text for finding in doctor.versions()}

    assert {"python", "workplace-harness", "mcp", "duckdb", "pydantic", "extra models", "extra plots"} <= set(found)
    assert os.path.basename(sys.executable) in found["python"]


def test_an_app_and_a_suite_that_cannot_be_imported_are_problems_with_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken_tracker.py").write_text("\nimport no_such_module\n", encoding="utf-8")
    (tmp_path / "broken_suite.py").write_text("def load(\n", encoding="utf-8")
    entries = (
        SuiteEntry("sound", "Loads.", toy.suite),
        SuiteEntry("broken", "Does not.", lambda: import_module("broken_suite").load()),
        SuiteEntry("lacking", "Not yet.", _not_imported, commands={"import": "somewhere:read"}),
    )
    point = EntryPoint("tracker", "broken_tracker", catalog.GROUP)
    monkeypatch.syspath_prepend(tmp_path)
    offer(monkeypatch, *entries, where="plugins/mine")
    monkeypatch.setattr(catalog, "entry_points", lambda group: [point])
    monkeypatch.setattr(doctor, "examine", list)  # what else is amiss here, such as on PATH, is not looked at

    with pytest.raises(typer.Exit) as ended:
        doctoring.doctor(json=True)
    found = [each for each in json.loads(capsys.readouterr().out) if each["name"] in ("apps", "suites")]
    sound = {each["name"]: each["text"] for each in found if each["state"] == "ok"}
    told = [(each["state"], each["text"]) for each in found if each["state"] != "ok"]

    assert ended.value.exit_code == 1
    assert sound == {"apps": ", ".join(catalog.folders()), "suites": "sound"}
    assert told == [
        (
            "problem",
            "plugin 'tracker' (broken_tracker) cannot be imported: ModuleNotFoundError: No module named "
            f"'no_such_module' ({tmp_path / 'broken_tracker.py'}:2)",
        ),
        ("problem", f"suite 'broken' cannot be loaded: '(' was never closed ({tmp_path / 'broken_suite.py'}:1)"),
        ("missing", "lacking is not imported; run `harness import mine PATH`"),
    ]


def _not_imported() -> Suite:
    raise SuiteError("lacking is not imported; run `harness import mine PATH`")
