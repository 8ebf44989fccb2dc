"""What `pip install -e PACKAGE` does, without a network or a build: metadata and a link in a folder on the path.

Also a program, which stands in for `pip` where a page of the documents calls it: `install.py SITE install -e PACKAGE`.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

__all__ = ("install",)


def install(package: Path, site: Path) -> None:
    """Make a package found through `site`, a folder on the import path, as its `pyproject.toml` says."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))
    name, version = project["project"]["name"], project["project"]["version"]
    metadata = site / f"{name.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = project["project"]["entry-points"].items()
    lines = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in points.items()) for group, points in groups
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines))
    for module in project["tool"]["setuptools"]["packages"]:
        (site / module).symlink_to((package / module).resolve())


if __name__ == "__main__":
    site, *arguments = sys.argv[1:]
    assert arguments[:2] == ["install", "-e"], f"a pip that only knows `install -e`, not {arguments}"
    for package in arguments[2:]:
        install(Path(package), Path(site))
        sys.stdout.write(f"Successfully installed {package}\n")
