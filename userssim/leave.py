"""Leave to act: given for what was asked for, and refused where a question would do away with anything else."""

from __future__ import annotations

import re
from typing import Final

from userssim.wish import Wish
from userssim.wording import APOSTROPHE

__all__ = ("GO_ON", "NOT_ASKED", "NO_MORE", "adds", "asks_leave", "beyond", "unquoted")

GO_ON: Final = "Yes, go ahead with what I asked for."
"""What is said to "Shall I go ahead?": leave for what was asked for, whatever else the agent has in mind."""

NOT_ASKED: Final = "No, I did not ask for that. Only if it is part of what I did ask for."
"""What is said then. A long request may leave to its papers what is done away with, which the user does not have."""

NO_MORE: Final = "Just what I asked for, please."
"""What is said to "Shall I tell them, too?": leaving it to the agent would be leave."""

_ENDS: Final = (
    "delete", "remove", "erase", "discard", "purge", "wipe", "cancel", "withdraw", "scrap", "trash", "unsubscribe",
    "destroy", "overwrite", "archive", "reject", "truncate", "terminate",
)  # fmt: skip
_STEMS: Final = "|".join(verb.removesuffix("e") for verb in _ENDS)
_OBJECT: Final = r"(?:[\w'-]+ ){0,4}"
_EMPTIES: Final = (
    r"\bempty(?:ing)?(?= (?:out|the|this|that|these|those|your|my|his|her|their|our|all) )"
    rf"|\bclear(?:ing)?(?= {_OBJECT}out\b)|\bclos(?:e|ing)(?= {_OBJECT}accounts?\b)"
    rf"|\bdrop(?:ping)?(?= {_OBJECT}(?:tables?|columns?|rows?|records?|indexe?s?|views?|schemas?|databases?)\b)"
)
"""The same of verbs that mean other things too: a deal is closed, and a slot is empty."""

_DOES: Final = re.compile(
    rf"\b(?<!the )(?<!an )(?:{'|'.join(_ENDS)})\b|\b(?:{_STEMS})[lp]?ing\b"
    rf"|\b(?:be|get|have|want) (?:[\w'-]+ ){{0,4}}(?:{_STEMS})(?:[lp]?ed|t?en|n)\b"
    rf"|\bget(?:ting)? rid of\b|\bthrow(?:ing)? {_OBJECT}(?:away|out)\b|{_EMPTIES}",
    re.IGNORECASE,
)
"""That somebody does away with something; not that it was done ("Kofi has deleted an appointment")."""

_WANTED: Final = re.compile(
    rf"\b(?:{_STEMS}|clear(?:ed|ing)?\b|drop|dismiss|empt|vanish|disappear|los(?:e|es|ing)\b|prun|tid[yi]"
    r"|clean(?:ed|ing)? up|stop(?:s|ped)? holding|superfluous|duplicate|twice|goes?[.;,:]|gone\b|rid\b"
    r"|off the (?:list|calendar|board)|no (?:more|longer)\b|nothing (?:left|new)\b|(?:are|is|called) off\b|must go\b"
    rf"|(?:take|throw) (?:[\w'-]+ ){{0,3}}(?:away|out|off|down)\b)|{_EMPTIES}",
    re.IGNORECASE,
)
"""That a wish may mean to do away with something, in whatever words."""

_WH: Final = r"(?:what|which|who|whose|whom|when|how)\b"
_INVERTED: Final = rf"\b(?:shall|should|may|can|could|do) I\b(?! (?:also )?(?:ask|know) (?:\w+ )?{_WH})"
"""What asks leave; "May I ask which ...?" does not."""
_MAY: Final = rf"(?:{_INVERTED}|\b(?:want|like) me to\b)"

_JOINS: Final = r"(?:and|or|but|if|when|while|before|after|since|because|then|at|by|for|from|in|on|to|with)\b"
_BESIDES: Final = re.compile(
    rf"\b(?:also(?!,? (?:{_INVERTED}|(?:do|would) you\b))|as well(?! as\b)|too(?=\s*(?:\Z|[^\w\s]|{_JOINS}))|likewise"
    rf"|while (?:I|we)(?:{APOSTROPHE}m|{APOSTROPHE}re| am| are)? (?:at|about|on)\b"
    rf"|since (?:I|we)(?:{APOSTROPHE}m|{APOSTROPHE}re| am| are) (?:at it|there)\b|in the same run|on the safe side"
    r"|in addition(?! to)|additionally|on top of (?:that|this|it)|for (?:safety|security|tidiness|good measure)"
    r"|to tidy up)\b",
    re.IGNORECASE,
)
"""That it is done beside something else, which is what was asked for; not "too many", nor an "also" that begins a
question ("Also, shall I ...?", "Also, would you like ...?")."""

_THING: Final = re.compile(
    rf"(?:{_DOES.pattern})"
    r"(?: (?!(?:and|or|but|if|as|when|once|before|after|then|with|to|on|for|so|from|in)\b)[\w'-]+){0,5}?"
    r" (account|profile|backup|database|table|column|director(?=y|ies)|folder|contract)",
    re.IGNORECASE,
)
"""What is done away with, where that is a thing by itself, which a wish would name."""

_ASKS: Final = re.compile(rf"{_MAY}|\bmind (?:if I|me|my)\b", re.IGNORECASE)
_WOULD: Final = re.compile(
    rf"\b(?:I(?: would| could| will|{APOSTROPHE}(?:d|ll))|might I|am I allowed)\b", re.IGNORECASE
)
"""What whoever asks leave would do: words that ask for none by themselves."""
_OFFERS: Final = re.compile(r"\b(?:would you (?:also )?like|do you (?:also )?(?:want|need))\b", re.IGNORECASE)
"""That something is offered: with words for something besides, as good as leave to do that."""
_CLAUSE: Final = re.compile(r"[.;:?!]|, (?:and|or) ")
_WHICH: Final = re.compile(rf"\b{_WH}", re.IGNORECASE)

_TELL: Final = (
    r"(?:e-?mail|mail|write to|send|notify|inform|tell|message|let \w+ know|forward|cc|invite|remind|warn|call|ring"
    r"|phone|thank)\b"
)
_TOLD: Final = re.compile(
    r"\b(?:shall|should|must|do|does) (?:[\w'-]+ ){1,3}?(?:(?:have |need |want |like )?(?:to )?be |get )?"
    r"(?:told|informed|notified|invited|messaged|e?-?mailed|cc'?ed|reminded|warned|thanked|hear|know"
    r"|(?:get|receive|have) (?:an?|the|this|that) (?:[\w'-]+ )?(?:e-?mail|mail|copy|message|note|line|letter|invitation"
    r"|reminder|word|call))\b",
    re.IGNORECASE,
)
"""That somebody is told, with whoever tells them left out."""
_ADDED: Final = (
    (
        re.compile(rf"{_MAY} (?:\w+ ){{0,2}}{_TELL}", re.IGNORECASE),
        r"\b(?:e-?mail|mail|writ|wrot|sen[dt]|notif|inform|t[eo]ll?d?\b|messag|know|forward|invit|remind|warn|cc\b"
        r"|repl|answer|ask|thank|call|ring|phon|word|line to|note to|announc|post|hear|meet|talk|with\b)",
    ),
    (
        re.compile(rf"{_MAY} (?:\w+ ){{0,2}}(?:move|shift|reschedule|postpone)\b", re.IGNORECASE),
        r"\b(?:mov|shift|reschedul|postpon|push|put|forward|later|earlier|chang|instead|new (?:time|day|date)|becom"
        r"|switch|swap|slip|delay|hand|giv|pass|tak|transfer|assign|belong|should be)",
    ),
)
"""That leave is asked to write to somebody, or to put something elsewhere; and that a wish may mean to."""

_QUOTED: Final = re.compile(r'"[^"]*"|“[^”]*(?:”|(?P<unclosed>\Z))')
_STRAIGHT: Final = re.compile(r'"[^"]*"')


def asks_leave(question: str) -> bool:
    """Whether a question asks leave by its very words ("Shall I ...?"), and not what to do it with."""
    return any(_asked_for(part, _ASKS) for part in _CLAUSE.split(question))


def adds(question: str, wish: Wish, *, leave: bool) -> bool:
    """Whether leave is asked to do something besides, or to write or move something as nothing in the wish means to.

    To do something besides may be offered ("Would you like ... as well?"), or said of whoever would be told ("Should Bo
    hear of it, too?"). `leave`: that leave is asked was heard, in whatever words. Of the questions to train on it takes
    38 of the 277 that ask leave that is not to be given though no value in them is wrong, and 13 of the 1,886 that is,
    mostly with values that are confirmed anyway: for something besides it takes 36 and two.
    """
    asked, meant = unquoted(question), unquoted(wish.full)
    clauses = _CLAUSE.split(asked)
    asking = [part for part in clauses if _asked_for(part, _ASKS) or (leave and _WOULD.search(part))]
    offers = [part for part in clauses if _asked_for(part, _OFFERS) or _asked_for(part, _TOLD)]
    if any(map(_BESIDES.search, (*asking, *offers))):
        return True
    return any(
        not re.search(may, meant, re.IGNORECASE) and any(_asked_for(part, act) for part in clauses)
        for act, may in _ADDED
    )


def beyond(question: str, wish: Wish) -> bool:
    """Whether a question is about doing away with something, and nothing in the wish as meant is, or with more.

    Of the questions to train on (docs/clarification.md) 1,886 want leave that is to be given, of which it takes two
    to go beyond the wish, and 277 leave that is not though no value in them is wrong, of which it knows one in twelve.
    """
    asked = unquoted(question)
    if not _DOES.search(asked):
        return False
    if _BESIDES.search(asked) or not _WANTED.search(unquoted(wish.full)):
        return True
    thing = _THING.search(asked)
    return bool(thing and not re.search(rf"\b{thing[1]}", f"{wish.full} {wish.sent}", re.IGNORECASE))


def _asked_for(clause: str, act: re.Pattern[str]) -> bool:
    """Whether a clause asks to do something, and not which ("When shall I ...?")."""
    found = act.search(clause)
    return bool(found and not _WHICH.search(clause, 0, found.start()))


def unquoted(text: str) -> str:
    """A text without what stands in quotes; behind a mark that is never closed, it is read like the rest."""
    return _QUOTED.sub(lambda found: _STRAIGHT.sub(" ", found[0]) if found["unclosed"] is not None else " ", text)
