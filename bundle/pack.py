"""`make bundle`: a `.mcpb` for one-click installation, with sources only; the host resolves what they need.

The same sources give the same bytes.
"""

from __future__ import annotations

import argparse
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

__all__ = ("pack",)

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("servers", "harness", "benchmarks", "userssim")
BESIDE = ("pyproject.toml", "README.md", "LICENSE")
KINDS = (".py", ".j2", ".yaml", ".json", ".jsonl", ".md", ".txt", ".typed")
"""What an installed package consists of, as in `package-data`."""
_EPOCH = (1980, 1, 1, 0, 0, 0)


def pack(folder: Path) -> Path:
    """Write the bundle into a folder and give its path."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{project['name']}-{project['version']}.mcpb"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, source in _sources():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            bundle.writestr(entry, source.read_bytes())
    return path


def _sources() -> Iterator[tuple[str, Path]]:
    yield "manifest.json", ROOT / "bundle" / "manifest.json"
    for name in BESIDE:
        yield name, ROOT / name
    for room in ROOMS:
        for source in sorted((ROOT / room).rglob("*")):
            if source.suffix in KINDS:
                yield source.relative_to(ROOT).as_posix(), source


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist", help="where to put it (dist)")
    print(pack(options.parse_args().folder))  # noqa: T201 (the path is this program's result)
