"""What is said at the end of work: whether it asks for nothing, and for which items it has another value."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from userssim.apart import added, another, compared
from userssim.hearing.naming import LITTLE
from userssim.hearing.standing import stems
from userssim.values import copied, is_name
from userssim.wish import Known, Wish, holds

__all__ = ("closes", "reported")

_OPENS, _SHUTS = "\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}"
_QUOTED: Final = re.compile(
    rf"\"([^\"\n]*)\"|(?<!\w)'([^'\n]*)'(?!\w)|{_OPENS}([^{_OPENS}{_SHUTS}\n]*){_SHUTS}",
)
_SENTENCE: Final = re.compile(r"(?<=[.!?;…]) | ?\n ?| [-\N{EN DASH}\N{EM DASH}] ")
_EDGES: Final = " \t*_#>-•.!:;,…()✅✓✔\N{VARIATION SELECTOR-16}"

_BEGINS: Final = r"(?:^|[,:] |\b(?:and|so|but|then|because|since|now) )"
_ADVERBS: Final = r"(?:(?:now|just|already|also|all|both|since|then|successfully|been|fully|duly) )*"
_ACTED: Final = (
    r"(?:(?!need|want|wonder|guess|assum|suppos|notic|stopp|fail|hop|doubt|propos|suggest|consider|expect|gather|fear"
    r"|miss|requir|intend|tend|inclin|not|look|open|pick|asked (?:you|for|before)|believ|imagin|us|start|pencil|agree"
    r"|learn|mention|reach|receiv|promis)[a-z-]{2,}ed|sent|made|put|set|done|written|wrote|given|gave|taken|took|told"
    r"|drawn|drew|split|cut|run|built|dealt|brought|did (?:nothing|as))"
)
"""What somebody did; not what they thought, nor the looking and asking that comes before."""
_DONE: Final = (
    r"(?:done|completed?|finished|ready|in place|in order|up to date|on (?:its|his|her|their|the) way|over|sorted"
    r"|handled|settled|booked|scheduled|sent|saved|stored|updated|created|added|moved|forwarded|cancell?ed|assigned"
    r"|reassigned|processed|applied|closed|resolved)"
)
_REPORTS: Final = re.compile(
    rf"{_BEGINS}(?:I|we)(?:'ve| have)? {_ADVERBS}(?:(?:went|gone) ahead and )?{_ACTED}\b"
    rf"|^I\b.*\band {_ADVERBS}{_ACTED}\b"
    rf"|\b(?:(?:has|have) {_ADVERBS}been|was|were) {_ADVERBS}{_ACTED}\b|\b(?:has|have) received\b"
    rf"|\b(?:is|are|it's|that's) {_ADVERBS}{_DONE}\b|\b(?:went|gone) (?:out|through)\b"
    rf"|^(?:(?:all|everything|now) )?{_DONE}(?: (?:as|with|for|to|and|without)\b.*|$)"
    r"|\b(?:is|are|belongs?|has|have|owns?) (?:\S+ ){0,6}now$|\bnow (?:is|belongs?|has|owns?)\b",
    re.IGNORECASE,
)
"""That something was done."""
_GAPS: Final = re.compile(
    r"\b(?:need(?:s|ed)?|know|knew|tell me|remind me|clarify|specify|provide|missing|unclear|not clear|unknown|unsure"
    r"|uncertain|guess\w*|suppos\w*|presum\w*|assum\w*|imagine|believe|understood|take it|I hear|I heard|I gather|I see"
    r"|would|could|should|shall|may|might|ought|I'd|I'll|I will|can't|cannot|couldn't|unable|please|pls|unless|whether"
    r"|wait\w*|await\w*|still|yet|but|however|except for (?:its|his|her|their|the|a)|apart|until|till|lacks?|lacking"
    r"|short|gaps?|slipped|empty|blank|prefer\w*|(?<!you )want(?:s|ed)?|wonder\w*|hop(?:e|ed|ing)|suggest\w*|propos\w*"
    r"|depends?|hangs|sure|wish|trust|stopped|fail\w*|tried|someone|somebody|something|whoever|whichever|if|or|never"
    r"|none|nobody|no one|I asked$|(?<!you )asked (?:you|for|before)|(?:was|been) told|looking for|asks? for|nod"
    r"|leave|okay|ok|so far|going to|right|correct|don't|do not|does not|doesn't|isn't|is not|are not|aren't"
    r"|mind|instead|fear|afraid|remain\w*|your (?:line|mail|message|words?|text))\b"
    rf"|{_BEGINS}(?:who|whom|whose|which|what|when|where|why|how)\b"
    r"|\b(?:with|to|from|for|in|on) (?:whom|what|where|which)$",
    re.IGNORECASE,
)
"""What stands beside a gap, or a guess at what fills it: a report that has such words may ask for something."""

_MORE: Final = r"(?=.*\b(?:any|anything|else|further|more|changes?|questions?|adjust\w*|looks off|unclear)\b)"
_CALL: Final = (
    r"(?:let me know|feel free|(?:don't|do not) hesitate|reach out|get in touch|I'm here|I am here|say so|shout)"
)
_FORMULA: Final = re.compile(
    r"(?:(?:ok|okay|great|perfect|alright|all right|sure|good|super|wonderful|excellent|well|yes)\W+)*(?:"
    r"ok|okay|great|perfect|alright|all right|sure|good|wonderful|excellent|cheers|bye|yes|summary|got it|understood"
    r"|noted|sounds good|(?:many )?thank(?:s| you)(?: (?:again|for|so|very|a lot)\b[^,]*)?|you(?:'re| are) welcome"
    r"|(?:you(?:'re| are) )?all set|no (?:problem|worries)(?: at all)?|(?:have|enjoy) (?:a|an|the|your) .*"
    r"|(?:I'm |I am |always )?(?:happy|glad|pleased|delighted) (?:I could|to help|to be of|to assist|that|it)\b.*"
    r"|(?:I have |I've |I've got |there(?:'s| is| are) )?(?:nothing|no) (?:else|more|further|left|other|open|to add"
    r"|outstanding|additional|action|changes?)\b.*"
    r"|(?:so )?(?:that|this)(?:'s| is| was) (?:all|everything|it)\b.*|(?:that|this) should (?:cover|do|be) .*"
    r"|(?:otherwise )?(?:I'm|I am|we're|we are) (?:all )?(?:done|finished)\b.*"
    r"|(?:otherwise |so )?I(?:'ll| will) (?:end here|stop here|close this|leave it at that)\b.*"
    r"|(?:it(?:'s| is)|everything(?:'s| is)) (?:done|finished)\b.*"
    rf"|(?:please |just |do )*{_CALL}\b{_MORE}.*"
    rf"|(?:if|should) (?:you|there|anything|something)\b{_MORE}.*\b{_CALL}\b.*"
    r")",
    re.IGNORECASE,
)
"""With which one ends: thanks, that this is all, that one can be called for more."""
_OFFER: Final = re.compile(
    r"(?!.*\bor\b)(?:"
    r"(?:(?:is|are|was) there |do you need |would you like |can I do |will there be )?"
    r"any(?:thing)? (?:else|other|further|more)\b.*\?"
    r"|(?:can|could|may) I (?:help|assist|do)\b.*\b(?:else|further|more|other)\b.*\?"
    r"|how else (?:can|may) I (?:help|assist)\b.*\?)",
    re.IGNORECASE,
)

_WORD: Final = re.compile(r"(?<!')(?:[^\W_]{2,}|\d)")
_SUBJECT: Final = re.compile(r"'s\b| (?:is|was|has|will|gets|got|owns|takes)\b")
"""What stands behind a name at the beginning of a sentence, where any word has a capital."""
_ACT: Final = re.compile(rf"[^\W\dA-Z]+(?:ed|ly)|{_ACTED}|{_DONE}")
_PLAIN: Final = LITTLE | {
    "already", "appointment", "change", "changes", "everybody", "everyone", "everything", "including", "item", "items",
    "job", "left", "mail", "mails", "meeting", "meetings", "part", "parts", "place", "step", "steps", "task", "tasks",
    "update", "updates", "work",
}  # fmt: skip
"""Words for what was worked at, which are no value of anything."""


def closes(text: str) -> bool:
    """Whether every sentence reports that something was done, or is a formula with which one ends.

    Of the 15,057 questions to train on and to tune on that ask for a withheld value it takes three for such an end, of
    the 11,915 others that ask for what is no part of the wish one.
    """
    said = [*_sentences(_QUOTED.sub("X", text))]
    return bool(said) and all(map(_closes, said))


def reported(
    text: str, wish: Wish, said: Collection[str], asked: Collection[str], wrong: Collection[str]
) -> tuple[list[str], list[str]]:
    """Ids of the items whose value a text that closes has, and of those for which it has another.

    They are among those that it was taken to be about (`asked`) or to have a `wrong` value for. It has another where it
    has words for one that the request has not; `said` are the items whose own value it has.
    """
    new = _new(text, wish)
    named = bool(new) and (text.islower() or any(word[:1].isupper() for word in new))
    quoted = any(not holds(wish.full, "".join(each.groups(""))) for each in _QUOTED.finditer(text))

    def has_another(item: Known) -> bool:
        beside = [each for each in wish.withheld if each.kind == item.kind]
        if item.id in wrong and item.id in said and item in beside and len(beside) > 1:
            return True  # it may stand in the place of the other
        if item.id not in wrong and (item.id in said or not (is_name(item) or compared(item, wish.full))):
            return False
        if compared(item, wish.full):
            return another(added(text, item, wish), item, wish)
        if is_name(item) or copied(item):
            return named or (quoted and copied(item))
        return bool(new) and another(text, item, wish)

    about = [item for item in (*wish.withheld, *wish.stated) if item.id in {*asked, *wrong}]
    other = [item.id for item in about if has_another(item)]
    return [item.id for item in about if item.id in said and item.id not in other], other


def _sentences(text: str) -> Iterator[str]:
    text = re.sub(r"[^\S\n]+", " ", text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    return filter(None, (part.strip(_EDGES) for part in _SENTENCE.split(text)))


def _closes(sentence: str) -> bool:
    if "?" in sentence:
        return bool(_OFFER.fullmatch(sentence))
    return bool(_FORMULA.fullmatch(sentence) or (_REPORTS.search(sentence) and not _GAPS.search(sentence)))


def _new(text: str, wish: Wish) -> set[str]:
    """What a text has and the request has not: names, and words in small letters that may be a value."""
    called = (f"{item.kind} {item.role}".replace("_", " ") for item in (*wish.withheld, *wish.stated))
    known = stems(" ".join((wish.full, wish.sent, *called)))
    found: set[str] = set()
    for sentence in _sentences(text):
        if _FORMULA.fullmatch(sentence):
            continue
        for each in _WORD.finditer(sentence):
            name = bool(each.start() or _SUBJECT.match(sentence, each.end()))
            word = each[0] if name else each[0].casefold()
            if not (stems(word) <= known or word.casefold() in _PLAIN or _ACT.fullmatch(word)):
                found.add(word)
    return found
