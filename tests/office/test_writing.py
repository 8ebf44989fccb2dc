"""How people of the office write: each in their own manner, with few tics, and nothing on days when all is closed."""

from __future__ import annotations

import re
from random import Random

import pytest

from benchmarks.office.check import parts
from benchmarks.office.ledger import Ledger, Mail, Meeting, day_of
from benchmarks.office.people import CLOSED, OWNER
from benchmarks.office.settling import in_meetings, settle
from benchmarks.office.stage import workday
from benchmarks.office.styles import CARDS, SLIPS, worded
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
