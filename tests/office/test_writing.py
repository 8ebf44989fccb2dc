"""How people of the office write: each in their own manner, with few tics, and nothing on days when all is closed."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from benchmarks.office import words
from benchmarks.office.check import parts
from benchmarks.office.ledger import Ledger, Mail, Meeting, day_of
from benchmarks.office.people import CLOSED, OWNER
from benchmarks.office.phrasing import contracted, expanded
from benchmarks.office.render.texts import Texts
from benchmarks.office.settling import in_meetings, settle
from benchmarks.office.stage import workday
from benchmarks.office.styles import CARDS, OWNER_CARD, SLIPS, Style, worded
from benchmarks.office.timely import out_of_time
from benchmarks.office.world import SEED, ledger, world

SEEDS = (SEED, 1, 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_nobody_writes_in_the_style_of_another(seed: int) -> None:
    people = [person for person in ledger(seed).company.people.values() if person.key != OWNER]
    styles = [(p.style.greetings, p.style.goodbyes, p.style.habits) for p in people]

    assert len(set(styles)) == len(people)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_telephone_number_is_given_twice_and_each_is_of_its_country(seed: int) -> None:
    people = ledger(seed).company.people.values()
    numbers = [phone for person in people for phone in person.phones]
    begin = {"Europe/London": "020 7946 0", "America/Toronto": "+1 416 555 01", "Europe/Helsinki": "+358 9 5550 "}

    assert len(set(numbers)) == len(numbers)
    assert all(phone.startswith(begin[person.zone]) for person in people for phone in person.phones)


def test_who_makes_slips_makes_one_in_a_few_mails() -> None:
    card = next(card for card in CARDS if "typos" in card.habits)
    wrong = re.compile(rf"\b(?:{'|'.join(SLIPS.values())})\b")
    texts = [worded("We should ask about the box with the lid from the shelf.", card, Random(n)) for n in range(400)]
    slips = [len(wrong.findall(text)) for text in texts]

    assert max(slips) == 1
    assert 0.1 < sum(slips) / len(texts) < 0.3


def test_an_opinion_is_asked_for_behind_proposals_that_begin_a_conversation_alone() -> None:
    card = next(card for card in CARDS if "Thoughts?" in card.closers)

    def asked(text: str, *, opens: bool) -> int:
        return sum("Thoughts?" in worded(text, card, Random(n), opens=opens) for n in range(200))

    assert asked("Shall we take the grey one?", opens=True)
    assert not asked("Shall we take the grey one?", opens=False)
    assert not asked("The lift is mended.", opens=True)


def with_habit(habit: str) -> list[Style]:
    return [card for card in CARDS if habit in card.habits]


@pytest.mark.parametrize(
    ("habit", "plain", "sign"),
    [
        ("bang", "The boxes are on the shelf. The lid fits. Thanks for that.", "!"),
        ("dots", "The boxes are on the shelf. The lid fits the box well. It rains.", "..."),
        ("semi", "The boxes are on the shelf. The lid fits the box well. It rains.", ";"),
        ("dash", "The boxes are on the shelf, but the lid is in the hall. It rains.", " - "),
        ("long", "The boxes are on the shelf, but the lid is in the hall. It rains.", " — "),
        ("amp", "The boxes and the lids are on the shelf. It rains.", " & "),
        ("full", "It's on the shelf. I don't know the lid. We've got it.", "do not"),
        ("lines", "The boxes are on the shelf. The lid fits the box well.", "\n"),
    ],
)
def test_a_habit_shows_often_and_not_always(habit: str, plain: str, sign: str) -> None:
    for card in with_habit(habit):
        written = [worded(plain, card, Random(n)) for n in range(300)]

        assert 0.05 < sum(sign in each for each in written) / 300 < 0.98, card
        assert written == [worded(plain, card, Random(n)) for n in range(300)]


@pytest.mark.parametrize(
    "text", ["A temp cut a hand on a strap.", "Two hours are lost.", "The tester failed.", "That's my worry."]
)
def test_nobody_cries_or_smiles_over_bad_news(text: str) -> None:
    for card in with_habit("bang") + with_habit("smile"):
        assert not [n for n in range(100) if re.search(r"!|:\)", worded(text, card, Random(n)))]


def test_who_writes_small_leaves_firms_and_people_their_capitals() -> None:
    names, plain = frozenset({"Merrow"}), "Arkle & Sons rang. Merrow came. Old Mill sent one. {@buyer} knows."
    for card in with_habit("lower"):
        text = worded(plain, card, Random(1), names=names)
        for name in ("Arkle & Sons", "Merrow", "Old Mill", "{@buyer}"):
            assert name in text.replace("\n", " ")


def test_no_dash_stands_before_a_list_or_an_ampersand() -> None:
    for card in CARDS:
        for n in range(50):
            text = worded("We have a table, and chairs. Both days, dinner, beds, and the boat are in.", card, Random(n))
            assert not re.search(r"[-—] (?:&|and)", text)


@pytest.mark.parametrize(
    ("text", "long"),
    [
        ("The supplier's here and isn't early.", "The supplier is here and is not early."),
        ("The supplier's list can't be right.", "The supplier's list cannot be right."),
        ("It's been long, it's closed, he's left.", "It has been long, it is closed, he has left."),
        ("I'd agreed, I'd need it, we'd better go.", "I had agreed, I would need it, we had better go."),
        ("Won't do. Let's see.", "Will not do. Let us see."),
    ],
)
def test_who_writes_out_writes_all_out_but_possessives(text: str, long: str) -> None:
    assert expanded(text) == long


def test_verbs_are_contracted_where_they_are_not_stressed() -> None:
    text = "I have built it, it is late, and we do not mind. It is. I know what it is for."

    assert contracted(text, 0.3, 0.5) == "I've built it, it's late, and we don't mind. It is. I know what it is for."
    assert contracted(text, 0.3, 0.1) == text


def test_people_take_their_own_of_words_that_mean_the_same() -> None:
    def taken(card: Style) -> tuple[bool, ...]:
        texts = [worded("Somebody has it until then, perhaps.", card, Random(n)).lower() for n in range(40)]
        return tuple(sum(word in each for each in texts) > 20 for word in ("someone", "till", "maybe"))

    assert len({taken(card) for card in CARDS}) == 8


def test_anybody_mistypes_a_word_now_and_then() -> None:
    plain = "The boxes for the corner shelf arrived before lunch."
    written = [worded(plain, OWNER_CARD, Random(n)) for n in range(1000)]

    assert 5 < sum(each not in (plain, plain[:-1]) for each in written) < 60


def test_nods_often_have_no_greeting_and_nothing_below() -> None:
    told = ledger(SEED, "medium")
    texts = Texts(told, world(SEED, "medium").now.date())
    nods = [mail for mail in told.of(Mail) if mail.answers and mail.kind == "person" and len(mail.text.split()) < 6]
    bare = [mail for mail in nods if "\n\n" not in texts.own(mail)]

    assert 0.2 < len(bare) / len(nods) < 0.8


def test_two_are_greeted_in_more_ways_than_one() -> None:
    told = ledger(SEED, "medium")
    texts = Texts(told, world(SEED, "medium").now.date())
    people = told.company.people
    heads = [
        (texts.own(mail).partition("\n\n")[0], [people[key].first for key in mail.to])
        for mail in told.of(Mail)
        if mail.kind == "person" and len(mail.to) == 2 and not mail.answers
    ]
    ways = {
        "first first": sum(f"{one} and {two}" in head for head, (one, two) in heads),
        "second first": sum(f"{two} and {one}" in head for head, (one, two) in heads),
        "comma": sum(f"{one}, {two}" in head or f"{two}, {one}" in head for head, (one, two) in heads),
        "both": sum(" both" in head for head, _ in heads),
    }

    assert min(ways.values()) > 0.05 * len(heads)
    assert max(ways.values()) < 0.6 * len(heads)


def test_some_keep_what_the_mail_that_they_quote_has_quoted() -> None:
    bodies = [row["body"] for row in world().rows["gmail"]["emails"]]

    assert sum("\n>> " in body for body in bodies) > 10
    assert not any("\n>>> " in body for body in bodies)


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_happens_by_people_on_days_when_all_is_closed(seed: int) -> None:
    told = ledger(seed)
    insiders = {person.key for person in told.company.people.values() if person.inside}

    assert [event.id for event in told.events if event.sender in insiders and day_of(event.at) in CLOSED] == []
    assert all(workday(day) not in CLOSED for day in range(-180, 14))


@pytest.mark.parametrize(
    ("text", "minute", "found"),
    [
        ("I bring it this afternoon", 17 * 60 + 49, "this afternoon"),
        ("I bring it this afternoon", 11 * 60, ""),
        ("It comes tonight", 20 * 60, "tonight"),
        ("Morning Ada,", 15 * 60, "Morning"),
        ("This morning it rained", 17 * 60, ""),
    ],
)
def test_words_of_the_day_have_their_hours(text: str, minute: int, found: str) -> None:
    assert out_of_time(text, minute) == found


def test_what_the_owner_wrote_in_a_meeting_is_moved_out_of_it_and_stays_before_its_answer() -> None:
    told = Ledger(seed=1, company=ledger().company)
    meeting = Meeting(
        id="m", story="s", at=0, sender=OWNER, title="Round", starts=600, minutes=60, people=(("it", "accepted"),)
    )
    first = Mail(id="a", story="s", at=610, sender=OWNER, to=("it",), subject="x", text="y", files=("f",))
    answer = Mail(id="b", story="s", at=620, sender="it", to=(OWNER,), subject="x", text="y", thread="a", answers="a")
    told.events += [meeting, first, answer]

    settle(told)

    moments = {event.id: event.at for event in told.events}
    assert in_meetings(told) == {0: [(600, 660)]}
    assert 660 <= moments["a"] < moments["b"]


@pytest.mark.parametrize("seed", SEEDS)
def test_customers_write_and_chat_goes_on_until_now(seed: int) -> None:
    office, told = world(seed), ledger(seed)
    customers = {p.address for p in told.company.people.values() if p.team in ("client", "prospect", "regular")}
    mails = [row["sent_datetime"] for row in office.rows["gmail"]["emails"] if row["address"] in customers]

    assert (office.now.date() - office.now.fromisoformat(max(mails)).date()).days <= 3
    assert (office.now - office.now.fromisoformat(office.rows["chat"]["messages"][-1]["sent"])).days <= 3


@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_owner_keeps_to_read_is_to_be_read(seed: int) -> None:
    rows = world(seed).rows["gmail"]
    read = {row["thread"] for row in rows["thread_labels"] if row["label"] == "Reading"}
    names = {row["sender_name"] for row in rows["envelopes"] if row["id"] in read}

    assert names <= {"Cold Chain Weekly", "Storekeepers Guild"}
    assert all(parts(row["body"])[0] for row in rows["emails"] if row["id"] in read)


def test_names_are_the_words_that_the_stories_have_with_a_capital_only() -> None:
    stories = Path(words.__file__).parent / "stories"
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(stories.rglob("*.txt")))
    named = set(re.findall(r"(?<=[a-z,] )[A-Z][a-z]+|(?<=[:;] )[A-Z][a-z]+", text))

    assert named - {word.title() for word in re.findall(r"(?<![\w{./@-])[a-z]+\b", text)} == words.NAMES
