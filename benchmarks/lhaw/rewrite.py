"""Taking a value out of a request, at three severities (LHAW appendix D.3), by the phrases of `phrases.yaml`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import yaml

from harness.task import Slot

__all__ = ("SEVERITIES", "Severity", "Unnatural", "rewrite")

Severity = Literal["delete", "vagify", "genericize"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)

_OPEN, _CLOSE = "\"'\u201c\u2018", "\"'\u201d\u2019"


class Unnatural(Exception):
    """No phrase of that severity leaves a sound sentence; the text says which slot and request."""


@cache
def _phrases() -> Mapping[str, Any]:
    text = (Path(__file__).parent / "phrases.yaml").read_text(encoding="utf-8")
    loaded: Mapping[str, Any] = yaml.safe_load(text)
    return loaded


def rewrite(request: str, slots: Sequence[Slot], severity: Severity) -> str:
    """The request without the values of `slots`. What is left does not depend on those values.

    Raises `Unnatural` where a value does not occur exactly once, or no phrase fits.
    """
    for slot in slots:
        request = _without(request, slot, severity)
    return _tidy(request)


def _without(request: str, slot: Slot, severity: Severity) -> str:
    value = rf"[{_OPEN}]?(?<![\w@]){re.escape(slot.text)}(?![\w@])[{_CLOSE}]?(?!\w)"
    if len(re.findall(value, request)) != 1:
        raise Unnatural(f"{slot.text!r} ({slot.name}) should occur exactly once in {request!r}")
    for rule in _rules(slot, severity):
        left, found = re.subn(rule["match"].replace("{v}", f"(?:{value})"), rule["by"], request)
        if found == 1 and _dangling(_tidy(left)) <= _dangling(_tidy(request)):
            return left
    raise Unnatural(f"no {severity} phrase for {slot.text!r} ({slot.name}) leaves a sound sentence of {request!r}")


def _rules(slot: Slot, severity: Severity) -> list[Mapping[str, str]]:
    """Rules for the kind and role, then for the kind; those for any kind where it has none of its own."""
    book = _phrases()[severity]
    keys = [key for key in (f"{slot.kind}/{slot.role}", slot.kind) if key in book]
    return [_rule(rule) for key in keys or ["any"] for rule in book[key]]


def _rule(rule: str | Mapping[str, str]) -> Mapping[str, str]:
    """A bare phrase stands in the value's own place."""
    return {"match": "{v}", "by": rule} if isinstance(rule, str) else rule


def _dangling(text: str) -> int:
    """How many words want a complement, or stand beside one that they do not go with."""
    return sum(len(re.findall(pattern, text)) for pattern in _phrases()["dangling"])


def _tidy(text: str) -> str:
    """White space, articles, capitals and the full stop as they should be."""
    text = re.sub(r"\s+([,.;:?!])", r"\1", re.sub(r"\s+", " ", text)).strip()
    text = re.sub(r"[,.]+(?=[.;?!])", "", text)
    text = re.sub(r"\b([Aa]) (?=[aeiou](?!ne\b|ni|se))", r"\1n ", text)
    text = re.sub(r"\b([Aa])n (?=[^aeiouh\W])", r"\1 ", text)
    text = re.sub(r"(^|[.!?] )([a-z])", lambda match: match[1] + match[2].upper(), text)
    return text if re.search(rf"[.?!][{_CLOSE})]?$", text) else f"{text}."
