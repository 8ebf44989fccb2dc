"""How people write: a card each, and what it makes of a plain text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from random import Random

__all__ = ("ASKING", "CARDS", "OWNER_CARD", "PLAIN", "PROPOSES", "SLIPS", "SOBER", "Style", "sober", "worded")


@dataclass(frozen=True, kw_only=True)
class Style:
    """A style card. `habits` are names of what `worded` does to a text."""

    greetings: tuple[str, ...]
    goodbyes: tuple[str, ...]
    habits: frozenset[str]
    openers: tuple[str, ...] = ()
    closers: tuple[str, ...] = ()
    dates: str = "d month"
    money: str = "sign"
    quotes: bool = True
    signs: str = "first"
    """How they end: with their `first` name, `whole` name, `initial`, or `none`."""


def _card(
    greetings: str, goodbyes: str, habits: str, openers: str = "", closers: str = "", **rest: str | bool
) -> Style:
    lists = {"greetings": greetings, "goodbyes": goodbyes, "openers": openers, "closers": closers}
    parts = {key: tuple(text.split("|")) if text else () for key, text in lists.items()}
    return Style(**parts, habits=frozenset(habits.split()), **rest)  # type: ignore[arg-type]


PLAIN = _card("", "", "", dates="iso", money="plain", quotes=False, signs="none")
"""Files and machines."""

OWNER_CARD = _card("Hi {},|{},", "Thanks,|Best,", "", dates="d month", money="sign")

CARDS = (
    _card("{},|", "|", "lower dots noapos", "so |right, |", "shout if not|", dates="d mon", signs="initial"),
    _card("Dear {},", "Kind regards,|With kind regards,", "full semi", dates="d month", money="first", signs="whole"),
    _card("Hey {}!|Hi {}!", "Cheers!|Thanks a lot!", "bang smile", "Quick one: |", "Yell if anything|", dates="d mon"),
    _card("{} -|{} -", "-|", "dash abbr", "fyi - |", dates="iso", money="code", signs="initial"),
    _card("Hello {},", "Many thanks,|All the best,", "double caps nocomma", dates="dth"),
    _card("Hi {},", "Regards,", "lines full nocomma", dates="wd d month", money="code"),
    _card("|{}:", "|", "abbr lower", "", "k thx|", dates="d mon", signs="none", quotes=False),
    _card("Morning {},|Hi {},", "Ta,|Thanks,", "amp long", dates="d month"),
    _card("Hi {},|Hello {},", "Best regards,", "typos amp nocomma", dates="d mon", money="word"),
    _card("{}, hello,", "Yours,", "semi long", dates="dth", money="word"),
    _card("Hi {}", "Thanks", "noapos lines", dates="d month", quotes=False),
    _card("Dear {},|{},", "Sincerely,", "full double", dates="d month", money="first", signs="whole"),
    _card("hi {},", "x|thanks", "lower smile amp", "ok, |ok so ", dates="d mon"),
    _card("Hi {} —", "— |—", "long dots", "", "Thoughts?|", dates="d month"),
    _card("{},", "Rgds,", "abbr caps", dates="d mon", money="code", signs="initial"),
    _card("Good day {},", "Greetings,", "full typos lines", dates="dth", money="first"),
    _card("Hiya {},", "Cheers,", "bang dash amp", dates="d month"),
    _card("Hi {},", "Thank you,", "double semi", dates="wd d month"),
    _card("{}...", "...", "dots amp noapos", "hmm, |", "no rush...|", dates="d mon", signs="initial"),
    _card("Hi there {},", "Warmly,", "bang lines", "", "Thank you!!|", dates="d month"),
    _card("Dear {},", "Best wishes,", "lines long full", dates="dth", money="code"),
    _card("Hello {}", "Regards", "dash full", dates="d mon", signs="whole", quotes=False),
    _card("Hi {};", "Many thanks", "semi amp", dates="d month", money="word"),
    _card("{} /", "/", "abbr noapos", dates="iso", money="code", signs="initial", quotes=False),
    _card("Dear {}", "Yours sincerely", "full semi double", dates="wd d month", money="first", signs="whole"),
    _card("hello {},", "thanks!|ta!", "lower bang", dates="d mon"),
    _card("Hi {}.", "Thanks.", "lines abbr", dates="d mon", money="code"),
    _card("Good morning {},|Good day {},", "With thanks,", "full amp", dates="d month", money="word"),
    _card("{}!", "Speak soon,", "bang amp", "Right, |", dates="dth", quotes=False),
    _card("Hi {},", "All best,", "caps long lines", dates="d month", money="code"),
    _card("{} ..", "Best", "long semi", dates="iso", signs="initial"),
    _card("Hello {},", "Kind regards", "typos double dots", dates="wd d month"),
    _card("To {},", "Respectfully,", "full lines", dates="dth", money="first", signs="whole"),
    _card("hey {}", "later,|c u,", "lower abbr dots", dates="d mon", quotes=False),
    _card("Hello {}!", "Have a good day!", "smile double nocomma", dates="d month", money="word"),
    _card("{}:", "Br,", "dash amp abbr", dates="iso", money="first", signs="initial"),
    _card("Hi {}, good to hear from you.|Hi {},", "Kindly,", "semi full nocomma", dates="d month"),
    _card("Dear {} -", "Thanks and regards,", "dash double", dates="d mon", money="word", signs="whole"),
    _card("|", "|", "noapos caps nocomma", dates="d mon", quotes=False),
    _card("Hello there {},", "Until then,", "long amp", dates="dth"),
)  # fmt: skip
"""Cards for everybody else, more than there are people: nobody has that of another.

Who writes from across the Atlantic writes dates as they do there, whatever the card.
"""

SOBER = frozenset((
    "", "-", "— ", "—", "/", "Thanks,", "Thanks", "thanks", "Thanks.", "Best,", "Best", "Regards,", "Regards", "Rgds,",
    "Kind regards,", "Kind regards", "With kind regards,", "Best regards,", "Thanks and regards,", "Best wishes,",
    "All best,", "Br,", "Many thanks,", "Many thanks", "With thanks,", "Thank you,", "Yours,", "Yours sincerely",
    "Sincerely,", "Respectfully,",
))  # fmt: skip
"""Goodbyes that do below grave news."""

_CONTRACTED = {
    "don't": "do not", "can't": "cannot", "it's": "it is", "I'm": "I am", "we're": "we are", "I've": "I have",
    "we've": "we have", "I'll": "I will",
    "we'll": "we will", "isn't": "is not", "didn't": "did not", "won't": "will not",
    "that's": "that is", "they're": "they are", "doesn't": "does not", "you're": "you are", "I'd": "I would",
    "there's": "there is", "wasn't": "was not", "haven't": "have not", "you've": "you have", "let's": "let us",
    "what's": "what is", "aren't": "are not", "they've": "they have", "we'd": "we would", "hasn't": "has not",
    "It's": "It is", "That's": "That is", "Don't": "Do not",
    "We're": "We are", "We've": "We have", "There's": "There is",
    "Let's": "Let us", "They're": "They are", "We'll": "We will", "Can't": "Cannot", "You're": "You are",
    "couldn't": "could not", "weren't": "were not", "wouldn't": "would not", "shouldn't": "should not",
    "you'll": "you will", "they'll": "they will", "it'll": "it will", "you'd": "you would", "They've": "They have",
    "Didn't": "Did not", "What's": "What is", "You've": "You have", "Isn't": "Is not",
}  # fmt: skip
_SHORT = {
    "please": "pls", "Please": "Pls", "thanks": "thx", "Thanks": "Thx", "because": "bc", "about": "abt", "with": "w/",
    "meeting": "mtg", "before": "bef.", "people": "ppl", "through": "thru", "without": "w/o", "would": "wd",
}  # fmt: skip
SLIPS = {
    "the": "teh", "which": "wich", "because": "becuase", "receive": "recieve", "until": "untill", "their": "thier",
    "definitely": "definately", "separate": "seperate",
    "would": "woud", "with": "wiht", "from": "form", "should": "shoud",
}  # fmt: skip
ASKING = ("Thoughts?",)
"""Closers that ask for an opinion: they stand behind a proposal or a question that begins a conversation."""
PROPOSES = re.compile(r"\?|\b(?:shall|should|could|would|propose|suggest|lean towards|I'd)\b")
_SLIPPING = 0.2
"""In what part of their mails somebody makes a slip, who makes them."""
_OFTEN = 0.15
"""How often somebody opens or closes in one of their ways."""
_SWAPPING = {"full", "abbr", "caps"}
"""Habits that make another word of one."""
_LOUD = {"not", "all", "never", "only", "before", "both", "every"}
_WORD = re.compile(r"(?<![\w{@./_:-])[A-Za-z]+(?:'[a-z]+)?(?![\w}/_-]|\.\w)")
_END = re.compile(r"(?<=[.?!]) (?=[A-Z{\"(])")


def sober(style: Style) -> Style:
    """How the same person writes of grave things: no cheerful goodbye, no cries, smiles or flourishes."""
    return replace(
        style,
        greetings=tuple(each.replace("!", ",") for each in style.greetings),
        goodbyes=tuple(each for each in style.goodbyes if each in SOBER) or ("Regards,",),
        habits=style.habits - {"bang", "smile"},
        openers=(),
        closers=(),
    )


def worded(text: str, style: Style, rng: Random, *, opens: bool = True) -> str:
    """A plain text in a style: facts in it stay as they are. Lists (lines that begin with "-") stay lists.

    A slip is one word of one mail in some; an opinion is asked for where the mail `opens` a conversation and proposes.
    """
    framed = _framed(text, style, rng, opens)
    text = "\n\n".join(_paragraph(part, style, rng) for part in framed.split("\n\n"))
    return _slipped(text, rng) if "typos" in style.habits and rng.random() < _SLIPPING else text


def _slipped(text: str, rng: Random) -> str:
    """The text with one word spelt wrongly, if it has a word that they spell wrongly."""
    places = [found for found in _WORD.finditer(text) if found[0] in SLIPS]
    if not places:
        return text
    found = rng.choice(places)
    return text[: found.start()] + SLIPS[found[0]] + text[found.end() :]


def _framed(text: str, style: Style, rng: Random, opens: bool) -> str:
    opener = rng.choice(style.openers) if style.openers and rng.random() < _OFTEN else ""
    closer = rng.choice(style.closers) if style.closers and rng.random() < _OFTEN else ""
    if closer in ASKING and not (opens and PROPOSES.search(text)):
        closer = ""
    if opener and text[:1].isupper() and not re.match(r"(I\b|I'|[A-Z]{2})", text):
        text = text[0].lower() + text[1:]
    if text.split("\n")[-1].startswith("-"):
        return opener + text
    return f"{opener}{text}{' ' if closer else ''}{closer}"


def _paragraph(text: str, style: Style, rng: Random) -> str:
    if text.startswith("-") or "\n" in text:
        return text
    has = style.habits
    sentences = _END.split(text)
    if "lower" in has:
        sentences = [re.sub(r"\bI\b", "i", _small(each)) for each in sentences]
    joined = sentences[0]
    for each in sentences[1:]:
        joined = _joined(joined, each, has, rng)
    text = _WORD.sub(lambda found: _swap(found[0], has, rng), joined) if has & _SWAPPING else joined
    if "noapos" in has:
        text = re.sub(r"(?<=\w)'(?=\w)", "", text)
    if "amp" in has:
        text = text.replace(" and ", " & ")
    if "dash" in has:
        text = text.replace(", ", " - ")
    if "long" in has:
        text = re.sub(r", (?=but|so|and|which|or|though)", " — ", text)
    if "nocomma" in has:
        text = re.sub(r", (?=(?:but|so|and|or|which|though|because|if)\b)", " ", text)
    if "bang" in has and text.endswith("."):
        text = text[:-1] + "!"
    if "smile" in has and not text.endswith("?") and rng.random() < 0.4:
        text += " :)"
    return text


def _joined(before: str, after: str, has: frozenset[str], rng: Random) -> str:
    if "lines" in has:
        return f"{before}\n{after}"
    if "semi" in has and before.endswith(".") and rng.random() < 0.5:
        return f"{before[:-1]}; {_small(after)}"
    if "dots" in has and before.endswith(".") and rng.random() < 0.7:
        return f"{before}.. {after}"
    return before + ("  " if "double" in has else " ") + after


def _small(text: str) -> str:
    return text if re.match(r"(I\b|[A-Z]{2})", text) else text[:1].lower() + text[1:]


def _swap(word: str, has: frozenset[str], rng: Random) -> str:
    if "full" in has and word in _CONTRACTED:
        return _CONTRACTED[word]
    if "abbr" in has and word in _SHORT:
        return _SHORT[word]
    if "caps" in has and word in _LOUD and rng.random() < 0.3:
        return word.upper()
    return word
