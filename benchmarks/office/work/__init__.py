"""Work scripts: short conversations in `stories/work`, each told many times in other words, by other people.

    % item: enclosures; sensor heads; label rolls

    # short-count | [Short count|Missing {item}] | other=planner,logistics label=Stock
    == d0 other > owner
    [I counted|We counted] the {item} [twice|again] and [come to|get] {n140}, [where the list says|against] {n180}.
    ||
    Another wording of the whole line.
    == ~ owner > other
    Book the difference.
    ==? 0.4 chat ~ other operations
    Found the {item}.
    == task +0 owner Operations due=+4
    Count the {item} again
    == meeting +3@14:00 owner other, third 45
    Stock, from the beginning

`% name: a; b` is a list of words of the file, `# key | subject | options` begins a conversation, `==` a line of it,
which is a mail unless it says `chat`, `task`, `meeting`, `note` or `file`; `==? 0.4` one that happens with that
probability. `||` stands between wordings, `[a|b]` around alternates. `{item}` is a word of a list, `{item2}` another of
the same list, `{n140}` a count, `{m240}` a sum, `{d3}` a day, `{@other}` somebody of the cast.
`python -m benchmarks.office.work [FILE]` reads scripts and says what is wrong with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.office.people import OWNER
from benchmarks.office.script import Line, Thread, filled
from benchmarks.office.stage import weekday, workday

__all__ = ("CAST", "FOLDER", "LISTED", "Script", "Telling", "Turn", "conversations", "list_of", "read", "texts", "used")

FOLDER = Path(__file__).parents[1] / "stories" / "work"
KINDS = ("mail", "chat", "task", "meeting", "note", "file")
CAST = ("other", "third")
_OPTIONS = {*CAST, "label", "chance", "kind", "from"}

_LIST = re.compile(r"^% (?P<name>[a-z][a-z0-9_]*):(?P<words>.*(?:\n(?![%#=]|\|\||\s*$).*)*)\n?", re.MULTILINE)
_OPTION = re.compile(r"(\w+)=(\S+)")
_BAR = re.compile(r"\|(?![^\[]*\])")
_OTHER = re.compile(r"^\|\|\s*$", re.MULTILINE)
_CHOICE = re.compile(r"\[([^\[\]]*)\]")
LISTED = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_DAY = re.compile(r"\{d(\d+)")
_PERSON = re.compile(r"\{@+(\w+)\}")
_ROLE = re.compile(r"\{(@+)(other|third)\}")
_WHEN = r"(?P<when>~|\+\d+(?:@\d\d:\d\d)?|d\d+(?:@\d\d:\d\d)?)"
_LINE = re.compile(
    rf"==(?P<maybe>\? (?P<chance>0?\.\d+|1))? (?:(?P<kind>{'|'.join(KINDS[1:])}) )?{_WHEN} (?P<who>\w+)(?P<rest>.*)"
)
_MAIL = re.compile(r" > (?P<to>\w+(?:, ?\w+)*)(?: / (?P<cc>\w+(?:, ?\w+)*))?")
_MEETING = re.compile(r"(?P<people> \w+(?:, ?\w+)*)? (?P<minutes>\d+)")
_REST = {
    "mail": (_MAIL, "== ~ other > owner / third"),
    "chat": (re.compile(r" (?P<channel>\w+)"), "== chat ~ other operations"),
    "task": (re.compile(r" (?P<project>\w+)(?: due=\+(?P<due>\d+))?"), "== task +0 owner Operations due=+4"),
    "meeting": (_MEETING, "== meeting +3@14:00 owner other, third 45"),
    "note": (re.compile(r"(?: tags=(?P<tags>[\w,]+))?"), "== note +0 owner tags=stock"),
    "file": (re.compile(r" (?P<path>/workspace/\S+)"), "== file +0 owner /workspace/operations/count_{d0:file}.csv"),
}


class Turn(NamedTuple):
    """A line of a script as it is written: its texts have alternates and names still."""

    kind: str
    when: str
    who: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    options: dict[str, str]
    chance: float
    wordings: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Script:
    """A conversation that can be told many times. `lists` are those of its file."""

    file: str
    key: str
    subject: str
    options: dict[str, str]
    turns: tuple[Turn, ...]
    lists: Mapping[str, tuple[str, ...]]

    @cached_property
    def name(self) -> str:
        """Unlike that of any other conversation."""
        return f"{self.file}-{self.key}"

    @cached_property
    def chance(self) -> float:
        """How often it is told, where 1 is as often as others."""
        return float(self.options.get("chance", 1))

    @cached_property
    def machine(self) -> bool:
        """Whether it is by a machine or by nobody in particular."""
        return self.options.get("kind", "person") != "person"

    def posts(self, role: str) -> tuple[str, ...]:
        """The posts that a part of the cast is drawn from; a post stands for itself."""
        if role not in CAST:
            return (role,)
        return tuple(self.options[role].split(",")) if role in self.options else ()

    @cached_property
    def mails(self) -> tuple[Turn, ...]:
        """Its lines that are mails."""
        return tuple(turn for turn in self.turns if turn.kind == "mail")

    @cached_property
    def owners(self) -> float:
        """What part of its mails the owner writes."""
        return sum(turn.who == OWNER for turn in self.mails) / len(self.mails)

    @cached_property
    def days(self) -> tuple[int, ...]:
        """The days that its texts name, counted from its first."""
        return tuple(sorted({int(number) for text in texts(self) for number in _DAY.findall(text)}))

    @cached_property
    def weekdays(self) -> frozenset[int]:
        """The weekdays on which it may begin, so that the days that it names are unlike each other."""
        if len(self.days) < 2:
            return frozenset(range(7))
        return frozenset(
            weekday(first) for first in range(7) if len({workday(first + n) for n in self.days}) == len(self.days)
        )

    @cached_property
    def span(self) -> int:
        """About how many days it takes."""
        steps = [re.match(r"[d+](\d+)", turn.when) for turn in self.turns]
        return sum(int(step[1]) + 1 if step else 1 for step in steps)

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """Who stands in its heads, and of the cast who is named in its texts; the owner apart."""
        heads = [who for turn in self.turns for who in (turn.who, *turn.to, *turn.cc)]
        named = [role for role in CAST if any(f"@{role}}}" in text for text in texts(self))]
        return tuple(who for who in dict.fromkeys((*heads, *named)) if who not in (OWNER, "all", "sender"))

    @cached_property
    def named(self) -> tuple[str, ...]:
        """Posts that its texts name."""
        found = (post for text in texts(self) for post in _PERSON.findall(text))
        return tuple(post for post in dict.fromkeys(found) if post not in CAST)

    @cached_property
    def writers(self) -> frozenset[str]:
        """Who does something in it."""
        return frozenset(turn.who for turn in self.turns)


@cache
def conversations() -> tuple[Script, ...]:
    """All conversations that there are, file by file. Raises ValueError naming what cannot be read."""
    return tuple(script for path in sorted(FOLDER.glob("*.txt")) for script in read(path))


def read(path: Path) -> tuple[Script, ...]:
    """The conversations of a file. Raises ValueError naming what cannot be read."""
    text = path.read_text(encoding="utf-8")
    lists: dict[str, tuple[str, ...]] = {}
    for found in _LIST.finditer(text):
        if found["name"] in lists:
            raise ValueError(f"{path.name}: there are two lists {found['name']!r}")
        lists[found["name"]] = tuple(" ".join(word.split()) for word in found["words"].split(";") if word.strip())
    parts = f"\n{_LIST.sub('', text)}".split("\n# ")
    scripts = tuple(_script(path.stem, part, lists) for part in parts[1:])
    if stray := parts[0].strip():
        raise ValueError(f"{path.name}: before the first conversation there are lists alone, not {stray[:60]!r}")
    for script in scripts:
        if sum(each.key == script.key for each in scripts) > 1:
            raise ValueError(f"{path.name}: there are two conversations {script.key!r}")
    return scripts


def _script(file: str, text: str, lists: Mapping[str, tuple[str, ...]]) -> Script:
    head, _, body = text.partition("\n")
    parts = [part.strip() for part in _BAR.split(head)]
    if len(parts) < 2 or not re.fullmatch(r"[a-z][a-z0-9-]*", parts[0]):
        raise ValueError(f"{file}: a conversation begins as in `# short-count | Subject | other=planner`, not {head!r}")
    options = dict(_OPTION.findall(" ".join(parts[2:])))
    where = f"{file}: {parts[0]}"
    if unknown := [word for word in options if word not in _OPTIONS]:
        raise ValueError(f"{where}: there is no option {unknown[0]}=; there are {', '.join(sorted(_OPTIONS))}")
    for word in options.keys() & {"label", "from"}:
        options[word] = options[word].replace("_", " ")
    turns = tuple(_turns(where, body))
    if not any(turn.kind == "mail" for turn in turns):
        raise ValueError(f"{where}: has no mail, as in `== d0 other > owner`")
    if not turns[0].when.startswith("d"):
        raise ValueError(f"{where}: begins with a line on a day, as in `== d0 other > owner`")
    return Script(file, parts[0], parts[1], options, turns, lists)


def _turns(where: str, body: str) -> Iterator[Turn]:
    before, *parts = f"\n{body}".split("\n==")
    if before.strip():
        raise ValueError(f"{where}: a line begins with `==`, and {before.strip()[:60]!r} stands before any")
    for part in parts:
        first, _, text = f"=={part}".partition("\n")
        head = _LINE.fullmatch(first.rstrip())
        if head is None:
            raise ValueError(f"{where}: a line begins as in `== ~ other > owner`, not {first!r}")
        kind = head["kind"] or "mail"
        pattern, example = _REST[kind]
        rest = pattern.fullmatch(head["rest"])
        if rest is None:
            raise ValueError(f"{where}: a {kind} begins as in `{example}`, not {first!r}")
        found = {name: value for name, value in rest.groupdict().items() if value is not None}
        to, cc = _names(found.pop("to", found.pop("people", ""))), _names(found.pop("cc", ""))
        raw = _OTHER.split(text) if "||" in text else [text]
        wordings = tuple(each.strip() if kind in ("file", "note") else filled(each) for each in raw)
        if not all(wordings):
            raise ValueError(f"{where}: {first!r} has a wording without words")
        yield Turn(kind, head["when"], head["who"], to, cc, found, float(head["chance"] or 1), wordings)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def used(script: Script) -> Iterator[str]:
    """The lists of which a conversation uses words, as its texts name them: `item`, `item2`."""
    names = {name for text in texts(script) for name in LISTED.findall(text)}
    return (name for name in sorted(names) if list_of(name, script.lists))


def texts(script: Script) -> Iterator[str]:
    """All that a conversation may say: subject, paths, wordings."""
    yield script.subject
    for turn in script.turns:
        yield from turn.wordings
        yield turn.options.get("path", "")


def list_of(name: str, lists: Mapping[str, tuple[str, ...]]) -> str:
    """The list that a name in a text is of: itself, or without the number at its end; empty where there is none."""
    plain = name if name in lists else name.rstrip("0123456789")
    return plain if plain in lists else ""


@dataclass(frozen=True)
class Telling:
    """A script being told once: by these people, with these words of lists, other draws following from `rng`.

    `words` has one for each name that `used` gives, `rng` makes a generator for a decision.
    """

    script: Script
    cast: Mapping[str, str]
    words: Mapping[str, str]
    rng: Callable[..., Random]
    draws: dict[tuple[object, int], tuple[Random, list[float]]] = field(default_factory=dict)

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The lines that happen this time."""
        return tuple(n for n, turn in enumerate(self.script.turns) if self.rng("there", n).random() < turn.chance)

    @cached_property
    def subject(self) -> str:
        """Its subject."""
        return self._text(self.script.subject, "subject", ())

    def choices(self, number: int) -> int:
        """How many choices there are in a line: its wording, and the alternates of the wording that has most."""
        return 1 + max(text.count("[") for text in self.script.turns[number].wordings)

    def text(self, number: int, again: Sequence[int] = ()) -> str:
        """What a line says where its choices are drawn again so often."""
        wordings = self.script.turns[number].wordings
        drawn = self._drawn(f"wording {number}", 0, again[0] if again else 0)
        return self._text(wordings[int(drawn * len(wordings))], number, again[1:])

    def thread(self) -> Thread:
        """All of it as first drawn, ready to be played."""
        return Thread(self.script.key, self.subject, self.script.options, tuple(map(self._line, self.turns)))

    def _line(self, number: int) -> Line:
        turn = self.script.turns[number]
        to, cc = (tuple(self.cast.get(key, key) for key in keys) for keys in (turn.to, turn.cc))
        options = {name: self._text(value, f"{number}-{name}", ()) for name, value in turn.options.items()}
        who = self.cast.get(turn.who, turn.who)
        return Line(turn.when, who, to, cc, options, (self.text(number),), turn.kind)

    def _text(self, raw: str, where: object, again: Sequence[int]) -> str:
        places = count()

        def choice(found: re.Match[str]) -> str:
            alternates, place = found[1].split("|"), next(places)
            drawn = self._drawn(where, place, again[place] if place < len(again) else 0)
            return alternates[int(drawn * len(alternates))]

        chosen = _CHOICE.sub(choice, raw)
        return _tidy(_worded(_ROLE.sub(lambda found: f"{{{found[1]}{self.cast[found[2]]}}}", chosen), self.words))

    def _drawn(self, where: object, place: int, again: int) -> float:
        """What is drawn for a choice in a line: a number below 1, kept since lines are written again and again."""
        if (where, again) not in self.draws:
            self.draws[where, again] = (self.rng("words", where, again), [])
        generator, drawn = self.draws[where, again]
        while len(drawn) <= place:
            drawn.append(generator.random())
        return drawn[place]


def _worded(text: str, words: Mapping[str, str]) -> str:
    """A text with words of lists, which begin a sentence with a capital."""

    def word(found: re.Match[str]) -> str:
        if found[1] not in words:
            return found[0]
        given = words[found[1]]
        begins = re.search(r"(^|[.?!]\s+|\n\s*)$", text[: found.start()])
        return given[:1].upper() + given[1:] if begins else given

    return LISTED.sub(word, text)


def _tidy(text: str) -> str:
    """Without what empty alternates leave behind: two blanks, or one before a comma."""
    return re.sub(r" +(?=[,.;:?!](?:\s|$))", "", re.sub(r"(?<=\S) {2,}", " ", text)).strip()
