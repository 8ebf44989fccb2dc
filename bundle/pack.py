"""`make bundle`: a `.mcpb` for one-click installation, with sources only; the host resolves what they need.

The same sources give the same bytes.
"""

from __future__ import annotations

import argparse
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

__all__ = ("pack",)

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("servers", "harness", "benchmarks", "userssim")
BESIDE = ("pyproject.toml", "README.md", "LICENSE")
_EPOCH = (1980, 1, 1, 0, 0, 0)


def pack(folder: Path) -> Path:
    """Write the bundle into a folder and give its path."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project, data = settings["project"], settings["tool"]["setuptools"]["package-data"]["*"]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{project['name']}-{project['version']}.mcpb"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, source in _sources(("*.py", *data)):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            bundle.writestr(entry, source.read_bytes())
    return path


def _sources(kinds: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Names in the bundle and the files to put there: of the packages, what an installation has too."""
    yield "manifest.json", ROOT / "bundle" / "manifest.json"
    for name in BESIDE:
        yield name, ROOT / name
    for room in ROOMS:
        for source in sorted((ROOT / room).rglob("*")):
            if any(fnmatch(source.name, kind) for kind in kinds):
                yield source.relative_to(ROOT).as_posix(), source


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist", help="where to put it (dist)")
    print(pack(options.parse_args().folder))  # noqa: T201 (the path is this program's result)
