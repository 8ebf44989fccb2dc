"""What documents are about: `prose/*.txt`, one topic a file, `general.txt` for any, `work.txt` for what is in hand.

    # the trade fair; our days at the fair
    ? market
    ! Trade fair in {city}; After the fair
    %% city: Lyon; Antwerp; Leipzig; Turin
    % gear: banner stands; sample cases; brochure racks; lamps

    ## The stand; Stand and furniture
    [We|The team] counted {~40} {gear} on {weekday}; {@a} had guessed {~90}.
    @ I walked round [twice|three times] on {weekday}.
    - [What we took|On the van] = {gear}, {~12} [boxes|crates]
    | Gear | Taken | Back = {gear} | {~20} | {~8}

`#` says how sentences call the topic (`{topic}`), `!` are titles. `?` says for whom it is: firms whose trade has one of
these marks in `trades.txt`; without it, for all. `%` is a word list, `%%` one of which a document has
one word throughout. `##` opens a section, with its headings; what follows are passages of one to four sentences that
may stand in any order (`frames.py` has their slots). `@` marks a passage in the first person, for mails. `-` is a list:
what leads to it, then a point for several words of the first word list named in it. `|` is a table in the same way.
Lines that begin with `//` are remarks. In `general.txt`, sections are called by their part in a document.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from benchmarks.probe.filler.frames import Frame, Word, frame

__all__ = (
    "GIVEN",
    "PARTS",
    "WORK",
    "Listing",
    "Section",
    "Topic",
    "day_words",
    "general",
    "read",
    "suited",
    "topics",
    "trades",
    "worded",
    "work",
)  # fmt: skip

_FOLDER = Path(__file__).parent / "prose"

GIVEN = (
    "topic", "firm", "project", "system", "here", "effort", "desk", "trifle", "number", "program", "term", "past",
    "ahead", "wrote", "remark",
)  # fmt: skip
"""Words that the document brings along: how its topic is called, what the setting has, what its scene tells of."""

PARTS = ("email opens", "event opens", "document opens", "email ends", "event ends", "document ends", "aside")
"""The sections of `general.txt`."""

WORK = (
    "Work in hand", "What is done", "Who has the say", "Where it is kept", "What stopped and went on",
    "At the desks", "Small things", "Around the project", "Remarks", "Answers", "Again", "Leads",
)  # fmt: skip
"""The sections of `work.txt`."""

_GROUPS = {
    "goods": ("the warehouse", "packing", "the packing line", "the store"),
    "lab": ("the lab", "the test lab"),
    "shifts": ("the night shift", "the night crew", "the early shift", "the middle shift"),
    "market": ("the sales team", "sales"),
    "works": ("the engineers", "engineering", "the workshop", "the paint shop", "the drawing office", "the assembly"),
    "vans": ("the drivers",),
}
"""Groups of people that only firms with such a mark have."""

_FEWEST = 4
"""Words in a list, so that a passage can name that many different ones."""


class Listing(NamedTuple):
    """A list or table: its lead or head, and a point or row for each of several words of the list `over`."""

    head: Frame
    row: Frame
    over: str


class Section(NamedTuple):
    """What can be said about one side of a topic."""

    name: str
    headings: tuple[Frame, ...]
    passages: tuple[Frame, ...]
    personal: tuple[Frame, ...]
    """Passages in the first person."""
    lists: tuple[Listing, ...]
    tables: tuple[Listing, ...]


class Topic(NamedTuple):
    """A topic as its file has it."""

    name: str
    called: tuple[Frame, ...]
    titles: tuple[Frame, ...]
    words: dict[str, tuple[str, ...]]
    once: frozenset[str]
    sections: tuple[Section, ...]
    trades: frozenset[str] = frozenset()
    """Marks of the trades that it suits; none: all."""


@cache
def general() -> Topic:
    """What can be said in a document about anything."""
    return read(_FOLDER.parent / "general.txt")


@cache
def work() -> Topic:
    """What can be said of pieces of work."""
    return read(_FOLDER.parent / "work.txt")


@cache
def trades() -> dict[str, frozenset[str]]:
    """The marks of each trade, as `words.txt` calls it."""
    lines = (_FOLDER.parent / "trades.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split(":") for line in lines if line and not line.startswith("//"))
    return {trade.strip(): frozenset(marks.split()) for trade, marks in pairs}


@cache
def suited(trade: str) -> tuple[Topic, ...]:
    """The topics of a firm in this trade; all of them where nothing is known of it."""
    marks = trades().get(trade)
    return tuple(each for each in topics() if marks is None or not each.trades or each.trades & marks)


def worded(topic: Topic, trade: str) -> dict[str, tuple[str, ...]]:
    """The word lists of a topic without the groups of people that a firm in this trade does not have."""
    marks = trades().get(trade)
    if marks is None:
        return topic.words
    lack = {group for mark, groups in _GROUPS.items() if mark not in marks for group in groups}
    fitting = {name: tuple(word for word in words if word not in lack) for name, words in topic.words.items()}
    return {name: found if len(found) >= _FEWEST else topic.words[name] for name, found in fitting.items()}


def day_words() -> tuple[str, ...]:
    """All that filler says for a day or a time near to one: weekdays, `last week`, `in a fortnight`."""
    return tuple(word for name in ("weekday", "ago", "recently", "soon") for word in general().words[name])


@cache
def topics() -> tuple[Topic, ...]:
    """All topics, by name. Raises ValueError naming file and line of what cannot be read."""
    return tuple(read(path, general().words) for path in sorted(_FOLDER.glob("*.txt")))


@dataclass
class _Draft:
    name: str
    headings: tuple[Frame, ...]
    passages: list[Frame]
    personal: list[Frame]
    lists: list[Listing]
    tables: list[Listing]


def read(path: Path, shared: dict[str, tuple[str, ...]] | None = None) -> Topic:
    """Reads a file of topics. `shared` are word lists that it may use besides its own.

    Raises ValueError naming file and line of what cannot be read.
    """
    words: dict[str, tuple[str, ...]] = {}
    once: set[str] = set()
    names: dict[str, tuple[int, str]] = {}
    drafts: list[_Draft] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("//"):
            continue
        try:
            mark, _, rest = text.partition(" ")
            if mark in ("#", "!", "?"):
                names[mark] = (number, rest)  # may name lists that come later
            elif mark in ("%", "%%"):
                name, found = _words(rest)
                if name in words or name in (shared or {}) or name in GIVEN:
                    raise ValueError(f"there is a list {name!r} already")
                words[name] = found
                if mark == "%%":
                    once.add(name)
            elif mark == "##":
                headings = tuple(_checked(each, {**(shared or {}), **words}) for each in _split(rest))
                drafts.append(_Draft(rest.partition(";")[0], headings, [], [], [], []))
            elif not drafts:
                raise ValueError("a passage stands in a section, which begins with `## Heading`")
            else:
                _add(drafts[-1], mark, text, rest, {**(shared or {}), **words})
        except ValueError as problem:
            raise ValueError(f"{path.name}:{number}: {problem}") from None
    words = {**(shared or {}), **words}
    called, titles = (_named(path.name, names, mark, words) for mark in "#!")
    _complete(path.name, drafts)
    sections = tuple(
        Section(
            each.name,
            each.headings,
            tuple(each.passages),
            tuple(each.personal),
            tuple(each.lists),
            tuple(each.tables),
        )
        for each in drafts
    )
    marks = frozenset(names.get("?", (1, ""))[1].split())
    return Topic(path.stem, called, titles, words, frozenset(once), sections, marks)


def _add(draft: _Draft, mark: str, text: str, rest: str, words: dict[str, tuple[str, ...]]) -> None:
    if mark == "@":
        draft.personal.append(_checked(rest, words))
    elif mark in ("-", "|"):
        head, equals, row = rest.partition(" = ")
        if not equals:
            raise ValueError(f"a list is `{mark} what leads to it = a point with a {{word}}`")
        point = _checked(row, words)
        over = next((slot.name for slot in point.slots() if isinstance(slot, Word) and slot.name in words), "")
        if not over:
            raise ValueError("a point names a word list, through whose words the list runs")
        (draft.lists if mark == "-" else draft.tables).append(Listing(_checked(head, words), point, over))
    else:
        draft.passages.append(_checked(text, words))


def _checked(text: str, words: dict[str, tuple[str, ...]]) -> Frame:
    found = frame(text)
    for slot in found.slots():
        if isinstance(slot, Word) and slot.name not in words and slot.name not in GIVEN:
            raise ValueError(f"no list is called {slot.name!r}; there are {', '.join([*words, *GIVEN])}")
    return found


def _words(text: str) -> tuple[str, tuple[str, ...]]:
    name, colon, rest = text.partition(":")
    if not colon or not re.fullmatch("[a-z]+", name):
        raise ValueError("a word list is `% name: word; word`, its name in lower-case letters")
    found = _split(rest)
    if len(found) < _FEWEST or len(set(found)) < len(found):
        raise ValueError(f"a word list has {_FEWEST} different words or more")
    return name, found


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(";") if part.strip())


def _named(
    file: str, names: dict[str, tuple[int, str]], mark: str, words: dict[str, tuple[str, ...]]
) -> tuple[Frame, ...]:
    number, text = names.get(mark, (1, ""))
    try:
        found = tuple(_checked(each, words) for each in _split(text))
    except ValueError as problem:
        raise ValueError(f"{file}:{number}: {problem}") from None
    if not found:
        raise ValueError(f"{file}:{number}: a topic begins with `# how it is called` and `! its titles`")
    return found


def _complete(file: str, drafts: list[_Draft]) -> None:
    for draft in drafts:
        if not draft.headings or not draft.passages:
            raise ValueError(f"{file}: section {draft.name!r} has no heading or no passage")
