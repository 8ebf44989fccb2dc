"""Our entries in a client's text: which are ours, how they come in, and how they go without a trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from harness.connect.clients import Client
from harness.connect.edit import drop, put
from harness.connect.jsontext import BOM, parse
from harness.connect.problem import ConnectProblem

__all__ = ("PREFIX", "added", "ours", "removed", "servers")

PREFIX = "sandbox-"


def servers(text: str, keys: Iterable[str], *, comments: bool) -> dict[str, Any]:
    """The servers that a text holds under `keys`; none if there is no such object. Raises `NotJson`."""
    if not text.removeprefix(BOM).strip(" \t\r\n"):
        return {}
    found = parse(text, comments=comments).value
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def ours(name: str, entry: Any) -> bool:
    """Whether an entry starts `harness serve` for the app that its name says."""
    arguments = entry.get("args") if isinstance(entry, dict) else None
    if not name.startswith(PREFIX) or not isinstance(arguments, list):
        return False
    return any(pair == ("serve", name.removeprefix(PREFIX)) for pair in pairwise(arguments))


def added(text: str, client: Client, entries: Mapping[str, Mapping[str, Any]]) -> str:
    """The text with these entries; what a person added to one of them stays.

    Raises `NotJson`, and `ConnectProblem` if another server has one of the names.
    """
    held = servers(text, (client.key,), comments=client.comments)
    for name, entry in entries.items():
        if name not in held:
            text = put(text, (client.key, name), dict(entry), comments=client.comments)
            continue
        if not ours(name, held[name]):
            raise ConnectProblem(
                f"there is already a server {name!r} that is not one of ours; rename or remove it first"
            )
        for field, value in entry.items():
            text = put(text, (client.key, name, field), value, comments=client.comments)
    return text


def removed(text: str, client: Client, names: Iterable[str], earlier: Iterable[str]) -> str | None:
    """The text without those of our entries; None if it never was more than them.

    `earlier` are the texts of backups, newest first. Where adding the entries to one of them gives this
    very text, it is what to go back to: an edit alone could not tell `{}` from a missing key.
    """
    held = servers(text, (client.key,), comments=client.comments)
    entries = {name: held[name] for name in held if name in set(names) and ours(name, held[name])}
    if not entries:
        return text
    for before in (*earlier, None):
        start = before or ""
        try:
            there = servers(start, (client.key,), comments=client.comments)
            if not entries.keys() & there.keys() and added(start, client, entries) == text:
                return before
        except ConnectProblem:
            continue  # not a text that we ever added to
    for name in entries:
        text = drop(text, (client.key, name), comments=client.comments)
    return text
