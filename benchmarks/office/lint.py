"""What is wrong with work scripts, and how often each can be told: `python -m benchmarks.office.work [FILE]`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.office import names
from benchmarks.office.check import amounts, days_in
from benchmarks.office.people import OWNER, Company, founded
from benchmarks.office.runs import RUN, Said
from benchmarks.office.stage import keyed
from benchmarks.office.work import CAST, Script, Telling, list_of, read, texts, used

__all__ = ("Tellable", "fixed_runs", "problems", "report", "tellable")

MOST, _FAILURES, _POOREST, _FEW = 100, 3, 15, 20
"""How often a conversation is told at most, how many tellings may fail one after another, how many conversations are
named, what is few."""

_BRACES = re.compile(r"\{([^{}]*)\}")
_FACT = re.compile(r"(?:d\d+(?::(?:wd|month|full|iso|file|quarter))?|m\d+(?::num)?|n\d+)")
_PERSON = re.compile(r"@{1,2}(\w+)")
_OFFICE = ("company", "product", "client", "prospect", "regular", "vendor", "venue", "freight", "landlord", "agency")
_WRITTEN_OUT = (
    (re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"), "a weekday"),
    (re.compile(r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?(?:am|pm)\b|o'clock\b"), "a time of day"),
    (re.compile(rf"\b(?:{'|'.join(names.FIRST)})\b"), "a name of a person"),
    (re.compile(r"\b(?:January|February|April|June|July|August|September|October|November|December)\b"), "a month"),
)
_MONTH_AND_COUNT = re.compile(r"\b(?:May|March)\b(?:\|[^\[\]{}]*)?\]? \{n\d+\}")
_ATTACHED = re.compile(r"\b(is|are) attached\b|list attached|Plan attached|profile attached")
_SCALED = re.compile(r"\[([^\[\]]*)\]|\{([^{}]*)\}")


class Tellable(NamedTuple):
    """How often a conversation could be told in one world before a line of it had no new words left."""

    script: Script
    times: int
    stopped: str
    """The run of words that then stood in the way most often."""


def _company() -> Company:
    return founded(0, keyed(0, "company"))


def problems(script: Script, company: Company | None = None) -> Iterator[str]:
    """What has to be mended in a conversation before it can be told."""
    company = company or _company()
    yield from _cast(script, company)
    yield from _names(script, company)
    for turn in script.turns:
        for text in turn.wordings:
            plain = _BRACES.sub("X", text)
            if text.count("[") != text.count("]") or re.search(r"\[[^\]]*\[", text):
                yield f"brackets do not close, or are nested, in {text[:60]!r}"
            if "|" in re.sub(r"\[[^\[\]]*\]", "", text) and turn.kind not in ("file", "note"):
                yield f"a | stands outside brackets in {text[:60]!r}"
            for pattern, what in _WRITTEN_OUT:
                if (found := pattern.search(plain)) and not script.machine:
                    yield f"{what} is written out: {found[0]!r} in {text[:60]!r}"
            for _, month, day, _ in days_in(plain):
                yield f"a date is written out (day {day} of month {month}) in {text[:60]!r}"
            for amount in amounts(plain):
                yield f"a sum is written out ({amount}) in {text[:60]!r}: say {{m{amount}}}"
            if found := _MONTH_AND_COUNT.search(text):
                yield f"reads like a date before a count: {found[0]!r} in {text[:60]!r}"
            if turn.kind == "mail" and _ATTACHED.search(text) and "file" not in turn.options:
                yield f"speaks of an attachment, which it has not: {text[:60]!r}"


def _cast(script: Script, company: Company) -> Iterator[str]:
    for role in CAST:
        for post in script.posts(role):
            if post not in company.people:
                yield f"{role}={post} is no post"
            elif post == OWNER:
                yield f"{role}=owner: the owner is {OWNER!r} in heads, and no part of the cast"
            elif company.person(post).left is not None:
                yield f"{role}={post} has left the company"
    for turn in script.turns:
        for who in (turn.who, *turn.to, *turn.cc):
            if who == "all" and who != turn.who:
                continue
            if who in CAST and who not in script.options:
                yield f"`{who}` stands in a head, and there is no {who}= among the options"
            elif who not in CAST and who not in company.people and not (script.machine and who == "sender"):
                yield f"`{who}` in a head is no post"
        if turn.kind == "mail" and not {OWNER, "all"} & {turn.who, *turn.to, *turn.cc}:
            yield f"a mail is neither by the owner nor to them: == {turn.when} {turn.who} > {', '.join(turn.to)}"
        if turn.kind == "mail" and turn.who in turn.to:
            yield f"`{turn.who}` writes to themselves"
        if turn.kind == "chat" and (channel := turn.options["channel"]) not in company.channels:
            yield f"there is no channel {channel!r}; there are {', '.join(company.channels)}"
        elif turn.kind == "chat" and not _in_channel(script, company, turn.who, turn.options["channel"]):
            yield f"nobody who may be `{turn.who}` is in the channel {turn.options['channel']}"


def _in_channel(script: Script, company: Company, role: str, channel: str) -> bool:
    return any(post in company.channels[channel] for post in script.posts(role))


def _names(script: Script, company: Company) -> Iterator[str]:
    for text in texts(script):
        for name in _BRACES.findall(text):
            if person := _PERSON.fullmatch(name):
                if person[1] not in company.people and person[1] not in script.options:
                    yield f"{{{name}}} is nobody of the cast"
            elif name.startswith("office."):
                if name.removeprefix("office.") not in _OFFICE:
                    yield f"{{{name}}} is nothing of the office; there are {', '.join(_OFFICE)}"
            elif not _FACT.fullmatch(name) and not list_of(name, script.lists):
                yield f"{{{name}}} is not a list of this file, and neither a day, a sum, a count nor a person"
            if found := _article(text, name, script):
                yield found
    for name in script.lists:
        same = [each for each in used(script) if list_of(each, script.lists) == name]
        if len(same) > len(script.lists[name]):
            yield f"list {name} has {len(script.lists[name])} words, and texts ask for {len(same)} unlike each other"


def _article(text: str, name: str, script: Script) -> str:
    """Whether a word of a list may have the wrong article before it."""
    found = re.search(rf"\b(an?) \{{{re.escape(name)}\}}", text, re.IGNORECASE)
    for word in script.lists.get(list_of(name, script.lists), ()) if found else ():
        vowel = bool(re.match(r"(?!one\b|once|eu|u[bnst][aeio])[aeiou]|hour|hono", word, re.IGNORECASE))
        if found and vowel != (found[1].lower() == "an"):
            return f"`{found[1]} {word}` can be written: {{{name}}} has words that want the other article"
    return ""


def fixed_runs(script: Script) -> Iterator[str]:
    """Runs of at least eight words without a choice point: a conversation with one can be told once."""
    for turn in script.mails:
        for text in turn.wordings:
            yield from (run for run in _fixed(text) if len(run.split()) >= RUN)


def _fixed(text: str) -> Iterator[str]:
    begun = 0
    for found in _SCALED.finditer(text):
        if found[1] is None and (found[2].startswith(("@", "office."))):
            continue
        yield text[begun : found.start()].strip()
        begun = found.end()
    yield text[begun:].strip()


def tellable(script: Script) -> Tellable:
    """Tell a conversation until it finds no new words, several times one after another."""
    said, blocked = Said(), Counter[str]()
    times = failed = number = 0
    while times < MOST and failed < _FAILURES:
        spoken, stopped = _told(script, number, said)
        number += 1
        if stopped:
            blocked[stopped] += 1
            failed += 1
            continue
        for text in spoken:
            said.add(text)
        times, failed = times + 1, 0
    return Tellable(script, times, "" if times == MOST else blocked.most_common(1)[0][0])


def _told(script: Script, number: int, said: Said) -> tuple[list[str], str]:
    spoken: list[str] = []
    words = {
        name: keyed(number, script.name, name).choice(script.lists[list_of(name, script.lists)])
        for name in used(script)
    }
    telling = Telling(script, {role: role for role in CAST}, words, lambda *key: keyed(number, script.name, *key))
    for place in (n for n, turn in enumerate(script.turns) if turn.kind == "mail"):

        def write(again: Sequence[int], place: int = place) -> str:
            return _BRACES.sub(lambda found: _rough(found[1], script, number), telling.text(place, again))

        again, left = said.fresh(write, telling.choices(place), keyed(number, script.name, "again", place))
        if left:
            return [], left[0]
        spoken.append(write(again))
    return spoken, ""


def _rough(name: str, script: Script, number: int) -> str:
    """A fact as words, roughly."""
    plain = name.partition(":")[0]
    draws = keyed(number, script.name, plain)
    if _FACT.fullmatch(name) and plain[0] == "d":
        return "some day"
    if _FACT.fullmatch(name):
        return str(round(int(plain[1:]) * draws.uniform(0.7, 1.4)))
    return "Name"


def report(paths: Sequence[Path]) -> tuple[list[str], int]:
    """What there is to say of some files, and 1 if something has to be mended, else 0."""
    company = _company()
    lines: list[str] = []
    told: list[Tellable] = []
    wrong = 0
    for path in paths:
        try:
            scripts = read(path)
        except (ValueError, OSError) as error:
            lines.append(f"WRONG {path.name}: {error}")
            wrong = 1
            continue
        for script in scripts:
            found = list(dict.fromkeys(problems(script, company)))
            lines += [f"WRONG {path.name} {script.key}: {each}" for each in found]
            lines += [f"FIXED {path.name} {script.key}: {each}" for each in fixed_runs(script) if not found]
            wrong = wrong or int(bool(found))
            if not found:
                told.append(tellable(script))
        lines.append(_summary(path.name, scripts))
    told.sort(key=lambda each: (each.times, each.script.name))
    if told:
        few = sum(each.times < _FEW for each in told)
        lines.append(
            f"Tellings in one world: {told[0].times} to {told[-1].times} (counted up to {MOST}), "
            f"median {median(each.times for each in told):g}; {few} conversations have fewer than {_FEW}; "
            f"{sum(each.times * len(each.script.mails) for each in told):,} mails in all. The poorest:"
        )
        lines += [
            f"{each.times:>5}  {each.script.name:<40} {each.stopped}" for each in told[:_POOREST] if each.times < MOST
        ]
    return lines, wrong


def _summary(name: str, scripts: Sequence[Script]) -> str:
    lengths = [len(script.mails) for script in scripts]
    mails = [turn for script in scripts for turn in script.mails]
    if not mails:
        return f"{name}: no conversations"
    words = sorted(len(text.split()) for turn in mails for text in turn.wordings)
    owners = sum(turn.who == OWNER for turn in mails)
    return (
        f"{name}: {len(scripts)} conversations of {min(lengths)} to {max(lengths)} mails, "
        f"{100 * lengths.count(1) / len(lengths):.0f}% of one; {100 * owners / len(mails):.0f}% "
        f"by the owner; {words[0]} to {words[-1]} words, median {median(words):g}; "
        f"{sum(len(turn.wordings) > 1 for turn in mails)} of {len(mails)} lines have several wordings"
    )
