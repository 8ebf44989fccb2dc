"""How people write: a card each, and what it makes of a plain text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from benchmarks.office.phrasing import FIGURES, NUMBER, SAME, contracted, expanded

__all__ = ("ASKING", "CARDS", "GRAVE", "OWNER_CARD", "PLAIN", "PROPOSES", "SLIPS", "SOBER", "Style", "sober", "worded")


@dataclass(frozen=True, kw_only=True)
class Style:
    """A style card. `habits` are names of what `worded` does to a text, in a share of the places where it may."""

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
    taste: int = 0
    """Which of words that mean the same they take, and how strong each of their habits is."""


def _card(
    greetings: str, goodbyes: str, habits: str, openers: str = "", closers: str = "", **rest: str | bool
) -> Style:
    lists = {"greetings": greetings, "goodbyes": goodbyes, "openers": openers, "closers": closers}
    parts = {key: tuple(text.split("|")) if text else () for key, text in lists.items()}
    return Style(**parts, habits=frozenset(habits.split()), **rest)  # type: ignore[arg-type]


PLAIN = _card("", "", "", dates="iso", money="plain", quotes=False, signs="none")
"""Files and machines."""

OWNER_CARD = replace(_card("Hi {},|{},", "Thanks,|Best,", "", dates="d month", money="sign"), taste=51)

_CARDS = (
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
    _card("Hi {}, hope all's well.|Hi {},", "Kindly,", "semi full nocomma", dates="d month"),
    _card("Dear {} -", "Thanks and regards,", "dash double", dates="d mon", money="word", signs="whole"),
    _card("|", "|", "noapos caps nocomma", dates="d mon", quotes=False),
    _card("Hello there {},", "Until then,", "long amp", dates="dth"),
)  # fmt: skip
CARDS = tuple(replace(card, taste=number) for number, card in enumerate(_CARDS, 1))
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

_SHORT = {
    "please": "pls", "Please": "Pls", "thanks": "thx", "Thanks": "Thx", "because": "bc", "about": "abt", "with": "w/",
    "meeting": "mtg", "people": "ppl", "through": "thru", "without": "w/o",
}  # fmt: skip
SLIPS = {
    "the": "teh", "which": "wich", "because": "becuase", "receive": "recieve", "until": "untill", "their": "thier",
    "definitely": "definately", "separate": "seperate",
    "would": "woud", "with": "wiht", "from": "form", "should": "shoud",
}  # fmt: skip
ASKING = ("Thoughts?",)
"""Closers that ask for an opinion: they stand behind a proposal or a question that begins a conversation."""
PROPOSES = re.compile(r"\?|\b(?:shall|should|could|would|propose|suggest|lean towards|I'd)\b")
GRAVE = re.compile(
    r"\b(?:injur\w+|hurts?|ambulance|accident|funeral|died|death|bleed\w*|blood|stitches|plastered|redundan\w+|resign\w*"
    r"|dismiss\w*|burnt|first aid|cut (?:a|his|her|their|my) \w+|fell (?:off|from|down)|in hospital|written warning)\b",
    re.IGNORECASE,
)
"""What nobody is cheerful about, whatever else their mail says."""
_SORE = re.compile(
    r"\b(?:sorry|apolog\w+|afraid|unfortunate\w*|worr\w+|ill|sick|flu|fever|broke\w*|late|later|delay\w*|short|missing"
    r"|lost|lose|losing|fail\w*|wrong\w*|fault\w*|mistake\w*|complain\w*|damag\w*|leak\w*|dead|cancel\w*|refus\w*|overdue"
    r"|unpaid|errors?|stuck|problems?|bad|badly|worse|worst|dentist|doctor|awkward|trouble|block\w*|cannot|never|nobody"
    r"|no one|nothing|without|forg[eo]t\w*|retir\w+|leaving|left"
    r"|not|no|too|only|few|less|crooked|mess|snap\w*|cold|wet|costs?|dear)\b|n't\b",
    re.IGNORECASE,
)
_GLAD = re.compile(
    r"\b(?:thank\w*|thx|great|good|lovely|pleased|glad|happy|well done|congratulations|hooray|welcome|hope|see you"
    r"|signed|perfect|splendid|enjoy\w*|looking forward|works|brilliant|yes)\b",
    re.IGNORECASE,
)
_SLIPPING, _HURRIED = 0.2, 0.025
"""In what part of their mails somebody makes a slip, who makes them; in what part anybody mistypes a word."""
_OFTEN = 0.15
"""How often somebody opens or closes in one of their ways."""
_CAREFUL, _SPARINGLY = 0.15, 0.3
"""How many mails somebody takes care over, and how far that takes their habits back."""
_LOUD = {"not", "all", "never", "only", "before", "both", "every"}
_BARE = re.compile(
    r"\b((?:do|does|did|is|are|was|were|has|have|could|would|should|ca|wo)n|[Ii]t|[Tt]hat|[Ww]hat|[Tt]here|[Ll]et|I|i"
    r"|[Yy]ou|[Tt]hey)'(t|s|m|ve|re)\b"
)
"""Contractions that stay themselves without the apostrophe: "we're" and "I'll" would be other words."""
_WORD = re.compile(r"(?<![\w{@./_:-])[A-Za-z]+(?:'[a-z]+)?(?![\w}/_-]|\.\w)")
_END = re.compile(r"(?<=[.?!]) (?=[A-Z{\"(])")
_TURN = re.compile(r"(?<=\w), (?=(?:but|so(?! long| far| that)|and|though|because|since)\b(?: \S+){3})")
"""Commas between clauses, where a dash or nothing may stand."""
_SMALL = frozenset((
    "the", "to", "in", "of", "for", "and", "is", "at", "on", "we", "it",
))  # fmt: skip


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


def worded(text: str, style: Style, rng: Random, *, opens: bool = True, names: frozenset[str] = frozenset()) -> str:
    """A plain text in a style: facts in it stay as they are. Lists (lines that begin with "-") stay lists.

    A habit shows in a share of the places where it may stand, not in all; `names` keep their capitals. A slip is one
    word of one mail in some; an opinion is asked for where the mail `opens` a conversation and proposes.
    """
    hand = _Hand(style, rng, names)
    framed = _framed(text, hand, opens)
    text = "\n\n".join(hand.paragraph(part) for part in framed.split("\n\n"))
    if hand.open and re.search(r"\w\.\Z", text):
        text = text[:-1]
    if "typos" in style.habits and rng.random() < _SLIPPING:
        return _slipped(text, rng)
    hurried = _HURRIED * (
        2 if style.habits & {"lower", "noapos", "abbr", "typos"} else 0.4 if "full" in style.habits else 1
    )
    return _mistyped(text, rng) if rng.random() < hurried else text


def _slipped(text: str, rng: Random) -> str:
    """The text with one word spelt wrongly, if it has a word that they spell wrongly."""
    places = [found for found in _WORD.finditer(text) if found[0] in SLIPS]
    if not places:
        return text
    found = rng.choice(places)
    return text[: found.start()] + SLIPS[found[0]] + text[found.end() :]


def _mistyped(text: str, rng: Random) -> str:
    """The text with a letter left out, two letters changed round, or a small word written twice."""
    words = [each for each in _WORD.finditer(text) if each[0].isalpha() and each[0].islower()]
    places = [each for each in words if each[0] in _SMALL or (len(each[0]) > 5 and not PROPOSES.search(each[0]))]
    if not places:
        return text
    found = rng.choice(places)
    word, at = found[0], rng.randrange(2, max(len(found[0]) - 1, 3))
    if word in _SMALL:
        typed = f"{word} {word}"
    elif rng.random() < 0.5 or word[at - 1] == word[at]:
        typed = word[:at] + word[at + 1 :]
    else:
        typed = word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
    return text[: found.start()] + typed + text[found.end() :]


def _sore(text: str) -> bool:
    """Whether somebody would find no reason to cry out or smile in it."""
    return bool(_SORE.search(text) or GRAVE.search(text))


def _framed(text: str, hand: _Hand, opens: bool) -> str:
    style, rng = hand.style, hand.rng
    opener = rng.choice(style.openers) if style.openers and rng.random() < _OFTEN else ""
    closer = rng.choice(style.closers) if style.closers and rng.random() < _OFTEN else ""
    if (closer in ASKING and not (opens and PROPOSES.search(text))) or ("!" in closer and _sore(text)):
        closer = ""
    if opener:
        text = hand.small(text)
    if text.split("\n")[-1].startswith("-"):
        return opener + text
    return f"{opener}{text}{' ' if closer else ''}{closer}"


@cache
def _liking(taste: int, what: str) -> float:
    """How strong a habit or a word is with somebody, 0 to 1: the same in each of their mails."""
    return Random(f"{taste}|{what}").random()


class _Hand:
    """Somebody writing one mail."""

    def __init__(self, style: Style, rng: Random, names: frozenset[str]) -> None:
        self.style, self.rng, self.names = style, rng, names
        self.zeal = _SPARINGLY if rng.random() < _CAREFUL else 1.0
        self.lower, self.lines = "lower" in style.habits, self.does("lines", 0.85)
        self.full, self.bare, self.wide = self.does("full", 1.4), self.does("noapos", 1.3), self.does("double", 1.3)
        self.figures = self._mostly("figures", 0.35)
        self.open = self._mostly("open", 0.25)
        self.cries = self.smiles = 2
        if self.lower and "noapos" not in style.habits:
            self.bare = rng.random() < 0.6 * _liking(style.taste, "bare")

    def does(self, habit: str, share: float) -> bool:
        """Whether somebody who has the habit has it here."""
        if habit not in self.style.habits:
            return False
        return self.rng.random() < share * self.zeal * (0.7 + 0.6 * _liking(self.style.taste, habit))

    def _mostly(self, what: str, part: float) -> bool:
        """Whether they do here what that part of people do, though not of those who write everything out."""
        some = _liking(self.style.taste, what) < part and "full" not in self.style.habits
        return some and self.rng.random() < 0.8

    def small(self, text: str) -> str:
        """The text with its first letter small, but where a name or an abbreviation begins it."""
        if re.match(r"I\b|[A-Z]{2}|[B-HJ-Z]\b|[A-Z][\w']* (?:[A-Z][a-z]|& )", text):
            return text
        word = re.match(r"[A-Za-z]*", text)
        return text if word and word[0] in self.names else text[:1].lower() + text[1:]

    def paragraph(self, text: str) -> str:
        """A paragraph in their hand; lists and what stands in lines stay as they are."""
        if text.startswith("-") or "\n" in text:
            return text
        sentences = [self.sentence(each) for each in _END.split(self.own_words(text))]
        joined = sentences[0]
        for each in sentences[1:]:
            joined = self.joined(joined, each)
        return joined

    def own_words(self, text: str) -> str:
        """The text with words that they prefer, contracted or not as they do."""
        for places, words in SAME:
            if "full" in self.style.habits and "yep" in words:
                continue
            word = words[int(_liking(self.style.taste, words[0]) * len(words))]
            text = places.sub(self._one_of(word), text)
        text = expanded(text) if self.full else contracted(text, 0.3, self.rng.random())
        if self.figures:
            text = NUMBER.sub(lambda found: FIGURES[found[0]], text)
        if self.bare:
            text = _BARE.sub(r"\1\2", text)
        return text

    def _one_of(self, word: str) -> Callable[[re.Match[str]], str]:
        def put(found: re.Match[str]) -> str:
            if self.rng.random() < 0.1:
                return found[0]
            first = found.start() == 0 or found.string[found.start() - 2] in ".?!"
            return word[0].upper() + word[1:] if found[0][0].isupper() and (first or found[0] != "OK") else word

        return put

    def sentence(self, text: str) -> str:
        """A sentence with the signs that they like, where it can bear them."""
        good = not _sore(text)
        if self.lower:
            text = re.sub(r"\bI\b", "i", self.small(text))
        text = _WORD.sub(self._swapped, text)
        text = re.sub(r"(?<=[\w}]) and (?=[\w{])", lambda each: " & " if self.does("amp", 0.7) else each[0], text)
        if text.count(", ") == 1 and " - " not in text and " — " not in text:
            for habit, sign, share in (("dash", " - ", 0.7), ("long", " — ", 0.7), ("nocomma", " ", 0.9)):
                if self.does(habit, share):
                    text = _TURN.sub(sign, text)
        if good and text.endswith(".") and self.cries and self.does("bang", 0.8 if _GLAD.search(text) else 0.12):
            self.cries -= 1
            text = text[:-1] + "!"
        if (
            good
            and text.endswith((".", "!"))
            and self.smiles
            and self.does("smile", 0.3 if _GLAD.search(text) else 0.1)
        ):
            self.smiles = 0
            text += " :)"
        return text

    def joined(self, before: str, after: str) -> str:
        """Two sentences, one behind the other."""
        if self.lines:
            return f"{before}\n{after}"
        plain = before.endswith(".") and not before.endswith("..")
        brief = len(before) - before.rfind(". ") < 60 and len(after) < 60 and ";" not in before + after
        if plain and brief and not after.endswith("?") and self.does("semi", 0.6):
            return f"{before[:-1]}; {self.small(after)}"
        if plain and self.does("dots", 0.45):
            return f"{before}.. {after}"
        return before + ("  " if self.wide else " ") + after

    def _swapped(self, found: re.Match[str]) -> str:
        word = found[0]
        if word in _SHORT and self.does("abbr", 0.8):
            return _SHORT[word]
        if word in _LOUD and self.does("caps", 0.3):
            return word.upper()
        return word
