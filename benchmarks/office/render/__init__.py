"""From a ledger to the rows of a world."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any

from benchmarks.office.ledger import Ledger
from benchmarks.office.render import apps
from benchmarks.office.render.mailbox import mailbox
from benchmarks.office.render.texts import Texts

__all__ = ("APPS", "Rendered", "Texts")

_Tables = Mapping[str, list[dict[str, Any]]]

APPS: dict[str, Callable[[Texts], _Tables]] = {
    "gmail": mailbox,
    "calendar": apps.calendar,
    "chat": apps.chat,
    "todoist": apps.todoist,
    "crm": apps.crm,
    "filesystem": apps.filesystem,
    "simple_note": apps.simple_note,
    "directory": apps.directory,
}
"""What makes the rows of each app."""


class Rendered(Mapping[str, _Tables]):
    """App -> table -> rows, where `now` is that day; those of an app are made when it is first asked for."""

    def __init__(self, ledger: Ledger, today: date) -> None:
        self._texts = Texts(ledger, today)
        self._made: dict[str, _Tables] = {}

    def __getitem__(self, app: str) -> _Tables:
        if app not in self._made:
            self._made[app] = APPS[app](self._texts)
        return self._made[app]

    def __iter__(self) -> Iterator[str]:
        return iter(APPS)

    def __len__(self) -> int:
        return len(APPS)
