"""Whether a message asks for an intent: by rule, sentence by sentence.

A message is read line by line, quotations and code aside. A sentence asks if it ends in a question mark or wants to be
told something ("please confirm which calendar applies"); one that says of nothing in particular what it wants to know
("any preferences?"), offers an explanation or speaks of the benchmark asks for nothing. Of what asks, a unit is made
that has what the question leaves to the words before it: the heading above, the sentence before "which one?", the
question above a list. Words are compared by their stems.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from servers.kernel import Cues

__all__ = ("asks", "interrogative", "particular", "questions", "statements", "stems", "units")


def asks(message: str, cues: Cues, not_cues: Cues = ()) -> bool:
    """Whether one question of the message has a whole group of `cues`, and no group of `not_cues`.

    A cue is a word or a phrase, or several between bars of which one will do (`mail|text`). The first of a group stands
    in the question itself, the others there or in the two sentences before it.
    """
    return any(
        _about(each, cues) and not _has(each.text, not_cues) for unit in _units(message) for each in _clauses(unit)
    )


def particular(message: str) -> str:
    """The message without questions about nothing in particular; empty where nothing else in it asks: a report."""
    rest = "\n".join(
        "".join(each for each in _SENTENCES.findall(line) if not (_OPEN.search(each) and interrogative(each)))
        for line in message.splitlines()
    )
    return rest if "?" in rest or _units(message) else ""


def statements(message: str) -> str:
    """The message without the sentences that ask, and without the lists below them."""
    kept: list[str] = []
    lead = code = False
    for line in message.splitlines():
        fence = bool(_FENCE.match(line))
        code ^= fence
        sentences = _SENTENCES.findall(line)
        if code or fence or not sentences:
            kept.append("" if interrogative(line) else line)
            continue
        if not _ITEM.match(line):
            lead = _leads(sentences)
        elif lead:
            continue
        stated = [each for each in sentences if not interrogative(each)]
        kept.append("".join(stated[:-1] if lead and stated[-1:] == sentences[-1:] else stated).rstrip())
    return "\n".join(kept).strip()


def interrogative(sentence: str) -> bool:
    """Whether a sentence asks; what stands in quotation marks in it does not."""
    own = _QUOTED.sub(" ... ", _EMPHASIS.sub("", sentence)).strip()
    if _ENDS_ASKING.search(own) or _INVERTED.search(own):
        return True
    return bool(_WANTS.search(own)) and not _INVITES.search(own)


class _Unit(NamedTuple):
    """A question with the words that it leaves to what stands before it, and the sentences before it."""

    text: str
    before: str = ""


def units(message: str) -> tuple[str, ...]:
    """What the message asks, each question with the words that it leaves to what stands before it."""
    return tuple(unit.text for unit in _units(message))


def questions(message: str) -> tuple[str, ...]:
    """The same, each behind the sentences before it."""
    return tuple(f"{unit.before} {unit.text}".strip() for unit in _units(message))


@lru_cache(maxsize=1024)
def _units(message: str) -> tuple[_Unit, ...]:
    found: list[_Unit] = []
    heading, lead = _Line("", False, 0), ""
    said: list[str] = []
    items: list[str] = []
    for line in _lines(message):
        sentences = [each.strip() for each in _SENTENCES.findall(line.text) if each.strip()]
        for number, sentence in enumerate(sentences):
            before = said[-1] if said else ""
            if not interrogative(sentence):
                if line.item and lead and not number:
                    found.append(_Unit(f"{lead} {line.text}"))
            elif specific := _specific(sentence):
                if _elliptic(sentence) or _short(before if number else ""):
                    listed = [] if line.item or number else items
                    specific = f"{'; '.join(listed) or before} {specific}"
                if not number and _heads(heading, line):
                    specific = f"{heading.text} {specific}"
                found.append(_Unit(specific, " ".join(said[-_BACK:])))
            said.append(sentence)
        if line.item:
            items.append(line.text)
        else:
            items.clear()
            lead = line.text[-_LONGEST_LEAD:] if _leads(sentences) else ""
        heading = line
    return tuple(found)


class _Line(NamedTuple):
    text: str
    item: bool
    indent: int


def _lines(message: str) -> Iterator[_Line]:
    """Lines with words, without code and quotations; of list items what stands behind the mark."""
    text = _FENCED.sub("\n", unicodedata.normalize("NFKC", message))
    for line in text.splitlines():
        if line.lstrip().startswith(">"):
            continue
        mark = _ITEM.match(line)
        rest = _EMPHASIS.sub("", line[mark.end() :] if mark else line)
        if re.search(r"\w", rest):
            yield _Line(rest.strip(), bool(mark), len(line) - len(line.lstrip()))


def _specific(sentence: str) -> str:
    """What the question is about in particular; empty where it is about nothing."""
    sentence = _OR_ELSE.sub("", sentence)
    if _META.search(sentence) or _OFFERS.search(sentence) or _LOOKS_BACK.search(sentence):
        return ""
    if _OPEN.search(sentence):
        return ""
    if found := _PREFERENCES.search(sentence):
        about = _ABOUT.search(sentence, found.end())
        return about[1] if about else ""
    return sentence


def _elliptic(sentence: str) -> bool:
    """Whether a question has no topic of its own ("Which one should I use?"), or hardly one that points back."""
    words = _words(sentence)
    own = [word for word in words if word not in _LIGHT]
    if not words or not own:
        return bool(words)
    return len(own) <= _FEW and (len(words) <= _FEW or (len(words) <= _SHORT and bool(_BACK_TO & set(words))))


def _short(sentence: str) -> bool:
    """Whether a sentence is a heading in all but form ("Day count.")."""
    return 0 < len(_words(sentence)) <= 3 and not interrogative(sentence)


def _heads(heading: _Line, line: _Line) -> bool:
    """Whether a line is a heading of the next one."""
    if not heading.text or re.search(r"[.!?]$", heading.text) or len(_words(heading.text)) > 6:
        return False
    return not (heading.item and line.item and heading.indent >= line.indent)


def _leads(sentences: Sequence[str]) -> bool:
    """Whether list items below a line are asked for by it: it asks, and for something in particular."""
    last = sentences[-1].strip()
    asking = interrogative(last) or (
        last.endswith(":") and bool(_INTERROGATIVE_WORD.search(last) or _LACKS.search(last))
    )
    return asking and bool(_specific(last)) and not _APPROVES.search(last) and not _PREFERENCES.search(last)


def _clauses(unit: _Unit) -> Iterator[_Unit]:
    """What is asked in one sentence, each with what stands before it there."""
    before = [unit.before]
    for clause in filter(str.strip, _CLAUSE.split(unit.text)):
        yield _Unit(clause, " ".join(before[-_BACK:]))
        before.append(clause)


def _about(unit: _Unit, groups: Cues) -> bool:
    own, whole = _stemmed(unit.text), _stemmed(f"{unit.before} {unit.text}")
    return any(
        _said(group[0], own) and all(_said(cue, whole) for cue in group[1:])
        for group in groups
        if group and _fits(unit.text, group)
    )


def _has(text: str, groups: Cues) -> bool:
    own = _stemmed(text)
    return any(all(_said(cue, own) for cue in group) for group in groups if group)


def _said(cue: str, stemmed: str) -> bool:
    return any(form in stemmed for form in _forms(cue))


@lru_cache(maxsize=4096)
def _forms(cue: str) -> tuple[str, ...]:
    return tuple(_stemmed(form) for form in cue.split("|"))


@lru_cache(maxsize=1024)
def _stemmed(text: str) -> str:
    return f" {' '.join(stems(text))} "


def _fits(unit: str, group: Sequence[str]) -> bool:
    """Whether a question asks for the sort of thing that a group of cues does: for somebody only where that does."""
    return not _WHO.search(unit) or bool({"who", "whom", "whose"} & {word for cue in group for word in _words(cue)})


def _words(text: str) -> list[str]:
    text = unicodedata.normalize("NFKD", text.casefold()).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    text = "".join(sign for sign in text if unicodedata.category(sign) != "Mn")
    return re.findall(r"[^\W_]+", re.sub(r"'(?:s|re|d|ll|ve|m)\b", "", text))


def stems(text: str) -> list[str]:
    """The stems of its words: lower case, no accents, no endings of number, tense or person."""
    return [_stem(word) for word in _words(text)]


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """Two words of one stem are taken for one: `naming`, `names` and `name`; `signed` and `signs`."""
    if not 4 <= len(word) <= _LONGEST_WORD or not word.isalpha():
        return word
    word = re.sub(r"(?:(?<=ss|sh|ch)es|(?<=x)es|(?<!s)(?<!u)(?<!i)s)$", "", word)
    if shorter := re.fullmatch(r"(.*[aeiouy].*)(?:ing|ed)", word):
        word = re.sub(r"([^aeioulsz])\1$", r"\1", shorter[1])
    word = re.sub(r"(?<=.{4})(?:ity|itie|ly)$", "", word)
    return re.sub(r"(?:e|ie|y|i)$", "", word) if len(word) > 3 else word


_BACK_TO: Final = frozenset(re.findall(r"\w+", "it that this these those them both there two latter former"))
_FEW: Final = 2
_SHORT: Final = 12
"""Words of a question that points back to what was said, and those of them that may be about something."""
_BACK: Final = 2
"""Sentences before a question in which its words may stand."""

_LONGEST_LEAD: Final = 1_000
"""Characters at the end of a line that each item of the list below it is read with."""

_LONGEST_WORD: Final = 40
"""Letters of a word; whatever is longer is none."""

_FENCED: Final = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_FENCE: Final = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_ITEM: Final = re.compile(r"\s*(?:[-*\u2022\u2013]|\(?\d{1,2}[.)]|\(?[a-zA-Z][.)]|#{1,6}(?= ))\s+")
_EMPHASIS: Final = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
_SHORTENED: Final = (r"\be\.g", r"\bi\.e", r"\bvs", r"\bcf", r"\bMr", r"\bMs", r"\bDr")
_NOT_SHORTENED: Final = "".join(f"(?<!{each})" for each in _SHORTENED)
_ENDED: Final = rf"(?:[?!\u2026]|{_NOT_SHORTENED}\.)+[\"')\]\u201d\u2019]*(?=\s|$)\s*"
_NEW: Final = "|".join([r"(?<![?!\u2026.])", *(f"(?<={each}[.])" for each in _SHORTENED)])
"""Where marks begin, and not within a row of them: what follows the first of these follows the others, too."""
_SENTENCES: Final = re.compile(rf"\S(?:{_ENDED}|.*?(?:(?:{_NEW}){_ENDED}|$))")
_CLAUSE: Final = re.compile(
    r";|(?<!\w)\(?[a-h1-9]\) |,? and (?=(?:if so,? )?"
    r"(?:who|whom|what|which|how|whether|where|when|is|are|do|does|did|may|should|shall|in what)\b)",
    re.IGNORECASE,
)
"""Where one question in a sentence ends and the next begins."""
_QUOTED: Final = re.compile(r"\"[^\"]{0,500}\"|\u201c[^\u201d]{0,500}\u201d|\u00ab[^\u00bb]{0,500}\u00bb")

_ENDS_ASKING: Final = re.compile(r"\?[\s)\]'\u2019!.]*(?:[^\w\s]{1,3}\s*)?$")
_INVERTED: Final = re.compile(
    r"^\W*(?:(?:ok|okay|so|and|but|also|or) )?"
    r"(?:(?:who|whom|whose|what|which|where|when|how)"
    r"(?: (?!(?:it|i|we|you|this|that|they|s?he)\b)[\w-]+){0,3}? )?"
    r"(?:is|are|was|were|do|does|did|shall|should|can|could|would|will|may)(?: [\w'-]+){2}[^.!?:]*$",
    re.IGNORECASE,
)
"""A question as people type it who leave out its mark: who was in the car."""
_WANTS: Final = re.compile(
    r"\b(?:please|kindly|pls)(?: also| just| first)?"
    r" (?:tell|let|advise|specify|confirm|clarify|indicate|state|supply|name|choose|decide|give|approve|fill)\b"
    r"|(?:^|[,;:\u2013\u2014]\s*|\b(?:so|and|but) )(?:just )?(?:tell me|let me know|confirm|specify|clarify)\b"
    r"|\bI(?:'d| would|'m)?(?: still| also| just)? (?:need|like|have|want) to (?:know|ask|confirm|check|clarify)\b"
    r"|\bI(?: still| also)? (?:need|require)\b[^.]{0,100}\b(?:from you|your (?:answer|decision|confirmation))\b"
    r"|\bwondering (?:which|what|whether|if|who|how)\b",
    re.IGNORECASE,
)
_INVITES: Final = re.compile(
    r"\b(?:let me know|tell me)(?: \w+)? (?:if|when|once|should)\b|^\W*(?:if|should|in case|once|when)\b",
    re.IGNORECASE,
)
_INTERROGATIVE_WORD: Final = re.compile(
    r"^\W*(?:(?:and|so|but|also|first|now) )?"
    r"(?:which|what|who|whom|how|do|does|should|shall|is|are|can|could|would|will)\b",
    re.IGNORECASE,
)

_LACKS: Final = re.compile(r"\bplease\b|\bfrom you\b|\bI(?: still)? (?:need|lack)\b", re.IGNORECASE)

_WHO: Final = re.compile(r"^\W*(?:who|whom|whose)\b(?!.*\b(?:which|what|how|whether|when|where)\b)", re.IGNORECASE)

_META: Final = re.compile(
    r"\buser agent|\buser simulat|\bsimulat\w+ user|\bhidden (?:intent|requirement)|\bintents?\b|\bunresolved\b"
    r"|\bmark(?:ed)?\b[^.?!]{0,100}\b(?:completed?|inferred|provided|satisfied|done|resolved|settled)\b"
    r"|\b(?:grader|evaluator|benchmark|checklist item|system prompt)\b",
    re.IGNORECASE,
)
_OFFERS: Final = re.compile(
    r"\b(?:would you like|do you want|shall|should|can|could|may|want|like|happy|let) (?:me|I)\b[^?]{0,100}?"
    r"\b(?:explain|elaborate|walk you|go (?:over|through|ahead)|discuss|talk (?:you )?through|revisit|double[- ]check"
    r"|re-?check|re-?run|summari[sz]e|proceed|continue)\b"
    r"|^\W*would you like (?:to (?:see|review|discuss|go)|a (?:summary|walk|closer))\b"
    r"|\bdo you want to (?:see|review|discuss)\b"
    r"|\bneed me to\b",
    re.IGNORECASE,
)
_LOOKS_BACK: Final = re.compile(
    r"^\W*(?:(?:and|but|so|by the way,?) )?(?:why\b|how come\b|did you (?:see|get|notice|receive|know)"
    r"|have you (?:seen|had|noticed|looked)"
    r"|where (?:can|could|do|would) (?:I|we) (?:find|get|look)|do you know (?:where|why))",
    re.IGNORECASE,
)
_OR_ELSE: Final = re.compile(r",? or (?:is (?:there|it) )?(?:some|any)thing else\b", re.IGNORECASE)
_OPEN: Final = re.compile(
    r"\b(?:any|some)thing (?:else|more|other|further|special|specific|particular|missing|wrong|unclear|to add)\b"
    r"|\b(?:what|who|which) else\b|\b(?:bear|keep) in mind\b"
    r"|\b(?:add|adjust|amend|change|correct|fix|improve) (?:any|some)thing\b"
    r"|\banything (?:I|you|that|in|about)\b|\bhave I (?:missed|forgotten|overlooked)\b"
    r"|\bhow (?:would|do|should) (?:you like|you want|I) (?:me to )?(?:do|handle|approach) (?:this|it|that)\b"
    r"|\b(?:this|that|it|all) (?:look|sound)s? (?:good|right|ok|okay|fine)\b"
    r"|\b(?:did I|am I) (?:miss|overlook|forget)\w*\b|\bis (?:that|this|it|everything) (?:all|everything|complete)\b",
    re.IGNORECASE,
)
_GENERAL: Final = (
    r"preferences?|requirements?|instructions?|constraints?|wishes|details?|information|info|context|input|feedback"
    r"|thoughts?|comments?|concerns?|questions?|changes|adjustments?|guidance|guidelines?|conventions?|considerations?"
    r"|corrections?|standards?|rules?|requests?|points|issues|expectations|specifications?|specs"
)
_PREFERENCES: Final = re.compile(
    rf"\b(?:have|any|some|further|additional|other|more|your|special|specific|particular)"
    rf"(?: \w+){{0,2}}? (?!(?:questions|points|issues) ?:)(?:{_GENERAL})\b",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(
    r"\b(?:about|on|for|regarding|concerning|as to|around"
    r"|with (?:regard|respect) to|when it comes to|in terms of)\b (.+)",
    re.IGNORECASE,
)
_APPROVES: Final = re.compile(
    r"\b(?:look|looks|sound|sounds|works?|ok|okay|fine|all ?right|good|happy|approve|make sense|makes sense)\b",
    re.IGNORECASE,
)
_LIGHT: Final = frozenset(
    re.findall(
        r"\w+",
        """
        a an and or the of in for to at by with from here there now then so but if is are was were be been do does
        did can could should shall would will may might must i me my we us our you your it its this that these those
        them they he she one ones two both either any all each which what who whom whose how when where use used
        using apply applies applied prefer prefers preferred preference want wants wanted like need go take follow
        follows choose pick keep right correct case choice option please rather instead usually normally expect
        expected have tell ok okay yes no yep agree agreed agreeable object objection objections confirm fine good
        reasonable suit suits still hold holds stand stands well said done way view practice place line acceptable too
        long enough strong know mind matter reading count counts am happy allright alright got habit
        """,
    )
)
"""Words that say nothing of what a question is about."""
