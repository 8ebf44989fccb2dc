"""Servers that a client holds beside ours and that look like the real thing.

With both on, a model may act on the real account. `lookalikes.json` lists, for every app and under `*` for all,
words to look for; an app that is not in it is looked for by its own name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from harness.connect.merge import ours

__all__ = ("lookalikes", "patterns")


def patterns() -> dict[str, list[str]]:
    """Words to look for, by app."""
    found: dict[str, list[str]] = json.loads(Path(__file__).with_name("lookalikes.json").read_text(encoding="utf-8"))
    return found


def lookalikes(apps: Iterable[str], servers: Mapping[str, Any]) -> dict[str, list[str]]:
    """The apps that a server may be the real one of, by the server's name. Ours are left out."""
    known = patterns()
    found: dict[str, list[str]] = {}
    for name, entry in servers.items():
        if ours(name, entry):
            continue
        words = _words(name, entry)
        alike = [app for app in apps if any(f" {_plain(p)} " in words for p in known.get(app, [app]) + known["*"])]
        if alike:
            found[name] = alike
    return found


def _words(name: str, entry: Any) -> str:
    """Name, command, arguments, address and names of variables; their values may be secrets."""
    parts = [name]
    if isinstance(entry, dict):
        parts += [each for key in ("command", "url", "serverUrl") if isinstance(each := entry.get(key), str)]
        for key in ("args", "env"):
            several = entry.get(key)
            parts += [each for each in several if isinstance(each, str)] if isinstance(several, list | dict) else []
    return f" {' '.join(_plain(part) for part in parts)} "


def _plain(text: str) -> str:
    """Lower-case words: `googleCalendar`, `google-calendar` and `google_calendar` are the same."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return " ".join(re.findall(r"[a-z0-9]+", apart.lower()))
