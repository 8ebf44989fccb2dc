from __future__ import annotations

from pathlib import Path

import pytest

from harness.view import files
from tests.cli.conftest import call, config

__all__ = ("call", "config")

PAGE = '<!doctype html>\n<meta name="harness-source" content="server">\n<script src="js/app.js"></script>\n'


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of a few files in place of the one that comes with the package."""
    folder = tmp_path / "static"
    for name, text in {
        "index.html": PAGE,
        "js/app.js": "void 0;",
        "css/base.css": "p {}",
        "vendor/LICENSE-x.txt": "MIT",
        "vendor/thing.map": "{}",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.setattr(files, "STATIC", folder)
    return folder
