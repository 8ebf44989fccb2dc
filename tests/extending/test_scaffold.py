"""What `harness new` writes works before anybody changes a line of it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.scaffold import ScaffoldProblem, checkout, scaffold
from tests.extending.install import install

ROOT = Path(__file__).parents[2]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.slow
def test_a_new_app_is_found_keeps_every_contract_and_tests_itself(run: Run, site: Path, tmp_path: Path) -> None:
    written = run("new", "app", "wish_list", "--into", tmp_path)
    install(tmp_path / "wish_list", site)
    listed, examined = run("list", "apps"), run("doctor", "wish_list")
    tested = run("-q", "-p", "no:cacheprovider", tmp_path / "wish_list", "-k", "finished or one_line", module="pytest")

    assert "wish_list/wish_list_app/__init__.py" in written.stdout
    assert "wish_list Keep the user's wish list items." in " ".join(listed.stdout.split())
    assert examined.returncode == 0, examined.stdout + examined.stderr
    assert "problem" not in examined.stdout
    assert "ok       reads and failed calls change nothing" in examined.stdout
    assert tested.returncode == 0, tested.stdout


@pytest.mark.slow
def test_a_new_suite_plays_passes_its_audit_and_tells_the_oracle_from_the_idle(
    run: Run, site: Path, tmp_path: Path
) -> None:
    run("new", "suite", "chair-jobs", "--into", tmp_path)
    install(tmp_path / "chair-jobs", site)
    played = run("eval", tmp_path / "chair-jobs" / "chair-jobs.yaml", "--json")
    audited = run("-q", "-p", "no:cacheprovider", tmp_path / "chair-jobs", module="pytest")

    assert '"correct": 2' in played.stdout
    assert '"trials": 4' in played.stdout
    assert played.returncode == 0, played.stderr
    assert audited.returncode == 0, audited.stdout


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A checkout of this project, with what the command and the contract tests need."""
    home = tmp_path / "checkout"
    skip = shutil.ignore_patterns("__pycache__")
    for folder in ("servers", "harness", "benchmarks", "userssim", "tests/contracts"):
        shutil.copytree(ROOT / folder, home / folder, ignore=skip)
    shutil.copy(ROOT / "pyproject.toml", home)
    (home / "tests" / "__init__.py").touch()
    (home / "configs").mkdir()
    return home


@pytest.mark.slow
def test_in_a_checkout_an_app_is_a_folder_that_its_contract_tests_cover_and_pass(run: Run, copy: Path) -> None:
    written = run("new", "app", "shopping", cwd=copy / "configs", root=copy)
    chosen = ["tests/contracts", "-k", "shopping or gone", "-p", "no:cacheprovider"]
    tested = run("-q", *chosen, module="pytest", cwd=copy, root=copy)

    assert written.stdout.splitlines() == [
        "../servers/shopping/__init__.py",
        "../tests/contracts/surfaces/shopping.json",
    ]
    assert tested.returncode == 0, tested.stdout
    assert " passed" in tested.stdout


@pytest.mark.slow
def test_in_a_checkout_a_suite_is_a_folder_and_a_config(run: Run, copy: Path) -> None:
    written = run("new", "suite", "chair-jobs", "--into", copy, root=copy)
    played = run("eval", "configs/chair-jobs.yaml", "--json", cwd=copy, root=copy)

    assert [line.rpartition("checkout/")[2] for line in written.stdout.splitlines()] == [
        "benchmarks/chair_jobs/__init__.py",
        "benchmarks/chair_jobs/suite.py",
        "benchmarks/chair_jobs/README.md",
        "configs/chair-jobs.yaml",
    ]
    assert '"correct": 2' in played.stdout


@pytest.mark.parametrize(
    ("kind", "name", "problem"),
    [
        ("app", "Wishes", "'Wishes' is not a valid name for an app: use lower-case letters"),
        ("app", "wish-list", "is not a valid name for an app"),
        ("app", "../wishes", "is not a valid name for an app"),
        ("app", "", "is not a valid name for an app"),
        ("app", "wünsche", "is not a valid name for an app"),
        ("app", "kernel", "is reserved"),
        ("app", "import", "is reserved"),
        ("app", "w" * 31, "30 characters at most"),
        ("suite", "chair jobs", "'chair jobs' is not a valid name for a suite"),
        ("suite", "chair-", "is not a valid name for a suite"),
        ("suite", "jobs\n", "is not a valid name for a suite"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_and_nothing_written(
    kind: str, name: str, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(ScaffoldProblem, match=problem):
        scaffold(kind, name, tmp_path)  # type: ignore[arg-type]

    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "wishes").mkdir()

    with pytest.raises(ScaffoldProblem, match=r"wishes exists already; choose another name, or remove it"):
        scaffold("app", "wishes", tmp_path)
    assert list((tmp_path / "wishes").iterdir()) == []


def test_the_name_of_an_app_or_a_suite_that_exists_is_refused(run: Run, tmp_path: Path) -> None:
    done = [run("new", "app", "gmail", "--into", tmp_path), run("new", "suite", "lhaw-workplace", "--into", tmp_path)]

    assert [each.returncode for each in done] == [2, 2]
    assert done[0].stderr == "harness: 'gmail' names an app already; see `harness list apps`\n"
    assert done[1].stderr.startswith("harness: 'lhaw-workplace' names a suite already")


def test_a_folder_is_a_checkout_by_its_project_and_not_by_its_looks(tmp_path: Path) -> None:
    (tmp_path / "servers" / "kernel").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "another"\n')

    assert checkout(tmp_path) is None
    assert checkout(ROOT / "servers" / "kernel") == ROOT
