"""A question and a wish as the encoder reads them: tokens, with a mark in place of each value.

    how long should the meeting with [1] be ? | book a [0] [withheld] duration , meeting with [1] [stated] person , ...

The same mark stands for an item in the wish and wherever the question says its value, in whatever form. So the encoder
never sees a value: what it makes of a question cannot depend on one, but through whether the question says it.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from userssim.values import meant, of_somebody
from userssim.wish import Known, Wish

__all__ = ("MARK", "MARKS", "STATED", "WITHHELD", "Marked", "marked", "pieces")

MARKS: Final = 10
"""Items of a wish that have marks of their own; of more, the first, withheld ones before stated ones."""

_QUESTION, _WISH, _BEFORE = 128, 192, 40
"""Tokens read of each, and of the question before. Of a longer question the end counts more, of a longer wish what
stands next to its items."""

MARK, WITHHELD, STATED, TOLD, JUST_TOLD = 10, 30, 31, 32, 33
"""Tokens that the base model left unused. What was told in the conversation is marked so, the last answer apart."""


_CUT: Final = re.compile(r"(?<!\s)\s*(?:\.{3}|…)(?=[\"”»])")
"""What stands for the rest of a name in quotation marks ("Comment on ..."), which is no break in what is said."""


class Before(NamedTuple):
    """What a conversation holds so far: ids of items that were told, those told in the last answer, its question."""

    told: frozenset[str] = frozenset()
    last: frozenset[str] = frozenset()
    question: str = ""


NOTHING: Final = Before()


class Marked(NamedTuple):
    """Token ids, and which of the two texts each is of; the place of each item in the wish; items the question says."""

    ids: list[int]
    texts: list[int]
    places: dict[str, int]
    said: frozenset[str]


def marked(wish: Wish, question: str, vocabulary: Mapping[str, int], before: Before = NOTHING) -> Marked:
    """What the encoder reads: the question, the wish, and what was asked before."""
    items = (*wish.withheld, *wish.stated)[:MARKS]
    mark = {item.id: MARK + n for n, item in enumerate(items)}
    asked = [vocabulary["[CLS]"], *_question(question, wish, mark, vocabulary), vocabulary["[SEP]"]]
    meant = [*_wish(wish, items, mark, vocabulary, before), vocabulary["[SEP]"]]
    places = {id: len(asked) + meant.index(token) for id, token in mark.items()}
    found = frozenset(id for id, token in mark.items() if token in asked)
    if before.question:
        meant += [*_question(before.question, wish, mark, vocabulary)[-_BEFORE:], vocabulary["[SEP]"]]
    return Marked(asked + meant, [0] * len(asked) + [1] * len(meant), places, found)


def _question(text: str, wish: Wish, mark: Mapping[str, int], vocabulary: Mapping[str, int]) -> list[int]:
    text = _CUT.sub("", text)
    items = (item for item in (*wish.withheld, *wish.stated) if item.id in mark)
    spans = sorted(
        ((start, end, item.id) for item in items for start, end in meant(text, item, wish.full)),
        key=lambda span: (span[0] - span[1], span[0]),
    )
    taken: list[tuple[int, int, str]] = []  # in order, none in another
    for span in spans:
        place = bisect(taken, span)
        if (not place or taken[place - 1][1] <= span[0]) and (place == len(taken) or span[1] <= taken[place][0]):
            taken.insert(place, span)
    tokens: list[int] = []
    at = 0
    for start, end, id in taken:
        tokens += [*pieces(text[at:start], vocabulary), mark[id]]
        at = end
    tokens += pieces(text[at:], vocabulary)
    if len(tokens) > _QUESTION:
        tokens = tokens[: _QUESTION // 4] + tokens[-3 * _QUESTION // 4 :]
    return tokens


def _wish(
    wish: Wish, items: Sequence[Known], mark: Mapping[str, int], vocabulary: Mapping[str, int], before: Before
) -> list[int]:
    state = dict.fromkeys((item.id for item in wish.withheld), WITHHELD)
    state |= {id: JUST_TOLD if id in before.last else TOLD for id in before.told if id in state}
    labels = {
        item.id: [
            mark[item.id],
            state.get(item.id, STATED),
            *pieces(f"{item.role} {'person' if of_somebody(item) else item.kind} ,", vocabulary),
        ]
        for item in items
    }
    tokens: list[int] = []
    at = 0
    spans = sorted(_places(wish.full, items))
    for start, end, id in spans:
        tokens += [*pieces(wish.full[at:start], vocabulary), *labels[id]]
        at = end
    tokens += pieces(wish.full[at:], vocabulary)
    for id in [item.id for item in items if item.id not in {id for *_, id in spans}]:
        tokens += [*pieces(";", vocabulary), *labels[id]]
    return _near(tokens, set(mark.values()))


def _places(text: str, items: Sequence[Known]) -> Iterator[tuple[int, int, str]]:
    """Where each value stands in the request; the longest first, so that none is found inside another."""
    taken: list[tuple[int, int]] = []
    for item in sorted(items, key=lambda item: -len(item.value)):
        for found in re.finditer(rf"(?<!\w){re.escape(item.value)}(?!\w)", text):
            if item.value and not any(start < found.end() and found.start() < end for start, end in taken):
                taken.append(found.span())
                yield (*found.span(), item.id)
                break


def _near(tokens: list[int], marks: set[int]) -> list[int]:
    """Those next to the items, where a wish is longer than is read."""
    places = [place for place, token in enumerate(tokens) if token in marks]
    reach = _WISH
    kept = tokens
    while len(kept) > _WISH and reach > 4:
        reach = reach * 2 // 3
        kept = [token for place, token in enumerate(tokens) if any(-reach <= place - at <= reach for at in places)]
    return kept[: 512 - _QUESTION - 3] if marks <= set(kept[: 512 - _QUESTION - 3]) else [*kept[:_WISH], *sorted(marks)]


_LONGEST: Final = 100
"""Characters of a word that is cut into pieces, as in BERT."""

_TOKEN: Final = re.compile(r"\w+|[^\w\s]")


def pieces(text: str, vocabulary: Mapping[str, int]) -> list[int]:
    """Ids of word pieces: lower case without accents, each word cut greedily into the longest pieces that there are.

    The tokens of BERT (Devlin et al. 2019, arXiv 1810.04805), which the encoder's base was trained on.
    """
    plain = unicodedata.normalize("NFD", text.lower().replace("_", " "))
    plain = "".join(sign for sign in plain if unicodedata.category(sign) != "Mn")
    return [id for word in _TOKEN.findall(plain) for id in _cut(word, vocabulary)]


def _cut(word: str, vocabulary: Mapping[str, int]) -> list[int]:
    if len(word) > _LONGEST:
        return [vocabulary["[UNK]"]]
    found: list[int] = []
    start = 0
    while start < len(word):
        end = next(
            (end for end in range(len(word), start, -1) if ("##" if start else "") + word[start:end] in vocabulary),
            start,
        )
        if end == start:
            return [vocabulary["[UNK]"]]
        found.append(vocabulary[("##" if start else "") + word[start:end]])
        start = end
    return found
