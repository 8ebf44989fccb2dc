"""Words that mean the same, of which people take theirs, and contractions both ways."""

from __future__ import annotations

import re

__all__ = ("FIGURES", "NUMBER", "SAME", "contracted", "expanded")

SAME = tuple(
    (re.compile(rf"\b(?:{places})"), tuple(words.split("|")))
    for places, words in (
        (r"[Ee]very(?:body|one)\b(?! of)", "everybody|everyone"),
        (r"[Ss]ome(?:body|one)\b", "somebody|someone"),
        (r"[Nn]obody\b", "nobody|no one"),
        (r"[Aa]ny(?:body|one)\b", "anybody|anyone"),
        (r"(?:[Pp]erhaps|[Mm]aybe)\b", "perhaps|maybe"),
        (r"(?:until|(?<!the )(?<!a )(?<!our )till)\b", "until|till"),
        (r"a bit(?= (?!of\b|more of\b))", "a bit|a little"),
        (r"(?:[Aa]ll right|Okay|okay|OK)(?=[,.?!]|$)", "all right|OK|okay|fine"),
        (r"(?<=, )because\b(?! of)", "because|as|since"),
        (r"(?:large|big)\b", "big|large"),
        (r"(?<!the )[Vv]ery\b(?! (?:same|first|last|best|much|one))", "very|really"),
        (r"(?:(?<=\bI )|(?<=\b[Ww]e ))(?:need to|must(?! have| not| be))\b", "need to|have to"),
        (r"about (?=(?:two|three|four|five|six|eight|ten|twenty|half|\d+) )", "about |around |roughly "),
        (r"(?:too|(?<!might )(?<!may )as well)(?=[.?!;]|$)", "too|as well"),
        (r"[Ss]hall (?=I\b|we\b)", "shall |should "),
        (r"I think\b(?! (?:so|of|about))", "I think|I reckon|I believe"),
        (r"for (?:now|the time being)\b", "for now|for the time being"),
        (r"(?:straight|right) away\b", "straight away|right away|at once"),
        (r"at the moment\b", "at the moment|right now|just now"),
        (r"(?:Thanks|Thank you)(?= for\b|[.,])", "thanks|thank you"),
        (r"Sorry(?=[.,]| for\b)", "sorry|apologies"),
        (r"Yes(?=[.,])", "yes|yes|yes|yep"),
        (r"Fine by me\b", "fine by me|fine with me|that works"),
        (r"(?:mended|repaired)\b", "mended|repaired|fixed"),
        (r"[Cc](?:an|ould) you\b", "can you|could you"),
        (r"[Mm]ay I\b", "may I|can I|could I"),
        (r"(?:Let me know|Tell me)(?= (?:if|when|which|what|who|how|by)\b)", "let me know|tell me"),
        (r"(?:after that|afterwards)\b", "after that|afterwards"),
        (r"plenty of\b", "plenty of|lots of"),
        (r"(?<!a )while (?=\w)", "while |whilst |while "),
        (r"so far\b", "so far|up to now"),
        (r"in any case\b|anyway\b", "in any case|anyway"),
        (r"(?<!on the )whole (?=\w)", "whole |entire "),
    )
)
"""Places in a text, and what may stand there: nothing else changes with the word."""

_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
FIGURES = {word: str(number) for number, word in enumerate(_NUMBERS, 2)} | {
    "twenty": "20",
    "thirty": "30",
    "fifty": "50",
}
"""Numbers that some write in figures."""
NUMBER = re.compile(
    rf"(?<![\w-])(?<!or )(?<!and )(?<!to )(?<![.?!:] )(?:{'|'.join(FIGURES)})(?=[ .,?!])"
    r"(?! (?:or|and|to|thirds|quarters|hundred|thousand|euros|EUR|past|times|\{)\b)"
)

_LONG = {
    "can't": "cannot", "won't": "will not", "let's": "let us", "shan't": "shall not", "ain't": "is not",
    "i'm": "I am", "she's": "she is", "he's": "he is", "who's": "who is",
}  # fmt: skip
_ENDINGS = {"n't": " not", "'re": " are", "'ve": " have", "'ll": " will", "'m": " am"}
_SHORTENED = re.compile(r"(?<![\w{@])([A-Za-z]+)('(?:s|d|re|ve|ll|m|t))(?![\w'])(?= ?([a-z]*))")
_ITS = frozenset((
    "it", "that", "there", "what", "he", "she", "who", "where", "here", "how", "this", "one", "everything",
    "something", "nothing", "nobody",
))  # fmt: skip
"""After these an 's is a verb; after another noun it may be a possessive."""
_VERBS = frozenset((
    "here", "there", "been", "gone", "got", "coming", "going", "not", "still", "already", "away", "asking",
    "waiting", "looking", "getting", "having", "taking", "closed", "over", "out", "off", "back", "missing",
))  # fmt: skip
"""Words before which the 's of any noun is a verb."""
_DONE = frozenset((
    "been", "got", "gone", "had", "become", "come", "arrived", "left", "lost", "made", "sent", "said", "told",
    "taken", "started", "stopped", "happened", "changed", "grown", "found", "given", "written", "paid", "broken",
    "agreed", "asked", "seen", "moved", "turned", "worked",
))  # fmt: skip
"""Before these an 's is "has", but for what may be passive; and a 'd is "had"."""
_PASSIVE = frozenset((
    "left", "lost", "made", "sent", "said", "told", "taken", "changed", "found", "given", "written", "paid",
    "broken", "agreed", "asked", "seen", "moved", "turned",
))  # fmt: skip
_SHORTER = (
    (r"\b(do|does|did|is|are|was|were|has|have|had|could|would|should) not\b(?! only)", r"\1n't"),
    (r"\b([Cc])an ?not\b(?! only)", r"\1an't"),
    (r"\b([Ww])ill not\b", r"\1on't"),
    (r"\b([Ii]t|[Tt]hat|[Tt]here|[Ww]hat) is(?= [a-z])(?! that\b)", r"\1's"),
    (r"\bI am(?= [a-z])", "I'm"),
    (r"\b([Ww]e|[Tt]hey|[Yy]ou) are(?= [a-z])", r"\1're"),
    (r"\b(I|[Ww]e|[Tt]hey|[Yy]ou) will(?= [a-z])", r"\1'll"),
    (r"\b(I|[Ww]e|[Tt]hey) would(?= (?:be|like|say|need|take|have|rather|start|ask|put|leave|keep|prefer)\b)", r"\1'd"),
    (
        r"\b(I|[Ww]e|[Tt]hey|[Yy]ou) have(?= (?:\w+ed|been|got|had|made|put|done|seen|not|now|already|built|sold|lost"
        r"|left|sent|told|taken|found|given|written|spoken|no)\b)",
        r"\1've",
    ),
)
_SHORTER_PLACES = tuple((re.compile(places), words) for places, words in _SHORTER)
_STRESSED = re.compile(r"\b(?:as|where|what|how|than|wherever|whatever|who|so|if)\Z", re.IGNORECASE)
"""Words after which "it is" and the like carry the stress and stay."""


def contracted(text: str, keep: float, draw: float) -> str:
    """The text with its verbs contracted as people do who write quickly, where `draw` is not below `keep`."""
    if draw < keep:
        return text
    for places, words in _SHORTER_PLACES:
        text = places.sub(
            lambda found, words=words: (  # type: ignore[misc]
                found[0] if _STRESSED.search(found.string[: found.start()].rstrip()) else found.expand(words)
            ),
            text,
        )
    return text


def expanded(text: str) -> str:
    """The text without contractions: possessives stay as they are."""
    return _SHORTENED.sub(_long, text)


def _long(found: re.Match[str]) -> str:
    word, ending, after = found[1], found[2], found[3]
    whole = f"{word}{ending}"
    if whole.lower() in _LONG and not (ending == "'s" and after in _DONE):
        long = _LONG[whole.lower()]
        return long[0].upper() + long[1:] if word[0].isupper() else long
    if ending == "'t":
        return f"{word[:-1]} not" if word.endswith("n") else whole
    if ending == "'s":
        if word.lower() not in _ITS and after not in _VERBS:
            return whole
        has = after in _DONE and not (after in _PASSIVE and word.lower() not in ("he", "she", "who"))
        return f"{word} {'has' if has else 'is'}"
    if ending == "'d":
        had = (
            after in ("better", "been", "had") or after in _DONE or (after.endswith("ed") and not after.endswith("eed"))
        )
        return f"{word} {'had' if had else 'would'}"
    return f"{word}{_ENDINGS[ending]}"
