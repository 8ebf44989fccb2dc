"""The files of the page itself, which lie in the package."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

__all__ = ("INDEX", "KINDS", "page", "static")

STATIC = Path(__file__).with_name("static")

INDEX = "index.html"

KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/plain; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
"""Ends of names -> content types; no other file is part of the page."""

_SOURCE = re.compile(r'(<meta name="harness-source" content=")[a-z]*(">)')


def static() -> Mapping[str, Path]:
    """Names as the page has them, `js/app.js`, and where each file lies."""
    return {
        path.relative_to(STATIC).as_posix(): path
        for path in sorted(STATIC.rglob("*"))
        if path.suffix in KINDS and path.is_file()
    }


def page(source: Literal["server", "folder"]) -> str:
    """The page, told where its data come from."""
    return _SOURCE.sub(rf"\g<1>{source}\g<2>", (STATIC / INDEX).read_text(encoding="utf-8"), count=1)
