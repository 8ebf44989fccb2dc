"""Mail whose table has grown: the same tools over rows with more fields, each with a default."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

__all__ = ("DEFAULTS", "grow")

_LAST = "    body: Dated\n\n\nclass Mail("
_MORE = """\
    body: Dated
    starred: bool = False
    labels: list[str] = []
    priority: int = 3
    snoozed_until: str | None = None


class Mail("""

DEFAULTS = {"gmail.emails": {"starred": False, "labels": [], "priority": 3}}
"""What a record of a new mail says of the grown table."""


def grow(patch: pytest.MonkeyPatch) -> None:
    """Let `servers.gmail` be that app from now on, wherever it is asked for, until the patch is undone."""
    found = importlib.import_module("servers.gmail")
    text = Path(str(found.__file__)).read_text(encoding="utf-8")
    assert text.count(_LAST) == 1, "the table ends otherwise now: say here where"
    module = ModuleType("servers.gmail")
    patch.setitem(sys.modules, "servers.gmail", module)  # pydantic looks there for names in annotations
    exec(compile(text.replace(_LAST, _MORE), str(found.__file__), "exec"), module.__dict__)
