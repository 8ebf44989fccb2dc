"""Mail whose table has grown: the same tools over rows with more fields, each with a default."""

from __future__ import annotations

import importlib
import shutil
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

__all__ = ("DEFAULTS", "grow")

_LAST = "    cc: list[str] = Field(default=[])\n"
_MORE = """\
    labels: list[str] = Field(default=[])
    priority: int = 3
    snoozed_until: str | None = None
"""

DEFAULTS = {"gmail.emails": {"starred": False, "cc": [], "labels": [], "priority": 3}}
"""What a record of a new mail says of the grown table."""


def grow(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let `servers.gmail` be that app from now on, wherever it is asked for, until the patch is undone."""
    found = importlib.import_module("servers.gmail")
    home = Path(shutil.copytree(Path(str(found.__file__)).parent, folder / "gmail"))
    tables = home / "tables.py"
    text = tables.read_text(encoding="utf-8")
    assert text.count(_LAST) == 1, "the table ends otherwise now: say here where"
    tables.write_text(text.replace(_LAST, _LAST + _MORE), encoding="utf-8")
    for name in [name for name in sys.modules if name.startswith("servers.gmail.")]:
        patch.delitem(sys.modules, name)
    spec = spec_from_file_location("servers.gmail", home / "__init__.py", submodule_search_locations=[str(home)])
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    patch.setitem(sys.modules, "servers.gmail", module)
    spec.loader.exec_module(module)
