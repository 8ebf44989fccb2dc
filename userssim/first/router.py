"""Which facts is a question about? Decided by the wordings in `cues.yaml`, without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from userssim.first.parse import Clause, clauses, cues, normalise
from userssim.first.saying import said_of
from userssim.wish import Known

__all__ = ("Routed", "route")


class Routed(NamedTuple):
    """What a question is about.

    `targets` are the facts it asks for, in the order given; `guessed` those of them whose value it names.
    `generic` asks whether anything is missing, `fishing` for all there is. `rest`: it also asks for something else.
    """

    targets: tuple[Known, ...] = ()
    guessed: tuple[Known, ...] = ()
    generic: bool = False
    fishing: bool = False
    rest: bool = False


class _Hit(NamedTuple):
    """A cue found: what it may stand for, and where."""

    start: int
    end: int
    kinds: frozenset[str]


def route(question: str, facts: Sequence[Known], request: str = "") -> Routed:
    """Match a question to the facts it asks for.

    Deterministic. Values serve to spot a guess, and to see what the full `request` says of a person.
    """
    flat = normalise(question)
    if _any(cues()["probes"]["fishing"]).search(flat):
        return Routed(fishing=True)
    mentioned = {fact.id for fact in facts if _names(question, fact)}
    found: set[str] = set()
    guessed: set[str] = set()
    rest = False
    for clause in clauses(question):
        matched = {fact.id for fact in facts if _asks(clause, fact)}
        if not any(kind.startswith("person/") for hit in _hits(clause) for kind in hit.kinds):
            matched |= {fact.id for fact in facts if fact.kind == "person" and said_of(clause, fact, request)}
        if clause.guesses:
            named = {id for id in mentioned if matched <= {id} or id in matched}
            guessed |= named
            matched |= named if not matched else set()
        found |= matched
        rest = rest or not matched
    targets = tuple(fact for fact in facts if fact.id in found)
    generic = not targets and bool(_any(cues()["probes"]["generic"]).search(flat))
    return Routed(targets, tuple(f for f in targets if f.id in guessed), generic, False, rest)


def _asks(clause: Clause, fact: Known) -> bool:
    kinds = frozenset().union(*(hit.kinds for hit in _hits(clause)))
    if fact.kind == "person":
        roles = {kind for kind in kinds if kind.startswith("person/")}
        named = f"person/{fact.role}" in roles or "person/*" in roles or (roles and fact.role not in cues()["roles"])
    else:
        named = fact.kind in kinds
    return (bool(named) or _own_words(clause, fact)) and not _another(clause, fact)


def _another(clause: Clause, fact: Known) -> bool:
    """Whether the clause means another of several: it asks for the second, or only mentions the first."""
    ordinals = cues()["ordinals"]
    own = set(fact.role.split()) & set(ordinals)
    if not own:
        return False
    asked, said = (
        {word for word in ordinals if re.search(rf"\b{word}\b", text)} for text in (clause.focus, clause.text)
    )
    return not own & asked if asked else bool(own & said)


def _own_words(clause: Clause, fact: Known) -> bool:
    """Whether the clause asks for a thing by the very name of its role or kind ("what is the traffic source")."""
    known = fact.kind in cues()["kinds"] or fact.role in cues()["roles"]
    words = " ".join((fact.role or fact.kind).split("_"))
    asked = rf"\b(is|are|what|which|specify|tell me|give me|need) the {re.escape(words)}s?$"
    return bool(re.search(asked, clause.text) or (not known and re.search(rf"\b{re.escape(words)}s?\b", clause.focus)))


def _names(question: str, fact: Known) -> bool:
    value = re.escape(fact.value.casefold())
    return len(fact.value) > 2 and bool(re.search(rf"(?<!\w){value}(?!\w)", question.casefold()))


@lru_cache(maxsize=4096)
def _hits(clause: Clause) -> tuple[_Hit, ...]:
    """Cues in a clause. Where two overlap the longer one counts; equal ones share, and objects settle which."""
    text = _any(cues()["decoys"]).sub(lambda match: "_" * len(match[0]), clause.text)
    focus = _any(cues()["decoys"]).sub(lambda match: "_" * len(match[0]), clause.focus)
    offset = text.find(focus) if focus else 0
    hits = sorted(_found(text, focus, max(offset, 0), clause.guesses), key=lambda h: (h.start - h.end, h.start))
    kept: list[_Hit] = []
    for hit in hits:
        over = [k for k in kept if k.start < hit.end and hit.start < k.end]
        if not over:
            kept.append(hit)
        elif all((k.start, k.end) == (hit.start, hit.end) for k in over):
            kept[kept.index(over[0])] = over[0]._replace(kinds=over[0].kinds | hit.kinds)
    return tuple(hit._replace(kinds=_settled(hit.kinds, text)) for hit in kept)


def _settled(kinds: frozenset[str], text: str) -> frozenset[str]:
    objects = {kind: cues()["kinds"].get(kind, {}).get("objects", ()) for kind in kinds}
    meant = frozenset(kind for kind, words in objects.items() if words and _any(words).search(text))
    return meant if len(kinds) > 1 and meant else kinds


def _found(text: str, focus: str, offset: int, guesses: bool) -> Iterator[_Hit]:
    for kind, cue in cues()["kinds"].items():
        yield from _matches(cue.get("nouns", ()), focus, offset, kind)
        yield from _matches(cue.get("phrases", ()), text, 0, kind)
        if guesses:
            yield from _matches(cue.get("values", ()), text, 0, kind)
    for role, cue in cues()["people"].items():
        kinds = [f"person/{own}" for own, answers in cues()["roles"].items() if role in answers]
        for kind in kinds:
            yield from _matches(cue.get("nouns", ()), focus, offset, kind)
            yield from _matches(cue.get("phrases", ()), text, 0, kind)
            if guesses:
                yield from _matches(cue.get("guesses", ()), text, 0, kind)
    bare = re.search(_expand(cues()["bare_who"]), text)
    identified = guesses and re.search(rf"\b({cues()['identify']}) (a |the )?@name(?! 's)", text)
    if bare or identified:
        span = (0, len(text))
        yield _Hit(*span, frozenset({"person/*"}))
        if identified:
            yield _Hit(*span, frozenset(kind for kind, cue in cues()["kinds"].items() if cue.get("identity")))


def _matches(patterns: Sequence[str], text: str, offset: int, kind: str) -> Iterator[_Hit]:
    for pattern in patterns:
        for match in _pattern(pattern).finditer(text):
            yield _Hit(match.start() + offset, match.end() + offset, frozenset({kind}))


def _expand(pattern: str) -> str:
    who = cues()["who"]
    return pattern.replace("@whose", f"(whose|{who} 's)").replace("@who", who)


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    body = _expand(pattern)
    before = "" if body.startswith(("^", "(^", "@")) else r"(?<![\w@])"
    return re.compile(rf"{before}(?:{body})(?!\w)")


def _any(patterns: Sequence[str]) -> re.Pattern[str]:
    return _joined(tuple(patterns))


@cache
def _joined(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(r"(?<!\w)(?:" + "|".join(f"(?:{_expand(pattern)})" for pattern in patterns) + r")(?!\w)")
