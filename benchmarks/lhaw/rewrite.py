"""Taking values out of a request, at three severities (LHAW appendix D.3), by rules in two files.

`phrases.yaml` goes by the kind and role of a value and serves any request; `workflow_phrases.yaml` has rules for slots
of single templates, which stand instead of those.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from harness.task import Slot
from servers.kernel import own_yaml

__all__ = ("GAPS", "SEVERITIES", "Gap", "Rewritten", "Severity", "Unnatural", "crowded", "rewrite", "ways")

Severity = Literal["delete", "vagify", "genericize"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
Gap = Literal["shown", "default", "hidden"]
"""What a sentence shows of what it lacks; `default` where something can honestly be supposed."""
GAPS: tuple[Gap, ...] = get_args(Gap)

_OPEN, _CLOSE = "\"'\u201c\u2018", "\"'\u201d\u2019"


class Unnatural(Exception):
    """No phrase of that severity leaves a sound sentence; the text says which slot and request."""


class Rewritten(NamedTuple):
    """What is left of a request, and what it lost.

    `withheld` are the slots with the text that went: with its unit, where the sentence loses that too. `gap` is that of
    the value whose gap shows least.
    """

    request: str
    withheld: tuple[Slot, ...]
    gap: Gap


class _Rule(NamedTuple):
    match: str
    by: Sequence[str]
    gap: Gap = "shown"
    known: bool = False
    """Written for a sentence that is known: no word need be looked for that may have stood for the value."""


@cache
def _phrases(name: str = "phrases.yaml") -> Mapping[str, Any]:
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    loaded: Mapping[str, Any] = own_yaml(text)
    return loaded


def rewrite(
    request: str, slots: Sequence[Slot], severity: Severity, *, task: str = "", template: str = ""
) -> Rewritten:
    """The request without the values of `slots`. What is left does not depend on those values.

    Where there are several phrases, the task's id and the slot's name decide. `template` is the task's: some templates
    have rules of their own. Raises `Unnatural` where a value does not occur exactly once, or no phrase fits.
    """
    withheld: list[Slot] = []
    gaps: list[Gap] = []
    for slot in slots:
        request, lost, gap = next(ways(request, slot, severity, task=task, template=template))
        withheld += lost
        gaps.append(gap)
    return Rewritten(request, tuple(withheld), max(gaps, key=GAPS.index, default="shown"))


def crowded(slots: Sequence[Slot], severity: Severity) -> bool:
    """Whether more than one of their phrases would stand for someone or something that the reader should know."""
    return severity != "delete" and sum(slot.kind in _phrases()["standing"] for slot in slots) > 1


def ways(request: str, slot: Slot, severity: Severity, *, task: str = "", template: str = "") -> Iterator[Rewritten]:
    """The request without the slot's value, by each phrase of the first rule that fits, the one for the task first.

    Raises `Unnatural` as `rewrite` does.
    """
    value = rf"[{_OPEN}]?(?<![\w@]){re.escape(slot.text)}(?![\w@])[{_CLOSE}]?(?!\w)"
    if len(re.findall(value, request)) != 1:
        raise Unnatural(f"{slot.text!r} ({slot.name}) should occur exactly once in {request!r}")
    before = _dangling(_tidy(re.sub(value, "Value", request)))
    for rule in _rules(template, slot, severity):
        places = list(re.finditer(rule.match.replace("{v}", f"(?:{value})"), request))
        if len(places) != 1:
            continue
        (place,) = places
        lost = slot.model_copy(update={"text": place.groupdict().get("lost", slot.text)})
        phrases = _in_turn(rule.by, f"{task} {slot.name} {severity}")
        found = [_tidy(request[: place.start()] + place.expand(by) + request[place.end() :]) for by in phrases]
        sound = [left for left in found if _dangling(left) <= before]
        if fit := [left for left in sound if rule.known or not _orphaned(left, slot, severity)]:
            yield from (Rewritten(left, (lost,), rule.gap) for left in fit)
            return
    raise Unnatural(f"no {severity} phrase for {slot.text!r} ({slot.name}) leaves a sound sentence of {request!r}")


def _in_turn(phrases: Sequence[str], key: str) -> Sequence[str]:
    """All of them, from the one that the key draws."""
    first = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]) % len(phrases)
    return [*phrases[first:], *phrases[:first]]


def _rules(template: str, slot: Slot, severity: Severity) -> list[_Rule]:
    """Rules for the slot in its template; where it has none there, those for any request."""
    own = _phrases("workflow_phrases.yaml").get(template, {}).get(slot.name, {}).get(severity)
    return _general(slot, severity) if own is None else [_rule(rule)._replace(known=True) for rule in own]


def _general(slot: Slot, severity: Severity) -> list[_Rule]:
    """Rules for the kind and role, then for the kind; those for any kind where it has none of its own.

    Where a list is empty nothing fits, and what follows is not tried.
    """
    book = _phrases()[severity]
    keys = _keys(slot, book) or ["any"]
    return [_rule(rule) for key in keys for rule in book[key]] if book[keys[0]] else []


def _keys(slot: Slot, book: Mapping[str, Any]) -> list[str]:
    return [key for key in (f"{slot.kind}/{slot.role}", slot.kind) if key in book]


def _rule(rule: str | Sequence[str] | Mapping[str, Any]) -> _Rule:
    """A bare phrase, or one of several, stands in the value's own place."""
    if not isinstance(rule, Mapping):
        rule = {"match": "{v}", "by": rule}
    by = rule["by"]
    return _Rule(rule["match"], [by] if isinstance(by, str) else by, rule.get("gap", "shown"))


def _orphaned(left: str, slot: Slot, severity: Severity) -> bool:
    """Whether a deletion leaves words that stand for the value."""
    book = _phrases()["refers"]
    return severity == "delete" and any(re.search(book[key], left) for key in _keys(slot, book)[:1])


def _dangling(text: str) -> int:
    """How many words want a complement, or stand beside one that they do not go with."""
    return sum(len(re.findall(pattern, text)) for pattern in _phrases()["dangling"])


def _tidy(text: str) -> str:
    """White space, articles, capitals and the full stop as they should be."""
    text = re.sub(r"\s+([,.;:?!])", r"\1", re.sub(r"\s+", " ", text)).strip()
    text = re.sub(r"[,.]+(?=[.;?!])", "", text)
    text = re.sub(r"\b([Aa]) (?=[aeiou](?!ne\b|ni|se))", r"\1n ", text)
    text = re.sub(r"\b([Aa])n (?=[^aeiouh\W])", r"\1 ", text)
    text = re.sub(r"(^|(?<!\b[ap]\.m)[.!?] )([a-z])", lambda match: match[1] + match[2].upper(), text)
    return text if re.search(rf"[.?!][{_CLOSE})]?$", text) else f"{text}."
