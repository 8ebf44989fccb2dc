"""Values in other words and other values: what is agreed to, what is denied, and what is only told."""

from __future__ import annotations

import pytest

from userssim.amounts import Amount, amount, amounts
from userssim.apart import Lone, another, lone
from userssim.grounded import GroundedUser
from userssim.values import meant, said
from userssim.wish import Known, Wish


def known(kind: str, value: str, role: str = "", id: str = "x") -> Known:
    return Known(id=id, kind=kind, value=value, role=role)


@pytest.mark.parametrize(
    ("kind", "value", "texts"),
    [
        ("quantity", "three crates", ["3 crates", "three", "a crate or 3"]),
        ("threshold", "25 pallets", ["twenty-five pallets", "below 25", "25 or so", "twenty five?"]),
        ("amount", "36,000 euros", ["36k", "€36,000", "36 thousand euros", "EUR 36000", "36,000.00 euros", "€36k"]),
        ("amount", "1,450 pounds", ["£1,450", "1450 GBP", "one thousand four hundred and fifty", "1.45k"]),
        ("amount", "260 euros", ["260.00 euros", "two hundred and sixty"]),
        ("percentage", "2.5 percent", ["2,5 %", "2.50%", "two and a half percent", "two point five"]),
        ("temperature", "minus 8 degrees", ["-8 °C", "-8 degrees", "minus eight", "8 below zero", "-8"]),
        ("temperature", "21 degrees", ["21 °C", "21°", "twenty-one degrees Celsius"]),
        ("duration", "three weeks", ["21 days", "twenty-one days and older"]),
        ("duration", "14 days", ["a fortnight to decide", "two weeks to decide"]),
        ("duration", "three days", ["72 hours"]),
        ("duration", "75 minutes", ["1h15", "1:15 h", "an hour and a quarter", "1.25 hours, or one hour fifteen"]),
        ("period", "a year", ["twelve months"]),
        ("place", "the second floor", ["2nd floor", "on second floor"]),
        ("class", "second class", ["2nd class"]),
        ("sound", "rainstorm", ["rain storm"]),
        ("board", "Front end", ["front-end", "the frontend"]),
        ("share", "25 percent", ["one quarter of them"]),
        ("person", "Dr Okafor", ["Doctor Okafor", "Okafor"]),
        ("person", "Odette van Stanhope", ["O. Stanhope", "Odette V. Stanhope", "Odette Stanhope", "Ms Stanhope"]),
        ("time", "6:20", ["6:20 am", "twenty past six in the morning"]),
        ("time", "15:45", ["3:45 pm", "a quarter to four"]),
        ("date", "28 May", ["28/5", "5/28"]),
        ("date", "6 June", ["6/6"]),
        ("fee", "30 cents", ["€0.30", "0,30 euros", "$0.30", "30 ct"]),
        ("price", "2 pounds", ["200 pence", "£2.00"]),
        ("price", "65 euros", ["€65 each", "EUR 65 per head", "65 EUR apiece", "65€"]),
        ("amount", "750 ml", ["0.75 l", "75 cl", "three quarters of a litre", "750ml"]),
        ("amount", "half a litre", ["500 ml", "0.5 l"]),
        ("amount", "a litre", ["1 l", "one litre", "1000 ml", "a litre"]),
        ("duration", "a fortnight", ["two weeks", "14 days", "a fortnight"]),
        ("duration", "an hour", ["60 minutes", "the full hour", "1h"]),
        ("weight", "2 pounds", ["two lbs", "2 lb"]),
        ("amount", "1.5 kg", ["1,500 grams", "one and a half kilos", "a kilo and a half"]),
        ("threshold", "8 mm", ["0.8 cm", "8mm"]),
        ("distance", "12 km", ["12 kilometres", "12,000 m"]),
        ("size of the file", "2 GB", ["2 gigabytes"]),
        ("duration", "40 minutes", ["two thirds of an hour", "40'", "40m"]),
        ("share", "15 percent", ["fifteen in a hundred"]),
        ("share", "60 percent", ["three fifths of them"]),
        ("amount", "1,350", ["thirteen hundred and fifty"]),
        ("number", "six", ["half a dozen"]),
        ("place", "Saint Martha's", ["St. Martha's", "St Martha\N{RIGHT SINGLE QUOTATION MARK}s", "St Marthas"]),
        ("place", "Elm Street", ["Elm St.", "elm st"]),
        ("company", "Brennan Limited", ["Brennan Ltd"]),
        ("slide", "slide 6", ["slide six", "#6", "no. 6"]),
        ("size", "L", ["large", "Large, I guess"]),
        ("size", "medium", ["M", "size M"]),
        ("date", "17th", ["the seventeenth", "on the 17th"]),
        ("date", "the 1st of April", ["1 April", "April 1st", "on the first"]),
        ("date", "1 April", ["the 1st", "on the first, then", "the first of the month", "the first of April"]),
        ("date", "2024-03-14", ["14 March", "14 March 2024"]),
        ("version", "version 3", ["version three", "version 3, 4 and 5", "version 3."]),
        ("size", "S", ["size S", "small"]),
        ("date", "Sunday the 21st", ["Sunday, the 21st", "the 21st", "the twenty-first"]),
        ("date", "Monday, 7 July", ["the 7th of July", "7 July"]),
        ("date", "3 September", ["3 Sept.", "third of Sept."]),
        ("day", "Thursday", ["Thurs", "thu.", "Thu"]),
        ("time", "11:30", ["half eleven"]),
        ("time", "from 3 to 5", ["3-5 pm", "15:00-17:00", "three until five", "15-17"]),
        ("time", "9 to 11 am", ["9:00-11:00", "from nine to eleven"]),
        ("interval", "three months", ["four times a year", "quarterly", "every three months"]),
        ("frequency", "every two weeks", ["fortnightly", "every other week"]),
        ("frequency", "weekly", ["once a week", "every week", "on a weekly basis"]),
        ("frequency", "twice a week", ["twice weekly", "2x per week"]),
        ("time", "midnight", ["midnight", "0:00", "12 am"]),
    ],
)  # fmt: skip
def test_a_value_in_another_form_is_the_value(kind: str, value: str, texts: list[str]) -> None:
    assert [text for text in texts if not meant(text, known(kind, value))] == []


@pytest.mark.parametrize(
    ("kind", "value", "texts"),
    [
        ("threshold", "25 pallets", ["52", "25 minutes", "25 euros", "2.5", "125", "twenty", "25 hundred", "at 12:25"]),
        ("quantity", "three crates", ["thirty-three", "twenty three", "three hundred", "three and a half", "one"]),
        ("quantity", "one crate", ["Which one?"]),
        ("amount", "36,000 euros", ["63k", "3,600 euros", "$36,000", "360,000", "36", "36 million"]),
        ("amount", "250 euros", ["1,250 euros", "250.50 euros", "250k"]),
        ("percentage", "2.5 percent", ["25 percent", "0.25 %", "2,500", "two percent"]),
        ("temperature", "minus 8 degrees", ["8 degrees", "8", "3-8", "minus 18"]),
        ("temperature", "21 degrees", ["-21 °C", "minus 21", "21 °F", "21 below zero"]),
        ("duration", "three weeks", ["three days", "20 days", "a month"]),
        ("duration", "75 minutes", ["an hour", "1:15", "75 hours"]),
        ("quantity", "four boxes", ["twenty-four boxes", "minus four boxes", "4 pallets", "four cartons"]),
        ("duration", "300 minutes", ["three hundred and twenty minutes", "three hundred five"]),
        ("limit", "five thousand", ["five thousand one hundred", "five thousand and one", "twenty five thousand"]),
        ("percentage", "25 percent", ["a quarter to nine", "quarter past two", "a quarter of one percent", "25‰"]),
        ("percentage", "25 percent", ["25 basis points", "25 per mille"]),
        ("date", "March 11", ["April the 11th", "the 11th Feb", "the 11th of Sep"]),
        ("time", "noon", ["half past noon", "noon thirty"]),
        ("place", "the third floor", ["the thirty-third floor", "the twenty third floor", "3 floors"]),
        ("person", "Dr Okafor", ["Dr Weiss", "the dr"]),
        ("person", "Odette Stanhope", ["Odette O'Brien", "Odette McDonald", "ODETTE UNDERHILL", "Émile Stanhope"]),
        ("person", "Odette Stanhope", ["Odette van Dam", "Odette S. Miller", "J. Stanhope"]),
        ("time", "6:20", ["6:20 pm", "18:20", "twenty past six in the evening"]),
        ("time", "15:45", ["3:45 am", "03:45"]),
        ("subject", "The Second Draft", ["second draft", "The 2nd Draft"]),
        ("date", "6 May", ["6/5", "5/6"]),
        ("fee", "30 cents", ["30 euros", "€0.03", "€3", "0.30 %"]),
        ("amount", "750 ml", ["7.5 l", "750 l", "750 grams", "half a litre"]),
        ("amount", "half a litre", ["a litre and a half", "two and a half litres"]),
        ("amount", "a litre", ["half a litre", "half of a litre", "a litre and a half", "two litres"]),
        ("amount", "500 ml", ["1 500 ml", "2 500 ml"]),
        ("weight", "5 kg", ["5 lbs", "5 pounds"]),
        ("distance", "12 km", ["12 m", "12 miles"]),
        ("number", "20", ["20 k", "20 thousand", "20 August"]),
        ("quantity", "four boxes", ["four dozen boxes", "four dozen"]),
        ("quantity", "a dozen boxes", ["half a dozen boxes"]),
        ("duration", "60 seconds", ["I am sure"]),
        ("duration", "one week", ["twice a week"]),
        ("price", "65 euros", ["$65", "65 cents", "EUR 650"]),
        ("number", "1,350", ["thirteen hundred", "thirteen hundred and fifteen"]),
        ("place", "Elm Street", ["Saint Elm", "Elm Road"]),
        ("size", "L", ["I'll take it", "extra large"]),
        ("date", "17th", ["the seventh", "the 7th", "17"]),
        ("date", "3 September", ["the third one", "the third of the three"]),
        ("date", "Sunday the 21st", ["Saturday the 21st", "Saturday, 21st"]),
        ("date", "Monday, 7 July", ["Tuesday, 7 July"]),
        ("date", "2024-03-14", ["14 March 2023"]),
        ("version", "version 3", ["version 3.1"]),
        ("page", "page 12", ["no. 12.5"]),
        ("size", "S", ["it's Bob's", "s"]),
        ("size", "XL", ["double extra large"]),
        ("day", "Sunday", ["in the sun", "he sat down"]),
        ("time", "11:30", ["half past ten", "half eleven hours", "half an hour"]),
        ("time", "from 3 to 5", ["3-6 pm", "15:00-16:00", "3 am to 5 am", "3 and 5"]),
        ("time", "from 3 to 5 at night", ["3-5 pm"]),
        ("time", "from 3 to 5", ["3 to 5 people", "3-5 working days", "is it 3 to 5 of them"]),
        ("time", "midnight", ["12:00", "12 pm"]),
        ("time", "8 pm", ["half past eight", "half past eight in the evening", "a quarter to eight pm", "8 am"]),
        ("interval", "three months", ["three times a year", "every month"]),
        ("frequency", "weekly", ["twice weekly", "bi-weekly", "biweekly"]),
        ("frequency", "yearly", ["half-yearly"]),
    ],
)  # fmt: skip
def test_what_looks_like_a_value_and_is_another_is_not_the_value(kind: str, value: str, texts: list[str]) -> None:
    assert [text for text in texts if meant(text, known(kind, value))] == []


def test_a_number_alone_says_a_counted_value_only_beside_the_wish() -> None:
    assert meant("Would 3 do?", known("quantity", "three crates"))
    assert not said("Would 3 do?", known("quantity", "three crates"))


@pytest.mark.parametrize(
    ("request_", "right", "wrong"),
    [
        ("Book a table at half past eight.", ["20:30", "8:30 pm", "8:30"], ["8:30 am"]),
        ("Wake me at half past eight.", ["8:30 am", "08:30", "8:30"], ["20:30", "8:30 pm"]),
        ("Ring Noor at half past eight.", ["8:30", "half past eight"], ["20:30", "8:30 pm", "8:30 am"]),
    ],
)
def test_the_request_tells_which_half_of_the_day_is_meant(request_: str, right: list[str], wrong: list[str]) -> None:
    time = known("time", "half past eight")

    assert [text for text in right if not meant(text, time, request_)] == []
    assert [text for text in wrong if meant(text, time, request_)] == []


def test_amounts_of_a_text_are_no_parts_of_days_or_times() -> None:
    text = "On March 5 at 15:30, 6 pm or 7 o'clock: 16, -3 °C, £40k, half an hour, one of them, a week or two?"

    assert [each for _, each in amounts(text)] == [
        Amount(0.5, "hour"), Amount(16), Amount(-3, "degree"), Amount(40_000, "pound"), Amount(1, "week"), Amount(2),
    ]  # fmt: skip


@pytest.mark.parametrize("value", ["half past seven", "INV-2087", "77-4193", "the third floor", "more than six"])
def test_words_that_count_nothing_are_no_amount(value: str) -> None:
    assert amount(value) is None


@pytest.mark.parametrize(
    ("item", "question", "differs"),
    [
        (known("price", "65 euros"), "€40 each?", True),
        (known("price", "65 euros"), "6,500 cents?", False),
        (known("fee", "30 cents"), "€0.40?", True),
        (known("amount", "750 ml"), "A litre?", True),
        (known("amount", "a litre"), "1,000 ml?", False),
        (known("amount", "a litre"), "Half a litre?", True),
        (known("duration", "half a year"), "26 weeks?", False),
        (known("duration", "a year"), "52 weeks?", False),
        (known("duration", "a year"), "50 weeks?", True),
        (known("amount", "750 ml"), "0.75 l or so?", False),
        (known("distance", "16 km"), "10 miles?", False),
        (known("distance", "16 km"), "15 miles?", True),
        (known("quantity", "120"), "A hundred tulips?", True),
        (known("quantity", "120"), "Ten dozen?", False),
        (known("quantity", "300"), "Three thousand copies?", True),
        (known("quantity", "2,500"), "Two and a half thousand?", False),
        (known("quantity", "2,500"), "25 hundred?", False),
        (known("quantity", "six"), "One and a half dozen?", True),
        (known("duration", "45 minutes"), "The full hour?", True),
        (known("limit", "more than 40 days"), "Above 50 days?", True),
        (known("limit", "more than 40 days"), "Longer than forty?", False),
        (known("date", "3 September"), "From October on?", True),
        (known("date", "3 September"), "Some day in September?", False),
        (known("date", "3 May"), "May I use the march from the film?", False),
        (known("date", "6 May"), "On 5/6?", False),
        (known("date", "17th"), "The sixteenth, then?", True),
        (known("date", "17th"), "The first of the month?", True),
        (known("date", "17th"), "Due the 18, then?", True),
        (known("date", "17th"), "The 18 boxes?", False),
        (known("date", "20 March"), "20 March, though it was April before?", False),
        (known("threshold", "more than 40"), "Starting at 30?", True),
        (known("duration", "40 minutes"), "Tomorrow at ten?", False),
        (known("share", "45 percent"), "45 in a hundred?", False),
        (known("share", "45 percent"), "54 in a hundred?", True),
        (known("share", "33 percent"), "A third?", False),
        (known("share", "30 percent"), "A third?", True),
        (known("date", "17th"), "The seventh meeting of the year?", False),
        (known("time", "from 3 to 5"), "4-6 pm?", True),
        (known("time", "from 3 to 5"), "For 20 to 30 people?", False),
        (known("time", "from 3 to 5"), "Half past six?", True),
        (known("time", "from 3 to 5"), "So it begins at 3?", False),
        (known("time", "9 to 12"), "Nine to noon?", False),
        (known("time", "from 3 to 5"), "For 4 to 6 people?", False),
        (known("interval", "three months"), "Twice a year?", True),
        (known("interval", "three months"), "Four months?", True),
        (known("frequency", "weekly"), "For three months?", False),
        (known("frequency", "twice a week"), "Twice weekly?", False),
        (known("interval", "one month"), "Every four weeks?", False),
        (known("time", "9:30"), "Ten sharp?", True),
        (known("quantity", "four boxes"), "Would five do?", True),
        (known("quantity", "four boxes"), "Would any number do?", False),
        (known("duration", "60 days"), "Everything older than a month?", True),
        (known("duration", "60 days"), "Everything older than two months?", False),
        (known("percentage", "30 percent"), "Half of it?", True),
        (known("duration", "30-minute"), "From 13:00 to 14:00?", True),
        (known("temperature", "17 degrees"), "63 °F?", False),
        (known("time", "7:30"), "At 8?", True),
        (known("time", "half past seven"), "7:30 pm?", False),
        (known("time", "0:15"), "A quarter past midnight?", False),
        (known("amount", "48,000 euros"), "EUR 48.000?", False),
        (known("amount", "48,000 euros"), "EUR 48.50?", True),
        (known("date", "21 November"), "The 19th?", True),
        (known("date", "21 November"), "Tomorrow?", False),
        (known("place", "the Kiel office"), "To Kiel?", False),
        (known("place", "the Kiel office"), "The Hamburg office?", True),
        (known("board", "Front end"), "The Back end board?", True),
        (known("label", "Finance 2025"), "Finance 2024?", True),
        (known("number", "77-4193"), "Is it 77-4139?", True),
        (known("person", "Noor"), "To my colleague?", True),
        (known("threshold", "below 6"), "So fewer than 6 on a day?", False),
        (known("threshold", "below 6"), "So fewer than 5 on a day?", True),
    ],
)
def test_a_value_is_denied_only_where_another_of_its_sort_is_there(item: Known, question: str, differs: bool) -> None:
    assert another(question, item, Wish(full=item.value, withheld=(item,))) is differs


TEMPERATURE = known("temperature", "19 degrees", id="temp")
START = known("time", "21:00", id="start")
LENGTH = known("duration", "40-minute", id="length")


@pytest.mark.parametrize(
    ("question", "heard"),
    [
        ("18, 19 or 20?", Lone("temp", "asked")),
        ("Is it 18, 19 or 20?", Lone("temp", "asked")),
        ("19?", Lone("temp", "right")),
        ("So 20 then?", Lone("temp", "wrong")),
        ("20:00?", Lone("start", "wrong")),
        ("Is 9 pm right?", Lone("start", "right")),
        ("Keep 19 anyway?", Lone("temp", "right")),
        ("Stick with 20?", Lone("temp", "wrong")),
        ("So not 19 but 20?", Lone("temp", "wrong")),
        ("Not at 20:00 but at 21:00?", Lone("start", "right")),
        ("20, not 19?", Lone("temp", "wrong")),
        ("19 rather than 20?", Lone("temp", "right")),
        ("20 instead of 19?", Lone("temp", "wrong")),
        ("Not 19?", None),
        ("20 euros?", None),
        ("19", None),
        ("Which 19?", None),
        ("19 of what?", None),
        ("20 for the hall?", None),
    ],
)
def test_a_question_of_values_alone_is_about_the_one_item_that_can_have_them(question: str, heard: Lone | None) -> None:
    assert lone(question, Wish(full="", withheld=(TEMPERATURE, START))) == heard


def test_a_value_that_is_put_down_for_another_is_not_agreed_to() -> None:
    length = known("duration", "40-minute", "length of the swim")
    wish = Wish(full="Book the pool for a 40-minute swim.", sent="Book the pool for a swim.", withheld=(length,))

    assert GroundedUser(wish).reply("60 minutes, not 40 minutes?").text == "No, 40 minutes."


def test_of_several_items_that_could_have_a_number_it_is_the_one_that_has_it() -> None:
    wish = Wish(full="", withheld=(TEMPERATURE, LENGTH))

    assert lone("40?", wish) == Lone("length", "right")
    assert lone("30?", wish) is None
    assert lone("30 minutes?", wish) == Lone("length", "wrong")
    assert lone("Not 40 but 30?", wish) == Lone("length", "wrong")


def test_a_value_that_the_request_states_is_not_taken_for_one_that_is_withheld() -> None:
    assert lone("At 11:00?", Wish(full="", withheld=(START,), stated=(known("time", "11:00"),))) is None


COOLER = Wish(
    full="Keep the wine fridge at minus 8 degrees from half past six in the evening, on the third floor.",
    sent="Keep the wine fridge cold from then on.",
    withheld=(
        known("temperature", "minus 8 degrees", "temperature", "temp"),
        known("time", "half past six", "start", "start"),
        known("place", "the third floor", "where it stands", "place"),
    ),
)
ORDER = Wish(
    full="Order five sacks of bird seed for 36,000 euros, delivered to the Bergen depot, within three weeks.",
    sent="Order bird seed for the depot.",
    withheld=(
        known("quantity", "five sacks", "number of sacks", "sacks"),
        known("amount", "36,000 euros", "budget", "budget"),
        known("place", "the Bergen depot", "delivery address", "place"),
        known("duration", "three weeks", "delivery time", "time"),
    ),
)

GARDEN = Wish(
    full="Have the roses fed with 500 ml of the mixture each, fortnightly, in the afternoon from 3 to 5.",
    sent="Have the roses fed with the mixture from time to time, in the afternoon.",
    withheld=(
        known("amount", "500 ml", "how much for each", "much"),
        known("frequency", "fortnightly", "how often", "often"),
        known("time", "from 3 to 5", "hours", "hours"),
    ),
)


@pytest.mark.parametrize(
    ("wish", "question", "answer"),
    [
        (COOLER, "-8 °C?", "Yes, minus 8 degrees."),
        (COOLER, "Is it minus eight?", "Yes, minus 8 degrees."),
        (COOLER, "8 degrees?", "No, minus 8 degrees."),
        (COOLER, "-18?", "No, minus 8 degrees."),
        (COOLER, "18:30?", "Yes, half past six."),
        (COOLER, "6:30 am?", "No, half past six."),
        (COOLER, "19:30?", "No, half past six."),
        (COOLER, "On the 3rd floor?", "Yes, the third floor."),
        (ORDER, "Would 5 be enough?", "Yes, five sacks."),
        (ORDER, "Would six sacks be enough?", "No, five sacks."),
        (ORDER, "Is it 36k?", "Yes, 36,000 euros."),
        (ORDER, "Is it 63k euros?", "No, 36,000 euros."),
        (ORDER, "€36,000?", "Yes, 36,000 euros."),
        (ORDER, "21 days?", "Yes, three weeks."),
        (ORDER, "14 days?", "No, three weeks."),
        (ORDER, "Bergen?", "The Bergen depot."),
        (GARDEN, "Half a litre each?", "Yes, 500 ml."),
        (GARDEN, "5 l each?", "No, 500 ml."),
        (GARDEN, "3-5 pm?", "Yes, from 3 to 5."),
        (GARDEN, "4-6 pm?", "No, from 3 to 5."),
        (GARDEN, "Every other week?", "Yes, fortnightly."),
        (GARDEN, "Once a week?", "No, fortnightly."),
    ],
)
def test_right_values_are_agreed_to_wrong_ones_denied_and_the_rest_told(wish: Wish, question: str, answer: str) -> None:
    assert GroundedUser(wish).reply(question).text == answer


MOVED = Wish(
    full="Move my judo class from Monday to Friday and tell the trainer, Ilka.",
    sent="Move my judo class to another day and tell the trainer.",
    withheld=(
        known("day", "Monday", "old day", "old"),
        known("day", "Friday", "new day", "new"),
        known("person", "Ilka", "trainer", "who"),
    ),
)
KEYS = Wish(
    full="Send Paula Reyes the contract and tell her that the badge is with Mr Adeyemi.",
    sent="Send the new hire the contract and tell her who has the badge.",
    withheld=(
        known("person", "Paula Reyes", "recipient", "to"),
        known("person", "Mr Adeyemi", "holder of the badge", "holder"),
    ),
)
TRAIN = Wish(
    full="Book me a seat to Leuven on 4 May, in first class.",
    sent="Book me a seat on 4 May.",
    withheld=(known("place", "Leuven", "destination", "to"), known("class", "first class", "travel class", "class")),
)


@pytest.mark.parametrize(
    ("wish", "question", "answer"),
    [
        (MOVED, "So Monday is the new day?", "No, Friday."),
        (MOVED, "Shall I move it to Monday?", "No, Friday."),
        (MOVED, "From Monday to Friday, is that it?", "Yes, Monday (old day) and Friday (new day)."),
        (MOVED, "Which day is it now?", "Monday."),
        (KEYS, "Shall I send it to Mr Adeyemi?", "No, Paula Reyes."),
        (KEYS, "Is Mr Adeyemi the one with the badge?", "Yes, Mr Adeyemi."),
        (TRAIN, "Shall I book the 9:15 to Mechelen?", "No, Leuven."),
    ],
)
def test_a_value_in_the_place_of_another_is_not_agreed_to(wish: Wish, question: str, answer: str) -> None:
    assert GroundedUser(wish).reply(question).text == answer
