"""Whether what a question proposes is the value, another one, or words of which nobody could tell."""

from __future__ import annotations

import pytest

from userssim.proposed import Judged, keyed, proposed
from userssim.wish import Known

ORDER = Known(
    id="order", kind="order", role="order", value="Omar Lund's tool crate order", key="9938",
    others=(
        "Omar Lund's steel toolbox order (4411)", "Ada Lund's bar stool order (7020)", "Ken Bern's bench order (8723)",
        "Kenji Bern's tool crate order (5512)", "Omar Silva's bar stool order (6006)",
    ),
)  # fmt: skip
SENT = "Refund what was paid for the Lund order."
COFFEE = Known(id="c", kind="coffee", role="coffee", value="Harbour", others=("Harbour Brew", "Yirga Blue"))
DAY = Known(id="d", kind="date", role="day", value="8 April", day="2027-04-08", others=("9 April", "18 April"))
SUM = Known(id="s", kind="number", role="how many", value="12", others=("2", "20", "120"))
PUPIL = Known(id="p", kind="pupil", role="pupil", value="Mei Tang", key="18", others=("Mei Tan (17)", "Ines Prado (3)"))
PAIR = Known(
    id="w", kind="which products", role="which products",
    value="all chairs, and those lamps that cost less than 50 euros",
    others=(
        "the chairs and lamps, of either only what costs less than 50 euros",
        "all chairs, and those lamps that cost less than 40 euros",
    ),
)  # fmt: skip


def judged(text: str, item: Known = ORDER, *, sent: str = SENT, aside: tuple[Known, ...] = ()) -> Judged:
    return proposed(text, (), item, sent, aside)


@pytest.mark.parametrize(
    "text",
    [
        "the 63 euros paid for the tool crate order (9938)",
        "Do you mean Omar Lund's tool crate order?",
        "Omar's tool crate",
        "Shall I take the order of a tool crate by Lund?",
        "Is it 9938?",
        "order #9938",
        "Is it the bar stool one or the tool crate one?",
    ],
)
def test_what_has_marks_of_the_value_alone_is_right(text: str) -> None:
    assert judged(text) == "right"


@pytest.mark.parametrize(
    "text",
    [
        "Do you mean Omar Lund's steel toolbox order?",
        "the steel toolbox order",
        "Kenji Bern's tool crate order",
        "Ken Bern's bench order",
        "Kenji's tool crate",
        "Is it 4411?",
        "Ada's bar stool",
    ],
)
def test_what_has_marks_of_another_alone_is_wrong(text: str) -> None:
    assert judged(text) == "wrong"


@pytest.mark.parametrize(
    "text",
    [
        "Omar's order",
        "the order of Lund",
        "the tool crate order, bench included",
        "the one from March",
        "Is it the tool crate order of Omar Lund, not the steel toolbox?",
        "the steel toolbox and the tool crate of Omar Lund",
        "Is there a tool crate, a steel toolbox, a bar stool and a bench among the orders of Omar, Ada and Kenji?",
    ],
)
def test_what_has_marks_of_several_or_of_none_is_neither(text: str) -> None:
    assert judged(text) == "unsure"


@pytest.mark.parametrize("text", ["the 9938 euros", "19938", "9938.50", "99,938", "9938 kilos"])
def test_an_id_is_no_part_of_another_number_and_no_amount(text: str) -> None:
    assert not keyed(text, "9938", "order")


def test_an_id_of_few_figures_has_to_be_introduced() -> None:
    assert judged("Is it pupil 18?", PUPIL) == judged("Is it id 18?", PUPIL) == "right"
    assert judged("Is it from 18 May on?", PUPIL) == judged("Are there 18?", PUPIL) == "unsure"
    assert judged("Is it pupil 17?", PUPIL) == "wrong"


def test_an_id_that_could_be_a_year_has_to_be_introduced() -> None:
    assert not keyed("Is it the one of 2027?", "2027", "order")
    assert keyed("Is it order 2027?", "2027", "order")


def test_a_value_inside_of_a_longer_one_is_that_one() -> None:
    assert judged("Is it Harbour Brew?", COFFEE) == "wrong"
    assert judged("Is it Harbour or Harbour Brew?", COFFEE) == "right"


def test_a_title_inside_of_a_longer_one_is_that_one_with_quotes_or_without() -> None:
    item = Known(id="t", kind="work", role="work", value='"Tithe"', others=('"Study for Tithe" (331)', '"Tithe II"'))

    assert judged("Is it Study for Tithe?", item) == judged('Is it "Tithe II"?', item) == "wrong"
    assert judged("Is it Tithe?", item) == judged('Is it "Tithe"?', item) == "right"


@pytest.mark.parametrize("text", ["Is it 8 May?", "Is it 8?", "Is it the eighth of June?", "in the morning"])
def test_a_figure_of_a_day_is_not_the_day(text: str) -> None:
    assert judged(text, DAY) == "unsure"


def test_another_day_or_number_is_wrong_in_any_of_its_forms() -> None:
    assert judged("Is it the 9th of April?", DAY) == judged("Is it 18 April?", DAY) == "wrong"
    assert judged("Is it 120?", SUM) == judged("Is it two?", SUM) == judged("Is it 2 or 20?", SUM) == "wrong"


def test_one_word_of_a_name_is_enough_where_nobody_else_has_it() -> None:
    who = Known(id="w", kind="customer", value="Mei Tang", others=("Mei Tan", "Ines Prado"))

    assert judged("Is it Mei?", who) == "unsure"
    assert judged("Is it Ms Tang?", who) == "right"
    assert judged("Is it Ms Tan?", who) == judged("Is it Mei Tan?", who) == "wrong"


def test_small_words_tell_nothing_apart() -> None:
    assert judged("Are only the lamps to be cheap, or either of them?", PAIR) == "unsure"
    assert judged(f"Is it {PAIR.others[0]}?", PAIR) == "wrong"


def test_each_candidate_is_judged_by_itself() -> None:
    offered = ("the steel toolbox order", "the tool crate order", "none of these")

    assert proposed("Which order?", offered, ORDER, SENT) == "right"
    assert proposed("Which order?", offered[:1] + offered[2:], ORDER, SENT) == "wrong"
    assert proposed("Which order?", (offered[0], "the one from March"), ORDER, SENT) == "unsure"


def test_what_the_request_says_of_the_value_counts_as_said() -> None:
    assert judged("the tool crate one") == "right"
    assert judged("the tool crate one", sent="Refund what was paid for that order.") == "unsure"


def test_what_a_false_request_has_in_its_place_is_wrong_and_is_no_mark_beside_others() -> None:
    false = "Refund what was paid for the Ber order."
    item = Known(**{**vars(ORDER), "others": (*ORDER.others, "the Ber order")})

    assert judged("Shall I refund the Ber order anyway?", item, sent=false) == "wrong"
    assert judged("There is no Ber order. Is it Omar Lund's tool crate?", item, sent=false) == "right"


def test_what_the_request_states_is_no_mark() -> None:
    desk = Known(id="desk", kind="desk", value="the bench desk")

    assert judged("Does the bench desk refund the tool crate of Lund?", aside=(desk,)) == "right"
    assert judged("Does the bench desk refund the tool crate of Lund?") == "unsure"


def test_without_others_all_that_is_not_the_value_is_wrong() -> None:
    alone = Known(id="board", kind="board", value="Design")

    assert judged("Is it the drawing board?", alone) == "wrong"
    assert judged("Is it the design board?", alone) == "right"


def test_the_one_that_is_meant_is_no_number() -> None:
    one = Known(id="n", kind="number", value="one", others=("two", "four"))

    assert judged("I take it you mean four; if not, which one?", one) == "wrong"
    assert judged("Is it one?", one) == "right"


def test_words_of_the_request_are_no_marks_of_another_value() -> None:
    sent = "List the chairs and lamps that cost less than 50 euros a day."
    item = Known(**{**vars(PAIR), "others": (*PAIR.others, "the chairs that cost less than 19 euros a day")})

    assert judged("Shall I list the chairs and lamps that cost less than 50 euros a day?", item, sent=sent) == "unsure"


def test_what_the_value_is_called_proposes_nothing_beside_candidates() -> None:
    deed = Known(id="deed", kind="move or copy", role="move or copy", value="Copy", others=("Move",))

    assert proposed("As to the move or copy:", ("Move",), deed) == "wrong"
    assert proposed("As to the move or copy:", ("Copy",), deed) == "right"
    assert proposed("Shall I move or copy them?", (), deed) == "right"


KETTLE = Known(
    id="k", kind="product", role="product", value="the copper kettle", key="8177",
    others=("the enamel kettle (1)", "the travel kettle (2)", "the stove kettle (3)"),
)  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "There are copper, enamel, travel and stove kettles. Do you mean one of these?",
        "Is it one of the enamel, travel, stove and copper kettles?",
        "Which of the enamel and copper kettles?",
    ],
)
def test_a_series_to_choose_from_that_has_the_value_is_right(text: str) -> None:
    assert judged(text, KETTLE, sent="Withdraw the garden kettle.") == "right"


def test_a_series_to_choose_from_without_the_value_is_wrong() -> None:
    text = "Is it one of the enamel, travel and stove kettles?"

    assert judged(text, KETTLE, sent="Withdraw the garden kettle.") == "wrong"


def test_a_series_that_is_not_to_choose_from_is_not_right_by_one_of_it() -> None:
    text = "Shall I withdraw the copper, enamel and stove kettles?"

    assert judged(text, KETTLE, sent="Withdraw the garden kettle.") == "unsure"
