"""Which withheld values a text reveals: in whatever form, and not where they are another item's."""

from __future__ import annotations

import pytest

from userssim.revealed import reveals
from userssim.wish import Known, Wish

WISH = Wish(
    full="Call John and John Smith for 30 minutes at 9 am about the top 5 campaigns and the Orlando budget.",
    withheld=(
        Known(id="who", kind="person", value="John"),
        Known(id="length", kind="duration", value="30 minutes"),
        Known(id="time", kind="time", value="9 am"),
        Known(id="top", kind="threshold", value="5"),
    ),
    stated=(
        Known(id="other", kind="person", value="John Smith"),
        Known(id="topic", kind="title", value="the Orlando budget"),
        Known(id="most", kind="duration", value="half an hour"),
    ),
)


@pytest.mark.parametrize(
    ("text", "revealed"),
    [
        ("Thirty minutes, with John.", ("who", "length")),
        ("For 30, at nine tomorrow.", ("length", "time")),
        ("Half of an hour: 30 min.", ("length",)),
        ("The five campaigns, or 5 percent.", ("top",)),
        ("Call John Smith and then John.", ("who",)),
    ],
)
def test_a_text_reveals_values_in_whatever_form_it_has_them(text: str, revealed: tuple[str, ...]) -> None:
    assert reveals(text, WISH) == revealed


@pytest.mark.parametrize(
    "text", ["Call John Smith.", "Half an hour.", "There are thirty tasks.", "Ask five people.", "Nothing of that."]
)
def test_a_text_with_the_value_of_another_item_or_of_something_else_reveals_nothing(text: str) -> None:
    assert reveals(text, WISH) == ()
