"""What keeps an installation from working is found and a remedy named."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from harness import doctor
from harness.core.distribution import PACKAGES


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
