"""Each computed flag where it is YES, NO and N/A, worked out by hand."""

from __future__ import annotations

import pytest

from benchmarks.lhaw.flags import CATEGORIES, COMPUTED, FLAGS, Measures, computed, measures
from harness.task import Slot, Task
from harness.trajectory import Asked, HandOver, Landing, Trajectory, Write
from servers.kernel import Part
from tests.lhaw.flags.scenes import DAY, EVENT, LIST, MAIL, ROOM, TO, ask, played, variant
from userssim.grounded import GroundedUser
from userssim.wish import Known, Wish


def said(flag: str, task: Task, trajectory: Trajectory) -> str:
    return computed(task, trajectory)[flag].value


def test_there_are_seven_categories_of_three_flags_and_ten_flags_are_computed() -> None:
    assert [len(flags) for flags in CATEGORIES.values()] == [3] * 7
    assert [flag for flags in CATEGORIES.values() for flag in flags] == list(FLAGS)
    assert len(COMPUTED) == 10
    assert set(COMPUTED) < set(FLAGS)


# --- measures ----------------------------------------------------------------------------------------------------


def test_measures_are_those_worked_out_by_hand() -> None:
    """Two are removed; four questions: `to` in vain, both at once with only `day` told, `day` again, a stated one."""
    trial = played(ask("to", told=()), ask("to", "day", told=["day"]), ask("day"), ask(parts=[Part(kind="given",
                   target="room")]))  # fmt: skip

    assert measures(variant(TO, DAY), trial) == Measures(recall=1.0, recovery=0.5, precision=0.5, cost_efficiency=0.25)


def test_without_questions_there_is_no_precision_and_without_segments_no_recall() -> None:
    assert measures(variant(TO), played(1)) == Measures(0.0, 0.0, None, None)
    assert measures(variant(), played(ask())) == Measures(None, None, 0.0, 0.0)


def test_a_segment_told_twice_counts_once() -> None:
    assert measures(variant(TO), played(ask("to"), ask("to"))).cost_efficiency == 0.5


# --- targeting ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("withheld", "questions", "value"),
    [
        ((TO, DAY), (ask("to"),), "yes"),  # nobody asked for the day
        ((TO,), (), "yes"),  # nothing was asked at all
        ((TO, DAY), (ask("to"), ask("day")), "no"),
        ((TO, LIST), (ask("to"),), "no"),  # the list can be guessed
        ((TO,), (ask(told=["to"]),), "no"),  # a question that named nothing had it told
        ((LIST,), (), "n/a"),
        ((Slot(name="to", kind="person", text="Priya", criticality=0.4),), (), "n/a"),
    ],
)
def test_a_critical_segment_is_missed_where_no_question_is_about_it(
    withheld: tuple[Slot, ...], questions: tuple[Asked, ...], value: str
) -> None:
    assert said("missed_critical_segments", variant(*withheld), played(*questions)) == value


@pytest.mark.parametrize(
    ("withheld", "questions", "value"),
    [
        ((TO, LIST), (ask("list"),), "yes"),  # input matters by 0.5, goal by 1
        ((TO, LIST), (ask(parts=[Part(kind="given", target="room")]),), "yes"),  # nothing of that dimension is missing
        ((TO, LIST), (ask("list"), ask("to")), "no"),
        ((TO, DAY), (ask("day"),), "no"),  # both matter by 1
        ((TO, LIST), (ask(),), "no"),  # about nothing
        ((TO, LIST), (), "no"),
        ((DAY, ROOM), (ask("day"),), "n/a"),  # both are constraints
    ],
)
def test_the_focus_is_wrong_where_only_what_matters_less_is_asked(
    withheld: tuple[Slot, ...], questions: tuple[Asked, ...], value: str
) -> None:
    assert said("wrong_dimension_focus", variant(*withheld), played(*questions)) == value


@pytest.mark.parametrize(
    ("withheld", "questions", "value"),
    [
        ((LIST,), (ask("list"),), "yes"),
        ((TO, DAY), (ask("day", told=()),), "yes"),  # guessable by just 0.5
        ((TO, LIST), (ask("to"),), "no"),
        ((LIST,), (), "no"),
        ((TO,), (ask("to"),), "n/a"),
    ],
)
def test_what_can_be_inferred_need_not_be_asked(
    withheld: tuple[Slot, ...], questions: tuple[Asked, ...], value: str
) -> None:
    assert said("inferable_information_asked", variant(*withheld), played(*questions)) == value


@pytest.mark.parametrize(
    ("withheld", "explorable", "value"), [(DAY, ["day"], "yes"), (DAY, [], "no"), (LIST, [], "yes")]
)
def test_what_exploring_cannot_find_is_not_asked_in_vain_unless_it_is_certain(
    withheld: Slot, explorable: list[str], value: str
) -> None:
    task = variant(withheld, explorable=explorable)

    assert said("inferable_information_asked", task, played(ask(withheld.name))) == value


# --- over-clarification ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("questions", "value"),
    [
        ((ask("to"), ask("to", text="Who gets it?")), "yes"),
        ((ask("to"), ask("day"), ask("to", "day", text="So Priya, on the 20th?")), "yes"),
        ((ask(kind="no_preference", text="Which font?"), ask(kind="no_preference", text="which FONT??")), "yes"),
        ((ask(kind="not_understood", text="Hm?"), ask(kind="not_understood", text="Hm?")), "yes"),
        ((ask("to"), ask("to", "day")), "no"),  # the day is new
        ((ask("to"), ask("to", kind="confirmed", text="So Priya?")), "no"),  # read back rightly
        ((ask("to"), ask("to", kind="corrected", text="So Omar?")), "yes"),  # read back wrongly
        ((ask("to", kind="put_off", told=()), ask("to")), "no"),  # the user wanted to be asked again
        ((ask("to", "day", told=["to"], parts=[Part(kind="given", target="to")]), ask("to", "day")), "no"),
        ((ask("to"),), "n/a"),
        ((), "n/a"),
    ],
)
def test_a_question_is_redundant_where_an_earlier_one_settled_it(questions: tuple[Asked, ...], value: str) -> None:
    assert said("redundant_questions", variant(TO, DAY), played(*questions)) == value


@pytest.mark.parametrize(
    ("second", "value"),
    [
        ("So it is 13:00 to 13:30 on March 24, yes?", "no"),
        ("So that is half an hour, right?", "no"),
        ("How long shall the meeting be?", "yes"),
    ],
)
def test_the_grounded_user_tells_reading_back_from_asking_again(second: str, value: str) -> None:
    length = Known(id="length", kind="duration", value="30-minute")
    stated = (Known(id="date", kind="date", value="March 24"), Known(id="time", kind="time", value="13:00"))
    user = GroundedUser(Wish(
        full="Book a 30-minute meeting on March 24 at 13:00.", sent="Book a meeting on March 24 at 13:00.",
        withheld=(length,), stated=stated,
    ))  # fmt: skip
    asked = []
    for text in ("How long should the meeting be?", second):
        said_ = user.reply(text)
        asked.append(
            Asked(text=text, answer=said_.text, targets=said_.targets, revealed=said_.revealed, parts=said_.parts)
        )
    slot = Slot(name="length", kind="duration", text="30-minute", criticality=1)

    assert said("redundant_questions", variant(slot), played(*asked)) == value


@pytest.mark.parametrize(
    ("questions", "value"),
    [
        ((ask("to"), ask(parts=[Part(kind="given", target="room")])), "yes"),  # which the request states
        ((ask(kind="no_preference"),), "yes"),  # no part of the full request
        ((ask("to", parts=[Part(kind="given", target="to"), Part(kind="confirmed", target="room")]),), "yes"),
        ((ask("to"),), "no"),
        ((ask(kind="confirmed"),), "no"),  # "Shall I go ahead?"
        ((ask(kind="not_understood"),), "no"),
        ((), "no"),  # never N/A
        ((ask(parts=()),), "unscored"),  # a user who does not say what it was about
        ((ask("to", parts=()),), "no"),
    ],
)
def test_a_question_about_what_was_not_withheld_is_unnecessary(questions: tuple[Asked, ...], value: str) -> None:
    assert said("unnecessary_questions", variant(TO), played(*questions)) == value


def test_on_the_full_request_a_question_about_its_values_is_unnecessary() -> None:
    question = ask(parts=[Part(kind="given", target="to")])

    assert said("unnecessary_questions", variant(TO), played(question, prompt="original")) == "yes"


@pytest.mark.parametrize(
    ("questions", "value"),
    [
        ((ask(), ask(), ask("to"), ask()), "yes"),  # 1 / 4
        ((ask(), ask(), ask()), "yes"),
        ((ask(), ask(), ask("to")), "no"),  # 1 / 3
        ((ask(), ask()), "n/a"),
    ],
)
def test_the_cost_is_excessive_where_three_questions_or_more_reveal_little(
    questions: tuple[Asked, ...], value: str
) -> None:
    assert said("excessive_cost", variant(TO, DAY), played(*questions)) == value


# --- under-clarification -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("withheld", "steps", "value"),
    [
        ((TO, DAY), (ask("day"), MAIL, ask("to")), "yes"),  # the mail needs its recipient
        ((TO, DAY), (MAIL,), "yes"),
        ((TO, DAY), (EVENT, ask("day"), ask("to"), MAIL), "yes"),  # the event needs its day
        ((TO, DAY), (ask("day"), EVENT, ask("to"), MAIL), "no"),
        ((TO, DAY), (("crm", "deals"), ask("day"), ask("to"), MAIL), "no"),  # nothing there depends on either
        ((TO, DAY), (3,), "no"),  # nothing was written
        ((TO, LIST), (MAIL, ask("to")), "n/a"),  # one can be guessed
        ((TO,), (MAIL,), "n/a"),
    ],
)
def test_execution_is_premature_where_it_comes_before_the_question_it_depends_on(
    withheld: tuple[Slot, ...], steps: tuple[Asked | tuple[str, str] | int, ...], value: str
) -> None:
    assert said("premature_execution", variant(*withheld), played(*steps)) == value


def test_a_slot_that_names_no_checkpoint_bears_on_every_write() -> None:
    room = ROOM.model_copy(update={"criticality": 1.0})

    assert said("premature_execution", variant(TO, room), played(ask("to"), ("crm", "deals"), ask("room"))) == "yes"


def test_a_late_effect_counts_where_its_call_was_made() -> None:
    trial = played(1, ask("to"), ask("day"))
    effect = Landing(session=0, step=0, status="ok", text="", writes=[Write(app=MAIL[0], table=MAIL[1], id="1",
                     values={})])  # fmt: skip

    assert said("premature_execution", variant(TO, DAY), trial) == "no"
    trial.events.append(effect)
    assert said("premature_execution", variant(TO, DAY), trial) == "yes"


@pytest.mark.parametrize(
    ("withheld", "questions", "value"),
    [
        ((TO, DAY, ROOM), (ask("to"),), "yes"),  # 1 / 3 asked for, 1 / 3 told
        ((TO, DAY), (), "yes"),
        ((TO, DAY), (ask("to"),), "no"),  # 1 / 2
        ((TO, DAY), (ask("to", told=()),), "no"),  # asked for, if in vain
        ((TO, DAY), (ask(told=["to"]),), "no"),  # told, if unasked
        ((TO, LIST), (), "n/a"),
    ],
)
def test_depth_is_insufficient_where_less_than_half_is_asked_for_and_told(
    withheld: tuple[Slot, ...], questions: tuple[Asked, ...], value: str
) -> None:
    assert said("insufficient_question_depth", variant(*withheld), played(*questions)) == value


# --- timing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("withheld", "steps", "value"),
    [
        # The reference makes 5 calls and needs the day for its second: late is from 0.4 of the calls on.
        ((DAY,), (2, ask("day"), 3), "yes"),  # 2 / 5
        ((DAY,), (5, ask("day")), "yes"),
        ((DAY,), (1, ask("day"), 4), "no"),  # 1 / 5
        ((DAY,), (ask("day"), 5), "no"),
        ((DAY,), (1, ask("day"), 4, ask("day")), "no"),  # the first time counts
        ((DAY,), (4, ask(), 1), "no"),  # it was not asked about at all
        ((DAY,), (5,), "n/a"),
        ((ROOM,), (4, ask("room"), 1), "n/a"),  # needed after 0.8
    ],
)
def test_a_question_is_late_where_the_reference_has_used_the_value_by_then(
    withheld: tuple[Slot, ...], steps: tuple[Asked | int, ...], value: str
) -> None:
    assert said("late_clarification", variant(*withheld), played(*steps)) == value


@pytest.mark.parametrize(
    ("steps", "value"),
    [
        ((ask("to"), ask("day"), ask(), 10), "yes"),
        ((1, ask("to"), ask("day"), ask(), 19), "yes"),  # after 1 / 20
        ((ask("to"), ask("day"), ask()), "yes"),  # and nothing else was done
        ((1, ask("to"), ask("day"), ask(), 9), "no"),  # after 1 / 10
        ((ask("to"), ask("day"), 9, ask(), 1), "no"),
        ((ask("to"), ask("day"), 10), "n/a"),
    ],
)
def test_questions_are_dumped_where_all_come_in_the_first_tenth_of_the_calls(
    steps: tuple[Asked | int, ...], value: str
) -> None:
    assert said("upfront_question_dump", variant(TO, DAY), played(*steps)) == value


def test_what_is_asked_at_the_end_of_a_turn_is_a_question_and_a_farewell_is_none() -> None:
    asked = HandOver(session=0, turn=0, n=0, text="To whom?", asked=[ask("to")])
    farewell = HandOver(session=0, turn=1, n=1, text="Done.", asked=[Asked(text="Done.", answer="", goes_on=False)])

    assert measures(variant(TO), played(events=[asked, farewell])) == Measures(1.0, 1.0, 1.0, 1.0)


def test_every_finding_has_a_reason() -> None:
    for trial in (played(), played(ask("to"), ask("to"), ask(), MAIL)):
        assert all(finding.reason.endswith(".") for finding in computed(variant(TO, DAY), trial).values())
