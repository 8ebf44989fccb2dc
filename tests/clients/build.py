"""Builds an environment for each stranger that the tests use: `python -m tests.clients.build`, or `make clients`.

Their packages conflict with ours and with each other's, so each has a folder of its own below `HARNESS_CLIENTS`
(`.clients` in the checkout). What cannot be built is said, here and by the tests that then skip.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

__all__ = ("CLIENTS", "NEEDS", "failure", "python")

ROOT = Path(__file__).parents[2]
CLIENTS = Path(os.environ.get("HARNESS_CLIENTS") or ROOT / ".clients").absolute()
NEEDS = {
    "inspect": ROOT / "pyproject.toml",
    "langgraph": ROOT / "examples" / "langgraph" / "requirements.txt",
    "openai-agents": ROOT / "examples" / "openai-agents" / "requirements.txt",
    "fastmcp": ROOT / "tests" / "clients" / "fastmcp" / "requirements.txt",
    "typescript": ROOT / "tests" / "clients" / "typescript" / "package.json",
    "claude-code": ROOT / "tests" / "clients" / "claude-code" / "package.json",
}
"""Each environment, the slowest first, and the file that says what belongs into it: of ours what the project needs."""

BESIDE = ("inspect", "models", "testing")
"""Extras of ours in the environment that has what our own code imports."""

NAMED = (
    "inspect_ai-", "mcp-", "fastmcp-", "openai_agents", "langgraph-", "langchain_mcp", "@modelcontextprotocol/sdk",
    "@anthropic-ai/claude-code-",
)  # fmt: skip
"""What a build tells the version of."""

MARK = ".built"
"""A copy of that file in a finished environment: another one is out of date."""


def python(name: str) -> Path:
    """The interpreter of an environment."""
    return CLIENTS / name / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def failure(name: str) -> str:
    """Why an environment cannot be used; empty if it can."""
    reason = CLIENTS / f"{name}.failed"
    if reason.exists():
        return f"{name} was NOT run, since it could not be installed: {reason.read_text(encoding='utf-8')}"
    return "" if _is_built(name) else "clients and agents of others were NOT run: `make clients` installs them"


def _is_built(name: str) -> bool:
    mark = CLIENTS / name / MARK
    return mark.is_file() and mark.read_bytes() == NEEDS[name].read_bytes()


def _build(name: str) -> str:
    """Build an environment anew unless it is there; what became of it."""
    if _is_built(name):
        return f"{name}: built already"
    folder, failed = CLIENTS / name, CLIENTS / f"{name}.failed"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    began = time.monotonic()
    try:
        _MAKE[NEEDS[name].suffix](folder, NEEDS[name])
    except (OSError, subprocess.SubprocessError) as problem:
        told = str(getattr(problem, "stderr", "") or problem).strip()[-300:]
        failed.write_text(told, encoding="utf-8")
        return f"{name}: NOT BUILT: {told}"
    failed.unlink(missing_ok=True)
    shutil.copy(NEEDS[name], folder / MARK)
    return f"{name}: built in {time.monotonic() - began:.0f} s: {_versions(folder)}"


def _versions(folder: Path) -> str:
    """Which packages of those that count are in an environment."""
    found = [path.name.removesuffix(".dist-info") for path in folder.glob("[Ll]ib/**/site-packages/*.dist-info")]
    pinned = [json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("node_modules/@*/*/package.json")]
    found += [f"{each['name']}-{each['version']}" for each in pinned]
    return ", ".join(sorted(name for name in found if name.startswith(NAMED)))


def _pip(folder: Path, needs: Path) -> None:
    if uv := shutil.which("uv"):
        _run(uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, folder)
        _run(uv, "pip", "install", "--quiet", "--python", python(folder.name), "--requirement", needs)
        return
    _run(sys.executable, "-m", "venv", "--without-pip", folder)
    pip = (sys.executable, "-m", "pip", "--python", python(folder.name), "--disable-pip-version-check")
    _run(*pip, "install", "--quiet", "--no-compile", "--requirement", needs)


def _own(folder: Path, needs: Path) -> None:
    """What our own package needs with some extras, without the package itself: a checkout is built by one at a time."""
    import tomllib  # Python 3.11, as the project itself

    project = tomllib.loads(needs.read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *(each for extra in BESIDE for each in project["optional-dependencies"][extra])]
    listed = folder / "requirements.txt"
    listed.write_text("\n".join([*lines, "pytest-timeout", "pytest-xdist"]), encoding="utf-8")
    _pip(folder, listed)


def _npm(folder: Path, needs: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise FileNotFoundError("npm is not on PATH")
    shutil.copy(needs, folder / needs.name)
    _run(npm, "install", "--no-audit", "--no-fund", "--loglevel=error", cwd=folder)


_MAKE = {".json": _npm, ".toml": _own, ".txt": _pip}
"""How an environment is made, by the ending of the file that says what belongs into it."""


def _run(*command: str | Path, cwd: Path | None = None) -> None:
    subprocess.run(command, check=True, cwd=cwd, capture_output=True, text=True, timeout=600)


def main(names: Sequence[str] = tuple(NEEDS)) -> int:
    """Build all, two at a time; 1 if one could not be built."""
    CLIENTS.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(2) as pool:
        for line in pool.map(_build, names):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    return int(any(map(failure, names)))


if __name__ == "__main__":
    raise SystemExit(main())
