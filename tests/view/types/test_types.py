"""TypeScript reads the page's scripts with the types that their comments give."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conformance.node import node

PROJECT = Path(__file__).with_name("tsconfig.json")


def _compiler() -> list[str]:
    """The command of TypeScript: of HARNESS_TSC, of `make node`, or of PATH; empty where there is none."""
    if given := os.environ.get("HARNESS_TSC"):
        return [given]
    if (node().packages / ".bin" / "tsc").exists():
        return node().program("tsc")
    found = shutil.which("tsc")
    return [found] if found else []


def _checked(project: Path) -> subprocess.CompletedProcess[str]:
    command = _compiler()
    if not command:
        pytest.skip("NOT RUN, no TypeScript in .node/: `make node` puts it there")
    return subprocess.run([*command, "--project", str(project)], capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_scripts_of_the_page_have_no_type_errors() -> None:
    checked = _checked(PROJECT)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.slow
def test_a_mistake_in_a_script_is_found(tmp_path: Path) -> None:
    (tmp_path / "wrong.js").write_text(
        "// @ts-check\n/** @param {Route} route */\nfunction wrong(route) {\n  return route.nothing;\n}\n"
    )
    settings = PROJECT.read_text().replace(
        '"view.d.ts", "../../../harness/view/static/js/*.js"', f'"{PROJECT.parent / "view.d.ts"}", "wrong.js"'
    )
    (tmp_path / "tsconfig.json").write_text(settings)
    checked = _checked(tmp_path / "tsconfig.json")
    assert checked.returncode != 0
    assert "'nothing' does not exist" in checked.stdout
