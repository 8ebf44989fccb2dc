"""From what the ledger says to words on a page: dates, sums, names, greetings, quotes, signatures."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import cached_property
from random import Random
from zoneinfo import ZoneInfo

from benchmarks.office.ledger import DAY, Event, FileVersion, Ledger, Mail, day_of
from benchmarks.office.people import OWNER, OWNER_ZONE, Person
from benchmarks.office.stage import keyed
from benchmarks.office.styles import GRAVE, PLAIN, Style, sober, worded
from benchmarks.office.timely import local, out_of_time
from benchmarks.office.words import NAMES, TOKEN, date_words, later, money_words, time_words

__all__ = ("RULE", "Texts")

RULE = "\n\n-- \n"
"""What stands before a signature."""
_TWICE = re.compile(r"\b(\w{3}\w*day),? (?:\1|(?:Mon|Tue|Wed|Thu|Fri)) (?=\d)")
"""A weekday before a date that is written with its weekday anyway."""
_BRIEF, _SHORT, _SOON = 6, 20, 3 * 60
"""Words of a mail that is a mere nod, and of a short one; minutes in which an answer is one of a quick exchange."""
_THANKING = re.compile(r"\b(?:thank\w*|thx|ta|cheers)\b", re.IGNORECASE)
_WANTING = re.compile(r"\?|\b(?:[Pp]lease|pls)\b")
_KEEPING = 0.5
"""How many of those who quote keep what the mail that they quote has quoted."""


class Texts:
    """The words of a ledger's events where `now` is on a certain day."""

    def __init__(self, ledger: Ledger, today: date) -> None:
        self.ledger, self.today = ledger, today
        self._own: dict[str, str] = {}

    @cached_property
    def mails(self) -> dict[str, Mail]:
        """Mails by id."""
        return {mail.id: mail for mail in self.ledger.of(Mail)}

    @cached_property
    def versions(self) -> dict[str, FileVersion]:
        """Versions of files by id."""
        return {version.id: version for version in self.ledger.of(FileVersion)}

    def moment(self, at: int) -> datetime:
        """A moment on the owner's clock."""
        return datetime.combine(later(self.today, day_of(at)), time()) + timedelta(minutes=at % DAY)

    def stamp(self, at: int) -> str:
        """A moment as mails and meetings have it."""
        return f"{self.moment(at):%Y-%m-%d %H:%M:%S}"

    def filled(self, text: str, style: Style, at: int) -> str:
        """A text with its facts in words, as they are at that moment."""

        def word(found: re.Match[str]) -> str:
            marks, name, form = found[1], found[2], found[3]
            if marks:
                person = self.ledger.company.people[name]
                return person.first if marks == "@" else person.name
            fact = self.ledger.facts[name]
            value = fact.at(at)
            match fact.kind:
                case "date":
                    return date_words(later(self.today, int(value)), style.dates, form)
                case "money":
                    return money_words(int(value), style.money, form)
                case "time":
                    return time_words(int(value), form)
                case _:
                    return str(value)

        return _TWICE.sub(r"\1 ", TOKEN.sub(word, text))

    def plain(self, event: Event, text: str) -> str:
        """A text that a person writes without a style of letters: titles, tasks, notes, chat."""
        return self.filled(text, self._style(event.sender, plain=True), event.at)

    def chat(self, event: Event, text: str) -> str:
        """A chat message: as it stands, dates in the writer's manner."""
        return self.filled(text, self._style(event.sender), event.at)

    def file(self, version: FileVersion) -> tuple[str, str]:
        """Path and text of a file's version."""
        return self.filled(version.path, PLAIN, version.at), self.filled(version.text, PLAIN, version.at)

    def subject(self, mail: Mail) -> str:
        """The subject of a mail, which an answer takes over with the words of whoever began."""
        first = mail
        while first.answers and first.subject.removeprefix("Re: ") == self.mails[first.answers].subject.removeprefix(
            "Re: "
        ):
            first = self.mails[first.answers]
        return self.filled(mail.subject, self._style(first.sender, plain=True), first.at)

    def own(self, mail: Mail) -> str:
        """What a mail says, without what it quotes."""
        if mail.id not in self._own:
            self._own[mail.id] = self._written(mail)
        return self._own[mail.id]

    def body(self, mail: Mail) -> str:
        """All that a mail says."""
        return self._with_quote(mail, 2)

    def _with_quote(self, mail: Mail, levels: int) -> str:
        """A mail and so many levels of what it quotes; two only with somebody who keeps the second."""
        text = self.own(mail)
        if not levels or not mail.answers or mail.kind != "person" or not self._style(mail.sender).quotes:
            return text
        keeps = levels > 1 and keyed(self.ledger.seed, "keeps quotes", mail.sender).random() < _KEEPING
        earlier = self.mails[mail.answers]
        quoted = "\n".join(
            (f">{line}" if line.startswith(">") else f"> {line}").rstrip()
            for line in self._with_quote(earlier, levels - 1 if keeps else 0).split("\n")
        )
        return f"{text}\n\n{self.quote_line(mail, earlier)}\n{quoted}"

    def quote_line(self, mail: Mail, earlier: Mail) -> str:
        """What stands above a quote: when it was on the clock of whoever quotes."""
        there = self.moment(earlier.at).replace(tzinfo=ZoneInfo(OWNER_ZONE))
        there = there.astimezone(ZoneInfo(self.ledger.company.people[mail.sender].zone))
        return f"On {there.day} {there:%B %Y} at {there:%H:%M}, {self.name(earlier.sender)} wrote:"

    def name(self, sender: str) -> str:
        """How a sender is called."""
        return sender.partition(" <")[0] if "<" in sender else self.ledger.company.people[sender].name

    def address(self, who: str) -> str:
        """The address of a sender or recipient."""
        return who.partition("<")[2].rstrip(">") if "<" in who else self.ledger.company.people[who].address

    def signature(self, person: Person, at: int) -> str:
        """A person's signature at that moment."""
        home = self.ledger.company.name if person.inside else self.ledger.company.outside.get(person.team, "")
        place = ", ".join(part for part in (person.title, home) if part)
        phone = person.phones[day_of(at) >= person.signature_changes]
        return "\n".join(part for part in (person.name, place, phone) if part)

    def _style(self, sender: str, *, plain: bool = False) -> Style:
        person = self.ledger.company.people.get(sender)
        if person is None:
            return PLAIN
        return replace(person.style, habits=frozenset()) if plain else person.style

    def _written(self, mail: Mail) -> str:
        person = self.ledger.company.people.get(mail.sender)
        if person is None or mail.kind in ("bulk", "spam"):
            return self.filled(mail.text, PLAIN, mail.at)
        rng = keyed(self.ledger.seed, "written", mail.twin or mail.id)
        grave = mail.tone == "grave" or GRAVE.search(mail.text)
        style = sober(person.style) if grave else person.style
        text = self.filled(worded(mail.text, style, rng, opens=not mail.answers, names=NAMES), style, mail.at)
        if mail.kind == "auto":
            return text
        frame = keyed(self.ledger.seed, "frame", mail.twin or mail.id)
        bare_head, bare_foot = self._bareness(mail, person)
        greeting = frame.choice(style.greetings)
        if out_of_time(greeting, local(mail.at, person.zone)):
            greeting = next((each for each in style.greetings if "orning" not in each), "")
        addressed = len(mail.to) == 1 and f"{{@{mail.to[0]}}}" in mail.text
        if frame.random() < bare_head or addressed:
            greeting = ""
        head = f"{greeting.format(self._greeted(mail, greeting, frame))}\n\n" if greeting else ""
        foot = "" if frame.random() < bare_foot else self._signed(person, style, mail, text)
        if mail.draft and not mail.text.endswith((".", "?", "!")):
            foot = ""
        return f"{head}{text}{foot}"

    def _bareness(self, mail: Mail, person: Person) -> tuple[float, float]:
        """How often such a mail has no greeting, and how often nothing below: a nod in a quick exchange mostly."""
        before = self.mails.get(mail.answers or "")
        if before is None:
            return 0.0, 0.0
        words, soon = len(mail.text.split()), mail.at - before.at <= _SOON
        head, foot = (0.8, 0.6) if words <= _BRIEF else (0.55, 0.25) if soon and words <= _SHORT else (0.3, 0.05)
        formal = 0.4 if "full" in person.style.habits or not person.inside else 1.0
        return head * formal, foot * formal

    def _greeted(self, mail: Mail, greeting: str, frame: Random) -> str:
        """Whom an answer is for, though others get it; else all whom a mail goes to."""
        people = self.ledger.company.people
        before = self.mails.get(mail.answers or "")
        if before and before.sender in mail.to:
            return people[before.sender].first
        firsts = [people[key].first for key in mail.to]
        if len(firsts) == 1:
            return firsts[0]
        alone, wordy = greeting.startswith("{"), " there " in greeting
        if len(firsts) > 2:
            return "All" if alone else "everyone" if wordy else frame.choice(("all", "all", "everyone"))
        if frame.random() < 0.5:
            firsts.reverse()
        names = (" and ".join(firsts), ", ".join(firsts))
        if alone or wordy or greeting.startswith("To "):
            return frame.choice(names)
        return frame.choice((*names, "both", "both", "all"))

    def _signed(self, person: Person, style: Style, mail: Mail, text: str) -> str:
        goodbye = self._goodbye(style, mail, text)
        name = {"first": person.first, "whole": person.name, "initial": person.name[0], "none": ""}[style.signs]
        foot = "\n".join(part for part in (goodbye, name) if part)
        below = f"\n\n{foot}" if foot else ""
        outward = any(not self.ledger.company.people[key].inside for key in mail.to) or not person.inside
        if not mail.answers and (outward or (person.key != OWNER and len(person.name) % 2)):
            below += RULE + self.signature(person, mail.at)
        return below

    def _goodbye(self, style: Style, mail: Mail, text: str) -> str:
        """What stands above a name: thanks where something is asked for rather than given, and not twice."""
        draws = keyed(self.ledger.seed, "goodbye", mail.twin or mail.id)
        goodbye = draws.choice(style.goodbyes)
        others = [each for each in style.goodbyes if not _THANKING.search(each)]
        if _THANKING.search(goodbye) and (_THANKING.search(text) or not _WANTING.search(text)):
            if others and draws.random() < 0.8:
                return draws.choice(others)
            if _THANKING.search(text.rpartition("\n")[2]):
                return ""
        return goodbye
