"""Claude Code's own health check of the servers that `harness connect` and `harness serve` offer, without a network."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Entered for all projects, for this project alone, and by Claude Code itself; 8000 is free in a network of one's own.
CHECK = """
harness() { "$PYTHON" -m harness "$@"; }
harness connect claude-code crm --write --config "$HOME/.claude.json" >&2
harness connect claude-code gmail --write >&2
exec 3< <(harness serve crm --transport http --port 8000 2>&1)
read -r ready <&3
claude mcp add --scope user --transport http crm-http http://127.0.0.1:8000/crm/mcp >&2
claude mcp list
"""


@pytest.fixture(scope="module")
def health(environment: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What `claude mcp list` says of each server, in a HOME of its own and with no network but loopback."""
    program = environment("claude-code") / "node_modules" / ".bin"
    bwrap = shutil.which("bwrap")
    fence = [bwrap or "bwrap", "--dev-bind", "/", "/", "--unshare-net", "--unshare-pid", "--die-with-parent"]
    if bwrap is None or subprocess.run([*fence, "true"], capture_output=True).returncode:
        pytest.skip("Claude Code was NOT run: without bubblewrap nothing keeps it from calling its maker")
    home = tmp_path_factory.mktemp("home")
    (home / "project").mkdir()
    given = {
        "HOME": str(home), "PATH": f"{program}:/usr/bin:/bin", "PYTHON": sys.executable, "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    done = subprocess.run(
        [*fence, "bash", "-euc", CHECK], cwd=home / "project", env=given, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return dict(re.findall(r"^([\w-]+): .* - \W*(\w.*)$", done.stdout, re.MULTILINE))


@pytest.mark.slow
def test_it_connects_to_what_connect_wrote_for_all_projects(health: dict[str, str]) -> None:
    assert health["sandbox-crm"] == "Connected"


@pytest.mark.slow
def test_it_connects_over_http(health: dict[str, str]) -> None:
    assert health["crm-http"] == "Connected"


@pytest.mark.slow
def test_it_asks_before_it_starts_the_servers_of_a_project(health: dict[str, str]) -> None:
    assert health["sandbox-gmail"].startswith("Pending approval")
