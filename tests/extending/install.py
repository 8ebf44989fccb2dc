"""What `pip install -e PACKAGE` does, without a network or a build: metadata and a link in a folder on the path.

Also a program, which stands in for `pip` where a page of the documents calls it: `install.py SITE install -e PACKAGE`.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

__all__ = ("announce", "install", "install_pytest_plugin")

ROOT = Path(__file__).parents[2]


def install(package: Path, site: Path) -> None:
    """Make a package found through `site`, a folder on the import path, as its `pyproject.toml` says."""
    project = _project(package)
    _metadata(site, project["name"], project["version"], project["entry-points"])
    modules = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    for module in modules:
        (site / module).symlink_to((package / module).resolve())


def announce(site: Path) -> None:
    """Make our own package known through `site`, as its `pyproject.toml` has it; its modules are found elsewhere."""
    project = _project(ROOT)
    _metadata(site, project["name"], project["version"], project["entry-points"])


def install_pytest_plugin(site: Path) -> None:
    """Announce our pytest plugin as our own installed package does; a checkout may be installed from before it."""
    points = _project(ROOT)["entry-points"]
    _metadata(site, "workplace-harness-plugin", "0", {"pytest11": points["pytest11"]})


def _project(package: Path) -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def _metadata(site: Path, name: str, version: str, entry_points: dict[str, dict[str, str]]) -> None:
    folder = site / f"{name.replace('-', '_')}-{version}.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in points.items())
        for group, points in entry_points.items()
    ]
    (folder / "entry_points.txt").write_text("\n".join(groups))


if __name__ == "__main__":
    site, *arguments = sys.argv[1:]
    assert arguments[:2] == ["install", "-e"], f"a pip that only knows `install -e`, not {arguments}"
    for package in arguments[2:]:
        install(Path(package), Path(site))
        sys.stdout.write(f"Successfully installed {package}\n")
