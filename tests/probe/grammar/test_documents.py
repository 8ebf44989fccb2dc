"""What documents are like with the real filler: who writes to whom, when and where, and where statements stand."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import date, datetime
from functools import cache
from itertools import pairwise

import pytest

from benchmarks.probe.filler import filler
from benchmarks.probe.filler.days import FORMS, dated, working
from benchmarks.probe.filler.frames import Word
from benchmarks.probe.filler.topics import general, suited, topics, trades, worded
from benchmarks.probe.grammar.documents import TEXT, composed, days
from benchmarks.probe.grammar.generate import generate
from benchmarks.probe.grammar.lines import entries
from benchmarks.probe.grammar.proofs import facts_of
from benchmarks.probe.grammar.reading import located, sentences
from benchmarks.probe.grammar.setting import SEAM
from benchmarks.probe.records import Document, Sample
from tests.probe.grammar.samples import texts

SAMPLES = range(3)
each_sample = pytest.mark.parametrize("number", SAMPLES)
ARTICLES = r"(?:the|a|an|our|my|its|their)"


@cache
def sample(number: int) -> Sample:
    return generate(7, number, filler=filler)


@cache
def statements(number: int) -> dict[str, list[str]]:
    """The sentences of each document that state something."""
    one = sample(number)
    found = located(texts(one), date.fromisoformat(one.now))
    return {id: [sentence for sentence, _ in each] for id, each in found.items()}


def text_of(document: Document) -> str:
    return str(document.payload[TEXT[document.type]])


def day_of(document: Document) -> date:
    return datetime.fromisoformat(str(document.payload.get("date") or document.payload["start"])).date()


def writer(document: Document) -> str:
    """The name of whoever wrote it or invited."""
    payload = document.payload
    return str(payload.get("from") or payload.get("organizer") or payload["author"]).split(" <")[0]


def boxes(document: Document, field: str) -> list[str]:
    found = document.payload[field]
    assert isinstance(found, list)
    return [str(each) for each in found]


def prose_of(number: int) -> Iterator[str]:
    """All sentences of a sample that state nothing."""
    for document in sample(number).documents:
        stated = statements(number)[document.id]
        yield from (each for each in sentences(text_of(document)) if each not in stated)


@each_sample
def test_nobody_speaks_of_themselves_by_name(number: int) -> None:
    for document in sample(number).documents:
        given, family = (name := writer(document)).split(" ")
        body = text_of(document).rpartition("\n\n")[0] if document.type == "email" else text_of(document)

        assert name not in body
        assert f"{given[0]}. {family}" not in body


@each_sample
def test_all_days_are_working_days_before_the_day(number: int) -> None:
    one = sample(number)

    assert all(working(day_of(each)) and day_of(each).isoformat() < one.now for each in one.documents)


@pytest.mark.parametrize(
    "day",
    [
        date(2026, 1, 1), date(2026, 4, 3), date(2026, 4, 6), date(2026, 5, 4), date(2026, 5, 25), date(2026, 8, 31),
        date(2025, 12, 25), date(2027, 3, 26), date(2024, 4, 1), date(2026, 5, 9),
    ],
)  # fmt: skip
def test_on_public_holidays_and_at_weekends_nobody_works(day: date) -> None:
    assert not working(day)
    assert day not in days(random.Random(1), 500, date.fromordinal(day.toordinal() + 10))


@each_sample
def test_an_answer_quotes_a_mail_that_its_writer_sent_or_got(number: int) -> None:
    mails = [each for each in sample(number).documents if each.type == "email"]
    answers = [each for each in mails if str(each.payload["subject"]).startswith("Re: ")]
    found = 0
    for answer in answers:
        subject = str(answer.payload["subject"]).removeprefix("Re: ")
        quoted = re.search(r"\"([A-Z0-9][^\"]+\.)\"", text_of(answer).split("\n\n")[1])
        assert quoted is not None
        (before,) = [
            each
            for each in mails
            if quoted[1] in text_of(each).split("\n\n", 2)[2]
            and str(each.payload["subject"]).removeprefix("Re: ") == subject
        ]

        assert day_of(before) < day_of(answer)
        assert any(dated(day_of(before), form) in text_of(answer).split("\n\n")[1] for form in FORMS)
        found += before.payload["from"] in (answer.payload["from"], *boxes(answer, "to"))
    assert len(answers) >= 5
    assert found == len(answers)


@each_sample
def test_a_meeting_has_one_place_and_the_time_that_its_agenda_takes(number: int) -> None:
    for event in (each for each in sample(number).documents if each.type == "event"):
        paragraphs = text_of(event).split("\n\n")
        start, end = (datetime.fromisoformat(str(event.payload[name])) for name in ("start", "end"))
        minutes = [int(each) for each in re.findall(r"^\d\. .+ \((\d+) min\)$", paragraphs[1], re.MULTILINE)]

        assert str(event.payload["location"]) in paragraphs[0]
        assert sum(minutes) == (end - start).seconds // 60


def test_what_is_said_of_the_meeting_itself_names_no_other_room() -> None:
    parts = [each for each in general().sections if each.name in ("event opens", "event ends")]
    slots = [slot for part in parts for frame in part.passages for slot in frame.slots()]

    assert len(parts) == 2
    assert not [slot for slot in slots if isinstance(slot, Word) and slot.name == "room"]


@each_sample
def test_no_word_of_filler_stands_twice_and_no_article_beside_another(number: int) -> None:
    twice = re.compile(r"\b(?!had\b|that\b)([a-z]+) \1\b", re.IGNORECASE)
    clash = re.compile(rf"\b(?:{ARTICLES}|no|every|each|new) {ARTICLES}\b", re.IGNORECASE)

    wrong = [each for each in prose_of(number) if twice.search(each) or clash.search(each) or re.search(" [,.;]", each)]
    assert wrong == []


@each_sample
def test_what_filler_says_is_for_a_day_to_come_is_ahead_of_the_document(number: int) -> None:
    day = r"(?:[A-Z]\w+ )?\d{1,2} [A-Z]\w+(?: \d{4})?|[A-Z]\w+ \d{1,2}"
    ahead = re.compile(rf"\b(?:until|by|before|have it ready (?:for|on)|is meant for|is planned for) ({day})\b")
    for document in sample(number).documents:
        known = {
            dated(day, form): day
            for form in FORMS
            for day in (date.fromordinal(day_of(document).toordinal() - ago) for ago in range(1, 90))
        }
        said = [each for each in sentences(text_of(document)) if each not in statements(number)[document.id]]

        assert [each for each in said for match in ahead.finditer(each) if match[1] in known] == []


@each_sample
def test_every_document_states_as_much_as_any_other_and_filler_states_nothing(number: int) -> None:
    assert len({len(facts) for facts in facts_of(sample(number)).values()}) == 1


@each_sample
def test_statements_stand_among_other_sentences(number: int) -> None:
    alone = listed = together = 0
    stated = statements(number)
    for document in sample(number).documents:
        for paragraph in text_of(document).split("\n\n"):
            said = [each in stated[document.id] for each in sentences(paragraph)]
            alone += bool(said) and all(said)
            together += sum(first and second for first, second in pairwise(said))
            listed += sum(said) if "\n" in paragraph else 0
    total = sum(map(len, stated.values()))

    assert alone == 0
    assert together < 0.03 * total
    assert 0 < listed < 0.15 * total


@each_sample
def test_statements_are_few_among_the_sentences_with_a_day_or_a_reference(number: int) -> None:
    marked = re.compile(r"\b(?:\d{1,2} [A-Z][a-z]{2,}|[A-Z][a-z]{2,} \d{1,2}\b|[A-Z]-?\d{5}|\d\d/\d{5}/[A-Z]{2})")
    stated = sum(bool(marked.search(each)) for found in statements(number).values() for each in found)
    others = sum(bool(marked.search(each)) for each in prose_of(number))

    assert others > 2 * stated


@pytest.mark.parametrize("place", range(3))
def test_a_statement_stands_at_a_seam(place: int) -> None:
    paragraph = SEAM.join(("One goes.", "Two goes.", "Three goes."))
    found = composed(random.Random(place), {"author": "x"}, ["Heading", paragraph, "A plain one."], ["Here it is."], {})

    assert "Here it is." in found.split("\n\n")[1]
    assert SEAM not in found
    assert re.search(r"(?:One|Two|Three) goes\. Here it is\.", found)


def test_a_statement_in_a_list_is_a_point_of_it() -> None:
    found = composed(random.Random(1), {"author": "x"}, [f"Points:\n* One.{SEAM}\n* Two."], ["Here it is."], {})

    assert found in ("Points:\n* One.\n* Here it is.\n* Two.", "Points:\n* One.\n* Two.\n* Here it is.")


def test_without_paragraphs_statements_make_their_own() -> None:
    assert composed(random.Random(1), {"author": "x"}, [], ["A.", "B.", "C."], {}) == "A. B.\n\nC."


def test_every_trade_is_known_and_has_topics_enough() -> None:
    sorts = [each.split(": ")[1] for each in entries("firms")]

    assert {*sorts} <= trades().keys()
    assert min(len(suited(each)) for each in sorts) >= 45


def test_topics_and_groups_of_people_fit_the_trade() -> None:
    mine, shop = ({each.name for each in suited(trade)} for trade in ("a mining company", "a bookseller"))

    assert "loyalty" in shop - mine
    assert "shift_pattern" in mine - shop
    assert "the warehouse" in worded(topics()[0], "a bookseller")["crew"]
    assert "the warehouse" not in worded(topics()[0], "an insurer")["crew"]
