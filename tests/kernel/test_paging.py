"""Pages and parts, which say what was left out."""

import json

import pytest
from pydantic import BaseModel

from servers.kernel import PAGE, RESULT, Rejected, paged, part, snippet


class Item(BaseModel):
    id: str
    text: str = ""


def show(number: int) -> Item:
    return Item(id=str(number))


def test_a_page_says_which_of_how_many_it_shows_and_how_to_go_on() -> None:
    page = paged(range(57), 20, show)

    assert (page.shown, page.next) == ("21 to 40 of 57", "skip=40")
    assert [item.id for item in page.items] == [str(number) for number in range(20, 40)]


def test_the_last_page_has_no_next() -> None:
    page = paged(range(57), 40, show)

    assert (page.shown, page.next, len(page.items)) == ("41 to 57 of 57", None, 17)


@pytest.mark.parametrize(("count", "skip", "shown"), [(0, 0, "nothing found"), (3, 3, "none of 3")])
def test_an_empty_page_says_so(count: int, skip: int, shown: str) -> None:
    page = paged(range(count), skip, show)

    assert (page.shown, page.items, page.next) == (shown, [], None)


def test_following_next_shows_every_item_once_however_long_they_are() -> None:
    skip, seen = 0, []
    while True:
        page = paged(range(45), skip, lambda number: Item(id=str(number), text="x" * (number % 7) * 1_500))
        seen += [item.id for item in page.items]
        assert len(json.dumps(page.model_dump())) < RESULT + 2_000
        if not page.next:
            break
        skip = int(page.next.removeprefix("skip="))

    assert seen == [str(number) for number in range(45)]


def test_an_item_that_is_too_long_for_a_page_has_one_of_its_own() -> None:
    page = paged([1, 2], 0, lambda number: Item(id=str(number), text="x" * RESULT))

    assert (len(page.items), page.next) == (1, "skip=1")


def test_no_more_is_shown_than_what_is_on_the_page() -> None:
    shown = []
    paged(range(1_000), 0, lambda number: shown.append(number) or show(number))  # type: ignore[func-returns-value]

    assert len(shown) == PAGE


@pytest.mark.parametrize(
    "text",
    ["".join(map(str, range(20_000))), "\n" * 30_000, '\\"' * 20_000, "\x01" * 9_000, "a\x01" * 9_000, ""],
    ids=["digits", "line breaks", "quotes", "controls", "mixed", "nothing"],
)
def test_the_parts_of_a_text_are_the_text_and_each_fits_a_result_as_json(text: str) -> None:
    skip, found = 0, ""
    while True:
        piece, left = part(text, skip)
        found += piece
        assert len(json.dumps(piece, ensure_ascii=False)) <= RESULT - 1_998
        assert len(piece) > 3_000 or left is None
        if left is None:
            break
        skip = int(left.rpartition("=")[2])

    assert found == text


def test_a_part_says_how_much_is_left_in_characters_of_the_text() -> None:
    assert part("\n" * 1_010, 5, most=10) == ("\n" * 5, "1,000 of 1,010 characters are left: skip=10")
    assert part("\x01\x01", 0, most=3) == ("\x01", "1 of 2 characters are left: skip=1")


def test_a_part_behind_the_end_of_a_text_is_refused_with_its_length() -> None:
    with pytest.raises(Rejected, match=r"^skip is 9,000, and the text has 5 characters\.$"):
        part("short", 9_000)
    with pytest.raises(Rejected, match="has 5 characters"):
        part("short", 5)


def test_a_snippet_is_the_beginning_in_one_line() -> None:
    assert snippet("Dear Hana,\n\n  thank you. ") == "Dear Hana, thank you."
    assert snippet("word " * 100, 12) == "word word wo ..."
