"""What each fault needs of a slot, and what a faulty request has to pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from benchmarks.composed.added import added, remarks
from benchmarks.composed.checks import CHECKS, check
from benchmarks.composed.premises import broken_rule, false_presupposition, ghost_entity, wrong_state
from benchmarks.composed.said import conflict, lexical
from benchmarks.composed.ways import Way, instead
from benchmarks.composed.withheld import omission, referential, vague_degree, widening
from benchmarks.composed.world import ORIGINAL, Spot
from benchmarks.drift.faults import Fails
from benchmarks.drift.need import Refused
from benchmarks.drift.template import Value
from tests.composed.sets import spot

Makes = Callable[[Spot], Iterator[Way]]


def _with(of: Spot, **facts: Any) -> Spot:
    return replace(of, slot=of.slot.model_copy(update=facts))


def _refusal(makes: Makes, of: Spot) -> str:
    with pytest.raises(Refused) as refused:
        list(makes(of))
    return str(refused.value)


@cache
def sender() -> Spot:
    return spot("delete-latest", "sender")


@pytest.mark.parametrize("makes", [omission, widening, referential, false_presupposition])
def test_a_value_that_may_come_to_the_same_is_refused(makes: Makes) -> None:
    of = _with(spot("send-mail", "recipient"), criticality=0.5)

    assert "another value may come to the same (criticality 0.5)" in _refusal(makes, of)


@pytest.mark.parametrize("makes", [referential, false_presupposition])
def test_a_value_that_can_often_be_found_is_refused(makes: Makes) -> None:
    of = _with(spot("send-mail", "recipient"), guessability=0.5, reason="It stands in the notes.")

    assert "it can often be found or supposed (It stands in the notes.)" in _refusal(makes, of)


def test_a_value_that_a_paper_gives_need_not_be_asked_for() -> None:
    of = _with(spot("send-mail", "recipient"), guessability=1)

    assert {way.need for way in referential(of)} == {"discoverable"}


def test_nothing_is_presupposed_of_a_value_that_goes_without_saying() -> None:
    of = _with(spot("send-mail", "recipient"), guessability=1, reason="It is always her.")

    assert "it goes without saying (It is always her.)" in _refusal(false_presupposition, of)


def test_a_value_without_rivals_is_refused() -> None:
    of = replace(spot("send-mail", "recipient"), rivals=spot("send-mail", "recipient").rivals[:1])

    assert "its words leave 1 value, and they should leave two at least" in _refusal(referential, of)


def test_an_omission_leaves_no_complete_request() -> None:
    assert "A1 on " in _refusal(omission, sender())
    assert "what is left is a complete request for something else" in _refusal(omission, sender())


def test_what_can_honestly_be_supposed_is_not_left_out() -> None:
    assert "is a request of its own" in _refusal(omission, spot("send-mail", "subject"))


def test_a_person_does_not_come_in_degrees() -> None:
    assert "a person does not come in degrees" in _refusal(vague_degree, sender())


def test_a_direction_has_no_class() -> None:
    assert "more and less have no class" in _refusal(widening, spot("figure-meeting", "comparison"))


def test_a_name_that_nothing_has_is_not_missed_where_a_new_thing_gets_it() -> None:
    assert "need not be there already" in _refusal(false_presupposition, spot("add-lead", "customer"))


def test_a_kind_without_absent_names_is_refused() -> None:
    assert "no list of duration names" in _refusal(false_presupposition, spot("book-meeting", "duration"))


def test_a_ghost_is_one_word_away_from_two_names_that_there_are() -> None:
    way = next(ghost_entity(spot("delete-customer", "customer", number=1)))

    assert len(way.readings) >= 2
    assert all(len(set(each.text.split()) ^ set(way.words.split())) == 2 for each in way.readings)


def test_one_word_is_not_mixed_with_another() -> None:
    assert "is one word, and two names are to be mixed" in _refusal(ghost_entity, sender())


def test_a_wrong_state_is_what_the_row_has_already() -> None:
    of = spot("set-status", "status")
    way = next(wrong_state(of))
    change = of.task.ends[0].changes[0]

    assert of.place.row(change.app, change.table, change.id)["status"] == way.words


def test_a_new_row_is_in_no_state() -> None:
    assert "it is not the state that rows are brought into" in _refusal(wrong_state, spot("send-mail", "recipient"))


def test_a_day_that_is_over_is_the_same_weekday_before_today() -> None:
    of = spot("book-meeting", "date")
    way = next(broken_rule(of))
    claim, _, _ = way.claim.partition(" is over")

    assert claim == way.words
    assert all(str(each.value) > f"{of.now:%Y-%m-%d}" for each in way.readings)


def test_a_day_that_only_filters_breaks_no_rule() -> None:
    assert "it is not the day on which something is yet to be" in _refusal(broken_rule, spot("cancel-first", "date"))


def test_a_conflict_leaves_two_readings_and_has_words_of_both() -> None:
    way = next(conflict(spot("send-mail", "recipient")))
    named = [each.text in way.words or f"{str(each.text).lower()}." in way.words for each in way.readings]

    assert named == [True, True]


def test_a_title_cannot_disagree_with_itself() -> None:
    assert "there is no second way to say" in _refusal(conflict, spot("send-mail", "subject"))


def test_an_informal_word_is_robust() -> None:
    way = next(lexical(spot("book-meeting", "duration")))

    assert (way.need, [each.text for each in way.readings]) == ("robust", [spot("book-meeting", "duration").own.text])


def test_a_word_that_means_other_things_too_is_no_informal_word() -> None:
    assert "no informal word means" in _refusal(lexical, sender())


@pytest.mark.parametrize("fault", ["I1", "I3", "A4"])
def test_there_are_enough_remarks_of_each_kind(fault: Any) -> None:
    assert len(set(remarks(fault))) >= 20


def test_words_are_not_added_for_a_fault_that_needs_a_slot() -> None:
    with pytest.raises(Refused, match=r"P1 on .* it needs a slot"):
        added("P1", sender().task)


def test_a_value_is_replaced_at_the_beginning_of_a_sentence_in_capitals() -> None:
    of = next(
        each
        for number in range(8)
        if (each := spot("forward-latest", "recipient", number=number)).request.startswith(each.own.text)
    )

    assert instead("P1", of, "my deputy").startswith("My deputy ")


def _way(of: Spot, text: str, words: str = "", **facts: Any) -> Way:
    about = {"fault": "E3", "spot": of, "need": "required", "readings": of.rivals, **facts}
    return Way(text=text, words=words, **about)


def _amiss() -> dict[str, Way]:
    of = spot("send-mail", "recipient")
    other = next(slot for slot in of.task.slots if slot.name == "body")
    full = of.task.sessions[0].requests[ORIGINAL]
    good = instead("E3", of, "my deputy")
    alike = Value(of.own.text, "somebody else")
    return {
        "readable": _way(of, full),
        "quoted": _way(of, good, "my team lead"),
        "others_verbatim": _way(of, good.replace(other.text, "Hello."), "my deputy"),
        "hidden": _way(of, f"{good} It is for {of.own.text}.", "my deputy"),
        "adds_only": _way(of, f"{of.own.text} is nice. {full}", f"{of.own.text} is nice.", fault="I1", spot=None),
        "several": _way(of, good, "my deputy", readings=(of.own, alike)),
        "absent": _way(of, instead("P1", of, "Robin"), "Robin", fault="P1", need="blocked"),
    }


@pytest.mark.parametrize("name", CHECKS)
def test_every_check_refuses_something_by_its_name(name: str) -> None:
    with pytest.raises(Fails, match=rf"^{name}: "):
        check(spot("send-mail", "recipient").task, _amiss()[name])


@pytest.mark.parametrize("text", ["Send it to  her.", "Send it to .", "send it to her.", "Send it to the the boss."])
def test_a_text_that_nobody_would_write_is_not_readable(text: str) -> None:
    of = spot("send-mail", "recipient")

    with pytest.raises(Fails, match=r"^readable: E3 \(referential\)"):
        check(of.task, _way(of, text))
